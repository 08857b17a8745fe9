//! A plan in words: what is joined and checked and what is expected of it, with what was counted where it has run.

mod branch;
mod checks;
mod legend;
mod numbers;
mod place;
mod prose;
mod simplified;
#[cfg(test)]
mod tests;
mod timeline;

use std::fmt::Write;

use sameas::plan::{BranchRecord, TableRecord};
use sameas::record::NearRecord;
use sameas::rules::{RuleLabel, Simplification};
use sameas::score::{CoverRecord, HigherThreshold};
use sameas::{Explanation, LinkType, Strategy};

use self::branch::{branch, number_of};
use self::legend::with_legend;
use self::numbers::{duration, of_one_core};
use self::simplified::{label, simplification};
use self::timeline::timeline;
use super::frequencies::frequency_source;
use super::near::{by, condition};
use super::summary::inputs;
use super::warnings::warning;
use crate::text::{count, counted, one_line, percent, wrap};

/// What a job would do, or what was counted when it ran.
pub fn plan(explanation: &Explanation, link_type: LinkType) -> String {
    let (explanation, legend) = with_legend(explanation);
    let explanation = &explanation;
    let mut parts = vec![header(explanation, link_type)];
    parts.extend(both_ways(&explanation.both_ways, link_type));
    parts.extend(explanation.cover.as_ref().map(cover));
    if !explanation.term_frequencies.is_empty() {
        let sources: Vec<String> = explanation.term_frequencies.iter().map(frequency_source).collect();
        parts.push(list("Term frequencies:", &sources));
    }
    if !explanation.simplifications.is_empty() {
        let simplified: Vec<String> = explanation.simplifications.iter().map(simplification).collect();
        parts.push(list("Simplified:", &simplified));
    }
    if !explanation.tables.is_empty() {
        parts.push(explanation.tables.iter().map(table).collect());
    }
    let branches = explanation.plan.iter().enumerate();
    parts.extend(branches.map(|(place, report)| branch(place + 1, report, explanation.nominal_pairs)));
    if !explanation.nevers.is_empty() {
        parts.push(nevers(&explanation.nevers));
    }
    parts.push(total(explanation) + &planning(explanation));
    parts.extend(explanation.near.iter().flat_map(|near| near_pairs(near, explanation)));
    parts.extend(timeline(&explanation.timeline));
    parts.extend(reading(explanation));
    parts.extend((!legend.is_empty()).then_some(legend));
    let near = explanation.near.iter().flat_map(|near| &near.plan);
    let warnings = explanation.plan.iter().chain(near).flat_map(|b| &b.warnings);
    parts.extend(warnings.map(|given| format!("Warning: {}\n", wrap(&warning(given), 9, 9))));
    parts.join("\n")
}

/// What a branch does.
pub fn branch_title(branch: &BranchRecord) -> String {
    prose::join(branch)
}

/// What there is to say of a branch.
pub struct BranchWords {
    /// Why it is joined in this way.
    pub reason: String,
    /// Where it ran, if that is worth a sentence.
    pub place: Option<String>,
    /// What was changed while the run went on.
    pub changes: Vec<String>,
}

/// The sentences about a branch.
pub fn branch_words(branch: &BranchRecord) -> BranchWords {
    BranchWords {
        reason: prose::reason(&branch.reason),
        place: branch.place.as_ref().and_then(|at| place::place(at, branch.path)),
        changes: branch.revisions.iter().map(prose::revision).collect(),
    }
}

/// What of the rules need not be checked.
pub fn simplified(simplifications: &[Simplification]) -> Vec<String> {
    simplifications.iter().map(simplification).collect()
}

fn header(explanation: &Explanation, link_type: LinkType) -> String {
    let tables = match explanation.inputs.len() {
        2 => "two tables".to_owned(),
        n => format!("{n} tables"),
    };
    let what = match link_type {
        LinkType::DedupeOnly => "Pairs within one table".to_owned(),
        LinkType::LinkOnly => format!("Pairs across {tables}"),
        LinkType::LinkAndDedupe => format!("Pairs within and across {tables}"),
    };
    let all = counted(explanation.nominal_pairs, "possible pair");
    wrap(&format!("{what}. {}; {all}.", inputs(&explanation.inputs)), 0, 0) + "\n"
}

/// How every pair above a threshold is found without a rule, and what higher thresholds would save.
fn cover(cover: &CoverRecord) -> String {
    let now = number_of(cover.candidates as u64, false);
    let conditions = counted(cover.conditions, "condition");
    let mut text =
        format!("Every pair that reaches the threshold satisfies one of {conditions}, with {now} candidates.");
    let less = |higher: &&HigherThreshold| higher.candidates < cover.candidates;
    let saved: Vec<String> = cover.higher.iter().filter(less).map(higher_threshold).collect();
    if !saved.is_empty() {
        let _ = write!(text, " A higher threshold would need fewer: {}.", saved.join(", "));
    }
    wrap(&text, 0, 0) + "\n"
}

fn higher_threshold(higher: &HigherThreshold) -> String {
    let HigherThreshold { threshold, threshold_weight, candidates, .. } = higher;
    format!("{threshold:.4} (weight {threshold_weight:.1}) {}", number_of(*candidates as u64, false))
}

/// A heading, and one item per line.
fn list(heading: &str, items: &[String]) -> String {
    let mut out = format!("{heading}\n");
    for item in items {
        let _ = writeln!(out, "   {}", wrap(item, 3, 5));
    }
    out
}

fn table(table: &TableRecord) -> String {
    let text = format!(
        "Decided once for all values: {}, {}, instead of about {} times",
        one_line(&table.check),
        values(table.values),
        count(table.estimated_lookups)
    );
    wrap(&text, 0, 3) + "\n"
}

/// Numbers of values on both sides; one number, where they are the same.
fn values([left, right]: [u64; 2]) -> String {
    match [left, right] {
        [0, 0] => "no values: the columns are empty".into(),
        [0, _] => "no values on the left: the column is empty".into(),
        [_, 0] => "no values on the right: the column is empty".into(),
        _ if left == right => counted(left, "value"),
        _ => format!("{} and {} values", count(left), count(right)),
    }
}

/// `never` rules are evaluated once for every pair that passes, whichever join it comes from.
fn nevers(nevers: &[String]) -> String {
    match nevers {
        [one] => wrap(&format!("Then no pair for which {} holds.", one_line(one)), 0, 3) + "\n",
        several => list("Then no pair for which one of these holds:", several),
    }
}

/// Rules that mean something else with the records exchanged. In a link only (left, right) counts.
fn both_ways(rules: &[RuleLabel], link_type: LinkType) -> Option<String> {
    let names: Vec<String> = rules.iter().map(label).collect();
    let (is, pairs) = if names.len() == 1 { ("is", "Its") } else { ("are", "Their") };
    let within = if link_type == LinkType::LinkAndDedupe { " within a table" } else { "" };
    let text = format!(
        "{} {is} not symmetric: l and r do not say the same of their records. {pairs} pairs{within} are looked at both ways \
         round, and one way is enough.",
        names.join(", "),
    );
    (!names.is_empty()).then(|| wrap(&capital(&text), 0, 0) + "\n")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What is loosened for near pairs, how they are looked for, and what that takes.
fn near_pairs(near: &NearRecord, explanation: &Explanation) -> Vec<String> {
    if near.conditions.is_empty() {
        return vec!["Near pairs: no rule has a threshold that could be looser.\n".into()];
    }
    let conditions: Vec<String> = near.conditions.iter().map(condition).collect();
    let heading = format!("Near pairs, with one of these looser by {} at a time:", by(near.amount));
    let branches = near.plan.iter().enumerate();
    let first = explanation.plan.len() + 1;
    let mut parts = vec![list(&heading, &conditions)];
    parts.extend(branches.map(|(place, report)| branch(first + place, report, explanation.nominal_pairs)));
    let candidates: u64 = near.plan.iter().map(|b| b.candidates.unwrap_or(b.estimated_candidates)).sum();
    let sure = near.plan.iter().all(|b| b.exact || b.candidates.is_some());
    let found = near.pairs.map_or_else(String::new, |pairs| format!(", {}", counted(pairs, "near pair")));
    let more = format!(
        "Near pairs take {} more {} ({} of all pairs){found}.",
        number_of(candidates, sure),
        if candidates == 1 { "candidate" } else { "candidates" },
        percent(candidates, explanation.nominal_pairs)
    );
    parts.push(wrap(&more, 0, 0) + "\n");
    parts
}

/// All branches together.
fn total(explanation: &Explanation) -> String {
    let (plan, all) = (&explanation.plan, explanation.nominal_pairs);
    let sure = plan.iter().all(|b| b.exact || b.candidates.is_some());
    let candidates: u64 = plan.iter().map(|b| b.candidates.unwrap_or(b.estimated_candidates)).sum();
    let ran = !plan.is_empty() && plan.iter().all(|b| b.candidates.is_some());
    let effort = if ran {
        let pairs = counted(plan.iter().filter_map(|b| b.pairs).sum(), "pair");
        format!("{pairs} in {}", duration(plan.iter().filter_map(|b| b.seconds).sum()))
    } else {
        of_one_core(plan.iter().map(|b| b.estimated_seconds).sum())
    };
    let twice = if plan.len() > 1 { "; a pair counts in each join that finds it" } else { "" };
    let number = number_of(candidates, sure);
    let what = if candidates == 1 { "candidate" } else { "candidates" };
    wrap(&format!("In all {number} {what} ({} of all pairs), {effort}{twice}.", percent(candidates, all)), 0, 0) + "\n"
}

fn planning(explanation: &Explanation) -> String {
    let how = match explanation.strategy {
        Strategy::Full => String::new(),
        strategy => format!(" by the strategy \"{}\"", strategy.name()),
    };
    format!("Planned in {}{how}.\n", duration(explanation.planning_seconds))
}

/// How the trees of checks are read.
fn reading(explanation: &Explanation) -> Option<String> {
    let near = explanation.near.iter().flat_map(|near| &near.plan);
    let mut steps = explanation.plan.iter().chain(near).flat_map(|b| &b.steps).peekable();
    let ran = steps.peek()?.tried.is_some();
    let unsure = if ran {
        "Where too few of the drawn pairs reached a check, nothing was expected: \"?\"."
    } else {
        "In brackets it is one of all candidates: too few of the drawn pairs reach the check to tell."
    };
    let parts = [
        "A check sees what the check it is indented under has passed, one at the margin every candidate; \"expected\" is \
         the share of these that should pass. An arrow leads to the rules that hold where the check passes.",
        if steps.any(|step| step.passes.is_none()) { unsure } else { "" },
        if ran { "The time of a check is that of all threads together." } else { "" },
    ];
    Some(wrap(&parts.join(" "), 0, 0) + "\n")
}
