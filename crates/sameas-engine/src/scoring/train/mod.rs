//! Training: a model from the records of a job, without knowing which of them match.
//!
//! u is the share of a level among all pairs (`outcome_shares`), counted or sampled, less what is due to matches. m is learned from
//! the pairs of each training rule (`counted_pairs`), or of a sample of them (`pair_sample`), by expectation-maximisation
//! (`trained_pass`); a comparison takes no part in the pass of a rule that compares one of its columns (`shared_columns`), since
//! the rule decides its level. What several passes say is put together by `combined_m`; a comparison that every training rule
//! decides is learned from the pairs of certain rules that leave it open.
//! Whatever no pair says weighs nothing. `checks`, `dependence` and `unexpected_pairs` look for what speaks against what was
//! learned, and `double_counting` for comparisons that should be one.
//!
//! All of it can be cancelled: whatever walks over the pairs of a pass looks whether the job was, and each task of a sample does.
//! Tables of patterns are counted in the memory of the job, those that grow with the pairs while they do.

mod checks;
mod combined_m;
mod counted_pairs;
mod dependence;
mod double_counting;
mod learned_rules;
mod m_passes;
mod outcome_shares;
mod pair_sample;
mod pattern_stage;
mod prior;
mod shared_columns;
mod trained_pass;
mod unexpected_pairs;

use super::auxiliary_rules::KnownRecords;
use super::sampled_levels::{PAIRS, seen_patterns};
use crate::error::{Error, ErrorCode, Result};
use crate::execute::Machine;
use crate::observer::{Progress, Stage};
use crate::rules::RuleFile;
use crate::score::{PassTable, Patterns};
use counted_pairs::{CountedPairs, PairCounter};
pub use double_counting::DoubleCount;
use learned_rules::LearnedRules;
pub use m_passes::Trained;
use m_passes::TrainingInput;
use outcome_shares::OutcomeShares;
use pair_sample::SampleLimits;
use prior::Prior;

/// Refuses rules whose comparisons have nothing to be learned, before anything is read.
pub fn check_learnable(rules: &RuleFile) -> Result<()> {
    if rules.has_weights() {
        return Err(Error::rules("the comparisons have weights, so there is nothing to learn")
            .with_help("a model is learned for comparisons with `levels`; with weights, run the job without one")
            .with_code(ErrorCode::NoComparisons));
    }
    Ok(())
}

/// What a model is learned from.
pub struct Training<'a> {
    /// The records.
    pub records: KnownRecords<'a>,
    /// The rules as they are written: they may say what the prior is, or how many matches certain rules find.
    pub written: &'a RuleFile,
    /// Whether comparisons are looked for that should be taken together.
    pub combine_dependent: bool,
}

impl Training<'_> {
    /// Learns a model for the comparisons of the rules.
    pub fn learn(&self, machine: &mut Machine, progress: Progress<'_>) -> Result<Trained> {
        self.learn_within(SampleLimits::default(), machine, progress)
    }

    /// The same, where the pairs of rules beyond these limits are sampled.
    fn learn_within(&self, limits: SampleLimits, machine: &mut Machine, progress: Progress<'_>) -> Result<Trained> {
        let set = self.records.rules;
        if set.scoring.comparisons.is_empty() {
            return Err(Error::rules("the rules compare nothing, so there is nothing to learn")
                .with_help("add a comparison: `[[compare]]` with `levels`")
                .with_code(ErrorCode::NoComparisons));
        }
        let rules = LearnedRules::choose(set)?;
        progress.begin(&Stage::Training, None);
        let shares = OutcomeShares::new(self.records, machine, progress)?;
        let counter = PairCounter { records: self.records, rules: &rules, limits };
        let CountedPairs { counts, sampled, .. } = &counter.count(machine, progress)?;
        let pairs = self.records.layout.pairs();
        let prior = Prior::new(self.written, &rules, counts, pairs);
        let is_counted = self.combine_dependent || pairs <= PAIRS as u64;
        let all = is_counted.then(|| self.all_pairs()).transpose()?;
        let cancel = self.records.cancel;
        let _held = cancel.hold(all.as_ref().map_or(0, PassTable::bytes));
        let (rules, shares) = (&rules, &shares);
        let (all, combine_dependent) = (all.as_ref(), self.combine_dependent);
        TrainingInput { set, rules, shares, counts, sampled, prior, pairs, all, combine_dependent, cancel }.learn()
    }

    /// All pairs of records, or a sample of them, by the outcomes of all comparisons.
    fn all_pairs(&self) -> Result<PassTable> {
        let comparisons = &self.records.rules.scoring.comparisons;
        let counts = seen_patterns(&self.records, comparisons)?;
        let _held = self.records.cancel.hold(counts.bytes());
        Ok(PassTable::new(&Patterns::new(comparisons)?, &counts.with_any(1), &vec![true; comparisons.len()]))
    }
}
