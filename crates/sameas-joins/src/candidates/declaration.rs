//! What an access path declares about itself: its name, the predicates it serves, what it costs, and its insides on the
//! CPU and on a device. Planner, engine, explanation and self-test read nothing else.

use super::parting::Parting;
use super::value_join::AnyValueJoin;
use super::{Path, PathInput};
use crate::records::encode::Encoded;
use crate::threshold::{Check, Sides};

/// Nanoseconds that starting a path takes, whatever it joins.
pub const START: f64 = 100_000.0;

/// Bytes that a join of sampled rows may take, however little the job has: it needs no more than some of them.
pub const SAMPLE_MEMORY: usize = 1 << 26;

/// An access path. Costs are nanoseconds of one core, without what each candidate takes that is handed on; the constants
/// are from the benchmarks of the joins (`bench/`), and only their proportions matter to a plan.
pub trait Declaration: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether it can enumerate the pairs for which a predicate is true.
    fn serves(&self, check: &Check) -> bool;

    /// Whether it joins on several predicates at once: its candidates satisfy all of them.
    fn joins_several(&self) -> bool {
        false
    }

    /// Whether its candidates are pairs of equal keys. Its records are then parted by these ([`Parting::Keys`]), and frequent keys
    /// may make most of its candidates.
    fn has_keys(&self) -> bool {
        false
    }

    /// Whether its candidates are estimated by joining a sample of the values that it compares. They are counted otherwise.
    fn samples_values(&self) -> bool {
        true
    }

    /// How it joins distinct values, where it does: their pairs are then known only once they are joined.
    fn over_values(&self) -> Option<&dyn ValueDeclaration> {
        None
    }

    /// What it takes on the CPU to join on these predicates.
    fn cost(&self, on: &[usize], facts: &dyn JoinFacts) -> f64;

    /// The path on the CPU that joins on these predicates.
    fn path<'a>(&self, on: &[usize], input: PathInput<'a>) -> Path<'a>;

    /// By what the records can be divided where it joins on these predicates. A path that declares less than it could costs pairs
    /// across parts; one that declares more would miss pairs.
    fn parting(&self, on: &[usize], checks: &[Check]) -> Parting;

    /// Whether it has an inside on a device.
    fn has_device_path(&self) -> bool;

    /// Whether a device, where the path has one, can join on a predicate that the path serves.
    fn serves_on_device(&self, _: &Check) -> bool {
        true
    }

    /// What it takes where a device joins on these predicates.
    fn device_cost(&self, on: &[usize], facts: &dyn JoinFacts) -> DeviceCost {
        DeviceCost { host: 0.0, device: START + self.cost(on, facts) }
    }
}

/// An access path over distinct values: it finds exactly the pairs of values for which a predicate is true.
pub trait ValueDeclaration: Sync {
    /// The join of some values on the CPU; its index takes at most about `memory` bytes.
    fn join<'a>(
        &self,
        check: &'a Check,
        encoded: &'a Encoded,
        values: &ValueLists,
        memory: usize,
    ) -> Box<dyn AnyValueJoin + 'a>;

    /// What joining the values of a predicate takes on the CPU.
    fn cost(&self, predicate: usize, facts: &dyn JoinFacts) -> f64;
}

/// Why a path cannot be run on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDevicePath {
    /// The path has no kernel.
    Path,
    /// The path has kernels, but none for this measure.
    Measure,
}

/// What a path takes where a device joins.
#[derive(Clone, Copy, Debug)]
pub struct DeviceCost {
    /// What the host does for it.
    pub host: f64,
    /// What the device does, in nanoseconds of a core: it takes a share of that.
    pub device: f64,
}

/// What a path may know about the records to say what it costs.
pub trait JoinFacts {
    /// The rows that a join reads: where both sides are one, each once.
    fn rows(&self) -> f64;

    /// The check of a predicate.
    fn check(&self, predicate: usize) -> &Check;

    /// What the checks read.
    fn encoded(&self) -> &Encoded;

    /// Distinct values of a predicate on the left and on the right.
    fn distinct(&self, predicate: usize) -> [f64; 2];

    /// The mean nanoseconds of a measure over all pairs of values, of which only those come to it that pass their
    /// signatures.
    fn measured(&self, predicate: usize) -> f64;

    /// What joining the distinct values of a predicate takes: [`ValueDeclaration::cost`], computed once.
    fn values_cost(&self, predicate: usize) -> f64;

    /// Codes of distinct values in a sample of the left and of the right rows.
    fn sampled_values(&self, predicate: usize, operands: Sides<usize>) -> [Vec<u32>; 2];
}

/// The codes of distinct values of both sides, or of one that is joined with itself.
#[derive(Clone, Debug)]
pub struct ValueLists {
    /// Of the left side.
    pub left: Vec<u32>,
    /// Of the right side; `None` where the left ones are joined with themselves.
    pub right: Option<Vec<u32>>,
}

/// Declares the access paths: an enum of them, with the declaration of each.
macro_rules! access_paths {
    ($($(#[$doc:meta])* $path:ident => $declaration:expr,)+) => {
        /// An access path: how the pairs that may satisfy a rule are found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum AccessPath {
            $($(#[$doc])* $path,)+
        }

        impl AccessPath {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$path),+];

            /// What it declares about itself.
            #[doc(hidden)]
            pub fn declaration(self) -> &'static dyn $crate::candidates::Declaration {
                match self {
                    $(Self::$path => &$declaration,)+
                }
            }
        }
    };
}
pub(super) use access_paths;
