//! A job: which records are compared, and by which rules.

use std::collections::BTreeMap;

use super::record::RunRecord;
use crate::plan::Strategy;
use crate::records::Input;
use crate::rules::{LinkType, RuleFile};
use crate::score::Model;

/// A job: inputs, rules, and what else decides which pairs are found or how they are looked for.
///
/// ```
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
    /// Whether all pairs may be looked at where the comparisons leave no other way.
    pub all_pairs: bool,
    /// All columns are read, so that whole records can be shown.
    pub all_columns: bool,
    /// How it is planned; the result is the same for all strategies.
    pub strategy: Strategy,
    /// What an earlier run over the same records has seen.
    pub statistics: Option<RunRecord>,
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

    fn new(inputs: Vec<Input>, link_type: LinkType) -> Self {
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
            all_pairs: false,
            all_columns: false,
            strategy: Strategy::default(),
            statistics: None,
            command: Vec::new(),
        }
    }

    /// With these rules, in place of any before.
    #[must_use]
    pub fn with_rules(mut self, rules: RuleFile) -> Self {
        self.rules = rules;
        self
    }

    /// With one more rule, such as `l.email = r.email`.
    #[must_use]
    pub fn with_rule(mut self, condition: &str) -> Self {
        self.rules.add_rule(condition);
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
    /// and no cluster: [`Run::near`](crate::Run::near).
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
    /// [`Run::pairs`](crate::Run::pairs), and a `score`, a `match_probability` or a `match_weight`. The pairs from the
    /// threshold of the rules on, 0.5 where they have none, are the result; rules that are not certain are not asked again.
    #[must_use]
    pub fn with_scores(mut self, scores: Input) -> Self {
        self.scores = Some(scores);
        self
    }

    /// Looking at all pairs where the threshold of the score is so low that nothing else is complete; else that is an error.
    #[must_use]
    pub fn with_all_pairs(mut self) -> Self {
        self.all_pairs = true;
        self
    }

    /// Reading all columns of its inputs, so that [`Why`](crate::Why) has the two whole records.
    #[must_use]
    pub fn with_all_columns(mut self) -> Self {
        self.all_columns = true;
        self
    }

    /// All files that it reads: its inputs, its rule files and those that they name, and scores. What is written must not
    /// replace any of them: [`ResultFile::protect_inputs`](crate::ResultFile::protect_inputs).
    pub fn files_read(&self) -> Vec<Input> {
        let rules = self.rules.files_read().into_iter().map(|path| Input::files([path]));
        self.inputs.iter().cloned().chain(self.scores.clone()).chain(rules).collect()
    }

    /// The same job without near pairs, where only the rules themselves matter.
    pub(crate) fn without_near(&self) -> Self {
        Self { near: None, ..self.clone() }
    }

    /// Planned with some parts of the planner only, for experiments.
    #[must_use]
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Planned with what an earlier run over the same records has seen: a [`Run::record`](crate::Run::record), or a
    /// `run.json` by [`RunRecord::read`].
    #[must_use]
    pub fn with_statistics(mut self, statistics: RunRecord) -> Self {
        self.statistics = Some(statistics);
        self
    }

    /// With the command that makes it, which its record then has: whoever reads that can give it again.
    #[must_use]
    pub fn with_command(mut self, command: Vec<String>) -> Self {
        self.command = command;
        self
    }
}
