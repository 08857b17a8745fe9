//! `calibrate`.

use crate::support::{Folder, has};

#[test]
fn costs_are_measured_shown_and_written() {
    let folder = Folder::new();
    let said = folder.ok(&["calibrate", "--quick", "--output", "new/costs.json"]).out;
    has(&said, &["Nanoseconds", "Characters", "levenshtein", "jaro_winkler", "residual", "new/costs.json"]);
    assert!(said.lines().all(|line| line.chars().count() <= 100), "a line is too long:\n{said}");
    let costs: serde_json::Value = serde_json::from_str(&folder.read("new/costs.json")).unwrap();
    assert!(costs["device"].as_str().is_some_and(|device| device.starts_with("cpu")), "{costs}");
    assert!(costs["kinds"]["levenshtein"]["pair"].as_f64().is_some_and(|ns| ns >= 0.0), "{costs}");
}
