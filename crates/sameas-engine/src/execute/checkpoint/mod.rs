//! What an interrupted run leaves to the next one: its plan as last revised, and of each branch that has ended the pairs
//! and the counts.
//!
//! A checkpoint is a folder with a `log` and files of sorted runs. The first line of the log says what job it is of
//! (`JobKey`) and how it was planned; each line after that, what has ended since. Lines are only appended, after the runs that
//! they name are on the disk, so whatever moment a process is killed at, the log ends with something that was true. Each
//! line depends on the one before it (`log`): what follows a line that was repeated, lost or changed is not used.
//!
//! A branch that has ended is not planned again. The branches that are left come from the log, with the changes that were
//! made while the run went on: a conjunction that moved to another branch would lose its pairs or find them twice. Clusters
//! are not stored: the runs have to be read again anyway, and each pair joins its records then.

mod log;

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::job::{JobKey, Resumption, StartOverReason};
use crate::output::{PairBuffer, PairSorter, SavedRun, SorterMark, are_intact};
use crate::pairs::Pair;
use crate::plan::{Branch, BranchRecord, JobPlan, Plan};
use crate::rules::RuleSet;
use crate::verify::{Program, Tally};
use log::{Log, LogEnd};

/// The first line of a log.
#[derive(Serialize, Deserialize)]
pub struct CheckpointHeader {
    /// The job.
    pub key: JobKey,
    /// How it was planned.
    pub plan: JobPlan,
}

/// A branch that has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FinishedBranch {
    /// As it was planned.
    pub branch: Branch,
    /// What came of it.
    pub record: BranchRecord,
}

/// Some branches that have ended, a line of a log.
#[derive(Serialize, Deserialize)]
struct Entry {
    finished: Vec<FinishedBranch>,
    /// The branches that are left, if they were planned again.
    replanned: Option<Vec<Branch>>,
    tally: Tally,
    /// The file with their runs.
    file: String,
    runs: Vec<SavedRun>,
}

/// What an interrupted run has left.
pub struct Stored {
    folder: PathBuf,
    plan: JobPlan,
    entries: Vec<Entry>,
    /// Where the last entry of the log ends.
    end: LogEnd,
}

/// A checkpoint that is written while a run goes on.
pub struct Checkpoint {
    folder: PathBuf,
    log: Log,
    /// Files of runs so far.
    files: usize,
    /// What is in the log.
    saved: Tally,
    mark: SorterMark,
    last: Instant,
    interval: Duration,
    unsaved: Vec<FinishedBranch>,
    is_replanned: bool,
}

/// Where a run keeps what it finds, and what an interrupted one has left there.
pub struct Resumable<'a> {
    /// The folder of its checkpoint.
    pub folder: &'a Path,
    /// The job.
    pub key: &'a JobKey,
    /// What is there of it.
    pub stored: Option<Stored>,
}

impl Resumable<'_> {
    /// Goes on with what is stored, whose pairs it gives to a sorter and to `take`, or begins a checkpoint of this plan.
    pub fn begin(
        self,
        plan: JobPlan,
        program: &Program,
        interval: Duration,
        sorter: &PairSorter,
        take: &dyn Fn(Pair),
    ) -> Result<(Checkpoint, Option<Stored>)> {
        let Self { folder, key, stored } = self;
        if let Some(stored) = &stored {
            stored.restore(sorter, take)?;
        }
        let header = CheckpointHeader { key: key.clone(), plan };
        let checkpoint = Checkpoint::begin(folder, stored.as_ref(), &header, program, interval, sorter)?;
        Ok((checkpoint, stored))
    }
}

/// Looks for what an interrupted run of the same job, with the same simplified rules, has left in `folder`.
pub fn find_stored(folder: &Path, job: &JobKey, rules: &RuleSet) -> (Option<Stored>, Resumption) {
    if !folder.exists() {
        return (None, Resumption::NothingStored);
    }
    match Stored::read(folder, job, rules) {
        Ok(stored) => {
            let branches = stored.entries.iter().map(|entry| entry.finished.len()).sum();
            (Some(stored), Resumption::Resumed { branches })
        }
        Err(reason) => (None, Resumption::StartedOver { reason }),
    }
}

impl Stored {
    fn read(folder: &Path, job: &JobKey, rules: &RuleSet) -> std::result::Result<Self, StartOverReason> {
        let mut lines = Log::read(&folder.join(LOG)).map_err(|_| StartOverReason::Unreadable)?;
        let header: Option<(CheckpointHeader, LogEnd)> = lines.next();
        let (CheckpointHeader { key, plan }, mut end) = header.ok_or(StartOverReason::Unreadable)?;
        key.check(job)?;
        if !plan.is_of(rules) {
            return Err(StartOverReason::Rules);
        }
        let mut entries = Vec::new();
        while let Some((entry, entry_end)) = lines.next::<Entry>() {
            if !are_intact(&folder.join(&entry.file), &entry.runs) {
                break;
            }
            entries.push(entry);
            end = entry_end;
        }
        Ok(Self { folder: folder.to_owned(), plan, entries, end })
    }

    /// The branches that are left, and the tables of the plan.
    pub fn plan(&self) -> Plan {
        let mut plan = self.plan.plan().clone();
        for entry in &self.entries {
            match &entry.replanned {
                Some(branches) => plan.branches.clone_from(branches),
                None => drop(plan.branches.drain(..entry.finished.len().min(plan.branches.len()))),
            }
        }
        plan
    }

    /// The branches that have ended.
    pub fn finished(&self) -> impl Iterator<Item = &FinishedBranch> {
        self.entries.iter().flat_map(|entry| &entry.finished)
    }

    /// What they counted.
    pub fn tally(&self, program: &Program) -> Tally {
        let mut tally = Tally::new(program);
        self.entries.iter().for_each(|entry| tally.add(&entry.tally));
        tally
    }

    /// Gives their pairs to a sorter and to `take`.
    fn restore(&self, sorter: &PairSorter, take: &dyn Fn(Pair)) -> Result<()> {
        self.entries.iter().try_for_each(|entry| sorter.restore(&self.folder.join(&entry.file), &entry.runs, take))
    }
}

const LOG: &str = "log";

impl Checkpoint {
    /// Goes on with what is stored, or begins a new checkpoint with this header in `folder`, in place of what is there. It is
    /// time to save every `interval`.
    pub fn begin(
        folder: &Path,
        stored: Option<&Stored>,
        header: &CheckpointHeader,
        program: &Program,
        interval: Duration,
        sorter: &PairSorter,
    ) -> Result<Self> {
        let failed = |error| Error::io("cannot write the checkpoint", folder, error);
        let log = match stored {
            Some(stored) => Log::resume(&folder.join(LOG), stored.end).map_err(failed)?,
            None => {
                if folder.exists() {
                    fs::remove_dir_all(folder).map_err(failed)?;
                }
                fs::create_dir(folder).map_err(failed)?;
                let mut log = Log::create(&folder.join(LOG)).map_err(failed)?;
                log.append(header).map_err(failed)?;
                log
            }
        };
        Ok(Self {
            folder: folder.to_owned(),
            log,
            files: stored.map_or(0, |stored| stored.entries.len()),
            saved: stored.map_or_else(|| Tally::new(program), |stored| stored.tally(program)),
            mark: sorter.mark(),
            last: Instant::now(),
            interval,
            unsaved: Vec::new(),
            is_replanned: false,
        })
    }

    /// A branch has ended, and those that are left may have been planned again. Says whether it is time to [save](Self::save).
    pub fn ended(&mut self, branch: Branch, record: BranchRecord, is_replanned: bool) -> bool {
        self.unsaved.push(FinishedBranch { branch, record });
        self.is_replanned |= is_replanned;
        self.last.elapsed() >= self.interval
    }

    /// Stores the branches that have ended since the last time, if any: `tally` has all counts, all buffers are flushed, and
    /// `pending` are the branches that are left.
    pub fn save(&mut self, tally: &Tally, runs: &PairBuffer, pending: &VecDeque<Branch>) -> Result<()> {
        let failed = |error| Error::io("cannot write the checkpoint", &self.folder, error);
        if self.unsaved.is_empty() {
            return Ok(());
        }
        let file = format!("runs-{}", self.files);
        let path = self.folder.join(&file);
        // A process may have been killed after it wrote such a file and before it said so in the log.
        if path.symlink_metadata().is_ok() {
            fs::remove_file(&path).map_err(failed)?;
        }
        let runs_written = runs.save(self.mark, &path)?;
        let entry = Entry {
            finished: std::mem::take(&mut self.unsaved),
            replanned: self.is_replanned.then(|| pending.iter().cloned().collect()),
            tally: tally.since(&self.saved),
            file,
            runs: runs_written,
        };
        self.log.append(&entry).map_err(failed)?;
        (self.saved, self.mark, self.files) = (tally.clone(), runs.mark(), self.files + 1);
        (self.last, self.is_replanned) = (Instant::now(), false);
        Ok(())
    }
}
