//! One schema for several files: columns meet by name, and their types by the least type that holds both.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DECIMAL256_MAX_PRECISION, DataType, Field, FieldRef, Fields};

use super::logical_types::{decimal, list_of, type_of, unusable};
use crate::error::{Error, Result};
use crate::expr::repetition;

/// Columns of the files so far.
pub(super) struct Unified {
    /// The file that gave the first columns.
    first: String,
    fields: Vec<FieldRef>,
    places: HashMap<String, usize>,
}

impl Unified {
    /// The columns of the first file.
    pub(super) fn new(label: &str, fields: &Fields) -> Result<Self> {
        if let Some((column, _)) = repeated(fields.iter().map(|field| field.name().as_str())) {
            let name = fields[column].name();
            let error = Error::data(format!("{label}: two columns are called `{name}`"));
            return Err(error.with_help("give each column a name of its own"));
        }
        let places = fields.iter().enumerate().map(|(place, field)| (field.name().clone(), place)).collect();
        Ok(Self { first: label.to_owned(), fields: fields.to_vec(), places })
    }

    /// Adds a file that, if `fixed`, must have exactly these columns in any order; else new columns are added, absent
    /// ones are null.
    pub(super) fn add(&mut self, label: &str, fields: &Fields, fixed: bool) -> Result<()> {
        let other = Self::new(label, fields)?;
        let absent = self.fields.iter().find(|field| !other.places.contains_key(field.name()));
        if let (true, Some(field)) = (fixed, absent) {
            let name = field.name();
            return Err(Error::data(format!("{label}: column `{name}` is missing, which {} has", self.first)));
        }
        for field in fields {
            match self.places.get(field.name()) {
                Some(&place) => self.fields[place] = Arc::new(met(&self.fields[place], field, label, &self.first)?),
                None if fixed => {
                    let name = field.name();
                    return Err(Error::data(format!("{label}: column `{name}` is not in {}", self.first)));
                }
                None => self.push(field),
            }
        }
        Ok(())
    }

    fn push(&mut self, field: &FieldRef) {
        self.places.insert(field.name().clone(), self.fields.len());
        self.fields.push(field.clone());
    }

    /// The columns of all files; one that is null everywhere is text.
    pub(super) fn finish(self) -> Fields {
        let settle = |field: FieldRef| field.as_ref().clone().with_data_type(settled(field.data_type()));
        self.fields.into_iter().map(settle).collect()
    }
}

/// The first name that occurs before: where it did, and where it does again.
pub(super) fn repeated<'a>(names: impl Iterator<Item = &'a str>) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    names.enumerate().find_map(|(place, name)| seen.insert(name, place).map(|first| (first, place)))
}

fn settled(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Null => DataType::Utf8,
        DataType::List(item) => list_of(settled(item.data_type())),
        other => other.clone(),
    }
}

fn met(ours: &Field, theirs: &Field, label: &str, first: &str) -> Result<Field> {
    let name = ours.name();
    let (a, b) = (ours.data_type(), theirs.data_type());
    let [rule_a, rule_b] = [a, b].map(type_of);
    let wrong =
        || Error::data(format!("{label}: column `{name}` holds {b}, but {a} in {first}: a list and not a list"));
    // A name that one file has twice cannot be read from it.
    let repeated = if repetition(ours).is_some() { ours } else { theirs };
    let met = if a == b { Some(a.clone()) } else { common(&rule_a, &rule_b) };
    Ok(Field::new(name, met.ok_or_else(wrong)?, true).with_metadata(repeated.metadata().clone()))
}

/// The least type that holds the values of both exactly, or as near as floating point comes; text holds every scalar.
fn common(a: &DataType, b: &DataType) -> Option<DataType> {
    use DataType::*;
    Some(match (a, b) {
        (a, b) if a == b => a.clone(),
        (Null, other) | (other, Null) => other.clone(),
        (a, _) if unusable(a).is_some() => a.clone(),
        (_, b) if unusable(b).is_some() => b.clone(),
        (List(a), List(b)) => list_of(common(a.data_type(), b.data_type())?),
        (List(_), _) | (_, List(_)) => return None,
        (a, b) if a.is_unsigned_integer() && b.is_unsigned_integer() => UInt64,
        (a, b) if a.is_integer() && b.is_integer() && ![a, b].contains(&&UInt64) => Int64,
        (a, b) => match (places(a), places(b)) {
            (Some(a), Some(b)) => decimal_of(a, b),
            _ if a.is_numeric() && b.is_numeric() => Float64,
            _ => Utf8,
        },
    })
}

/// Digits before and behind the point that the numbers of an exact type have at most.
fn places(data_type: &DataType) -> Option<[i16; 2]> {
    use DataType::*;
    Some(match data_type {
        Int8 | UInt8 => [3, 0],
        Int16 | UInt16 => [5, 0],
        Int32 | UInt32 => [10, 0],
        Int64 => [19, 0],
        UInt64 => [20, 0],
        Decimal32(digits, scale) | Decimal64(digits, scale) | Decimal128(digits, scale) | Decimal256(digits, scale) => {
            [i16::from(*digits) - i16::from(*scale), i16::from(*scale)]
        }
        _ => return None,
    })
}

/// Decimals with the digits of both. Where these are more than decimals have, a value that does not fit is an error.
fn decimal_of(a: [i16; 2], b: [i16; 2]) -> DataType {
    let [before, behind] = [a[0].max(b[0]), a[1].max(b[1])];
    let digits = (before + behind).clamp(1, i16::from(DECIMAL256_MAX_PRECISION));
    // The larger of two scales is a scale.
    decimal(digits as u8, behind as i8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(columns: &[(&str, DataType)]) -> Fields {
        columns.iter().map(|(name, data_type)| Field::new(*name, data_type.clone(), true)).collect()
    }

    #[test]
    fn types_meet_in_the_least_that_holds_both() {
        use DataType::*;
        let met = |a: &DataType, b: &DataType| {
            assert_eq!(common(a, b), common(b, a));
            common(a, b)
        };
        assert_eq!(met(&Null, &Int8), Some(Int8));
        assert_eq!(met(&Int8, &Int32), Some(Int64));
        assert_eq!(met(&UInt8, &UInt64), Some(UInt64));
        assert_eq!(met(&UInt64, &Int64), Some(Decimal128(20, 0)));
        assert_eq!(met(&UInt64, &Int8), Some(Decimal128(20, 0)));
        assert_eq!(met(&Int32, &Decimal128(5, 2)), Some(Decimal128(12, 2)));
        assert_eq!(met(&Decimal128(5, 2), &Decimal128(10, 1)), Some(Decimal128(11, 2)));
        assert_eq!(met(&Decimal128(38, 0), &Decimal128(38, 30)), Some(Decimal256(68, 30)));
        assert_eq!(met(&Decimal256(76, 0), &Decimal256(76, 70)), Some(Decimal256(76, 70)));
        assert_eq!(met(&Decimal128(5, 2), &Float32), Some(Float64));
        assert_eq!(met(&Decimal128(5, 2), &Utf8), Some(Utf8));
        assert_eq!(met(&list_of(UInt64), &list_of(Int64)), Some(list_of(Decimal128(20, 0))));
        assert_eq!(met(&Int64, &Float32), Some(Float64));
        assert_eq!(met(&Date32, &Utf8), Some(Utf8));
        assert_eq!(met(&Boolean, &Int64), Some(Utf8));
        assert_eq!(met(&list_of(Int64), &list_of(Float64)), Some(list_of(Float64)));
        assert_eq!(met(&list_of(Int64), &Int64), None);
        assert_eq!(met(&Binary, &Utf8), Some(Binary));
    }

    #[test]
    fn columns_meet_by_name() {
        use DataType::*;
        let mut unified = Unified::new("a", &fields(&[("x", Utf8), ("y", Null)])).unwrap();
        unified.add("b", &fields(&[("y", Int64), ("x", Utf8)]), true).unwrap();
        unified.add("c", &fields(&[("z", Null)]), false).unwrap();
        assert_eq!(unified.finish(), fields(&[("x", Utf8), ("y", Int64), ("z", Utf8)]));
    }

    #[test]
    fn fixed_columns_must_be_the_same() {
        use DataType::*;
        let mut unified = Unified::new("a", &fields(&[("x", list_of(Utf8)), ("y", Int8)])).unwrap();
        let mut text = |columns: &[(&str, DataType)]| unified.add("b", &fields(columns), true).unwrap_err().to_string();
        assert_eq!(text(&[("y", Int8)]), "b: column `x` is missing, which a has");
        assert_eq!(text(&[("x", list_of(Utf8)), ("y", Int8), ("z", Int8)]), "b: column `z` is not in a");
        let repeated = "b: two columns are called `x`\n  help: give each column a name of its own";
        assert_eq!(text(&[("x", Int8), ("x", Int8)]), repeated);
        assert_eq!(
            text(&[("x", Int8), ("y", Int8)]),
            "b: column `x` holds Int8, but List(Utf8) in a: a list and not a list"
        );
    }
}
