//! Values and thresholds on a device, as the kernels read them.
//!
//! Access paths and the verifier read the same texts by the same tests on a device, and neither may depend on the other:
//! so what brings these there has a place below both, above `device` (memory and kernels, which know no values) and
//! `records` (which know no device). `text` holds the texts of a domain and tests of them, `slots` what threads need for long
//! ones, `sets` holds token sets, `number` restates thresholds of numbers, `arithmetic` conditions on them, and `pair_list`
//! decides a test for given pairs. `column` and `codes` have values wherever they lie, and `part` gathers some records and
//! their values.
//! Which columns a branch needs is known in `verify/gpu`.
//!
//! Texts lie on a device as bit planes (bit j of 32 characters in one word), so any alphabet takes the same kernels.
//! Thresholds are restated as integers by the host's own comparison: numbers of edits for each length, tables of Jaro
//! decisions, least common characters for signatures. Longer texts repeat the host's operations in doubles, each
//! rounded once.

pub mod arithmetic;
mod codes;
mod column;
pub mod number;
pub mod pair_list;
mod part;
mod sets;
mod slots;
mod text;

#[cfg(test)]
mod tests;

pub use codes::DeviceCodes;
pub use column::DeviceColumn;
pub use part::{DevicePart, KeptValues};
pub use sets::DeviceSets;
pub use text::{DeviceTextTest, DeviceTexts, long, short};
