//! Derived columns: which depend on which, and their typed expressions in the order of computation.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

use sqlparser::tokenizer::Token;

use super::bind::{Binder, Column, ColumnIndex, Scope};
use super::diagnostic::{Diagnostic, Origin, Report};
use super::doubt;
use super::lexer::lexemes;
use super::list_file::ListFiles;
use super::rule_file::{DeriveText, RuleFile};
use super::stack::on_a_deep_stack;
use crate::error::{Error, Result};
use crate::expr::{Expr, ExprKind, Function, Type, Value, derived_key};
use crate::memory::MemoryBudget;

/// A derived column.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Its name.
    pub name: String,
    /// Its value, over input columns and columns derived before it.
    pub expr: Expr,
}

/// Binds all derives of one input. Returns them in the order of computation, and the columns that rules see: those of
/// the input, hidden by derived ones of the same name.
pub fn bind_derives(
    file: &RuleFile,
    texts: &[DeriveText],
    input: &[Column],
    lists: &ListFiles<'_>,
    report: &mut Report,
) -> (Vec<Derived>, ColumnIndex) {
    let names: Vec<String> = texts.iter().map(|text| text.name.to_lowercase()).collect();
    let derived_names: HashSet<&str> = names.iter().map(String::as_str).collect();
    let is_hidden = |column: &&Column| derived_names.contains(column.name.to_lowercase().as_str());
    let mut columns: ColumnIndex = input.iter().filter(|c| !is_hidden(c)).cloned().collect();
    let input: ColumnIndex = input.iter().filter(is_hidden).cloned().collect();
    let mut derived: Vec<Derived> = Vec::new();
    let order = order(texts, &names, report);
    for index in unplaced(&order, texts.len()) {
        // Part of a circle, which has been reported.
        let name = &texts[index].name;
        columns.push(Column { name: name.clone(), key: derived_key(name), ty: Ok(Type::Null) });
    }
    for index in order {
        let text = &texts[index];
        let scope = Scope::Record { columns: &columns, input: &input, own: &names[index] };
        let lists = lists.near(file.folder_of(&text.origin));
        let mut binder = Binder::new(&text.origin.text, &scope).with_lists(lists);
        let bound = binder.expression();
        report.add(&text.origin, &binder.diagnostics);
        let early = binder.doubts;
        // What reads a column that is wrong is not wrong itself: it has a type that fits every use.
        let ty = bound.as_ref().map_or(Type::Null, |expr| expr.ty);
        columns.push(Column { name: text.name.clone(), key: derived_key(&text.name), ty: Ok(ty) });
        if let Some(expr) = bound {
            let doubts = early.into_iter().chain(doubt::of_expression(&expr, &text.origin.text));
            report.add_doubts(&text.origin, doubts);
            derived.push(Derived { name: text.name.clone(), expr: empty_is_null(expr) });
        }
    }
    (derived, columns)
}

/// An expression of one record with these columns. Lists that it names are looked for in the current folder.
pub fn record_expression(text: &str, columns: &[Column]) -> Result<Expr> {
    on_a_deep_stack(|| {
        let (columns, none) = (columns.iter().cloned().collect::<ColumnIndex>(), ColumnIndex::default());
        let budget = MemoryBudget::unlimited();
        let lists = ListFiles::new(&budget);
        let scope = Scope::Record { columns: &columns, input: &none, own: "" };
        let mut binder = Binder::new(text, &scope).with_lists(lists.near(None));
        let bound = binder.expression();
        let mut report = Report::default();
        report.add(&Origin::without_file("", "expression", text), &binder.diagnostics);
        report.into_result()?;
        bound.map(empty_is_null).ok_or_else(|| Error::internal("an expression without a mistake and without a meaning"))
    })
}

/// The places of what is not in the order.
fn unplaced(order: &[usize], count: usize) -> Vec<usize> {
    let placed: HashSet<&usize> = order.iter().collect();
    (0..count).filter(|index| !placed.contains(index)).collect()
}

/// A text that is empty is none.
pub(super) fn empty_is_null(expr: Expr) -> Expr {
    if expr.ty != Type::Text {
        return expr;
    }
    let span = expr.span;
    let empty = Expr { kind: ExprKind::Literal(Value::Text(String::new())), ty: Type::Text, span };
    Expr { kind: ExprKind::Call(Function::NullIf, vec![expr, empty]), ty: Type::Text, span }
}

/// The derives, each after those it reads and otherwise as written; a cycle is reported and left out.
fn order(texts: &[DeriveText], names: &[String], report: &mut Report) -> Vec<usize> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    names.iter().enumerate().for_each(|(at, name)| by_name.entry(name).or_default().push(at));
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); texts.len()];
    let mut missing = vec![0_usize; texts.len()];
    for (at, text) in texts.iter().enumerate() {
        for read in dependencies(at, text, &by_name) {
            readers[read].push(at);
            missing[at] += 1;
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> = (0..texts.len()).filter(|at| missing[*at] == 0).map(Reverse).collect();
    let mut placed = Vec::with_capacity(texts.len());
    while let Some(Reverse(next)) = ready.pop() {
        placed.push(next);
        for reader in &readers[next] {
            missing[*reader] -= 1;
            if missing[*reader] == 0 {
                ready.push(Reverse(*reader));
            }
        }
    }
    if placed.len() < texts.len() {
        report_cycle(texts, &missing, report);
    }
    placed
}

fn report_cycle(texts: &[DeriveText], missing: &[usize], report: &mut Report) {
    let stuck: Vec<&DeriveText> = texts.iter().zip(missing).filter(|(_, m)| **m > 0).map(|(t, _)| t).collect();
    let mut names: Vec<String> = stuck.iter().take(SHOWN_IN_CYCLE).map(|t| format!("`{}`", t.name)).collect();
    if stuck.len() > SHOWN_IN_CYCLE {
        names.push(format!("and {} more", stuck.len() - SHOWN_IN_CYCLE));
    }
    let cycle =
        Diagnostic::new(stuck[0].origin.whole(), format!("derived columns depend on each other: {}", names.join(", ")))
            .with_help("a derive may read input columns and other derives, but not in a circle");
    report.add(&stuck[0].origin, &[cycle]);
}

/// The most columns that the report of a cycle names.
const SHOWN_IN_CYCLE: usize = 20;

/// The other derives whose names occur in the text, except as the name of a function.
fn dependencies(own: usize, text: &DeriveText, by_name: &HashMap<&str, Vec<usize>>) -> BTreeSet<usize> {
    let lexemes = lexemes(&text.origin.text).unwrap_or_default();
    let mut found = BTreeSet::new();
    for (at, lexeme) in lexemes.iter().enumerate() {
        let Token::Word(word) = &lexeme.token else { continue };
        if lexemes.get(at + 1).is_some_and(|next| next.token == Token::LParen) {
            continue;
        }
        let named = by_name.get(word.value.to_lowercase().as_str());
        found.extend(named.into_iter().flatten().copied().find(|at| *at != own));
    }
    found
}
