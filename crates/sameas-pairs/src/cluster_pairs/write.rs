//! Clusters of pairs as files.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::clustered::{PairClusterTable, PairClusters};
use crate::error::Result;
use crate::observer::{Progress, Stage};
use crate::output::{FileRecord, Format, OutputFolder, WriteOptions, write_table};

/// The tables that are written, and what their files are called.
const FILES: [(PairClusterTable, &str); 2] = [(PairClusterTable::Clusters, "clusters"), (PairClusterTable::Cut, "cut")];

impl PairClusters {
    /// Writes `clusters`, `cut` and `run.json` into a folder, all together or not at all.
    #[doc(hidden)]
    pub fn write_files(&mut self, mut folder: OutputFolder, format: Format, progress: Progress<'_>) -> Result<()> {
        let begun = Instant::now();
        folder.protect_inputs(&self.inputs)?;
        folder.announce(&FILES.map(|(_, name)| file_name(name, format)))?;
        let rows = FILES.iter().map(|(table, _)| self.rows(*table)).sum();
        progress.begin(&Stage::WritingClusters, Some(rows));
        let mut files = Vec::new();
        for (table, name) in FILES {
            files.push(self.write_table(&mut folder, table, &file_name(name, format), format, progress)?);
        }
        (self.record.files, self.record.seconds.writing) = (files, begun.elapsed().as_secs_f64());
        folder.write_record(&self.record)?;
        progress.cancel().check();
        folder.commit()
    }

    fn write_table(
        &self,
        folder: &mut OutputFolder,
        table: PairClusterTable,
        name: &str,
        format: Format,
        progress: Progress<'_>,
    ) -> Result<FileRecord> {
        let file = folder.file(name)?;
        let (path, schema, rows) = (file.path().to_owned(), self.written_schema(table), self.rows(table));
        let step = format.chunk_rows(rows);
        let make_chunk = |chunk: u64| {
            progress.cancel().check();
            self.written_batch(table, &schema, (chunk * step) as usize..rows.min((chunk + 1) * step) as usize)
        };
        let written = AtomicU64::new(0);
        let report = |rows: u64| progress.advance(rows - written.swap(rows, Relaxed));
        let options =
            WriteOptions { format, path: &path, parallel: rayon::current_num_threads() + 1, progress: &report };
        let more = self.more.iter().map(|column| column.name.as_str());
        let distinct: Vec<&str> = match table {
            PairClusterTable::Clusters => ["unique_id", "cluster_id"].into_iter().chain(more).collect(),
            PairClusterTable::Cut => Vec::new(),
        };
        write_table(file, &schema, &distinct, rows.div_ceil(step), &make_chunk, &options)?.finish()
    }
}

fn file_name(table: &str, format: Format) -> String {
    format!("{table}.{}", format.extension())
}
