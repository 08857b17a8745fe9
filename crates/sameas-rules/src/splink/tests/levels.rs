//! Null levels, probabilities and term frequencies.

use super::*;

/// The conditions of levels after a null level.
fn with_null(null: &str, levels: &[&str]) -> Vec<String> {
    let all = levels.iter().copied().chain(["ELSE"]).map(level);
    taken(&settings("duckdb", &Value::Array([null_level(null)].into_iter().chain(all).collect())))
}

#[test]
fn dates_that_are_none_are_null_as_in_splink() {
    let date = |side: &str| format!("try_strptime(\"dob_{side}\", '%Y-%m-%d')");
    let null = format!("{} IS NULL OR {} IS NULL", date("l"), date("r"));
    let days = format!("ABS(EPOCH({}) - EPOCH({})) <= 864000", date("l"), date("r"));
    let [l, r] = ["strptime(l.dob, '%Y-%m-%d')", "strptime(r.dob, '%Y-%m-%d')"];
    assert_eq!(
        with_null(&null, &["dob_l = dob_r", &days]),
        [
            format!("{l} is not null and {r} is not null and l.dob = r.dob"),
            format!("abs(date_diff_days({l}, {r})) <= 10"),
        ]
    );
    // Nothing but a case is null where the date is none and the text is there.
    assert_eq!(
        with_null(&null, &["dob_l = dob_r"]),
        [format!(
            "case when {l} is null or {r} is null then null else {l} is not null and {r} is not null and l.dob = r.dob end"
        )]
    );
}

#[test]
fn a_null_level_of_two_columns() {
    let null = "(f_l IS NULL OR f_r IS NULL) AND (s_l IS NULL OR s_r IS NULL)";
    let found = with_null(null, &["f_l = f_r AND s_l = s_r", "s_l = s_r"]);
    assert_eq!(
        found,
        [
            "l.f is not null and r.f is not null and l.s is not null and r.s is not null and l.f = r.f and l.s = r.s",
            "case when (l.f is null or r.f is null) and (l.s is null or r.s is null) then null \
             else l.s is not null and r.s is not null and l.s = r.s end",
        ]
    );
}

#[test]
fn a_null_level_of_another_kind_is_asked_first() {
    let found = with_null("a_l = '' OR a_r = ''", &["a_l = a_r", "b_l = b_r"]);
    assert_eq!(found[0], "(l.a = '' or r.a = '') is not true and l.a is not null and r.a is not null and l.a = r.a");
    assert!(found[1].starts_with("case when l.a = '' or r.a = '' then null else "), "{found:?}");
    let levels = json!([null_level("a_l = '' OR a_r = ''"), level("a_l = a_r"), level("ELSE")]);
    let empty = SplinkSettings::read(&settings("duckdb", &levels)).unwrap();
    assert!(
        notes(&empty, SplinkNoteKind::Differs)[0].contains("an empty text is a missing value"),
        "{:?}",
        empty.notes
    );
}

#[test]
fn levels_before_the_null_level_may_hold_where_it_does() {
    let levels =
        json!([level("b_l = b_r"), null_level("a_l IS NULL OR a_r IS NULL"), level("a_l = a_r"), level("ELSE")]);
    let found = taken(&settings("duckdb", &levels));
    assert_eq!(found, ["l.b is not null and r.b is not null and l.b = r.b", "l.a = r.a"]);
    let levels = json!([level("a_l = a_r"), level("ELSE")]);
    assert_eq!(taken(&settings("duckdb", &levels)), ["l.a is not null and r.a is not null and l.a = r.a"]);
}

#[test]
fn levels_in_an_order_that_is_not_known() {
    let missing = null_level("a_l IS NULL");
    for (levels, why) in [
        (json!([missing, level("a_l = a_r")]), "must be `ELSE`"),
        (json!([missing, level("ELSE"), level("ELSE")]), "must be `ELSE`"),
        (json!([missing, level("ELSE")]), "only has levels for null"),
        (json!([missing, level("a_l = a_r"), missing, level("ELSE")]), "several places"),
        (json!([{"sql_condition": "a_l = a_r", "m_probability": 1.5}, level("ELSE")]), "1.5 is not a probability"),
    ] {
        let said = refusal(&settings("duckdb", &levels));
        assert!(said.contains(why), "{said}");
    }
}

/// A level with probabilities, and perhaps a term frequency.
fn scored(sql: &str, m: f64, u: f64, frequency: Option<(&str, f64, f64)>) -> Value {
    let mut level = json!({"sql_condition": sql, "m_probability": m, "u_probability": u});
    if let Some((column, weight, minimum)) = frequency {
        level["tf_adjustment_column"] = column.into();
        level["tf_adjustment_weight"] = weight.into();
        level["tf_minimum_u_value"] = minimum.into();
    }
    level
}

#[test]
fn probabilities_become_the_model() {
    let levels = json!([
        null_level("a_l IS NULL OR a_r IS NULL"),
        scored("a_l = a_r", 0.7, 0.01, Some(("a", 0.5, 0.001))),
        scored("levenshtein(a_l, a_r) <= 1", 0.2, 0.02, None),
        scored("ELSE", 0.1, 0.97, None),
    ]);
    let settings = SplinkSettings::read(&settings("duckdb", &levels)).unwrap();
    assert!(settings.rules_text.contains("term_frequency = \"a\""), "{}", settings.rules_text);
    let model = settings.model.as_ref().unwrap();
    let comparison = &model.comparisons[0];
    assert_eq!(model.prior, 0.0001);
    assert_eq!((comparison.term_frequency_weight, comparison.term_frequency_minimum), (Some(0.5), Some(0.001)));
    let numbers: Vec<(f64, f64)> = comparison.outcomes().map(|level| (level.m, level.u)).collect();
    assert_eq!(numbers, [(0.7, 0.01), (0.2, 0.02), (0.1, 0.97)]);
    let whens: Vec<&str> = comparison.levels.iter().filter_map(|level| level.when.as_deref()).collect();
    assert_eq!(whens, levels_of(&settings));
    let bytes = "comparison `c`: measures count characters in sameas and bytes in DuckDB, where a letter such as é has \
                 two; expect other levels for some values with such letters";
    assert_eq!(notes(&settings, SplinkNoteKind::Differs), [bytes]);
    assert_eq!(settings.notes.len(), 1);
}

#[test]
fn missing_probabilities_are_those_that_splink_takes() {
    let levels = json!([scored("a_l = a_r", 0.7, 0.01, None), level("ELSE")]);
    let settings = SplinkSettings::read(&settings("duckdb", &levels)).unwrap();
    let otherwise = &settings.model.as_ref().unwrap().comparisons[0].otherwise;
    assert_eq!(((otherwise.m / otherwise.u).log2() * 1e9).round() / 1e9, -5.0);
    assert!(notes(&settings, SplinkNoteKind::Differs)[0].contains("takes by default"));
}

#[test]
fn term_frequencies_of_two_columns_are_comparisons_of_their_own() {
    let levels = json!([
        null_level("(f_l IS NULL OR f_r IS NULL) AND (s_l IS NULL OR s_r IS NULL)"),
        scored("f_l = f_r AND s_l = s_r", 0.5, 0.001, None),
        scored("s_l = s_r", 0.2, 0.02, Some(("s", 1.0, 0.0))),
        scored("f_l = f_r", 0.2, 0.03, Some(("f", 0.5, 0.0))),
        scored("ELSE", 0.1, 0.949, None),
    ]);
    let settings = SplinkSettings::read(&settings("duckdb", &levels)).unwrap();
    let file = parsed(&settings);
    let names: Vec<String> = file.compares.iter().map(|compare| compare.name.clone().unwrap()).collect();
    assert_eq!(names, ["c", "c, level 3 by frequency of s", "c, level 4 by frequency of f"]);
    let model = settings.model.as_ref().unwrap();
    let own = &model.comparisons[2];
    assert_eq!((own.levels[0].m, own.levels[0].u, own.term_frequency_weight), (0.03, 0.03, Some(0.5)));
    assert_eq!((own.otherwise.m, own.otherwise.u), (1.0, 1.0));
    let text = own.levels[0].when.as_deref().unwrap();
    assert_eq!(text.matches("is not true").count(), 2, "{text}");
    assert!(notes(&settings, SplinkNoteKind::Differs)[0].contains("weighs nothing but that"));
}

#[test]
fn a_frequency_of_different_values_is_refused() {
    let levels = json!([
        scored("a_l = a_r", 0.5, 0.001, None),
        scored("levenshtein(a_l, a_r) <= 1", 0.2, 0.02, Some(("a", 1.0, 0.0))),
        scored("ELSE", 0.1, 0.9, None),
    ]);
    assert!(refusal(&settings("duckdb", &levels)).contains("holds for different values of `a`"));
    let skipped = SplinkSettings::read_skipping(&settings("duckdb", &levels)).unwrap();
    assert_eq!(levels_of(&skipped).len(), 2);
    let levels = json!([scored("a_l = a_r AND b_l = b_r", 0.5, 0.1, Some(("a", 1.0, 0.0))), level("ELSE")]);
    assert!(refusal(&settings("duckdb", &levels)).contains("no level says that `a` is equal"));
}
