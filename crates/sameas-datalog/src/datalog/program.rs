//! A program from its text: parsed, checked, put in order. All mistakes are reported at once, each underlined.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use memchr::memchr_iter;

use super::clause::ClauseReader;
use super::core::{CoreProgram, CoreRole, CoreRule};
use super::declare::Declared;
use super::domains::ColumnDomains;
use super::facts::FactColumn;
use super::parser::parse;
use super::program_memory::ProgramMemory;
use super::strata::{Stratum, strata};
use super::syntax::{ValueKind, WrittenProgram, WrittenStatement};
use crate::error::{Error, ErrorCode, Result};
use crate::expr::Span;
use crate::memory::{MemoryBudget, default_limit};
use crate::rules::{Diagnostic, Origin, Report, SourceFile};

/// The text of a program may take this part of its memory: it is there twice while it is read, beside what is made of it.
const TEXT_SHARE: usize = 4;

/// A Datalog program that has no mistakes. Clones are cheap.
///
/// ```
/// # mod sameas { pub use sameas_core::error::Result; pub use sameas_datalog::datalog; }
/// # fn main() -> sameas::Result<()> {
/// let text = ".decl edge(x: number, y: number)
///     .decl path(x: number, y: number)
///     .input edge
///     .output path
///     path(x, y) :- edge(x, y).
///     path(x, z) :- path(x, y), edge(y, z).";
/// let program = sameas::datalog::RelateProgram::parse("paths.dl", text)?;
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
    /// What it takes, with what an evaluation makes of it.
    pub bytes: usize,
    file: Arc<SourceFile>,
}

impl RelateProgram {
    /// The program of a file. It may take as much memory as a job does unless something else is said:
    /// `Session::read_program` has another limit.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_within(path, default_limit())
    }

    /// The program of a text; `name` is what mistakes call it.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        Self::parse_within(name, text, usize::MAX)
    }

    /// As [`Self::read`], with this much memory.
    #[doc(hidden)]
    pub fn read_within(path: &Path, memory: usize) -> Result<Self> {
        let name = path.display().to_string();
        let text = String::from_utf8(bytes_of(path, memory)?)
            .map_err(|error| Error::data(format!("{name}: the program is not UTF-8")).with_source(error))?;
        Self::parse_within(&name, &text, memory)
    }

    /// As [`Self::parse`], with this much memory.
    #[doc(hidden)]
    pub fn parse_within(name: &str, text: &str, memory: usize) -> Result<Self> {
        let budget = MemoryBudget::of_program(memory);
        let lines = memchr_iter(b'\n', text.as_bytes()).count();
        budget.check_room(2 * text.len() + 2 * size_of::<usize>() * lines)?;
        let file = Arc::new(SourceFile::new(name, text));
        match checked(&file, &budget)? {
            Ok(program) => Ok(Self(Arc::new(program))),
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
    /// The rules of a stratum, in their order.
    pub fn rules_of(&self, stratum: &Stratum) -> impl Iterator<Item = &CoreRule> {
        stratum.rules.iter().map(move |at| &self.core.rules[*at])
    }

    /// Text of the program in one line, for reports.
    pub fn written(&self, span: Span) -> String {
        self.file.text[span.start..span.end].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// `paths.dl:7`.
    pub fn place(&self, span: Span) -> String {
        self.file.place(span.start)
    }
}

/// The bytes of a file, which may have no end.
fn bytes_of(path: &Path, memory: usize) -> Result<Vec<u8>> {
    let most = MemoryBudget::of_program(memory).most() / TEXT_SHARE;
    let unreadable = |error| Error::io("cannot read the program", path, error);
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() <= most {
        return Ok(bytes);
    }
    let message = format!("{}: the program is longer than {} MiB", path.display(), most >> 20);
    let help = "a program may take a quarter of the memory limit; read facts from a file, with `.input`";
    Err(Error::data(message).with_help(help).with_code(ErrorCode::MemoryLimit))
}

/// A program, or the mistakes in it.
type Checked = std::result::Result<CheckedProgram, Vec<Diagnostic>>;

/// The text is read twice: what clauses mean depends on all declarations, and clauses may be too many to be kept as they
/// are written.
fn checked(file: &Arc<SourceFile>, budget: &MemoryBudget) -> Result<Checked> {
    // Where the text comes from, it is once more.
    let mut memory = ProgramMemory::new(file.bytes() + file.text.len(), budget)?;
    let mut written = WrittenProgram::default();
    let mistakes = parse(&file.text, &mut |statement| {
        let counted = memory.add(&statement);
        written.add(statement);
        counted
    })?;
    if mistakes.is_empty() { clauses_checked(file, &written, memory) } else { Ok(Err(mistakes)) }
}

fn clauses_checked(file: &Arc<SourceFile>, written: &WrittenProgram, memory: ProgramMemory) -> Result<Checked> {
    let (mut program, mut mistakes) = (CoreProgram::default(), Vec::new());
    let declared = Declared::declare(written, &mut program, &mut mistakes);
    let mut reader = ClauseReader { declared: &declared, program, mistakes, file: file.as_ref(), memory, one: None };
    parse(&file.text, &mut |statement| match statement {
        WrittenStatement::Clause(clause) => reader.read(&clause),
        _ => Ok(()),
    })?;
    let ClauseReader { mut program, mut mistakes, memory, .. } = reader;
    let strata = strata(&program).unwrap_or_else(|found| {
        mistakes.extend(found);
        Vec::new()
    });
    if written.outputs.is_empty() {
        let end = Span { start: file.text.trim_end().len(), end: file.text.trim_end().len() };
        let mistake = Diagnostic::new(end, "the program has no result");
        mistakes.push(mistake.with_help("name a relation that is to be written, as in `.output path`"));
    }
    if !mistakes.is_empty() {
        mistakes.sort_by_key(|mistake| mistake.span.start);
        return Ok(Err(mistakes));
    }
    program.places = declared.places;
    finished(file, program, strata, memory).map(Ok)
}

/// A program whose strata are known, if what is made of its rules fits the memory.
fn finished(
    file: &Arc<SourceFile>,
    mut core: CoreProgram,
    strata: Vec<Stratum>,
    mut memory: ProgramMemory,
) -> Result<CheckedProgram> {
    for stratum in &strata {
        for rule in stratum.rules.iter().map(|at| &core.rules[*at]) {
            let joins = rule.atoms.iter().filter(|atom| stratum.has(atom.relation)).count();
            memory.bytes += rule.bytes_of_joins(joins);
        }
    }
    memory.check()?;
    let facts = core.relations.iter_mut().flat_map(|relation| &mut relation.facts);
    let facts: usize = facts.map(FactColumn::shrink_to_fit).sum();
    let (domains, bytes) = (ColumnDomains::new(&core), memory.bytes - file.text.len() + facts);
    Ok(CheckedProgram { core, strata, domains, bytes, file: Arc::clone(file) })
}
