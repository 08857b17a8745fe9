//! What is concluded from sums, and that it holds wherever they do.

mod world;

use proptest::prelude::*;

use crate::rules::{LinkType, Literal, RuleSet};
use world::{World, compiled};

/// What can be joined on besides what a rule says, as texts.
fn concluded(rule: &str) -> Vec<String> {
    let set = compiled(LinkType::LinkOnly, rule);
    let written: Vec<usize> = literals(&set).map(|literal| literal.predicate).collect();
    let unwritten = (0..set.predicates.len()).filter(|at| !written.contains(at));
    unwritten.map(|at| set.predicates[at].text.clone()).collect()
}

fn literals(set: &RuleSet) -> impl Iterator<Item = Literal> + '_ {
    set.conjunctions.iter().flat_map(|conjunction| &conjunction.literals).copied()
}

const A: &str = "levenshtein(l.a, r.a)";
const B: &str = "levenshtein(l.b, r.b)";
const J: &str = "jaro(l.a, r.a)";
const K: &str = "jaro(l.b, r.b)";

fn bounds(all: &[(&str, &str)]) -> Vec<String> {
    all.iter().map(|(measure, bound)| format!("{measure} {bound}")).collect()
}

#[test]
fn distances_of_a_sum_have_its_bound() {
    let two = bounds(&[(A, "<= 2"), (B, "<= 2")]);
    for rule in [
        format!("{A} + {B} <= 2"),
        format!("{A} + {B} < 3"),
        format!("2 >= {A} + {B}"),
        format!("not ({A} + {B} > 2)"),
        format!("{A} + {B} = 2"),
        format!("{A} + {B} between 1 and 2"),
        format!("{A} <= 2 - {B}"),
        format!("-{A} - {B} >= -2"),
        format!("1 + {A} + {B} <= 3"),
        format!("({A} + {B}) / 2 <= 1"),
        format!("({A} + {B}) / 3 < 1"),
        format!("0.5 * ({A} + {B}) <= 1.2"),
        format!("{A} + {B} + abs(l.n - r.n) * 0 <= 2"),
        format!("abs({A} + {B}) <= 2.5"),
        format!("({A} + {B} <= 2) is true"),
    ] {
        assert_eq!(concluded(&rule), two, "{rule}");
    }
    assert_eq!(concluded(&format!("2 * {A} + {B} <= 5")), bounds(&[(A, "<= 2"), (B, "<= 5")]));
    assert_eq!(concluded(&format!("{A} - {B} <= 5")), [""; 0]);
    assert_eq!(concluded(&format!("{A} - {J} <= 1")), bounds(&[(A, "<= 2")]));
    assert_eq!(concluded(&format!("{A} + {J} >= 1")), [""; 0]);
    assert_eq!(concluded(&format!("{A} * {J} <= 1")), [""; 0]);
    let days = "abs(l.d - r.d)";
    assert_eq!(concluded(&format!("{days} + {A} < 5")), bounds(&[(days, "< 5"), (A, "<= 4")]));
}

#[test]
fn similarities_of_an_average_have_a_bound() {
    let found = |rule: &str, names: &[&str]| -> Vec<f64> {
        let texts = concluded(rule);
        assert_eq!(texts.len(), names.len(), "{rule}: {texts:?}");
        let number = |(text, name): (&String, &&str)| text.strip_prefix(&format!("{name} >= "))?.parse().ok();
        texts.iter().zip(names).map(number).collect::<Option<_>>().unwrap_or_else(|| panic!("{rule}: {texts:?}"))
    };
    let near = |found: &[f64], expected: &[f64]| {
        let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(apart.clone().all(|apart| apart < 1e-15), "{found:?} {expected:?}");
    };
    near(&found(&format!("({J} + {K}) / 2 >= 0.95"), &[J, K]), &[0.9, 0.9]);
    near(&found(&format!("0.6 * {J} + 0.4 * {K} >= 0.9"), &[J, K]), &[5.0 / 6.0, 0.75]);
    near(&found(&format!("(3 * {J} + 2 * {K}) / 5 >= 0.9"), &[J, K]), &[5.0 / 6.0, 0.75]);
    near(&found(&format!("0.8 * {J} + 0.2 * {K} >= 0.7"), &[J]), &[0.625]);
    near(&found(&format!("{J} * {K} >= 0.9"), &[J, K]), &[0.9, 0.9]);
    assert_eq!(concluded(&format!("{J} - {A} >= 0.25")), bounds(&[(J, ">= 0.25"), (A, "<= 0")]));
    near(&found(&format!("coalesce({J}, 0) + coalesce({K}, 0.5) >= 1.9"), &[J, K]), &[0.9, 0.9]);
    near(&found(&format!("greatest({J}, 0.3) >= 0.9"), &[J]), &[0.9]);
    assert_eq!(concluded(&format!("coalesce({J}, 1) + {K} >= 1.9")).len(), 1);
    assert_eq!(concluded(&format!("greatest({J}, {K}) >= 0.9")), [""; 0]);
    assert_eq!(concluded(&format!("{J} + {K} >= 3")), [""; 0]);
    assert_eq!(concluded(&format!("{J} + {K} >= 1")), [""; 0]);
    assert_eq!(concluded(&format!("{J} + l.n >= 1.9")), [""; 0]);
}

#[test]
fn cases_have_the_conditions_that_they_need() {
    let of = |first: &str| format!("{first} + case when l.b = r.b then 2 else 0 end >= 4");
    let [same, near] = ["l.a = r.a", "levenshtein(l.a, r.a) <= 1"];
    for (case, expected) in [
        (format!("case when {same} then 3 else 0 end"), vec![same, "l.b = r.b"]),
        // One is weaker than the other, or the other one does not suffice.
        (format!("case when {same} then 3 when {near} then 2 else 0 end"), vec![near, "l.b = r.b"]),
        (format!("case when {same} then 3 when {near} then 1 else 0 end"), vec![same, "l.b = r.b"]),
        (format!("case when {same} then 3 when {near} then 2 end"), vec![near, "l.b = r.b"]),
        (format!("case when {same} and l.n = r.n then 3 else 0 end"), vec![same, "l.n = r.n", "l.b = r.b"]),
        // Nothing is common to all ways.
        (format!("case when {same} then 3 when l.n = r.n then 2 else 0 end"), vec!["l.b = r.b"]),
        (format!("case when {same} then 5 else 2 end"), vec![]),
        (format!("case when {same} then 5 else 3 end"), vec![]),
        (format!("case when not ({same}) then 0 else 4 end"), vec![]),
    ] {
        assert_eq!(concluded(&of(&case)), expected, "{case}");
    }
    assert_eq!(concluded(&format!("case when {same} then true when {near} then true end")), [near]);
    assert_eq!(concluded(&format!("coalesce({A} + {B} <= 2, false)")), bounds(&[(A, "<= 2"), (B, "<= 2")]));
}

#[test]
fn a_conclusion_that_a_rule_says_is_that_predicate() {
    let set = compiled(LinkType::DedupeOnly, &format!("{A} + {B} <= 2 and {A} <= 2"));
    assert_eq!(set.predicates.len(), 3);
    let simplified = set.simplified();
    // It is cheaper than the sum, and stays.
    assert_eq!((simplified.rules.conjunctions[0].literals.len(), simplified.notes.len()), (2, 0));
    let [sum, part] = [0, 1].map(|at| simplified.rules.conjunctions[0].literals[at]);
    assert!(simplified.implications.implies(sum, part) && !simplified.implications.implies(part, sum));
}

#[test]
fn weaker_conditions_of_other_rules_follow_from_a_sum() {
    let file = format!("{A} + {B} <= 2 or osa(l.a, r.a) <= 3 or {A} > 4 and {A} + {B} <= 1");
    let simplified = compiled(LinkType::DedupeOnly, &file).simplified();
    // The first way is one of the second, and the third contradicts itself.
    assert_eq!(simplified.rules.conjunctions.len(), 1, "{:?}", simplified.notes);
}

/// A term of both records, or of one.
fn term() -> impl Strategy<Value = String> {
    let measure = prop::sample::select(vec![
        A,
        B,
        J,
        K,
        "osa(l.a, r.b)",
        "hamming(l.a, r.a)",
        "levenshtein_similarity(l.a, r.a)",
        "jaccard(qgrams(l.a, 2), qgrams(r.a, 2))",
        "cosine(qgrams(l.b, 1), qgrams(r.b, 1))",
        "overlap(qgrams(l.a, 1), qgrams(r.a, 1))",
        "abs(l.n - r.n)",
        "abs(l.x - r.x)",
        "abs(l.f - r.f)",
        "abs(l.d - r.d)",
        "l.n",
    ]);
    let choices = (measure.clone(), measure.clone(), 0..6_u8).prop_map(|(a, b, which)| match which {
        0 => format!("coalesce({a}, {b})"),
        1 => format!("greatest({a}, 1)"),
        2 => format!("least({a}, {b}, 2)"),
        3 => format!("case when l.a = r.a then 3 when {a} <= 1 then 2.5 else 0 end"),
        4 => format!("case when {a} < {b} then {a} when l.n = r.n then 1 end"),
        _ => format!("abs({a} - {b})"),
    });
    prop_oneof![4 => measure.prop_map(str::to_owned), 1 => choices]
}

fn weight() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["1", "2", "3", "0.6", "0.4", "0.1", "-1", "0.3333333333333333", "1e-3", "0", "1e16"])
}

/// A sum of terms with weights, in some form, compared with a number near its values.
fn condition() -> impl Strategy<Value = String> {
    let weighted = (term(), weight()).prop_map(|(term, weight)| match weight {
        "1" => term,
        weight if weight.len() % 2 == 0 => format!("{term} * {weight}"),
        weight => format!("{weight} * {term}"),
    });
    let sum = prop::collection::vec((weighted, prop::bool::weighted(0.8)), 1..4).prop_map(|terms| {
        let signed = |(term, plus): (String, bool)| format!(" {} {term}", if plus { "+" } else { "-" });
        format!("0{}", terms.into_iter().map(signed).collect::<String>())
    });
    let divided = (sum, prop::sample::select(vec!["", " / 2", " / 3", " / 0.7", " / -5"]))
        .prop_map(|(sum, by)| format!("({sum}){by}"));
    let sign = prop::sample::select(vec!["<", "<=", ">", ">=", "=", "<>"]);
    let at = prop::sample::select(vec!["0", "0.3", "0.5", "0.9", "0.95", "1", "1.9", "2", "2.5", "3", "-1", "1e16"]);
    (divided, sign, at, any::<bool>()).prop_map(|(sum, sign, at, not)| {
        if not { format!("not ({sum} {sign} {at})") } else { format!("{at} {sign} {sum}") }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn conclusions_hold_where_their_condition_does(condition in condition()) {
        let world = World::new();
        prop_assert_eq!(world.counterexample(&condition), None);
    }
}
