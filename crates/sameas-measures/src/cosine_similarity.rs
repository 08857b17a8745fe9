//! Cosine similarity of two vectors.

/// The cosine of the angle between two vectors, summed in index order.
///
/// `None` for vectors of different lengths, for a vector of norm zero (the empty one included) and where the result is
/// not finite.
pub fn cosine_similarity(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let (mut dot, mut norm_a, mut norm_b) = (0.0, 0.0, 0.0);
    for (&x, &y) in a.iter().zip(b) {
        dot += x * y;
        norm_a += x * x;
        norm_b += y * y;
    }
    if norm_a == 0.0 || norm_b == 0.0 {
        return None;
    }
    let cosine: f64 = dot / (f64::sqrt(norm_a) * f64::sqrt(norm_b));
    cosine.is_finite().then_some(cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        assert_eq!(cosine_similarity(&[3.0, 4.0], &[3.0, 4.0]), Some(1.0));
        assert_eq!(cosine_similarity(&[1.0, 0.0], &[0.0, 2.0]), Some(0.0));
        assert_eq!(cosine_similarity(&[3.0, 4.0], &[-6.0, -8.0]), Some(-1.0));
        assert_eq!(cosine_similarity(&[3.0, 4.0], &[4.0, 3.0]), Some(24.0 / 25.0));
    }

    #[test]
    fn undefined_cases() {
        assert_eq!(cosine_similarity(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(cosine_similarity(&[0.0, 0.0], &[1.0, 2.0]), None);
        assert_eq!(cosine_similarity(&[], &[]), None);
        assert_eq!(cosine_similarity(&[f64::NAN], &[1.0]), None);
        assert_eq!(cosine_similarity(&[1e200], &[1e200]), None);
    }
}
