//! The arguments of the kernels: twins of the structs in `kernels/*_layout.h`, field by field. Addresses are `u64`.

pub mod components;
pub mod verify;
