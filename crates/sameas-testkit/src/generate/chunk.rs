//! A run of rows, made by one thread: the columns of its records and their clusters.

use super::layout::{Layout, Slot};
use super::words::Vocabulary;
use super::{Kind, Options, cds, errors, people, publications};
use crate::rng::{Rng, mix};
use std::fmt::Write as _;
use std::ops::Range;

/// Texts one after the other, with the place where each ends.
#[derive(Clone, Debug, Default)]
pub struct TextColumn {
    /// All texts.
    pub text: String,
    /// Where each text ends in it.
    pub ends: Vec<usize>,
}

impl TextColumn {
    /// Appends a text.
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// The text at a place.
    pub fn get(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }
}

/// Records of consecutive rows.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The id, then the columns of the kind; an empty text is a missing value.
    pub columns: Vec<TextColumn>,
    /// The name of each record's cluster.
    pub clusters: TextColumn,
    /// The number of records.
    pub rows: usize,
}

/// What every thread needs to make records.
pub struct Maker<'a> {
    pub options: &'a Options,
    pub layout: &'a Layout,
    pub words: &'a Vocabulary,
}

impl Maker<'_> {
    /// The rows of an input in a range.
    pub fn chunk(&self, input: usize, rows: Range<u64>) -> Chunk {
        let mut fields = vec![String::new(); self.options.kind.columns().len()];
        let columns = vec![TextColumn::default(); fields.len() + 1];
        let mut chunk = Chunk { columns, clusters: TextColumn::default(), rows: (rows.end - rows.start) as usize };
        let mut name = String::new();
        for row in rows {
            let slot = self.layout.slot(input, row);
            self.fill(slot, &mut fields);
            self.leave_out(slot, &mut fields);
            self.id(input, row, &mut name);
            chunk.columns[0].push(&name);
            for (column, field) in chunk.columns[1..].iter_mut().zip(&fields) {
                column.push(field);
            }
            name.clear();
            let _ = write!(name, "c{}", self.layout.cluster(slot.entity));
            chunk.clusters.push(&name);
        }
        chunk
    }

    /// Clears the share of fields that are missing, each by a number of its own.
    fn leave_out(&self, slot: Slot, fields: &mut [String]) {
        if self.options.missing > 0.0 {
            let place = slot.copy.map_or(slot.entity, mix);
            let mut rng = Rng::new(mix(self.options.seed ^ 0x3a).wrapping_add(place));
            let is_missing = |rng: &mut Rng| (rng.below(1 << 20) as f64) < self.options.missing * f64::from(1 << 20);
            fields.iter_mut().filter(|_| is_missing(&mut rng)).for_each(String::clear);
        }
    }

    /// The id of a row: a shuffled number after a letter that distinguishes the inputs.
    fn id(&self, input: usize, row: u64, id: &mut String) {
        let letter = match (self.options.two_inputs, input) {
            (false, _) => 'r',
            (true, 0) => 'a',
            (true, _) => 'b',
        };
        id.clear();
        let _ = write!(id, "{letter}{}", self.layout.id(input, row));
    }

    /// The record of a slot: a pure function of seed, entity and copy.
    fn fill(&self, slot: Slot, fields: &mut [String]) {
        let seed = self.options.seed;
        fields.iter_mut().for_each(String::clear);
        let mut rng = Rng::new(mix(seed).wrapping_add(slot.entity));
        match self.options.kind {
            Kind::People => people::original(&mut rng, self.words, fields),
            Kind::Publications => publications::original(&mut rng, self.words, fields),
            Kind::Cds => cds::original(&mut rng, self.words, fields),
        }
        let Some(copy) = slot.copy else { return };
        let mut rng = Rng::new(mix(seed ^ 0xe0).wrapping_add(copy));
        for _ in 0..errors::count(&mut rng) {
            match self.options.kind {
                Kind::People => people::damage(&mut rng, self.words, fields),
                Kind::Publications => publications::damage(&mut rng, fields),
                Kind::Cds => cds::damage(&mut rng, fields),
            }
        }
    }
}
