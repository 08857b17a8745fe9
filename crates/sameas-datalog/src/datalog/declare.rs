//! What a program declares: its relations, and which of them are read and written.

use std::collections::{HashMap, HashSet};

use super::core::{CoreColumn, CoreProgram, CoreRelation, CoreRole};
use super::lexer::MOST_MISTAKES;
use super::syntax::{RelationText, WrittenName, WrittenProgram};
use crate::relation::MOST_COLUMNS;
use crate::rules::{Diagnostic, nearest};

/// A relation's file has its name and an ending.
const LONGEST_NAME: usize = 120;

/// Among more names than this the nearest is not looked for: each mistake would look at all of them.
const MOST_NAMES: usize = 10_000;

/// Relations by name.
pub(super) struct Declared {
    pub places: HashMap<String, usize>,
}

impl Declared {
    /// Declares the relations of a program, and collects mistakes.
    pub fn declare(written: &WrittenProgram, program: &mut CoreProgram, mistakes: &mut Vec<Diagnostic>) -> Self {
        let mut declared = Self { places: HashMap::new() };
        for relation in &written.declarations {
            check_columns(relation, mistakes);
            let place = program.relations.len();
            if declared.places.insert(relation.name.text.clone(), place).is_some() {
                let message = format!("relation `{}` is declared twice", relation.name.text);
                mistakes.push(Diagnostic::new(relation.name.span, message));
            }
            program.relations.push(core_relation(relation));
        }
        program.inputs = declared.listed(&written.inputs, program, mistakes);
        program.outputs = declared.listed(&written.outputs, program, mistakes);
        declared
    }

    /// The relation of a name, or the mistake that there is none.
    pub fn find(&self, name: &WrittenName, program: &CoreProgram) -> Result<usize, Diagnostic> {
        self.places.get(&name.text).copied().ok_or_else(|| {
            let mistake = Diagnostic::new(name.span, format!("unknown relation `{}`", name.text));
            let names = program.names().take(if self.places.len() > MOST_NAMES { 0 } else { MOST_NAMES });
            mistake.with_help(match nearest(&name.text, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declare it, as in `.decl {}(x: number, y: number)`", name.text),
            })
        })
    }

    /// The relations of `.input` or `.output`, once each.
    fn listed(&self, names: &[WrittenName], program: &CoreProgram, mistakes: &mut Vec<Diagnostic>) -> Vec<usize> {
        let (mut places, mut seen) = (Vec::new(), HashSet::new());
        for name in names {
            if mistakes.len() >= MOST_MISTAKES {
                break;
            }
            match self.find(name, program) {
                Ok(place) if seen.insert(place) => places.push(place),
                Ok(_) => {}
                Err(mistake) => mistakes.push(mistake),
            }
        }
        places
    }
}

fn check_columns(relation: &RelationText, mistakes: &mut Vec<Diagnostic>) {
    let (name, columns) = (&relation.name, &relation.columns);
    if columns.is_empty() || columns.len() > MOST_COLUMNS {
        let message = format!("relation `{}` has {}", name.text, columns_text(columns.len()));
        let help = match columns.len() {
            0 => format!("a relation has one to {MOST_COLUMNS} columns"),
            _ => format!("at most {MOST_COLUMNS} are possible: divide it into relations that share a column"),
        };
        mistakes.push(Diagnostic::new(name.span, message).with_help(help));
    }
    if name.text.len() > LONGEST_NAME {
        mistakes.push(Diagnostic::new(name.span, format!("the name has more than {LONGEST_NAME} characters")));
    }
    for (at, column) in columns.iter().enumerate().take(MOST_COLUMNS + 1) {
        if columns[..at].iter().any(|other| other.name.text == column.name.text) {
            mistakes.push(Diagnostic::new(column.name.span, format!("two columns are named `{}`", column.name.text)));
        }
    }
}

/// `no columns`, `1 column`, `2 columns`.
pub(super) fn columns_text(columns: usize) -> String {
    match columns {
        0 => "no columns".to_owned(),
        1 => "1 column".to_owned(),
        n => format!("{n} columns"),
    }
}

fn core_relation(relation: &RelationText) -> CoreRelation {
    let column = |column: &super::syntax::ColumnText| CoreColumn { name: column.name.text.clone(), kind: column.kind };
    let columns = relation.columns.iter().map(column).collect();
    CoreRelation::new(relation.name.text.clone(), columns, CoreRole::Declared)
}
