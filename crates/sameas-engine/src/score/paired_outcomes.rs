//! How many pairs have two outcomes together, for each two comparisons of a pass.

use super::pass_table::PassTable;

/// Sums over the pairs of a pass, each of which counts for some part: of single outcomes, and of two of two comparisons.
#[derive(Clone, Debug)]
pub struct PairedOutcomes {
    /// By comparison and outcome.
    pub single: Vec<Vec<f64>>,
    /// By two comparisons, the first before the second, and their outcomes: rows are those of the first.
    paired: Vec<Vec<f64>>,
    /// All pairs, those with nulls too.
    pub all: f64,
    levels: Vec<usize>,
}

impl PairedOutcomes {
    /// The sums of a table, of whose rows these parts count.
    pub fn new(table: &PassTable, parts: impl Iterator<Item = f64>) -> Self {
        let levels = table.levels.clone();
        let single = levels.iter().map(|levels| vec![0.0; *levels]).collect();
        let places = pairs_of(levels.len()).map(|(a, b)| vec![0.0; levels[a] * levels[b]]);
        let mut sums = Self { single, paired: places.collect(), all: 0.0, levels };
        table.rows().zip(parts).for_each(|((pairs, outcomes), part)| sums.add(outcomes, pairs * part));
        sums
    }

    fn add(&mut self, outcomes: &[u32], amount: f64) {
        self.all += amount;
        for (at, outcome) in outcomes.iter().enumerate() {
            if let Some(sum) = self.single[at].get_mut(*outcome as usize) {
                *sum += amount;
            }
        }
        for ((a, b), sums) in pairs_of(outcomes.len()).zip(&mut self.paired) {
            let (first, second) = (outcomes[a] as usize, outcomes[b] as usize);
            if first < self.levels[a] && second < self.levels[b] {
                sums[first * self.levels[b] + second] += amount;
            }
        }
    }

    /// The two comparisons of each table, their numbers of outcomes, and the table.
    pub fn tables(&self) -> impl Iterator<Item = ((usize, usize), OutcomePairs<'_>)> {
        pairs_of(self.levels.len()).zip(&self.paired).map(move |((a, b), sums)| {
            let columns = self.levels[b];
            ((a, b), OutcomePairs { sums, columns })
        })
    }
}

/// Sums by two outcomes.
#[derive(Clone, Copy, Debug)]
pub struct OutcomePairs<'a> {
    sums: &'a [f64],
    columns: usize,
}

impl OutcomePairs<'_> {
    /// The sum of two outcomes.
    pub fn sum(&self, first: usize, second: usize) -> f64 {
        self.sums[first * self.columns + second]
    }

    /// All outcomes of the first comparison, and of the second, in the pairs where neither is null.
    pub fn margins(&self) -> [Vec<f64>; 2] {
        let rows = self.sums.chunks(self.columns).map(|row| row.iter().sum()).collect();
        let column = |at: usize| self.sums.iter().skip(at).step_by(self.columns).sum();
        [rows, (0..self.columns).map(column).collect()]
    }
}

/// Each two of some comparisons, in order.
fn pairs_of(comparisons: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..comparisons).flat_map(move |a| (a + 1..comparisons).map(move |b| (a, b)))
}
