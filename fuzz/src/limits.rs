//! What one input may take: time and memory.

use std::cell::Cell;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::allocator;
use crate::target::Target;

/// The memory limit of the sessions that targets use, in bytes.
pub const MEMORY: usize = 64 << 20;

/// What a job may take besides: buffers of fixed size, the input itself, and the oracle where there is one.
const FIXED: usize = 150 << 20;

/// The time that an input may take: a second. Instrumented loops over bytes take at least five times as long as plain ones.
pub const TIME: Duration = Duration::from_secs(if cfg!(feature = "libfuzzer") { 5 } else { 1 });

/// A busy machine makes any input slow now and then, by either clock: an input is slow if it is slow each time.
const ATTEMPTS: usize = 3;

thread_local! {
    /// What the input of this moment has spent on work that is not judged.
    static ASIDE: Cell<Spent> = const { Cell::new(Spent { wall: Duration::ZERO, cpu: Duration::ZERO }) };
}

/// Time by two clocks.
#[derive(Clone, Copy, Default)]
struct Spent {
    wall: Duration,
    cpu: Duration,
}

impl Spent {
    /// What the process has spent until now.
    fn now() -> Self {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        let cpu = clock_gettime(ClockId::ProcessCPUTime);
        Self { wall: BEGIN.elapsed(), cpu: Duration::new(cpu.tv_sec as u64, cpu.tv_nsec as u32) }
    }

    fn plus(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, cpu: self.cpu + other.cpu }
    }

    fn minus(self, other: Self) -> Self {
        Self { wall: self.wall.saturating_sub(other.wall), cpu: self.cpu.saturating_sub(other.cpu) }
    }

    /// The time that an input is judged by: other programs stretch the one clock, several threads the other. An input that
    /// waits for ever is left to whoever started the process.
    fn judged(self) -> Duration {
        self.wall.min(self.cpu)
    }
}

/// Does work whose time does not count: the oracle is slow by nature.
pub fn aside<T>(work: impl FnOnce() -> T) -> T {
    let begun = Spent::now();
    let done = work();
    ASIDE.set(ASIDE.get().plus(Spent::now().minus(begun)));
    done
}

/// Runs a target on an input.
///
/// # Panics
/// Where the target does, or where it takes too much time or memory.
pub fn run(target: Target, input: &[u8]) {
    let mut times = Vec::new();
    while times.len() < ATTEMPTS {
        let (before, begun) = (allocator::start(), Spent::now());
        ASIDE.set(Spent::default());
        (target.run)(input);
        let spent = Spent::now().minus(begun).minus(ASIDE.get());
        let (time, memory) = (spent.judged(), allocator::peak() - before);
        assert!(memory <= MEMORY + FIXED, "{} MB of memory with a limit of {} MB", memory >> 20, MEMORY >> 20);
        times.push(time);
        if time <= TIME {
            return;
        }
    }
    panic!("takes {times:?}");
}
