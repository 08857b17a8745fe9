//! What `why` says about a pair agrees with the pairs that a run finds.

use std::path::Path;

use crate::case::{Case, JobKind, Table};
use crate::oracle::{Answer, score_of};
use crate::rng::Rng;
use sameas::{DeviceChoice, Job, Run, Session, Why};

use super::compare::is_mistake;
use super::engine::job as job_of_case;
use super::outcome::Outcome;
use super::scores::is_explained;

/// A record: the place of its table, and its id.
type Record = (usize, String);

/// Draws of two records until there is a pair of the job.
const DRAWS: usize = 20;

/// Explains two records that the seed chooses.
pub fn agrees(case: &Case, seed: u64, job: &Job, outcome: &Outcome) -> Result<(), String> {
    let (records, rng) = (records(case), &mut Rng::new(seed));
    if records.is_empty() {
        return Ok(());
    }
    let mut two = || {
        let (l, r) = (rng.below(records.len()), rng.below(records.len()));
        let pair = [&records[l.min(r)], &records[l.max(r)]];
        (l != r && is_possible(case, pair)).then_some(pair)
    };
    match (0..DRAWS).find_map(|_| two()) {
        Some(pair) => ExplainedJob::new(case, job, outcome)?.ask(pair),
        None => Ok(()),
    }
}

/// Explains every two records of a case that the oracle has answered, by every name that they have and in either order.
/// Gives the number of pairs that are results; none where the job is refused, because something in it can never hold.
///
/// # Errors
/// Where an explanation contradicts the answer.
pub fn agrees_on_every_pair(case: &Case, seed: u64, answer: &Answer, folder: &Path) -> Result<usize, String> {
    let job = job_of_case(case, seed, folder)?;
    let (records, outcome) = (records(case), Outcome::of_answer(case, answer));
    let asker = ExplainedJob::new(case, &job, &outcome)?.with_run();
    for (at, left) in records.iter().enumerate() {
        for right in &records[at + 1..] {
            let pair = [left, right];
            match if is_possible(case, pair) { asker.ask(pair) } else { asker.ask_of_one_input(pair) } {
                Err(why) if is_mistake(&why) => return Ok(0),
                asked => asked?,
            }
        }
    }
    Ok(outcome.pairs.len())
}

/// All records, in the order of the rows.
fn records(case: &Case) -> Vec<Record> {
    let of_table = |table: usize| case.tables[table].rows.iter().map(move |row| (table, row.id.clone()));
    (0..case.tables.len()).flat_map(of_table).collect()
}

/// Whether the job compares two records.
fn is_possible(case: &Case, [left, right]: [&Record; 2]) -> bool {
    case.job.kind != JobKind::Link || left.0 != right.0
}

/// A job that can be asked about its pairs.
struct ExplainedJob<'a> {
    case: &'a Case,
    job: &'a Job,
    outcome: &'a Outcome,
    session: Session,
    /// A run of the job, which has kept its records.
    run: Option<Run>,
}

impl<'a> ExplainedJob<'a> {
    fn new(case: &'a Case, job: &'a Job, outcome: &'a Outcome) -> Result<Self, String> {
        let session = Session::builder().threads(1).device(DeviceChoice::Cpu).build();
        Ok(Self { case, job, outcome, session: session.map_err(|error| error.to_string())?, run: None })
    }

    /// Asks a run of the job, too, unless it is refused.
    fn with_run(self) -> Self {
        Self { run: self.session.run(self.job, &()).ok(), ..self }
    }

    /// Asks about two records, the earlier one first.
    fn ask(&self, pair: [&Record; 2]) -> Result<(), String> {
        let with_source = self.case.has_sources_in_pairs();
        let column = |(table, id): &Record| {
            if with_source { vec![self.case.source(*table), id.clone()] } else { vec![id.clone()] }
        };
        let columns = pair.map(column).concat();
        let row = self.outcome.pairs.iter().find(|row| row[..columns.len()] == columns);
        let found = row.map(|row| &row[columns.len()]);
        let [l, r] = pair.map(|record| self.row(record));
        let score = score_of(self.case, l, r);
        for (at, ids) in self.names(pair).iter().enumerate() {
            let mut of_run = self.why_of_run(ids)?;
            if let Some(why) = &mut of_run {
                is_connected(why).map_err(|error| format!("the pair {ids:?}: {error}"))?;
                // A session knows no clusters.
                why.connection = None;
            }
            // A session reads the records at each question: where a run answers by every name, the session is asked by one.
            let of_session = if of_run.is_none() || at == 0 { Some(self.why_of_session(ids)?) } else { None };
            if of_run.is_some() && of_session.is_some() && of_run != of_session {
                return Err(format!("a run that has kept its records says something else of the pair {ids:?}"));
            }
            let why = of_run.or(of_session).expect("one of them was asked");
            if found != why.match_key.as_ref() {
                return Err(format!("the pair {ids:?} has match_key {found:?}, but `why` says {:?}", why.match_key));
            }
            let explained = is_explained(self.case, score.clone(), why.score.as_ref());
            explained.map_err(|error| format!("the pair {ids:?}: {error}"))?;
        }
        Ok(())
    }

    fn why_of_session(&self, [left, right]: &[String; 2]) -> Result<Why, String> {
        self.session.why(self.job, [left, right], &()).map_err(|error| error.to_string())
    }

    fn why_of_run(&self, [left, right]: &[String; 2]) -> Result<Option<Why>, String> {
        self.run.as_ref().map(|run| run.why([left, right])).transpose().map_err(|error| error.to_string())
    }

    /// The row of a record, earlier inputs before later ones.
    fn row(&self, (table, id): &Record) -> usize {
        let earlier: usize = self.case.tables[..*table].iter().map(|table| table.rows.len()).sum();
        earlier + self.case.tables[*table].rows.iter().position(|row| row.id == *id).unwrap_or_default()
    }

    /// Asks about what no pair of the job can be: no rule is looked at, and a run says what connects the two.
    fn ask_of_one_input(&self, pair: [&Record; 2]) -> Result<(), String> {
        let (ids, input) = (pair.map(|record| self.full_name(record)), self.case.source(pair[0].0));
        let of_session = self.why_of_session(&ids)?;
        let is_said = of_session.one_input.as_ref() == Some(&input) && of_session.ids == ids;
        if !is_said || of_session.match_key.is_some() || !of_session.rules.is_empty() {
            return Err(format!("{ids:?} are of one input of a link, and `why` says {of_session:?}"));
        }
        let Some(mut of_run) = self.why_of_run(&ids)? else { return Ok(()) };
        is_connected(&of_run).map_err(|error| format!("{ids:?} of one input: {error}"))?;
        of_run.connection = None;
        match of_run == of_session {
            true => Ok(()),
            false => {
                Err(format!("a run that has kept its records says something else of {ids:?}, which are of one input"))
            }
        }
    }

    /// The ways to name the records of a pair, in both orders wherever that says the same.
    fn names(&self, pair: [&Record; 2]) -> Vec<[String; 2]> {
        let alone = pair.map(|(_, id)| id.clone());
        let swapped = |[left, right]: &[String; 2]| [right.clone(), left.clone()];
        let has_it = |table: &&Table, id: &String| table.rows.iter().any(|row| row.id == *id);
        let is_of_several = |id: &String| self.case.tables.iter().filter(|table| has_it(table, id)).count() > 1;
        let mut all = match self.case.has_two_sides() {
            true => vec![alone],
            false if alone.iter().any(is_of_several) => vec![],
            false => vec![alone.clone(), swapped(&alone)],
        };
        if self.case.job.kind != JobKind::Dedupe {
            let full = pair.map(|record| self.full_name(record));
            all.extend([swapped(&full), full]);
        }
        all
    }

    /// What results call a record of several inputs.
    fn full_name(&self, (table, id): &Record) -> String {
        format!("{}:{id}", self.case.source(*table))
    }
}

/// What connects two records fits their clusters: pairs follow each other from the first to the second of one cluster.
fn is_connected(why: &Why) -> Result<(), String> {
    let Some(of) = &why.connection else {
        return if why.match_key.is_some() { Ok(()) } else { Err("nothing is said of clusters".to_owned()) };
    };
    let is_one = of.clusters[0] == of.clusters[1];
    let follows = of.chain.windows(2).all(|two| two[0].ids[1] == two[1].ids[0]);
    let ends = of.chain.first().zip(of.chain.last()).map(|(first, last)| [&first.ids[0], &last.ids[1]]);
    let leads = ends.is_none_or(|ends| ends == [&why.ids[0], &why.ids[1]]);
    let has_weakest = of.weakest.is_some_and(|at| at < of.chain.len()) != of.chain.is_empty();
    let is_complete = !is_one || !of.chain.is_empty() && of.closest.is_none();
    if follows && leads && has_weakest && is_complete && (why.match_key.is_none() || !is_one) {
        return Ok(());
    }
    Err(format!("what connects them is no chain: {of:?}"))
}
