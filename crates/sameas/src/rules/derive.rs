//! Derived columns: which depend on which, and their typed expressions in the order of computation.

use sqlparser::dialect::DuckDbDialect;
use sqlparser::tokenizer::{Token, Tokenizer, Whitespace};

use super::bind::{Binder, Column, Scope};
use super::diagnostic::{Diagnostic, Report};
use super::rule_file::DeriveText;
use crate::expr::{Expr, ExprKind, Function, Span, Type, Value, derived_key};

/// A derived column.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Its name.
    pub name: String,
    /// Its value, over input columns and columns derived before it.
    pub expr: Expr,
}

/// Binds all derives of one input. Returns them in the order of computation, and the columns that rules see.
pub fn bind_derives(texts: &[DeriveText], input: &[Column], report: &mut Report) -> (Vec<Derived>, Vec<Column>) {
    let mut derived: Vec<Derived> = Vec::new();
    for index in order(texts, report) {
        let text = &texts[index];
        let columns = columns_in_sight(Some(text), texts, input, &derived);
        let scope = Scope::Record(&columns);
        let mut binder = Binder::new(&text.origin.text, &scope);
        let bound = binder.expression();
        report.add(&text.origin, &binder.diagnostics);
        if let Some(expr) = bound {
            derived.push(Derived { name: text.name.clone(), expr: empty_is_null(expr) });
        }
    }
    let columns = columns_in_sight(None, texts, input, &derived);
    (derived, columns)
}

/// Input columns, hidden by derived ones of the same name except inside the derive of that name itself.
fn columns_in_sight(
    current: Option<&DeriveText>,
    texts: &[DeriveText],
    input: &[Column],
    derived: &[Derived],
) -> Vec<Column> {
    let own = |name: &str| current.is_some_and(|d| same_name(&d.name, name));
    let hidden = |name: &str| texts.iter().any(|d| same_name(&d.name, name));
    let inputs = input.iter().filter(|c| own(&c.name) || !hidden(&c.name)).cloned();
    let others = derived.iter().filter(|d| !own(&d.name)).map(|d| Column {
        name: d.name.clone(),
        key: derived_key(&d.name),
        ty: Ok(d.expr.ty),
    });
    inputs.chain(others).collect()
}

fn same_name(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn empty_is_null(expr: Expr) -> Expr {
    if expr.ty != Type::Text {
        return expr;
    }
    let span = expr.span;
    let empty = Expr { kind: ExprKind::Literal(Value::Text(String::new())), ty: Type::Text, span };
    Expr { kind: ExprKind::Call(Function::NullIf, vec![expr, empty]), ty: Type::Text, span }
}

/// The derives, each after those it reads; a cycle is reported and left out.
fn order(texts: &[DeriveText], report: &mut Report) -> Vec<usize> {
    let reads: Vec<Vec<usize>> = texts.iter().map(|text| dependencies(text, texts)).collect();
    let mut placed = Vec::with_capacity(texts.len());
    while placed.len() < texts.len() {
        let next = (0..texts.len()).find(|i| !placed.contains(i) && reads[*i].iter().all(|d| placed.contains(d)));
        match next {
            Some(index) => placed.push(index),
            None => {
                report_cycle(texts, &placed, report);
                break;
            }
        }
    }
    placed
}

fn report_cycle(texts: &[DeriveText], placed: &[usize], report: &mut Report) {
    let stuck: Vec<&DeriveText> =
        texts.iter().enumerate().filter(|(i, _)| !placed.contains(i)).map(|(_, t)| t).collect();
    let names: Vec<String> = stuck.iter().map(|t| format!("`{}`", t.name)).collect();
    let whole = Span { start: 0, end: stuck[0].origin.text.len() };
    let cycle = Diagnostic::new(whole, format!("derived columns depend on each other: {}", names.join(", ")))
        .with_help("a derive may read input columns and other derives, but not in a circle");
    report.add(&stuck[0].origin, &[cycle]);
}

/// The other derives whose names occur in the text, except as the name of a function.
fn dependencies(text: &DeriveText, texts: &[DeriveText]) -> Vec<usize> {
    let tokens = Tokenizer::new(&DuckDbDialect {}, &text.origin.text).tokenize().unwrap_or_default();
    let solid: Vec<&Token> = tokens
        .iter()
        .filter(|t| !matches!(t, Token::Whitespace(Whitespace::Space | Whitespace::Newline | Whitespace::Tab)))
        .collect();
    let mut found = Vec::new();
    for (at, token) in solid.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        if matches!(solid.get(at + 1), Some(Token::LParen)) {
            continue;
        }
        found.extend(texts.iter().position(|d| !std::ptr::eq(d, text) && same_name(&d.name, &word.value)));
    }
    found
}
