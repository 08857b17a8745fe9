//! Sums, means, and unions of values.

use arrow_schema::DataType;

use super::columns::is_missing;
use super::convert::{scale_of, ten_to};
use crate::entities::{Item, SurvivorRule, Whole, list_of};

/// The type of what is computed of values of a type.
pub(super) fn aggregate_type(take: SurvivorRule, of: &DataType) -> DataType {
    use DataType::*;
    match (take, of) {
        (SurvivorRule::Mean, _) => Float64,
        (SurvivorRule::Sum, UInt64) => UInt64,
        (SurvivorRule::Sum, Decimal32(_, scale) | Decimal64(_, scale) | Decimal128(_, scale)) => Decimal128(38, *scale),
        (SurvivorRule::Sum, Decimal256(_, scale)) => Decimal256(76, *scale),
        (SurvivorRule::Sum, Float16 | Float32 | Float64) => Float64,
        (SurvivorRule::Sum, _) => Int64,
        (SurvivorRule::Union, List(item)) => list_of(item.data_type().clone()),
        (SurvivorRule::Union, of) => list_of(of.clone()),
        (_, of) => of.clone(),
    }
}

/// What is computed of the values of the records that count, in their order.
pub(super) fn aggregate(take: SurvivorRule, values: &[Item], of: &DataType) -> Item {
    match (take, values) {
        (_, []) => Item::Null,
        (SurvivorRule::Union, _) => Item::List(union(values, matches!(of, DataType::List(_)))),
        (_, [Item::Float(_), ..]) => {
            let sum = values.iter().fold(0.0, |sum, value| sum + float(value));
            let result = if take == SurvivorRule::Mean { sum / values.len() as f64 } else { sum };
            if result.is_nan() { Item::Null } else { Item::Float(result) }
        }
        (SurvivorRule::Mean, _) => exact_sum(values).map_or(Item::Null, |sum| {
            let tens = ten_to(scale_of(of)).to_string().parse::<f64>().expect("digits are a number");
            Item::Float(sum as f64 / (tens * values.len() as f64))
        }),
        _ => exact_sum(values).filter(|sum| fits(*sum, of)).map_or(Item::Null, Item::whole),
    }
}

/// The exact sum, if it and each value have at most 128 bits.
fn exact_sum(values: &[Item]) -> Option<i128> {
    let mut sum = Whole::from_i128(0);
    for value in values {
        let Item::Whole(value) = value else { panic!("only numbers are added: {value:?}") };
        sum = sum.wrapping_add(Whole::from_i128(value.to_i128()?));
    }
    sum.to_i128()
}

/// Whether a sum fits the type of sums of these values.
fn fits(sum: i128, of: &DataType) -> bool {
    match aggregate_type(SurvivorRule::Sum, of) {
        DataType::Int64 => i64::try_from(sum).is_ok(),
        DataType::UInt64 => u64::try_from(sum).is_ok(),
        DataType::Decimal128(..) => sum.unsigned_abs() < 10_u128.pow(38),
        _ => true,
    }
}

fn float(item: &Item) -> f64 {
    match item {
        Item::Float(value) => *value,
        other => panic!("a column of floats holds floats: {other:?}"),
    }
}

/// The distinct values in the order in which they come first; of lists their elements that are not missing.
fn union(values: &[Item], are_lists: bool) -> Vec<Item> {
    let mut all: Vec<Item> = Vec::new();
    for value in values {
        match value {
            Item::List(items) if are_lists => all.extend(items.iter().filter(|item| !is_missing(item)).cloned()),
            value => all.push(value.clone()),
        }
    }
    distinct(&all)
}

/// Each value once, where it comes first.
pub(super) fn distinct(values: &[Item]) -> Vec<Item> {
    let mut distinct: Vec<Item> = Vec::new();
    for value in values {
        if !distinct.contains(value) {
            distinct.push(value.clone());
        }
    }
    distinct
}
