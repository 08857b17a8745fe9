//! Measures of texts and numbers. The empty text is null here, whatever made it.

use crate::cancel::or_end;
use crate::expr::eval::{Args, TextArg, numbers, texts};
use crate::expr::{Function, Num, Vector};
use crate::measure::{
    cosine_similarity, damerau, hamming, haversine_km, jaro, jaro_winkler, levenshtein, osa, sort_key, soundex,
};
use crate::memory::Held;

/// Phonetics, keys and measures of numbers.
pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    match function {
        Function::Soundex => sounds(args),
        Function::SortKey => numbers(args.rows(), |row| sort_key(args.texts(0).get(row)?).map(Num::Int)),
        Function::CosineSimilarity => {
            let (a, b) = (args.number_lists(0), args.number_lists(1));
            numbers(args.rows(), |row| {
                cosine_similarity(&a.get(row)?.to_floats(), &b.get(row)?.to_floats()).and_then(Num::from_f64)
            })
        }
        _ => haversine(args),
    }
}

fn sounds(args: &Args<'_>) -> Vector {
    let text = args.texts(0);
    texts(args, 4 * args.rows(), |row, out| {
        out.extend(soundex(text.get(row)?)?.map(char::from));
        Some(())
    })
}

fn haversine(args: &Args<'_>) -> Vector {
    let (lat1, lon1, lat2, lon2) = (args.numbers(0), args.numbers(1), args.numbers(2), args.numbers(3));
    numbers(args.rows(), |row| {
        let (lat1, lon1) = (lat1.get(row)?.to_f64(), lon1.get(row)?.to_f64());
        let (lat2, lon2) = (lat2.get(row)?.to_f64(), lon2.get(row)?.to_f64());
        Num::from_f64(haversine_km(lat1, lon1, lat2, lon2))
    })
}

/// Distances, which are integers.
pub(super) fn distance(function: Function, args: &Args<'_>) -> Vector {
    type Distance<U> = fn(&[U], &[U]) -> Option<usize>;
    let (bytes, chars): (Distance<u8>, Distance<u32>) = match function {
        Function::Levenshtein => (|a, b| Some(levenshtein::distance(a, b)), |a, b| Some(levenshtein::distance(a, b))),
        Function::Osa => (|a, b| Some(osa::distance(a, b)), |a, b| Some(osa::distance(a, b))),
        Function::DamerauLevenshtein => (|a, b| Some(damerau::distance(a, b)), |a, b| Some(damerau::distance(a, b))),
        _ => (hamming::distance, hamming::distance),
    };
    let mut pairs = TextPairs::new(function, args);
    numbers(args.rows(), |row| pairs.measure(row, bytes, chars)?.map(|distance| Num::Int(distance as i64)))
}

/// Similarities, which are floats.
pub(super) fn similarity(function: Function, args: &Args<'_>) -> Vector {
    type Similarity<U> = fn(&[U], &[U]) -> f64;
    let (bytes, chars): (Similarity<u8>, Similarity<u32>) = match function {
        Function::LevenshteinSimilarity => (levenshtein::similarity, levenshtein::similarity),
        Function::OsaSimilarity => (osa::similarity, osa::similarity),
        Function::DamerauSimilarity => (damerau::similarity, damerau::similarity),
        Function::Jaro => (jaro::similarity, jaro::similarity),
        _ => (jaro_winkler::similarity, jaro_winkler::similarity),
    };
    let mut pairs = TextPairs::new(function, args);
    numbers(args.rows(), |row| pairs.measure(row, bytes, chars).and_then(Num::from_f64))
}

/// Texts longer than this take memory worth counting while they are compared.
const LONG: usize = 1 << 16;

/// Pairs of texts as characters; the buffers serve all rows.
struct TextPairs<'a> {
    texts: (TextArg<'a>, TextArg<'a>),
    chars: (Vec<u32>, Vec<u32>),
    function: Function,
    /// What the longest so far take.
    held: Held,
}

impl<'a> TextPairs<'a> {
    fn new(function: Function, args: &Args<'a>) -> Self {
        let texts = (args.texts(0), args.texts(1));
        Self { texts, chars: (Vec::new(), Vec::new()), function, held: args.cancel().hold(0) }
    }

    /// Counts what two texts take while they are compared.
    fn hold(&mut self, a: &str, b: &str) {
        let longest = a.len().max(b.len());
        if longest > LONG {
            let chars = if a.is_ascii() && b.is_ascii() { 0 } else { (a.len() + b.len()) * size_of::<u32>() };
            let scratch = match self.function {
                Function::DamerauLevenshtein | Function::DamerauSimilarity => damerau::scratch_bytes(longest, longest),
                _ => longest,
            };
            or_end(self.held.reach(chars + scratch));
        }
    }

    /// The measure of a row's two texts, on their bytes where each byte is a character.
    fn measure<T>(&mut self, row: usize, bytes: fn(&[u8], &[u8]) -> T, chars: fn(&[u32], &[u32]) -> T) -> Option<T> {
        let (a, b) = (self.texts.0.get(row)?, self.texts.1.get(row)?);
        if a.is_empty() || b.is_empty() {
            return None;
        }
        self.hold(a, b);
        if a.is_ascii() && b.is_ascii() {
            return Some(bytes(a.as_bytes(), b.as_bytes()));
        }
        refill(&mut self.chars.0, a);
        refill(&mut self.chars.1, b);
        Some(chars(&self.chars.0, &self.chars.1))
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

    #[test]
    fn measures_of_texts_count_characters() {
        for (function, a, b, result) in [
            (F::Levenshtein, "kitten", "sitting", "3"),
            (F::Levenshtein, "é", "e", "1"),
            (F::Osa, "ca", "abc", "3"),
            (F::DamerauLevenshtein, "ca", "abc", "2"),
            (F::LevenshteinSimilarity, "éab", "éac", "0.6666666666666667"),
            (F::OsaSimilarity, "ab", "ba", "0.5"),
            (F::DamerauSimilarity, "ab", "ba", "0.5"),
            (F::Hamming, "éa", "éb", "1"),
            (F::Hamming, "a", "ab", "null"),
            (F::Jaro, "MARTHA", "MARHTA", "0.9444444444444445"),
            (F::Jaro, "é", "x", "0.0"),
            (F::JaroWinkler, "MARTHA", "MARHTA", "0.9611111111111111"),
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
