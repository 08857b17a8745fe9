//! A body without equalities: variables that are equal become one, or the constant that they equal, and comparisons of
//! constants are decided.

use super::core::{CoreAtom, CoreFilter, CoreSign, CoreTerm, ProgramValue};
use super::syntax::{AtomText, OrderSign, TermKind};
use crate::expr::Span;
use crate::numbering::GrowingNumbers;

/// A body while it is put together. Equalities come first: they change what terms mean.
#[derive(Default)]
pub(super) struct LoweredBody {
    pub atoms: Vec<CoreAtom>,
    pub absent: Vec<CoreAtom>,
    pub filters: Vec<CoreFilter>,
    pub variables: GrowingNumbers,
    /// The variable that each equals; itself where there is none before it.
    equal: Vec<u32>,
    constants: Vec<Option<ProgramValue>>,
    /// No tuples can satisfy it.
    never: bool,
}

impl LoweredBody {
    /// The variable of a name.
    pub fn variable(&mut self, name: &str) -> CoreTerm {
        let number = self.variables.number(name.as_bytes());
        if number as usize == self.equal.len() {
            self.equal.push(number);
            self.constants.push(None);
        }
        CoreTerm::Variable(number)
    }

    /// A term as it is written.
    pub fn term(&mut self, term: &TermKind) -> CoreTerm {
        match term {
            TermKind::Variable(name) => self.variable(name),
            TermKind::Number(number) => CoreTerm::Constant(ProgramValue::Number(*number)),
            TermKind::Text(text) => CoreTerm::Constant(ProgramValue::Text(text.clone())),
            TermKind::Any => CoreTerm::Any,
        }
    }

    /// An atom as it is written.
    pub fn atom(&mut self, relation: usize, atom: &AtomText) -> CoreAtom {
        let terms = atom.terms.iter().map(|term| self.term(&term.kind)).collect();
        CoreAtom { relation, terms, span: atom.span }
    }

    /// Two terms are equal.
    pub fn unify(&mut self, left: &CoreTerm, right: &CoreTerm) {
        match (self.resolved(left), self.resolved(right)) {
            (CoreTerm::Constant(one), CoreTerm::Constant(other)) => self.never |= one != other,
            (CoreTerm::Variable(variable), CoreTerm::Constant(value))
            | (CoreTerm::Constant(value), CoreTerm::Variable(variable)) => {
                self.constants[variable as usize] = Some(value);
            }
            (CoreTerm::Variable(one), CoreTerm::Variable(other)) => {
                self.equal[one.max(other) as usize] = one.min(other);
            }
            _ => {}
        }
    }

    /// What a term means after all equalities.
    fn resolved(&self, term: &CoreTerm) -> CoreTerm {
        let CoreTerm::Variable(mut variable) = *term else { return term.clone() };
        while self.equal[variable as usize] != variable {
            variable = self.equal[variable as usize];
        }
        match &self.constants[variable as usize] {
            Some(value) => CoreTerm::Constant(value.clone()),
            None => CoreTerm::Variable(variable),
        }
    }

    /// A comparison that is no equality.
    pub fn compare(&mut self, left: &CoreTerm, sign: OrderSign, right: &CoreTerm) {
        let (sign, is_turned) = match sign {
            OrderSign::Equal => return self.unify(left, right),
            OrderSign::Different => (CoreSign::Different, false),
            OrderSign::Less => (CoreSign::Less, false),
            OrderSign::AtMost => (CoreSign::AtMost, false),
            OrderSign::Greater => (CoreSign::Less, true),
            OrderSign::AtLeast => (CoreSign::AtMost, true),
        };
        let (left, right) = if is_turned { (right, left) } else { (left, right) };
        self.filters.push(CoreFilter { left: left.clone(), sign, right: right.clone() });
    }

    /// Puts in what terms mean, and decides what can be decided. False where no tuples can satisfy the body.
    pub fn finish(&mut self, head: &mut CoreAtom) -> bool {
        let atoms = std::mem::take(&mut self.atoms);
        let absent = std::mem::take(&mut self.absent);
        let resolve = |mut atom: CoreAtom| {
            atom.terms = atom.terms.iter().map(|term| self.resolved(term)).collect();
            atom
        };
        let (atoms, absent): (Vec<_>, Vec<_>) =
            (atoms.into_iter().map(resolve).collect(), absent.into_iter().map(resolve).collect());
        head.terms = head.terms.iter().map(|term| self.resolved(term)).collect();
        (self.atoms, self.absent) = (atoms, absent);
        self.decide_filters();
        !self.never
    }

    fn decide_filters(&mut self) {
        let filters = std::mem::take(&mut self.filters);
        for filter in filters {
            let (left, right) = (self.resolved(&filter.left), self.resolved(&filter.right));
            match decided(&left, filter.sign, &right) {
                Some(holds) => self.never |= !holds,
                None => self.filters.push(CoreFilter { left, sign: filter.sign, right }),
            }
        }
    }
}

/// Whether a comparison holds, where that does not depend on tuples.
fn decided(left: &CoreTerm, sign: CoreSign, right: &CoreTerm) -> Option<bool> {
    match (left, right) {
        (CoreTerm::Constant(left), CoreTerm::Constant(right)) => Some(match sign {
            CoreSign::Different => left != right,
            CoreSign::Less => left < right,
            CoreSign::AtMost => left <= right,
        }),
        _ if left == right => Some(sign == CoreSign::AtMost),
        _ => None,
    }
}

/// An atom with these terms.
pub(super) fn made_atom(relation: usize, terms: Vec<CoreTerm>, span: Span) -> CoreAtom {
    CoreAtom { relation, terms, span }
}
