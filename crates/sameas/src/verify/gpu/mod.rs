//! The verifier on a device: the same tree, asked inside the kernels that enumerate the candidates.
//!
//! `image` brings what the checks read to the device, `number` restates thresholds of numbers, `text` those of texts,
//! `compile` flattens a branch for the kernels, and `survivors` runs units of an access path, slice by slice, and brings
//! back the pairs that passed. What a device cannot decide leaves it with what is known and is decided by the host.

mod compile;
mod image;
mod number;
pub mod pair_list;
mod part;
mod survivors;
pub mod text;

pub use compile::DeviceProgram;
pub use image::Image;
pub use survivors::{Counted, Decided, Open, Places, Survivors, Taker};
