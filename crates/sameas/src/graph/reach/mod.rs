//! What is reached.

pub mod gpu;
