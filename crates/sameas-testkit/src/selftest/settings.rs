//! What a run of the suite is asked for.

use sameas_device::DeviceChoice;

/// What to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the engine runs.
    pub device: DeviceChoice,
    /// The first seed.
    pub seed: u64,
    /// Random cases.
    pub cases: u64,
    /// A part of the names of the cases to run, as in `random/seed 17`.
    pub filter: Option<String>,
    /// Cases at a time.
    pub threads: usize,
}

/// The default number of random cases.
pub const CASES: u64 = 180;

impl Default for Settings {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
        Self { device: DeviceChoice::Cpu, seed: 0, cases: CASES, filter: None, threads }
    }
}
