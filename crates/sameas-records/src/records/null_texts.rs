//! Texts that stand for a missing value, besides the empty text, which always does.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, StringArray};

/// Texts that stand for a missing value. Clones are cheap.
#[derive(Clone, Debug, Default)]
pub struct NullTexts {
    texts: Arc<HashSet<String>>,
    /// Bytes of the longest.
    longest: usize,
    /// Whether white space alone stands for one too.
    blank: bool,
}

impl NullTexts {
    /// These texts, and white space alone if `blank`.
    pub fn new(texts: &[String], blank: bool) -> Self {
        let longest = texts.iter().map(String::len).max().unwrap_or(0);
        Self { texts: Arc::new(texts.iter().filter(|text| !text.is_empty()).cloned().collect()), longest, blank }
    }

    /// Whether no text does.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && !self.blank
    }

    /// Whether this text does.
    pub(super) fn has(&self, text: &str) -> bool {
        (text.len() <= self.longest && self.texts.contains(text))
            || (self.blank && text.chars().all(char::is_whitespace))
    }

    /// `texts` with nulls in place of these texts; nothing where it has none of them. Nothing of them is left, so that
    /// the column is the same as one in which they had been empty.
    pub(super) fn removed_from(&self, texts: &StringArray) -> Option<StringArray> {
        let has = |text: Option<&str>| text.is_some_and(|text| self.has(text));
        if self.is_empty() || !texts.iter().any(has) {
            return None;
        }
        let mut kept = StringBuilder::with_capacity(texts.len(), texts.value_data().len());
        texts.iter().for_each(|text| kept.append_option(text.filter(|text| !self.has(text))));
        Some(kept.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(nulls: &NullTexts, texts: &[&str]) -> Option<Vec<Option<String>>> {
        let left = nulls.removed_from(&StringArray::from(texts.to_vec()))?;
        Some(left.iter().map(|text| text.map(str::to_owned)).collect())
    }

    #[test]
    fn texts_are_compared_exactly() {
        let nulls = NullTexts::new(&["NULL".into(), "-".into(), String::new()], false);
        assert_eq!(left(&nulls, &["null", "NULL ", " ", "--"]), None);
        assert_eq!(left(&nulls, &["NULL", "a", "-"]), Some(vec![None, Some("a".into()), None]));
        assert!(NullTexts::new(&[String::new()], false).is_empty());
    }

    #[test]
    fn white_space_of_every_kind_is_blank() {
        let nulls = NullTexts::new(&[], true);
        assert_eq!(left(&nulls, &[" \t\u{a0}\u{3000}", " a "]), Some(vec![None, Some(" a ".into())]));
    }
}
