//! `sameas demo`: made-up people, from the records to the reasons.

mod examples;

use std::fmt::Write;
use std::path::Path;

use sameas::evaluate::{AnswerKind, Evaluation, EvaluationRequest};
use sameas::{Dataset, Error, Format, Input, Job, OutputFolder, RuleFile, Run, RunRecord, Session};
use sameas_testkit::generate::{self, Summary};

use self::examples::{Example, examples};
use super::generate::make;
use crate::args::Demo;
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, give, say};
use crate::text::{count, one_line, wrap};

const RULES: &str = include_str!("../../demo_rules.toml");

/// Looser than the rules: what it finds and they refuse came near.
const NEARLY: &str = "l.birth_date = r.birth_date \
    and jaro_winkler(lower(l.given_name || ' ' || l.surname), lower(r.given_name || ' ' || r.surname)) >= 0.75";

const RECORDS: u64 = 10_000;

/// Runs `sameas demo`.
pub fn run(args: &Demo) -> CommandResult {
    if args.print_rules {
        give(RULES)?;
        return Ok(Outcome::Done);
    }
    let folder = tempfile::tempdir().map_err(|e| Error::io("cannot use", &std::env::temp_dir(), e))?;
    let _unfinished = interrupt::remove_folder(folder.path().to_owned());
    let (folder, bar) = (folder.path(), Bar::new(false));
    let options = generate::Options { records: RECORDS, seed: 7, ..generate::Options::default() };
    let made = make(&options, folder, &bar)?;
    let session = Session::new()?;
    let people = session.open(&Job::dedupe(Input::files([folder.join("records.csv")])), &bar)?;
    let rules = RuleFile::parse(RULES, "demo_rules.toml")?;
    let run = find(&session, &people, &people.job().with_rules(rules), &folder.join("found"), &bar)?;
    let scores = judge(&session, folder)?;
    find(&session, &people, &people.job().with_rule(NEARLY), &folder.join("nearly"), &bar)?;
    let explained = explain(&run, &examples(folder)?)?;
    drop(bar);
    say(Stream::Out, &(opening(&made, &run.record()) + &judged(&scores) + &explained + CLOSING))?;
    Ok(Outcome::Done)
}

/// Runs a job over people who are at hand; its results are CSV files in the folder.
fn find(session: &Session, people: &Dataset, job: &Job, folder: &Path, bar: &Bar) -> Result<Run, Error> {
    let folder = OutputFolder::create(folder, false)?;
    let mut run = session.run_on(people, job, bar)?;
    run.write(folder, Format::Csv, bar)?;
    Ok(run)
}

fn judge(session: &Session, folder: &Path) -> Result<Evaluation, Error> {
    let pairs = folder.join("found/pairs.csv");
    let truth = Input::files([folder.join("truth.csv")]);
    let mut request = EvaluationRequest::new(Input::files([&pairs]), AnswerKind::Pairs, truth);
    request.truth_kind = Some(AnswerKind::Clusters);
    request.run = RunRecord::beside(&pairs)?;
    session.evaluate(&request, &())
}

fn opening(made: &Summary, run: &RunRecord) -> String {
    let mut out = heading(&format!(
        "{} made-up people, {} of them dirty copies of others",
        count(made.records),
        count(made.duplicates)
    ));
    out += "Two records are a pair if one of these rules holds:\n\n";
    for rule in &run.rules {
        let _ = writeln!(out, "  {}\n      {}", rule.name, wrap(&one_line(&rule.when), 6, 6));
    }
    for never in &run.never {
        let _ = writeln!(out, "  and never\n      {}", wrap(&one_line(&never.when), 6, 6));
    }
    out + &heading("What was found") + &report::findings(run)
}

fn judged(scores: &Evaluation) -> String {
    heading("How good that is: the made-up people come with the truth") + &report::scores(scores)
}

/// The examples, explained by the code of `sameas why`. The run has its records at hand.
fn explain(run: &Run, examples: &[Example]) -> Result<String, Error> {
    let mut out = String::new();
    for Example { title, ids: [left, right] } in examples {
        out += &heading(title);
        out += &report::pair_in_short(&run.why([left, right])?);
    }
    Ok(out)
}

fn heading(text: &str) -> String {
    format!("\n{text}\n{}\n", "-".repeat(text.chars().count()))
}

const CLOSING: &str = "
Now yours
---------
  sameas demo --print-rules > rules.toml                  these rules, to change
  sameas generate people --records 100000 -o people       more people, and the truth
  sameas explain people/records.csv --rules rules.toml    what a run would do
  sameas dedupe people/records.csv --rules rules.toml     run it
  sameas evaluate --pairs sameas-out/pairs.parquet --truth people/truth.csv
  sameas dedupe your.csv --id your_id --rule \"l.email = r.email\"
";
