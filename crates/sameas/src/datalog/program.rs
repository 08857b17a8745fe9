//! A program from its text: parsed, checked, put in order. All mistakes are reported at once, each underlined.

use std::path::Path;
use std::sync::Arc;

use super::clause::ClauseReader;
use super::core::{CoreProgram, CoreRole};
use super::declare::Declared;
use super::domains::ColumnDomains;
use super::parser::parse;
use super::strata::{Stratum, strata};
use super::syntax::ValueKind;
use crate::error::{Error, Result};
use crate::expr::Span;
use crate::rules::{Diagnostic, Origin, Report, SourceFile};

/// A Datalog program that has no mistakes. Clones are cheap.
///
/// ```
/// # fn main() -> sameas::Result<()> {
/// let text = ".decl edge(x: number, y: number)
///     .decl path(x: number, y: number)
///     .input edge
///     .output path
///     path(x, y) :- edge(x, y).
///     path(x, z) :- path(x, y), edge(y, z).";
/// let program = sameas::RelateProgram::parse("paths.dl", text)?;
/// assert_eq!(program.outputs().collect::<Vec<_>>(), ["path"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RelateProgram(Arc<CheckedProgram>);

/// What there is to know about a program before there are tuples.
pub(super) struct CheckedProgram {
    pub core: CoreProgram,
    pub strata: Vec<Stratum>,
    pub domains: ColumnDomains,
    file: Arc<SourceFile>,
}

impl RelateProgram {
    /// The program of a file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| Error::io("cannot read the program", path, error))?;
        let name = path.display().to_string();
        let text = String::from_utf8(bytes)
            .map_err(|error| Error::data(format!("{name}: the program is not UTF-8")).with_source(error))?;
        Self::parse(&name, &text)
    }

    /// The program of a text; `name` is what mistakes call it.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let file = Arc::new(SourceFile::new(name, text));
        match checked(text) {
            Ok((core, strata)) => {
                let domains = ColumnDomains::of(&core);
                Ok(Self(Arc::new(CheckedProgram { core, strata, domains, file })))
            }
            Err(mistakes) => {
                let mut report = Report::default();
                report.add(&Origin::of_file(&file), &mistakes);
                let result = report.into_result();
                Err(result.err().unwrap_or_else(|| Error::internal("a program with a mistake that is not shown")))
            }
        }
    }

    /// The relations that files fill, as `.input` names them.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.0.core.inputs.iter().map(|place| self.0.core.relations[*place].name.as_str())
    }

    /// The relations that are results, as `.output` names them.
    pub fn outputs(&self) -> impl Iterator<Item = &str> {
        self.0.core.outputs.iter().map(|place| self.0.core.relations[*place].name.as_str())
    }

    /// All relations that the program declares, with the names and kinds of their columns.
    pub fn relations(&self) -> impl Iterator<Item = (&str, Vec<(&str, ValueKind)>)> {
        let declared = self.0.core.relations.iter().filter(|relation| relation.role == CoreRole::Declared);
        declared.map(|relation| {
            let columns = relation.columns.iter().map(|column| (column.name.as_str(), column.kind));
            (relation.name.as_str(), columns.collect())
        })
    }

    pub(super) fn checked(&self) -> &CheckedProgram {
        &self.0
    }
}

impl std::fmt::Debug for RelateProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RelateProgram {{ {} }}", self.0.file.name)
    }
}

impl CheckedProgram {
    /// Text of the program in one line, for reports.
    pub fn written(&self, span: Span) -> String {
        self.file.text[span.start..span.end].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// `paths.dl:7`.
    pub fn place(&self, span: Span) -> String {
        self.file.place(span.start)
    }
}

fn checked(text: &str) -> std::result::Result<(CoreProgram, Vec<Stratum>), Vec<Diagnostic>> {
    let (written, mut mistakes) = parse(text);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut program = CoreProgram::default();
    let declared = Declared::of(&written, &mut program, &mut mistakes);
    let line_ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
    let mut reader = ClauseReader { declared: &declared, program, mistakes, line_ends };
    written.clauses.iter().for_each(|clause| reader.read(clause));
    let ClauseReader { program, mut mistakes, .. } = reader;
    let strata = strata(&program).unwrap_or_else(|found| {
        mistakes.extend(found);
        Vec::new()
    });
    if written.outputs.is_empty() {
        let end = Span { start: text.trim_end().len(), end: text.trim_end().len() };
        let mistake = Diagnostic::new(end, "the program has no result");
        mistakes.push(mistake.with_help("name a relation that is to be written, as in `.output path`"));
    }
    mistakes.sort_by_key(|mistake| mistake.span.start);
    if mistakes.is_empty() { Ok((program, strata)) } else { Err(mistakes) }
}
