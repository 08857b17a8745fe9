//! Records that a job leaves out, because they have no id, and where they are.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Where a record is that a job has left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SkippedRecord {
    /// The file, or the name of an input that is no file.
    pub file: String,
    /// Its number among the records of the file, from 1.
    pub row: u64,
}

/// The records of an input that a job has left out. Clones are cheap.
#[derive(Clone, Debug, Default)]
pub struct SkippedRecords {
    /// The name of the input.
    pub source: String,
    /// The files of the input, each with the number of its first row.
    files: Vec<(String, usize)>,
    /// Rows of the input, ascending.
    rows: Arc<Vec<u32>>,
}

impl SkippedRecords {
    /// These rows of an input; `files` are its files, with the number of rows of each.
    pub(super) fn new(source: &str, files: &[(String, usize)], rows: Arc<Vec<u32>>) -> Self {
        let start = |next: &mut usize, (file, rows): &(String, usize)| {
            *next += rows;
            Some((file.clone(), *next - rows))
        };
        let files = if rows.is_empty() { Vec::new() } else { files.iter().scan(0, start).collect() };
        Self { source: source.to_owned(), files, rows }
    }

    /// Their rows among those of the input, ascending.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The memory they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }

    /// Where one of them is.
    pub fn get(&self, at: usize) -> SkippedRecord {
        let row = self.rows[at] as usize;
        // The last file that begins at the row or before it has it; files without rows before it begin there too.
        let (file, start) = match self.files.partition_point(|(_, start)| *start <= row).checked_sub(1) {
            Some(file) => (&self.files[file].0, self.files[file].1),
            None => (&self.source, 0),
        };
        SkippedRecord { file: file.clone(), row: (row - start) as u64 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_in_their_files() {
        let files = [("a", 2), ("empty", 0), ("b", 3)].map(|(file, rows)| (file.to_owned(), rows));
        let skipped = SkippedRecords::new("a", &files, Arc::new(vec![1, 2, 4]));
        let places: Vec<_> = (0..skipped.len()).map(|at| skipped.get(at)).map(|s| (s.file, s.row)).collect();
        assert_eq!(places, [("a".to_owned(), 2), ("b".to_owned(), 1), ("b".to_owned(), 3)]);
        assert_eq!(
            SkippedRecords::new("stream", &[], Arc::new(vec![6])).get(0),
            SkippedRecord { file: "stream".into(), row: 7 }
        );
    }
}
