//! Keys of jobs that look alike.

use std::path::Path;

use super::*;
use crate::expr::{ExprKind, Function, Side, Span, Type};
use crate::memory::MemoryBudget;
use crate::records::encode::WantedOperands;
use crate::rules::{Column, InputColumns, LinkType, RuleFile, RuleSet, Test, compile_within};

fn column(name: &str) -> Column {
    Column { name: name.to_owned(), key: name.to_owned(), ty: Ok(Type::Text) }
}

fn rules_of(file: &RuleFile, link_type: LinkType, inputs: &[&str]) -> RuleSet {
    let columns = [column("name"), column("city")];
    let inputs: Vec<InputColumns<'_>> = inputs.iter().map(|name| InputColumns { name, columns: &columns }).collect();
    compile_within(file, link_type, &inputs, &MemoryBudget::unlimited(), None).unwrap()
}

/// The keys of what the first predicate compares.
fn keys_of(rules: &RuleSet) -> [OperandKey; 2] {
    let frames = if rules.has_two_sides() { 2 } else { 1 };
    let definitions = Definitions::new(&rules.derived, &rules.rankings, frames);
    let (Test::Equal { left, right, .. } | Test::Measure { left, right, .. } | Test::ListHasAny { left, right }) =
        &rules.predicates[0].test
    else {
        panic!("two values are compared")
    };
    let key = |frame: usize, expr: &Expr| operand_key(frame, expr, Numbers::ByValue, &definitions);
    [key(0, left), key(frames - 1, right)]
}

/// The key of a value that two records of one input are compared by.
fn dedupe(derives: &str, when: &str) -> OperandKey {
    let text = format!("{derives}\n[[rule]]\nwhen = \"{when}\"\n");
    let [left, right] = keys_of(&rules_of(&RuleFile::parse(&text, "t").unwrap(), LinkType::DedupeOnly, &["people"]));
    assert_eq!(left, right, "one operand");
    left
}

fn link(derives: &str, inputs: &[&str]) -> [OperandKey; 2] {
    let text = format!("{derives}\n[[rule]]\nwhen = \"l.clean = r.clean\"\n");
    keys_of(&rules_of(&RuleFile::parse(&text, "t").unwrap(), LinkType::LinkOnly, inputs))
}

#[test]
fn a_derived_column_is_what_it_is_made_of() {
    let key = |derives: &str| dedupe(derives, "l.clean = r.clean");
    let lower = key("[derive]\nclean = \"lower(name)\"");
    assert_eq!(lower, key("[derive]\nclean = \"lower( name )\""));
    assert_ne!(lower, key("[derive]\nclean = \"upper(name)\""));
    assert_ne!(lower, key("[derive]\nclean = \"lower(city)\""));
    // A derived column, and the column of the input that has its name.
    assert_ne!(dedupe("[derive]\nname = \"lower(name)\"", "l.name = r.name"), dedupe("", "l.name = r.name"));
    assert_ne!(dedupe("", "l.name = r.name"), dedupe("", "l.city = r.city"));
}

/// Keys are stored: their texts do not change.
#[test]
fn keys_keep_their_texts() {
    let key = |when: &str| dedupe("", when).text().to_owned();
    assert_eq!(key("jaccard(words(l.name), words(r.name)) >= 0.5"), r#"0 ByValue TextList Words(l."name")"#);
    assert_eq!(
        key("levenshtein(l.name, l.city) = levenshtein(r.name, r.city)"),
        r#"0 ByValue Number Levenshtein(l."city", l."name")"#
    );
    assert_eq!(
        key("overlap(words(l.name), words(l.city)) = overlap(words(r.name), words(r.city))"),
        r#"0 ByValue Number Overlap(Words(l."city"), Words(l."name"))"#
    );
}

#[test]
fn a_derived_column_is_also_what_it_reads() {
    let key = |first: &str, other: &str| {
        let derives = format!("[derive]\nfirst = \"{first}\"\nclean = \"trim(first)\"\nother = \"{other}\"");
        dedupe(&derives, "l.clean = r.clean and l.other = r.other")
    };
    let lower = key("lower(name)", "city");
    assert_ne!(lower, key("upper(name)", "city"));
    assert_eq!(lower, key("lower(name)", "upper(city)"), "nothing else is part of it");
}

#[test]
fn each_input_derives_its_own() {
    let sided = |left: &str, right: &str| {
        link(&format!("[derive.left]\nclean = \"{left}\"\n[derive.right]\nclean = \"{right}\""), &["a", "b"])
    };
    let (both, other) = (sided("lower(name)", "lower(name)"), sided("lower(name)", "upper(name)"));
    assert_eq!(both[0], other[0]);
    assert_ne!(both[1], other[1]);
    assert_ne!(both[0], both[1], "of other records");
    let of_one = |input: &str| {
        let derives = format!("[derive]\nclean = \"lower(name)\"\n[derive.{input}]\nclean = \"upper(name)\"");
        let [left, right] = link(&derives, &["a", "b", "c"]);
        assert_eq!(left, right, "all inputs lie in one frame");
        left
    };
    assert_ne!(of_one("b"), of_one("c"));
    assert_ne!(of_one("b"), link("[derive]\nclean = \"lower(name)\"", &["a", "b", "c"])[0]);
}

#[test]
fn ranks_are_those_of_their_keys() {
    let key = |clean: &str| dedupe(&format!("[derive]\nclean = \"{clean}\""), "neighbours(l.clean, r.clean, 3)");
    assert_eq!(key("lower(name)"), key("lower(name)"));
    assert_ne!(key("lower(name)"), key("upper(name)"));
    // Ranks are of all records: what the other input sorts by changes them in both.
    let sided = |right: &str| {
        let derives = format!("[derive.left]\nclean = \"name\"\n[derive.right]\nclean = \"{right}\"");
        let text = format!("{derives}\n[[rule]]\nwhen = \"neighbours(l.clean, r.clean, 3)\"\n");
        keys_of(&rules_of(&RuleFile::parse(&text, "t").unwrap(), LinkType::LinkOnly, &["a", "b"]))
    };
    let (same, other) = (sided("name"), sided("city"));
    assert!(same[0] != other[0] && same[1] != other[1]);
}

#[test]
fn lists_are_their_content() {
    let key = |folder: &Path, list: &str| {
        std::fs::write(folder.join("names.csv"), list).unwrap();
        let text = "[[rule]]\nwhen = \"in_list(l.name, r.name, 'names.csv')\"\n";
        std::fs::write(folder.join("rules.toml"), text).unwrap();
        let file = RuleFile::read(&folder.join("rules.toml")).unwrap();
        let [left, _] = keys_of(&rules_of(&file, LinkType::DedupeOnly, &["people"]));
        left
    };
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let nicknames = key(here.path(), "William,Bill\n");
    assert_eq!(nicknames, key(there.path(), "William,Bill\n"));
    assert_ne!(nicknames, key(here.path(), "William,Will\n"));
}

#[test]
fn long_chains_have_short_keys() {
    let read = |name: &str| Expr {
        kind: ExprKind::Column(Side::Left, derived_key(name)),
        ty: Type::Text,
        span: Span::default(),
    };
    let both = |a: &str, b: &str| Expr {
        kind: ExprKind::Call(Function::Concat, vec![read(a), read(b)]),
        ty: Type::Text,
        span: Span::default(),
    };
    // Each reads the two before it: written out, the last would have more characters than there are atoms.
    let chain = |first: &str| {
        let column = |at: usize| match at {
            0 | 1 => Derived { name: format!("d{at}"), expr: read(first) },
            _ => Derived { name: format!("d{at}"), expr: both(&format!("d{}", at - 1), &format!("d{}", at - 2)) },
        };
        let definitions = Definitions::new(&[(0..1000).map(column).collect()], &[], 1);
        operand_key(0, &read("d999"), Numbers::ByValue, &definitions)
    };
    assert!(chain("x").0.len() < 200);
    assert_ne!(chain("x"), chain("y"));
}

#[test]
fn operands_have_keys_by_number() {
    let file = RuleFile::parse("[derive]\nclean = \"lower(name)\"\n[[rule]]\nwhen = \"l.clean = r.clean\"\n", "t");
    let rules = rules_of(&file.unwrap(), LinkType::DedupeOnly, &["people"]);
    let Test::Equal { left, .. } = &rules.predicates[0].test else { panic!("an equality") };
    let definitions = Definitions::new(&rules.derived, &rules.rankings, 1);
    let mut wanted = WantedOperands::default();
    let numbers = [Numbers::ByValue, Numbers::AsWritten];
    let operands = numbers.map(|numbers| wanted.operand(0, left, numbers));
    let keys = wanted.keys(&definitions);
    assert_eq!(operands, [0, 1]);
    assert_eq!(keys, numbers.map(|numbers| operand_key(0, left, numbers, &definitions)));
    assert_ne!(keys[0], keys[1]);
}
