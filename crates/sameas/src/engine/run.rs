//! The run: branch after branch on all cores, then sorting, clusters and files.

use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::options::{JobSpec, Options, OutputTarget, Progress};
use super::prepared::{Clock, Prepared};
use super::record::{NeverRecord, OperatorRecord, RuleRecord, RunRecord};
use crate::candidates::{Batch, Candidates};
use crate::cluster::Components;
use crate::error::{Error, Result};
use crate::output::{Format, OutputFolder, Pair, PairBuffer, PairSorter, PairTable, RowIds, SortedPairs, WriteOptions};
use crate::output::{write_clusters, write_pairs};
use crate::plan::{Branch, BranchReport, describe};
use crate::rules::LinkType;
use crate::verify::{BranchProgram, Tally, Verifier};

/// Candidates a task takes at most, so that the last task to end keeps the others waiting for milliseconds only.
const TASK: u64 = 1 << 18;

impl Options {
    /// The threads a job runs on.
    pub fn pool(&self) -> Result<rayon::ThreadPool> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|e| Error::resource(format!("cannot start {} threads: {e}", self.threads)))
    }
}

/// Runs a job from its inputs to its files. The output folder is checked first: nothing is computed in vain.
pub fn execute(spec: &JobSpec, options: &Options, target: &OutputTarget, progress: &dyn Progress) -> Result<RunRecord> {
    options.pool()?.install(|| {
        let begun = Instant::now();
        match target {
            OutputTarget::Folder { path, overwrite, format } => {
                let mut folder = OutputFolder::create(path, *overwrite)?;
                let found = Prepared::new(spec, options, progress)?.find(folder.path(), progress)?;
                let record = found.write_files(&mut folder, *format, begun, progress)?;
                folder.commit()?;
                Ok(record)
            }
            OutputTarget::Stdout => {
                let found = Prepared::new(spec, options, progress)?.find(&std::env::temp_dir(), progress)?;
                found.write_stdout(begun, progress)
            }
        }
    })
}

/// One thread's tools.
struct Worker<'a> {
    verifier: Verifier<'a>,
    pairs: PairBuffer,
    batch: Batch,
}

/// The results, before they are written.
struct Found {
    prepared: Prepared,
    pairs: SortedPairs,
    roots: Vec<u32>,
    tally: Tally,
    branches: Vec<BranchReport>,
    operators: Vec<OperatorRecord>,
    clock: Clock,
}

impl Prepared {
    /// Finds all pairs and clusters; `spill` is a folder for what does not fit the memory.
    fn find(self, spill: &Path, progress: &dyn Progress) -> Result<Found> {
        self.check_max_pairs()?;
        let mut clock = Clock::start();
        let all_rows: u64 = self.inputs.iter().map(|i| i.rows).sum();
        let components = Components::new(all_rows as u32);
        let threads = rayon::current_num_threads();
        let sorter = PairSorter::new(self.options.memory, threads, spill)?;
        let worker = |_| {
            Mutex::new(Worker {
                verifier: Verifier::new(&self.program),
                pairs: sorter.buffer(),
                batch: Batch::default(),
            })
        };
        let workers: Vec<Mutex<Worker<'_>>> = (0..threads).map(worker).collect();
        let (branches, mut operators) = self.run_branches(&workers, &components, progress)?;
        let mut tally = Tally::new(self.program.rules);
        let mut buffers = Vec::with_capacity(threads);
        for worker in workers {
            let worker = worker.into_inner().unwrap_or_else(PoisonError::into_inner);
            tally.add(&worker.verifier.tally);
            buffers.push(worker.pairs);
        }
        clock.lap("join and verify");
        let pairs = sorter.finish(buffers)?;
        let roots = components.into_roots();
        clock.lap("sort");
        operators.push(operator("sort", pairs.len(), pairs.len(), &clock));
        Ok(Found { prepared: self, pairs, roots, tally, branches, operators, clock })
    }

    fn run_branches(
        &self,
        workers: &[Mutex<Worker<'_>>],
        components: &Components,
        progress: &dyn Progress,
    ) -> Result<(Vec<BranchReport>, Vec<OperatorRecord>)> {
        let nevers: Vec<&str> = self.rules.nevers.iter().map(|n| n.text.as_str()).collect();
        let owned = || -> u64 {
            let of_worker = |w: &Mutex<Worker<'_>>| lock(w).verifier.tally.owned.iter().sum::<u64>();
            workers.iter().map(of_worker).sum()
        };
        let (mut reports, mut operators) = (Vec::new(), Vec::new());
        for branch in &self.plan.branches {
            let (begun, before) = (Instant::now(), owned());
            let candidates = branch.candidates(&self.program, self.rows, self.shape());
            let report = describe(branch, &self.rules, &nevers, candidates.len());
            progress.begin(
                &format!("{} for {}", report.path, report.rules.join(", ")),
                Some(candidates.len()),
                "pairs",
            );
            self.run_branch(branch, &candidates, workers, components, progress)?;
            operators.push(OperatorRecord {
                operator: format!("{} + verify ({})", report.path, report.rules.join(", ")),
                input: candidates.len(),
                output: owned() - before,
                seconds: begun.elapsed().as_secs_f64(),
            });
            reports.push(report);
        }
        Ok((reports, operators))
    }

    fn run_branch(
        &self,
        branch: &Branch,
        candidates: &Candidates,
        workers: &[Mutex<Worker<'_>>],
        components: &Components,
        progress: &dyn Progress,
    ) -> Result<()> {
        let decide = BranchProgram::new(&self.program, &branch.conjunctions, branch.implied());
        let offset = if self.rules.link_type == LinkType::LinkOnly { self.rows[0] } else { 0 };
        let tasks = candidates.len().div_ceil(TASK) as usize;
        (0..tasks).into_par_iter().with_max_len(1).try_for_each(|task| {
            let task = task as u64;
            let range = task * TASK..((task + 1) * TASK).min(candidates.len());
            let mut worker = lock(&workers[rayon::current_thread_index().unwrap_or(0) % workers.len()]);
            let length = range.end - range.start;
            worker.run(&decide, candidates, range, &|pair| components.join(pair.l, offset + pair.r))?;
            progress.advance(length);
            Ok(())
        })
    }
}

impl Worker<'_> {
    fn run(
        &mut self,
        branch: &BranchProgram,
        candidates: &Candidates,
        range: std::ops::Range<u64>,
        join: &impl Fn(Pair),
    ) -> Result<()> {
        let Self { verifier, pairs, batch } = self;
        let mut at = range.start;
        while at < range.end {
            at = candidates.next(at, range.end, batch);
            let mut stored = Ok(());
            verifier.verify(branch, batch, &mut |pair| {
                join(pair);
                if stored.is_ok() {
                    stored = pairs.push(pair);
                }
            });
            stored?;
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn operator(name: &str, input: u64, output: u64, clock: &Clock) -> OperatorRecord {
    let seconds = clock.laps.last().map_or(0.0, |(_, time)| time.as_secs_f64());
    OperatorRecord { operator: name.into(), input, output, seconds }
}

impl Found {
    fn write_files(
        mut self,
        folder: &mut OutputFolder,
        format: Format,
        begun: Instant,
        progress: &dyn Progress,
    ) -> Result<RunRecord> {
        let name = format!("pairs.{}", format.extension());
        let file = folder.file(&name)?;
        let path = file.path().to_owned();
        self.write_pairs(file, format, &path, progress)?;
        let rows = self.roots.len() as u64;
        progress.begin("writing clusters", Some(rows), "rows");
        let file = folder.file(&format!("clusters.{}", format.extension()))?;
        let path = file.path().to_owned();
        let told = Told::new(progress);
        write_clusters(file, &self.all_ids()?, &self.roots, &self.write_options(format, &path, &|n| told.tell(n)))?;
        self.clock.lap("write clusters");
        self.operators.push(operator("write clusters", rows, rows, &self.clock));
        let record = self.record(begun);
        let mut file = folder.file("run.json")?;
        let text = serde_json::to_string_pretty(&record).map_err(|e| Error::internal(format!("run.json: {e}")))?;
        writeln!(file, "{text}").map_err(|e| Error::io("cannot write", file.path(), &e))?;
        Ok(record)
    }

    fn write_stdout(mut self, begun: Instant, progress: &dyn Progress) -> Result<RunRecord> {
        let out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout());
        self.write_pairs(out, Format::Csv, Path::new("standard output"), progress)?;
        Ok(self.record(begun))
    }

    fn write_pairs(
        &mut self,
        out: impl Write + Send,
        format: Format,
        path: &Path,
        progress: &dyn Progress,
    ) -> Result<()> {
        let rules: Vec<String> = self.prepared.rules.rules.iter().map(|r| r.name.clone()).collect();
        let [left, right] = self.pair_ids()?;
        let table = PairTable { pairs: &self.pairs, left: &left, right: &right, rules: &rules };
        progress.begin("writing pairs", Some(self.pairs.len()), "pairs");
        let told = Told::new(progress);
        write_pairs(out, &table, &self.write_options(format, path, &|n| told.tell(n)))?;
        self.clock.lap("write pairs");
        self.operators.push(operator("write pairs", self.pairs.len(), self.pairs.len(), &self.clock));
        Ok(())
    }

    fn write_options<'a>(
        &self,
        format: Format,
        path: &'a Path,
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> WriteOptions<'a> {
        WriteOptions { format, path, parallel: rayon::current_num_threads() + 1, progress }
    }

    /// The ids of left and right rows. Where both may be of either input, they say which.
    fn pair_ids(&self) -> Result<[RowIds; 2]> {
        let ids = &self.prepared.ids;
        match self.prepared.rules.link_type {
            LinkType::DedupeOnly => Ok([ids[0].clone(), ids[0].clone()]),
            LinkType::LinkOnly => RowIds::unify(&ids[0], &ids[1]).map(|(left, right)| [left, right]),
            LinkType::LinkAndDedupe => self.all_ids().map(|all| [all.clone(), all]),
        }
    }

    /// The ids of all records, those of two inputs with the input's name.
    fn all_ids(&self) -> Result<RowIds> {
        let Prepared { ids, names, .. } = &self.prepared;
        match &ids[..] {
            [left, right] => RowIds::join(&left.clone().with_source(&names[0]), &right.clone().with_source(&names[1])),
            _ => Ok(ids[0].clone()),
        }
    }

    fn record(&self, begun: Instant) -> RunRecord {
        let prepared = &self.prepared;
        let nevers = prepared.rules.nevers.iter();
        let mut sizes = vec![0_u32; self.roots.len()];
        self.roots.iter().for_each(|root| sizes[*root as usize] += 1);
        let read = prepared.times.iter().map(|(step, time)| OperatorRecord {
            operator: (*step).into(),
            input: self.roots.len() as u64,
            output: self.roots.len() as u64,
            seconds: time.as_secs_f64(),
        });
        RunRecord {
            version: crate::VERSION,
            device: prepared.device.name.into(),
            device_note: prepared.device.note.clone(),
            threads: rayon::current_num_threads(),
            link_type: prepared.rules.link_type.name(),
            inputs: prepared.inputs.clone(),
            unreadable_values: prepared.unreadable.clone(),
            rules: self.rule_records(),
            never: nevers.map(|n| NeverRecord { name: n.name.clone(), when: n.text.clone() }).collect(),
            plan: self.branches.clone(),
            operators: read.chain(self.operators.iter().cloned()).collect(),
            nominal_pairs: prepared.nominal_pairs(),
            candidates: self.tally.candidates,
            pairs: self.pairs.len(),
            clusters: sizes.iter().filter(|n| **n > 0).count() as u64,
            clusters_of_two_or_more: sizes.iter().filter(|n| **n > 1).count() as u64,
            seconds: begun.elapsed().as_secs_f64(),
        }
    }

    fn rule_records(&self) -> Vec<RuleRecord> {
        let mut cumulative = 0;
        let record = |(index, rule): (usize, &crate::rules::Rule)| {
            cumulative += self.tally.owned[index];
            RuleRecord {
                name: rule.name.clone(),
                when: rule.text.clone(),
                alone: self.tally.alone[index],
                marginal: self.tally.owned[index],
                cumulative,
            }
        };
        self.prepared.rules.rules.iter().enumerate().map(record).collect()
    }
}

/// Turns "so many so far" into "so many more".
struct Told<'a> {
    progress: &'a dyn Progress,
    so_far: std::sync::atomic::AtomicU64,
}

impl<'a> Told<'a> {
    fn new(progress: &'a dyn Progress) -> Self {
        Self { progress, so_far: std::sync::atomic::AtomicU64::new(0) }
    }

    fn tell(&self, so_far: u64) {
        let before = self.so_far.swap(so_far, std::sync::atomic::Ordering::Relaxed);
        self.progress.advance(so_far.saturating_sub(before));
    }
}
