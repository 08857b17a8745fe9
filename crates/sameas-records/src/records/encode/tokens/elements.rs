//! Sets with the texts of their elements, for measures that compare these with each other.
//!
//! Sets that are compared have one list of distinct elements, in the order of code points, which is that of their bytes. A
//! set is the places of its elements in that list, ascending: so it has them in that order.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::{Occurrences, Sets, Tokenizer, ValueRange, joined, spans};
use crate::cancel::Cancel;
use crate::memory::Held;
use crate::numbering::ValueList;
use crate::records::encode::dictionary::Dictionary;
use crate::records::encode::gather::gather;
use crate::records::encode::text::Texts;

/// The numbers of elements, by their texts.
type ElementNumbers<'d> = HashMap<&'d str, u32, FixedState>;

/// Bytes that an element takes beside its text while sets are made: in the list and in the table.
const BESIDE_AN_ELEMENT: usize = 2 * size_of::<(&str, u32)>() + size_of::<&str>();

/// The sets of a dictionary's values, by code, and the texts of their elements.
#[derive(Debug)]
pub struct Elements {
    /// Shared by all sets that are compared with each other.
    texts: Arc<Texts>,
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl Elements {
    /// The sets of dictionaries that are compared with each other.
    pub(super) fn from_sources(sources: &[(&Dictionary, Tokenizer)], cancel: Cancel<'_>) -> Vec<Self> {
        let spans = spans(sources);
        let all = distinct(&spans, cancel);
        let _held = cancel.hold(all.len() * BESIDE_AN_ELEMENT);
        let numbers: ElementNumbers<'_> = all.iter().copied().zip(0..).collect();
        let number = |span: &ValueRange<'_>| (span.source, numbered(span, &numbers, cancel));
        let made: Vec<(usize, Occurrences)> = spans.par_iter().map(number).collect();
        // Until the pieces are dropped their sets are held twice.
        let _joined = cancel.hold(2 * made.iter().map(|(_, sets)| sets.bytes()).sum::<usize>());
        let texts = Arc::new(texts_of(&all, cancel));
        let of_source = |source: usize| {
            let (ids, ends) = joined(made.iter().filter(|piece| piece.0 == source).map(|piece| &piece.1));
            Self { texts: Arc::clone(&texts), ids, ends }
        };
        (0..sources.len()).map(of_source).collect()
    }

    /// The texts of the elements, by their numbers.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// All sets, as a view.
    #[inline]
    pub fn view(&self) -> Sets<'_> {
        Sets::new(&self.ids, &self.ends)
    }

    /// The sets of some values, in this order.
    pub(super) fn part(&self, kept: &[u32]) -> Self {
        let (ids, ends) = gather(&self.ids, &self.ends, kept);
        Self { texts: Arc::clone(&self.texts), ids, ends }
    }

    /// Memory they take; texts count for each of those that share them.
    pub fn bytes(&self) -> usize {
        let ends = size_of_val(&self.ends[..]) + self.texts.len() * size_of::<usize>();
        size_of_val(&self.ids[..]) + ends + self.texts.bytes()
    }
}

/// The distinct elements of all values, in the order of code points.
fn distinct<'d>(spans: &[ValueRange<'d>], cancel: Cancel<'_>) -> Vec<&'d str> {
    let of_span = |span: &ValueRange<'d>| {
        cancel.check();
        let mut elements: Vec<&'d str> = Vec::new();
        span.values().for_each(|value| span.tokenizer.each(value, &mut |element| elements.push(element)));
        elements.sort_unstable();
        elements.dedup();
        let held = cancel.hold(2 * size_of_val(&elements[..]));
        (elements, held)
    };
    let pieces: Vec<(Vec<&'d str>, Held)> = spans.par_iter().map(of_span).collect();
    let mut all: Vec<&'d str> = pieces.iter().flat_map(|(elements, _)| elements.iter().copied()).collect();
    all.par_sort_unstable();
    all.dedup();
    all
}

/// The sets of some values.
fn numbered(span: &ValueRange<'_>, numbers: &ElementNumbers<'_>, cancel: Cancel<'_>) -> Occurrences {
    cancel.check();
    let mut sets = Occurrences::default();
    for value in span.values() {
        span.tokenizer.each(value, &mut |element| sets.ids.push(numbers[element]));
        sets.ends.push(sets.ids.len());
    }
    sets.become_sets();
    sets
}

fn texts_of(elements: &[&str], cancel: Cancel<'_>) -> Texts {
    let mut values = ValueList::default();
    for element in elements {
        values.push(element.as_bytes());
    }
    let dictionary = Dictionary::from(values);
    let _held = cancel.hold(dictionary.bytes());
    Texts::new(&dictionary, cancel)
}
