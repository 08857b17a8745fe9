//! Typed expressions: what `derive` computes once per record and what rules check of a pair.
//!
//! An [`Expr`] is made by the rules' binder, which has checked names and types and has written every
//! conversion out as a call; evaluating one therefore cannot fail. A value that cannot be computed
//! (division by zero, a failed cast, an overflow) is null.
//!
//! Evaluation works on whole columns. Only memory that does not suffice ends it (`Columns::cancel`). `canonical` gives
//! one text for all ways of writing the same thing, by which equal predicates and symmetric rules are recognised.
//!
//! A number ([`Num`]) is a 64-bit integer, a float, or a `Decimal` for what neither holds: unsigned integers from 2^63
//! on, and columns of decimals. Order and equality are those of the values, and each value has one canonical form,
//! which joins and dictionaries use. A column takes 16 bytes a number unless there is a decimal in it (`NumberVector`).
//! Kernels know integers and floats; what is computed with decimals is decided by the host.

extern crate self as expr;

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{cancel, error, memory};
use sameas_measures as measure;

mod array;
mod calendar;
mod canonical;
mod column_name;
mod decimal;
mod eval;
mod field_value;
mod function;
mod functions;
mod number_list;
mod number_vector;
mod timestamp;
mod types;
mod value_groups;
mod vector;

pub use array::{array_of, array_type};
pub use calendar::date_text;
pub use calendar::parse_date;
pub use canonical::Reads;
pub use column_name::{SOURCE_DATASET, derived_key, repeated_field, repetition, shown_name};
pub use decimal::Decimal;
pub use eval::{Columns, ParseCounts, evaluate, gather, type_of, vector_of};
pub use field_value::FieldValue;
pub use function::Function;
pub use functions::{DIRECTIVES, FormatMistake, MONTHS, format_mistake, shown_member};
pub use number_list::NumberItems;
pub use number_vector::NumberVector;
pub use timestamp::utc;
pub use types::{Num, Type};
pub use value_groups::ValueGroups;
pub use vector::{BESIDE_A_TEXT, Vector};

/// Which record of a pair a column belongs to. A `derive` sees one record only and uses `Left`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// `l`, the left record.
    Left,
    /// `r`, the right record.
    Right,
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A text in quotes.
    Text(String),
    /// A number.
    Number(Num),
    /// The groups of a file, which `in_list` looks values up in.
    Groups(std::sync::Arc<ValueGroups>),
}

/// Bytes of the rule's text that an expression came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// First byte after it.
    pub end: usize,
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
    /// Where it was written.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A column of one record, by its name as the table spells it.
    Column(Side, String),
    /// What one record has for an operand of a compiled rule, by the operand's number.
    Operand(Side, usize),
    /// A constant.
    Literal(Value),
    /// A function or operator of its arguments.
    Call(Function, Vec<Expr>),
}
