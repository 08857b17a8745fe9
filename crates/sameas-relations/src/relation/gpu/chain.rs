//! From a variant of a rule to steps of a device: each probes one or two indexes with the rows of the step before, and
//! makes rows of what it finds, the last one tuples of the head.

use sameas_kernels::layout::relation_rounds::{
    FIELD_CONSTANT, FIELD_FIRST, FIELD_ROW, FIELD_SECOND, MOST_ABSENT, MOST_FILTERS, MOST_ROW_FIELDS, RELATION_AT_MOST,
    RELATION_DIFFERENT, RELATION_EQUAL, RELATION_LESS, RelationField, RelationFilter,
};

use super::bits::TupleLayout;
use crate::relation::program::{Atom, Filter, Term, TermComparison, Variant};

/// An index, and the key that is looked up there.
pub struct ProbePlan {
    /// The number of the relation.
    pub relation: usize,
    /// The columns of the key.
    pub columns: Vec<usize>,
    /// The key's values.
    pub key: Vec<RelationField>,
}

/// One step of a chain.
#[derive(Default)]
pub struct DeviceStep {
    /// What is probed: nothing, one or two indexes.
    pub probes: Vec<ProbePlan>,
    /// Conditions on what is found.
    pub filters: Vec<RelationFilter>,
    /// Keys of which there must be no tuple.
    pub absent: Vec<ProbePlan>,
    /// What is made of it.
    pub output: Vec<RelationField>,
}

/// What a device does for a variant.
pub struct DeviceChain {
    /// The relation whose tuples are the first rows.
    pub scanned: usize,
    /// Whether only those of the last round are.
    pub is_delta: bool,
    /// The steps; the last one makes tuples of the head.
    pub steps: Vec<DeviceStep>,
}

impl DeviceChain {
    /// The steps of a variant, unless it is more than kernels can do: then the host does it.
    pub fn new(variant: &Variant, output: &[Term], head: &TupleLayout, relations: &[&TupleLayout]) -> Option<Self> {
        let scanned = variant.delta.unwrap_or(0);
        let atom = variant.atoms.get(scanned)?;
        let mut compiler = DeviceChainCompiler { relations, bound: Vec::new(), filters: variant.filters.clone() };
        let mut steps = vec![DeviceStep::default()];
        compiler.bind(atom, relations[relation_of(atom)], FIELD_ROW, &mut steps[0]);
        let mut left: Vec<&Atom> =
            (0..variant.atoms.len()).filter(|at| *at != scanned).map(|at| &variant.atoms[at]).collect();
        while !left.is_empty() {
            let mut step = steps.pop()?;
            compiler.probe(&mut left, &mut step)?;
            compiler.filter(&mut step)?;
            if left.is_empty() {
                steps.push(step);
            } else {
                let wanted = wanted(variant, &left, output);
                compiler.keep(&wanted, &mut step)?;
                steps.extend([step, DeviceStep::default()]);
            }
        }
        let last = steps.last_mut()?;
        compiler.filter(last)?;
        compiler.absent(&variant.absent, last)?;
        last.output = compiler.tuple(output, head)?;
        let fits = |step: &DeviceStep| step.filters.len() <= MOST_FILTERS && step.absent.len() <= MOST_ABSENT;
        steps.iter().all(fits).then_some(Self { scanned: relation_of(atom), is_delta: variant.delta.is_some(), steps })
    }
}

fn relation_of(atom: &Atom) -> usize {
    atom.relation.0 as usize
}

/// The variables that are needed after a step.
fn wanted(variant: &Variant, left: &[&Atom], output: &[Term]) -> Vec<u32> {
    let filters = variant.filters.iter().flat_map(|filter| [filter.left, filter.right]);
    let atoms = left.iter().copied().chain(&variant.absent).flat_map(|atom| atom.terms.iter().copied());
    let terms = filters.chain(atoms).chain(output.iter().copied());
    terms.filter_map(|term| if let Term::Variable(variable) = term { Some(variable) } else { None }).collect()
}

/// Knows where the variables are.
struct DeviceChainCompiler<'a> {
    relations: &'a [&'a TupleLayout],
    /// Variables that have a value, and where.
    bound: Vec<(u32, RelationField)>,
    /// Conditions that wait for their variables.
    filters: Vec<Filter>,
}

impl DeviceChainCompiler<'_> {
    fn field(&self, term: Term) -> Option<RelationField> {
        match term {
            Term::Variable(variable) => {
                self.bound.iter().find(|(bound, _)| *bound == variable).map(|(_, field)| *field)
            }
            Term::Constant(value) => Some(constant(value)),
            Term::Any => None,
        }
    }

    /// Where the columns of an atom's tuples give values: new variables are bound, others compared.
    fn bind(&mut self, atom: &Atom, bits: &TupleLayout, from: u32, step: &mut DeviceStep) {
        for (column, term) in atom.terms.iter().enumerate() {
            let field = bits.field(column, from);
            match (self.field(*term), term) {
                (Some(other), _) => step.filters.push(compared(field, RELATION_EQUAL, other)),
                (None, Term::Variable(variable)) => self.bound.push((*variable, field)),
                (None, _) => {}
            }
        }
    }

    /// Takes one or two atoms that are probed with what rows have.
    fn probe(&mut self, left: &mut Vec<&Atom>, step: &mut DeviceStep) -> Option<()> {
        let is_keyed = |atom: &Atom, compiler: &Self| atom.terms.iter().any(|term| compiler.field(*term).is_some());
        let first = left.iter().position(|atom| is_keyed(atom, self)).unwrap_or(0);
        let first = left.remove(first);
        let plan = self.plan(first)?;
        // Another one that rows have keys for, and that shares no new variable with the first.
        let is_new =
            |term: &Term, compiler: &Self| matches!(term, Term::Variable(_)) && compiler.field(*term).is_none();
        let is_apart = |atom: &Atom| !atom.terms.iter().any(|term| is_new(term, self) && first.terms.contains(term));
        let second = left.iter().position(|atom| is_keyed(atom, self) && is_apart(atom));
        let second = second.map(|at| left.remove(at));
        let also = second.map(|atom| self.plan(atom));
        self.bind_others(first, &plan, FIELD_FIRST, step);
        step.probes.push(plan);
        if let Some((atom, plan)) = second.zip(also) {
            let plan = plan?;
            self.bind_others(atom, &plan, FIELD_SECOND, step);
            step.probes.push(plan);
        }
        Some(())
    }

    /// The index of an atom by the columns that have values, and their key.
    fn plan(&self, atom: &Atom) -> Option<ProbePlan> {
        let (relation, bits) = (relation_of(atom), self.relations[relation_of(atom)]);
        let columns: Vec<usize> =
            (0..atom.terms.len()).filter(|column| self.field(atom.terms[*column]).is_some()).collect();
        let (mut key, mut below) = (Vec::new(), bits.total_width(&columns));
        for column in &columns {
            let field = self.field(atom.terms[*column])?;
            // A value that the column has no bits for would look like another one.
            if field.mask >> bits.width(*column) != 0 {
                return None;
            }
            below -= bits.width(*column);
            key.push(RelationField { to: below, ..field });
        }
        Some(ProbePlan { relation, columns, key })
    }

    /// Binds what is no part of the key.
    fn bind_others(&mut self, atom: &Atom, plan: &ProbePlan, from: u32, step: &mut DeviceStep) {
        let bits = self.relations[plan.relation].with_first(&plan.columns);
        let is_key = |column: usize| plan.columns.contains(&column);
        let terms = atom.terms.iter().enumerate();
        let terms = terms.map(|(column, term)| if is_key(column) { Term::Any } else { *term }).collect();
        self.bind(&Atom { relation: atom.relation, terms }, &bits, from, step);
    }

    /// Adds the conditions whose variables have values.
    fn filter(&mut self, step: &mut DeviceStep) -> Option<()> {
        let (ready, waiting) = std::mem::take(&mut self.filters)
            .into_iter()
            .partition(|filter| self.field(filter.left).is_some() && self.field(filter.right).is_some());
        self.filters = waiting;
        let ready: Vec<Filter> = ready;
        for filter in ready {
            let comparison = match filter.comparison {
                TermComparison::Equal => RELATION_EQUAL,
                TermComparison::Different => RELATION_DIFFERENT,
                TermComparison::Less => RELATION_LESS,
                TermComparison::AtMost => RELATION_AT_MOST,
            };
            step.filters.push(compared(self.field(filter.left)?, comparison, self.field(filter.right)?));
        }
        Some(())
    }

    fn absent(&self, atoms: &[Atom], step: &mut DeviceStep) -> Option<()> {
        for atom in atoms {
            step.absent.push(self.plan(atom)?);
        }
        Some(())
    }

    /// Makes a row of the variables that are needed later.
    fn keep(&mut self, wanted: &[u32], step: &mut DeviceStep) -> Option<()> {
        self.bound.retain(|(variable, _)| wanted.contains(variable));
        let widths: Vec<u32> = self.bound.iter().map(|(_, field)| 64 - field.mask.leading_zeros()).collect();
        let bits = TupleLayout::with_widths(&widths).filter(|_| widths.len() <= MOST_ROW_FIELDS)?;
        for (at, (_, field)) in self.bound.iter_mut().enumerate() {
            step.output.push(RelationField { to: bits.shift(at), ..*field });
            *field = bits.field(at, FIELD_ROW);
        }
        Some(())
    }

    /// A tuple of the head.
    fn tuple(&self, output: &[Term], head: &TupleLayout) -> Option<Vec<RelationField>> {
        let field = |(column, term): (usize, &Term)| {
            self.field(*term).map(|field| RelationField { to: head.shift(column), ..field })
        };
        output.iter().enumerate().map(field).collect()
    }
}

fn constant(value: u32) -> RelationField {
    RelationField { mask: u64::from(value), from: FIELD_CONSTANT, shift: 0, to: 0, unused: 0 }
}

fn compared(left: RelationField, comparison: u32, right: RelationField) -> RelationFilter {
    RelationFilter { left, right, comparison, unused: 0 }
}
