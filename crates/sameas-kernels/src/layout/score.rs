//! How pairs are scored; the C++ side, where the fields are explained, is in `kernels/score_layout.h`.

#![allow(missing_docs)]

use bytemuck::{NoUninit, Pod, Zeroable};

use crate::DevicePtr;

/// In place of a predicate: the outcome is known.
pub const SCORE_REACHED: u32 = u32::MAX;

/// Comparisons at most.
pub const SCORE_COMPARISONS: usize = 32;

/// What a predicate takes to evaluate.
pub mod effort {
    pub const CODES: u32 = 0;
    pub const MEASURE: u32 = 1;
    pub const EXPRESSION: u32 = 2;
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct ScoreNode {
    pub most: i64,
    pub part: u64,
    pub predicate: u32,
    pub effort: u32,
    pub next: [u32; 3],
    pub adjusted: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, NoUninit, Zeroable)]
pub struct ScoreComparison {
    pub codes: DevicePtr<u32>,
    pub adjustments: DevicePtr<i64>,
    pub most_adjustment: i64,
    pub root: u32,
    pub unused: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, NoUninit, Zeroable)]
pub struct ScoreTables {
    pub nodes: DevicePtr<ScoreNode>,
    pub comparisons: DevicePtr<ScoreComparison>,
    pub certain: DevicePtr<u8>,
    pub first: i64,
    pub threshold: i64,
    pub count: u32,
    pub copies: u32,
    pub places: u64,
    pub shift: u64,
}
