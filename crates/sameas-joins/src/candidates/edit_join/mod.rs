//! Pairs of texts within a few edits of each other, by common deletion variants.
//!
//! Two texts within `k` edits have a common subsequence that each reaches by deleting a few characters
//! (`lengths` gives the argument). So every text is entered under the hashes of its `variants`; texts that share one
//! are candidates, and the distance decides. Names are products of frequent parts, which makes lists of segments or
//! grams that share a part long; whole variants are shared by few texts, and the time is that of making, partitioning
//! (`entries`) and grouping (`groups`) about length^k / k! entries per text.
//!
//! Each pair comes once:
//! 1. In a round, candidates are gathered text by text (`adjacency`): all partners of a text, after it in a join of a
//!    list with itself, and each is marked when it is first met. Memory is one bit per text, however often a pair
//!    meets and however many texts share a variant.
//! 2. The space of hashes is cut into slices so that the entries of a slice fit the budget. Slices are gathered one by
//!    one; what they share stays, usually a tenth. Where it outgrows the budget, a round ends, and the next goes on with
//!    the next slice. A pair that could meet in several rounds is reported in the one whose slices hold the hash of
//!    one designated variant (`canonical`), at which both texts are entered.
//! 3. A text with itself is reported in the first round.

mod adjacency;
mod by_length;
mod canonical;
pub(super) mod declaration;
mod entries;
mod estimate;
pub mod gpu;
mod groups;
mod lengths;
mod texts;
mod variants;

#[cfg(test)]
mod tests;

pub use estimate::{EditEstimate, estimate};
pub use lengths::{EditLimits, MOST_DELETIONS};

use crate::candidates::ValueJoin;
use crate::measure::{EditCount, PreparedText, Unit};
use crate::records::encode::Strings;
use adjacency::Adjacency;
use entries::{Cut, ENTRY_BYTES, GatheredEntries};
use lengths::{Allowed, DeletionLengths};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use texts::JoinTexts;
use variants::VariantKeys;

/// Left texts a task takes on.
const TASK: u32 = 1024;
/// Candidates whose texts are fetched together.
const FETCH: usize = 64;

/// How much work a join has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditWork {
    /// Variants entered.
    pub entries: u64,
    /// Meetings of two texts at a variant.
    pub meetings: u64,
    /// Distances computed: different pairs that met in a round.
    pub verified: u64,
    /// The most bytes an index took, without the fixed few bytes per text.
    pub peak_bytes: u64,
    /// Rounds that had something to do.
    pub rounds: u64,
}

/// The join of one or two lists of distinct texts by edit distance.
pub struct EditJoin<'a, U> {
    texts: JoinTexts<'a, U>,
    lengths: DeletionLengths,
    keys: VariantKeys,
    count: EditCount,
    cut: Cut,
    /// The most bytes that groups may take before another slice is gathered.
    room: usize,
    /// The slices of the prepared round.
    slices: Range<usize>,
    adjacency: Adjacency,
    scratch: Mutex<Vec<EditJoinScratch<U>>>,
    work: EditWork,
    meetings: AtomicU64,
    verified: AtomicU64,
}

/// What a task needs for one text after the other.
struct EditJoinScratch<U> {
    prepared: PreparedText<U>,
    /// One bit per right text, set while it is among the candidates.
    seen: Vec<u64>,
    candidates: Vec<u32>,
    /// The characters of some candidates, where each ends, and its code.
    units: Vec<U>,
    ends: Vec<(usize, u32)>,
}

impl<'a, U: Unit + Send + Sync> EditJoin<'a, U> {
    /// Joins the texts `left` with `right`, or with themselves, by a number of edits that
    /// [leaves a subsequence](EditCount::leaves_subsequence). Empty texts never take part. The index takes about `budget` bytes.
    ///
    /// # Panics
    /// If a length that occurs needs more than [`MOST_DELETIONS`] deletions; [`estimate`] is then infinite.
    pub fn new(
        strings: Strings<'a, U>,
        (left, right): (&[u32], Option<&[u32]>),
        count: EditCount,
        limits: &EditLimits<'_>,
        budget: usize,
    ) -> Self {
        let texts = JoinTexts::new(strings, left, right);
        let histogram = texts.histogram();
        let allowed = Allowed::new(&histogram, limits.of_longer);
        let lengths = DeletionLengths::new(&histogram, allowed, limits.of_pair).expect("at most MOST_DELETIONS");
        let entries = estimate::entries(&histogram, &lengths);
        EditJoin {
            keys: VariantKeys::new(histogram.longest()),
            texts,
            lengths,
            count,
            cut: Cut::within(entries, budget),
            room: entries::part(budget),
            slices: 0..0,
            adjacency: Adjacency::default(),
            scratch: Mutex::new(Vec::new()),
            work: EditWork::default(),
            meetings: AtomicU64::new(0),
            verified: AtomicU64::new(0),
        }
    }

    /// The work done so far.
    pub fn work(&self) -> EditWork {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        EditWork { meetings: load(&self.meetings), verified: load(&self.verified), ..self.work }
    }

    /// Gathers slice after slice, from `first` on, until none is left or what they share takes the room it has.
    fn gather(&mut self, first: usize) {
        let mut workers = self.workers();
        let mut next = first;
        while next < self.cut.slices && (next == first || self.adjacency.bytes() <= self.room) {
            entries::gather(&self.texts, &self.lengths, &self.keys, self.cut, next, &mut workers);
            let found = groups::find_all(&workers, self.cut, self.texts.first_right());
            self.adjacency.add(found);
            self.note(&workers);
            next += 1;
        }
        self.slices = first..next;
    }

    fn note(&mut self, gathered: &[(Range<u32>, GatheredEntries)]) {
        let entries: u64 = gathered.iter().map(|(_, gathered)| gathered.entries()).sum();
        self.work.entries += entries;
        let bytes = entries * ENTRY_BYTES as u64 + self.adjacency.bytes() as u64;
        self.work.peak_bytes = self.work.peak_bytes.max(bytes);
    }

    /// Shares the texts among the cores so that each has about as many entries to make; where there are none, one takes
    /// all texts.
    fn workers(&self) -> Vec<(Range<u32>, GatheredEntries)> {
        let variants = |slot: u32| self.lengths.variants(self.texts.get(slot).len());
        let all: f64 = (0..self.texts.len()).map(variants).sum();
        let share = all / rayon::current_num_threads() as f64;
        let (mut workers, mut start, mut sum) = (Vec::new(), 0, 0.0);
        for slot in 0..self.texts.len() {
            sum += variants(slot);
            if sum > 0.0 && sum >= share || slot + 1 == self.texts.len() {
                workers.push((start..slot + 1, GatheredEntries::new(self.cut, sum / self.cut.slices as f64)));
                (start, sum) = (slot + 1, 0.0);
            }
        }
        workers
    }
}

impl<U: Unit + Send + Sync> ValueJoin for EditJoin<'_, U> {
    /// At least one slice a round; where rounds take several slices, the last ones have nothing left to do.
    fn rounds(&self) -> usize {
        self.cut.slices
    }

    fn prepare(&mut self, round: usize) {
        let first = if round == 0 { 0 } else { self.slices.end };
        self.adjacency = Adjacency::default();
        self.slices = first..first;
        if first < self.cut.slices {
            self.gather(first);
            self.adjacency.finish(self.texts.lefts(), self.texts.first_right(), rayon::current_num_threads() as u32);
            self.work.rounds += 1;
        }
    }

    fn tasks(&self) -> usize {
        if self.slices.is_empty() { 0 } else { self.texts.lefts().div_ceil(TASK) as usize }
    }

    fn run(&self, task: usize, found: &mut impl FnMut(u32, u32)) {
        let mut scratch = self.take_scratch();
        let first = task as u32 * TASK;
        let (mut meetings, mut verified) = (0, 0);
        for slot in first..self.texts.lefts().min(first.saturating_add(TASK)) {
            meetings += self.candidates(slot, &mut scratch);
            verified += scratch.candidates.len() as u64;
            self.verify(slot, &mut scratch, found);
        }
        self.meetings.fetch_add(meetings, Ordering::Relaxed);
        self.verified.fetch_add(verified, Ordering::Relaxed);
        self.scratch.lock().expect("no task panics while it holds the lock").push(scratch);
    }
}

impl<U: Unit + Send + Sync> EditJoin<'_, U> {
    fn take_scratch(&self) -> EditJoinScratch<U> {
        let ready = self.scratch.lock().expect("no task panics while it holds the lock").pop();
        ready.unwrap_or_else(|| EditJoinScratch {
            prepared: PreparedText::default(),
            seen: vec![0; (self.texts.len() - self.texts.first_right()).div_ceil(64) as usize],
            candidates: Vec::new(),
            units: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// Lists the slots that a slot meets in this round, each once; returns how often it meets one.
    fn candidates(&self, slot: u32, scratch: &mut EditJoinScratch<U>) -> u64 {
        let EditJoinScratch { seen, candidates, .. } = scratch;
        let first_right = self.texts.first_right();
        let (mut meetings, mut count) = (0, 0);
        self.adjacency.each(slot, |other| {
            // Written first and kept if it is new: whether it is new could not be foretold.
            if count == candidates.len() {
                candidates.resize(2 * count + FETCH, 0);
            }
            candidates[count] = other;
            let index = other - first_right;
            let (word, bit) = (&mut seen[index as usize / 64], index % 64);
            count += usize::from(*word >> bit & 1 == 0);
            *word |= 1 << bit;
            meetings += 1;
        });
        candidates.truncate(count);
        candidates.iter().for_each(|&other| seen[(other - first_right) as usize / 64] = 0);
        meetings
    }

    /// Reports the candidates that are pairs.
    fn verify(&self, slot: u32, scratch: &mut EditJoinScratch<U>, found: &mut impl FnMut(u32, u32)) {
        let (code, text) = (self.texts.code(slot), self.texts.get(slot));
        if !self.texts.two_lists() && self.slices.start == 0 && self.lengths.most(text.len(), text.len()).is_some() {
            found(code, code);
        }
        if scratch.candidates.is_empty() {
            return;
        }
        let EditJoinScratch { prepared, candidates, units, ends, .. } = scratch;
        prepared.set(text);
        for candidates in candidates.chunks(FETCH) {
            self.fetch(candidates, units, ends);
            let mut start = 0;
            for &(end, other) in &*ends {
                if self.is_pair(prepared, &units[start..end]) {
                    found(code, other);
                }
                start = end;
            }
        }
    }

    /// Copies texts together, with their codes. They lie anywhere in memory; without a decision between them their fetches overlap.
    fn fetch(&self, slots: &[u32], units: &mut Vec<U>, ends: &mut Vec<(usize, u32)>) {
        units.clear();
        ends.clear();
        for &slot in slots {
            units.extend_from_slice(self.texts.get(slot));
            ends.push((units.len(), self.texts.code(slot)));
        }
    }

    fn is_pair(&self, a: &PreparedText<U>, b: &[U]) -> bool {
        let Some(most) = self.lengths.of_pair(a.codes().len(), b.len()) else { return false };
        self.is_near(a, b, most) && self.is_designated(a.codes(), b)
    }

    /// Decides the distance. Substitutions alone turn a text into another of its length, and what does not differ is a
    /// common subsequence; so where few characters differ in place, the distance, which is never more, need not be known.
    fn is_near(&self, a: &PreparedText<U>, b: &[U], most: usize) -> bool {
        let substituted = || a.codes().iter().zip(b).filter(|(a, b)| a != b).count();
        if a.codes().len() == b.len() && substituted() <= most {
            return true;
        }
        self.count.is_within(a, b, most)
    }

    /// True in the round that reports a pair.
    fn is_designated(&self, a: &[U], b: &[U]) -> bool {
        if self.slices == (0..self.cut.slices) {
            return true;
        }
        let Some(most) = self.lengths.most(a.len(), b.len()) else { return false };
        let length = a.len().max(b.len()).saturating_sub(most);
        let variant = canonical::common_variant(&self.keys, a, b, length);
        variant.is_some_and(|hash| self.slices.contains(&self.cut.slice(hash)))
    }
}
