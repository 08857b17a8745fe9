//! How much memory a job may take, and how it is shared out.
//!
//! The records, encoded, are needed throughout, with some words beside each for the join at hand. What the limit leaves
//! is for the indexes of the joins, which are built and joined in parts where they are larger, and for the sorting of
//! results, which goes to files where it is larger.

use std::path::{Path, PathBuf};
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

/// What the joins hold for each record whatever their budget: its place in a list or an order, its cluster.
const BESIDE_A_RECORD: usize = 64;

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

/// The memory for records that are being read: half of the limit, because they are held once more while they are encoded.
#[derive(Debug)]
pub struct MemoryBudget {
    limit: usize,
    taken: AtomicUsize,
}

impl MemoryBudget {
    /// This many bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, taken: AtomicUsize::new(0) }
    }

    /// No limit.
    pub fn unlimited() -> Self {
        Self::new(usize::MAX)
    }

    /// Takes `bytes`, or says that they do not fit.
    pub fn take(&self, bytes: usize) -> Result<()> {
        let taken = self.taken.fetch_add(bytes, Relaxed).saturating_add(bytes);
        if taken <= (self.limit / 2).max(RECORDS_MAY_TAKE) { Ok(()) } else { Err(too_small(self.limit, taken)) }
    }
}

/// The error for records that do not fit.
fn too_small(limit: usize, records: usize) -> Error {
    let mib = |bytes: usize| bytes.div_ceil(1 << 20);
    let (records, limit) = (mib(records), mib(limit));
    Error::resource(format!("the records take {records} MiB or more, too much for a memory limit of {limit} MiB"))
        .with_help("raise the memory limit, or run on fewer columns or records")
        .with_code(ErrorCode::MemoryLimit)
}

/// The memory this process may still take: what the system has available, or less where its control group allows less.
fn available() -> Option<usize> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let system = read("/proc/meminfo").and_then(|text| from_meminfo(&text));
    let group = read("/proc/self/cgroup").and_then(|text| from_groups(&text, Path::new("/sys/fs/cgroup")));
    match (system, group) {
        (Some(system), Some(group)) => Some(system.min(group)),
        (system, group) => system.or(group),
    }
}

fn from_meminfo(text: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
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
