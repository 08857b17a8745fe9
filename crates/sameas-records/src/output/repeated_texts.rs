//! A column of texts that say the same of many rows: each text is made once.

use std::collections::HashMap;
use std::hash::Hash;

use arrow_array::StringArray;

use crate::error::Result;

/// The text of each key, as a column.
pub fn repeated_texts<K: Copy + Eq + Hash>(
    keys: impl Iterator<Item = K>,
    text: impl Fn(K) -> Result<Option<String>>,
) -> Result<StringArray> {
    let (mut known, mut texts): (HashMap<K, usize>, Vec<Option<String>>) = Default::default();
    let mut place_of = |key: K| -> Result<usize> {
        if let Some(place) = known.get(&key) {
            return Ok(*place);
        }
        texts.push(text(key)?);
        known.insert(key, texts.len() - 1);
        Ok(texts.len() - 1)
    };
    let places = keys.map(&mut place_of).collect::<Result<Vec<usize>>>()?;
    Ok(places.into_iter().map(|place| texts[place].as_deref()).collect())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::error::Error;

    #[test]
    fn texts_are_made_once() {
        let made = Cell::new(0);
        let text = |key: u8| {
            made.set(made.get() + 1);
            Ok((key > 1).then(|| format!("n{key}")))
        };
        let column = repeated_texts([3, 1, 3, 2, 1, 3].into_iter(), text).unwrap();
        assert_eq!(column, StringArray::from(vec![Some("n3"), None, Some("n3"), Some("n2"), None, Some("n3")]));
        assert_eq!(made.get(), 3);
        let wrong = |key: u8| if key == 2 { Err(Error::internal("two")) } else { Ok(None) };
        assert!(repeated_texts([1, 2].into_iter(), wrong).is_err());
    }
}
