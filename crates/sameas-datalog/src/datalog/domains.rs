//! Which columns share their values: those that a variable or a comparison connects. Each such group is numbered by
//! itself, in the order of its values, so that numbers are dense and compare like the values.

use std::collections::HashMap;

use super::core::{CoreAtom, CoreProgram, CoreRule, CoreTerm, ProgramValue};
use super::syntax::ValueKind;
use crate::disjoint_sets::DisjointSets;

/// The domains of a program.
#[derive(Clone, Debug)]
pub(super) struct ColumnDomains {
    /// For each relation, the domain of each of its columns.
    pub of_columns: Vec<Vec<usize>>,
    pub domains: Vec<DomainFacts>,
}

/// What is known of a domain before there are tuples.
#[derive(Clone, Debug)]
pub(super) struct DomainFacts {
    pub kind: ValueKind,
    /// The constants that occur with it in rules.
    pub constants: Vec<ProgramValue>,
    /// The relations that have a column of it, ascending.
    pub relations: Vec<usize>,
}

/// Columns and variables that are connected.
struct Connected {
    sets: DisjointSets,
    /// The number of the first column of each relation.
    starts: Vec<usize>,
}

impl Connected {
    /// Connects the columns that the variables of a rule connect.
    fn add(&mut self, rule: &CoreRule) {
        let mut seen: HashMap<u32, usize> = HashMap::new();
        for atom in atoms(rule) {
            for (column, term) in atom.terms.iter().enumerate() {
                let CoreTerm::Variable(variable) = term else { continue };
                let place = self.starts[atom.relation] + column;
                let first = *seen.entry(*variable).or_insert(place);
                self.sets.join(first, place);
            }
        }
        for filter in &rule.filters {
            if let (CoreTerm::Variable(left), CoreTerm::Variable(right)) = (&filter.left, &filter.right)
                && let (Some(left), Some(right)) = (seen.get(left), seen.get(right))
            {
                self.sets.join(*left, *right);
            }
        }
    }
}

fn atoms(rule: &CoreRule) -> impl Iterator<Item = &CoreAtom> {
    rule.atoms.iter().chain(&rule.absent).chain([&rule.head])
}

impl ColumnDomains {
    /// The domains of a program.
    pub fn new(program: &CoreProgram) -> Self {
        let (mut columns, mut sets) = (0, DisjointSets::default());
        let starts = program.relations.iter().map(|relation| {
            columns += relation.columns.len();
            columns - relation.columns.len()
        });
        let starts: Vec<usize> = starts.collect();
        for _ in 0..columns {
            sets.add();
        }
        let mut connected = Connected { sets, starts };
        program.rules.iter().for_each(|rule| connected.add(rule));
        for count in &program.counts {
            for (to, from) in count.group.iter().enumerate() {
                connected.sets.join(connected.starts[count.from] + from, connected.starts[count.into] + to);
            }
        }
        let mut domains = Self::numbered(program, &mut connected);
        domains.add_constants(program);
        domains
    }

    fn numbered(program: &CoreProgram, connected: &mut Connected) -> Self {
        let (mut numbers, mut domains, mut of_columns) = (HashMap::new(), Vec::<DomainFacts>::new(), Vec::new());
        for (place, relation) in program.relations.iter().enumerate() {
            let mut of_relation = Vec::with_capacity(relation.columns.len());
            for (at, column) in relation.columns.iter().enumerate() {
                let number = connected.starts[place] + at;
                let root = connected.sets.root(number);
                let domain = *numbers.entry(root).or_insert(domains.len());
                if domain == domains.len() {
                    domains.push(DomainFacts { kind: column.kind, constants: Vec::new(), relations: Vec::new() });
                }
                if domains[domain].relations.last() != Some(&place) {
                    domains[domain].relations.push(place);
                }
                of_relation.push(domain);
            }
            of_columns.push(of_relation);
        }
        Self { of_columns, domains }
    }

    fn add_constants(&mut self, program: &CoreProgram) {
        for rule in &program.rules {
            for atom in atoms(rule) {
                for (term, domain) in atom.terms.iter().zip(&self.of_columns[atom.relation]) {
                    if let CoreTerm::Constant(value) = term {
                        self.domains[*domain].constants.push(value.clone());
                    }
                }
            }
            for filter in &rule.filters {
                for (term, other) in [(&filter.left, &filter.right), (&filter.right, &filter.left)] {
                    if let (CoreTerm::Constant(value), Some(domain)) = (term, self.of_term(rule, other)) {
                        self.domains[domain].constants.push(value.clone());
                    }
                }
            }
        }
        for count in &program.counts {
            let place = self.of_columns[count.into][count.group.len()];
            self.domains[place].constants.push(ProgramValue::Number(0));
        }
    }

    /// The domain of a variable of a rule.
    pub fn of_term(&self, rule: &CoreRule, term: &CoreTerm) -> Option<usize> {
        let CoreTerm::Variable(_) = term else { return None };
        rule.atoms.iter().find_map(|atom| {
            let column = atom.terms.iter().position(|other| other == term)?;
            Some(self.of_columns[atom.relation][column])
        })
    }
}
