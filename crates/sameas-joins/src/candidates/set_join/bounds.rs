//! What a decision on set sizes implies: the least overlap of two sizes, the sizes that can match at all, and how much
//! of a set must be looked at to meet every partner.
//!
//! All bounds are found by asking the decision itself; none is computed from the threshold.

use rayon::prelude::*;

/// Bounds by class of size. Classes are the sizes that occur, in rising order.
///
/// There are few: sets of `n` different sizes hold `n * (n - 1) / 2` tokens at least, so the table of all pairs of
/// classes is never larger than a small multiple of the sets themselves.
#[derive(Debug)]
pub struct Bounds {
    sizes: Vec<u32>,
    /// The least overlap with which sets of two classes match, row: the larger. One above the smaller size where they
    /// cannot match.
    needs: Vec<u32>,
    /// By class: the smallest class that can match it, or the class above it where none can.
    lowest: Vec<u32>,
}

impl Bounds {
    /// `sizes` rise strictly; `holds` is asked as (common, size, size).
    pub fn new(sizes: Vec<u32>, holds: impl Fn(usize, usize, usize) -> bool + Sync) -> Self {
        let rows: Vec<Vec<u32>> = sizes.par_iter().map(|large| needs_of(&sizes, *large, &holds)).collect();
        let lowest = |row: &Vec<u32>| row.iter().zip(&sizes).take_while(|(need, size)| need > size).count() as u32;
        let lowest = rows.iter().enumerate().map(|(class, row)| lowest(row).min(class as u32 + 1)).collect();
        Self { lowest, needs: rows.into_iter().flatten().collect(), sizes }
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// The class of a size that occurs.
    pub fn class_of(&self, size: u32) -> u32 {
        self.sizes.partition_point(|s| *s < size) as u32
    }

    /// The size of a class.
    #[inline]
    pub fn size(&self, class: u32) -> u32 {
        self.sizes[class as usize]
    }

    /// The smallest class that can match a class, or the class above it.
    #[inline]
    pub fn lowest(&self, class: u32) -> u32 {
        self.lowest[class as usize]
    }

    /// The least overlaps of a class with all classes up to its own.
    #[inline]
    pub fn needs(&self, class: u32) -> &[u32] {
        let start = class as usize * self.sizes.len();
        &self.needs[start..=start + class as usize]
    }

    /// The least overlaps of all classes with all classes, the larger one first.
    pub fn table(&self) -> &[u32] {
        &self.needs
    }

    /// Whether sets of a class match themselves.
    pub fn matches_itself(&self, class: u32) -> bool {
        self.needs(class)[class as usize] <= self.size(class)
    }

    /// Whether every match has a common token.
    pub fn needs_common_token(&self) -> bool {
        (0..self.classes() as u32).all(|class| self.needs(class).iter().all(|need| *need > 0))
    }

    /// How many of the first tokens of a set contain the first common token with every partner that is no larger.
    ///
    /// No loss (Chaudhuri, Ganti and Kaushik 2006, section 4; Bayardo, Ma and Srikant 2007, section 3.1):
    /// 1. Let `y` have `n` tokens and share `c >= a` of them with `x`. The first common token has `c - 1` common ones
    ///    after it, so its place, counted from 0, is at most `n - c <= n - a`: it is among the first `n - a + 1`.
    /// 2. `a` is the least overlap with the smallest compatible size; with larger sizes it is no less, because the
    ///    decision falls as a size rises. So the longest prefix of 1. is the one taken here.
    pub fn probe_prefix(&self, class: u32) -> u32 {
        let lowest = self.lowest(class);
        if lowest > class { 0 } else { self.size(class) + 1 - self.needs(class)[lowest as usize].max(1) }
    }

    /// How many of the first tokens of a set contain the first common token with every partner that is no smaller.
    ///
    /// No loss (Xiao, Wang, Lin and Yu 2008, section 4; the mid-prefix of Ribeiro and Haerder 2011): as above, with the
    /// least overlap of two sets of this size, which no larger partner falls below.
    pub fn index_prefix(&self, class: u32) -> u32 {
        let need = self.needs(class)[class as usize];
        if need > self.size(class) { 0 } else { self.size(class) + 1 - need.max(1) }
    }
}

/// The least overlaps of a size with all sizes. They rise along the sizes, so one walk finds them all.
fn needs_of(sizes: &[u32], large: u32, holds: &impl Fn(usize, usize, usize) -> bool) -> Vec<u32> {
    let mut common = 0;
    let need = |small: &u32| {
        let most = (*small).min(large);
        while common <= most && !holds(common as usize, *small as usize, large as usize) {
            common += 1;
        }
        common
    };
    sizes.iter().map(need).collect()
}
