//! A test of texts over the selected candidates of a batch.

use crate::candidates::Batch;
use crate::expr::Num;
use crate::measure::{PreparedText, TextMeasure, Unit};
use crate::records::encode::{AnyStrings, NULL, Strings, Texts};
use crate::threshold::{TextFilter, TextPair, TextTest, Truth};

/// A test and what it reads.
pub struct TextCheck<'a> {
    /// The test.
    pub test: &'a TextTest,
    /// Its filter.
    pub filter: &'a TextFilter,
    /// The texts, by code.
    pub texts: &'a Texts,
    /// Codes by left row.
    pub l: &'a [u32],
    /// Codes by right row.
    pub r: &'a [u32],
}

impl TextCheck<'_> {
    /// Writes the verdicts of the selected candidates that have none yet into `truths`.
    pub fn evaluate(&self, batch: &Batch, selection: &[u32], truths: &mut [Truth]) {
        match self.texts.strings() {
            AnyStrings::U8(strings) => self.over(strings, batch, selection, truths),
            AnyStrings::U16(strings) => self.over(strings, batch, selection, truths),
            AnyStrings::U32(strings) => self.over(strings, batch, selection, truths),
        }
    }

    fn over<U: Unit>(&self, strings: Strings<'_, U>, batch: &Batch, selection: &[u32], truths: &mut [Truth]) {
        let mut open = self.open(batch, selection, truths);
        self.filter.retain(self.test, self.texts.signatures(), &mut open);
        let mut repeated = Repeated::default();
        for TextPair { at, a, b } in open {
            let text = strings.get(b);
            truths[at as usize] = match repeated.prepared(a, strings) {
                Some(prepared) => self.test.holds(prepared, text).into(),
                None => self.test.holds(&strings.get(a), text).into(),
            };
        }
    }

    /// The candidates whose texts differ and are not empty, for now without a match; the others get their verdicts.
    fn open(&self, batch: &Batch, selection: &[u32], truths: &mut [Truth]) -> Vec<TextPair> {
        let Self { l, r, .. } = self;
        let empty = self.texts.empty().unwrap_or(NULL);
        let same = Truth::from(self.test.holds_for_same());
        let mut open = Vec::with_capacity(selection.len());
        for &at in selection {
            let place = at as usize;
            if truths[place] != Truth::Unknown {
                continue;
            }
            let (a, b) = (l[batch.l[place] as usize], r[batch.r[place] as usize]);
            truths[place] = if a == NULL || b == NULL || a == empty || b == empty {
                Truth::Null
            } else if a == b {
                same
            } else {
                open.push(TextPair { at, a, b });
                Truth::False
            };
        }
        open
    }
}

/// The text that came last, prepared as soon as it comes again: candidates of one left record follow each other.
struct Repeated<U> {
    last: u32,
    is_prepared: bool,
    prepared: PreparedText<U>,
}

impl<U: Unit> Default for Repeated<U> {
    fn default() -> Self {
        Self { last: NULL, is_prepared: false, prepared: PreparedText::default() }
    }
}

impl<U: Unit> Repeated<U> {
    fn prepared(&mut self, code: u32, strings: Strings<'_, U>) -> Option<&PreparedText<U>> {
        if code != self.last {
            (self.last, self.is_prepared) = (code, false);
            return None;
        }
        if !self.is_prepared {
            self.prepared.set(strings.get(code));
            self.is_prepared = true;
        }
        Some(&self.prepared)
    }
}

/// The value of a measure of two texts; `None` is null.
pub fn value(texts: &Texts, a: u32, b: u32, measure: TextMeasure) -> Option<Num> {
    if a == NULL || b == NULL {
        return None;
    }
    match texts.strings() {
        AnyStrings::U8(strings) => value_of(strings.get(a), strings.get(b), measure),
        AnyStrings::U16(strings) => value_of(strings.get(a), strings.get(b), measure),
        AnyStrings::U32(strings) => value_of(strings.get(a), strings.get(b), measure),
    }
}

fn value_of<U: Unit>(a: &[U], b: &[U], measure: TextMeasure) -> Option<Num> {
    if a.is_empty() || b.is_empty() { None } else { measure.value(a, b).map(Num::from) }
}
