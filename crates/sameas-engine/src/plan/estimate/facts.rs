//! What a run has seen of access conditions, in place of what was estimated.

use crate::candidates::Condition;

/// The operands that an access path compares, where they are sampled to estimate it.
pub type Compared = Option<(usize, usize)>;

/// A condition, the candidates estimated for it, and those that came.
#[derive(Clone, Debug)]
struct Fact {
    condition: Condition,
    compared: Compared,
    estimated: f64,
    seen: f64,
}

impl Fact {
    /// How many times too low the estimate was.
    fn factor(&self) -> f64 {
        (self.seen / self.estimated.max(1.0)).max(1.0)
    }
}

/// All that was seen.
#[derive(Clone, Debug, Default)]
pub struct SeenCandidates(Vec<Fact>);

impl SeenCandidates {
    /// A branch has ended.
    pub fn add(&mut self, condition: &Condition, compared: Compared, estimated: f64, seen: f64) {
        self.0.push(Fact { condition: condition.clone(), compared, estimated, seen });
    }

    /// An estimate in the light of what was seen.
    ///
    /// - The same condition: what was seen.
    /// - Keys that contain others give no more candidates than these, and were misjudged as much.
    /// - Keys that are contained in others give no fewer.
    /// - Another similarity of the same values was judged by the same sampled rows, and is taken to be misjudged as much.
    pub fn corrected(&self, condition: &Condition, compared: Compared, estimate: f64) -> f64 {
        self.0.iter().fold(estimate, |estimate, fact| {
            if fact.condition == *condition {
                return fact.seen;
            }
            let (mine, known) = (&condition.access, &fact.condition.access);
            if known.contains(mine) && fact.condition.filters.is_empty() {
                (estimate * fact.factor()).min(fact.seen)
            } else if mine.contains(known) && condition.filters.is_empty() {
                estimate.max(fact.seen)
            } else if compared.is_some() && compared == fact.compared {
                estimate * fact.factor()
            } else {
                estimate
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::{Access, AccessPath};

    fn keys(predicates: &[usize]) -> Condition {
        Condition { access: Access { path: AccessPath::EquiJoin, on: predicates.to_vec() }, filters: Vec::new() }
    }

    #[test]
    fn what_was_seen_bounds_what_is_related() {
        let mut facts = SeenCandidates::default();
        facts.add(&keys(&[1, 2]), None, 100.0, 5000.0);
        assert_eq!(facts.corrected(&keys(&[1, 2]), None, 100.0), 5000.0);
        assert_eq!(facts.corrected(&keys(&[1]), None, 900.0), 5000.0, "a part of the key gives no fewer");
        assert_eq!(facts.corrected(&keys(&[1]), None, 9000.0), 9000.0);
        assert_eq!(facts.corrected(&keys(&[1, 2, 3]), None, 10.0), 500.0, "a longer key was misjudged as much");
        assert_eq!(facts.corrected(&keys(&[1, 2, 3]), None, 1000.0), 5000.0, "and gives no more");
        assert_eq!(facts.corrected(&keys(&[3]), None, 10.0), 10.0);
    }

    #[test]
    fn similarities_of_the_same_values_are_misjudged_together() {
        let similar =
            |path: AccessPath, on: usize| Condition { access: Access { path, on: vec![on] }, filters: Vec::new() };
        let mut facts = SeenCandidates::default();
        facts.add(&similar(AccessPath::EditJoin, 1), Some((7, 7)), 10.0, 1000.0);
        assert_eq!(facts.corrected(&similar(AccessPath::JaroJoin, 2), Some((7, 7)), 3.0), 300.0);
        assert_eq!(facts.corrected(&similar(AccessPath::JaroJoin, 3), Some((8, 8)), 3.0), 3.0);
    }
}
