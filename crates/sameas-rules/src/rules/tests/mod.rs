//! Rules as users write them: what they become, and how mistakes are reported.

mod hostile;
mod keys;
mod names;

use super::*;
use crate::expr::Type;

fn columns() -> Vec<Column> {
    let column = |name: &str, ty| Column { name: name.into(), key: name.into(), ty: Ok(ty) };
    vec![
        column("name", Type::Text),
        column("given", Type::Text),
        column("surname", Type::Text),
        column("phone", Type::Text),
        column("zip", Type::Text),
        column("year", Type::Number),
        column("born", Type::Date),
        column("tags", Type::TextList),
        column("v", Type::NumberList),
        column("City", Type::Text),
    ]
}

fn compiled(link_type: LinkType, rules: &[&str]) -> crate::error::Result<RuleSet> {
    let mut file = RuleFile::default();
    rules.iter().for_each(|rule| file.add_rule(rule));
    let columns = columns();
    compile(&file, link_type, [&columns, &columns])
}

fn dedupe(rule: &str) -> RuleSet {
    compiled(LinkType::DedupeOnly, &[rule]).unwrap_or_else(|e| panic!("{rule}: {e}"))
}

fn mistake(rule: &str) -> String {
    compiled(LinkType::DedupeOnly, &[rule]).expect_err(rule).to_string()
}

/// Each conjunction as the texts of its literals, negated ones with `!`.
fn shape(rules: &RuleSet) -> Vec<Vec<String>> {
    let text = |l: &Literal| format!("{}{}", if l.want { "" } else { "!" }, rules.predicates[l.predicate].text);
    rules.conjunctions.iter().map(|c| c.literals.iter().map(text).collect()).collect()
}

#[test]
fn symmetric_rules_have_one_orientation_and_asymmetric_ones_two() {
    for rule in [
        "l.name = r.name",
        "jaro(l.name, r.name) >= 0.9 and l.zip = r.zip",
        "abs(l.year - r.year) <= 1",
        "l.year - r.year = 0 or r.year - l.year = 0",
        "neighbours(l.name, r.name, 5)",
        "haversine_km(l.year, l.year, r.year, r.year) < 1",
        "l.given = r.surname and r.given = l.surname",
        "l.name is not distinct from r.name",
        "jaro(l.name, r.name) + jaro(l.zip, r.zip) > 1.5",
    ] {
        let set = dedupe(rule);
        let swapped = shape(&set).len();
        assert!(swapped <= 2 && (swapped == 1 || rule.contains(" or ")), "{rule}: {:?}", shape(&set));
    }
    for rule in ["l.given = r.surname", "l.year < r.year", "l.name = r.name and l.zip = '1'", "l.year - r.year = 1"] {
        assert_eq!(dedupe(rule).conjunctions.len(), 2, "{rule}");
        assert_eq!(compiled(LinkType::LinkOnly, &[rule]).unwrap().conjunctions.len(), 1, "{rule}");
    }
}

#[test]
fn or_is_distributed_and_not_pushed_down() {
    let set = dedupe("l.name = r.name and (l.zip = r.zip or not (l.phone = r.phone and l.year = r.year))");
    assert_eq!(
        shape(&set),
        [
            vec!["l.name = r.name", "l.zip = r.zip"],
            vec!["l.name = r.name", "!l.phone = r.phone"],
            vec!["l.name = r.name", "!l.year = r.year"]
        ]
    );
    assert_eq!(shape(&dedupe("l.name <> r.name")), [["!l.name = r.name"]]);
    assert_eq!(shape(&dedupe("l.name in (r.name, r.given) and l.zip = r.zip")).len(), 3);
}

#[test]
fn conditions_on_one_record_stay_whole() {
    let set =
        compiled(LinkType::LinkOnly, &["l.name = r.name and (l.zip = '1' or l.zip = '2' or l.phone is null)"]).unwrap();
    assert_eq!(set.conjunctions.len(), 1);
}

#[test]
fn too_many_conjunctions_stay_one_step() {
    let either = |i: usize| format!("(l.name = r.name or l.year = r.year + {i})");
    let rule = (0..10).map(either).collect::<Vec<_>>().join(" and ");
    let set = compiled(LinkType::LinkOnly, &[&rule]).unwrap();
    assert_eq!(set.conjunctions.len(), 64);
    assert!(set.conjunctions.iter().all(|c| c.literals.len() <= 10));
}

#[test]
fn a_predicate_in_several_rules_is_one_predicate() {
    let set = compiled(
        LinkType::DedupeOnly,
        &["l.name = r.name", "r.name = l.name and l.zip = r.zip", "not (r.name <> l.name)"],
    )
    .unwrap();
    assert_eq!(set.predicates.len(), 2);
}

#[test]
fn mistakes_are_underlined_with_advice() {
    let unknown = mistake("l.nmae = r.name");
    assert_eq!(
        unknown,
        "unknown column `l.nmae`\n --> rule \"rule_1\", given without a file\n  |\n1 | l.nmae = r.name\n  | ^^^^^^\n  = help: did you mean `l.name`?"
    );
    for (rule, message, help) in [
        ("name = r.name", "`name` does not say which record", "write `l.name` or `r.name`"),
        ("jaro(l.name, r.name)", "without a threshold", "`jaro(l.name, r.name) >= 0.9`"),
        ("levenshtein(l.name, r.name) and l.zip = r.zip", "without a threshold", "<= 2"),
        ("jaro_wnkler(l.name, r.name) > 0.9", "unknown function `jaro_wnkler`", "did you mean `jaro_winkler`?"),
        ("jaccard(l.name, r.name) > 0.5", "needs a list of texts, this is text", "words(...)"),
        ("lower(l.tags) = r.name", "needs text, this is a list", "list_has_any"),
        ("l.tags = r.tags", "lists cannot be compared", "list_has_any"),
        ("l.born = r.year", "cannot be compared", "cast"),
        ("1 = 1", "true for every pair", "compare columns"),
        ("l.name = r.name and false", "false for every pair", "compare columns"),
        ("l.name = null and 1 = null", "a comparison with null is never true", "is null"),
        ("l.name = r.name and not (l.name = r.name)", "can never hold", "exclude"),
        ("count(l.name) > 1", "unknown function `count`", "aggregates"),
        ("l.name in (select 1)", "subquery", "columns of `l` and `r`"),
        ("l.name =", "expected an expression", ""),
        ("levenshtein(l.name, r.name) =< 1", "expected an expression, found: <", "at most is written `<=`"),
        ("l.name = r.name r.zip", "unexpected `r`", "and"),
        ("x.name = r.name", "unknown record `x`", "`l` and `r`"),
        ("substr(l.name) = r.name", "takes 2 to 3 arguments, not 1", ""),
        ("regexp_extract(l.name, '(') = 'a'", "not a regular expression", ""),
        ("overlap(qgrams(l.name, 0), qgrams(r.name, 0)) > 1", "at least 1", "3"),
        ("neighbours(l.name, r.zip, 3)", "same expression", "neighbours"),
        ("neighbours(l.name, r.name)", "needs a key", "20"),
        ("l.name", "is text, but a condition is needed", "compare"),
        ("l.City ~ r.City", "not part of the rule language", ""),
        ("cast(l.name as interval) = 'x'", "cannot cast", "varchar"),
    ] {
        let message_text = mistake(rule);
        assert!(message_text.contains(message) && message_text.contains(help), "{rule}:\n{message_text}");
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let message_text = compiled(LinkType::DedupeOnly, &["l.nam = r.nam", "foo(l.name) = 1 and bar(r.zip) = 2"])
        .unwrap_err()
        .to_string();
    assert!(message_text.starts_with("4 mistakes in the rules"), "{message_text}");
}

#[test]
fn names_match_whatever_their_case_unless_two_differ_only_in_it() {
    assert_eq!(dedupe("l.CITY = r.city").predicates.len(), 1);
    let mut columns = columns();
    columns.push(Column { name: "city".into(), key: "city".into(), ty: Ok(Type::Text) });
    let compile_one = |rule: &str| {
        let mut file = RuleFile::default();
        file.add_rule(rule);
        compile(&file, LinkType::DedupeOnly, [&columns, &columns])
    };
    assert!(compile_one("l.city = r.city").unwrap_err().to_string().contains("double quotes"));
    assert!(compile_one("l.\"City\" = r.\"city\"").is_ok());
}

#[test]
fn derives_come_in_the_order_they_need_and_cycles_are_reported() {
    let compile_job = |text: &str| {
        let columns = columns();
        compile(&RuleFile::parse(text, "j.toml").unwrap(), LinkType::DedupeOnly, [&columns, &columns])
    };
    let set = compile_job(
        "[derive]\na = \"b || name\"\nb = \"lower(zip)\"\nname = \"upper(name)\"\n[[rule]]\nwhen = \"l.a = r.a\"\n",
    )
    .unwrap();
    let order: Vec<&str> = set.derived[0].iter().map(|d| d.name.as_str()).collect();
    assert_eq!(order, ["b", "name", "a"]);
    let text = "[derive]\na = \"lower(zip)\"\nb = \"a || 'x'\"\nc = \"a\"\n[[rule]]\nwhen = \"l.b = r.b\"\n";
    let set = compile_job(text).unwrap();
    let kept: Vec<&str> = set.derived[0].iter().map(|d| d.name.as_str()).collect();
    assert_eq!((kept, set.unused_derived), (vec!["a", "b"], vec!["c".to_owned()]));
    let cycle =
        compile_job("[derive]\na = \"b\"\nb = \"a\"\n[[rule]]\nwhen = \"l.a = r.a\"\n").unwrap_err().to_string();
    assert!(cycle.contains("depend on each other: `a`, `b`"), "{cycle}");
}

#[test]
fn syntax_is_checked_without_inputs() {
    let mut file = RuleFile::default();
    file.add_rule("l.anything = r.anything and jaro(l.x, r.y) >= 0.9");
    file.check_syntax().unwrap();
    file.add_rule("jaro(l.x, r.y)");
    file.add_rule("l.x == = r.x");
    assert!(file.check_syntax().unwrap_err().to_string().starts_with("2 mistakes"));
}

/// A conjunction of something and its opposite never holds, and says where a level is null.
#[test]
fn a_level_keeps_what_makes_it_null() {
    let text = "[[compare]]\nlevels = [\"(l.name = r.name or l.zip = r.zip) and not (l.name = r.name)\"]\n";
    let columns = columns();
    let file = RuleFile::parse(text, "j.toml").unwrap();
    let set = compile(&file, LinkType::DedupeOnly, [&columns, &columns]).unwrap();
    let level = &set.scoring.comparisons[0].levels[0];
    let text = |l: &Literal| format!("{}{}", if l.want { "" } else { "!" }, set.predicates[l.predicate].text);
    let shape: Vec<Vec<String>> = level.conjunctions.iter().map(|all| all.iter().map(text).collect()).collect();
    assert_eq!(shape, [["l.zip = r.zip", "!l.name = r.name"], ["l.name = r.name", "!l.name = r.name"]]);
    assert_eq!(level.ways.len(), 1);
    // A rule asks only where it holds.
    let set = dedupe("(l.name = r.name or l.zip = r.zip) and not (l.name = r.name)");
    assert_eq!(set.conjunctions.len(), 1);
    let never = text_of_mistake("[[compare]]\nlevels = [\"l.name = r.name and l.name <> r.name\"]\n");
    assert!(never.starts_with("this condition can never hold: it requires something and its opposite\n"), "{never}");
}

/// `p is true` is joined on like `p`, and is never null.
#[test]
fn a_level_that_is_true_has_the_ways_of_its_condition() {
    let columns = columns();
    let shapes = |condition: &str| {
        let text = format!("[[compare]]\nlevels = [\"{condition}\"]\n");
        let file = RuleFile::parse(&text, "j.toml").unwrap();
        let set = compile(&file, LinkType::LinkOnly, [&columns, &columns]).unwrap();
        let text = |l: &Literal| format!("{}{}", if l.want { "" } else { "!" }, set.predicates[l.predicate].text);
        let shape = |all: &[Vec<Literal>]| -> Vec<String> {
            all.iter().map(|all| all.iter().map(text).collect::<Vec<_>>().join(" & ")).collect()
        };
        let level = &set.scoring.comparisons[0].levels[0];
        (shape(&level.conjunctions), shape(&level.ways), level.is_never_null)
    };
    let of = |conjunctions: &[&str], ways: &[&str], is_never_null: bool| {
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        (texts(conjunctions), texts(ways), is_never_null)
    };
    let (name, zip) = ("l.name = r.name", "l.zip = r.zip");
    let both = format!("{name} & {zip}");
    let test = format!("({name} and {zip}) is true");
    assert_eq!(shapes(&test), of(&[&format!("{both} & {test}")], &[&both], true));
    let either = format!("({name} or {zip}) is true");
    let (first, second) = (format!("{name} & {either}"), format!("{zip} & {either}"));
    assert_eq!(shapes(&either), of(&[&first, &second], &[name, zip], true));
    let neither = format!("({name} or {zip}) is false");
    let ways = format!("!{name} & !{zip}");
    assert_eq!(shapes(&neither), of(&[&format!("{ways} & {neither}")], &[&ways], true));
    let one = format!("({zip}) is true");
    assert_eq!(shapes(&format!("{name} and {one}")), of(&[&format!("{both} & {one}")], &[&both], false));
    // False or null: no conjunction says that.
    let not_true = format!("({name}) is not true");
    let literal = format!("!({name}) is true");
    assert_eq!(shapes(&not_true), of(&[&literal], &[&literal], true));
    // A rule asks only where it holds.
    let set = dedupe(&either);
    assert_eq!(set.conjunctions.iter().map(|of| of.literals.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(set.predicates.len(), 2);
}

fn text_of_mistake(text: &str) -> String {
    let columns = columns();
    let file = RuleFile::parse(text, "j.toml").unwrap();
    compile(&file, LinkType::DedupeOnly, [&columns, &columns]).unwrap_err().to_string()
}
