//! What the verifier reads: twins of `kernels/verify_layout.h`, where the fields are explained.

#![allow(missing_docs)]

use crate::Plain;

/// Kinds of checks.
pub mod kind {
    pub const EQUAL: u32 = 0;
    pub const LEFT: u32 = 1;
    pub const RIGHT: u32 = 2;
    pub const TEXT: u32 = 3;
    pub const TABLE: u32 = 4;
    pub const SET: u32 = 5;
    pub const ANY: u32 = 6;
    pub const DIFFERENCE: u32 = 7;
    pub const SAME_SOURCE: u32 = 8;
    pub const HOST: u32 = 9;
}

/// Comparisons of floats.
pub mod comparison {
    pub const EQUAL: u32 = 0;
    pub const LESS: u32 = 1;
    pub const LESS_EQUAL: u32 = 2;
    pub const GREATER: u32 = 3;
    pub const GREATER_EQUAL: u32 = 4;
}

/// Measures of sets.
pub mod set_measure {
    pub const JACCARD: u32 = 0;
    pub const DICE: u32 = 1;
    pub const COSINE: u32 = 2;
    pub const OVERLAP_COEFFICIENT: u32 = 3;
    pub const COMMON: u32 = 4;
}

/// Comparisons of whole differences.
pub mod whole {
    pub const NEVER: u32 = 0;
    pub const ALWAYS: u32 = 1;
    pub const AT_MOST: u32 = 2;
    pub const AT_LEAST: u32 = 3;
    pub const EQUAL: u32 = 4;
}

/// No slot: the verdict is not remembered.
pub const NO_SLOT: u32 = u32::MAX;

/// Verdicts that are remembered of a candidate.
pub const SLOTS: usize = 64;

/// Bytes of shared memory that the verifier takes a warp.
pub const VERIFY_SHARED: u32 = 1792;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Check {
    pub kind: u32,
    pub slot: u32,
    pub comparison: u32,
    pub variant: u32,
    pub left: u64,
    pub right: u64,
    pub a: u64,
    pub b: u64,
    pub c: u64,
    pub d: u64,
    pub whole: i64,
    pub threshold: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Literal {
    pub predicate: u32,
    pub want: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    pub literal: Literal,
    pub skip: u32,
    pub completes: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Conjunction {
    pub begin: u32,
    pub end: u32,
    pub rule: u32,
    pub mine: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Rule {
    pub begin: u32,
    pub end: u32,
    pub needed: u32,
    pub padding: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Program {
    pub checks: u64,
    pub steps: u64,
    pub literals: u64,
    pub conjunctions: u64,
    pub rules: u64,
    pub nevers: u64,
    pub step_count: u32,
    pub rule_count: u32,
    pub never_count: u32,
    pub settled: u32,
    pub implied_true: u64,
    pub implied_false: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyRun {
    pub program: u64,
    pub counters: u64,
    pub left_rows: u64,
    pub right_rows: u64,
    pub parents: u64,
    pub pair_l: u64,
    pub pair_r: u64,
    pub pair_rule: u64,
    pub open_l: u64,
    pub open_r: u64,
    pub open_true: u64,
    pub open_false: u64,
    pub cursors: u64,
    pub capacity: u64,
    pub all_rules: u32,
    pub right_offset: u32,
    pub at_once: u32,
    pub count_steps: u32,
}

// SAFETY: integers and floats of C layout without gaps.
unsafe impl Plain for Check {}
// SAFETY: as above.
unsafe impl Plain for Literal {}
// SAFETY: as above.
unsafe impl Plain for Step {}
// SAFETY: as above.
unsafe impl Plain for Conjunction {}
// SAFETY: as above.
unsafe impl Plain for Rule {}
// SAFETY: as above.
unsafe impl Plain for Program {}
// SAFETY: as above.
unsafe impl Plain for VerifyRun {}

const _: () = assert!(size_of::<Check>() == 80 && size_of::<Program>() == 80 && size_of::<VerifyRun>() == 128);
