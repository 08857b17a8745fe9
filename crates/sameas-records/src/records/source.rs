//! Where records come from: one trait behind files, patterns, batches, streams, and whatever a caller has.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::read::{OpenSource, Opening};
use crate::error::Result;

/// Where the records of an input come from. It can be opened as often as needed, by several jobs at the same time too, and
/// gives the same records in the same order each time: what a run says of them is checked when they are read again.
///
/// ```
/// # mod sameas {
/// #     pub use {arrow_array, sameas_core::error::*, sameas_records::records as sources, sameas_records::records::*};
/// # }
/// use std::sync::Arc;
/// use sameas::arrow_array::{Int64Array, RecordBatch, RecordBatchIterator};
/// use sameas::sources::{OpenSource, Opening, SourceDescription};
/// use sameas::{Input, Result, Source};
///
/// /// The numbers up to some other, as a service would send them: some at a time.
/// #[derive(Debug)]
/// struct Numbers(i64);
///
/// impl Source for Numbers {
///     fn open(&self, _opening: &Opening<'_>) -> Result<OpenSource> {
///         let batch = |from: i64| {
///             let ids = Arc::new(Int64Array::from_iter_values(from..from + 10));
///             let rests = Arc::new(Int64Array::from_iter_values((from..from + 10).map(|number| number % 7)));
///             RecordBatch::try_from_iter([("id", ids as _), ("rest", rests as _)])
///         };
///         let schema = batch(0).map_err(|error| sameas::Error::data(error.to_string()))?.schema();
///         let (most, given) = (self.0, schema.clone());
///         OpenSource::of_reader("numbers", schema, move |columns| {
///             let columns = columns.to_vec();
///             let projected = given.project(&columns).map_err(|error| sameas::Error::data(error.to_string()))?;
///             let batches = (0..most).step_by(10).map(move |from| batch(from)?.project(&columns));
///             Ok(Box::new(RecordBatchIterator::new(batches, Arc::new(projected))))
///         })
///     }
///
///     fn description(&self) -> SourceDescription {
///         SourceDescription::Records { name: "numbers".into() }
///     }
/// }
///
/// let numbers = Input::source(Arc::new(Numbers(40)));
/// assert_eq!(numbers.open()?.schema().field(1).name(), "rest");
/// # Ok::<(), sameas::Error>(())
/// ```
pub trait Source: fmt::Debug + Send + Sync {
    /// Finds its columns, and makes ready to read its records from the beginning.
    fn open(&self, opening: &Opening<'_>) -> Result<OpenSource>;

    /// How it can be found again by somebody who has this alone.
    fn description(&self) -> SourceDescription;

    /// The files that it reads, as far as they can be found: no result may replace them.
    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Whether the records that were read of it can be read once more.
    fn can_be_read_again(&self) -> bool {
        true
    }
}

/// How a source can be found again. With [`ReadOptions`](crate::records::ReadOptions) it says how an input is read; which
/// records it had, a run says by their hash (`InputRecord::xxh128`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SourceDescription {
    /// Files: whoever has them can read them.
    Files {
        /// Paths, patterns or `-` for standard input.
        given: Vec<String>,
    },
    /// Records that somebody gave, in memory or by means of their own: they have to be asked for again.
    Records {
        /// What they are called.
        name: String,
    },
}

impl SourceDescription {
    /// The paths and patterns of files; none for others.
    #[doc(hidden)]
    pub fn given(&self) -> &[String] {
        match self {
            Self::Files { given } => given,
            Self::Records { .. } => &[],
        }
    }

    /// What records are called that have to be asked for; nothing for files.
    #[doc(hidden)]
    pub fn records(&self) -> Option<&str> {
        match self {
            Self::Files { .. } => None,
            Self::Records { name } => Some(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_written_and_read_as_they_are() {
        for description in [
            SourceDescription::Files { given: vec!["a/*.csv".into(), "-".into()] },
            SourceDescription::Records { name: "people".into() },
        ] {
            let text = serde_json::to_string(&description).unwrap();
            assert_eq!(serde_json::from_str::<SourceDescription>(&text).unwrap(), description, "{text}");
        }
    }
}
