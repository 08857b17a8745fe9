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
        let method = heads.iter().map(|head| (*head, Method::Rounds)).collect();
        let mut report = FixpointReport { method, ..FixpointReport::default() };
        let (mut before, mut chains) = (vec![0; self.relations.len()], &first);
        loop {
            let known = self.lens();
            let round = self.round(chains, &before, &known, report.rounds.len() as u32 + 1, &heads, cancel)?;
            let is_done = round.relations.iter().all(|(_, new, _)| *new == 0) || recursive.is_empty();
            seen(&round);
            report.rounds.push(round);
            if is_done {
                return Ok(report);
            }
            (before, chains) = (known, &recursive);
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

    /// One round: variants with a delta read the tuples from `before` to `known`, the others all that are known.
    fn round(
        &mut self,
        chains: &[HeadSteps],
        before: &[usize],
        known: &[usize],
        number: u32,
        heads: &[RelationId],
        cancel: Cancel<'_>,
    ) -> Result<FixpointRound> {
        let begun = Instant::now();
        let mut worker = self.worker(known, cancel);
        for HeadSteps { chain, head } in chains {
            let from = if chain.is_delta { before[chain.scanned] } else { 0 };
            worker.apply(chain, from..known[chain.scanned], *head)?;
        }
        let candidates = worker.candidates;
        let added = |head: &RelationId| {
            let (at, len) = (head.0 as usize, self.relations[head.0 as usize].len());
            (*head, (len - known[at]) as u64, len as u64)
        };
        let relations = heads.iter().map(added).collect();
        Ok(FixpointRound { number, relations, candidates, seconds: begun.elapsed().as_secs_f64() })
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
        let known = self.lens();
        self.round(&chains, &known, &known, 1, &[carried.head], cancel)
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
            candidates: total,
            seconds: begun.elapsed().as_secs_f64(),
        };
        seen(&last);
        let method = vec![(carried.head, Method::Carried { column: carried.column })];
        Ok(FixpointReport { rounds: vec![round, last], method })
    }
}
