//! The help cannot lie: every example is evaluated, and every name is on the page of the rule language.

use super::*;
use crate::expr::{Columns, Side, Vector, evaluate};
use crate::memory::MemoryBudget;
use crate::rules::bind::{Binder, Scope};
use crate::rules::list_file::ListFiles;

struct OneRow;

impl Columns for OneRow {
    fn rows(&self) -> usize {
        1
    }

    fn column(&self, _: Side, _: &str) -> Vector {
        unreachable!("examples have no columns")
    }

    fn operand(&self, _: Side, _: usize) -> Vector {
        unreachable!("examples have no operands")
    }
}

/// The value of an expression, a text in quotes.
fn value_of(example: &str, lists: &ListFiles<'_>, folder: &std::path::Path) -> String {
    let mut binder = Binder::new(example, &Scope::AnyRecord).with_lists(lists.near(Some(folder)));
    let bound = binder.expression().unwrap_or_else(|| panic!("{example}: {:?}", binder.diagnostics));
    match evaluate(&bound, &OneRow, None) {
        text @ Vector::Text(_) => text.shown(0).map_or("null".to_owned(), |text| format!("'{text}'")),
        other => other.shown(0).unwrap_or("null".to_owned()),
    }
}

#[test]
fn every_example_has_its_result() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("nicknames.csv"), "William,Bill,Will\n").unwrap();
    let budget = MemoryBudget::unlimited();
    let lists = ListFiles::new(&budget);
    // Two need records with columns; their examples are in `crates/sameas/tests/door`.
    for entry in entries().filter(|entry| !["neighbours", "cosine_similarity"].contains(&entry.name)) {
        assert_eq!(value_of(entry.example, &lists, folder.path()), entry.result, "{}", entry.example);
    }
}

#[test]
fn every_entry_is_complete_and_has_its_own_name() {
    let mut names: Vec<&str> = Vec::new();
    for entry in entries() {
        let texts = [entry.signature, entry.summary, entry.nulls, entry.example, entry.result];
        assert!(texts.iter().all(|text| !text.is_empty()), "{}", entry.name);
        let word = entry.name.split_whitespace().last().unwrap();
        assert!(entry.signature.contains(word) && entry.example.contains(word), "{}", entry.name);
        names.extend(entry.names());
    }
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn the_page_of_the_rule_language_names_every_function() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let page = std::fs::read_to_string(page).unwrap();
    // Words in backticks, alone or with others: `is [not] null`, `substr(a, 1)`.
    let quoted: String = page.split('`').skip(1).step_by(2).map(|code| format!(" {code} ")).collect();
    let has = |name: &str| {
        let plain = quoted.replace("[not] ", "");
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        plain.match_indices(name).any(|(at, _)| {
            let (before, after) = (plain[..at].chars().last(), plain[at + name.len()..].chars().next());
            !name.starts_with(is_name) || !(before.is_some_and(is_name) || after.is_some_and(is_name))
        })
    };
    let missing: Vec<&str> = entries().map(|entry| entry.name).filter(|name| !has(name)).collect();
    assert!(missing.is_empty(), "docs/rules.md does not name {missing:?}");
}

#[test]
fn a_name_finds_its_entry_or_the_nearest() {
    assert_eq!(function("Jaro_Winkler").unwrap().group, FunctionGroup::TextMeasures);
    assert_eq!(function("substring").unwrap().name, "substr");
    assert_eq!(function("is not null").unwrap().name, "is null");
    let help = |name: &str| function(name).unwrap_err().to_string();
    assert!(help("jaro_winkel").contains("did you mean `jaro_winkler`?"), "{}", help("jaro_winkel"));
    assert!(help("double_metaphone").contains("did you mean `metaphone`?"));
    assert!(help("xyzzyx").contains("all functions and operators are listed"));
}
