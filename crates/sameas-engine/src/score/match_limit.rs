//! How many of some pairs are taken for matches at most.
//!
//! A limit of their share is soft: the share is what is believed before a pair is looked at, and pairs that agree in much outweigh
//! it. A limit of the pairs is strict: the odds of all pairs are lowered by one factor until no more matches are expected. Of
//! all ways to say how likely each pair matches, with no more matches than that, this is the one nearest to what the model says
//! (posterior regularisation: Ganchev and others, 2010).

use crate::cancel::Cancel;

/// A limit of the matches among some pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchLimit {
    /// The greatest share of matches.
    pub most: f64,
    /// Whether no more pairs are expected to match.
    pub is_strict: bool,
}

/// The part of the matches by which a strict limit may be missed.
const TOLERANCE: f64 = 1e-12;

/// Steps at most to find by how much odds are lowered: far more than it takes.
const MOST_STEPS: usize = 200;

impl MatchLimit {
    /// Any share.
    pub const NONE: Self = Self { most: 1.0, is_strict: false };

    /// By how much the logarithms of odds are lowered: numbers of pairs with theirs are given, and about where the answer is.
    pub(super) fn held_back(self, odds: &[(f64, f64)], about: f64, cancel: Cancel<'_>) -> f64 {
        let most = self.most * odds.iter().map(|(pairs, _)| pairs).sum::<f64>();
        // The matches, and how fast they become fewer.
        let matches = |held_back: f64| {
            let add = |(sum, slope): (f64, f64), (pairs, odds): &(f64, f64)| {
                let z = probability(odds - held_back);
                (sum + pairs * z, slope + pairs * z * (1.0 - z))
            };
            odds.iter().fold((0.0, 0.0), add)
        };
        if !self.is_strict || matches(0.0).0 <= most {
            return 0.0;
        }
        // Newton's steps, and halves or doubles where they lead out of what is known.
        let (mut low, mut high, mut held_back) = (0.0, f64::INFINITY, about);
        for _ in 0..MOST_STEPS {
            cancel.check();
            let (sum, slope) = matches(held_back);
            if (sum - most).abs() <= TOLERANCE * most {
                break;
            }
            if sum > most {
                low = held_back;
            } else {
                high = held_back;
            }
            let next = held_back + (sum - most) / slope;
            held_back = match next > low && next < high {
                true => next,
                false if high.is_finite() => f64::midpoint(low, high),
                false => 2.0 * low + 1.0,
            };
        }
        held_back
    }
}

/// The probability with these odds, given as their natural logarithm.
pub(super) fn probability(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_lowered_until_no_more_pairs_match() {
        let odds = [(100.0, 12.0), (1_000.0, 3.0), (50_000.0, -4.0), (7.0, -700.0)];
        let matches =
            |held_back: f64| odds.iter().map(|(pairs, odds)| pairs * probability(odds - held_back)).sum::<f64>();
        let all = 51_107.0;
        for most in [1e-6, 0.5, 99.0, 500.0, 1_500.0] {
            let limit = MatchLimit { most: most / all, is_strict: true };
            for about in [0.0, 2.0, 1e6] {
                let held_back = limit.held_back(&odds, about, Cancel::NEVER);
                assert!(
                    held_back > 0.0 && (matches(held_back) / most - 1.0).abs() < 1e-9,
                    "{most} {about}: {held_back}"
                );
            }
            assert_eq!(MatchLimit { is_strict: false, ..limit }.held_back(&odds, 0.0, Cancel::NEVER), 0.0);
        }
        // There are as many as there may be.
        assert_eq!(MatchLimit { most: 0.5, is_strict: true }.held_back(&odds, 3.0, Cancel::NEVER), 0.0);
        assert_eq!(MatchLimit::NONE.held_back(&odds, 3.0, Cancel::NEVER), 0.0);
    }
}
