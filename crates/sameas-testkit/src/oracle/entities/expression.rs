//! Expressions of one record: their types, and their values.

use arrow_schema::DataType;

use super::answer::EntityAnswer;
use super::convert::{converted, scale_of, with_point};
use crate::case::{Expr, Type, type_of};
use crate::entities::{Item, ValueExpr, Whole, common_type, kept_type, list_of, rule_type};
use crate::oracle::coverage::Coverage;
use crate::oracle::interpret::Pair;
use crate::oracle::neighbours::Ranks;
use crate::oracle::records::Record;
use crate::oracle::value::Value;

/// What gives the values of a column: an expression for each input, or none where an input has nothing.
pub(super) struct ColumnOf {
    by_input: Vec<Option<Expr>>,
    /// The type of all values.
    pub(super) data_type: DataType,
}

impl EntityAnswer<'_> {
    /// What an entry gives: its expressions or, for inputs without one, the column that it is called.
    pub(super) fn column_of(&self, key: &str, value: Option<&ValueExpr>) -> ColumnOf {
        let own = || self.column_called(key).map(|name| Expr::own(&name));
        let expr = |input: usize| match value {
            None => own(),
            Some(ValueExpr::Same(expr)) => Some(expr.clone()),
            Some(ValueExpr::ByInput(all)) => {
                all.iter().find(|(of, _)| *of == input).map_or_else(own, |(_, expr)| Some(expr.clone()))
            }
        };
        self.column_by_input((0..self.case.inputs.len()).map(expr).collect())
    }

    /// One expression for all inputs.
    pub(super) fn column_by(&self, expr: &Expr) -> ColumnOf {
        self.column_by_input(vec![Some(expr.clone()); self.case.inputs.len()])
    }

    fn column_by_input(&self, by_input: Vec<Option<Expr>>) -> ColumnOf {
        let types = by_input.iter().enumerate().filter_map(|(input, expr)| self.expr_type(input, expr.as_ref()?));
        let types: Vec<DataType> = types.collect();
        ColumnOf { by_input, data_type: if types.is_empty() { DataType::Utf8 } else { common_type(&types) } }
    }

    /// The value of a row, in the type of the column.
    pub(super) fn value_of(&self, row: usize, column: &ColumnOf) -> Item {
        let (input, at) = self.rows[row];
        let Some(expr) = &column.by_input[input] else { return Item::Null };
        let Some(own) = self.expr_type(input, expr) else { return Item::Null };
        let value = match self.bare_column(input, expr) {
            Some(place) => self.value_at(input, place, at),
            None => item_of(&self.evaluated(input, at, expr)),
        };
        converted(&value, &own, &column.data_type)
    }

    /// Whether a condition is true for a row.
    pub(super) fn is_true(&self, row: usize, condition: Option<&Expr>) -> bool {
        let (input, at) = self.rows[row];
        condition.is_none_or(|expr| self.evaluated(input, at, expr) == Value::Bool(true))
    }

    /// The place of the column that an expression is, if it is nothing else.
    fn bare_column(&self, input: usize, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Column(_, name) => self.case.inputs[input].place(name),
            _ => None,
        }
    }

    /// The type that an expression has for an input; none if it is always null.
    fn expr_type(&self, input: usize, expr: &Expr) -> Option<DataType> {
        if let Some(place) = self.bare_column(input, expr) {
            return Some(kept_type(&self.case.inputs[input].columns[place].physical));
        }
        match type_of(expr, &|_, name| self.static_type(input, name)) {
            Type::Null => None,
            Type::Bool => Some(DataType::Boolean),
            Type::Text => Some(DataType::Utf8),
            Type::Number | Type::Decimal => Some(DataType::Float64),
            Type::Date => Some(DataType::Date32),
            Type::TextList => Some(list_of(DataType::Utf8)),
            Type::NumberList => Some(list_of(DataType::Float64)),
        }
    }

    /// How an expression sees a column.
    fn static_type(&self, input: usize, name: &str) -> Type {
        if let Some(place) = self.case.inputs[input].place(name) {
            return seen_type(&rule_type(&kept_type(&self.case.inputs[input].columns[place].physical)));
        }
        let derived = self.case.derives.iter().find(|(derived, _)| derived == name);
        derived.map_or(Type::Null, |(_, expr)| type_of(expr, &|_, name| self.static_type(input, name)))
    }

    fn evaluated(&self, input: usize, at: usize, expr: &Expr) -> Value {
        let named = expr.columns().into_iter().map(|(_, name)| {
            let value = self.seen_value(input, at, name);
            (name.to_owned(), (self.static_type(input, name), value))
        });
        let record = Record::with_columns(named.collect());
        let pair = Pair { left: &record, right: &record, ranks: &Ranks::default(), fault: None };
        pair.value(expr, &mut Coverage::default()).or_null_if_empty()
    }

    fn seen_value(&self, input: usize, at: usize, name: &str) -> Value {
        if let Some(place) = self.case.inputs[input].place(name) {
            let kept = kept_type(&self.case.inputs[input].columns[place].physical);
            return seen(&self.value_at(input, place, at), &kept);
        }
        let derived = self.case.derives.iter().find(|(derived, _)| derived == name);
        derived.map_or(Value::Null, |(_, expr)| self.evaluated(input, at, expr))
    }
}

fn seen_type(rule_type: &DataType) -> Type {
    match rule_type {
        DataType::Utf8 => Type::Text,
        DataType::Boolean => Type::Bool,
        DataType::Date32 => Type::Date,
        DataType::Decimal128(..) | DataType::Decimal256(..) => Type::Decimal,
        DataType::List(item) if *item.data_type() == DataType::Utf8 => Type::TextList,
        _ => Type::Number,
    }
}

/// A value as expressions see it.
fn seen(item: &Item, kept: &DataType) -> Value {
    let rules = rule_type(kept);
    match converted(item, kept, &rules) {
        Item::Null => Value::Null,
        Item::Bool(value) => Value::Bool(value),
        Item::Text(text) => Value::Text(text),
        Item::Float(value) => Value::float(value),
        Item::Whole(days) if rules == DataType::Date32 => Value::Date(days.to_i128().unwrap_or(0) as i64),
        Item::Whole(number) => whole_number(number, &rules),
        Item::List(items) => Value::Texts(items.into_iter().filter_map(text_in).collect()),
        other => panic!("no expression of a case reads {other:?}"),
    }
}

/// An integer, or a decimal where the column is one or an integer does not fit 64 bits.
fn whole_number(number: Whole, rules: &DataType) -> Value {
    let small = number.to_i128().and_then(|number| i64::try_from(number).ok());
    match small.filter(|_| seen_type(rules) == Type::Number) {
        Some(number) => Value::Int(number),
        None => Value::exact(&with_point(&number.to_string(), scale_of(rules) as usize)),
    }
}

fn text_in(item: Item) -> Option<String> {
    match item {
        Item::Text(text) => Some(text),
        _ => None,
    }
}

/// The value of an expression as one of a column.
fn item_of(value: &Value) -> Item {
    match value {
        Value::Null => Item::Null,
        Value::Bool(value) => Item::Bool(*value),
        Value::Text(text) => Item::text(text),
        Value::Date(day) => Item::whole(i128::from(*day)),
        Value::Texts(texts) => Item::List(texts.iter().map(|text| Item::text(text)).collect()),
        Value::Numbers(numbers) => Item::List(numbers.iter().map(|number| Item::Float(*number)).collect()),
        number => number.to_float().map_or(Item::Null, Item::Float),
    }
}
