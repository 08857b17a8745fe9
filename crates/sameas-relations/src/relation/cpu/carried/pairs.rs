//! The seeds and the steps of a carried fixpoint, as lists of values by value.

use rayon::prelude::*;

use super::super::HostRelations;
use super::super::fixpoint::all_of;
use super::super::packed::PackedTuple;
use super::super::store::TupleBlock;
use super::ranks::SweepOrder;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};
use crate::relation::Carried;
use crate::relation::program::{FixpointRule, Variant};

/// Lists of values, each with a key.
pub struct PairLists {
    /// Ascending; none where keys are the numbers of the lists.
    keys: Vec<u32>,
    starts: Vec<u32>,
    values: Vec<u32>,
    _held: Held,
}

impl PairLists {
    /// A list for each key that occurs in sorted pairs.
    pub fn by_key(pairs: &SortedPairList, budget: &MemoryBudget) -> Result<Self> {
        let same_key = |a: &u64, b: &u64| a >> 32 == b >> 32;
        let lists = pairs.packed.chunk_by(same_key).count();
        let held = budget.hold((lists * 2 + pairs.len()) * size_of::<u32>())?;
        let (mut keys, mut starts) = (Vec::with_capacity(lists), Vec::with_capacity(lists + 1));
        let mut start = 0;
        for list in pairs.packed.chunk_by(same_key) {
            keys.push((list[0] >> 32) as u32);
            starts.push(start);
            start += list.len() as u32;
        }
        starts.push(start);
        Ok(Self { keys, starts, values: pairs.values(), _held: held })
    }

    /// A list for each value of a domain.
    pub fn by_value(pairs: &SortedPairList, domain: usize, budget: &MemoryBudget) -> Result<Self> {
        let held = budget.hold((domain + 1 + pairs.len()) * size_of::<u32>())?;
        let mut starts = vec![0; domain + 1];
        // Values from which steps lead but that the head cannot have are never reached.
        let of_domain = pairs.packed.iter().map(|pair| (pair >> 32) as usize).filter(|from| *from < domain);
        of_domain.for_each(|from| starts[from + 1] += 1);
        for at in 0..domain {
            starts[at + 1] += starts[at];
        }
        Ok(Self { keys: Vec::new(), starts, values: pairs.values(), _held: held })
    }

    /// The same lists, from ranks to ranks.
    pub fn ranked(&self, ranks: &SweepOrder, budget: &MemoryBudget) -> Result<Self> {
        let held = budget.hold((self.starts.len() + self.values.len()) * size_of::<u32>())?;
        let (mut starts, mut values) = (vec![0], Vec::with_capacity(self.values.len()));
        for value in ranks.values() {
            let first = values.len();
            values.extend(self.list(*value as usize).iter().map(|to| ranks.rank(*to)));
            values[first..].sort_unstable();
            starts.push(values.len() as u32);
        }
        Ok(Self { keys: Vec::new(), starts, values, _held: held })
    }

    /// The keys of the lists.
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// A list by its number.
    #[inline(always)]
    pub fn list(&self, at: usize) -> &[u32] {
        &self.values[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// Different pairs in their order.
pub struct SortedPairList {
    packed: Vec<u64>,
    _held: Held,
}

impl SortedPairList {
    fn new(parts: &[&[TupleBlock]], columns: [usize; 2], budget: &MemoryBudget, cancel: Cancel<'_>) -> Result<Self> {
        let blocks = || parts.iter().flat_map(|part| part.iter());
        let pairs: usize = blocks().map(TupleBlock::len).sum();
        let held = budget.hold(pairs * size_of::<u64>())?;
        let mut packed = Vec::with_capacity(pairs);
        for block in blocks() {
            cancel.check();
            let pairs = block.column(columns[0]).iter().zip(block.column(columns[1]));
            packed.extend(pairs.map(|(a, b)| u64::pack([*a, *b].into_iter())));
        }
        packed.par_sort_unstable();
        packed.dedup();
        Ok(Self { packed, _held: held })
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    fn values(&self) -> Vec<u32> {
        self.packed.iter().map(|pair| *pair as u32).collect()
    }
}

/// The pairs that the recursive rules lead along.
pub fn pairs_of_steps(host: &mut HostRelations, carried: &Carried, cancel: Cancel<'_>) -> Result<SortedPairList> {
    let mut parts = Vec::new();
    for step in &carried.steps {
        let atom = step.atom.clone();
        let output = vec![atom.terms[step.from], atom.terms[step.to]];
        let first = Variant { atoms: vec![atom], filters: step.filters.clone(), ..Variant::default() };
        let rule = FixpointRule { name: String::new(), head: carried.head, output, first, recursive: Vec::new() };
        parts.push(all_of(host, &rule, cancel)?);
    }
    let parts: Vec<&[TupleBlock]> = parts.iter().map(Vec::as_slice).collect();
    SortedPairList::new(&parts, [0, 1], &host.budget, cancel)
}

/// The tuples that the head has and those of the rules that are not recursive, the carried value first.
pub fn pairs_of_seeds(
    host: &mut HostRelations,
    rules: &[FixpointRule],
    carried: &Carried,
    cancel: Cancel<'_>,
) -> Result<SortedPairList> {
    let found = carried.seeds.iter().map(|at| all_of(host, &rules[*at], cancel)).collect::<Result<Vec<_>>>()?;
    let store = &host.relations[carried.head.0 as usize].store;
    let mut parts: Vec<&[TupleBlock]> = found.iter().map(Vec::as_slice).collect();
    parts.push(store.blocks(store.range()));
    SortedPairList::new(&parts, [carried.column, 1 - carried.column], &host.budget, cancel)
}
