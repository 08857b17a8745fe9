//! `x in (...)` with many constants: they are looked up, not compared one by one.

use std::collections::HashSet;

use super::argument::Arg;
use super::cell::Cell;
use super::write::bools;
use crate::expr::{Expr, ExprKind, Value};

/// Fewer constants than this are compared.
const MANY: usize = 16;

/// The constants of a list, read from the expression itself: nothing is made of each of them but a reference.
pub(super) struct Members<'a> {
    texts: HashSet<&'a str, foldhash::fast::RandomState>,
    /// Those that are not text, in order.
    others: Vec<Cell<'a>>,
    has_null: bool,
}

impl<'a> Members<'a> {
    /// The members of a list of many constants and nothing else. The first argument is the value that is looked for.
    pub(super) fn from_arguments(arguments: &'a [Expr]) -> Option<Self> {
        let members = arguments.get(1..).filter(|members| members.len() >= MANY)?;
        let mut found = Self { texts: HashSet::default(), others: Vec::new(), has_null: false };
        for member in members {
            match &member.kind {
                ExprKind::Literal(Value::Null) => found.has_null = true,
                ExprKind::Literal(Value::Text(text)) => _ = found.texts.insert(text),
                ExprKind::Literal(Value::Number(number)) => found.others.push(Cell::Number(*number)),
                ExprKind::Literal(Value::Bool(truth)) => found.others.push(Cell::Bool(*truth)),
                _ => return None,
            }
        }
        found.others.sort_unstable();
        Some(found)
    }

    /// True where the value is a member, else null where it or a member is null, else false.
    pub(super) fn find(&self, value: &Arg, rows: usize) -> Arg {
        let is_member = |row: usize| {
            let value = value.cell(row)?;
            let found = match value {
                Cell::Text(text) => self.texts.contains(text),
                other => self.others.binary_search(&other).is_ok(),
            };
            if found { Some(true) } else { (!self.has_null).then_some(false) }
        };
        if value.is_constant() { Arg::constant(bools(1, is_member)) } else { Arg::column(bools(rows, is_member)) }
    }
}
