//! The m and u of levels, and what Splink takes where there are none.

use serde_json::Value;

use super::note::NoteList;
use super::settings_json::{ComparisonJson, LevelJson};

/// The least probability, which Splink 5 puts in place of 0: a weight must be finite.
const LEAST: f64 = 1e-300;

/// The m and u of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelShares {
    pub m: f64,
    pub u: f64,
}

impl ComparisonJson {
    /// Whether it has any probability.
    pub fn is_trained(&self) -> bool {
        self.scored_levels()
            .any(|level| given(level.m_probability.as_ref()).or(given(level.u_probability.as_ref())).is_some())
    }

    /// Its levels but those for missing values.
    pub fn scored_levels(&self) -> impl Iterator<Item = &LevelJson> {
        self.comparison_levels.iter().filter(|level| !level.is_null())
    }

    /// The probabilities of these, with Splink's own where some are missing.
    pub fn shares(&self, place: &str, notes: &mut NoteList) -> Vec<LevelShares> {
        let count = self.scored_levels().count();
        let mut is_complete = true;
        let mut shares = Vec::new();
        for (at, level) in self.scored_levels().enumerate() {
            let (m, u) = (given(level.m_probability.as_ref()), given(level.u_probability.as_ref()));
            is_complete &= m.is_some() && u.is_some();
            let default = defaults(at, count);
            shares.push(LevelShares { m: m.unwrap_or(default.m).max(LEAST), u: u.unwrap_or(default.u).max(LEAST) });
        }
        if !is_complete {
            let what = "some levels have no m or no u; the model has the numbers that Splink takes by default";
            notes.differs(place, what, "train the model in Splink or in sameas, or correct them in the model");
        }
        shares
    }
}

/// A probability that is a number: Splink can have a sentence in its place.
fn given(value: Option<&Value>) -> Option<f64> {
    value.and_then(Value::as_f64)
}

/// What Splink takes for the level at a place, of `count` levels from the most alike on: 95 % of all matches have the
/// first, the others share the rest; the weight of the first is 10, those of the others go from 3 down to -5.
fn defaults(at: usize, count: usize) -> LevelShares {
    if at == 0 {
        return LevelShares { m: 0.95, u: 0.95 / 1024.0 };
    }
    let others = (count - 1) as f64;
    let m = (1.0 - 0.95) / others;
    let from_the_end = (count - 1 - at) as f64;
    let weight = if count == 2 { -5.0 } else { -5.0 + from_the_end * 8.0 / (others - 1.0) };
    // Of two levels, u of the second would be 1.6: a share of 1 with an m that has the same weight is one.
    let u = m / weight.exp2();
    LevelShares { m: m / u.max(1.0), u: u.min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_splink() {
        let all: Vec<LevelShares> = (0..4).map(|at| defaults(at, 4)).collect();
        let weights: Vec<f64> = all.iter().map(|of| (of.m / of.u).log2()).collect();
        assert!(weights.iter().zip([10.0, 3.0, -1.0, -5.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{weights:?}");
        assert!((all.iter().map(|of| of.m).sum::<f64>() - 1.0).abs() < 1e-12);
        let second = defaults(1, 2);
        assert_eq!(((second.m / second.u).log2(), second.u), (-5.0, 1.0));
    }
}
