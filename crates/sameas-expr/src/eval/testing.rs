//! What the tests of the functions share: short names for values, and checks that a function returns the same result
//! whether its arguments are constants or columns.

use crate::cancel::Cancel;
use crate::expr::eval::cell;
use crate::expr::eval::write::{typed, write_texts};
use crate::expr::{Columns, Decimal, Expr, ExprKind, Function, Num, NumberItems, NumberVector, Side, Span, Type};
use crate::expr::{Value, Vector, evaluate};

use super::Cell;

pub(crate) fn t(text: &str) -> Vector {
    Vector::Text(vec![text].into())
}

pub(crate) fn n(value: i64) -> Vector {
    Vector::Number(NumberVector::repeated(Some(Num::Int(value)), 1))
}

pub(crate) fn f(value: f64) -> Vector {
    Vector::Number(NumberVector::repeated(Some(Num::Float(value)), 1))
}

/// A decimal.
pub(crate) fn w(text: &str) -> Vector {
    let number = Decimal::parse(text).map(Num::Wide);
    assert!(number.is_some(), "{text} is a decimal");
    Vector::Number(NumberVector::repeated(number, 1))
}

pub(crate) fn b(value: bool) -> Vector {
    Vector::Bool(vec![Some(value)])
}

pub(crate) fn d(days: i32) -> Vector {
    Vector::Date(vec![Some(days)])
}

pub(crate) fn tl(list: &[&str]) -> Vector {
    Vector::TextList(vec![Some(list.iter().map(|text| Box::from(*text)).collect())])
}

pub(crate) fn nl(list: &[f64]) -> Vector {
    Vector::NumberList(vec![Some(NumberItems::from(list))])
}

pub(crate) fn null() -> Vector {
    Vector::Null(1)
}

/// Columns named `0`, `1` and so on.
pub(crate) struct Table(pub(crate) usize, pub(crate) Vec<Vector>);

impl Columns for Table {
    fn rows(&self) -> usize {
        self.0
    }

    fn column(&self, _: Side, name: &str) -> Vector {
        self.1[name.parse::<usize>().expect("a column number")].clone()
    }

    fn operand(&self, _: Side, operand: usize) -> Vector {
        self.1[operand].clone()
    }
}

pub(crate) fn column(index: usize, ty: Type) -> Expr {
    Expr { kind: ExprKind::Column(Side::Left, index.to_string()), ty, span: Span::default() }
}

pub(crate) fn call(function: Function, arguments: Vec<Expr>) -> Expr {
    let is_value = |index: usize| function != Function::Case || index % 2 == 1 || index + 1 == arguments.len();
    let mut types = arguments.iter().enumerate().filter(|(index, _)| is_value(*index)).map(|(_, e)| e.ty);
    let ty = function.result_type(types.find(|ty| *ty != Type::Null).unwrap_or(Type::Null));
    Expr { kind: ExprKind::Call(function, arguments), ty, span: Span::default() }
}

/// The single value as a literal, if its type has any.
pub(crate) fn literal(value: &Vector) -> Option<Expr> {
    let kind = match cell::at(value, 0) {
        None => Value::Null,
        Some(Cell::Bool(value)) => Value::Bool(value),
        Some(Cell::Text(text)) => Value::Text(text.to_owned()),
        Some(Cell::Number(number)) => Value::Number(number),
        Some(_) => return None,
    };
    let ty = if matches!(kind, Value::Null) { Type::Null } else { value.ty() };
    Some(Expr { kind: ExprKind::Literal(kind), ty, span: Span::default() })
}

/// Single values, one below the other.
pub(crate) fn stack(values: &[Vector]) -> Vector {
    let ty = values.iter().map(Vector::ty).find(|ty| *ty != Type::Null).unwrap_or(Type::Null);
    let cells: Vec<Vector> = values.iter().map(|value| typed(value.clone(), ty)).collect();
    macro_rules! all {
        ($kind:ident) => {
            Vector::$kind(
                cells
                    .iter()
                    .flat_map(|cell| match cell {
                        Vector::$kind(values) => values.clone(),
                        _ => panic!("values of several types"),
                    })
                    .collect(),
            )
        };
    }
    match ty {
        Type::Null => Vector::Null(values.len()),
        Type::Bool => all!(Bool),
        Type::Number | Type::Decimal => Vector::Number(
            cells
                .iter()
                .flat_map(|cell| match cell {
                    Vector::Number(values) => values.iter().collect::<Vec<_>>(),
                    _ => panic!("values of several types"),
                })
                .collect(),
        ),
        Type::Date => all!(Date),
        Type::TextList => all!(TextList),
        Type::NumberList => all!(NumberList),
        Type::Text => write_texts(cells.len(), Cancel::NEVER, 0, |row, out| match cell::at(&cells[row], 0)? {
            Cell::Text(text) => {
                out.push_str(text);
                Some(())
            }
            _ => None,
        }),
    }
}

/// Each value in a form that distinguishes types and null.
pub(crate) fn show(values: &Vector) -> Vec<String> {
    let shown = |row| match cell::at(values, row) {
        None => "null".to_owned(),
        Some(Cell::Bool(value)) => value.to_string(),
        Some(Cell::Text(text)) => format!("'{text}'"),
        Some(Cell::Number(number)) => number.to_text(),
        Some(Cell::Date(days)) => format!("day {days}"),
        Some(Cell::TextList(list)) => format!("[{}]", list.join(", ")),
        Some(Cell::NumberList(list)) => format!("[{}]", list.to_texts().join(", ")),
    };
    (0..values.len()).map(shown).collect()
}

/// Checks a function of single values, with every choice of which arguments are columns and which constants.
#[track_caller]
pub(crate) fn check(function: Function, values: impl AsRef<[Vector]>, expected: &str) {
    const ROWS: usize = 3;
    let values = values.as_ref();
    let columns: Vec<Vector> = values.iter().map(|value| stack(&vec![value.clone(); ROWS])).collect();
    let table = Table(ROWS, columns);
    for constants in 0..1_u32 << values.len() {
        let argument = |(index, value): (usize, &Vector)| {
            let constant = (constants >> index & 1 == 1).then(|| literal(value)).flatten();
            constant.unwrap_or_else(|| column(index, value.ty()))
        };
        let expr = call(function, values.iter().enumerate().map(argument).collect());
        let result = evaluate(&expr, &table, None);
        assert_eq!(show(&result), [expected; ROWS], "{function:?} of {values:?}, constants {constants:b}");
        assert_eq!(result.ty(), expr.ty, "{function:?} of {values:?}");
    }
}

/// Checks a function of columns given as single values.
#[track_caller]
pub(crate) fn check_columns(function: Function, columns: &[Vec<Vector>], expected: &[&str]) {
    let table = Table(expected.len(), columns.iter().map(|values| stack(values)).collect());
    let arguments = table.1.iter().enumerate().map(|(index, values)| column(index, values.ty())).collect();
    assert_eq!(show(&evaluate(&call(function, arguments), &table, None)), expected, "{function:?}");
}
