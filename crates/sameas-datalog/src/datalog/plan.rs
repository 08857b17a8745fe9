//! Plans a stratum: its rules in the terms of `relation/`, each with a join order for the first round, and one for every
//! atom that later rounds read what is new of.

use super::core::{CoreAtom, CoreRule, CoreSign, CoreTerm, ProgramValue};
use super::explanation::{JoinedAtom, PlannedJoin, PlannedRule};
use super::order::{ExpectedJoin, RelationSize, best_order};
use super::program::CheckedProgram;
use super::strata::Stratum;
use crate::relation::{Atom, Filter, FixpointRule, RelationId, Term, TermComparison, Variant};

/// A relation that a stratum makes is expected to be this many times what its rules give without recursion.
const GROWTH: f64 = 8.0;

/// What a plan needs to know.
pub(super) struct StratumPlanner<'a> {
    pub program: &'a CheckedProgram,
    pub stratum: &'a Stratum,
    pub sizes: &'a [RelationSize],
    pub ids: &'a [RelationId],
    /// The code of a constant in a domain.
    pub code: &'a dyn Fn(usize, &ProgramValue) -> u32,
}

impl<'a> StratumPlanner<'a> {
    /// The rules of the stratum, in their order.
    pub fn rules(&self) -> impl Iterator<Item = &'a CoreRule> {
        self.program.rules_of(self.stratum)
    }

    /// The rules as they are evaluated, and as they are shown.
    pub fn plan(&self) -> (Vec<FixpointRule>, Vec<PlannedRule>) {
        self.rules().map(|rule| self.rule(rule)).unzip()
    }

    fn rule(&self, rule: &CoreRule) -> (FixpointRule, PlannedRule) {
        let recursive = (0..rule.atoms.len()).filter(|at| self.is_inside(&rule.atoms[*at]));
        let recursive: Vec<usize> = recursive.collect();
        let first = best_order(&rule.atoms, None, self.sizes);
        let later: Vec<ExpectedJoin> =
            recursive.iter().map(|at| best_order(&rule.atoms, Some(*at), self.sizes)).collect();
        let text = self.program.written(rule.span);
        let planned = PlannedRule {
            rule: text.clone(),
            place: self.program.place(rule.span),
            first: self.shown(rule, &first),
            later: later.iter().map(|join| self.shown(rule, join)).collect(),
        };
        let fixpoint = FixpointRule {
            name: text,
            head: self.ids[rule.head.relation],
            output: self.atom(&rule.head).terms,
            first: self.variant(rule, &first, None),
            recursive: later.iter().map(|join| self.variant(rule, join, Some(0))).collect(),
        };
        (fixpoint, planned)
    }

    fn is_inside(&self, atom: &CoreAtom) -> bool {
        self.stratum.has(atom.relation)
    }

    fn variant(&self, rule: &CoreRule, join: &ExpectedJoin, delta: Option<usize>) -> Variant {
        Variant {
            atoms: join.order.iter().map(|at| self.atom(&rule.atoms[*at])).collect(),
            delta,
            filters: self.filters(rule),
            absent: rule.absent.iter().map(|atom| self.atom(atom)).collect(),
        }
    }

    fn atom(&self, atom: &CoreAtom) -> Atom {
        let domains = &self.program.domains.of_columns[atom.relation];
        let term = |(term, domain): (&CoreTerm, &usize)| self.term(term, *domain);
        Atom { relation: self.ids[atom.relation], terms: atom.terms.iter().zip(domains).map(term).collect() }
    }

    fn term(&self, term: &CoreTerm, domain: usize) -> Term {
        match term {
            CoreTerm::Variable(variable) => Term::Variable(*variable),
            CoreTerm::Constant(value) => Term::Constant((self.code)(domain, value)),
            CoreTerm::Any => Term::Any,
        }
    }

    fn filters(&self, rule: &CoreRule) -> Vec<Filter> {
        let domains = &self.program.domains;
        let filter = |filter: &super::core::CoreFilter| {
            let domain = domains.of_term(rule, &filter.left).or_else(|| domains.of_term(rule, &filter.right))?;
            let comparison = match filter.sign {
                CoreSign::Different => TermComparison::Different,
                CoreSign::Less => TermComparison::Less,
                CoreSign::AtMost => TermComparison::AtMost,
            };
            Some(Filter { left: self.term(&filter.left, domain), comparison, right: self.term(&filter.right, domain) })
        };
        rule.filters.iter().filter_map(filter).collect()
    }

    fn shown(&self, rule: &CoreRule, join: &ExpectedJoin) -> PlannedJoin {
        let atom = |(at, bindings): (&usize, &f64)| JoinedAtom {
            atom: shown_atom(self.program, rule, &rule.atoms[*at]),
            expected: bindings.round(),
        };
        PlannedJoin { atoms: join.order.iter().zip(&join.bindings).map(atom).collect() }
    }
}

/// An atom in the words of its rule.
fn shown_atom(program: &CheckedProgram, rule: &CoreRule, atom: &CoreAtom) -> String {
    let term = |term: &CoreTerm| match term {
        CoreTerm::Variable(variable) => rule.variables[*variable as usize].clone(),
        CoreTerm::Constant(ProgramValue::Number(number)) => number.to_string(),
        CoreTerm::Constant(ProgramValue::Text(text)) => format!("{text:?}"),
        CoreTerm::Any => "_".to_owned(),
    };
    let terms: Vec<String> = atom.terms.iter().map(term).collect();
    format!("{}({})", program.core.relations[atom.relation].name, terms.join(", "))
}

/// What relations of a stratum are expected to be, from those that are known; `values_of` has the sizes of the domains.
pub(super) fn expected_sizes(
    program: &CheckedProgram,
    stratum: &Stratum,
    sizes: &mut [RelationSize],
    values_of: impl Fn(usize) -> usize,
) {
    let mut expected = vec![0.0; stratum.relations.len()];
    for rule in program.rules_of(stratum).filter(|rule| !rule.atoms.iter().any(|atom| stratum.has(atom.relation))) {
        let join = best_order(&rule.atoms, None, sizes);
        if let Ok(at) = stratum.relations.binary_search(&rule.head.relation) {
            expected[at] += join.bindings.last().copied().unwrap_or(0.0);
        }
    }
    let relations = || stratum.relations.iter().zip(&expected);
    let all: f64 = relations().map(|(place, expected)| expected + sizes[*place].tuples).sum();
    for (place, expected) in relations() {
        let domains = program.domains.of_columns[*place].iter();
        let domains: Vec<f64> = domains.map(|domain| values_of(*domain).max(1) as f64).collect();
        let grown = if stratum.is_recursive { all * GROWTH } else { *expected };
        let tuples = (sizes[*place].tuples + grown).max(1.0).min(domains.iter().product());
        let distinct = domains.iter().map(|domain| domain.min(tuples)).collect();
        sizes[*place] = RelationSize { tuples, distinct };
    }
}
