//! The run: branch after branch on all cores, then sorting, clusters and files.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use super::join::{Joined, Joiner};
use super::options::{JobSpec, Options, OutputTarget, Progress};
use super::prepared::{Clock, Explanation, Prepared};
use super::record::{NeverRecord, OperatorRecord, RuleRecord, RunRecord};
use rayon::prelude::*;

use crate::cluster::Components;
use crate::device::DeviceOptions;
use crate::error::{Error, Result};
use crate::output::{Format, OutputFolder, PairSorter, PairTable, SortedPairs, WriteOptions};
use crate::output::{write_clusters, write_pairs};
use crate::plan::{BranchReport, TablePlan};
use crate::records::RowIds;
use crate::rules::LinkType;
use crate::verify::{Tally, verdict_table};

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

/// Runs a job for what can be learned from it: the plan with what came of each join and check. Nothing is written.
pub fn analyze(spec: &JobSpec, options: &Options, progress: &dyn Progress) -> Result<Explanation> {
    let device_options = DeviceOptions { count_checks: true, ..options.device_options.clone() };
    let options = Options { device_options, ..options.clone() };
    options.pool()?.install(|| {
        let found = Prepared::new(spec, &options, progress)?.find(&std::env::temp_dir(), progress)?;
        Ok(found.prepared.explanation(found.branches, &found.made))
    })
}

/// The results, before they are written.
struct Found {
    prepared: Prepared,
    pairs: SortedPairs,
    roots: Vec<u32>,
    tally: Tally,
    branches: Vec<BranchReport>,
    /// Seconds that each table took.
    made: Vec<f64>,
    operators: Vec<OperatorRecord>,
    clock: Clock,
}

impl Prepared {
    /// Decides predicates for all distinct values, where the plan says so. Gives the seconds of each.
    fn make_tables(&self, progress: &dyn Progress) -> Vec<f64> {
        let make = |table: &TablePlan| {
            let (begun, text) = (Instant::now(), &self.rules.predicates[table.predicate].text);
            progress.begin(&format!("deciding {text} once for all values"), None, "");
            self.program.tables[table.predicate]
                .get_or_init(|| verdict_table(&self.program, table.predicate, self.memory.join));
            begun.elapsed().as_secs_f64()
        };
        self.plan.tables.iter().map(make).collect()
    }

    /// Finds all pairs and clusters; `spill` is a folder for what does not fit the memory.
    fn find(mut self, spill: &Path, progress: &dyn Progress) -> Result<Found> {
        self.check_max_pairs()?;
        let mut clock = Clock::start();
        self.start_device()?;
        clock.lap("device");
        let seconds = self.device.started.as_secs_f64();
        let device = OperatorRecord { operator: "device".into(), input: 0, output: 0, seconds };
        let components = Components::new(self.records());
        let sorter = PairSorter::new(self.memory.sort, rayon::current_num_threads(), spill)?;
        let made = self.make_tables(progress);
        clock.lap("tables");
        let joiner = Joiner::new(&self, &sorter, &components, progress)?;
        let tables = operator("tables", self.plan.tables.len() as u64, self.plan.tables.len() as u64, &clock);
        let Joined { branches, mut operators, tally, buffers, has_components } =
            joiner.run(self.memory.join.saturating_sub(self.program.table_bytes()))?;
        operators.insert(0, tables);
        operators.insert(0, device);
        clock.lap("join and verify");
        let pairs = sorter.finish(buffers)?;
        let components = if has_components { components } else { self.linked(&pairs)? };
        let roots = components.into_roots();
        clock.lap("sort");
        operators.push(operator("sort", pairs.len(), pairs.len(), &clock));
        Ok(Found { prepared: self, pairs, roots, tally, branches, made, operators, clock })
    }
}

/// Pairs that are read at a time where records are linked again.
const LINKED: u64 = 1 << 20;

impl Prepared {
    /// The components of all pairs, where those that a device had found are lost with it.
    fn linked(&self, pairs: &SortedPairs) -> Result<Components> {
        let components = Components::new(self.records());
        (0..pairs.len().div_ceil(LINKED)).into_par_iter().try_for_each(|chunk| {
            let pairs = pairs.read(chunk * LINKED..pairs.len().min((chunk + 1) * LINKED))?;
            pairs.iter().for_each(|pair| components.join(pair.l, self.right_offset() + pair.r));
            Ok(())
        })?;
        Ok(components)
    }
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
        writeln!(file, "{text}").map_err(|e| Error::io("cannot write", file.path(), e))?;
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
        let explanation = prepared.explanation(self.branches.clone(), &self.made);
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
            strategy: explanation.strategy,
            simplifications: explanation.simplifications,
            tables: explanation.tables,
            plan: explanation.plan,
            operators: read.chain(self.operators.iter().cloned()).collect(),
            nominal_pairs: prepared.nominal_pairs(),
            candidates: self.tally.candidates,
            pairs: self.pairs.len(),
            clusters: sizes.iter().filter(|n| **n > 0).count() as u64,
            clusters_of_two_or_more: sizes.iter().filter(|n| **n > 1).count() as u64,
            seconds: begun.elapsed().as_secs_f64(),
            statistics: prepared.survey.statistics.clone(),
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
