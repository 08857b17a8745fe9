//! Texts and tests of texts on a device: the values of a domain as bit planes and signatures, and a [`TextTest`] restated
//! as integers, so that kernels decide by looking up what the reference has said beforehand.

#![deny(clippy::wildcard_enum_match_arm)]

use bytemuck::Pod;
use rayon::prelude::*;
use sameas_kernels::layout::part::PartHeads;
use sameas_kernels::layout::text::{self as layout, DECIDED, HOST, LEAST, LIMIT, NEVER, PREFIXES};
use sameas_kernels::{DevicePtr, Untyped, kernel};

use super::column::DeviceColumn;
use super::number::comparison_code;
use super::part::{KeptValues, Spans, launch};
use super::slots::TextSlots;
use crate::device::{Buffer, Gpu, LentMemory};
use crate::error::Result;
use crate::measure::cost::DeviceWords;
use crate::measure::{EditFormula, TextForm, Unit, jaro, jaro_winkler};
use crate::records::encode::{self, AnyStrings, PlaneShape, Planes, Signature, Signatures, Strings, Texts};
use crate::threshold::TextTest;

/// The texts of a domain on a device, by code.
pub struct DeviceTexts {
    planes: PlaneBuffers,
    _signatures: SignatureBuffer,
    layout: layout::Texts,
    place: Buffer<layout::Texts>,
    longest: usize,
}

/// Signatures of one of the widths.
enum SignatureBuffer {
    Short(DeviceColumn<encode::Short>),
    Long(DeviceColumn<encode::Long>),
}

impl SignatureBuffer {
    fn at(&self) -> DevicePtr<Untyped> {
        match self {
            Self::Short(all) => all.at().untyped(),
            Self::Long(all) => all.at().untyped(),
        }
    }
}

/// The planes of texts, and where each begins.
struct PlaneBuffers {
    words: DeviceColumn<u32>,
    heads: DeviceColumn<layout::TextHead>,
    shape: PlaneShape,
}

impl DeviceTexts {
    /// Brings texts to a device.
    pub fn new(gpu: &Gpu, texts: &Texts) -> Result<Self> {
        let (count, shape) = (texts.len() as u32, texts.plane_shape());
        let planes = match texts.strings() {
            AnyStrings::U8(strings) => PlaneBuffers::copied(gpu, strings, count, shape),
            AnyStrings::U16(strings) => PlaneBuffers::copied(gpu, strings, count, shape),
            AnyStrings::U32(strings) => PlaneBuffers::copied(gpu, strings, count, shape),
        }?;
        Self::with_copied(gpu, planes, texts.signatures(), count)
    }

    /// The same for texts of a known width, with codes below `count`.
    pub fn from_strings<U: Unit + Pod + Send + Sync>(
        gpu: &Gpu,
        strings: Strings<'_, U>,
        signatures: &Signatures,
        count: u32,
    ) -> Result<Self> {
        let planes = PlaneBuffers::copied(gpu, strings, count, PlaneShape::for_strings(strings, count))?;
        Self::with_copied(gpu, planes, signatures, count)
    }

    fn with_copied(gpu: &Gpu, planes: PlaneBuffers, signatures: &Signatures, count: u32) -> Result<Self> {
        let records = match signatures.records() {
            encode::SignatureRecords::Short(all) => {
                SignatureBuffer::Short(DeviceColumn::copied(gpu, &all[..count as usize])?)
            }
            encode::SignatureRecords::Long(all) => {
                SignatureBuffer::Long(DeviceColumn::copied(gpu, &all[..count as usize])?)
            }
        };
        Self::with(gpu, planes, records, count)
    }

    /// Texts that kernels read in the memory of the host, as far as it has them in their form; the planes, which it does
    /// not have, are made there.
    pub fn lent<'a>(lent: &LentMemory<'a>, texts: &'a Texts) -> Result<Self> {
        let planes = match texts.strings() {
            AnyStrings::U8(strings) => PlaneBuffers::lent(lent, strings, texts.plane_shape()),
            AnyStrings::U16(strings) => PlaneBuffers::lent(lent, strings, texts.plane_shape()),
            AnyStrings::U32(strings) => PlaneBuffers::lent(lent, strings, texts.plane_shape()),
        }?;
        let records = match texts.signatures().records() {
            encode::SignatureRecords::Short(all) => SignatureBuffer::Short(DeviceColumn::Elsewhere(lent.at(all)?)),
            encode::SignatureRecords::Long(all) => SignatureBuffer::Long(DeviceColumn::Elsewhere(lent.at(all)?)),
        };
        Self::with(lent.gpu(), planes, records, texts.len() as u32)
    }

    /// Some of the texts, which the device gathers.
    pub fn part<'a>(lent: &LentMemory<'a>, texts: &'a Texts, values: &KeptValues) -> Result<Self> {
        let planes = match texts.strings() {
            AnyStrings::U8(strings) => PlaneBuffers::part(lent, strings, texts.plane_shape(), values),
            AnyStrings::U16(strings) => PlaneBuffers::part(lent, strings, texts.plane_shape(), values),
            AnyStrings::U32(strings) => PlaneBuffers::part(lent, strings, texts.plane_shape(), values),
        }?;
        let records = match texts.signatures().records() {
            encode::SignatureRecords::Short(all) => {
                SignatureBuffer::Short(DeviceColumn::Here(values.records(lent, all)?))
            }
            encode::SignatureRecords::Long(all) => {
                SignatureBuffer::Long(DeviceColumn::Here(values.records(lent, all)?))
            }
        };
        Self::with(lent.gpu(), planes, records, values.count() as u32)
    }

    fn with(gpu: &Gpu, planes: PlaneBuffers, signatures: SignatureBuffer, count: u32) -> Result<Self> {
        let layout = layout::Texts {
            words: planes.words.at(),
            heads: planes.heads.at(),
            signatures: signatures.at(),
            planes: planes.shape.planes,
            stride: planes.shape.stride,
            is_long: u32::from(matches!(signatures, SignatureBuffer::Long(_))),
            count,
        };
        let (place, longest) = (gpu.upload(&[layout])?, planes.shape.longest);
        Ok(Self { planes, _signatures: signatures, layout, place, longest })
    }

    /// Whether they are in the memory of the device.
    pub fn are_here(&self) -> bool {
        self.planes.words.is_here()
    }

    /// Characters of the longest text of the domain.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Where the kernels find all of it.
    pub fn at(&self) -> DevicePtr<layout::Texts> {
        self.place.at()
    }

    /// What is there.
    pub fn layout(&self) -> layout::Texts {
        self.layout
    }
}

/// Bytes of the planes of a domain that kernels can number.
const NUMBERED: usize = 64 << 30;

/// Threads of a block that makes planes, and blocks of a launch at most.
const THREADS: u32 = 256;
const BLOCKS: u32 = 1 << 14;

/// Where texts begin.
#[derive(Clone, Copy)]
enum TextStarts {
    /// By text.
    Listed(DevicePtr<u64>),
    /// The first one where the characters do, and each other one where the one before it ends.
    AtEnds(DevicePtr<u64>),
}

impl PlaneBuffers {
    /// The planes of the texts with codes below `count`, whose characters the device has only meanwhile.
    fn copied<U: Unit + Pod + Send + Sync>(
        gpu: &Gpu,
        strings: Strings<'_, U>,
        count: u32,
        shape: PlaneShape,
    ) -> Result<Self> {
        let (words, heads) = heads(gpu, strings, count, shape)?;
        let planes =
            Self { words: DeviceColumn::Here(gpu.buffer(words)?), heads: DeviceColumn::copied(gpu, &heads)?, shape };
        let (units, ends) = strings.parts();
        let (units, ends) = (gpu.upload(units)?, gpu.upload::<u64>(bytemuck::cast_slice(ends))?);
        planes.make(gpu, units.at(), TextStarts::AtEnds(ends.at()), count)?;
        Ok(planes)
    }

    /// The planes of all texts in the memory of the host.
    fn lent<'a, U: Unit + Pod + Send + Sync>(
        lent: &LentMemory<'a>,
        strings: Strings<'a, U>,
        shape: PlaneShape,
    ) -> Result<Self> {
        let (gpu, (units, ends)) = (lent.gpu(), strings.parts());
        let count = ends.len() as u32;
        let (words, heads) = heads(gpu, strings, count, shape)?;
        let heads = DeviceColumn::Pinned(gpu.pinned_copy(&heads)?);
        let planes = Self { words: DeviceColumn::Pinned(gpu.pinned(words)?), heads, shape };
        let ends = lent.at::<u64>(bytemuck::cast_slice(ends))?;
        planes.make(gpu, lent.at(units)?, TextStarts::AtEnds(ends), count)?;
        Ok(planes)
    }

    /// The planes of some texts, whose characters the device reads on the host.
    fn part<'a, U: Pod>(
        lent: &LentMemory<'a>,
        strings: Strings<'a, U>,
        shape: PlaneShape,
        values: &KeptValues,
    ) -> Result<Self> {
        let (gpu, (units, ends)) = (lent.gpu(), strings.parts());
        let Spans { begins, lengths } = values.spans(lent, ends)?;
        let (groups, heads) = (gpu.buffer::<u32>(values.count() + 1)?, gpu.buffer(values.count())?);
        let args = PartHeads {
            lengths: lengths.at(),
            groups: groups.at(),
            offsets: DevicePtr::NULL,
            heads: heads.at(),
            len: values.count() as u64,
            stride: shape.stride,
            unused: 0,
        };
        launch(gpu, kernel::PART_GROUPS, values.count() + 1, &args)?;
        let offsets = gpu.exclusive_sum(&groups, values.count() + 1)?;
        let quarters = gpu.read(&offsets, values.count()..values.count() + 1)?[0] as usize;
        if u32::try_from(quarters).is_err() {
            return Err(gpu.too_small(NUMBERED, gpu.free()));
        }
        launch(gpu, kernel::PART_HEADS, values.count(), &PartHeads { offsets: offsets.at(), ..args })?;
        let planes =
            Self { words: DeviceColumn::Here(gpu.buffer(4 * quarters)?), heads: DeviceColumn::Here(heads), shape };
        planes.make(gpu, lent.at(units)?, TextStarts::Listed(begins.at()), values.count() as u32)?;
        Ok(planes)
    }

    /// Makes the planes on the device.
    fn make<U>(&self, gpu: &Gpu, units: DevicePtr<U>, begins: TextStarts, count: u32) -> Result<()> {
        let (begins, ends) = match begins {
            TextStarts::Listed(begins) => (begins, DevicePtr::NULL),
            TextStarts::AtEnds(ends) => (DevicePtr::NULL, ends),
        };
        let (heads, words, stride) = (self.heads.at(), self.words.at(), self.shape.stride);
        let args = layout::TextPlanes { units: units.untyped(), ends, begins, heads, words, count, stride };
        let kernel = match size_of::<U>() {
            1 => kernel::TEXT_PLANES_U8,
            2 => kernel::TEXT_PLANES_U16,
            _ => kernel::TEXT_PLANES_U32,
        };
        gpu.launch(kernel, count.div_ceil(THREADS / 32).clamp(1, BLOCKS), THREADS, 0, &args)
    }
}

/// Words of the planes of all texts, and the places of each, as kernels read them.
fn heads<U: Unit + Send + Sync>(
    gpu: &Gpu,
    strings: Strings<'_, U>,
    count: u32,
    shape: PlaneShape,
) -> Result<(usize, Vec<layout::TextHead>)> {
    let planes = Planes::new(strings, count, shape).map_err(|_| gpu.too_small(NUMBERED, gpu.free()))?;
    let head = |&[offset, length]: &[u32; 2]| layout::TextHead { offset, length };
    Ok((planes.words, planes.heads.par_iter().map(head).collect()))
}

/// A record of 64 bits, with the length or what stands for it.
pub fn short(signature: &Signature<4>, length: u32) -> layout::TextShort {
    let [low, high] = halves(signature.bits[0]);
    let (length, overflow) = (length as u16, signature.overflow as u16);
    layout::TextShort { bits: [low, high], prefix: signature.prefix, length, overflow }
}

/// A record of 256 bits, with the length or what stands for it.
pub fn long(signature: &Signature<4>, length: u32) -> layout::TextLong {
    let bits = std::array::from_fn(|word| halves(signature.bits[word / 2])[word % 2]);
    layout::TextLong { bits, prefix: signature.prefix, length, overflow: signature.overflow, padding: [0; 5] }
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// A test as the kernels read it.
pub struct DeviceTextTest {
    _edits: Buffer<u32>,
    _least: Buffer<u8>,
    _decisions: Buffer<u32>,
    _slots: TextSlots,
    layout: layout::TextTest,
    place: Buffer<layout::TextTest>,
    is_dense: bool,
}

impl DeviceTextTest {
    /// Restates a test of texts of up to `longest` characters; `None` where a device can neither decide it nor rule out
    /// anything.
    pub fn new(gpu: &Gpu, test: &TextTest, longest: usize) -> Result<Option<Self>> {
        let (is_decided, bounded) = (test.is_for_devices(), test.predicate().is_some());
        if !is_decided && !bounded {
            return Ok(None);
        }
        let form = test.measure().form();
        let (formula, winkler) = match form {
            TextForm::Edits(_, formula) => (Some(formula), None),
            TextForm::Places => (Some(EditFormula::Count), None),
            TextForm::Jaro => (None, Some(false)),
            TextForm::JaroWinkler => (None, Some(true)),
        };
        let on_device = form.count().facts().on_device;
        let edits = gpu.upload(&formula.map_or_else(Vec::new, |_| edits(test, longest)))?;
        let least = gpu.upload(&least(test, longest))?;
        let decisions = gpu.upload(&winkler.map_or_else(Vec::new, |winkler| decisions(test, winkler, longest)))?;
        let slots = TextSlots::new(gpu, if is_decided { on_device.words } else { DeviceWords::Nothing }, longest)?;
        let layout = layout::TextTest {
            edits: edits.at(),
            least: least.at(),
            decisions: decisions.at(),
            threshold: test.threshold().to_f64(),
            measure: if is_decided { form.count() as u32 } else { HOST },
            comparison: comparison_code(test.comparison()),
            same: u32::from(test.holds_for_same()),
            bounded: u32::from(bounded),
            formula: formula.unwrap_or(EditFormula::Count) as u32,
            slots: slots.len(),
            scratch: slots.scratch(),
            taken: slots.taken(),
            slot_words: slots.words(),
            winkler: u32::from(winkler == Some(true)),
        };
        let (place, is_dense) = (gpu.upload(&[layout])?, is_decided && on_device.is_dense);
        Ok(Some(Self { _edits: edits, _least: least, _decisions: decisions, _slots: slots, layout, place, is_dense }))
    }

    /// Whether kernels have a form for short texts that all meet all.
    pub fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// Where the kernels find it.
    pub fn at(&self) -> DevicePtr<layout::TextTest> {
        self.place.at()
    }

    /// What is there.
    pub fn layout(&self) -> layout::TextTest {
        self.layout
    }
}

/// For each key of two lengths the fewest edits with which the test holds and, in the upper half, the most; more than the
/// most where it never holds, and for texts that are longer than any.
fn edits(test: &TextTest, longest: usize) -> Vec<u32> {
    let (all, some) = (test.scale().key(LIMIT, LIMIT), test.scale().key(longest, longest));
    let that_hold = |key| if key <= some { test.edits_that_hold(key) } else { None };
    let packed = |key| that_hold(key).map_or(1, |edits| *edits.start() | *edits.end() << 16);
    (0..=all).into_par_iter().map(|key| packed(key) as u32).collect()
}

/// The least number of common characters, by both lengths less one and the prefix; nothing where the test is no bound. Pairs of
/// texts that are longer than any are not asked for.
fn least(test: &TextTest, longest: usize) -> Vec<u8> {
    let Some(predicate) = test.predicate() else { return Vec::new() };
    let narrow = |need: u32| u8::try_from(need).unwrap_or(NEVER);
    let needs = |at: usize| {
        let lengths = [at / LEAST + 1, at % LEAST + 1];
        if lengths.iter().all(|length| *length <= longest) { predicate.needs(lengths[0], lengths[1]) } else { None }
    };
    let rows = (0..LEAST * LEAST).into_par_iter().with_min_len(LEAST);
    let rows: Vec<[u8; PREFIXES]> =
        rows.map(|at| needs(at).map_or([NEVER; PREFIXES], |needs| needs.common.map(narrow))).collect();
    rows.concat()
}

/// The verdicts on all short texts: by the lengths `x <= y`, the matches and the prefix, one bit for each number of
/// transpositions. Lengths may be exchanged, as the formula adds their shares in either order with the same result.
fn decisions(test: &TextTest, is_winkler: bool, longest: usize) -> Vec<u32> {
    let holds = |[x, y]: [usize; 2], matches, transpositions, prefix| {
        let value = jaro::from_counts(x, y, matches, transpositions);
        test.holds_for(if is_winkler { jaro_winkler::from_jaro(value, prefix) } else { value })
    };
    let lengths: Vec<[usize; 2]> = (1..=DECIDED).flat_map(|y| (1..=y).map(move |x| [x, y])).collect();
    let row = |lengths: [usize; 2], matches: usize, prefix: usize| {
        // No more characters match than the shorter text has.
        let possible = if matches <= lengths[0] && lengths[1] <= longest { matches / 2 + 1 } else { 0 };
        (0..possible).fold(0, |bits, t| bits | u32::from(holds(lengths, matches, t, prefix)) << t)
    };
    let counts = || (0..=DECIDED).flat_map(|matches| (0..PREFIXES).map(move |prefix| (matches, prefix)));
    let rows =
        lengths.par_iter().flat_map_iter(|lengths| counts().map(|(matches, prefix)| row(*lengths, matches, prefix)));
    rows.collect()
}
