//! Statistics compared with plain counts, and the properties of the sample.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow_array::{Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::cancel::Cancel;
use crate::expr::{Expr, ExprKind, Function, Side, Span, Type};
use crate::records::encode::{Encoded, EncodedColumn, NULL, Numbers, Tokenizer, WantedOperands};
use crate::records::{Frame, RowOrigin, Table};

fn column(name: &str, ty: Type) -> Expr {
    Expr { kind: ExprKind::Column(Side::Left, name.into()), ty, span: Span::default() }
}

fn called(function: Function, arg: Expr, ty: Type) -> Expr {
    Expr { kind: ExprKind::Call(function, vec![arg]), ty, span: Span::default() }
}

fn frame(names: Vec<Option<&str>>, ages: Vec<Option<f64>>) -> Frame {
    let fields = vec![Field::new("name", DataType::Utf8, true), Field::new("age", DataType::Float64, true)];
    let schema = Arc::new(Schema::new(fields));
    let (names, ages) = (StringArray::from(names), Float64Array::from(ages));
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(names), Arc::new(ages)]).unwrap();
    let table =
        Table { name: "people".into(), schema, batches: vec![batch], files: Vec::new(), origin: RowOrigin::default() };
    Frame::new(&[(&table, &[])], Cancel::NEVER)
}

/// Two inputs whose names share a domain; names of the first as words, of the second as texts too.
fn people() -> Encoded {
    let left = frame(
        vec![Some("Ann Lee"), Some("Ann Lee"), None, Some("Zoë van Ångström"), Some("Ann Lee"), Some("Bo")],
        vec![Some(3.0), Some(-1.5), None, Some(3.0), Some(40.0), None],
    );
    let right = frame(vec![Some("Bo"), Some("Cy")], vec![Some(7.0), Some(100.0)]);
    let mut wanted = WantedOperands::default();
    let name = column("name", Type::Text);
    let (a, b) = (wanted.operand(0, &name, Numbers::ByValue), wanted.operand(1, &name, Numbers::ByValue));
    wanted.compare(a, b);
    wanted.tokens(a, Tokenizer::Words);
    wanted.tokens(a, Tokenizer::Qgrams(3));
    let age = column("age", Type::Number);
    let (x, y) = (wanted.operand(0, &age, Numbers::ByValue), wanted.operand(1, &age, Numbers::ByValue));
    wanted.compare(x, y);
    let born = called(Function::ToDate, column("name", Type::Text), Type::Date);
    wanted.operand(0, &born, Numbers::ByValue);
    let lower = wanted.operand(1, &called(Function::Lower, name, Type::Text), Numbers::ByValue);
    wanted.texts(lower);
    wanted.encode(&[left, right], Cancel::NEVER)
}

fn statistics() -> ColumnFacts {
    let encoded = people();
    let inputs = ["people".to_owned(), "others".to_owned()];
    described(&encoded, &inputs)
}

/// The statistics of all operands.
fn described(encoded: &Encoded, inputs: &[String]) -> ColumnFacts {
    let of = |(operand, column): (usize, &EncodedColumn)| {
        let frequencies = Frequencies::count(&column.codes, encoded.domain(operand).dictionary.len());
        let sample = sample_rows(column.codes.len() as u32, SAMPLE, SEED);
        let numbers = (0..encoded.tokens.len()).filter(|number| encoded.token_sources[*number].0 == operand);
        let tokens = numbers.map(|number| TokenStatistics::of_sampled(encoded, number, &sample)).collect();
        let known = ColumnStatistics::new(encoded, operand, &frequencies, &inputs[column.frame], &sample);
        ColumnStatistics { tokens, ..known }
    };
    let columns = encoded.columns.iter().enumerate().map(of).collect();
    ColumnFacts::new(columns)
}

#[test]
fn operands_know_their_words_and_their_frame() {
    let encoded = people();
    let known: Vec<(&str, usize)> = encoded.columns.iter().map(|c| (&c.text[..], c.frame)).collect();
    assert_eq!(
        known,
        [("name", 0), ("name", 1), ("age", 0), ("age", 1), ("cast(name as date)", 0), ("lower(name)", 1)]
    );
    assert_eq!(encoded.token_sources, [(0, Tokenizer::Words), (0, Tokenizer::Qgrams(3))]);
}

#[test]
fn a_column_is_described() {
    let statistics = statistics();
    let names = statistics.of_column("name", "people").unwrap();
    assert_eq!((names.rows, names.nulls, names.distinct), (6, 1, 3));
    assert_eq!(names.heavy, [HeavyValue { value: "Ann Lee".into(), rows: 3 }]);
    assert_eq!(names.range, None);
    let lengths = names.lengths.as_ref().unwrap();
    assert_eq!((lengths.count, lengths.mean, lengths.max), (5, 7.8, 16));
    let bins = [(2, 2, 1), (6, 7, 3), (16, 23, 1)].map(|(from, to, count)| Bin { from, to, count });
    assert_eq!(lengths.bins, bins);
    let [words, grams] = &names.tokens[..] else { panic!("two kinds of sets") };
    assert_eq!((&words.tokenizer[..], words.sizes.count, words.sizes.max, words.distinct), ("words", 5, 3, 6));
    assert_eq!(words.frequent, [RankShare { rank: 1, share: 0.6 }, RankShare { rank: 2, share: 0.6 }]);
    assert_eq!(grams.tokenizer, "qgrams 3");
}

#[test]
fn values_of_other_operands_of_the_domain_do_not_count() {
    let statistics = statistics();
    let ranges: Vec<_> = ["people", "others"].map(|i| statistics.of_column("age", i).unwrap().range).into();
    assert_eq!(ranges, [Some([-1.5, 40.0]), Some([7.0, 100.0])]);
    assert_eq!(statistics.of_column("name", "others").unwrap().distinct, 2);
    assert_eq!(statistics.of_column("lower(name)", "others").unwrap().lengths.as_ref().unwrap().mean, 2.0);
    let dates = statistics.of_column("cast(name as date)", "people").unwrap();
    assert_eq!((dates.nulls, dates.distinct, dates.range), (6, 0, None));
    assert_eq!(statistics.of_column("lower(name)", "people"), None);
}

#[test]
fn statistics_survive_json() {
    let statistics = statistics();
    let json = serde_json::to_string_pretty(&statistics).unwrap();
    assert_eq!(serde_json::from_str::<ColumnFacts>(&json).unwrap(), statistics);
    let frequencies = Frequencies { counts: vec![2, 0, 1], nulls: 4 };
    let json = serde_json::to_string(&frequencies).unwrap();
    assert_eq!(json, r#"{"counts":[2,0,1],"nulls":4}"#);
    assert_eq!(serde_json::from_str::<Frequencies>(&json).unwrap(), frequencies);
}

#[test]
fn nothing_gives_nothing() {
    let frequencies = Frequencies::count(&[], 0);
    assert_eq!((frequencies.distinct(), frequencies.nulls, frequencies.heaviest(3)), (0, 0, vec![]));
    assert_eq!(Histogram::from_sizes([]), Histogram::default());
}

#[test]
fn an_operand_counted_in_pieces_is_counted_right() {
    let codes: Vec<u32> = (0..1_000_003).map(|row| if row % 5 == 0 { NULL } else { row % 1009 }).collect();
    let counted = Frequencies::count(&codes, 1009);
    let mut plain = vec![0; 1009];
    codes.iter().filter(|code| **code != NULL).for_each(|code| plain[*code as usize] += 1);
    assert_eq!(counted, Frequencies { counts: plain, nulls: 200_001 });
}

#[test]
fn a_sample_is_the_same_everywhere() {
    assert_eq!(sample_rows(1_000_000, 5, 7), [16_788, 389_828, 452_441, 582_929, 900_758]);
    assert_eq!(sample_rows(u32::MAX, 3, SEED), [1_484_012_886, 3_363_231_513, 3_978_140_702]);
    assert_eq!(sample_rows(10, 10, 1), (0..10).collect::<Vec<_>>());
    assert_eq!(sample_rows(10, 0, 1), [] as [u32; 0]);
}

#[test]
fn every_row_is_drawn_about_equally_often() {
    let mut drawn = [0_u32; 40];
    for seed in 0..8000 {
        sample_rows(40, 10, seed).into_iter().for_each(|row| drawn[row as usize] += 1);
    }
    // 2,000 expected, standard deviation 39.
    assert!(drawn.iter().all(|times| (1800..2200).contains(times)), "{drawn:?}");
}

proptest! {
    #[test]
    fn frequencies_agree_with_plain_counts(
        rows in vec(option::weighted(0.8, 0_u32..12), 0..200),
        n in 0_usize..15,
    ) {
        let here = Frequencies::count(&rows.iter().map(|r| r.unwrap_or(NULL)).collect::<Vec<_>>(), 12);
        let mut plain: BTreeMap<u32, u32> = BTreeMap::new();
        rows.iter().flatten().for_each(|code| *plain.entry(*code).or_default() += 1);
        prop_assert_eq!(here.nulls as usize, rows.iter().filter(|r| r.is_none()).count());
        prop_assert_eq!(here.distinct(), plain.len() as u64);
        let mut heaviest: Vec<(u32, u32)> = plain.into_iter().collect();
        heaviest.sort_by_key(|(code, count)| (std::cmp::Reverse(*count), *code));
        heaviest.truncate(n);
        prop_assert_eq!(here.heaviest(n), heaviest);
    }

    #[test]
    fn a_sample_is_distinct_ascending_and_in_range(rows in 0_u32..3000, wanted in 0_usize..400, seed: u64) {
        let drawn = sample_rows(rows, wanted, seed);
        prop_assert_eq!(drawn.len(), wanted.min(rows as usize));
        prop_assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(drawn.iter().all(|row| *row < rows));
        prop_assert_eq!(&drawn, &sample_rows(rows, wanted, seed));
    }

    #[test]
    fn bins_hold_every_size(sizes in vec(prop_oneof![0_u64..40, 0_u64..2000], 0..100)) {
        let histogram = Histogram::from_sizes(sizes.iter().copied());
        prop_assert_eq!(histogram.bins.iter().map(|bin| bin.count).sum::<u64>(), sizes.len() as u64);
        prop_assert_eq!(histogram.max, sizes.iter().copied().max().unwrap_or(0));
        for bin in &histogram.bins {
            let inside = sizes.iter().filter(|size| (bin.from..=bin.to).contains(size)).count();
            prop_assert_eq!(bin.count, inside as u64);
        }
        prop_assert!(histogram.bins.windows(2).all(|pair| pair[0].to < pair[1].from));
    }

    #[test]
    fn token_statistics_agree_with_plain_counts(names in vec(option::weighted(0.9, "[ab]{1,2}( [abc]{1,2}){0,3}"), 1..60)) {
        let texts: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
        let ages = vec![None; texts.len()];
        let mut wanted = WantedOperands::default();
        let name = wanted.operand(0, &column("name", Type::Text), Numbers::ByValue);
        wanted.tokens(name, Tokenizer::Words);
        let encoded = wanted.encode(&[frame(texts.clone(), ages)], Cancel::NEVER);
        let made = described(&encoded, &["people".into()]);
        let words = &made.columns[0].tokens[0];
        let sets: Vec<BTreeSet<&str>> = texts.iter().flatten().map(|text| text.split_whitespace().collect()).collect();
        let mut held: BTreeMap<&str, usize> = BTreeMap::new();
        sets.iter().flatten().for_each(|word| *held.entry(word).or_default() += 1);
        prop_assert_eq!(words.distinct, held.len() as u64);
        prop_assert_eq!(&words.sizes, &Histogram::from_sizes(sets.iter().map(|set| set.len() as u64)));
        let most = held.values().copied().max().filter(|most| *most > 1);
        let share = most.map(|most| (most as f64 * 1e6 / sets.len() as f64).round() / 1e6);
        prop_assert_eq!(words.frequent.first().map(|first| first.share), share);
    }
}
