//! `in_list(a, b, 'file.csv')`: equal, or together in a group of a file.

use std::sync::Arc;

use super::{Binder, fold};
use crate::expr::{Expr, ExprKind, Function, Span, Type, Value, ValueGroups};
use crate::memory::Held;
use crate::rules::syntax::Syntax;

const EXAMPLE: &str = "in_list(l.given, r.given, 'nicknames.csv')";

impl Binder<'_> {
    /// It is `list_has_any` of the groups of both values, each value being a group of its own. So it is joined as sets are.
    pub(super) fn in_list(&mut self, args: &[Syntax], span: Span) -> Option<Expr> {
        let bound = self.bind_all(args)?;
        let Ok([a, b, file]) = <[Expr; 3]>::try_from(bound) else {
            let message = format!("`in_list` takes 3 arguments, not {}", args.len());
            self.mistake(span, message, format!("write two values and a file: `{EXAMPLE}`"));
            return None;
        };
        let groups = self.groups(&file)?;
        let sets = [a, b].map(|value| self.set(value, &groups));
        let [Some(a), Some(b)] = sets else { return None };
        Some(fold::call(Function::ListHasAny, vec![a, b], span))
    }

    /// The groups that a value is in.
    fn set(&mut self, value: Expr, groups: &Arc<ValueGroups>) -> Option<Expr> {
        let value = self.convert(value, Type::Text, "`in_list`")?;
        let span = value.span;
        let groups = Expr { kind: ExprKind::Literal(Value::Groups(groups.clone())), ty: Type::Null, span };
        Some(fold::call(Function::ListGroups, vec![value, groups], span))
    }

    /// The groups of the file that an argument names; none where files are not read.
    fn groups(&mut self, file: &Expr) -> Option<Arc<ValueGroups>> {
        let ExprKind::Literal(Value::Text(path)) = &file.kind else {
            let message = "the file must be written here, as a text in quotes";
            self.mistake(file.span, message, format!("write for example `{EXAMPLE}`"));
            return None;
        };
        let Some(lists) = &self.lists else {
            return Some(Arc::new(ValueGroups::new(path, 0, 0, Held::default())));
        };
        match lists.read(path) {
            Ok(groups) => Some(groups),
            Err((message, help)) => {
                self.mistake(file.span, message, help);
                None
            }
        }
    }
}
