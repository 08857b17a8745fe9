//! Reads tables of pairs: records become codes as they come, and what is known of pairs goes beside these.

use arrow_array::StringArray;
use rayon::prelude::*;

use super::batch_rows::BatchRows;
use super::columns::PairColumnPlaces;
use super::interned::{BlockSources, InternedRecords, RecordBlock};
use super::names::RepeatedNames;
use super::pair_list::{PairChunks, PairColumnValues};
use super::read::ReadingTools;
use crate::error::{Error, Result};
use crate::ids::id_type;
use crate::memory::Held;
use crate::records::{OpenSource, Table};

/// What the name of a rule takes while the rules are put into their order, about.
const BYTES_OF_RULE: usize = 300;

/// A table of pairs that is not read yet.
pub(super) struct OpenPairs {
    source: OpenSource,
    columns: PairColumnPlaces,
    /// The sources of the left and of the right records, where no columns name them.
    sides: Option<[String; 2]>,
}

/// A table of pairs without its rows, which are read.
pub(super) struct ReadPairs {
    pub origin: Table,
    /// The pairs, whose records are codes.
    pub pairs: PairChunks,
    /// The places of the types of ids on both sides.
    pub types: [usize; 2],
    /// What the column of the scores is called, if there is one.
    pub scored_by: Option<String>,
    /// The rules by number; nothing where there is no such column.
    pub rule_names: Option<Vec<String>>,
    /// The memory of the rules.
    pub rules_held: Held,
}

/// What is read of the pairs of a batch, before records and rules have numbers.
struct PairsOfBatch {
    records: [RecordBlock; 2],
    scores: Option<Vec<f64>>,
    rules: Option<StringArray>,
    certain: Option<Vec<bool>>,
}

/// The pairs so far.
struct GrowingPairs<'a> {
    columns: &'a PairColumnPlaces,
    /// What says the sources of the records on both sides, where no columns do.
    sides: [BlockSources; 2],
    pairs: PairChunks,
    rules: RepeatedNames,
    rules_held: Held,
}

impl OpenPairs {
    /// Opens a table of pairs whose columns are at these places. Sides say the sources of records where no columns do.
    pub fn new(source: OpenSource, columns: PairColumnPlaces, sides: Option<&[String; 2]>) -> Self {
        let sides = sides.filter(|_| columns.sources.is_none()).cloned();
        Self { source, columns, sides }
    }

    /// What says the sources of records where no columns do.
    pub fn sides(&self) -> Option<&[String; 2]> {
        self.sides.as_ref()
    }

    /// Whether records have sources.
    pub fn has_sources(&self) -> bool {
        self.columns.sources.is_some() || self.sides.is_some()
    }

    /// Refuses pairs that do not say the sources of records, where others do.
    pub fn check_sources(&self, has_sources: bool) -> Result<()> {
        if has_sources && !self.has_sources() {
            let name = self.source.name();
            let message = format!("`{name}` does not say which sources records are from, and the pairs do");
            return Err(Error::data(message)
                .with_help("give it the columns `source_dataset_l` and `source_dataset_r`, called as in the pairs"));
        }
        Ok(())
    }

    /// Reads the pairs.
    pub fn read(self, records: &mut InternedRecords, tools: ReadingTools<'_>) -> Result<ReadPairs> {
        let Self { source, columns, sides } = self;
        let sides = match &sides {
            Some(names) => names.each_ref().map(|name| records.of_source(name)),
            None => [BlockSources::Nameless, BlockSources::Nameless],
        };
        let mut growing = GrowingPairs {
            columns: &columns,
            sides,
            pairs: PairChunks::default(),
            rules: RepeatedNames::default(),
            rules_held: tools.kept.hold(0)?,
        };
        let origin = tools
            .read(source, &columns.wanted, |table, first| growing.add(&BatchRows::all(table, first), records, tools))?;
        let GrowingPairs { pairs, rules, rules_held, .. } = growing;
        // A table without rows has types of ids, too.
        let mut type_place = |column: usize| -> Result<usize> {
            id_type(&origin, column)?;
            Ok(records.type_place(origin.schema.field(column).data_type()))
        };
        let types = [type_place(columns.ids[0])?, type_place(columns.ids[1])?];
        let scored_by = columns.score.map(|column| origin.schema.field(column).name().clone());
        let rule_names = columns.match_key.map(|_| rules.texts());
        Ok(ReadPairs { origin, pairs, types, scored_by, rule_names, rules_held })
    }
}

impl GrowingPairs<'_> {
    /// Adds the pairs of some batches.
    fn add(&mut self, batches: &[BatchRows<'_>], records: &mut InternedRecords, tools: ReadingTools<'_>) -> Result<()> {
        tools.cancel().check();
        let has_sources = records.has_sources();
        let read: Vec<Result<PairsOfBatch>> =
            batches.par_iter().map(|rows| self.columns_of(*rows, has_sources)).collect();
        let (mut blocks, mut rules, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for batch in read {
            let PairsOfBatch { records: both, scores, rules: names, certain } = batch?;
            blocks.extend(both);
            rules.extend(names);
            others.push((scores, certain));
        }
        let mut codes = records.codes(&blocks)?.into_iter();
        let mut rules = self.rules.number(&rules.iter().collect::<Vec<_>>()).into_iter();
        self.rules_held.reach(BYTES_OF_RULE * self.rules.count())?;
        for (scores, certain) in others {
            let records = [codes.next().unwrap_or_default(), codes.next().unwrap_or_default()];
            self.pairs.extend(&PairColumnValues { records, scores, rules: rules.next(), certain }, tools.kept)?;
        }
        Ok(())
    }

    fn columns_of(&self, rows: BatchRows<'_>, has_sources: bool) -> Result<PairsOfBatch> {
        let columns = self.columns;
        let records = |side: usize| -> Result<RecordBlock> {
            let sources = match columns.sources {
                _ if !has_sources => BlockSources::Nameless,
                Some(sources) => BlockSources::Named(rows.sources(sources[side])?),
                None => self.sides[side].clone(),
            };
            Ok(RecordBlock { ids: rows.ids(columns.ids[side])?, sources })
        };
        Ok(PairsOfBatch {
            records: [records(0)?, records(1)?],
            scores: columns.score.map(|column| rows.scores(column)).transpose()?,
            rules: columns.match_key.map(|column| rows.texts(column)).transpose()?,
            certain: columns.certain.map(|column| rows.truths(column)).transpose()?,
        })
    }
}
