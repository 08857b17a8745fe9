//! Fixpoints on a device: rounds of all rules, or rows of a carried column.

use std::time::Instant;

use super::chain::DeviceChain;
use super::lists::CarriedLists;
use super::{GpuRelations, beyond_kernels};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::relation::program::{FixpointRule, RelationId, Variant};
use crate::relation::report::{FixpointReport, FixpointRound, Method};
use crate::relation::{Carried, RoundObserver};

/// What a device does for a variant, and the relation that it adds to.
struct HeadSteps {
    chain: DeviceChain,
    head: usize,
}

/// How many tuples the rounds so far have found.
struct KnownTuples {
    /// By relation: its tuples before the round that has added to it last.
    before: Vec<usize>,
    /// By relation: its tuples.
    now: Vec<usize>,
    /// All tuples of the relations that the rules extend.
    of_heads: u64,
}

impl KnownTuples {
    fn new(relations: &GpuRelations, heads: &[RelationId]) -> Self {
        let now = relations.lens();
        let of_heads = heads.iter().map(|head| now[head.0 as usize] as u64).sum();
        Self { before: now.clone(), now, of_heads }
    }

    fn add(&mut self, round: &FixpointRound) {
        for (id, _, all) in &round.relations {
            let at = id.0 as usize;
            (self.before[at], self.now[at]) = (self.now[at], *all as usize);
        }
        self.of_heads = round.tuples;
    }
}

/// The chains that read what is new of a relation; `readers` are sorted by relations.
fn reading<'a>(readers: &[(usize, &'a HeadSteps)], relation: usize) -> impl Iterator<Item = &'a HeadSteps> {
    let start = readers.partition_point(|(scanned, _)| *scanned < relation);
    readers[start..].iter().take_while(move |(scanned, _)| *scanned == relation).map(|(_, steps)| *steps)
}

impl GpuRelations {
    pub(super) fn fixpoint_here(
        &mut self,
        rules: &[FixpointRule],
        carried: Option<&Carried>,
        cancel: Cancel<'_>,
        seen: &mut RoundObserver<'_>,
    ) -> Result<FixpointReport> {
        if let Some(carried) = carried.filter(|carried| self.has_lists(carried)) {
            return self.carried_here(rules, carried, cancel, seen);
        }
        let mut heads: Vec<RelationId> = rules.iter().map(|rule| rule.head).collect();
        heads.sort_unstable();
        heads.dedup();
        let first = self.chains(rules, |rule| std::slice::from_ref(&rule.first))?;
        let recursive = self.chains(rules, |rule| &rule.recursive)?;
        let readers = recursive.iter().map(|steps| (steps.chain.scanned, steps));
        let mut readers: Vec<(usize, &HeadSteps)> = readers.collect();
        readers.sort_by_key(|(scanned, _)| *scanned);
        let mut known = KnownTuples::new(self, &heads);
        let method = heads.iter().map(|head| (*head, Method::Rounds)).collect();
        let mut report = FixpointReport { method, ..FixpointReport::default() };
        let mut active: Vec<&HeadSteps> = first.iter().collect();
        loop {
            let round = self.round(&active, &known, report.rounds.len() as u32 + 1, cancel)?;
            let is_done = round.relations.is_empty() || recursive.is_empty();
            seen(&round);
            known.add(&round);
            active = round.relations.iter().flat_map(|(id, ..)| reading(&readers, id.0 as usize)).collect();
            report.rounds.push(round);
            if is_done {
                return Ok(report);
            }
        }
    }

    /// The chains of some variants of each rule.
    fn chains(&self, rules: &[FixpointRule], of: impl Fn(&FixpointRule) -> &[Variant]) -> Result<Vec<HeadSteps>> {
        let bits: Vec<_> = self.relations.iter().map(|relation| &relation.bits).collect();
        let chain = |rule: &FixpointRule, variant: &Variant| {
            let head = rule.head.0 as usize;
            let chain = DeviceChain::new(variant, &rule.output, bits[head], &bits);
            chain.map(|chain| HeadSteps { chain, head }).ok_or_else(|| beyond_kernels(&format!("rule `{}`", rule.name)))
        };
        rules
            .iter()
            .flat_map(|rule| of(rule).iter().map(move |variant| (rule, variant)))
            .map(|(r, v)| chain(r, v))
            .collect()
    }

    /// One round: variants with a delta read what the last one has added, the others all that is known.
    fn round(
        &mut self,
        chains: &[&HeadSteps],
        known: &KnownTuples,
        number: u32,
        cancel: Cancel<'_>,
    ) -> Result<FixpointRound> {
        let begun = Instant::now();
        let mut worker = self.worker(&known.now, cancel);
        for HeadSteps { chain, head } in chains.iter().copied() {
            let from = if chain.is_delta { known.before[chain.scanned] } else { 0 };
            worker.apply(chain, from..known.now[chain.scanned], *head)?;
        }
        let candidates = worker.candidates;
        let mut heads: Vec<usize> = chains.iter().map(|steps| steps.head).collect();
        heads.sort_unstable();
        heads.dedup();
        let added = |head: usize| {
            let (before, len) = (known.now[head], self.relations[head].len());
            (len > before).then(|| (RelationId(head as u32), (len - before) as u64, len as u64))
        };
        let relations: Vec<(RelationId, u64, u64)> = heads.into_iter().filter_map(added).collect();
        let tuples = known.of_heads + relations.iter().map(|(_, new, _)| new).sum::<u64>();
        Ok(FixpointRound { number, relations, tuples, candidates, seconds: begun.elapsed().as_secs_f64() })
    }

    /// Adds the seeds of a carried fixpoint to its head.
    pub(super) fn seed(
        &mut self,
        rules: &[FixpointRule],
        carried: &Carried,
        cancel: Cancel<'_>,
    ) -> Result<FixpointRound> {
        let seeds: Vec<FixpointRule> = carried.seeds.iter().map(|at| rules[*at].clone()).collect();
        let chains = self.chains(&seeds, |rule| std::slice::from_ref(&rule.first))?;
        let known = KnownTuples::new(self, &[carried.head]);
        self.round(&chains.iter().collect::<Vec<_>>(), &known, 1, cancel)
    }

    fn carried_here(
        &mut self,
        rules: &[FixpointRule],
        carried: &Carried,
        cancel: Cancel<'_>,
        seen: &mut RoundObserver<'_>,
    ) -> Result<FixpointReport> {
        let round = self.seed(rules, carried, cancel)?;
        seen(&round);
        let (begun, head) = (Instant::now(), carried.head.0 as usize);
        let before = self.relations[head].len() as u64;
        let lists = CarriedLists::new(self, carried, cancel)?;
        let bits = &self.relations[head].bits;
        let shifts = [bits.shift(carried.column), bits.shift(1 - carried.column)];
        let list = lists.all(&self.gpu, shifts, cancel)?;
        drop(lists);
        let total = list.len() as u64;
        self.relations[head].replace(list);
        // They have another order now.
        self.indexes.retain(|index| index.relation != head);
        let last = FixpointRound {
            number: 2,
            relations: vec![(carried.head, total - before, total)],
            tuples: total,
            candidates: total,
            seconds: begun.elapsed().as_secs_f64(),
        };
        seen(&last);
        let method = vec![(carried.head, Method::Carried { column: carried.column })];
        Ok(FixpointReport { rounds: vec![round, last], method })
    }
}
