//! Experiments on what the planner believes: what predicates cost, and how often they hold.
//!
//! `workload` reads data sets and makes predicates over them, `ranking` compares orders, `network` is the small
//! regression network that the cost model is compared with.

mod cost_models;
mod lsh_evenness;
mod network;
mod ranking;
mod workload;

pub use cost_models::run as cost_models;
pub use lsh_evenness::run as lsh_evenness;

/// A stream of random numbers: SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        crate::report::mix(self.0)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit.max(1))) as u32
    }

    /// A number from -1 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
