//! How much of a report fits its size: a few attempts, each nearer to the size than the one before.

/// Records of the first attempt, where there are many: it says what a record takes.
const FIRST: usize = 5_000;

/// A report is full from this share of its size on, and this one is aimed at.
const FULL: f64 = 0.92;
const AIM: f64 = 0.97;

/// Attempts to make it fuller, once something fits.
const ATTEMPTS: usize = 4;

/// Looks for the largest share of the records and pairs that fits a size.
pub struct SizeSearch {
    most: f64,
    first: f64,
    /// The largest share that fits, and what it takes.
    fits: Option<(f64, f64)>,
    /// The smallest share that does not fit, and what it takes.
    exceeds: Option<(f64, f64)>,
    attempts: usize,
}

impl SizeSearch {
    /// For a report of this size, of this many records.
    pub fn new(most: u64, records: usize) -> Self {
        let first = if records <= 2 * FIRST { 1.0 } else { FIRST as f64 / records as f64 };
        Self { most: most as f64, first, fits: None, exceeds: None, attempts: 0 }
    }

    /// The share to try next; nothing where what fits is all there is, or enough.
    pub fn share(&self) -> Option<f64> {
        let (aim, full) = (AIM * self.most, FULL * self.most);
        match (self.fits, self.exceeds) {
            (None, None) => Some(self.first),
            (None, Some((share, size))) => Some(share * aim / size),
            (Some((share, size)), _) if share >= 1.0 || size >= full || self.attempts >= ATTEMPTS => None,
            (Some((share, size)), None) => Some((share * aim / size).min(1.0)),
            // Sizes between the two grow about evenly.
            (Some((low, small)), Some((high, large))) => Some(low + (high - low) * (aim - small) / (large - small)),
        }
    }

    /// What a share takes. Says whether it fits: a share that is tried after one that fits is always larger.
    pub fn tried(&mut self, share: f64, size: u64) -> bool {
        self.attempts += usize::from(self.fits.is_some());
        let (fits, tried) = (size as f64 <= self.most, Some((share, size as f64)));
        if fits {
            self.fits = tried;
        } else {
            self.exceeds = tried;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest share that is found, its size, and the attempts, where sizes are so.
    fn found(most: u64, records: usize, size: impl Fn(f64) -> f64) -> (f64, u64, usize) {
        let (mut search, mut best, mut attempts) = (SizeSearch::new(most, records), (0.0, 0), 0);
        while let Some(share) = search.share() {
            assert!((0.0..=1.0).contains(&share), "{share}");
            let size = size(share) as u64;
            if search.tried(share, size) {
                assert!(share > best.0);
                best = (share, size);
            }
            attempts += 1;
        }
        (best.0, best.1, attempts)
    }

    #[test]
    fn what_fits_as_a_whole_is_not_cut() {
        assert_eq!(found(10_000_000, 3_000, |share| share * 500_000.0), (1.0, 500_000, 1));
        assert_eq!(found(10_000_000, 50_578, |share| share * 7_000_000.0), (1.0, 7_000_000, 2));
    }

    #[test]
    fn what_does_not_fit_is_cut_to_nearly_the_size() {
        let even = |share: f64| 100_000.0 + share * 30_000_000.0;
        let early = |share: f64| 30_000_000.0 * share.sqrt();
        let late = |share: f64| 30_000_000.0 * share.powf(1.3);
        for sizes in [&even as &dyn Fn(f64) -> f64, &early, &late] {
            for (most, records) in [(10_000_000, 100_000), (1_000_000, 100_000), (2_000_000, 4_000)] {
                let (_, size, attempts) = found(most, records, sizes);
                assert!(size <= most && size as f64 >= 0.8 * most as f64, "{size} of {most}");
                assert!(attempts <= 12, "{attempts}");
            }
        }
    }
}
