//! Measures of texts and numbers. The empty text is null here, whatever made it.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::cancel::or_end;
use crate::expr::eval::{Args, TextArg, numbers, texts};
use crate::expr::{Num, Vector};
use crate::measure::{TextForm, TextMeasure, cosine_similarity, haversine_km, sort_key, soundex};
use crate::memory::Held;

/// The key of a text by its length and its first character.
pub(super) fn key(args: &Args<'_>) -> Vector {
    numbers(args.rows(), |row| sort_key(args.texts(0).get(row)?).map(Num::Int))
}

/// The cosine of the angle between two vectors.
pub(super) fn cosine(args: &Args<'_>) -> Vector {
    let (a, b) = (args.number_lists(0), args.number_lists(1));
    numbers(args.rows(), |row| {
        cosine_similarity(&a.get(row)?.to_floats(), &b.get(row)?.to_floats()).and_then(Num::from_f64)
    })
}

/// How a text sounds.
pub(super) fn sounds(args: &Args<'_>) -> Vector {
    let text = args.texts(0);
    texts(args, 4 * args.rows(), |row, out| {
        out.extend(soundex(text.get(row)?)?.map(char::from));
        Some(())
    })
}

/// The distance of two places.
pub(super) fn haversine(args: &Args<'_>) -> Vector {
    let (lat1, lon1, lat2, lon2) = (args.numbers(0), args.numbers(1), args.numbers(2), args.numbers(3));
    numbers(args.rows(), |row| {
        let (lat1, lon1) = (lat1.get(row)?.to_f64(), lon1.get(row)?.to_f64());
        let (lat2, lon2) = (lat2.get(row)?.to_f64(), lon2.get(row)?.to_f64());
        Num::from_f64(haversine_km(lat1, lon1, lat2, lon2))
    })
}

/// A measure of two texts.
pub(super) fn of_texts(measure: TextMeasure, args: &Args<'_>) -> Vector {
    let mut pairs = TextPairs::new(measure, args);
    numbers(args.rows(), |row| pairs.value(row))
}

/// Texts longer than this take memory worth counting while they are compared.
const LONG: usize = 1 << 16;

/// Pairs of texts as characters; the buffers serve all rows.
struct TextPairs<'a> {
    texts: (TextArg<'a>, TextArg<'a>),
    chars: (Vec<u32>, Vec<u32>),
    measure: TextMeasure,
    /// What the longest so far take.
    held: Held,
}

impl<'a> TextPairs<'a> {
    fn new(measure: TextMeasure, args: &Args<'a>) -> Self {
        let texts = (args.texts(0), args.texts(1));
        Self { texts, chars: (Vec::new(), Vec::new()), measure, held: args.cancel().hold(0) }
    }

    /// Counts what two texts take while they are compared.
    fn hold(&mut self, a: &str, b: &str) {
        let longest = a.len().max(b.len());
        if longest > LONG {
            let chars = if a.is_ascii() && b.is_ascii() { 0 } else { (a.len() + b.len()) * size_of::<u32>() };
            let scratch = match self.measure.form() {
                TextForm::Edits(count, _) => count.scratch_bytes(longest, longest),
                TextForm::Places | TextForm::Jaro | TextForm::JaroWinkler => longest,
            };
            or_end(self.held.reach(chars + scratch));
        }
    }

    /// The value of a row's two texts, on their bytes where each byte is a character.
    fn value(&mut self, row: usize) -> Option<Num> {
        let (a, b) = (self.texts.0.get(row)?, self.texts.1.get(row)?);
        if a.is_empty() || b.is_empty() {
            return None;
        }
        self.hold(a, b);
        if a.is_ascii() && b.is_ascii() {
            return self.measure.value(a.as_bytes(), b.as_bytes()).map(Num::from);
        }
        refill(&mut self.chars.0, a);
        refill(&mut self.chars.1, b);
        self.measure.value(&self.chars.0, &self.chars.1).map(Num::from)
    }
}

fn refill(chars: &mut Vec<u32>, text: &str) {
    chars.clear();
    chars.extend(text.chars().map(u32::from));
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, f, n, nl, null, t};
    use crate::measure::TextMeasure as M;

    #[test]
    fn measures_of_texts_count_characters() {
        for (function, a, b, result) in [
            (F::Text(M::Levenshtein), "kitten", "sitting", "3"),
            (F::Text(M::Levenshtein), "é", "e", "1"),
            (F::Text(M::Osa), "ca", "abc", "3"),
            (F::Text(M::DamerauLevenshtein), "ca", "abc", "2"),
            (F::Text(M::LevenshteinSimilarity), "éab", "éac", "0.6666666666666667"),
            (F::Text(M::OsaSimilarity), "ab", "ba", "0.5"),
            (F::Text(M::DamerauSimilarity), "ab", "ba", "0.5"),
            (F::Text(M::Hamming), "éa", "éb", "1"),
            (F::Text(M::Hamming), "a", "ab", "null"),
            (F::Text(M::Jaro), "MARTHA", "MARHTA", "0.9444444444444445"),
            (F::Text(M::Jaro), "é", "x", "0.0"),
            (F::Text(M::JaroWinkler), "MARTHA", "MARHTA", "0.9611111111111111"),
        ] {
            check(function, [t(a), t(b)], result);
            for missing in [t(""), null()] {
                check(function, [t(a), missing.clone()], "null");
                check(function, [missing, t(b)], "null");
            }
        }
    }

    #[test]
    fn keys_of_texts() {
        for (text, soundex, sort_key) in [
            (t("Robert"), "'R163'", "6082"),
            (t("é"), "null", "1233"),
            (t("12"), "null", "2049"),
            (t(""), "null", "null"),
            (null(), "null", "null"),
        ] {
            check(F::Soundex, [text.clone()], soundex);
            check(F::SortKey, [text], sort_key);
        }
    }

    #[test]
    fn measures_of_numbers() {
        check(F::HaversineKm, [n(0), n(0), n(0), f(0.0)], "0.0");
        check(F::HaversineKm, [n(0), n(0), n(0), n(180)], "20015.114442035923");
        for missing in 0..4 {
            let mut arguments = vec![n(1), f(2.5), n(3), n(4)];
            arguments[missing] = null();
            check(F::HaversineKm, arguments, "null");
        }
        for (a, b, result) in [
            (nl(&[3.0, 4.0]), nl(&[3.0, 4.0]), "1.0"),
            (nl(&[1.0, 0.0]), nl(&[0.0, 1.0]), "0.0"),
            (nl(&[0.0, 0.0]), nl(&[0.0, 1.0]), "null"),
            (nl(&[1.0]), nl(&[1.0, 2.0]), "null"),
            (nl(&[]), nl(&[]), "null"),
            (nl(&[1e300, 1e300]), nl(&[1e300, 1.0]), "null"),
            (null(), nl(&[1.0]), "null"),
        ] {
            check(F::CosineSimilarity, [a, b], result);
        }
    }
}
