//! Pairs that others have scored, among the results of a job.

use rayon::prelude::*;

use super::outside::{OutsideScores, ScoredPair};
use super::scores::ScoreRecord;
use crate::cancel::Cancel;
use crate::candidates::{BATCH, Batch};
use crate::error::{Error, ErrorCode, Result};
use crate::execute::Pipeline;
use crate::output::PairBuffer;
use crate::pairs::{Pair, PairScore};
use crate::rules::{Conjunction, Literal};
use crate::score::{OutcomeReader, ScoreRule};
use crate::threshold::Truth;
use crate::verify::{PairBatch, Program, Tally};

/// Batches that each thread judges before their pairs are taken.
const AT_ONCE: usize = 8;

/// The conjunctions of a rule.
type RuleConjunctions = Vec<Vec<Literal>>;

impl OutsideScores {
    /// The rule that its pairs belong to: no join finds them.
    pub fn rule(&self) -> ScoreRule {
        ScoreRule::new(format!("score >= {}", self.threshold), Vec::new())
    }

    /// Adds the pairs of the file to what the rules of a program have given, the last of which is theirs. They count as candidates,
    /// of which there may be a most.
    pub fn add_pairs(
        &self,
        program: &Program,
        most_candidates: Option<u64>,
        pipeline: &Pipeline<'_>,
        buffer: &mut PairBuffer,
        tally: &mut Tally,
        cancel: Cancel<'_>,
    ) -> Result<ScoreRecord> {
        let scored = self.pairs().len() as u64;
        tally.candidates += scored;
        check_candidates(tally.candidates, most_candidates)?;
        let rules = &KnownRules::new(program);
        let mut passed = PairBatch::wanting(pipeline.wanted_predicates().len());
        let batches: Vec<&[ScoredPair]> = self.pairs().chunks(BATCH).collect();
        let mut kept = 0;
        // Batches are judged by all threads, and their pairs taken in the order of the file.
        for some in batches.chunks(AT_ONCE * rayon::current_num_threads()) {
            let judge = some.par_iter().map_init(
                || OutcomeReader::new(program),
                |reader, batch| {
                    cancel.check();
                    rules.judged(batch, self.threshold, reader)
                },
            );
            let judged: Vec<JudgedPairs<'_>> = judge.collect();
            for JudgedPairs { pairs, forbidden } in judged {
                tally.forbidden.iter_mut().zip(forbidden).for_each(|(all, own)| *all += own);
                kept += pairs.len() as u64;
                let rule = rules.own as u32;
                passed.pairs.extend(pairs.iter().map(|pair| Pair { l: pair.l, r: pair.r, rule }));
                passed.scores.extend(pairs.iter().map(|pair| PairScore::new(pair.score)));
                passed.verdicts.iter_mut().for_each(|verdicts| verdicts.resize(passed.pairs.len(), Truth::Unknown));
                pipeline.take(&mut passed, buffer)?;
            }
        }
        tally.owned[rules.own] += kept;
        tally.alone[rules.own] += kept;
        Ok(ScoreRecord {
            threshold_weight: None,
            threshold: self.threshold,
            prior: None,
            given: true,
            scored,
            scored_by_host: 0,
            kept,
            histogram: Vec::new(),
            precision: None,
            expected: None,
            model_warnings: Vec::new(),
        })
    }
}

/// Refuses more candidates than the caller allows.
fn check_candidates(candidates: u64, most: Option<u64>) -> Result<()> {
    match most {
        Some(most) if candidates > most => Err(Error::usage(format!(
            "the rules and the pairs with scores give {candidates} candidate pairs, more than the limit of {most}"
        ))
        .with_help("give fewer pairs with scores, or raise the limit")
        .with_code(ErrorCode::CandidateLimit)),
        _ => Ok(()),
    }
}

/// The rules that say something of pairs whose scores are given.
struct KnownRules {
    /// The number of the rule that these pairs belong to.
    own: usize,
    /// The rules before it: what these give is known already.
    certain: Vec<RuleConjunctions>,
    nevers: Vec<RuleConjunctions>,
}

/// Those pairs of a batch that are results, and how many each `never` forbids.
struct JudgedPairs<'a> {
    pairs: Vec<&'a ScoredPair>,
    forbidden: Vec<u64>,
}

impl KnownRules {
    fn new(program: &Program) -> Self {
        let own = program.rules - 1;
        Self {
            own,
            certain: (0..own).map(|rule| ways_of(&program.conjunctions, rule)).collect(),
            nevers: (0..program.never_rules).map(|never| ways_of_never(program, never)).collect(),
        }
    }

    fn judged<'p>(&self, pairs: &'p [ScoredPair], threshold: f64, reader: &mut OutcomeReader<'_>) -> JudgedPairs<'p> {
        let mut pairs: Vec<&ScoredPair> = pairs.iter().filter(|pair| pair.score >= threshold).collect();
        let (mut batch, mut holds) = (Batch::default(), Vec::new());
        batch.set(pairs.iter().map(|pair| (pair.l, pair.r)));
        reader.forget();
        let (mut is_out, mut forbidden) = (vec![false; pairs.len()], vec![0; self.nevers.len()]);
        for ways in &self.certain {
            reader.holds(&batch, ways, &mut holds);
            is_out.iter_mut().zip(&holds).for_each(|(out, holds)| *out |= holds);
        }
        for (ways, forbidden) in self.nevers.iter().zip(&mut forbidden) {
            reader.holds(&batch, ways, &mut holds);
            for (out, holds) in is_out.iter_mut().zip(&holds) {
                *forbidden += u64::from(*holds && !*out);
                *out |= *holds;
            }
        }
        let mut places = is_out.iter();
        pairs.retain(|_| !places.next().copied().unwrap_or(true));
        JudgedPairs { pairs, forbidden }
    }
}

fn ways_of_never(program: &Program, never: usize) -> RuleConjunctions {
    [ways_of(&program.nevers, never), ways_of(&program.shadowed_nevers, never)].concat()
}

fn ways_of(conjunctions: &[Conjunction], rule: usize) -> RuleConjunctions {
    conjunctions.iter().filter(|of| of.rule == rule).map(|of| of.literals.clone()).collect()
}
