//! Texts of rules and rule files: parsed, checked with and without columns, run over a few records, explained.

use sameas::{Job, RuleFile};

use crate::world;

/// One rule.
pub fn rule(input: &[u8]) {
    let mut rules = RuleFile::default();
    rules.add_rule(&String::from_utf8_lossy(input));
    try_out(rules);
}

/// A rule file.
pub fn toml(input: &[u8]) {
    match RuleFile::parse(&String::from_utf8_lossy(input), "rules.toml") {
        Err(error) => drop(error.to_string()),
        Ok(rules) => try_out(rules),
    }
}

/// What the columns say can only add mistakes to those that the text alone has.
fn try_out(rules: RuleFile) {
    let syntax = rules.check_syntax().map_err(|error| error.to_string());
    let job = Job::link_and_dedupe(world::table(), world::table()).with_rules(rules.clone());
    let checked = world::session().check(&job);
    assert!(syntax.is_ok() || checked.is_err(), "wrong without columns, and right with them: {syntax:?}");
    let job = Job::dedupe(world::table()).with_rules(rules);
    match world::session().check(&job) {
        Err(error) => drop(error.to_string()),
        Ok(_) => {
            world::run(&job);
            explain(&job);
        }
    }
}

fn explain(job: &Job) {
    let _ = world::session().explain(job, &()).map(|explanation| format!("{explanation:?}"));
    for ids in [["1", "2"], ["4", "5"]] {
        let _ = world::session().why(job, ids, &()).map(|why| format!("{why:?}"));
    }
}
