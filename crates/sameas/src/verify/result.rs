//! One result pair, as it travels from the verifier to the sorted output.

/// A pair that passed: rows of the left and the right table, and the rule that owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Pair {
    /// Row of the left record.
    pub l: u32,
    /// Row of the right record.
    pub r: u32,
    /// Index of the first rule that holds; certain ones come first.
    pub rule: u32,
}

impl Pair {
    /// Output order. No pair is emitted twice, so keys are distinct.
    pub fn key(self) -> u64 {
        u64::from(self.l) << 32 | u64::from(self.r)
    }
}
