//! The arguments of the kernels: twins of the structs in `kernels/*_layout.h`, field by field. Addresses are `u64`.

pub mod by_value;
pub mod components;
pub mod consume;
pub mod equi_join;
pub mod text;
pub mod tiles;
pub mod verify;
