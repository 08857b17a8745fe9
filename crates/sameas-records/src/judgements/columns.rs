//! The columns of a file of judgements.

use arrow_schema::Schema;

use crate::error::{Error, Result};
use crate::records::OpenSource;
use crate::rules::nearest;

/// A column that judgements can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JudgementColumn {
    LeftId,
    RightId,
    Kind,
    LeftSource,
    RightSource,
    Who,
    When,
    Stratum,
    InclusionProbability,
}

impl JudgementColumn {
    pub(super) const ALL: [Self; 9] = [
        Self::LeftId,
        Self::RightId,
        Self::Kind,
        Self::LeftSource,
        Self::RightSource,
        Self::Who,
        Self::When,
        Self::Stratum,
        Self::InclusionProbability,
    ];

    /// Those that every file has.
    const NEEDED: [Self; 3] = [Self::LeftId, Self::RightId, Self::Kind];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::LeftId => "unique_id_l",
            Self::RightId => "unique_id_r",
            Self::Kind => "judgement",
            Self::LeftSource => "source_dataset_l",
            Self::RightSource => "source_dataset_r",
            Self::Who => "who",
            Self::When => "when",
            Self::Stratum => "stratum",
            Self::InclusionProbability => "inclusion_probability",
        }
    }
}

/// What to do about columns that are not understood.
const COLUMNS: &str = "judgements have the columns `unique_id_l`, `unique_id_r` and `judgement`, and may have `source_dataset_l` \
                       with `source_dataset_r`, `who`, `when`, `stratum` and `inclusion_probability`";

/// Where a file has each column.
pub(super) struct JudgementColumns {
    places: [Option<usize>; JudgementColumn::ALL.len()],
}

impl JudgementColumns {
    /// Finds the columns of a file. Others may be there, unless their names are most likely misspelt.
    pub(super) fn find(source: &OpenSource) -> Result<Self> {
        let schema = source.schema();
        let places = JudgementColumn::ALL.map(|column| place(schema, column.name()));
        let found = Self { places };
        let problem = found.missing(schema).or_else(|| found.misspelt(schema));
        match problem {
            Some((problem, near)) => {
                let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
                let message = format!("the judgements, `{}`, {problem}", source.name());
                Err(Error::data(message).with_help(format!("{near}{COLUMNS}")))
            }
            None => Ok(found),
        }
    }

    /// What is missing, and what may have been meant for it.
    fn missing(&self, schema: &Schema) -> Option<(String, Option<String>)> {
        let unused = || schema.fields().iter().map(|field| field.name().as_str()).filter(|name| !is_known(name));
        let needed = JudgementColumn::NEEDED.into_iter().find(|column| !self.has(*column));
        if let Some(column) = needed {
            let near = nearest(column.name(), unused()).map(str::to_owned);
            return Some((format!("have no column `{}`", column.name()), near));
        }
        let sources = [JudgementColumn::LeftSource, JudgementColumn::RightSource];
        let (there, gone) = match sources.map(|column| self.has(column)) {
            [true, false] => (sources[0], sources[1]),
            [false, true] => (sources[1], sources[0]),
            _ => return None,
        };
        let problem = format!("have a column `{}`, and no column `{}`", there.name(), gone.name());
        Some((problem, nearest(gone.name(), unused()).map(str::to_owned)))
    }

    /// A column that is called nearly like one that is not there: what it says would be lost.
    fn misspelt(&self, schema: &Schema) -> Option<(String, Option<String>)> {
        let absent = || JudgementColumn::ALL.into_iter().filter(|column| !self.has(*column)).map(JudgementColumn::name);
        schema.fields().iter().map(|field| field.name().as_str()).filter(|name| !is_known(name)).find_map(|name| {
            let near = nearest(name, absent())?;
            Some((format!("have an unknown column `{name}`"), Some(near.to_owned())))
        })
    }

    pub(super) fn has(&self, column: JudgementColumn) -> bool {
        self.places[column as usize].is_some()
    }

    /// The places of all columns that are there, in the order of [`JudgementColumn::ALL`].
    pub(super) fn wanted(&self) -> Vec<usize> {
        self.places.iter().flatten().copied().collect()
    }

    /// The place of a column among those that are there.
    pub(super) fn rank(&self, column: JudgementColumn) -> Option<usize> {
        let before = self.places[..column as usize].iter().flatten().count();
        self.has(column).then_some(before)
    }
}

/// The first column of a name. One whose name is repeated is refused when it is read.
fn place(schema: &Schema, name: &str) -> Option<usize> {
    schema.fields().iter().position(|field| field.name().eq_ignore_ascii_case(name))
}

fn is_known(name: &str) -> bool {
    JudgementColumn::ALL.iter().any(|column| name.eq_ignore_ascii_case(column.name()))
}
