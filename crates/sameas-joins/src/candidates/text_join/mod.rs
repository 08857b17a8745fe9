//! All pairs of distinct texts within an edit distance or above a Jaro or Jaro-Winkler similarity, by signatures.
//!
//! The texts of each list are sorted by length, and within a length by signature. Chunks of the lists meet only where
//! some of their lengths can ([`TextPredicate`] derives which); within them signatures rule out nearly all pairs, whole
//! blocks of them at a time (`scan`); what is left is decided by the measure itself.
//!
//! Each pair comes once:
//! 1. Every text has one place in its list, every pair of places lies in one pair of chunks, and a task is one pair of
//!    chunks. Within it, every pair of places lies in one pair of runs and one group, and each step of a scan passes a
//!    place on at most once.
//! 2. A list joined with itself yields only pairs whose right place is not before the left one.
//!
//! No pair is lost: the right chunks of a left chunk reach from the first to the last right length that any of its
//! lengths can match, and for a list joined with itself begin with the chunk of the first left place; for the bounds
//! within, see [`TextPredicate`] and `scan`.

pub(super) mod declaration;
pub mod gpu;
mod gpu_lists;
mod scan;
mod side;
mod verify;

#[cfg(all(test, feature = "emulated"))]
mod gpu_tests;
#[cfg(test)]
mod tests;

pub use crate::threshold::{Decision, MostEdits, TextPredicate};
pub(super) use declaration::{is_for_devices, scan_join, texts_of};
pub use verify::TextUnit;

use super::value_join::ValueJoin;
use crate::measure::lanes::{Isa, launch};
use crate::records::encode::{Signatures, Strings};
use scan::{GROUP, GroupScan, ScanBuffers, TestedCounts};
use side::{BLOCK, LengthRun, TextSide};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use verify::{Scanned, TextVerifier};

/// Left texts of a task.
const LEFT: usize = 512;

/// Right texts of a task: their signatures stay in the cache of a core.
const RIGHT: usize = 8192;

// A left chunk of a list joined with itself lies within one right chunk, and no chunk cuts a block.
const _: () = assert!(RIGHT.is_multiple_of(LEFT) && LEFT.is_multiple_of(GROUP) && LEFT.is_multiple_of(BLOCK));

/// A join of texts; see the module.
pub struct TextJoin<'a, U> {
    strings: Strings<'a, U>,
    predicate: TextPredicate<'a>,
    sides: SizedLists,
    settings: ScanSettings,
    counters: ScanCounters,
}

/// What can be chosen for a test or a benchmark; the pairs found are the same.
#[derive(Clone, Copy, Debug)]
pub struct ScanSettings {
    /// The instructions to use.
    pub isa: Isa,
    /// Whether signatures are tested at all.
    pub signatures: bool,
    /// Whether blocks are tested before their texts.
    pub blocks: bool,
    /// Whether many pairs are verified at once where many are left.
    pub lanes: bool,
}

impl Default for ScanSettings {
    fn default() -> Self {
        ScanSettings { isa: Isa::detect(), signatures: true, blocks: true, lanes: true }
    }
}

/// How much work was done, in all tasks run so far.
#[derive(Debug, Default)]
pub struct ScanCounters {
    /// Tests of a text, or a group of texts, against a block of 16.
    pub blocks: AtomicU64,
    /// Tests of two signatures.
    pub tested: AtomicU64,
    /// Pairs decided by the measure.
    pub verified: AtomicU64,
    /// Pairs found.
    pub found: AtomicU64,
}

/// The lists, with signatures of one word or four.
enum SizedLists {
    Short(Box<TextLists<1>>),
    Long(Box<TextLists<4>>),
}

/// The lists and how their chunks meet.
struct TextLists<const WORDS: usize> {
    left: TextSide<WORDS>,
    /// `None` where the left list is joined with itself.
    right: Option<TextSide<WORDS>>,
    /// For each left chunk, the first of its tasks; the number of tasks at the end.
    starts: Vec<usize>,
    /// For each left chunk, the first of its right chunks.
    firsts: Vec<usize>,
}

impl<'a, U: TextUnit> TextJoin<'a, U> {
    /// A join of the `left` texts with the `right` ones, or with themselves. Empty texts take no part.
    pub fn new(
        strings: Strings<'a, U>,
        signatures: &Signatures,
        left: &[u32],
        right: Option<&[u32]>,
        predicate: TextPredicate<'a>,
    ) -> Self {
        let sides = if signatures.is_short() {
            SizedLists::Short(Box::new(TextLists::new(signatures, left, right, &predicate)))
        } else {
            SizedLists::Long(Box::new(TextLists::new(signatures, left, right, &predicate)))
        };
        TextJoin { strings, predicate, sides, settings: ScanSettings::default(), counters: ScanCounters::default() }
    }

    /// The same with other settings.
    pub fn with(self, settings: ScanSettings) -> Self {
        Self { settings, ..self }
    }

    /// The work done so far.
    pub fn counters(&self) -> &ScanCounters {
        &self.counters
    }

    fn run_task<const WORDS: usize>(&self, lists: &TextLists<WORDS>, task: usize, found: &mut impl FnMut(u32, u32)) {
        let (left, right) = (&lists.left, lists.right.as_ref().unwrap_or(&lists.left));
        let (left_places, right_places) = lists.task(task);
        let mut worker = ScanWorker {
            room: ScanBuffers::default(),
            verifier: TextVerifier::new(self.strings),
            tested: TestedCounts::default(),
        };
        for left_run in left.runs_within(left_places) {
            for right_run in right.runs_within(right_places.clone()) {
                self.run_runs(lists, &left_run, &right_run, &mut worker, found);
            }
        }
        self.counters.blocks.fetch_add(worker.tested.blocks, Ordering::Relaxed);
        self.counters.tested.fetch_add(worker.tested.pairs, Ordering::Relaxed);
        self.counters.verified.fetch_add(worker.verifier.verified, Ordering::Relaxed);
        self.counters.found.fetch_add(worker.verifier.found, Ordering::Relaxed);
    }

    /// Joins texts of one length with texts of one length.
    fn run_runs<const WORDS: usize>(
        &self,
        lists: &TextLists<WORDS>,
        left_run: &LengthRun,
        right_run: &LengthRun,
        worker: &mut ScanWorker<'a, U, WORDS>,
        found: &mut impl FnMut(u32, u32),
    ) {
        let (left, right) = (&lists.left, lists.right.as_ref().unwrap_or(&lists.left));
        let triangle = lists.right.is_none();
        let Some(needs) = self.predicate.needs(left_run.length, right_run.length) else { return };
        let mut skip_blocks = self.settings.blocks;
        let overflow = right.overflows[right_run.start..right_run.end].iter().copied().max().unwrap_or(0);
        for start in (left_run.start..left_run.end).step_by(GROUP) {
            let group = start..left_run.end.min(start + GROUP);
            if triangle && group.start >= right_run.end {
                break;
            }
            let ScanWorker { room, verifier, tested } = worker;
            let (run, needs) = (*right_run, &needs);
            let scan =
                GroupScan { left, right, group: group.clone(), run, needs, overflow, triangle, skip_blocks, room };
            if self.settings.signatures {
                let more = launch(self.settings.isa, scan);
                // Where most blocks have to be opened, testing them first is of no use.
                let pairs = (group.len() * (right_run.end - right_run.start)) as u64;
                skip_blocks &= more.pairs * 3 < pairs;
                *tested = TestedCounts { blocks: tested.blocks + more.blocks, pairs: tested.pairs + more.pairs };
            } else {
                scan.keep_all();
            }
            let (codes, run) = ((&left.codes[..], &right.codes[..]), right_run.start..right_run.end);
            let scanned = Scanned { codes, group, run, pairs: &room.pairs };
            verifier.verify(&self.predicate, needs, self.settings, &scanned, found);
        }
    }
}

/// What a task needs for itself.
struct ScanWorker<'a, U, const WORDS: usize> {
    room: ScanBuffers<WORDS>,
    verifier: TextVerifier<'a, U>,
    tested: TestedCounts,
}

impl<U: TextUnit> ValueJoin for TextJoin<'_, U> {
    fn rounds(&self) -> usize {
        1
    }

    /// The lists take 20 or 44 bytes per text and are made with the join.
    fn prepare(&mut self, _round: usize) {}

    fn tasks(&self) -> usize {
        match &self.sides {
            SizedLists::Short(lists) => lists.tasks(),
            SizedLists::Long(lists) => lists.tasks(),
        }
    }

    fn run(&self, task: usize, found: &mut impl FnMut(u32, u32)) {
        match &self.sides {
            SizedLists::Short(lists) => self.run_task(lists, task, found),
            SizedLists::Long(lists) => self.run_task(lists, task, found),
        }
    }
}

impl<const WORDS: usize> TextLists<WORDS> {
    fn new(signatures: &Signatures, left: &[u32], right: Option<&[u32]>, predicate: &TextPredicate<'_>) -> Self {
        let left = TextSide::new(signatures, left);
        let right = right.map(|right| TextSide::new(signatures, right));
        let mut lists = TextLists { left, right, starts: vec![0], firsts: Vec::new() };
        lists.lay_out_tasks(predicate);
        lists
    }

    fn lay_out_tasks(&mut self, predicate: &TextPredicate<'_>) {
        let right = self.right.as_ref().unwrap_or(&self.left);
        let partners: Vec<Range<usize>> = self.left.runs.iter().map(|run| partners(run, right, predicate)).collect();
        let mut tasks = 0;
        for chunk in (0..self.left.len()).step_by(LEFT) {
            let first = self.left.runs.partition_point(|run| run.end <= chunk);
            let runs = self.left.runs[first..].iter().zip(&partners[first..]);
            let runs = runs.take_while(|(run, _)| run.start < chunk + LEFT).filter(|(_, places)| !places.is_empty());
            let hull = runs.map(|(_, places)| places.clone()).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
            let mut places = hull.unwrap_or(0..0);
            if self.right.is_none() {
                places.start = places.start.max(chunk);
            }
            let chunks = places.start / RIGHT..places.end.div_ceil(RIGHT);
            tasks += chunks.len();
            self.firsts.push(chunks.start);
            self.starts.push(tasks);
        }
    }

    fn tasks(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The left and right places of a task.
    fn task(&self, task: usize) -> (Range<usize>, Range<usize>) {
        let chunk = self.starts.partition_point(|&start| start <= task) - 1;
        let right = self.right.as_ref().unwrap_or(&self.left).len();
        let first = (self.firsts[chunk] + task - self.starts[chunk]) * RIGHT;
        (chunk * LEFT..self.left.len().min((chunk + 1) * LEFT), first..right.min(first + RIGHT))
    }
}

/// The right places from the first to the last length that texts of a left run can match.
fn partners<const WORDS: usize>(
    run: &LengthRun,
    right: &TextSide<WORDS>,
    predicate: &TextPredicate<'_>,
) -> Range<usize> {
    let may_hold = |other: &&LengthRun| predicate.may_hold(run.length, other.length);
    let (first, last) = (right.runs.iter().find(may_hold), right.runs.iter().rev().find(may_hold));
    first.zip(last).map_or(0..0, |(first, last)| first.start..last.end)
}
