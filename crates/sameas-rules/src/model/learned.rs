//! A model: what each level of each comparison says about a pair.

use serde::{Deserialize, Serialize};

use super::training_warning::TrainingWarning;
use crate::error::{Error, ErrorCode, Result};
use crate::rules::{ComparisonRules, ScoringRules};

/// What was learned of records that match and of records that do not, or what somebody knows of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Model {
    /// The probability that two random records match.
    pub prior: f64,
    /// Where that is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior_from: Option<String>,
    /// The strength of the prior of m: pairs that each level counted for beside its own, at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smoothing: Option<f64>,
    /// The comparisons, in order.
    #[serde(rename = "comparison")]
    pub comparisons: Vec<ComparisonModel>,
    /// The passes that it was learned in.
    #[serde(rename = "pass", default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<TrainingPass>,
    /// What should be known about how it was learned.
    #[serde(rename = "warning", default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<TrainingWarning>,
}

/// A pass of training over the pairs of one rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainingPass {
    /// The rule.
    pub rule: String,
    /// Its pairs that were looked at.
    pub pairs: u64,
    /// The share of its pairs that these are, where they are a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<f64>,
    /// The share of matches among them.
    pub matches: f64,
    /// Its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches_error: Option<f64>,
    /// Comparisons that took no part, because the rule reads what they compare.
    #[serde(default)]
    pub without: Vec<String>,
    /// Whether the last change was small enough.
    pub has_converged: bool,
    /// The largest change of a probability in each round.
    pub changes: Vec<f64>,
}

/// What is known of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ComparisonModel {
    /// Its name.
    pub name: String,
    /// The names of the two comparisons of the rules that it takes together, where it does: then its levels are conjunctions of
    /// theirs, and rules with these two are completed by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combines: Option<[String; 2]>,
    /// How much of the adjustment by term frequency counts: 1 where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term_frequency_weight: Option<f64>,
    /// The least term frequency: rarer values count as if they were as frequent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term_frequency_minimum: Option<f64>,
    /// The share of all pairs for which it is null, where that is known: it says nothing of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub null_share: Option<f64>,
    /// Its levels, in order.
    #[serde(rename = "level")]
    pub levels: Vec<LevelModel>,
    /// Where no level holds.
    #[serde(rename = "else")]
    pub otherwise: LevelModel,
}

/// What is known of a level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LevelModel {
    /// The condition; nothing for *else*.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The share of the pairs that match with this level, among those without missing values.
    pub m: f64,
    /// The same of pairs that do not match.
    pub u: f64,
    /// Where m is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub m_from: Option<LearnedFrom>,
    /// Where u is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub u_from: Option<LearnedFrom>,
    /// The pairs with the level that m was learned from: those that match, as expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub m_pairs: Option<f64>,
    /// The standard error of m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub m_error: Option<f64>,
    /// The pairs with the level that u was counted from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub u_pairs: Option<f64>,
    /// The standard error of u: of a sample, and of what was taken out for matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub u_error: Option<f64>,
    /// The standard error of the weight, in bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_error: Option<f64>,
    /// The logarithm to base 2 of m / u, for the reader: scores are made of m and u. A file that has another number here is
    /// refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// Where a probability is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LearnedFrom {
    /// Counted over all pairs of records.
    Counted,
    /// Counted over a sample of pairs.
    Sampled,
    /// Learned from the pairs of training rules.
    Trained,
    /// Learned from the pairs of certain and deterministic rules, all of which are taken for matches.
    Certain,
    /// Not seen: no pair that was learned from has the level, and its absence says nothing. m is u, so that it weighs 0.
    Unseen,
    /// Not learned: a default that says nothing about the records.
    Default,
}

impl Model {
    /// A model of these comparisons, all of whose probabilities are to be given.
    pub fn new(prior: f64, comparisons: Vec<ComparisonModel>) -> Self {
        Self { prior, prior_from: None, smoothing: None, comparisons, passes: Vec::new(), warnings: Vec::new() }
    }

    /// Checks that it is about the comparisons of some rules, and that its numbers are probabilities.
    pub fn check(&self, rules: &ScoringRules) -> Result<()> {
        // A weight is read by nobody but the reader of its file, which has checked it.
        if let Some(found) = self.implausible(|_, _| f64::INFINITY) {
            return Err(refusal(&found.message).with_help(found.help));
        }
        let (own, wanted) = (&self.comparisons, &rules.comparisons);
        let own_names: Vec<&str> = own.iter().map(|comparison| comparison.name.as_str()).collect();
        let wanted_names: Vec<&str> = wanted.iter().map(|comparison| comparison.name.as_str()).collect();
        if own_names != wanted_names {
            let [own, named] = [own_names, wanted_names].map(|names| names.join(", "));
            let other = || refusal(&format!("it is about the comparisons {own}; the rules have {named}"));
            return Err(self.why_apart(wanted).unwrap_or_else(other));
        }
        own.iter().zip(wanted).try_for_each(|(own, wanted)| own.check(wanted))
    }

    /// What is said of two comparisons that it takes together, and that the rules still have apart: one of them has term frequencies
    /// there, or their levels are not those that it was made of, or it would have completed the rules.
    fn why_apart(&self, rules: &[ComparisonRules]) -> Option<Error> {
        let named = |name: &String| rules.iter().find(|of| of.name == *name);
        let of_rules = |two: &[String; 2]| Some([named(&two[0])?, named(&two[1])?]);
        let two = self.comparisons.iter().filter_map(|of| of.combines.as_ref()).find_map(of_rules)?;
        let together = format!("it takes `{}` and `{}` together", two[0].name, two[1].name);
        Some(match two.iter().find(|of| of.term_frequency.is_some()) {
            Some(ComparisonRules { name, .. }) => refusal(&format!(
                "{together}, and `{name}` has term frequencies in the rules, which it was learned without"
            ))
            .with_help("leave out `term_frequency`, or train a model for these rules"),
            None => refusal(&format!("{together}, whose levels in the rules are others")),
        })
    }
}

impl TrainingPass {
    /// A pass over this many pairs of a rule, of which this share matches.
    pub fn new(rule: &str, pairs: u64, matches: f64) -> Self {
        let rule = rule.to_owned();
        let (without, changes) = (Vec::new(), Vec::new());
        let (sampled, matches_error) = (None, None);
        Self { rule, pairs, sampled, matches, matches_error, without, has_converged: false, changes }
    }
}

impl ComparisonModel {
    /// A comparison with these levels.
    pub fn new(name: &str, levels: Vec<LevelModel>, otherwise: LevelModel) -> Self {
        let name = name.to_owned();
        let (combines, term_frequency_weight, term_frequency_minimum) = (None, None, None);
        Self { name, combines, term_frequency_weight, term_frequency_minimum, null_share: None, levels, otherwise }
    }

    /// Its levels, and *else*.
    pub fn outcomes(&self) -> impl Iterator<Item = &LevelModel> {
        self.levels.iter().chain([&self.otherwise])
    }

    fn check(&self, rules: &ComparisonRules) -> Result<()> {
        let name = &self.name;
        if self.levels.len() != rules.levels.len() {
            let (own, wanted) = (self.levels.len(), rules.levels.len());
            return Err(refusal(&format!("its comparison `{name}` has {own} levels, the rules have {wanted}")));
        }
        for (at, (level, rule)) in self.levels.iter().zip(&rules.levels).enumerate() {
            if level.when.as_ref().is_some_and(|when| *when != rule.text) {
                let when = level.when.as_deref().unwrap_or_default();
                let at = at + 1;
                return Err(refusal(&format!(
                    "level {at} of `{name}` is `{when}`, in the rules it is `{}`",
                    rule.text
                )));
            }
        }
        self.check_term_frequencies()
    }

    /// A factor of adjustments is finite and turns none of them around; a least frequency is a share.
    fn check_term_frequencies(&self) -> Result<()> {
        let name = &self.name;
        let settings = [
            ("term_frequency_weight", self.term_frequency_weight, f64::MAX, "1 is the whole adjustment, 0 is none"),
            ("term_frequency_minimum", self.term_frequency_minimum, 1.0, "it is a share of all records: from 0 to 1"),
        ];
        for (key, value, most, help) in settings {
            if let Some(value) = value.filter(|value| !(0.0..=most).contains(value)) {
                let why = format!("its comparison `{name}` has {key} = {value}, which cannot be");
                return Err(refusal(&why).with_help(help));
            }
        }
        Ok(())
    }
}

impl LevelModel {
    /// A level with these shares of pairs that match, and that do not.
    pub fn new(when: Option<&str>, m: f64, u: f64) -> Self {
        Self { when: when.map(str::to_owned), m, u, ..Self::default() }
    }
}

fn refusal(why: &str) -> Error {
    Error::rules(format!("the model does not fit: {why}"))
        .with_help("train a model for these rules")
        .with_code(ErrorCode::ModelMismatch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LevelRule;

    #[test]
    fn adjustments_by_term_frequency_are_numbers_from_0_on() {
        let level = LevelRule { text: "l.a = r.a".to_owned(), ..LevelRule::default() };
        let comparison = ComparisonRules { name: "a".to_owned(), levels: vec![level], term_frequency: None };
        let rules = ScoringRules { comparisons: vec![comparison], ..ScoringRules::default() };
        let said = |weight: f64, minimum: f64| {
            let levels = vec![LevelModel::new(Some("l.a = r.a"), 0.9, 0.1)];
            let mut comparison = ComparisonModel::new("a", levels, LevelModel::new(None, 0.1, 0.9));
            (comparison.term_frequency_weight, comparison.term_frequency_minimum) = (Some(weight), Some(minimum));
            Model::new(0.1, vec![comparison]).check(&rules).map_err(|error| error.to_string())
        };
        for fine in [(0.0, 0.0), (2.5, 1.0), (1.0, 1e-9)] {
            said(fine.0, fine.1).unwrap();
        }
        let wrong = |key: &str, value: &str, help: &str| {
            let why = format!("its comparison `a` has {key} = {value}, which cannot be");
            Err(format!("the model does not fit: {why}\n  help: {help}"))
        };
        for (weight, shown) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-1.0, "-1")] {
            let expected = wrong("term_frequency_weight", shown, "1 is the whole adjustment, 0 is none");
            assert_eq!(said(weight, 0.0), expected);
        }
        for (minimum, shown) in [(f64::NAN, "NaN"), (1.5, "1.5"), (-0.5, "-0.5")] {
            let expected = wrong("term_frequency_minimum", shown, "it is a share of all records: from 0 to 1");
            assert_eq!(said(1.0, minimum), expected);
        }
    }
}
