//! Tries several thresholds over records that are read once.

use std::error::Error;

use sameas::{Input, Job, Session};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("people.csv");
    std::fs::write(&path, "id,name,city\n1,Jonathan Smith,Leeds\n2,Jonathon Smith,Leeds\n3,Jon Smith,Leeds\n")?;

    let session = Session::new()?;
    let people = session.open(&Job::dedupe(Input::files([&path])), &())?;
    // Nothing is read after this.
    std::fs::remove_file(&path)?;
    let mut found = Vec::new();
    for least in [0.5, 0.9, 1.0] {
        let rule = format!("l.city = r.city and levenshtein_similarity(l.name, r.name) >= {least}");
        let run = session.run_on(&people, &people.job().with_rule(&rule), &())?;
        found.push(run.pairs().rows());
    }
    assert_eq!(found, [3, 1, 0]);

    let why = session.why_on(&people, &people.job().with_rule("l.name = r.name"), ["1", "2"], &())?;
    assert_eq!(why.match_key, None);
    Ok(())
}
