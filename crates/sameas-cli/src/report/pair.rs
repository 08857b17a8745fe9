//! Why a pair is a result, or why it is not.

use std::cmp::Reverse;
use std::fmt::Write;

use sameas::engine::Why;
use sameas::verify::{Finding, Inspection, Truth};

use crate::text::{WIDTH, counted, cut, decimal, one_line, wrap};

/// The whole answer: the verdict, then every rule with its conditions and values.
pub fn pair(why: &Why) -> String {
    let mut out = wrap(&verdict(why), 0, 0) + "\n";
    for rule in &why.rules {
        let _ = write!(out, "\n{}", inspection(rule, &format!("Rule \"{}\"", rule.name)));
    }
    for (place, never) in why.nevers.iter().enumerate() {
        let number = if why.nevers.len() > 1 { format!(" {}", place + 1) } else { String::new() };
        let _ = write!(out, "\n{}", inspection(never, &format!("Never{number}")));
    }
    out
}

fn verdict(why: &Why) -> String {
    let [left, right] = &why.ids;
    let both = format!("{left} and {right}");
    let holding: Vec<String> = why.rules.iter().filter(|r| r.holds).map(|r| format!("\"{}\"", r.name)).collect();
    let veto = why.nevers.iter().find(|never| never.holds);
    match (&why.match_key, veto, &holding[..]) {
        (Some(key), _, [_]) => format!("{both} are a pair: rule \"{key}\" holds."),
        (Some(key), _, all) => {
            format!(
                "{both} are a pair, under match_key \"{key}\": the first of the rules that hold, {}.",
                all.join(", ")
            )
        }
        (None, Some(never), [_, ..]) => {
            let holds = if holding.len() == 1 { "holds" } else { "hold" };
            let rules = holding.join(", ");
            format!("{both} are no pair: {rules} {holds}, but a `never` rule forbids it: {}.", one_line(&never.text))
        }
        _ => format!("{both} are no pair: no rule holds.{}", nearest(&why.rules)),
    }
}

/// Which rule came nearest.
fn nearest(rules: &[Inspection]) -> String {
    let ways = rules.iter().flat_map(|rule| rule.ways.iter().map(move |way| (rule, way)));
    match ways.min_by_key(|(_, way)| nearness(way)) {
        Some((rule, way)) if way.len() > 1 && failed(way) < way.len() => {
            format!(" Rule \"{}\" comes nearest: {} of {} fails.", rule.name, failed(way), conditions(way.len()))
                .replace("fails.", if failed(way) == 1 { "fails." } else { "fail." })
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

/// Fewest failed conditions first, then most satisfied ones.
fn nearness(way: &[Finding]) -> (usize, Reverse<usize>) {
    (failed(way), Reverse(way.len() - failed(way)))
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
    for way in others {
        let text: Vec<String> = way.iter().map(|f| one_line(&f.text)).collect();
        let state = format!("{} of {} hold", way.len() - failed(way), conditions(way.len()));
        let room = WIDTH - 17 - state.len();
        let _ = writeln!(out, "   or another way: {} ({state})", cut(&text.join(" and "), room));
    }
    out
}

/// A condition with its verdict, its values, and by how much it was missed.
fn condition(finding: &Finding) -> String {
    let verdict = match (finding.truth, finding.holds) {
        (Truth::Unknown, _) => "null",
        (_, true) => "true",
        (_, false) => "false",
    };
    let mut out = format!("   {verdict:<7}{}\n", wrap(&one_line(&finding.text), 10, 12));
    let mut details: Vec<String> =
        finding.values.iter().map(|(name, value)| format!("{name} = {}", cut(value, 60))).collect();
    if let Some(value) = finding.measured {
        details.push(format!("measured {}{}", decimal(value.to_f64()), missed(finding.missed_by)));
    }
    if !details.is_empty() {
        let _ = writeln!(out, "            {}", wrap(&details.join(",  "), 12, 12));
    }
    out
}

fn missed(by: Option<f64>) -> String {
    match by {
        None => String::new(),
        Some(0.0) => ", just on the border".into(),
        Some(by) => format!(", missed by {}", decimal(by)),
    }
}
