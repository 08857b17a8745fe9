//! Tuples as numbers: columns side by side, each in as many bits as its domain needs, the first one highest, so that
//! numbers have the order of the tuples.

use sameas_kernels::layout::relation_rounds::RelationField;

/// Bits of a tuple at most: a table of slots keeps tuples plus one.
const MOST_BITS: u32 = 63;

/// Where the columns of tuples lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TupleLayout {
    /// By column.
    shifts: Vec<u32>,
    /// By column: the bits of a value.
    widths: Vec<u32>,
}

impl TupleLayout {
    /// For values below these; `None` where they need more bits than there are.
    pub fn new(domains: &[u64]) -> Option<Self> {
        let widths: Vec<u32> = domains.iter().map(|domain| 64 - domain.saturating_sub(1).leading_zeros()).collect();
        Self::with_widths(&widths)
    }

    /// For columns of these widths, the first one highest.
    pub fn with_widths(widths: &[u32]) -> Option<Self> {
        let order: Vec<usize> = (0..widths.len()).collect();
        (widths.iter().sum::<u32>() <= MOST_BITS).then(|| Self::ordered(widths, &order))
    }

    fn ordered(widths: &[u32], order: &[usize]) -> Self {
        let (mut shifts, mut below) = (vec![0; widths.len()], 0);
        for column in order.iter().rev() {
            shifts[*column] = below;
            below += widths[*column];
        }
        Self { shifts, widths: widths.to_vec() }
    }

    /// The same columns with these ones highest, in their order.
    pub fn with_first(&self, columns: &[usize]) -> Self {
        let others = (0..self.widths.len()).filter(|column| !columns.contains(column));
        let order: Vec<usize> = columns.iter().copied().chain(others).collect();
        Self::ordered(&self.widths, &order)
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.widths.len()
    }

    /// The bits of a tuple.
    pub fn all(&self) -> u32 {
        self.widths.iter().sum()
    }

    /// The bits of some columns.
    pub fn total_width(&self, columns: &[usize]) -> u32 {
        columns.iter().map(|column| self.widths[*column]).sum()
    }

    /// The bits of a column.
    pub fn width(&self, column: usize) -> u32 {
        self.widths[column]
    }

    /// How far a column is shifted.
    pub fn shift(&self, column: usize) -> u32 {
        self.shifts[column]
    }

    /// A column of such a tuple.
    pub fn field(&self, column: usize, from: u32) -> RelationField {
        let mask = (1 << self.widths[column]) - 1;
        RelationField { mask, from, shift: self.shifts[column], to: 0, unused: 0 }
    }

    /// The tuples of some columns.
    pub fn pack(&self, columns: &[&[u32]]) -> Vec<u64> {
        let len = columns.first().map_or(0, |column| column.len());
        let tuple = |row: usize| {
            let values = columns.iter().zip(&self.shifts).map(|(column, shift)| u64::from(column[row]) << shift);
            values.fold(0, |tuple, value| tuple | value)
        };
        (0..len).map(tuple).collect()
    }

    /// A column of some tuples.
    pub fn unpack(&self, tuples: &[u64], column: usize) -> Vec<u32> {
        let (shift, mask) = (self.shifts[column], (1_u64 << self.widths[column]) - 1);
        tuples.iter().map(|tuple| (tuple >> shift & mask) as u32).collect()
    }

    /// All columns of some tuples.
    pub fn unpack_all(&self, tuples: &[u64]) -> Vec<Vec<u32>> {
        (0..self.columns()).map(|column| self.unpack(tuples, column)).collect()
    }
}
