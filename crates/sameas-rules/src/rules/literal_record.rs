//! A literal as data that outlives its rule set: what plans, records and answers to `why` hold.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::predicate::{Literal, Predicate, Predicates};

/// A condition of a rule: a predicate, such as `l.email = r.email`, and whether it must be true or false.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LiteralRecord {
    /// The predicate's text.
    pub predicate: String,
    /// The value it must have: false under `not`.
    pub want: bool,
}

impl LiteralRecord {
    /// The record of a literal over these predicates.
    #[doc(hidden)]
    pub fn new(literal: Literal, predicates: &[Predicate]) -> Self {
        Self { predicate: predicates[literal.predicate].text.clone(), want: literal.want }
    }
}

impl Predicates {
    /// The literal as data.
    pub fn record(&self, literal: Literal) -> LiteralRecord {
        LiteralRecord::new(literal, self.all())
    }
}

/// The condition as a rule writes it.
impl fmt::Display for LiteralRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.want { f.write_str(&self.predicate) } else { write!(f, "not ({})", self.predicate) }
    }
}
