//! Figures of evaluations as text.

use crate::text::facts;

/// Names and figures, one pair per line. All parts of an evaluation share the width of their names.
pub fn aligned(rows: &[(&str, String)]) -> String {
    let padded: Vec<(String, String)> =
        rows.iter().map(|(name, value)| (format!("{name:<24}"), value.clone())).collect();
    facts(&padded.iter().map(|(name, value)| (name.as_str(), value.clone())).collect::<Vec<_>>())
}

/// A share, with as many decimals as three digits take.
pub fn share(value: Option<f64>) -> String {
    match value {
        None => "unknown".into(),
        Some(value) if value > 0.0 && value < 0.01 => {
            let decimals = 2 + (-value.log10()).ceil() as usize;
            format!("{value:.decimals$}")
        }
        Some(value) => format!("{value:.4}"),
    }
}
