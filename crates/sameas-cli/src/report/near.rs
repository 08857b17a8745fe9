//! Near pairs, as sentences.

use sameas::{NearCondition, NearRecord, printable};

use crate::text::{count, counted, decimal, one_line};

/// What was found, and where it is.
pub fn near(near: &NearRecord, file: &str) -> String {
    if near.conditions.is_empty() {
        return format!("no rule has a threshold that could be looser; {file} has no rows");
    }
    let by = by(near.amount);
    let pairs = near.pairs.unwrap_or_default();
    format!("{} would be found if one threshold were looser by {by}: {file}", counted(pairs, "pair"))
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
