//! `set_join`: pairs of distinct values whose token sets overlap enough, for thresholds of Jaccard, Dice, cosine,
//! overlap coefficient and plain overlap. Thresholds of the texts of their elements have a join of their own (`element_join`).
//!
//! Sets are ordered by size and meet in lists. Two ways to make lists share all the rest:
//! - [`Enumeration::Prefixes`]: a list for every token, of the sets that have it in their prefix (`bounds` says why no match
//!   is lost and `verify` why it is reported once);
//! - [`Enumeration::Everything`]: one list of all sets.
//!
//! Within a list, probes meet the indexed sets of compatible sizes that are no larger; a match of a side with itself
//! has one larger set or, at equal sizes, one of higher rank, and a match of two sides is met in the direction from its
//! larger set to its smaller, at equal sizes from left to right. So a list reports each pair once. Pairs are compared by
//! signature, sixteen at a time (`signature`, `tile`), and those that remain by their tokens.
//!
//! Which path is cheaper is estimated from the lengths of lists (`choose`). Mann, Augsten and Bouros 2016 found that
//! enumerating candidates, not deciding them, is what such joins spend their time on; comparing signatures in the order
//! they lie in memory costs less than a nanosecond a pair, so that plain lists suffice where an index of partial
//! overlaps would wait for memory.

mod bounds;
mod choose;
pub(super) mod declaration;
mod element_join;
pub mod gpu;
mod plan;
mod postings;
mod side;
mod signature;
mod tasks;
mod tile;
mod verify;
mod walk;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

pub use self::choose::Enumeration;
pub use self::walk::SetCounters;

use self::bounds::Bounds;
use self::plan::{plan, width};
use self::postings::{PostingLists, lists};
use self::side::SetSide;
use self::tasks::{SetTask, add_itself, add_tasks};
use self::walk::{Direction, EqualSizes, ListWalk, WalkScratch};
use super::value_join::ValueJoin;
use crate::measure::lanes::Isa;
use crate::records::encode::Sets;

/// How to run a join; the answer is the same for every choice.
#[derive(Clone, Copy, Debug)]
pub struct SetJoinOptions {
    /// Bytes that the lists of a round may take.
    pub budget: usize,
    /// The path, if it is not to be chosen by cost.
    pub path: Option<Enumeration>,
    /// Whether signatures are compared before tokens.
    pub bitmap: bool,
    /// Whether the place of a token in a prefix limits the sizes of partners.
    pub positional: bool,
    /// The instruction set.
    pub isa: Isa,
}

impl SetJoinOptions {
    /// The usual choice within a budget in bytes.
    pub fn new(budget: usize) -> Self {
        Self { budget, path: None, bitmap: true, positional: true, isa: Isa::detect() }
    }
}

/// A join of the token sets of distinct values, as a [`ValueJoin`].
#[derive(Debug)]
pub struct SetJoin<'a> {
    options: SetJoinOptions,
    path: Enumeration,
    bounds: Bounds,
    sides: Vec<SetSide<'a>>,
    directions: Vec<Direction>,
    /// The token ranges of each round's parts.
    rounds: Vec<Vec<Range<u32>>>,
    prepared: PreparedLists,
    nominal: u64,
    compared: AtomicU64,
    verified: AtomicU64,
    found: AtomicU64,
}

/// The lists of a round and the tasks that walk them.
#[derive(Debug, Default)]
struct PreparedLists {
    parts: Vec<Range<u32>>,
    /// By side, then by part.
    lists: Vec<Vec<PostingLists>>,
    tasks: Vec<SetTask>,
}

impl<'a> SetJoin<'a> {
    /// A join of the sets of the left codes with those of the right, or with themselves where `right` is `None`.
    ///
    /// `holds(common, x, y)` says whether sets of `x` and `y` tokens match that have `common` tokens in common. It must
    /// rise in `common`, fall in `x` and in `y`, and be symmetric in them: all thresholds of the set measures are such,
    /// in floats too, because rounding keeps order. Empty sets never match.
    pub fn new(
        left: (Sets<'a>, &[u32]),
        right: Option<(Sets<'a>, &[u32])>,
        holds: impl Fn(usize, usize, usize) -> bool + Sync,
        options: SetJoinOptions,
    ) -> Self {
        let given: Vec<(Sets<'a>, &[u32])> = std::iter::once(left).chain(right).collect();
        let bounds = Bounds::new(sizes(&given), holds);
        let mut sides: Vec<SetSide<'a>> =
            given.iter().map(|(sets, codes)| SetSide::new(*sets, codes, &bounds)).collect();
        let directions = directions(sides.len());
        if options.bitmap {
            let words = width(&bounds, &sides, directions[0]);
            sides.iter_mut().for_each(|side| side.sign(words));
        }
        let nominal = nominal(&sides);
        let (path, rounds) = plan(&bounds, &sides, &directions, options);
        Self {
            options,
            path,
            bounds,
            sides,
            directions,
            rounds,
            prepared: PreparedLists::default(),
            nominal,
            compared: AtomicU64::new(0),
            verified: AtomicU64::new(0),
            found: AtomicU64::new(0),
        }
    }

    /// The path taken.
    pub fn path(&self) -> Enumeration {
        self.path
    }

    /// Words of 32 bits in a signature, 0 where signatures are off.
    pub fn signature_words(&self) -> usize {
        self.sides[0].signatures.words()
    }

    /// The number of pairs that a nested loop would look at.
    pub fn nominal_pairs(&self) -> u64 {
        self.nominal
    }

    /// Work done so far.
    pub fn counters(&self) -> SetCounters {
        SetCounters {
            compared: self.compared.load(Relaxed),
            verified: self.verified.load(Relaxed),
            found: self.found.load(Relaxed),
        }
    }

    fn walk(&self, direction: Direction) -> ListWalk<'_, 'a> {
        ListWalk {
            bounds: &self.bounds,
            probes: &self.sides[direction.probes],
            index: &self.sides[direction.index],
            equal: direction.equal,
            isa: self.options.isa,
            bitmap: self.options.bitmap,
        }
    }

    fn run_list(
        &self,
        part: usize,
        list: usize,
        direction: Direction,
        probes: Option<Range<usize>>,
        scratch: &mut WalkScratch,
        found: &mut impl FnMut(u32, u32),
    ) {
        let of_side = |side: usize| self.prepared.lists[side][part].list(list);
        let (all, index) = (of_side(direction.probes), of_side(direction.index));
        let owner = (self.path == Enumeration::Prefixes).then(|| self.prepared.parts[part].start + list as u32);
        let probes = &all[probes.unwrap_or(0..all.len())];
        if direction.probes <= direction.index {
            self.walk(direction).list((probes, index), owner, scratch, found);
        } else {
            self.walk(direction).list((probes, index), owner, scratch, &mut |probe, other| found(other, probe));
        }
    }

    fn run_itself(&self, ranks: Range<u32>, scratch: &mut WalkScratch, found: &mut impl FnMut(u32, u32)) {
        let side = &self.sides[0];
        for rank in ranks.filter(|rank| self.bounds.matches_itself(side.class(*rank))) {
            scratch.counters.found += 1;
            found(side.codes[rank as usize], side.codes[rank as usize]);
        }
    }
}

impl ValueJoin for SetJoin<'_> {
    fn rounds(&self) -> usize {
        self.rounds.len()
    }

    fn prepare(&mut self, round: usize) {
        self.prepared = PreparedLists::default();
        let parts = self.rounds[round].clone();
        let of_side = |side: &SetSide<'_>| match self.path {
            Enumeration::Everything => vec![PostingLists::everything(side)],
            Enumeration::Prefixes => lists(side, &self.bounds, &parts, self.options.positional),
        };
        let lists: Vec<Vec<PostingLists>> = self.sides.iter().map(of_side).collect();
        let mut tasks = Vec::new();
        if round == 0 && self.sides.len() == 1 {
            add_itself(self.sides[0].len() as u32, &mut tasks);
        }
        (0..parts.len()).for_each(|part| add_tasks(part, &lists, &self.directions, &mut tasks));
        self.prepared = PreparedLists { parts, lists, tasks };
    }

    fn tasks(&self) -> usize {
        self.prepared.tasks.len()
    }

    fn run(&self, task: usize, found: &mut impl FnMut(u32, u32)) {
        let mut scratch = WalkScratch::default();
        match self.prepared.tasks[task].clone() {
            SetTask::Itself(ranks) => self.run_itself(ranks, &mut scratch, found),
            SetTask::PostingLists { part, lists } => {
                for (list, direction) in lists.flat_map(|list| self.directions.iter().map(move |d| (list, *d))) {
                    self.run_list(part, list, direction, None, &mut scratch, found);
                }
            }
            SetTask::Probes { part, list, direction, probes } => {
                self.run_list(part, list, self.directions[direction], Some(probes), &mut scratch, found);
            }
        }
        self.compared.fetch_add(scratch.counters.compared, Relaxed);
        self.verified.fetch_add(scratch.counters.verified, Relaxed);
        self.found.fetch_add(scratch.counters.found, Relaxed);
    }
}

/// The sizes of non-empty sets that occur, rising.
fn sizes(given: &[(Sets<'_>, &[u32])]) -> Vec<u32> {
    let size = |sets: &Sets<'_>, code: &u32| sets.set(*code).len();
    let largest = given.iter().flat_map(|(sets, codes)| codes.iter().map(move |c| size(sets, c))).max().unwrap_or(0);
    // Vectors compare numbers of tokens as if they had a sign.
    assert!(largest < i32::MAX as usize, "a set has fewer than 2^31 - 1 tokens");
    let mut occurs = vec![false; largest + 1];
    given.iter().for_each(|(sets, codes)| codes.iter().for_each(|c| occurs[size(sets, c)] = true));
    (1..=largest as u32).filter(|size| occurs[*size as usize]).collect()
}

fn directions(sides: usize) -> Vec<Direction> {
    match sides {
        1 => vec![Direction { probes: 0, index: 0, equal: EqualSizes::ByRank }],
        _ => vec![
            Direction { probes: 0, index: 1, equal: EqualSizes::Here },
            Direction { probes: 1, index: 0, equal: EqualSizes::There },
        ],
    }
}

fn nominal(sides: &[SetSide<'_>]) -> u64 {
    let n = |side: &SetSide<'_>| side.len() as u64;
    match sides {
        [one] => n(one) * (n(one) + 1) / 2,
        _ => sides.iter().map(n).product(),
    }
}

/// Runs a join on all cores and collects its pairs, for callers that hold them all.
pub fn collect(join: &mut SetJoin<'_>) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for round in 0..join.rounds() {
        join.prepare(round);
        let of_task = |task: usize| {
            let mut found = Vec::new();
            join.run(task, &mut |l, r| found.push((l, r)));
            found
        };
        pairs.extend((0..join.tasks()).into_par_iter().flat_map_iter(of_task).collect::<Vec<_>>());
    }
    pairs
}

#[cfg(test)]
mod tests;
