//! The facts of a program by columns. There may be millions of them, and they are held as long as the program.

use rayon::prelude::*;

use super::core::ProgramValue;
use super::syntax::ValueKind;
use super::values::DomainValues;
use crate::numbering::ValueList;

/// Beside a value, while codes are made: another copy of it, and its code.
pub(super) const BESIDE_A_FACT: usize = 12;

/// What a value takes while a list of them grows.
const GROWING: usize = 2 * size_of::<i64>();

/// The values of a column in the facts of its relation.
#[derive(Clone, Debug)]
pub(super) enum FactColumn {
    Numbers(Vec<i64>),
    Texts(ValueList),
}

impl FactColumn {
    /// No facts yet.
    pub fn new(kind: ValueKind) -> Self {
        match kind {
            ValueKind::Number => Self::Numbers(Vec::new()),
            ValueKind::Symbol => Self::Texts(ValueList::default()),
        }
    }

    /// Adds the value of a fact, which is of the column's kind: that has been checked. Gives the bytes that it takes.
    pub fn push(&mut self, value: &ProgramValue) -> usize {
        match (self, value) {
            (Self::Numbers(numbers), ProgramValue::Number(number)) => {
                numbers.push(*number);
                GROWING
            }
            (Self::Texts(texts), ProgramValue::Text(text)) => {
                texts.push(text.as_bytes());
                GROWING + 2 * text.len()
            }
            _ => 0,
        }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Texts(texts) => texts.count(),
        }
    }

    /// Frees what was reserved in excess; gives the bytes that are left.
    pub fn shrink_to_fit(&mut self) -> usize {
        match self {
            Self::Numbers(numbers) => {
                numbers.shrink_to_fit();
                numbers.capacity() * size_of::<i64>()
            }
            Self::Texts(texts) => {
                texts.shrink_to_fit();
                texts.size()
            }
        }
    }

    /// The values, if they are numbers.
    pub fn numbers(&self) -> &[i64] {
        match self {
            Self::Numbers(numbers) => numbers,
            Self::Texts(_) => &[],
        }
    }

    /// The values, if they are texts.
    pub fn texts(&self) -> impl ParallelIterator<Item = &[u8]> {
        let texts = match self {
            Self::Numbers(_) => None,
            Self::Texts(texts) => Some(texts),
        };
        texts.into_par_iter().flat_map(|texts| texts.par_values())
    }

    /// The codes of all values.
    pub fn codes(&self, values: &DomainValues) -> Vec<u32> {
        match (self, values) {
            (Self::Numbers(numbers), DomainValues::Numbers(codes)) => {
                numbers.par_iter().filter_map(|number| codes.find(*number)).collect()
            }
            (Self::Texts(texts), DomainValues::Texts(codes)) => {
                texts.par_values().filter_map(|text| codes.find(text)).collect()
            }
            _ => Vec::new(),
        }
    }
}
