//! `sameas cluster`: clusters of pairs of any origin.

use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

use sameas::{Error, Session};

use crate::args::Cluster;
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::begin_folder;
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas cluster`. The output folder is made before anything is computed: nothing is computed in vain.
pub fn run(args: &Cluster, arguments: Vec<OsString>) -> CommandResult {
    let begun = Instant::now();
    if args.output == Path::new("-") {
        return Err(Error::usage("clusters are a folder of files, and cannot be written to standard output")
            .with_help("name a folder, as in -o clusters, and read clusters.csv in it")
            .into());
    }
    let (mut job, format) = (args.job()?, args.output_format()?);
    job.command = arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let (folder, _unfinished) = begin_folder(&args.output, args.overwrite, &args.reads(&job))?;
    interrupt::announce("unfinished results are removed");
    let session = session(args)?;
    let bar = Bar::new(args.quiet);
    let mut found = session.cluster_pairs(&job, &bar)?;
    session.write_pair_clusters(&mut found, folder, format, &bar)?;
    drop(bar);
    if !args.quiet {
        say(Stream::Out, &report::pair_clusters(found.record(), Some(&args.output), begun.elapsed()))?;
    }
    // The system takes the memory back at once when the program ends.
    std::mem::forget(found);
    Ok(Outcome::Done)
}

fn session(args: &Cluster) -> sameas::Result<Session> {
    let mut builder = Session::builder();
    if let Some(threads) = args.threads {
        builder = builder.threads(threads);
    }
    if let Some(memory) = args.memory {
        builder = builder.memory(memory);
    }
    builder.build()
}
