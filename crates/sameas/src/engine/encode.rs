//! From rules and frames to a program: what the checks read is encoded, conditions on one record are answered.

use crate::cancel::Cancel;
use crate::expr::Expr;
use crate::records::Frame;
use crate::rules::RuleSet;
use crate::verify::{Program, compile_rules};

/// The program of a rule set over the records of its frames; `border` is the first row of the second input where both
/// lie in one frame.
pub(super) fn encode(rules: &RuleSet, frames: &[Frame], border: u32, cancel: Cancel<'_>) -> Program {
    let (compiled, encoder) = compile_rules(rules, frames.len(), border);
    let evaluate = |(frame, condition): (usize, &Expr)| frames[frame].evaluate(condition, cancel);
    let values: Vec<_> = compiled.conditions().map(evaluate).collect();
    compiled.into_program(encoder.encode(frames, cancel), &values)
}
