//! Measures of two texts by their textbook definitions, over full matrices.

use std::collections::BTreeMap;

/// Levenshtein distance.
pub fn levenshtein(a: &[char], b: &[char]) -> usize {
    matrix(a, b, false)[a.len()][b.len()]
}

/// Optimal string alignment: Levenshtein with adjacent transpositions, no substring edited twice.
pub fn osa(a: &[char], b: &[char]) -> usize {
    matrix(a, b, true)[a.len()][b.len()]
}

fn matrix(a: &[char], b: &[char], transpositions: bool) -> Vec<Vec<usize>> {
    let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                d[i][j] = i + j;
                continue;
            }
            let cost = usize::from(a[i - 1] != b[j - 1]);
            d[i][j] = (d[i - 1][j] + 1).min(d[i][j - 1] + 1).min(d[i - 1][j - 1] + cost);
            if transpositions && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d[i][j] = d[i][j].min(d[i - 2][j - 2] + 1);
            }
        }
    }
    d
}

/// Unrestricted Damerau-Levenshtein distance, by the recurrence of Lowrance and Wagner: a transposition may have
/// deletions on one side and insertions on the other between its two characters.
pub fn damerau_levenshtein(a: &[char], b: &[char]) -> usize {
    let mut d = matrix(a, b, false);
    // For each character the last row above the current one in which `a` holds it.
    let mut last_row: BTreeMap<char, usize> = BTreeMap::new();
    for i in 1..=a.len() {
        // The last column left of the current one in which `b` holds the row's character.
        let mut last_column = 0;
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (d[i - 1][j] + 1).min(d[i][j - 1] + 1).min(d[i - 1][j - 1] + cost);
            let (k, l) = (last_row.get(&b[j - 1]).copied().unwrap_or(0), last_column);
            if k > 0 && l > 0 {
                best = best.min(d[k - 1][l - 1] + (i - k - 1) + 1 + (j - l - 1));
            }
            d[i][j] = best;
            if cost == 0 {
                last_column = j;
            }
        }
        last_row.insert(a[i - 1], i);
    }
    d[a.len()][b.len()]
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

    fn of<T>(measure: impl Fn(&[char], &[char]) -> T, a: &str, b: &str) -> T {
        measure(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn distances() {
        assert_eq!(of(levenshtein, "kitten", "sitting"), 3);
        assert_eq!(of(levenshtein, "", "äb"), 2);
        assert_eq!((of(osa, "ca", "abc"), of(damerau_levenshtein, "ca", "abc")), (3, 2));
        assert_eq!((of(osa, "abcd", "acbd"), of(damerau_levenshtein, "abcd", "acbd")), (1, 1));
        assert_eq!(of(damerau_levenshtein, "aaxb", "baxa"), of(damerau_levenshtein, "baxa", "aaxb"));
        assert_eq!((of(hamming, "abc", "abd"), of(hamming, "abc", "ab")), (Some(1), None));
    }

    #[test]
    fn similarities() {
        let close = |x: f64, y: f64| (x - y).abs() < 1e-9;
        assert!(close(of(jaro, "MARTHA", "MARHTA"), 0.944_444_444_4));
        assert!(close(of(jaro, "DIXON", "DICKSONX"), 0.766_666_666_7));
        assert!(close(of(jaro_winkler, "MARTHA", "MARHTA"), 0.961_111_111_1));
        assert!(close(of(jaro_winkler, "DWAYNE", "DUANE"), 0.84));
        assert_eq!(of(jaro, "a", "b"), 0.0);
        assert_eq!(of(jaro, "a", "a"), 1.0);
    }
}
