//! Rounds: each evaluates the rules on what the last one has added, until nothing is new.

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
use crate::relation::program::{FixpointRule, RelationDeclaration, RelationId, Variant};
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
    let mut rounds = Rounds::new(host, rules, cancel)?;
    let mut report = FixpointReport::default();
    loop {
        let round = rounds.round(report.rounds.len() as u32 + 1)?;
        seen(&round);
        let is_last = round.relations.iter().all(|(_, new, _)| *new == 0) || !rounds.is_recursive();
        report.rounds.push(round);
        if is_last {
            break;
        }
    }
    report.method = rounds.heads.iter().map(|(head, _)| (*head, Method::Rounds)).collect();
    rounds.finish();
    Ok(report)
}

/// What one rule gives from everything, without duplicates being removed.
pub fn all_of(host: &mut HostRelations, rule: &FixpointRule, cancel: Cancel<'_>) -> Result<Vec<TupleBlock>> {
    let declarations = declarations(host);
    let chain = compile(&rule.first, &rule.output, &declarations, &|_| true, &mut host.indexes);
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
    /// The relations that the rules extend, and the blocks that the last round has added.
    heads: Vec<(RelationId, Range<usize>)>,
    cancel: Cancel<'a>,
}

impl<'a> Rounds<'a> {
    fn new(host: &'a mut HostRelations, rules: &[FixpointRule], cancel: Cancel<'a>) -> Result<Self> {
        let mut heads: Vec<RelationId> = rules.iter().map(|rule| rule.head).collect();
        heads.sort_unstable();
        heads.dedup();
        let declarations = declarations(host);
        let is_static = |id: RelationId| !heads.contains(&id);
        let mut compiled = |rule: &FixpointRule, variant: &Variant| Compiled {
            head: rule.head,
            chain: compile(variant, &rule.output, &declarations, &is_static, &mut host.indexes),
            delta: variant.delta.map(|delta| variant.atoms[delta].relation),
        };
        let first = rules.iter().map(|rule| compiled(rule, &rule.first)).collect();
        let recursive = rules.iter().flat_map(|rule| rule.recursive.iter().map(move |variant| (rule, variant)));
        let recursive = recursive.map(|(rule, variant)| compiled(rule, variant)).collect();
        let heads = heads.into_iter().map(|head| (head, 0..0)).collect();
        Ok(Self { host, first, recursive, heads, cancel })
    }

    fn is_recursive(&self) -> bool {
        !self.recursive.is_empty()
    }

    /// Evaluates what there is to evaluate, and adds what is new.
    fn round(&mut self, number: u32) -> Result<FixpointRound> {
        let start = Instant::now();
        let chains = std::mem::take(if number == 1 { &mut self.first } else { &mut self.recursive });
        let mut chains = chains;
        self.prepare(&mut chains)?;
        let (mut found, mut candidates) = (Vec::new(), 0);
        for compiled in &chains {
            if compiled.delta.is_none_or(|delta| !self.delta_of(delta).is_empty()) {
                let (blocks, offered) = self.evaluate(compiled)?;
                found.push((compiled.head, blocks));
                candidates += offered;
            }
        }
        if number > 1 {
            self.recursive = chains;
        }
        let relations = self.add(found);
        Ok(FixpointRound { number, relations, candidates, seconds: start.elapsed().as_secs_f64() })
    }

    /// Sets of the heads, indexes, and the bits of chains that go on once from the same values.
    fn prepare(&mut self, chains: &mut [Compiled]) -> Result<()> {
        for at in 0..self.heads.len() {
            self.host.provide_set(self.heads[at].0, self.cancel)?;
        }
        let mut wanted: Vec<usize> = chains.iter().flat_map(|compiled| compiled.chain.indexes()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let heads = self.heads.clone();
        let HostRelations { relations, indexes, budget } = &mut *self.host;
        indexes.update(&wanted, relations, &|id| delta_in(&heads, id), budget, self.cancel)?;
        for Chain { joins, seen, .. } in chains.iter_mut().map(|compiled| &mut compiled.chain) {
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
        let delta_of = |id: RelationId| self.delta_of(id);
        ChainWalk { chain, relations, indexes, delta_of: &delta_of, inserters: &inserters, cancel }.run();
        inserters.finish()
    }

    /// Adds what a round has found; for each head, its new tuples and all that it has.
    fn add(&mut self, found: Vec<(RelationId, Vec<TupleBlock>)>) -> Vec<(RelationId, u64, u64)> {
        let relations = &mut self.host.relations;
        let before: Vec<Range<usize>> =
            self.heads.iter().map(|(head, _)| relations[head.0 as usize].store.range()).collect();
        for (head, blocks) in found {
            relations[head.0 as usize].store.append(blocks, false);
        }
        let added = self.heads.iter_mut().zip(before).map(|((head, delta), before)| {
            let store = &relations[head.0 as usize].store;
            *delta = before.end..store.range().end;
            (*head, store.len_of(delta.clone()), store.len())
        });
        added.collect()
    }

    fn delta_of(&self, id: RelationId) -> Range<usize> {
        delta_in(&self.heads, id)
    }

    /// Indexes of what the rules have extended are not kept: they are as large as it.
    fn finish(self) {
        let Self { host, heads, .. } = self;
        host.indexes.forget(|relation| heads.iter().any(|(head, _)| *head == relation));
    }
}

fn delta_in(heads: &[(RelationId, Range<usize>)], id: RelationId) -> Range<usize> {
    heads.iter().find(|(head, _)| *head == id).map_or(0..0, |(_, delta)| delta.clone())
}

fn declarations(host: &HostRelations) -> Vec<RelationDeclaration> {
    host.relations.iter().map(|relation| relation.declaration.clone()).collect()
}
