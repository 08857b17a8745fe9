//! Statistics of token sets, from a sample: how large sets are and how common their tokens.

use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use crate::records::encode::{Encoded, TokenSets, Tokenizer};

/// The most ranks reported: up to the 32,768th token.
const RANKS: u32 = 16;

/// What the sampled sets of an operand look like. Tokens have no text, so they are identified by their rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenStatistics {
    /// How values become sets: `words`, `qgrams 3`, `elements`.
    pub tokenizer: String,
    /// Number of tokens of the sampled sets; rows that are null have no set.
    pub sizes: Histogram,
    /// Distinct tokens in the sampled sets.
    pub distinct: u64,
    /// How common the most frequent tokens are: the first, second, fourth, eighth and so on, as long as more than one
    /// sampled set holds the token.
    pub frequent: Vec<RankShare>,
}

/// How common a token is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankShare {
    /// Its rank, 1 for the most frequent token.
    pub rank: u64,
    /// The share of sampled sets that hold it, to six decimals.
    pub share: f64,
}

impl TokenStatistics {
    /// The statistics of some token sets of an encoding, by their number, with the rows sampled of their frame.
    pub fn of_sampled(encoded: &Encoded, number: usize, sample: &[u32]) -> Self {
        let (operand, tokenizer) = encoded.token_sources[number];
        Self::from_sets(&encoded.tokens[number], tokenizer, &encoded.columns[operand].present_codes(sample))
    }

    /// The statistics of the sets of sampled values, by code, one for each row that is not null.
    fn from_sets(sets: &TokenSets, tokenizer: Tokenizer, codes: &[u32]) -> Self {
        let sizes = Histogram::from_sizes(codes.iter().map(|code| sets.set(*code).len() as u64));
        let held = held(codes.iter().map(|code| sets.set(*code)));
        let frequent = shares(&held, codes.len());
        Self { tokenizer: tokenizer_name(tokenizer), sizes, distinct: held.len() as u64, frequent }
    }
}

/// The number of sets with each token that occurs, in descending order.
fn held<'s>(sets: impl Iterator<Item = &'s [u32]> + Clone) -> Vec<u32> {
    // Sets are ascending, so the last token is the largest. Ids have no gaps: counts by id take less than the sets do.
    let tokens = sets.clone().filter_map(<[u32]>::last).max().map_or(0, |largest| *largest as usize + 1);
    let mut held = vec![0; tokens];
    sets.flatten().for_each(|token| held[*token as usize] += 1);
    held.retain(|count| *count > 0);
    held.sort_unstable_by(|a, b| b.cmp(a));
    held
}

/// The shares at the reported ranks; `held` has the number of sets with each token, in descending order.
fn shares(held: &[u32], sets: usize) -> Vec<RankShare> {
    let ranks = (0..RANKS).map(|power| 1_usize << power);
    let counted = ranks.filter_map(|rank| held.get(rank - 1).map(|count| (rank, *count)));
    let share = |count: u32| (f64::from(count) * 1e6 / sets as f64).round() / 1e6;
    let reported = counted.take_while(|(_, count)| *count > 1);
    reported.map(|(rank, count)| RankShare { rank: rank as u64, share: share(count) }).collect()
}

/// How values become sets, in words.
pub fn tokenizer_name(tokenizer: Tokenizer) -> String {
    match tokenizer {
        Tokenizer::Words => "words".into(),
        Tokenizer::Qgrams(q) => format!("qgrams {q}"),
        Tokenizer::Elements => "elements".into(),
    }
}
