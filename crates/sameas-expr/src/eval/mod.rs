//! Evaluates a typed expression over the rows of a table or the pairs of a batch, one whole column at a time.

mod argument;
mod cell;
mod counts;
mod gather;
mod import;
mod membership;
#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;
mod write;

pub(super) use argument::{Arg, Args, TextArg};
pub(super) use cell::Cell;
pub use counts::ParseCounts;
pub use gather::gather;
pub use import::{type_of, vector_of};
pub(super) use write::{bools, numbers, texts};

use membership::Members;

use super::functions::{apply, groups_of};
use super::{Expr, ExprKind, Function, NumberVector, Side, Value, Vector};
use crate::cancel::Cancel;

/// Where an expression finds its columns.
pub trait Columns {
    /// Number of rows, the same for every column.
    fn rows(&self) -> usize;

    /// The values of a column; empty texts of an input are null in it.
    fn column(&self, side: Side, name: &str) -> Vector;

    /// The values of an operand of a compiled rule.
    fn operand(&self, side: Side, operand: usize) -> Vector;

    /// What counts the memory of an evaluation, and ends it where that does not suffice.
    fn cancel(&self) -> Cancel<'_> {
        Cancel::NEVER
    }
}

/// The value of `expr` for every row, as a vector of the expression's type.
///
/// Failed conversions of columns are added to `counts`, if it is given. The memory of what is computed is counted by
/// [`Columns::cancel`] while it is written. Texts of one call that take 2 GiB or more per column, more than an Arrow text
/// array holds, end the job too; callers work in batches.
pub fn evaluate(expr: &Expr, columns: &dyn Columns, counts: Option<&ParseCounts>) -> Vector {
    let rows = columns.rows();
    write::typed(Evaluator { columns, counts }.arg(expr).into_vector(rows, columns.cancel()), expr.ty)
}

/// What does not change while an expression's tree is walked.
struct Evaluator<'a> {
    columns: &'a dyn Columns,
    counts: Option<&'a ParseCounts>,
}

impl Evaluator<'_> {
    fn arg(&self, expr: &Expr) -> Arg {
        match &expr.kind {
            ExprKind::Column(side, name) => Arg::column(self.columns.column(*side, name)),
            ExprKind::Operand(side, operand) => Arg::column(self.columns.operand(*side, *operand)),
            ExprKind::Literal(value) => Arg::constant(literal(value)),
            ExprKind::Call(function, arguments) => self.call(*function, arguments),
        }
    }

    fn call(&self, function: Function, arguments: &[Expr]) -> Arg {
        if let (Function::In, Some(members)) = (function, Members::from_arguments(arguments)) {
            return members.find(&self.arg(&arguments[0]), self.columns.rows());
        }
        if let (Function::ListGroups, [value, Expr { kind: ExprKind::Literal(Value::Groups(groups)), .. }]) =
            (function, arguments)
        {
            return groups_of(&self.arg(value), groups, self.columns.rows(), self.columns.cancel());
        }
        let at_once = together(function);
        if arguments.len() > at_once {
            return self.chain(function, arguments, at_once);
        }
        let list: Vec<Arg> = arguments.iter().map(|argument| self.arg(argument)).collect();
        let result = self.apply(function, &list);
        self.count(function, arguments, &list, &result);
        result
    }

    /// A function of constants only is computed for one row and stays a constant.
    fn apply(&self, function: Function, list: &[Arg]) -> Arg {
        let cancel = self.columns.cancel();
        if list.iter().all(Arg::is_constant) {
            return Arg::constant(apply(function, &Args::new(list, 1, cancel))).held(cancel);
        }
        Arg::column(apply(function, &Args::new(list, self.columns.rows(), cancel))).held(cancel)
    }

    /// A long chain from the left to the right, so that few of its columns are in memory at once.
    fn chain(&self, function: Function, arguments: &[Expr], at_once: usize) -> Arg {
        let (first, rest) = arguments.split_at(at_once);
        let first: Vec<Arg> = first.iter().map(|argument| self.arg(argument)).collect();
        let mut so_far = self.apply(function, &first);
        for some in rest.chunks(at_once - 1) {
            let list: Vec<Arg> =
                std::iter::once(so_far).chain(some.iter().map(|argument| self.arg(argument))).collect();
            so_far = self.apply(function, &list);
        }
        so_far
    }

    /// Counts what a conversion could not read, where its argument is a text column itself.
    fn count(&self, function: Function, arguments: &[Expr], list: &[Arg], result: &Arg) {
        let (Some(counts), true) = (self.counts, function.reads_text()) else { return };
        let ([argument, ..], [value, ..]) = (arguments, list) else { return };
        if let (ExprKind::Column(_, name), Some(given)) = (&argument.kind, value.text_count()) {
            counts.add(name, given.saturating_sub(result.count()));
        }
    }
}

/// The arguments of a chain that are computed at once: arithmetic takes two.
fn together(function: Function) -> usize {
    match function {
        Function::Add | Function::Multiply => 2,
        Function::And | Function::Or => 16,
        _ => usize::MAX,
    }
}

/// A literal as a vector of one row.
fn literal(value: &Value) -> Vector {
    match value {
        Value::Null => Vector::Null(1),
        Value::Bool(value) => Vector::Bool(vec![Some(*value)]),
        Value::Text(value) => Vector::Text(vec![value.as_str()].into()),
        Value::Number(value) => Vector::Number(NumberVector::repeated(Some(*value), 1)),
        // Never a value of its own: the one function that takes it reads it from the expression.
        Value::Groups(_) => Vector::Null(1),
    }
}
