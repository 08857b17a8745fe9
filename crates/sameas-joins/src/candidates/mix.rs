//! Numbers spread over 64 bits.

/// Two multiplications by odd numbers with the high half folded in between: dense codes and keys packed of two codes
/// both spread over the top bits, the ones that are used. Every step can be undone, so different numbers stay different.
#[inline(always)]
pub(crate) fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
