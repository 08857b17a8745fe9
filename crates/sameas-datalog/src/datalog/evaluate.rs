//! Evaluates a program: files are read, values numbered, and the strata brought to their fixpoints one after the other.

use std::time::Instant;

use super::core::{CoreCount, ProgramValue};
use super::explanation::{RelateExplanation, RelationTuples, RoundRecord, StratumRecord};
use super::job::RelateJob;
use super::numbering::CodedTuples;
use super::order::RelationSize;
use super::plan::{StratumPlanner, expected_sizes};
use super::program::{CheckedProgram, RelateProgram};
use super::strata::Stratum;
use super::values::{DomainValues, check_number};
use super::work::ExpectedWork;
use crate::device::{Device, HostWork};
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};
use crate::numbering::{CloseIntegers, OrderedIntegers};
use crate::observer::{Progress, Stage};
use crate::relation::{FixpointReport, FixpointRule, Method, RelationDeclaration, RelationId, Relations, carried};
use crate::settings::Settings;

/// A count is a number of 32 bits.
const COUNT_DOMAIN: u64 = 1 << 32;

/// A domain that is extended again and again gets twice as many small numbers each time, up to 2 to this: programs with
/// many counts would write all relations again for each of them.
const MOST_DOUBLINGS: u32 = 12;

/// The relations of a program, with as many tuples as there are up to now.
pub(super) struct ProgramEvaluator<'a> {
    program: RelateProgram,
    pub relations: Relations,
    /// The relation of each relation of the program.
    pub ids: Vec<RelationId>,
    pub values: Vec<DomainValues>,
    /// How often each domain was extended.
    extensions: Vec<u32>,
    sizes: Vec<RelationSize>,
    progress: Progress<'a>,
    budget: MemoryBudget,
    held: Held,
    pub explanation: RelateExplanation,
}

impl<'a> ProgramEvaluator<'a> {
    /// Reads the inputs and fills their relations, and those that have facts.
    pub fn new(job: &RelateJob, settings: &Settings, progress: Progress<'a>) -> Result<Self> {
        let checked = job.program.checked();
        let starting = settings.drivers.start(settings.device, &settings.device_options)?;
        progress.begin(&Stage::Reading, None);
        let (values, tuples) = CodedTuples::read(job, settings.memory, progress)?;
        progress.begin(&Stage::Encoding, None);
        let budget = MemoryBudget::new(settings.memory);
        let held = budget.hold(checked.bytes + values.iter().map(DomainValues::bytes).sum::<usize>())?;
        let _codes = budget.hold(tuples.bytes())?;
        let expected_bindings = ExpectedWork::new(checked, &values, &tuples).bindings();
        let device = starting.ready(tuples.bytes(), HostWork::Bindings(expected_bindings))?;
        let explanation = RelateExplanation {
            expected_bindings,
            device: device.kind,
            no_gpu: device.no_gpu.clone(),
            ..RelateExplanation::default()
        };
        let mut evaluator = Self {
            program: job.program.clone(),
            relations: relations_on(&device, &budget),
            ids: Vec::new(),
            extensions: vec![0; values.len()],
            values,
            sizes: vec![RelationSize::default(); checked.core.relations.len()],
            progress,
            budget,
            held,
            explanation,
        };
        for place in 0..checked.core.relations.len() {
            let id = evaluator.declare(place)?;
            evaluator.ids.push(id);
        }
        for (place, columns) in tuples.of_relations() {
            evaluator.insert(place, &columns)?;
        }
        evaluator.explanation.inputs = evaluator.tuples_of(&job.input_places());
        Ok(evaluator)
    }

    fn checked(&self) -> &CheckedProgram {
        self.program.checked()
    }

    /// A new relation with the columns of one of the program.
    fn declare(&mut self, place: usize) -> Result<RelationId> {
        let (name, domains) = (self.checked().core.relations[place].name.clone(), self.domains_of(place));
        self.relations.declare(RelationDeclaration { name, domains })
    }

    /// What the codes of each column of a relation are below.
    fn domains_of(&self, place: usize) -> Vec<u64> {
        let domain = |domain: &usize| self.values[*domain].len().max(1) as u64;
        self.checked().domains.of_columns[place].iter().map(domain).collect()
    }

    fn insert(&mut self, place: usize, columns: &[Vec<u32>]) -> Result<()> {
        let lists: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        self.relations.insert(self.ids[place], &lists, self.progress.cancel())?;
        let tuples = self.relations.len(self.ids[place]) as f64;
        let distinct = columns.iter().zip(&self.program.checked().domains.of_columns[place]);
        let distinct = distinct.map(|(column, domain)| distinct_codes(column, self.values[*domain].len())).collect();
        self.sizes[place] = RelationSize { tuples, distinct };
        Ok(())
    }

    /// What a run would do, as far as it can be known before it.
    pub fn explain(mut self) -> RelateExplanation {
        let program = self.program.clone();
        for stratum in &program.checked().strata {
            let mut record = self.record_of(stratum);
            self.expect_sizes(stratum);
            let (rules, planned) = self.plan(stratum);
            (record.carried, record.rules) = (self.carried_column(stratum, &rules), planned);
            self.keep(record);
        }
        self.explanation.outputs = program.outputs().map(without_tuples).collect();
        self.explanation
    }

    /// Evaluates all strata.
    pub fn run(mut self) -> Result<Self> {
        let program = self.program.clone();
        let strata = &program.checked().strata;
        for (at, stratum) in strata.iter().enumerate() {
            let begun = Instant::now();
            let mut record = self.record_of(stratum);
            match stratum.count {
                Some(count) => self.count(&program.checked().core.counts[count])?,
                None => self.fixpoint(stratum, (at + 1, strata.len()), &mut record)?,
            }
            record.relations = self.declared_of(stratum);
            record.seconds = Some(begun.elapsed().as_secs_f64());
            self.keep(record);
        }
        self.explanation.outputs = self.tuples_of(&program.checked().core.outputs);
        Ok(self)
    }

    /// A stratum that has nothing to evaluate is not shown.
    fn keep(&mut self, record: StratumRecord) {
        if !record.rules.is_empty() || record.counts.is_some() {
            self.explanation.strata.push(record);
        }
    }

    fn record_of(&self, stratum: &Stratum) -> StratumRecord {
        let core = &self.checked().core;
        let names = stratum.relations.iter().map(|place| without_tuples(&core.relations[*place].name));
        StratumRecord {
            relations: names.collect(),
            is_recursive: stratum.is_recursive,
            counts: stratum.count.map(|count| core.relations[core.counts[count].from].name.clone()),
            ..StratumRecord::default()
        }
    }

    fn declared_of(&self, stratum: &Stratum) -> Vec<RelationTuples> {
        self.tuples_of(&stratum.relations)
    }

    fn tuples_of(&self, places: &[usize]) -> Vec<RelationTuples> {
        let of = |place: &usize| RelationTuples {
            relation: self.checked().core.relations[*place].name.clone(),
            tuples: Some(self.relations.len(self.ids[*place])),
        };
        places.iter().map(of).collect()
    }

    fn plan(&self, stratum: &Stratum) -> (Vec<FixpointRule>, Vec<super::explanation::PlannedRule>) {
        let code = |domain: usize, value: &ProgramValue| self.values[domain].code(value).unwrap_or(0);
        let planner =
            StratumPlanner { program: self.checked(), stratum, sizes: &self.sizes, ids: &self.ids, code: &code };
        planner.plan()
    }

    /// The column that the rules hand on, in the words of the program.
    fn carried_column(&self, stratum: &Stratum, rules: &[FixpointRule]) -> Option<String> {
        let carried = carried(rules)?;
        self.column_name(stratum, carried.head, carried.column)
    }

    fn column_name(&self, stratum: &Stratum, id: RelationId, column: usize) -> Option<String> {
        let place = stratum.relations.iter().find(|place| self.ids[**place] == id)?;
        let relation = &self.checked().core.relations[*place];
        Some(format!("`{}` of `{}`", relation.columns.get(column)?.name, relation.name))
    }

    /// What the relations of a stratum will be, about, before it is evaluated.
    fn expect_sizes(&mut self, stratum: &Stratum) {
        let values = &self.values;
        expected_sizes(self.program.checked(), stratum, &mut self.sizes, |domain| values[domain].len());
    }

    fn fixpoint(&mut self, stratum: &Stratum, number: (usize, usize), record: &mut StratumRecord) -> Result<()> {
        self.expect_sizes(stratum);
        let (rules, planned) = self.plan(stratum);
        record.rules = planned;
        if !rules.is_empty() {
            let progress = self.progress;
            let stage = |round, tuples| Stage::Relating { stratum: number, round, tuples };
            progress.begin(&stage(1, 0), None);
            let mut seen = |round: &crate::relation::FixpointRound| {
                progress.begin(&stage(round.number + 1, round.tuples), None);
            };
            let report = self.relations.fixpoint(&rules, progress.cancel(), &mut seen)?;
            self.report(stratum, &report, record);
        }
        for place in &stratum.relations {
            self.measure(*place);
        }
        Ok(())
    }

    fn report(&self, stratum: &Stratum, report: &FixpointReport, record: &mut StratumRecord) {
        record.rounds = report.rounds.iter().map(round_record).collect();
        record.carried = report.method.iter().find_map(|(id, method)| match method {
            Method::Carried { column } => self.column_name(stratum, *id, *column),
            Method::Rounds => None,
        });
    }

    /// What is known of a relation that is complete.
    fn measure(&mut self, place: usize) {
        let tuples = self.relations.len(self.ids[place]) as f64;
        let domains = &self.program.checked().domains.of_columns[place];
        let distinct = domains.iter().map(|domain| tuples.min(self.values[*domain].len() as f64)).collect();
        self.sizes[place] = RelationSize { tuples, distinct };
    }

    /// Counts the tuples of a relation by groups. The counts are numbers like any others, so they get codes.
    fn count(&mut self, count: &CoreCount) -> Result<()> {
        let cancel = self.progress.cancel();
        let from = self.ids[count.from];
        let mut domains: Vec<u64> =
            count.group.iter().map(|column| self.relations.declaration(from).domains[*column]).collect();
        domains.push(COUNT_DOMAIN);
        let name = "sizes of groups".to_owned();
        let sizes = self.relations.declare(RelationDeclaration { name, domains: domains.clone() })?;
        self.relations.count_by(from, &count.group, sizes, cancel)?;
        let mut columns = self.columns_of(sizes)?;
        self.relations.clear(sizes, domains)?;
        let counts = columns.pop().unwrap_or_default();
        let domain = self.checked().domains.of_columns[count.into][count.group.len()];
        // The groups may be of the domain that the counts extend.
        let group_domains = self.checked().domains.of_columns[count.into][..count.group.len()].to_vec();
        if let Some(moved) = self.extend(domain, counts.iter().map(|count| i64::from(*count)))? {
            for (column, of) in columns.iter_mut().zip(group_domains) {
                if of == domain {
                    column.iter_mut().for_each(|code| *code = moved[*code as usize]);
                }
            }
        }
        let code = |count: &u32| self.values[domain].code(&ProgramValue::Number(i64::from(*count)));
        let codes: Option<Vec<u32>> = counts.iter().map(code).collect();
        columns.push(codes.ok_or_else(|| Error::internal("a count without a code"))?);
        self.insert(count.into, &columns)
    }

    fn columns_of(&self, id: RelationId) -> Result<Vec<Vec<u32>>> {
        let mut all = vec![Vec::new(); self.relations.declaration(id).domains.len()];
        self.relations.sorted(id, self.progress.cancel(), &mut |block| {
            all.iter_mut().zip(block).for_each(|(all, column)| all.extend_from_slice(column));
            Ok(())
        })?;
        Ok(all)
    }

    /// Adds numbers to a domain. Where some are new, codes change, also in the relations that have them: the new code of
    /// each old one is returned.
    fn extend(&mut self, domain: usize, numbers: impl Iterator<Item = i64>) -> Result<Option<Vec<u32>>> {
        let DomainValues::Numbers(old) = &self.values[domain] else { return Ok(None) };
        let mut values: Vec<i64> = numbers.filter(|number| old.find(*number).is_none()).collect();
        if values.is_empty() {
            return Ok(None);
        }
        values.extend(old.values());
        values.extend(0..1_i64 << self.extensions[domain].min(MOST_DOUBLINGS));
        self.extensions[domain] += 1;
        let before = self.values[domain].bytes();
        let new = OrderedIntegers::new(values, &self.budget);
        check_number(new.values().len())?;
        let moved: Option<Vec<u32>> = old.values().iter().map(|value| new.find(*value)).collect();
        let moved = moved.ok_or_else(|| Error::internal("a value without a code"))?;
        self.values[domain] = DomainValues::Numbers(new);
        self.held.add(self.values[domain].bytes().saturating_sub(before))?;
        let program = self.program.clone();
        let domains = &program.checked().domains;
        for place in &domains.domains[domain].relations {
            self.recode(*place, &domains.of_columns[*place], domain, &moved)?;
        }
        Ok(Some(moved))
    }

    /// Replaces the codes of a relation by others.
    fn recode(&mut self, place: usize, domains: &[usize], domain: usize, moved: &[u32]) -> Result<()> {
        let (id, sizes) = (self.ids[place], self.domains_of(place));
        let mut columns = self.columns_of(id)?;
        self.relations.clear(id, sizes)?;
        for (column, _) in columns.iter_mut().zip(domains).filter(|(_, of)| **of == domain) {
            column.iter_mut().for_each(|code| *code = moved[*code as usize]);
        }
        let lists: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        self.relations.insert(id, &lists, self.progress.cancel())?;
        Ok(())
    }
}

/// Relations on the first device of a program, if it has any.
fn relations_on(device: &Device, budget: &MemoryBudget) -> Relations {
    match device.gpus.first() {
        Some(gpu) => Relations::on_gpu(gpu, budget),
        None => Relations::on_cpu(budget),
    }
}

fn without_tuples(relation: &str) -> RelationTuples {
    RelationTuples { relation: relation.to_owned(), tuples: None }
}

fn round_record(round: &crate::relation::FixpointRound) -> RoundRecord {
    RoundRecord {
        number: round.number,
        new: round.relations.iter().map(|(_, new, _)| new).sum(),
        tuples: round.tuples,
        candidates: round.candidates,
        seconds: round.seconds,
    }
}

/// A few codes are sorted: a look at all values of their domain would take longer, and there may be many relations.
const FEW_CODES: usize = 16;

/// How many different codes there are.
pub(super) fn distinct_codes(codes: &[u32], domain: usize) -> f64 {
    if codes.len() < domain / FEW_CODES {
        let mut sorted = codes.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        return sorted.len() as f64;
    }
    CloseIntegers::new(codes.iter().map(|code| *code as usize)).count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_counted_once() {
        for domain in [8, 10_000] {
            assert_eq!(distinct_codes(&[7, 3, 7, 0, 3], domain), 3.0);
            assert_eq!(distinct_codes(&[], domain), 0.0);
        }
    }
}
