//! Token sets and their measures.

use super::strings::jaro_winkler;
use super::value::Value;
use crate::case::Op;
use std::collections::BTreeSet;

/// Blocks of combining marks, and the virama: the marks of every text that the testkit makes.
const MARKS: [(char, char); 7] = [
    ('\u{300}', '\u{36f}'),
    ('\u{483}', '\u{489}'),
    ('\u{94d}', '\u{94d}'),
    ('\u{1dc0}', '\u{1dff}'),
    ('\u{20d0}', '\u{20f0}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{fe20}', '\u{fe2f}'),
];

/// A character that is alphanumeric begins a word or continues one; a mark only continues one.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut inside = false;
    for c in text.chars() {
        let letter = c.is_alphanumeric();
        if letter && !inside {
            words.push(String::new());
        }
        inside = letter || (inside && MARKS.iter().any(|(first, last)| (*first..=*last).contains(&c)));
        if let (true, Some(word)) = (inside, words.last_mut()) {
            word.push(c);
        }
    }
    words
}

/// The substrings of `q` characters; none of a shorter text.
pub fn qgrams(text: &str, q: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    if q == 0 { Vec::new() } else { chars.windows(q).map(|gram| gram.iter().collect()).collect() }
}

/// A measure of two sets; null if one is empty.
pub fn measure(op: Op, a: &[String], b: &[String]) -> Value {
    let a: BTreeSet<&String> = a.iter().collect();
    let b: BTreeSet<&String> = b.iter().collect();
    if a.is_empty() || b.is_empty() {
        return Value::Null;
    }
    let (i, x, y) = (a.intersection(&b).count(), a.len(), b.len());
    match op {
        Op::Jaccard => Value::Float(i as f64 / (x + y - i) as f64),
        Op::Dice => Value::Float((2 * i) as f64 / (x + y) as f64),
        Op::Cosine => Value::Float(i as f64 / ((x * y) as f64).sqrt()),
        Op::OverlapCoefficient => Value::Float(i as f64 / x.min(y) as f64),
        Op::Overlap => Value::Int(i as i64),
        Op::MongeElkan => Value::Float(monge_elkan(&a, &b)),
        _ => Value::Bool(i > 0),
    }
}

/// For each element of the first set the greatest Jaro-Winkler similarity with one of the second: their mean, added up in the
/// order of code points.
fn monge_elkan(a: &BTreeSet<&String>, b: &BTreeSet<&String>) -> f64 {
    let mut sum = 0.0;
    for x in a {
        let x: Vec<char> = x.chars().collect();
        let mut best = 0.0;
        for y in b {
            let value = jaro_winkler(&x, &y.chars().collect::<Vec<char>>());
            if value > best {
                best = value;
            }
        }
        sum += best;
    }
    sum / a.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        assert_eq!(words("O'Neil, 東京 2x"), ["O", "Neil", "東京", "2x"]);
        assert_eq!(words("\u{301}jose\u{301}s -\u{301} हिन्दी"), ["jose\u{301}s", "हिन्दी"]);
        assert_eq!(qgrams("äbc", 2), ["äb", "bc"]);
        assert!(qgrams("a", 2).is_empty() && words(" - ").is_empty());
    }

    #[test]
    fn measures() {
        let (a, b) = (words("a b c a"), words("b c d e"));
        assert_eq!(measure(Op::Jaccard, &a, &b), Value::Float(2.0 / 5.0));
        assert_eq!(measure(Op::Dice, &a, &b), Value::Float(4.0 / 7.0));
        assert_eq!(measure(Op::Cosine, &a, &b), Value::Float(2.0 / 12_f64.sqrt()));
        assert_eq!(measure(Op::OverlapCoefficient, &a, &b), Value::Float(2.0 / 3.0));
        assert_eq!(measure(Op::Overlap, &a, &b), Value::Int(2));
        assert_eq!(measure(Op::ListHasAny, &a, &words("x")), Value::Bool(false));
        assert_eq!(measure(Op::Overlap, &a, &[]), Value::Null);
        let (jon, john) = (words("Jon Smith"), words("John Smyth Smyth"));
        assert_eq!(measure(Op::MongeElkan, &jon, &john), Value::Float(0.913_333_333_333_333_3));
        assert_eq!(measure(Op::MongeElkan, &words("Anna Smith"), &words("Smith")), Value::Float(0.5));
        assert_eq!(measure(Op::MongeElkan, &words("Smith"), &words("Anna Smith")), Value::Float(1.0));
    }
}
