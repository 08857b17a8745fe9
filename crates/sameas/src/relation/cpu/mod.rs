//! The engine on the host.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::program::{Atom, FixpointRule, RelationDeclaration, RelationId, Term, Variant};
use super::report::{FixpointReport, FixpointRound, Method};
use super::rows::CarriedSource;
use super::{Carried, RelationEngine, RoundObserver, TupleSink};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};

/// Relations in host memory.
pub struct HostRelations {
    tuples: Vec<BTreeSet<Vec<u32>>>,
    held: Held,
}

impl HostRelations {
    pub fn new(budget: MemoryBudget) -> Self {
        Self { tuples: Vec::new(), held: budget.hold(0).unwrap_or_default() }
    }

    fn apply(&self, rule: &FixpointRule) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        self.extend(rule, &rule.first, 0, &mut BTreeMap::new(), &mut found);
        found
    }

    fn extend(
        &self,
        rule: &FixpointRule,
        variant: &Variant,
        at: usize,
        bound: &mut BTreeMap<u32, u32>,
        found: &mut Vec<Vec<u32>>,
    ) {
        let Some(atom) = variant.atoms.get(at) else {
            let value = |term: &Term| match term {
                Term::Variable(variable) => bound[variable],
                Term::Constant(value) => *value,
                Term::Any => 0,
            };
            let holds = variant.filters.iter().all(|f| f.comparison.holds(value(&f.left), value(&f.right)));
            if holds && !variant.absent.iter().any(|atom| self.matches(atom, bound).next().is_some()) {
                found.push(rule.output.iter().map(value).collect());
            }
            return;
        };
        let matches: Vec<_> = self.matches(atom, bound).collect();
        for mut more in matches {
            self.extend(rule, variant, at + 1, &mut more, found);
        }
    }

    fn matches<'a>(
        &'a self,
        atom: &'a Atom,
        bound: &'a BTreeMap<u32, u32>,
    ) -> impl Iterator<Item = BTreeMap<u32, u32>> + 'a {
        self.tuples[atom.relation.0 as usize].iter().filter_map(move |tuple| {
            let mut bound = bound.clone();
            let fits = atom.terms.iter().zip(tuple).all(|(term, value)| match term {
                Term::Variable(variable) => *bound.entry(*variable).or_insert(*value) == *value,
                Term::Constant(constant) => constant == value,
                Term::Any => true,
            });
            fits.then_some(bound)
        })
    }
}

impl RelationEngine for HostRelations {
    fn declare(&mut self, _: &RelationDeclaration) -> Result<()> {
        self.tuples.push(BTreeSet::new());
        Ok(())
    }

    fn insert(&mut self, id: RelationId, columns: &[&[u32]], _: Cancel<'_>) -> Result<u64> {
        let tuples = &mut self.tuples[id.0 as usize];
        let before = tuples.len();
        tuples.extend((0..columns[0].len()).map(|row| columns.iter().map(|column| column[row]).collect()));
        self.held.add((tuples.len() - before) * 64)?;
        Ok((tuples.len() - before) as u64)
    }

    fn len(&self, id: RelationId) -> u64 {
        self.tuples[id.0 as usize].len() as u64
    }

    fn fixpoint(
        &mut self,
        rules: &[FixpointRule],
        _: Option<&Carried>,
        cancel: Cancel<'_>,
        seen: &mut RoundObserver<'_>,
    ) -> Result<FixpointReport> {
        let heads: BTreeSet<RelationId> = rules.iter().map(|rule| rule.head).collect();
        let mut rounds: Vec<FixpointRound> = Vec::new();
        let mut is_done = false;
        while !is_done {
            cancel.check();
            let start = Instant::now();
            let before: Vec<u64> = heads.iter().map(|head| self.len(*head)).collect();
            let found: Vec<Vec<Vec<u32>>> = rules.iter().map(|rule| self.apply(rule)).collect();
            let candidates = found.iter().map(|tuples| tuples.len() as u64).sum();
            for (rule, tuples) in rules.iter().zip(found) {
                self.tuples[rule.head.0 as usize].extend(tuples);
            }
            let added = heads.iter().zip(before).map(|(head, before)| {
                let now = self.len(*head);
                (*head, now - before, now)
            });
            let relations: Vec<_> = added.collect();
            is_done = relations.iter().all(|(_, new, _)| *new == 0);
            self.held.add(relations.iter().map(|(_, new, _)| *new as usize * 64).sum())?;
            let number = rounds.len() as u32 + 1;
            let round = FixpointRound { number, relations, candidates, seconds: start.elapsed().as_secs_f64() };
            seen(&round);
            rounds.push(round);
        }
        Ok(FixpointReport { rounds, method: heads.into_iter().map(|head| (head, Method::Rounds)).collect() })
    }

    fn carried_rows<'a>(
        &'a mut self,
        _: &[FixpointRule],
        _: &Carried,
        _: Cancel<'_>,
    ) -> Result<Option<Box<dyn CarriedSource + 'a>>> {
        Ok(None)
    }

    fn counts(&self, from: RelationId, group: &[usize], _: Cancel<'_>) -> Result<Vec<Vec<u32>>> {
        let mut counts: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        if group.is_empty() {
            counts.insert(Vec::new(), 0);
        }
        for tuple in &self.tuples[from.0 as usize] {
            *counts.entry(group.iter().map(|column| tuple[*column]).collect()).or_default() += 1;
        }
        let mut columns = vec![Vec::new(); group.len() + 1];
        for (group, count) in counts {
            columns.iter_mut().zip(group.iter().chain([&count])).for_each(|(column, value)| column.push(*value));
        }
        Ok(columns)
    }

    fn sorted(&self, id: RelationId, cancel: Cancel<'_>, block: &mut TupleSink<'_>) -> Result<()> {
        let tuples: Vec<&Vec<u32>> = self.tuples[id.0 as usize].iter().collect();
        for some in tuples.chunks(1 << 12) {
            cancel.check();
            let column = |at: usize| some.iter().map(|tuple| tuple[at]).collect();
            block(&(0..some[0].len()).map(column).collect::<Vec<Vec<u32>>>())?;
        }
        Ok(())
    }
}
