//! Which components may break a constraint; the others are clusters as they are.

use rayon::prelude::*;

use super::counted::{Constraints, LimitedValues};
use crate::component_order::ComponentOrder;
use crate::rules::Counted;

/// Components that one thread looks at.
const AT_A_TIME: usize = 1 << 10;

/// For each component whether it breaks a constraint, or has more than `most` records. Pairs are still pairs of rows.
pub(crate) fn open_components(
    order: &ComponentOrder,
    roots: &[u32],
    constraints: &Constraints<'_>,
    most: usize,
) -> Vec<bool> {
    let has_pair = firsts_with_pairs(roots, constraints);
    let most = most.min(constraints.max_size);
    let is_open = |values: &mut Vec<u32>, at: usize| {
        let rows = order.component(at);
        let has_pair = || has_pair.get(rows[0] as usize).is_some_and(|has_pair| *has_pair);
        let breaks = |limit: &LimitedValues<'_>| limit.is_broken_by(rows, values);
        rows.len() > most || has_pair() || constraints.limits.iter().any(breaks)
    };
    let components = (0..order.len()).into_par_iter().with_min_len(AT_A_TIME);
    components.map_init(Vec::new, is_open).collect()
}

/// For each row whether it is the first of a component with a pair that is apart or forbidden; nothing where there are no pairs.
fn firsts_with_pairs(roots: &[u32], constraints: &Constraints<'_>) -> Vec<bool> {
    let pairs = || constraints.apart.iter().chain(&constraints.forbidden);
    let mut has_pair = if pairs().next().is_some() { vec![false; roots.len()] } else { Vec::new() };
    for [a, b] in pairs().map(|pair| pair.map(|row| roots[row as usize])) {
        has_pair[a as usize] |= a == b;
    }
    has_pair
}

impl LimitedValues<'_> {
    /// Whether these rows together break the limit.
    fn is_broken_by(&self, rows: &[u32], values: &mut Vec<u32>) -> bool {
        let most = self.most as usize;
        // So few rows have too many records or values in no way.
        if rows.len() <= most {
            return false;
        }
        values.clear();
        values.extend(rows.iter().filter_map(|row| self.value(*row)));
        values.sort_unstable();
        let mut of_each = values.chunk_by(|a, b| a == b);
        match self.counted {
            Counted::RecordsOfEach => of_each.any(|records| records.len() > most),
            Counted::DifferentValues => of_each.count() > most,
        }
    }
}
