use std::collections::HashMap;

use arrow_array::{StringArray, StringViewArray};
use proptest::prelude::*;

use super::*;
use crate::expr::{Num, Vector};

type Text = Option<String>;

/// How the texts of a block lie in memory.
#[derive(Clone, Copy)]
enum Layout {
    Plain,
    /// Repeated values are taken together.
    Grouped,
    Views,
}

/// A column cut into blocks of some rows.
fn blocks(column: &[Text], rows: usize, layout: Layout) -> Vec<BlockColumn> {
    let block = |texts: &[Text]| match layout {
        Layout::Plain => Vector::Text(StringArray::from(texts.to_vec())).into(),
        Layout::Grouped => BlockColumn::of_texts(StringArray::from(texts.to_vec())),
        Layout::Views => BlockColumn::of_views(StringViewArray::from(texts.to_vec())),
    };
    column.chunks(rows).map(block).collect()
}

/// Encodes columns in several ways, which must agree, and compares them with a plain map.
fn check(columns: &[Vec<Text>]) {
    let encode = |rows: usize, layout: Layout, threads: usize| {
        let columns: Vec<Vec<BlockColumn>> = columns.iter().map(|column| blocks(column, rows, layout)).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Dictionary::encode(&columns, Numbers::ByValue, Cancel::NEVER))
    };
    let (dictionary, codes) = encode(1 << 13, Layout::Plain, 1);
    let mut known: HashMap<&str, u32> = HashMap::new();
    for (column, codes) in columns.iter().zip(&codes) {
        assert_eq!(column.len(), codes.len());
        for (text, code) in column.iter().zip(codes) {
            assert_eq!(dictionary.get(*code), text.as_deref().map(str::as_bytes));
            if let Some(text) = text {
                assert_eq!(known.entry(text).or_insert(*code), code, "one code for {text:?}");
            }
        }
    }
    assert_eq!(dictionary.len(), known.len());
    let others = [
        (1 << 13, Layout::Grouped, 3),
        (777, Layout::Grouped, 2),
        (50_000, Layout::Plain, 4),
        (1 << 13, Layout::Views, 2),
        (50_000, Layout::Views, 1),
    ];
    for (rows, layout, threads) in others {
        let (other, other_codes) = encode(rows, layout, threads);
        assert!(other_codes == codes, "codes of blocks of {rows} rows");
        assert_eq!((other.bytes, other.ends), (dictionary.bytes.clone(), dictionary.ends.clone()));
    }
}

fn column(rows: usize, value: impl Fn(usize) -> Text) -> Vec<Text> {
    (0..rows).map(value).collect()
}

#[test]
fn equal_values_share_a_code_across_columns_and_blocks() {
    let value = |i: usize| (!i.is_multiple_of(7)).then(|| format!("v{}", i % 1000));
    check(&[column(45_000, value), vec![Some("v1".into()), None, Some("new".into()), Some(String::new())]]);
}

#[test]
fn columns_of_extreme_kinds_are_encoded() {
    check(&[]);
    check(&[vec![], vec![None; 3]]);
    check(&[column(40_000, |_| Some("always the same".into()))]);
    check(&[column(40_000, |_| None)]);
    check(&[column(40_000, |i| Some(format!("{i}")))]);
    check(&[column(40_000, |i| Some(if i < 20_000 { "a".into() } else { format!("{i}") }))]);
    check(&[column(33_000, |i| Some("x".repeat(i % 1000)))]);
    check(&[
        column(40, |i| Some(char::from(b'a' + (i % 3) as u8).to_string().repeat(1 << 18))),
        vec![Some(String::new())],
    ]);
    check(&[column(16_383, |i| Some(format!("{}", i % 9000))), vec![None]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_columns_are_encoded_as_by_a_map(
        kinds in proptest::collection::vec((0_usize..30_000, 1_u64..50_000, 1_u64..20, any::<u64>()), 1..4),
    ) {
        let text = |(_, values, nulls, seed): &(usize, u64, u64, u64), row: usize| {
            let mixed = (row as u64 ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            // Squared, so that some values are frequent.
            let value = (mixed % values) * (mixed / 64 % values) / values;
            (mixed % 20 >= *nulls).then(|| format!("é{value}"))
        };
        let columns: Vec<Vec<Text>> = kinds.iter().map(|kind| column(kind.0, |row| text(kind, row))).collect();
        check(&columns);
    }
}

#[test]
fn numbers_are_one_value_by_value_and_two_as_written() {
    let column = || {
        let numbers = [Num::Int(3), Num::Float(3.0), Num::Float(-0.0), Num::Int(0)];
        vec![Vector::Number(numbers.into_iter().map(Some).collect()).into()]
    };
    let by_value = Dictionary::encode(&[column()], Numbers::ByValue, Cancel::NEVER).1;
    assert_eq!(by_value[0][0], by_value[0][1]);
    assert_eq!(by_value[0][2], by_value[0][3]);
    let as_written = Dictionary::encode(&[column()], Numbers::AsWritten, Cancel::NEVER).1;
    assert_ne!(as_written[0][0], as_written[0][1]);
}

#[test]
fn whole_numbers_have_codes_in_their_order() {
    let column = |numbers: Vec<Option<i64>>, rows: usize| -> Vec<BlockColumn> {
        let block = |numbers: &[Option<i64>]| Vector::Number(numbers.iter().map(|n| n.map(Num::Int)).collect()).into();
        numbers.chunks(rows).map(block).collect()
    };
    for (first, last) in [(-70, 9), (0, 0), (i64::MAX - 100, i64::MAX), (i64::MIN, i64::MIN + 200)] {
        let number = |row: i64| (row % 7 != 3).then(|| first + row * 29 % (last.abs_diff(first) as i64 + 1));
        let numbers: Vec<Option<i64>> = (0..100).map(number).collect();
        let mut sorted: Vec<i64> = numbers.iter().copied().flatten().collect();
        sorted.sort_unstable();
        sorted.dedup();
        for rows in [13, 100] {
            let columns = [column(numbers.clone(), rows), column(vec![Some(first), None], 2)];
            let (dictionary, codes) = Dictionary::encode(&columns, Numbers::AsWritten, Cancel::NEVER);
            let known = |code: u32| super::super::bytes::number(dictionary.value(code));
            assert_eq!(codes.iter().map(Vec::len).collect::<Vec<_>>(), [100, 2]);
            for (number, code) in numbers.iter().chain(&[Some(first), None]).zip(codes.iter().flatten()) {
                let expected = number.map_or(NULL, |number| sorted.binary_search(&number).unwrap_or(0) as u32);
                assert_eq!(*code, expected, "{number:?}");
                assert!(number.is_none_or(|number| known(*code) == Some(Num::Int(number))));
            }
        }
    }
    // Numbers far apart are hashed.
    let (dictionary, codes) =
        Dictionary::encode(&[column(vec![Some(i64::MAX), Some(i64::MIN), None], 2)], Numbers::ByValue, Cancel::NEVER);
    assert_eq!((dictionary.len(), codes[0][2]), (2, NULL));
}
