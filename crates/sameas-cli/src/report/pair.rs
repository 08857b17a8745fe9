//! Why a pair is a result, or why it is not.

use std::cmp::Reverse;
use std::fmt::Write;

use sameas::record::PairDecision;
use sameas::rules::{Finding, Inspection, NamedValue};
use sameas::{FieldValue, Why, printable};

use super::connection::connection;
use super::records::records;
use super::values::value;
use super::waterfall::{outside_score, waterfall, weighted_average};
use crate::text::{counted, cut, decimal, middle_cut, one_line, width, wrap};

/// The whole answer: the verdict, what connects the two in a run, every rule with its conditions and values, and the records if
/// they are known. Long conditions and values are cut, unless they are wanted in full.
pub fn pair(why: &Why, full: bool) -> String {
    let mut out = wrap(&verdict(why), 0, 0) + "\n";
    why.connection.iter().for_each(|of| out += &connection(of, &why.ids, full));
    why.rules.iter().for_each(|rule| out += &rule_text(rule, full));
    why.nevers.iter().for_each(|never| out += &never_text(never, full));
    why.score.iter().for_each(|score| out += &waterfall(score));
    why.weighted.iter().for_each(|score| out += &weighted_average(score));
    why.outside.iter().for_each(|score| out += &outside_score(score));
    if !why.records.is_empty() {
        out += &records(why, full);
    }
    out
}

/// The answer with what decides it only: the rule that gives the pair or comes nearest, and what forbids it.
pub fn pair_in_short(why: &Why) -> String {
    let deciding = why.rules.iter().find(|rule| rule.holds).or_else(|| nearest(&why.rules).map(|(rule, _)| rule));
    let veto = why.nevers.iter().find(|never| never.holds);
    let mut out = wrap(&verdict(why), 0, 0) + "\n";
    deciding.into_iter().for_each(|rule| out += &rule_text(rule, false));
    veto.into_iter().for_each(|never| out += &never_text(never, false));
    out
}

fn rule_text(rule: &Inspection, full: bool) -> String {
    format!("\n{}", inspection(rule, &format!("Rule {}", quoted(&rule.name)), full))
}

fn never_text(never: &Inspection, full: bool) -> String {
    format!("\n{}", inspection(never, &format!("Never {}", quoted(&never.name)), full))
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
    if let Some(decision) = &why.decided {
        let are = if decision.is_same { "are a pair" } else { "are not a pair" };
        return format!("{both} {are}: {}.", decided(decision));
    }
    if let Some(input) = &why.one_input {
        let input = printable(input);
        return format!(
            "{both} are not a pair: both are records of {input}, and a link compares records of different inputs, so no rule \
             applies to them."
        );
    }
    match (&why.match_key, veto, &holding[..]) {
        (Some(_), _, _) if is_by_score(why) => format!("{both} are a pair by their score."),
        (Some(_), _, []) => format!("{both} are a pair by their score."),
        (None, None, [_, ..]) => format!("{both} are not a pair: their score is below the threshold."),
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
            format!("{both} are not a pair: {rules} {holds}, but a `never` rule forbids it: {}.", one_line(&never.text))
        }
        _ if why.rules.is_empty() => format!("{both} are not a pair: their score is below the threshold."),
        _ => format!("{both} are not a pair: no rule holds.{}", nearest_text(&why.rules)),
    }
}

/// Who has decided it, when, and where that is written.
fn decided(decision: &PairDecision) -> String {
    let who = decision.who.as_ref().map_or("somebody has".to_owned(), |who| format!("{} has", printable(who)));
    let when = decision.when.as_ref().map(|when| format!(" ({})", printable(when))).unwrap_or_default();
    let what = if decision.is_same { "the same" } else { "different" };
    format!("{who} decided{when} that they are {what}, in {}", printable(&decision.place))
}

/// Whether others have given the score by which it is a pair.
fn is_by_score(why: &Why) -> bool {
    let is_of_rule = |key: &String| why.rules.iter().any(|rule| rule.holds && rule.name == *key);
    why.outside.is_some() && !why.match_key.as_ref().is_some_and(is_of_rule)
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
fn inspection(rule: &Inspection, name: &str, full: bool) -> String {
    let holds = if rule.holds { "holds" } else { "does not hold" };
    let mut out = format!("{name} {holds}\n");
    let mut ways: Vec<&Vec<Finding>> = rule.ways.iter().collect();
    ways.sort_by_key(|way| nearness(way));
    let Some((nearest, others)) = ways.split_first() else {
        // Nothing was left of it when it was simplified.
        return out + "   no pair can satisfy it\n";
    };
    nearest.iter().for_each(|finding| out.push_str(&condition(finding, full)));
    others.iter().for_each(|way| out.push_str(&other_way(way, nearest)));
    out
}

/// Another way in a line: the conditions that the nearest does not have, and how many of all its conditions hold.
fn other_way(way: &[Finding], nearest: &[Finding]) -> String {
    let new = |finding: &&Finding| nearest.iter().all(|known| known.condition != finding.condition);
    let text: Vec<String> = way.iter().filter(new).map(|finding| one_line(&finding.condition.to_string())).collect();
    let state = format!("{} of {} hold", way.len() - failed(way), conditions(way.len()));
    let text = if text.is_empty() { String::new() } else { format!(" with {}", text.join(" and ")) };
    format!("   or another way{}: {state}\n", cut(&text, width() - 19 - state.len()))
}

/// A condition with its verdict, its values, and by how much it was missed; then what it is made of.
fn condition(finding: &Finding, full: bool) -> String {
    let verdict = match (finding.truth, finding.holds) {
        (None, _) => "null",
        (_, true) => "true",
        (_, false) => "false",
    };
    let text = shortened(&one_line(&finding.condition.to_string()), full);
    let mut out = format!("   {verdict:<7}{}\n", wrap(&text, 10, 12));
    let mut details: Vec<String> = finding.values.iter().map(named).collect();
    if let Some(measured) = finding.measured {
        details.push(format!("measured {}{}", decimal(measured), missed(finding.missed_by)));
    }
    let together = details.join(",  ");
    // Values are shown blank by blank: two lines rather than a wrapped one.
    let lines = if together.chars().count() <= room() { vec![together] } else { details };
    lines.iter().filter(|line| !line.is_empty()).for_each(|line| detail(&mut out, line, 0, full));
    for part in &finding.parts {
        let text = shortened(&one_line(&part.name), full);
        detail(&mut out, &format!("{text} = {}", part_value(&part.value)), 2, full);
    }
    out
}

fn named(read: &NamedValue) -> String {
    format!("{} = {}", printable(&read.name), value(&read.value))
}

/// The value of a part: numbers in as many digits as what was measured.
fn part_value(part: &FieldValue) -> String {
    match part {
        FieldValue::Number(text) => text.parse().map_or_else(|_| value(part), decimal),
        other => value(other),
    }
}

/// A line of values, in several lines where it is long; cut unless it is wanted in full.
fn detail(out: &mut String, line: &str, indent: usize, full: bool) {
    let room = room() - indent;
    let text = if full { line.to_owned() } else { cut(line, LINES * room) };
    let characters: Vec<char> = text.chars().collect();
    for part in characters.chunks(room) {
        let _ = writeln!(out, "            {:indent$}{}", "", part.iter().collect::<String>());
    }
}

/// A long condition is recognised by its ends.
fn shortened(text: &str, full: bool) -> String {
    if full { text.to_owned() } else { middle_cut(text, LONG) }
}

/// Characters of a condition that are shown unless it is wanted in full.
const LONG: usize = 180;

/// Characters left after the indent of values.
fn room() -> usize {
    width() - 12
}

/// Lines that a long value may fill.
const LINES: usize = 4;

fn missed(by: Option<f64>) -> String {
    match by {
        None => String::new(),
        Some(0.0) => ", just on the border".into(),
        Some(by) => format!(", missed by {}", decimal(by)),
    }
}
