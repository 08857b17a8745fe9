//! What a program is expected to cost, before anything is evaluated: by this a device is worth its start or not.

use super::evaluate::distinct_codes;
use super::numbering::CodedTuples;
use super::order::{RelationSize, best_order};
use super::plan::expected_sizes;
use super::program::CheckedProgram;
use super::values::DomainValues;

/// A recursive rule is expected to be applied to this many times what its relations are expected to hold at first: the
/// closure of a graph has some hundred or thousand times its edges.
const RECURSION: f64 = 200.0;

/// A program, and what its inputs hold.
pub(super) struct ExpectedWork<'a> {
    program: &'a CheckedProgram,
    sizes: Vec<RelationSize>,
    domains: Vec<usize>,
}

impl<'a> ExpectedWork<'a> {
    /// Of a program over these tuples.
    pub(super) fn new(program: &'a CheckedProgram, values: &[DomainValues], tuples: &CodedTuples) -> Self {
        let domains: Vec<usize> = values.iter().map(DomainValues::len).collect();
        let mut sizes = vec![RelationSize::default(); program.core.relations.len()];
        for (place, columns) in tuples.iter() {
            let of_columns = columns.iter().zip(&program.domains.of_columns[*place]);
            let distinct = of_columns.map(|(column, domain)| distinct_codes(column, domains[*domain])).collect();
            sizes[*place] = RelationSize { tuples: columns[0].len() as f64, distinct };
        }
        Self { program, sizes, domains }
    }

    /// The bindings that all joins together are expected to make.
    pub(super) fn bindings(mut self) -> f64 {
        let mut sum = 0.0;
        for stratum in &self.program.strata {
            let domains = &self.domains;
            expected_sizes(self.program, stratum, &mut self.sizes, |domain| domains[domain]);
            for rule in self.program.rules_of(stratum) {
                let is_recursive = rule.atoms.iter().any(|atom| stratum.has(atom.relation));
                let bindings: f64 = best_order(&rule.atoms, None, &self.sizes).bindings.iter().sum();
                sum += bindings * if is_recursive { RECURSION } else { 1.0 };
            }
        }
        sum
    }
}
