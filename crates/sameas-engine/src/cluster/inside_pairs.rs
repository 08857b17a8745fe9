//! The pairs of records inside connected components: the records, one component after the other.

use std::ops::Range;

use rayon::prelude::*;

use crate::dataset::RecordLayout;
use crate::rules::LinkType;

/// A component of fewer records has no pairs but those that have made it.
const LEAST_RECORDS: u32 = 3;

/// The pairs inside components of three records or more.
pub(super) struct InsidePairs {
    /// The records, those of a component together and ascending.
    rows: Vec<u32>,
    /// Where the components begin, and the end of the last.
    starts: Vec<u32>,
    /// The first record of each input after the first, where only pairs of two inputs count.
    borders: Option<Vec<u32>>,
}

impl InsidePairs {
    /// Bytes for each record of a job.
    pub const BYTES_OF_RECORD: usize = 4 * size_of::<u32>();

    /// The components in which each record has this first one.
    pub fn new(roots: &[u32], layout: &RecordLayout) -> Self {
        let mut sizes = vec![0_u32; roots.len()];
        roots.iter().for_each(|root| sizes[*root as usize] += 1);
        let (mut starts, mut next, mut end) = (vec![0], Vec::with_capacity(roots.len()), 0_u32);
        for size in &sizes {
            next.push(end);
            if *size >= LEAST_RECORDS {
                end += *size;
                starts.push(end);
            }
        }
        let mut rows = vec![0; end as usize];
        for (row, root) in roots.iter().enumerate().filter(|(_, root)| sizes[**root as usize] >= LEAST_RECORDS) {
            let place = &mut next[*root as usize];
            rows[*place as usize] = row as u32;
            *place += 1;
        }
        let is_across = layout.link_type() == LinkType::LinkOnly && layout.inputs().len() > 1;
        Self { rows, starts, borders: is_across.then(|| layout.borders()) }
    }

    /// How many pairs inside the components the job could form.
    pub fn count(&self) -> u128 {
        let components = self.starts.par_windows(2);
        components.map(|two| self.pairs_of(&self.rows[two[0] as usize..two[1] as usize])).sum()
    }

    fn pairs_of(&self, rows: &[u32]) -> u128 {
        let pairs = |records: usize| records as u128 * (records as u128 - 1) / 2;
        let Some(borders) = &self.borders else { return pairs(rows.len()) };
        let source = |row: &u32| borders.partition_point(|border| border <= row);
        let within: u128 = rows.chunk_by(|a, b| source(a) == source(b)).map(|of_one| pairs(of_one.len())).sum();
        pairs(rows.len()) - within
    }

    /// The record at a place, and the records after it with which it is a pair that the job could form.
    pub fn partners(&self, place: usize) -> (u32, &[u32]) {
        let component = self.starts.partition_point(|start| *start as usize <= place);
        let (row, after) = (self.rows[place], &self.rows[place + 1..self.starts[component] as usize]);
        let Some(borders) = &self.borders else { return (row, after) };
        let source = borders.partition_point(|border| *border <= row);
        match borders.get(source) {
            Some(border) => (row, &after[after.partition_point(|other| other < border)..]),
            None => (row, &[]),
        }
    }

    /// Ranges of this number of places each.
    pub fn ranges(&self, places: usize) -> impl IndexedParallelIterator<Item = Range<usize>> + '_ {
        let ranges = self.rows.len().div_ceil(places);
        (0..ranges).into_par_iter().map(move |at| at * places..self.rows.len().min((at + 1) * places))
    }
}
