//! Relations.

pub mod gpu;
