//! The rule file (TOML): link type, id column, derived columns, rules and `never` rules as text.

mod cluster_spec;
mod clusters;
mod derives;
mod entity;
mod entries;
mod merge;
mod names;
mod pair_columns;
mod parse;
mod rule_parts;
mod scoring;
mod toml_value;
mod weighted;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::diagnostic::{Origin, Report};
use super::text_file::text_of;
use crate::error::Result;
pub use cluster_spec::{
    ClusterMistake, ClusterPlace, ClusterSpec, CountedSpec, LimitSpec, MethodSpec, OneToSpec, SplitSpec,
};
pub use clusters::ClustersText;
pub use entity::{EntityText, EntryText, GroupText, OTHERS, Take, ValueText};
pub use rule_parts::{RuleFileText, RulePart};
pub use scoring::{CompareText, MOST_COMBINATIONS, ScoreText, TrainText};
pub use weighted::WeightedText;

/// What the pairs of a job are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkType {
    /// Pairs within one input.
    DedupeOnly,
    /// Pairs of a record of one input and one of another.
    LinkOnly,
    /// Pairs within and across inputs.
    LinkAndDedupe,
}

impl LinkType {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::DedupeOnly, Self::LinkOnly, Self::LinkAndDedupe];

    /// Its name in a rule file.
    pub fn name(self) -> &'static str {
        match self {
            Self::DedupeOnly => "dedupe_only",
            Self::LinkOnly => "link_only",
            Self::LinkAndDedupe => "link_and_dedupe",
        }
    }
}

/// A rule as text.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// Its name, or `None` for `rule_N`.
    pub name: Option<String>,
    /// Where the name was written.
    pub named_at: Option<Origin>,
    /// The condition and where it was written.
    pub origin: Origin,
    /// Whether its pairs match whatever their score. Such rules come before all others.
    pub is_certain: bool,
}

/// A derived column as text.
#[derive(Clone, Debug)]
pub struct DeriveText {
    /// The name of the column.
    pub name: String,
    /// Where the name was written.
    pub named_at: Origin,
    /// The expression and where it was written.
    pub origin: Origin,
}

impl DeriveText {
    /// Equal for the same column by the same expression.
    pub fn identity(&self) -> (&str, &str) {
        (&self.name, &self.origin.text)
    }
}

/// What a rule file says, not yet checked against the data.
///
/// ```
/// # mod sameas { pub use sameas_core::error::*; pub use sameas_rules::{rules::*, splink::*}; }
/// # fn main() -> sameas::Result<()> {
/// let text = r#"
///     [[rule]]
///     name = "same email"
///     when = "lower(l.email) = lower(r.email)"
///
///     [[never]]
///     when = "l.birth_date <> r.birth_date"
/// "#;
/// let rules = sameas::RuleFile::parse(text, "rules.toml")?;
/// rules.check_syntax()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    /// `link_type`, if given.
    pub link_type: Option<LinkType>,
    /// `unique_id`, if it is given as one name for all inputs.
    pub unique_id: Option<String>,
    /// `unique_id` where it is a table: columns by `left`, `right` or the name of an input.
    pub unique_ids: BTreeMap<String, String>,
    /// `encoding` of text files.
    pub encoding: Option<String>,
    /// `null`: texts that stand for a missing value.
    pub null: Vec<String>,
    /// `blank_is_null`: whether a text of white space alone is a missing value.
    pub blank_is_null: Option<bool>,
    /// `skip_null_ids`: whether records without an id are left out.
    pub skip_null_ids: Option<bool>,
    /// Derived columns of the left (or only) and the right input.
    #[doc(hidden)]
    pub derive: [Vec<DeriveText>; 2],
    /// Derived columns of single inputs, by the input's name.
    #[doc(hidden)]
    pub derive_of: BTreeMap<String, Vec<DeriveText>>,
    /// The rules, in order.
    #[doc(hidden)]
    pub rules: Vec<RuleText>,
    /// The `never` rules, in order.
    #[doc(hidden)]
    pub nevers: Vec<RuleText>,
    /// The comparisons, in order.
    #[doc(hidden)]
    pub compares: Vec<CompareText>,
    /// How pairs are scored.
    #[doc(hidden)]
    pub score: ScoreText,
    /// How a model is learned.
    #[doc(hidden)]
    pub train: TrainText,
    /// Expressions of two records that pairs have as columns.
    #[doc(hidden)]
    pub columns: Vec<DeriveText>,
    /// How clusters are made of pairs.
    #[doc(hidden)]
    pub clusters: ClustersText,
    /// How the records of a cluster become one.
    #[doc(hidden)]
    pub entity: EntityText,
    /// How it was made.
    pub(super) parts: Vec<RulePart>,
    /// The folders in which files are looked for that rules name, by where the rules were written.
    pub(crate) folders: BTreeMap<String, PathBuf>,
    /// The current folder in which they were made, where that is known.
    pub(super) made_in: Option<PathBuf>,
}

impl RuleFile {
    /// Reads a rule file, of at most 16 MiB.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_all(&[path])
    }

    /// Reads rule files as if they were one; all their mistakes are reported together.
    pub fn read_all<P: AsRef<Path>>(paths: &[P]) -> Result<Self> {
        let text = |path: &P| {
            let (path, text) = (path.as_ref().display().to_string(), text_of(path.as_ref(), "the rules")?);
            Ok(RuleFileText { path, text })
        };
        Self::of_texts(&paths.iter().map(text).collect::<Result<Vec<_>>>()?)
    }

    /// The same for files whose texts are known, such as those of an earlier run.
    pub fn of_texts(files: &[RuleFileText]) -> Result<Self> {
        Self::of_parts(&files.iter().cloned().map(RulePart::File).collect::<Vec<_>>())
    }

    /// Parses the text of a rule file; `file` is its name in messages.
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        Self::of_parts(&[RulePart::Text(RuleFileText { path: file.to_owned(), text: text.to_owned() })])
    }

    /// Rules that are made as others were, whose [parts](Self::parts) these are; all mistakes are reported together.
    pub fn of_parts(parts: &[RulePart]) -> Result<Self> {
        let mut report = Report::default();
        Self::made_of(parts, &mut report).or_mistakes(report)
    }

    /// How it was made, part by part. Fields that were changed by hand are not in it.
    pub fn parts(&self) -> &[RulePart] {
        &self.parts
    }

    /// The texts of the rule files that it was made of.
    pub fn files(&self) -> impl Iterator<Item = &RuleFileText> {
        self.parts.iter().flat_map(RulePart::each).filter_map(RulePart::file)
    }

    fn made_of(parts: &[RulePart], report: &mut Report) -> Self {
        parts.iter().fold(Self::default(), |before, part| before.with_part(part, report))
    }

    fn with_part(mut self, part: &RulePart, report: &mut Report) -> Self {
        match part {
            RulePart::File(RuleFileText { path, text }) => {
                let folder = Path::new(path).parent().unwrap_or(Path::new(""));
                self.merge(Self::parse_into(text, path, report).looking_in(folder), report);
                self.parts.push(part.clone());
            }
            RulePart::Text(RuleFileText { path, text }) => {
                self.merge(Self::parse_into(text, path, report), report);
                self.parts.push(part.clone());
            }
            RulePart::Rule { when, place } => self.add_rule_from(when, place),
            RulePart::Column { name, expression, place } => self.add_column_from(name, expression, place),
            RulePart::Folder { path } => return self.in_folder(Path::new(path)),
            RulePart::WithoutScores => return self.without_scores(),
            RulePart::Added { parts } => self.merge(Self::made_of(parts, report), report),
        }
        self
    }

    /// Itself, unless there are mistakes: then those in its SQL are reported, too.
    fn or_mistakes(self, mut report: Report) -> Result<Self> {
        if report.is_empty() {
            return Ok(self);
        }
        self.names(&mut report);
        self.add_scoring_mistakes(&mut report);
        self.add_cluster_mistakes(&mut report);
        self.add_syntax_mistakes(&mut report)?;
        report.into_result().map(|_| self)
    }

    /// The number of rules.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// The number of `never` rules.
    pub fn never_count(&self) -> usize {
        self.nevers.len()
    }

    /// Adds a rule that is not in a file.
    pub fn add_rule(&mut self, when: &str) {
        self.add_rule_from(when, "given without a file");
    }

    /// Adds a rule; `place` says in messages where it was written.
    pub fn add_rule_from(&mut self, when: &str, place: &str) {
        let origin = Origin::without_file("rule", place, when);
        self.rules.push(RuleText { name: None, named_at: None, origin, is_certain: false });
        self.parts.push(RulePart::Rule { when: when.to_owned(), place: place.to_owned() });
    }

    /// Adds a column of pairs: an expression of `l` and `r`. `place` says in messages where it was written.
    pub fn add_column_from(&mut self, name: &str, expression: &str, place: &str) {
        let named_at = Origin::without_file("column", place, name);
        let origin = Origin::without_file(&format!("column {name}"), place, expression);
        self.columns.push(DeriveText { name: name.to_owned(), named_at, origin });
        let (name, expression, place) = (name.to_owned(), expression.to_owned(), place.to_owned());
        self.parts.push(RulePart::Column { name, expression, place });
    }

    /// Whether one side derives a column differently from the other.
    pub fn has_sided_derives(&self) -> bool {
        let [left, right] = &self.derive;
        let right: HashSet<_> = right.iter().map(DeriveText::identity).collect();
        left.len() != right.len() || !left.iter().all(|l| right.contains(&l.identity()))
    }

    /// The derived columns of all inputs, each once.
    pub(super) fn all_derives(&self) -> impl Iterator<Item = &DeriveText> {
        let left: HashSet<_> = self.derive[0].iter().map(DeriveText::identity).collect();
        let right = self.derive[1].iter().filter(move |d| !left.contains(&d.identity()));
        self.derive[0].iter().chain(right).chain(self.derive_of.values().flatten())
    }
}

#[cfg(test)]
mod tests;
