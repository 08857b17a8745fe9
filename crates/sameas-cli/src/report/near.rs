//! Near pairs, as sentences.

use sameas::printable;
use sameas::record::{NearCondition, NearRecord};

use crate::text::{count, counted, decimal, one_line};

/// What was found, and in which file it is, if it is in one.
pub fn near(near: &NearRecord, file: Option<&str>) -> String {
    if near.conditions.is_empty() {
        let none = file.map_or_else(String::new, |file| format!("; {file} has no rows"));
        return format!("no rule has a threshold that could be looser{none}");
    }
    let by = by(near.amount);
    let pairs = near.pairs.unwrap_or_default();
    let place = file.map_or_else(String::new, |file| format!(": {file}"));
    format!("{} would be found if one threshold were looser by {by}{place}", counted(pairs, "pair"))
}

/// By how much thresholds are loosened.
pub fn by(amount: f64) -> String {
    format!("{} (counts by 1)", decimal(amount))
}

/// A condition as it is and as it is loosened, with what came of it.
pub fn condition(near: &NearCondition) -> String {
    let [written, looser] = [&near.condition, &near.looser].map(|literal| one_line(&literal.to_string()));
    let pairs = near.pairs.map_or_else(String::new, |pairs| format!(": {} near {}", count(pairs), word(pairs)));
    format!("{}: {looser} in place of {written}{pairs}", printable(&near.rule))
}

fn word(pairs: u64) -> &'static str {
    if pairs == 1 { "pair" } else { "pairs" }
}
