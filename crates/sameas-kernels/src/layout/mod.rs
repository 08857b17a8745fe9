//! The structs that kernels read, as in `kernels/*_layout.h`. The build script reads those headers and writes a check of
//! every field, its offset, its size and its type: for this crate, and for the compilers of the kernels.

pub mod arithmetic;
pub mod by_value;
pub mod closure_bits;
pub mod codes;
pub mod components;
pub mod consume;
pub mod edit_join;
pub mod equi_join;
pub mod graph;
pub mod heads;
pub mod neighbourhood;
pub mod pair_order;
pub mod part;
pub mod reach;
pub mod relation_carried;
pub mod relation_rounds;
pub mod score;
pub mod set_join;
pub mod text;
pub mod tiles;
pub mod verify;

mod checks {
    use std::mem::offset_of;

    use super::{
        arithmetic::*, by_value::*, closure_bits::*, components::*, consume::*, edit_join::*, equi_join::*, graph::*,
        heads::*, neighbourhood::*, pair_order::*, part::*, reach::*, relation_carried::*, relation_rounds::*,
        score::*, set_join::*, text::*, tiles::*, verify::*,
    };
    use crate::{DevicePtr, Untyped};

    include!(concat!(env!("OUT_DIR"), "/layout_checks.rs"));
}
