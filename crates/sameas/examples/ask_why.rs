//! Asks why two records are not a pair: which predicate fails, with which values, and by how much.

use std::error::Error;

use sameas::{Input, Job, Session};

pub fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("people.csv");
    std::fs::write(&path, "id,name,city\n1,Jonathan Smith,Leeds\n2,Jon Smith,Leeds\n3,Mary Brown,York\n")?;

    let job = Job::dedupe(Input::files([path]))
        .with_rule("l.city = r.city and levenshtein_similarity(l.name, r.name) >= 0.9");
    let run = Session::new()?.run(&job, &())?;

    let why = run.why(["1", "2"])?;
    assert_eq!(why.match_key, None);
    let failed: Vec<_> = why.rules[0].ways[0].iter().filter(|finding| !finding.holds).collect();
    assert_eq!(failed.len(), 1);
    let missed_by = failed[0].missed_by.unwrap_or_default();
    assert!((0.2..0.3).contains(&missed_by), "0.9 was asked for, and 9 of 14 characters are the same");
    Ok(())
}
