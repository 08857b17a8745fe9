//! Token sets of distinct values: sorted ids, the rarest token of the domain having the smallest.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use rayon::prelude::*;

use super::bytes::{list_elements, text};
use super::dictionary::Dictionary;
use crate::measure::tokens;

/// Values per task.
const CHUNK: usize = 1 << 13;

/// How a value becomes a set of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// Maximal runs of alphanumeric characters of a text.
    Words,
    /// Substrings of that many characters of a text.
    Qgrams(usize),
    /// The elements of a list.
    Elements,
}

impl Tokenizer {
    fn each<'v>(self, value: &'v [u8], visit: &mut dyn FnMut(&'v str)) {
        match self {
            Self::Words => tokens::words(text(value)).for_each(visit),
            Self::Qgrams(q) => tokens::qgrams(text(value), q).for_each(visit),
            Self::Elements => list_elements(value).filter(|e| !e.is_empty()).for_each(visit),
        }
    }
}

/// The token sets of a dictionary's values, by code.
#[derive(Debug, Default)]
pub struct TokenSets {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl TokenSets {
    /// The set of a value, ascending.
    #[inline]
    pub fn set(&self, code: u32) -> &[u32] {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.ids[start..self.ends[code]]
    }

    /// Tokenises dictionaries whose sets are compared with each other, with one order of tokens for all.
    pub fn of(sources: &[(&Dictionary, Tokenizer)]) -> Vec<Self> {
        let chunks: Vec<Vec<Chunk<'_>>> =
            sources.iter().map(|(dictionary, tokenizer)| chunks(dictionary, *tokenizer)).collect();
        let order = Order::of(chunks.iter().flatten());
        chunks.into_iter().map(|chunks| Self::joined(&chunks, &order)).collect()
    }

    fn joined(chunks: &[Chunk<'_>], order: &Order<'_>) -> Self {
        let renamed: Vec<(Vec<u32>, &[usize])> = chunks.par_iter().map(|c| (c.renamed(order), &c.ends[..])).collect();
        let mut all = Self::default();
        for (ids, ends) in renamed {
            let base = all.ids.len();
            all.ids.extend(ids);
            all.ends.extend(ends.iter().map(|end| base + end));
        }
        all
    }
}

/// Sets of some values, tokens numbered by their first appearance in the chunk.
struct Chunk<'v> {
    names: Vec<&'v str>,
    /// In how many values of the chunk each token occurs.
    counts: Vec<u64>,
    ids: Vec<u32>,
    ends: Vec<usize>,
}

fn chunks(dictionary: &Dictionary, tokenizer: Tokenizer) -> Vec<Chunk<'_>> {
    let starts = (0..dictionary.len()).step_by(CHUNK).collect::<Vec<_>>();
    let chunk = |start: usize| Chunk::new(dictionary, tokenizer, start..(start + CHUNK).min(dictionary.len()));
    starts.into_par_iter().map(chunk).collect()
}

impl<'v> Chunk<'v> {
    fn new(dictionary: &'v Dictionary, tokenizer: Tokenizer, codes: std::ops::Range<usize>) -> Self {
        let mut chunk = Self { names: Vec::new(), counts: Vec::new(), ids: Vec::new(), ends: Vec::new() };
        let mut known: HashMap<&str, u32, FixedState> = HashMap::default();
        let mut set = Vec::new();
        for code in codes {
            set.clear();
            tokenizer.each(dictionary.value(code as u32), &mut |token| {
                set.push(*known.entry(token).or_insert_with(|| {
                    chunk.names.push(token);
                    chunk.counts.push(0);
                    (chunk.names.len() - 1) as u32
                }));
            });
            set.sort_unstable();
            set.dedup();
            set.iter().for_each(|id| chunk.counts[*id as usize] += 1);
            chunk.ids.extend_from_slice(&set);
            chunk.ends.push(chunk.ids.len());
        }
        chunk
    }

    /// The sets with the domain's ids, each set sorted.
    fn renamed(&self, order: &Order<'_>) -> Vec<u32> {
        let rename: Vec<u32> = self.names.iter().map(|name| order.ids[name]).collect();
        let mut ids: Vec<u32> = self.ids.iter().map(|id| rename[*id as usize]).collect();
        let mut start = 0;
        for end in &self.ends {
            ids[start..*end].sort_unstable();
            start = *end;
        }
        ids
    }
}

/// Tokens numbered by rising frequency, ties by text, so that the numbering is the same on every run.
struct Order<'v> {
    ids: HashMap<&'v str, u32, FixedState>,
}

impl<'v> Order<'v> {
    fn of<'c>(chunks: impl Iterator<Item = &'c Chunk<'v>>) -> Self
    where
        'v: 'c,
    {
        let mut counts: HashMap<&'v str, u64, FixedState> = HashMap::default();
        for chunk in chunks {
            for (name, count) in chunk.names.iter().zip(&chunk.counts) {
                *counts.entry(name).or_default() += count;
            }
        }
        let mut order: Vec<(u64, &str)> = counts.into_iter().map(|(name, count)| (count, name)).collect();
        order.par_sort_unstable();
        Self { ids: order.into_iter().enumerate().map(|(id, (_, name))| (name, id as u32)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Vector;
    use crate::records::encode::bytes::Numbers;
    use arrow_array::StringArray;

    #[test]
    fn sets_are_sorted_distinct_and_rare_tokens_come_first() {
        let values = Vector::Text(StringArray::from(vec!["a b a", "b c", "b"]));
        let (dictionary, codes) = Dictionary::encode(&[vec![values]], Numbers::ByValue);
        let sets = TokenSets::of(&[(&dictionary, Tokenizer::Words)]).remove(0);
        let set = |row: usize| sets.set(codes[0][row]).to_vec();
        assert_eq!((set(0), set(1), set(2)), (vec![0, 2], vec![1, 2], vec![2]));
    }
}
