//! The variables of a body: what kind of values each has, and whether an atom binds it. Mistakes are collected.

use std::collections::{BTreeMap, BTreeSet};

use super::core::CoreProgram;
use super::declare::{Declared, columns_text};
use super::syntax::{AtomText, BodyPart, OperandText, OrderSign, TermKind, TermText, ValueKind};
use crate::expr::Span;
use crate::rules::Diagnostic;

/// What is known about the variables of one body.
pub(super) struct BodyScope<'a> {
    pub declared: &'a Declared,
    pub program: &'a CoreProgram,
    pub mistakes: Vec<Diagnostic>,
    pub kinds: BTreeMap<String, ValueKind>,
    bound: BTreeSet<String>,
}

impl<'a> BodyScope<'a> {
    /// Nothing is known yet.
    pub fn new(declared: &'a Declared, program: &'a CoreProgram) -> Self {
        Self { declared, program, mistakes: Vec::new(), kinds: BTreeMap::new(), bound: BTreeSet::new() }
    }

    /// A scope in this one: what a count counts.
    pub fn inner(&self) -> Self {
        Self { kinds: self.kinds.clone(), ..Self::new(self.declared, self.program) }
    }

    /// Looks at the head of a clause.
    pub fn head(&mut self, head: &AtomText) {
        self.atom(head);
        for term in head.terms.iter().filter(|term| term.kind == TermKind::Any) {
            let mistake = Diagnostic::new(term.span, "`_` in a head has no value");
            self.mistakes.push(mistake.with_help("name a variable that an atom of the body has, or a constant"));
        }
    }

    /// Looks at the atoms of a body.
    pub fn atoms(&mut self, body: &[BodyPart]) {
        for part in body {
            match part {
                BodyPart::Holds(atom) => {
                    self.atom(atom);
                    self.bound.extend(variables(&atom.terms).map(|(name, _)| name.to_owned()));
                }
                BodyPart::Absent(atom) => self.atom(atom),
                BodyPart::Compared { .. } => {}
            }
        }
    }

    /// Looks a relation up, and the kinds of its columns.
    fn atom(&mut self, atom: &AtomText) {
        let place = match self.declared.find(&atom.name, self.program) {
            Ok(place) => place,
            Err(mistake) => return self.mistakes.push(mistake),
        };
        let relation = &self.program.relations[place];
        if relation.columns.len() != atom.terms.len() {
            let (name, has) = (&relation.name, columns_text(relation.columns.len()));
            let terms = match atom.terms.len() {
                1 => "1 term is".to_owned(),
                n => format!("{n} terms are"),
            };
            let mistake = Diagnostic::new(atom.span, format!("`{name}` has {has}, and {terms} given"));
            let columns: Vec<_> = relation.columns.iter().map(|c| format!("{}: {}", c.name, c.kind.name())).collect();
            return self.mistakes.push(mistake.with_help(format!("it is `{name}({})`", columns.join(", "))));
        }
        for (term, column) in atom.terms.iter().zip(&relation.columns) {
            let what = format!("column `{}` of `{}` holds {}s", column.name, relation.name, column.kind.name());
            self.meet(term, column.kind, &what);
        }
    }

    /// A term stands where values of a kind are; `what` says why.
    fn meet(&mut self, term: &TermText, kind: ValueKind, what: &str) {
        match (&term.kind, self.kind_of(&term.kind)) {
            (TermKind::Variable(name), None) => drop(self.kinds.insert(name.clone(), kind)),
            (TermKind::Variable(name), Some(other)) if other != kind => {
                let message = format!("`{name}` is a {} and a {}: {what}", other.name(), kind.name());
                self.mistakes.push(Diagnostic::new(term.span, message));
            }
            (_, Some(other)) if other != kind => {
                let mistake = Diagnostic::new(term.span, format!("a {} cannot be here: {what}", other.name()));
                self.mistakes.push(match other {
                    ValueKind::Number => mistake.with_help("write it in double quotes if a text is meant"),
                    ValueKind::Symbol => mistake.with_help("write it without quotes if a number is meant"),
                });
            }
            _ => {}
        }
    }

    fn kind_of(&self, term: &TermKind) -> Option<ValueKind> {
        match term {
            TermKind::Variable(name) => self.kinds.get(name).copied(),
            TermKind::Number(_) => Some(ValueKind::Number),
            TermKind::Text(_) => Some(ValueKind::Symbol),
            TermKind::Any => None,
        }
    }

    fn kind_of_operand(&self, operand: &OperandText) -> Option<ValueKind> {
        match operand {
            OperandText::Term(term) => self.kind_of(&term.kind),
            OperandText::Count { .. } => Some(ValueKind::Number),
        }
    }

    /// Looks at the comparisons of a body; what equals something bound is bound.
    pub fn comparisons(&mut self, body: &[BodyPart]) {
        let compared: Vec<_> = body.iter().filter_map(as_comparison).collect();
        // Each turn learns one variable at least, or is the last.
        while compared.iter().any(|(left, sign, right)| *sign == OrderSign::Equal && self.learn(left, right)) {}
        for (left, sign, right) in compared {
            self.comparison(left, sign, right);
        }
    }

    /// Hands kind and bond from one side of an equality to the other. Whether anything was new.
    fn learn(&mut self, left: &OperandText, right: &OperandText) -> bool {
        let mut is_new = false;
        for (from, to) in [(left, right), (right, left)] {
            let OperandText::Term(TermText { kind: TermKind::Variable(name), .. }) = to else { continue };
            if let (Some(kind), false) = (self.kind_of_operand(from), self.kinds.contains_key(name)) {
                is_new |= self.kinds.insert(name.clone(), kind).is_none();
            }
            if self.is_bound(from) {
                is_new |= self.bound.insert(name.clone());
            }
        }
        is_new
    }

    fn is_bound(&self, operand: &OperandText) -> bool {
        match operand {
            OperandText::Term(TermText { kind: TermKind::Variable(name), .. }) => self.bound.contains(name),
            OperandText::Term(term) => term.kind != TermKind::Any,
            OperandText::Count { .. } => true,
        }
    }

    fn comparison(&mut self, left: &OperandText, _: OrderSign, right: &OperandText) {
        for side in [left, right] {
            if let OperandText::Term(TermText { kind: TermKind::Any, span }) = side {
                let mistake = Diagnostic::new(*span, "`_` cannot be compared");
                self.mistakes.push(mistake.with_help("name a variable that an atom of the body has"));
            }
        }
        let kinds = (self.kind_of_operand(left), self.kind_of_operand(right));
        if let (Some(one), Some(other)) = kinds
            && one != other
        {
            let span = Span { start: left.span().start, end: right.span().end };
            let message = format!("a {} is compared with a {}", one.name(), other.name());
            self.mistakes.push(Diagnostic::new(span, message));
        }
    }

    /// Whether every variable that a clause uses is bound.
    pub fn safety(&mut self, head: Option<&AtomText>, body: &[BodyPart]) {
        let is_fact = body.is_empty();
        let head_terms = head.map_or(&[][..], |head| &head.terms);
        for (name, span) in variables(head_terms) {
            if is_fact {
                let mistake = Diagnostic::new(span, format!("a fact has constants only, and `{name}` is a variable"));
                self.mistakes.push(mistake.with_help("write texts in double quotes"));
            } else {
                self.need_bound(name, span);
            }
        }
        for part in body {
            match part {
                BodyPart::Absent(atom) => variables(&atom.terms).for_each(|(name, span)| self.need_bound(name, span)),
                BodyPart::Compared { left, right, .. } => {
                    for side in [left, right] {
                        if let OperandText::Term(TermText { kind: TermKind::Variable(name), span }) = side {
                            self.need_bound(name, *span);
                        }
                    }
                }
                BodyPart::Holds(_) => {}
            }
        }
    }

    /// Reports a variable that nothing binds, once.
    pub fn need_bound(&mut self, name: &str, span: Span) {
        if self.bound.insert(name.to_owned()) {
            let mistake = Diagnostic::new(span, format!("the variable `{name}` is not bound"));
            let help = format!("a variable needs an atom that is not negated: add one that has `{name}` to the body");
            self.mistakes.push(mistake.with_help(help));
        }
    }
}

fn as_comparison(part: &BodyPart) -> Option<(&OperandText, OrderSign, &OperandText)> {
    match part {
        BodyPart::Compared { left, sign, right } => Some((left, *sign, right)),
        _ => None,
    }
}

/// The variables among terms, with their places.
pub(super) fn variables(terms: &[TermText]) -> impl Iterator<Item = (&str, Span)> {
    terms.iter().filter_map(|term| match &term.kind {
        TermKind::Variable(name) => Some((name.as_str(), term.span)),
        _ => None,
    })
}

/// The variables of a body outside of its counts, in their order.
pub(super) fn body_variables(body: &[BodyPart]) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    for part in body {
        match part {
            BodyPart::Holds(atom) | BodyPart::Absent(atom) => found.extend(variables(&atom.terms)),
            BodyPart::Compared { left, right, .. } => {
                for side in [left, right] {
                    if let OperandText::Term(term) = side {
                        found.extend(variables(std::slice::from_ref(term)));
                    }
                }
            }
        }
    }
    found
}
