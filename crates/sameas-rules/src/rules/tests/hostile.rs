//! Rules that nobody writes by hand: very long, very deep, or true of nothing.

use std::time::{Duration, Instant};

use super::*;

/// Long enough for a machine that does other things too; what is quadratic takes minutes.
const SOON: Duration = Duration::from_secs(20);

fn soon<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    result
}

fn joined(count: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(separator)
}

#[test]
fn long_chains_compile_on_any_thread() {
    let rules = [
        joined(100_000, " or ", |i| format!("l.name = '{i}' || r.name")),
        joined(20_000, " and ", |i| format!("l.name <> '{i}' || r.name")),
        joined(50_000, " and ", |i| format!("l.name <> '{i}'")) + " and l.zip = r.zip",
        format!("l.year = r.year + {}", joined(100_000, " + ", |i| format!("l.year * {i}"))),
        format!("l.name = r.name || {}", joined(100_000, " || ", |i| format!("r.name || '{i}'"))),
        format!("jaro(l.name, r.name) > 0.9 and l.name not in ({})", joined(100_000, ", ", |i| format!("'{i}'"))),
        format!("l.year in (r.year, {})", joined(100_000, ", ", |i| i.to_string())),
        format!("l.name = case {} end", joined(20_000, " ", |i| format!("when r.name = '{i}' then '{i}x'"))),
        format!("l.name = coalesce({})", joined(50_000, ", ", |i| format!("r.name || '{i}'"))),
        format!("l.name = '{}' || r.name", "x".repeat(10 << 20)),
        format!("l.name = r.name{}and l.zip = r.zip", " ".repeat(10 << 20)),
    ];
    let small_stack = std::thread::Builder::new().stack_size(256 << 10);
    let compile_all = move || {
        for rule in &rules {
            let set = soon(|| compiled(LinkType::DedupeOnly, &[rule])).unwrap_or_else(|e| panic!("{e}"));
            soon(|| drop(set.simplified()));
            let mut file = RuleFile::default();
            file.add_rule(rule);
            soon(|| file.check_syntax()).unwrap();
        }
    };
    small_stack.spawn(compile_all).unwrap().join().unwrap();
}

#[test]
fn deep_nesting_compiles_up_to_its_limit() {
    let nested =
        |open: &str, close: &str, levels: usize| format!("{}r.name{}", open.repeat(levels), close.repeat(levels));
    for levels in [145, 950] {
        for (open, close) in [("lower(", ")"), ("(", ")"), ("coalesce(l.name, ", ")"), ("replace(", ", 'a', 'b')")] {
            let rule = format!("l.name = {}", nested(open, close, levels));
            let set = soon(|| compiled(LinkType::DedupeOnly, &[&rule])).unwrap();
            soon(|| drop(set.simplified()));
        }
    }
    let message = mistake(&format!("l.name = r.name and l.zip = {}", nested("lower(", ")", 5_000)));
    assert!(message.starts_with("this expression is nested more than 1000 levels deep\n"), "{message}");
    assert!(message.contains("1 | ... ") && message.contains("(lower(lower("), "{message}");
    assert!(message.contains("derived column"), "{message}");
    assert!(message.len() < 2_000, "{message}");
}

#[test]
fn many_derives_and_rules_take_no_quadratic_time() {
    let chain = joined(5_000, "\n", |i| match i {
        0 => "d0 = \"lower(name)\"".to_owned(),
        _ => format!("d{i} = \"d{} || 'a'\"", i - 1),
    });
    let rules = joined(5_000, "\n", |i| format!("[[rule]]\nwhen = \"l.d{i} = r.d{i} and l.zip = '{i}'\""));
    let sided = joined(5_000, "\n", |i| format!("e{i} = \"upper(d{i})\""));
    let text = format!("[derive]\n{chain}\n[derive.left]\n{sided}\n[derive.right]\n{sided}\n{rules}\n");
    let file = soon(|| RuleFile::parse(&text, "j.toml")).unwrap();
    let columns = columns();
    let set = soon(|| compile(&file, LinkType::LinkOnly, [&columns, &columns])).unwrap();
    assert_eq!((set.rules.len(), set.derived[0].len()), (5_000, 5_000));
    soon(|| drop(set.simplified()));
    soon(|| file.check_syntax()).unwrap();
}

fn compiled_file(text: &str) -> crate::error::Result<RuleSet> {
    let columns = columns();
    RuleFile::parse(text, "j.toml").and_then(|file| compile(&file, LinkType::DedupeOnly, [&columns, &columns]))
}

#[test]
fn many_levels_and_columns_take_no_quadratic_time() {
    let levels = joined(4_000, ", ", |i| format!("\"jaro(l.name, r.name) >= {}\"", 1.0 - i as f64 / 5_000.0));
    let columns = joined(4_000, "\n", |i| format!("c{i} = \"l.name || '{i}' || r.name\""));
    let text = format!("[[compare]]\nlevels = [{levels}]\n[columns]\n{columns}\n");
    let set = soon(|| compiled_file(&text)).unwrap();
    assert_eq!((set.scoring.comparisons[0].levels.len(), set.columns.len(), set.values.len()), (4_000, 4_000, 4_000));
    // One that is repeated is found, wherever it is.
    let repeated = text.replacen("levels = [", "levels = [\"jaro(l.name, r.name) >= 0.5\", ", 1);
    let error = soon(|| compiled_file(&repeated)).unwrap_err().to_string();
    assert!(error.starts_with("this level can never be reached: an earlier one holds wherever it does\n"), "{error}");
}

#[test]
fn comparisons_with_too_many_levels_are_refused_at_once() {
    let compares = joined(3_000, "\n", |i| format!("[[compare]]\nname = \"c{i}\"\nlevels = [\"l.name = r.name\"]"));
    let error = soon(|| compiled_file(&compares)).unwrap_err();
    // 3^39 is less than 2^63, and 3^40 is more.
    let expected = "with this comparison there are more than 2^63 combinations of levels\n   \
                    --> comparison \"c39\", j.toml:119\n    |\n119 | name = \"c39\"\n    |         ^^^\n    \
                    = help: leave out comparisons, or levels";
    assert_eq!((error.to_string().as_str(), error.code()), (expected, crate::error::ErrorCode::TooManyLevels));
    let checked = RuleFile::parse(&compares, "j.toml").unwrap().check_syntax();
    assert_eq!(checked.unwrap_err().to_string(), expected);
}

#[test]
fn many_mistakes_are_counted_and_some_are_shown() {
    let rule = joined(20_000, " and ", |i| format!("l.q{i} = r.name"));
    let message = soon(|| mistake(&rule));
    assert!(
        message.starts_with("20000 mistakes in the rules\n") && message.ends_with("\n\nand 19950 more"),
        "{message}"
    );
    assert!(message.len() < 100_000);
}

#[test]
fn values_that_are_repeated_at_each_level_are_refused() {
    let nested = |levels: usize, open: &str, close: &str| {
        format!("l.year = {}r.year{}", open.repeat(levels), close.repeat(levels))
    };
    for (open, close) in
        [("case when ", " between 1 and 2 then 1 else 2 end"), ("case ", " when 1 then 2 when 2 then 3 end")]
    {
        assert!(soon(|| compiled(LinkType::DedupeOnly, &[&nested(4, open, close)])).is_ok());
        let message = soon(|| mistake(&nested(300, open, close)));
        assert!(message.contains("values of `between` or `case` are nested too deeply"), "{message}");
    }
}

#[test]
fn nested_toml_is_refused() {
    for text in [
        format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("a = {}1{}", "{a=".repeat(100_000), "}".repeat(100_000)),
        format!("[{}]\na = 1", vec!["a"; 100_000].join(".")),
        format!("[derive]\n{} = \"x\"", vec!["a"; 100_000].join(".")),
        format!("[derive.left]\n{} = \"x\"", vec!["a"; 100_000].join(".")),
    ] {
        let error = soon(|| RuleFile::parse(&text, "j.toml")).unwrap_err().to_string();
        assert!(error.contains("j.toml:") && error.contains("nested too deeply"), "{error}");
    }
}

#[test]
fn what_never_holds_is_a_mistake() {
    for (rule, message, underlined, help) in [
        ("l.name like 'a%' escape 'ab'", "an escape is one character, this is 2", "'ab'", "escape '!'"),
        ("l.name not ilike 'a!' escape '!'", "this pattern ends with its escape", "'a!'", "twice"),
        ("regexp_replace(l.name, 'a', '', 'gx') = 'b'", "unknown flag `x`", "'gx'", "`g` (every match)"),
        ("regexp_extract(l.name, '(a)(b)', 3) = 'b'", "the pattern has 2 groups", "3", "0 is the whole match"),
        ("regexp_extract(l.name, 'a', 1) = 'b'", "the pattern has 0 groups", "1", "0 is the whole match"),
        ("l.year > cast('nan' as double)", "'nan' is not a number", "'nan'", "finite"),
        ("l.year = 'abc'", "'abc' is not a number", "'abc'", "finite"),
        ("l.year = cast('1e30' as bigint)", "'1e30' is not a number", "'1e30'", "finite"),
        ("l.born = date '2023-02-30'", "'2023-02-30' is not a date", "'2023-02-30'", "calendar"),
        ("l.born < '2023-13-01'", "'2023-13-01' is not a date", "'2023-13-01'", "calendar"),
        ("date_diff_days(l.born, '31.12.2023') > 1", "'31.12.2023' is not a date", "'31.12.2023'", "'2024-05-31'"),
        ("cast('maybe' as boolean)", "'maybe' is not a condition", "'maybe'", "true and false"),
        ("split_part(l.name, 'a', 0) = 'x'", "parts are counted from 1", "0", "-1 the last"),
        ("l.year = 1 / 0", "`1 / 0` is null for every record", "1 / 0", "change the constants"),
        ("l.year = 9223372036854775807 % 0", "is null for every record", "9223372036854775807 % 0", "constants"),
        ("l.name = null", "a comparison with null is never true", "l.name = null", "`is null`"),
        ("l.zip = r.zip and null <> r.name", "a comparison with null is never true", "null <> r.name", "`is null`"),
        ("cast(l.name as timestamp) = r.name", "cannot cast to `timestamp`", "timestamp", "varchar"),
        ("cast(l.name as int unsigned) = 1", "cannot cast to `int unsigned`", "int unsigned", "bigint"),
        ("cast(l.name as int[]) = 1", "cannot cast to `int[`", "int[", "bigint"),
        ("cast(l.name as date array) = 1", "cannot cast to `date array`", "date array", "bigint"),
        (
            "l.name::character large object = 'a'",
            "cannot cast to `character large object`",
            "character large object",
            "bigint",
        ),
        ("cast(l.name as int format 'x') = 1", "expected `)`, found: format", "format", ""),
    ] {
        let text = mistake(rule);
        assert!(text.starts_with(message) || text.contains(message), "{rule}:\n{text}");
        assert!(text.contains(help), "{rule}:\n{text}");
        let at = rule.find(underlined).unwrap();
        let line = format!("\n  | {}{}", " ".repeat(at), "^".repeat(underlined.len()));
        assert!(text.contains(&line), "{rule}:\n{text}");
    }
}

#[test]
fn what_may_hold_is_none() {
    for rule in [
        "l.name like 'a!%' escape '!' and l.name not like 'a!!' escape '!' and l.name like 'a' escape ''",
        "regexp_replace(l.name, 'a', '', 'gi') = regexp_extract(r.name, '(a)(b)?', 2)",
        "l.year in (1, null) and l.name is not distinct from null and coalesce(l.name, null) = r.name",
        "l.born = date '2024-02-29' and split_part(l.name, 'a', -1) = substr(r.name, -3, 0)",
        "cast(l.name as double precision) = cast(r.name as decimal(10, 2)) and l.name::varchar(3) = r.name",
        "nullif(l.name, 'x') = nullif(r.name, 'x') and case when l.year = 1 then null else l.name end = r.name",
    ] {
        dedupe(rule);
    }
}
