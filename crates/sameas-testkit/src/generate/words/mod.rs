//! The vocabulary of made-up records.

mod names;
mod papers;
mod places;
mod songs;

pub use names::NICKNAMES;
pub use papers::VENUES;
pub use places::{CITIES, STREET_KINDS};
pub use songs::ALBUM_KINDS;

use crate::rng::Rng;

/// A list of words, the common ones first.
pub type Words = Vec<&'static str>;

/// The word lists, split once per run.
pub struct Vocabulary {
    pub given: Words,
    pub surnames: Words,
    pub surname_starts: Words,
    pub surname_middles: Words,
    pub surname_ends: Words,
    pub town_starts: Words,
    pub town_ends: Words,
    pub states: Words,
    pub streets: Words,
    pub domains: Words,
    pub nouns: Words,
    pub adjectives: Words,
    pub gerunds: Words,
    pub song_nouns: Words,
    pub song_adjectives: Words,
    pub song_verbs: Words,
    pub song_turns: Words,
}

impl Vocabulary {
    /// Splits the lists.
    pub fn new() -> Self {
        let split = |text: &'static str| text.split_whitespace().collect();
        Vocabulary {
            given: split(names::GIVEN),
            surnames: split(names::SURNAMES),
            surname_starts: split(names::SURNAME_STARTS),
            surname_middles: split(names::SURNAME_MIDDLES),
            surname_ends: split(names::SURNAME_ENDS),
            town_starts: split(places::TOWN_STARTS),
            town_ends: split(places::TOWN_ENDS),
            states: split(places::STATES),
            streets: split(places::STREETS),
            domains: split(places::DOMAINS),
            nouns: split(papers::NOUNS),
            adjectives: split(papers::ADJECTIVES),
            gerunds: split(papers::GERUNDS),
            song_nouns: split(songs::SONG_NOUNS),
            song_adjectives: split(songs::SONG_ADJECTIVES),
            song_verbs: split(songs::SONG_VERBS),
            song_turns: split(songs::SONG_TURNS),
        }
    }

    /// Appends a given name.
    pub fn push_given(&self, rng: &mut Rng, to: &mut String) {
        to.push_str(zipf(rng, &self.given));
        if rng.percent(3) {
            to.push('-');
            to.push_str(zipf(rng, &self.given));
        }
    }

    /// Appends a surname: six in ten from the list, the others from a long tail of syllables.
    pub fn push_surname(&self, rng: &mut Rng, to: &mut String) {
        if rng.percent(60) {
            to.push_str(zipf(rng, &self.surnames));
            return;
        }
        to.push_str(even(rng, &self.surname_starts));
        if rng.percent(40) {
            to.push_str(even(rng, &self.surname_middles));
        }
        to.push_str(even(rng, &self.surname_ends));
    }
}

/// A place below `len` by the law of Zipf and Mandelbrot, as names follow it: the share of place k falls as
/// 1 / (k + shift), and the shift keeps the first of many from taking too much. With exponent 1 the logarithm of
/// k + shift is evenly distributed.
pub fn zipf_place(rng: &mut Rng, len: usize) -> usize {
    let shift = (len as f64 / 25.0).max(1.0);
    let place = shift * (((shift + len as f64) / shift).ln() * rng.unit()).exp() - shift;
    (place as usize).min(len - 1)
}

/// A word by Zipf's law.
pub fn zipf(rng: &mut Rng, words: &[&'static str]) -> &'static str {
    words[zipf_place(rng, words.len())]
}

/// Any word, all equally likely.
pub fn even(rng: &mut Rng, words: &[&'static str]) -> &'static str {
    words[rng.below(words.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zipf_prefers_the_first() {
        let mut rng = Rng::new(3);
        let mut counts = [0_u32; 100];
        for _ in 0..20_000 {
            counts[zipf_place(&mut rng, 100)] += 1;
        }
        // The law gives the places 1, 4, 31 and 100 shares of 6.8, 4.1, 0.9 and 0.3 %.
        assert!(counts[0] > counts[3] && counts[3] > 3 * counts[30], "{counts:?}");
        assert!(counts[30] > counts[99] && counts[99] > 0 && counts[0] < 2000, "{counts:?}");
    }

    #[test]
    fn surnames_have_a_long_tail() {
        let (vocabulary, mut rng) = (Vocabulary::new(), Rng::new(4));
        let mut names: Vec<String> = Vec::new();
        for _ in 0..10_000 {
            let mut name = String::new();
            vocabulary.push_surname(&mut rng, &mut name);
            names.push(name);
        }
        names.sort();
        names.dedup();
        assert!(names.len() > 3000, "{}", names.len());
    }
}
