//! Links two files, follows the progress, writes the results, and shows how a job is cancelled.

use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use sameas::{ErrorCode, Format, Input, Job, Observer, OutputFolder, Session, Stage};

/// Counts what is done, and stops the job when it is asked to.
#[derive(Default)]
struct Follower {
    stages: AtomicU64,
    cancel: AtomicBool,
}

impl Observer for Follower {
    fn stage(&self, stage: &Stage, _total: Option<u64>) {
        self.stages.fetch_add(1, Relaxed);
        // A program would show this; a user would press a key to cancel.
        let _shown = match stage {
            Stage::Reading => "reading".to_owned(),
            Stage::Joining { rules, .. } => format!("finding pairs for {}", rules.join(", ")),
            other => format!("{other:?}"),
        };
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Relaxed)
    }
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("customers.csv"), "id,email\n1,ann@example.org\n2,bob@example.org\n")?;
    std::fs::write(path("orders.csv"), "id,mail\nx,bob@example.org\ny,eve@example.org\n")?;

    let job = Job::link(Input::files([path("customers.csv")]), Input::files([path("orders.csv")]))
        .with_rule("l.email = r.mail");
    let session = Session::builder().threads(2).build()?;
    let follower = Follower::default();

    let results = OutputFolder::create(&path("results"), false)?;
    let mut run = session.run(&job, &follower)?;
    run.write(results, Format::Csv, &follower)?;
    let pairs = std::fs::read_to_string(path("results/pairs.csv"))?;
    assert_eq!(pairs, "unique_id_l,unique_id_r,match_key\n2,x,rule_1\n");
    assert!(follower.stages.load(Relaxed) >= 5);

    follower.cancel.store(true, Relaxed);
    let Err(error) = session.run(&job, &follower) else { return Err("a cancelled job went on".into()) };
    assert_eq!(error.code(), ErrorCode::Cancelled);
    Ok(())
}
