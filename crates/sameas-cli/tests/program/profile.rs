//! `sameas profile`: what columns hold, and which keys join their records.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Folder, at_most, has};

/// What a spreadsheet may export.
const CUSTOMERS: &str = "no;name;born;phone;balance;city\n\
    1;Anna Müller;31.12.1980;030/555 12 34;12,50;Berlin\n\
    2;anna muller;31.12.1980;+49 30 5551234;1.234,00;Berlin\n\
    3; Bernd Maier;01.02.1975;N/A;7,25;Berlin\n\
    4;Bernd Maier;1.2.1975;-;7,25;Berlin\n\
    5;JÃ¼rgen Groß;24.03.1969;040-555-9999;;Hamburg\n\
    6;Jürgen Groß;24.03.1969;(040) 5559999;99,99;Berlin\n";

#[test]
fn a_profile_says_what_to_do_before_writing_rules() {
    let folder = Folder::new();
    folder.write("customers.csv", CUSTOMERS);
    let said = folder.ok(&["profile", "customers.csv"]);
    has(
        &said.out,
        &[
            "customers: 6 records, 6 columns",
            "no: text like ids, none missing, every value once: can be the id",
            "strptime(born, '%d.%m.%Y') reads dates such as '31.12.1980'",
            "may stand for a missing value: --null '-,N/A'",
            "1 record has blanks at the beginning or the end: compare trim(name)",
            "1 value differs from another in case or accents alone: compare",
            "'JÃ¼rgen Groß', which should be 'Jürgen Groß' (1 record)",
            "parse_number(balance, ',') reads the decimal commas",
            "Keys: 15 possible pairs. Numbers of candidates are exact.",
            "\n  nullif(right(digits(l.phone), 7), '') = nullif(right(digits(r.phone), 7), '')\n",
            "\n  l.no = r.no\n      no two records share a value: it finds nothing",
            "A first run:\n  sameas dedupe INPUT --rule \"",
        ],
    );
    assert!(said.out.lines().all(|line| line.chars().count() <= 100), "{}", said.out);
    assert_eq!(said.err, "");
}

/// The conditions of a profile and their candidates.
fn keys(said: &str) -> Vec<(String, u64)> {
    let profile: Value = serde_json::from_str(said).unwrap();
    let keys = profile["keys"].as_array().unwrap().iter();
    keys.map(|key| (key["condition"].as_str().unwrap().to_owned(), key["candidates"].as_u64().unwrap())).collect()
}

#[test]
fn candidates_are_those_of_a_plan_and_of_a_run() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "3000", "-o", "p", "-q"]);
    let found = keys(&folder.ok(&["profile", "p/records.csv", "--format", "json"]).out);
    assert!(found.len() > 20, "{found:?}");
    for (condition, candidates) in found.iter().step_by(4) {
        let explain = ["explain", "p/records.csv", "--rule", condition, "--format", "json"];
        let plan: Value = serde_json::from_str(&folder.ok(&explain).out).unwrap();
        if !condition.contains(" and ") {
            assert_eq!(plan["plan"][0]["estimated_candidates"].as_u64(), Some(*candidates), "{condition}");
        }
        let run = ["dedupe", "p/records.csv", "--rule", condition, "-o", "out", "--overwrite", "-q"];
        folder.ok(&run);
        let run: Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
        assert_eq!(run["rules"][0]["alone"].as_u64(), Some(*candidates), "{condition}");
    }
}

#[test]
fn a_link_has_keys_between_two_tables() {
    let folder = Folder::new();
    folder.write("a.csv", "id,Name,city\n1,ann,x\n2,bob,x\n3,ann,\n");
    folder.write("b.csv", "key,name,town\n1,ann,x\n2,ann,y\n3,cid,y\n");
    let said = folder.ok(&["profile", "--link", "a.csv", "b.csv"]);
    has(
        &said.out,
        &["a: 3 records, 3 columns", "b: 3 records, 3 columns", "Keys between a (l) and b (r): 9 possible pairs"],
    );
    has(
        &said.out,
        &[
            "\n  l.Name = r.name\n      4 candidates, 0.7 per record; 100.0 % of the records have it; the most for 'ann': 4\n",
        ],
    );
    let both = folder.ok(&["profile", "--link", "--dedupe", "a.csv", "b.csv", "--format", "json"]);
    let profile: Value = serde_json::from_str(&both.out).unwrap();
    assert_eq!(profile["nominal_pairs"].as_u64(), Some(15));
}

#[test]
fn tables_of_two_shops_are_not_joined_by_their_own_numbers() {
    let folder = Folder::new();
    let word =
        |row: usize, at: usize| ["red", "blue", "tall", "steel", "oak", "mug", "desk", "lamp"][(row >> (3 * at)) % 8];
    let name = |row: usize| format!("{} {} {} no {row}", word(row, 0), word(row, 1), word(row, 2));
    let rows = |head: &str, seller: &str| {
        (0..300).fold(head.to_owned(), |all, row| all + &format!("{row},{} by {seller}\n", name(row)))
    };
    folder.write("a.csv", rows("id,title\n", "acme"));
    folder.write("b.csv", rows("id,name\n", "emca"));
    let said = folder.ok(&["profile", "--link", "a.csv", "b.csv"]);
    has(
        &said.out,
        &[
            "l.title and r.name have different names and share words (",
            "\nBad keys\n",
            "\n  l.id = r.id\n      each input numbers its own records: equal numbers mean nothing, unless both count the",
        ],
    );
    let rules = folder.ok(&["profile", "--link", "a.csv", "b.csv", "--print-rules"]).out;
    assert!(!rules.contains("l.id") && rules.contains("l.title"), "{rules}");
    let together = folder.ok(&["profile", "a.csv", "a.csv"]);
    has(&together.err, &["warning: 2 files are read as one table; with --link each is a table"]);
    // A part of a register has the numbers of the register.
    folder.write(
        "b.csv",
        (0..300).step_by(7).fold("id,name\n".to_owned(), |all, row| all + &format!("{row},{}\n", name(row))),
    );
    has(&folder.ok(&["profile", "--link", "a.csv", "b.csv"]).out, &["Good keys, the best first\n\n  l.id = r.id\n"]);
}

#[test]
fn bad_keys_say_why() {
    let folder = Folder::new();
    let rows: String = (0..400)
        .map(|row| {
            format!(
                "{row},{},{},{}\n",
                row % 3,
                if row % 3 == 0 { "x".into() } else { format!("v{row}") },
                ["w", "z", "w", "z", ""][row.min(4)]
            )
        })
        .collect();
    folder.write("a.csv", format!("id,third,heavy,rare\n{rows}"));
    has(
        &folder.ok(&["profile", "a.csv"]).out,
        &[
            "\n  l.heavy = r.heavy\n      8,911 candidates, 22 per record: one value, 'x', has 33.5 % of the records and gives",
            "\n  l.rare = r.rare\n      only 1.0 % of the records have a value; 2 candidates",
            "rare: text like names, 396 missing (99.0 %), 2 different values",
        ],
    );
}

#[test]
fn inputs_that_do_not_fit_or_are_not_there() {
    let folder = Folder::new();
    has(&folder.fails(&["profile", "no.csv"]), &["no.csv: no such file"]);
    has(&folder.fails(&["profile"]), &["no input given"]);
    let rows: String = (0..400_000).map(|row| format!("{row},{}\n", "x".repeat(200))).collect();
    folder.write("large.csv", format!("id,text\n{rows}"));
    has(
        &folder.fails(&["profile", "large.csv", "--memory", "50MB"]),
        &["too much for a memory limit of", "--memory sets the limit"],
    );
}

#[test]
fn a_rule_file_to_begin_with_runs_and_is_not_bad() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "5000", "-o", "p", "-q"]);
    let rules = folder.ok(&["profile", "p/records.csv", "--print-rules"]).out;
    has(&rules, &["link_type = \"dedupe_only\"", "[[rule]]\nname = \"same phone\"", " candidates\n"]);
    folder.write("rules.toml", &rules);
    folder.ok(&["check", "p/records.csv", "--rules", "rules.toml"]);
    folder.ok(&["dedupe", "p/records.csv", "--rules", "rules.toml", "-o", "out", "-q"]);
    folder.ok(&["evaluate", "--pairs", "out/pairs.parquet", "--truth", "p/truth.csv", "--min-f1", "0.8"]);
    folder.write("customers.csv", CUSTOMERS);
    let rules = folder.ok(&["profile", "customers.csv", "--print-rules"]).out;
    has(&rules, &["unique_id = \"no\""]);
}

/// What a key costs does not depend on the other columns.
#[test]
fn thousands_of_columns_take_seconds() {
    let folder = Folder::new();
    let line = |cell: &dyn Fn(usize) -> String| (0..4_000).map(cell).collect::<Vec<_>>().join(",");
    let rows: String = (0..20).map(|row| format!("{row},{}\n", line(&|at| format!("w{}", (row * at) % 7)))).collect();
    folder.write("wide.csv", format!("id,{}\n{rows}", line(&|at| format!("column {at}"))));
    let started = Instant::now();
    let said = folder.ok(&["profile", "wide.csv"]);
    assert!(started.elapsed() < at_most(Duration::from_secs(3)), "{:?}", started.elapsed());
    has(&said.out, &["4,001 columns", "Keys: 190 possible pairs."]);
    folder.ok(&["profile", "--link", "wide.csv", "wide.csv"]);
    assert!(started.elapsed() < at_most(Duration::from_secs(8)), "{:?}", started.elapsed());
}
