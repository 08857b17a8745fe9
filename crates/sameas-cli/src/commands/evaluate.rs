//! `sameas evaluate`: a result against the truth.

use std::path::Path;

use sameas::{AnswerKind, Error, EvaluationRequest, Input, LinkType, RunRecord, Session};

use crate::args::{Evaluate, ScoreFormat, TruthKind};
use crate::outcome::{Ended, Outcome};
use crate::report;
use crate::terminal::{Stream, give, say};

/// Runs `sameas evaluate`.
pub fn run(args: &Evaluate) -> Ended {
    let request = request(args)?;
    let evaluation = Session::new()?.evaluate(&request)?;
    match args.format {
        ScoreFormat::Table => say(Stream::Out, &report::scores(&evaluation)),
        ScoreFormat::Json => give(&report::scores_json(&evaluation)),
    }?;
    // A figure that does not exist is not good enough.
    let f1 = evaluation.counts.f1().unwrap_or(0.0);
    Ok(if args.min_f1.is_some_and(|least| f1 < least) { Outcome::Findings } else { Outcome::Done })
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
