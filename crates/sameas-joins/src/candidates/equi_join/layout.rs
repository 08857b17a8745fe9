//! The adjacency layout of one partition: keys numbered by a table, payloads of a key side by side, no chains.
//!
//! Three passes over each side: number the keys and count, turn counts into places, move the payloads. Each is free of
//! branches that depend on the data, save for the rare collision in the table. Payloads keep the order of the input,
//! because they are moved in that order.

use std::hint::select_unpredictable;
use std::mem::{replace, take};

use super::key::{HashSplit, Key};
use super::source::Tuple;

/// Numbers keys from 1 in order of first appearance. Entries are tag and number in one word; keys are compared whole.
pub struct KeyTable<K> {
    /// Tag in the high half, number in the low half; 0 is free.
    slots: Vec<u64>,
    /// Keys by number, kept where the tag is not the key.
    keys: Vec<K>,
    shift: u32,
    len: u32,
}

impl<K> Default for KeyTable<K> {
    fn default() -> Self {
        Self { slots: Vec::new(), keys: Vec::new(), shift: 63, len: 0 }
    }
}

impl<K: Key> KeyTable<K> {
    /// Empties the table and makes it large enough for this many keys: at most a quarter full, because a collision is a
    /// branch mispredicted, which costs more than clearing the slots.
    pub fn reset(&mut self, keys: usize) {
        let slots = (4 * keys).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(slots, 0);
        self.shift = 64 - slots.trailing_zeros();
        self.len = 0;
        self.keys.clear();
        self.keys.push(K::default());
    }

    /// How many keys are known.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// The slot that holds the key, or the free one where it belongs, and its entry. Ends, as most slots are free.
    #[inline(always)]
    fn slot(&self, key: K, hash: u64) -> (usize, u64) {
        let mut at = (hash >> self.shift) as usize;
        loop {
            let entry = self.slots[at];
            // One branch, not two: whether a key is new cannot be predicted, that it needs no second slot can. The
            // product is 0 where the slot is free or the tags agree, and unlike an "or" compilers leave it whole.
            let other = u64::from(entry as u32) * ((entry >> 32) ^ u64::from(key.tag()));
            if other == 0 && (K::TAG_IS_KEY || entry == 0 || self.keys[entry as u32 as usize] == key) {
                return (at, entry);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// The number of a key, or 0.
    #[inline(always)]
    pub fn find(&self, key: K, hash: u64) -> u32 {
        self.slot(key, hash).1 as u32
    }

    /// The number of a key, a new one where it is new. New and known keys take the same way: which it is cannot be
    /// predicted.
    #[inline(always)]
    pub fn number(&mut self, key: K, hash: u64) -> u32 {
        let (at, entry) = self.slot(key, hash);
        let new = entry == 0;
        self.len += u32::from(new);
        let number = select_unpredictable(new, self.len, entry as u32);
        self.slots[at] = u64::from(key.tag()) << 32 | u64::from(number);
        if !K::TAG_IS_KEY && new {
            self.keys.push(key);
        }
        number
    }
}

/// One side of a layout: where each key's payloads end, by key number, and the payloads.
#[derive(Default)]
struct Grouped {
    numbers: Vec<u32>,
    waiting: Vec<u32>,
    ends: Vec<u32>,
    payloads: Vec<u32>,
}

impl Grouped {
    /// Makes room for this many tuples and keys, with counts of zero.
    fn reset(&mut self, tuples: usize, keys: usize) {
        self.ends.clear();
        self.ends.resize(keys + 1, 0);
        for list in [&mut self.numbers, &mut self.waiting, &mut self.payloads] {
            if list.len() < tuples {
                list.resize(tuples, 0);
            }
        }
    }

    /// Moves the first `tuples` waiting payloads to their keys. Before, `ends` holds where each key starts.
    #[inline(always)]
    fn scatter(&mut self, tuples: usize) {
        let (ends, payloads) = (&mut self.ends[..], &mut self.payloads[..tuples]);
        for (number, payload) in self.numbers[..tuples].iter().zip(&self.waiting[..tuples]) {
            let end = &mut ends[*number as usize];
            payloads[*end as usize] = *payload;
            *end += 1;
        }
    }

    #[inline(always)]
    fn payloads(&self, number: usize) -> &[u32] {
        &self.payloads[self.ends[number - 1] as usize..self.ends[number] as usize]
    }
}

/// Memory for laying out partitions, used again and again.
pub struct Layout<K> {
    table: KeyTable<K>,
    build: Grouped,
    probe: Grouped,
    live: Vec<u32>,
    swapped: bool,
}

impl<K: Key> Layout<K> {
    pub fn new() -> Self {
        let (build, probe) = (Grouped::default(), Grouped::default());
        Self { table: KeyTable::default(), build, probe, live: Vec::new(), swapped: false }
    }

    /// Lays out two sides and hands each key they share to `take`: its left and its right payloads.
    pub fn meet(
        &mut self,
        left: &[Tuple<K>],
        right: &[Tuple<K>],
        split: HashSplit,
        mut take: impl FnMut(&[u32], &[u32]),
    ) {
        self.swapped = right.len() < left.len();
        let (build, probe) = if self.swapped { (right, left) } else { (left, right) };
        self.count_build(build, split);
        let found = self.count_probe(probe, split);
        let live = self.place();
        self.build.scatter(build.len());
        self.probe.scatter(found);
        for number in &self.live[..live] {
            let (build, probe) = (self.build.payloads(*number as usize), self.probe.payloads(*number as usize));
            if self.swapped { take(probe, build) } else { take(build, probe) }
        }
    }

    /// Lays out one side and hands each key that occurs twice or more to `take`.
    pub fn repeat(&mut self, tuples: &[Tuple<K>], split: HashSplit, mut take: impl FnMut(&[u32])) {
        self.count_build(tuples, split);
        let keys = self.table.len();
        let (mut end, mut live) = (0, 0);
        self.live.resize(keys.max(self.live.len()), 0);
        for number in 1..=keys {
            let count = replace(&mut self.build.ends[number], end);
            end += count;
            self.live[live] = number as u32;
            live += usize::from(count > 1);
        }
        self.build.scatter(tuples.len());
        self.live[..live].iter().for_each(|number| take(self.build.payloads(*number as usize)));
    }

    /// The number of pairs [`meet`](Self::meet) stands for: each tuple of one side adds the other's count of its key.
    pub fn count_meet(&mut self, left: &[Tuple<K>], right: &[Tuple<K>], split: HashSplit) -> u64 {
        let (build, probe) = if right.len() < left.len() { (right, left) } else { (left, right) };
        self.count_build(build, split);
        let partners = |tuple: &Tuple<K>| {
            let number = self.table.find(tuple.key, split.within(tuple.key.hash()));
            u64::from(self.build.ends[number as usize])
        };
        probe.iter().map(partners).sum()
    }

    /// The number of pairs [`repeat`](Self::repeat) stands for.
    pub fn count_repeat(&mut self, tuples: &[Tuple<K>], split: HashSplit) -> u64 {
        self.count_build(tuples, split);
        self.build.ends[1..=self.table.len()].iter().map(|count| triangle(u64::from(*count))).sum()
    }

    /// Numbers the keys of the building side; `ends` then holds how often each occurs.
    fn count_build(&mut self, tuples: &[Tuple<K>], split: HashSplit) {
        self.table.reset(tuples.len());
        self.build.reset(tuples.len(), tuples.len());
        // A table on the stack keeps its parts in registers.
        let mut table = take(&mut self.table);
        let ends = &mut self.build.ends[..];
        let places = self.build.numbers.iter_mut().zip(&mut self.build.waiting);
        for (tuple, (place, waiting)) in tuples.iter().zip(places) {
            let number = table.number(tuple.key, split.within(tuple.key.hash()));
            *place = number;
            *waiting = tuple.payload;
            ends[number as usize] += 1;
        }
        self.table = table;
    }

    /// Keeps the tuples of the other side whose key is known and counts them; returns how many there are.
    fn count_probe(&mut self, tuples: &[Tuple<K>], split: HashSplit) -> usize {
        self.probe.reset(tuples.len(), self.table.len());
        let table = take(&mut self.table);
        let Grouped { numbers, waiting, ends, .. } = &mut self.probe;
        let (numbers, waiting, ends) = (&mut numbers[..tuples.len()], &mut waiting[..tuples.len()], &mut ends[..]);
        let mut found = 0;
        for tuple in tuples {
            let number = table.find(tuple.key, split.within(tuple.key.hash()));
            numbers[found] = number;
            waiting[found] = tuple.payload;
            ends[number as usize] += 1;
            found += usize::from(number != 0);
        }
        // Number 0 has counted the strangers, which take no place.
        ends[0] = 0;
        self.table = table;
        found
    }

    /// Turns the counts of both sides into places and lists the keys both sides have; returns how many.
    fn place(&mut self) -> usize {
        let keys = self.table.len();
        let (mut build, mut probe, mut live) = (0, 0, 0);
        self.live.resize(keys.max(self.live.len()), 0);
        let counts = self.build.ends[1..=keys].iter_mut().zip(&mut self.probe.ends[1..=keys]);
        for (number, (build_count, probe_count)) in counts.enumerate() {
            self.live[live] = number as u32 + 1;
            live += usize::from(*probe_count > 0);
            build += replace(build_count, build);
            probe += replace(probe_count, probe);
        }
        live
    }
}

/// The number of pairs of this many entries.
pub fn triangle(entries: u64) -> u64 {
    entries * entries.saturating_sub(1) / 2
}
