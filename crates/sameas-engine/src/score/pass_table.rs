//! The pairs of a training rule by pattern, decoded once for all rounds of a pass.

use super::pattern::Patterns;

/// Pairs by the outcomes of the comparisons that take part in a pass.
#[derive(Clone, Debug)]
pub struct PassTable {
    /// The comparisons that take part, in order.
    pub comparisons: Vec<usize>,
    /// The outcomes of each of them but null: its levels and *else*.
    pub levels: Vec<usize>,
    /// The pairs with each outcome of each of them.
    pub seen: Vec<Vec<f64>>,
    /// The outcomes of each row, one comparison after the other; null is the number of the comparison's outcomes.
    outcomes: Vec<u32>,
    /// The pairs of each row.
    pairs: Vec<f64>,
    /// What else is known of a sample, if it is one.
    pub sample: Option<TableSample>,
}

/// A sample of the pairs of a rule.
#[derive(Clone, Debug)]
pub struct TableSample {
    /// The share of all pairs of the rule that these are.
    pub share: f64,
    /// The pairs in groups of which no two share a record.
    pub groups: Vec<PassTable>,
}

impl PassTable {
    /// Of pairs by pattern, in order, for the comparisons that take part.
    pub fn new(shape: &Patterns, counts: &[(u64, u64)], is_active: &[bool]) -> Self {
        let comparisons: Vec<usize> = (0..shape.comparisons()).filter(|at| is_active[*at]).collect();
        let levels = comparisons.iter().map(|at| shape.null(*at)).collect::<Vec<_>>();
        let of_pattern = |(pattern, _): &(u64, u64)| {
            let pattern = *pattern;
            comparisons.iter().map(move |at| shape.outcome(pattern, *at) as u32)
        };
        let outcomes = counts.iter().flat_map(of_pattern).collect::<Vec<_>>();
        let pairs = counts.iter().map(|(_, pairs)| *pairs as f64).collect();
        let mut table = Self { comparisons, levels, seen: Vec::new(), outcomes, pairs, sample: None };
        table.seen = table.sums(std::iter::repeat(1.0));
        table
    }

    /// The same as a sample.
    #[must_use]
    pub fn with_sample(self, sample: TableSample) -> Self {
        Self { sample: Some(sample), ..self }
    }

    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.pairs.len()
    }

    /// The bytes that it takes, with its groups where it is a sample.
    pub fn bytes(&self) -> usize {
        let of_groups = self.sample.iter().flat_map(|sample| &sample.groups).map(Self::bytes).sum::<usize>();
        self.pairs.len() * size_of::<f64>() + self.outcomes.len() * size_of::<u32>() + of_groups
    }

    /// The rows: pairs, and their outcomes.
    pub fn rows(&self) -> impl Iterator<Item = (f64, &[u32])> {
        let width = self.comparisons.len();
        self.pairs.iter().enumerate().map(move |(row, pairs)| (*pairs, &self.outcomes[row * width..][..width]))
    }

    /// All pairs that are here.
    pub fn all_pairs(&self) -> f64 {
        self.pairs.iter().sum()
    }

    /// All pairs of the rule, as far as a sample says how many.
    pub fn population(&self) -> f64 {
        self.all_pairs() / self.share()
    }

    /// The part of the pairs of the rule that are here.
    pub fn share(&self) -> f64 {
        self.sample.as_ref().map_or(1.0, |sample| sample.share)
    }

    /// The pairs with each outcome of each comparison, of which some part counts in each row.
    pub fn sums(&self, parts: impl Iterator<Item = f64>) -> Vec<Vec<f64>> {
        let mut sums: Vec<Vec<f64>> = self.levels.iter().map(|levels| vec![0.0; *levels]).collect();
        for ((pairs, outcomes), part) in self.rows().zip(parts) {
            for (sums, outcome) in sums.iter_mut().zip(outcomes) {
                if let Some(sum) = sums.get_mut(*outcome as usize) {
                    *sum += pairs * part;
                }
            }
        }
        sums
    }
}
