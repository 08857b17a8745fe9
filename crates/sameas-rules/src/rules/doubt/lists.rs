//! Values that are looked for in a list.

use super::DoubtKind;
use super::constant::text;
use super::texts::Unreachable;
use super::walk::DoubtWalk;
use crate::expr::{Expr, ExprKind, Span, Value};

impl DoubtWalk<'_> {
    /// `of in (items)`, or `not in` where that must be false.
    pub(super) fn list(&mut self, of: &Expr, items: &[Expr], want: bool, span: Span) {
        self.value(of);
        self.nulls(items, want, span);
        let reason = |item: &Expr| Some((item.span, self.unreachable(of, text(item)?, item.span)?));
        let found: Vec<(Span, Unreachable)> = items.iter().filter_map(reason).collect();
        let is_empty = want && found.len() == items.len();
        for (at, Unreachable { kind, why, help }) in found {
            match is_empty {
                true => self.never(kind, at, &why, help),
                false => self.warn(kind, at, format!("this is never found: {why}"), help),
            }
        }
    }

    fn nulls(&mut self, items: &[Expr], want: bool, span: Span) {
        let is_null = |item: &&Expr| matches!(item.kind, ExprKind::Literal(Value::Null));
        let nulls = items.iter().filter(is_null).count();
        let Some(first) = items.iter().find(is_null) else { return };
        let help = "write `is null` or `is not null` for missing values".to_owned();
        if !want {
            let why = "`not in` is null for every list with null in it, unless the value is found";
            self.never(DoubtKind::NullInList, span, why, help);
        } else if nulls == items.len() {
            self.never(DoubtKind::NullInList, span, "nothing equals null", help);
        } else {
            self.warn(DoubtKind::NullInList, first.span, "nothing equals null, so it is never found".to_owned(), help);
        }
    }
}
