//! `overlap_join`: pairs whose token sets share an element, for `list_has_any`.

use super::adjacency::{Adjacency, Probe};
use super::{BATCH, Batch, Candidates, Rows, Shape};

/// Sets of rows: `offsets[row]..offsets[row + 1]` of `tokens`, ascending.
#[derive(Debug)]
pub struct RowSets {
    tokens: Vec<u32>,
    ends: Vec<usize>,
}

impl RowSets {
    /// Copies the sets of all rows of a side.
    pub fn new<'a>(sets: impl Iterator<Item = &'a [u32]>) -> Self {
        let (mut tokens, mut ends) = (Vec::new(), Vec::new());
        for set in sets {
            tokens.extend_from_slice(set);
            ends.push(tokens.len());
        }
        Self { tokens, ends }
    }

    fn set(&self, row: u32) -> &[u32] {
        let row = row as usize;
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.tokens[start..self.ends[row]]
    }
}

/// What decides at which of their common tokens a pair is yielded.
#[derive(Debug)]
pub struct FirstCommon {
    left: RowSets,
    right: RowSets,
    /// The token of each probe.
    tokens: Vec<u32>,
}

/// The pairs of the given rows whose sets share a token.
///
/// No loss: a pair with a common token meets at that token's list of right rows. No repetition: it is yielded only
/// at the smallest common token.
pub fn overlap_join(left_sets: RowSets, right_sets: RowSets, left: &Rows, right: &Rows, shape: Shape) -> Candidates {
    let distinct = right_sets.tokens.iter().chain(&left_sets.tokens).max().map_or(0, |t| *t as usize + 1);
    let (starts, partners) = postings(&right_sets, right, distinct);
    let (mut probes, mut tokens) = (Vec::new(), Vec::new());
    for &row in left {
        for &token in left_sets.set(row) {
            let group = starts[token as usize]..starts[token as usize + 1];
            let probe = Probe::new(row, group.start, &partners[group], shape);
            if probe.len > 0 {
                probes.push(probe);
                tokens.push(token);
            }
        }
    }
    let once = FirstCommon { left: left_sets, right: right_sets, tokens };
    Candidates { adjacency: Adjacency::new(probes.into_iter(), partners), once: Some(once) }
}

fn postings(sets: &RowSets, rows: &Rows, distinct: usize) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; distinct + 1];
    rows.iter().flat_map(|row| sets.set(*row)).for_each(|token| starts[*token as usize + 1] += 1);
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut partners = vec![0; starts[distinct]];
    for &row in rows {
        for &token in sets.set(row) {
            partners[next[token as usize]] = row;
            next[token as usize] += 1;
        }
    }
    (starts, partners)
}

impl FirstCommon {
    /// As [`Adjacency::fill`], without the pairs that were yielded at a smaller common token.
    pub fn fill(&self, adjacency: &Adjacency, mut at: u64, end: u64, batch: &mut Batch) -> u64 {
        let mut probe = adjacency.probe_at(at);
        while at < end && batch.l.len() < BATCH {
            let room = (end - at).min((BATCH - batch.l.len()) as u64) as usize;
            let (row, partners) = adjacency.slice(probe, at, room);
            at += partners.len() as u64;
            let (set, token) = (self.left.set(row), self.tokens[probe]);
            batch.r.extend(partners.iter().filter(|r| first_common(set, self.right.set(**r)) == Some(token)));
            batch.l.resize(batch.r.len(), row);
            probe += usize::from(at == adjacency.end_of(probe));
        }
        at
    }
}

fn first_common(a: &[u32], b: &[u32]) -> Option<u32> {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Equal => return Some(a[i]),
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
        }
    }
    None
}
