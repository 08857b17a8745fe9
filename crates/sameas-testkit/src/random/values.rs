//! Pools of values that collide often: names and their near-duplicates, numbers and dates as text, long strings.

use crate::rng::Rng;

/// The values a column draws from.
pub type Pool = Vec<String>;

const NAMES: [&str; 22] = [
    "ann",
    "anna",
    "Anna",
    "anne",
    "hanna",
    "lee",
    "leigh",
    "smith",
    "smyth",
    "Schmidt",
    "müller",
    "mueller",
    "José",
    "jose\u{301}",
    "O'Neil",
    "d'Arc",
    "王小明",
    "小明",
    "Ærø",
    "zoë 🐙",
    "🐙🐙",
    "Robert Rupert",
];
const CITIES: [&str; 10] =
    ["berlin", "Berlin", "münchen", "munchen", "paris", "São Paulo", "東京", "new  york", " new york", "x"];
const ZIPS: [&str; 9] = ["02134", "2134", "02135", "10115", "10117", "101", "80331", "8033", "SW1A 1AA"];
const AMOUNTS: [&str; 32] = [
    "1.234,5",
    "1234,5",
    "1 234",
    "1.234",
    "-0,5",
    "18446744073709551615",
    "18446744073709551614",
    "0.50",
    "007",
    "7",
    "7.0",
    "x7",
    "1e3",
    "1000",
    " 7 ",
    "-3",
    "0",
    "-0.0",
    "0.1",
    "9007199254740993",
    "9007199254740992.0",
    "9007199254740994",
    "9007199254740994.0",
    "9223372036854775807",
    "-9223372036854775808",
    "7.5",
    "1.7e308",
    "-1.7e308",
    "nan",
    "1e300",
    "12",
    "8",
];
const DATES: [&str; 19] = [
    "31.01.2000",
    "31.1.2000",
    "1/31/00",
    "31 Jan 2000",
    "2000-031",
    "2000-01-01",
    "20000101",
    "2000-01-31",
    "2000-02-29",
    "1999-02-29",
    "2001-12-31",
    "2001-12-30T10:00",
    "1987-06-05",
    "1987-05-06",
    "1987-6-5",
    "0001-01-01",
    "unknown",
    "2000-01-01 x",
    "19870605",
];
const WORDS: [&str; 19] = [
    "data",
    "cleaning",
    "record",
    "linkage",
    "duplicate",
    "detection",
    "on",
    "gpus",
    "the",
    "a",
    "survey",
    "of",
    "Ähnlich",
    "set-similarity",
    "joins",
    "2024",
    // A letter with its mark as two characters, a mark between letters, a mark on its own.
    "re\u{301}cord",
    "हिन्दी",
    "\u{301}",
];
const LETTERS: [char; 12] = ['a', 'b', 'c', 'e', 'n', 'o', 'A', 'é', '\u{301}', '明', '🐙', ' '];

/// The kinds of text columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Names of people.
    Name,
    /// Names of cities.
    City,
    /// Postal codes.
    Zip,
    /// Numbers written as text.
    Amount,
    /// Dates written as text, valid or not.
    Date,
    /// Several words.
    Title,
    /// Strings around and beyond a machine word's 64 characters.
    Long,
    /// Strings of two letters and mostly one length: what no bound on lengths or letters distinguishes.
    TwoLetters,
    /// Characters far apart; some columns hold more than 256 different ones.
    Glyphs,
}

/// A few values of a flavour, some of them near-duplicates of others.
pub fn pool(rng: &mut Rng, flavour: Flavour) -> Pool {
    let mut pool: Pool = Vec::new();
    let values = if rng.percent(15) { rng.between(12, 40) } else { rng.between(2, 7) };
    for _ in 0..values {
        let near = !pool.is_empty() && rng.percent(50) && !matches!(flavour, Flavour::Amount | Flavour::Date);
        let value = if near { edited(rng, &pool[pool.len() - 1].clone()) } else { fresh(rng, flavour) };
        pool.push(value);
    }
    pool
}

fn fresh(rng: &mut Rng, flavour: Flavour) -> String {
    match flavour {
        Flavour::Name => (*rng.pick(&NAMES)).to_owned(),
        Flavour::City => (*rng.pick(&CITIES)).to_owned(),
        Flavour::Zip => (*rng.pick(&ZIPS)).to_owned(),
        Flavour::Amount => (*rng.pick(&AMOUNTS)).to_owned(),
        Flavour::Date if rng.percent(40) => format!("2000-0{}-{:02}", rng.between(1, 2), rng.between(1, 29)),
        Flavour::Date => (*rng.pick(&DATES)).to_owned(),
        Flavour::Title => {
            let words: Vec<&str> = (0..rng.between(1, 7)).map(|_| *rng.pick(&WORDS)).collect();
            words.join([" ", " ", ", ", "-"][rng.below(4)])
        }
        Flavour::Long => {
            let length = *rng.pick(&[5, 31, 32, 33, 63, 64, 65, 66, 100, 127, 128, 129, 140]);
            let unicode = rng.percent(30);
            (0..length).map(|_| if unicode { *rng.pick(&LETTERS) } else { *rng.pick(&LETTERS[..7]) }).collect()
        }
        Flavour::TwoLetters => {
            let length = *rng.pick(&[8, 8, 8, 8, 8, 8, 9, 1, 2, 16, 17]);
            (0..length).map(|_| *rng.pick(&['a', 'b'])).collect()
        }
        // In order, so that short texts share a prefix with the long ones.
        Flavour::Glyphs => {
            let length = *rng.pick(&[1, 2, 3, 4, 6, 6, 9, 70, 300]);
            let first = rng.between(0, 3) as u32;
            (first..first + length).filter_map(glyph).collect()
        }
    }
}

/// Different characters, of one, two, three and four bytes.
fn glyph(at: u32) -> Option<char> {
    char::from_u32([0x61, 0x3b1, 0x4e00, 0x1_f300][at as usize % 4] + at / 4)
}

/// The text after one to three edits; never empty.
pub fn edited(rng: &mut Rng, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.between(1, 3) {
        let at = rng.below(chars.len().max(1));
        match rng.below(4) {
            0 if chars.len() > 1 => {
                chars.remove(at);
            }
            1 if at + 1 < chars.len() => chars.swap(at, at + 1),
            2 if !chars.is_empty() => chars[at] = *rng.pick(&LETTERS),
            _ => chars.insert(at, *rng.pick(&LETTERS)),
        }
    }
    chars.into_iter().collect()
}
