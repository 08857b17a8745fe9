//! Calls of functions by name, and the special forms.

use sqlparser::ast::{Expr as Sql, Function as SqlFunction, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::{Binder, Ranking, fold};
use crate::expr::{Expr, ExprKind, Function, Num, Reads, Side, Span, Type, Value};
use crate::rules::catalogue::{self, FunctionEntry};

impl Binder<'_> {
    pub(super) fn function(&mut self, call: &SqlFunction, span: Span) -> Option<Expr> {
        let name = call.name.to_string().to_lowercase();
        if call.over.is_some() || call.filter.is_some() || !call.within_group.is_empty() {
            self.mistake(span, "windows and aggregates have no meaning for a pair of records", "use plain functions");
            return None;
        }
        let args = self.arguments(call, &name, span)?;
        match name.as_str() {
            "coalesce" => self.choice(Function::Coalesce, &name, &args, span),
            "least" => self.choice(Function::Least, &name, &args, span),
            "greatest" => self.choice(Function::Greatest, &name, &args, span),
            "nullif" => self.nullif(&args, span),
            "neighbours" => self.neighbours(&args, span),
            _ => self.named_call(&name, &args, span),
        }
    }

    fn arguments<'s>(&mut self, call: &'s SqlFunction, name: &str, span: Span) -> Option<Vec<&'s Sql>> {
        let plain = match &call.args {
            FunctionArguments::List(list) if list.duplicate_treatment.is_none() && list.clauses.is_empty() => list
                .args
                .iter()
                .map(|arg| match arg {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        if plain.is_none() {
            let help =
                if catalogue::find(name).is_some() { "give plain arguments".into() } else { catalogue::advice(name) };
            self.mistake(span, format!("`{name}` cannot be called like this"), help);
        }
        plain
    }

    /// A function of the catalogue.
    pub(super) fn named_call(&mut self, name: &str, args: &[&Sql], span: Span) -> Option<Expr> {
        let Some(entry) = catalogue::find(name) else {
            let at = Span { start: span.start, end: (span.start + name.len()).min(span.end) };
            self.mistake(at, format!("unknown function `{name}`"), catalogue::advice(name));
            return None;
        };
        let bound = self.bind_all(args.iter().copied());
        if args.len() < entry.required || args.len() > entry.args.len() {
            self.mistake(span, wrong_number(entry, args.len()), "see the README, \"The rule language\"");
            return None;
        }
        let what = format!("`{name}`");
        let converted: Vec<Option<Expr>> =
            bound?.into_iter().zip(entry.args).map(|(arg, want)| self.convert(arg, want.ty(), &what)).collect();
        let converted: Vec<Expr> = converted.into_iter().collect::<Option<_>>()?;
        self.check_literals(entry.function, &converted)?;
        Some(fold::call(entry.function, converted, span))
    }

    /// Literal patterns and sizes are checked now; what is computed per record can only become null.
    fn check_literals(&mut self, function: Function, args: &[Expr]) -> Option<()> {
        match (function, args.get(1).map(|a| (&a.kind, a.span))) {
            (
                Function::RegexpReplace | Function::RegexpExtract,
                Some((ExprKind::Literal(Value::Text(pattern)), span)),
            ) => {
                if let Err(error) = regex::Regex::new(pattern) {
                    let reason = error.to_string();
                    let reason = reason.lines().last().unwrap_or("").trim_start_matches("error: ").to_owned();
                    self.mistake(span, "this is not a regular expression", reason);
                    return None;
                }
            }
            (Function::Qgrams, Some((ExprKind::Literal(Value::Number(q)), span)))
                if !matches!(q.canonical(), Num::Int(1..)) =>
            {
                self.mistake(span, "q-grams have a length of at least 1", "write for example `qgrams(l.name, 3)`");
                return None;
            }
            _ => {}
        }
        Some(())
    }

    fn choice(&mut self, function: Function, name: &str, args: &[&Sql], span: Span) -> Option<Expr> {
        let bound = self.bind_all(args.iter().copied())?;
        if bound.is_empty() {
            self.mistake(span, format!("`{name}` needs at least one value"), "name the values to choose from");
            return None;
        }
        let bound = self.with_common_type(bound, span)?;
        Some(fold::call(function, bound, span))
    }

    fn nullif(&mut self, args: &[&Sql], span: Span) -> Option<Expr> {
        let bound = self.bind_all(args.iter().copied())?;
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
    fn neighbours(&mut self, args: &[&Sql], span: Span) -> Option<Expr> {
        let bound = self.bind_all(args.iter().copied())?;
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

fn wrong_number(entry: &FunctionEntry, given: usize) -> String {
    let takes = match (entry.required, entry.args.len()) {
        (1, 1) => "1 argument".to_owned(),
        (least, most) if least == most => format!("{most} arguments"),
        (least, most) => format!("{least} to {most} arguments"),
    };
    format!("`{}` takes {takes}, not {given}", entry.name)
}
