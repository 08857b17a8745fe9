//! ClusterSums and means. Those of integers and decimals are exact in 128 bits; what does not fit is null. Floats are added in the order of
//! the records.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, Decimal128Array, Decimal256Array, Float64Array, Int64Array, UInt64Array};
use arrow_buffer::{BooleanBuffer, i256};
use arrow_schema::DataType;

use super::{ClusterRows, Error, Result, broken};

/// The digits of the largest decimals of 128 and of 256 bits.
const DIGITS: [u8; 2] = [38, 76];

/// The type of sums of values of this type; nothing where there are none.
pub fn sum_type(values: &DataType) -> Option<DataType> {
    Some(match values {
        DataType::UInt64 => DataType::UInt64,
        integers if integers.is_integer() => DataType::Int64,
        floats if floats.is_floating() => DataType::Float64,
        DataType::Decimal32(_, scale) | DataType::Decimal64(_, scale) | DataType::Decimal128(_, scale) => {
            DataType::Decimal128(DIGITS[0], *scale)
        }
        DataType::Decimal256(_, scale) => DataType::Decimal256(DIGITS[1], *scale),
        _ => return None,
    })
}

/// The sum of the rows that count, for each cluster.
pub fn sums(groups: &ClusterRows, counting: &BooleanBuffer, column: &ArrayRef) -> Result<ArrayRef> {
    let target = sum_type(column.data_type()).ok_or_else(|| Error::internal("a sum of no numbers"))?;
    if target == DataType::Float64 {
        let sums = float_sums(groups, counting, column)?;
        let sum = |sum: Option<(f64, u32)>| sum.map(|(sum, _)| sum).filter(|sum| !sum.is_nan());
        return Ok(Arc::new(sums.into_iter().map(sum).collect::<Float64Array>()));
    }
    let sums = exact_sums(groups, counting, column)?.into_iter().map(|sum| sum.and_then(|(sum, _)| sum));
    Ok(match &target {
        DataType::UInt64 => {
            Arc::new(sums.map(|sum| sum.and_then(|sum| u64::try_from(sum).ok())).collect::<UInt64Array>())
        }
        DataType::Decimal128(digits, scale) => {
            let sums = sums.map(|sum| sum.filter(|sum| has_digits(*sum, *digits))).collect::<Decimal128Array>();
            Arc::new(sums.with_precision_and_scale(*digits, *scale).map_err(|error| broken(&error))?)
        }
        DataType::Decimal256(digits, scale) => {
            let sums = sums.map(|sum| sum.map(i256::from_i128)).collect::<Decimal256Array>();
            Arc::new(sums.with_precision_and_scale(*digits, *scale).map_err(|error| broken(&error))?)
        }
        _ => Arc::new(sums.map(|sum| sum.and_then(|sum| i64::try_from(sum).ok())).collect::<Int64Array>()),
    })
}

fn has_digits(value: i128, digits: u8) -> bool {
    value.unsigned_abs() < 10_u128.pow(u32::from(digits))
}

/// The mean of the rows that count, for each cluster.
pub fn means(groups: &ClusterRows, counting: &BooleanBuffer, column: &ArrayRef) -> Result<ArrayRef> {
    let means: Float64Array = if column.data_type().is_floating() {
        let sums = float_sums(groups, counting, column)?;
        let mean = |(sum, count): (f64, u32)| Some(sum / f64::from(count)).filter(|mean| !mean.is_nan());
        sums.into_iter().map(|sum| sum.and_then(mean)).collect()
    } else {
        let scale = match column.data_type() {
            DataType::Decimal32(_, scale)
            | DataType::Decimal64(_, scale)
            | DataType::Decimal128(_, scale)
            | DataType::Decimal256(_, scale) => i32::from(*scale),
            _ => 0,
        };
        let unit = power_of_ten(scale)?;
        let mean = |(sum, count): (Option<i128>, u32)| sum.map(|sum| sum as f64 / (unit * f64::from(count)));
        exact_sums(groups, counting, column)?.into_iter().map(|sum| sum.and_then(mean)).collect()
    };
    Ok(Arc::new(means))
}

/// The nearest float: what powers are computed to depends on the machine.
fn power_of_ten(exponent: i32) -> Result<f64> {
    format!("1e{exponent}").parse().map_err(|_| Error::internal("a scale that is no exponent"))
}

/// For each cluster with rows that count the sum, if it fits, and how many they are.
type ClusterSums<S> = Vec<Option<(S, u32)>>;

fn exact_sums(groups: &ClusterRows, counting: &BooleanBuffer, column: &ArrayRef) -> Result<ClusterSums<Option<i128>>> {
    macro_rules! of {
        ($type:ty) => {
            added::<$type, i128>(groups, counting, column, 0, |sum, value| sum + i128::from(value))
                .into_iter()
                .map(|sum| sum.map(|(sum, count)| (Some(sum), count)))
                .collect()
        };
    }
    // The sum of as many of these as there can be records fits 256 bits.
    macro_rules! of_wide {
        ($type:ty, $wide:expr) => {
            added::<$type, Option<i256>>(groups, counting, column, Some(i256::ZERO), |sum, value| {
                Some(sum?.wrapping_add($wide(value)?))
            })
            .into_iter()
            .map(|sum| sum.map(|(sum, count)| (sum.and_then(i256::to_i128), count)))
            .collect()
        };
    }
    Ok(match column.data_type() {
        DataType::Int8 => of!(Int8Type),
        DataType::Int16 => of!(Int16Type),
        DataType::Int32 => of!(Int32Type),
        DataType::Int64 => of!(Int64Type),
        DataType::UInt8 => of!(UInt8Type),
        DataType::UInt16 => of!(UInt16Type),
        DataType::UInt32 => of!(UInt32Type),
        DataType::UInt64 => of!(UInt64Type),
        DataType::Decimal32(..) => of!(Decimal32Type),
        DataType::Decimal64(..) => of!(Decimal64Type),
        DataType::Decimal128(..) => of_wide!(Decimal128Type, |value| Some(i256::from_i128(value))),
        DataType::Decimal256(..) => of_wide!(Decimal256Type, |value: i256| value.to_i128().map(i256::from_i128)),
        _ => return Err(Error::internal("a sum of no numbers")),
    })
}

fn float_sums(groups: &ClusterRows, counting: &BooleanBuffer, column: &ArrayRef) -> Result<ClusterSums<f64>> {
    Ok(match column.data_type() {
        DataType::Float16 => {
            added::<Float16Type, f64>(groups, counting, column, 0.0, |sum, value| sum + value.to_f64())
        }
        DataType::Float32 => {
            added::<Float32Type, f64>(groups, counting, column, 0.0, |sum, value| sum + f64::from(value))
        }
        DataType::Float64 => added::<Float64Type, f64>(groups, counting, column, 0.0, |sum, value| sum + value),
        _ => return Err(Error::internal("a sum of no numbers")),
    })
}

fn added<T: ArrowPrimitiveType, S: Copy>(
    groups: &ClusterRows,
    counting: &BooleanBuffer,
    column: &ArrayRef,
    zero: S,
    add: impl Fn(S, T::Native) -> S,
) -> ClusterSums<S> {
    let values = column.as_primitive::<T>();
    let of_cluster = |rows: &[u32]| {
        let counted = rows.iter().filter(|row| counting.value(**row as usize));
        counted.fold(None, |sum: Option<(S, u32)>, row| {
            let (sum, count) = sum.unwrap_or((zero, 0));
            Some((add(sum, values.value(*row as usize)), count + 1))
        })
    };
    groups.each().map(of_cluster).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(column: &ArrayRef, of: fn(&ClusterRows, &BooleanBuffer, &ArrayRef) -> Result<ArrayRef>) -> ArrayRef {
        let groups = ClusterRows::new(&[0, 1, 0, 0], 0, &[3, 1]);
        let counting = BooleanBuffer::collect_bool(4, |row| column.is_valid(row));
        of(&groups, &counting, column).unwrap()
    }

    #[test]
    fn sums_and_means_have_the_types_of_their_values() {
        let integers: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(2), Some(4)]));
        assert_eq!(two(&integers, sums).as_ref(), &Int64Array::from(vec![Some(7), None]) as &dyn Array);
        assert_eq!(two(&integers, means).as_primitive::<Float64Type>().value(0), 7.0 / 3.0);
        let large: ArrayRef = Arc::new(Int64Array::from(vec![i64::MAX, 3, 1, 0]));
        assert_eq!(two(&large, sums).as_ref(), &Int64Array::from(vec![None, Some(3)]) as &dyn Array);
        let money = Decimal128Array::from(vec![125, 50, 25, 0]).with_precision_and_scale(5, 2).unwrap();
        let money: ArrayRef = Arc::new(money);
        assert_eq!(two(&money, sums).data_type(), &DataType::Decimal128(38, 2));
        assert_eq!(two(&money, means).as_primitive::<Float64Type>().values(), &[0.5, 0.5]);
    }
}
