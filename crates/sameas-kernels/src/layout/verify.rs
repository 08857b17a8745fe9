//! What the verifier reads; the C++ side, where the fields are explained, is in `kernels/verify_layout.h`.

#![allow(missing_docs)]

use bytemuck::{NoUninit, Pod, Zeroable};

use super::arithmetic::ArithmeticOp;
use super::score::ScoreTables;
use super::set_join::{SetSummary, Sets};
use super::text::{TextTest, Texts};
use crate::DevicePtr;

/// Kinds of checks.
mod kind {
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
    pub const ARITHMETIC: u32 = 10;
    pub const ELEMENTS: u32 = 11;
}

/// Comparisons of floats.
pub mod comparison {
    pub const EQUAL: u32 = 0;
    pub const LESS: u32 = 1;
    pub const LESS_EQUAL: u32 = 2;
    pub const GREATER: u32 = 3;
    pub const GREATER_EQUAL: u32 = 4;
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

/// In the rule of a pair: the host still has to score it.
pub const UNSCORED: u32 = 1 << 31;

/// Bytes of shared memory that the verifier takes per warp.
pub const VERIFY_SHARED: u32 = 1792;

/// What a value is as a number.
pub mod number_kind {
    pub const NOT_A_NUMBER: u8 = 0;
    pub const WHOLE: u8 = 1;
    pub const FLOAT: u8 = 2;
}

/// One predicate: a kind, and what a check of that kind reads. Made by its functions, so that the two agree.
#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct Check {
    pub(super) kind: u32,
    pub(super) slot: u32,
    pub(super) left: DevicePtr<u32>,
    pub(super) right: DevicePtr<u32>,
    pub(super) body: CheckBody,
}

/// The codes that a check of values compares, by left and by right row.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    pub left: DevicePtr<u32>,
    pub right: DevicePtr<u32>,
}

impl Check {
    fn new(kind: u32, codes: Codes, body: CheckBody) -> Self {
        Self { kind, slot: NO_SLOT, left: codes.left, right: codes.right, body }
    }

    fn without_codes(kind: u32, body: CheckBody) -> Self {
        Self::new(kind, Codes { left: DevicePtr::NULL, right: DevicePtr::NULL }, body)
    }

    /// The host decides.
    pub fn host() -> Self {
        Self::without_codes(kind::HOST, CheckBody::zeroed())
    }

    /// Codes are equal; `null_safe` says whether null equals null.
    pub fn equal(codes: Codes, null_safe: bool) -> Self {
        let equal = EqualCheck { null_safe: u32::from(null_safe), unused: [0; 15] };
        Self::new(kind::EQUAL, codes, CheckBody { equal })
    }

    /// A verdict by left row.
    pub fn left(verdicts: DevicePtr<u8>) -> Self {
        Self::without_codes(kind::LEFT, CheckBody { one_sided: OneSidedCheck { verdicts, unused: [0; 7] } })
    }

    /// A verdict by right row.
    pub fn right(verdicts: DevicePtr<u8>) -> Self {
        Self { kind: kind::RIGHT, ..Self::left(verdicts) }
    }

    /// Both rows are of one input: none of `count` borders lies between them.
    pub fn same_source(borders: DevicePtr<u32>, count: u32) -> Self {
        let same_source = SameSourceCheck { borders, count, unused: [0; 13] };
        Self::without_codes(kind::SAME_SOURCE, CheckBody { same_source })
    }

    /// A condition on numbers of both rows: operations in postfix order.
    pub fn arithmetic(ops: DevicePtr<ArithmeticOp>, count: u32) -> Self {
        Self::without_codes(kind::ARITHMETIC, CheckBody { arithmetic: ArithmeticCheck { ops, count, unused: [0; 13] } })
    }

    /// A threshold of a text measure.
    pub fn text(codes: Codes, text: TextCheck) -> Self {
        Self::new(kind::TEXT, codes, CheckBody { text })
    }

    /// Verdicts known for all pairs of values.
    pub fn table(codes: Codes, table: TableCheck) -> Self {
        Self::new(kind::TABLE, codes, CheckBody { table })
    }

    /// A threshold of a set measure.
    pub fn set(codes: Codes, set: SetCheck) -> Self {
        Self::new(kind::SET, codes, CheckBody { set })
    }

    /// Two sets share an element; threshold, comparison and formula do not count.
    pub fn any(codes: Codes, set: SetCheck) -> Self {
        Self::new(kind::ANY, codes, CheckBody { set })
    }

    /// A threshold of a mean of best matches.
    pub fn elements(codes: Codes, elements: ElementsCheck) -> Self {
        Self::new(kind::ELEMENTS, codes, CheckBody { elements })
    }

    /// A threshold of the difference of two numbers.
    pub fn difference(codes: Codes, difference: DifferenceCheck) -> Self {
        Self::new(kind::DIFFERENCE, codes, CheckBody { difference })
    }

    /// Whether the gate can test it.
    pub fn has_facts(&self) -> bool {
        matches!(self.kind, kind::EQUAL | kind::TEXT | kind::TABLE | kind::SET | kind::ANY)
    }

    /// The same with a place where its verdict is remembered.
    #[must_use]
    pub fn with_slot(self, slot: u32) -> Self {
        Self { slot, ..self }
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct EqualCheck {
    pub null_safe: u32,
    pub unused: [u32; 15],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct OneSidedCheck {
    pub verdicts: DevicePtr<u8>,
    pub unused: [u64; 7],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct TextCheck {
    pub test: DevicePtr<TextTest>,
    pub texts: DevicePtr<Texts>,
    pub skip_signatures: u32,
    pub unused: [u32; 11],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct TableCheck {
    pub bits: DevicePtr<u64>,
    pub row_words: u64,
    pub left_nulls: DevicePtr<u8>,
    pub right_nulls: DevicePtr<u8>,
    pub unused: [u64; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct SetCheck {
    pub left: Sets,
    pub right: Sets,
    pub left_summaries: DevicePtr<SetSummary>,
    pub right_summaries: DevicePtr<SetSummary>,
    pub threshold: f64,
    pub comparison: u32,
    pub formula: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct ElementsCheck {
    pub left: Sets,
    pub right: Sets,
    pub texts: DevicePtr<Texts>,
    pub threshold: f64,
    pub comparison: u32,
    pub exchanged: u32,
    pub winkler: u32,
    pub unused: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct DifferenceCheck {
    pub left_numbers: DevicePtr<u64>,
    pub left_kinds: DevicePtr<u8>,
    pub right_numbers: DevicePtr<u64>,
    pub right_kinds: DevicePtr<u8>,
    pub threshold: f64,
    pub whole_bound: i64,
    pub comparison: u32,
    pub whole: u32,
    pub unused: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct SameSourceCheck {
    pub borders: DevicePtr<u32>,
    pub count: u32,
    pub unused: [u32; 13],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, NoUninit, Zeroable)]
pub struct ArithmeticCheck {
    pub ops: DevicePtr<ArithmeticOp>,
    pub count: u32,
    pub unused: [u32; 13],
}

/// What a check reads besides codes, by its kind.
#[repr(C)]
#[derive(Clone, Copy)]
pub union CheckBody {
    pub(super) equal: EqualCheck,
    pub(super) one_sided: OneSidedCheck,
    pub(super) text: TextCheck,
    pub(super) table: TableCheck,
    pub(super) set: SetCheck,
    pub(super) elements: ElementsCheck,
    pub(super) difference: DifferenceCheck,
    pub(super) same_source: SameSourceCheck,
    pub(super) arithmetic: ArithmeticCheck,
}

impl std::fmt::Debug for CheckBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CheckBody")
    }
}

// SAFETY: all members can be zero.
unsafe impl Zeroable for CheckBody {}
// SAFETY: no member has padding, and all have the size of the union, so that whichever was written has written all bytes.
unsafe impl NoUninit for CheckBody {}

const _: () = {
    const BYTES: usize = size_of::<CheckBody>();
    assert!(size_of::<EqualCheck>() == BYTES && size_of::<OneSidedCheck>() == BYTES);
    assert!(size_of::<TextCheck>() == BYTES && size_of::<TableCheck>() == BYTES && size_of::<SetCheck>() == BYTES);
    assert!(size_of::<DifferenceCheck>() == BYTES && size_of::<SameSourceCheck>() == BYTES);
    assert!(size_of::<ArithmeticCheck>() == BYTES && size_of::<ElementsCheck>() == BYTES);
};

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Literal {
    pub predicate: u32,
    pub want: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Step {
    pub literal: Literal,
    pub skip: u32,
    pub completes: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Conjunction {
    pub begin: u32,
    pub end: u32,
    pub rule: u32,
    pub mine: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Rule {
    pub begin: u32,
    pub end: u32,
    pub needed: u32,
    pub padding: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct GateCheck {
    pub predicate: u32,
    pub ends: u32,
    pub step: u32,
    pub unused: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, NoUninit, Zeroable)]
pub struct Program {
    pub checks: DevicePtr<Check>,
    pub steps: DevicePtr<Step>,
    pub literals: DevicePtr<Literal>,
    pub conjunctions: DevicePtr<Conjunction>,
    pub rules: DevicePtr<Rule>,
    pub nevers: DevicePtr<Conjunction>,
    pub gate: DevicePtr<GateCheck>,
    pub step_count: u32,
    pub rule_count: u32,
    pub never_count: u32,
    pub shadowed_count: u32,
    pub settled: u32,
    pub gate_count: u32,
    pub implied_true: u64,
    pub implied_false: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, NoUninit, Zeroable)]
pub struct VerifyRun {
    pub program: DevicePtr<Program>,
    pub counters: DevicePtr<u64>,
    pub left_rows: DevicePtr<u32>,
    pub right_rows: DevicePtr<u32>,
    pub parents: DevicePtr<u32>,
    pub pair_l: DevicePtr<u32>,
    pub pair_r: DevicePtr<u32>,
    pub pair_rule: DevicePtr<u32>,
    pub pair_score: DevicePtr<i64>,
    pub open_l: DevicePtr<u32>,
    pub open_r: DevicePtr<u32>,
    pub open_true: DevicePtr<u64>,
    pub open_false: DevicePtr<u64>,
    pub cursors: DevicePtr<u64>,
    pub score: DevicePtr<ScoreTables>,
    pub patterns: DevicePtr<u64>,
    pub capacity: u64,
    pub all_rules: u32,
    pub all_nevers: u32,
    pub right_offset: u32,
    pub no_queue: u32,
    pub count_steps: u32,
    pub most: u32,
}
