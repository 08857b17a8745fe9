//! The bytes of a value, as they are stored.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// The bytes of a value of an operand. Stored, a text is a text, and whatever is not one is written in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StoredValue(pub Box<[u8]>);

/// What texts and bytes begin with, so that none is taken for the other.
const TEXT: char = '=';
const BYTES: char = '#';

impl From<StoredValue> for String {
    fn from(value: StoredValue) -> Self {
        if let Ok(text) = std::str::from_utf8(&value.0) {
            return format!("{TEXT}{text}");
        }
        let mut digits = Self::from(BYTES);
        // A text takes whatever is written.
        value.0.iter().for_each(|byte| _ = write!(digits, "{byte:02x}"));
        digits
    }
}

impl TryFrom<String> for StoredValue {
    type Error = &'static str;

    fn try_from(written: String) -> Result<Self, Self::Error> {
        if let Some(text) = written.strip_prefix(TEXT) {
            return Ok(Self(text.as_bytes().into()));
        }
        let digits = written.strip_prefix(BYTES).ok_or("neither a text nor bytes")?;
        let digit = |digit: &u8| char::from(*digit).to_digit(16);
        let byte = |two: &[u8]| match two {
            [high, low] => Some((digit(high)? * 16 + digit(low)?) as u8),
            _ => None,
        };
        let bytes: Option<Box<[u8]>> = digits.as_bytes().chunks(2).map(byte).collect();
        bytes.map(Self).ok_or("no hexadecimal digits")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_come_back(bytes in prop_oneof![any::<Vec<u8>>(), ".*".prop_map(String::into_bytes)]) {
            let value = StoredValue(bytes.into());
            let text = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<StoredValue>(&text).unwrap(), value);
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for wrong in ["", "x", "#1", "#zz", "#+1"] {
            assert!(StoredValue::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
        assert_eq!(StoredValue::try_from("=#1".to_owned()), Ok(StoredValue(Box::from(*b"#1"))));
    }
}
