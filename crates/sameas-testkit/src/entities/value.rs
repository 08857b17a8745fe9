//! A value of any type that is read, and the order of values.

use std::cmp::Ordering;

use arrow_array::types::{ArrowPrimitiveType, Decimal256Type};

/// An integer of 256 bits: whatever is exact, in units of its type.
pub type Whole = <Decimal256Type as ArrowPrimitiveType>::Native;

/// A value.
#[derive(Clone, Debug)]
pub enum Item {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer, or the digits of a decimal, or a date or time in its unit.
    Whole(Whole),
    /// A float; those of 16 and 32 bits are floats of 64 bits, too.
    Float(f64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list; a map is a list of its entries.
    List(Vec<Item>),
    /// The fields of a struct.
    Fields(Vec<Item>),
}

impl Item {
    /// An integer.
    pub fn whole(value: i128) -> Self {
        Item::Whole(Whole::from_i128(value))
    }

    /// A text.
    pub fn text(value: &str) -> Self {
        Item::Text(value.to_owned())
    }

    /// Whether there is none.
    pub fn is_null(&self) -> bool {
        matches!(self, Item::Null)
    }

    /// The total order of values of one type: null before all others, floats by their bits, texts by their bytes, lists
    /// element by element and the shorter one first.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Item::Null, Item::Null) => Ordering::Equal,
            (Item::Null, _) => Ordering::Less,
            (_, Item::Null) => Ordering::Greater,
            (Item::Bool(a), Item::Bool(b)) => a.cmp(b),
            (Item::Whole(a), Item::Whole(b)) => a.cmp(b),
            (Item::Float(a), Item::Float(b)) => a.total_cmp(b),
            (Item::Text(a), Item::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Item::Bytes(a), Item::Bytes(b)) => a.cmp(b),
            (Item::List(a), Item::List(b)) | (Item::Fields(a), Item::Fields(b)) => order_of_lists(a, b),
            (a, b) => panic!("values of one column have one type: {a:?} and {b:?}"),
        }
    }
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.order(other) == Ordering::Equal
    }
}

fn order_of_lists(a: &[Item], b: &[Item]) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        match a.order(b) {
            Ordering::Equal => {}
            other => return other,
        }
    }
    a.len().cmp(&b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_one_order() {
        let list =
            |texts: &[Option<&str>]| Item::List(texts.iter().map(|t| t.map_or(Item::Null, Item::text)).collect());
        let sorted = [
            list(&[]),
            list(&[None]),
            list(&[None, Some("a")]),
            list(&[Some("Z")]),
            list(&[Some("a")]),
            list(&[Some("a"), None]),
            list(&[Some("é")]),
        ];
        assert!(sorted.windows(2).all(|two| two[0].order(&two[1]) == Ordering::Less));
        assert_ne!(Item::Float(-0.0), Item::Float(0.0));
        assert_eq!(Item::Float(f64::NAN), Item::Float(f64::NAN));
        assert_eq!(Item::whole(-3).order(&Item::whole(2)), Ordering::Less);
    }
}
