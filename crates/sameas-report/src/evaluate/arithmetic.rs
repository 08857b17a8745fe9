//! Numbers of pairs, and shares of counts.

/// The number of unordered pairs of `n` things.
pub(super) fn pairs_of(n: u64) -> u64 {
    if n.is_multiple_of(2) { (n / 2).saturating_mul(n.saturating_sub(1)) } else { n.saturating_mul((n - 1) / 2) }
}

/// The number of pairs of records of different inputs, which have these numbers of records.
pub(super) fn pairs_across(inputs: &[u64]) -> u64 {
    let mut before: u64 = 0;
    let pairs = inputs.iter().map(|records| {
        let pairs = before.saturating_mul(*records);
        before = before.saturating_add(*records);
        pairs
    });
    pairs.fold(0, u64::saturating_add)
}

/// A part as a share of a whole; unknown if that is nothing.
pub(super) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The harmonic mean of both / found and both / true.
pub(super) fn f1(both: u64, found: u64, truth: u64) -> Option<f64> {
    ratio(2 * both, found + truth)
}
