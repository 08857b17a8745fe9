//! The join against nested loops over the definitions.

use super::*;
use crate::expr::Num;
use crate::measure::{EditCount, EditFormula, TextForm, TextMeasure, jaro, jaro_winkler};
use crate::rules::Comparison;
use crate::threshold::TextTest;
use proptest::prelude::*;

/// A predicate for the join and by definition.
#[derive(Clone, Copy, Debug)]
enum LaneTest {
    AtMost(EditCount, usize),
    /// A similarity that is made of a number of edits.
    Similar(TextMeasure, f64),
    Jaro(f64, bool),
    JaroWinkler(f64, bool),
}

impl LaneTest {
    fn predicate(self) -> TextPredicate<'static> {
        match self {
            LaneTest::AtMost(count, most) => TextPredicate::Edits(count, Box::new(move |_, _| Some(most))),
            LaneTest::Similar(measure, least) => {
                let test = TextTest::new(measure, Comparison::GreaterEqual, Num::Float(least));
                let test: &'static TextTest = Box::leak(Box::new(test));
                test.predicate().expect("a lower bound of a similarity")
            }
            LaneTest::Jaro(least, strict) => TextPredicate::Jaro(decision(least, strict)),
            LaneTest::JaroWinkler(least, strict) => TextPredicate::JaroWinkler(decision(least, strict)),
        }
    }

    fn holds(self, a: &[u32], b: &[u32]) -> bool {
        let reaches = |value: f64, least: f64, strict: bool| if strict { value > least } else { value >= least };
        match self {
            LaneTest::AtMost(count, most) => count.reference(a, b) <= most,
            LaneTest::Similar(measure, least) => {
                let TextForm::Edits(count, formula) = measure.form() else { panic!("{measure:?} is not of edits") };
                let (scale, x, y) = (formula.scale(), a.len(), b.len());
                let value = formula.value(count.reference(a, b) - scale.shift(x, y), scale.key(x, y));
                Num::from(value) >= Num::Float(least)
            }
            LaneTest::Jaro(least, strict) => reaches(jaro::reference(a, b), least, strict),
            LaneTest::JaroWinkler(least, strict) => reaches(jaro_winkler::reference(a, b), least, strict),
        }
    }
}

fn decision(least: f64, strict: bool) -> Decision<'static> {
    Box::new(move |value| if strict { value > least } else { value >= least })
}

/// The pairs that a join finds, sorted; each as often as it comes.
fn joined<U: TextUnit>(
    texts: &[Vec<U>],
    left: &[u32],
    right: Option<&[u32]>,
    asked: LaneTest,
    settings: ScanSettings,
) -> Vec<(u32, u32)> {
    let units: Vec<U> = texts.concat();
    let ends: Vec<usize> = texts
        .iter()
        .scan(0, |end, text| {
            *end += text.len();
            Some(*end)
        })
        .collect();
    let strings = Strings::new(&units, &ends);
    let signatures = Signatures::new(strings, texts.len() as u32);
    let join = TextJoin::new(strings, &signatures, left, right, asked.predicate()).with(settings);
    let mut pairs = Vec::new();
    for task in 0..join.tasks() {
        join.run(task, &mut |a, b| pairs.push(if right.is_none() { (a.min(b), a.max(b)) } else { (a, b) }));
    }
    assert_eq!(join.counters().found.load(Ordering::Relaxed), pairs.len() as u64);
    pairs.sort_unstable();
    pairs
}

fn expected(texts: &[Vec<u32>], left: &[u32], right: Option<&[u32]>, asked: LaneTest) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for &a in left {
        for &b in right.unwrap_or(left) {
            let (x, y) = (&texts[a as usize], &texts[b as usize]);
            let meant = right.is_some() || a <= b;
            if meant && !x.is_empty() && !y.is_empty() && asked.holds(x, y) {
                pairs.push((a, b));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

fn all_settings() -> Vec<ScanSettings> {
    let isas = Isa::available().into_iter();
    let mut all: Vec<ScanSettings> = isas.map(|isa| ScanSettings { isa, ..ScanSettings::default() }).collect();
    all.push(ScanSettings { blocks: false, ..ScanSettings::default() });
    all.push(ScanSettings { signatures: false, ..ScanSettings::default() });
    all.push(ScanSettings { lanes: false, ..ScanSettings::default() });
    all
}

fn check(texts: &[Vec<u32>], left: &[u32], right: Option<&[u32]>, asked: LaneTest, narrow: bool) {
    let wanted = expected(texts, left, right, asked);
    for settings in all_settings() {
        assert_eq!(joined(texts, left, right, asked, settings), wanted, "{asked:?} {settings:?}");
    }
    if narrow {
        let bytes: Vec<Vec<u8>> = texts.iter().map(|t| t.iter().map(|&c| c as u8).collect()).collect();
        for settings in all_settings() {
            assert_eq!(joined(&bytes, left, right, asked, settings), wanted, "{asked:?} {settings:?}");
        }
    }
}

/// Distinct texts, many of them a few edits apart, of lengths around the edges of words and lanes.
fn texts(longest: usize, most: usize) -> impl Strategy<Value = Vec<Vec<u32>>> {
    let edges = [0, 1, 2, 3, 5, 8, 12, 13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 130];
    let lengths: Vec<usize> = edges.into_iter().filter(|&length| length <= longest).collect();
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u32>()), 0..4);
    let one = (prop::sample::select(lengths), edits, any::<bool>());
    let alphabets = prop::sample::select(vec![2u32, 5, 26, 250, 2000]);
    let stem = prop::collection::vec(any::<u32>(), longest + 10);
    (alphabets, stem, prop::collection::vec(one, 0..most)).prop_map(|(alphabet, stem, list)| {
        let mut texts: Vec<Vec<u32>> = list
            .into_iter()
            .map(|(length, edits, shifted)| {
                let start = if shifted { 7 } else { 0 };
                let mut text: Vec<u32> = stem[start..start + length].iter().map(|c| c % alphabet).collect();
                for (at, code) in edits.into_iter().filter(|_| length > 0) {
                    let at = at.index(length);
                    if code % 3 == 0 { text.swap(at, (at + 1) % length) } else { text[at] = code % alphabet }
                }
                text
            })
            .collect();
        texts.sort();
        texts.dedup();
        texts
    })
}

/// The similarities that are made of a number of edits.
fn edit_similarities() -> Vec<TextMeasure> {
    let is_one = |measure: &TextMeasure| matches!(measure.form(), TextForm::Edits(_, of) if of != EditFormula::Count);
    TextMeasure::ALL.iter().copied().filter(is_one).collect()
}

fn asked() -> impl Strategy<Value = LaneTest> {
    let measure = prop::sample::select(EditCount::ALL);
    let least = prop::sample::select(vec![0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0]);
    prop_oneof![
        (measure, 0usize..5).prop_map(|(m, k)| LaneTest::AtMost(m, k)),
        (prop::sample::select(edit_similarities()), least.clone()).prop_map(|(m, t)| LaneTest::Similar(m, t)),
        (least.clone(), any::<bool>()).prop_map(|(t, s)| LaneTest::Jaro(t, s)),
        (least, any::<bool>()).prop_map(|(t, s)| LaneTest::JaroWinkler(t, s)),
    ]
}

#[test]
fn nothing_and_one() {
    let asked = LaneTest::JaroWinkler(0.9, false);
    check(&[], &[], None, asked, true);
    check(&[vec![1, 2, 3]], &[0], None, asked, true);
    check(&[vec![1, 2, 3], vec![]], &[0, 1], Some(&[]), asked, true);
    check(&[vec![1, 2, 3], vec![]], &[0, 1], Some(&[1, 0]), asked, true);
}

#[test]
fn many_chunks_of_one_length() {
    // More texts than a left chunk has, all alike, so that blocks and groups are cut at every edge.
    let texts: Vec<Vec<u32>> = (0..1200u32).map(|i| (0..7).map(|k| (i >> (2 * k)) & 3).collect()).collect();
    let codes: Vec<u32> = (0..1200).collect();
    check(&texts, &codes, None, LaneTest::AtMost(EditCount::Levenshtein, 1), true);
    check(&texts, &codes[..900], Some(&codes[300..]), LaneTest::JaroWinkler(0.9, false), true);
}

#[test]
fn many_pairs_of_every_lane_width() {
    for length in [3, 16, 17, 32, 33, 64, 65] {
        let code = |i: usize, k: usize| ((i * 7 + k * k * 3 + i * k % 5) % 4) as u32;
        let texts: Vec<Vec<u32>> =
            (0..70).map(|i| (0..length + i % 2).map(|k| code(i % 9 * k / (i + 1), k)).collect()).collect();
        let codes: Vec<u32> = (0..70).collect();
        let edits = edit_similarities().into_iter().map(|measure| LaneTest::Similar(measure, 0.3));
        let more = [LaneTest::AtMost(EditCount::Osa, 3), LaneTest::Jaro(0.6, true), LaneTest::JaroWinkler(0.75, false)];
        for asked in edits.chain(more) {
            check(&texts, &codes, None, asked, true);
            check(&texts, &codes[..40], Some(&codes[20..]), asked, true);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn finds_what_the_definition_says(
        texts in prop_oneof![texts(20, 90), texts(130, 40)],
        asked in asked(),
        cut in any::<prop::sample::Index>(),
    ) {
        let codes: Vec<u32> = (0..texts.len() as u32).collect();
        let narrow = texts.iter().flatten().all(|&code| code < 256);
        check(&texts, &codes, None, asked, narrow);
        let cut = cut.index(codes.len() + 1);
        check(&texts, &codes[..cut], Some(&codes[cut / 2..]), asked, narrow);
    }
}
