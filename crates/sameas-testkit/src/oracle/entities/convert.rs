//! Values of one type as values of another that holds them.

use arrow_schema::DataType;

use crate::entities::{Item, Whole, rule_type, same_type};
use crate::oracle::date;

const MILLISECONDS_A_DAY: i128 = 86_400_000;

/// The value in a type that several columns have in common.
pub(super) fn converted(item: &Item, from: &DataType, to: &DataType) -> Item {
    if same_type(from, to) {
        return item.clone();
    }
    match (item, to) {
        (Item::Null, _) => Item::Null,
        (Item::List(items), DataType::List(element)) => {
            let DataType::List(own) = from else { panic!("a list has elements: {from}") };
            let of_element = |item: &Item| converted(item, own.data_type(), element.data_type());
            Item::List(items.iter().map(of_element).collect())
        }
        (Item::Whole(value), DataType::Date32) => Item::whole(days_of(*value)),
        (Item::Whole(value), DataType::Utf8) => Item::Text(text_of(*value, from)),
        (Item::Bool(value), DataType::Utf8) => Item::Text(value.to_string()),
        (Item::Whole(value), DataType::Float64) => Item::Float(value.to_string().parse().expect("digits are a number")),
        (Item::Whole(value), _) => Item::Whole(value.wrapping_mul(ten_to(scale_of(to) - scale_of(from)))),
        (Item::Float(_), DataType::Float32 | DataType::Float64) => item.clone(),
        (item, to) => panic!("cases have no {item:?} of {from} where {to} is asked for"),
    }
}

fn days_of(milliseconds: Whole) -> i128 {
    milliseconds.to_i128().map_or(0, |value| value.div_euclid(MILLISECONDS_A_DAY))
}

fn text_of(value: Whole, from: &DataType) -> String {
    match rule_type(from) {
        DataType::Date32 if *from == DataType::Date64 => date::text(days_of(value) as i64),
        DataType::Date32 => date::text(value.to_i128().unwrap_or(0) as i64),
        _ => with_point(&value.to_string(), scale_of(from) as usize),
    }
}

/// Digits with some of them behind the point.
pub(super) fn with_point(digits: &str, scale: usize) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, rest) = digits.split_at(digits.len() - scale);
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// How many digits are behind the point; none for integers.
pub(super) fn scale_of(of: &DataType) -> u32 {
    use DataType::{Decimal32, Decimal64, Decimal128, Decimal256};
    match of {
        Decimal32(_, scale) | Decimal64(_, scale) | Decimal128(_, scale) | Decimal256(_, scale) => *scale as u32,
        _ => 0,
    }
}

/// A power of ten.
pub(super) fn ten_to(power: u32) -> Whole {
    (0..power).fold(Whole::from_i128(1), |product, _| product.wrapping_mul(Whole::from_i128(10)))
}
