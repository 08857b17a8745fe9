//! `gpu-checks`: what each kind of check takes on a GPU, in nanoseconds of the cores that an H200 stands for. The program
//! ships what this finds (`sameas-engine/src/plan/cost/shipped.rs`). No options.

use sameas_engine::plan::cost::Costs;

/// Prints the coefficients of each kind, and every measurement beside what they make of it.
pub fn run(_: &[String]) {
    let found = Costs::calibrate_gpu(&super::open(None)).unwrap_or_else(|error| panic!("{error}"));
    println!("{}", serde_json::json!({"kinds": found.costs.kinds}));
    for m in &found.measurements {
        let modelled = found.costs.nanoseconds(m.kind, &m.features);
        let (kind, condition, measured) = (m.kind.name(), &m.condition, m.nanoseconds);
        let line = serde_json::json!({
            "kind": kind, "condition": condition, "measured": measured, "modelled": modelled,
            "features": [m.features.filtered, m.features.measured, m.features.work],
        });
        println!("{line}");
    }
}
