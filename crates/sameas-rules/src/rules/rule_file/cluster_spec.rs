//! How clusters are made of pairs, as a value: what `[clusters]` and `[[limit]]` say, and what is wrong with it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How clusters are made of pairs: connected components, where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClusterSpec {
    /// `threshold`: pairs with a lower score do not count. Of several, each gives clusters of its own, which are components.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<f64>,
    /// `method`: what makes clusters of pairs.
    pub method: MethodSpec,
    /// `least`: how alike two clusters must be to become one, for linkages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
    /// `max_size`: the most records of a cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_size: Option<u32>,
    /// `keep_apart`: whether no cluster has a pair that a `never` forbids.
    pub keep_apart: bool,
    /// `one_to` or `one_to_many`: how many records of a source a cluster has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_to: Option<OneToSpec>,
    /// `split`: where clusters are divided in the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<SplitSpec>,
    /// `density` of both parts of a cluster that is divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// The limits, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<LimitSpec>,
}

/// What makes clusters of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MethodSpec {
    /// Records are together where a path of pairs connects them.
    #[default]
    Components,
    /// Pairs of records of two sources with the largest sum of scores, each record in one at most.
    Optimal,
    /// Clusters become one where the average score of all their pairs is high enough.
    Average,
    /// Clusters become one where the least score of all their pairs is high enough.
    Complete,
    /// Communities by Louvain's method.
    Louvain,
}

impl MethodSpec {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Components, Self::Optimal, Self::Average, Self::Complete, Self::Louvain];

    /// Its name in a rule file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Components => "components",
            Self::Optimal => "optimal",
            Self::Average => "average",
            Self::Complete => "complete",
            Self::Louvain => "louvain",
        }
    }

    fn is_linkage(self) -> bool {
        matches!(self, Self::Average | Self::Complete)
    }
}

/// How many records of a source a cluster has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneToSpec {
    /// `one_to = "one"`: one of each source.
    One,
    /// `one_to_many = "SOURCE"`: one of each source but this, which may repeat.
    Many(String),
}

/// Where clusters are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitSpec {
    /// At pairs that alone hold two parts together.
    Bridges,
}

impl SplitSpec {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Bridges];

    /// Its name in a rule file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bridges => "bridges",
        }
    }
}

/// A number of records or values that no cluster exceeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitSpec {
    /// `most`: the largest number that a cluster may have.
    pub most: u32,
    /// What is counted.
    pub counted: CountedSpec,
    /// A column, or an expression of one record.
    pub expression: String,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountedSpec {
    /// `values_of`: the different values of the expression.
    ValuesOf,
    /// `records_of`: the records of each of its values.
    RecordsOf,
}

impl CountedSpec {
    /// Its name in a rule file.
    pub fn name(self) -> &'static str {
        match self {
            Self::ValuesOf => "values_of",
            Self::RecordsOf => "records_of",
        }
    }
}

/// What is wrong with a [`ClusterSpec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterMistake {
    /// Where.
    pub place: ClusterPlace,
    /// What.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// A part of a [`ClusterSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterPlace {
    /// What this key of `[clusters]` says.
    Key(&'static str),
    /// The `[[limit]]` with this place among them, counted from 0.
    Limit(usize),
}

impl fmt::Display for ClusterPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(f, "`[clusters]`, `{key}`"),
            Self::Limit(at) => write!(f, "`[[limit]]` {}", at + 1),
        }
    }
}

impl ClusterSpec {
    /// No score is as large as this, either way.
    const MOST_SCORE: f64 = 2_147_483_648.0;

    /// Whether components of all pairs are asked for, which are formed while pairs are found.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether each of several thresholds gives clusters of its own.
    pub fn has_several_thresholds(&self) -> bool {
        self.thresholds.len() > 1
    }

    /// Whether pairs can have this score: edges of clusters need no more.
    #[doc(hidden)]
    pub fn is_score(number: f64) -> bool {
        number.abs() < Self::MOST_SCORE
    }

    /// All that is wrong with it, whatever the records.
    pub fn mistakes(&self) -> Vec<ClusterMistake> {
        let mut found = Vec::new();
        self.add_mistakes_of_thresholds(&mut found);
        self.add_mistakes_of_linkage(&mut found);
        self.add_mistakes_of_limits(&mut found);
        self.add_mistakes_of_split(&mut found);
        found
    }

    fn add_mistakes_of_thresholds(&self, found: &mut Vec<ClusterMistake>) {
        let mut add = |message: String, help: &str| found.push(mistake("threshold", message, help));
        for (at, threshold) in self.thresholds.iter().enumerate() {
            if !Self::is_score(*threshold) {
                add(format!("`threshold` is {threshold:?}"), "a threshold is a number between -2^31 and 2^31");
            } else if self.thresholds[..at].contains(threshold) {
                add(format!("the threshold {threshold} stands twice"), "leave one of them out");
            }
        }
        let only_thresholds = Self { thresholds: self.thresholds.clone(), ..Self::default() };
        if self.has_several_thresholds() && *self != only_thresholds {
            let message = "several thresholds give components alone, and there is more that makes clusters".to_owned();
            add(message, "give one threshold, or leave out the rest");
        }
    }

    fn add_mistakes_of_linkage(&self, found: &mut Vec<ClusterMistake>) {
        let method = self.method.name();
        match self.least {
            None if self.method.is_linkage() => {
                let help = "say how alike two clusters must be to become one: `least = 0.5`";
                found.push(mistake("method", format!("the method `{method}` has no `least`"), help));
            }
            Some(_) if !self.method.is_linkage() => {
                let message = format!("`least` belongs to linkages, and the method is `{method}`");
                found.push(mistake(
                    "least",
                    message,
                    "leave it out, or write `method = \"average\"` or `\"complete\"`",
                ));
            }
            Some(least) if !Self::is_score(least) => {
                let help = "it is a number between -2^31 and 2^31";
                found.push(mistake("least", format!("`least` is {least:?}"), help));
            }
            _ => {}
        }
    }

    fn add_mistakes_of_limits(&self, found: &mut Vec<ClusterMistake>) {
        let help = "the least number is 1".to_owned();
        if self.max_size == Some(0) {
            found.push(mistake("max_size", "`max_size` is 0, which every record breaks".to_owned(), &help));
        }
        for (at, limit) in self.limits.iter().enumerate() {
            let place = ClusterPlace::Limit(at);
            if limit.most == 0 {
                let message = "`most` is 0, which every record breaks".to_owned();
                found.push(ClusterMistake { place, message, help: help.clone() });
            }
            if limit.expression.trim().is_empty() {
                let message = format!("`{}` is empty", limit.counted.name());
                let help = "name a column, or write an expression of one record".to_owned();
                found.push(ClusterMistake { place, message, help });
            }
        }
    }

    fn add_mistakes_of_split(&self, found: &mut Vec<ClusterMistake>) {
        match (self.split, self.density) {
            (Some(_), None) => {
                let help = "say what share of its pairs both parts must have: `density = 0.3`";
                found.push(mistake("split", "`split` has no `density`".to_owned(), help));
            }
            (None, Some(_)) => {
                let help = "leave it out, or write `split = \"bridges\"`";
                found.push(mistake("density", "`density` belongs to `split`".to_owned(), help));
            }
            (Some(_), Some(density)) if !(density > 0.0 && density < 1.0) => {
                let help = "it is a share of all pairs: more than 0 and less than 1";
                found.push(mistake("density", format!("`density` is {density}"), help));
            }
            _ => {}
        }
    }
}

fn mistake(key: &'static str, message: String, help: &str) -> ClusterMistake {
    ClusterMistake { place: ClusterPlace::Key(key), message, help: help.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(most: u32, expression: &str) -> LimitSpec {
        LimitSpec { most, counted: CountedSpec::ValuesOf, expression: expression.to_owned() }
    }

    #[test]
    fn a_stored_spec_is_read_again() {
        let full = ClusterSpec {
            thresholds: vec![0.9],
            method: MethodSpec::Average,
            least: Some(0.5),
            max_size: Some(50),
            keep_apart: true,
            one_to: Some(OneToSpec::Many("left".to_owned())),
            split: Some(SplitSpec::Bridges),
            density: Some(0.3),
            limits: vec![limit(1, "passport")],
        };
        for spec in [ClusterSpec::default(), full] {
            assert!(spec.mistakes().is_empty());
            let stored = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<ClusterSpec>(&stored).unwrap(), spec);
        }
        assert_eq!(serde_json::from_str::<ClusterSpec>("{}").unwrap(), ClusterSpec::default());
        assert!(ClusterSpec::default().is_default());
    }

    #[test]
    fn mistakes_have_their_place() {
        let spec = ClusterSpec::default;
        let said = |spec: ClusterSpec| {
            let all = spec.mistakes();
            all.iter().map(|one| format!("{}: {}", one.place, one.message)).collect::<Vec<_>>().join("\n")
        };
        for (spec, expected) in [
            (ClusterSpec { thresholds: vec![f64::NAN], ..spec() }, "`[clusters]`, `threshold`: `threshold` is NaN"),
            (
                ClusterSpec { thresholds: vec![0.5, 0.5], ..spec() },
                "`[clusters]`, `threshold`: the threshold 0.5 stands twice",
            ),
            (
                ClusterSpec { thresholds: vec![0.5, 0.6], max_size: Some(2), ..spec() },
                "`[clusters]`, `threshold`: several thresholds give components alone, and there is more that makes clusters",
            ),
            (
                ClusterSpec { method: MethodSpec::Complete, ..spec() },
                "`[clusters]`, `method`: the method `complete` has no `least`",
            ),
            (
                ClusterSpec { least: Some(0.5), ..spec() },
                "`[clusters]`, `least`: `least` belongs to linkages, and the method is `components`",
            ),
            (
                ClusterSpec { max_size: Some(0), ..spec() },
                "`[clusters]`, `max_size`: `max_size` is 0, which every record breaks",
            ),
            (
                ClusterSpec { limits: vec![limit(1, "a"), limit(0, " ")], ..spec() },
                "`[[limit]]` 2: `most` is 0, which every record breaks\n`[[limit]]` 2: `values_of` is empty",
            ),
            (
                ClusterSpec { split: Some(SplitSpec::Bridges), ..spec() },
                "`[clusters]`, `split`: `split` has no `density`",
            ),
            (ClusterSpec { density: Some(0.5), ..spec() }, "`[clusters]`, `density`: `density` belongs to `split`"),
            (
                ClusterSpec { split: Some(SplitSpec::Bridges), density: Some(1.0), ..spec() },
                "`[clusters]`, `density`: `density` is 1",
            ),
        ] {
            assert_eq!(said(spec), expected);
        }
    }
}
