//! The program of a job over some of its records alone: as little of it as a part of a branch needs on a device.

use std::sync::Arc;

use rayon::prelude::*;

use crate::expr::Side;
use crate::threshold::{Check, Truth};
use crate::verify::program::Program;

/// Bytes that are read at once.
const SECTOR: usize = 32;

/// What some predicates read, some of it more than once.
pub struct ReadColumns {
    /// Operands.
    pub operands: Vec<usize>,
    /// Token sets.
    pub tokens: Vec<usize>,
}

impl Program {
    /// What these predicates read.
    pub fn read_by(&self, predicates: &[usize]) -> ReadColumns {
        let checks = || predicates.iter().map(|predicate| &self.checks[*predicate]);
        let both = |sides: crate::verify::Sides<usize>| [sides.left, sides.right];
        let compared = checks().filter_map(Check::operands).flat_map(both);
        let operands = compared.chain(checks().flat_map(Check::computed_operands)).collect();
        ReadColumns { operands, tokens: checks().filter_map(Check::tokens).flat_map(both).collect() }
    }

    /// Bytes that what these predicates read takes on a device, about.
    pub fn bytes_read_by(&self, predicates: &[usize]) -> usize {
        let ReadColumns { mut operands, mut tokens } = self.read_by(predicates);
        let domain = |operand: &usize| self.encoded.columns[*operand].domain;
        let mut domains: Vec<usize> = operands.iter().map(domain).collect();
        [&mut operands, &mut tokens, &mut domains].into_iter().for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        let codes = operands.iter().map(|operand| size_of_val(&self.encoded.columns[*operand].codes[..]));
        let texts = domains.iter().filter_map(|domain| self.encoded.domains[*domain].texts.as_ref());
        // Planes take about what characters do, and each text has a head.
        let texts = texts.map(|texts| texts.bytes() + texts.len() * size_of::<u64>());
        let sets = tokens.iter().map(|tokens| self.encoded.tokens[*tokens].bytes());
        codes.chain(texts).chain(sets).sum()
    }

    /// Bytes that an evaluation of a predicate moves over the bus where texts and sets lie on the host: whole sectors, of
    /// both records. Codes are assumed to be on the device. Most texts are refused by their signatures, which are read for
    /// many candidates at a time.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn bytes_read_to_evaluate(&self, predicate: usize) -> f64 {
        let of_sets = |tokens: usize| {
            let (ids, ends) = self.encoded.tokens[tokens].parts();
            (size_of_val(ids) / ends.len().max(1) + SECTOR) as f64
        };
        match &self.checks[predicate] {
            Check::Set { tokens, .. } | Check::Elements { tokens, .. } | Check::ListHasAny { tokens, .. } => {
                of_sets(tokens.left) + of_sets(tokens.right)
            }
            Check::Text { .. } => SECTOR as f64,
            Check::Equal { .. } | Check::OneSided { .. } | Check::Difference { .. } => 0.0,
            Check::SameSource { .. } | Check::Residual { .. } => 0.0,
        }
    }

    /// The program over some records, ascending and by frame, which become rows 0, 1, and so on. Only what these
    /// predicates read is there; tables of verdicts, which know all values, and values of pairs are not.
    pub fn part(&self, rows: &[&[u32]], predicates: &[usize]) -> Self {
        let ReadColumns { operands, tokens } = self.read_by(predicates);
        self.over(rows, self.encoded.part(rows, &operands, &tokens), None)
    }
}

impl Check {
    /// The same check of the rows of a part.
    pub(in crate::verify) fn part(&self, rows: &[&[u32]]) -> Self {
        match self {
            Self::OneSided { side, verdicts } => {
                let of_side = if *side == Side::Left { rows[0] } else { rows[rows.len() - 1] };
                let all = &verdicts[..];
                let chosen = || of_side.par_iter().map(|row| all[*row as usize]).collect::<Vec<Truth>>();
                let has_all = of_side.len() == all.len();
                let verdicts = if has_all { Arc::clone(verdicts) } else { Arc::new(chosen()) };
                Self::OneSided { side: *side, verdicts }
            }
            Self::SameSource { borders } => {
                let place = |border: &u32| rows[0].partition_point(|row| row < border) as u32;
                Self::SameSource { borders: borders.iter().map(place).collect() }
            }
            other => other.clone(),
        }
    }
}
