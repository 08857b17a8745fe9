//! The pairs of a run as numbers of records and rules, batch by batch.

use arrow_array::{Array, RecordBatch};
use rayon::prelude::*;

use super::members::{ClusterMembers, column_numbers, column_text, needed};
use super::results::RunResults;
use crate::cancel::Cancel;
use crate::engine::RunRecord;
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};
use crate::numbering::GrowingNumbers;

/// A pair of the result, or a near pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReportedPair {
    /// The number of the left record.
    pub left: u32,
    /// The number of the right record.
    pub right: u32,
    /// The number of the rule that owns it.
    pub rule: u32,
    /// Its score; not a number where it has none.
    pub score: f64,
    /// Of a near pair, the number of the condition that it misses among [`PairReader::loosened`].
    pub loosened: u32,
}

/// Turns batches of pairs into numbers.
pub struct PairReader<'a> {
    members: &'a ClusterMembers,
    budget: &'a MemoryBudget,
    /// The names of the rules: those of the run, and what else is a `match_key`.
    pub rules: GrowingNumbers,
    /// The conditions that near pairs miss.
    pub loosened: GrowingNumbers,
    kept: KeptPairs,
}

/// Pairs are looked at twice. Few enough are kept from the first time: to find their records again takes longer.
#[derive(Default)]
enum KeptPairs {
    #[default]
    NotRead,
    All {
        pairs: Vec<ReportedPair>,
        _held: Held,
    },
    TooMany,
}

/// Pairs that are kept, 48 MB of them.
const KEPT: usize = 2_000_000;

/// Rows that a thread looks up at a time.
const CHUNK: usize = 4096;

impl<'a> PairReader<'a> {
    /// A reader of pairs of these records.
    pub fn new(members: &'a ClusterMembers, run: &RunRecord, budget: &'a MemoryBudget) -> Self {
        let mut rules = GrowingNumbers::default();
        for rule in &run.rules {
            rules.number(rule.name.as_bytes());
        }
        Self { members, budget, rules, loosened: GrowingNumbers::default(), kept: KeptPairs::default() }
    }

    /// Looks at all pairs of the result, some at a time.
    pub fn each_of(
        &mut self,
        results: &dyn RunResults,
        cancel: Cancel<'_>,
        mut look: impl FnMut(&GrowingNumbers, &[ReportedPair]),
    ) -> Result<()> {
        if let KeptPairs::All { pairs, .. } = &self.kept {
            pairs.chunks(CHUNK).for_each(|pairs| look(&self.rules, pairs));
            return Ok(());
        }
        let mut kept = match self.kept {
            KeptPairs::NotRead => self.budget.hold(0).ok().map(|held| (Vec::new(), held)),
            _ => None,
        };
        for batch in results.pairs()? {
            cancel.check();
            let pairs = self.read(&batch?)?;
            look(&self.rules, &pairs);
            kept = kept.and_then(|(mut kept, mut held)| {
                kept.extend(pairs);
                let bytes = kept.capacity() * size_of::<ReportedPair>();
                let has_room = kept.len() <= KEPT && bytes <= self.budget.most() / 4;
                (has_room && held.reach(bytes).is_ok()).then_some((kept, held))
            });
        }
        self.kept = kept.map_or(KeptPairs::TooMany, |(pairs, held)| KeptPairs::All { pairs, _held: held });
        Ok(())
    }

    /// The pairs of a batch.
    pub fn read(&mut self, batch: &RecordBatch) -> Result<Vec<ReportedPair>> {
        let sides = [self.records(batch, "l", 0)?, self.records(batch, "r", 1)?];
        let keys = needed(batch, "match_key")?;
        let loosened = column_text(batch, "loosened")?.filter(|column| column.null_count() == 0);
        let score = match column_numbers(batch, "match_weight")?.filter(|column| column.null_count() < column.len()) {
            Some(weights) => Some(weights),
            None => column_numbers(batch, "score")?,
        };
        let pair = |row: usize| ReportedPair {
            left: sides[0][row],
            right: sides[1][row],
            rule: self.rules.number(keys.value(row).as_bytes()),
            score: score.as_ref().filter(|scores| scores.is_valid(row)).map_or(f64::NAN, |scores| scores.value(row)),
            loosened: loosened.as_ref().map_or(0, |texts| self.loosened.number(texts.value(row).as_bytes())),
        };
        Ok((0..batch.num_rows()).map(pair).collect())
    }

    /// The numbers of the records of one side.
    fn records(&self, batch: &RecordBatch, side: &str, number: usize) -> Result<Vec<u32>> {
        let ids = needed(batch, &format!("unique_id_{side}"))?;
        let sources = column_text(batch, &format!("source_dataset_{side}"))?.filter(|names| names.null_count() == 0);
        let default = if self.members.has_two_sides { number } else { 0 };
        let unknown = |id: &str| Error::data(format!("the record `{id}` is in a pair and in no cluster"));
        let mut found = vec![0; ids.len()];
        let chunks = found.par_chunks_mut(CHUNK).enumerate();
        chunks.try_for_each(|(chunk, found)| {
            let mut scratch = Vec::new();
            for (at, place) in found.iter_mut().enumerate() {
                let row = chunk * CHUNK + at;
                let input = match &sources {
                    Some(names) => self.members.input_named(names.value(row)),
                    None => Some(default),
                };
                let record = input.and_then(|input| self.members.find(input, ids.value(row), &mut scratch));
                *place = record.ok_or_else(|| unknown(ids.value(row)))?;
            }
            Ok(())
        })?;
        Ok(found)
    }
}
