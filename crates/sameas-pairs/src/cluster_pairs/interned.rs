//! Records that are numbered as tables name them: by their sources, where these have names, and their ids.
//!
//! Each is kept once, as bytes, however many pairs name it. Ids of different types may be the same (`17` in a file of texts, 17
//! in one of numbers), which is not known before all tables are read: until then each type has numbers of its own. Such a
//! number is called a *code*: it says nothing of the order of records. `rows` makes rows of codes.

use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::DataType;
use rayon::prelude::*;

use super::names::RepeatedNames;
use super::record_keys::{NumberedSources, RecordKeys, ids_and_sources};
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};
use crate::numbering::{GrowingParts, ValueList};

/// What a source takes beside its records, about: its name in several lists, and ids of its own.
pub(super) const BYTES_OF_SOURCE: usize = 700;

/// Records as a column of a batch names them.
pub(super) struct RecordBlock {
    pub ids: ArrayRef,
    pub sources: BlockSources,
}

/// The sources of the records of a block.
#[derive(Clone)]
pub(super) enum BlockSources {
    /// Sources have no names.
    Nameless,
    /// All records are of one source.
    One(u32),
    /// Each record has one.
    Named(StringArray),
}

/// The records of all tables.
pub(super) struct InternedRecords {
    /// The names of sources; nothing where they have none.
    sources: Option<RepeatedNames>,
    types: Vec<InternedIds>,
    /// Whether records that are new are not known.
    is_complete: bool,
    held: Held,
}

/// Records whose ids have one type.
struct InternedIds {
    data_type: DataType,
    records: GrowingParts,
    /// How many records of each part are known, where others are not.
    known: Option<Vec<usize>>,
}

/// All records, when there will be no more.
pub(super) struct ListedRecords {
    pub types: Vec<ListedIds>,
    /// The names of sources by number; nothing where they have none.
    pub sources: Option<Vec<String>>,
    /// The memory of the records.
    pub _held: Held,
}

/// Records whose ids have one type: part by part, and in the order of their numbers there.
pub(super) struct ListedIds {
    pub data_type: DataType,
    /// The ids of each part.
    pub ids: Vec<ArrayRef>,
    /// The numbers of the sources of all records; none where sources have no names.
    pub sources: Vec<u32>,
    /// How many records are before each part, and how many of its own, which come first, are known.
    pub parts: Vec<ListedPart>,
}

/// A part of records.
pub(super) struct ListedPart {
    pub first: usize,
    pub known: usize,
}

impl BlockSources {
    fn names(&self) -> Option<&StringArray> {
        match self {
            Self::Named(names) => Some(names),
            Self::Nameless | Self::One(_) => None,
        }
    }
}

impl InternedRecords {
    /// No records yet; `has_sources` says whether sources have names.
    pub fn new(has_sources: bool, kept: &MemoryBudget) -> Result<Self> {
        let sources = has_sources.then(RepeatedNames::default);
        Ok(Self { sources, types: Vec::new(), is_complete: false, held: kept.hold(0)? })
    }

    /// Whether sources have names.
    pub fn has_sources(&self) -> bool {
        self.sources.is_some()
    }

    /// What says that all records of a block are of this source.
    pub fn of_source(&mut self, name: &str) -> BlockSources {
        self.sources.as_mut().map_or(BlockSources::Nameless, |sources| BlockSources::One(sources.number_one(name)))
    }

    /// The place of a type of ids among all of them: the codes of its records mean these.
    pub fn type_place(&mut self, data_type: &DataType) -> usize {
        let known = self.types.iter().position(|ids| ids.data_type == *data_type);
        known.unwrap_or_else(|| {
            self.types.push(InternedIds::new(data_type));
            self.types.len() - 1
        })
    }

    /// The codes of the records of some blocks.
    pub fn codes(&mut self, blocks: &[RecordBlock]) -> Result<Vec<Vec<u32>>> {
        let sources = self.numbered_sources(blocks);
        let keys: Vec<Result<RecordKeys>> =
            blocks.par_iter().zip(&sources).map(|(block, sources)| RecordKeys::new(&block.ids, sources)).collect();
        let keys = keys.into_iter().collect::<Result<Vec<RecordKeys>>>()?;
        let values: Vec<Vec<&[u8]>> = keys.par_iter().map(RecordKeys::values).collect();
        let of_blocks: Vec<usize> = blocks.iter().map(|block| self.type_place(block.ids.data_type())).collect();
        let mut codes = vec![Vec::new(); blocks.len()];
        for (place, ids) in self.types.iter_mut().enumerate() {
            let own: Vec<usize> = (0..blocks.len()).filter(|block| of_blocks[*block] == place).collect();
            if own.is_empty() {
                continue;
            }
            let of_type: Vec<&[&[u8]]> = own.iter().map(|block| values[*block].as_slice()).collect();
            let numbered = ids.records.number(&of_type)?;
            own.into_iter().zip(numbered).for_each(|(block, numbers)| codes[block] = numbers);
        }
        let sources = self.sources.as_ref().map_or(0, RepeatedNames::count);
        let records: usize = self.types.iter().map(|ids| ids.records.bytes()).sum();
        self.held.reach(records + BYTES_OF_SOURCE * sources)?;
        Ok(codes)
    }

    fn numbered_sources(&mut self, blocks: &[RecordBlock]) -> Vec<NumberedSources> {
        let columns: Vec<&StringArray> = blocks.iter().filter_map(|block| block.sources.names()).collect();
        let numbers = self.sources.as_mut().map_or_else(Vec::new, |sources| sources.number(&columns));
        let mut numbers = numbers.into_iter();
        let numbered = |block: &RecordBlock| match block.sources {
            BlockSources::Nameless => NumberedSources::Nameless,
            BlockSources::One(source) => NumberedSources::One(source),
            BlockSources::Named(_) => NumberedSources::Each(numbers.next().unwrap_or_default()),
        };
        blocks.iter().map(numbered).collect()
    }

    /// The records so far are all there are: others may be named, and are not known.
    pub fn complete(&mut self) {
        self.is_complete = true;
        self.types.iter_mut().for_each(|ids| ids.known = Some(ids.records.counts()));
    }

    /// All of them, as ids.
    pub fn list(self) -> Result<ListedRecords> {
        let (has_sources, is_complete) = (self.has_sources(), self.is_complete);
        let types = self.types.into_iter().map(|ids| ids.list(has_sources, is_complete)).collect::<Result<_>>()?;
        Ok(ListedRecords { types, sources: self.sources.map(|names| names.texts()), _held: self.held })
    }
}

impl InternedIds {
    fn new(data_type: &DataType) -> Self {
        Self { data_type: data_type.clone(), records: GrowingParts::default(), known: None }
    }

    fn list(self, has_sources: bool, is_complete: bool) -> Result<ListedIds> {
        let counts = self.records.counts();
        // A type that came when all records were known has none of them.
        let others = || if is_complete { vec![0; counts.len()] } else { counts.clone() };
        let known = self.known.unwrap_or_else(others);
        let first = |before: &mut usize, count: &usize| Some(std::mem::replace(before, *before + count));
        let firsts = counts.iter().scan(0, first);
        let parts = firsts.zip(known).map(|(first, known)| ListedPart { first, known }).collect();
        let of_part = |records: ValueList| ids_and_sources(records, &self.data_type, has_sources);
        let listed: Vec<Result<(ArrayRef, Vec<u32>)>> =
            self.records.into_values().into_par_iter().map(of_part).collect();
        let (mut ids, mut sources) = (Vec::with_capacity(listed.len()), Vec::new());
        for part in listed {
            let (own, of_sources) = part?;
            ids.push(own);
            sources.extend(of_sources);
        }
        Ok(ListedIds { data_type: self.data_type, ids, sources, parts })
    }
}
