//! Access conditions: what a path can enumerate of a conjunction.

use serde::{Deserialize, Serialize};

use super::declaration::{JoinSource, NoDevicePath, PathInput};
use super::{AccessPath, Path, Rows, Shape};
use crate::expr::Side;
use crate::rules::Literal;
use crate::threshold::{Check, Truth};

impl AccessPath {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.declaration().name()
    }

    /// The path that can enumerate the pairs for which a predicate is true, if there is one.
    #[doc(hidden)]
    pub fn serving(check: &Check) -> Option<Self> {
        Self::ALL.iter().copied().find(|path| path.declaration().serves(check))
    }
}

/// How a branch finds its candidates: a path, and the predicates it joins on, by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// The path.
    pub path: AccessPath,
    /// What it joins on: for an equi-join one part of the key each, nothing for all pairs, and one otherwise.
    pub on: Vec<usize>,
}

impl Access {
    /// The path of one predicate that must be true, if there is one.
    pub fn of(predicate: usize, check: &Check) -> Option<Self> {
        AccessPath::serving(check).map(|path| Self { path, on: vec![predicate] })
    }

    /// Equal composite keys, one part for each of these equalities.
    pub fn equi_join(equalities: Vec<usize>) -> Self {
        Self { path: AccessPath::EquiJoin, on: equalities }
    }

    /// Every pair.
    pub fn all_pairs() -> Self {
        Self { path: AccessPath::AllPairs, on: Vec::new() }
    }

    /// The name of the path.
    pub fn name(&self) -> &'static str {
        self.path.name()
    }

    /// Whether distinct values are joined, and their pairs known only when they are.
    pub fn is_over_values(&self) -> bool {
        self.path.declaration().over_values().is_some()
    }

    /// The predicates it joins on.
    pub fn predicates(&self) -> &[usize] {
        &self.on
    }

    /// The path to the candidates on the CPU.
    pub fn path<'a>(&self, input: PathInput<'a>) -> Path<'a> {
        self.path.declaration().path(&self.on, input)
    }

    /// Why candidates cannot be found on a device, if they cannot.
    pub fn no_device_path(&self, checks: &[Check]) -> Option<NoDevicePath> {
        let path = self.path.declaration();
        if !path.has_device_path() {
            return Some(NoDevicePath::Path);
        }
        let served = self.on.iter().all(|predicate| path.serves_on_device(&checks[*predicate]));
        (!served).then_some(NoDevicePath::Measure)
    }
}

/// An access path and the records that take part.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Condition {
    /// How candidates are found.
    pub access: Access,
    /// Conditions on one record alone, which filter records before the join.
    pub filters: Vec<Literal>,
}

impl Condition {
    /// The literals that every candidate satisfies.
    pub fn literals(&self) -> Vec<Literal> {
        let positive = self.access.on.iter().map(|predicate| Literal { predicate: *predicate, want: true });
        positive.chain(self.filters.iter().copied()).collect()
    }

    /// The path to the candidates; `rows` are the numbers of left and right records, and an index takes at most about
    /// `memory` bytes.
    pub fn path<'a>(&self, source: JoinSource<'a>, rows: [u32; 2], shape: Shape, memory: usize) -> Path<'a> {
        let rows = self.rows_of_both(source.checks, &Rows::of_sides(rows));
        self.access.path(PathInput { source, rows, shape, memory })
    }

    /// The records of both sides that pass every filter.
    pub fn rows_of_both(&self, checks: &[Check], rows: &[Rows; 2]) -> [Rows; 2] {
        [self.rows(checks, Side::Left, &rows[0]), self.rows(checks, Side::Right, &rows[1])]
    }

    /// The records of a side that pass every filter on it.
    fn rows(&self, checks: &[Check], wanted: Side, rows: &Rows) -> Rows {
        let mut kept = rows.clone();
        for literal in &self.filters {
            if let Check::OneSided { side, verdicts } = &checks[literal.predicate]
                && *side == wanted
            {
                kept = kept.filtered(|row| verdicts[row as usize] == Truth::from(literal.want));
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are those of `run.json`, by which later programs know them.
    #[test]
    fn paths_have_one_name() {
        for path in AccessPath::ALL {
            assert_eq!(serde_json::to_value(path).unwrap(), path.name());
        }
    }

    #[test]
    fn an_access_is_a_value() {
        let condition =
            Condition { access: Access::equi_join(vec![3, 1]), filters: vec![Literal { predicate: 2, want: false }] };
        let text = serde_json::to_string(&condition).unwrap();
        assert_eq!(serde_json::from_str::<Condition>(&text).unwrap(), condition);
    }
}
