//! The run: branch by branch on all cores, then sorting, clusters and files.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Instant, SystemTime};

use super::checkpoint::{Checkpoint, Resumption, Stored, find_stored};
use super::cluster_record::{ClusterCause, ClusterFacts, LargestCluster, rules_by_pairs};
use super::job::Job;
use super::job_record::JobRecord;
use super::join::{Joined, Joiner};
use super::near::{NearFound, NearRecord};
use super::near_misses::NearMiss;
use super::observer::{Progress, Stage};
use super::pair_stage::{PairStage, Pipeline};
use super::prepared::{Explanation, Prepared};
use super::record::{NeverRecord, Operator, OperatorRecord, RuleRecord, RunRecord};
use super::scoring::{CountedScores, ScoreRecord, ScoreStage, WeightedStage};
use super::settings::Settings;
use arrow_array::UInt32Array;
use arrow_array::cast::AsArray;
use rayon::prelude::*;

use crate::cluster::Components;
use crate::device::DeviceOptions;
use crate::error::{Error, Result};
use crate::memory;
use crate::output::{
    ClusterTable, ExtraColumns, FileRecord, Format, OutputFile, OutputFolder, PairSorter, PairTable, SortedPairs,
    Stretch, WriteOptions,
};
use crate::output::{SkippedTable, write_clusters, write_pairs, write_skipped};
use crate::plan::{BranchRecord, TablePlan};
use crate::records::RowIds;
use crate::verify::{Pair, Tally, verdict_table};

/// Runs a job up to its sorted pairs and its clusters, on the threads of the current pool; `stages` see every pair.
pub fn find(job: &Job, settings: &Settings, stages: &[&dyn PairStage], progress: Progress<'_>) -> Result<Found> {
    Prepared::new(job, settings, progress)?.find(stages, None, progress)
}

/// As [`find`], going on where an interrupted run has left a checkpoint in `folder`, and leaving one for the next.
pub fn resume(job: &Job, settings: &Settings, folder: &Path, progress: Progress<'_>) -> Result<Found> {
    let mut prepared = Prepared::unplanned(job, settings, progress)?;
    let (stored, resumption) = find_stored(folder, &prepared);
    match &stored {
        Some(stored) => prepared.use_stored_plan(stored.plan()),
        None => prepared.make_plan(progress),
    }
    let mut found = prepared.find(&[], Some((folder, stored)), progress)?;
    found.resumption = Some(match (resumption, &found.near) {
        (Resumption::Resumed { branches }, Some(near)) => Resumption::Resumed { branches: branches + near.resumed },
        (resumption, _) => resumption,
    });
    Ok(found)
}

/// Runs a job for what can be learned from it: the plan with what came of each join and check. Nothing is written.
pub fn analyze(job: &Job, settings: &Settings, progress: Progress<'_>) -> Result<Explanation> {
    let device_options = DeviceOptions { count_checks: true, ..settings.device_options.clone() };
    let found = find(job, &Settings { device_options, ..settings.clone() }, &[], progress)?;
    let near = found.near_record();
    let timeline = found.prepared.timeline.operators().to_vec();
    Ok(Explanation { near, timeline, ..found.prepared.explanation(found.branches, &found.made) })
}

/// The results of a job, found and not yet written.
pub struct Found {
    pub(super) prepared: Prepared,
    pairs: SortedPairs,
    roots: Vec<u32>,
    clusters: ClusterFacts,
    largest_cluster: Option<LargestCluster>,
    tally: Tally,
    branches: Vec<BranchRecord>,
    /// Seconds that each table took.
    made: Vec<f64>,
    started: SystemTime,
    /// The ids of left and right rows of pairs.
    pair_ids: [RowIds; 2],
    /// The ids of all records.
    all_ids: RowIds,
    rule_names: Vec<String>,
    /// The files of results that were written.
    files: Vec<FileRecord>,
    resumption: Option<Resumption>,
    near: Option<NearFound>,
    /// What was scored, if anything was.
    scores: Option<ScoreRecord>,
    /// The condition that is loosened in each near rule, after nothing for each rule.
    near_names: Vec<String>,
}

impl Prepared {
    /// Decides predicates for all distinct values, where the plan says so. Gives the seconds of each.
    pub(super) fn make_tables(&self, progress: Progress<'_>) -> Vec<f64> {
        let make = |table: &TablePlan| {
            let (begun, predicate) = (Instant::now(), self.rules.predicates[table.predicate].text.clone());
            progress.begin(&Stage::DecidingTable { predicate }, None);
            self.program.tables[table.predicate]
                .get_or_init(|| verdict_table(&self.program, table.predicate, self.memory.join, progress.cancel()));
            begun.elapsed().as_secs_f64()
        };
        self.plan.tables.iter().map(make).collect()
    }

    /// Finds all pairs and clusters.
    fn find(
        mut self,
        stages: &[&dyn PairStage],
        checkpoint: Option<(&Path, Option<Stored>)>,
        progress: Progress<'_>,
    ) -> Result<Found> {
        self.check_max_pairs()?;
        self.start_device()?;
        progress.planned(&self.warnings());
        let components = Components::new(self.records());
        let sorter =
            PairSorter::new(self.sort_memory(), rayon::current_num_threads(), self.settings.spill_folder.as_deref())?;
        self.timeline.go_on();
        let made = self.make_tables(progress);
        self.timeline.end(Operator::Tables, self.plan.tables.len() as u64);
        let score = self.scoring.as_ref().map(|scoring| ScoreStage::new(&self, scoring));
        let average = self.weighted.as_ref().map(|weighted| WeightedStage::new(&self, weighted));
        let others = stages.to_vec();
        let mut stages = others.clone();
        stages.extend(score.as_ref().map(|stage| stage as &dyn PairStage));
        stages.extend(average.as_ref().map(|stage| stage as &dyn PairStage));
        let pipeline = Pipeline::new(stages, &components, self.right_offset());
        let mut joiner = Joiner::new((&self, &self.plan), &sorter, pipeline, progress)?;
        joiner.is_followed_by(&self.near_plan);
        let checkpoint_folder = checkpoint.as_ref().map(|(folder, _)| *folder);
        if let Some((folder, stored)) = checkpoint {
            if let Some(stored) = &stored {
                stored.restore(&sorter, &|pair| components.join(pair.l, self.right_offset() + pair.r))?;
            }
            joiner.keep_checkpoint(Checkpoint::begin(folder, stored.as_ref(), (&self, &self.plan), &sorter)?, stored);
        }
        let Joined { branches, operators, mut tally, mut buffers, has_components, place } =
            joiner.run(self.memory.join.saturating_sub(self.program.table_bytes()))?;
        let given = match (&self.outside, buffers.first_mut()) {
            (Some(outside), Some(buffer)) => {
                let pipeline = Pipeline::new(others, &components, self.right_offset());
                Some(self.add_outside_pairs(outside, &pipeline, buffer, &mut tally)?)
            }
            _ => None,
        };
        progress.begin(&Stage::Sorting, None);
        let pairs = sorter.finish(buffers)?;
        let scored = score.as_ref().map(|score| score.record(tally.owned.iter().sum(), pairs.len()));
        let scores = given.or(scored).or(average.as_ref().map(WeightedStage::record));
        drop((score, average));
        self.timeline.add_all(operators);
        let components = if has_components { components } else { self.linked(&pairs)? };
        let roots = components.into_roots();
        self.timeline.end(Operator::Sort, pairs.len());
        let near = self.find_near((place, tally.candidates), checkpoint_folder, progress)?;
        self.timeline.add_all(near.iter().flat_map(|near| near.operators.iter().cloned()));
        let near_names = self.near_names();
        let mut found = Found {
            clusters: ClusterFacts::of(&roots),
            largest_cluster: None,
            started: SystemTime::now() - self.timeline.begun().elapsed(),
            pair_ids: self.pair_ids()?,
            all_ids: self.all_ids()?,
            rule_names: self.rules.rules.iter().map(|rule| rule.name.clone()).collect(),
            prepared: self,
            pairs,
            roots,
            tally,
            branches,
            made,
            files: Vec::new(),
            resumption: None,
            near,
            near_names,
            scores,
        };
        found.largest_cluster = found.find_largest_cluster(progress)?;
        Ok(found)
    }
}

impl Prepared {
    /// The components of all pairs, where those that a device had found are lost with it.
    fn linked(&self, pairs: &SortedPairs) -> Result<Components> {
        let components = Components::new(self.records());
        let link = |pair: Pair| components.join(pair.l, self.right_offset() + pair.r);
        pairs.stretches().into_par_iter().try_for_each(|stretch| stretch.each(link))?;
        Ok(components)
    }
}

impl Prepared {
    /// The ids of left and right rows. Where both may be of either input, they say which.
    fn pair_ids(&self) -> Result<[RowIds; 2]> {
        let ids = &self.ids;
        if self.rules.has_two_sides() {
            let both = RowIds::unify(ids)?;
            return Ok([both[0].clone(), both[1].clone()]);
        }
        let all = self.all_ids()?;
        Ok([all.clone(), all])
    }

    /// The ids of all records, those of several inputs with the input's name.
    fn all_ids(&self) -> Result<RowIds> {
        let Self { ids, names, .. } = self;
        if let [only] = &ids[..] { Ok(only.clone()) } else { RowIds::join(ids, names) }
    }
}

impl Found {
    /// The pairs as a table.
    pub fn pair_table(&self) -> PairTable<'_> {
        let [left, right] = &self.pair_ids;
        // The bytes of the pairs do not depend on the rules that come after those that are written.
        let rules = &self.rule_names[..self.prepared.rules.written_rules()];
        let more = self.prepared.has_more_columns().then_some(&self.prepared as &dyn ExtraColumns);
        PairTable { pairs: &self.pairs, left, right, rules, loosened: None, more }
    }

    /// The near pairs as a table, if they were looked for.
    pub fn near_table(&self) -> Option<PairTable<'_>> {
        let pairs = &self.near.as_ref()?.pairs;
        Some(PairTable { pairs, rules: &self.rule_names, loosened: Some(&self.near_names), ..self.pair_table() })
    }

    /// The first near pairs, with what they miss.
    pub(super) fn near_misses(&self, most: usize) -> Result<Vec<NearMiss>> {
        let Some(near) = &self.near else { return Ok(Vec::new()) };
        let (written, offset) = (self.prepared.rules.written_rules(), self.prepared.right_offset());
        let miss = |pair: Pair| {
            let loosened = &self.prepared.rules.near[pair.rule as usize - written];
            let records = [pair.l, offset + pair.r];
            NearMiss { records, rule: loosened.rule.clone(), condition: Some(loosened.condition.clone()) }
        };
        Ok(near.pairs.read(0..near.pairs.len().min(most as u64))?.into_iter().map(miss).collect())
    }

    /// The first pairs that were found by their scores.
    pub(super) fn scored_pairs(&self, most: usize) -> Result<Vec<NearMiss>> {
        let (rules, offset) = (&self.prepared.rules.rules, self.prepared.right_offset());
        let by_score = |pair: &Pair| !rules.get(pair.rule as usize).is_some_and(|rule| rule.is_certain);
        let found = self.pairs.read(0..self.pairs.len().min(most as u64))?.into_iter().filter(by_score);
        let name = |pair: &Pair| self.rule_names.get(pair.rule as usize).cloned().unwrap_or_default();
        Ok(found
            .map(|pair| NearMiss { records: [pair.l, offset + pair.r], rule: name(&pair), condition: None })
            .collect())
    }

    fn near_record(&self) -> Option<NearRecord> {
        let near = self.near.as_ref()?;
        self.prepared.near_record(near.branches.clone(), Some(near))
    }

    /// The clusters as a table.
    pub fn cluster_table(&self) -> ClusterTable<'_> {
        ClusterTable { rows: &self.all_ids, roots: &self.roots }
    }

    /// Writes pairs, clusters and the record of the run into a folder.
    pub fn write_files(&mut self, mut folder: OutputFolder, format: Format, progress: Progress<'_>) -> Result<()> {
        folder.protect_inputs(&self.prepared.job.files_read())?;
        self.write_results(&mut folder, format, progress)?;
        self.files.extend(self.write_skipped(&mut folder, format)?);
        self.write_near(&mut folder, format, progress)?;
        let mut file = folder.file("run.json")?;
        let text =
            serde_json::to_string_pretty(&self.record()).map_err(|e| Error::internal(format!("run.json: {e}")))?;
        writeln!(file, "{text}").map_err(|e| Error::io("cannot write", file.path(), e))?;
        file.finish()?;
        progress.cancel().check();
        folder.commit()
    }

    /// Writes pairs and clusters: at the same time, because neither can use all cores until its end, or one after the
    /// other in an experiment without overlap.
    fn write_results(&mut self, folder: &mut OutputFolder, format: Format, progress: Progress<'_>) -> Result<()> {
        let [pairs, clusters] =
            ["pairs", "clusters"].map(|name| folder.file(&format!("{name}.{}", format.extension())));
        let (pairs, clusters) = (pairs?, clusters?);
        let rows = [self.pairs.len(), self.roots.len() as u64];
        progress.begin(&Stage::WritingResults, Some(rows.iter().sum()));
        let table = self.pair_table();
        let counted = table.more.map(CountedScores::new);
        let table = PairTable { more: counted.as_ref().map(|counted| counted as &dyn ExtraColumns), ..table };
        let write_pairs = || {
            self.write_file(pairs, (Operator::WritePairs, rows[0]), progress, |file, path, advance| {
                write_pairs(file, &table, &write_options(format, path, advance))
            })
        };
        let write_clusters = || {
            self.write_file(clusters, (Operator::WriteClusters, rows[1]), progress, |file, path, advance| {
                write_clusters(file, &self.cluster_table(), &write_options(format, path, advance))
            })
        };
        let written = match self.prepared.settings.device_options.ablation.overlap {
            true => (write_pairs(), write_clusters()),
            false => rayon::join(write_pairs, write_clusters),
        };
        let bins = counted.map(CountedScores::bins).unwrap_or_default();
        if let Some(scores) = &mut self.scores {
            scores.histogram = bins;
        }
        // The same results may be written into several folders.
        self.files.clear();
        self.add_file(written.0?);
        self.add_file(written.1?);
        Ok(())
    }

    fn add_file(&mut self, (file, record): (FileRecord, OperatorRecord)) {
        self.files.push(file);
        self.prepared.timeline.add(record);
    }

    /// Writes a table of some rows to a file, and closes it.
    fn write_file(
        &self,
        file: OutputFile,
        (operator, rows): (Operator, u64),
        progress: Progress<'_>,
        write: impl FnOnce(OutputFile, &Path, &(dyn Fn(u64) + Sync)) -> Result<OutputFile>,
    ) -> Result<(FileRecord, OperatorRecord)> {
        let (begun, path, written) = (Instant::now(), file.path().to_owned(), RowsWritten::new(progress));
        let file = write(file, &path, &|rows| written.report(rows))?.finish()?;
        let record = self.prepared.timeline.since(begun, operator).with_rows([rows, rows]);
        Ok((file.clone(), OperatorRecord { bytes: Some(file.bytes), ..record }))
    }

    /// Writes where the records are that were left out, if there are any.
    fn write_skipped(&self, folder: &mut OutputFolder, format: Format) -> Result<Option<FileRecord>> {
        let table = SkippedTable::new(&self.prepared.skipped);
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
        let rows = table.pairs.len();
        let file = folder.file(&format!("near.{}", format.extension()))?;
        progress.begin(&Stage::WritingPairs, Some(rows));
        let written = self.write_file(file, (Operator::WritePairs, rows), progress, |file, path, advance| {
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
        self.prepared.timeline.go_on();
        let out = with_progress(&Stage::WritingPairs, rows, progress, |advance| {
            write_pairs(out, &self.pair_table(), &write_options(format, path, advance))
        })?;
        self.prepared.timeline.end(Operator::WritePairs, rows);
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
        self.prepared.timeline.go_on();
        let out = with_progress(&Stage::WritingClusters, rows, progress, |advance| {
            write_clusters(out, &self.cluster_table(), &write_options(format, path, advance))
        })?;
        self.prepared.timeline.end(Operator::WriteClusters, rows);
        Ok(out)
    }

    /// Everything about the run up to now.
    pub fn record(&self) -> RunRecord {
        let prepared = &self.prepared;
        let nevers = prepared.rules.nevers.iter();
        let never = |(never, removed): (&crate::rules::Rule, &u64)| NeverRecord {
            name: never.name.clone(),
            when: never.text.clone(),
            removed: *removed,
        };
        let explanation = prepared.explanation(self.branches.clone(), &self.made);
        RunRecord {
            version: crate::VERSION.into(),
            job: JobRecord::of(&prepared.job, self.started),
            device: prepared.device.kind,
            no_gpu: prepared.device.no_gpu.clone(),
            threads: prepared.settings.threads,
            link_type: prepared.rules.link_type,
            inputs: prepared.inputs.clone(),
            lists: prepared.rules.lists.iter().map(|list| FileRecord::of_list(list)).collect(),
            unreadable_values: prepared.unreadable.clone(),
            doubts: prepared.doubts.clone(),
            rules: self.rule_records(),
            never: nevers.zip(&self.tally.forbidden).map(never).collect(),
            strategy: explanation.strategy,
            resumption: self.resumption.clone(),
            simplifications: explanation.simplifications,
            tables: explanation.tables,
            plan: explanation.plan,
            operators: prepared.timeline.operators().to_vec(),
            nominal_pairs: prepared.nominal_pairs(),
            candidates: self.tally.candidates,
            pairs: self.pairs.len(),
            files: self.files.clone(),
            clusters: self.clusters.clusters,
            clusters_of_two_or_more: self.clusters.of_two_or_more,
            cluster_sizes: self.clusters.sizes.clone(),
            largest_cluster: self.largest_cluster.clone(),
            seconds: prepared.timeline.begun().elapsed().as_secs_f64(),
            peak_memory: memory::peak().map(|bytes| bytes as u64),
            near: self.near_record(),
            scores: self.scores.clone(),
            statistics: prepared.survey.statistics.clone(),
        }
    }

    /// The largest cluster; if it is out of proportion, with what made it.
    fn find_largest_cluster(&self, progress: Progress<'_>) -> Result<Option<LargestCluster>> {
        let Some((root, records)) = self.clusters.largest else { return Ok(None) };
        let cause = self.clusters.out_of_proportion().map(|root| self.cause_of(root, progress)).transpose()?;
        Ok(Some(LargestCluster {
            cluster_id: shown_id(&self.all_ids, root)?,
            records,
            average_of_others: self.clusters.average_of_others(),
            out_of_proportion: cause,
        }))
    }

    /// The pairs inside a cluster by rule, from one more look at all pairs.
    fn cause_of(&self, root: u32, progress: Progress<'_>) -> Result<ClusterCause> {
        let rules = self.rule_records();
        let none = || vec![(0, None); rules.len()];
        let of_stretch = |mut found: Vec<(u64, Option<Pair>)>, stretch: Stretch<'_>| {
            progress.cancel().check();
            stretch.each(|pair| {
                if self.roots[pair.l as usize] == root {
                    let of_rule = &mut found[pair.rule as usize];
                    *of_rule = (of_rule.0 + 1, earlier(of_rule.1, Some(pair)));
                }
            })?;
            Ok(found)
        };
        let both = |a: Vec<(u64, Option<Pair>)>, b: Vec<(u64, Option<Pair>)>| {
            Ok(a.into_iter().zip(b).map(|(a, b)| (a.0 + b.0, earlier(a.1, b.1))).collect())
        };
        let stretches = self.pairs.stretches().into_par_iter();
        let found = stretches.try_fold(none, of_stretch).try_reduce(none, both)?;
        let counts: Vec<u64> = found.iter().map(|(pairs, _)| *pairs).collect();
        // Of rules with equally many pairs the first, as they are listed.
        let most = found.iter().enumerate().max_by_key(|(at, (pairs, _))| (*pairs, std::cmp::Reverse(*at)));
        let example = most.and_then(|(_, (_, pair))| *pair).map_or(Ok(Default::default()), |pair| self.ids_of(pair))?;
        Ok(ClusterCause { pairs: counts.iter().sum(), rules: rules_by_pairs(&rules, &counts), example })
    }

    /// The ids of a pair, as results and messages show them.
    fn ids_of(&self, pair: Pair) -> Result<[String; 2]> {
        let [left, right] = &self.pair_ids;
        Ok([shown_id(left, pair.l)?, shown_id(right, pair.r)?])
    }

    fn rule_records(&self) -> Vec<RuleRecord> {
        let mut cumulative = 0;
        let record = |(index, rule): (usize, &crate::rules::Rule)| {
            cumulative += self.tally.owned[index];
            RuleRecord {
                name: rule.name.clone(),
                named: rule.named,
                when: rule.text.clone(),
                alone: self.tally.alone[index],
                marginal: self.tally.owned[index],
                cumulative,
            }
        };
        let written = self.prepared.rules.written_rules();
        self.prepared.rules.rules[..written].iter().enumerate().map(record).collect()
    }
}

/// The pair that comes first in the output.
fn earlier(a: Option<Pair>, b: Option<Pair>) -> Option<Pair> {
    a.into_iter().chain(b).min_by_key(|pair| pair.key())
}

/// The id of a record; with its input's name where ids have one.
fn shown_id(ids: &RowIds, row: u32) -> Result<String> {
    if !ids.has_sources() {
        return Ok(ids.text(row as usize));
    }
    let names = ids.gather_names(&UInt32Array::from(vec![row]))?;
    Ok(names.as_string::<i32>().value(0).to_owned())
}

/// Writes a table of some rows, which reports how many it has written so far.
fn with_progress<W>(
    stage: &Stage,
    rows: u64,
    progress: Progress<'_>,
    write: impl FnOnce(&(dyn Fn(u64) + Sync)) -> Result<W>,
) -> Result<W> {
    progress.begin(stage, Some(rows));
    let written = RowsWritten::new(progress);
    write(&|rows| written.report(rows))
}

fn write_options<'a>(format: Format, path: &'a Path, progress: &'a (dyn Fn(u64) + Sync)) -> WriteOptions<'a> {
    WriteOptions { format, path, parallel: rayon::current_num_threads() + 1, progress }
}

/// Turns the number of rows written so far into the number of rows written since the last report.
struct RowsWritten<'a> {
    progress: Progress<'a>,
    so_far: AtomicU64,
}

impl<'a> RowsWritten<'a> {
    fn new(progress: Progress<'a>) -> Self {
        Self { progress, so_far: AtomicU64::new(0) }
    }

    fn report(&self, so_far: u64) {
        let before = self.so_far.swap(so_far, Relaxed);
        self.progress.advance(so_far.saturating_sub(before));
    }
}
