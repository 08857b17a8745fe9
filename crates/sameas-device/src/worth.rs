//! Whether work is worth a GPU, whose context takes about half a second to start.
//!
//! Each kind of job foretells its work in a unit of its own, which its plan shows too. What is worth a GPU is said here for
//! all of them, side by side.

/// Seconds of one core, from which on a plan for pairs is worth a GPU.
const CORE_SECONDS: f64 = 8.0;

/// Milliseconds of all threads of the host, from which on a closure is worth a GPU.
const MILLISECONDS: u64 = 1000;

/// Bindings of joins, from which on a program over relations is worth a GPU: about a second of a few cores.
const BINDINGS: f64 = 5e7;

/// What a job is expected to cost the host, where no device takes a part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HostWork {
    /// Seconds of one core.
    CoreSeconds(f64),
    /// Milliseconds of all threads together.
    Milliseconds(u64),
    /// Bindings that the joins of a program make.
    Bindings(f64),
}

/// Whether this work is worth the start of a GPU.
pub fn is_worth_a_gpu(work: HostWork) -> bool {
    match work {
        HostWork::CoreSeconds(seconds) => seconds >= CORE_SECONDS,
        HostWork::Milliseconds(milliseconds) => milliseconds >= MILLISECONDS,
        HostWork::Bindings(bindings) => bindings >= BINDINGS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_has_its_figure() {
        for worth_it in [HostWork::CoreSeconds(8.0), HostWork::Milliseconds(1000), HostWork::Bindings(5e7)] {
            assert!(is_worth_a_gpu(worth_it), "{worth_it:?}");
        }
        for too_small in [HostWork::CoreSeconds(7.99), HostWork::Milliseconds(999), HostWork::Bindings(4.99e7)] {
            assert!(!is_worth_a_gpu(too_small), "{too_small:?}");
        }
        // A cost that nobody knows is no reason to start one.
        assert!(!is_worth_a_gpu(HostWork::CoreSeconds(f64::NAN)) && !is_worth_a_gpu(HostWork::Bindings(f64::NAN)));
    }
}
