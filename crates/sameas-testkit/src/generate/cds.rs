//! CDs: artist, title and the first two tracks, and what goes wrong with them.
//!
//! Artists have several CDs, and some titles and tracks come often: "Greatest Hits", "Intro". Texts have from one to some
//! eighty characters.

use super::errors;
use super::words::{ALBUM_KINDS, Vocabulary, even, zipf, zipf_place};
use crate::rng::{Rng, mix};
use std::fmt::Write as _;

/// The columns after the id.
pub const COLUMNS: [&str; 4] = ["artist", "title", "track01", "track02"];

const ARTIST: usize = 0;
const TITLE: usize = 1;
const TRACKS: [usize; 2] = [2, 3];

/// How many artists there are.
const ARTISTS: usize = 400_000;

/// Fills `fields` with a random CD. An empty field is missing.
pub fn original(rng: &mut Rng, words: &Vocabulary, fields: &mut [String]) {
    let is_sampler = rng.percent(7);
    if is_sampler {
        fields[ARTIST].push_str(["Various", "Various Artists", "Various", "VA", "Soundtrack"][zipf_place(rng, 5)]);
    } else {
        let mut own = Rng::new(mix(zipf_place(rng, ARTISTS) as u64));
        artist(&mut own, words, &mut fields[ARTIST]);
    }
    title(rng, words, &mut fields[TITLE]);
    for track in TRACKS {
        match rng.below(100) {
            0..2 if track == TRACKS[0] => fields[track].push_str(["Intro", "Track 1", "Overture"][zipf_place(rng, 3)]),
            2 => {}
            _ => {
                if is_sampler {
                    artist(rng, words, &mut fields[track]);
                    fields[track].push_str(" / ");
                }
                song(rng, words, &mut fields[track]);
            }
        }
    }
}

/// A person, or a band.
fn artist(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    match rng.below(10) {
        0..5 => {
            words.push_given(rng, field);
            field.push(' ');
            words.push_surname(rng, field);
        }
        5 => {
            words.push_given(rng, field);
            field.push(' ');
            words.push_surname(rng, field);
            field.push_str(" & The ");
            band_noun(rng, words, field);
            field.push('s');
        }
        6 => words.push_surname(rng, field),
        7 => {
            field.push_str("The ");
            band_noun(rng, words, field);
            field.push('s');
        }
        8 => {
            push_word(zipf(rng, &words.song_adjectives), field);
            field.push(' ');
            band_noun(rng, words, field);
        }
        _ => {
            band_noun(rng, words, field);
            if rng.percent(60) {
                field.push(' ');
                words.push_surname(rng, field);
            }
        }
    }
}

/// A noun, half of the time with another part, so that there are many bands.
fn band_noun(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    push_word(even(rng, &words.song_nouns), field);
    if rng.percent(50) {
        field.push(' ');
        push_word(even(rng, &words.song_nouns), field);
    }
}

fn title(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    match rng.below(100) {
        0..8 => field.push_str(ALBUM_KINDS[zipf_place(rng, ALBUM_KINDS.len())]),
        8..14 => {
            song(rng, words, field);
            let _ = write!(field, " - {}", ALBUM_KINDS[zipf_place(rng, ALBUM_KINDS.len())]);
        }
        14..18 => push_word(zipf(rng, &words.song_nouns), field),
        _ => song(rng, words, field),
    }
    if rng.percent(6) {
        let _ = write!(field, " (Disc {})", 1 + zipf_place(rng, 4));
    } else if rng.percent(3) {
        let _ = write!(field, " Vol. {}", 1 + zipf_place(rng, 30));
    }
}

/// One to some ten words.
fn song(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    match rng.below(12) {
        0 => push_word(even(rng, &words.song_nouns), field),
        1..4 => part(rng, words, field),
        4..7 => {
            push_word(zipf(rng, &words.song_verbs), field);
            field.push(' ');
            push_word(zipf(rng, &words.song_turns), field);
            field.push(' ');
            part(rng, words, field);
        }
        7..10 => {
            part(rng, words, field);
            field.push(' ');
            push_word(zipf(rng, &words.song_turns), field);
            field.push(' ');
            part(rng, words, field);
        }
        10 => {
            words.push_given(rng, field);
            if rng.percent(50) {
                field.push_str(", ");
                push_word(zipf(rng, &words.song_verbs), field);
                field.push_str(" Me ");
                part(rng, words, field);
            }
        }
        _ => {
            part(rng, words, field);
            field.push_str(" (");
            push_word(zipf(rng, &words.song_verbs), field);
            field.push(' ');
            push_word(zipf(rng, &words.song_turns), field);
            field.push(' ');
            part(rng, words, field);
            field.push(')');
        }
    }
}

fn part(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    if rng.percent(60) {
        push_word(zipf(rng, &words.song_adjectives), field);
        field.push(' ');
    }
    push_word(even(rng, &words.song_nouns), field);
}

/// A word with a capital first.
fn push_word(word: &str, field: &mut String) {
    let mut chars = word.chars();
    field.extend(chars.next().map(|first| first.to_ascii_uppercase()));
    field.push_str(chars.as_str());
}

/// One mistake, in place.
pub fn damage(rng: &mut Rng, fields: &mut [String]) {
    let track = *rng.pick(&TRACKS);
    match rng.below(100) {
        0..14 => errors::typo(rng, &mut fields[ARTIST]),
        14..20 => errors::phonetic(rng, &mut fields[ARTIST]),
        20..28 => exchange_names(&mut fields[ARTIST]),
        28..32 => drop_the(&mut fields[ARTIST]),
        32..46 => errors::typo(rng, &mut fields[TITLE]),
        46..52 => cut_addition(&mut fields[TITLE]),
        52..56 => fields[TITLE].push_str([" (Remastered)", " CD1", " [Import]"][rng.below(3)]),
        56..76 => errors::typo(rng, &mut fields[track]),
        76..82 => cut_addition(&mut fields[track]),
        82..88 => fields.iter_mut().for_each(|field| *field = field.to_lowercase()),
        88..92 => fields.swap(TRACKS[0], TRACKS[1]),
        _ => fields[*rng.pick(&[ARTIST, TRACKS[0], TRACKS[1], TRACKS[1]])].clear(),
    }
}

/// `Ann Lee` becomes `Lee, Ann`.
fn exchange_names(artist: &mut String) {
    if let Some((given, surname)) = artist.split_once(' ').filter(|(_, rest)| !rest.contains(' ')) {
        *artist = format!("{surname}, {given}");
    }
}

fn drop_the(artist: &mut String) {
    if let Some(rest) = artist.strip_prefix("The ") {
        *artist = rest.to_owned();
    }
}

/// Without what is in brackets or after a dash.
fn cut_addition(text: &mut String) {
    if let Some(at) = text.find(" (").or_else(|| text.find(" - ")) {
        text.truncate(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cd_is_plausible() {
        let (words, mut rng) = (Vocabulary::new(), Rng::new(6));
        let mut lengths = [0_usize; 100];
        for _ in 0..5000 {
            let mut fields = vec![String::new(); COLUMNS.len()];
            original(&mut rng, &words, &mut fields);
            assert!(!fields[ARTIST].is_empty() && !fields[TITLE].is_empty(), "{fields:?}");
            lengths[fields[TITLE].len().min(99)] += 1;
        }
        assert!(lengths.iter().filter(|count| **count > 10).count() > 30, "{lengths:?}");
    }

    #[test]
    fn known_mistakes() {
        let changed = |text: &str, change: fn(&mut String)| {
            let mut text = text.to_owned();
            change(&mut text);
            text
        };
        assert_eq!(changed("Ann Lee", exchange_names), "Lee, Ann");
        assert_eq!(changed("Ann Lee & The Bees", exchange_names), "Ann Lee & The Bees");
        assert_eq!(changed("The Bees", drop_the), "Bees");
        assert_eq!(changed("Blue Moon (Disc 1)", cut_addition), "Blue Moon");
        assert_eq!(changed("Blue Moon - Live", cut_addition), "Blue Moon");
    }
}
