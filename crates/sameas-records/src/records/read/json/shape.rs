//! What the values of a JSON column look like, found by reading every one of them.

use std::collections::HashMap;
use std::fmt;

use arrow_schema::{DataType, Field, Fields};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::csv::COLUMN_BYTES;
use super::super::logical_types::list_of;
use crate::cancel::or_end;
use crate::memory::{Held, MemoryBudget};

/// Beyond this, a 64-bit float cannot distinguish an integer from its neighbours.
const EXACT_IN_FLOAT: u64 = 1 << 53;
/// Integers from here on do not fit 64 bits with a sign.
const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;

/// What all values of a column have in common.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum ValueShape {
    /// Nothing but null so far.
    #[default]
    Null,
    Bool,
    /// Integers that a float holds exactly.
    Int,
    /// Integers that may need all 64 bits.
    WideInt,
    /// Integers that need all 64 bits and have no sign, and perhaps others.
    UnsignedInt,
    Float,
    /// Text, or scalars that only text holds without loss.
    Text,
    List(Box<ValueShape>),
    Object(Box<ColumnShapes>),
    /// Objects and others.
    MixedObjects,
    /// Lists and scalars.
    Mixed,
}

impl ValueShape {
    /// Makes this the shape of its own values and those of `other`.
    pub(super) fn merge(&mut self, other: Self) {
        use ValueShape::*;
        *self = match (std::mem::take(self), other) {
            (Null, shape) | (shape, Null) => shape,
            (Object(mut a), Object(b)) => {
                or_end(a.merge(*b));
                Object(a)
            }
            (a, b) if a == b => a,
            (Object(_) | MixedObjects, _) | (_, Object(_) | MixedObjects) => MixedObjects,
            (Mixed, _) | (_, Mixed) => Mixed,
            (List(mut a), List(b)) => {
                a.merge(*b);
                List(a)
            }
            (List(_), _) | (_, List(_)) => Mixed,
            (Int, WideInt) | (WideInt, Int) => WideInt,
            (UnsignedInt, Int | WideInt) | (Int | WideInt, UnsignedInt) => UnsignedInt,
            (Int, Float) | (Float, Int) => Float,
            _ => Text,
        };
    }

    /// The column type; nothing for lists mixed with scalars.
    pub(super) fn data_type(&self) -> Option<DataType> {
        Some(match self {
            Self::Null => DataType::Null,
            Self::Bool => DataType::Boolean,
            Self::Int | Self::WideInt => DataType::Int64,
            // Others among them may have a sign.
            Self::UnsignedInt => DataType::Decimal128(20, 0),
            Self::Float => DataType::Float64,
            Self::Text => DataType::Utf8,
            Self::List(element) => list_of(element.data_type()?),
            Self::Object(parts) => DataType::Struct(parts.of_object().unwrap_or_default()),
            Self::MixedObjects => DataType::Struct(Fields::empty()),
            Self::Mixed => return None,
        })
    }

    fn add<E>(&mut self, shape: Self) -> Result<(), E> {
        if *self != shape {
            self.merge(shape);
        }
        Ok(())
    }

    /// The shape of the elements, where this is or becomes a list.
    fn element(&mut self) -> Option<&mut Self> {
        self.merge(Self::List(Box::default()));
        match self {
            Self::List(element) => Some(element),
            _ => None,
        }
    }

    /// The shapes of the parts, where this is or becomes an object.
    fn object(&mut self, budget: &MemoryBudget) -> Option<&mut ColumnShapes> {
        if !matches!(self, Self::Object(_)) {
            self.merge(Self::Object(Box::new(or_end(ColumnShapes::new(budget)))));
        }
        match self {
            Self::Object(parts) => Some(parts),
            _ => None,
        }
    }
}

/// A shape that gets more values; the names in its objects are counted in a budget.
struct SeenValues<'a> {
    shape: &'a mut ValueShape,
    budget: &'a MemoryBudget,
}

impl<'de> DeserializeSeed<'de> for SeenValues<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for SeenValues<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.shape.add(ValueShape::Bool)
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.shape.add(if value.unsigned_abs() <= EXACT_IN_FLOAT { ValueShape::Int } else { ValueShape::WideInt })
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.shape.add(match i64::try_from(value) {
            Ok(_) if value <= EXACT_IN_FLOAT => ValueShape::Int,
            Ok(_) => ValueShape::WideInt,
            Err(_) => ValueShape::UnsignedInt,
        })
    }

    /// Integers too long for 64 bits arrive as floats; as text they stay distinct.
    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.shape.add(if value.abs() < TOO_LARGE { ValueShape::Float } else { ValueShape::Text })
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        self.shape.add(ValueShape::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let Some(element) = self.shape.element() else {
            while values.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        while values.next_element_seed(SeenValues { shape: element, budget: self.budget })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Some(parts) = self.shape.object(self.budget) else {
            while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        parts.visit_map(entries)
    }
}

/// The columns of objects, in the order of their first appearance.
#[derive(Debug)]
pub(super) struct ColumnShapes {
    pub(super) names: Vec<String>,
    pub(super) shapes: Vec<ValueShape>,
    places: HashMap<String, usize>,
    name_bytes: usize,
    budget: MemoryBudget,
    /// The memory of all this.
    pub(super) held: Held,
}

impl PartialEq for ColumnShapes {
    fn eq(&self, other: &Self) -> bool {
        (&self.names, &self.shapes) == (&other.names, &other.shapes)
    }
}

impl Eq for ColumnShapes {}

impl ColumnShapes {
    /// No columns yet.
    pub(super) fn new(budget: &MemoryBudget) -> crate::error::Result<Self> {
        let (names, shapes, places) = Default::default();
        Ok(Self { names, shapes, places, name_bytes: 0, budget: budget.clone(), held: budget.hold(0)? })
    }

    /// The parts of an object, if all have a type. An object without any part says nothing, and is left out.
    fn of_object(&self) -> Option<Fields> {
        let parts = self.names.iter().zip(&self.shapes);
        let is_empty = |shape: &ValueShape| matches!(shape, ValueShape::Object(parts) if parts.names.is_empty());
        let field = |(name, shape): (&String, &ValueShape)| {
            let data_type = shape.data_type().filter(|data_type| !has_no_part(data_type))?;
            Some(Field::new(name, data_type, true))
        };
        parts.filter(|(_, shape)| !is_empty(shape)).map(field).collect()
    }

    /// Adds the columns of later objects.
    pub(super) fn merge(&mut self, other: Self) -> crate::error::Result<()> {
        for (name, shape) in other.names.into_iter().zip(other.shapes) {
            let place = self.place(&name, self.names.len());
            self.shapes[place].merge(shape);
        }
        self.held.reach(self.bytes())
    }

    /// A name is held several times.
    fn bytes(&self) -> usize {
        self.names.len() * COLUMN_BYTES + 4 * self.name_bytes
    }

    /// The place of a column, most likely `guess`; a new name gets a new place.
    fn place(&mut self, name: &str, guess: usize) -> usize {
        if self.names.get(guess).is_some_and(|guessed| guessed == name) {
            return guess;
        }
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.places.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.shapes.push(ValueShape::Null);
        self.name_bytes += name.len();
        or_end(self.held.grow(self.bytes()));
        self.names.len() - 1
    }
}

impl<'de> DeserializeSeed<'de> for &mut ColumnShapes {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut ColumnShapes {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut guess = 0;
        while let Some(place) = entries.next_key_seed(ColumnKey { columns: self, guess })? {
            entries.next_value_seed(SeenValues { shape: &mut self.shapes[place], budget: &self.budget })?;
            guess = place + 1;
        }
        Ok(())
    }
}

/// Whether values of this type are objects of which nothing is known.
fn has_no_part(data_type: &DataType) -> bool {
    match data_type {
        DataType::Struct(fields) => fields.is_empty(),
        DataType::List(item) => has_no_part(item.data_type()),
        _ => false,
    }
}

/// Turns a key into the place of its column.
struct ColumnKey<'a> {
    columns: &'a mut ColumnShapes,
    guess: usize,
}

impl<'de> DeserializeSeed<'de> for ColumnKey<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for ColumnKey<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        Ok(self.columns.place(name, self.guess))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(values: &[&str]) -> ValueShape {
        let (mut shape, budget) = (ValueShape::Null, MemoryBudget::unlimited());
        for value in values {
            let seen = SeenValues { shape: &mut shape, budget: &budget };
            seen.deserialize(&mut serde_json::Deserializer::from_str(value)).unwrap();
        }
        shape
    }

    #[test]
    fn values_meet_in_the_shape_that_holds_all() {
        assert_eq!(shape(&["null"]), ValueShape::Null);
        assert_eq!(shape(&["null", "1", "-2"]), ValueShape::Int);
        assert_eq!(shape(&["1", "2.5"]), ValueShape::Float);
        assert_eq!(shape(&["9007199254740993", "1"]), ValueShape::WideInt);
        assert_eq!(shape(&["9007199254740993", "2.5"]), ValueShape::Text);
        assert_eq!(shape(&["18446744073709551615"]), ValueShape::UnsignedInt);
        assert_eq!(shape(&["-1", "18446744073709551615", "9007199254740993"]), ValueShape::UnsignedInt);
        assert_eq!(shape(&["18446744073709551615", "2.5"]), ValueShape::Text);
        assert_eq!(shape(&["123456789012345678901234567890"]), ValueShape::Text);
        assert_eq!(shape(&["true", "1"]), ValueShape::Text);
        assert_eq!(shape(&["[]", "[1, null]", "[2.5]"]), ValueShape::List(Box::new(ValueShape::Float)));
        assert_eq!(shape(&["[1]", "1"]), ValueShape::Mixed);
        assert_eq!(shape(&["{\"a\": [1]}", "1", "[2]"]), ValueShape::MixedObjects);
    }

    #[test]
    fn objects_have_the_parts_of_all() {
        let data_type = |values: &[&str]| shape(values).data_type().unwrap().to_string();
        let nested = ["{\"a\": 1, \"b\": {\"c\": [\"x\"], \"d\": {}}}", "null", "{\"b\": {\"e\": true}, \"a\": 2.5}"];
        let DataType::Struct(parts) = shape(&nested).data_type().unwrap() else { panic!("an object") };
        assert_eq!((parts.len(), parts[0].data_type()), (2, &DataType::Float64));
        let DataType::Struct(inner) = parts[1].data_type() else { panic!("an object") };
        assert_eq!(inner.iter().map(|part| part.name().as_str()).collect::<Vec<_>>(), ["c", "e"], "{{}} says nothing");
        let nothing = data_type(&["{}"]);
        assert_eq!(data_type(&["{\"a\": {\"b\": 1}}", "{\"a\": 3}"]), nothing, "a part without a type");
        assert_eq!(data_type(&["{\"a\": [1]}", "{\"a\": 3}"]), nothing);
        assert_eq!(data_type(&["{\"a\": [{}]}"]), nothing);
    }

    #[test]
    fn merging_shapes_does_not_depend_on_the_order() {
        let all = [
            "null",
            "true",
            "1",
            "9007199254740993",
            "18446744073709551615",
            "2.5",
            "\"x\"",
            "[1]",
            "[\"x\"]",
            "{}",
            "{\"a\":1}",
        ];
        for a in all {
            for b in all {
                let mut merged = shape(&[b]);
                merged.merge(shape(&[a]));
                assert_eq!(shape(&[a, b]), merged, "{a} {b}");
            }
        }
    }
}
