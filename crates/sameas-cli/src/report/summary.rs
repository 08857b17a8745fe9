//! What a run found, at its end.

use std::path::Path;

use sameas::device::{DeviceKind, NoGpu};
use sameas::plan::BranchPlace;
use sameas::record::{DecidedRecord, InputRecord, Resumption, RuleRecord, ScoreRecord, SkippedRecord, StartOverReason};
use sameas::{RunRecord, printable};

use super::expected::expected;
use super::frequencies::given_frequencies;
use super::near::near;
use super::no_gpu::no_gpu;
use super::training::training_warnings;
use super::warnings::warning;
use super::{bars, clusters};
use crate::args::{OutputTarget, ResultTable};
use crate::text::{count, counted, cut, facts, names, one_line, percent, seconds, table};

/// The whole summary of a run; without a target, nothing is said of files.
pub fn summary(run: &RunRecord, target: Option<&OutputTarget>) -> String {
    let mut rows = found(run);
    rows.push(("Time", format!("{}, {}", seconds(run.seconds), device(run))));
    rows.extend(target.map(|target| ("Results", results(run, target))));
    rows.extend(near_pairs(run, target).map(|near| ("Near", near)));
    rows.extend(cut_pairs(run, target).map(|cut| ("Cut", cut)));
    rows.extend(run.resumption.as_ref().and_then(resumption).map(|text| ("Resumed", text)));
    rows.extend(clusters::warning(run).map(|warning| ("WARNING", warning)));
    rows.extend(failures(run).map(|failure| ("WARNING", failure)));
    rows.extend(skipped(run, target).into_iter().chain(notes(run)).map(|note| ("Note", note)));
    opening(run) + &facts(&rows)
}

/// What was taken over from an interrupted run, or why nothing was.
fn resumption(resumption: &Resumption) -> Option<String> {
    match resumption {
        Resumption::NothingStored => None,
        Resumption::Resumed { branches } => {
            let branches =
                if *branches == 1 { "1 branch".into() } else { format!("{} branches", count(*branches as u64)) };
            Some(format!("{branches} of the plan had been finished before"))
        }
        Resumption::StartedOver { reason } => Some(format!("started over, since {}", start_over(reason))),
    }
}

fn start_over(reason: &StartOverReason) -> String {
    match reason {
        StartOverReason::Version { stored } => format!("the interrupted run was one of version {stored}"),
        StartOverReason::Input { name } => format!("the records of `{name}` are not those of the interrupted run"),
        StartOverReason::Rules => "the rules are not those of the interrupted run".into(),
        StartOverReason::Unreadable => "what the interrupted run has left cannot be read".into(),
    }
}

/// What was found, without where and how.
pub fn findings(run: &RunRecord) -> String {
    opening(run) + &facts(&found(run))
}

/// The inputs, the rules and what they came to.
fn opening(run: &RunRecord) -> String {
    let inputs = facts(&[(INPUT, inputs(&run.inputs))]);
    let expected = run.scores.as_ref().map(expected).unwrap_or_default();
    let tables = [
        inputs,
        rules(run),
        clusters::nevers(run),
        scores(run),
        expected,
        clusters::sizes(run),
        clusters::at_thresholds(run),
    ];
    tables.iter().filter(|table| !table.is_empty()).map(|table| format!("{table}\n")).collect()
}

/// The pairs by score, where they have some.
fn scores(run: &RunRecord) -> String {
    let head = |scores: &ScoreRecord| if scores.threshold_weight.is_some() { "Match weight" } else { "Score" };
    run.scores.as_ref().map_or(String::new(), |scores| bars::scores(&scores.histogram, head(scores)))
}

/// As wide as the longest name below it.
const INPUT: &str = "Input     ";

fn found(run: &RunRecord) -> Vec<(&'static str, String)> {
    let (candidates, all) = (run.candidates, run.nominal_pairs);
    let candidates = format!("{} ({} of {} possible pairs)", count(candidates), percent(candidates, all), count(all));
    let mut rows = vec![("Candidates", candidates)];
    rows.extend(run.scores.as_ref().map(|scores| ("Scored", scored(scores))));
    rows.extend(given_frequencies(&run.term_frequencies).map(|given| ("Frequency", given)));
    rows.push(("Pairs", count(run.pairs)));
    rows.extend(run.decided.as_ref().map(|of| ("Decided", decided(of))));
    rows.push(("Clusters", clusters::clusters(run)));
    rows
}

/// What decisions have come to.
fn decided(of: &DecidedRecord) -> String {
    let unsure = if of.unsure > 0 { format!("; {} unsure", count(of.unsure)) } else { String::new() };
    format!(
        "{} the same, {} of them only by that; {} different, {} of them taken out{unsure}",
        counted(of.same, "pair"),
        count(of.added),
        counted(of.different, "pair"),
        count(of.removed)
    )
}

/// What was scored, and what for.
fn scored(scores: &ScoreRecord) -> String {
    let (pairs, threshold) = (counted(scores.scored, "pair"), scores.threshold);
    let why = |precision: f64| format!(": the lowest from which the model expects a precision of {precision}");
    let why = scores.precision.map(why).unwrap_or_default();
    match scores.threshold_weight {
        Some(weight) => {
            format!("{pairs}, kept from match weight {weight:.3} on (match_probability {threshold:.4}){why}")
        }
        None => format!("{pairs}, kept from a score of {threshold} on"),
    }
}

/// The inputs with their sizes.
pub(super) fn inputs(inputs: &[InputRecord]) -> String {
    let one = |input: &InputRecord| {
        let files = if input.files.len() > 1 { format!(" in {} files", input.files.len()) } else { String::new() };
        format!("{}: {}{files}", printable(&input.name), counted(input.rows, "record"))
    };
    let shown = inputs.iter().take(MOST_INPUTS).map(one).collect::<Vec<_>>().join("; ");
    match &inputs[inputs.len().min(MOST_INPUTS)..] {
        [] => shown,
        more => {
            let records = counted(more.iter().map(|input| input.rows).sum(), "record");
            format!("{shown}; and {} more: {records}", count(more.len() as u64))
        }
    }
}

/// The rule of a job that finds its pairs by their scores.
const SCORE_RULE: &str = "score";

/// Inputs that are named one by one.
const MOST_INPUTS: usize = 20;

/// The pairs of each rule. Where pairs are scored, rules give those that are; where scores alone find pairs, there is no rule
/// to speak of.
fn rules(run: &RunRecord) -> String {
    let is_made = |rule: &RuleRecord| !rule.named && rule.name == SCORE_RULE;
    if run.rules.iter().any(is_made) {
        return String::new();
    }
    let head = if counts_before_scores(run) { "Rule, before scores" } else { "Rule" };
    let mut rows = vec![[head, "pairs alone", "marginal", "cumulative"].map(str::to_owned).to_vec()];
    rows.extend(
        run.rules
            .iter()
            .map(|rule| vec![cut(&label(rule), 56), count(rule.alone), count(rule.marginal), count(rule.cumulative)]),
    );
    table(&rows)
}

/// Whether the numbers of rules and `never` rules are of pairs whose scores were not known.
pub(super) fn counts_before_scores(run: &RunRecord) -> bool {
    run.scores.as_ref().is_some_and(|scores| !scores.given)
}

/// A rule's name; one that has only its number is easier to recognise by its condition.
pub(super) fn label(rule: &RuleRecord) -> String {
    if !rule.named { format!("{}: {}", rule.name, one_line(&rule.when)) } else { printable(&rule.name) }
}

/// Where a run ran.
pub(super) fn device(run: &RunRecord) -> String {
    let device = match run.device {
        DeviceKind::Cpu => "the CPU",
        DeviceKind::Cuda => "cuda",
        DeviceKind::Emulated => "emulated",
    };
    format!("on {device} with {}", counted(run.threads as u64, "thread"))
}

fn results(run: &RunRecord, target: &OutputTarget) -> String {
    match target {
        OutputTarget::Stdout(_, what) => format!("{} written to standard output", rows_of(run, *what)),
        OutputTarget::File(path, _, what) => {
            format!("{} in {}", rows_of(run, *what), printable(&path.display().to_string()))
        }
        OutputTarget::Folder(path, format) => {
            let file = |name: &str| printable(&Path::new(path).join(name).display().to_string());
            let ending = format.extension();
            let is_more = |name: &&str| ["entities.", "records."].iter().any(|table| name.starts_with(table));
            let more = run.files.iter().map(|file| file.name.as_str()).filter(is_more).map(str::to_owned);
            let names = [format!("pairs.{ending}"), format!("clusters.{ending}")].into_iter().chain(more);
            let names = names.chain(["run.json".to_owned()]);
            names.map(|name| file(&name)).collect::<Vec<_>>().join(", ")
        }
    }
}

/// What one table holds.
fn rows_of(run: &RunRecord, what: ResultTable) -> String {
    match what {
        ResultTable::Pairs => counted(run.pairs, "pair"),
        ResultTable::Clusters => {
            let records = run.inputs.iter().map(|input| input.rows).sum();
            format!("the clusters of {}", counted(records, "record"))
        }
        ResultTable::Entities => match run.clusters {
            1 => "1 entity".to_owned(),
            clusters => format!("{clusters} entities"),
        },
        ResultTable::Records => {
            let records = run.inputs.iter().map(|input| input.rows).sum();
            format!("the entities of {}", counted(records, "record"))
        }
    }
}

/// What near pairs are, and where: a folder has them.
fn near_pairs(run: &RunRecord, target: Option<&OutputTarget>) -> Option<String> {
    let file = match target {
        Some(OutputTarget::Folder(path, format)) => Some(Path::new(path).join(format!("near.{}", format.extension()))),
        None => None,
        Some(_) => return None,
    };
    Some(near(run.near.as_ref()?, file.map(|file| printable(&file.display().to_string())).as_deref()))
}

/// How many pairs lie between clusters, and where: a folder has them.
fn cut_pairs(run: &RunRecord, target: Option<&OutputTarget>) -> Option<String> {
    let file = match target {
        Some(OutputTarget::Folder(path, format)) => Some(Path::new(path).join(format!("cut.{}", format.extension()))),
        _ => None,
    };
    clusters::cut_pairs(run, file.map(|file| printable(&file.display().to_string())).as_deref())
}

/// GPUs that failed while the job ran.
pub(super) fn failures(run: &RunRecord) -> impl Iterator<Item = String> + '_ {
    let near = run.near.iter().flat_map(|near| &near.plan);
    run.plan.iter().chain(near).filter_map(|branch| match &branch.place {
        Some(BranchPlace::CpuAfterDeviceFailure { error }) => Some(format!(
            "the GPU failed while it worked on {}: {error}. All of that was done again on the CPU, and the results are \
             complete; the GPU was not used again",
            names(&branch.rules, ", ")
        )),
        _ => None,
    })
}

/// Records that were left out, and where they are listed.
fn skipped(run: &RunRecord, target: Option<&OutputTarget>) -> Vec<String> {
    let first = |input: &InputRecord| {
        let place = |skipped: &SkippedRecord| format!("row {} of {}", count(skipped.row), printable(&skipped.file));
        input.first_skipped.iter().map(place).collect::<Vec<_>>().join(", ")
    };
    let note = |input: &InputRecord| {
        let (name, number) = (printable(&input.name), input.skipped_records);
        let were = if number == 1 { "has no id and was left out" } else { "have no id and were left out" };
        let more = if number > input.first_skipped.len() as u64 { ", ..." } else { "" };
        let listed = match target {
            Some(OutputTarget::Folder(path, format)) => {
                let file = Path::new(path).join(format!("skipped.{}", format.extension()));
                format!("; {} lists them all", printable(&file.display().to_string()))
            }
            _ => String::new(),
        };
        format!("{} of `{name}` {were}: {}{more}{listed}", counted(number, "record"), first(input))
    };
    run.inputs.iter().filter(|input| input.skipped_records > 0).map(note).collect()
}

/// The same without the place where they are listed.
pub(super) fn skipped_notes(run: &RunRecord) -> Vec<String> {
    skipped(run, None)
}

/// What the user may want to know besides.
pub(super) fn notes(run: &RunRecord) -> Vec<String> {
    let unreadable = run.unreadable_values.iter().map(|(column, values)| {
        let are = if *values == 1 { "value is" } else { "values are" };
        format!(
            "{} {are} not a number or date where a rule needs one, in column `{}`; missing for that rule",
            count(*values),
            printable(column)
        )
    });
    let warnings = run.plan.iter().flat_map(|branch| branch.warnings.iter().map(warning));
    // A build without CUDA is no news to whoever runs it; where a GPU is asked for, it is an error.
    let reason = run.no_gpu.iter().filter(|why| !matches!(why, NoGpu::NoCudaInBuild));
    let device = reason.map(|why| format!("no GPU was used: {}", no_gpu(why)));
    let model = run.scores.iter().flat_map(|scores| training_warnings(&scores.model_warnings));
    let model = model.map(|warning| format!("training of the model: {warning}"));
    unreadable.chain(warnings).chain(model).chain(clusters::forbidden_pairs(run)).chain(device).collect()
}
