//! The transitive closure of a file of pairs, handed out.

use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use sameas_core::error::Result;
use sameas_datalog::closure::{BatchesSink, ClosurePlan, FileSink, SolvedClosure};
use sameas_engine::observer::Observer;
use sameas_records::output::Format;

use super::session::Session;

/// All pairs of ids that a path connects. They are counted, and found again while they are written: no list of them is
/// kept.
pub struct Closure {
    session: Session,
    solved: SolvedClosure,
}

impl Closure {
    pub(super) fn new(session: Session, solved: SolvedClosure) -> Self {
        Self { session, solved }
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.solved.pairs()
    }

    /// How they were found, and why.
    pub fn plan(&self) -> &ClosurePlan {
        self.solved.plan()
    }

    /// Writes the pairs, sorted by the first id and then by the second; `name` is what messages call the writer.
    pub fn write(&self, out: impl Write + Send, format: Format, name: &str, observer: &dyn Observer) -> Result<()> {
        let file = FileSink { out, format, path: Path::new(name) };
        self.session.with(observer, |progress| self.solved.write(file, progress).map(drop))
    }

    /// The columns of the pairs: the two of the edges, with their names.
    pub fn schema(&self) -> SchemaRef {
        self.solved.schema()
    }

    /// The pairs, sorted by the first id and then by the second, some tens of thousands at a time. An error of the sink ends
    /// it.
    pub fn read(
        &self,
        sink: &mut (dyn FnMut(RecordBatch) -> Result<()> + Send),
        observer: &dyn Observer,
    ) -> Result<()> {
        self.session.with(observer, |progress| self.solved.write(BatchesSink(sink), progress))
    }
}

impl std::fmt::Debug for Closure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Closure {{ pairs: {} }}", self.pairs())
    }
}
