//! Texts most of which occur once, numbered in the order of their bytes: they are sorted, and nothing is hashed.
//!
//! Ids often begin alike, and differ soon after that. So what is sorted is the first bytes after those that all texts share,
//! as one integer, with the place of the text: texts are looked at only where these are equal.

use rayon::prelude::*;

use super::check_count;
use crate::cancel::Cancel;
use crate::error::Result;

/// Bytes for each text: what is sorted, its number, and its place among the distinct ones.
const BYTES_OF_TEXT: usize = size_of::<(u64, u32)>() + 2 * size_of::<u32>();

/// Texts that are numbered in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedTexts {
    /// The places of the distinct texts, ascending by the texts: of equal ones one of them.
    pub distinct: Vec<u32>,
    /// The number of each text.
    pub numbers: Vec<u32>,
}

impl SortedTexts {
    /// Sorts texts, of which there are fewer than 2^32.
    pub fn new(texts: &[&[u8]], cancel: Cancel<'_>) -> Result<Self> {
        check_count(texts.len())?;
        let _held = cancel.hold(BYTES_OF_TEXT * texts.len());
        let shared = shared_bytes(texts);
        let keyed = |(place, text): (usize, &&[u8])| (leading(&text[shared..]), place as u32);
        let mut order: Vec<(u64, u32)> = texts.par_iter().enumerate().map(keyed).collect();
        cancel.check();
        let text = |place: u32| texts[place as usize];
        order.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| text(a.1).cmp(text(b.1))));
        cancel.check();
        let mut sorted = Self { distinct: Vec::new(), numbers: vec![0; texts.len()] };
        let mut last = None;
        for (key, place) in order {
            let is_repeated = last.is_some_and(|(of, at)| of == key && text(at) == text(place));
            if !is_repeated {
                sorted.distinct.push(place);
            }
            sorted.numbers[place as usize] = sorted.distinct.len() as u32 - 1;
            last = Some((key, place));
        }
        Ok(sorted)
    }
}

/// How many bytes all texts begin with.
fn shared_bytes(texts: &[&[u8]]) -> usize {
    let Some(first) = texts.first() else { return 0 };
    let shared = |text: &&[u8]| text.iter().zip(*first).take_while(|(a, b)| a == b).count();
    texts.par_iter().map(shared).min().unwrap_or(0)
}

/// The first bytes as an integer, in their order; a text that ends before them is followed by zeros.
fn leading(text: &[u8]) -> u64 {
    let mut bytes = [0; size_of::<u64>()];
    let count = text.len().min(bytes.len());
    bytes[..count].copy_from_slice(&text[..count]);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::number_texts;
    use super::*;

    #[test]
    fn numbers_are_those_of_number_texts() {
        let drawn = |at: u64| at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let few = ["b", "", "a", "a\0", "b", "a\0\0", "ab"].map(str::to_owned).to_vec();
        let long = (0..5_000).map(|at| format!("https://example.org/{}", drawn(at) % 3_000)).collect();
        let alike = (0..500).map(|at| format!("{}{}", "same".repeat(5), drawn(at) % 700)).collect();
        for texts in [Vec::new(), few, long, alike] {
            let texts: Vec<&[u8]> = texts.iter().map(|text: &String| text.as_bytes()).collect();
            let sorted = SortedTexts::new(&texts, Cancel::NEVER).unwrap();
            let expected = number_texts(&[&texts], Cancel::NEVER).unwrap();
            assert_eq!(sorted.numbers, expected.columns[0]);
            let distinct: Vec<&[u8]> = sorted.distinct.iter().map(|place| texts[*place as usize]).collect();
            assert_eq!(distinct, expected.ids);
        }
    }
}
