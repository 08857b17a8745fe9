//! Distinct values and the code of each record's value, made on all cores.
//!
//! First each block of rows finds its own distinct values: most columns repeat theirs, and a table of one block stays
//! in the nearer caches. Then the blocks' values are split by hash into parts; each part is one task that sees its
//! values in row order. Codes therefore depend on the values and their order alone, never on the number of threads.

use std::hash::BuildHasher;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use arrow_array::Array;
use foldhash::quality::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;

use super::bytes::{Numbers, bytes_at};
use crate::cancel::{Cancel, or_end};
use crate::expr::Vector;
use crate::memory::Held;

/// The code of null.
pub const NULL: u32 = u32::MAX;

/// Below this many values one part is quicker than many.
const SMALL: usize = 1 << 14;

/// Parts for large inputs: enough to keep many cores busy and each table in cache.
const PARTS: usize = 64;

/// The distinct values of a domain, by code.
#[derive(Debug, Default)]
pub struct Dictionary {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Dictionary {
    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&self.ends[..])
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True where there is no value.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of a value.
    pub fn value(&self, code: u32) -> &[u8] {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.bytes[start..self.ends[code]]
    }

    /// The bytes of a value, `None` for null.
    pub fn get(&self, code: u32) -> Option<&[u8]> {
        (code != NULL).then(|| self.value(code))
    }

    /// This many values that are never read.
    pub(super) fn of_empty_values(len: usize) -> Self {
        Self { bytes: Vec::new(), ends: vec![0; len] }
    }

    /// Some of the values, in this order.
    pub(super) fn part(&self, kept: &[u32]) -> Self {
        let (bytes, ends) = super::part::gather(&self.bytes, &self.ends, kept);
        Self { bytes, ends }
    }

    /// Encodes columns that share a domain: one dictionary, and for each column the code of each row.
    /// A column comes as its blocks, in row order.
    pub fn encode(columns: &[Vec<Vector>], numbers: Numbers, cancel: Cancel<'_>) -> (Self, Vec<Vec<u32>>) {
        let blocks: Vec<&Vector> = columns.iter().flatten().collect();
        let rows: usize = blocks.iter().map(|b| b.len()).sum();
        let parts = if rows < SMALL { 1 } else { PARTS };
        let local = |block: &&Vector| {
            cancel.check();
            BlockValues::new(block, numbers, parts)
        };
        let locals: Vec<BlockValues> = blocks.par_iter().map(local).collect();
        let _of_locals = cancel.hold(locals.iter().map(BlockValues::bytes).sum());
        let part = |part: usize| {
            cancel.check();
            encode_part(part, &blocks, &locals, numbers, cancel)
        };
        let found: Vec<(Self, Held)> = (0..parts).into_par_iter().map(part).collect();
        let (dictionary, firsts) = Self::joined(found);
        let coded: Vec<Vec<u32>> = locals.into_par_iter().map(|local| local.into_codes(&firsts)).collect();
        let mut coded = coded.into_iter();
        let of_column = |blocks: &Vec<Vector>| coded.by_ref().take(blocks.len()).collect::<Vec<_>>().concat();
        (dictionary, columns.iter().map(of_column).collect())
    }

    /// The parts' dictionaries one after the other, and the first code of each.
    /// A part is freed as soon as it is copied, and the only one is not copied.
    fn joined(mut parts: Vec<(Self, Held)>) -> (Self, Vec<u32>) {
        if parts.len() == 1 {
            return (parts.remove(0).0, vec![0]);
        }
        let mut all = Self::default();
        let mut firsts = Vec::with_capacity(parts.len());
        all.bytes.reserve_exact(parts.iter().map(|(p, _)| p.bytes.len()).sum());
        all.ends.reserve_exact(parts.iter().map(|(p, _)| p.len()).sum());
        for (part, _held) in parts {
            firsts.push(all.len() as u32);
            let base = all.bytes.len();
            all.bytes.extend_from_slice(&part.bytes);
            all.ends.extend(part.ends.iter().map(|end| base + end));
        }
        (all, firsts)
    }

    fn push(&mut self, value: &[u8]) -> u32 {
        self.bytes.extend_from_slice(value);
        self.ends.push(self.bytes.len());
        (self.len() - 1) as u32
    }
}

/// A distinct value of a block.
struct Distinct {
    hash: u64,
    /// Where it first occurs.
    row: u32,
    /// Its code within its part, once the part is encoded.
    code: AtomicU32,
}

/// The distinct values of a block.
struct BlockValues {
    /// In the order of their first occurrence.
    distinct: Vec<Distinct>,
    /// For each row the index of its value among them, [`NULL`] for null.
    indices: Vec<u32>,
    /// Indices ordered by part, and where those of each part end.
    by_part: Vec<u32>,
    ends: Vec<u32>,
}

impl BlockValues {
    fn new(block: &Vector, numbers: Numbers, parts: usize) -> Self {
        match block {
            // By far the most frequent type, without checking the type of each row.
            Vector::Text(texts) => {
                Self::of(texts.len(), parts, |row| (!texts.is_null(row)).then(|| texts.value(row).as_bytes()))
            }
            _ => Self::of(block.len(), parts, |row| bytes_at(block, row, numbers)),
        }
    }

    fn of<B: Deref<Target = [u8]>>(rows: usize, parts: usize, bytes_at: impl Fn(usize) -> Option<B>) -> Self {
        let hasher = FixedState::default();
        let mut known: HashTable<u32> = HashTable::new();
        let mut distinct: Vec<Distinct> = Vec::new();
        let mut index = |row: usize| {
            let Some(bytes) = bytes_at(row) else { return NULL };
            let hash = hasher.hash_one(&*bytes);
            let same = |at: &u32| {
                let known = &distinct[*at as usize];
                known.hash == hash && bytes_at(known.row as usize).is_some_and(|known| *known == *bytes)
            };
            if let Some(at) = known.find(hash, same) {
                return *at;
            }
            let at = distinct.len() as u32;
            distinct.push(Distinct { hash, row: row as u32, code: AtomicU32::new(NULL) });
            known.insert_unique(hash, at, |at| distinct[*at as usize].hash);
            at
        };
        let indices = (0..rows).map(&mut index).collect();
        let (by_part, ends) = in_parts(&distinct, parts);
        Self { distinct, indices, by_part, ends }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.distinct[..]) + 4 * (self.indices.len() + self.by_part.len())
    }

    fn part(&self, part: usize) -> &[u32] {
        let start = if part == 0 { 0 } else { self.ends[part - 1] };
        &self.by_part[start as usize..self.ends[part] as usize]
    }

    /// The code of each row; `firsts` are the first codes of the parts, in which values are numbered from 0.
    fn into_codes(self, firsts: &[u32]) -> Vec<u32> {
        let code = |value: Distinct| value.code.into_inner() + firsts[part_of(value.hash, firsts.len())];
        let codes: Vec<u32> = self.distinct.into_iter().map(code).collect();
        let mut rows = self.indices;
        rows.iter_mut().filter(|row| **row != NULL).for_each(|row| *row = codes[*row as usize]);
        rows
    }
}

/// The indices of values ordered by part, and where those of each part end.
fn in_parts(values: &[Distinct], parts: usize) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0_u32; parts];
    values.iter().for_each(|value| ends[part_of(value.hash, parts)] += 1);
    let mut next: Vec<u32> = ends.iter().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n))).collect();
    let mut ordered = vec![0; values.len()];
    for (index, value) in values.iter().enumerate() {
        let place = &mut next[part_of(value.hash, parts)];
        ordered[*place as usize] = index as u32;
        *place += 1;
    }
    (ordered, next)
}

/// The top bits choose the part; the hash table inside a part uses the others.
fn part_of(hash: u64, parts: usize) -> usize {
    if parts == 1 { 0 } else { (hash >> (64 - parts.trailing_zeros())) as usize }
}

fn encode_part(
    part: usize,
    blocks: &[&Vector],
    locals: &[BlockValues],
    numbers: Numbers,
    cancel: Cancel<'_>,
) -> (Dictionary, Held) {
    let (mut values, mut held) = (Dictionary::default(), cancel.hold(0));
    let mut known: HashTable<(u64, u32)> = HashTable::new();
    for (block, local) in blocks.iter().zip(locals) {
        for &index in local.part(part) {
            let Distinct { hash, row, code } = &local.distinct[index as usize];
            let Some(bytes) = bytes_at(block, *row as usize, numbers) else { continue };
            let same = |entry: &(u64, u32)| entry.0 == *hash && values.value(entry.1) == &*bytes;
            let found = match known.find(*hash, same) {
                Some(entry) => entry.1,
                None => {
                    let code = values.push(&bytes);
                    or_end(held.grow(values.bytes()));
                    known.insert_unique(*hash, (*hash, code), |entry| entry.0);
                    code
                }
            };
            code.store(found, Relaxed);
        }
    }
    (values, held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::StringArray;

    #[test]
    fn equal_values_share_a_code_across_columns_and_blocks() {
        let block = |values: Vec<Option<String>>| Vector::Text(StringArray::from(values));
        let value = |i: usize| (!i.is_multiple_of(7)).then(|| format!("v{}", i % 1000));
        let column: Vec<Vector> = (0..5).map(|b| block((0..9000).map(|i| value(b * 9000 + i)).collect())).collect();
        let other = vec![block(vec![Some("v1".into()), None, Some("new".into()), Some(String::new())])];
        let (dictionary, codes) = Dictionary::encode(&[column, other], Numbers::ByValue, Cancel::NEVER);
        assert_eq!(codes[0].len(), 45_000);
        for (i, code) in codes[0].iter().enumerate() {
            assert_eq!(dictionary.get(*code), value(i).as_deref().map(str::as_bytes));
        }
        assert_eq!(dictionary.get(codes[1][0]), Some(&b"v1"[..]));
        assert_eq!(codes[1][0], codes[0][1]);
        assert_eq!(codes[1][1], NULL);
        assert_eq!(dictionary.get(codes[1][3]), Some(&b""[..]));
        assert_eq!(dictionary.len(), 1002);
    }

    #[test]
    fn numbers_are_one_value_by_value_and_two_as_written() {
        use crate::expr::Num;
        let column = || {
            let numbers = [Num::Int(3), Num::Float(3.0), Num::Float(-0.0), Num::Int(0)];
            vec![Vector::Number(numbers.into_iter().map(Some).collect())]
        };
        let by_value = Dictionary::encode(&[column()], Numbers::ByValue, Cancel::NEVER).1;
        assert_eq!(by_value[0][0], by_value[0][1]);
        assert_eq!(by_value[0][2], by_value[0][3]);
        let as_written = Dictionary::encode(&[column()], Numbers::AsWritten, Cancel::NEVER).1;
        assert_ne!(as_written[0][0], as_written[0][1]);
    }
}
