//! From rules and frames to a program: what the checks read is encoded, conditions on one record are answered.

use super::observer::Progress;
use crate::cancel::Cancel;
use crate::expr::Expr;
use crate::records::encode::{Encoded, Encoder};
use crate::records::{Frame, InputRows};
use crate::rules::{LinkType, RuleSet};
use crate::verify::{Program, compile_rules};

/// The program of a rule set over the records of its frames; `borders` are the first rows of the inputs after the first
/// where all lie in one frame.
pub(super) fn encode(rules: &RuleSet, frames: &[Frame], borders: &[u32], cancel: Cancel<'_>) -> Program {
    let (program, encoder) = prepare(rules, frames, borders, cancel);
    program(encoder.encode(frames, cancel))
}

/// The same for frames that nothing else reads: their columns are dropped one by one, and after each time `progress`
/// learns that memory was freed.
pub(super) fn encode_and_drop(
    rules: &RuleSet,
    frames: Vec<Frame>,
    borders: &[u32],
    (cancel, progress): (Cancel<'_>, Progress<'_>),
) -> Program {
    let (program, encoder) = prepare(rules, &frames, borders, cancel);
    program(encoder.encode_and_drop(frames, cancel, &|| progress.memory_freed()))
}

/// What makes the program when the operands are encoded, and what encodes them. Conditions on one record are answered.
fn prepare(
    rules: &RuleSet,
    frames: &[Frame],
    borders: &[u32],
    cancel: Cancel<'_>,
) -> (impl FnOnce(Encoded) -> Program + use<>, Encoder) {
    let (compiled, encoder) = compile_rules(rules, frames.len(), borders);
    let evaluate = |(frame, condition): (usize, &Expr)| frames[frame].evaluate(condition, cancel);
    let values: Vec<_> = compiled.conditions().map(evaluate).collect();
    let is_across = rules.link_type == LinkType::LinkOnly && frames.len() == 1;
    let across = is_across.then(|| InputRows::new([0].iter().chain(borders).copied(), frames[0].rows() as u32));
    (move |encoded| Program { across, ..compiled.into_program(encoded, &values) }, encoder)
}
