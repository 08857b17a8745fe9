//! What is said of a closure: the way that was taken and why, and what came of it.

use std::path::Path;
use std::time::Duration;

use sameas::closure::{Closure, ClosureMethod, ClosurePlan, ClosureReason};

use super::no_gpu::place;
use crate::text::{count, counted, facts, seconds};

/// How a closure would be found.
pub fn closure_plan(plan: &ClosurePlan) -> String {
    let mut rows = vec![("Pairs read", count(plan.rows)), ("Ids", count(plan.vertices))];
    if let Some(edges) = plan.edges {
        rows.push(("Different pairs", count(edges)));
    }
    rows.push(("Components", components(plan)));
    if plan.directed {
        rows.push((
            "Between them",
            format!("{}, at most {} on a path", counted(plan.component_edges, "edge"), count(plan.longest_path)),
        ));
    }
    let exact = if plan.directed { "about " } else { "" };
    rows.push(("Closure", format!("{exact}{}", counted(plan.expected_pairs, "pair"))));
    rows.push(("Bit rows", counted(plan.bit_row_steps, "step")));
    rows.push(("Fixpoint", counted(plan.fixpoint_steps, "step")));
    rows.push(("On the CPU", format!("about {} to count", seconds(plan.host_milliseconds as f64 / 1000.0))));
    rows.push(("Device", place(plan.device, plan.no_gpu.as_ref())));
    format!("{}\n{}\n", facts(&rows), method_words(plan))
}

/// What came of a closure.
pub fn closure_summary(closure: &Closure, target: Option<&Path>, time: Duration) -> String {
    let plan = closure.plan();
    let place = target.map_or_else(|| "standard output".to_owned(), |path| path.display().to_string());
    let pairs = counted(closure.pairs(), "pair");
    format!(
        "{pairs} of {} in {}, from {}: {place}\n{}\n",
        counted(plan.vertices, "id"),
        seconds(time.as_secs_f64()),
        counted(plan.rows, "pair"),
        method_words(plan)
    )
}

fn components(plan: &ClosurePlan) -> String {
    let all = count(plan.components);
    match (plan.directed, plan.cyclic_components) {
        (false, _) => format!("{all}, the largest of {}", counted(plan.largest_component, "id")),
        (true, 0) => format!("{all}: no id is on a cycle"),
        (true, cyclic) => {
            format!("{all}, {} with a cycle, the largest of {}", count(cyclic), counted(plan.largest_component, "id"))
        }
    }
}

/// The method and its reason.
fn method_words(plan: &ClosurePlan) -> String {
    let method = match plan.method {
        ClosureMethod::Fixpoint => "By the fixpoint of two rules over relations",
        _ => "By bit rows over the condensed graph",
    };
    match plan.reason {
        ClosureReason::Requested => format!("{method}, as asked."),
        ClosureReason::ComponentsSuffice => {
            format!(
                "{method}: pairs lead both ways, so each component is connected with itself and nothing is followed."
            )
        }
        ClosureReason::FewerSteps => {
            let (own, other) = match plan.method {
                ClosureMethod::Fixpoint => (plan.fixpoint_steps, plan.bit_row_steps),
                _ => (plan.bit_row_steps, plan.fixpoint_steps),
            };
            format!("{method}: about {} in place of {}.", counted(own, "step"), count(other))
        }
    }
}
