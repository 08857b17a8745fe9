//! Which thresholds are loosened, in which direction, and by how much.

use super::*;
use crate::expr::Type;
use crate::memory::MemoryBudget;
use crate::rules::LiteralRecord;
use crate::rules::{Column, InputColumns, RuleFile, RuleSet, compile_within};

/// The rules over inputs that have these columns: two, or one for a dedupe.
fn with_near(file: &RuleFile, link_type: LinkType, columns: &[Column], near: Option<f64>) -> Result<RuleSet> {
    let inputs = [InputColumns { name: "left", columns }, InputColumns { name: "right", columns }];
    let number = if link_type == LinkType::DedupeOnly { 1 } else { 2 };
    compile_within(file, link_type, &inputs[..number], &MemoryBudget::unlimited(), near)
}

fn compiled(link_type: LinkType, rule: &str, amount: f64) -> RuleSet {
    let column = |name: &str, ty| Column { name: name.into(), key: name.into(), ty: Ok(ty) };
    let columns =
        [column("a", Type::Text), column("b", Type::Text), column("y", Type::Number), column("v", Type::NumberList)];
    let mut file = RuleFile::default();
    file.add_rule(rule);
    with_near(&file, link_type, &columns, Some(amount)).unwrap()
}

/// The looser conditions of a rule.
fn looser(rule: &str, amount: f64) -> Vec<String> {
    compiled(LinkType::DedupeOnly, rule, amount).near.iter().map(|near| near.looser.to_string()).collect()
}

#[test]
fn similarities_by_the_amount_and_counts_by_one() {
    for (rule, expected) in [
        ("jaro(l.a, r.a) >= 0.9", "jaro(l.a, r.a) >= 0.85"),
        ("jaro(l.a, r.a) > 0.7", "jaro(l.a, r.a) > 0.65"),
        ("0.9 <= jaro_winkler(l.a, r.a)", "0.85 <= jaro_winkler(l.a, r.a)"),
        ("dice(words(l.a), words(r.a)) >= 1", "dice(words(l.a), words(r.a)) >= 0.95"),
        ("jaccard(qgrams(l.a, 3), qgrams(r.a, 3)) >= 0.03", "jaccard(qgrams(l.a, 3), qgrams(r.a, 3)) >= -0.02"),
        ("levenshtein(l.a, r.a) <= 2", "levenshtein(l.a, r.a) <= 3"),
        ("levenshtein(l.a, r.a) < 3", "levenshtein(l.a, r.a) < 4"),
        ("hamming(l.a, r.a) <= 1", "hamming(l.a, r.a) <= 2"),
        ("overlap(words(l.a), words(r.a)) >= 2", "overlap(words(l.a), words(r.a)) >= 1"),
        ("abs(l.y - r.y) <= 1", "abs(l.y - r.y) <= 2"),
        ("abs(date_diff_days(l.a, r.a)) <= 3", "abs(date_diff_days(l.a, r.a)) <= 4"),
        ("date_diff_days(l.a, r.a) >= -3", "date_diff_days(l.a, r.a) >= -4"),
        ("neighbours(l.a, r.a, 5)", "neighbours(l.a, r.a, 6)"),
        ("cosine_similarity(l.v, r.v) >= 0.5", "cosine_similarity(l.v, r.v) >= 0.45"),
        ("haversine_km(l.y, l.y, r.y, r.y) < 5", "haversine_km(l.y, l.y, r.y, r.y) < 6"),
    ] {
        assert_eq!(looser(rule, 0.05), [expected], "{rule}");
    }
}

#[test]
fn a_condition_that_must_be_false_is_loosened_the_other_way() {
    assert_eq!(looser("not (jaro(l.a, r.a) >= 0.9)", 0.05), ["not (jaro(l.a, r.a) >= 0.95)"]);
    assert_eq!(looser("not (levenshtein(l.a, r.a) <= 2)", 0.05), ["not (levenshtein(l.a, r.a) <= 1)"]);
    assert_eq!(
        looser("levenshtein(l.a, r.a) between 1 and 3", 0.05),
        ["levenshtein(l.a, r.a) >= 0", "levenshtein(l.a, r.a) <= 4"]
    );
}

#[test]
fn what_has_no_threshold_stays() {
    for rule in [
        "l.a = r.a",
        "levenshtein(l.a, r.a) = 1",
        "levenshtein(l.a, l.b) <= 1 and l.a = r.a",
        "l.y >= 18 and l.a = r.a",
        "abs(l.y - r.y) <= 0.5",
        "jaro(l.a, r.a) + jaro(l.b, r.b) >= 1.8",
        "coalesce(jaro(l.a, r.a), 1) >= 0.9",
        "l.y > r.y",
    ] {
        assert_eq!(looser(rule, 0.05), Vec::<String>::new(), "{rule}");
    }
}

#[test]
fn one_threshold_at_a_time_and_in_every_conjunction_that_has_it() {
    let set = compiled(LinkType::LinkOnly, "jaro(l.a, r.a) >= 0.9 and (l.b = r.b or osa(l.b, r.b) <= 1)", 0.1);
    assert_eq!((set.written_rules(), set.written_conjunctions(), set.near.len()), (1, 2, 2));
    let conjunctions = |rule: usize| -> Vec<String> {
        let own = set.conjunctions.iter().filter(|conjunction| conjunction.rule == rule);
        let shown = |literal: &Literal| LiteralRecord::new(*literal, &set.predicates).to_string();
        own.map(|conjunction| conjunction.literals.iter().map(shown).collect::<Vec<_>>().join(" & ")).collect()
    };
    assert_eq!(conjunctions(1), ["jaro(l.a, r.a) >= 0.8 & l.b = r.b", "jaro(l.a, r.a) >= 0.8 & osa(l.b, r.b) <= 1"]);
    assert_eq!(conjunctions(2), ["jaro(l.a, r.a) >= 0.9 & osa(l.b, r.b) <= 2"]);
}

#[test]
fn a_dedupe_loosens_both_ways_round() {
    let rule = "jaro(l.a, r.b) >= 0.9 and jaro(l.b, r.a) >= 0.9";
    let set = compiled(LinkType::DedupeOnly, rule, 0.05);
    // Exchanged, the second condition is the first.
    assert_eq!((set.near.len(), set.near[0].condition.to_string().as_str()), (1, "jaro(l.a, r.b) >= 0.9"));
    assert_eq!(set.conjunctions.iter().filter(|conjunction| conjunction.rule == 1).count(), 2);
    assert_eq!(compiled(LinkType::LinkOnly, rule, 0.05).near.len(), 2);
    let asymmetric = compiled(LinkType::DedupeOnly, "jaro(l.a, r.b) >= 0.9 and l.y > r.y", 0.05);
    assert!(asymmetric.rules[0].both_ways && !set.rules[0].both_ways);
    assert_eq!((asymmetric.near.len(), asymmetric.rules[1].conjunctions.len()), (1, 2));
}

#[test]
fn near_rules_change_nothing_of_the_others() {
    let rules = "levenshtein(l.a, r.a) <= 1 and osa(l.a, r.a) <= 2 and jaro(l.b, r.b) >= 0.9";
    let [without, with] = [None, Some(0.05)].map(|near| {
        let column = |name: &str| Column { name: name.into(), key: name.into(), ty: Ok(Type::Text) };
        let columns = [column("a"), column("b")];
        let mut file = RuleFile::default();
        file.add_rule(rules);
        file.add_rule("jaro(l.b, r.b) >= 0.85 and levenshtein(l.a, r.a) <= 1");
        with_near(&file, LinkType::DedupeOnly, &columns, near).unwrap().simplified()
    });
    assert_eq!(without.notes, with.notes);
    let written = with.rules.written_conjunctions();
    assert_eq!(written, without.rules.conjunctions.len());
    // The first rule with its similarity loosened gives what the second rule gives: it is left out.
    assert!(with.rules.near.iter().any(|near| near.looser.to_string() == "jaro(l.b, r.b) >= 0.85"));
    let near = &with.rules.rules[with.rules.written_rules()..];
    assert!(
        near.iter().any(|rule| rule.conjunctions.is_empty()) && near.iter().any(|rule| !rule.conjunctions.is_empty())
    );
}

#[test]
fn doubts_are_about_what_is_written() {
    let columns = [Column { name: "a".into(), key: "a".into(), ty: Ok(Type::Text) }];
    let mut file = RuleFile::parse("[[never]]\nwhen = \"jaro(l.a, r.a) >= 0.85\"\n", "rules.toml").unwrap();
    file.add_rule("l.a = r.a and jaro(l.a, r.a) >= 0.9");
    let set = with_near(&file, LinkType::DedupeOnly, &columns, Some(0.05)).unwrap();
    // All that the near rule gives is forbidden, and nobody wrote it.
    assert_eq!((set.near.len(), set.forbidden_rules().len()), (1, 0));
    assert_eq!(set.equal_ids("a").len(), 1);
}

#[test]
fn thousands_of_thresholds_in_one_condition_are_refused() {
    let many: Vec<String> = (0..3000).map(|at| format!("levenshtein(l.a, r.a) <= {at}")).collect();
    let column = Column { name: "a".into(), key: "a".into(), ty: Ok(Type::Text) };
    let mut file = RuleFile::default();
    file.add_rule(&many.join(" and "));
    let columns = [column];
    let error = with_near(&file, LinkType::LinkOnly, &columns, Some(0.1)).unwrap_err();
    assert!(error.message().starts_with("the rules have too many thresholds"), "{error}");
}
