//! Graphs.

pub mod gpu;
pub mod reach;
