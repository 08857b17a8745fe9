//! Some records of a job on a device. The device gathers them itself, from the memory of the host: their codes, numbered
//! from 0 on in the old order, and then the values that these stand for.

use std::collections::{BTreeMap, HashMap};

use bytemuck::NoUninit;
use sameas_kernels::layout::part::{PartCodes, PartLists, PartNumbers, PartRecords, PartSpans, PartValues};
use sameas_kernels::{DevicePtr, Kernel, kernel};

use crate::device::{Buffer, Gpu, LentMemory};
use crate::error::Result;
use crate::records::encode::{Encoded, Sets};

/// Threads of a block, and blocks of a launch at most.
const THREADS: u32 = 256;
const BLOCKS: u32 = 1 << 14;

/// The codes of some records by operand, and the values they hold by domain.
pub struct DevicePart {
    codes: HashMap<usize, Buffer<u32>>,
    kept: HashMap<usize, KeptValues>,
}

/// Values of a domain, ascending; those of a part are numbered in this order.
pub struct KeptValues {
    codes: Buffer<u32>,
    len: usize,
}

/// Where the lists of some values lie among those of all.
pub struct Spans {
    /// By value of the part: where it begins.
    pub begins: Buffer<u64>,
    /// The same: its items, and 0 behind the last.
    pub lengths: Buffer<u32>,
}

/// Which values of a domain occur: a bit each, and how many there are before each word of bits.
struct Marks {
    bits: Buffer<u64>,
    before: Buffer<u64>,
}

impl DevicePart {
    /// Gathers the codes of some operands of some records, listed by frame.
    pub fn new<'a>(
        lent: &LentMemory<'a>,
        encoded: &'a Encoded,
        frames: &[Buffer<u32>],
        operands: &[usize],
    ) -> Result<Self> {
        let mut part = Self { codes: HashMap::new(), kept: HashMap::new() };
        let mut by_domain: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for operand in operands {
            let operands = by_domain.entry(encoded.columns[*operand].domain).or_default();
            if !operands.contains(operand) {
                operands.push(*operand);
            }
        }
        for (domain, operands) in by_domain {
            part.gather_domain(lent, encoded, frames, domain, &operands)?;
        }
        Ok(part)
    }

    fn gather_domain<'a>(
        &mut self,
        lent: &LentMemory<'a>,
        encoded: &'a Encoded,
        frames: &[Buffer<u32>],
        domain: usize,
        operands: &[usize],
    ) -> Result<()> {
        let gpu = lent.gpu();
        let words = encoded.domains[domain].dictionary.len().div_ceil(64);
        let bits = gpu.zeroed::<u64>(words)?;
        for operand in operands {
            let column = &encoded.columns[*operand];
            let rows = &frames[column.frame];
            let codes = gpu.buffer::<u32>(rows.len())?;
            let (all, len) = (lent.at(&column.codes[..])?, rows.len() as u64);
            let args = PartCodes { all, rows: rows.at(), codes: codes.at(), marks: bits.at(), len };
            launch(gpu, kernel::PART_CODES, rows.len(), &args)?;
            self.codes.insert(*operand, codes);
        }
        let (marks, kept) = Marks::number(gpu, bits, words)?;
        for operand in operands {
            let codes = &self.codes[operand];
            let (marks, before) = (marks.bits.at(), marks.before.at());
            let args = PartNumbers { codes: codes.at(), marks, before, len: codes.len() as u64 };
            launch(gpu, kernel::PART_NUMBERS, codes.len(), &args)?;
        }
        self.kept.insert(domain, kept);
        Ok(())
    }

    /// The codes of an operand, by record of the part.
    pub fn codes(&self, operand: usize) -> &Buffer<u32> {
        &self.codes[&operand]
    }

    /// The values of a domain.
    pub fn values(&self, domain: usize) -> &KeptValues {
        &self.kept[&domain]
    }
}

impl Marks {
    /// Numbers the values that are marked.
    fn number(gpu: &Gpu, bits: Buffer<u64>, words: usize) -> Result<(Self, KeptValues)> {
        let counts = gpu.zeroed::<u32>(words + 1)?;
        let (marks, of_words) = (bits.at(), words as u64);
        let args = |before, kept| PartValues { marks, counts: counts.at(), before, kept, words: of_words };
        launch(gpu, kernel::PART_COUNTS, words, &args(DevicePtr::NULL, DevicePtr::NULL))?;
        let before = gpu.exclusive_sum(&counts, words + 1)?;
        let len = gpu.read(&before, words..words + 1)?[0] as usize;
        let codes = gpu.buffer::<u32>(len)?;
        launch(gpu, kernel::PART_KEPT, words, &args(before.at(), codes.at()))?;
        Ok((Self { bits, before }, KeptValues { codes, len }))
    }
}

impl KeptValues {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.len
    }

    /// Their codes in the whole domain.
    pub fn at(&self) -> DevicePtr<u32> {
        self.codes.at()
    }

    /// The same, on the host.
    pub fn on_host(&self, gpu: &Gpu) -> Result<Vec<u32>> {
        gpu.read(&self.codes, 0..self.len)
    }

    /// Their records, of those of all values.
    pub fn records<'a, T: NoUninit>(&self, lent: &LentMemory<'a>, all: &'a [T]) -> Result<Buffer<T>> {
        const { assert!(size_of::<T>().is_multiple_of(8) && align_of::<T>() >= 8, "records are copied 8 bytes at a time") };
        let records = lent.gpu().buffer::<T>(self.len)?;
        let units = (size_of::<T>() / 8) as u32;
        let (from, to, len) = (lent.at(all)?.untyped(), records.at().untyped(), self.len as u64);
        let args = PartRecords { kept: self.at(), all: from, records: to, len, units, unused: 0 };
        launch(lent.gpu(), kernel::PART_RECORDS, self.len * units as usize, &args)?;
        Ok(records)
    }

    /// Where their lists lie among those of all values, which lie one after the other, each up to its end.
    pub fn spans<'a>(&self, lent: &LentMemory<'a>, ends: &'a [usize]) -> Result<Spans> {
        let (begins, lengths) = (lent.gpu().buffer::<u64>(self.len)?, lent.gpu().buffer::<u32>(self.len + 1)?);
        let ends = lent.at(bytemuck::cast_slice(ends))?;
        let args =
            PartSpans { kept: self.at(), ends, begins: begins.at(), lengths: lengths.at(), len: self.len as u64 };
        launch(lent.gpu(), kernel::PART_SPANS, self.len + 1, &args)?;
        Ok(Spans { begins, lengths })
    }

    /// Their sets, of those of all values: where each begins and, behind the last, where it ends; and the ids.
    pub fn lists<'a>(&self, lent: &LentMemory<'a>, all: Sets<'a>) -> Result<(Buffer<u64>, Buffer<u32>)> {
        let (gpu, (items, ends)) = (lent.gpu(), all.parts());
        let Spans { begins, lengths } = self.spans(lent, ends)?;
        let places = gpu.exclusive_sum(&lengths, self.len + 1)?;
        let gathered = gpu.buffer::<u32>(gpu.read(&places, self.len..self.len + 1)?[0] as usize)?;
        let args = PartLists {
            items: lent.at(items)?,
            begins: begins.at(),
            lengths: lengths.at(),
            places: places.at(),
            gathered: gathered.at(),
            len: self.len as u64,
        };
        launch(gpu, kernel::PART_LISTS, self.len * 32, &args)?;
        Ok((places, gathered))
    }
}

/// Starts a kernel with a thread for each of some items, or one for several where there are many.
pub fn launch<A: NoUninit>(gpu: &Gpu, kernel: Kernel<A>, items: usize, args: &A) -> Result<()> {
    let blocks = items.div_ceil(THREADS as usize).clamp(1, BLOCKS as usize) as u32;
    gpu.launch(kernel, blocks, THREADS, 0, args)
}

#[cfg(all(test, feature = "emulated"))]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::expr::Type;
    use crate::records::encode::{Dictionary, Domain, EncodedColumn, NULL};

    const MEMORY: usize = 1 << 20;

    fn column(codes: Vec<u32>, domain: usize, frame: usize) -> EncodedColumn {
        EncodedColumn { codes: Arc::new(codes), counted: Arc::default(), domain, text: String::new(), frame }
    }

    fn domain(values: usize) -> Arc<Domain> {
        let dictionary = Dictionary::of_empty_values(values);
        Arc::new(Domain { ty: Type::Text, dictionary, texts: None, integers: None })
    }

    fn codes(values: u32, rows: usize) -> impl Strategy<Value = Vec<u32>> {
        prop::collection::vec(prop_oneof![1 => Just(NULL), 9 => 0..values], rows)
    }

    fn some_of(all: usize) -> impl Strategy<Value = Vec<u32>> {
        prop::collection::btree_set(0..all as u32, 0..=all).prop_map(|some| some.into_iter().collect())
    }

    proptest! {
        #[test]
        fn codes_are_numbered_as_by_the_host(
            (a, b, c) in (codes(300, 90), codes(300, 40), codes(70, 90)),
            (lefts, rights) in (some_of(90), some_of(40)),
            seed in any::<u64>(),
        ) {
            let encoded = Encoded {
                columns: vec![column(a, 0, 0), column(b, 0, 1), column(c, 1, 0)],
                domains: vec![domain(300), domain(70)],
                tokens: Vec::new(),
                token_sources: Vec::new(),
            };
            let gpu = Gpu::emulated(MEMORY, seed);
            let lent = LentMemory::new(&gpu);
            let frames = [gpu.upload(&lefts).unwrap(), gpu.upload(&rights).unwrap()];
            let part = DevicePart::new(&lent, &encoded, &frames, &[0, 1, 2, 1]).unwrap();
            let host = encoded.part(&[&lefts, &rights], &[0, 1, 2], &[]);
            for (operand, column) in host.columns.iter().enumerate() {
                let found = part.codes(operand);
                prop_assert_eq!(&gpu.read(found, 0..found.len()).unwrap(), &*column.codes);
            }
            for (at, domain) in host.domains.iter().enumerate() {
                prop_assert_eq!(part.values(at).count(), domain.dictionary.len());
            }
        }

        #[test]
        fn lists_and_records_of_some_values_are_gathered(
            sets in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..70), 1..60),
            seed in any::<u64>(),
            choice in any::<u64>(),
        ) {
            let kept: Vec<u32> = (0..sets.len() as u32).filter(|at| choice >> (at % 64) & 1 != 0).collect();
            let ids: Vec<u32> = sets.concat();
            let ends: Vec<usize> = sets.iter().scan(0, |end, set| { *end += set.len(); Some(*end) }).collect();
            let records: Vec<[u64; 3]> = (0..sets.len() as u64).map(|at| [at, at * at, !at]).collect();
            let gpu = Gpu::emulated(MEMORY, seed);
            let lent = LentMemory::new(&gpu);
            let values = KeptValues { codes: gpu.upload(&kept).unwrap(), len: kept.len() };
            let (begins, found) = values.lists(&lent, Sets::new(&ids, &ends)).unwrap();
            let begins = gpu.read(&begins, 0..kept.len() + 1).unwrap();
            let found = gpu.read(&found, 0..found.len()).unwrap();
            for (at, value) in kept.iter().enumerate() {
                let list = &found[begins[at] as usize..begins[at + 1] as usize];
                prop_assert_eq!(list, &sets[*value as usize][..]);
            }
            let gathered = values.records(&lent, &records).unwrap();
            let expected: Vec<[u64; 3]> = kept.iter().map(|value| records[*value as usize]).collect();
            prop_assert_eq!(gpu.read(&gathered, 0..kept.len()).unwrap(), expected);
        }
    }
}
