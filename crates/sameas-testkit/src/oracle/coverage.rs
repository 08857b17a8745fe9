//! What a run of cases has seen of every measure.

use crate::case::Op;
use std::collections::BTreeMap;

/// The number of times that predicates of a measure were true, false and null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// True.
    pub yes: u64,
    /// False.
    pub no: u64,
    /// Null.
    pub null: u64,
}

/// Counts per measure over any number of cases.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    seen: BTreeMap<Op, Seen>,
}

impl Coverage {
    /// Notes the truth of a predicate over a measure.
    pub fn record(&mut self, measure: Op, truth: Option<bool>) {
        let seen = self.seen.entry(measure).or_default();
        match truth {
            Some(true) => seen.yes += 1,
            Some(false) => seen.no += 1,
            None => seen.null += 1,
        }
    }

    /// What was seen of a measure.
    pub fn seen(&self, measure: Op) -> Seen {
        self.seen.get(&measure).copied().unwrap_or_default()
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Coverage) {
        for (measure, more) in &other.seen {
            let seen = self.seen.entry(*measure).or_default();
            seen.yes += more.yes;
            seen.no += more.no;
            seen.null += more.null;
        }
    }

    /// The measures that were not seen true, false and null, with what is missing.
    pub fn missing(&self) -> Vec<String> {
        let lacks = |measure: &Op| {
            let Seen { yes, no, null } = self.seen(*measure);
            let lacking: Vec<&str> = [(yes, "true"), (no, "false"), (null, "null")]
                .iter()
                .filter(|(n, _)| *n == 0)
                .map(|(_, t)| *t)
                .collect();
            (!lacking.is_empty()).then(|| format!("{} never {}", measure.name(), lacking.join(", ")))
        };
        Op::MEASURES.iter().filter_map(lacks).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_says_what_was_not_seen() {
        let mut coverage = Coverage::default();
        assert_eq!(coverage.missing().len(), Op::MEASURES.len());
        for truth in [Some(true), None] {
            coverage.record(Op::Jaro, truth);
        }
        assert!(coverage.missing().contains(&"jaro never false".to_owned()));
        coverage.record(Op::Jaro, Some(false));
        assert_eq!(coverage.missing().len(), Op::MEASURES.len() - 1);
    }
}
