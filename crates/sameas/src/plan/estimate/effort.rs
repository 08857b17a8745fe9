//! What a join itself takes, before its candidates are looked at. All in nanoseconds of one core.
//!
//! The constants are from the benchmarks of the joins (`bench/`); only their proportions matter to a plan.

use std::collections::BTreeSet;

use super::super::condition::{Access, Condition};
use super::super::cost::{CheckKind, Features};
use super::draw::sampled_rows;
use super::{Estimator, SAMPLE_MEMORY};
use crate::candidates::edit_join::estimate;
use crate::candidates::set_join::{Options, Path, SetJoin};
use crate::candidates::{Shape, ValueJoin};
use crate::measure::Unit;
use crate::records::encode::{AnyStrings, NULL, Strings};
use crate::records::stats::SEED;
use crate::verify::{Check, TextTest};

/// Starting a branch, whatever it joins.
const BRANCH: f64 = 100_000.0;
/// A row in `equi_join`: its key, its partition, its place.
const KEYED_ROW: f64 = 40.0;
/// A row for each part of a composite key.
const KEY_PART: f64 = 5.0;
/// A row in `neighbourhood`, which sorts.
const SORTED_ROW: f64 = 120.0;
/// A row of a join over values: it is put to its value.
pub(super) const GROUPED_ROW: f64 = 15.0;
/// A value of a join over values: its place in an index.
pub(super) const VALUE: f64 = 200.0;
/// Two signatures compared.
pub(super) const SIGNATURE: f64 = 0.25;
/// An entry in the index of `edit_join`.
const ENTRY: f64 = 50.0;
/// An entry in a list of `set_join`.
const POSTING: f64 = 250.0;
/// Two sets that meet in a list, compared by signature.
const IN_LIST: f64 = 2.0;
/// Two sets that signatures have left to the measure, which mostly sees soon that they have too little in common.
const VERIFIED: f64 = 100.0;
/// The share of a set's tokens that its prefix has, about.
const PREFIX: f64 = 0.3;
/// A candidate handed on: its rows are written into a batch.
pub(super) const HANDED_ON: f64 = 2.0;

impl Estimator<'_> {
    /// What it takes to find the candidates of a condition.
    pub fn join_cost(&self, condition: &Condition, candidates: f64) -> f64 {
        let rows = self.joined_rows();
        let join = match &condition.access {
            Access::EquiJoin(parts) => rows * (KEYED_ROW + KEY_PART * parts.len() as f64),
            Access::Neighbourhood(_) => rows * SORTED_ROW,
            Access::SetJoin(predicate) | Access::EditJoin(predicate) | Access::JaroJoin(predicate) => {
                rows * GROUPED_ROW + self.values_cost(*predicate)
            }
            Access::AllPairs => 0.0,
        };
        BRANCH + join + candidates * HANDED_ON
    }

    /// The rows that a join reads: where both sides are one, each once.
    pub(super) fn joined_rows(&self) -> f64 {
        let rows: f64 = self.rows.iter().map(|rows| f64::from(*rows)).sum();
        if self.shape == Shape::Triangle { rows / 2.0 } else { rows }
    }

    /// The least that looking at the candidates of a predicate can take, told from pairs of any kind.
    pub fn least_candidates_cost(&self, predicate: usize) -> f64 {
        let all = self.any().all.count().max(1) as f64;
        let holding = self.share_of_any(predicate) * all;
        // Two standard deviations below what was seen.
        (holding - 2.0 * holding.sqrt()).max(0.0) / all * self.nominal * HANDED_ON
    }

    /// The share of pairs of any kind for which a predicate holds.
    pub fn share_of_any(&self, predicate: usize) -> f64 {
        let base = self.any();
        self.verdicts(base, predicate).of(true).count() as f64 / base.all.count().max(1) as f64
    }

    /// What joining the distinct values of a predicate takes.
    pub fn values_cost(&self, predicate: usize) -> f64 {
        *self.values_costs[predicate].get_or_init(|| self.new_values_cost(predicate))
    }

    /// The cheaper of an index and of all pairs, as the joins themselves choose.
    fn new_values_cost(&self, predicate: usize) -> f64 {
        let (check, (values, pairs)) = (&self.program.checks[predicate], self.pairs_of_values(predicate));
        let work = self.work(check);
        let index = match (check, &work) {
            (Check::Text { .. }, Some(work)) => values * work.entries * ENTRY,
            (_, Some(work)) => values * work.entries * POSTING + pairs * work.met * IN_LIST,
            (_, None) => f64::INFINITY,
        };
        // Signatures leave some pairs to the measure.
        let measured = match (check, work) {
            (Check::Set { .. } | Check::ListHasAny { .. }, Some(work)) => work.verified * VERIFIED,
            _ => self.measured_cost(check),
        };
        values * VALUE + index.min(pairs * SIGNATURE) + pairs * measured
    }

    /// The distinct values that a predicate compares, and the pairs of them.
    pub(super) fn pairs_of_values(&self, predicate: usize) -> (f64, f64) {
        let [left, right] = self.survey[predicate].distinct;
        let is_self_join = self.program.checks[predicate].operands().is_some_and(|o| o.left == o.right);
        if is_self_join { (left, left * left / 2.0) } else { (left + right, left * right) }
    }

    /// The mean cost of a measure of texts over all pairs, of which only those come to it that pass their signatures.
    pub(super) fn measured_cost(&self, check: &Check) -> f64 {
        let pairs = &self.any().drawn.pairs;
        let selection: Vec<u32> = (0..pairs.l.len() as u32).collect();
        let features = Features::of(check, &self.program.encoded, pairs, &selection);
        let (kind, nothing) = (CheckKind::of(check), Features { filtered: 0.0, measured: 0.0, work: 0.0 });
        let passing = self.costs.of(kind, &Features { filtered: 0.0, ..features }) - self.costs.of(kind, &nothing);
        passing.max(0.0)
    }

    /// The work of an index over the values of sampled rows.
    fn work(&self, check: &Check) -> Option<Work> {
        let rows = sampled_rows(self.rows, self.shape, SEED);
        let encoded = &self.program.encoded;
        // Half of the rows are enough to tell how often values meet.
        let values = |operand: usize, rows: &[u32]| {
            let codes = rows.iter().step_by(2).map(|row| encoded.columns[operand].codes[*row as usize]);
            codes.filter(|code| *code != NULL).collect::<BTreeSet<u32>>().into_iter().collect::<Vec<u32>>()
        };
        let operands = check.operands()?;
        let (left, right) = (values(operands.left, &rows[0]), values(operands.right, &rows[1]));
        match check {
            Check::Text { test, .. } if test.is_edit_bound() => {
                let texts = encoded.domain(operands.left).texts.as_ref()?;
                let entries = match texts.strings() {
                    AnyStrings::U8(strings) => entries(strings, &left, test),
                    AnyStrings::U16(strings) => entries(strings, &left, test),
                    AnyStrings::U32(strings) => entries(strings, &left, test),
                };
                Some(Work { entries, met: 0.0, verified: 0.0 })
            }
            Check::Set { tokens, .. } | Check::ListHasAny { tokens, .. } => {
                let sets = |side: usize| encoded.tokens[side].view();
                let options = Options { path: Some(Path::Prefixes), ..Options::new(SAMPLE_MEMORY) };
                let holds = |common, x, y| check.holds_for_sets(common, x, y);
                let one_list = tokens.left == tokens.right && left == right;
                let right = (!one_list).then(|| (sets(tokens.right), &right[..]));
                let mut join = SetJoin::new((sets(tokens.left), &left), right, holds, options);
                for round in 0..join.rounds() {
                    join.prepare(round);
                    (0..join.tasks()).for_each(|task| join.run(task, &mut |_, _| ()));
                }
                let size = left.iter().map(|code| sets(tokens.left).set(*code).len()).sum::<usize>();
                let (counters, nominal) = (join.counters(), (join.nominal_pairs() as f64).max(1.0));
                Some(Work {
                    entries: PREFIX * size as f64 / (left.len() as f64).max(1.0),
                    met: counters.compared as f64 / nominal,
                    verified: counters.verified as f64 / nominal,
                })
            }
            _ => None,
        }
    }
}

/// What an index has to do.
struct Work {
    /// Entries for each value.
    entries: f64,
    /// The share of all pairs of values that meet in a list.
    met: f64,
    /// The share of all pairs of values that signatures leave to the measure.
    verified: f64,
}

/// Entries of the index of `edit_join` for each text.
fn entries<U: Unit>(strings: Strings<'_, U>, texts: &[u32], test: &TextTest) -> f64 {
    let estimate = estimate(strings, (texts, None), |length| test.most_edits(length), usize::MAX);
    estimate.entries / (texts.len() as f64).max(1.0)
}
