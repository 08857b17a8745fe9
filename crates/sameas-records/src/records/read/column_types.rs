//! In which types columns are read: those that rules know, or those that they have.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};

use super::logical_types;
use super::logical_types::list_of;
use crate::expr::repetition;
use crate::records::null_texts::NullTexts;

/// In which types columns are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::records) enum ColumnTypes {
    /// In the few types that rules know.
    #[default]
    OfRules,
    /// In these, but texts of a caller stay in the layout that they have.
    GivenTexts,
    /// In their own: a time stays a time, a decimal has its scale. Only layouts become one of each kind.
    Kept,
}

impl ColumnTypes {
    /// A column as it is seen. That its name is repeated is all that stays of what else is known of it.
    pub(super) fn field(self, field: &FieldRef) -> Field {
        let seen = match self {
            Self::OfRules | Self::GivenTexts => logical_types::type_of(field.data_type()),
            Self::Kept => kept_type(field.data_type()),
        };
        let seen = Field::new(field.name(), seen, true);
        if repetition(field).is_some() { seen.with_metadata(field.metadata().clone()) } else { seen }
    }

    /// What a column of this type holds, if it cannot be read.
    pub(super) fn unusable(self, data_type: &DataType) -> Option<String> {
        match (self, data_type) {
            (Self::OfRules | Self::GivenTexts, _) => logical_types::unusable(data_type),
            // What JSON lines have where no type holds all values.
            (Self::Kept, DataType::Struct(fields)) if fields.is_empty() => {
                Some("objects without content or mixed with other values".to_owned())
            }
            (Self::Kept, DataType::List(item)) => {
                self.unusable(item.data_type()).map(|what| format!("lists of {what}"))
            }
            (Self::Kept, DataType::Union(..)) => Some(format!("values of type {data_type}")),
            (Self::Kept, _) => None,
        }
    }

    /// A column that was read as the type that the table has for it, with empty text as null, and `nulls` too.
    pub(super) fn column(self, column: ArrayRef, target: &DataType, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
        let kept = kept_type(column.data_type());
        if self != Self::Kept || kept != *target {
            return logical_types::column(column, target, nulls);
        }
        let column = if *column.data_type() == kept { column } else { logical_types::exact(&column, &kept)? };
        Ok(logical_types::without_missing_texts(column, nulls))
    }
}

/// The type of a column whose layout does not matter.
fn kept_type(physical: &DataType) -> DataType {
    use DataType::*;
    match physical {
        Dictionary(_, value) => kept_type(value),
        RunEndEncoded(_, value) => kept_type(value.data_type()),
        LargeUtf8 | Utf8View => Utf8,
        LargeBinary | BinaryView => Binary,
        List(item) | LargeList(item) | ListView(item) | LargeListView(item) | FixedSizeList(item, _) => {
            list_of(kept_type(item.data_type()))
        }
        Struct(fields) => Struct(fields.iter().map(kept_part).collect()),
        Map(entries, sorted) => Map(kept_part(entries), *sorted),
        other => other.clone(),
    }
}

fn kept_part(field: &FieldRef) -> FieldRef {
    Arc::new(Field::new(field.name(), kept_type(field.data_type()), field.is_nullable()))
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int32Type, TimestampSecondType};
    use arrow_array::{
        Decimal128Array, DictionaryArray, LargeStringArray, StringArray, StructArray, TimestampSecondArray,
    };

    use super::*;

    fn kept(array: impl Array + 'static) -> ArrayRef {
        let target = kept_type(array.data_type());
        ColumnTypes::Kept.column(Arc::new(array), &target, &NullTexts::default()).unwrap()
    }

    #[test]
    fn types_stay_and_layouts_do_not() {
        let money = Decimal128Array::from(vec![1250]).with_precision_and_scale(10, 2).unwrap();
        assert_eq!(kept(money).data_type(), &DataType::Decimal128(10, 2));
        let times = TimestampSecondArray::from(vec![Some(7), None]).with_timezone("Europe/Berlin");
        let times = kept(times);
        assert_eq!(times.as_primitive::<TimestampSecondType>().timezone(), Some("Europe/Berlin"));
        let words = DictionaryArray::<Int32Type>::from_iter([Some("a"), Some(""), None]);
        assert_eq!(kept(words).as_string::<i32>(), &StringArray::from(vec![Some("a"), None, None]));
        let texts: ArrayRef = Arc::new(LargeStringArray::from(vec!["x"]));
        let nested = StructArray::from(vec![(Arc::new(Field::new("t", DataType::LargeUtf8, true)), texts)]);
        let DataType::Struct(fields) = kept(nested).data_type().clone() else { panic!("a struct stays one") };
        assert_eq!(fields[0].data_type(), &DataType::Utf8);
    }

    #[test]
    fn files_that_differ_meet_in_a_type_of_rules() {
        let times: ArrayRef = Arc::new(TimestampSecondArray::from(vec![1_717_156_800]));
        let met = ColumnTypes::Kept.column(times, &DataType::Utf8, &NullTexts::default()).unwrap();
        assert_eq!(met.as_string::<i32>().value(0), "2024-05-31T12:00:00");
    }
}
