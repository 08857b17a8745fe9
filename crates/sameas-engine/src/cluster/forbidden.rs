//! The pairs inside components that a `never` forbids: each of the pairs that the job could form is checked, as the verifier
//! checks candidates, some at a time. How many these are is counted before.

use std::ops::Range;

use rayon::prelude::*;

use super::inside_pairs::InsidePairs;
use crate::cancel::Cancel;
use crate::candidates::{BATCH, Batch};
use crate::dataset::RecordLayout;
use crate::error::{Error, ErrorCode, Result};
use crate::memory::{Held, MemoryBudget};
use crate::rules::Literal;
use crate::score::OutcomeReader;
use crate::verify::Program;

/// Records whose pairs one thread looks at before it takes others.
const RECORDS_AT_A_TIME: usize = 1 << 8;

/// Refuses to look at more pairs than the caller allows.
pub(super) fn check_inside_pairs(pairs: u128, most: Option<u64>) -> Result<()> {
    match most {
        Some(most) if pairs > u128::from(most) => Err(Error::usage(format!(
            "to keep records apart, {pairs} pairs inside components would be looked at, more than the limit of {most}"
        ))
        .with_help(
            "make the rules stricter, so that components are smaller, leave out `keep_apart`, or raise the limit",
        )
        .with_code(ErrorCode::CandidateLimit)),
        _ => Ok(()),
    }
}

/// What forbids pairs, and of which records.
pub(super) struct ForbiddenPairs<'a> {
    pub program: &'a Program,
    pub layout: &'a RecordLayout,
    pub budget: &'a MemoryBudget,
    pub cancel: Cancel<'a>,
}

impl ForbiddenPairs<'_> {
    /// The pairs inside components that a `never` forbids, in order of their records within each component. The memory that
    /// they take is held as long as what comes with them.
    pub fn among(&self, inside: &InsidePairs) -> Result<(Vec<[u32; 2]>, Held)> {
        let nevers: Vec<Vec<Literal>> = self.program.nevers.iter().map(|never| never.literals.clone()).collect();
        let mut held = self.budget.hold(0)?;
        if nevers.is_empty() {
            return Ok((Vec::new(), held));
        }
        let ranges = inside.ranges(RECORDS_AT_A_TIME);
        let reader = || NeverReader::new(self, &nevers);
        let found = ranges.map_init(reader, |reader, places| reader.of_places(inside, places));
        let found = found.collect::<Result<Vec<(Vec<[u32; 2]>, Held)>>>()?;
        let pairs: usize = found.iter().map(|(pairs, _)| pairs.len()).sum();
        held.reach(pairs * size_of::<[u32; 2]>())?;
        let mut all = Vec::with_capacity(pairs);
        found.into_iter().for_each(|(pairs, _)| all.extend(pairs));
        Ok((all, held))
    }
}

/// One thread's reader of pairs.
struct NeverReader<'a> {
    of: &'a ForbiddenPairs<'a>,
    nevers: &'a [Vec<Literal>],
    reader: OutcomeReader<'a>,
    batch: Batch,
    /// The pairs of the batch at hand.
    open: Vec<[u32; 2]>,
    holds: Vec<bool>,
}

impl<'a> NeverReader<'a> {
    fn new(of: &'a ForbiddenPairs<'a>, nevers: &'a [Vec<Literal>]) -> Self {
        let (reader, batch) = (OutcomeReader::new(of.program), Batch::default());
        Self { of, nevers, reader, batch, open: Vec::with_capacity(BATCH), holds: Vec::new() }
    }

    /// The forbidden pairs of the records at some places and those after each in its component.
    fn of_places(&mut self, inside: &InsidePairs, places: Range<usize>) -> Result<(Vec<[u32; 2]>, Held)> {
        let (mut found, mut held) = (Vec::new(), self.of.budget.hold(0)?);
        for place in places {
            let (row, mut partners) = inside.partners(place);
            while !partners.is_empty() {
                let (some, rest) = partners.split_at(partners.len().min(BATCH - self.open.len()));
                self.open.extend(some.iter().map(|partner| [row, *partner]));
                partners = rest;
                if self.open.len() == BATCH {
                    self.judge(&mut found, &mut held)?;
                }
            }
        }
        self.judge(&mut found, &mut held)?;
        Ok((found, held))
    }

    fn judge(&mut self, found: &mut Vec<[u32; 2]>, held: &mut Held) -> Result<()> {
        self.of.cancel.check();
        if self.open.is_empty() {
            return Ok(());
        }
        let row = |record: u32| self.of.layout.place(record).1;
        self.batch.set(self.open.iter().map(|[a, b]| (row(*a), row(*b))));
        self.reader.forget();
        self.reader.holds(&self.batch, self.nevers, &mut self.holds);
        let judged = self.open.iter().zip(&self.holds);
        found.extend(judged.filter(|(_, holds)| **holds).map(|(pair, _)| *pair));
        self.open.clear();
        held.reach(found.capacity() * size_of::<[u32; 2]>())
    }
}
