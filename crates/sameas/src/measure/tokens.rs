//! Tokenisers: a text as words or as substrings of fixed length. Repeats are kept; a caller that needs a set removes
//! them.

use std::iter::once;

/// The maximal runs of alphanumeric characters.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
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
