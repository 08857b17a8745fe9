//! The errors that people and scanners make in text: typing, hearing, leaving out.

use crate::rng::Rng;

/// Neighbours on the keyboard, row by row, as `key` and the keys around it.
const KEYS: [(char, &str); 36] = [
    ('q', "wa"),
    ('w', "qeas"),
    ('e', "wrsd"),
    ('r', "etdf"),
    ('t', "ryfg"),
    ('y', "tugh"),
    ('u', "yihj"),
    ('i', "uojk"),
    ('o', "ipkl"),
    ('p', "ol"),
    ('a', "qwsz"),
    ('s', "weadzx"),
    ('d', "ersfxc"),
    ('f', "rtdgcv"),
    ('g', "tyfhvb"),
    ('h', "yugjbn"),
    ('j', "uihknm"),
    ('k', "iojlm"),
    ('l', "opk"),
    ('z', "asx"),
    ('x', "zsdc"),
    ('c', "xdfv"),
    ('v', "cfgb"),
    ('b', "vghn"),
    ('n', "bhjm"),
    ('m', "njk"),
    ('1', "2"),
    ('2', "13"),
    ('3', "24"),
    ('4', "35"),
    ('5', "46"),
    ('6', "57"),
    ('7', "68"),
    ('8', "79"),
    ('9', "80"),
    ('0', "9"),
];

/// Spellings that sound the same.
const SOUNDS: [(&str, &str); 20] = [
    ("ph", "f"),
    ("ck", "k"),
    ("c", "k"),
    ("k", "c"),
    ("ie", "y"),
    ("y", "i"),
    ("ee", "ea"),
    ("ou", "u"),
    ("z", "s"),
    ("th", "t"),
    ("gh", "g"),
    ("wr", "r"),
    ("nn", "n"),
    ("ll", "l"),
    ("tt", "t"),
    ("ei", "ie"),
    ("sch", "sh"),
    ("oo", "u"),
    ("er", "ar"),
    ("ss", "s"),
];

/// One mistake of typing: a neighbouring key, a key too many or too few, or two keys in the wrong order.
pub fn typo(rng: &mut Rng, text: &mut String) {
    let mut chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return;
    }
    let at = rng.below(chars.len());
    match rng.below(4) {
        0 if chars.len() > 1 => {
            chars.remove(at);
        }
        1 => chars.insert(at, near(rng, chars[at])),
        2 if at + 1 < chars.len() => chars.swap(at, at + 1),
        _ => chars[at] = near(rng, chars[at]),
    }
    *text = chars.into_iter().collect();
}

/// A key next to the one meant, in the same case.
fn near(rng: &mut Rng, meant: char) -> char {
    let lower = meant.to_ascii_lowercase();
    let around = KEYS.iter().find(|(key, _)| *key == lower).map_or("e", |(_, around)| around);
    let hit = char::from(around.as_bytes()[rng.below(around.len())]);
    if meant.is_ascii_uppercase() { hit.to_ascii_uppercase() } else { hit }
}

/// One spelling exchanged for another that sounds like it; a typo if nothing fits.
pub fn phonetic(rng: &mut Rng, text: &mut String) {
    let first = rng.below(SOUNDS.len());
    for at in 0..SOUNDS.len() {
        let (from, to) = SOUNDS[(first + at) % SOUNDS.len()];
        // The capital at the start stays what it is.
        if let Some(found) = text.get(1..).and_then(|rest| rest.find(from)) {
            text.replace_range(found + 1..found + 1 + from.len(), to);
            return;
        }
    }
    typo(rng, text);
}

/// Only the first character and a point.
pub fn initial(text: &mut String) {
    if let Some(first) = text.chars().next() {
        text.clear();
        text.push(first);
        text.push('.');
    }
}

/// The number of mistakes of a copy: mostly one to three, sometimes none.
pub fn count(rng: &mut Rng) -> usize {
    match rng.below(100) {
        0..12 => 0,
        12..50 => 1,
        50..78 => 2,
        78..93 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_small() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let mut text = "Zoë Müller".to_owned();
            typo(&mut rng, &mut text);
            assert!((9..=11).contains(&text.chars().count()), "{text}");
        }
        let mut empty = String::new();
        typo(&mut rng, &mut empty);
        assert_eq!(empty, "");
    }

    #[test]
    fn sounds_change_spelling_only_after_the_first_letter() {
        for seed in 0..200 {
            let (mut rng, mut text) = (Rng::new(seed), "Cathy".to_owned());
            phonetic(&mut rng, &mut text);
            assert!(["Caty", "Cathi"].contains(&text.as_str()), "{text}");
        }
        let mut accented = "Ösi".to_owned();
        phonetic(&mut Rng::new(2), &mut accented);
        assert!(!accented.is_empty());
    }

    #[test]
    fn initials() {
        let mut name = "Élodie".to_owned();
        initial(&mut name);
        assert_eq!(name, "É.");
    }
}
