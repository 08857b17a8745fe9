//! Edit distances as similarities.

/// The similarity that belongs to an edit distance: `1 - distance / max(length)`.
#[inline]
pub fn edit_similarity(distance: usize, len_a: usize, len_b: usize) -> f64 {
    1.0 - distance as f64 / len_a.max(len_b) as f64
}
