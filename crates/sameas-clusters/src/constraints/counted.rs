//! The constraints of a clustering, as a pass over a component asks them.

use std::ops::Range;

use rayon::prelude::*;

use crate::outcome::CutCause;
use crate::rules::{ClusterRules, Counted, NO_VALUE, OneTo, RowFacts};

/// All constraints.
pub(crate) struct Constraints<'a> {
    pub(crate) max_size: usize,
    /// The limits, in the order in which they are asked.
    pub(crate) limits: Vec<LimitedValues<'a>>,
    /// Pairs that are decided to be different, each the lower row first, ascending.
    pub(crate) apart: Vec<[u32; 2]>,
    /// Forbidden pairs, in the same way.
    pub(crate) forbidden: Vec<[u32; 2]>,
}

/// A limit, and the values that it counts.
#[derive(Clone, Copy)]
pub(crate) struct LimitedValues<'a> {
    pub(crate) counted: Counted,
    pub(crate) most: u32,
    /// The value of each row.
    values: &'a [u32],
    /// The value that counts for nothing.
    ignored: Option<u32>,
    /// The number of the limit, unless it is about sources.
    limit: Option<u32>,
}

impl<'a> Constraints<'a> {
    pub(crate) fn new(rules: &ClusterRules, facts: &'a RowFacts) -> Self {
        let forbidden = if rules.keep_apart { &facts.forbidden[..] } else { &[] };
        Self {
            max_size: rules.max_size.map_or(usize::MAX, |most| most as usize),
            limits: limits(rules, facts),
            apart: ascending(&facts.apart),
            forbidden: ascending(forbidden),
        }
    }

    /// The same with pairs of places in place of pairs of rows, as far as both rows are in one component.
    pub(crate) fn placed(self, roots: &[u32], places: &[u32]) -> Self {
        let placed = |pairs: Vec<[u32; 2]>| -> Vec<[u32; 2]> {
            let inside = pairs.into_par_iter().filter(|[a, b]| roots[*a as usize] == roots[*b as usize]);
            let mut pairs: Vec<[u32; 2]> = inside.map(|pair| pair.map(|row| places[row as usize])).collect();
            pairs.par_sort_unstable();
            pairs
        };
        Self { apart: placed(self.apart), forbidden: placed(self.forbidden), ..self }
    }

    /// The pairs of places that are decided to be different, of the rows with these places.
    pub(super) fn apart_among(&self, places: Range<u32>) -> &[[u32; 2]] {
        pairs_among(&self.apart, places)
    }

    /// The forbidden pairs of these places.
    pub(super) fn forbidden_among(&self, places: Range<u32>) -> &[[u32; 2]] {
        pairs_among(&self.forbidden, places)
    }
}

/// The pairs whose places are among those of a component.
fn pairs_among(pairs: &[[u32; 2]], places: Range<u32>) -> &[[u32; 2]] {
    let begin = pairs.partition_point(|[l, _]| *l < places.start);
    let until = pairs.partition_point(|[l, _]| *l < places.end);
    &pairs[begin..until]
}

/// The pairs, each the lower row first and once; a row is not a pair with itself.
fn ascending(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut pairs: Vec<[u32; 2]> =
        pairs.par_iter().filter(|[a, b]| a != b).map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

fn limits<'a>(rules: &ClusterRules, facts: &'a RowFacts) -> Vec<LimitedValues<'a>> {
    let of_sources = rules.one_to.map(|one_to| LimitedValues {
        counted: Counted::RecordsOfEach,
        most: 1,
        values: &facts.sources,
        ignored: match one_to {
            OneTo::One => None,
            OneTo::Many { repeated } => Some(repeated),
        },
        limit: None,
    });
    let others = rules.limits.iter().zip(&facts.values).enumerate().map(|(at, (limit, values))| LimitedValues {
        counted: limit.counted,
        most: limit.most,
        values,
        ignored: None,
        limit: Some(at as u32),
    });
    of_sources.into_iter().chain(others).collect()
}

impl LimitedValues<'_> {
    /// The value of a row, if it has one that counts.
    pub(super) fn value(&self, row: u32) -> Option<u32> {
        Some(self.values[row as usize]).filter(|value| *value != NO_VALUE && Some(*value) != self.ignored)
    }

    /// Whether a row counts for a value that is too much: for a limit of different values each row with one does.
    pub(super) fn counts_for(&self, row: u32, value: u32) -> bool {
        match self.counted {
            Counted::RecordsOfEach => self.value(row) == Some(value),
            Counted::DifferentValues => self.value(row).is_some(),
        }
    }

    /// What it means that this limit refuses a union.
    pub(super) fn cause(&self, value: u32) -> CutCause {
        match self.limit {
            Some(limit) => CutCause::Limit { limit, value },
            None => CutCause::OneTo { source: value },
        }
    }
}
