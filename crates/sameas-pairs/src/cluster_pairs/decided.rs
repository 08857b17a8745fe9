//! Judgements as decisions: what is the same is held together, what is different is kept apart.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, StringArray};

use super::interned::{BlockSources, InternedRecords, RecordBlock};
use super::read::ReadingTools;
use crate::error::{Error, Result};
use crate::judgements::{Judgement, JudgementKind, JudgementReading, Judgements};
use crate::records::Input;

/// What people have decided.
pub(super) struct Decisions {
    judgements: Judgements,
    /// The sources of left and right records, where the judgements do not name them.
    sides: Option<[String; 2]>,
}

/// The left and the right records of some pairs that were decided, as codes.
pub(super) struct DecidedCodes {
    pub type_place: usize,
    pub codes: [Vec<u32>; 2],
}

impl Decisions {
    /// Reads judgements, whose sides may say the sources of records.
    pub fn read(input: &Input, sides: Option<&[String; 2]>, tools: ReadingTools<'_>) -> Result<Self> {
        let progress = tools.progress;
        let how = JudgementReading {
            has_sides: sides.is_some(),
            reading: tools.reading,
            kept: tools.kept,
            progress: &|rows| progress.advance(rows),
        };
        Ok(Self { judgements: Judgements::read(tools.open(input)?, &how)?, sides: sides.cloned() })
    }

    /// The pairs of a kind, in the order of the file.
    pub fn of_kind(&self, kind: JudgementKind) -> impl Iterator<Item = &Judgement> {
        self.judgements.as_slice().iter().filter(move |judgement| judgement.kind == kind)
    }

    /// The codes of the left and the right records of the pairs of a kind.
    pub fn codes(&self, kind: JudgementKind, records: &mut InternedRecords) -> Result<DecidedCodes> {
        let has_sources = records.has_sources();
        if has_sources && !self.judgements.names_sources() && self.sides.is_none() {
            return Err(Error::data("the judgements do not say which sources records are from, and the pairs do")
                .with_help("give them the columns `source_dataset_l` and `source_dataset_r`"));
        }
        let of_side = |side: usize| {
            let judged = || self.of_kind(kind).map(move |judgement| &judgement.records[side]);
            let ids: ArrayRef = Arc::new(StringArray::from_iter_values(judged().map(|record| &record.id)));
            let named_by_side = self.sides.as_ref().map_or("", |sides| sides[side].as_str());
            let names = judged().map(|record| record.source.as_deref().unwrap_or(named_by_side));
            let sources = match has_sources {
                true => BlockSources::Named(StringArray::from_iter_values(names)),
                false => BlockSources::Nameless,
            };
            RecordBlock { ids, sources }
        };
        let blocks = [of_side(0), of_side(1)];
        let type_place = records.type_place(blocks[0].ids.data_type());
        let mut codes = records.codes(&blocks)?.into_iter();
        Ok(DecidedCodes { type_place, codes: [0, 1].map(|_| codes.next().unwrap_or_default()) })
    }

    /// Where the pair at this place among those of a kind is, for messages.
    pub fn place(&self, kind: JudgementKind, at: usize) -> String {
        self.of_kind(kind).nth(at).map(|judgement| self.judgements.place(judgement)).unwrap_or_default()
    }
}
