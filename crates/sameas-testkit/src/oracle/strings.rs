//! Measures of two texts by their textbook definitions, row by row.

use super::value::Value;
use crate::case::Op;

/// A measure of two texts; null if one is empty.
pub fn measure(op: Op, a: &str, b: &str) -> Option<Value> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let count = |n: usize| Some(Value::Int(n as i64));
    let similar = |distance: usize| Some(Value::float(similarity(distance, &a, &b)));
    match op {
        Op::Levenshtein => count(levenshtein(&a, &b)),
        Op::Osa => count(osa(&a, &b)),
        Op::DamerauLevenshtein => count(damerau_levenshtein(&a, &b)),
        Op::LevenshteinSimilarity => similar(levenshtein(&a, &b)),
        Op::OsaSimilarity => similar(osa(&a, &b)),
        Op::DamerauSimilarity => similar(damerau_levenshtein(&a, &b)),
        Op::LcsSimilarity => Some(Value::float(lcs(&a, &b) as f64 / a.len().max(b.len()) as f64)),
        Op::IndelSimilarity => Some(Value::float(1.0 - indels(&a, &b) as f64 / (a.len() + b.len()) as f64)),
        Op::Hamming => hamming(&a, &b).and_then(count),
        Op::Jaro => Some(Value::float(jaro(&a, &b))),
        Op::JaroWinkler => Some(Value::float(jaro_winkler(&a, &b))),
        _ => None,
    }
}

/// Levenshtein distance.
pub fn levenshtein(a: &[char], b: &[char]) -> usize {
    last_of_rows(a, b, false)
}

/// Optimal string alignment: Levenshtein with adjacent transpositions, no substring edited twice.
pub fn osa(a: &[char], b: &[char]) -> usize {
    last_of_rows(a, b, true)
}

/// The last number of the textbook's matrix, of which only the rows that the next one reads are kept.
fn last_of_rows(a: &[char], b: &[char], transpositions: bool) -> usize {
    let first: Vec<usize> = (0..=b.len()).collect();
    let (mut before_last, mut last, mut row) = (first.clone(), first.clone(), first);
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if transpositions && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row[j] = best;
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

/// Unrestricted Damerau-Levenshtein distance, by the recurrence of Lowrance and Wagner: a transposition may have
/// deletions on one side and insertions on the other between its two characters.
pub fn damerau_levenshtein(a: &[char], b: &[char]) -> usize {
    // One vector of rows: a vector for each row would take most of the time. Row 0 and column 0 count insertions and deletions.
    let width = b.len() + 1;
    let at = |i: usize, j: usize| i * width + j;
    let mut d: Vec<usize> = (0..=a.len()).flat_map(|i| (0..width).map(move |j| i + j)).collect();
    // For each character of `b` the last row above the current one in which `a` holds it.
    let mut last_rows = vec![0; b.len()];
    for i in 1..=a.len() {
        // The last column left of the current one in which `b` holds the row's character.
        let mut last_column = 0;
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (d[at(i - 1, j)] + 1).min(d[at(i, j - 1)] + 1).min(d[at(i - 1, j - 1)] + cost);
            let (k, l) = (last_rows[j - 1], last_column);
            if k > 0 && l > 0 {
                best = best.min(d[at(k - 1, l - 1)] + (i - k - 1) + 1 + (j - l - 1));
            }
            d[at(i, j)] = best;
            if cost == 0 {
                last_column = j;
                last_rows[j - 1] = i;
            }
        }
    }
    d[at(a.len(), b.len())]
}

/// The length of a longest common subsequence: of all but the last characters, or with both of them where they are equal.
pub fn lcs(a: &[char], b: &[char]) -> usize {
    let mut last = vec![0; b.len() + 1];
    let mut row = last.clone();
    for x in a {
        for j in 1..=b.len() {
            let with_both = last[j - 1] + usize::from(*x == b[j - 1]);
            row[j] = last[j].max(row[j - 1]).max(with_both);
        }
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

/// The fewest insertions and deletions: all that is in neither a longest common subsequence.
pub fn indels(a: &[char], b: &[char]) -> usize {
    a.len() + b.len() - 2 * lcs(a, b)
}

/// 1 - distance / longer length.
pub fn similarity(distance: usize, a: &[char], b: &[char]) -> f64 {
    1.0 - distance as f64 / a.len().max(b.len()) as f64
}

/// The number of places that differ; `None` for different lengths.
pub fn hamming(a: &[char], b: &[char]) -> Option<usize> {
    (a.len() == b.len()).then(|| a.iter().zip(b).filter(|(x, y)| x != y).count())
}

/// Jaro similarity of two texts that are not empty.
pub fn jaro(a: &[char], b: &[char]) -> f64 {
    let window = (a.len().max(b.len()) / 2).saturating_sub(1);
    let mut used = vec![false; b.len()];
    let mut matched = Vec::new();
    for (i, c) in a.iter().enumerate() {
        let near = i.saturating_sub(window)..b.len().min(i + window + 1);
        let partner = near.into_iter().find(|&j| !used[j] && b[j] == *c);
        if let Some(j) = partner {
            used[j] = true;
            matched.push(*c);
        }
    }
    if matched.is_empty() {
        return 0.0;
    }
    let other = b.iter().zip(&used).filter(|(_, used)| **used).map(|(c, _)| *c);
    let transposed = matched.iter().zip(other).filter(|(x, y)| **x != *y).count();
    let (m, t) = (matched.len() as f64, (transposed / 2) as f64);
    (m / a.len() as f64 + m / b.len() as f64 + (m - t) / m) / 3.0
}

/// Jaro-Winkler similarity of two texts that are not empty.
pub fn jaro_winkler(a: &[char], b: &[char]) -> f64 {
    let jaro = jaro(a, b);
    let prefix = a.iter().zip(b).take(4).take_while(|(x, y)| x == y).count() as f64;
    if jaro > 0.7 { jaro + prefix * 0.1 * (1.0 - jaro) } else { jaro }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_texts<T>(measure: impl Fn(&[char], &[char]) -> T, a: &str, b: &str) -> T {
        measure(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn distances() {
        assert_eq!(on_texts(levenshtein, "kitten", "sitting"), 3);
        assert_eq!(on_texts(levenshtein, "", "äb"), 2);
        assert_eq!((on_texts(osa, "ca", "abc"), on_texts(damerau_levenshtein, "ca", "abc")), (3, 2));
        assert_eq!((on_texts(osa, "abcd", "acbd"), on_texts(damerau_levenshtein, "abcd", "acbd")), (1, 1));
        assert_eq!(on_texts(damerau_levenshtein, "aaxb", "baxa"), on_texts(damerau_levenshtein, "baxa", "aaxb"));
        assert_eq!((on_texts(hamming, "abc", "abd"), on_texts(hamming, "abc", "ab")), (Some(1), None));
        assert_eq!((on_texts(lcs, "AGGTAB", "GXTXAYB"), on_texts(lcs, "ab", "ba"), on_texts(lcs, "a", "b")), (4, 1, 0));
        assert_eq!((on_texts(indels, "lewenstein", "levenshtein"), on_texts(indels, "ab", "ab")), (3, 0));
    }

    #[test]
    fn similarities() {
        let close = |x: f64, y: f64| (x - y).abs() < 1e-9;
        assert!(close(on_texts(jaro, "MARTHA", "MARHTA"), 0.944_444_444_4));
        assert!(close(on_texts(jaro, "DIXON", "DICKSONX"), 0.766_666_666_7));
        assert!(close(on_texts(jaro_winkler, "MARTHA", "MARHTA"), 0.961_111_111_1));
        assert!(close(on_texts(jaro_winkler, "DWAYNE", "DUANE"), 0.84));
        assert_eq!(on_texts(jaro, "a", "b"), 0.0);
        assert_eq!(on_texts(jaro, "a", "a"), 1.0);
    }
}
