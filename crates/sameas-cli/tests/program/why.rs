//! `why`: the values of sums and cases, long conditions, and the whole records.

use crate::support::{Folder, has};

fn ask(folder: &Folder, rule: &str, pair: [&str; 2], more: &[&str]) -> String {
    folder.ok(&[&["why", "people.csv", "--rule", rule, "--pair", pair[0], pair[1]][..], more].concat()).out
}

#[test]
fn a_sum_shows_its_value_and_its_parts() {
    let folder = Folder::with_people();
    let rule = "levenshtein(l.name, r.name) + abs(l.year - r.year) * 2 - length(l.phone) >= 4";
    let said = ask(&folder, rule, ["3", "4"], &[]);
    has(&said, &["measured -2, missed by 6\n"]);
    has(&said, &["levenshtein(l.name, r.name) = 3\n", "abs(l.year - r.year) * 2 = 0\n", "- length(l.phone) = -5\n"]);
    assert_eq!(said.matches("levenshtein(l.name, r.name) = 3").count(), 1, "{said}");
}

#[test]
fn a_case_shows_its_value_and_the_measures_inside() {
    let folder = Folder::with_people();
    let rule = "case when jaro(l.name, r.name) >= 0.99 then 2 when l.year = r.year then 1 else 0 end >= 2";
    let said = ask(&folder, rule, ["1", "2"], &[]);
    has(&said, &["false  case when", "measured 1, missed by 1\n", "jaro(l.name, r.name) = 0.9"]);
}

#[test]
fn two_computed_sides_are_both_shown() {
    let folder = Folder::with_people();
    let said = ask(&folder, "l.name || r.phone = r.name || l.phone", ["1", "2"], &[]);
    has(&said, &["l.name || r.phone = 'john smith555-1'\n", "r.name || l.phone = 'jon smith555-1'\n"]);
}

#[test]
fn a_measure_of_both_records_is_measured() {
    let folder = Folder::with_people();
    let said = ask(&folder, "levenshtein(l.name || r.phone, r.name) <= 3", ["1", "2"], &[]);
    has(&said, &["measured 6, missed by 3\n"]);
}

#[test]
fn long_conditions_are_cut_unless_wanted_in_full() {
    let folder = Folder::with_people();
    let long: Vec<String> = (0..30).map(|at| format!("(levenshtein(l.name, r.name) + {at})")).collect();
    let rule = format!("{} <= 100", long.join(" + "));
    let short = ask(&folder, &rule, ["1", "2"], &[]);
    has(&short, &["false  (levenshtein(l.name, r.name) + 0) + (levenshtein", "...", "<= 100\n"]);
    let full = ask(&folder, &rule, ["1", "2"], &["--full"]);
    let condition = |said: &str| said.lines().skip_while(|line| !line.contains("false ")).take(4).collect::<String>();
    assert!(condition(&short).contains("...") && !full.contains("..."), "{short}\n{full}");
    assert!(short.lines().chain(full.lines()).all(|line| line.chars().count() <= 100), "{full}");
}

#[test]
fn whole_records_stand_side_by_side() {
    let folder = Folder::with_people();
    folder.write("rules.toml", "[derive]\nlast = \"split_part(name, ' ', 2)\"\n[[rule]]\nwhen = \"l.last = r.last\"\n");
    let args = ["why", "people.csv", "--rules", "rules.toml", "--pair", "1", "2"];
    let said = folder.ok(&[&args[..], &["--records"]].concat()).out;
    let flat: Vec<String> = said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "Records, with * where they differ",
        "* id '1' '2'",
        "* name 'john smith' 'jon smith'",
        "phone '555-1' '555-1'",
    ] {
        assert!(flat.iter().any(|known| known == line), "no `{line}` in:\n{said}");
    }
    has(&flat.join("\n"), &["\nyear '1980' '1980'\n", "\nlast (derived) 'smith' 'smith'"]);
    assert!(!folder.ok(&args).out.contains("Records"));
}

#[test]
fn records_of_a_link_have_the_columns_of_both() {
    let folder = Folder::with_people();
    folder.write("other.csv", "id,name,town\na,john smith,York\n");
    let args =
        ["why", "--link", "people.csv", "other.csv", "--rule", "l.name = r.name", "--pair", "1", "a", "--records"];
    let said = folder.ok(&args).out;
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    has(&flat, &["people:1 other:a", "name 'john smith' 'john smith'", "* phone '555-1'", "* town 'York'"]);
}
