//! The condition of every level of Splink's library, in the spellings of its backends.

use proptest::prelude::*;

use super::*;

/// What a condition becomes, after a level that is null where `x` is.
fn condition(dialect: &str, sql: &str) -> String {
    let [null, equal] = ["\"x_l\" IS NULL OR \"x_r\" IS NULL", "\"x_l\" = \"x_r\""]
        .map(|sql| if dialect == "spark" { sql.replace('"', "`") } else { sql.to_owned() });
    let levels = json!([null_level(&null), level(&equal), level(sql), level("ELSE")]);
    let settings = SplinkSettings::read_skipping(&settings(dialect, &levels)).unwrap();
    assert!(settings.not_taken().next().is_none(), "{sql}: {:?}", settings.notes);
    levels_of(&settings).remove(1)
}

/// Why a condition is refused.
fn refused(dialect: &str, sql: &str) -> String {
    refusal(&settings(dialect, &json!([null_level("x_l IS NULL OR x_r IS NULL"), level(sql), level("ELSE")])))
}

/// Conditions on the column `x` alone, so that nothing is added for other columns.
const OF_X: &[(&str, &str, &str)] = &[
    ("duckdb", r#""x_l" = "x_r""#, "l.x = r.x"),
    ("spark", "`x_l` = `x_r`", "l.x = r.x"),
    ("duckdb", "x_l == x_r", "l.x = r.x"),
    ("duckdb", r#"levenshtein("x_l", "x_r") <= 2"#, "levenshtein(l.x, r.x) <= 2"),
    ("spark", "levenshtein(`x_l`, `x_r`) <= 2", "levenshtein(l.x, r.x) <= 2"),
    ("postgres", r#"levenshtein("x_l", "x_r") <= 2"#, "levenshtein(l.x, r.x) <= 2"),
    ("duckdb", r#"damerau_levenshtein("x_l", "x_r") <= 1"#, "damerau_levenshtein(l.x, r.x) <= 1"),
    ("duckdb", r#"jaro_similarity("x_l", "x_r") >= 0.9"#, "jaro(l.x, r.x) >= 0.9"),
    ("spark", "jaro_sim(`x_l`, `x_r`) >= 0.9", "jaro(l.x, r.x) >= 0.9"),
    ("duckdb", r#"jaro_winkler_similarity("x_l", "x_r") >= 0.92"#, "jaro_winkler(l.x, r.x) >= 0.92"),
    ("spark", "jaro_winkler(`x_l`, `x_r`) >= 0.92", "jaro_winkler(l.x, r.x) >= 0.92"),
    ("sqlite", r#"jaro_winkler("x_l", "x_r") >= 0.92"#, "jaro_winkler(l.x, r.x) >= 0.92"),
    ("duckdb", r#"jaccard("x_l", "x_r") >= 0.9"#, "jaccard(qgrams(l.x, 1), qgrams(r.x, 1)) >= 0.9"),
    (
        "duckdb",
        r#"array_cosine_similarity("x_l", "x_r") >= 0.8"#,
        "cosine_similarity(l.x, r.x) is not null and cosine_similarity(l.x, r.x) >= 0.8",
    ),
    (
        "duckdb",
        r#"SUBSTRING(LOWER("x_l"), 1, 3) = SUBSTRING(LOWER("x_r"), 1, 3)"#,
        "substr(lower(l.x), 1, 3) = substr(lower(r.x), 1, 3)",
    ),
    (
        "postgres",
        r#"SUBSTRING(LOWER("x_l") FROM 1 FOR 3) = SUBSTRING(LOWER("x_r") FROM 1 FOR 3)"#,
        "substr(lower(l.x), 1, 3) = substr(lower(r.x), 1, 3)",
    ),
    ("duckdb", "substr(x_l,1,2)=substr(x_r,1,2)", "substr(l.x, 1, 2) = substr(r.x, 1, 2)"),
    ("duckdb", r#"CAST("x_l" AS TEXT) = CAST("x_r" AS TEXT)"#, "cast(l.x as varchar) = cast(r.x as varchar)"),
    ("spark", "CAST(`x_l` AS STRING) = CAST(`x_r` AS STRING)", "cast(l.x as varchar) = cast(r.x as varchar)"),
    ("duckdb", r#""x_l" = 'o''x' AND "x_r" = 'o''x'"#, "l.x = 'o''x' and r.x = 'o''x'"),
    ("duckdb", r#""x_l" = CAST(3.5 AS REAL) AND "x_r" = CAST(3.5 AS REAL)"#, "l.x = 3.5 and r.x = 3.5"),
    ("duckdb", r#"ABS("x_l" - "x_r") <= 5"#, "abs(l.x - r.x) <= 5"),
    ("duckdb", r#"ABS(EPOCH("x_l") - EPOCH("x_r")) <= 2629800.0"#, "abs(date_diff_days(l.x, r.x)) <= 30"),
    ("spark", "ABS(UNIX_TIMESTAMP(`x_l`) - UNIX_TIMESTAMP(`x_r`)) <= 86400", "abs(date_diff_days(l.x, r.x)) <= 1"),
    (
        "postgres",
        r#"ABS(EXTRACT(EPOCH FROM "x_l") - EXTRACT(EPOCH FROM "x_r"))<= 864000"#,
        "abs(date_diff_days(l.x, r.x)) <= 10",
    ),
    ("spark", "abs(datediff(`x_l`, `x_r`)) <= floor(2629800.0 / 86400)", "abs(date_diff_days(l.x, r.x)) <= 30"),
    ("duckdb", "datediff('day', x_l, x_r) < 3", "date_diff_days(l.x, r.x) < 3"),
    (
        "duckdb",
        r#"array_length(list_intersect("x_l", "x_r")) >= 2"#,
        "array_length(l.x) > 0 and array_length(r.x) > 0 and overlap(l.x, r.x) >= 2",
    ),
    (
        "spark",
        "SIZE(ARRAY_INTERSECT(`x_l`, `x_r`)) >= 1",
        "array_length(l.x) > 0 and array_length(r.x) > 0 and overlap(l.x, r.x) >= 1",
    ),
    ("duckdb", r#"NOT ("x_l" = "x_r")"#, "not (l.x = r.x)"),
    ("duckdb", r#"("x_l" = "x_r") OR (levenshtein("x_l", "x_r") <= 2)"#, "l.x = r.x or levenshtein(l.x, r.x) <= 2"),
    ("duckdb", "x_l between 1 and 3 and x_r in ('a', 'b')", "l.x >= 1 and l.x <= 3 and r.x in ('a', 'b')"),
    ("duckdb", "x_l like 'a%' and x_r not ilike '%b'", "l.x like 'a%' and not (r.x ilike '%b')"),
    (
        "duckdb",
        "length(x_l) > -1 and concat_ws(' ', x_l, x_r) = trim(x_l)",
        "r.x is not null and length(l.x) > -1 and concat_ws(' ', l.x, r.x) = trim(l.x)",
    ),
    ("spark", "concat(`x_l`, 'a') = `x_r`", "l.x || 'a' = r.x"),
    ("spark", "regexp_replace(`x_l`, '[0-9]', '') = `x_r`", "regexp_replace(l.x, '[0-9]', '', 'g') = r.x"),
];

#[test]
fn conditions_on_one_column() {
    for (dialect, sql, ours) in OF_X {
        assert_eq!(condition(dialect, sql), *ours, "{dialect}: {sql}");
    }
}

/// Levels that are null for some values that are there, and levels of other columns, say what must be there.
#[test]
fn conditions_on_what_may_be_missing() {
    let formats = [
        ("duckdb", "try_strptime(\"x_l\", '%Y-%m-%d')", "try_strptime(\"x_r\", '%Y-%m-%d')"),
        ("spark", "date(try_to_timestamp(`x_l`, 'yyyy-MM-dd'))", "date(try_to_timestamp(`x_r`, 'yyyy-MM-dd'))"),
        ("postgres", "try_cast_date(\"x_l\", 'YYYY-MM-DD')", "try_cast_date(\"x_r\", 'YYYY-MM-DD')"),
    ];
    let [l, r] = ["strptime(l.x, '%Y-%m-%d')", "strptime(r.x, '%Y-%m-%d')"];
    for (dialect, left, right) in formats {
        let ours = format!("{l} is not null and {r} is not null and {l} = {r}");
        assert_eq!(condition(dialect, &format!("{left} = {right}")), ours);
    }
    let [l, r] = ["l", "r"].map(|side| format!("nullif(regexp_extract({side}.x, '^[^@]+', 0), '')"));
    let sql = "NULLIF(regexp_extract(\"x_l\", '^[^@]+', 0), '') = NULLIF(regexp_extract(\"x_r\", '^[^@]+', 0), '')";
    assert_eq!(condition("duckdb", sql), format!("{l} is not null and {r} is not null and {l} = {r}"));
    let sql = "NULLIF(substring(\"x_l\" from '(^[A-Z]+)'), '') IS NOT NULL";
    assert_eq!(condition("postgres", sql).matches("regexp_extract(l.x, '(^[A-Z]+)', 1)").count(), 1);
    let quotient = "abs(l.x - r.x) / greatest(cast(l.x as double), cast(r.x as double))";
    assert_eq!(
        condition("duckdb", r#"(ABS("x_l" - "x_r") / (CASE WHEN "x_r" > "x_l" THEN "x_r" ELSE "x_l" END)) < 0.1"#),
        format!("({quotient}) is not null and {quotient} < 0.1")
    );
    let swapped = r#""x_l" = "y_r" AND "x_r" = "y_l""#;
    assert_eq!(condition("duckdb", swapped), "r.y is not null and l.y is not null and l.x = r.y and r.x = l.y");
    assert_eq!(
        condition("duckdb", r#"("x_l" = "x_r") AND (levenshtein("a b_l", "a b_r") <= 2)"#),
        r#"l."a b" is not null and r."a b" is not null and l.x = r.x and levenshtein(l."a b", r."a b") <= 2"#
    );
}

#[test]
fn subsets_of_lists() {
    let lengths = r#"LEAST(ARRAY_LENGTH("x_l"), ARRAY_LENGTH("x_r"))"#;
    let subset = format!(r#"ARRAY_LENGTH(ARRAY_INTERSECT("x_l", "x_r")) = {lengths}"#);
    let ours = "array_length(l.x) = 0 or array_length(r.x) = 0 or overlap_coefficient(l.x, r.x) >= 1";
    let found = condition("duckdb", &subset);
    assert_eq!(found, format!("l.x is not null and r.x is not null and ({ours})"));
    let found = condition("duckdb", &format!("{lengths} <> 0 AND {subset}"));
    assert!(found.contains(&format!("least(array_length(l.x), array_length(r.x)) <> 0 and ({ours})")), "{found}");
}

#[test]
fn places_and_vectors() {
    let angle = |of: &str| format!("radians(\"{of}\")");
    let part = format!(
        "( sin( {} ) * sin( {} ) + cos( {} ) * cos( {} ) * cos( radians(\"lo_r\" - \"lo_l\") ) )",
        angle("x_l"),
        angle("x_r"),
        angle("x_l"),
        angle("x_r")
    );
    let sql = format!(
        "cast( acos( case when {part} > 1 then 1 when {part} < -1 then -1 else {part} end ) * 6371 as float ) <= 5"
    );
    let ours = "l.lo is not null and r.lo is not null and haversine_km(l.x, l.lo, r.x, r.lo) <= 5";
    assert_eq!(condition("duckdb", &sql), ours);
    let guarded = format!("(\"lo_l\" is not null AND \"lo_r\" is not null) AND {sql}");
    assert_eq!(condition("duckdb", &guarded), ours);
    assert!(refused("duckdb", &sql.replace("6371", "3959")).contains("radians"), "miles are another formula");
    let sum = "CAST(0.0 AS DOUBLE), (acc, x) -> acc + x";
    let length = |of: &str| format!("(sqrt(aggregate(transform(`{of}`, x -> x * x), {sum})))");
    let sql = format!(
        "(aggregate(zip_with(`x_l`, `x_r`, (x, y) -> x * y), {sum})) / (nullif({} * {}, 0.0)) >= 0.8",
        length("x_l"),
        length("x_r")
    );
    assert!(condition("spark", &sql).ends_with("cosine_similarity(l.x, r.x) >= 0.8"));
}

#[test]
fn what_cannot_be_said_is_refused_with_its_place() {
    let pairwise = "list_max(list_transform(flatten(list_transform(\"x_l\", a -> list_transform(\"x_r\", b -> [a, b]))), \
                    pair -> jaro_winkler_similarity(pair[1], pair[2]))) >= 0.9";
    let said = refused("duckdb", pairwise);
    assert!(said.contains("1 thing in the settings cannot be taken over"), "{said}");
    assert!(said.contains("comparison `c`, level 2: "), "{said}");
    for (sql, why) in [
        ("name = x_r", "`name` is not a column of one of the two records"),
        ("l.x = x_r", "`l.x` is a field of a column"),
        ("x_l ~ 'a'", "no operator"),
        ("x_l['lat'] = x_r['lat']", "cannot say"),
        ("md5(x_l) = md5(x_r)", "no counterpart of the function `md5`"),
        ("x_l = (select 1)", "cannot say"),
        ("x_l = x_r or", "cannot be read as SQL"),
        ("x_l = x_r x", "comes after its end"),
        ("epoch(x_l) > 5", "counts seconds"),
        ("abs(epoch(try_strptime(x_l, '%H:%M')) - epoch(x_r)) < 9", "no time of day"),
        ("datediff('month', x_l, x_r) < 3", "no counterpart"),
        ("cast(x_l as interval) = x_r", "no type"),
        ("regexp_matches(x_l, 'a')", "no counterpart"),
    ] {
        let said = refused("duckdb", sql);
        assert!(said.contains(why), "{sql}: {said}");
    }
    let deep = format!("{}x_l = x_r{}", "(".repeat(4000), ")".repeat(4000));
    assert!(refused("duckdb", &deep).contains("cannot be read as SQL"));
    assert!(refused("duckdb", &vec!["x_l = x_r"; 2000].join(" or ")).contains("too long"));
    let chain = vec!["x_l = x_r"; 1000].join(" or ");
    assert!(condition("duckdb", &chain).contains("l.x = r.x or l.x = r.x"));
}

/// `between` writes its first operand twice, so that nested ones would double with each level.
#[test]
fn what_would_double_again_and_again_is_refused() {
    let nested = |levels: usize| {
        let inside = |of: String, _| format!("case when {of} between 1 and 2 then 1 else 0 end");
        (0..levels).fold("x_l".to_owned(), inside) + " = 1"
    };
    assert!(condition("duckdb", &nested(1)).ends_with("case when l.x >= 1 and l.x <= 2 then 1 else 0 end = 1"));
    assert!(condition("duckdb", &nested(5)).len() < 4_000);
    let said = refused("duckdb", &nested(30));
    assert!(said.contains("comparison `c`, level 2: the rules would have to repeat `case when case when "), "{said}");
    assert!(said.contains("`, which has more than 200 parts; compute it as a column of the data"), "{said}");
    assert!(said.len() < 1_000, "{said}");
}

/// Any condition made of parts that Splink has, in any nesting, and with names and texts of any kind.
fn any_condition() -> impl Strategy<Value = String> {
    let column = prop_oneof![Just("x".to_owned()), Just("a b".to_owned()), "[a-zA-Zé\"' .-]{1,6}"];
    let text = "[^\\\\]{0,5}".prop_map(|text: String| text.replace('\'', "''"));
    let leaf = (column, text, 0..7_usize, 0.0..1.0_f64).prop_map(|(column, text, kind, number)| {
        let [l, r] = ["l", "r"].map(|side| format!("\"{}_{side}\"", column.replace('"', "\"\"")));
        match kind {
            0 => format!("{l} = {r}"),
            1 => format!("jaro_winkler_similarity({l}, {r}) >= {number}"),
            2 => format!("{l} = '{text}' AND {r} = '{text}'"),
            3 => format!("{l} IS NULL OR {r} IS NULL"),
            4 => format!("NULLIF(regexp_extract({l}, '^[A-Z]+', 0), '') = {r}"),
            5 => format!(
                "abs(epoch(try_strptime({l}, '%Y-%m-%d')) - epoch(try_strptime({r}, '%Y-%m-%d'))) <= {}",
                number * 1e7
            ),
            _ => format!("array_length(list_intersect({l}, {r})) >= 1"),
        }
    });
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..3).prop_map(|parts| format!("({})", parts.join(") AND ("))),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|parts| format!("({})", parts.join(") OR ("))),
            inner.prop_map(|part| format!("NOT ({part})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_rule_file_always_parses(
        conditions in prop::collection::vec(any_condition(), 1..4),
        null in any_condition(),
        null_at in 0..3_usize,
        name in "\\PC{0,12}",
        m in 0.0..=1.0_f64,
    ) {
        let mut levels: Vec<Value> = conditions
            .iter()
            .map(|sql| json!({"sql_condition": sql, "label_for_charts": name, "m_probability": m, "u_probability": 0.5}))
            .collect();
        levels.insert(null_at.min(levels.len()), null_level(&null));
        levels.push(level("ELSE"));
        let all = json!({
            "comparisons": [{"output_column_name": name, "comparison_levels": levels}],
            "blocking_rules_to_generate_predictions": [{"blocking_rule": "l.a = r.a"}],
            "additional_columns_to_retain": [name],
        });
        let settings = SplinkSettings::read_skipping(&all.to_string()).unwrap();
        prop_assert!(RuleFile::parse(&settings.rules_text, "rules.toml").and_then(|file| file.check_syntax()).is_ok(),
            "{}", settings.rules_text);
        if let Some(model) = &settings.model {
            prop_assert_eq!(model.comparisons.len(), 1);
        }
    }
}
