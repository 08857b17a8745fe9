//! Remembers what was last prepared from a text.

/// What was made of the last pair of texts. A literal is thus prepared once per call, and so is a column's
/// value as long as it repeats.
pub(super) struct Memo<T> {
    last: Option<(String, String, T)>,
}

impl<T> Memo<T> {
    pub(super) fn new() -> Self {
        Self { last: None }
    }

    /// What `make` makes of the two texts, made only where they differ from the last.
    pub(super) fn get(&mut self, first: &str, second: &str, make: impl FnOnce() -> T) -> &T {
        let known = self.last.take().filter(|(a, b, _)| a == first && b == second);
        let entry = known.unwrap_or_else(|| (first.to_owned(), second.to_owned(), make()));
        &self.last.insert(entry).2
    }
}
