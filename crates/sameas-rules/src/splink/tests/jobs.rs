//! Blocking rules, and what the settings say of the whole job.

use super::*;

/// Settings with these blocking rules, and this instead of others.
fn job(rules: &Value, others: &Value) -> String {
    let mut all = json!({
        "link_type": "dedupe_only",
        "blocking_rules_to_generate_predictions": rules,
        "comparisons": [{"output_column_name": "c", "comparison_levels": [
            null_level("a_l IS NULL OR a_r IS NULL"), level("a_l = a_r"), level("ELSE"),
        ]}],
    });
    for (key, value) in others.as_object().unwrap() {
        all[key] = value.clone();
    }
    all.to_string()
}

fn rules(json: &str) -> Vec<(String, String)> {
    let file = parsed(&SplinkSettings::read(json).unwrap_or_else(|error| panic!("{error}")));
    file.rules.iter().map(|rule| (rule.name.clone().unwrap(), rule.origin.text.clone())).collect()
}

#[test]
fn blocking_rules_keep_their_numbers() {
    let given = json!([
        "l.a = r.a",
        {"blocking_rule": "(l.\"a\" = r.\"a\") AND (SUBSTRING(l.b, 1, 2) = SUBSTRING(r.b, 1, 2))", "sql_dialect": "duckdb"},
        {"blocking_rule": "l.`first name` = r.`first name`", "sql_dialect": "spark", "salting_partitions": 4},
        {"blocking_rule": "l.\"p\" = r.\"p\" and l.a = r.a", "arrays_to_explode": ["p"]},
        "strftime(l.d, '%Y-%m') = strftime(r.d, '%Y-%m')",
    ]);
    let found = rules(&job(&given, &json!({})));
    let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "l.a = r.a",
            "l.a = r.a and substr(l.b, 1, 2) = substr(r.b, 1, 2)",
            "l.\"first name\" = r.\"first name\"",
            "list_has_any(l.p, r.p) and l.a = r.a",
            "year(l.d) = year(r.d) and month(l.d) = month(r.d)",
        ]
    );
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["0", "1", "2", "3", "4"]);
}

#[test]
fn what_is_skipped_leaves_a_gap() {
    let given = json!(["l.a = r.a", "md5(l.a) = md5(r.a)", "l.b = r.b"]);
    let text = job(&given, &json!({}));
    assert!(refusal(&text).contains("blocking rule 1: "));
    let settings = SplinkSettings::read_skipping(&text).unwrap();
    let names: Vec<String> = parsed(&settings).rules.iter().map(|rule| rule.name.clone().unwrap()).collect();
    assert_eq!(names, ["0", "2"]);
    let exploded = json!([{"blocking_rule": "lower(l.p) = lower(r.p)", "arrays_to_explode": ["p"]}]);
    assert!(refusal(&job(&exploded, &json!({}))).contains("single elements of a list"));
}

#[test]
fn conditions_that_depend_on_the_order_are_noted() {
    let asymmetric = json!(["l.a = r.b"]);
    let settings = SplinkSettings::read(&job(&asymmetric, &json!({}))).unwrap();
    assert!(notes(&settings, SplinkNoteKind::Differs)[0].contains("blocking rule 0: the condition depends"));
    let link = SplinkSettings::read(&job(&asymmetric, &json!({"link_type": "link_only"}))).unwrap();
    assert!(notes(&link, SplinkNoteKind::Differs)[0].contains("whose name comes first"));
    for symmetric in [
        "l.a = r.b and r.a = l.b",
        "abs(l.a - r.a) < 3 or levenshtein(l.a, r.a) < 2",
        "not (r.a > l.a or l.a > r.a)",
        "abs(datediff('day', l.a, r.a)) < 3",
    ] {
        let settings = SplinkSettings::read(&job(&json!([symmetric]), &json!({}))).unwrap();
        assert!(!settings.notes.iter().any(|note| note.what.contains("depends")), "{symmetric}");
    }
}

#[test]
fn values_that_are_seen_in_another_way_are_noted() {
    let comparison =
        |name: &str, sql: &str| json!({"output_column_name": name, "comparison_levels": [level(sql), level("ELSE")]});
    let comparisons = json!([
        comparison("name", "jaro_similarity(n_l, n_r) >= 0.9"),
        comparison("tags", "array_length(list_intersect(t_l, t_r)) >= 1"),
        comparison("city", "c_l = c_r"),
    ]);
    let given = json!(["levenshtein(l.n, r.n) <= 1", {"blocking_rule": "l.t = r.t", "arrays_to_explode": ["t"]}]);
    let said = |dialect: &str| {
        let others = json!({"comparisons": comparisons, "sql_dialect": dialect});
        notes(&SplinkSettings::read(&job(&given, &others)).unwrap(), SplinkNoteKind::Differs).join("\n")
    };
    let bytes = "comparison `name`, blocking rule 0: measures count characters in sameas and bytes in DuckDB, where a \
                 letter such as é has two; expect other levels for some values with such letters";
    let elements = "comparison `tags`, blocking rule 1: an empty text in a list counts as an element in Splink, but not \
                    in sameas; no change is needed where lists have no empty texts";
    assert!([bytes, elements].iter().all(|note| said("duckdb").contains(note)), "{}", said("duckdb"));
    assert!(said("spark").contains(elements) && !said("spark").contains("bytes"), "{}", said("spark"));
}

#[test]
fn the_rest_of_the_settings() {
    let others = json!({
        "link_type": "link_and_dedupe",
        "unique_id_column_name": "rec id",
        "probability_two_random_records_match": 0.01,
        "retain_intermediate_calculation_columns": true,
        "additional_columns_to_retain": ["cluster", "a"],
        "source_dataset_column_name": "src",
        "max_iterations": 5,
        "surprise": 1,
    });
    let settings = SplinkSettings::read(&job(&json!(["l.b = r.b"]), &others)).unwrap();
    let text = &settings.rules_text;
    for wanted in [
        "link_type = \"link_and_dedupe\"",
        "unique_id = \"rec id\"",
        "prior = 0.01",
        "levels = true",
        "a_l = \"l.a\"\na_r = \"r.a\"\nb_l = \"l.b\"\nb_r = \"r.b\"\ncluster_l = \"l.cluster\"",
        "threshold_weight = -1000.0",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(settings.model.is_none());
    let said = notes(&settings, SplinkNoteKind::Differs).join("\n");
    for wanted in ["`surprise` is not known", "there is no model", "limits of its own", "name of its input"] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let bare = job(&json!([]), &json!({"retain_matching_columns": false}));
    let bare = SplinkSettings::read(&bare).unwrap();
    assert!(!bare.rules_text.contains("[columns]"), "{}", bare.rules_text);
    assert!(notes(&bare, SplinkNoteKind::Differs)[0].contains("Splink compares all pairs"));
}

#[test]
fn what_is_no_settings_of_splink() {
    for (text, why) in [
        ("", "not JSON"),
        ("[1]", "must be a JSON object"),
        ("{}", "not settings of Splink"),
        ("{\"comparisons\": 3}", "cannot be read"),
        ("{\"comparisons\": [{\"comparison_levels\": [{}]}]}", "missing field `sql_condition`"),
        ("{\"comparisons\": [], \"link_type\": \"both\"}", "unknown `link_type`"),
        ("{\"comparisons\": [], \"probability_two_random_records_match\": 1}", "not between 0 and 1"),
    ] {
        let said = refusal(text);
        assert!(said.contains(why), "{text}: {said}");
    }
    let said = refusal(&" ".repeat(SplinkSettings::MOST_BYTES + 1));
    assert!(said.starts_with("the settings of Splink are longer than 16 MiB\n  help: give the JSON"), "{said}");
}
