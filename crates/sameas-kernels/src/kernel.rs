//! The kernels as values: each knows its name and the type of its arguments. The build script reads both from the
//! definitions in `kernels/*.cu`, so no second list is kept, and a launch cannot be given another kernel's arguments.

use std::marker::PhantomData;

use crate::layout::by_value::*;
use crate::layout::closure_bits::*;
use crate::layout::components::*;
use crate::layout::edit_join::*;
use crate::layout::equi_join::*;
use crate::layout::graph::*;
use crate::layout::heads::*;
use crate::layout::neighbourhood::*;
use crate::layout::pair_order::*;
use crate::layout::part::*;
use crate::layout::reach::*;
use crate::layout::relation_carried::*;
use crate::layout::relation_rounds::*;
use crate::layout::set_join::*;
use crate::layout::text::*;
use crate::layout::tiles::*;

/// A kernel that takes one struct of arguments. There are no others than the constants of this module.
pub struct Kernel<Args> {
    name: &'static str,
    pointers: &'static [usize],
    args: PhantomData<fn(Args)>,
}

impl<Args> Kernel<Args> {
    const fn new(name: &'static str, pointers: &'static [usize]) -> Self {
        Self { name, pointers, args: PhantomData }
    }

    /// The name of its entry point.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The bytes of its arguments at which addresses of device memory lie.
    pub const fn pointers(self) -> &'static [usize] {
        self.pointers
    }
}

impl<Args> Clone for Kernel<Args> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Args> Copy for Kernel<Args> {}

impl<Args> std::fmt::Debug for Kernel<Args> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
