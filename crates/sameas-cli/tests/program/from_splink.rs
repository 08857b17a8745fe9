//! `from-splink`: settings of Splink become a job that runs, and what cannot be taken over is said before anything is written.

use crate::support::{Folder, has};

const PEOPLE: &str =
    "unique_id,name,city\n1,ann smith,rome\n2,ann smith,rome\n3,anne smith,rome\n4,bob jones,oslo\n5,bob jones,\n";

/// Two comparisons with m and u, one of them with a term frequency.
const SETTINGS: &str = r#"{
    "link_type": "dedupe_only", "sql_dialect": "duckdb", "probability_two_random_records_match": 0.1,
    "retain_intermediate_calculation_columns": true, "retain_matching_columns": true,
    "blocking_rules_to_generate_predictions": [
        {"blocking_rule": "l.\"city\" = r.\"city\"", "sql_dialect": "duckdb"}, "l.name = r.name"
    ],
    "comparisons": [
        {"output_column_name": "name", "comparison_levels": [
            {"sql_condition": "\"name_l\" IS NULL OR \"name_r\" IS NULL", "is_null_level": true},
            {"sql_condition": "\"name_l\" = \"name_r\"", "m_probability": 0.8, "u_probability": 0.1,
             "tf_adjustment_column": "name", "tf_adjustment_weight": 1.0},
            {"sql_condition": "jaro_winkler_similarity(\"name_l\", \"name_r\") >= 0.9",
             "m_probability": 0.1, "u_probability": 0.1},
            {"sql_condition": "ELSE", "m_probability": 0.1, "u_probability": 0.8}
        ]},
        {"output_column_name": "city", "comparison_levels": [
            {"sql_condition": "\"city_l\" IS NULL OR \"city_r\" IS NULL", "is_null_level": true},
            {"sql_condition": "\"city_l\" = \"city_r\"", "m_probability": 0.9, "u_probability": 0.3},
            {"sql_condition": "ELSE", "m_probability": 0.1, "u_probability": 0.7}
        ]}
    ]
}"#;

#[test]
fn settings_become_a_job_with_the_same_probabilities() {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    folder.write("settings.json", SETTINGS);
    let said = folder.ok(&["from-splink", "settings.json", "-o", "job"]).out;
    has(&said, &["job/rules.toml, with 2 blocking rules", "job/model.toml, with 2 comparisons", "sameas dedupe INPUT"]);
    has(&folder.read("job/rules.toml"), &["name = \"0\"", "l.city = r.city", "term_frequency = \"name\""]);
    has(&folder.read("job/model.toml"), &["prior = 0.1", "m = 0.8"]);
    let run = ["dedupe", "people.csv", "--rules", "job/rules.toml", "--model", "job/model.toml"];
    folder.ok(&[&run[..], &["--format", "csv", "-o", "out"]].concat());
    let pairs = folder.read("out/pairs.csv");
    // Odds of 1 to 9; 8 for the name with a u of 0.1 and a frequency of 2 in 5; 3 for the city.
    let odds: f64 = (0.1 / 0.9) * 8.0 * (0.1 / 0.4) * 3.0;
    let line = pairs.lines().find(|line| line.starts_with("1,2,0,")).expect("the pair of 1 and 2");
    let probability: f64 = line.split(',').nth(4).and_then(|field| field.parse().ok()).expect("a probability");
    assert!((probability - odds / (1.0 + odds)).abs() < 1e-9, "{line}");
    has(&pairs, &["\n4,5,1,", ",city_l,city_r,name_l,name_r\n", "rome,rome,ann smith,anne smith\n"]);
    has(&folder.fails(&["from-splink", "settings.json", "-o", "job"]), &["--overwrite"]);
    folder.ok(&["from-splink", "settings.json", "-o", "job", "--overwrite", "-q"]);
}

#[test]
fn what_cannot_be_taken_over_is_refused_or_skipped() {
    let folder = Folder::new();
    folder.write("settings.json", SETTINGS.replace("jaro_winkler_similarity", "my_similarity"));
    let said = folder.fails(&["from-splink", "settings.json", "-o", "job"]);
    has(&said, &["1 thing in the settings", "comparison `name`, level 3", "`my_similarity`", "--skip leaves them out"]);
    let said = folder.ok(&["from-splink", "settings.json", "-o", "job", "--skip"]).out;
    has(&said, &["Left out", "comparison `name`, level 3", "with 1 comparison"]);
    assert!(!folder.read("job/rules.toml").contains("name = \"name\""));
    folder.write("wrong.json", "{");
    has(&folder.fails(&["from-splink", "wrong.json", "-o", "other"]), &["not JSON", "save_model_to_json"]);
    has(&folder.fails(&["from-splink", "nowhere.json", "-o", "other"]), &["cannot read the settings `nowhere.json`"]);
}

#[test]
fn differences_are_said() {
    let folder = Folder::new();
    folder.write("settings.json", SETTINGS);
    let said = folder.ok(&["from-splink", "settings.json", "-o", "job"]).out;
    let note = "Note comparison `name`: measures count characters in sameas and bytes in DuckDB, where a letter such as \
                é has two; expect other levels for some values with such letters";
    has(&said.split_whitespace().collect::<Vec<_>>().join(" "), &[note]);
    let said = folder.ok(&["from-splink", "settings.json", "-o", "job", "--overwrite", "-q"]).out;
    assert_eq!(said, "");
}

#[cfg(unix)]
#[test]
fn settings_that_never_end_are_refused() {
    let folder = Folder::new();
    let said = folder.fails(&["from-splink", "/dev/zero", "-o", "job"]);
    has(&said, &["error: the settings of Splink are longer than 16 MiB\n  help: give the JSON that Splink's"]);
    folder.write("latin.json", b"{\"link_type\": \"\xe9\"}");
    let said = folder.fails(&["from-splink", "latin.json", "-o", "job"]);
    has(&said, &["cannot read the settings `latin.json`: invalid utf-8"]);
}

#[test]
fn settings_from_standard_input() {
    let folder = Folder::new();
    let said = folder.feed(&["from-splink", "-", "-o", "job"], SETTINGS.replace("dedupe_only", "link_only").as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
    has(&said.out, &["sameas link INPUT INPUT --rules job/rules.toml --model job/model.toml"]);
}

#[test]
fn settings_are_not_replaced_by_what_is_made_of_them() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("job")).unwrap();
    folder.write("job/rules.toml", SETTINGS);
    let complaint = folder.fails(&["from-splink", "job/rules.toml", "-o", "job", "--overwrite"]);
    has(&complaint, &["`job/rules.toml` is an input, and would be replaced by the output"]);
    assert_eq!(folder.read("job/rules.toml"), SETTINGS);
    assert!(!folder.path("job/model.toml").exists());
}
