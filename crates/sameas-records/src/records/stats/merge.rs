//! Statistics of parts put together: in whatever order and grouping, the result is the same, bit by bit.
//!
//! Numbers of rows and pairs are whole numbers that are added, registers of sketches have a greatest one, counters are added,
//! and of samples those with the least hashes stay. What only a count of all records together says is lost, unless all of
//! them were in one part.

use std::collections::{BTreeMap, BTreeSet};

use super::equality::{DRAWN_PAIRS, EqualityStatistics, SampledRow};
use super::operand::OperandStatistics;
use super::sampled::LeastRows;
use super::statistics::{SampledRecord, Statistics, sampled_of_each};
use crate::error::{Error, ErrorCode, Result};

/// Which of two parts have records: what is exact of one stays so where the other has none.
#[derive(Clone, Copy)]
struct Present {
    own: bool,
    others: bool,
}

impl Present {
    fn exact<T>(self, own: Option<T>, others: Option<T>) -> Option<T> {
        match (self.own, self.others) {
            (true, true) => None,
            (false, true) => others,
            (_, false) => own,
        }
    }
}

impl Statistics {
    /// Puts the statistics of two parts of a job's records together. No record may be in both. It does not matter in which
    /// order and grouping parts are put together. Statistics of other jobs, or made by another version, are refused.
    pub fn merge(mut self, other: Self) -> Result<Self> {
        self.check_version()?;
        other.check_version()?;
        self.check_mergeable(&other)?;
        let present = Present { own: self.record_count() > 0, others: other.record_count() > 0 };
        for (own, others) in self.inputs.iter_mut().zip(&other.inputs) {
            own.rows += others.rows;
        }
        for (own, others) in self.operands.values_mut().zip(other.operands.into_values()) {
            merge_operand(own, others, present);
        }
        for (own, others) in self.equalities.values_mut().zip(other.equalities.into_values()) {
            merge_equality(own, others, present);
        }
        let most = sampled_of_each(self.inputs.len());
        for (own, others) in self.samples.iter_mut().zip(other.samples) {
            *own = LeastRows::ascending(std::mem::take(own), most).union(LeastRows::ascending(others, most)).rows;
        }
        let records = std::mem::take(&mut self.records);
        self.records = merge_records(records, other.records, &self.named_records());
        Ok(self)
    }

    /// Refuses what another version has made.
    #[doc(hidden)]
    pub fn check_version(&self) -> Result<()> {
        if self.version == Self::VERSION {
            return Ok(());
        }
        Err(Error::data(format!("the statistics have version {}, and {} is read", self.version, Self::VERSION))
            .with_help("make them and use them by one version of sameas")
            .with_code(ErrorCode::OtherStatistics))
    }

    fn check_mergeable(&self, other: &Self) -> Result<()> {
        let names = |of: &Self| of.inputs.iter().map(|input| input.name.clone()).collect::<Vec<String>>();
        let are_of_one_job = (self.seed, self.link_type) == (other.seed, other.link_type)
            && names(self) == names(other)
            && self.samples.len() == other.samples.len()
            && self.operands.keys().eq(other.operands.keys())
            && self.equalities.keys().eq(other.equalities.keys())
            && self.conditions == other.conditions;
        if !are_of_one_job {
            let message = "the statistics are of different jobs, or of inputs with other names";
            return Err(Error::usage(message).with_code(ErrorCode::OtherStatistics));
        }
        let have_sketches = |of: &Self| of.operands.values().all(|operand| operand.sketches.is_some());
        match have_sketches(self) && have_sketches(other) {
            true => Ok(()),
            false => Err(Error::data("the statistics have no sketches, so that they cannot be put together")
                .with_code(ErrorCode::OtherStatistics)),
        }
    }
}

fn merge_operand(own: &mut OperandStatistics, others: OperandStatistics, present: Present) {
    own.rows += others.rows;
    own.nulls += others.nulls;
    own.signature_bytes += others.signature_bytes;
    for (tokenizer, bytes) in others.set_bytes {
        *own.set_bytes.entry(tokenizer).or_default() += bytes;
    }
    own.exact = present.exact(own.exact, others.exact);
    if let (Some(own), Some(others)) = (&mut own.sketches, &others.sketches) {
        own.merge(others);
    }
}

fn merge_equality(own: &mut EqualityStatistics, others: EqualityStatistics, present: Present) {
    own.twice_within += others.twice_within;
    own.exact = present.exact(own.exact.take(), others.exact);
    if let (Some(own), Some(others)) = (&mut own.drawn, others.drawn) {
        own.extend(others);
        own.sort_unstable();
        own.dedup();
        own.truncate(DRAWN_PAIRS);
    }
}

/// Those of all records that are named still.
fn merge_records(
    own: Vec<SampledRecord>,
    others: Vec<SampledRecord>,
    named: &BTreeSet<SampledRow>,
) -> Vec<SampledRecord> {
    let all: BTreeMap<_, _> = own.into_iter().chain(others).map(|record| (record.of, record)).collect();
    all.into_values().filter(|record| named.contains(&record.of)).collect()
}
