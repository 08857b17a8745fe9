//! Rules that are made again are the same rules, whichever way they were made.

use std::path::Path;

use tempfile::{TempDir, tempdir};

use super::*;
use crate::expr::Type;
use crate::rules::{Column, LinkType, RuleFile, compile};

const PEOPLE: &str = "link_type = \"dedupe_only\"\nunique_id = { left = \"a\" }\nencoding = \"latin1\"\nnull = [\"-\"]\n\
                      blank_is_null = true\nskip_null_ids = false\n[derive]\nx = \"lower(a)\"\n[derive.people]\ny = \"b\"\n\
                      [[rule]]\nname = \"listed\"\nwhen = \"in_list(l.a, r.a, 'names.csv')\"\ncertain = true\n\
                      [[never]]\nwhen = \"l.b <> r.b\"\n[columns]\nboth = \"l.a || r.a\"\n";

const LISTED: &str = "[[rule]]\nwhen = \"in_list(l.a, r.a, 'names.csv')\"\n";

const SCORED: &str = "null = [\"?\"]\n[[compare]]\nname = \"b\"\nlevels = [\"l.b = r.b\"]\nterm_frequency = \"b\"\n\
                      [score]\nthreshold = 0.9\nprior = 0.01\n[train]\nrules = [\"l.a = r.a\"]\nrecall = 0.7\n";

fn parsed(text: &str, name: &str) -> RuleFile {
    RuleFile::parse(text, name).unwrap()
}

fn added(mut first: RuleFile, second: RuleFile) -> RuleFile {
    first.extend(second).unwrap();
    first
}

/// A folder with rule files, and the list that one of them names.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    let list = ("names.csv", "Ann,Anna\nBob,Rob\n");
    for (name, text) in [("people.toml", PEOPLE), ("scored.toml", SCORED), ("listed.toml", LISTED), list] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The same rules, made of the parts of these after they were stored and read.
fn made_again(rules: &RuleFile) -> RuleFile {
    let stored = serde_json::to_string(rules.parts()).unwrap();
    let parts: Vec<RulePart> = serde_json::from_str(&stored).unwrap();
    RuleFile::of_parts(&parts).unwrap()
}

#[test]
fn every_way_to_make_rules_is_taken_again() {
    let folder = folder();
    let [people, scored] = ["people.toml", "scored.toml"].map(|name| folder.path().join(name));
    let read = || RuleFile::read_all(&[&people, &scored]).unwrap();
    let mut by_hand = RuleFile::default();
    by_hand.add_rule("l.a = r.a");
    by_hand.add_rule_from("l.b = r.b", "--rule");
    by_hand.add_column_from("both", "l.a || r.b", "columns=");
    let texts: Vec<RuleFileText> = read().files().cloned().collect();
    let in_folder = || parsed(PEOPLE, "people").in_folder(folder.path());
    let other_folder = || by_hand.clone().in_folder(Path::new("other"));
    for rules in [
        RuleFile::default(),
        parsed(PEOPLE, "people"),
        RuleFile::read(&people).unwrap(),
        read(),
        RuleFile::of_texts(&texts).unwrap(),
        by_hand.clone(),
        in_folder(),
        read().without_scores(),
        added(read(), by_hand.clone()),
        added(by_hand.clone(), parsed(SCORED, "scored")),
        added(in_folder(), other_folder()),
        added(RuleFile::default(), other_folder()),
        added(parsed(SCORED, "first"), parsed(SCORED, "second").without_scores()),
        added(parsed(SCORED, "first").without_scores(), parsed(SCORED, "second")),
        added(by_hand.clone(), added(in_folder(), parsed(SCORED, "scored").without_scores())),
    ] {
        assert_eq!(format!("{:?}", made_again(&rules)), format!("{rules:?}"));
    }
}

/// What is said of all rules of one is said of them alone where they are added to others.
#[test]
fn rules_that_are_added_keep_what_was_said_of_them() {
    let scores = added(parsed(SCORED, "first"), parsed(SCORED, "second").without_scores());
    let folders = added(parsed(PEOPLE, "first").in_folder(Path::new("one")), {
        let mut second = RuleFile::default();
        second.add_rule_from("in_list(l.b, r.b, 'names.csv')", "second");
        second.in_folder(Path::new("two"))
    });
    for (scores, folders) in [(scores.clone(), folders.clone()), (made_again(&scores), made_again(&folders))] {
        assert_eq!((scores.compares.len(), scores.null.len()), (1, 2));
        let folder_of = |rule: usize| folders.folder_of(&folders.rules[rule].origin).unwrap();
        assert_eq!([folder_of(0), folder_of(1)], [Path::new("one"), Path::new("two")]);
    }
    let names: Vec<&str> = scores.files().map(|file| file.path.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
}

#[test]
fn lists_are_found_beside_a_rule_file_that_has_moved() {
    let (folder, elsewhere) = (folder(), tempdir().unwrap());
    let place = folder.path().join("listed.toml");
    let rules = RuleFile::read(&place).unwrap();
    std::fs::rename(&place, elsewhere.path().join("listed.toml")).unwrap();
    let columns = ["a", "b"].map(|name| Column { name: name.into(), key: name.into(), ty: Ok(Type::Text) });
    for rules in [&rules, &made_again(&rules)] {
        let compiled =
            compile(rules, LinkType::DedupeOnly, [&columns, &columns]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(compiled.lists.len(), 1);
        assert_eq!(compiled.lists[0].containing("Anna"), [0]);
    }
}

#[test]
fn mistakes_have_the_places_that_they_had() {
    let wrong =
        RuleFileText { path: "rules.toml".into(), text: "[[rule]]\nwhen = \"l.a = = r.a\"\nnam = \"x\"\n".into() };
    let first = RuleFile::parse(&wrong.text, &wrong.path).unwrap_err().to_string();
    for part in [RulePart::Text(wrong.clone()), RulePart::File(wrong)] {
        let parts = vec![part];
        assert_eq!(RuleFile::of_parts(&parts).unwrap_err().to_string(), first);
        assert_eq!(RuleFile::of_parts(&[RulePart::Added { parts }]).unwrap_err().to_string(), first);
    }
    assert!(first.contains("rules.toml:2") && first.contains("rules.toml:3"), "{first}");
}

#[test]
fn stored_parts_say_what_they_are() {
    let mut rules = parsed("[[rule]]\nwhen = \"l.a = r.a\"\n", "rules").without_scores();
    rules.add_rule_from("l.b = r.b", "--rule");
    let expected = serde_json::json!([
        {"kind": "text", "path": "rules", "text": "[[rule]]\nwhen = \"l.a = r.a\"\n"},
        {"kind": "without_scores"},
        {"kind": "rule", "when": "l.b = r.b", "place": "--rule"},
    ]);
    assert_eq!(serde_json::to_value(rules.parts()).unwrap(), expected);
}
