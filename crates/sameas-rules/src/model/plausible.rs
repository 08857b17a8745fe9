//! Numbers that no model can have, and weights that are not those of their m and u.
//!
//! A probability is more than 0 and at most 1, and that two random records match is less than certain. Errors are not negative.
//! The shares of all outcomes of a comparison add up to 1 where one source has said them. Models that are put together can
//! have more: Splink keeps an m of 0.95 for a first level that it has not trained beside others that it has. So sums of up to
//! [`MOST_SUM`] are taken, and a larger one is refused: no two sources can give it. Shares that rest on no pair do not count:
//! those of outcomes that were not seen, and a u that is no larger than its own error. In a table of a few pairs, half a pair for
//! each outcome is more than all of them. What is left of shares without the pairs that match is a part of the other pairs, so
//! that a large prior leaves a larger sum.
//!
//! A weight is made of m and u. One that is in the file is for the reader, and must be what they give, as far as it is
//! written: a digit that was changed in m would otherwise change scores, and the file would show what it was before.

use super::learned::{ComparisonModel, LearnedFrom, LevelModel, Model, TrainingPass};
use super::weight::MatchWeight;

/// The sum that m, or u, of all outcomes of a comparison has at most.
pub(super) const MOST_SUM: f64 = 2.0;

/// What a sum of as many numbers may be off by rounding.
const ROUNDING: f64 = 1e-9;

/// By how much a weight may be off where nothing is known of how it was written: models are written with four decimals.
pub(super) const FOUR_DECIMALS: f64 = 0.5e-4;

/// Where a number of a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberPlace {
    pub of: NumberOwner,
    /// Its name.
    pub key: &'static str,
}

/// What has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberOwner {
    /// The model.
    Model,
    /// A comparison, with all its outcomes.
    Comparison(usize),
    /// An outcome of a comparison: its levels in order, then *else*.
    Outcome(usize, usize),
    /// A pass of training.
    Pass(usize),
}

/// What cannot be about a number.
#[derive(Debug)]
pub(super) struct ImplausibleNumber {
    pub place: NumberPlace,
    pub message: String,
    pub help: &'static str,
}

impl ImplausibleNumber {
    fn new(of: NumberOwner, key: &'static str, message: String, help: &'static str) -> Self {
        Self { place: NumberPlace { of, key }, message, help }
    }
}

impl Model {
    /// The first number that cannot be; `slack` says by how much the weight of an outcome of a comparison may be off.
    pub(super) fn implausible(&self, slack: impl Fn(usize, usize) -> f64) -> Option<ImplausibleNumber> {
        if !(self.prior > 0.0 && self.prior < 1.0) {
            let message = format!("its prior is {}, which is not a probability between 0 and 1", self.prior);
            return Some(ImplausibleNumber::new(NumberOwner::Model, "prior", message, PRIOR_HELP));
        }
        if let Some(smoothing) = self.smoothing.filter(|smoothing| !is_size(*smoothing)) {
            let message = format!("its smoothing is {smoothing}, which is not a number of pairs");
            return Some(ImplausibleNumber::new(NumberOwner::Model, "smoothing", message, UNKNOWN_HELP));
        }
        let of_comparison =
            |(at, of): (usize, &ComparisonModel)| of.implausible(at, self.prior, |outcome| slack(at, outcome));
        let found = self.comparisons.iter().enumerate().find_map(of_comparison);
        let found = found.or_else(|| self.implausible_pass()).or_else(|| self.implausible_pass_error());
        found.or_else(|| self.implausible_sample())
    }

    fn implausible_pass_error(&self) -> Option<ImplausibleNumber> {
        let error = |pass: &TrainingPass| pass.matches_error.filter(|error| !is_size(*error));
        let (at, error) = self.passes.iter().enumerate().find_map(|(at, pass)| Some((at, error(pass)?)))?;
        let message = format!("the matches_error of a pass is {error}, which is not a standard error");
        Some(ImplausibleNumber::new(NumberOwner::Pass(at), "matches_error", message, UNKNOWN_HELP))
    }

    fn implausible_sample(&self) -> Option<ImplausibleNumber> {
        let wrong = |pass: &TrainingPass| pass.sampled.filter(|share| !(*share > 0.0 && *share <= 1.0));
        let (at, share) = self.passes.iter().enumerate().find_map(|(at, pass)| Some((at, wrong(pass)?)))?;
        let message = format!("the sampled share of a pass is {share}, which is not above 0 and at most 1");
        Some(ImplausibleNumber::new(NumberOwner::Pass(at), "sampled", message, UNKNOWN_HELP))
    }

    fn implausible_pass(&self) -> Option<ImplausibleNumber> {
        let (at, pass) = self.passes.iter().enumerate().find(|(_, pass)| !(0.0..=1.0).contains(&pass.matches))?;
        let message = format!("the share of matches of a pass is {}, which is not a share from 0 to 1", pass.matches);
        Some(ImplausibleNumber::new(
            NumberOwner::Pass(at),
            "matches",
            message,
            "leave out `[[pass]]`: it is for the reader",
        ))
    }
}

const PRIOR_HELP: &str = "the prior is the probability that two random records match, for example 0.0001";
const SHARE_HELP: &str = "m and u are shares of pairs: more than 0 and at most 1";
const UNKNOWN_HELP: &str = "leave it out where it is not known";
const WEIGHT_HELP: &str = "leave `weight` out: it is computed from m and u";
const SUM_HELP: &str =
    "each pair has one outcome, the first level that holds: the shares of all levels and of else add up to 1";

/// Whether a number is what errors and numbers of pairs are: 0 or more, and finite.
fn is_size(number: f64) -> bool {
    (0.0..=f64::MAX).contains(&number)
}

impl ComparisonModel {
    fn implausible(&self, at: usize, prior: f64, slack: impl Fn(usize) -> f64) -> Option<ImplausibleNumber> {
        let of_outcome = |(outcome, level): (usize, &LevelModel)| {
            let found = level.implausible(slack(outcome))?;
            let whose = match outcome < self.levels.len() {
                true => format!("level {} of `{}`", outcome + 1, self.name),
                false => format!("else of `{}`", self.name),
            };
            let (key, message, help) = found;
            Some(ImplausibleNumber::new(NumberOwner::Outcome(at, outcome), key, format!("{whose}: {message}"), help))
        };
        let found = self.outcomes().enumerate().find_map(of_outcome);
        found.or_else(|| self.implausible_sum(at, prior)).or_else(|| self.implausible_nulls(at))
    }

    fn implausible_nulls(&self, at: usize) -> Option<ImplausibleNumber> {
        let share = self.null_share.filter(|share| !(0.0..=1.0).contains(share))?;
        let message = format!("the null_share of `{}` is {share}, which is not a share from 0 to 1", self.name);
        Some(ImplausibleNumber::new(NumberOwner::Comparison(at), "null_share", message, UNKNOWN_HELP))
    }

    fn implausible_sum(&self, at: usize, prior: f64) -> Option<ImplausibleNumber> {
        let m = self.outcomes().filter(|level| level.m_from != Some(LearnedFrom::Unseen)).map(|level| level.m);
        let u = self.outcomes().filter(|level| level.has_seen_u()).map(|level| level.u);
        let sums = [("m", m.sum::<f64>(), MOST_SUM), ("u", u.sum(), MOST_SUM.max(1.0 / (1.0 - prior)))];
        let (key, sum, most) = sums.into_iter().find(|(_, sum, most)| *sum > most * (1.0 + ROUNDING))?;
        let message = format!("the {key} of all outcomes of `{}` add up to {sum:.4}, more than {most}", self.name);
        Some(ImplausibleNumber::new(NumberOwner::Comparison(at), key, message, SUM_HELP))
    }
}

impl LevelModel {
    /// Whether its u rests on pairs, and is not as large as its own error, as far as that is known.
    fn has_seen_u(&self) -> bool {
        self.u_pairs != Some(0.0) && self.u_error.is_none_or(|error| self.u > error)
    }

    /// The name of a number that cannot be, what is wrong about it, and what helps.
    fn implausible(&self, slack: f64) -> Option<(&'static str, String, &'static str)> {
        for (key, share) in [("m", self.m), ("u", self.u)] {
            if !(share > 0.0 && share <= 1.0) {
                return Some((key, format!("{key} is {share}, which is not above 0 and at most 1"), SHARE_HELP));
            }
        }
        let sizes = [
            ("m_error", self.m_error, "standard error"),
            ("u_error", self.u_error, "standard error"),
            ("weight_error", self.weight_error, "standard error"),
            ("m_pairs", self.m_pairs, "number of pairs"),
            ("u_pairs", self.u_pairs, "number of pairs"),
        ];
        let wrong = |size: Option<f64>| size.filter(|size| !is_size(*size));
        if let Some((key, size, what)) = sizes.into_iter().find_map(|(key, of, what)| Some((key, wrong(of)?, what))) {
            return Some((key, format!("{key} is {size}, which is not a {what}"), UNKNOWN_HELP));
        }
        let made = MatchWeight::of_ratio(self.m, self.u).bits();
        let is_made = |weight: &f64| (weight - made).abs() <= slack + ROUNDING;
        let written = self.weight.filter(|weight| !is_made(weight))?;
        let message = format!("weight is {written}, but m = {} and u = {} give {made:.4}", self.m, self.u);
        Some(("weight", message, WEIGHT_HELP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "prior = 0.001\n\n[[comparison]]\nname = \"a\"\n\n[[comparison.level]]\nm = 0.9\nu = 0.1\n\
                        weight = 3.17\n\n[comparison.else]\nm = 0.1\nu = 0.9\n";

    fn read(from: &str, to: &str) -> Result<Model, String> {
        assert!(TEXT.contains(from), "{from}");
        Model::parse(&TEXT.replace(from, to), "model.toml").map_err(|error| error.to_string())
    }

    #[test]
    fn a_weight_is_what_m_and_u_give_as_far_as_it_is_written() {
        for fine in ["weight = 3.17", "weight = 3.2", "weight = 3", "weight = 3.1699", "weight = 0.317e1", ""] {
            read("weight = 3.17", fine).unwrap();
        }
        let stale = read("m = 0.9\nu = 0.1", "m = 0.8\nu = 0.1").unwrap_err();
        let expected = "model.toml:9: not a model: level 1 of `a`: weight is 3.17, but m = 0.8 and u = 0.1 give 3.0000\n  \
                        help: leave `weight` out: it is computed from m and u";
        assert_eq!(stale, expected);
        for wrong in ["weight = 3.18", "weight = 3.1698", "weight = 4", "weight = nan", "weight = inf"] {
            let error = read("weight = 3.17", wrong).unwrap_err();
            assert!(error.starts_with("model.toml:9: not a model: level 1 of `a`: weight is "), "{wrong}: {error}");
        }
    }

    #[test]
    fn impossible_probabilities_are_refused_at_their_place() {
        let wrong = [
            ("prior = 0.001", "prior = 0.0", "model.toml:1: not a model: its prior is 0,"),
            ("prior = 0.001", "prior = 1.0", "model.toml:1: not a model: its prior is 1,"),
            ("prior = 0.001", "prior = nan", "model.toml:1: not a model: its prior is NaN,"),
            ("m = 0.9\nu = 0.1", "m = 1.1\nu = 0.1", "model.toml:7: not a model: level 1 of `a`: m is 1.1,"),
            ("m = 0.9\nu = 0.1", "m = 0.9\nu = 0.0", "model.toml:8: not a model: level 1 of `a`: u is 0,"),
            ("m = 0.9\nu = 0.1", "m = 0.9\nu = -inf", "model.toml:8: not a model: level 1 of `a`: u is -inf,"),
            ("m = 0.1\nu = 0.9", "m = 0.1\nu = nan", "model.toml:13: not a model: else of `a`: u is NaN,"),
            (
                "m = 0.1\nu = 0.9",
                "m = 0.1\nu = 0.9\nu_error = -0.1",
                "model.toml:14: not a model: else of `a`: u_error is -0.1,",
            ),
            (
                "m = 0.9\nu = 0.1",
                "m = 0.9\nu = 0.1\nweight_error = nan",
                "model.toml:9: not a model: level 1 of `a`: weight_error is NaN, which is not a standard error",
            ),
            (
                "m = 0.1\nu = 0.9",
                "m = 0.1\nu = 0.9\nm_pairs = -1.0",
                "model.toml:14: not a model: else of `a`: m_pairs is -1, which is not a number of pairs",
            ),
            ("prior = 0.001", "prior = 0.001\nsmoothing = inf", "model.toml:2: not a model: its smoothing is inf,"),
        ];
        for (from, to, message) in wrong {
            let error = read(from, to).unwrap_err();
            assert!(error.starts_with(message), "{to}: {error}");
        }
        read("u = 0.1\nweight = 3.17", "u = 5e-324").unwrap();
    }

    #[test]
    fn shares_of_several_sources_may_add_up_to_two() {
        let of = |shares: &[f64], otherwise: f64| {
            let levels = shares.iter().map(|m| LevelModel::new(Some("l.a = r.a"), *m, 0.1)).collect();
            let model = Model::new(0.1, vec![ComparisonModel::new("a", levels, LevelModel::new(None, otherwise, 0.5))]);
            model.implausible(|_, _| FOUR_DECIMALS).map(|found| (found.place, found.message))
        };
        // Splink's default beside what it has trained.
        assert_eq!(of(&[0.95, 0.3], 0.7), None);
        assert_eq!(of(&[1.0], 1.0), None);
        let (place, message) = of(&[0.9, 0.8], 0.4).unwrap();
        assert_eq!(place, NumberPlace { of: NumberOwner::Comparison(0), key: "m" });
        assert_eq!(message, "the m of all outcomes of `a` add up to 2.1000, more than 2");
    }

    /// A table of one pair: the outcomes that it does not have count for half a pair each.
    #[test]
    fn shares_that_rest_on_no_pair_do_not_count() {
        let key_of = |others: &dyn Fn() -> LevelModel| {
            let otherwise = LevelModel { u_pairs: Some(1.0), ..LevelModel::new(None, 0.9, 1.0) };
            let comparison = ComparisonModel::new("a", (0..4).map(|_| others()).collect(), otherwise);
            Model::new(0.1, vec![comparison]).implausible(|_, _| FOUR_DECIMALS).map(|found| found.place.key)
        };
        let level = || LevelModel::new(Some("l.a = r.a"), 0.5, 0.5);
        let (unseen, none) = (Some(LearnedFrom::Unseen), Some(0.0));
        assert_eq!(key_of(&level), Some("m"));
        assert_eq!(key_of(&|| LevelModel { m_from: unseen, ..level() }), Some("u"));
        assert_eq!(key_of(&|| LevelModel { m_from: unseen, u_pairs: none, ..level() }), None);
        assert_eq!(key_of(&|| LevelModel { m_from: unseen, u_error: Some(0.5), ..level() }), None);
        assert_eq!(key_of(&|| LevelModel { m_from: unseen, u_error: Some(0.4), ..level() }), Some("u"));
        // All pairs that a prior of 0.8 leaves are a fifth of all: shares may seem five times as large.
        let large = |prior: f64| {
            let levels = (0..4).map(|_| LevelModel::new(Some("l.a = r.a"), 0.1, 0.9)).collect();
            let model = Model::new(prior, vec![ComparisonModel::new("a", levels, LevelModel::new(None, 0.6, 0.9))]);
            model.implausible(|_, _| FOUR_DECIMALS).map(|found| found.message)
        };
        assert_eq!(large(0.8), None);
        assert_eq!(large(0.1).unwrap(), "the u of all outcomes of `a` add up to 4.5000, more than 2");
    }

    #[test]
    fn a_pass_has_a_share_of_matches() {
        let mut model = Model::new(0.1, Vec::new());
        model.passes = vec![TrainingPass::new("l.a = r.a", 10, 0.0), TrainingPass::new("l.b = r.b", 10, 1.5)];
        let found = model.implausible(|_, _| 0.0).unwrap();
        assert_eq!(found.place, NumberPlace { of: NumberOwner::Pass(1), key: "matches" });
        (model.passes[0].matches_error, model.passes[1].matches) = (Some(f64::NAN), 0.5);
        let found = model.implausible(|_, _| 0.0).unwrap();
        assert_eq!(found.place, NumberPlace { of: NumberOwner::Pass(0), key: "matches_error" });
        model.passes[0].matches_error = None;
        model.passes[1].sampled = Some(0.0);
        let found = model.implausible(|_, _| 0.0).unwrap();
        assert_eq!(found.place, NumberPlace { of: NumberOwner::Pass(1), key: "sampled" });
        model.passes[1].sampled = Some(0.125);
        assert!(model.implausible(|_, _| 0.0).is_none());
    }
}
