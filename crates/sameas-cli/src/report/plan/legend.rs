//! Long conditions that a plan mentions again and again: a number and the ends of the text each time, and the whole text
//! once, at the end.

use std::collections::HashMap;

use sameas::Explanation;
use sameas::plan::{BranchRecord, ChoiceReason, RevisionRecord};
use sameas::rules::{Contradiction, LiteralRecord, Simplification};

use crate::text::{middle_cut, one_line, wrap};

/// Conditions of more characters than this get a number if they are mentioned more than once.
const LONG: usize = 70;

/// Characters of such a condition that are shown beside its number.
const SHOWN: usize = 44;

/// The plan with numbers for its long conditions, and the list of these, which is empty where there are none.
pub fn with_legend(explanation: &Explanation) -> (Explanation, String) {
    let mut short = explanation.clone();
    let mut times: HashMap<String, usize> = HashMap::new();
    let mut order: Vec<String> = Vec::new();
    each_text(&mut short, &mut |text| {
        let line = one_line(text);
        if line.chars().count() > LONG {
            let seen = times.entry(line.clone()).or_insert(0);
            *seen += 1;
            if *seen == 2 {
                order.push(line);
            }
        }
    });
    let number: HashMap<&str, usize> = order.iter().enumerate().map(|(at, text)| (text.as_str(), at + 1)).collect();
    each_text(&mut short, &mut |text| {
        if let Some(number) = number.get(one_line(text).as_str()) {
            *text = format!("({number}) {}", middle_cut(text, SHOWN));
        }
    });
    let line = |(at, text): (usize, &String)| {
        let start = format!("   ({}) ", at + 1);
        format!("{start}{}\n", wrap(text, start.len(), start.len()))
    };
    let lines: String = order.iter().enumerate().map(line).collect();
    (short, if lines.is_empty() { lines } else { format!("Long conditions in full:\n{lines}") })
}

/// Every condition that a plan mentions.
fn each_text(plan: &mut Explanation, visit: &mut dyn FnMut(&mut String)) {
    plan.simplifications.iter_mut().for_each(|note| of_simplification(note, visit));
    plan.tables.iter_mut().for_each(|table| visit(&mut table.check));
    plan.plan.iter_mut().for_each(|branch| of_branch(branch, visit));
    if let Some(near) = &mut plan.near {
        for condition in &mut near.conditions {
            literals([&mut condition.looser, &mut condition.condition], visit);
        }
        near.plan.iter_mut().for_each(|branch| of_branch(branch, visit));
    }
}

fn literals<'a>(all: impl IntoIterator<Item = &'a mut LiteralRecord>, visit: &mut dyn FnMut(&mut String)) {
    all.into_iter().for_each(|literal| visit(&mut literal.predicate));
}

fn of_branch(branch: &mut BranchRecord, visit: &mut dyn FnMut(&mut String)) {
    branch.on.iter_mut().for_each(&mut *visit);
    if let ChoiceReason::Alternative { condition, .. } = &mut branch.reason {
        literals(condition, visit);
    }
    literals(&mut branch.follows_from, visit);
    literals(&mut branch.filters, visit);
    for revision in &mut branch.revisions {
        match revision {
            RevisionRecord::ReplannedBeforeStart { joined_on, .. } => literals(joined_on, visit),
            RevisionRecord::ChecksReordered { check, .. } => literals([check], visit),
        }
    }
    branch.steps.iter_mut().for_each(|step| literals([&mut step.check], visit));
}

fn of_simplification(note: &mut Simplification, visit: &mut dyn FnMut(&mut String)) {
    match note {
        Simplification::ConditionImplied { condition, by, .. } => literals([condition, by], visit),
        Simplification::RuleNeverHolds { contradiction, .. }
        | Simplification::ConjunctionNeverHolds { contradiction, .. } => match contradiction {
            Contradiction::Unsatisfiable { condition } => literals([condition], visit),
            Contradiction::Conflict { first, second } => literals([first, second], visit),
        },
        Simplification::ConjunctionSubsumed { conjunction, by, .. } => {
            literals(conjunction, visit);
            literals(by, visit);
        }
        Simplification::RuleShadowed { .. } | Simplification::NotCompared { .. } => {}
    }
}
