//! What a run has seen of access conditions, in place of what was estimated.

use super::super::condition::{Access, Condition};

/// A condition, the candidates estimated for it, and those that came.
#[derive(Clone, Debug)]
struct Fact {
    condition: Condition,
    estimated: f64,
    seen: f64,
}

/// All that was seen.
#[derive(Clone, Debug, Default)]
pub struct Facts(Vec<Fact>);

impl Facts {
    /// A branch has ended.
    pub fn add(&mut self, condition: &Condition, estimated: f64, seen: f64) {
        self.0.push(Fact { condition: condition.clone(), estimated, seen });
    }

    /// An estimate in the light of what was seen.
    ///
    /// - The same condition: what was seen.
    /// - Keys that contain others give no more candidates than these, and were misjudged as much.
    /// - Keys that are contained in others give no fewer.
    pub fn corrected(&self, condition: &Condition, estimate: f64) -> f64 {
        let apply = |estimate: f64, fact: &Fact| {
            if fact.condition == *condition {
                return fact.seen;
            }
            let (Access::EquiJoin(mine), Access::EquiJoin(known)) = (&condition.access, &fact.condition.access) else {
                return estimate;
            };
            let within = |part: &[usize], whole: &[usize]| part.iter().all(|p| whole.contains(p));
            if within(known, mine) && fact.condition.filters.is_empty() {
                (estimate * (fact.seen / fact.estimated.max(1.0)).max(1.0)).min(fact.seen)
            } else if within(mine, known) && condition.filters.is_empty() {
                estimate.max(fact.seen)
            } else {
                estimate
            }
        };
        self.0.iter().fold(estimate, apply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(predicates: &[usize]) -> Condition {
        Condition { access: Access::EquiJoin(predicates.to_vec()), filters: Vec::new() }
    }

    #[test]
    fn what_was_seen_bounds_what_is_related() {
        let mut facts = Facts::default();
        facts.add(&keys(&[1, 2]), 100.0, 5000.0);
        assert_eq!(facts.corrected(&keys(&[1, 2]), 100.0), 5000.0);
        assert_eq!(facts.corrected(&keys(&[1]), 900.0), 5000.0, "a part of the key gives no fewer");
        assert_eq!(facts.corrected(&keys(&[1]), 9000.0), 9000.0);
        assert_eq!(facts.corrected(&keys(&[1, 2, 3]), 10.0), 500.0, "a longer key was misjudged as much");
        assert_eq!(facts.corrected(&keys(&[1, 2, 3]), 1000.0), 5000.0, "and gives no more");
        assert_eq!(facts.corrected(&keys(&[3]), 10.0), 10.0);
    }
}
