//! Access conditions: what a path can enumerate of a conjunction.

use serde::{Deserialize, Serialize};

use super::declaration::{Declaration, NoDevicePath};
use super::{AccessPath, JoinSource, Parting, Path, PathInput, Rows, Shape};
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

    /// The path that joins on a predicate together with others like it, if there is one.
    #[doc(hidden)]
    pub fn combining(check: &Check) -> Option<Self> {
        let combines = |declaration: &dyn Declaration| declaration.joins_several() && declaration.serves(check);
        Self::ALL.iter().copied().find(|path| combines(path.declaration()))
    }
}

/// How a branch finds its candidates: a path, and the predicates it joins on, by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// The path.
    pub path: AccessPath,
    /// What it joins on: several where the path joins on several at once, nothing for all pairs, and one otherwise.
    pub on: Vec<usize>,
}

impl Access {
    /// The path of one predicate that must be true, if there is one.
    pub fn on_predicate(predicate: usize, check: &Check) -> Option<Self> {
        AccessPath::serving(check).map(|path| Self { path, on: vec![predicate] })
    }

    /// The path of some predicates that must all be true, if one joins on them at once.
    pub fn on_predicates(predicates: Vec<usize>, checks: &[Check]) -> Option<Self> {
        let path = AccessPath::combining(&checks[*predicates.first()?])?;
        let served = predicates.iter().all(|predicate| path.declaration().serves(&checks[*predicate]));
        served.then_some(Self { path, on: predicates })
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

    /// Whether its candidates are pairs of equal keys.
    pub fn has_keys(&self) -> bool {
        self.path.declaration().has_keys()
    }

    /// Whether every candidate of the other is one of this, because the other joins on all that this does.
    pub fn contains(&self, other: &Self) -> bool {
        let joins_several = self.path == other.path && self.path.declaration().joins_several();
        joins_several && self.on.iter().all(|predicate| other.on.contains(predicate))
    }

    /// The path to the candidates on the CPU.
    pub fn path<'a>(&self, input: PathInput<'a>) -> Path<'a> {
        self.path.declaration().path(&self.on, input)
    }

    /// By what the records can be divided.
    pub fn parting(&self, checks: &[Check]) -> Parting {
        self.path.declaration().parting(&self.on, checks)
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
                let (verdicts, want) = (&verdicts[..], Truth::from(literal.want));
                kept = kept.filtered(|row| verdicts[row as usize] == want);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threshold::Sides;

    fn equality(operand: usize) -> Check {
        Check::Equal { operands: Sides { left: operand, right: operand }, null_safe: false }
    }

    fn keys(on: &[usize]) -> Access {
        Access { path: AccessPath::EquiJoin, on: on.to_vec() }
    }

    #[test]
    fn equalities_are_joined_on_at_once() {
        let checks = [equality(0), equality(1), Check::SameSource { borders: Vec::new() }];
        assert_eq!(Access::on_predicates(vec![1, 0], &checks), Some(keys(&[1, 0])));
        assert_eq!(Access::on_predicates(vec![1], &checks), Access::on_predicate(1, &checks[1]));
        assert_eq!(
            [Access::on_predicates(Vec::new(), &checks), Access::on_predicates(vec![0, 2], &checks)],
            [None, None]
        );
        assert!(AccessPath::combining(&checks[2]).is_none());
    }

    #[test]
    fn more_keys_have_fewer_candidates() {
        assert!(keys(&[2]).contains(&keys(&[1, 2])) && !keys(&[1, 2]).contains(&keys(&[2])));
        assert!(!keys(&[1]).contains(&keys(&[2])));
        let near = Access { path: AccessPath::Neighbourhood, on: vec![1] };
        assert!(!near.contains(&near) && !near.contains(&keys(&[1])) && !keys(&[1]).contains(&near));
        assert!(!Access::all_pairs().contains(&keys(&[1])));
    }

    /// Who has keys is parted by them.
    #[test]
    fn keys_part_records() {
        let checks = [equality(0), equality(1)];
        for path in AccessPath::ALL.iter().filter(|path| path.declaration().has_keys()) {
            assert!(matches!(path.declaration().parting(&[0, 1], &checks), Parting::Keys(parts) if parts.len() == 2));
        }
        assert!(keys(&[0]).has_keys() && !Access::all_pairs().has_keys());
        assert!(matches!(Access::all_pairs().parting(&checks), Parting::Rows));
    }

    /// Names are those of `run.json`, by which later programs know them.
    #[test]
    fn paths_have_one_name() {
        for path in AccessPath::ALL {
            assert_eq!(serde_json::to_value(path).unwrap(), path.name());
        }
    }

    #[test]
    fn an_access_is_a_value() {
        let condition = Condition { access: keys(&[3, 1]), filters: vec![Literal { predicate: 2, want: false }] };
        let text = serde_json::to_string(&condition).unwrap();
        assert_eq!(serde_json::from_str::<Condition>(&text).unwrap(), condition);
    }
}
