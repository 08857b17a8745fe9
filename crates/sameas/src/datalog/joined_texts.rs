//! Texts one after the other in one buffer: millions of them do not need millions of allocations.

/// Texts by number.
#[derive(Clone, Debug, Default)]
pub(super) struct JoinedTexts {
    texts: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl JoinedTexts {
    /// None yet, with room for this many texts of that many bytes together.
    pub fn with_room(texts: usize, bytes: usize) -> Self {
        Self { texts: String::with_capacity(bytes), ends: Vec::with_capacity(texts) }
    }

    /// Adds one.
    pub fn push(&mut self, text: &str) {
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// One of them.
    pub fn get(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[at]]
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.texts.capacity() + self.ends.capacity() * size_of::<usize>()
    }

    /// Frees what was reserved in excess.
    pub fn shrink_to_fit(&mut self) {
        self.texts.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_their_numbers() {
        let mut texts = JoinedTexts::default();
        ["é", "", "bc"].into_iter().for_each(|text| texts.push(text));
        assert_eq!((0..texts.len()).map(|at| texts.get(at)).collect::<Vec<_>>(), ["é", "", "bc"]);
    }
}
