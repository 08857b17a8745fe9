//! Conditions that are likely mistakes, as text.

use sameas::Doubt;

use crate::text::count;

/// The most doubts that are shown.
const MOST_SHOWN: usize = 50;

/// Each doubt as text, and how many more there are.
pub fn doubts(doubts: &[Doubt]) -> Vec<String> {
    let mut shown: Vec<String> = doubts.iter().take(MOST_SHOWN).map(Doubt::to_string).collect();
    if doubts.len() > MOST_SHOWN {
        shown.push(format!(
            "and {} more conditions that are likely mistakes",
            count((doubts.len() - MOST_SHOWN) as u64)
        ));
    }
    shown
}
