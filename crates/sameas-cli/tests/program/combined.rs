//! `train --combine-dependent`: two comparisons that count the same thing become one in the model, and everything that takes a
//! model works with it.

use std::fmt::Write;

use crate::report::Unpacked;
use crate::reproduce::runs_again;
use crate::support::{Folder, has};

const RULES: &str = "[[compare]]\nname = \"team\"\nlevels = [\"l.team = r.team\"]\n\
                     [[compare]]\nname = \"group\"\nlevels = [\"l.group = r.group\"]\n\
                     [[compare]]\nname = \"room\"\nlevels = [\"l.room = r.room\"]\n\
                     [[compare]]\nname = \"year\"\nlevels = [\"l.year = r.year\"]\n\
                     [train]\nrules = [\"l.street = r.street\"]\n\
                     [score]\nthreshold = 0.3\nprior = 0.00125\nlevels = true\n";

const BOTH: &str = "(l.team = r.team) and (l.group = r.group)";

/// A number below `most` that says nothing about the numbers of other people, or of other kinds.
fn drawn(person: u64, kind: u64, most: u64) -> u64 {
    let mut bits = (person * 10 + kind + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for (shift, factor) in [(30_u32, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)] {
        bits = (bits ^ (bits >> shift)).wrapping_mul(factor);
    }
    (bits ^ (bits >> 31)) % most
}

/// Four hundred people, each twice, four of them in each street. One person in ten has another team in the second record. A
/// group says the same as the team, or has nothing to do with it.
fn people(is_dependent: bool) -> String {
    let mut table = "id,team,group,room,year,street\n".to_owned();
    for row in 0..800 {
        let person = row / 2;
        let team = drawn(person, 0, 19) + u64::from(row % 20 == 1);
        let group = if is_dependent { team } else { drawn(person, 2, 17) + u64::from(row % 22 == 3) };
        let year = drawn(person, 3, 61) + u64::from(row % 40 == 7);
        let (room, street) = (drawn(person, 1, 23), person % 100);
        let _ = writeln!(table, "{row},t{team},g{group},r{room},y{year},s{street}");
    }
    table
}

/// A folder with people, rules, a model of these comparisons, and one that takes team and group together.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", people(true));
    folder.write("rules.toml", RULES);
    let train = ["train", "people.csv", "--rules", "rules.toml", "-q", "-o"];
    folder.ok(&[&train[..], &["apart.toml"]].concat());
    folder.ok(&[&train[..], &["model.toml", "--combine-dependent"]].concat());
    folder
}

/// Finds pairs by a model.
fn dedupe(folder: &Folder, rules: &str, model: &str, output: &str) {
    folder.ok(&["dedupe", "people.csv", "--rules", rules, "--model", model, "--format", "csv", "-q", "-o", output]);
}

/// How many pairs were found, and how many of them are of one person.
fn found(folder: &Folder, output: &str) -> (usize, usize) {
    let pairs = folder.read(&format!("{output}/pairs.csv"));
    let people =
        |line: &str| -> Vec<u64> { line.split(',').take(2).map(|id| id.parse::<u64>().unwrap() / 2).collect() };
    let all: Vec<Vec<u64>> = pairs.lines().skip(1).map(people).collect();
    (all.len(), all.iter().filter(|people| people[0] == people[1]).count())
}

#[test]
fn a_model_takes_two_comparisons_together() {
    let folder = Folder::new();
    folder.write("people.csv", people(true));
    folder.write("rules.toml", RULES);
    let train = ["train", "people.csv", "--rules", "rules.toml"];
    let apart = folder.ok(&train);
    has(&apart.err, &["`team` and `group` depend on each other", "`sameas train --combine-dependent`"]);
    assert!(!apart.out.contains("combines"), "{}", apart.out);
    has(&apart.out, &["name = \"team\"\n", "name = \"group\"\n"]);
    let train = [&train[..], &["--combine-dependent"]].concat();
    let together = folder.ok(&train);
    let head = "name = \"team and group\"\ncombines = [\"team\", \"group\"]\n";
    has(&together.out, &[head, &format!("when = \"{BOTH}\"\n"), "name = \"room\"\n"]);
    assert!(!together.out.contains("name = \"team\"\n"), "{}", together.out);
    assert!(!together.err.contains("depend on each other"), "{}", together.err);
    let said = folder.ok(&[&train[..], &["-o", "model.toml"]].concat()).out;
    has(&said, &["team and group", "Written to model.toml"]);
    assert_eq!(folder.read("model.toml"), together.out);
    // The option changes neither later training nor the rules.
    assert_eq!(folder.ok(&train[..4]).out, apart.out);
    assert_eq!(folder.read("rules.toml"), RULES);
}

#[test]
fn a_model_of_independent_comparisons_is_the_same_with_the_option() {
    let folder = Folder::new();
    folder.write("people.csv", people(false));
    folder.write("rules.toml", RULES);
    let train = ["train", "people.csv", "--rules", "rules.toml"];
    let with = folder.ok(&[&train[..], &["--combine-dependent"]].concat());
    assert_eq!(with.out, folder.ok(&train).out);
}

/// Most pairs of one team with the same room or the same year are two people. A model that adds the weights of team and group
/// takes them for one person.
#[test]
fn what_is_taken_together_counts_once() {
    let folder = folder();
    dedupe(&folder, "rules.toml", "apart.toml", "apart");
    dedupe(&folder, "rules.toml", "model.toml", "out");
    let ((pairs, right), (fewer, still_right)) = (found(&folder, "apart"), found(&folder, "out"));
    assert!(right * 2 < pairs, "{right} of {pairs} pairs are right");
    assert!(still_right > 300 && still_right * 10 > fewer * 9, "{still_right} of {fewer} pairs are right");
    let columns = "match_weight,match_probability,level_team and group,level_room,level_year\n";
    has(&folder.read("out/pairs.csv"), &[columns, &format!(",{BOTH},l.room = r.room,l.year = r.year\n")]);
}

#[test]
fn a_reason_and_a_report_have_one_comparison() {
    let folder = folder();
    dedupe(&folder, "rules.toml", "model.toml", "out");
    let job = ["why", "people.csv", "--rules", "rules.toml", "--model", "model.toml", "--pair", "2", "3"];
    let why = folder.ok(&job).out;
    let (_, score) = why.split_once("\nScore\n").unwrap_or_else(|| panic!("no score in:\n{why}"));
    let rows: Vec<&str> = score.lines().filter(|line| line.contains("team") || line.contains("group")).collect();
    assert_eq!(rows.len(), 1, "{why}");
    has(rows[0], &["team and group", BOTH]);
    // The record of the run has the rules as they were written, and the model completes them again.
    assert_eq!(folder.ok(&["why", "out", "--pair", "2", "3"]).out, why);
    ["rules.toml", "model.toml"].iter().for_each(|file| std::fs::remove_file(folder.path(file)).unwrap());
    folder.ok(&["report", "out", "-q"]);
    let facts = Unpacked::read(&folder, "out/report.html").facts;
    let comparisons = facts["scores"]["comparisons"].as_array().unwrap();
    let names: Vec<&str> = comparisons.iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["team and group", "room", "year"]);
    let levels = comparisons[0]["levels"].as_array().unwrap();
    assert_eq!(levels[0]["text"].as_str(), Some(BOTH));
    assert!(levels[0]["weight"].as_f64().unwrap() > 2.0, "{}", levels[0]);
    assert_eq!(facts["overview"]["pairs"].as_u64(), Some(found(&folder, "out").0 as u64));
}

/// The warning that names the option stands beside the weights in a report, too.
#[test]
fn a_report_has_the_warnings_of_training() {
    let folder = folder();
    dedupe(&folder, "rules.toml", "apart.toml", "apart");
    folder.ok(&["report", "apart", "-q"]);
    let facts = Unpacked::read(&folder, "apart/report.html").facts;
    let warnings = facts["words"]["training"].to_string();
    has(&warnings, &["`team` and `group` depend on each other"]);
    let level = &facts["scores"]["comparisons"][0]["levels"][0];
    assert!(level["weightError"].as_f64().unwrap() > 0.0 && level["mPairs"].as_f64().unwrap() > 10.0, "{level}");
}

#[test]
fn a_job_with_such_a_model_is_run_again_by_its_description_alone() {
    let folder = folder();
    let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let [people, rules, model] = ["people.csv", "rules.toml", "model.toml"].map(path);
    let job = ["dedupe", people.as_str(), "--rules", &rules, "--model", &model, "--format", "csv", "-q", "-o", "out"];
    folder.ok(&job);
    let record: serde_json::Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
    assert_eq!(record["job"]["spec"]["rules"][0]["text"].as_str(), Some(RULES));
    [rules, model].iter().for_each(|file| std::fs::remove_file(file).unwrap());
    runs_again(&folder, "out");
}

#[test]
fn rules_whose_levels_have_changed_are_refused() {
    let folder = folder();
    folder.write("rules.toml", RULES.replace("l.group = r.group", "jaro_winkler(l.group, r.group) >= 0.9"));
    let job = ["people.csv", "--rules", "rules.toml", "--model", "model.toml"];
    let why = "the model does not fit: it takes `team` and `group` together, whose levels in the rules are others";
    let commands: [(&str, &[&str]); 2] = [("dedupe", &["-o", "out"]), ("why", &["--pair", "2", "3"])];
    for (command, more) in commands {
        has(&folder.fails(&[&[command][..], &job, more].concat()), &[why, "help: train a model for these rules"]);
    }
}

#[test]
fn term_frequencies_that_were_added_later_are_not_lost_without_a_word() {
    let folder = folder();
    let group = "levels = [\"l.group = r.group\"]\n";
    folder.write("rules.toml", RULES.replace(group, &format!("{group}term_frequency = \"group\"\n")));
    let job = ["dedupe", "people.csv", "--rules", "rules.toml", "--model", "model.toml", "-o", "out"];
    let why = "it takes `team` and `group` together, and `group` has term frequencies in the rules";
    has(&folder.fails(&job), &[why, "help: leave out `term_frequency`"]);
    // Trained again, the two stay apart, and why is said there, in the record of a run, and in its report.
    let train = ["train", "people.csv", "--rules", "rules.toml", "--combine-dependent", "-o", "again.toml"];
    let apart = "`team` and `group` count the same thing twice";
    has(&folder.ok(&train).err, &[apart, "one of them has term frequencies"]);
    has(&folder.read("again.toml"), &["kind = \"not_combined\"\n", "because = \"term_frequencies\"\n"]);
    dedupe(&folder, "rules.toml", "again.toml", "apart");
    has(&folder.read("apart/run.json"), &["not_combined"]);
    folder.ok(&["report", "apart", "-q"]);
    has(&Unpacked::read(&folder, "apart/report.html").facts["words"]["training"].to_string(), &[apart]);
}

/// Rules that have the comparison themselves, with the name and the levels that the model has, need not be completed.
#[test]
fn the_comparison_can_be_written_into_the_rules() {
    let folder = folder();
    let model = folder.read("model.toml");
    let (combined, _) = model.split_once("name = \"room\"").unwrap();
    let levels: Vec<&str> = combined.lines().filter_map(|line| line.strip_prefix("when = ")).collect();
    let (_, others) = RULES.split_once("levels = [\"l.group = r.group\"]\n").unwrap();
    let written = format!("[[compare]]\nname = \"team and group\"\nlevels = [{}]\n{others}", levels.join(", "));
    folder.write("written.toml", written);
    dedupe(&folder, "rules.toml", "model.toml", "out");
    dedupe(&folder, "written.toml", "model.toml", "written");
    assert_eq!(folder.read("written/pairs.csv"), folder.read("out/pairs.csv"));
}
