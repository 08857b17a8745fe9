//! A job: which records are compared, and by which rules. `spec` has all that decides its answer as a value, with its
//! inputs as values too (`input_spec`); `key` is what an interrupted run of it is found by.
//!
//! Nothing here reads a record. What was said of an input goes before what the rules say of all of them
//! (`Job::resolved_inputs`). A spec has rules as the parts that they were made of, which are replayed; files are named,
//! and records that somebody gave have a name only. The spec of a run says what identifies the records that were read
//! (`ContentId`), and the same of the files that its rules name; a job that is made of it expects these (`Input::expecting`,
//! `Job::check_named_file`), and others are refused when they are read. It names the current folder of its run too, if a path is
//! relative: files are looked for from there first, as paths say there what they said in the run, and then from the current
//! folder, in case they were moved. Neither order could give other records without an error, since all are known by their
//! content. A spec says how to get an answer again, a key whether two jobs have the same.

mod input_spec;
mod key;
mod spec;

use std::borrow::Cow;
use std::collections::BTreeMap;

use sameas_entities::tables::ResultTables;

use crate::error::{Error, ErrorCode, Result};
use crate::model::Model;
use crate::plan::{EarlierRun, Strategy};
use crate::records::{ContentId, Input};
use crate::rules::{LinkType, RuleFile};
pub use input_spec::InputSpec;
pub use key::{InputKey, JobKey, ReadByJob, Resumption, StartOverReason};
pub use spec::{IdSpec, JobSpec};

/// What identifies files that rules name, by what they are called: one that is read for several uses is known by each.
pub type NamedFiles = BTreeMap<String, Vec<ContentId>>;

/// A job: inputs, rules, and what else decides which pairs are found or how they are looked for.
///
/// ```
/// # mod sameas { pub use sameas_core::error::*; pub use sameas_engine::{job::*, observer::*}; pub use sameas_records::records::Input; }
/// # use sameas::{Input, Job};
/// let job = Job::dedupe(Input::files(["people.csv"])).with_rule("l.email = r.email");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job {
    /// One for a dedupe, two or more for a link.
    pub inputs: Vec<Input>,
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// The rules.
    pub rules: RuleFile,
    /// The column with the ids: `row` stands for row numbers where no column has that name. By default the one that the
    /// rules name, else `id`, else `unique_id`.
    pub id: Option<String>,
    /// The columns with the ids of single inputs: by `left` and `right`, or by the name of an input. They say more than
    /// [`Self::id`].
    pub ids: BTreeMap<String, String>,
    /// Whether records without an id are left out; else they are an error. By default what the rules say.
    pub skip_null_ids: Option<bool>,
    /// The job is refused if it has more candidates.
    pub max_candidates: Option<u64>,
    /// Pairs that would be found if one threshold were looser by this much are looked for, too.
    pub near: Option<f64>,
    /// What pairs are scored by, where the rules compare records.
    pub model: Option<Model>,
    /// Pairs with scores that others have given.
    pub scores: Option<Input>,
    /// What people have decided about pairs.
    pub decided: Option<Input>,
    /// Tables with the term frequencies of columns, by the names of these. They go before those that the rules name.
    pub term_frequencies: BTreeMap<String, Input>,
    /// What identifies the files that the rules name, by what they are called, where a run has read them: others are refused.
    pub(crate) named_files: NamedFiles,
    /// Whether all pairs may be looked at where the comparisons leave no other way.
    pub all_pairs: bool,
    /// All columns are read, so that whole records can be shown.
    pub all_columns: bool,
    /// Whether a model that is learned takes comparisons together that depend on each other.
    pub combine_dependent: bool,
    /// The tables that its results have besides pairs and clusters.
    pub tables: ResultTables,
    /// How it is planned; the result is the same for all strategies.
    pub strategy: Strategy,
    /// What an earlier run over the same records has seen.
    pub statistics: Option<EarlierRun>,
    /// The command that makes it, for its record.
    pub command: Vec<String>,
}

impl Job {
    /// Pairs within one input.
    pub fn dedupe(input: Input) -> Self {
        Self::new(vec![input], LinkType::DedupeOnly)
    }

    /// Pairs of a record of the left input and one of the right.
    pub fn link(left: Input, right: Input) -> Self {
        Self::new(vec![left, right], LinkType::LinkOnly)
    }

    /// Pairs within and across two inputs.
    pub fn link_and_dedupe(left: Input, right: Input) -> Self {
        Self::new(vec![left, right], LinkType::LinkAndDedupe)
    }

    /// Pairs of records of different inputs, of which there are two or more; the left record is of the earlier input.
    pub fn link_all(inputs: impl IntoIterator<Item = Input>) -> Self {
        Self::new(inputs.into_iter().collect(), LinkType::LinkOnly)
    }

    /// Pairs within and across two inputs or more.
    pub fn link_and_dedupe_all(inputs: impl IntoIterator<Item = Input>) -> Self {
        Self::new(inputs.into_iter().collect(), LinkType::LinkAndDedupe)
    }

    pub(crate) fn new(inputs: Vec<Input>, link_type: LinkType) -> Self {
        Self {
            inputs,
            link_type,
            rules: RuleFile::default(),
            id: None,
            ids: BTreeMap::new(),
            skip_null_ids: None,
            max_candidates: None,
            near: None,
            model: None,
            scores: None,
            decided: None,
            term_frequencies: BTreeMap::new(),
            named_files: NamedFiles::new(),
            all_pairs: false,
            all_columns: false,
            combine_dependent: false,
            tables: ResultTables::default(),
            strategy: Strategy::default(),
            statistics: None,
            command: Vec::new(),
        }
    }

    /// With these rules, in place of any before.
    #[must_use]
    pub fn with_rules(mut self, rules: RuleFile) -> Self {
        self.rules = rules;
        self.named_files.clear();
        self
    }

    /// With one more rule, such as `l.email = r.email`.
    #[must_use]
    pub fn with_rule(mut self, condition: &str) -> Self {
        self.rules.add_rule(condition);
        self
    }

    /// With tables of entities or records besides pairs and clusters.
    #[must_use]
    pub fn with_tables(mut self, tables: ResultTables) -> Self {
        self.tables = tables;
        self
    }

    /// With ids from this column; `row` stands for row numbers where no column has that name.
    #[must_use]
    pub fn with_id(mut self, column: &str) -> Self {
        self.id = Some(column.to_owned());
        self
    }

    /// With the ids of one input from this column: of the `left` or `right` one of a link, or of the one with this name.
    #[must_use]
    pub fn with_id_of(mut self, input: &str, column: &str) -> Self {
        self.ids.insert(input.to_owned(), column.to_owned());
        self
    }

    /// Without the records that have no id, which are otherwise an error.
    #[must_use]
    pub fn with_null_ids_skipped(mut self) -> Self {
        self.skip_null_ids = Some(true);
        self
    }

    /// Refused if it has more candidates than this.
    #[must_use]
    pub fn with_max_candidates(mut self, most: u64) -> Self {
        self.max_candidates = Some(most);
        self
    }

    /// Looking for near pairs as well: those that no rule gives, and that one would give if one of its thresholds were
    /// looser by this much. Similarities are loosened by the amount, which is between 0 and 1; numbers of edits, of common
    /// tokens, of days and other whole-number bounds of differences by 1. Near pairs are results of their own, in no pair
    /// and no cluster: `Run::near`.
    #[must_use]
    pub fn with_near(mut self, amount: f64) -> Self {
        self.near = Some(amount);
        self
    }

    /// With scores by this model, which is about the comparisons of the rules.
    #[must_use]
    pub fn with_model(mut self, model: Model) -> Self {
        self.model = Some(model);
        self
    }

    /// With the scores that another matcher has given to pairs, the candidates of this job or others: ids in the columns of
    /// `Run::pairs`, and a `score`, a `match_probability` or a `match_weight`. The pairs from the
    /// threshold of the rules on, 0.5 where they have none, are the result; rules that are not certain are not asked again.
    #[must_use]
    pub fn with_scores(mut self, scores: Input) -> Self {
        self.scores = Some(scores);
        self
    }

    /// With what people have decided about pairs: ids in the columns of `Run::pairs`, and a column `judgement` that says `same`,
    /// `different` or `unsure`. Pairs that are decided to be the same are pairs of the result, whatever the rules say, and those
    /// that are decided to be different are not, nor are they in one cluster.
    #[must_use]
    pub fn with_decisions(mut self, judgements: Input) -> Self {
        self.decided = Some(judgements);
        self
    }

    /// With the term frequencies of a column from a table, in place of those that are counted over the records of the job:
    /// values in a column `value`, and their shares of all records in `frequency`, or their numbers of records in `count`; or
    /// both as Splink calls them. A value that the table lacks is not adjusted. `Session::term_frequencies` makes such
    /// tables.
    #[must_use]
    pub fn with_term_frequencies(mut self, column: &str, frequencies: Input) -> Self {
        self.term_frequencies.insert(column.to_owned(), frequencies);
        self
    }

    /// Looking at all pairs where the threshold of the score is so low that nothing else is complete; else that is an error.
    #[must_use]
    pub fn with_all_pairs(mut self) -> Self {
        self.all_pairs = true;
        self
    }

    /// Reading all columns of its inputs, so that [`Why`](crate::engine::Why) has the two whole records.
    #[must_use]
    pub fn with_all_columns(mut self) -> Self {
        self.all_columns = true;
        self
    }

    /// Learning a model that takes two comparisons together where they depend on each other so much that they count the same
    /// thing twice: one comparison with conjunctions of their levels. Which ones is chosen by the data.
    #[must_use]
    pub fn with_dependent_combined(mut self) -> Self {
        self.combine_dependent = true;
        self
    }

    /// Its rules, with comparisons taken together as its model has them.
    pub(crate) fn completed_rules(&self) -> Cow<'_, RuleFile> {
        let completed = self.model.as_ref().and_then(|model| model.completed(&self.rules));
        completed.map_or(Cow::Borrowed(&self.rules), Cow::Owned)
    }

    /// All files that it reads: its inputs, its rule files and those that they name, scores, term frequencies and judgements. What is
    /// written must not replace any of them: [`ResultFile::protect_inputs`](crate::output::ResultFile::protect_inputs).
    pub fn files_read(&self) -> Vec<Input> {
        let rules = self.rules.files_read().into_iter().map(|path| Input::files([path]));
        let others = self.scores.iter().chain(self.term_frequencies.values()).chain(&self.decided);
        self.inputs.iter().chain(others).cloned().chain(rules).collect()
    }

    /// Refuses a file that its rules name if a run has read another one; `name` is what it is called.
    pub(crate) fn check_named_file(&self, name: &str, read: &ContentId) -> Result<()> {
        match self.named_files.get(name) {
            Some(expected) if !expected.iter().any(|expected| expected.is_of(read)) => Err(Error::data(format!(
                "the file `{name}`, which the rules name, is not the one that the run has read"
            ))
            .with_help("run the job again, or bring back the file as it was")
            .with_code(ErrorCode::OtherRecords)),
            _ => Ok(()),
        }
    }

    /// Its inputs, each read as the rules say wherever nothing else was said of it.
    pub(crate) fn resolved_inputs(&self) -> Result<Vec<Input>> {
        self.inputs.iter().map(|input| input.or_as_rules_say(&self.rules)).collect()
    }

    /// The same job without near pairs, where only the rules themselves matter.
    #[doc(hidden)]
    pub fn without_near(&self) -> Self {
        Self { near: None, ..self.clone() }
    }

    /// Whether some of its inputs must have the records that a run has read.
    pub(crate) fn expects_records(&self) -> bool {
        self.inputs.iter().any(|input| input.expected().is_some())
    }

    /// The same over any records that its inputs have: the caller has checked these.
    pub(crate) fn over_any_records(&self) -> Self {
        let inputs = self.inputs.iter().map(|input| input.clone().expecting(None)).collect();
        Self { inputs, ..self.clone() }
    }

    /// Planned with some parts of the planner only, for experiments.
    #[must_use]
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Planned with what an earlier run over the same records has seen: a `Run::record`, or a
    /// `run.json` by [`RunRecord::read`](crate::engine::RunRecord::read).
    #[must_use]
    pub fn with_statistics(mut self, earlier: impl Into<EarlierRun>) -> Self {
        self.statistics = Some(earlier.into());
        self
    }

    /// With the command that makes it, which its record then has: whoever reads that can give it again.
    #[must_use]
    pub fn with_command(mut self, command: Vec<String>) -> Self {
        self.command = command;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::records::ReadOptions;

    #[test]
    fn what_is_said_of_an_input_goes_before_what_the_rules_say() {
        let text = "encoding = \"latin1\"\nnull = [\"-\"]\nblank_is_null = true\n[[rule]]\nwhen = \"l.a = r.a\"\n";
        let rules = RuleFile::parse(text, "rules.toml").unwrap();
        let said = Input::files(["left.csv"]).with_encoding("utf-16le").unwrap();
        let said = said.with_null_texts(["none"]).with_blank_as_null(false).with_delimiter(b';');
        let job = Job::link(said.clone(), Input::files(["right.csv"])).with_rules(rules);
        let [left, right] = &job.resolved_inputs().unwrap()[..] else { panic!("two inputs") };
        assert_eq!(left.options(), said.options());
        let of_rules = right.options();
        assert_eq!((of_rules.encoding.as_deref(), of_rules.blank_is_null), (Some("latin1"), Some(true)));
        assert_eq!((of_rules.null.as_deref(), of_rules.delimiter), (Some(&["-".to_owned()][..]), None));
        assert_eq!(job.inputs[1].options(), &ReadOptions::default());
    }

    #[test]
    fn an_encoding_that_the_rules_misspell_is_an_error_where_it_counts() {
        let mut job = Job::dedupe(Input::files(["people.csv"]));
        job.rules.encoding = Some("latin-11".to_owned());
        let error = job.resolved_inputs().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Rules);
        assert!(error.message().starts_with("the rules say: unknown encoding `latin-11`"), "{error}");
        job.inputs = vec![Input::files(["people.csv"]).with_encoding("latin1").unwrap()];
        assert!(job.resolved_inputs().is_ok());
    }
}
