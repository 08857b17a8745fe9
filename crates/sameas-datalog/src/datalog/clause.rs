//! Checks the clauses of a program and makes rules of them.
//!
//! A count becomes a relation of groups with their sizes. A group without tuples has no row there, and its count is 0: so
//! a rule with a count is two rules, one with the row and one, with 0 for the count, where there is none.

use super::core::{
    CoreAtom, CoreColumn, CoreCount, CoreProgram, CoreRelation, CoreRole, CoreRule, CoreTerm, ProgramValue,
};
use super::declare::Declared;
use super::lexer::MOST_MISTAKES;
use super::lower::{LoweredBody, made_atom};
use super::program_memory::{ProgramMemory, RELATION_BYTES};
use super::scope::{BodyScope, body_variables, variables};
use super::syntax::{AtomText, BodyPart, ClauseText, OperandText, TermKind, ValueKind};
use crate::error::Result;
use crate::expr::Span;
use crate::relation::MOST_COLUMNS;
use crate::rules::{Diagnostic, SourceFile};

/// Each doubles the rules that a clause becomes.
const MOST_COUNTS: usize = 4;

/// More atoms than anybody joins; every order of them is looked at.
const MOST_ATOMS: usize = 64;

/// Makes rules of clauses, one after the other.
pub(super) struct ClauseReader<'a> {
    pub declared: &'a Declared,
    pub program: CoreProgram,
    pub mistakes: Vec<Diagnostic>,
    /// What is read, to name counts by their line.
    pub file: &'a SourceFile,
    /// What rules and facts take.
    pub memory: ProgramMemory,
    /// The relation of one tuple, where there is one.
    pub one: Option<usize>,
}

/// A count of a clause.
struct ReadCount {
    into: usize,
    /// Variables of the clause.
    group: Vec<String>,
    span: Span,
}

/// The variables of a count: those of its clause, and its own.
struct CountVariables {
    group: Vec<String>,
    own: Vec<(String, ValueKind)>,
}

impl ClauseReader<'_> {
    /// Checks a clause, and adds its rules where it has no mistake, or says that they do not fit the memory.
    pub fn read(&mut self, clause: &ClauseText) -> Result<()> {
        if self.mistakes.len() < MOST_MISTAKES {
            self.check(clause);
        }
        self.memory.check()
    }

    fn check(&mut self, clause: &ClauseText) {
        // What is too long is not looked at: that takes longer than its length.
        if let Some(mistake) = check_length(clause) {
            return self.mistakes.push(mistake);
        }
        let before = self.mistakes.len();
        let mut scope = BodyScope::new(self.declared, &self.program);
        scope.head(&clause.head);
        scope.atoms(&clause.body);
        scope.comparisons(&clause.body);
        scope.safety(Some(&clause.head), &clause.body);
        let counts = counts_of(&clause.body);
        let read: Vec<Option<CountVariables>> =
            counts.iter().map(|(body, span)| count_variables(&mut scope, clause, body, *span)).collect();
        if let Some((_, span)) = counts.get(MOST_COUNTS) {
            let mistake = Diagnostic::new(*span, format!("more than {MOST_COUNTS} counts in one rule"));
            scope.mistakes.push(mistake.with_help("count into a relation of its own, and use that"));
        }
        let found = std::mem::take(&mut scope.mistakes);
        self.mistakes.extend(found);
        if self.mistakes.len() > before {
            return;
        }
        let counts = counts.into_iter().zip(read.into_iter().flatten());
        let counts: Vec<ReadCount> =
            counts.map(|((body, span), variables)| self.count(body, variables, span)).collect();
        for zeros in 0..1_u32 << counts.len() {
            self.rule(clause, &counts, zeros);
        }
    }

    /// The rule of a clause in which the counts of the bits of `zeros` are 0.
    fn rule(&mut self, clause: &ClauseText, counts: &[ReadCount], zeros: u32) {
        let is_zero = |at: usize| zeros >> at & 1 == 1;
        // Without variables there is one group, which is always there.
        if counts.iter().enumerate().any(|(at, count)| is_zero(at) && count.group.is_empty()) {
            return;
        }
        let mut body = LoweredBody::default();
        let values: Vec<CoreTerm> = (0..counts.len())
            .map(|at| match is_zero(at) {
                true => CoreTerm::Constant(ProgramValue::Number(0)),
                false => body.variable(&format!("count {}", at + 1)),
            })
            .collect();
        self.fill(&mut body, &clause.body, &values);
        for (at, (count, value)) in counts.iter().zip(&values).enumerate() {
            let mut terms: Vec<CoreTerm> = count.group.iter().map(|name| body.variable(name)).collect();
            terms.push(if is_zero(at) { CoreTerm::Any } else { value.clone() });
            let atom = made_atom(count.into, terms, count.span);
            if is_zero(at) { body.absent.push(atom) } else { body.atoms.push(atom) }
        }
        let head = self.declared.places[&clause.head.name.text];
        let head = body.atom(head, &clause.head);
        self.push(head, body, clause.span);
    }

    /// Adds the conditions of a body; `values` are those of its counts, in their order.
    fn fill(&self, body: &mut LoweredBody, parts: &[BodyPart], values: &[CoreTerm]) {
        let mut values = values.iter();
        for part in parts {
            match part {
                BodyPart::Holds(atom) => {
                    let atom = body.atom(self.declared.places[&atom.name.text], atom);
                    body.atoms.push(atom);
                }
                BodyPart::Absent(atom) => {
                    let atom = body.atom(self.declared.places[&atom.name.text], atom);
                    body.absent.push(atom);
                }
                BodyPart::Compared { left, sign, right } => {
                    let mut side = |operand: &OperandText| match operand {
                        OperandText::Term(term) => body.term(&term.kind),
                        OperandText::Count { .. } => values.next().cloned().unwrap_or(CoreTerm::Any),
                    };
                    let (left, right) = (side(left), side(right));
                    body.compare(&left, *sign, &right);
                }
            }
        }
    }

    /// Adds a rule, or a fact, unless nothing can satisfy it.
    fn push(&mut self, mut head: CoreAtom, mut body: LoweredBody, span: Span) {
        if !body.finish(&mut head) {
            return;
        }
        if body.atoms.is_empty() && body.absent.is_empty() {
            return self.fact(&head);
        }
        if body.atoms.is_empty() {
            body.atoms.push(made_atom(self.one(), vec![CoreTerm::Any], span));
        }
        let LoweredBody { atoms, absent, filters, variables, .. } = body;
        let rule = CoreRule { head, atoms, absent, filters, variables: variables.texts(), span };
        self.memory.bytes += rule.bytes();
        self.program.rules.push(rule);
    }

    /// Adds a fact, whose terms are constants.
    fn fact(&mut self, head: &CoreAtom) {
        for (column, term) in self.program.relations[head.relation].facts.iter_mut().zip(&head.terms) {
            if let CoreTerm::Constant(value) = term {
                self.memory.facts += column.push(value);
            }
        }
    }

    /// The relation of one tuple.
    fn one(&mut self) -> usize {
        if let Some(known) = self.one {
            return known;
        }
        let columns = vec![CoreColumn { name: "one".to_owned(), kind: ValueKind::Number }];
        let made = self.add_relation("one".to_owned(), columns, CoreRole::One);
        self.program.relations[made].facts[0].push(&ProgramValue::Number(0));
        self.one = Some(made);
        made
    }

    fn add_relation(&mut self, name: String, columns: Vec<CoreColumn>, role: CoreRole) -> usize {
        self.memory.bytes += RELATION_BYTES;
        self.program.relations.push(CoreRelation::new(name, columns, role));
        self.program.relations.len() - 1
    }

    /// Makes the relations of a count.
    fn count(&mut self, parts: &[BodyPart], variables: CountVariables, span: Span) -> ReadCount {
        let line = self.file.line(span.start);
        let CountVariables { group, own } = variables;
        let (from, places) = match direct(parts, &group) {
            Some((atom, places)) => (self.declared.places[&atom.name.text], places),
            None => (self.counted(parts, &group, &own, span, line), (0..group.len()).collect()),
        };
        let mut columns: Vec<CoreColumn> =
            places.iter().map(|place| self.program.relations[from].columns[*place].clone()).collect();
        columns.push(CoreColumn { name: "count".to_owned(), kind: ValueKind::Number });
        let name = format!("count in line {line}");
        let into = self.add_relation(name, columns, CoreRole::Count);
        self.program.counts.push(CoreCount { from, group: places, into, span });
        ReadCount { into, group, span }
    }

    /// The relation of what is counted: a row for each way to satisfy the body.
    fn counted(
        &mut self,
        parts: &[BodyPart],
        group: &[String],
        own: &[(String, ValueKind)],
        span: Span,
        line: usize,
    ) -> usize {
        let mut body = LoweredBody::default();
        self.fill(&mut body, parts, &[]);
        // Whatever is there counts once for each value.
        let mut atoms = std::mem::take(&mut body.atoms);
        let terms = atoms.iter_mut().flat_map(|atom| &mut atom.terms).filter(|term| **term == CoreTerm::Any);
        for (number, term) in terms.enumerate() {
            *term = body.variable(&unnamed_variable(number));
        }
        body.atoms = atoms;
        let mut terms: Vec<CoreTerm> = group.iter().map(|name| body.variable(name)).collect();
        terms.extend(own.iter().map(|(name, _)| body.variable(name)));
        let kinds = group.iter().map(|name| self.kind_in(parts, name)).chain(own.iter().map(|(_, kind)| *kind));
        let mut columns: Vec<CoreColumn> =
            kinds.enumerate().map(|(at, kind)| CoreColumn { name: format!("column {}", at + 1), kind }).collect();
        if terms.is_empty() {
            terms.push(CoreTerm::Constant(ProgramValue::Number(0)));
            columns.push(CoreColumn { name: "one".to_owned(), kind: ValueKind::Number });
        }
        let name = format!("counted in line {line}");
        let place = self.add_relation(name, columns, CoreRole::Counted);
        self.push(made_atom(place, terms, span), body, span);
        place
    }

    /// The kind of a variable, from an atom of a body that has it.
    fn kind_in(&self, parts: &[BodyPart], name: &str) -> ValueKind {
        let kind = parts.iter().find_map(|part| {
            let BodyPart::Holds(atom) = part else { return None };
            let relation = &self.program.relations[self.declared.places[&atom.name.text]];
            let place = atom.terms.iter().position(|term| term.kind == TermKind::Variable(name.to_owned()))?;
            Some(relation.columns[place].kind)
        });
        kind.unwrap_or(ValueKind::Number)
    }
}

fn check_length(clause: &ClauseText) -> Option<Diagnostic> {
    let counts = counts_of(&clause.body);
    let bodies = || counts.iter().map(|(body, _)| *body).chain([clause.body.as_slice()]);
    if bodies().any(|body| body.len() > MOST_ATOMS) {
        let mistake = Diagnostic::new(clause.head.span, format!("the body has more than {MOST_ATOMS} conditions"));
        return Some(mistake.with_help("divide the rule: give a part of its body a relation of its own"));
    }
    let atoms = bodies().flatten().filter_map(|part| match part {
        BodyPart::Holds(atom) | BodyPart::Absent(atom) => Some(atom),
        BodyPart::Compared { .. } => None,
    });
    let long = atoms.chain([&clause.head]).find(|atom| atom.terms.len() > MOST_ATOMS)?;
    let mistake = Diagnostic::new(long.name.span, format!("`{}` has more than {MOST_ATOMS} terms", long.name.text));
    Some(mistake.with_help(format!("a relation has at most {MOST_COLUMNS} columns")))
}

fn unnamed_variable(number: usize) -> String {
    format!("_ {number}")
}

/// The counts of a body, in their order.
fn counts_of(body: &[BodyPart]) -> Vec<(&[BodyPart], Span)> {
    let mut found = Vec::new();
    for part in body {
        let BodyPart::Compared { left, right, .. } = part else { continue };
        for side in [left, right] {
            if let OperandText::Count { body, span } = side {
                found.push((body.as_slice(), *span));
            }
        }
    }
    found
}

/// Checks a count: its variables must be bound within it, and there must not be too many of them.
fn count_variables(
    scope: &mut BodyScope<'_>,
    clause: &ClauseText,
    body: &[BodyPart],
    span: Span,
) -> Option<CountVariables> {
    let outside: Vec<&str> =
        variables(&clause.head.terms).chain(body_variables(&clause.body)).map(|(name, _)| name).collect();
    let mut inner = scope.inner();
    inner.atoms(body);
    inner.comparisons(body);
    inner.safety(None, body);
    let (mut group, mut own): (Vec<String>, Vec<(String, ValueKind)>) = (Vec::new(), Vec::new());
    for (name, place) in body_variables(body) {
        let is_known = group.iter().chain(own.iter().map(|(name, _)| name)).any(|known| known == name);
        match outside.contains(&name) {
            _ if is_known => {}
            true => {
                scope.need_bound(name, place);
                group.push(name.to_owned());
            }
            false => own.push((name.to_owned(), inner.kinds.get(name).copied().unwrap_or(ValueKind::Number))),
        }
    }
    let found = std::mem::take(&mut inner.mistakes);
    if !found.is_empty() {
        scope.mistakes.extend(found);
        return None;
    }
    own.extend(unnamed(scope, body));
    let needed = (group.len() + 1).max(if direct(body, &group).is_some() { 0 } else { group.len() + own.len() });
    if needed > MOST_COLUMNS {
        let message = format!("the count needs a relation of {needed} columns, and {MOST_COLUMNS} are possible");
        let help = "count over a relation of its own with fewer columns";
        scope.mistakes.push(Diagnostic::new(span, message).with_help(help));
    }
    Some(CountVariables { group, own })
}

/// The places of atoms that hold whatever is there, as variables.
fn unnamed(scope: &BodyScope<'_>, body: &[BodyPart]) -> Vec<(String, ValueKind)> {
    let mut found = Vec::new();
    for part in body {
        let BodyPart::Holds(atom) = part else { continue };
        let relation = &scope.program.relations[scope.declared.places[&atom.name.text]];
        for (term, column) in atom.terms.iter().zip(&relation.columns) {
            if term.kind == TermKind::Any {
                found.push((unnamed_variable(found.len()), column.kind));
            }
        }
    }
    found
}

/// The atom of a body that is one atom without constants and repetitions, and the columns of the group: its relation can
/// be counted as it is.
fn direct<'a>(body: &'a [BodyPart], group: &[String]) -> Option<(&'a AtomText, Vec<usize>)> {
    let [BodyPart::Holds(atom)] = body else { return None };
    let is_plain = atom.terms.iter().enumerate().all(|(at, term)| match &term.kind {
        TermKind::Any => true,
        TermKind::Variable(_) => !atom.terms[..at].iter().any(|other| other.kind == term.kind),
        _ => false,
    });
    let place = |name: &String| atom.terms.iter().position(|term| term.kind == TermKind::Variable(name.clone()));
    if is_plain { Some((atom, group.iter().map(place).collect::<Option<_>>()?)) } else { None }
}
