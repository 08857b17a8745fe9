//! How sizes are spread, in a few bins.

use serde::{Deserialize, Serialize};

/// Where bins begin: each number of its own up to 3, then two bins for each doubling up to 128, then all the rest
/// except for one border at 256. Lengths and set sizes matter by their ratio, so the bins widen with them.
const BORDERS: [u64; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256];

/// How sizes are spread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// The number of sizes.
    pub count: u64,
    /// Their mean, to three decimals.
    pub mean: f64,
    /// The largest, zero where there is none.
    pub max: u64,
    /// The bins that hold any, ascending. They begin at 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128 and 256;
    /// the last one ends with the largest size.
    pub bins: Vec<Bin>,
}

/// The sizes within two borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    /// The smallest size it holds.
    pub from: u64,
    /// The largest size it holds.
    pub to: u64,
    /// The number of sizes it holds.
    pub count: u64,
}

impl Histogram {
    /// The histogram of some sizes.
    pub fn from_sizes(sizes: impl IntoIterator<Item = u64>) -> Self {
        let (mut counts, mut sum, mut max) = ([0_u64; BORDERS.len()], 0, 0);
        for size in sizes {
            counts[BORDERS.partition_point(|border| *border <= size) - 1] += 1;
            sum += size;
            max = max.max(size);
        }
        let count: u64 = counts.iter().sum();
        let mean = (sum as f64 * 1e3 / count.max(1) as f64).round() / 1e3;
        let bin = |at: usize| {
            let to = BORDERS.get(at + 1).map_or(max, |next| next - 1);
            Bin { from: BORDERS[at], to, count: counts[at] }
        };
        let bins = (0..BORDERS.len()).map(bin).filter(|bin| bin.count > 0).collect();
        Self { count, mean, max, bins }
    }
}
