//! Cost: what evaluating a predicate takes on one core, estimated from the values it will meet.
//!
//! `features` counts what makes a check expensive over a sample of pairs: how many reach the signature filter, how many
//! pass it, how long their texts or sets are. `model` turns these counts into nanoseconds, with coefficients for each
//! kind of check. The coefficients are `shipped` for a class of device, or measured by [`Costs::calibrate`] and kept in a
//! `file` of the user's.

pub mod calibrate;
mod features;
mod file;
mod kind;
mod model;
mod shipped;

pub use features::Features;
pub use kind::CheckKind;
pub use model::{CORES, Coefficients, Costs};

use crate::candidates::Batch;
use crate::records::encode::Encoded;
use crate::verify::Check;

impl Costs {
    /// What the check takes for one of the selected pairs, on average and in nanoseconds. Without a pair it is what
    /// such checks usually take.
    #[doc(hidden)]
    pub fn predicate(&self, check: &Check, encoded: &Encoded, pairs: &Batch, selection: &[u32]) -> f64 {
        self.nanoseconds(CheckKind::from_check(check), &Features::count(check, encoded, pairs, selection))
    }
}
