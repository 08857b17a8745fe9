//! Token sets of distinct values: ascending ids, the rarest token of the domain having the smallest.
//!
//! Tokens become numbers as early as possible: substrings of one length are integers over the domain's own alphabet
//! ([`grams`]), words and elements are hashed once and compared by their text ([`intern`]). No token's text is kept, unless a
//! measure compares tokens with each other ([`elements`]).
//! Frequency counts occurrences; ties are broken by the data alone, so ids do not depend on the number of threads.

mod elements;
mod grams;
mod intern;
mod sets;
mod summary;

pub use elements::Elements;
pub use sets::Sets;
pub use summary::most_common;

use std::ops::Range;

use rayon::prelude::*;
use sameas_kernels::layout::set_join::SetSummary;

use self::intern::TokenPiece;
use super::bytes::{list_elements, text};
use super::dictionary::Dictionary;
use crate::cancel::Cancel;
use crate::measure::tokens;

/// Bytes of text per task: its tokens and their table stay in the nearer caches.
const PIECE_BYTES: usize = 1 << 17;

/// How a value becomes a set of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    summaries: Vec<SetSummary>,
    /// The same sets with the texts of their elements, where these are wanted.
    elements: Option<Elements>,
}

impl TokenSets {
    /// The set of a value, ascending.
    #[inline]
    pub fn set(&self, code: u32) -> &[u32] {
        self.view().set(code)
    }

    /// All ids, and where each set ends among them.
    pub fn parts(&self) -> (&[u32], &[usize]) {
        (&self.ids, &self.ends)
    }

    /// The sets of some values, in this order.
    pub(super) fn part(&self, kept: &[u32]) -> Self {
        let (ids, ends) = super::gather::gather(&self.ids, &self.ends, kept);
        let summaries = kept.par_iter().map(|code| self.summaries[*code as usize]).collect();
        Self { ids, ends, summaries, elements: self.elements.as_ref().map(|elements| elements.part(kept)) }
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        let sets = size_of_val(&self.ids[..]) + size_of_val(&self.ends[..]) + size_of_val(&self.summaries[..]);
        sets + self.elements.as_ref().map_or(0, Elements::bytes)
    }

    /// The same sets with the texts of their elements, where these were wanted.
    pub fn elements(&self) -> Option<&Elements> {
        self.elements.as_ref()
    }

    /// The sets at a glance, by code.
    #[inline]
    pub fn summaries(&self) -> &[SetSummary] {
        &self.summaries
    }

    /// All sets, as a view.
    #[inline]
    pub fn view(&self) -> Sets<'_> {
        Sets::new(&self.ids, &self.ends)
    }

    /// Tokenises dictionaries whose sets are compared with each other, with one order of tokens for all.
    pub fn tokenize(sources: &[(&Dictionary, Tokenizer)], cancel: Cancel<'_>) -> Vec<Self> {
        let spans = spans(sources);
        let numbered = match common_length(sources) {
            Some(q) => grams::numbered(&spans, q, cancel),
            None => {
                let checked = spans.par_iter().inspect(|_| cancel.check());
                let pieces: Vec<TokenPiece<&str>> = checked.map(|span| texts(span, cancel)).collect();
                cancel.check();
                intern::numbered(pieces, cancel)
            }
        };
        let mut made: Vec<(usize, Occurrences)> = spans.iter().map(|s| s.source).zip(numbered).collect();
        let _held = cancel.hold(made.iter().map(|(_, tokens)| tokens.bytes()).sum());
        made.par_iter_mut().for_each(|(_, tokens)| {
            cancel.check();
            tokens.become_sets();
        });
        // Until the pieces are dropped their sets are held twice.
        let summaries = made.iter().map(|(_, tokens)| tokens.ends.len()).sum::<usize>() * size_of::<SetSummary>();
        let _joined = cancel.hold(summaries + made.iter().map(|(_, tokens)| tokens.bytes()).sum::<usize>());
        (0..sources.len()).map(|source| Self::joined(made.iter().filter(|m| m.0 == source).map(|m| &m.1))).collect()
    }

    /// The same with the texts of their elements, made of the dictionaries that they were made of.
    pub fn with_elements(sets: Vec<Self>, sources: &[(&Dictionary, Tokenizer)], cancel: Cancel<'_>) -> Vec<Self> {
        let elements = Elements::from_sources(sources, cancel);
        sets.into_iter().zip(elements).map(|(sets, elements)| Self { elements: Some(elements), ..sets }).collect()
    }

    fn joined<'o>(pieces: impl Iterator<Item = &'o Occurrences>) -> Self {
        let (ids, ends) = joined(pieces);
        let summaries = summary::summaries(Sets::new(&ids, &ends));
        Self { ids, ends, summaries, elements: None }
    }
}

/// The sets of pieces, one after the other, and where each ends.
fn joined<'o>(pieces: impl Iterator<Item = &'o Occurrences>) -> (Vec<u32>, Vec<usize>) {
    let pieces: Vec<&Occurrences> = pieces.collect();
    let mut ids = vec![0; pieces.iter().map(|p| p.ids.len()).sum()];
    let mut ends = vec![0; pieces.iter().map(|p| p.ends.len()).sum()];
    let (mut ids_left, mut ends_left, mut base) = (&mut ids[..], &mut ends[..], 0);
    let mut places = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (ids_here, rest) = ids_left.split_at_mut(piece.ids.len());
        let (ends_here, ends_rest) = ends_left.split_at_mut(piece.ends.len());
        (ids_left, ends_left) = (rest, ends_rest);
        places.push((piece, base, ids_here, ends_here));
        base += piece.ids.len();
    }
    places.into_par_iter().for_each(|(piece, base, ids, ends)| {
        ids.copy_from_slice(&piece.ids);
        ends.iter_mut().zip(&piece.ends).for_each(|(to, end)| *to = base + end);
    });
    (ids, ends)
}

/// Consecutive values of one dictionary: the work of one task.
struct ValueRange<'d> {
    source: usize,
    dictionary: &'d Dictionary,
    tokenizer: Tokenizer,
    codes: Range<u32>,
}

impl<'d> ValueRange<'d> {
    fn values(&self) -> impl Iterator<Item = &'d [u8]> + use<'d> {
        let dictionary = self.dictionary;
        self.codes.clone().map(move |code| dictionary.value(code))
    }

    /// Bytes of its values.
    fn bytes(&self) -> usize {
        self.dictionary.bytes_of(self.codes.start as usize..self.codes.end as usize).len()
    }
}

/// The number of characters of every token, if all sources are substrings of one length.
fn common_length(sources: &[(&Dictionary, Tokenizer)]) -> Option<usize> {
    match sources.first()?.1 {
        Tokenizer::Qgrams(q) if sources.iter().all(|s| s.1 == Tokenizer::Qgrams(q)) => Some(q),
        _ => None,
    }
}

fn spans<'d>(sources: &[(&'d Dictionary, Tokenizer)]) -> Vec<ValueRange<'d>> {
    let mut spans = Vec::new();
    for (source, &(dictionary, tokenizer)) in sources.iter().enumerate() {
        let (ends, mut start, mut base) = (dictionary.ends(), 0, 0);
        while start < ends.len() {
            let short = ends[start..].partition_point(|end| end - base < PIECE_BYTES);
            let end = ends.len().min(start + short + 1);
            spans.push(ValueRange { source, dictionary, tokenizer, codes: start as u32..end as u32 });
            (start, base) = (end, ends[end - 1]);
        }
    }
    spans
}

fn texts<'d>(span: &ValueRange<'d>, cancel: Cancel<'_>) -> TokenPiece<&'d str> {
    let mut piece = TokenPiece::new(cancel);
    for value in span.values() {
        span.tokenizer.each(value, &mut |token| piece.push(token));
        piece.end_value();
    }
    piece.finished()
}

/// The tokens of consecutive values, in the order of the text.
#[derive(Debug, Default)]
struct Occurrences {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl Occurrences {
    fn bytes(&self) -> usize {
        size_of_val(&self.ids[..]) + size_of_val(&self.ends[..])
    }

    /// Orders the tokens of each value and removes repeats.
    fn become_sets(&mut self) {
        let (mut start, mut kept) = (0, 0);
        for end in &mut self.ends {
            self.ids[start..*end].sort_unstable();
            let first = kept;
            for at in start..*end {
                let id = self.ids[at];
                if kept == first || self.ids[kept - 1] != id {
                    self.ids[kept] = id;
                    kept += 1;
                }
            }
            start = *end;
            *end = kept;
        }
        self.ids.truncate(kept);
    }
}

#[cfg(test)]
mod tests;
