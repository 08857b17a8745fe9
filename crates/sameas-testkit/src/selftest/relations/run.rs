//! A program handed to the engine, stratum by stratum, and its tuples compared with the expected ones.

use std::collections::BTreeSet;
use std::fmt::{Display, Formatter};

use sameas::{Error, ErrorCode};
use sameas_core::cancel::Cancel;
use sameas_core::memory::MemoryBudget;
use sameas_device::{DeviceOptions, HostWork};
use sameas_relations::relation::{FixpointRound, FixpointRule, RelationDeclaration, RelationId, Relations};

use super::ProgramVariant;
use super::translate::{self, Words};
use crate::oracle::relations::{Tables, strata};
use crate::program::{Literal, Program, Rule, Tuple, Value};
use crate::rng::Rng;
use crate::selftest::check::catch;

/// What went wrong.
#[derive(Debug)]
pub enum RelationError {
    /// The engine said that the memory does not suffice.
    NoMemory,
    /// Anything else.
    Other(String),
}

impl From<Error> for RelationError {
    fn from(error: Error) -> Self {
        if error.code() == ErrorCode::MemoryLimit {
            RelationError::NoMemory
        } else {
            RelationError::Other(error.to_string())
        }
    }
}

impl Display for RelationError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            RelationError::NoMemory => write!(f, "the memory does not suffice, says the engine"),
            RelationError::Other(text) => f.write_str(text),
        }
    }
}

/// Evaluates a program in one way and compares every relation.
pub fn run(program: &Program, expected: &Tables, way: &ProgramVariant) -> Result<(), RelationError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(way.threads).build();
    let pool = pool.map_err(|error| RelationError::Other(error.to_string()))?;
    let compared = || Ok(pool.install(|| Evaluation::new(program, expected, way)?.compare()));
    catch(compared).unwrap_or_else(|panic| Err(RelationError::Other(panic)))
}

/// A program in the engine.
struct Evaluation<'a> {
    program: &'a Program,
    expected: &'a Tables,
    relations: Relations,
    ids: Vec<RelationId>,
    domain: u64,
    rng: Rng,
}

impl<'a> Evaluation<'a> {
    /// Declares the relations and inserts their facts.
    fn new(program: &'a Program, expected: &'a Tables, way: &ProgramVariant) -> Result<Self, RelationError> {
        let mut relations = engine(way)?;
        relations.set_carries(way.carries);
        let domain = if way.small_domains { domain(program, expected) } else { 1 << 32 };
        let mut made = Self { program, expected, relations, ids: Vec::new(), domain, rng: Rng::new(way.seed) };
        for relation in &program.relations {
            let id = made.declare(&relation.name, relation.columns.len())?;
            made.ids.push(id);
            made.insert(id, relation.columns.len(), relation.facts.as_deref().unwrap_or_default())?;
        }
        Ok(made)
    }

    fn declare(&mut self, name: &str, columns: usize) -> Result<RelationId, RelationError> {
        let domains = vec![self.domain; columns];
        Ok(self.relations.declare(RelationDeclaration { name: name.to_owned(), domains })?)
    }

    /// Inserts facts in two parts; the engine must know which are new.
    fn insert(&mut self, id: RelationId, columns: usize, facts: &[Tuple]) -> Result<(), RelationError> {
        let mut known = BTreeSet::new();
        let (first, second) = facts.split_at(self.rng.below(facts.len() + 1));
        for part in [first, second] {
            let column = |at: usize| part.iter().map(|tuple| translate::number(&tuple[at])).collect();
            let lists: Vec<Vec<u32>> = (0..columns).map(column).collect();
            let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
            let before = known.len();
            known.extend(part);
            let (new, given) = ((known.len() - before) as u64, self.relations.insert(id, &lists, Cancel::NEVER)?);
            if new != given {
                return Err(RelationError::Other(format!(
                    "of {} tuples {new} are new, the engine says {given}",
                    part.len()
                )));
            }
        }
        Ok(())
    }

    fn compare(mut self) -> Result<(), RelationError> {
        let strata =
            strata(self.program).ok_or_else(|| RelationError::Other("the program has no strata".to_owned()))?;
        for stratum in 0..=strata.iter().copied().max().unwrap_or(0) {
            let program = self.program;
            let rules: Vec<&Rule> = program.rules.iter().filter(|rule| strata[rule.head.relation] == stratum).collect();
            self.evaluate(&rules)?;
        }
        (0..self.ids.len()).try_for_each(|at| self.compare_table(at))
    }

    /// One stratum.
    fn evaluate(&mut self, rules: &[&Rule]) -> Result<(), RelationError> {
        let heads: Vec<RelationId> = rules.iter().map(|rule| self.ids[rule.head.relation]).collect();
        let mut translated: Vec<FixpointRule> = Vec::new();
        for rule in rules {
            let counts = self.counts(rule)?;
            let words = Words { ids: &self.ids, heads: &heads, counts };
            translated.extend(translate::rules(rule, &words, &mut self.rng));
        }
        if translated.is_empty() {
            return Ok(());
        }
        let mut said = None;
        let mut seen = |round: &FixpointRound| said = Some(round.tuples);
        self.relations.fixpoint(&translated, Cancel::NEVER, &mut seen)?;
        let heads: BTreeSet<RelationId> = translated.iter().map(|rule| rule.head).collect();
        let tuples: u64 = heads.iter().map(|id| self.relations.len(*id)).sum();
        match said.filter(|said| *said != tuples) {
            Some(said) => {
                Err(RelationError::Other(format!("the last round says {said} tuples of {heads:?}, there are {tuples}")))
            }
            None => Ok(()),
        }
    }

    /// For each count of a rule the relation of groups with their numbers.
    fn counts(&mut self, rule: &Rule) -> Result<Vec<RelationId>, RelationError> {
        let mut found = Vec::new();
        for literal in &rule.body {
            let Literal::Counted(_, atom) = literal else { continue };
            let selected = self.declare("selected", atom.terms.len())?;
            let selection = translate::selection(atom, self.ids[atom.relation], selected);
            self.relations.fixpoint(&[selection], Cancel::NEVER, &mut |_| {})?;
            let group = translate::group(rule, atom);
            let counted = self.declare("counted", group.len() + 1)?;
            self.relations.count_by(selected, &group, counted, Cancel::NEVER)?;
            found.push(counted);
        }
        Ok(found)
    }

    fn compare_table(&self, at: usize) -> Result<(), RelationError> {
        let (id, name, expected) = (self.ids[at], &self.program.relations[at].name, &self.expected[at]);
        let mut given: Vec<Tuple> = Vec::new();
        self.relations.sorted(id, Cancel::NEVER, &mut |columns| {
            let rows = columns.first().map_or(0, Vec::len);
            given.extend((0..rows).map(|row| columns.iter().map(|column| Value::from(column[row])).collect()));
            Ok(())
        })?;
        if self.relations.len(id) != given.len() as u64 {
            let text = format!("{name} has {} tuples and gives {}", self.relations.len(id), given.len());
            return Err(RelationError::Other(text));
        }
        let differs = || RelationError::Other(difference(name, expected, &given));
        if given.iter().eq(expected) { Ok(()) } else { Err(differs()) }
    }
}

/// Where the expected and the given tuples of a relation differ.
pub fn difference(name: &str, expected: &BTreeSet<Tuple>, given: &[Tuple]) -> String {
    let known: BTreeSet<&Tuple> = given.iter().collect();
    let missing: Vec<&Tuple> = expected.iter().filter(|tuple| !known.contains(tuple)).take(5).collect();
    let too_much: Vec<&&Tuple> = known.iter().filter(|tuple| !expected.contains(**tuple)).take(5).collect();
    let order = if known.len() == given.len() && given.is_sorted() { "" } else { ", repeated or not in order" };
    format!(
        "{name}: the oracle has {} tuples, given are {}{order}\n  missing: {missing:?}\n  too much: {too_much:?}",
        expected.len(),
        given.len()
    )
}

/// The least domain that has all values: those of the answer, and constants of the rules.
fn domain(program: &Program, expected: &Tables) -> u64 {
    let constants = program.rules.iter().flat_map(translate::constants);
    let counted = expected.iter().map(|table| table.len() as u64);
    let values = expected.iter().flatten().flatten().map(|value| translate::number(value).into());
    values.chain(constants.map(u64::from)).chain(counted).max().unwrap_or(0) + 1
}

/// An engine without relations, on the device of the way.
fn engine(way: &ProgramVariant) -> Result<Relations, RelationError> {
    let budget = MemoryBudget::of_relations(way.memory);
    let options = DeviceOptions::default().with_memory(way.device_memory);
    let device = way.drivers.start(way.device, &options)?.ready(usize::MAX, HostWork::CoreSeconds(f64::INFINITY))?;
    Ok(match device.gpus.first() {
        Some(gpu) => Relations::on_gpu(gpu, &budget),
        None => Relations::on_cpu(&budget),
    })
}
