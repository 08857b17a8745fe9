//! Tokenisers: a text as words or as substrings of fixed length. Repeats are kept; a caller that needs a set removes
//! them.

use std::iter::{from_fn, once};

use unicode_normalization::char::is_combining_mark;

/// The maximal runs of alphanumeric characters with the combining marks that follow them, so that a letter and its accent
/// stay together whether they are one character or two. A mark that follows no such character is part of no word.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    from_fn(move || {
        let from = &rest[rest.find(char::is_alphanumeric)?..];
        let (word, after) = from.split_at(from.find(ends_word).unwrap_or(from.len()));
        rest = after;
        Some(word)
    })
}

#[inline]
fn ends_word(c: char) -> bool {
    !c.is_alphanumeric() && (c.is_ascii() || !is_combining_mark(c))
}

/// The substrings of `q` characters, without padding: none if the text is shorter. `q` is at least one.
pub fn qgrams(text: &str, q: usize) -> impl Iterator<Item = &str> {
    debug_assert!(q >= 1, "a q-gram has at least one character");
    let starts = text.char_indices().map(|(at, _)| at);
    let ends = starts.clone().chain(once(text.len())).skip(q);
    starts.zip(ends).map(|(start, end)| &text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list<'t>(tokens: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
        tokens.collect()
    }

    #[test]
    fn words_are_maximal_runs() {
        assert_eq!(list(words("O'Brien, Zoë-42  zoë")), ["O", "Brien", "Zoë", "42", "zoë"]);
        assert_eq!(list(words("東京 都")), ["東京", "都"]);
        assert!(list(words(" .,- ")).is_empty());
        // The acute accent, the virama of Devanagari and an enclosing circle are marks.
        assert_eq!(list(words("cafe\u{301}s re\u{301}\u{323}")), ["cafe\u{301}s", "re\u{301}\u{323}"]);
        assert_eq!(list(words("हिन्दी 1\u{20dd}")), ["हिन्दी", "1\u{20dd}"]);
        assert_eq!(list(words("\u{301}a -\u{301}b \u{301} \u{2764}\u{fe0f}c")), ["a", "b", "c"]);
        assert!(list(words("")).is_empty());
    }

    #[test]
    fn qgrams_slide_by_one_character() {
        assert_eq!(list(qgrams("naïve", 3)), ["naï", "aïv", "ïve"]);
        assert_eq!(list(qgrams("aaa", 2)), ["aa", "aa"]);
        assert_eq!(list(qgrams("abc", 3)), ["abc"]);
        assert_eq!(list(qgrams("añ", 1)), ["a", "ñ"]);
        assert!(list(qgrams("ab", 3)).is_empty());
        assert!(list(qgrams("", 1)).is_empty());
    }

    proptest! {
        #[test]
        fn qgrams_equal_windows_of_characters(text in "[a-cé€😀]{0,20}", q in 1usize..6) {
            let characters: Vec<char> = text.chars().collect();
            let expected: Vec<String> = characters.windows(q).map(|w| w.iter().collect()).collect();
            prop_assert_eq!(list(qgrams(&text, q)), expected);
        }
    }
}
