//! Decimals as text.

use arrow_buffer::i256;

use super::{DIGITS, Decimal};

impl Decimal {
    /// Reads `12`, `-0.10` or `1.5e3`; nothing for other texts, or for more digits than a decimal holds.
    pub fn parse(text: &str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i16>().ok()?),
            None => (text, 0),
        };
        let (sign, digits) = match digits.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", digits.strip_prefix('+').unwrap_or(digits)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let scale = i16::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        let significant = all.trim_start_matches('0');
        if significant.len() > DIGITS as usize || !(-128..=400).contains(&scale) {
            return None;
        }
        let significant = if significant.is_empty() { "0" } else { significant };
        Some(Self::new(i256::from_string(&format!("{sign}{significant}"))?, scale))
    }

    /// All its digits, and as many of them behind the point as it was written with.
    pub fn to_text(self) -> String {
        let sign = if self.is_negative() { "-" } else { "" };
        let mut digits = self.abs().mantissa().to_string();
        match usize::try_from(self.scale) {
            Ok(0) => {}
            Ok(scale) => {
                if digits.len() <= scale {
                    digits.insert_str(0, &"0".repeat(scale + 1 - digits.len()));
                }
                digits.insert(digits.len() - scale, '.');
            }
            Err(_) if digits == "0" => {}
            Err(_) => digits.push_str(&"0".repeat(usize::from(self.scale.unsigned_abs()))),
        }
        format!("{sign}{digits}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_their_scale() {
        for text in ["0", "1.50", "-0.05", "18446744073709551615", "0.00", "-12.345"] {
            assert_eq!(Decimal::parse(text).unwrap().to_text(), text);
        }
        for (text, plain) in
            [("1.5e3", "1500"), ("+7", "7"), ("15E-1", "1.5"), (".5", "0.5"), ("007.", "7"), ("0e9", "0")]
        {
            assert_eq!(Decimal::parse(text).unwrap().to_text(), plain);
        }
        for text in ["", "-", ".", "1e", "x", "1_0", "٣", "1e999", "--1"] {
            assert!(Decimal::parse(text).is_none(), "{text}");
        }
        assert!(Decimal::parse(&"9".repeat(76)).is_some() && Decimal::parse(&"9".repeat(77)).is_none());
    }
}
