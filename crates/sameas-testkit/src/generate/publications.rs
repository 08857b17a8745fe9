//! Publications: titles, authors, venues, years, and what goes wrong with them.

use super::errors;
use super::words::{VENUES, Vocabulary, zipf, zipf_place};
use crate::rng::Rng;
use std::fmt::Write as _;

/// The columns after the id.
pub const COLUMNS: [&str; 4] = ["title", "authors", "venue", "year"];

const TITLE: usize = 0;
const AUTHORS: usize = 1;
const VENUE: usize = 2;
const YEAR: usize = 3;

/// Fills `fields` with a random publication. An empty field is missing.
pub fn original(rng: &mut Rng, words: &Vocabulary, fields: &mut [String]) {
    title(rng, words, &mut fields[TITLE]);
    for at in 0..1 + zipf_place(rng, 6) {
        if at > 0 {
            fields[AUTHORS].push_str(", ");
        }
        author(rng, words, &mut fields[AUTHORS]);
    }
    if rng.percent(96) {
        fields[VENUE].push_str(VENUES[zipf_place(rng, VENUES.len())].0);
    }
    let _ = write!(fields[YEAR], "{}", 2024 - zipf_place(rng, 45));
}

fn author(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    words.push_given(rng, field);
    if rng.percent(25) {
        let _ = write!(field, " {}.", char::from(b'A' + rng.below(26) as u8));
    }
    field.push(' ');
    words.push_surname(rng, field);
}

/// A title in one of a few shapes, with a capital first.
fn title(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    let shape = rng.below(6);
    match shape {
        0 => field.push_str("on the "),
        1 => field.push_str("a survey of "),
        2 => {
            let _ = write!(field, "{} ", zipf(rng, &words.gerunds));
        }
        _ => {}
    }
    phrase(rng, words, field);
    if shape >= 2 || rng.percent(70) {
        let _ = write!(field, " {} ", ["for", "in", "with", "using", "over", "and"][zipf_place(rng, 6)]);
        phrase(rng, words, field);
    }
    if shape == 5 {
        let _ = write!(field, ": {} ", zipf(rng, &words.gerunds));
        phrase(rng, words, field);
    }
    if let Some(first) = field.get(..1) {
        let first = first.to_ascii_uppercase();
        field.replace_range(..1, &first);
    }
}

/// An adjective or two and a noun or two.
fn phrase(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    let _ = write!(field, "{} {}", zipf(rng, &words.adjectives), zipf(rng, &words.nouns));
    for _ in 0..rng.below(3) {
        let _ = write!(field, " {}", zipf(rng, &words.nouns));
    }
}

/// One mistake, in place.
pub fn damage(rng: &mut Rng, fields: &mut [String]) {
    match rng.below(100) {
        0..28 => errors::typo(rng, &mut fields[TITLE]),
        28..36 => errors::typo(rng, &mut fields[AUTHORS]),
        36..42 => errors::phonetic(rng, &mut fields[AUTHORS]),
        42..62 => shorten_venue(rng, &mut fields[VENUE]),
        62..74 => initials(&mut fields[AUTHORS]),
        74..79 => swap_authors(rng, &mut fields[AUTHORS]),
        79..85 => drop_word(rng, &mut fields[TITLE]),
        85..88 => fields[TITLE] = fields[TITLE].to_lowercase(),
        88..92 => wrong_year(rng, &mut fields[YEAR]),
        _ => fields[*rng.pick(&[AUTHORS, VENUE, VENUE, YEAR])].clear(),
    }
}

fn shorten_venue(rng: &mut Rng, venue: &mut String) {
    if let Some((_, short, other)) = VENUES.iter().find(|(full, _, _)| full == venue) {
        *venue = (if rng.percent(60) { short } else { other }).to_string();
    }
}

/// `Ann B. Lee, Bo Cy` becomes `A. B. Lee, B. Cy`.
fn initials(authors: &mut String) {
    let short = |author: &str| match author.split_once(' ') {
        Some((given, rest)) => {
            let mut given = given.to_owned();
            errors::initial(&mut given);
            format!("{given} {rest}")
        }
        None => author.to_owned(),
    };
    *authors = authors.split(", ").map(short).collect::<Vec<_>>().join(", ");
}

fn swap_authors(rng: &mut Rng, authors: &mut String) {
    let mut each: Vec<&str> = authors.split(", ").collect();
    let (a, b) = (rng.below(each.len()), rng.below(each.len()));
    each.swap(a, b);
    *authors = each.join(", ");
}

fn drop_word(rng: &mut Rng, title: &mut String) {
    let mut words: Vec<&str> = title.split(' ').collect();
    if words.len() > 2 {
        words.remove(rng.below(words.len()));
        *title = words.join(" ");
    }
}

fn wrong_year(rng: &mut Rng, year: &mut String) {
    if let Ok(number) = year.parse::<i64>() {
        *year = (number + if rng.percent(50) { 1 } else { -1 }).to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_publication_is_plausible() {
        let (words, mut rng) = (Vocabulary::new(), Rng::new(6));
        for _ in 0..1000 {
            let mut fields = vec![String::new(); COLUMNS.len()];
            original(&mut rng, &words, &mut fields);
            assert!(fields[TITLE].split(' ').count() >= 3 && fields[TITLE].starts_with(|c: char| c.is_uppercase()));
            assert!(!fields[AUTHORS].is_empty() && fields[YEAR].len() == 4, "{fields:?}");
        }
    }

    #[test]
    fn known_mistakes() {
        let mut authors = "Ann B. Lee, Bo Cy".to_owned();
        initials(&mut authors);
        assert_eq!(authors, "A. B. Lee, B. Cy");
        let mut venue = VENUES[1].0.to_owned();
        shorten_venue(&mut Rng::new(1), &mut venue);
        assert!(venue.len() < VENUES[1].0.len());
        let mut title = "one two three".to_owned();
        drop_word(&mut Rng::new(1), &mut title);
        assert_eq!(title.split(' ').count(), 2);
    }
}
