//! What a run found, at its end.

use std::path::Path;

use sameas::{BranchPlace, DeviceKind, InputRecord, Resumption, RuleRecord, RunRecord, StartOverReason, printable};

use super::near::near;
use super::no_gpu::no_gpu;
use super::warnings::warning;
use crate::args::OutputTarget;
use crate::text::{count, counted, cut, facts, names, one_line, percent, seconds, table};

/// The whole summary of a run.
pub fn summary(run: &RunRecord, target: &OutputTarget) -> String {
    let mut rows = found(run);
    rows.push(("Time", format!("{}, {}", seconds(run.seconds), device(run))));
    rows.push(("Results", results(run, target)));
    rows.extend(run.near.as_ref().map(|found| ("Near", near(found, &near_file(target)))));
    rows.extend(run.resumption.as_ref().and_then(resumption).map(|text| ("Resumed", text)));
    rows.extend(failures(run).map(|failure| ("WARNING", failure)));
    rows.extend(notes(run).into_iter().map(|note| ("Note", note)));
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

/// The inputs and the rules.
fn opening(run: &RunRecord) -> String {
    format!("{}\n{}\n", facts(&[(INPUT, inputs(&run.inputs))]), rules(run))
}

/// As wide as the longest name below it.
const INPUT: &str = "Input     ";

fn found(run: &RunRecord) -> Vec<(&'static str, String)> {
    let (candidates, all) = (run.candidates, run.nominal_pairs);
    vec![
        (
            "Candidates",
            format!("{} ({} of {} possible pairs)", count(candidates), percent(candidates, all), count(all)),
        ),
        ("Pairs", count(run.pairs)),
        ("Clusters", clusters(run)),
    ]
}

/// The inputs with their sizes.
pub(super) fn inputs(inputs: &[InputRecord]) -> String {
    let one = |input: &InputRecord| {
        let files = if input.files.len() > 1 { format!(" in {} files", input.files.len()) } else { String::new() };
        format!("{}: {}{files}", printable(&input.name), counted(input.rows, "record"))
    };
    inputs.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn rules(run: &RunRecord) -> String {
    let mut rows = vec![["Rule", "pairs alone", "marginal", "cumulative"].map(str::to_owned).to_vec()];
    rows.extend(
        run.rules
            .iter()
            .map(|rule| vec![cut(&label(rule), 56), count(rule.alone), count(rule.marginal), count(rule.cumulative)]),
    );
    table(&rows)
}

/// A rule's name; one that has only its number is easier to recognise by its condition.
fn label(rule: &RuleRecord) -> String {
    if !rule.named { format!("{}: {}", rule.name, one_line(&rule.when)) } else { printable(&rule.name) }
}

fn clusters(run: &RunRecord) -> String {
    let (all, joined) = (count(run.clusters), count(run.clusters_of_two_or_more));
    format!(
        "{all}, of which {joined} {} two or more records",
        if run.clusters_of_two_or_more == 1 { "has" } else { "have" }
    )
}

fn device(run: &RunRecord) -> String {
    let device = match run.device {
        DeviceKind::Cpu => "the CPU",
        DeviceKind::Cuda => "cuda",
        DeviceKind::Emulated => "emulated",
    };
    format!("on {device} with {}", counted(run.threads as u64, "thread"))
}

fn results(run: &RunRecord, target: &OutputTarget) -> String {
    match target {
        OutputTarget::Stdout => format!("{} written to standard output", counted(run.pairs, "pair")),
        OutputTarget::Folder(path, format) => {
            let file = |name: &str| printable(&Path::new(path).join(name).display().to_string());
            let ending = format.extension();
            format!(
                "{}, {}, {}",
                file(&format!("pairs.{ending}")),
                file(&format!("clusters.{ending}")),
                file("run.json")
            )
        }
    }
}

/// Where near pairs are.
fn near_file(target: &OutputTarget) -> String {
    match target {
        OutputTarget::Stdout => String::new(),
        OutputTarget::Folder(path, format) => {
            printable(&path.join(format!("near.{}", format.extension())).display().to_string())
        }
    }
}

/// GPUs that failed while the job ran.
fn failures(run: &RunRecord) -> impl Iterator<Item = String> + '_ {
    run.plan.iter().filter_map(|branch| match &branch.place {
        Some(BranchPlace::CpuAfterDeviceFailure { error }) => Some(format!(
            "the GPU failed while it worked on {}: {error}. All of that was done again on the CPU, and the results are \
             complete; the GPU was not used again",
            names(&branch.rules, ", ")
        )),
        _ => None,
    })
}

/// What the user may want to know besides.
fn notes(run: &RunRecord) -> Vec<String> {
    let unreadable = run.unreadable_values.iter().map(|(column, values)| {
        let are = if *values == 1 { "value is" } else { "values are" };
        format!(
            "{} {are} not a number or date where a rule needs one, in column `{}`; missing for that rule",
            count(*values),
            printable(column)
        )
    });
    let warnings = run.plan.iter().flat_map(|branch| branch.warnings.iter().map(warning));
    let device = run.no_gpu.iter().map(|why| format!("no GPU was used: {}", no_gpu(why)));
    unreadable.chain(warnings).chain(device).collect()
}
