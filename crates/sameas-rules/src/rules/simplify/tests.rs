//! What is left of rules, and what is reported as left out.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::*;
use crate::expr::Type;
use crate::rules::{Column, LinkType, RuleFile, compile};

fn columns() -> Vec<Column> {
    let column = |(name, ty): &(&str, Type)| Column { name: (*name).into(), key: (*name).into(), ty: Ok(*ty) };
    let texts = ["name", "given", "surname", "zip", "phone"].map(|name| (name, Type::Text));
    let others = [("year", Type::Number), ("born", Type::Date), ("tags", Type::TextList)];
    texts.iter().chain(&others).map(column).collect()
}

fn compiled(link_type: LinkType, job: &str) -> RuleSet {
    let columns = columns();
    compile(&RuleFile::parse(job, "job.toml").unwrap(), link_type, [&columns, &columns])
        .unwrap_or_else(|e| panic!("{e}"))
}

fn job(rules: &[&str], nevers: &[&str]) -> String {
    let mut text = String::new();
    rules.iter().for_each(|when| writeln!(text, "[[rule]]\nwhen = \"{when}\"").unwrap());
    nevers.iter().for_each(|when| writeln!(text, "[[never]]\nwhen = \"{when}\"").unwrap());
    text
}

fn simplified(link_type: LinkType, rules: &[&str], nevers: &[&str]) -> Simplified {
    compiled(link_type, &job(rules, nevers)).simplified()
}

fn link(rules: &[&str]) -> Simplified {
    simplified(LinkType::LinkOnly, rules, &[])
}

/// Each conjunction as one text, in order.
fn shape(rules: &RuleSet, conjunctions: &[Conjunction]) -> Vec<String> {
    let sign = |literal: &Literal| if literal.want { "" } else { "!" };
    let text = |literal: &Literal| format!("{}{}", sign(literal), rules.predicates[literal.predicate].text);
    conjunctions.iter().map(|c| c.literals.iter().map(text).collect::<Vec<_>>().join(" & ")).collect()
}

fn rule(number: usize) -> RuleLabel {
    RuleLabel::Rule(format!("rule_{number}"))
}

fn never(number: usize) -> RuleLabel {
    RuleLabel::Never(format!("never_{number}"))
}

/// A condition; one that begins with `!` must be false.
fn literal(text: &str) -> LiteralRecord {
    match text.strip_prefix('!') {
        Some(predicate) => LiteralRecord { predicate: predicate.into(), want: false },
        None => LiteralRecord { predicate: text.into(), want: true },
    }
}

fn conflict(first: &str, second: &str) -> Contradiction {
    Contradiction::Conflict { first: literal(first), second: literal(second) }
}

fn left_of(simplified: &Simplified) -> Vec<String> {
    shape(&simplified.rules, &simplified.rules.conjunctions)
}

#[test]
fn what_follows_within_a_conjunction_is_not_checked() {
    let jaro = "jaro_winkler(l.name, r.name) >= 0.9 and jaro_winkler(l.name, r.name) >= 0.8";
    let done = link(&[jaro]);
    assert_eq!(left_of(&done), ["jaro_winkler(l.name, r.name) >= 0.9"]);
    assert_eq!(
        done.notes,
        [Simplification::ConditionImplied {
            rule: rule(1),
            condition: literal("jaro_winkler(l.name, r.name) >= 0.8"),
            by: literal("jaro_winkler(l.name, r.name) >= 0.9"),
        }]
    );
    assert_eq!(done.rules.predicates.len(), 2, "what is not checked may still be joined on");
    for (rule, left) in [
        ("jaro_winkler(l.name, r.name) >= 0.8 and jaro(l.name, r.name) >= 0.9", "jaro(l.name, r.name) >= 0.9"),
        ("osa(l.name, r.name) < 3 and osa(l.name, r.name) <= 2", "osa(l.name, r.name) < 3"),
        ("lower(l.name) = lower(r.name) and l.name = r.name", "l.name = r.name"),
        ("l.name is not null and l.name = r.name and r.name is not null", "l.name = r.name"),
        ("l.year = r.year and abs(l.year - r.year) <= 1", "l.year = r.year"),
        ("list_has_any(l.tags, r.tags) and dice(l.tags, r.tags) > 0.3", "dice(l.tags, r.tags) > 0.3"),
        ("l.name = r.name and l.name is not distinct from r.name", "l.name = r.name"),
        ("l.zip <> r.zip and l.zip is distinct from r.zip", "!l.zip = r.zip"),
        ("abs(length(l.zip) - length(r.zip)) < 2 and l.zip = r.zip", "l.zip = r.zip"),
    ] {
        assert_eq!(left_of(&link(&[rule])), [left], "{rule}");
    }
}

#[test]
fn what_does_not_follow_stays() {
    for rule in [
        "l.name = r.name and jaccard(words(l.name), words(r.name)) >= 0.5",
        "lower(l.name) = lower(r.name) and jaro(lower(l.name), lower(r.name)) >= 0.5",
        "l.name = r.name and l.name = r.surname",
        "l.name is not distinct from r.name and levenshtein(l.name, r.name) <= 9",
        "levenshtein(l.name, r.name) <= 2 and hamming(l.name, r.name) <= 5",
        "l.year = r.year and cast(l.year as varchar) = cast(r.year as varchar)",
        "l.name = r.name and substr(l.name, 1, -1) = substr(r.name, 1, -1)",
        "l.name = r.name and cast(l.name as integer) = cast(r.name as integer)",
        "l.name = r.name and soundex(l.name) = soundex(r.name)",
        "coalesce(l.name, '') = coalesce(r.name, '') and l.name is not null",
        "dice(l.tags, r.tags) >= 0.5 and cosine(l.tags, r.tags) >= 0.5",
        "overlap(l.tags, r.tags) >= 0 and list_has_any(l.tags, r.tags) is null",
    ] {
        let done = link(&[rule]);
        assert_eq!(done.rules.conjunctions[0].literals.len(), 2, "{rule}: {:?}", done.notes);
    }
}

#[test]
fn contradictions_are_reported() {
    let unsatisfiable = Contradiction::Unsatisfiable { condition: literal("jaro(l.name, r.name) >= 90") };
    for (when, contradiction) in [
        (
            "levenshtein(l.name, r.name) <= 1 and osa(l.name, r.name) > 2",
            conflict("levenshtein(l.name, r.name) <= 1", "osa(l.name, r.name) > 2"),
        ),
        ("l.zip = r.zip and jaro(l.name, r.name) >= 90", unsatisfiable),
        (
            "lower(l.name) <> lower(r.name) and l.name = r.name",
            conflict("!lower(l.name) = lower(r.name)", "l.name = r.name"),
        ),
        ("l.name = r.name and r.name is null", conflict("l.name = r.name", "r.name is null")),
        ("l.name is not null and l.name is null and l.zip = r.zip", conflict("l.name is not null", "l.name is null")),
    ] {
        let done = link(&[when, "l.phone = r.phone"]);
        assert_eq!(done.notes, [Simplification::RuleNeverHolds { rule: rule(1), contradiction }]);
        assert_eq!(left_of(&done), ["l.phone = r.phone"]);
        assert_eq!([&done.rules.rules[0].conjunctions, &done.rules.rules[1].conjunctions], [&(0..0), &(0..1)]);
    }
    let done = link(&["l.zip = r.zip and (year(l.born) = year(r.born) or l.zip <> r.zip and l.name = r.name or \
                       jaro(l.zip, r.zip) < 0.5)"]);
    assert_eq!(left_of(&done), ["l.zip = r.zip & year(l.born) = year(r.born)"]);
    let contradiction = conflict("l.zip = r.zip", "jaro(l.zip, r.zip) < 0.5");
    assert_eq!(done.notes, [Simplification::ConjunctionNeverHolds { rule: rule(1), contradiction }]);
}

#[test]
fn a_rule_keeps_its_weakest_ways_to_hold() {
    let done = link(&["l.zip = r.zip and jaro(l.name, r.name) > 0.9 or l.zip = r.zip or l.name = r.name"]);
    assert_eq!(left_of(&done), ["l.zip = r.zip", "l.name = r.name"]);
    assert_eq!(
        done.notes,
        [Simplification::ConjunctionSubsumed {
            rule: rule(1),
            conjunction: ["l.zip = r.zip", "jaro(l.name, r.name) > 0.9"].map(literal).to_vec(),
            by_rule: rule(1),
            by: vec![literal("l.zip = r.zip")],
        }]
    );
    let same = link(&["osa(l.zip, r.zip) < 2 or l.name = r.name or osa(l.zip, r.zip) <= 1"]);
    assert_eq!(left_of(&same), ["osa(l.zip, r.zip) < 2", "l.name = r.name"]);
    assert_eq!(same.rules.rules[0].conjunctions, 0..2);
}

#[test]
fn both_orientations_stay_and_are_reported_once() {
    let rule = "levenshtein(l.given, r.surname) <= 1 and damerau_levenshtein(l.given, r.surname) <= 2";
    let done = simplified(LinkType::DedupeOnly, &[rule], &[]);
    assert_eq!(left_of(&done), ["levenshtein(l.given, r.surname) <= 1", "levenshtein(r.given, l.surname) <= 1"]);
    assert_eq!(done.notes.len(), 1, "{:?}", done.notes);
    let both = simplified(LinkType::LinkAndDedupe, &["l.given = r.surname or l.zip = r.zip"], &[]);
    assert_eq!(
        left_of(&both),
        ["l.given = r.surname", "l.zip = r.zip", "r.given = l.surname & l.source_dataset = r.source_dataset"]
    );
}

#[test]
fn later_rules_are_marked_and_kept() {
    let done = link(&[
        "l.zip = r.zip",
        "jaro(l.name, r.name) >= 0.8",
        "l.zip = r.zip and l.year = r.year or jaro(l.name, r.name) >= 0.9",
        "l.zip = r.zip and l.name = r.name or l.phone = r.phone",
        "jaro(l.name, r.name) > 0.5",
    ]);
    assert_eq!(done.shadowed, [None, None, Some(0), Some(1), Some(0), None, None]);
    assert_eq!(done.notes, [Simplification::RuleShadowed { rule: rule(3), by: rule(2) }]);
}

#[test]
fn vetoes_imply_each_other_whatever_their_order() {
    let nevers = ["l.born <> r.born and l.zip <> r.zip", "l.zip <> r.zip", "abs(l.year - r.year) > 2"];
    let done = simplified(LinkType::LinkOnly, &["l.name = r.name"], &nevers);
    let left = shape(&done.rules, &done.rules.never_conjunctions);
    assert_eq!(left, ["!l.zip = r.zip", "abs(l.year - r.year) > 2"]);
    // The first `never` counts the pairs that both forbid.
    let shadowed = &done.rules.shadowed_nevers;
    assert_eq!(shape(&done.rules, shadowed), ["!l.born = r.born & !l.zip = r.zip"]);
    assert_eq!(shadowed[0].rule, 0);
    let ranges: Vec<_> = done.rules.nevers.iter().map(|never| never.conjunctions.clone()).collect();
    assert_eq!(ranges, [0..0, 0..1, 1..2]);
    assert_eq!(
        done.notes,
        [Simplification::ConjunctionSubsumed {
            rule: never(1),
            conjunction: ["!l.born = r.born", "!l.zip = r.zip"].map(literal).to_vec(),
            by_rule: never(2),
            by: vec![literal("!l.zip = r.zip")],
        }]
    );
}

#[test]
fn rules_that_say_nothing_twice_stay_as_they_are() {
    let rules = ["l.zip = r.zip and jaro(l.name, r.name) > 0.9", "l.phone = r.phone and year(l.born) = r.year"];
    let set = compiled(LinkType::DedupeOnly, &job(&rules, &["l.given <> r.given"]));
    let done = set.simplified();
    assert_eq!(shape(&set, &set.conjunctions), left_of(&done));
    assert_eq!((done.notes.len(), done.shadowed), (0, vec![None; set.conjunctions.len()]));
}

/// What decides pairs, and what says which rule they belong to.
fn outcome(done: &Simplified) -> String {
    let Simplified { rules, shadowed, .. } = done;
    let conjunctions = [&rules.conjunctions, &rules.never_conjunctions, &rules.shadowed_nevers];
    let ranges = [&rules.rules, &rules.nevers]
        .map(|of: &Vec<Rule>| of.iter().map(|rule| rule.conjunctions.clone()).collect::<Vec<_>>());
    format!("{conjunctions:?} {ranges:?} {shadowed:?}")
}

#[test]
fn what_is_simplified_stays_as_it_is() {
    let rules = [
        "jaro_winkler(l.name, r.name) >= 0.9 and jaro_winkler(l.name, r.name) >= 0.8 or l.zip = r.zip",
        "l.zip = r.zip and l.year = r.year or l.given = r.surname",
        "l.phone = r.phone and levenshtein(l.phone, r.phone) <= 2",
    ];
    let nevers = [
        "l.born <> r.born and l.zip <> r.zip",
        "abs(l.year - r.year) > 2 and l.zip <> r.zip and l.zip is distinct from r.zip",
        "l.zip <> r.zip",
        "abs(l.year - r.year) > 5 and l.surname <> r.surname",
        "abs(l.year - r.year) > 4",
    ];
    for link_type in [LinkType::DedupeOnly, LinkType::LinkOnly] {
        let once = simplified(link_type, &rules, &nevers);
        assert_eq!(once.rules.shadowed_nevers.iter().map(|of| of.rule).collect::<Vec<_>>(), [0, 1, 3]);
        let twice = once.rules.simplified();
        assert_eq!(outcome(&twice), outcome(&once));
        assert_eq!(outcome(&twice.rules.simplified()), outcome(&once));
    }
}

#[test]
fn other_rules_have_the_same_nevers_or_none() {
    let nevers = ["l.born <> r.born and l.zip <> r.zip", "l.zip <> r.zip"];
    let others = ["l.name = r.name", "l.zip = r.zip and l.name = r.name"];
    let all = compiled(LinkType::LinkOnly, &job(&["l.phone = r.phone", others[0], others[1]], &nevers));
    let own = all.simplified();
    // The last two rules, as if they were all.
    let mut rules = own.rules.rules[1..].to_vec();
    let mut conjunctions = own.rules.conjunctions[1..].to_vec();
    rules.iter_mut().for_each(|rule| rule.conjunctions = rule.conjunctions.start - 1..rule.conjunctions.end - 1);
    conjunctions.iter_mut().for_each(|conjunction| conjunction.rule -= 1);
    let with_nevers = own.rules.with_rules(rules.clone(), conjunctions.clone());
    assert_eq!(left_of(&with_nevers), ["l.name = r.name", "l.zip = r.zip & l.name = r.name"]);
    assert_eq!(with_nevers.shadowed, [None, Some(0)]);
    let of = |done: &Simplified| {
        let RuleSet { nevers, never_conjunctions, shadowed_nevers, .. } = &done.rules;
        (nevers.len(), shape(&done.rules, never_conjunctions), shape(&done.rules, shadowed_nevers))
    };
    assert_eq!(of(&with_nevers), of(&own));
    assert_eq!(of(&own), (2, vec!["!l.zip = r.zip".into()], vec!["!l.born = r.born & !l.zip = r.zip".into()]));
    let without = own.rules.without_nevers().with_rules(rules, conjunctions);
    assert_eq!((left_of(&without), of(&without)), (left_of(&with_nevers), (0, Vec::new(), Vec::new())));
}

/// Thousands of conjunctions: over many columns, and all on one column, which is beyond what is compared.
#[test]
fn many_rules_take_little_time() {
    let threshold = |i: usize| 0.5 + (i % 977) as f64 / 2000.0;
    let spread = |i: usize| {
        let (a, b) = (["name", "given", "surname", "zip", "phone"][i % 5], ["name", "zip", "given"][i % 3]);
        let measure = ["jaro", "jaro_winkler", "levenshtein_similarity"][i % 3];
        format!("l.{b} = r.{b} and {measure}(l.{a}, r.{a}) >= {} and l.year = r.year", threshold(i / 250 * 250))
    };
    let crowded = |i: usize| format!("jaro(l.name, r.name) >= {}", 0.5 + i as f64 / 10_000.0);
    for (rule, some_left_out) in [(&spread as &dyn Fn(usize) -> String, false), (&crowded, true)] {
        let rules: Vec<String> = (0..3000).map(rule).collect();
        let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
        let set = compiled(LinkType::LinkOnly, &job(&rules, &[]));
        let quickest = (0..3).map(|_| time(|| drop(set.simplified()))).min().unwrap();
        let not_compared = |note: &Simplification| matches!(note, Simplification::NotCompared { .. });
        assert_eq!(set.simplified().notes.iter().any(not_compared), some_left_out);
        assert!(quickest < Duration::from_millis(500), "{quickest:?}");
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
