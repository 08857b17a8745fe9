//! What a misspelt name was meant to be.

use crate::measure::osa;

/// The name nearest to a misspelt one, if any is near.
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let codes = |text: &str| -> Vec<u32> { text.to_lowercase().chars().map(u32::from).collect() };
    let wrong = codes(wrong);
    let allowed = (wrong.len() / 3).max(1);
    names
        .filter(|name| !name.is_empty())
        .map(|name| (osa::distance(&wrong, &codes(name)), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
