//! Rounds: each evaluates the rules on what the last one has added, until nothing is new.
//!
//! There may be as many rounds as relations, so a round costs what it looks at: the chains that read what is new, and the
//! relations that they add to.

use std::ops::Range;
use std::time::Instant;

use super::HostRelations;
use super::chain::{Chain, ChainWalk, compile};
use super::inserter::Inserters;
use super::set::{TupleBits, bytes_of_bits};
use super::store::TupleBlock;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::relation::RoundObserver;
use crate::relation::program::{FixpointRule, RelationId, Variant};
use crate::relation::report::{FixpointReport, FixpointRound, Method};

/// Bits that say which rows of a chain went on take at most this share of the memory that is left.
const SEEN_SHARE: usize = 8;

/// Evaluates rules to their fixpoint.
pub fn fixpoint(
    host: &mut HostRelations,
    rules: &[FixpointRule],
    cancel: Cancel<'_>,
    seen: &mut RoundObserver<'_>,
) -> Result<FixpointReport> {
    let mut rounds = Rounds::new(host, rules, cancel);
    let mut report = FixpointReport::default();
    loop {
        let round = rounds.round(report.rounds.len() as u32 + 1)?;
        seen(&round);
        let is_last = round.relations.is_empty() || !rounds.is_recursive();
        report.rounds.push(round);
        if is_last {
            break;
        }
    }
    report.method = rounds.heads.iter().map(|head| (*head, Method::Rounds)).collect();
    rounds.finish();
    Ok(report)
}

/// What one rule gives from everything, without duplicates being removed.
pub fn all_of(host: &mut HostRelations, rule: &FixpointRule, cancel: Cancel<'_>) -> Result<Vec<TupleBlock>> {
    let chain = compile(&rule.first, &rule.output, &host.relations, &|_| true, &mut host.indexes);
    let HostRelations { relations, indexes, budget } = host;
    let delta_of = |_: RelationId| 0..0;
    indexes.update(&chain.indexes(), relations, &delta_of, budget, cancel)?;
    let inserters = Inserters::new(rule.output.len(), None, budget);
    let walk = ChainWalk { chain: &chain, relations, indexes, delta_of: &delta_of, inserters: &inserters, cancel };
    walk.run();
    Ok(inserters.finish()?.0)
}

/// A way to evaluate a rule, compiled.
struct Compiled {
    head: RelationId,
    chain: Chain,
    /// The relation whose last tuples it reads; none in the first round.
    delta: Option<RelationId>,
}

struct Rounds<'a> {
    host: &'a mut HostRelations,
    first: Vec<Compiled>,
    recursive: Vec<Compiled>,
    /// The relations whose last tuples are read, ascending, each with a recursive chain that reads them.
    readers: Vec<(RelationId, usize)>,
    /// The relations that the rules extend, ascending.
    heads: Vec<RelationId>,
    /// Those that the last round has added to, ascending, with the blocks that it has added.
    deltas: Vec<(RelationId, Range<usize>)>,
    /// All tuples of the heads.
    tuples: u64,
    cancel: Cancel<'a>,
}

impl<'a> Rounds<'a> {
    fn new(host: &'a mut HostRelations, rules: &[FixpointRule], cancel: Cancel<'a>) -> Self {
        let heads = ascending(rules.iter().map(|rule| rule.head));
        let is_static = |id: RelationId| heads.binary_search(&id).is_err();
        let (relations, indexes) = (&host.relations, &mut host.indexes);
        let mut compiled = |rule: &FixpointRule, variant: &Variant| Compiled {
            head: rule.head,
            chain: compile(variant, &rule.output, relations, &is_static, indexes),
            delta: variant.delta.map(|delta| variant.atoms[delta].relation),
        };
        let first = rules.iter().map(|rule| compiled(rule, &rule.first)).collect();
        let recursive = rules.iter().flat_map(|rule| rule.recursive.iter().map(move |variant| (rule, variant)));
        let recursive: Vec<Compiled> = recursive.map(|(rule, variant)| compiled(rule, variant)).collect();
        let readers = recursive.iter().enumerate().filter_map(|(at, compiled)| Some((compiled.delta?, at)));
        let readers = ascending(readers);
        let tuples = heads.iter().map(|head| relations[head.0 as usize].store.len()).sum();
        Self { host, first, recursive, readers, heads, deltas: Vec::new(), tuples, cancel }
    }

    fn is_recursive(&self) -> bool {
        !self.recursive.is_empty()
    }

    /// Evaluates what there is to evaluate, and adds what is new.
    fn round(&mut self, number: u32) -> Result<FixpointRound> {
        let start = Instant::now();
        let is_first = number == 1;
        let mut chains = std::mem::take(if is_first { &mut self.first } else { &mut self.recursive });
        let active = if is_first { self.beginning(&chains) } else { self.reading_new() };
        self.prepare(&mut chains, &active)?;
        let (mut found, mut candidates) = (Vec::new(), 0);
        for at in active {
            let (blocks, offered) = self.evaluate(&chains[at])?;
            found.push((chains[at].head, blocks));
            candidates += offered;
        }
        if !is_first {
            self.recursive = chains;
        }
        let relations = self.add(found);
        let (tuples, seconds) = (self.tuples, start.elapsed().as_secs_f64());
        Ok(FixpointRound { number, relations, tuples, candidates, seconds })
    }

    /// The chains that begin with a relation that has tuples, or with none.
    fn beginning(&self, chains: &[Compiled]) -> Vec<usize> {
        let begins = |compiled: &Compiled| {
            let scan = compiled.chain.scan.as_ref();
            scan.is_none_or(|scan| self.host.relations[scan.relation.0 as usize].store.len() > 0)
        };
        (0..chains.len()).filter(|at| begins(&chains[*at])).collect()
    }

    /// The recursive chains that read what the last round has added, in their order.
    fn reading_new(&self) -> Vec<usize> {
        let mut active = Vec::new();
        for (id, _) in &self.deltas {
            let start = self.readers.partition_point(|(delta, _)| delta < id);
            let own = self.readers[start..].iter().take_while(|(delta, _)| delta == id);
            active.extend(own.map(|(_, chain)| *chain));
        }
        active.sort_unstable();
        active
    }

    /// Sets of the heads, indexes, and the bits of chains that go on once from the same values.
    fn prepare(&mut self, chains: &mut [Compiled], active: &[usize]) -> Result<()> {
        for head in ascending(active.iter().map(|at| chains[*at].head)) {
            self.host.provide_set(head, self.cancel)?;
        }
        let wanted = ascending(active.iter().flat_map(|at| chains[*at].chain.indexes()));
        let deltas = &self.deltas;
        let HostRelations { relations, indexes, budget } = &mut *self.host;
        indexes.update(&wanted, relations, &|id| delta_in(deltas, id), budget, self.cancel)?;
        for at in active {
            let Chain { joins, seen, .. } = &mut chains[*at].chain;
            for (step, seen) in joins.iter_mut().zip(seen) {
                let fits = |domains: &Vec<u64>| bytes_of_bits(domains).is_some_and(|b| b <= budget.room() / SEEN_SHARE);
                if let Some(domains) = step.once.take().filter(fits) {
                    *seen = Some(TupleBits::new(&domains, budget)?);
                }
            }
        }
        Ok(())
    }

    fn evaluate(&self, compiled: &Compiled) -> Result<(Vec<TupleBlock>, u64)> {
        let HostRelations { relations, indexes, budget } = &*self.host;
        let head = &relations[compiled.head.0 as usize];
        let inserters = Inserters::new(head.declaration.domains.len(), head.set.as_ref(), budget);
        let (chain, cancel) = (&compiled.chain, self.cancel);
        let delta_of = |id: RelationId| delta_in(&self.deltas, id);
        ChainWalk { chain, relations, indexes, delta_of: &delta_of, inserters: &inserters, cancel }.run();
        inserters.finish()
    }

    /// Adds what a round has found; for each relation that it has added to, the new tuples and all that it has.
    fn add(&mut self, found: Vec<(RelationId, Vec<TupleBlock>)>) -> Vec<(RelationId, u64, u64)> {
        let relations = &mut self.host.relations;
        let heads = ascending(found.iter().map(|(head, _)| *head));
        let before: Vec<usize> = heads.iter().map(|head| relations[head.0 as usize].store.range().end).collect();
        for (head, blocks) in found {
            relations[head.0 as usize].store.append(blocks, false);
        }
        self.deltas.clear();
        let mut added = Vec::new();
        for (head, start) in heads.into_iter().zip(before) {
            let store = &relations[head.0 as usize].store;
            let delta = start..store.range().end;
            let new = store.len_of(delta.clone());
            if new > 0 {
                added.push((head, new, store.len()));
                self.deltas.push((head, delta));
                self.tuples += new;
            }
        }
        added
    }

    /// Indexes of what the rules have extended are not kept: they are as large as it.
    fn finish(self) {
        self.host.indexes.forget(&self.heads);
    }
}

/// Each of them once.
fn ascending<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The blocks that the last round has added to a relation.
fn delta_in(deltas: &[(RelationId, Range<usize>)], id: RelationId) -> Range<usize> {
    deltas.binary_search_by_key(&id, |(relation, _)| *relation).map_or(0..0, |at| deltas[at].1.clone())
}
