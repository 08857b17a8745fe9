//! From rules and frames to a program: what the checks read is encoded, conditions on one record are answered.

use crate::cancel::Cancel;
use crate::expr::Expr;
use crate::records::{Frame, InputRows};
use crate::rules::{LinkType, RuleSet};
use crate::verify::{Program, compile_rules};

/// The program of a rule set over the records of its frames; `borders` are the first rows of the inputs after the first
/// where all lie in one frame.
pub(super) fn encode(rules: &RuleSet, frames: &[Frame], borders: &[u32], cancel: Cancel<'_>) -> Program {
    let (compiled, encoder) = compile_rules(rules, frames.len(), borders);
    let evaluate = |(frame, condition): (usize, &Expr)| frames[frame].evaluate(condition, cancel);
    let values: Vec<_> = compiled.conditions().map(evaluate).collect();
    let is_across = rules.link_type == LinkType::LinkOnly && frames.len() == 1;
    let across = is_across.then(|| InputRows::new([0].iter().chain(borders).copied(), frames[0].rows() as u32));
    Program { across, ..compiled.into_program(encoder.encode(frames, cancel), &values) }
}
