//! What one input may take: time and memory.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::{Target, allocator};

/// The memory limit of the sessions that targets use, in bytes.
pub const MEMORY: usize = 64 << 20;

/// What a job may take besides: buffers of fixed size, the input itself, and the oracle where there is one.
const FIXED: usize = 150 << 20;

/// The time that an input may take: a second. Instrumented loops over bytes take at least five times as long as plain ones.
pub const TIME: Duration = Duration::from_secs(if cfg!(feature = "libfuzzer") { 5 } else { 1 });

/// A busy machine makes any input slow now and then: an input is slow if it is slow each time.
const ATTEMPTS: usize = 3;

thread_local! {
    /// What the input of this moment has spent on work that is not judged.
    static ASIDE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Does work whose time does not count: the oracle is slow by nature.
pub fn aside<T>(work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = work();
    ASIDE.set(ASIDE.get() + begun.elapsed());
    done
}

/// Runs a target on an input.
///
/// # Panics
/// Where the target does, or where it takes too much time or memory.
pub fn run(target: Target, input: &[u8]) {
    let mut times = Vec::new();
    while times.len() < ATTEMPTS {
        let (before, begun) = (allocator::start(), Instant::now());
        ASIDE.set(Duration::ZERO);
        (target.run)(input);
        let (time, memory) = (begun.elapsed() - ASIDE.get(), allocator::peak() - before);
        assert!(memory <= MEMORY + FIXED, "{} MB of memory with a limit of {} MB", memory >> 20, MEMORY >> 20);
        times.push(time);
        if time <= TIME {
            return;
        }
    }
    panic!("takes {times:?}");
}
