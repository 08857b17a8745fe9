//! Why a pair is a result, or why not.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::asked_records::AskedRecords;
use super::connection::Connection;
use super::named_pair::{RecordPlace, find_pair, name_of};
use super::read_decisions::DECIDED;
use crate::cancel::Cancel;
use crate::dataset::{BindingRequest, Dataset};
use crate::error::Result;
use crate::expr::{FieldValue, derived_key};
use crate::job::Job;
use crate::judgements::{DecidedPairs, PairDecision};
use crate::memory::MemoryBudget;
use crate::observer::Progress;
use crate::records::Frame;
use crate::rules::{LinkType, RuleSet};
use crate::scoring::{
    OutsideScores, SCORE_RULE, ScoreExplanation, Scores, WeightedExplanation, counts_frequencies, explain_score,
    explain_weighted,
};
use crate::verify::{Inspection, Program, RuleProgram, inspect};

/// The answer to why two records are, or are not, a pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Why {
    /// The rule that owns the pair, if it is a result: the first that holds, certain ones first; `decided` where somebody has decided
    /// that it is one.
    pub match_key: Option<String>,
    /// The rules.
    pub rules: Vec<Inspection>,
    /// The `never` rules.
    pub nevers: Vec<Inspection>,
    /// How its score comes about, where the rules compare records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreExplanation>,
    /// How its weighted average comes about, where the rules have similarities and weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weighted: Option<WeightedExplanation>,
    /// Its score, where others have given scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<OutsideScore>,
    /// What somebody has decided about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<PairDecision>,
    /// The input that both are of, where a link compares records of different inputs only: then rules and scores say nothing of
    /// the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_input: Option<String>,
    /// What connects the two, where a run was asked in which they are no pair of one cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<Connection>,
    /// The ids, the earlier row first; of several inputs with the input's name, as in `people:17`.
    pub ids: [String; 2],
    /// The two whole records, if the job reads [all columns](Job::with_all_columns).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<RecordField>,
}

/// The score that others have given to a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutsideScore {
    /// The score; nothing where the file does not have the pair.
    pub score: Option<f64>,
    /// The least score of a pair that is kept.
    pub threshold: f64,
    /// Whether it is reached.
    pub is_reached: bool,
}

/// A column of the two records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordField {
    /// Its name.
    pub name: String,
    /// Whether it is computed, by `derive`.
    pub is_derived: bool,
    /// What each of the two records has; nothing where its input has no such column.
    pub values: [Option<FieldValue>; 2],
}

/// The scores of a run, with what they were made of.
#[derive(Clone, Copy)]
pub(super) struct ScoresOfRun<'a> {
    /// The scores.
    pub scores: &'a Scores,
    /// The rules, as they were run.
    pub rules: &'a RuleSet,
    /// These over all records.
    pub program: &'a Program,
    /// What was decided about pairs.
    pub decided: Option<&'a DecidedPairs>,
}

/// What is asked of two records.
#[derive(Clone, Copy)]
pub(super) struct WhyRequest<'a> {
    /// The records and the rules.
    pub records: &'a AskedRecords,
    /// What pairs were scored by, if they were: what was given for that is not read again.
    pub scored: Option<ScoresOfRun<'a>>,
    /// The ids of the two.
    pub ids: [&'a str; 2],
    /// Whether the two whole records are shown.
    pub whole_records: bool,
}

/// Inspects the pair of records of a job with these ids, on the threads of the current pool. Reads its inputs, unless its records
/// are at hand.
pub fn why(job: &Job, among: Option<&Dataset>, ids: [&str; 2], memory: usize, progress: Progress<'_>) -> Result<Why> {
    let budget = MemoryBudget::new(memory);
    let records = &match among {
        Some(dataset) => AskedRecords::among(dataset, job, &budget, progress)?,
        None => AskedRecords::open(job, &budget, progress)?,
    };
    WhyRequest { records, scored: None, ids, whole_records: job.all_columns }.answer(&budget, progress)
}

impl WhyRequest<'_> {
    /// Inspects the two records. Only these are encoded; ranks and frequencies are those among all records.
    pub fn answer(self, budget: &MemoryBudget, progress: Progress<'_>) -> Result<Why> {
        let AskedRecords { job, dataset, rules, .. } = self.records;
        let cancel = progress.cancel().within(budget);
        let places = find_pair(dataset, self.ids)?;
        let ids = places.map(|place| name_of(dataset, place));
        let numbers = places.map(|(input, row)| dataset.layout().record(input, row as u32));
        let both = dataset.subset(&numbers)?;
        let rows = [0, 1].map(|record| both.layout().place(record).1);
        let shown = |frames: &[Frame]| records_of(dataset, rules, frames, places, rows);
        if let Some(input) = input_of_both(dataset, places) {
            let records = match self.whole_records {
                true => shown(&both.shown_frames(rules, true, progress, cancel)?),
                false => Vec::new(),
            };
            return Ok(Why { one_input: Some(input), ids, records, ..Why::default() });
        }
        let of_all = numbers.map(|record| dataset.layout().place(record).1);
        let outside = self.outside_score(of_all, budget, cancel)?;
        let decided = self.decision(of_all, budget, cancel)?;
        let program = &RuleProgram::compile(rules, both.layout().frames());
        let with_counts = self.scored.is_none() && counts_frequencies(job)?;
        let request = BindingRequest { rules, program, with_findings: false, with_counts };
        let (frames, program) = both.with_frames(request, self.whole_records, progress, cancel)?;
        let [l, r] = rows;
        let (rules_of_pair, nevers) = inspect(rules, &program, &frames, l, r);
        let score = match self.scored {
            Some(of_run) => of_run.explained(of_all),
            None => explain_score(job, rules, &program, (l, r), budget, cancel)?,
        };
        let weighted = explain_weighted(job, rules, &program, (l, r))?;
        let records = if self.whole_records { shown(&frames) } else { Vec::new() };
        let unowned =
            Why { rules: rules_of_pair, nevers, score, weighted, outside, decided, ids, records, ..Why::default() };
        Ok(Why { match_key: unowned.owner(rules), ..unowned })
    }

    /// The score that others have given to two records, by their rows.
    fn outside_score(
        &self,
        [l, r]: [u32; 2],
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<Option<OutsideScore>> {
        let AskedRecords { job, dataset, .. } = self.records;
        if let Some(of_run) = self.scored {
            return Ok(of_run.given([l, r]));
        }
        let read = OutsideScores::read(job, dataset.record_names().all(), budget.most(), cancel)?;
        Ok(read.map(|given| OutsideScore::look_up(&given, l, r)))
    }

    /// What was decided about two records, by their rows.
    fn decision(&self, rows: [u32; 2], budget: &MemoryBudget, cancel: Cancel<'_>) -> Result<Option<PairDecision>> {
        if let Some(of_run) = self.scored {
            return Ok(of_run.decided.and_then(|decided| PairDecision::look_up(decided, rows)));
        }
        let read = self.records.decisions(budget.most(), cancel)?;
        Ok(read.and_then(|decided| PairDecision::look_up(&decided, rows)))
    }
}

impl ScoresOfRun<'_> {
    /// The score of two rows, part by part, where a model made it.
    fn explained(&self, [l, r]: [u32; 2]) -> Option<ScoreExplanation> {
        self.scores.model().map(|scoring| scoring.explanation(self.rules, self.program, (l, r)))
    }

    /// The score of two rows, where others have given it.
    fn given(&self, [l, r]: [u32; 2]) -> Option<OutsideScore> {
        match self.scores {
            Scores::Given(outside) => Some(OutsideScore::look_up(outside, l, r)),
            _ => None,
        }
    }
}

impl Why {
    /// The rule that owns the pair, if it is a result.
    fn owner(&self, rules: &RuleSet) -> Option<String> {
        if let Some(decided) = &self.decided {
            return decided.is_same.then(|| DECIDED.to_owned());
        }
        let vetoed = self.nevers.iter().any(|never| never.holds);
        let is_reached = self.score.as_ref().is_none_or(|score| score.is_reached)
            && self.weighted.as_ref().is_none_or(|weighted| weighted.is_reached)
            && self.outside.as_ref().is_none_or(|outside| outside.is_reached);
        let is_certain = |rule: usize| rules.rules[rule].is_certain;
        let is_pair = |rule: &usize| !vetoed && self.rules[*rule].holds && (is_reached || is_certain(*rule));
        // Where others have given the scores, rules that are not certain have given the candidates before.
        let counts = |rule: &usize| self.outside.is_none() || is_certain(*rule);
        let by_rule = (0..self.rules.len()).filter(counts).find(is_pair).map(|rule| self.rules[rule].name.clone());
        let by_score = (self.rules.is_empty() || self.outside.is_some()) && is_reached && !vetoed;
        by_rule.or_else(|| by_score.then(|| SCORE_RULE.to_owned()))
    }
}

impl OutsideScore {
    fn look_up(given: &OutsideScores, l: u32, r: u32) -> Self {
        let (score, threshold) = (given.score(l, r), given.threshold);
        Self { score, threshold, is_reached: score.is_some_and(|score| score >= threshold) }
    }
}

/// The input of two records that are not compared because a link has both in it.
fn input_of_both(dataset: &Dataset, [l, r]: [RecordPlace; 2]) -> Option<String> {
    let is_link = dataset.layout().link_type() == LinkType::LinkOnly;
    (is_link && l.0 == r.0).then(|| dataset.inputs()[l.0].name.clone())
}

/// The two records, column by column: those of the inputs, then the derived ones. They have these rows in frames.
fn records_of(
    dataset: &Dataset,
    rules: &RuleSet,
    frames: &[Frame],
    places: [RecordPlace; 2],
    rows: [u32; 2],
) -> Vec<RecordField> {
    let mut fields: Vec<RecordField> = Vec::new();
    let mut known: HashMap<(String, bool), usize> = HashMap::new();
    for is_derived in [false, true] {
        for (at, (input, _)) in places.into_iter().enumerate() {
            let frame = &frames[dataset.layout().frame_of(input)];
            for (name, key) in columns_of(dataset, rules, input, is_derived) {
                let place = *known.entry((name.clone(), is_derived)).or_insert_with(|| {
                    fields.push(RecordField { name, is_derived, values: [None, None] });
                    fields.len() - 1
                });
                fields[place].values[at] = Some(FieldValue::from_row(&frame.value(rows[at], &key), 0));
            }
        }
    }
    fields
}

/// The columns of an input, each with its name in expressions.
fn columns_of(dataset: &Dataset, rules: &RuleSet, input: usize, is_derived: bool) -> Vec<(String, String)> {
    if is_derived {
        let derived = rules.derived[input].iter();
        return derived.map(|column| (column.name.clone(), derived_key(&column.name))).collect();
    }
    dataset.inputs()[input].shown_columns().map(|name| (name.to_owned(), name.to_owned())).collect()
}
