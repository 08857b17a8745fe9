//! A program as `sameas relate` reads it.

use std::fmt::{Display, Formatter, Result};

use super::{Atom, ColumnType, Comparison, Literal, Program, Rule, Term, Value};

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Term::Variable(variable) => write!(f, "v{variable}"),
            Term::Constant(value) => write!(f, "{value}"),
            Term::Any => write!(f, "_"),
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Comparison::Equal => "=",
            Comparison::Different => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        })
    }
}

impl Program {
    /// The program as a text that can be parsed.
    pub fn text(&self) -> String {
        let declarations = self.relations.iter().map(|relation| {
            let typed = |(at, kind): (usize, &ColumnType)| {
                format!("c{at}: {}", if *kind == ColumnType::Number { "number" } else { "symbol" })
            };
            let columns: Vec<String> = relation.columns.iter().enumerate().map(typed).collect();
            let (name, columns) = (&relation.name, columns.join(", "));
            let input = if relation.facts.is_some() { format!(".input {name}\n") } else { String::new() };
            format!(".decl {name}({columns})\n{input}.output {name}\n")
        });
        declarations.chain(self.rules.iter().map(|rule| self.rule_text(rule) + "\n")).collect()
    }

    fn rule_text(&self, rule: &Rule) -> String {
        let body: Vec<String> = rule.body.iter().map(|literal| self.literal_text(literal)).collect();
        format!("{} :- {}.", self.atom_text(&rule.head), body.join(", "))
    }

    fn literal_text(&self, literal: &Literal) -> String {
        match literal {
            Literal::Holds(atom) => self.atom_text(atom),
            Literal::Absent(atom) => format!("!{}", self.atom_text(atom)),
            Literal::Compared(left, comparison, right) => format!("{left} {comparison} {right}"),
            Literal::Counted(variable, atom) => format!("v{variable} = count : {{ {} }}", self.atom_text(atom)),
        }
    }

    fn atom_text(&self, atom: &Atom) -> String {
        let terms: Vec<String> = atom.terms.iter().map(Term::to_string).collect();
        format!("{}({})", self.relations[atom.relation].name, terms.join(", "))
    }
}

/// The text with the facts below it, for the report of a failure.
impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.text())?;
        for relation in &self.relations {
            for fact in relation.facts.iter().flatten() {
                let values: Vec<String> = fact.iter().map(Value::to_string).collect();
                writeln!(f, "// {}({}).", relation.name, values.join(", "))?;
            }
        }
        Ok(())
    }
}
