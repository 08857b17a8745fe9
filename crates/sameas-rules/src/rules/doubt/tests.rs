//! Conditions that are likely mistakes, and conditions that are not.

use super::*;
use crate::expr::Type;
use crate::rules::{Column, LinkType, RuleFile, compile};

fn columns() -> Vec<Column> {
    let column = |(name, ty): &(&str, Type)| Column { name: (*name).into(), key: (*name).into(), ty: Ok(*ty) };
    let texts = ["name", "given", "email", "zip", "age", "born_text"].map(|name| (name, Type::Text));
    let others = [("year", Type::Number), ("born", Type::Date), ("tags", Type::TextList), ("v", Type::NumberList)];
    texts.iter().chain(&others).map(column).collect()
}

fn doubts(rule: &str) -> Vec<Doubt> {
    let mut file = RuleFile::default();
    file.add_rule(rule);
    let columns = columns();
    let with_columns =
        compile(&file, LinkType::LinkOnly, [&columns, &columns]).unwrap_or_else(|e| panic!("{rule}: {e}"));
    with_columns.doubts
}

/// The rule has this doubt and no other, with these parts in its text; the columns' types are not needed for it.
fn has(rule: &str, kind: DoubtKind, severity: Severity, underlined: &str, parts: &[&str]) {
    let found = doubts(rule);
    assert_eq!(found.len(), 1, "{rule}: {found:#?}");
    assert_eq!((found[0].kind, found[0].severity, found[0].condition.as_str()), (kind, severity, underlined), "{rule}");
    for part in parts {
        assert!(found[0].to_string().contains(part), "{rule}: {part}\n{}", found[0]);
    }
    let mut file = RuleFile::default();
    file.add_rule(rule);
    let without = file.check_syntax().unwrap();
    assert_eq!(without.iter().map(|doubt| doubt.kind).collect::<Vec<_>>(), [kind], "{rule}");
}

use DoubtKind as K;
use Severity::{Mistake, Warning};

#[test]
fn numbers_outside_their_range() {
    let jaro = "jaro_winkler(l.name, r.name)";
    for (rule, severity, parts) in [
        ("jaro_winkler(l.name, r.name) > 90", Mistake, &["is between 0 and 1", "did you mean 0.9?"][..]),
        ("90 <= jaro_winkler(l.name, r.name)", Mistake, &["did you mean 0.9?"]),
        ("jaro_winkler(l.name, r.name) >= 1.5", Mistake, &["can never hold", "between 0 and 1"]),
        ("jaro_winkler(l.name, r.name) > 1", Mistake, &["can never hold"]),
        ("jaro_winkler(l.name, r.name) < 0", Mistake, &["can never hold"]),
        ("jaro_winkler(l.name, r.name) = 2", Mistake, &["inside that range"]),
        ("jaccard(words(l.name), words(r.name)) >= 80", Mistake, &["did you mean 0.8?"]),
        ("cosine(words(l.name), words(r.name)) >= 80", Mistake, &["did you mean 0.8?"]),
        ("cosine_similarity(l.v, r.v) > 1.1", Mistake, &["between -1 and 1"]),
        ("levenshtein(l.name, r.name) < 0", Mistake, &["is at least 0"]),
        ("haversine_km(l.year, l.year, r.year, r.year) < 0", Mistake, &["between 0 and"]),
        ("haversine_km(l.year, l.year, r.year, r.year) > 30000", Mistake, &["between 0 and"]),
        ("abs(l.year - r.year) < 0", Mistake, &["at least 0"]),
        ("l.name = r.name and month(l.born) = 13", Mistake, &["between 1 and 12"]),
        ("l.name = r.name and day(l.born) > 31", Mistake, &["between 1 and 31"]),
        ("l.name = r.name and length(l.name) = 0", Mistake, &["is at least 1", "an empty text is null"]),
        ("jaro(l.name, r.name) + jaro(l.given, r.given) > 2.5", Mistake, &["between 0 and 2"]),
        ("0.5 * jaro(l.name, r.name) + 0.5 * jaro(l.given, r.given) > 1", Mistake, &["between 0 and 1"]),
        ("l.zip = r.zip and case when l.name = r.name then 3 else 1 end > 3", Mistake, &["between 1 and 3"]),
    ] {
        let condition = rule.strip_prefix("l.name = r.name and ").unwrap_or(rule);
        has(rule, K::OutOfRange, severity, condition.strip_prefix("l.zip = r.zip and ").unwrap_or(condition), parts);
    }
    for rule in ["<= 1", ">= 0", "< 2", "<> 7"] {
        let rule = format!("{jaro} {rule}");
        has(&rule, K::WholeRange, Warning, &rule, &["holds for every value", "between 0 and 1"]);
    }
    has(&format!("not ({jaro} > 90)"), K::WholeRange, Warning, &format!("{jaro} > 90"), &["did you mean 0.9?"]);
}

#[test]
fn counts_and_fractions() {
    let help = "did you mean `levenshtein_similarity(l.name, r.name) >= 0.8`?";
    for rule in ["levenshtein(l.name, r.name) <= 0.8", "levenshtein(l.name, r.name) <= 0.2"] {
        has(rule, K::FractionOfCount, Warning, rule, &["a number of edits", help]);
    }
    let overlap = "overlap(words(l.name), words(r.name)) >= 0.5";
    let help = "did you mean `overlap_coefficient(words(l.name), words(r.name)) >= 0.5`?";
    has(overlap, K::FractionOfCount, Warning, overlap, &["common elements", help]);
    has("osa(l.name, r.name) = 1.5", K::FractionOfCount, Mistake, "osa(l.name, r.name) = 1.5", &["whole number"]);
    let equal = "jaro(l.name, r.name) = 0.9";
    has(equal, K::EqualToFraction, Warning, equal, &["did you mean `jaro(l.name, r.name) >= 0.9`?"]);
    let year = "year(l.born) = 85";
    has(&format!("l.name = r.name and {year}"), K::ShortYear, Warning, year, &["four digits", "such as 1985"]);
    let date = "l.name = r.name and l.born_text > 2024-05-31";
    has(date, K::UnquotedDate, Warning, "2024-05-31", &["difference of numbers", "date '2024-05-31'"]);
    let narrow = "neighbours(l.name, r.name, 1)";
    has(narrow, K::NarrowWindow, Mistake, narrow, &["the window holds one record", "at least 2"]);
}

#[test]
fn differences_without_abs() {
    for (rule, help) in [
        ("l.year - r.year <= 5", "`abs(l.year - r.year) <= 5`"),
        ("5 > l.year - r.year", "`abs(l.year - r.year) < 5`"),
        ("l.year - r.year >= -5", "`abs(l.year - r.year) <= 5`"),
        ("date_diff_days(l.born, r.born) <= 30", "`abs(date_diff_days(l.born, r.born)) <= 30`"),
        ("l.born - r.born <= 30", "`abs(l.born - r.born) <= 30`"),
    ] {
        has(rule, K::SignedDifference, Warning, rule, &["may be negative", help]);
    }
    let rule = "l.name = r.name and l.year - r.year <= 5";
    has(rule, K::SignedDifference, Warning, "l.year - r.year <= 5", &["abs("]);
}

#[test]
fn conditions_that_exclude_each_other_or_leave_nothing_out() {
    let with = |rest: &str| format!("l.name = r.name and {rest}");
    for (rest, underlined) in [
        ("l.year > 2000 and l.year < 1990", "l.year < 1990"),
        ("l.year between 10 and 5", "l.year between 10 and 5"),
        ("l.name = 'a' and l.name = 'b'", "l.name = 'b'"),
        ("l.born > date '2024-01-01' and l.born < date '2023-01-01'", "l.born < date '2023-01-01'"),
        ("not (l.year <= 2000 or l.year >= 1990)", "l.year >= 1990"),
    ] {
        has(&with(rest), K::Contradiction, Mistake, underlined, &["can never hold"]);
    }
    for (rest, underlined) in [
        ("(l.zip <> 'a' or l.zip <> 'b')", "l.zip <> 'b'"),
        ("(l.year > 5 or l.year < 10)", "l.year < 10"),
        ("(l.zip = r.zip or l.zip <> r.zip)", "l.zip <> r.zip"),
        ("(l.zip like 'a%' or l.zip not like 'a%')", "l.zip not like 'a%'"),
    ] {
        has(&with(rest), K::Tautology, Warning, underlined, &["holds for every value"]);
    }
    has(&with("(l.zip = r.zip or true)"), K::ConstantPart, Warning, "true", &["`true` is true for every pair"]);
    has(&with("1 = 1"), K::ConstantPart, Warning, "1 = 1", &["`1 = 1` is true for every pair"]);
}

#[test]
fn texts_that_never_come() {
    let with = |rest: &str| format!("l.email = r.email and {rest}");
    for (rest, kind, parts) in [
        ("l.name = ''", K::EmptyText, &["an empty text is null", "`l.name is null`"][..]),
        ("lower(l.name) = 'ABC'", K::OtherCase, &["leaves no upper-case letters", "did you mean 'abc'?"]),
        ("upper(l.name) = 'abc'", K::OtherCase, &["did you mean 'ABC'?"]),
        ("lower(l.name) like 'A%'", K::OtherCase, &["did you mean 'a%'?"]),
        ("starts_with(upper(l.name), 'ab')", K::OtherCase, &["did you mean 'AB'?"]),
        ("substr(l.name, 1, 3) = 'abcd'", K::OtherLength, &["at most 3 characters, the text has 4"]),
        ("left(l.name, 2) = 'abc'", K::OtherLength, &["at most 2 characters"]),
        ("right(l.name, 1) = 'ab'", K::OtherLength, &["at most 1 character,"]),
        ("digits(l.zip) = '12a'", K::UnreachableText, &["`digits` never gives this text", "did you mean '12'?"]),
        ("strip_accents(l.name) = 'José'", K::UnreachableText, &["did you mean 'Jose'?"]),
        ("trim(l.name) = ' a'", K::UnreachableText, &["did you mean 'a'?"]),
        ("soundex(l.name) = 'Robert'", K::UnreachableText, &["a letter and three digits", "soundex('Robert')"]),
    ] {
        has(&with(rest), kind, Mistake, rest, parts);
    }
    has(&with("l.name <> ''"), K::EmptyText, Warning, "l.name <> ''", &["`l.name is not null`"]);
    has(&with("lower(l.name) in ('A', 'b')"), K::OtherCase, Warning, "'A'", &["this is never found", "'a'"]);
    has(&with("lower(l.name) in ('A')"), K::OtherCase, Mistake, "'A'", &["can never hold"]);
    for test in ["is null", "is not null"] {
        for emptied in ["digits(l.zip)", "lower(trim(l.zip))", "substr(l.zip, 3)", "split_part(l.zip, '-', 2)"] {
            let condition = format!("{emptied} {test}");
            let help = format!("write `nullif({emptied}, '') {test}`");
            let message = format!("`{emptied}` may be an empty text, which is null in columns only, and not here");
            has(&with(&condition), K::EmptyNotNull, Warning, &condition, &[message.as_str(), help.as_str()]);
        }
    }
    let cases = "lower(l.name) = upper(r.name)";
    has(cases, K::OtherCase, Warning, cases, &["use `lower` on both sides"]);
    has(&with("l.name in (null)"), K::NullInList, Mistake, "l.name in (null)", &["nothing equals null"]);
    has(&with("l.name in ('a', null)"), K::NullInList, Warning, "null", &["never found"]);
    has(&with("l.name not in ('a', null)"), K::NullInList, Mistake, "l.name not in ('a', null)", &["`not in` is null"]);
}

#[test]
fn one_record_and_mixed_sets() {
    has("l.email = l.email", K::SameValue, Warning, "l.email = l.email", &["did you mean `l.email` and `r.email`?"]);
    has("l.zip = r.zip and l.email <> l.email", K::SameValue, Mistake, "l.email <> l.email", &["the same value"]);
    let lower = "lower(l.email) = lower(l.email)";
    has(lower, K::SameValue, Warning, lower, &["`lower(r.email)`"]);
    has("l.given = l.name", K::OneRecordRule, Warning, "l.given = l.name", &["reads `l` only", "of `r`"]);
    has("l.zip = r.zip or l.given = 'x'", K::OneRecordRule, Warning, "l.given = 'x'", &["every other record"]);
    let jaro = "jaro(l.given, l.name)";
    has(
        &format!("l.zip = r.zip and {jaro} > 0.9"),
        K::OneRecordMeasure,
        Warning,
        jaro,
        &["`r.name` in place of `l.name`"],
    );
    let mixed = "jaccard(qgrams(l.name, 2), qgrams(r.name, 3))";
    has(&format!("{mixed} > 0.5"), K::MixedTokens, Warning, mixed, &["nothing in common", "in the same way"]);
    let mixed = "dice(words(l.name), qgrams(r.name, 3))";
    has(&format!("{mixed} > 0.5"), K::MixedTokens, Warning, mixed, &["words are compared with substrings"]);
}

/// Conditions that look like the ones above and can be meant.
#[test]
fn what_can_be_meant_is_left_alone() {
    for rule in [
        "l.name = r.name",
        "jaro_winkler(l.name, r.name) > 0.9 and jaro_winkler(l.name, r.name) < 1",
        "jaro_winkler(l.name, r.name) = 1",
        "jaro(l.name, r.name) + jaro(l.given, r.given) >= 1.8",
        "levenshtein(l.name, r.name) <= 2",
        "levenshtein(l.name, r.name) = 0",
        "levenshtein(l.name, r.name) <= 0.2 * length(l.name)",
        "levenshtein(l.name, r.name) / length(r.name) <= 0.2",
        "overlap(words(l.name), words(r.name)) >= 1",
        "overlap(words(l.name), words(r.name)) > 0",
        "cosine(words(l.name), words(r.name)) >= 1",
        "cosine_similarity(l.v, r.v) >= -0.5",
        "abs(l.year - r.year) <= 5",
        "l.year - r.year between 0 and 5",
        "l.year - r.year <= 5 and l.year - r.year >= 0",
        "l.year - r.year <= 5 and r.year - l.year <= 5",
        "l.year - r.year > 5",
        "date_diff_days(l.born, r.born) between -3 and 30",
        "l.year < r.year",
        "l.name = r.name and l.year > 1990 and l.year < 2000",
        "l.name = r.name and (l.year < 1990 or l.year > 2000)",
        "l.name = r.name and l.year between 5 and 5",
        "l.name = r.name and (l.zip = 'a' or l.zip = 'b')",
        "l.name = r.name and l.zip <> 'a' and l.zip <> 'b'",
        "l.name = r.name and lower(l.zip) = 'abc'",
        "l.name = r.name and lower(l.zip) = 'straße'",
        "l.name = r.name and upper(l.zip) = 'STRASSE'",
        "l.name = r.name and lower(l.zip) ilike 'A%'",
        "l.name = r.name and left(l.zip, 3) = 'ab'",
        "l.name = r.name and left(l.zip, -1) = 'abcd'",
        "l.name = r.name and substr(l.zip, 2) = 'abcd'",
        "l.name = r.name and coalesce(l.zip, '') = ''",
        "l.name = r.name and trim(l.zip) = ''",
        "l.name = r.name and digits(l.zip) = '012'",
        "l.name = r.name and soundex(l.name) = 'R163'",
        "l.name = r.name and length(l.zip) >= 5",
        "l.name = r.name and length(trim(l.zip)) = 0",
        "l.name = r.name and l.given <> l.name",
        "l.name = r.name and l.zip = '1'",
        "l.name = 'a' and r.name = 'b'",
        "l.name = r.name and year(l.born) >= 1985",
        "l.name = r.name and l.age > 18",
        "l.name = r.name and l.zip like 'abc'",
        "l.name = r.name and l.zip not in ('a', 'b')",
        "l.name = r.name and l.zip is null",
        "l.name = r.name and lower(l.zip) is not null and left(l.zip, 2) is not null",
        "l.name = r.name and substr(l.zip, 1, 3) is not null and substr(l.zip, -3) is not null",
        "l.name = r.name and nullif(digits(l.zip), '') is not null and soundex(l.zip) is null",
        "l.name = r.name and (l.zip || r.zip) is not null",
        "neighbours(l.name, r.name, 2)",
        "jaccard(qgrams(l.name, 3), qgrams(r.name, 3)) > 0.5",
        "jaccard(l.tags, words(r.name)) > 0.5",
        "case when l.zip is null then jaro(l.name, r.name) else 1 end >= 0.9",
        "not (l.name = r.name and l.zip = r.zip)",
        "l.year = r.year and jaro(l.name, r.given) > 0.5 and jaro(l.given, r.name) > 0.5",
    ] {
        assert_eq!(doubts(rule), [], "{rule}");
    }
}

fn of_file(text: &str) -> Vec<Doubt> {
    let columns = columns();
    compile(&RuleFile::parse(text, "j.toml").unwrap(), LinkType::LinkOnly, [&columns, &columns]).unwrap().doubts
}

#[test]
fn doubts_are_shown_where_they_stand() {
    let found = of_file(
        "[derive]\nx = \"case when name = '' then 'a' else name end\"\n[[rule]]\nname = \"n\"\nwhen = \"\"\"\n  l.x = r.x\n  \
         and jaro(l.name, r.name) > 90\"\"\"\n",
    );
    assert_eq!(
        found[0].to_string(),
        "this can never hold: an empty text is null\n --> derive `x`, j.toml:2\n  |\n2 | x = \"case when name = '' then \
         'a' else name end\"\n  |                ^^^^^^^^^\n  = help: write `name is null`, or `name is not null`"
    );
    assert_eq!((found[0].place.as_str(), found.len()), ("j.toml:2", 2));
    assert_eq!(
        found[1].to_string(),
        "this can never hold: `jaro(l.name, r.name)` is between 0 and 1\n --> rule \"n\", j.toml:7\n  |\n7 |   and \
         jaro(l.name, r.name) > 90\"\"\"\n  |       ^^^^^^^^^^^^^^^^^^^^^^^^^\n  = help: did you mean 0.9?"
    );
}

#[test]
fn rules_are_looked_at_together() {
    let columns = columns();
    let set = |text: &str| {
        compile(&RuleFile::parse(text, "j.toml").unwrap(), LinkType::DedupeOnly, [&columns, &columns]).unwrap()
    };
    let rules = set("[[rule]]\nwhen = \"l.email = r.email and l.zip = r.zip\"\n[[never]]\nwhen = \"r.zip = l.zip\"\n");
    let found = rules.forbidden_rules();
    assert_eq!((found[0].kind, found[0].severity), (K::ForbiddenRule, Mistake));
    assert!(found[0].to_string().contains("never \"never_1\" forbids all of them"), "{}", found[0]);
    assert!(
        set("[[rule]]\nwhen = \"l.zip = r.zip\"\n[[never]]\nwhen = \"l.zip = r.zip and l.age = r.age\"\n")
            .forbidden_rules()
            .is_empty()
    );
    let ids = set("[[rule]]\nwhen = \"l.zip = r.zip and l.email = r.email\"\n[[rule]]\nwhen = \"l.name = r.name\"\n");
    assert_eq!(ids.equal_ids("email").len(), 1);
    assert!(ids.equal_ids("email")[0].message.contains("`email` is the id"));
    assert_eq!(ids.equal_ids("age"), []);
    let never = set("[[rule]]\nwhen = \"lower(l.name) <> lower(r.name) and l.name = r.name\"\n");
    let found = never.contradictions(&never.simplified().notes);
    assert_eq!((found.len(), found[0].kind, found[0].severity), (1, K::Contradiction, Mistake));
    assert!(found[0].message.contains("exclude each other"), "{}", found[0]);
}
