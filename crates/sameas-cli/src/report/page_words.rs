//! The sentences of a report: what the terminal says of the same facts.

use sameas::plan::BranchRecord;
use sameas::record::Operator;
use sameas::report::facts::{MissSource, ReportFacts, ShownPart};
use sameas::report::{RunReport, WithoutValues};
use sameas::{RunRecord, printable};
use serde_json::{Value, json};

use super::plan::{branch_title, branch_words, simplified};
use super::summary::{device, failures, notes, skipped_notes};
use super::sweep::sweep_words;
use super::training::training_warnings;
use super::warnings::warning;
use super::{clusters, doubts};
use crate::text::{count, counted};

/// All sentences of a report, as the page reads them.
pub fn page_words(report: &RunReport) -> Value {
    let (run, facts) = (report.record(), report.facts());
    let near = run.near.iter().flat_map(|near| &near.plan);
    json!({
        "warnings": warnings(run),
        "notes": skipped_notes(run).into_iter().chain(notes(run)).collect::<Vec<_>>(),
        "training": run.scores.iter().flat_map(|scores| training_warnings(&scores.model_warnings)).collect::<Vec<_>>(),
        "device": device(run),
        "withoutValues": report.without_values().map(without_values),
        "sampling": sampling(facts),
        "search": search(facts, run),
        "simplified": simplified(&run.simplifications),
        "sweep": report.sweep().map(sweep_words),
        "branches": run.plan.iter().map(branch).collect::<Vec<_>>(),
        "nearBranches": near.map(branch).collect::<Vec<_>>(),
        "stages": stages(run),
    })
}

fn warnings(run: &RunRecord) -> Vec<String> {
    let doubts = doubts::doubts(&run.doubts);
    clusters::warning(run).into_iter().chain(failures(run)).chain(doubts).collect()
}

fn branch(branch: &BranchRecord) -> Value {
    let words = branch_words(branch);
    json!({
        "title": branch_title(branch),
        "reason": words.reason,
        "place": words.place,
        "changes": words.changes,
        "warnings": branch.warnings.iter().map(warning).collect::<Vec<_>>(),
    })
}

/// Why there are no values.
pub(super) fn without_values(why: &WithoutValues) -> String {
    let why = match why {
        WithoutValues::UnknownJob => "the record of the run does not say how it was made".to_owned(),
        WithoutValues::MissingFile { path } => format!("the input {} is not there any more", printable(path)),
        WithoutValues::Stream { input } => format!("the input {} can be read only once", printable(input)),
        WithoutValues::GivenRecords { input } => {
            format!("the records {} were given by a program, which has to give them again", printable(input))
        }
    };
    format!("There are no values of records and no reasons of pairs: {why}.")
}

/// What was left out.
fn sampling(facts: &ReportFacts) -> Vec<String> {
    let of = &facts.sampling;
    let part = |part: ShownPart, what: &str, why: &str| {
        (part.shown < part.all).then(|| format!("{} of {} {why}.", count(part.shown), counted(part.all, what)))
    };
    let mut all = Vec::new();
    all.extend(part(of.records, "record", "are in this report; search finds only these"));
    all.extend(part(
        of.pairs,
        "pair",
        "were looked at condition by condition, a sample of each rule; numbers from it are estimates",
    ));
    all.extend(of.near.and_then(|near| part(near, "near pair", "were looked at condition by condition")));
    all.extend(part(of.bridges, "cluster", "of three records or more were searched for bridges"));
    all
}

fn search(facts: &ReportFacts, run: &RunRecord) -> String {
    let of = facts.search;
    // Pairs that somebody has decided are near misses neither of a run nor of a report.
    let decided = if run.decided.is_some() { ", without pairs that are decided" } else { "" };
    match of.misses {
        MissSource::Run => format!(
            "Nearest misses are near pairs that the run has found, as far as they are in this report{decided}: {} were looked at.",
            counted(of.explained, "pair")
        ),
        MissSource::Report if run.scores.is_some() => format!(
            "Nearest misses were looked for among {} of this report, with a threshold a little lower{decided}: {} were looked at.",
            counted(of.among, "record"),
            counted(of.explained, "pair")
        ),
        MissSource::Report => format!(
            "Nearest misses were looked for among {} of this report, with thresholds a little looser{decided}: {} were looked at. \
             A run with --near finds all of them.",
            counted(of.among, "record"),
            counted(of.explained, "pair")
        ),
        _ if run.scores.is_some() => {
            "Nearest misses were not looked for: a run with a lower threshold finds them.".into()
        }
        _ => "Nearest misses were not looked for: that would have taken too long, or the values or decisions are not there. A run \
              with --near finds them."
            .into(),
    }
}

/// The stages of a run. Pairs are looked for first, near pairs after they are sorted and clustered.
fn stages(run: &RunRecord) -> Vec<String> {
    let all = || run.operators.iter().map(|operator| operator.operator).enumerate();
    let sorted = all().find(|(_, operator)| *operator == Operator::Sort).map_or(usize::MAX, |(at, _)| at);
    let written = all().find(|(_, operator)| *operator == Operator::WritePairs).map_or(usize::MAX, |(at, _)| at);
    let name = |(at, operator): (usize, Operator)| match operator {
        Operator::JoinAndVerify if at > sorted => "Join and check candidates for near pairs".to_owned(),
        Operator::PrepareOnDevice if at > sorted => "Bring a branch for near pairs to the GPU".to_owned(),
        Operator::RunOnDevice if at > sorted => "Run a branch for near pairs on the GPU".to_owned(),
        Operator::WritePairs if at > written => "Write near pairs".to_owned(),
        _ => stage(operator),
    };
    all().map(name).collect()
}

fn stage(operator: Operator) -> String {
    let text = match operator {
        Operator::Read => "Read the inputs",
        Operator::Derive => "Compute derived columns",
        Operator::Rank => "Sort records by rank",
        Operator::Encode => "Encode the values that rules compare",
        Operator::Statistics => "Count values",
        Operator::Plan => "Plan the joins",
        Operator::Device => "Start the GPU",
        Operator::Tables => "Decide checks for all distinct values",
        Operator::PrepareOnDevice => "Bring a branch to the GPU",
        Operator::RunOnDevice => "Run a branch on the GPU",
        Operator::JoinAndVerify => "Join and check candidates",
        Operator::Sort => "Sort pairs, form clusters",
        Operator::WritePairs => "Write pairs",
        Operator::WriteClusters => "Write clusters",
        Operator::WriteRecords => "Write records",
        other => return format!("{other:?}"),
    };
    text.to_owned()
}
