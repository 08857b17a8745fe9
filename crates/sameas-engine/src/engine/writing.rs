//! Results become files: pairs, clusters, near pairs, pairs between clusters, records that were left out, and the record of the run.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use super::job_results::JobResults;
use super::rows_written::{RowsWritten, with_progress, write_options};
use crate::error::Result;
use crate::observer::{Progress, Stage};
use crate::output::{ExtraColumns, FileRecord, Format, OutputFile, OutputFolder, PairTable};
use crate::output::{SkippedTable, write_clusters, write_pairs, write_skipped};
use crate::records::SkippedRecords;
use crate::scoring::CountedScores;
use crate::timeline::{Operator, OperatorRecord};

impl JobResults {
    /// Writes pairs, clusters and the record of the run into a folder.
    pub fn write_files(&mut self, mut folder: OutputFolder, format: Format, progress: Progress<'_>) -> Result<()> {
        folder.protect_inputs(&self.bound.job.files_read())?;
        self.announce_record_tables(&mut folder, format)?;
        let cut = self.write_results(&mut folder, format, progress)?;
        self.files.extend(self.write_skipped(&mut folder, format)?);
        self.write_near(&mut folder, format, progress)?;
        cut.into_iter().for_each(|cut| self.add_file(cut));
        self.write_record_tables(&mut folder, format, progress)?;
        folder.write_record(&self.record())?;
        progress.cancel().check();
        folder.commit()
    }

    /// Writes pairs, clusters and the pairs between them, which it gives: at the same time, because none can use all cores until its
    /// end, or one after the other in an experiment without overlap.
    fn write_results(
        &mut self,
        folder: &mut OutputFolder,
        format: Format,
        progress: Progress<'_>,
    ) -> Result<Option<(FileRecord, OperatorRecord)>> {
        let [pairs, clusters] =
            ["pairs", "clusters"].map(|name| folder.file(&format!("{name}.{}", format.extension())));
        let (pairs, clusters) = (pairs?, clusters?);
        let cut_table = self.cut_table();
        let cut = cut_table
            .as_ref()
            .map(|table| Ok((folder.file(&format!("cut.{}", format.extension()))?, table.as_pairs())));
        let cut = cut.transpose()?;
        let cut_rows = cut.as_ref().map_or(0, |(_, table)| table.pairs.len());
        let rows = [self.pairs.len(), self.roots.len() as u64, cut_rows];
        progress.begin(&Stage::WritingResults, Some(rows.iter().sum()));
        let table = self.pair_table();
        let counted = table.more.map(CountedScores::new);
        let table = PairTable { more: counted.as_ref().map(|counted| counted as &dyn ExtraColumns), ..table };
        let write_cut = || {
            let write = |(file, table): (OutputFile, PairTable<'_>)| {
                self.write_file(file, Operator::WriteCut, cut_rows, progress, |file, path, advance| {
                    write_pairs(file, &table, &write_options(format, path, advance))
                })
            };
            cut.map(write).transpose()
        };
        let write_pairs = || {
            self.write_file(pairs, Operator::WritePairs, rows[0], progress, |file, path, advance| {
                self.write_pair_table(file, &table, &write_options(format, path, advance), progress)
            })
        };
        let write_clusters = || {
            self.write_file(clusters, Operator::WriteClusters, rows[1], progress, |file, path, advance| {
                write_clusters(file, &self.cluster_table(), &write_options(format, path, advance))
            })
        };
        let (written, cut) = match self.machine.settings.device_options.ablation.no_overlap {
            true => ((write_pairs(), write_clusters()), write_cut()),
            false => rayon::join(|| rayon::join(write_pairs, write_clusters), write_cut),
        };
        let bins = counted.map(CountedScores::bins).unwrap_or_default();
        if let Some(scores) = &mut self.scores {
            scores.histogram = bins;
        }
        // The same results may be written into several folders.
        self.files.clear();
        self.add_file(written.0?);
        self.add_file(written.1?);
        cut
    }

    fn add_file(&mut self, (file, record): (FileRecord, OperatorRecord)) {
        self.files.push(file);
        self.timeline.add(record);
    }

    /// Writes a table of some rows to a file, and closes it.
    fn write_file(
        &self,
        file: OutputFile,
        operator: Operator,
        rows: u64,
        progress: Progress<'_>,
        write: impl FnOnce(OutputFile, &Path, &(dyn Fn(u64) + Sync)) -> Result<OutputFile>,
    ) -> Result<(FileRecord, OperatorRecord)> {
        let (begun, path, written) = (Instant::now(), file.path().to_owned(), RowsWritten::new(progress));
        let file = write(file, &path, &|rows| written.report(rows))?.finish()?;
        let record = self.timeline.since(begun, operator).with_rows([rows, rows]);
        Ok((file.clone(), OperatorRecord { bytes: Some(file.bytes), ..record }))
    }

    /// Writes where the records are that were left out, if there are any.
    fn write_skipped(&self, folder: &mut OutputFolder, format: Format) -> Result<Option<FileRecord>> {
        let inputs = self.bound.dataset.inputs().iter();
        let skipped: Vec<SkippedRecords> = inputs.map(|input| input.skipped.clone()).collect();
        let table = SkippedTable::new(&skipped);
        if table.rows() == 0 {
            return Ok(None);
        }
        let file = folder.file(&format!("skipped.{}", format.extension()))?;
        let path = file.path().to_owned();
        write_skipped(file, &table, &write_options(format, &path, &|_| {}))?.finish().map(Some)
    }

    /// Writes the near pairs, if they were looked for.
    fn write_near(&mut self, folder: &mut OutputFolder, format: Format, progress: Progress<'_>) -> Result<()> {
        let Some(table) = self.near_table() else { return Ok(()) };
        let file = folder.file(&format!("near.{}", format.extension()))?;
        let rows = table.pairs.len();
        progress.begin(&Stage::WritingPairs, Some(rows));
        let written = self.write_file(file, Operator::WritePairs, rows, progress, |file, path, advance| {
            write_pairs(file, &table, &write_options(format, path, advance))
        })?;
        self.add_file(written);
        Ok(())
    }

    /// Writes the pairs and returns the flushed writer; `path` is what messages call it.
    pub fn write_pairs<W: Write + Send>(
        &mut self,
        out: W,
        format: Format,
        path: &Path,
        progress: Progress<'_>,
    ) -> Result<W> {
        let rows = self.pairs.len();
        self.timeline.go_on();
        let out = with_progress(&Stage::WritingPairs, rows, progress, |advance| {
            self.write_pair_table(out, &self.pair_table(), &write_options(format, path, advance), progress)
        })?;
        self.timeline.end(Operator::WritePairs, rows);
        Ok(out)
    }

    /// Writes the clusters and returns the flushed writer; `path` is what messages call it.
    pub fn write_clusters<W: Write + Send>(
        &mut self,
        out: W,
        format: Format,
        path: &Path,
        progress: Progress<'_>,
    ) -> Result<W> {
        let rows = self.roots.len() as u64;
        self.timeline.go_on();
        let out = with_progress(&Stage::WritingClusters, rows, progress, |advance| {
            write_clusters(out, &self.cluster_table(), &write_options(format, path, advance))
        })?;
        self.timeline.end(Operator::WriteClusters, rows);
        Ok(out)
    }
}
