//! The join on an emulated device against nested loops: every pair once, whatever the slices, the keys and the order of
//! threads.

use proptest::prelude::*;

use super::*;
use crate::candidates::edit_join::lengths::LengthHistogram;
use crate::expr::Num;
use crate::measure::{TextMeasure, Unit};
use crate::records::encode::{Signatures, Strings};
use crate::rules::Comparison;
use crate::threshold::TextTest;

/// Texts of one width, distinct and in order.
struct TextList<U> {
    units: Vec<U>,
    ends: Vec<usize>,
}

impl<U: Unit + Ord> TextList<U> {
    fn new(mut texts: Vec<Vec<U>>) -> Self {
        texts.sort();
        texts.dedup();
        let ends = texts.iter().scan(0, |end, text| {
            *end += text.len();
            Some(*end)
        });
        Self { ends: ends.collect(), units: texts.concat() }
    }

    fn strings(&self) -> Strings<'_, U> {
        Strings::new(&self.units, &self.ends)
    }

    fn codes(&self) -> Vec<u32> {
        (0..self.ends.len() as u32).collect()
    }
}

/// How the work is cut in a test.
#[derive(Clone, Copy, Debug)]
struct Cut {
    slices: usize,
    tag_mask: u32,
    room: usize,
}

const WHOLE: Cut = Cut { slices: 1, tag_mask: u32::MAX, room: 1 << 16 };

/// The pairs that the device finds, in order. Where there is no room for those of all tasks, each is run by itself.
fn found<U: Unit + bytemuck::Pod + Send + Sync>(
    strings: Strings<'_, U>,
    (left, right): (&[u32], Option<&[u32]>),
    test: &TextTest,
    cut: Cut,
) -> Vec<(u32, u32)> {
    let gpu = Gpu::emulated(64 << 20, cut.slices as u64);
    let count = strings.parts().1.len() as u32;
    let signatures = Signatures::new(strings, count);
    let texts = DeviceTexts::from_strings(&gpu, strings, &signatures, count).unwrap();
    let on_device = DeviceTextTest::new(&gpu, test, texts.longest()).unwrap().unwrap();
    let plan = VariantPlan::new(&LengthHistogram::new(strings, left, right), test);
    let plan = plan.expect("the kernels serve the test and the lengths");
    let input = EditJoinInput { texts: &texts, test: &on_device, left, right };
    let sizes = TaskSizes::alone(&gpu).with_task_limit(cut.room);
    let mut join = GpuEditJoin::new(&gpu, input, &plan, sizes).unwrap();
    (join.slices, join.tag_mask) = (cut.slices, cut.tag_mask);
    let (output, mut pairs) = (PairOutput::new(&gpu, cut.room, 1).unwrap(), Vec::new());
    while join.next_round().unwrap() {
        let middle = join.tasks() / 2;
        for tasks in [0..middle, middle..join.tasks()] {
            output.clear().unwrap();
            join.launch(tasks, &output).unwrap();
            let [count, deferred] = output.found().unwrap();
            assert!(count <= cut.room && deferred == 0, "{count} pairs");
            let [l, r] = output.pairs.each_ref().map(|side| gpu.read(side, 0..count).unwrap());
            pairs.extend(l.into_iter().zip(r));
        }
    }
    pairs.sort_unstable();
    pairs
}

fn naive<U: Unit>(
    strings: Strings<'_, U>,
    (left, right): (&[u32], Option<&[u32]>),
    test: &TextTest,
) -> Vec<(u32, u32)> {
    let holds = |a: u32, b: u32| {
        let (a, b) = (strings.get(a), strings.get(b));
        !a.is_empty() && !b.is_empty() && test.holds(&a, b) == Some(true)
    };
    let all = left.iter().enumerate().flat_map(|(at, a)| right.unwrap_or(&left[at..]).iter().map(move |b| (*a, *b)));
    let mut pairs: Vec<(u32, u32)> = all.filter(|(a, b)| holds(*a, *b)).collect();
    pairs.sort_unstable();
    pairs
}

fn check<U: Unit + bytemuck::Pod + Ord + Send + Sync>(texts: &TextList<U>, test: &TextTest, cut: Cut) {
    let (strings, codes) = (texts.strings(), texts.codes());
    let (left, right) =
        (codes.iter().copied().filter(|code| code % 3 != 0), codes.iter().copied().filter(|c| c % 4 != 1));
    let (left, right): (Vec<u32>, Vec<u32>) = (left.collect(), right.collect());
    for lists in [(&codes[..], None), (&left[..], Some(&right[..]))] {
        assert_eq!(found(strings, lists, test, cut), naive(strings, lists, test), "{cut:?}");
    }
}

fn tests() -> impl Strategy<Value = TextTest> {
    let test = |measure, comparison, threshold| TextTest::new(measure, comparison, threshold);
    proptest::sample::select(vec![
        test(TextMeasure::Levenshtein, Comparison::LessEqual, Num::Int(2)),
        test(TextMeasure::Levenshtein, Comparison::LessEqual, Num::Int(1)),
        test(TextMeasure::Levenshtein, Comparison::Less, Num::Int(1)),
        test(TextMeasure::Osa, Comparison::LessEqual, Num::Int(2)),
        test(TextMeasure::OsaSimilarity, Comparison::GreaterEqual, Num::Float(0.85)),
        test(TextMeasure::LevenshteinSimilarity, Comparison::Greater, Num::Float(0.8)),
        test(TextMeasure::LcsSimilarity, Comparison::GreaterEqual, Num::Float(0.8)),
        test(TextMeasure::IndelSimilarity, Comparison::GreaterEqual, Num::Float(0.9)),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_pair_once(
        texts in prop::collection::vec(prop::collection::vec(0u8..2, 6..13), 0..24), test in tests(),
        slices in 1usize..6, tag_mask in proptest::sample::select(vec![u32::MAX, 15, 1023]),
    ) {
        check(&TextList::new(texts), &test, Cut { slices, tag_mask, ..WHOLE });
    }

    #[test]
    fn wide_characters(texts in prop::collection::vec(prop::collection::vec(0u16..700, 6..10), 0..16), test in tests()) {
        // Some texts an edit from others, which random ones of such an alphabet are not.
        let near = texts.iter().map(|text| [&text[..1], &text[2..], &text[..1]].concat());
        let all = texts.iter().cloned().chain(near).collect();
        check(&TextList::new(all), &test, Cut { slices: 2, ..WHOLE });
    }
}

#[test]
fn lengths_around_those_of_warps() {
    let within_two = TextTest::new(TextMeasure::Levenshtein, Comparison::LessEqual, Num::Int(2));
    let text = |len: usize, seed: usize| (0..len).map(|at| ((at * 7 + at * at * seed) % 5) as u8).collect::<Vec<u8>>();
    for len in [31, 32, 33, 64, 65, 255] {
        let mut texts: Vec<Vec<u8>> = (0..2).map(|seed| text(len, seed)).collect();
        for at in [len / 2, len - 2] {
            let changed = |with: &[u8]| [&texts[0][..at], with, &texts[0][at + 1..]].concat();
            texts.extend([changed(&[4]), changed(&[]), changed(&[3, 4])]);
        }
        check(&TextList::new(texts), &within_two, WHOLE);
    }
}

#[test]
fn many_texts_of_one_variant() {
    // Every two of these are within two edits: all variants are shared by all.
    let within_two = TextTest::new(TextMeasure::Levenshtein, Comparison::LessEqual, Num::Int(2));
    let texts = (0..80u8).map(|at| [b"abcdefgh", &[at][..], b"ijklmnop"].concat()).collect();
    check(&TextList::new(texts), &within_two, WHOLE);
}

#[test]
fn what_the_kernels_do_not_serve_has_no_plan() {
    let texts = TextList::new(vec![vec![1u8; 9], vec![2; 300]]);
    let plan = |texts: &TextList<u8>, edits| {
        let test = TextTest::new(TextMeasure::Levenshtein, Comparison::LessEqual, Num::Int(edits));
        VariantPlan::new(&LengthHistogram::new(texts.strings(), &texts.codes(), None), &test)
    };
    assert!(plan(&texts, 2).is_none(), "a text is too long");
    let short = TextList::new(vec![vec![1u8; 9], vec![2; 30]]);
    assert!(plan(&short, 3).is_none() && plan(&short, 2).is_some());
}
