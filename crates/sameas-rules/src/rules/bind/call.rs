//! Calls of functions by name, and the special forms.

use super::{Binder, Ranking, fold};
use crate::expr::{Expr, ExprKind, Function, Reads, Side, Span, Type, Value};
use crate::rules::catalogue::{self, Form};
use crate::rules::syntax::Syntax;

impl Binder<'_> {
    pub(super) fn function(&mut self, name: &str, args: &[Syntax], span: Span) -> Option<Expr> {
        match name {
            "coalesce" => self.choice(Function::Coalesce, name, args, span),
            "least" => self.choice(Function::Least, name, args, span),
            "greatest" => self.choice(Function::Greatest, name, args, span),
            "nullif" => self.nullif(args, span),
            "neighbours" => self.neighbours(args, span),
            "in_list" => self.in_list(args, span),
            _ => self.named_call(name, args, span),
        }
    }

    /// A function of the catalogue.
    fn named_call(&mut self, name: &str, args: &[Syntax], span: Span) -> Option<Expr> {
        let Some(entry) = catalogue::find(name) else {
            let at = Span { start: span.start, end: (span.start + name.len()).min(span.end) };
            self.mistake(at, format!("unknown function `{name}`"), catalogue::advice(name));
            return None;
        };
        let bound = self.bind_all(args);
        let Form::Function { function, args: wanted, required, repeats } = entry.form else { return None };
        if args.len() < required || args.len() > wanted.len() && !repeats {
            let most = (!repeats).then_some(wanted.len());
            let help = format!("write `{}`, for example `{}`", entry.signature, entry.example);
            self.mistake(span, wrong_number(name, required, most, args.len()), help);
            return None;
        }
        let what = format!("`{name}`");
        // The last argument may be repeated where the function says so.
        let wanted = wanted.iter().chain(std::iter::repeat(&wanted[wanted.len() - 1]));
        let converted: Vec<Option<Expr>> =
            bound?.into_iter().zip(wanted).map(|(arg, want)| self.convert(arg, want.ty(), &what)).collect();
        let converted: Vec<Expr> = converted.into_iter().collect::<Option<_>>()?;
        self.call(function, converted, span)
    }

    fn choice(&mut self, function: Function, name: &str, args: &[Syntax], span: Span) -> Option<Expr> {
        let bound = self.bind_all(args)?;
        if bound.is_empty() {
            self.mistake(span, format!("`{name}` needs at least one value"), "name the values to choose from");
            return None;
        }
        let bound = self.with_common_type(bound, span)?;
        Some(fold::call(function, bound, span))
    }

    fn nullif(&mut self, args: &[Syntax], span: Span) -> Option<Expr> {
        let bound = self.bind_all(args)?;
        if bound.len() != 2 {
            self.mistake(
                span,
                format!("`nullif` takes 2 arguments, not {}", bound.len()),
                "nullif(value, value that means null)",
            );
            return None;
        }
        let bound = self.comparable(bound, span)?;
        Some(fold::call(Function::NullIf, bound, span))
    }

    /// `neighbours(l.k, r.k, w)` is `abs(rank of l - rank of r) < w`, with the ranks as a column made once for all
    /// records.
    fn neighbours(&mut self, args: &[Syntax], span: Span) -> Option<Expr> {
        let bound = self.bind_all(args)?;
        let keys = match <[Expr; 3]>::try_from(bound) {
            Ok([a, b, w]) => match (a.sides(), b.sides(), &w.kind) {
                (Reads::One(Side::Left), Reads::One(Side::Right), ExprKind::Literal(Value::Number(_))) => {
                    Some((a, b, w))
                }
                (Reads::One(Side::Right), Reads::One(Side::Left), ExprKind::Literal(Value::Number(_))) => {
                    Some((b, a, w))
                }
                _ => None,
            },
            Err(_) => None,
        };
        let Some((left, right, width)) = keys else {
            self.mistake(
                span,
                "`neighbours` needs a key of `l`, a key of `r` and a number",
                "neighbours(l.k, r.k, 20)",
            );
            return None;
        };
        let [left, right] = <[Expr; 2]>::try_from(self.comparable(vec![left, right], span)?).ok()?;
        let keys = [left.own(), right.own()];
        let name = format!("rank of {} and {}", keys[0].canonical(), keys[1].canonical());
        if self.scope.is_one_table() && keys[0].canonical() != keys[1].canonical() {
            self.mistake(
                span,
                "within one table both keys of `neighbours` must be the same expression",
                "neighbours(l.k, r.k, 20)",
            );
            return None;
        }
        let rank = |side| Expr { kind: ExprKind::Column(side, name.clone()), ty: Type::Number, span };
        let distance = fold::call(Function::Subtract, vec![rank(Side::Left), rank(Side::Right)], span);
        let distance = fold::call(Function::Abs, vec![distance], span);
        let near = fold::call(Function::Less, vec![distance, width], span);
        if !self.rankings.iter().any(|r| r.name == name) {
            self.rankings.push(Ranking { name, keys });
        }
        Some(near)
    }
}

fn wrong_number(name: &str, least: usize, most: Option<usize>, given: usize) -> String {
    let takes = match (least, most) {
        (1, Some(1)) => "1 argument".to_owned(),
        (1, None) => "at least 1 argument".to_owned(),
        (least, None) => format!("at least {least} arguments"),
        (least, Some(most)) if least == most => format!("{most} arguments"),
        (least, Some(most)) => format!("{least} to {most} arguments"),
    };
    format!("`{name}` takes {takes}, not {given}")
}
