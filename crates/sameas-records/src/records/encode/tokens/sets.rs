//! Sets by code, wherever they lie.

/// Sets by code, as a view: the set of a code lies in `ids` up to `ends[code]`.
#[derive(Clone, Copy, Debug)]
pub struct Sets<'a> {
    ids: &'a [u32],
    ends: &'a [usize],
}

impl<'a> Sets<'a> {
    /// A view of sets that lie in `ids` one after the other, each ascending and without repeats.
    #[inline]
    pub fn new(ids: &'a [u32], ends: &'a [usize]) -> Self {
        Self { ids, ends }
    }

    /// All ids, and where each set ends among them.
    #[inline]
    pub fn parts(&self) -> (&'a [u32], &'a [usize]) {
        (self.ids, self.ends)
    }

    /// The set of a value, ascending.
    #[inline]
    pub fn set(&self, code: u32) -> &'a [u32] {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.ids[start..self.ends[code]]
    }
}
