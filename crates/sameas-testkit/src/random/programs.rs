//! Random programs: safe rules in layers, so that absence and counts never meet a cycle; some of them are the classics.

use super::graphs;
use crate::oracle::relations::evaluate_within;
use crate::program::{Atom, ColumnType, Comparison, Literal, Program, Relation, Rule, Term, Tuple, Value};
use crate::rng::Rng;

/// Tests of a tuple that naive evaluation may take: a program that takes more is drawn with fewer facts.
const STEPS: u64 = 500_000;

/// Which values a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Numbers of 32 bits.
    Numbers,
    /// Numbers and texts.
    Both,
}

/// The program of a seed.
pub fn program(seed: u64, values: Values) -> Program {
    let rng = &mut Rng::new(seed);
    let mut program = if rng.percent(30) { classic(rng) } else { Author::new(rng, values).program() };
    if values == Values::Both && rng.percent(30) {
        program = with_texts(program);
    }
    while evaluate_within(&program, STEPS).is_none() {
        for facts in program.relations.iter_mut().filter_map(|relation| relation.facts.as_mut()) {
            facts.truncate(facts.len() / 2);
        }
    }
    program
}

/// A text for each number, if the program counts nothing.
fn with_texts(mut program: Program) -> Program {
    let counts = |rule: &Rule| rule.body.iter().any(|literal| matches!(literal, Literal::Counted(..)));
    let columns = program.relations.iter().flat_map(|relation| &relation.columns);
    if program.rules.iter().any(counts) || columns.into_iter().any(|kind| *kind == ColumnType::Text) {
        return program;
    }
    for relation in &mut program.relations {
        relation.columns.fill(ColumnType::Text);
        relation.facts.iter_mut().flatten().flatten().for_each(|value| *value = as_text(value));
    }
    let terms = program.rules.iter_mut().flat_map(|rule| {
        let body = rule.body.iter_mut().flat_map(|literal| match literal {
            Literal::Holds(atom) | Literal::Absent(atom) | Literal::Counted(_, atom) => atom.terms.iter_mut().collect(),
            Literal::Compared(left, _, right) => vec![left, right],
        });
        rule.head.terms.iter_mut().chain(body).collect::<Vec<_>>()
    });
    for term in terms {
        if let Term::Constant(value) = term {
            *value = as_text(value);
        }
    }
    program
}

/// Texts in another order than their numbers; some have what quotes and separators are made of.
fn as_text(value: &Value) -> Value {
    let Value::Number(number) = value else { return value.clone() };
    let text = match number % 7 {
        0 => format!("\"{number}\""),
        1 => format!("a, {number}"),
        2 => format!("é{number}"),
        _ => format!("n{number}"),
    };
    Value::from(text.as_str())
}

/// A program that everybody knows, over a random graph.
fn classic(rng: &mut Rng) -> Program {
    let graph = graphs::graph_from(rng, 14);
    let start = Value::from(graph.edges.first().map_or(0, |edge| edge.0));
    let facts = graph.edges.iter().map(|(from, to)| vec![Value::from(*from), Value::from(*to)]).collect();
    let rules = if rng.percent(60) { recursive_rules(rng.below(5)) } else { layered_rules(rng.below(4), start) };
    let relation = |name: &str, facts| Relation { name: name.to_owned(), columns: vec![ColumnType::Number; 2], facts };
    Program {
        relations: vec![relation("edge", Some(facts)), relation("path", None), relation("other", None)],
        rules: rules.into_iter().map(|(head, body)| Rule { head, body }).collect(),
    }
}

const EDGE: usize = 0;
const PATH: usize = 1;
const OTHER: usize = 2;

/// Closures to the left, to the right and by doubling, the same generation, two relations that need each other.
fn recursive_rules(which: usize) -> Vec<(Atom, Vec<Literal>)> {
    let base = (atom(PATH, &[0, 1]), holds(vec![atom(EDGE, &[0, 1])]));
    let then = |atoms| (atom(PATH, &[0, 2]), holds(atoms));
    match which {
        0 => vec![base, then(vec![atom(PATH, &[0, 1]), atom(EDGE, &[1, 2])])],
        1 => vec![base, then(vec![atom(EDGE, &[0, 1]), atom(PATH, &[1, 2])])],
        2 => vec![base, then(vec![atom(PATH, &[0, 1]), atom(PATH, &[1, 2])])],
        3 => {
            let different = Literal::Compared(Term::Variable(0), Comparison::Different, Term::Variable(1));
            let siblings = [holds(vec![atom(EDGE, &[2, 0]), atom(EDGE, &[2, 1])]), vec![different]].concat();
            let cousins = holds(vec![atom(EDGE, &[2, 0]), atom(PATH, &[2, 3]), atom(EDGE, &[3, 1])]);
            vec![(atom(PATH, &[0, 1]), siblings), (atom(PATH, &[0, 1]), cousins)]
        }
        _ => vec![
            then(vec![atom(EDGE, &[0, 1]), atom(EDGE, &[1, 2])]),
            (atom(OTHER, &[0, 2]), holds(vec![atom(PATH, &[0, 1]), atom(EDGE, &[1, 2])])),
            then(vec![atom(OTHER, &[0, 1]), atom(EDGE, &[1, 2])]),
        ],
    }
}

/// What a start does not reach, paths without a way back, numbers of edges and of paths.
fn layered_rules(which: usize, start: Value) -> Vec<(Atom, Vec<Literal>)> {
    let any = |relation| Atom { relation, terms: vec![Term::Variable(0), Term::Any] };
    let counted = |head, of| (atom(head, &[0, 1]), vec![Literal::Holds(any(of)), Literal::Counted(1, any(of))]);
    let mut closure = recursive_rules(0);
    match which {
        0 => {
            let from_start = Atom { relation: EDGE, terms: vec![Term::Constant(start), Term::Variable(0)] };
            let unreached = vec![Literal::Holds(atom(EDGE, &[0, 1])), Literal::Absent(any(PATH))];
            vec![
                (atom(PATH, &[0, 0]), holds(vec![from_start])),
                (atom(PATH, &[1, 1]), holds(vec![atom(PATH, &[0, 0]), atom(EDGE, &[0, 1])])),
                (atom(OTHER, &[0, 1]), unreached),
            ]
        }
        1 => {
            let one_way = vec![Literal::Holds(atom(PATH, &[0, 1])), Literal::Absent(atom(PATH, &[1, 0]))];
            closure.push((atom(OTHER, &[0, 1]), one_way));
            closure
        }
        2 => vec![counted(PATH, EDGE)],
        _ => {
            closure.push(counted(OTHER, PATH));
            closure
        }
    }
}

fn holds(atoms: Vec<Atom>) -> Vec<Literal> {
    atoms.into_iter().map(Literal::Holds).collect()
}

fn atom(relation: usize, variables: &[usize]) -> Atom {
    Atom { relation, terms: variables.iter().map(|variable| Term::Variable(*variable)).collect() }
}

/// Draws relations in layers and rules over them.
struct Author<'a> {
    rng: &'a mut Rng,
    /// The constants, by type.
    numbers: Vec<Value>,
    texts: Vec<Value>,
    relations: Vec<Relation>,
    /// The layer of each relation.
    layers: Vec<usize>,
}

impl<'a> Author<'a> {
    fn new(rng: &'a mut Rng, values: Values) -> Self {
        let last = if rng.percent(30) { u32::MAX } else { 9 };
        let number = rng.between(3, 9) as u32;
        let numbers = (0..number).map(|at| Value::from(if at % 2 == 0 { at } else { last - at })).collect();
        let texts = if values == Values::Both && rng.percent(60) {
            ["a", "b", "c, d", "Zoë", "a b", "1", "say \"no\""].map(Value::from).into()
        } else {
            Vec::new()
        };
        Self { rng, numbers, texts, relations: Vec::new(), layers: Vec::new() }
    }

    fn program(mut self) -> Program {
        for at in 0..self.rng.between(1, 3) {
            self.relation(&format!("given{at}"), 0);
            let facts = self.facts(self.relations.len() - 1);
            self.relations.last_mut().expect("one was added").facts = Some(facts);
        }
        let layers = self.rng.between(1, 3) as usize;
        let mut rules = Vec::new();
        for layer in 1..=layers {
            let first = self.relations.len();
            for at in 0..self.rng.between(1, 2) {
                self.relation(&format!("found{layer}{}", ["a", "b"][at as usize]), layer);
                if self.rng.percent(15) {
                    let facts = self.facts(self.relations.len() - 1);
                    self.relations.last_mut().expect("one was added").facts = Some(facts);
                }
            }
            for head in first..self.relations.len() {
                // The first rule of a relation asks for earlier layers only, or nothing would begin.
                rules.push(self.rule(head, layer, false));
                let more = self.rng.below(3);
                rules.extend((0..more).map(|_| self.rule(head, layer, true)));
            }
        }
        Program { relations: self.relations, rules }
    }

    fn relation(&mut self, name: &str, layer: usize) {
        let columns = *self.rng.pick(&[1, 2, 2, 2, 2, 3, 3, 4]);
        let texts = !self.texts.is_empty();
        let columns =
            (0..columns).map(|_| if texts && self.rng.percent(40) { ColumnType::Text } else { ColumnType::Number });
        let columns = columns.collect();
        self.relations.push(Relation { name: name.to_owned(), columns, facts: None });
        self.layers.push(layer);
    }

    fn facts(&mut self, relation: usize) -> Vec<Tuple> {
        let columns = self.relations[relation].columns.clone();
        let number = if self.rng.percent(8) { 0 } else { self.rng.between(1, 25) };
        (0..number).map(|_| columns.iter().map(|kind| self.constant(*kind)).collect()).collect()
    }

    fn constant(&mut self, kind: ColumnType) -> Value {
        let pool = if kind == ColumnType::Number { &self.numbers } else { &self.texts };
        self.rng.pick(pool).clone()
    }

    fn rule(&mut self, head: usize, layer: usize, recursive: bool) -> Rule {
        let mut draft = Draft::default();
        let mut body = Vec::new();
        for at in 0..self.rng.between(1, 3) {
            let below = self.relation_below(layer);
            let same = self.layers.iter().position(|of| *of == layer).unwrap_or(below);
            let own = if recursive && (at == 0 || self.rng.percent(30)) {
                same + self.rng.below(self.layers.len() - same)
            } else {
                below
            };
            let own = if self.layers[own] <= layer { own } else { below };
            body.push(Literal::Holds(self.atom(own, &mut draft, true)));
        }
        body.extend(self.conditions(layer, &mut draft));
        let head_terms = self.relations[head].columns.clone().into_iter().map(|kind| {
            let variable = if self.rng.percent(92) { draft.pick(self.rng, kind) } else { None };
            variable.map_or_else(|| Term::Constant(self.constant(kind)), Term::Variable)
        });
        Rule { head: Atom { relation: head, terms: head_terms.collect() }, body }
    }

    fn relation_below(&mut self, layer: usize) -> usize {
        let below = self.layers.iter().filter(|of| **of < layer).count();
        self.rng.below(below)
    }

    /// Comparisons, an absent atom, a count.
    fn conditions(&mut self, layer: usize, draft: &mut Draft) -> Vec<Literal> {
        let mut conditions = Vec::new();
        if self.rng.percent(25) {
            let relation = self.relation_below(layer);
            conditions.push(Literal::Absent(self.atom(relation, draft, false)));
        }
        if self.rng.percent(15) {
            let relation = self.relation_below(layer);
            let mut counted = self.atom(relation, draft, false);
            // The groups of a count and their numbers are a relation too, of four columns at most.
            counted.terms.iter_mut().skip(3).for_each(|term| *term = Term::Any);
            let number = draft.add(ColumnType::Number);
            conditions.push(Literal::Counted(number, counted));
        }
        while self.rng.percent(25) {
            let kind =
                if self.texts.is_empty() || self.rng.percent(60) { ColumnType::Number } else { ColumnType::Text };
            let Some(left) = draft.pick(self.rng, kind) else { continue };
            let right = if self.rng.percent(40) { None } else { draft.pick(self.rng, kind) };
            let right = right.map_or_else(|| Term::Constant(self.constant(kind)), Term::Variable);
            let comparison = *self.rng.pick(&Comparison::ALL);
            conditions.push(Literal::Compared(Term::Variable(left), comparison, right));
        }
        conditions
    }

    /// An atom; only one that binds has new variables.
    fn atom(&mut self, relation: usize, draft: &mut Draft, binds: bool) -> Atom {
        let columns = self.relations[relation].columns.clone();
        let terms = columns.into_iter().map(|kind| {
            let known = if self.rng.percent(if binds { 50 } else { 75 }) { draft.pick(self.rng, kind) } else { None };
            match (known, self.rng.below(10)) {
                (Some(variable), _) => Term::Variable(variable),
                (None, 0) => Term::Constant(self.constant(kind)),
                (None, 1) => Term::Any,
                (None, _) if binds => Term::Variable(draft.add(kind)),
                (None, _) => Term::Any,
            }
        });
        Atom { relation, terms: terms.collect() }
    }
}

/// The variables of a rule so far, with their types.
#[derive(Default)]
struct Draft {
    variables: Vec<ColumnType>,
}

impl Draft {
    fn add(&mut self, kind: ColumnType) -> usize {
        self.variables.push(kind);
        self.variables.len() - 1
    }

    /// One of the variables of a type, if there is one.
    fn pick(&self, rng: &mut Rng, kind: ColumnType) -> Option<usize> {
        let fitting: Vec<usize> = (0..self.variables.len()).filter(|at| self.variables[*at] == kind).collect();
        (!fitting.is_empty()).then(|| *rng.pick(&fitting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::relations::{RelationFault, evaluate, misread, strata};

    #[test]
    fn a_seed_determines_the_program() {
        assert_eq!(program(3, Values::Both), program(3, Values::Both));
        assert_ne!(program(3, Values::Both), program(4, Values::Both));
    }

    #[test]
    fn programs_are_safe_have_strata_and_find_something() {
        let (mut found, mut recursive, mut largest) = (0, 0, 0);
        for seed in 0..200 {
            let program = program(seed, if seed % 2 == 0 { Values::Numbers } else { Values::Both });
            assert!(program.is_safe() && strata(&program).is_some(), "{program}");
            let tables = evaluate(&program);
            let derived = |at: &usize| program.is_derived(*at);
            found += usize::from((0..tables.len()).filter(derived).any(|at| !tables[at].is_empty()));
            let calls_itself = |rule: &Rule| rule.positive().any(|atom| atom.relation == rule.head.relation);
            recursive += usize::from(program.rules.iter().any(calls_itself));
            largest = largest.max(tables.iter().map(std::collections::BTreeSet::len).max().unwrap_or(0));
        }
        assert!(found >= 150, "only {found} programs find something");
        assert!(recursive >= 75, "only {recursive} programs are recursive");
        assert!(largest >= 300, "the largest relation has {largest} tuples");
    }

    #[test]
    fn every_kind_of_condition_is_drawn() {
        let programs: Vec<Program> = (0..300).map(|seed| program(seed, Values::Both)).collect();
        let literals = || programs.iter().flat_map(|program| &program.rules).flat_map(|rule| &rule.body);
        let number = |test: fn(&Literal) -> bool| literals().filter(|literal| test(literal)).count();
        assert!(number(|literal| matches!(literal, Literal::Absent(_))) >= 30);
        assert!(number(|literal| matches!(literal, Literal::Counted(..))) >= 30);
        for comparison in Comparison::ALL {
            assert!(literals().any(|l| matches!(l, Literal::Compared(_, c, _) if *c == comparison)), "{comparison}");
        }
        let constant = |term: &Term| matches!(term, Term::Constant(Value::Text(_)));
        assert!(literals().filter_map(Literal::atom).any(|atom| atom.terms.iter().any(constant)));
    }

    #[test]
    fn every_mistake_changes_some_answers() {
        let programs: Vec<Program> = (0..200).map(|seed| program(seed, Values::Numbers)).collect();
        for fault in RelationFault::ALL {
            let is_seen = |program: &&Program| evaluate(&misread(program, fault)) != evaluate(program);
            let seen = programs.iter().filter(is_seen).count();
            assert!(seen >= 4, "{fault:?} is seen in {seen} programs only");
        }
    }
}
