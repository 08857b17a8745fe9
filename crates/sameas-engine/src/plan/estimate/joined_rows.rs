//! The rows of which bands and similarities are joined to estimate them.

/// The most rows of a side of which a band or a similarity is joined to estimate it.
pub const JOINED: usize = 512;

/// Rows of both sides in the order in which they come into a sample: a smaller sample is the beginning of a larger one.
#[derive(Clone, Debug)]
pub struct JoinedRows([Vec<u32>; 2]);

impl JoinedRows {
    /// As many of the first rows of two sides as are joined at most.
    pub fn new(sides: [&[u32]; 2]) -> Self {
        Self(sides.map(|rows| rows[..rows.len().min(JOINED)].to_vec()))
    }

    /// The first rows of each side, at most `most`; ascending.
    pub fn first(&self, most: usize) -> [Vec<u32>; 2] {
        self.0.each_ref().map(|rows| in_row_order(&rows[..rows.len().min(most)]))
    }

    /// The same rows by other names, which are given for those of the left side (0) and of the right side (1).
    pub fn renamed(&self, names: impl Fn(usize, &[u32]) -> Vec<u32>) -> Self {
        let [left, right] = &self.0;
        Self([names(0, left), names(1, right)])
    }
}

/// Rows, ascending.
pub fn in_row_order(rows: &[u32]) -> Vec<u32> {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows
}
