//! Which text columns expressions read as numbers or dates, and in which records: a value that no `case` comes to is
//! not read, and whether it is a number does not matter.

use std::collections::BTreeMap;

use crate::expr::{Expr, ExprKind, Function, Reads, Side, Span, Type};

/// Conditions of `case` that are looked at for a column at most. Where there are more, all of its values count as read.
const MOST_CONDITIONS: usize = 256;

/// How a text column is read as a number or a date.
#[derive(Debug)]
pub enum ColumnUse {
    /// In every record: the conversion.
    Everywhere(Expr),
    /// In some: true where a value is there, is read, and is neither a number nor a date.
    Missed(Expr),
}

impl ColumnUse {
    /// What is computed to know which values cannot be read.
    pub fn expression(&self) -> &Expr {
        match self {
            Self::Everywhere(expr) | Self::Missed(expr) => expr,
        }
    }
}

/// The columns that expressions read as numbers or dates, each once, however often it is read.
#[derive(Default)]
pub struct ColumnUses {
    by_column: BTreeMap<String, UsesOfColumn>,
}

/// What was found of a column.
#[derive(Default)]
struct UsesOfColumn {
    everywhere: Option<Expr>,
    /// By their canonical texts.
    missed: BTreeMap<String, Expr>,
    /// Conditions that were looked at.
    conditions: usize,
}

/// A `case` on the way to an expression: its arguments, and the place of the one that the expression is in.
type EnclosingCase<'e> = (&'e [Expr], usize);

impl ColumnUses {
    /// Adds the columns of an expression.
    pub fn add(&mut self, expr: &Expr) {
        self.walk(expr, &mut Vec::new());
    }

    /// The columns by their names in expressions.
    pub fn into_vec(self) -> Vec<(String, ColumnUse)> {
        let all_of = |found: UsesOfColumn| match found.everywhere {
            Some(conversion) => ColumnUse::Everywhere(conversion),
            None => ColumnUse::Missed(call(Function::Or, found.missed.into_values().collect())),
        };
        self.by_column.into_iter().map(|(name, found)| (name, all_of(found))).collect()
    }

    fn walk<'e>(&mut self, expr: &'e Expr, ways: &mut Vec<EnclosingCase<'e>>) {
        let ExprKind::Call(function, args) = &expr.kind else { return };
        if function.reads_text()
            && let ExprKind::Column(side, name) = &args[0].kind
        {
            self.by_column.entry(name.clone()).or_default().add(expr, &args[0], *side, ways);
            return;
        }
        for (at, arg) in args.iter().enumerate() {
            if *function == Function::Case {
                ways.push((&args[..], at));
                self.walk(arg, ways);
                ways.pop();
            } else {
                self.walk(arg, ways);
            }
        }
    }
}

impl UsesOfColumn {
    /// Adds a conversion of a value of the record on this side.
    fn add(&mut self, conversion: &Expr, value: &Expr, side: Side, ways: &[EnclosingCase<'_>]) {
        if self.everywhere.is_some() {
            return;
        }
        self.conditions += ways.iter().map(|(_, at)| at.div_ceil(2)).sum::<usize>();
        let mut parts = Vec::new();
        if value.ty == Type::Text && self.conditions <= MOST_CONDITIONS {
            ways.iter().for_each(|way| add_conditions(*way, side, &mut parts));
        }
        if parts.is_empty() {
            self.everywhere = Some(conversion.own());
            return;
        }
        parts.push(call(Function::IsNotNull, vec![value.clone()]));
        parts.push(call(Function::IsNull, vec![conversion.clone()]));
        let missed = call(Function::And, parts).own();
        self.missed.insert(missed.canonical(), missed);
    }
}

/// Adds what is true of a record where a `case` comes to one of its arguments: no condition before is, and if the
/// argument is a value, its own condition is. Of a condition on two records only what is said of this one is known.
fn add_conditions((args, at): EnclosingCase<'_>, side: Side, parts: &mut Vec<Expr>) {
    let is_known = |condition: &Expr| match condition.sides() {
        Reads::None => true,
        Reads::One(of) => of == side,
        Reads::Both => false,
    };
    let is_value = at % 2 == 1;
    let before = if is_value { &args[..at - 1] } else { &args[..at] };
    for condition in before.iter().step_by(2).filter(|condition| is_known(condition)) {
        parts.push(call(Function::Not, vec![call(Function::IsTrue, vec![condition.clone()])]));
    }
    if is_value {
        let mut own = Vec::new();
        add_conjuncts(&args[at - 1], &mut own);
        parts.extend(own.into_iter().filter(|condition| is_known(condition)).cloned());
    }
}

/// Adds what must all be true where a condition is.
fn add_conjuncts<'e>(condition: &'e Expr, all: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::Call(Function::And, parts) => parts.iter().for_each(|part| add_conjuncts(part, all)),
        _ => all.push(condition),
    }
}

fn call(function: Function, args: Vec<Expr>) -> Expr {
    Expr { kind: ExprKind::Call(function, args), ty: Type::Bool, span: Span::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Column, record_expression};

    /// What is found in expressions of one record with two texts, `a` and `kind`.
    fn found(expressions: &[&str]) -> Vec<(String, ColumnUse)> {
        let column = |name: &str| Column { name: name.to_owned(), key: name.to_owned(), ty: Ok(Type::Text) };
        let columns = [column("a"), column("kind")];
        let mut uses = ColumnUses::default();
        expressions.iter().for_each(|text| uses.add(&record_expression(text, &columns).unwrap()));
        uses.into_vec()
    }

    /// The conditions under which `a` is missed, if it is not read everywhere.
    fn missed(expressions: &[&str]) -> Option<String> {
        match &found(expressions)[..] {
            [(name, ColumnUse::Missed(missed))] if name == "a" => Some(missed.canonical()),
            [(name, ColumnUse::Everywhere(_))] if name == "a" => None,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_case_reads_what_it_comes_to() {
        let a = "cast(a as bigint)";
        assert_eq!(missed(&[a]), None);
        let when = format!("case when kind = 'n' then {a} end");
        let text = missed(&[&when]).unwrap();
        assert!(text.contains("IsNotNull(l.\"a\")") && text.contains("Equal("), "{text}");
        // The same place again changes nothing; a place that is always read, everything.
        assert_eq!(missed(&[&when, &when]), Some(text));
        assert_eq!(missed(&[&when, a]), None);
        // The first condition of a `case` is always read, what comes after it is not.
        assert_eq!(missed(&[&format!("case when {a} > 3 then 1 end")]), None);
        let later = missed(&[&format!("case when kind = 'n' then 1 when {a} > 3 then 2 end")]).unwrap();
        assert!(later.contains("Not(IsTrue("), "{later}");
        let otherwise = missed(&[&format!("case when kind = 'n' then 1 else {a} end")]).unwrap();
        assert!(otherwise.contains("Not(IsTrue("), "{otherwise}");
        assert!(found(&["lower(a)"]).is_empty());
    }

    #[test]
    fn of_very_long_cases_all_values_count() {
        let whens = |count: usize| (0..count).map(|at| format!(" when kind = '{at}' then 1")).collect::<String>();
        let with = |count: usize| format!("case{} else cast(a as bigint) end", whens(count));
        assert!(missed(&[&with(MOST_CONDITIONS)]).is_some());
        assert_eq!(missed(&[&with(MOST_CONDITIONS + 1)]), None);
    }
}
