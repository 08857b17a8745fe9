//! Columns that predicates compare, encoded: one dictionary, one alphabet and one token order per domain.
//!
//! An *operand* is an expression of one record that a predicate reads. Operands that a predicate compares with each
//! other share a domain, across columns and inputs, so that equality of values is equality of codes.
//!
//! An operand is computed once per record. Rules say which are wanted (`wanted`), and the records of frames are encoded
//! for these (`encode_wanted`); `key` says what an operand is beyond one job. In a domain, up to 256 distinct
//! characters take a byte each, so that byte kernels are exact on Unicode (`text`), and tokens are numbered from the
//! rarest on (`tokens`). Small domains are encoded side by side, more of them on more cores.

mod alphabet;
mod bytes;
mod dictionary;
mod encode_wanted;
mod expr_to_sql;
mod gather;
mod key;
mod part;
mod planes;
mod sample;
mod signature;
mod stored;
mod strings;
mod text;
mod tokens;
mod wanted;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

pub use bytes::{Numbers, bytes_at};
pub use dictionary::{Dictionary, NULL};
pub use encode_wanted::{EncodedDomain, SharedCodes, SharedDomain, in_order};
pub use key::{Definitions, OperandKey, operand_key};
pub use part::distinct_codes;
pub use planes::{PlaneShape, Planes};
pub use signature::{Long, Short, Signature, SignatureRecord, SignatureRecords, Signatures};
pub use stored::StoredColumn;
pub use strings::Strings;
pub use text::{AnyStrings, Texts};
pub use tokens::{Elements, Sets, TokenSets, Tokenizer, most_common};
pub use wanted::WantedOperands;

use rayon::prelude::*;

use self::encode_wanted::value_rows;
use crate::expr::{Num, Type, Vector};
use crate::records::stats::ValueRows;

/// An encoded operand: the code of each row's value.
#[derive(Clone, Debug)]
pub struct EncodedColumn {
    /// Codes by row, [`NULL`] for null. Shared: a column may be one of several programs.
    pub codes: Arc<Vec<u32>>,
    /// How many records have each value, once somebody has counted them; shared like the codes. Where these are some records of
    /// a dataset, it may be known of all of them.
    pub counted: Arc<OnceLock<ValueRows>>,
    /// The domain the codes belong to.
    pub domain: usize,
    /// Its expression, written as in rules.
    pub text: String,
    /// The frame its rows are of.
    pub frame: usize,
}

impl EncodedColumn {
    /// The codes of those of some rows that have a value.
    pub fn present_codes(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|row| self.codes[*row as usize]).filter(|code| *code != NULL).collect()
    }
}

/// The distinct values of operands that are compared with each other.
#[derive(Debug)]
pub struct Domain {
    /// Their type.
    pub ty: Type,
    /// Their bytes.
    pub dictionary: Dictionary,
    /// Recoded texts, where a measure of texts needs them.
    pub texts: Option<Texts>,
    /// Numbers or days by code, where differences are asked for and all of them are whole.
    pub integers: Option<Integers>,
}

/// Whole numbers by code.
#[derive(Debug)]
pub enum Integers {
    /// Each is one more than that of the code before: differences are those of codes.
    Consecutive,
    /// Any.
    Each(Vec<i64>),
}

impl Integers {
    fn new(integers: Vec<i64>) -> Self {
        let is_next = |pair: &[i64]| pair[0].checked_add(1) == Some(pair[1]);
        if integers.windows(2).all(is_next) { Self::Consecutive } else { Self::Each(integers) }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Consecutive => 0,
            Self::Each(integers) => size_of_val(&integers[..]),
        }
    }

    /// Those of some codes.
    fn part(&self, kept: &[u32]) -> Self {
        Self::new(match self {
            Self::Consecutive => kept.iter().map(|code| i64::from(*code)).collect(),
            Self::Each(integers) => kept.iter().map(|code| integers[*code as usize]).collect(),
        })
    }
}

impl Domain {
    /// The same values without recoded texts and integers.
    pub fn plain(&self) -> Self {
        Self { ty: self.ty, dictionary: self.dictionary.clone(), texts: None, integers: None }
    }

    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        self.dictionary.bytes() + self.bytes_beside_values()
    }

    /// Memory it takes beside its values.
    pub fn bytes_beside_values(&self) -> usize {
        self.texts.as_ref().map_or(0, Texts::bytes) + self.integer_bytes()
    }

    fn integer_bytes(&self) -> usize {
        self.integers.as_ref().map_or(0, Integers::bytes)
    }

    /// With the integers that differences are computed of.
    fn with_integers(self) -> Self {
        let integer = |code: u32| match self.number(code)? {
            Num::Int(value) => Some(value),
            _ => None,
        };
        let integers: Option<Vec<i64>> = (0..self.dictionary.len() as u32).into_par_iter().map(integer).collect();
        Self { integers: integers.map(Integers::new), ..self }
    }

    /// The values of some codes as a column.
    pub fn gather(&self, codes: impl Iterator<Item = u32>) -> Vector {
        bytes::vector_from(self.ty, codes.map(|code| self.dictionary.get(code)))
    }

    /// A number or a date (in days), `None` for null.
    #[inline]
    pub fn number(&self, code: u32) -> Option<Num> {
        let value = self.dictionary.get(code)?;
        match self.ty {
            Type::Date => bytes::date(value).map(|days| Num::Int(i64::from(days))),
            _ => bytes::number(value),
        }
    }
}

/// What the encoding made. A clone shares columns, domains and token sets.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// Operands, as numbered by [`WantedOperands::operand`].
    pub columns: Vec<EncodedColumn>,
    /// Domains.
    pub domains: Vec<Arc<Domain>>,
    /// Token sets, as numbered by [`WantedOperands::tokens`], by code of their operand's domain.
    pub tokens: Vec<Arc<TokenSets>>,
    /// The operand of each of these, and how its values became sets.
    pub token_sources: Vec<(usize, Tokenizer)>,
}

impl Encoded {
    /// Memory it takes. Values that domains share count once.
    pub fn bytes(&self) -> usize {
        let codes: usize = self.columns.iter().map(|c| size_of_val(&c.codes[..])).sum();
        let mut known = BTreeSet::new();
        let of_domain = |domain: &Arc<Domain>| {
            let is_new = known.insert(domain.dictionary.place());
            domain.bytes_beside_values() + if is_new { domain.dictionary.bytes() } else { 0 }
        };
        let domains: usize = self.domains.iter().map(of_domain).sum();
        codes + domains + self.tokens.iter().map(|sets| sets.bytes()).sum::<usize>()
    }

    /// The domain of an operand.
    #[inline]
    pub fn domain(&self, operand: usize) -> &Domain {
        &self.domains[self.columns[operand].domain]
    }

    /// How many records have each value of an operand: counted once, for all programs that share it.
    pub fn value_rows(&self, operand: usize) -> &ValueRows {
        let EncodedColumn { codes, counted, .. } = &self.columns[operand];
        value_rows(codes, counted, self.domain(operand).dictionary.len())
    }

    /// The value of an operand in a row, as a column of one row.
    pub fn value(&self, operand: usize, row: u32) -> Vector {
        let code = self.columns[operand].codes[row as usize];
        self.domain(operand).gather(std::iter::once(code))
    }
}
