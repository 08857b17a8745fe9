//! `sameas evaluate`: a result against the truth.

use std::path::Path;

use sameas::Session;
use sameas::{
    AnswerKind, Error, EvaluationLists, EvaluationRequest, Input, LinkType, PairList, ResultFile, RunRecord,
    write_thresholds,
};

use crate::args::{Evaluate, ScoreFormat, TruthKind, format_of};
use crate::interrupt::{self, Unfinished};
use crate::outcome::{Ended, Outcome};
use crate::report;
use crate::terminal::{Stream, give, say};

/// Runs `sameas evaluate`.
pub fn run(args: &Evaluate) -> Ended {
    if args.wrong.is_some() && args.wrong == args.missed {
        return Err(Error::usage("--wrong and --missed name the same file")
            .with_help("give each a name of its own")
            .into());
    }
    let request = request(args)?;
    // Before the work, which would be in vain without them.
    let inputs = [request.found.clone(), request.truth.clone()];
    let wrong = args.wrong.as_deref().map(|path| list(path, args.overwrite, &inputs)).transpose()?;
    let missed = args.missed.as_deref().map(|path| list(path, args.overwrite, &inputs)).transpose()?;
    let thresholds = args.thresholds.as_deref().map(|path| list(path, args.overwrite, &inputs)).transpose()?;
    let _thresholds = thresholds.as_ref().map(remove_with);
    let _unfinished = [&wrong, &missed].map(|list| list.as_ref().map(remove_with));
    let lists = EvaluationLists { wrong, missed };
    let evaluation = Session::new()?.evaluate_and_list(&request, lists, &())?;
    if let (Some(PairList { file, format, .. }), Some(path)) = (thresholds, &args.thresholds) {
        if evaluation.thresholds.is_empty() && evaluation.counts.found > 0 {
            return Err(Error::data("the pairs have no scores, so no threshold would change them")
                .with_help("evaluate pairs with a column `match_probability`, `match_weight` or `score`")
                .into());
        }
        write_thresholds(&evaluation.thresholds, file, format, path)?.finish()?;
    }
    match args.format {
        ScoreFormat::Table => say(Stream::Out, &report::scores(&evaluation)),
        ScoreFormat::Json => give(&report::scores_json(&evaluation)),
    }?;
    // A figure that does not exist is not good enough.
    let f1 = evaluation.counts.f1().unwrap_or(0.0);
    Ok(if args.min_f1.is_some_and(|least| f1 < least) { Outcome::Findings } else { Outcome::Done })
}

/// A file for pairs, in the format of its ending.
fn list(path: &Path, overwrite: bool, inputs: &[Input]) -> Result<PairList, Error> {
    let format = format_of(path)?;
    let file = ResultFile::create(path, overwrite)?;
    file.protect_inputs(inputs)?;
    Ok(PairList { file, format })
}

fn remove_with(list: &PairList) -> Unfinished {
    let partial = list.file.partial();
    interrupt::remove_with(move || partial.remove())
}

fn request(args: &Evaluate) -> Result<EvaluationRequest, Error> {
    let (path, found_kind) = match (&args.pairs, &args.clusters) {
        (Some(pairs), _) => (pairs, AnswerKind::Pairs),
        (None, Some(clusters)) => (clusters, AnswerKind::Clusters),
        (None, None) => return Err(Error::usage("give the result with --pairs or --clusters")),
    };
    let run = if path == Path::new("-") { None } else { RunRecord::beside(path)? };
    let links = run.as_ref().is_some_and(|run| run.link_type == LinkType::LinkOnly);
    let truth = Input::files([&args.truth]);
    let truth = match &args.encoding {
        Some(encoding) => truth.with_encoding(encoding)?,
        None => truth,
    };
    let mut request = EvaluationRequest::new(Input::files([path]), found_kind, truth);
    request.truth_kind = args.truth_kind.map(|kind| match kind {
        TruthKind::Pairs => AnswerKind::Pairs,
        TruthKind::Clusters => AnswerKind::Clusters,
    });
    (request.among_known, request.across) = (args.among, args.link || links);
    (request.run, request.records) = (run, args.records.clone());
    Ok(request)
}
