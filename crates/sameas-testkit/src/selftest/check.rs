//! A question about relations: it is asked in several ways and has one answer, which the oracle knows.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use sameas::Session;

use super::variant::Options;
use crate::program::{Program, minimise};

/// A question.
pub struct Check {
    /// Its name within its group.
    pub name: String,
    /// What chooses how it is asked.
    pub seed: u64,
    /// Asks it; the error says what went wrong, about a question made small if there is time for it.
    pub ask: Box<RunCheck>,
}

/// Asks a question, and takes this time to make one that fails small.
pub type RunCheck = dyn Fn(Duration) -> Result<(), String> + Send + Sync;

/// Does the same work on several threads, or on this one where the system starts none.
pub fn on_threads(threads: usize, work: impl Fn() + Copy + Send) {
    std::thread::scope(|scope| {
        let begin = |_: &usize| std::thread::Builder::new().spawn_scoped(scope, work).is_ok();
        if (0..threads).filter(begin).count() == 0 {
            work();
        }
    });
}

/// The work's result; a panic is an error.
pub fn catch<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?")))
    })
}

/// Asks about a program; `differs` says what is wrong. A program that fails is made small in this time.
pub fn about_program(
    program: Program,
    time: Duration,
    differs: impl Fn(&Program) -> Option<String>,
) -> Result<(), String> {
    let differs = |program: &Program| catch(|| Ok(differs(program))).unwrap_or_else(Some);
    let Some(text) = differs(&program) else { return Ok(()) };
    let begun = Instant::now();
    let small = minimise(program, |program| begun.elapsed() < time && differs(program).is_some());
    Err(format!("{small}\n{}", differs(&small).unwrap_or(text)))
}

/// Opens sessions, whose devices are those of the first, so that a GPU is opened once.
#[derive(Default)]
pub struct Sessions {
    first: OnceLock<Session>,
}

impl Sessions {
    /// A session with these options.
    ///
    /// # Errors
    /// Where the device cannot be used.
    pub fn open(&self, options: &Options) -> sameas::Result<Session> {
        let session = options.session(self.first.get())?;
        self.first.get_or_init(|| session.clone());
        Ok(session)
    }
}
