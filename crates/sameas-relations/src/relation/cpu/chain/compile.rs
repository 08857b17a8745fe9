//! From a variant to the steps of a chain: which columns each atom looks up, which values go on, where conditions are
//! checked (as soon as their variables are known).

use super::{Chain, JoinStep, ScanStep, StepCondition, ValuePlace};
use crate::relation::cpu::host_relation::HostRelation;
use crate::relation::cpu::index::IndexShape;
use crate::relation::cpu::indexes::Indexes;
use crate::relation::program::{Atom, Filter, RelationId, Term, TermComparison, Variant};

/// A variant as a chain; `is_static` says which relations the fixpoint does not extend.
pub fn compile(
    variant: &Variant,
    output: &[Term],
    relations: &[HostRelation],
    is_static: &dyn Fn(RelationId) -> bool,
    indexes: &mut Indexes,
) -> Chain {
    let (filters, absent) = (variant.filters.iter().collect(), variant.absent.iter().collect());
    let mut compiler = Compiler { variant, output, relations, is_static, indexes, filters, absent };
    let before = compiler.conditions(&KnownPlaces::default());
    let constants = output.iter().filter_map(|term| KnownPlaces::default().place(*term)).collect();
    let mut rows = Vec::new();
    let scan = variant.atoms.first().map(|atom| compiler.scan(atom, &mut rows));
    let joins: Vec<JoinStep> = (1..variant.atoms.len()).map(|at| compiler.join(at, &mut rows)).collect();
    let seen = joins.iter().map(|_| None).collect();
    Chain { before, constants, scan, joins, seen }
}

struct Compiler<'a> {
    variant: &'a Variant,
    output: &'a [Term],
    relations: &'a [HostRelation],
    is_static: &'a dyn Fn(RelationId) -> bool,
    indexes: &'a mut Indexes,
    /// Filters that are not checked yet.
    filters: Vec<&'a Filter>,
    /// Negated atoms that are not checked yet.
    absent: Vec<&'a Atom>,
}

impl Compiler<'_> {
    /// The first atom; its columns are matches, and `rows` becomes the variables of the block.
    fn scan(&mut self, atom: &Atom, rows: &mut Vec<u32>) -> ScanStep {
        let (mut places, mut conditions) = (KnownPlaces::default(), Vec::new());
        for (column, term) in atom.terms.iter().enumerate() {
            conditions.extend(places.bind(*term, ValuePlace::Match(column), true));
        }
        conditions.extend(self.conditions(&places));
        let kept = self.kept(0, &places, rows);
        ScanStep { relation: atom.relation, is_delta: self.variant.delta == Some(0), conditions, kept }
    }

    /// A further atom: columns whose values are known are looked up, the others are wanted.
    fn join(&mut self, at: usize, rows: &mut Vec<u32>) -> JoinStep {
        let atom = &self.variant.atoms[at];
        let mut places = KnownPlaces::default();
        for (column, variable) in rows.iter().enumerate() {
            places.bind(Term::Variable(*variable), ValuePlace::Row(column), false);
        }
        let known: Vec<Option<ValuePlace>> = atom.terms.iter().map(|term| places.place(*term)).collect();
        let (mut shape, mut key) = (IndexShape { key: Vec::new(), payload: Vec::new() }, Vec::new());
        let mut conditions = Vec::new();
        for (column, (term, known)) in atom.terms.iter().zip(known).enumerate() {
            if let Some(place) = known {
                shape.key.push(column);
                key.push(place);
            } else if *term != Term::Any {
                conditions.extend(places.bind(*term, ValuePlace::Match(shape.payload.len()), false));
                shape.payload.push(column);
            }
        }
        conditions.extend(self.conditions(&places));
        let before = rows.len() + shape.payload.len();
        let kept = self.kept(at, &places, rows);
        let once = (rows.len() < before).then(|| self.once(at, rows)).flatten();
        let index = self.indexes.find(atom.relation, shape, self.variant.delta == Some(at));
        JoinStep { index, key, conditions, kept, once }
    }

    /// The conditions whose variables are all known by now.
    fn conditions(&mut self, places: &KnownPlaces) -> Vec<StepCondition> {
        let mut conditions = Vec::new();
        self.filters.retain(|filter| match (places.place(filter.left), places.place(filter.right)) {
            (Some(left), Some(right)) => {
                conditions.push(StepCondition::Compare(left, filter.comparison, right));
                false
            }
            _ => true,
        });
        let indexes = &mut *self.indexes;
        self.absent.retain(|atom| {
            let known = atom.terms.iter().enumerate().filter(|(_, term)| **term != Term::Any);
            let known: Vec<(usize, Option<ValuePlace>)> = known.map(|(at, term)| (at, places.place(*term))).collect();
            let Some(key) = known.iter().map(|(_, place)| *place).collect::<Option<Vec<_>>>() else { return true };
            let shape = IndexShape { key: known.iter().map(|(at, _)| *at).collect(), payload: Vec::new() };
            conditions.push(StepCondition::Absent { index: indexes.find(atom.relation, shape, false), key });
            false
        });
        conditions
    }

    /// What goes on after the atom `at`: the output after the last, else the variables that are needed again.
    fn kept(&self, at: usize, places: &KnownPlaces, rows: &mut Vec<u32>) -> Vec<ValuePlace> {
        let rest = &self.variant.atoms[at + 1..];
        if rest.is_empty() {
            rows.clear();
            return self.output.iter().filter_map(|term| places.place(*term)).collect();
        }
        let later = rest.iter().chain(self.absent.iter().copied()).flat_map(|atom| atom.terms.iter().copied());
        let compared = self.filters.iter().flat_map(|filter| [filter.left, filter.right]);
        let needed: Vec<Term> = later.chain(compared).chain(self.output.iter().copied()).collect();
        let kept = places.variables.iter().filter(|(variable, _)| needed.contains(&Term::Variable(*variable)));
        let (variables, kept) = kept.copied().unzip();
        *rows = variables;
        kept
    }

    /// The domains of the variables that go on after the atom `at`, if the rest of the chain is the same in each round:
    /// then the same values need to go on only once.
    fn once(&self, at: usize, rows: &[u32]) -> Option<Vec<u64>> {
        let rest = &self.variant.atoms[at + 1..];
        let has_had_delta = self.variant.delta.is_some_and(|delta| delta <= at);
        if !has_had_delta || rest.is_empty() || !rest.iter().all(|atom| (self.is_static)(atom.relation)) {
            return None;
        }
        (1..=4).contains(&rows.len()).then(|| rows.iter().map(|variable| self.domain(at, *variable)).collect())
    }

    /// What the values of a variable are below after the atom `at`.
    fn domain(&self, at: usize, variable: u32) -> u64 {
        let domains = self.variant.atoms[..=at].iter().flat_map(|atom| {
            let domains = &self.relations[atom.relation.0 as usize].declaration.domains;
            atom.terms.iter().zip(domains).filter(|(term, _)| **term == Term::Variable(variable))
        });
        domains.map(|(_, domain)| *domain).min().unwrap_or(1 << 32)
    }
}

/// Where the variables are that are known.
#[derive(Default)]
struct KnownPlaces {
    variables: Vec<(u32, ValuePlace)>,
}

impl KnownPlaces {
    fn place(&self, term: Term) -> Option<ValuePlace> {
        match term {
            Term::Constant(value) => Some(ValuePlace::Constant(value)),
            Term::Variable(wanted) => {
                self.variables.iter().find(|(variable, _)| *variable == wanted).map(|(_, place)| *place)
            }
            Term::Any => None,
        }
    }

    /// A term at a place: its variable becomes known, or must be equal to what is known.
    fn bind(&mut self, term: Term, place: ValuePlace, checks_constants: bool) -> Option<StepCondition> {
        match (term, self.place(term)) {
            (Term::Any, _) => None,
            (Term::Constant(_), Some(_)) if !checks_constants => None,
            (_, Some(known)) => Some(StepCondition::Compare(known, TermComparison::Equal, place)),
            (Term::Variable(variable), None) => {
                self.variables.push((variable, place));
                None
            }
            (Term::Constant(_), None) => None,
        }
    }
}
