//! The text cases: readable files with a job, its inputs, and the pairs, clusters and plan to expect.
//!
//! A file begins with a short description; then sections follow, each opened by a line `--- name`:
//! `--- job` (TOML), any number of `--- input <name>` (CSV) and of `--- file <name>` that the job names, and what the
//! engine must find: `--- pairs`, `--- clusters` (CSV) and `--- plan`. A section `--- near 0.05` asks for near pairs, and
//! has them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sameas::plan::BranchRecord;
use sameas::rules::{Contradiction, LiteralRecord, RuleLabel, Simplification};
use sameas::{Format, Input, RunRecord};

use super::support::{job_over, run_once};

const EXPECTED: [&str; 3] = ["pairs", "clusters", "plan"];

/// Begins the name of the section with near pairs, before the amount.
const NEAR: &str = "near ";

/// The sections of a file: the line that opens it, without its dashes, and its text. The first has no name.
type Sections = Vec<(String, String)>;

#[test]
fn every_text_case_finds_what_it_says() {
    let update = std::env::var_os("SAMEAS_UPDATE").is_some();
    let mut wrong = Vec::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let sections = parse(&text);
        let given = run(&sections).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let rewritten = rewrite(&sections, &given);
        if update {
            std::fs::write(&path, rewritten).unwrap();
        } else if rewritten != text {
            wrong.push(format!("{}\n{}", path.display(), first_difference(&text, &rewritten)));
        }
    }
    assert!(wrong.is_empty(), "{}\n`SAMEAS_UPDATE=1` writes what the engine finds", wrong.join("\n"));
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "case"));
    files.sort();
    assert!(files.len() >= 10, "only {} text cases", files.len());
    files
}

fn parse(text: &str) -> Sections {
    let mut sections = vec![(String::new(), String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("--- ") {
            Some(name) => sections.push((name.trim().to_owned(), String::new())),
            None => sections.last_mut().unwrap().1.push_str(line),
        }
    }
    sections
}

/// The expected sections as the engine makes them, and near pairs if they are asked for.
fn run(sections: &Sections) -> Result<([String; 3], Option<String>), String> {
    let folder = tempfile::tempdir().unwrap();
    let mut job = String::new();
    let mut inputs = Vec::new();
    for (name, text) in sections {
        if name == "job" {
            job.clone_from(text);
        } else if let Some(input) = name.strip_prefix("input ") {
            let path = folder.path().join(format!("{input}.csv"));
            std::fs::write(&path, text.trim_end().to_owned() + "\n").unwrap();
            inputs.push(Input::files([path]));
        } else if let Some(file) = name.strip_prefix("file ") {
            std::fs::write(folder.path().join(file), text).unwrap();
        }
    }
    let out = folder.path().join("out");
    let near = sections.iter().find_map(|(name, _)| name.strip_prefix(NEAR)?.parse::<f64>().ok());
    let job = job_over(&job, inputs)?;
    let rules = job.rules.clone().in_folder(folder.path());
    let job = job.with_rules(rules);
    let job = if let Some(amount) = near { job.with_near(amount) } else { job };
    let record = run_once(&job, 1, Format::Csv, &out)?;
    let table = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    Ok(([table("pairs.csv"), table("clusters.csv"), plan(&record)], near.map(|_| table("near.csv"))))
}

fn plan(record: &RunRecord) -> String {
    let notes = record.simplifications.iter().map(|note| format!("simplified: {}\n", simplification(note)));
    notes.chain(record.plan.iter().map(branch)).collect()
}

/// All that a simplification says, in a few signs: `=>` implies, `#` contradicts.
fn simplification(note: &Simplification) -> String {
    match note {
        Simplification::ConditionImplied { rule, condition, by } => {
            format!("condition_implied in {}: {by} => {condition}", label(rule))
        }
        Simplification::RuleNeverHolds { rule, contradiction } => {
            format!("rule_never_holds {}: {}", label(rule), contradicts(contradiction))
        }
        Simplification::ConjunctionNeverHolds { rule, contradiction } => {
            format!("conjunction_never_holds in {}: {}", label(rule), contradicts(contradiction))
        }
        Simplification::ConjunctionSubsumed { rule, conjunction, by_rule, by } => {
            let [conjunction, by] = [conjunction, by].map(|literals| all(literals));
            format!("conjunction_subsumed in {} by {}: {conjunction} => {by}", label(rule), label(by_rule))
        }
        Simplification::RuleShadowed { rule, by } => format!("rule_shadowed {} by {}", label(rule), label(by)),
        Simplification::NotCompared { conditions } => format!("not_compared {conditions} conditions"),
    }
}

fn label(rule: &RuleLabel) -> String {
    match rule {
        RuleLabel::Rule(name) => format!("rule \"{name}\""),
        RuleLabel::Never(name) => format!("never \"{name}\""),
    }
}

fn contradicts(contradiction: &Contradiction) -> String {
    match contradiction {
        Contradiction::Unsatisfiable { condition } => format!("# {condition}"),
        Contradiction::Conflict { first, second } => format!("{first} # {second}"),
    }
}

fn all(literals: &[LiteralRecord]) -> String {
    literals.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}

fn branch(report: &BranchRecord) -> String {
    let on = if report.on.is_empty() { String::new() } else { format!(" on {}", report.on.join(" and ")) };
    let mut text = format!("{}{on}: {} candidates\n", report.path.name(), report.candidates.unwrap_or_default());
    for sum in &report.follows_from {
        let _ = writeln!(text, "  follows from {sum}");
    }
    for filter in &report.filters {
        let _ = writeln!(text, "  only records with {filter}");
    }
    for rule in &report.settled {
        let _ = writeln!(text, "  every candidate -> {rule}");
    }
    for step in &report.steps {
        let rules = if step.rules.is_empty() { String::new() } else { format!(" -> {}", step.rules.join(", ")) };
        let _ = writeln!(text, "  {}{}{rules}", "  ".repeat(step.depth), step.check);
    }
    text
}

fn rewrite(sections: &Sections, (given, near): &([String; 3], Option<String>)) -> String {
    let mut text = String::new();
    for (name, body) in sections.iter().filter(|(name, _)| !is_expected(name)) {
        if !name.is_empty() {
            let _ = writeln!(text, "--- {name}");
        }
        text += body;
    }
    let near_name = sections.iter().find(|(name, _)| name.starts_with(NEAR));
    if let (Some((name, _)), Some(body)) = (near_name, near) {
        let _ = write!(text, "--- {name}\n{body}\n");
    }
    for (name, body) in EXPECTED.iter().zip(given) {
        let _ = write!(text, "--- {name}\n{body}");
        text += if *name == "plan" { "" } else { "\n" };
    }
    text
}

fn is_expected(section: &str) -> bool {
    EXPECTED.contains(&section) || section.starts_with(NEAR)
}

fn first_difference(expected: &str, given: &str) -> String {
    let lines = expected.lines().zip(given.lines()).enumerate();
    let differing = lines.into_iter().find(|(_, (a, b))| a != b);
    differing.map_or("  one is longer than the other".to_owned(), |(at, (a, b))| {
        format!("  line {}\n  expected: {a}\n  given:    {b}", at + 1)
    })
}
