//! The values of a domain, numbered in their order, so that codes compare like values.

use super::core::ProgramValue;
use crate::error::{Error, Result};
use crate::numbering::{GrowingNumbers, OrderedIntegers};

/// The values of a domain in their order; the code of a value is its place.
#[derive(Debug)]
pub(super) enum DomainValues {
    Numbers(OrderedIntegers),
    Texts(GrowingNumbers),
}

impl DomainValues {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.values().len(),
            Self::Texts(texts) => texts.count(),
        }
    }

    /// The code of a value of the domain.
    pub fn code(&self, value: &ProgramValue) -> Option<u32> {
        match (self, value) {
            (Self::Numbers(numbers), ProgramValue::Number(value)) => numbers.find(*value),
            (Self::Texts(texts), ProgramValue::Text(value)) => texts.find(value.as_bytes()),
            _ => None,
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.bytes(),
            Self::Texts(texts) => texts.bytes(),
        }
    }
}

/// An error for more values than codes.
pub(super) fn check_number(values: usize) -> Result<()> {
    if values as u64 <= 1 << 32 {
        return Ok(());
    }
    let message = format!("columns that are compared with each other have {values} values, and 2^32 are possible");
    Err(Error::data(message).with_help("divide the relations into parts that share no values"))
}
