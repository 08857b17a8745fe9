//! How much memory a job may take, and how it is shared out.
//!
//! The records, encoded, are needed throughout, with some words beside each for the join at hand. What the limit leaves
//! is for the indexes of the joins, which are built and joined in parts where they are larger, and for the sorting of
//! results, which goes to files where it is larger.
//!
//! The limit is 75 % of what is available by default, with control groups and the limits of the process (`ulimit -v`,
//! `ulimit -d`) taken into account.
//!
//! Until the records are encoded, everything that grows with the inputs, or with what rules make of them, is counted by
//! one [`MemoryBudget`]: blocks that are read, columns and their names, records, derived texts while they are written,
//! values while they are encoded, tokens. Records may take half of the limit, everything together the whole of it, and
//! a record or a header an eighth. What goes beyond ends the job with an error before it is taken, or within a block of
//! it. The sizes in a Parquet file are checked before anything is reserved for them.
//!
//! What is not counted is a fixed part of at most 150 MB: the program, stacks, the allocator's reserves, the tables of
//! decoders, and hash tables while they grow. The tests of the program measure all this with hostile inputs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::error::{Error, ErrorCode, Result};

/// The share of the available memory that a job takes unless the user says otherwise, in percent.
const DEFAULT_SHARE: usize = 75;

/// What is assumed to be available where the system does not say.
const UNKNOWN: usize = 4 << 30;

/// Sorting gets this at most: longer runs make it no faster, and what it spills, the system keeps in its cache.
const MOST_FOR_SORTING: usize = 384 << 20;

/// Records may always take this much: a smaller limit bounds joins and sorting alone.
const RECORDS_MAY_TAKE: usize = 64 << 20;

/// What an expression of two records may take.
const PAIR_EXPRESSION: usize = 64 << 20;

/// A thread that compares texts in less than this is not counted.
const COUNTED_SCRATCH: usize = 1 << 20;

/// What the joins hold for each record whatever their budget: its place in a list or an order, its cluster.
const BESIDE_A_RECORD: usize = 64;

/// Tenths of a limit for results that are read again.
pub const RESULTS_SHARE: usize = 4;

/// Tenths of a limit for inputs that are read beside them.
pub const INPUTS_SHARE: usize = 6;

/// 75 % of the memory that is available to this process.
pub fn default_limit() -> usize {
    available().unwrap_or(UNKNOWN) / 100 * DEFAULT_SHARE
}

/// Bytes for the parts of a run beside the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// For the index of one join.
    pub join: usize,
    /// For the sorting of results.
    pub sort: usize,
}

/// What `limit` leaves besides this number of records that take `bytes` in all.
pub fn shares(limit: usize, records: u64, bytes: usize) -> Result<Shares> {
    let taken = bytes.saturating_add(records as usize * BESIDE_A_RECORD);
    // A quarter is the least that joins and sorting get.
    if taken > (limit - limit / 4).max(RECORDS_MAY_TAKE) {
        return Err(too_small(limit, taken));
    }
    let rest = limit.saturating_sub(taken).max(limit / 4);
    let sort = (rest / 2).min(MOST_FOR_SORTING);
    Ok(Shares { join: rest - sort, sort })
}

/// The same where `threads` threads compare long texts, in `scratch` bytes each. What short ones take is not counted.
pub fn shares_with_scratch(limit: usize, records: u64, bytes: usize, threads: usize, scratch: usize) -> Result<Shares> {
    let rest = shares(limit, records, bytes)?;
    if scratch < COUNTED_SCRATCH {
        return Ok(rest);
    }
    let taken = bytes.saturating_add(threads.saturating_mul(scratch));
    let what = "the records, and comparing their longest texts on all threads, take";
    shares(limit, records, taken).map_err(|_| exceeded(what, limit, taken))
}

/// The memory of a job until its records are encoded. Everything that grows with the inputs or with what the rules make
/// of them is counted here: records may take half of the limit, because they are held once more while they are encoded,
/// and everything together the whole of it. Clones share the counts.
#[derive(Clone, Debug)]
pub struct MemoryBudget {
    counts: Arc<MemoryCounts>,
}

/// Bytes taken, of a limit.
#[derive(Debug)]
struct MemoryCounts {
    limit: usize,
    /// What everything together may take.
    most: usize,
    /// The error for more, by the limit and the bytes taken.
    error: fn(usize, usize) -> Error,
    records: AtomicUsize,
    all: AtomicUsize,
}

impl MemoryBudget {
    /// This many bytes.
    pub fn new(limit: usize) -> Self {
        Self::with(limit, limit.max(2 * RECORDS_MAY_TAKE), |limit, bytes| exceeded(TOGETHER, limit, bytes))
    }

    /// This many bytes for relations, and not one more.
    pub fn of_relations(limit: usize) -> Self {
        Self::with(limit, limit, |limit, bytes| exceeded("the relations take", limit, bytes))
    }

    /// Some tenths of what [`Self::new`] gives, for work that is not alone: what the others take is known before, and what
    /// fits does not depend on which of them comes first.
    pub fn share(limit: usize, tenths: usize) -> Self {
        let all = limit.max(2 * RECORDS_MAY_TAKE);
        Self::with(limit, all / 10 * tenths, |limit, _| beyond_share(limit))
    }

    /// This many bytes for a program of relations, and for what an evaluation makes of its rules.
    pub fn of_program(limit: usize) -> Self {
        Self::with(limit, limit.max(2 * RECORDS_MAY_TAKE), program_too_large)
    }

    /// This many bytes for clusters: pairs as edges, and what clusterings make of them.
    pub fn of_clusters(limit: usize) -> Self {
        Self::with(limit, limit.max(2 * RECORDS_MAY_TAKE), |limit, bytes| {
            exceeded("the pairs that clusters are made of take", limit, bytes)
                .with_help("raise the memory limit, or keep fewer pairs: by a higher threshold, or by stricter rules")
        })
    }

    /// Some tenths of what [`Self::new`] gives, for pairs of any origin: what is read of them, and clusters.
    pub fn of_pairs(limit: usize, tenths: usize) -> Self {
        let all = limit.max(2 * RECORDS_MAY_TAKE);
        Self::with(limit, all / 10 * tenths, |limit, _| pairs_too_large(limit))
    }

    /// What an expression of two records may take, whatever the limit of the job is.
    pub fn of_pair_expression() -> Self {
        Self::with(PAIR_EXPRESSION, PAIR_EXPRESSION, |_, bytes| too_large_for_pairs(bytes))
    }

    fn with(limit: usize, most: usize, error: fn(usize, usize) -> Error) -> Self {
        let (records, all) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { counts: Arc::new(MemoryCounts { limit, most, error, records, all }) }
    }

    /// No limit.
    pub fn unlimited() -> Self {
        Self::new(usize::MAX)
    }

    /// All bytes there are.
    pub fn most(&self) -> usize {
        self.counts.most
    }

    /// The bytes that nothing has taken yet.
    pub fn room(&self) -> usize {
        self.most().saturating_sub(self.counts.all.load(Relaxed))
    }

    /// Takes `bytes` for records, for good, or says that they do not fit.
    pub fn take(&self, bytes: usize) -> Result<()> {
        let records = self.counts.records.fetch_add(bytes, Relaxed).saturating_add(bytes);
        if records > (self.counts.limit / 2).max(RECORDS_MAY_TAKE) {
            return Err(too_small(self.counts.limit, records));
        }
        self.count(bytes)
    }

    /// Takes `bytes` until the value is dropped, or says that they do not fit.
    pub fn hold(&self, bytes: usize) -> Result<Held> {
        let mut held = Held { budget: Some(self.clone()), bytes: 0 };
        held.reach(bytes)?;
        Ok(held)
    }

    /// Says so if `bytes` more do not fit, without taking them.
    pub fn check_room(&self, bytes: usize) -> Result<()> {
        if bytes <= self.room() { Ok(()) } else { Err((self.counts.error)(self.counts.limit, self.taken_with(bytes))) }
    }

    fn count(&self, bytes: usize) -> Result<()> {
        let taken = self.counts.all.fetch_add(bytes, Relaxed).saturating_add(bytes);
        if taken <= self.most() { Ok(()) } else { Err((self.counts.error)(self.counts.limit, taken)) }
    }

    fn taken_with(&self, bytes: usize) -> usize {
        self.counts.all.load(Relaxed).saturating_add(bytes)
    }
}

/// What a limit was exceeded by.
const TOGETHER: &str = "the records and what is made of them take";

/// Memory that is taken until this is dropped.
#[derive(Debug, Default)]
pub struct Held {
    budget: Option<MemoryBudget>,
    bytes: usize,
}

/// What is written piece by piece is counted when it has grown by this much: counting is shared by all threads.
const GRAIN: usize = 1 << 18;

impl Held {
    /// Holds `bytes` in all, if it has held less, or says that they do not fit.
    #[inline]
    pub fn reach(&mut self, bytes: usize) -> Result<()> {
        let Some(budget) = &self.budget else { return Ok(()) };
        let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) else { return Ok(()) };
        self.bytes = bytes;
        budget.count(more)
    }

    /// As [`Self::reach`], for what grows a little at a time: small changes wait to be counted.
    #[inline]
    pub fn grow(&mut self, bytes: usize) -> Result<()> {
        if bytes < self.bytes.saturating_add(GRAIN) { Ok(()) } else { self.reach(bytes) }
    }

    /// Holds `bytes` more.
    #[inline]
    pub fn add(&mut self, bytes: usize) -> Result<()> {
        self.reach(self.bytes.saturating_add(bytes))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(budget) = &self.budget {
            budget.counts.all.fetch_sub(self.bytes, Relaxed);
        }
    }
}

/// The error for records that do not fit.
fn too_small(limit: usize, records: usize) -> Error {
    exceeded("the records take", limit, records)
}

fn exceeded(what: &str, limit: usize, bytes: usize) -> Error {
    let mib = |bytes: usize| bytes.div_ceil(1 << 20);
    let (bytes, limit) = (mib(bytes), mib(limit));
    Error::resource(format!("{what} {bytes} MiB or more, too much for a memory limit of {limit} MiB"))
        .with_help("raise the memory limit, or run on fewer columns or records")
        .with_code(ErrorCode::MemoryLimit)
}

/// The error for what exceeds a share of a limit.
fn beyond_share(limit: usize) -> Error {
    let limit = limit.div_ceil(1 << 20);
    Error::resource(format!("the records and the results take more than a memory limit of {limit} MiB allows"))
        .with_help("raise the memory limit, or use fewer columns or records")
        .with_code(ErrorCode::MemoryLimit)
}

/// The error for pairs that do not fit.
fn pairs_too_large(limit: usize) -> Error {
    let limit = limit.div_ceil(1 << 20);
    Error::resource(format!(
        "the pairs, their records and clusters take more than a memory limit of {limit} MiB allows"
    ))
    .with_help("raise the memory limit, or give fewer pairs, such as those with a higher score")
    .with_code(ErrorCode::MemoryLimit)
}

/// The error for a program that does not fit.
fn program_too_large(limit: usize, bytes: usize) -> Error {
    exceeded("the program takes", limit, bytes)
        .with_help("raise the memory limit, or read facts from a file, with `.input`")
}

/// The error for an expression that does not fit, whatever the limit of the job is.
fn too_large_for_pairs(bytes: usize) -> Error {
    let mib = |bytes: usize| bytes.div_ceil(1 << 20);
    let (bytes, most) = (mib(bytes), mib(PAIR_EXPRESSION));
    Error::resource(format!("an expression of two records takes {bytes} MiB or more, and {most} MiB are possible"))
        .with_help("derive what needs one record only, or make the texts shorter before they are joined or replaced")
}

/// The most memory that this process has had so far, where the system says it.
pub fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).and_then(kib)
}

/// The memory this process may still take: what the system has available, or less where its control group or its own
/// limits allow less.
fn available() -> Option<usize> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let system = read("/proc/meminfo").and_then(|text| from_meminfo(&text));
    let group = read("/proc/self/cgroup").and_then(|text| from_groups(&text, Path::new("/sys/fs/cgroup")));
    let status = read("/proc/self/status").unwrap_or_default();
    let process = read("/proc/self/limits").and_then(|limits| from_limits(&limits, &status));
    [system, group, process].into_iter().flatten().min()
}

/// The limits of a process (`ulimit -v`, `ulimit -d`), and what its status calls the part that is used.
const PROCESS_LIMITS: [(&str, &str); 2] = [("Max address space", "VmSize:"), ("Max data size", "VmData:")];

/// Addresses that a process takes beside its memory, at most.
const PER_PROCESS: usize = 512 << 20;

/// The least room that the limits of the process leave. Addresses are not memory, and more of them are taken: by stacks,
/// by what the allocator reserves for each thread, by libraries. So some are left, up to three quarters.
fn from_limits(limits: &str, status: &str) -> Option<usize> {
    let room = |(limit, used): &(&str, &str)| {
        let limit: usize =
            limits.lines().find_map(|line| line.strip_prefix(limit))?.split_whitespace().next()?.parse().ok()?;
        let used = status.lines().find_map(|line| line.strip_prefix(used)).and_then(kib).unwrap_or(0);
        let room = limit.saturating_sub(used);
        Some(room - PER_PROCESS.min(room / 4 * 3))
    };
    PROCESS_LIMITS.iter().filter_map(room).min()
}

/// `2048 kB` in bytes.
fn kib(text: &str) -> Option<usize> {
    let kib: usize = text.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1 << 10)
}

fn from_meminfo(text: &str) -> Option<usize> {
    text.lines().find_map(|line| line.strip_prefix("MemAvailable:")).and_then(kib)
}

/// The least room of all control groups that the process is in, from its own up to the root.
fn from_groups(groups: &str, root: &Path) -> Option<usize> {
    groups
        .lines()
        .filter_map(|line| folder_of(line, root))
        .flat_map(|(folder, names)| rooms(&folder, &names, root))
        .min()
}

/// What the files of a control group are called, by version: its limit, what it uses, and what of this is file cache,
/// which the system gives up when memory is short.
struct Names {
    limit: &'static str,
    used: &'static str,
    cache: [&'static str; 2],
}

const SECOND: Names = Names { limit: "memory.max", used: "memory.current", cache: ["inactive_file", "active_file"] };
const FIRST: Names = Names {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cache: ["total_inactive_file", "total_active_file"],
};

/// The folder of a line of `/proc/self/cgroup`, if it is one that limits memory.
fn folder_of(line: &str, root: &Path) -> Option<(PathBuf, Names)> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
    match controllers {
        "" => Some((root.join(path), SECOND)),
        list if list.split(',').any(|c| c == "memory") => Some((root.join("memory").join(path), FIRST)),
        _ => None,
    }
}

fn rooms(folder: &Path, names: &Names, root: &Path) -> Vec<usize> {
    folder.ancestors().take_while(|f| f.starts_with(root)).filter_map(|folder| room(folder, names)).collect()
}

fn room(folder: &Path, names: &Names) -> Option<usize> {
    let text = |file: &str| std::fs::read_to_string(folder.join(file)).ok();
    let number = |file: &str| text(file)?.trim().parse::<usize>().ok();
    let stat = text("memory.stat").unwrap_or_default();
    let cached = |name: &&str| {
        let line = stat.lines().find_map(|line| line.strip_prefix(*name)?.strip_prefix(' '));
        line.and_then(|bytes| bytes.trim().parse::<usize>().ok()).unwrap_or(0)
    };
    let cache: usize = names.cache.iter().map(cached).sum();
    let used = number(names.used).unwrap_or(0).saturating_sub(cache);
    Some(number(names.limit)?.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_records_leave_is_shared_out() {
        let shares = |limit, bytes| shares(limit, 0, bytes).unwrap();
        assert_eq!(shares(1 << 30, 0), Shares { join: (1 << 30) - MOST_FOR_SORTING, sort: MOST_FOR_SORTING });
        assert_eq!(shares(1000, 600), Shares { join: 200, sort: 200 });
        assert_eq!(shares(1000, 5000), Shares { join: 125, sort: 125 }, "little, not nothing");
        assert!(super::shares(100 << 20, 0, 76 << 20).is_err());
        assert!(super::shares(100 << 20, 1 << 20, 20 << 20).is_err(), "a record takes some words beside its values");
    }

    #[test]
    fn records_are_refused_as_soon_as_they_do_not_fit() {
        let room = MemoryBudget::new(200 << 20);
        assert!(room.take(60 << 20).is_ok());
        let error = room.take(60 << 20).unwrap_err();
        assert!(
            error.to_string().starts_with("the records take 120 MiB or more, too much for a memory limit of 200 MiB")
        );
        assert!(MemoryBudget::unlimited().take(usize::MAX / 2).is_ok());
    }

    #[test]
    fn shares_of_a_limit_are_no_more_than_it_is() {
        let [results, inputs] = [RESULTS_SHARE, INPUTS_SHARE].map(|tenths| MemoryBudget::share(1000 << 20, tenths));
        assert!(results.most() + inputs.most() <= 1000 << 20 && inputs.most() > results.most());
        let error = results.hold(500 << 20).unwrap_err();
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
        assert_eq!(error.message(), "the records and the results take more than a memory limit of 1000 MiB allows");
        assert_eq!(MemoryBudget::share(0, 10).most(), 2 * RECORDS_MAY_TAKE / 10 * 10, "little, not nothing");
        let pairs = MemoryBudget::of_pairs(1000 << 20, 7);
        assert_eq!(pairs.most(), (1000 << 20) / 10 * 7);
        let message = "the pairs, their records and clusters take more than a memory limit of 1000 MiB allows";
        assert_eq!(pairs.hold(701 << 20).unwrap_err().message(), message);
    }

    #[test]
    fn what_is_held_counts_until_it_is_dropped() {
        let budget = MemoryBudget::new(200 << 20);
        budget.take(90 << 20).unwrap();
        let mut held = budget.hold(60 << 20).unwrap();
        assert_eq!(budget.room(), 50 << 20);
        assert!(budget.check_room(50 << 20).is_ok() && budget.check_room(51 << 20).is_err());
        held.grow((60 << 20) + GRAIN - 1).unwrap();
        assert_eq!(budget.room(), 50 << 20, "small changes wait");
        held.add(40 << 20).unwrap();
        let error = held.add(11 << 20).unwrap_err();
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
        assert!(error.message().starts_with("the records and what is made of them take 201 MiB or more"), "{error}");
        drop(held);
        assert_eq!(budget.room(), 110 << 20);
        assert!(Held::default().add(usize::MAX).is_ok(), "without a budget nothing is counted");
    }

    #[test]
    fn a_program_that_does_not_fit_is_called_so() {
        let error = MemoryBudget::of_program(200 << 20).hold(201 << 20).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the program takes 201 MiB or more, too much for a memory limit of 200 MiB\n  \
             help: raise the memory limit, or read facts from a file, with `.input`"
        );
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
    }

    #[test]
    fn the_limits_of_the_process_count() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\n\
            Max data size             unlimited            unlimited            bytes     \n\
            Max address space         2147483648           unlimited            bytes     \n";
        assert_eq!(from_limits(limits, "VmSize:\t  524288 kB\nVmData: 1 kB\n"), Some(1024 << 20));
        assert_eq!(from_limits(limits, "VmSize:\t 2093056 kB\n"), Some(1 << 20), "a quarter of what is left");
        assert_eq!(from_limits(&limits.replace("2147483648", "unlimited"), ""), None);
    }

    #[test]
    fn the_system_says_what_is_available() {
        assert_eq!(from_meminfo("MemTotal:  9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(from_meminfo("MemTotal:  9 kB\n"), None);
    }

    #[test]
    fn the_least_room_of_the_control_groups_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("a/memory.max", "1000\n");
        write("a/memory.current", "400\n");
        write("a/memory.stat", "anon 100\ninactive_file 200\nactive_file 100\n");
        write("a/b/memory.max", "max\n");
        write("memory/old/memory.limit_in_bytes", "700\n");
        assert_eq!(from_groups("0::/a/b\n", root.path()), Some(900));
        assert_eq!(from_groups("0::/a/b\n5:cpu,memory:/old\n", root.path()), Some(700));
        assert_eq!(from_groups("0::/elsewhere\n", root.path()), None);
    }
}
