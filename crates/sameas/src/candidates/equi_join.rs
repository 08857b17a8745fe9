//! `equi_join`: pairs whose composite keys are equal.
//!
//! The parts of a key are folded into one dense code a record; right rows are laid out by code, and each left row
//! finds its partners as one slice.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;

use super::adjacency::{Adjacency, Probe};
use super::{Candidates, Rows, Shape};
use crate::records::encode::NULL;

/// One equality of a composite key: codes of the left and the right records in one domain of `values` values.
pub struct KeyPart<'a> {
    /// Codes by left row.
    pub left: &'a [u32],
    /// Codes by right row.
    pub right: &'a [u32],
    /// Number of distinct values.
    pub values: usize,
    /// Two nulls are equal.
    pub null_safe: bool,
}

/// The pairs of the given rows whose keys are equal in every part.
///
/// No loss: records with equal keys get equal codes, because folding maps equal pairs of codes to one code. No
/// repetition: a record has one code, so a pair meets in one group. Exact: different keys get different codes, and a
/// null in a part that is not null-safe takes the record out.
pub fn equi_join(parts: &[KeyPart<'_>], left: &Rows, right: &Rows, shape: Shape) -> Candidates {
    let (left_codes, right_codes, codes) = fold_parts(parts, left, right);
    let (starts, partners) = group(&right_codes, right, codes);
    let probe = |(row, code): (&u32, &u32)| {
        let group = if *code == NULL { 0..0 } else { starts[*code as usize]..starts[*code as usize + 1] };
        Probe::new(*row, group.start, &partners[group], shape)
    };
    let probes: Vec<Probe> = left.par_iter().zip(&left_codes).map(probe).collect();
    Candidates { adjacency: Adjacency::new(probes.into_iter(), partners), once: None }
}

/// One code for each of the given rows, and the number of codes.
fn fold_parts(parts: &[KeyPart<'_>], left: &Rows, right: &Rows) -> (Vec<u32>, Vec<u32>, usize) {
    let codes = |part: &KeyPart<'_>| {
        let null = if part.null_safe { part.values as u32 } else { NULL };
        let pick = |codes: &[u32], rows: &Rows| -> Vec<u32> {
            rows.par_iter().map(|row| codes[*row as usize]).map(|code| if code == NULL { null } else { code }).collect()
        };
        (pick(part.left, left), pick(part.right, right), part.values + 1)
    };
    let mut parts = parts.iter();
    let mut folded = parts.next().map_or_else(|| (vec![0; left.len()], vec![0; right.len()], 1), codes);
    for part in parts {
        let next = codes(part);
        folded = fold_two(&folded, &next);
    }
    folded
}

type Codes = (Vec<u32>, Vec<u32>, usize);

/// A dense code for each pair of codes that occurs on the right side; a left pair that does not occur there has none.
fn fold_two(a: &Codes, b: &Codes) -> Codes {
    let hasher = FixedState::default();
    let parts = (4 * rayon::current_num_threads()).next_power_of_two();
    let keys = |a: &[u32], b: &[u32]| -> Vec<(u64, u64)> {
        a.par_iter()
            .zip(b)
            .map(|(a, b)| u64::from(*a) << 32 | u64::from(*b))
            .map(|key| (key, hasher.hash_one(key)))
            .collect()
    };
    let is_null = |key: u64| key >> 32 == u64::from(NULL) || key as u32 == NULL;
    let (left_keys, right_keys) = (keys(&a.0, &b.0), keys(&a.1, &b.1));
    let left: Vec<AtomicU32> = left_keys.par_iter().map(|_| AtomicU32::new(NULL)).collect();
    let right: Vec<AtomicU32> = right_keys.par_iter().map(|_| AtomicU32::new(NULL)).collect();
    let next = AtomicU32::new(0);
    (0..parts).into_par_iter().for_each(|part| {
        let mut known: HashTable<(u64, u32)> = HashTable::new();
        let mine = |hash: u64| (hash >> 32) as usize & (parts - 1) == part;
        for ((key, hash), code) in
            right_keys.iter().zip(&right).filter(|((key, hash), _)| mine(*hash) && !is_null(*key))
        {
            let entry = known.entry(*hash, |e| e.0 == *key, |e| hasher.hash_one(e.0));
            let found = entry.or_insert_with(|| (*key, next.fetch_add(1, Relaxed)));
            code.store(found.get().1, Relaxed);
        }
        for ((key, hash), code) in left_keys.iter().zip(&left).filter(|((key, hash), _)| mine(*hash) && !is_null(*key))
        {
            if let Some(found) = known.find(*hash, |e| e.0 == *key) {
                code.store(found.1, Relaxed);
            }
        }
    });
    let plain = |codes: Vec<AtomicU32>| codes.into_iter().map(AtomicU32::into_inner).collect();
    (plain(left), plain(right), next.into_inner() as usize)
}

/// Rows by code: where each code's rows start, and the rows, in row order within a code.
fn group(codes: &[u32], rows: &Rows, distinct: usize) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; distinct + 1];
    codes.iter().filter(|c| **c != NULL).for_each(|c| starts[*c as usize + 1] += 1);
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut grouped = vec![0; starts[distinct]];
    for (row, code) in rows.iter().zip(codes).filter(|(_, c)| **c != NULL) {
        grouped[next[*code as usize]] = *row;
        next[*code as usize] += 1;
    }
    (starts, grouped)
}
