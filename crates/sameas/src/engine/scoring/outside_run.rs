//! Pairs that others have scored, among the results of a job.

use super::super::pair_stage::Pipeline;
use super::super::prepared::Prepared;
use super::outside::{NamedRecords, OutsideScores, ScoredPair};
use super::{SCORE_RULE, ScoreRecord};
use crate::cancel::Cancel;
use crate::candidates::{BATCH, Batch};
use crate::error::Result;
use crate::output::PairBuffer;
use crate::rules::{Conjunction, Literal, Rule};
use crate::score::OutcomeReader;
use crate::threshold::Truth;
use crate::verify::{Pair, PairBatch, Tally};

/// The conjunctions of a rule.
type Ways = Vec<Vec<Literal>>;

impl Prepared {
    /// Reads the scores that the job names, and gives it their rule: certain rules stay, others are not needed.
    pub(in super::super) fn read_outside_scores(&mut self, cancel: Cancel<'_>) -> Result<()> {
        let records = NamedRecords {
            ids: &self.ids,
            names: &self.names,
            link_type: self.rules.link_type,
            has_two_sides: self.rules.has_two_sides(),
        };
        let Some(outside) = OutsideScores::of(&self.job, records, self.memory.join, cancel)? else { return Ok(()) };
        self.memory.join = self.memory.join.saturating_sub(outside.bytes());
        let certain = self.rules.rules.iter().filter(|rule| rule.is_certain).count();
        let mut rules: Vec<Rule> = self.rules.rules[..certain].to_vec();
        let mut conjunctions = self.rules.conjunctions.clone();
        conjunctions.retain(|conjunction| conjunction.rule < certain);
        let mut rule = Rule::made(&format!("score >= {}", outside.threshold), conjunctions.len()..conjunctions.len());
        rule.name = SCORE_RULE.to_owned();
        rules.push(rule);
        self.use_rules(rules, conjunctions);
        self.outside = Some(outside);
        Ok(())
    }

    /// Adds the pairs of the file to what the rules have given.
    pub(in super::super) fn add_outside_pairs(
        &self,
        outside: &OutsideScores,
        pipeline: &Pipeline<'_>,
        buffer: &mut PairBuffer,
        tally: &mut Tally,
    ) -> Result<ScoreRecord> {
        let rule = self.rules.rules.len() - 1;
        let certain: Vec<Ways> = (0..rule).map(|rule| ways_of(&self.program.conjunctions, rule)).collect();
        let nevers: Vec<Ways> = (0..self.program.never_rules).map(|never| self.ways_of_never(never)).collect();
        let (mut reader, mut batch, mut holds) = (OutcomeReader::new(&self.program), Batch::default(), Vec::new());
        let mut passed =
            PairBatch { pairs: Vec::new(), verdicts: vec![Vec::new(); pipeline.wanted_predicates().len()] };
        let reaching: Vec<&[ScoredPair]> = outside.pairs().chunks(BATCH).collect();
        let mut kept = 0;
        for some in reaching {
            let mut some: Vec<&ScoredPair> = some.iter().filter(|pair| pair.score >= outside.threshold).collect();
            batch.set(some.iter().map(|pair| (pair.l, pair.r)));
            reader.forget();
            // What a certain rule gives is known already.
            let mut is_out = vec![false; some.len()];
            for ways in &certain {
                reader.holds(&batch, ways, &mut holds);
                is_out.iter_mut().zip(&holds).for_each(|(out, holds)| *out |= holds);
            }
            for (ways, forbidden) in nevers.iter().zip(&mut tally.forbidden) {
                reader.holds(&batch, ways, &mut holds);
                for (out, holds) in is_out.iter_mut().zip(&holds) {
                    *forbidden += u64::from(*holds && !*out);
                    *out |= *holds;
                }
            }
            let mut places = is_out.iter();
            some.retain(|_| !places.next().copied().unwrap_or(true));
            kept += some.len() as u64;
            passed.pairs.extend(some.iter().map(|pair| Pair { l: pair.l, r: pair.r, rule: rule as u32 }));
            passed.verdicts.iter_mut().for_each(|verdicts| verdicts.resize(passed.pairs.len(), Truth::Unknown));
            pipeline.take(&mut passed, buffer)?;
        }
        let scored = outside.pairs().len() as u64;
        tally.candidates += scored;
        tally.owned[rule] += kept;
        tally.alone[rule] += kept;
        Ok(ScoreRecord {
            threshold_weight: None,
            threshold: outside.threshold,
            prior: None,
            given: true,
            scored,
            scored_by_host: 0,
            kept,
            histogram: Vec::new(),
        })
    }

    fn ways_of_never(&self, never: usize) -> Ways {
        [ways_of(&self.program.nevers, never), ways_of(&self.program.shadowed_nevers, never)].concat()
    }
}

fn ways_of(conjunctions: &[Conjunction], rule: usize) -> Ways {
    conjunctions.iter().filter(|of| of.rule == rule).map(|of| of.literals.clone()).collect()
}
