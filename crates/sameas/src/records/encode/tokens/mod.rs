//! Token sets of distinct values: ascending ids, the rarest token of the domain having the smallest.
//!
//! Tokens become numbers as early as possible: substrings of one length are integers over the domain's own alphabet
//! ([`grams`]), words and elements are hashed once and compared by their text ([`intern`]). No token's text is kept.
//! Frequency counts occurrences; ties are broken by the data alone, so ids do not depend on the number of threads.

mod grams;
mod intern;
mod summary;

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

/// Sets by code, as a view: the set of a code lies in `ids` up to `ends[code]`.
#[derive(Clone, Copy, Debug)]
pub struct Sets<'a> {
    ids: &'a [u32],
    ends: &'a [usize],
}

impl<'a> Sets<'a> {
    /// A view of sets that lie in `ids` one after the other, each ascending and without repeats.
    pub fn new(ids: &'a [u32], ends: &'a [usize]) -> Self {
        Self { ids, ends }
    }

    /// All ids, and where each set ends among them.
    pub fn parts(&self) -> (&'a [u32], &'a [usize]) {
        (self.ids, self.ends)
    }

    /// The set of a value, ascending.
    #[inline]
    pub fn set(&self, code: u32) -> &'a [u32] {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.ids[start..self.ends[code]]
    }
}

/// The token sets of a dictionary's values, by code.
#[derive(Debug, Default)]
pub struct TokenSets {
    ids: Vec<u32>,
    ends: Vec<usize>,
    summaries: Vec<SetSummary>,
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
        let (ids, ends) = super::part::gather(&self.ids, &self.ends, kept);
        Self { ids, ends, summaries: kept.par_iter().map(|code| self.summaries[*code as usize]).collect() }
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.ids[..]) + size_of_val(&self.ends[..]) + size_of_val(&self.summaries[..])
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
    pub fn of(sources: &[(&Dictionary, Tokenizer)], cancel: Cancel<'_>) -> Vec<Self> {
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

    fn joined<'o>(pieces: impl Iterator<Item = &'o Occurrences>) -> Self {
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
        let summaries = summary::summaries(Sets::new(&ids, &ends));
        Self { ids, ends, summaries }
    }
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
