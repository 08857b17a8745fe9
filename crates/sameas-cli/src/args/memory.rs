//! `--memory`, for commands that have no other limits.

use clap::Args;
use sameas::{Result, Session};

use super::values;

/// What a command may take.
#[derive(Debug, Args)]
pub struct MemoryLimit {
    /// Memory that may be taken, such as 2GB or 512MiB [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    memory: Option<usize>,
}

impl MemoryLimit {
    /// All cores, and no more memory than that.
    pub fn session(&self) -> Result<Session> {
        match self.memory {
            Some(bytes) => Session::builder().memory(bytes).build(),
            None => Session::new(),
        }
    }
}
