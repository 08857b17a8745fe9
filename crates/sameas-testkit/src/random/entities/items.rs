//! Values of any type, few different ones, and the encodings of columns.

use std::sync::Arc;

use arrow_schema::DataType::{self, *};
use arrow_schema::{Field, Fields, TimeUnit};

use crate::entities::{Item, Whole, list_of};
use crate::rng::Rng;

/// Texts that are equal, or nearly; some stand for a missing value.
const TEXTS: [&str; 22] = [
    "Ann",
    "ann",
    "Anna",
    "ANN",
    "Änne",
    "é",
    "e\u{301}",
    "日本",
    "🦀🦀",
    "10",
    "9",
    "090",
    " ann",
    "a,b",
    "say \"hi\"",
    "O'Neil",
    "N/A",
    "-",
    "",
    " ",
    "\u{a0}\t",
    "line\nbreak",
];
const FLOATS: [f64; 11] =
    [0.0, -0.0, 1.5, -2.25, f64::NAN, 0.5, f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, 0.1, 1e10];
const DAYS: [i128; 7] = [0, -1, 1, 19_000, 20_000, 20_001, -25_000];
const SECONDS: [i128; 6] = [0, 1, 59, 3_600, 43_200, 86_399];
const INSTANTS: [i128; 6] = [0, -1, 1, 1_700_000_000, 1_700_000_001, -2_000_000_000];
const MILLISECONDS_A_DAY: i128 = 86_400_000;

/// A type of a column.
pub(super) fn data_type(rng: &mut Rng) -> DataType {
    let units = [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];
    let zone = rng.pick(&[None, None, Some("UTC"), Some("+02:00"), Some("Europe/Berlin")]).map(Into::into);
    match rng.below(24) {
        0..4 => Utf8,
        4 => rng.pick(&[Int8, Int16, Int32, Int64]).clone(),
        5 => rng.pick(&[UInt8, UInt16, UInt32, UInt64]).clone(),
        6 => rng.pick(&[Float16, Float32, Float64]).clone(),
        7 => rng.pick(&[Decimal32(7, 2), Decimal64(16, 4), Decimal128(38, 0)]).clone(),
        8 => Decimal128(*rng.pick(&[5, 9, 19, 38, 38]), rng.between(0, 5) as i8),
        9 => Decimal256(rng.between(39, 76) as u8, rng.between(0, 30) as i8),
        10 => rng.pick(&[Date32, Date64]).clone(),
        11 => rng.pick(&[Time32(units[0]), Time32(units[1]), Time64(units[2]), Time64(units[3])]).clone(),
        12 | 13 => Timestamp(*rng.pick(&units), zone),
        14 => Duration(*rng.pick(&units)),
        15 => Boolean,
        16 => rng.pick(&[Binary, Binary, FixedSizeBinary(3)]).clone(),
        17..20 => list_of(Utf8),
        20 => list_of(rng.pick(&[Int64, Float64, Date32, Boolean, Decimal128(9, 2), list_of(Utf8)]).clone()),
        21 => record(),
        22 => list_of(record()),
        _ => map(),
    }
}

/// A struct of a text and an integer.
fn record() -> DataType {
    Struct(Fields::from(vec![Field::new("t", Utf8, true), Field::new("n", Int32, true)]))
}

fn map() -> DataType {
    let parts = Fields::from(vec![Field::new("keys", Utf8, false), Field::new("values", Int64, true)]);
    Map(Arc::new(Field::new("entries", Struct(parts), false)), false)
}

/// Two types that meet in a third.
pub(super) fn types_that_meet(rng: &mut Rng) -> [DataType; 2] {
    let all = [
        [Int8, Int32],
        [Int64, UInt64],
        [UInt8, UInt32],
        [Int16, Utf8],
        [Date32, Utf8],
        [Decimal128(5, 2), Decimal128(10, 1)],
        [Decimal128(5, 2), Int16],
        [Decimal128(9, 0), Int8],
        [Decimal128(7, 3), Utf8],
        [Float32, Int32],
        [Float32, Float64],
        [Boolean, Utf8],
        [Date64, Date32],
        [list_of(Int32), list_of(Int64)],
        [Decimal128(38, 0), Decimal128(38, 10)],
    ];
    rng.pick(&all).clone()
}

/// A value that is not null; what is inside may be.
pub(super) fn item(rng: &mut Rng, of: &DataType) -> Item {
    match of {
        Utf8 => Item::text(TEXTS[rng.below(TEXTS.len())]),
        Boolean => Item::Bool(rng.percent(50)),
        Float16 => Item::Float(*rng.pick(&FLOATS[..9])),
        Float32 => Item::Float(f64::from(*rng.pick(&FLOATS) as f32)),
        Float64 => Item::Float(*rng.pick(&FLOATS)),
        Binary => Item::Bytes(rng.pick(&[&b""[..], b"\0", b"\0\xff", b"ab"]).to_vec()),
        FixedSizeBinary(size) => Item::Bytes(vec![rng.below(3) as u8; *size as usize]),
        List(element) => {
            let many = rng.below(4);
            Item::List((0..many).map(|_| item_or_null(rng, element.data_type(), 20)).collect())
        }
        Struct(fields) => Item::Fields(fields.iter().map(|field| item_or_null(rng, field.data_type(), 30)).collect()),
        Map(..) => Item::List((0..rng.below(3)).map(|at| entry(rng, at)).collect()),
        Date64 => Item::whole(rng.pick(&DAYS) * MILLISECONDS_A_DAY),
        other => Item::Whole(whole(rng, other)),
    }
}

fn entry(rng: &mut Rng, at: usize) -> Item {
    Item::Fields(vec![Item::text(["k", "l"][at]), item_or_null(rng, &Int64, 20)])
}

/// A value, or null for this share in a hundred.
pub(super) fn item_or_null(rng: &mut Rng, of: &DataType, percent: usize) -> Item {
    if rng.percent(percent) { Item::Null } else { item(rng, of) }
}

/// Something exact: small numbers, and the largest and smallest of the type.
fn whole(rng: &mut Rng, of: &DataType) -> Whole {
    let small = i128::from(rng.between(-3, 9));
    let number = match of {
        Date32 => *rng.pick(&DAYS),
        Time32(unit) | Time64(unit) => rng.pick(&SECONDS) * per_second(*unit),
        Timestamp(unit, _) => rng.pick(&INSTANTS) * per_second(*unit) + i128::from(rng.percent(20)),
        Duration(unit) => small * per_second(*unit),
        Int8 => *rng.pick(&[small, i8::MAX.into(), i8::MIN.into()]),
        Int16 => *rng.pick(&[small, i16::MAX.into(), i16::MIN.into()]),
        Int32 => *rng.pick(&[small, i32::MAX.into(), i32::MIN.into()]),
        Int64 => *rng.pick(&[small, small, i64::MAX.into(), i64::MIN.into()]),
        UInt8 => *rng.pick(&[small.abs(), u8::MAX.into()]),
        UInt16 => *rng.pick(&[small.abs(), u16::MAX.into()]),
        UInt32 => *rng.pick(&[small.abs(), u32::MAX.into()]),
        UInt64 => *rng.pick(&[small.abs(), small.abs(), u64::MAX.into()]),
        Decimal32(digits, _) | Decimal64(digits, _) | Decimal128(digits, _) => {
            let most = 10_i128.pow(u32::from(*digits)) - 1;
            *rng.pick(&[small, small, 100 * small, most, -most])
        }
        Decimal256(digits, _) => return wide(rng, *digits, small),
        other => panic!("no values of {other} are drawn"),
    };
    Whole::from_i128(number)
}

/// A number of this many digits, or a small one.
fn wide(rng: &mut Rng, digits: u8, small: i128) -> Whole {
    match rng.below(4) {
        0 => "9".repeat(digits.into()).parse().expect("digits of the type"),
        1 => Whole::from_i128(i128::MAX - small.abs()),
        _ => Whole::from_i128(small),
    }
}

fn per_second(unit: TimeUnit) -> i128 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

/// An encoding of a type; files have fewer of them.
pub(super) fn encoded(rng: &mut Rng, of: &DataType, is_file: bool) -> DataType {
    let run_ends = || Arc::new(Field::new("run_ends", Int32, false));
    match (of, rng.below(if is_file { 4 } else { 5 })) {
        (Utf8, 1) => LargeUtf8,
        (Utf8, 2) => Utf8View,
        (Utf8, 3) => Dictionary(Box::new(Int32), Box::new(Utf8)),
        (Utf8, 4) => RunEndEncoded(run_ends(), Arc::new(Field::new("values", Utf8, true))),
        (Binary, 1) => LargeBinary,
        (Binary, 2) => BinaryView,
        (List(element), 1) => LargeList(element.clone()),
        (List(element), 4) => ListView(element.clone()),
        (Int64, 4) => Dictionary(Box::new(Int16), Box::new(Int64)),
        (other, _) => other.clone(),
    }
}
