//! `sameas evaluate`: a result against the truth, by labelled pairs, or against another result.

use std::path::{Path, PathBuf};

use sameas::evaluate::{AnswerKind, ComparisonRequest, EstimateRequest, EvaluationLists, EvaluationRequest, PairList};
use sameas::{Error, Input, LinkType, RunRecord};

use crate::args::{Evaluate, ScoreFormat, format_of};
use crate::interrupt::Unfinished;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::{begin_file, one_file};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, give, say};

/// Runs `sameas evaluate`.
pub fn run(args: &Evaluate) -> CommandResult {
    match (&args.truth, &args.labels, &args.against) {
        (Some(truth), ..) => by_truth(args, truth),
        (None, Some(labels), _) => by_labels(args, labels),
        (None, None, Some(other)) => against(args, other),
        (None, None, None) => {
            Err(Error::usage("give the truth with --truth, labels with --labels, or another result with --against")
                .into())
        }
    }
}

fn by_labels(args: &Evaluate, labels: &Path) -> CommandResult {
    let result = EvaluatedResult::new(args)?;
    let mut request = EstimateRequest::new(result.input(), result.kind, read_as_given(args, labels)?);
    (request.across, request.run) = (result.across, result.run);
    let estimates = args.limit.session()?.estimate(&request, &Bar::new(true))?;
    match args.format {
        ScoreFormat::Table => say(Stream::Out, &report::estimates(&estimates)),
        ScoreFormat::Json => give(&report::estimates_json(&estimates)),
    }?;
    Ok(Outcome::Done)
}

fn against(args: &Evaluate, other: &Path) -> CommandResult {
    let request = ComparisonRequest::new(EvaluatedResult::new(args)?.input(), Input::files([other]));
    let comparison = args.limit.session()?.compare_clusters(&request, &Bar::new(true))?;
    match args.format {
        ScoreFormat::Table => say(Stream::Out, &report::comparison(&comparison)),
        ScoreFormat::Json => give(&report::comparison_json(&comparison)),
    }?;
    Ok(Outcome::Done)
}

fn by_truth(args: &Evaluate, truth: &Path) -> CommandResult {
    check_names(args)?;
    let request = request(args, truth)?;
    // Before the work, which would be in vain without them.
    let reads = reads(args, &request);
    let begin = |path: &Option<PathBuf>| begun(path.as_deref(), args, &reads);
    let (wrong, _wrong) = begin(&args.wrong)?;
    let (missed, _missed) = begin(&args.missed)?;
    let (thresholds, _thresholds) = begin(&args.thresholds)?;
    let lists = EvaluationLists { wrong, missed };
    let session = args.limit.session()?;
    let evaluation = session.evaluate_and_list(&request, lists, &Bar::new(true))?;
    if let (Some(PairList { file, format, .. }), Some(path)) = (thresholds, &args.thresholds) {
        if evaluation.thresholds.is_empty() && evaluation.counts.found > 0 {
            return Err(Error::data("the pairs have no scores, so no threshold would change them")
                .with_help("evaluate pairs with a column `match_probability`, `match_weight` or `score`")
                .into());
        }
        session.write_thresholds(&evaluation.thresholds, file, format, path)?.finish()?;
    }
    match args.format {
        ScoreFormat::Table => say(Stream::Out, &report::scores(&evaluation)),
        ScoreFormat::Json => give(&report::scores_json(&evaluation)),
    }?;
    // A figure that does not exist is not good enough.
    let f1 = evaluation.counts.f1().unwrap_or(0.0);
    Ok(if args.min_f1.is_some_and(|least| f1 < least) { Outcome::Findings } else { Outcome::Done })
}

/// Refuses one name for two files: the second would replace the first.
fn check_names(args: &Evaluate) -> Result<(), Error> {
    let named = [("--wrong", &args.wrong), ("--missed", &args.missed), ("--thresholds", &args.thresholds)];
    for (at, (option, path)) in named.iter().enumerate() {
        let same = named[..at].iter().find(|(_, other)| path.is_some() && other == path);
        if let Some((other, _)) = same {
            return Err(Error::usage(format!("{other} and {option} name the same file"))
                .with_help("give each a name of its own"));
        }
    }
    Ok(())
}

/// All that is read: the result, the record beside it, and the truth.
fn reads(args: &Evaluate, request: &EvaluationRequest) -> Vec<Input> {
    let result = args.pairs.as_deref().or(args.clusters.as_deref());
    let record = request.run.as_ref().and(result).map(|result| one_file(&result.with_file_name("run.json")));
    [request.found.clone(), request.truth.clone()].into_iter().chain(record).collect()
}

/// A file for pairs, in the format of its ending, if it is wanted.
fn begun(
    path: Option<&Path>,
    args: &Evaluate,
    reads: &[Input],
) -> Result<(Option<PairList>, Option<Unfinished>), Error> {
    let Some(path) = path else { return Ok((None, None)) };
    let format = args.escape.apply(format_of(path)?)?;
    let (file, unfinished) = begin_file(path, args.overwrite, reads)?;
    Ok((Some(PairList { file, format }), Some(unfinished)))
}

/// The result that is evaluated.
struct EvaluatedResult<'a> {
    path: &'a Path,
    kind: AnswerKind,
    /// The record beside it, if there is one.
    run: Option<RunRecord>,
    /// Whether only pairs across inputs count.
    across: bool,
}

impl<'a> EvaluatedResult<'a> {
    fn new(args: &'a Evaluate) -> Result<Self, Error> {
        let (path, kind) = match (&args.pairs, &args.clusters) {
            (Some(pairs), _) => (pairs, AnswerKind::Pairs),
            (None, Some(clusters)) => (clusters, AnswerKind::Clusters),
            (None, None) => return Err(Error::usage("give the result with --pairs or --clusters")),
        };
        let run = if path == Path::new("-") { None } else { RunRecord::beside(path)? };
        let across = args.link || run.as_ref().is_some_and(|run| run.link_type == LinkType::LinkOnly);
        Ok(Self { path, kind, run, across })
    }

    fn input(&self) -> Input {
        Input::files([self.path])
    }
}

/// A truth, or labels: a file in the encoding that was given.
fn read_as_given(args: &Evaluate, path: &Path) -> Result<Input, Error> {
    let input = Input::files([path]);
    match &args.encoding {
        Some(encoding) => input.with_encoding(encoding),
        None => Ok(input),
    }
}

fn request(args: &Evaluate, truth: &Path) -> Result<EvaluationRequest, Error> {
    let result = EvaluatedResult::new(args)?;
    let mut request = EvaluationRequest::new(result.input(), result.kind, read_as_given(args, truth)?);
    request.truth_kind = args.truth_kind.map(AnswerKind::from);
    (request.among_known, request.across) = (args.among, result.across);
    (request.run, request.records) = (result.run, args.records.clone());
    Ok(request)
}
