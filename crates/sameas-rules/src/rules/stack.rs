//! Room for recursion.

use std::thread::{Builder, scope};

use crate::error::{Error, Result};

/// Bytes of the stack on which rules are compiled: 32 KiB for each level of the deepest expression, several times what
/// unoptimised code needs. Only what is used of it takes memory.
const STACK_BYTES: usize = super::parser::MAX_DEPTH * (32 << 10);

/// Does work that walks expressions on a stack that is deep enough for all of them, whatever thread the caller is on.
pub fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    scope(|scope| {
        let thread = Builder::new().name("rules".into()).stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| Error::no_thread("the thread that reads the rules", error))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
