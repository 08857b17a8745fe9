//! Datalog programs over relations: text is parsed and checked, rules are put in order, values are numbered, joins are
//! ordered by cost, and `relation/` does the rest.
//!
//! `lexer` and `parser` make the `syntax` of a text, a statement at a time; `declare`, `scope` and `clause` check it and
//! make the `core` of it, in which rules have neither equalities nor counts (`lower`) and facts are columns (`facts`), within
//! its memory (`program_memory`); `strata` says what is evaluated in which order; `domains` finds the columns that share
//! values, `load` reads files, `values` and `numbering` give codes; `order` and `plan` choose the joins; `work` says what they
//! are expected to cost, which decides about a device; `evaluate` runs the strata, and `related` hands the relations out and
//! writes them.
//!
//! A program may have millions of facts and thousands of relations: its text is read twice, a statement at a time.
//! Counts are values that only a run knows: where one is new, its domain is numbered again and the relations that use
//! it are written again. Strata are planned when those below are evaluated, so that their sizes are known.

mod clause;
mod core;
mod declare;
mod domains;
mod evaluate;
mod explanation;
mod facts;
mod job;
mod lexer;
mod load;
mod lower;
mod numbering;
mod order;
mod parser;
mod plan;
mod program;
mod program_memory;
mod related;
mod scope;
mod strata;
mod syntax;
#[cfg(test)]
mod tests;
mod values;
mod work;

use std::time::Instant;

pub use explanation::{
    JoinedAtom, PlannedJoin, PlannedRule, RelateExplanation, RelationTuples, RoundRecord, StratumRecord,
};
pub use job::RelateJob;
pub use program::RelateProgram;
pub use related::{BatchSink, RelatedTuples};
pub use syntax::ValueKind;

use self::evaluate::ProgramEvaluator;
use crate::device::DeviceChoice;
use crate::error::{ErrorCode, Result};
use crate::observer::Progress;
use crate::settings::Settings;

/// Evaluates a program.
pub fn relate(job: &RelateJob, settings: &Settings, progress: Progress<'_>) -> Result<RelatedTuples> {
    let begun = Instant::now();
    job.check_inputs()?;
    let evaluate = |settings: &Settings| ProgramEvaluator::new(job, settings, progress)?.run();
    let mut evaluator = match evaluate(settings) {
        // A device that nobody has asked for may fail: the CPU gives the same answer.
        Err(error) if error.code() == ErrorCode::DeviceFailed && settings.device == DeviceChoice::Auto => {
            evaluate(&Settings { device: DeviceChoice::Cpu, ..settings.clone() })?
        }
        evaluator => evaluator?,
    };
    evaluator.explanation.seconds = Some(begun.elapsed().as_secs_f64());
    Ok(RelatedTuples::new(job, evaluator))
}

/// What an evaluation would do. Relations without an input are taken as empty.
pub fn explain(job: &RelateJob, settings: &Settings, progress: Progress<'_>) -> Result<RelateExplanation> {
    Ok(ProgramEvaluator::new(job, settings, progress)?.explain())
}
