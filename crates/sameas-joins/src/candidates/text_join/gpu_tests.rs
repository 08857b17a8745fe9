//! The kernels over texts, emulated, against the tests of texts of the host.

use super::TextUnit;
use super::gpu::{GpuTextJoin, GpuTextJoinSettings, JoinCounters, TextJoinInput};
use crate::candidates::pair_output::PairOutput;
use crate::device::{Buffer, Gpu};
use crate::device_values::pair_list;
use crate::device_values::{DeviceTextTest, DeviceTexts};
use crate::expr::Num;
use crate::measure::{MeasureKind, TextMeasure};
use crate::records::encode::{NULL, Signatures, Strings};
use crate::rules::Comparison;
use crate::threshold::TextTest;
use bytemuck::Pod;
use sameas_kernels::layout::text::TextOut;

/// Numbers without a pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Texts of each of some lengths: the beginning of a common stem, shifted or not, with a few edits.
fn texts(lengths: &[usize], alphabet: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut random = Random(seed);
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let stem: Vec<u32> = (0..longest + 3).map(|_| random.below(alphabet) as u32).collect();
    let mut texts: Vec<Vec<u32>> = lengths
        .iter()
        .map(|&length| {
            let start = if random.below(3) == 0 { 3 } else { 0 };
            let mut text = stem[start..start + length].to_vec();
            for _ in 0..random.below(4).min(length) {
                let at = random.below(length);
                if random.below(2) == 0 {
                    text.swap(at, (at + 1) % length);
                } else {
                    text[at] = random.below(alphabet) as u32;
                }
            }
            text
        })
        .collect();
    texts.sort();
    texts.dedup();
    texts
}

/// A domain: its texts on the host and on a device.
struct Domain<U> {
    units: Vec<U>,
    ends: Vec<usize>,
    signatures: Signatures,
    image: DeviceTexts,
    gpu: Gpu,
}

impl<U: TextUnit + Pod> Domain<U> {
    fn new(texts: &[Vec<U>]) -> Self {
        Self::with_memory(texts, 64 << 20)
    }

    /// The same on a device of this memory.
    fn with_memory(texts: &[Vec<U>], memory: usize) -> Self {
        let mut ends = Vec::new();
        texts.iter().for_each(|text| ends.push(ends.last().copied().unwrap_or(0) + text.len()));
        let (units, gpu) = (texts.concat(), Gpu::emulated(memory, 7));
        let strings = Strings::new(&units, &ends);
        let signatures = Signatures::new(strings, ends.len() as u32);
        let image = DeviceTexts::from_strings(&gpu, strings, &signatures, ends.len() as u32).unwrap();
        Self { units, ends, signatures, image, gpu }
    }

    fn text(&self, code: u32) -> &[U] {
        Strings::new(&self.units, &self.ends).get(code)
    }

    fn codes(&self) -> Vec<u32> {
        (0..self.ends.len() as u32).collect()
    }

    /// The host's verdict; null where a text is empty.
    fn verdict(&self, test: &TextTest, a: u32, b: u32) -> Option<bool> {
        if a == NULL || b == NULL || self.text(a).is_empty() || self.text(b).is_empty() {
            return None;
        }
        test.holds(&self.text(a), self.text(b))
    }

    /// Compares the verdicts on all pairs of codes, nulls among them.
    fn check_list(&self, test: &TextTest) {
        let Some(on_device) = DeviceTextTest::new(&self.gpu, test, self.image.longest()).unwrap() else { return };
        let mut codes = self.codes();
        codes.push(NULL);
        let pairs: Vec<(u32, u32)> = codes.iter().flat_map(|&a| codes.iter().map(move |&b| (a, b))).collect();
        let left = self.gpu.upload(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>()).unwrap();
        let right = self.gpu.upload(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>()).unwrap();
        let made = pair_list::verdicts(&self.gpu, &self.image, &on_device, (&left, &right), pairs.len()).unwrap();
        let words = |buffer: &Buffer<u32>| self.gpu.read(buffer, 0..pairs.len().div_ceil(32)).unwrap();
        let (holds, nulls, asks) = (words(&made.holds), words(&made.nulls), words(&made.asks));
        for (i, &(a, b)) in pairs.iter().enumerate() {
            let bit = |words: &[u32]| words[i / 32] >> (i % 32) & 1 == 1;
            let expected = self.verdict(test, a, b);
            if bit(&asks) {
                assert_eq!(on_device.layout().slots, 0, "{test:?} {a} {b}");
                continue;
            }
            let seen = if bit(&nulls) { None } else { Some(bit(&holds)) };
            assert_eq!(seen, expected, "{test:?} {a:?} {b:?}");
        }
    }

    /// The pairs of a join in order, found or left to the host, by launches that are halved where their room is too
    /// small.
    fn joined(
        &self,
        test: &TextTest,
        left: &[u32],
        right: Option<&[u32]>,
        settings: GpuTextJoinSettings,
        room: usize,
    ) -> Joined {
        let on_device = DeviceTextTest::new(&self.gpu, test, self.image.longest()).unwrap().unwrap();
        let predicate = test.predicate();
        let (texts, signatures, predicate) = (&self.image, &self.signatures, predicate.as_ref());
        let sources = TextJoinInput { texts, signatures, predicate, on_device: &on_device };
        let join = GpuTextJoin::new(&self.gpu, sources, left, right, settings).unwrap();
        let out = PairOutput::new(&self.gpu, room, room).unwrap();
        let mut waiting: Vec<std::ops::Range<u64>> = std::iter::once(0..join.tasks()).collect();
        let mut joined = Joined::default();
        while let Some(tasks) = waiting.pop() {
            out.clear().unwrap();
            join.launch(tasks.clone(), &out.layout()).unwrap();
            match pairs(&self.gpu, &out) {
                Some([found, open]) => {
                    joined.found.extend(found);
                    joined.open.extend(open);
                }
                None if tasks.end - tasks.start > 1 => {
                    let middle = tasks.start.midpoint(tasks.end);
                    waiting.extend([tasks.start..middle, middle..tasks.end]);
                }
                None => panic!("a task has more pairs than there is room for"),
            }
        }
        joined.found.sort_unstable();
        joined.open.sort_unstable();
        joined.counted = Some(join.counted().unwrap());
        joined
    }

    /// The pairs in the order of the lists that hold, by definition; those the host decides apart.
    fn expected(&self, test: &TextTest, left: &[u32], right: Option<&[u32]>) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (i, &a) in left.iter().enumerate() {
            for &b in right.unwrap_or(&left[i..]) {
                pairs.extend((self.verdict(test, a, b) == Some(true)).then_some((a, b)));
            }
        }
        pairs
    }

    /// A join against nested loops. Pairs of one list come in either order.
    fn check_join(
        &self,
        test: &TextTest,
        left: &[u32],
        right: Option<&[u32]>,
        settings: GpuTextJoinSettings,
        room: usize,
    ) -> JoinCounters {
        let joined = self.joined(test, left, right, settings, room);
        let ordered = |pairs: &[(u32, u32)]| {
            let exchange = |&(a, b): &(u32, u32)| if right.is_none() && a > b { (b, a) } else { (a, b) };
            let mut pairs: Vec<(u32, u32)> = pairs.iter().map(exchange).collect();
            pairs.sort_unstable();
            pairs
        };
        let holding = joined.open.iter().copied().filter(|&(a, b)| self.verdict(test, a, b) == Some(true));
        let found: Vec<(u32, u32)> = joined.found.iter().copied().chain(holding).collect();
        assert_eq!(ordered(&found), ordered(&self.expected(test, left, right)), "{test:?} {settings:?}");
        joined.counted.unwrap()
    }
}

#[derive(Default)]
struct Joined {
    found: Vec<(u32, u32)>,
    open: Vec<(u32, u32)>,
    counted: Option<JoinCounters>,
}

/// What was written; `None` if there was too little room.
fn pairs(gpu: &Gpu, room: &PairOutput) -> Option<[Vec<(u32, u32)>; 2]> {
    let [found, open] = room.found().unwrap();
    if found > room.pairs[0].len() || open > room.deferred[0].len() {
        return None;
    }
    let read = |from: &Buffer<u32>, count: usize| gpu.read(from, 0..count).unwrap();
    let pairs = |[l, r]: &[Buffer<u32>; 2], count| read(l, count).into_iter().zip(read(r, count)).collect();
    Some([pairs(&room.pairs, found), pairs(&room.deferred, open)])
}

const COMPARISONS: [Comparison; 5] =
    [Comparison::Equal, Comparison::Less, Comparison::LessEqual, Comparison::Greater, Comparison::GreaterEqual];

/// Tests of every measure and comparison, with thresholds at which much turns.
fn tests() -> Vec<TextTest> {
    let similarities = [0.0, 0.5, 0.7, 0.8, 0.9, 1.0].map(Num::Float);
    let distances = [Num::Int(0), Num::Int(1), Num::Int(2), Num::Int(3), Num::Int(5), Num::Float(2.5), Num::Int(-1)];
    let mut tests = Vec::new();
    let of = |measures: &[TextMeasure], thresholds: &[Num], tests: &mut Vec<TextTest>| {
        for (&measure, &threshold) in measures.iter().flat_map(|m| thresholds.iter().map(move |t| (m, t))) {
            tests.extend(COMPARISONS.map(|comparison| TextTest::new(measure, comparison, threshold)));
        }
    };
    for measure in TextMeasure::ALL {
        // What takes long is tested with fewer thresholds.
        let is_slow = !measure.form().count().facts().on_device.is_dense;
        let thresholds = match (measure.facts().kind, is_slow) {
            (MeasureKind::Distance, false) => &distances[..],
            (MeasureKind::Distance, true) => &distances[1..4],
            (_, false) => &similarities[..],
            (_, true) => &similarities[3..5],
        };
        of(&[*measure], thresholds, &mut tests);
    }
    tests
}

const EDGES: [usize; 17] = [0, 1, 2, 5, 15, 29, 30, 31, 32, 33, 60, 63, 64, 65, 127, 128, 129];

fn narrow(texts: &[Vec<u32>]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.iter().map(|&code| code as u8).collect()).collect()
}

fn wide(texts: &[Vec<u32>]) -> Vec<Vec<u16>> {
    texts.iter().map(|text| text.iter().map(|&code| code as u16).collect()).collect()
}

fn jaro_winkler(least: f64) -> TextTest {
    TextTest::new(TextMeasure::JaroWinkler, Comparison::GreaterEqual, Num::Float(least))
}

fn levenshtein(most: i64) -> TextTest {
    TextTest::new(TextMeasure::Levenshtein, Comparison::LessEqual, Num::Int(most))
}

/// Few letters and short texts, a byte each, many letters, and texts of several words.
#[test]
fn lists_of_pairs_get_the_verdicts_of_the_host() {
    let short: Vec<usize> = [0, 1, 2, 3, 5, 8, 13, 14, 15].iter().flat_map(|&length| [length; 3]).collect();
    let edges: Vec<usize> = EDGES.iter().flat_map(|&length| [length; 2]).chain([130, 300, 301]).collect();
    let all = tests();
    for (lengths, alphabet) in [(&short, 3), (&edges, 3), (&edges, 26), (&edges, 200)] {
        let domain = Domain::new(&narrow(&texts(lengths, alphabet, alphabet as u64)));
        all.iter().skip(lengths.len() % 2).step_by(2).for_each(|test| domain.check_list(test));
    }
    let domain = Domain::new(&wide(&texts(&edges, 3000, 9)));
    all.iter().step_by(3).for_each(|test| domain.check_list(test));
}

/// Long texts take slots, which are few where a device has little memory: threads wait for one another.
#[test]
fn long_texts_take_slots() {
    let texts = narrow(&texts(&[3, 1023, 1024, 1024, 1025, 1025, 1300, 2100], 5, 3));
    for (memory, step, most) in [(64 << 20, 7, u32::MAX), (1 << 20, 31, 64)] {
        let domain = Domain::with_memory(&texts, memory);
        let long = DeviceTextTest::new(&domain.gpu, &levenshtein(3), domain.image.longest()).unwrap().unwrap();
        assert!((1..=most).contains(&long.layout().slots), "{}", long.layout().slots);
        drop(long);
        for test in tests().iter().skip(2).step_by(step).chain([&levenshtein(3), &jaro_winkler(0.9)]) {
            domain.check_list(test);
        }
        domain.check_join(&levenshtein(400), &domain.codes(), None, GpuTextJoinSettings::default(), 1000);
    }
}

#[test]
fn every_measure_is_for_devices() {
    assert!(tests().iter().all(TextTest::is_for_devices));
    let domain = Domain::new(&narrow(&texts(&[9; 40], 4, 8)));
    for test in tests() {
        assert!(DeviceTextTest::new(&domain.gpu, &test, domain.image.longest()).unwrap().is_some(), "{test:?}");
    }
}

fn all_settings() -> Vec<GpuTextJoinSettings> {
    let all = GpuTextJoinSettings { piece: Some(32), ..GpuTextJoinSettings::default() };
    vec![
        GpuTextJoinSettings::default(),
        all,
        GpuTextJoinSettings { signatures: false, ..all },
        GpuTextJoinSettings { queue: false, ..all },
        GpuTextJoinSettings { unions: false, piece: Some(64), ..all },
        GpuTextJoinSettings { lengths: false, ..all },
        GpuTextJoinSettings { signatures: false, lengths: false, ..GpuTextJoinSettings::default() },
    ]
}

#[test]
fn joins_find_what_nested_loops_find() {
    let names: Vec<usize> = (0..230).map(|i| 4 + i % 9).collect();
    let titles: Vec<usize> = (0..90).map(|i| 30 + i % 7 * 16).collect();
    for (lengths, alphabet) in [(&names, 4), (&names, 20), (&titles, 30), (&titles, 200)] {
        let domain = Domain::new(&narrow(&texts(lengths, alphabet, 11)));
        let codes = domain.codes();
        for (i, test) in [levenshtein(2), jaro_winkler(0.9), jaro_winkler(0.6), levenshtein(7)].iter().enumerate() {
            for (k, settings) in all_settings().into_iter().enumerate() {
                if (i + k) % 2 == 0 {
                    domain.check_join(test, &codes, None, settings, 1 << 16);
                } else {
                    let cut = codes.len() / 3;
                    domain.check_join(test, &codes[cut..], Some(&codes[..2 * cut]), settings, 1 << 16);
                }
            }
        }
        for test in tests().iter().step_by(7) {
            if DeviceTextTest::new(&domain.gpu, test, domain.image.longest()).unwrap().is_some() {
                domain.check_join(test, &codes, None, GpuTextJoinSettings::default(), 1 << 16);
            }
        }
    }
}

#[test]
fn launches_that_overflow_are_noticed_and_repeated() {
    let domain = Domain::new(&wide(&texts(&[12; 400], 6, 5)));
    let codes = domain.codes();
    let settings = GpuTextJoinSettings { piece: Some(32), ..GpuTextJoinSettings::default() };
    let whole = domain.joined(&levenshtein(6), &codes, None, settings, 1 << 16);
    let parts = domain.joined(&levenshtein(6), &codes, None, settings, 128 * 32);
    assert!(whole.found.len() > 128 * 32, "{}", whole.found.len());
    assert_eq!(whole.found, parts.found);
    assert_eq!(whole.counted.map(|counted| counted.found), Some(whole.found.len() as u64));
    domain.check_join(&levenshtein(6), &codes, None, settings, 128 * 32);
}

#[test]
fn verdicts_become_bits_of_a_table() {
    let domain = Domain::new(&narrow(&texts(&[9; 70], 5, 6)));
    let (codes, test) = (domain.codes(), jaro_winkler(0.85));
    let settings = [true, false].map(|signatures| GpuTextJoinSettings { signatures, ..GpuTextJoinSettings::default() });
    for (right, settings) in [None, Some(&codes[10..])].into_iter().flat_map(|right| settings.map(|s| (right, s))) {
        let (gpu, words) = (&domain.gpu, codes.len().div_ceil(64));
        let bits = gpu.zeroed::<u64>(codes.len() * words).unwrap();
        let room = PairOutput::new(gpu, 1, 1).unwrap();
        let layout = TextOut { bits: bits.at(), row_words: words as u64, ..room.layout() };
        let on_device = DeviceTextTest::new(gpu, &test, domain.image.longest()).unwrap().unwrap();
        let predicate = test.predicate();
        let (texts, signatures, predicate) = (&domain.image, &domain.signatures, predicate.as_ref());
        let sources = TextJoinInput { texts, signatures, predicate, on_device: &on_device };
        let join = GpuTextJoin::new(gpu, sources, &codes, right, settings).unwrap();
        join.launch(0..join.tasks(), &layout).unwrap();
        let bits = gpu.read(&bits, 0..bits.len()).unwrap();
        for (&a, &b) in codes.iter().flat_map(|a| right.unwrap_or(&codes).iter().map(move |b| (a, b))) {
            let bit = bits[a as usize * words + b as usize / 64] >> (b % 64) & 1 == 1;
            assert_eq!(Some(bit), domain.verdict(&test, a, b), "{a} {b}");
        }
    }
}

#[test]
fn empty_lists_have_no_units() {
    let domain = Domain::new(&narrow(&[vec![], vec![1, 2]]));
    for (left, right) in [(&[][..], None), (&[0][..], None), (&[0, 1][..], Some(&[][..])), (&[1][..], Some(&[1][..]))] {
        for signatures in [true, false] {
            domain.check_join(
                &levenshtein(1),
                left,
                right,
                GpuTextJoinSettings { signatures, ..GpuTextJoinSettings::default() },
                10,
            );
        }
    }
}

/// Without signatures: texts that lanes compare in registers beside longer ones, in every measure and comparison. Where
/// lengths rule nothing out, every pair is counted once.
fn check_without_signatures<U: TextUnit + Pod>(texts: &[Vec<U>], skip: usize) {
    let domain = Domain::new(texts);
    let of_length = |lengths: std::ops::RangeInclusive<usize>| {
        let fits = |code: &u32| lengths.contains(&domain.text(*code).len());
        domain.codes().into_iter().filter(fits).collect::<Vec<u32>>()
    };
    let (short, long, all) = (of_length(1..=32), of_length(33..=64), of_length(1..=64));
    let lists = [(&all, None), (&all, Some(&short)), (&long, Some(&all)), (&short, None), (&short, Some(&short))];
    let check = |test: &TextTest, i: usize, (left, right): (&Vec<u32>, Option<&Vec<u32>>)| {
        let (right, piece) = (right.map(Vec::as_slice), [Some(32), None, Some(96)][i % 3]);
        let settings =
            GpuTextJoinSettings { signatures: false, lengths: i % 4 == 1, piece, ..GpuTextJoinSettings::default() };
        let work = domain.check_join(test, left, right, settings, 1 << 16);
        let pairs = right.map_or(left.len() * (left.len() + 1) / 2, |right| left.len() * right.len()) as u64;
        assert!(work.verified == pairs || settings.lengths && work.verified < pairs, "{test:?} {work:?} of {pairs}");
    };
    let tests = tests()
        .into_iter()
        .filter(|test| DeviceTextTest::new(&domain.gpu, test, domain.image.longest()).unwrap().is_some());
    tests.skip(skip).step_by(7).enumerate().for_each(|(i, test)| check(&test, i, lists[i % lists.len()]));
    for (i, most) in (0..8).map(|i| (i, i as i64 / 2 + 1)) {
        let comparison = [Comparison::LessEqual, Comparison::Greater][i % 2];
        check(&TextTest::new(TextMeasure::Levenshtein, comparison, Num::Int(most)), i, (&short, Some(&short)));
    }
}

/// Few letters, a byte each and more than that; most texts are of a few lengths, so that the right texts of some tasks
/// are all of one length. Then signatures of 256 bits, which texts have that are long on average.
#[test]
fn joins_without_signatures_decide_every_pair() {
    let length = |i: usize| [12, 13, 14, 12, 13, 1 + i % 36][i % 6];
    let names: Vec<usize> = (0..170).map(length).chain([30, 31, 32, 33]).collect();
    check_without_signatures(&narrow(&texts(&names, 3, 21)), 0);
    check_without_signatures(&narrow(&texts(&names, 30, 22)), 1);
    check_without_signatures(&narrow(&texts(&names, 200, 23)), 2);
    check_without_signatures(&wide(&texts(&names, 3000, 24)), 3);
    let titles: Vec<usize> = (0..60).map(|i| 30 + i % 35).chain((0..50).map(|i| 9 + i % 3)).collect();
    check_without_signatures(&narrow(&texts(&titles, 25, 25)), 4);
    check_without_signatures(&narrow(&texts(&titles, 250, 26)), 5);
}
