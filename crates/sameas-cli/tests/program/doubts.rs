//! Rules that are likely mistakes: found before anything runs, and in no rule file of ours.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Folder, has};

/// Rules that are likely mistakes, each with a part of what is said about it.
const NOT_MEANT: &[(&str, &str)] = &[
    ("jaro_winkler(l.name, r.name) > 90", "did you mean 0.9?"),
    ("jaro(l.name, r.name) >= 1.5", "is between 0 and 1"),
    ("jaccard(words(l.name), words(r.name)) < 0", "is between 0 and 1"),
    ("l.phone = r.phone and jaro(l.name, r.name) <= 1", "holds for every value"),
    ("levenshtein(l.name, r.name) <= 0.8", "levenshtein_similarity(l.name, r.name) >= 0.8"),
    ("overlap(words(l.name), words(r.name)) >= 0.5", "overlap_coefficient("),
    ("levenshtein(l.name, r.name) < 0", "is at least 0"),
    ("jaro(l.name, r.name) = 0.9", "did you mean `jaro(l.name, r.name) >= 0.9`?"),
    ("l.phone = r.phone and l.name = ''", "an empty text is null"),
    ("l.phone = r.phone and length(l.name) = 0", "write `is null`"),
    ("l.phone = r.phone and digits(l.name) is not null", "write `nullif(digits(l.name), '') is not null`"),
    ("l.phone = r.phone and l.name not in ('x', null)", "`not in` is null"),
    ("l.name = l.name", "did you mean `l.name` and `r.name`?"),
    ("l.name = l.phone", "reads `l` only"),
    ("jaro(l.name, l.phone) > 0.9 and l.year = r.year", "two values of one record"),
    ("l.phone = r.phone and l.year > 2000 and l.year < 1990", "`l.year > 2000` excludes it"),
    ("l.phone = r.phone and l.year between 2000 and 1990", "exchange the two ends"),
    ("l.phone = r.phone and (l.name <> 'x' or l.name <> 'y')", "to exclude both, write `and`"),
    ("l.phone = r.phone and (l.name = r.name or true)", "is true for every pair"),
    ("l.phone = r.phone and lower(l.name) = 'ABC'", "did you mean 'abc'?"),
    ("l.phone = r.phone and substr(l.name, 1, 3) = 'abcd'", "at most 3 characters"),
    ("l.phone = r.phone and digits(l.phone) = '12a'", "did you mean '12'?"),
    ("l.phone = r.phone and soundex(l.name) = 'smith'", "a letter and three digits"),
    ("l.year - r.year <= 5", "abs(l.year - r.year) <= 5"),
    ("jaccard(qgrams(l.name, 2), qgrams(r.name, 3)) > 0.4", "nothing in common"),
    ("neighbours(l.name, r.name, 1)", "at least 2"),
    ("l.phone = r.phone and l.year > 1990-01-01", "date '1990-01-01'"),
    ("l.id = r.id", "`id` is the id"),
    ("abs(l.name - r.name) <= 5", "no value of column `name`"),
    ("date_diff_days(l.phone, r.phone) = 0", "strptime(phone, '%d.%m.%Y')"),
    ("l.name = r.name and lower(l.name) <> lower(r.name)", "exclude each other"),
];

/// A file of these rules, and the lines of their conditions.
fn file_of(rules: &[(&str, &str)]) -> String {
    rules.iter().map(|(when, _)| format!("[[rule]]\nwhen = \"{when}\"\n")).collect()
}

#[test]
fn every_rule_that_cannot_be_meant_is_found() {
    let folder = Folder::with_people();
    folder.write("rules.toml", file_of(NOT_MEANT));
    let said = folder.run(&["check", "people.csv", "--rules", "rules.toml"]);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
    for (at, (when, part)) in NOT_MEANT.iter().enumerate() {
        let place = format!("--> rule \"rule_{}\", rules.toml:{}\n", at + 1, 2 * at + 2);
        let mut about =
            said.err.split("\n\n").flat_map(|part| part.split("\nwarning: ")).flat_map(|p| p.split("\nerror: "));
        assert!(about.any(|doubt| doubt.contains(&place) && doubt.contains(part)), "{when}: {part}\n{}", said.err);
    }
    // Each of them alone, too.
    for (when, part) in NOT_MEANT {
        has(&folder.run(&["check", "people.csv", "--rule", when]).err, &[part]);
    }
}

#[test]
fn warnings_are_counted_and_do_not_fail() {
    let folder = Folder::with_people();
    let said = folder.ok(&["check", "people.csv", "--rule", "l.year - r.year <= 5"]);
    has(&said.out, &["1 rule: no mistakes found, and all columns are there; 1 warning.\n"]);
    has(&said.err, &["warning: `l.year - r.year` may be negative", "= help: if the two must be near"]);
    let said = folder.ok(&["check", "--rule", "l.year - r.year <= 5"]);
    has(&said.out, &["1 rule: no mistakes found; 1 warning. Give the inputs"]);
}

/// An empty text is null in columns, not inside expressions: a `never` that forgets it forbids everything or nothing.
#[test]
fn a_test_for_null_of_what_may_be_empty_is_a_warning() {
    let folder = Folder::with_people();
    let rules = "[[rule]]\nwhen = \"l.phone = r.phone\"\n[[never]]\nwhen = \"digits(l.name) is null\"\n";
    folder.write("rules.toml", rules);
    let said = folder.ok(&["check", "people.csv", "--rules", "rules.toml"]);
    let expected = "warning: `digits(l.name)` may be an empty text, which is null in columns only, and not here\n \
                    --> never \"never_1\", rules.toml:4\n  |\n4 | when = \"digits(l.name) is null\"\n  |         \
                    ^^^^^^^^^^^^^^^^^^^^^^\n  = help: where empty is as good as missing, write \
                    `nullif(digits(l.name), '') is null`\n";
    assert_eq!(said.err, expected);
    // What it proposes is what is meant: no name has digits, so every pair is forbidden.
    let pairs = |condition: &str| {
        folder.write("never.toml", rules.replace("digits(l.name) is null", condition));
        folder.ok(&["dedupe", "people.csv", "--rules", "never.toml", "-q", "-o", "-"]).out.lines().count()
    };
    assert_eq!((pairs("digits(l.name) is null"), pairs("nullif(digits(l.name), '') is null")), (3, 1));
}

/// A run, an explanation and a reason say so before they begin, unless they are to be quiet, and `run.json` keeps it.
#[test]
fn runs_warn_before_they_start() {
    let folder = Folder::with_people();
    let rules =
        ["--rule", "l.phone = r.phone", "--rule", "jaro(l.name, r.name) > 90", "--rule", "abs(l.name - r.name) <= 5"];
    let with = |first: &[&'static str], last: &[&'static str]| [first, &rules, last].concat();
    let warned =
        ["warning: this can never hold", "did you mean 0.9?", "warning: no value of column `name` in the inputs"];
    let said = folder.ok(&with(&["dedupe", "people.csv"], &["-o", "out"]));
    has(&said.err, &warned);
    has(&folder.read("out/run.json"), &["\"doubts\"", "\"out_of_range\"", "\"no_numbers\"", "\"mistake\""]);
    assert_eq!(folder.ok(&with(&["dedupe", "people.csv"], &["-o", "quiet", "-q"])).err, "");
    has(&folder.ok(&with(&["explain", "people.csv"], &[])).err, &warned);
    has(&folder.ok(&with(&["why", "people.csv"], &["--pair", "1", "2"])).err, &warned[..2]);
}

/// The columns of a date in another format are found by their values.
#[test]
fn columns_that_cannot_be_read_are_found_in_a_sample() {
    let folder = Folder::new();
    folder.write("a.csv", "id,born,pay\n1,31.12.1990,\"1,5\"\n2,01.02.1991,\"2,5\"\n");
    let rule = "abs(date_diff_days(l.born, r.born)) <= 3 and abs(l.pay - r.pay) < 1";
    let said = folder.ok(&["check", "a.csv", "--rule", rule]);
    has(&said.err, &["no value of column `born`", "'31.12.1990'", "strptime(born, '%d.%m.%Y')"]);
    has(&said.err, &["no value of column `pay`", "'1,5'", "numbers are written with a point"]);
    folder.write("b.csv", "id,born,pay\n1,31.12.1990,x\n2,1991-02-01,2.5\n");
    assert_eq!(folder.ok(&["check", "b.csv", "--rule", rule]).err, "");
}

#[test]
fn a_rule_that_looks_at_every_pair_warns_before_it_runs() {
    let folder = Folder::new();
    let rows: String = (0..4_600).map(|i| format!("{i},{}\n", i * 7 % 4_600)).collect();
    folder.write("many.csv", format!("id,x\n{rows}"));
    let rule = "hamming(l.x, r.x) <= 1";
    let said = folder.ok(&["dedupe", "many.csv", "--rule", rule, "-o", "out"]);
    has(&said.err, &["warning: rule_1 must look at every pair of records, 10,577,700 in all, which takes about "]);
    assert_eq!(folder.ok(&["dedupe", "many.csv", "--rule", rule, "-o", "quiet", "-q"]).err, "");
}

/// No rule file of the repository has a condition that is likely a mistake.
#[test]
fn our_own_rules_are_meant() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("crates/sameas-cli/src/demo_rules.toml")];
    files.extend(toml_files(&root.join("crates/sameas-testkit/rules")));
    files.extend(toml_files(&root.join("bench/rules")));
    assert!(files.len() > 20, "{files:?}");
    let folder = Folder::new();
    for file in files {
        let said = folder.ok(&["check", "--rules", file.to_str().unwrap()]);
        assert_eq!(said.err, "", "{}", file.display());
    }
}

fn toml_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}
