//! Why a pair is a result, or why it is not.

use std::cmp::Reverse;
use std::fmt::Write;

use sameas::{Finding, Inspection, Why, printable};

use super::values::value;
use crate::text::{WIDTH, counted, cut, decimal, one_line, wrap};

/// The whole answer: the verdict, then every rule with its conditions and values.
pub fn pair(why: &Why) -> String {
    let mut out = wrap(&verdict(why), 0, 0) + "\n";
    why.rules.iter().for_each(|rule| out += &rule_text(rule));
    for never in &why.nevers {
        out += &format!("\n{}", inspection(never, &format!("Never {}", quoted(&never.name))));
    }
    out
}

/// The answer with what decides it only: the rule that gives the pair or comes nearest, and what forbids it.
pub fn pair_in_short(why: &Why) -> String {
    let deciding = why.rules.iter().find(|rule| rule.holds).or_else(|| nearest(&why.rules).map(|(rule, _)| rule));
    let veto = why.nevers.iter().find(|never| never.holds);
    let mut out = wrap(&verdict(why), 0, 0) + "\n";
    deciding.into_iter().for_each(|rule| out += &rule_text(rule));
    veto.into_iter()
        .for_each(|never| out += &format!("\n{}", inspection(never, &format!("Never {}", quoted(&never.name)))));
    out
}

fn rule_text(rule: &Inspection) -> String {
    format!("\n{}", inspection(rule, &format!("Rule {}", quoted(&rule.name))))
}

/// A name in quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", printable(name))
}

fn verdict(why: &Why) -> String {
    let [left, right] = &why.ids;
    let both = format!("{} and {}", printable(left), printable(right));
    let holding: Vec<String> = why.rules.iter().filter(|r| r.holds).map(|r| quoted(&r.name)).collect();
    let veto = why.nevers.iter().find(|never| never.holds);
    match (&why.match_key, veto, &holding[..]) {
        (Some(key), _, [_]) => format!("{both} are a pair: rule {} holds.", quoted(key)),
        (Some(key), _, all) => {
            format!(
                "{both} are a pair, under match_key {}: the first of the rules that hold, {}.",
                quoted(key),
                all.join(", ")
            )
        }
        (None, Some(never), [_, ..]) => {
            let holds = if holding.len() == 1 { "holds" } else { "hold" };
            let rules = holding.join(", ");
            format!("{both} are no pair: {rules} {holds}, but a `never` rule forbids it: {}.", one_line(&never.text))
        }
        _ => format!("{both} are no pair: no rule holds.{}", nearest_text(&why.rules)),
    }
}

/// The rule that came nearest, and the way it did.
fn nearest(rules: &[Inspection]) -> Option<(&Inspection, &Vec<Finding>)> {
    let ways = rules.iter().flat_map(|rule| rule.ways.iter().map(move |way| (rule, way)));
    ways.min_by_key(|(_, way)| nearness(way))
}

/// A sentence about it, where something of it holds.
fn nearest_text(rules: &[Inspection]) -> String {
    match nearest(rules) {
        Some((rule, way)) if failed(way) < way.len() => {
            let fail = if failed(way) == 1 { "fails" } else { "fail" };
            let name = quoted(&rule.name);
            format!(" Rule {name} comes nearest: {} of its {} conditions {fail}.", failed(way), way.len())
        }
        _ => String::new(),
    }
}

fn conditions(number: usize) -> String {
    counted(number as u64, "condition")
}

fn failed(way: &[Finding]) -> usize {
    way.iter().filter(|finding| !finding.holds).count()
}

/// Fewest failed conditions first; among those, a value too low is nearer than none at all; then most satisfied ones,
/// then the smallest miss.
fn nearness(way: &[Finding]) -> (usize, usize, Reverse<usize>, u64) {
    let missing = way.iter().filter(|finding| finding.truth.is_none()).count();
    let misses = way.iter().filter(|finding| !finding.holds).map(|finding| finding.missed_by.unwrap_or(f64::MAX));
    // The bits of numbers that are not negative have their order.
    let worst = misses.map(f64::to_bits).max().unwrap_or(0);
    (failed(way), missing, Reverse(way.len() - failed(way)), worst)
}

/// A rule: whether it holds, the way that comes nearest with its values, and the other ways in a line each.
fn inspection(rule: &Inspection, name: &str) -> String {
    let holds = if rule.holds { "holds" } else { "does not hold" };
    let mut out = format!("{name} {holds}\n");
    let mut ways: Vec<&Vec<Finding>> = rule.ways.iter().collect();
    ways.sort_by_key(|way| nearness(way));
    let Some((nearest, others)) = ways.split_first() else {
        // Nothing was left of it when it was simplified.
        return out + "   no pair can satisfy it\n";
    };
    nearest.iter().for_each(|finding| out.push_str(&condition(finding)));
    others.iter().for_each(|way| out.push_str(&other_way(way, nearest)));
    out
}

/// Another way in a line: the conditions that the nearest does not have, and how many of all its conditions hold.
fn other_way(way: &[Finding], nearest: &[Finding]) -> String {
    let new = |finding: &&Finding| nearest.iter().all(|known| known.condition != finding.condition);
    let text: Vec<String> = way.iter().filter(new).map(|finding| one_line(&finding.condition.to_string())).collect();
    let state = format!("{} of {} hold", way.len() - failed(way), conditions(way.len()));
    let text = if text.is_empty() { String::new() } else { format!(" with {}", text.join(" and ")) };
    format!("   or another way{}: {state}\n", cut(&text, WIDTH - 19 - state.len()))
}

/// A condition with its verdict, its values, and by how much it was missed.
fn condition(finding: &Finding) -> String {
    let verdict = match (finding.truth, finding.holds) {
        (None, _) => "null",
        (_, true) => "true",
        (_, false) => "false",
    };
    let mut out = format!("   {verdict:<7}{}\n", wrap(&one_line(&finding.condition.to_string()), 10, 12));
    let mut details: Vec<String> =
        finding.values.iter().map(|read| format!("{} = {}", printable(&read.name), value(&read.value))).collect();
    if let Some(measured) = finding.measured {
        details.push(format!("measured {}{}", decimal(measured), missed(finding.missed_by)));
    }
    let together = details.join(",  ");
    // Values are shown blank by blank: two lines rather than a wrapped one.
    let lines = if together.chars().count() <= ROOM { vec![together] } else { details };
    for line in lines.iter().filter(|line| !line.is_empty()) {
        let characters: Vec<char> = cut(line, LINES * ROOM).chars().collect();
        for part in characters.chunks(ROOM) {
            let _ = writeln!(out, "            {}", part.iter().collect::<String>());
        }
    }
    out
}

/// Characters left after the indent of values.
const ROOM: usize = WIDTH - 12;

/// Lines that a long value may fill.
const LINES: usize = 4;

fn missed(by: Option<f64>) -> String {
    match by {
        None => String::new(),
        Some(0.0) => ", just on the border".into(),
        Some(by) => format!(", missed by {}", decimal(by)),
    }
}
