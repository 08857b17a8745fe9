//! Numbers in sentences.

/// A whole number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// A ratio in two digits.
pub fn times(ratio: f64) -> String {
    if ratio < 9.95 {
        return format!("{ratio:.1}");
    }
    let scale = 10_f64.powf(ratio.log10().floor() - 1.0);
    grouped(((ratio / scale).round() * scale) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_and_ratios_short() {
        assert_eq!((grouped(0), grouped(1_000), grouped(1_234_567)), ("0".into(), "1,000".into(), "1,234,567".into()));
        assert_eq!((times(1.04), times(9.96), times(12_345.0)), ("1.0".into(), "10".into(), "12,000".into()));
    }
}
