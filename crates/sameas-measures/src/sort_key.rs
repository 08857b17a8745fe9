//! The simple sorting key of "Duplicate Detection on GPUs": similar strings often share length and first character.

/// `1000 * length + code point of the first character`, or `None` for the empty text.
pub fn sort_key(text: &str) -> Option<i64> {
    let first = text.chars().next()?;
    Some(1000 * text.chars().count() as i64 + i64::from(u32::from(first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters_not_bytes() {
        assert_eq!(sort_key("abc"), Some(3097));
        assert_eq!(sort_key("Élan"), Some(4000 + 0xC9));
        assert_eq!(sort_key("😀"), Some(1000 + 0x1F600));
        assert_eq!(sort_key(""), None);
    }
}
