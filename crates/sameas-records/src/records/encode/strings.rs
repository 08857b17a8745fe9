//! Recoded texts of one width, by code.

/// Character codes of all values, one after the other, and where each value ends.
#[derive(Clone, Copy, Debug)]
pub struct Strings<'a, U> {
    units: &'a [U],
    ends: &'a [usize],
}

impl<'a, U> Strings<'a, U> {
    /// A view of values that lie in `units`, value `code` up to `ends[code]`.
    pub fn new(units: &'a [U], ends: &'a [usize]) -> Self {
        Self { units, ends }
    }

    /// Where the characters of a value lie.
    #[inline]
    fn range(&self, code: u32) -> std::ops::Range<usize> {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        start..self.ends[code]
    }

    /// The characters of a value.
    #[inline]
    pub fn get(&self, code: u32) -> &'a [U] {
        &self.units[self.range(code)]
    }

    /// The number of characters of a value.
    #[inline]
    pub fn length(&self, code: u32) -> usize {
        self.range(code).len()
    }

    /// All characters, and where each value ends among them.
    pub fn parts(&self) -> (&'a [U], &'a [usize]) {
        (self.units, self.ends)
    }
}
