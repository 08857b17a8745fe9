//! A prepared round: partitioned, inspected, and numbered as tasks, the largest kinds first.

use rayon::prelude::*;

use super::blocks::Product;
use super::inspect::{Inspected, KeyGroup};
use super::key::{HashSplit, Key};
use super::layout::Layout;
use super::partition::PartitionedSide;
use super::pool::Pool;
use crate::candidates::tile::{Pairing, Sink, Tile};

/// The most pairs of a normal partition's task: twice the product of two partitions of the nominal size.
pub const BOUND: u64 = 1 << 27;
/// The same where there are few partitions, which then should not be left to one thread each.
const SMALL_BOUND: u64 = 1 << 20;
/// From this many partitions on, they occupy every thread without being cut.
pub const MANY: usize = 64;

/// Where the lists of a product to be cut lie.
#[derive(Clone, Copy)]
enum Heavy {
    /// A sampled key.
    Skewed(usize),
    /// A key of an inspected partition, by their numbers.
    Inspected(usize, usize),
}

/// A round's data and tasks.
pub struct Round<K: Key> {
    left: PartitionedSide<K>,
    right: Option<PartitionedSide<K>>,
    split: HashSplit,
    heavy: Vec<Heavy>,
    /// Where the tasks of each heavy key start; one more at the end.
    heavy_starts: Vec<usize>,
    inspected: Vec<Inspected>,
    runs: Vec<(usize, usize)>,
    normal: Vec<u32>,
}

impl<K: Key> Round<K> {
    pub fn new(
        left: PartitionedSide<K>,
        right: Option<PartitionedSide<K>>,
        split: HashSplit,
        skewed: usize,
        pool: &Pool<Layout<K>>,
    ) -> Self {
        let mut round = Self {
            left,
            right,
            split,
            heavy: (0..skewed).map(Heavy::Skewed).collect(),
            heavy_starts: vec![0],
            inspected: Vec::new(),
            runs: Vec::new(),
            normal: Vec::new(),
        };
        round.inspect(pool);
        round.number_tasks();
        round
    }

    /// Separates the partitions that may hold too many pairs from the normal ones, and inspects them.
    fn inspect(&mut self, pool: &Pool<Layout<K>>) {
        let partitions = self.split.partitions();
        let bound = if partitions < MANY { SMALL_BOUND } else { BOUND };
        let at_most = |at: &u32| self.at_most(*at as usize);
        let alive = (0..partitions as u32).filter(|at| at_most(at) > 0);
        let (large, mut normal): (Vec<u32>, Vec<u32>) = alive.partition(|at| at_most(at) > bound);
        normal.sort_by_key(|at| std::cmp::Reverse(at_most(at)));
        let inspect = |at: &u32| {
            let (left, right) = self.sides(*at as usize);
            pool.with(Layout::new, |layout| Inspected::new(left, right, self.split, layout))
        };
        self.inspected = large.par_iter().map(inspect).collect();
        self.normal = normal;
    }

    fn number_tasks(&mut self) {
        for (at, inspected) in self.inspected.iter().enumerate() {
            self.heavy.extend((0..inspected.heavy.len()).map(|group| Heavy::Inspected(at, group)));
            self.runs.extend((0..inspected.runs.len()).map(|run| (at, run)));
        }
        let mut tasks = 0;
        for heavy in &self.heavy {
            tasks += self.lists(*heavy).2.blocks();
            self.heavy_starts.push(tasks);
        }
    }

    /// The most pairs a partition can hold.
    fn at_most(&self, at: usize) -> u64 {
        match self.sides(at) {
            (left, Some(right)) => Product::Rectangle(left.len(), right.len()).pairs(),
            (entries, None) => Product::Triangle(entries.len()).pairs(),
        }
    }

    fn sides(&self, at: usize) -> (&[super::Tuple<K>], Option<&[super::Tuple<K>]>) {
        (self.left.partition(at), self.right.as_ref().map(|right| right.partition(at)))
    }

    /// The lists of a product to be cut.
    fn lists(&self, heavy: Heavy) -> (&[u32], &[u32], Product) {
        match heavy {
            Heavy::Skewed(key) => {
                let left = &self.left.skewed()[self.left.skewed_range(key)];
                let Some(side) = &self.right else { return (left, left, Product::Triangle(left.len())) };
                let right = &side.skewed()[side.skewed_range(key)];
                (left, right, Product::Rectangle(left.len(), right.len()))
            }
            Heavy::Inspected(at, group) => {
                let inspected = &self.inspected[at];
                let group = &inspected.heavy[group];
                let (left, right) = inspected.lists(group);
                (left, right, group.product)
            }
        }
    }

    /// Tasks that are blocks of one key.
    fn blocks(&self) -> usize {
        self.heavy_starts[self.heavy.len()]
    }

    pub fn tasks(&self) -> usize {
        self.blocks() + self.runs.len() + self.normal.len()
    }

    /// Runs a task: first come the blocks of heavy keys, then the runs of inspected partitions, then normal partitions.
    pub fn run<S: Sink>(&self, task: usize, pool: &Pool<Layout<K>>, sink: &mut S) {
        let Some(after) = task.checked_sub(self.blocks()) else { return self.run_block(task, sink) };
        let Some(normal) = after.checked_sub(self.runs.len()) else { return self.run_groups(after, sink) };
        self.run_partition(self.normal[normal] as usize, pool, sink);
    }

    fn run_block<S: Sink>(&self, task: usize, sink: &mut S) {
        let heavy = self.heavy_starts.partition_point(|start| *start <= task) - 1;
        let (left, right, product) = self.lists(self.heavy[heavy]);
        sink.tile(product.tile(task - self.heavy_starts[heavy], left, right));
    }

    fn run_groups<S: Sink>(&self, run: usize, sink: &mut S) {
        let (at, run) = self.runs[run];
        let inspected = &self.inspected[at];
        for group in &inspected.groups[inspected.runs[run].clone()] {
            let (left, right) = inspected.lists(group);
            sink.tile(Tile { left, right, pairing: pairing(group) });
        }
    }

    fn run_partition<S: Sink>(&self, at: usize, pool: &Pool<Layout<K>>, sink: &mut S) {
        let (left, right) = self.sides(at);
        pool.with(Layout::new, |layout| match right {
            Some(right) => {
                layout.meet(left, right, self.split, |left, right| {
                    sink.tile(Tile { left, right, pairing: Pairing::All });
                });
            }
            None => layout.repeat(left, self.split, |rows| {
                sink.tile(Tile { left: rows, right: rows, pairing: Pairing::Ascending });
            }),
        });
    }

    /// The number of pairs of all tasks.
    pub fn pairs(&self, pool: &Pool<Layout<K>>) -> u64 {
        let partition = |at: &u32| {
            let (left, right) = self.sides(*at as usize);
            pool.with(Layout::new, |layout| match right {
                Some(right) => layout.count_meet(left, right, self.split),
                None => layout.count_repeat(left, self.split),
            })
        };
        let skewed = self.heavy.iter().filter(|heavy| matches!(heavy, Heavy::Skewed(_)));
        let known: u64 = skewed.map(|heavy| self.lists(*heavy).2.pairs()).sum();
        let inspected: u64 = self.inspected.iter().map(Inspected::pairs).sum();
        known + inspected + self.normal.par_iter().map(partition).sum::<u64>()
    }

    /// Takes the memory of both sides, to be filled again.
    pub fn into_memory(self) -> (super::Memory<K>, Option<super::Memory<K>>) {
        (self.left.into_memory(), self.right.map(PartitionedSide::into_memory))
    }
}

fn pairing(group: &KeyGroup) -> Pairing {
    if matches!(group.product, Product::Triangle(_)) { Pairing::Ascending } else { Pairing::All }
}
