//! What the user gave for one side of a job: files, batches in memory, or a stream of batches.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{DataType, SchemaRef};

use super::encoding::TextEncoding;
use super::null_texts::NullTexts;
use super::tuples::TupleShape;
use crate::error::{Error, Result};
use crate::rules::RuleFile;

/// Endings that say how a file is packed; they come off first.
const PACKED: [&str; 2] = ["gz", "zst"];
/// Endings that say what a file holds.
const FORMATS: [&str; 9] = ["csv", "tsv", "txt", "json", "jsonl", "ndjson", "parquet", "pq", FACTS];
/// Endings of files that hold tuples as plain text, if nothing else is said of them.
const PLAIN: [&str; 5] = ["txt", "edges", "edgelist", "el", "dat"];
/// The ending of files that hold tuples with tabs between their values, as Soufflé reads and writes them.
const FACTS: &str = "facts";

/// One side of a job: files, Arrow record batches in memory, or a stream of them. Clones are cheap.
#[derive(Clone, Debug)]
pub struct Input {
    pub(super) source: InputSource,
    /// Texts that stand for a missing value, if they were given, and whether white space alone does.
    nulls: Option<Vec<String>>,
    blank_is_null: Option<bool>,
}

/// Where the records of an input come from.
#[derive(Clone, Debug)]
pub(super) enum InputSource {
    Files(FileInput),
    Batches { name: String, schema: SchemaRef, batches: Vec<RecordBatch> },
    Stream { name: String, schema: SchemaRef, stream: BatchStream },
}

/// A stream of batches, which can be taken once.
#[derive(Clone)]
pub(super) struct BatchStream(Arc<Mutex<Option<Box<dyn RecordBatchReader + Send>>>>);

impl BatchStream {
    /// The stream, unless it was taken before.
    pub(super) fn take(&self) -> Option<Box<dyn RecordBatchReader + Send>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }
}

impl std::fmt::Debug for BatchStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a stream of batches")
    }
}

impl Input {
    /// Files: paths, patterns (`data/*.csv`) or `-` for standard input, in CSV, JSON lines or Parquet.
    ///
    /// Files keep the order of the arguments, and the files of a pattern are sorted bytewise: this is the order of the
    /// rows.
    pub fn files<P: Into<PathBuf>>(patterns: impl IntoIterator<Item = P>) -> Self {
        Self::from(FileInput::new(patterns))
    }

    /// Record batches in memory, all of one schema. `name` is what `source_dataset` says of the records.
    pub fn batches(name: &str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self> {
        if let Some(other) = batches.iter().find(|batch| !has_columns_of(batch, &schema)) {
            return Err(Error::data(format!(
                "`{name}`: a batch has the columns {}, and the schema says {}",
                columns_text(&other.schema()),
                columns_text(&schema)
            )));
        }
        Ok(Self::of(InputSource::Batches { name: name.to_owned(), schema, batches }))
    }

    /// A stream of record batches, read once, when the job is run. `name` is what `source_dataset` says of the records.
    pub fn reader(name: &str, reader: impl RecordBatchReader + Send + 'static) -> Self {
        let schema = reader.schema();
        let stream = BatchStream(Arc::new(Mutex::new(Some(Box::new(reader)))));
        Self::of(InputSource::Stream { name: name.to_owned(), schema, stream })
    }

    fn of(source: InputSource) -> Self {
        Self { source, nulls: None, blank_is_null: None }
    }

    /// The same with a delimiter for CSV files, which is otherwise found from each file's header.
    #[must_use]
    pub fn with_delimiter(mut self, delimiter: u8) -> Self {
        if let InputSource::Files(files) = &mut self.source {
            files.delimiter = Some(delimiter);
        }
        self
    }

    /// The same, where files that would be read as CSV are plain text: white space or commas between values, no names of
    /// columns, no quotes, and comments in lines that begin with `#` or `%`. Columns are called by their numbers, from `1`.
    /// With a delimiter (see [`Self::with_delimiter`]) it alone is between values, and there are no comments.
    #[must_use]
    pub fn as_plain_text(mut self) -> Self {
        if let InputSource::Files(files) = &mut self.source {
            files.is_plain = true;
        }
        self
    }

    /// The same for files of tuples: endings say which are plain text, where no delimiter was given, and what is known of
    /// the tuples decides whether the first line of another file can have the names of its columns.
    #[must_use]
    pub(crate) fn into_tuples(mut self, shape: TupleShape) -> Self {
        if let InputSource::Files(files) = &mut self.source {
            files.tuples = Some(shape);
        }
        self
    }

    /// The same with an encoding for CSV files and JSON lines, which are otherwise UTF-8: `windows-1252`, `latin1`,
    /// `utf-16le` or another name that it is known by. A file that begins with a byte order mark is read as the mark
    /// says. Parquet files and record batches have no encoding.
    pub fn with_encoding(mut self, name: &str) -> Result<Self> {
        let encoding = TextEncoding::named(name)?;
        if let InputSource::Files(files) = &mut self.source {
            files.encoding = Some(encoding);
        }
        Ok(self)
    }

    /// The same, where these texts in columns of text, and in lists of texts, stand for a missing value. Values
    /// must be exactly these: case matters, and nothing is trimmed. The empty text always stands for one.
    #[must_use]
    pub fn with_null_texts<T: Into<String>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.nulls = Some(texts.into_iter().map(Into::into).collect());
        self
    }

    /// The same, where a text of white space alone stands for a missing value, or does not.
    #[must_use]
    pub fn with_blank_as_null(mut self, is_null: bool) -> Self {
        self.blank_is_null = Some(is_null);
        self
    }

    /// The same, read as a rule file says wherever nothing else was said.
    pub(crate) fn or_as_rules_say(&self, rules: &RuleFile) -> Result<Self> {
        let mut input = self.clone();
        if let (InputSource::Files(FileInput { encoding: None, .. }), Some(name)) = (&self.source, &rules.encoding) {
            let in_rules = |error: Error| {
                let help = error.help().unwrap_or_default().to_owned();
                Error::rules(format!("the rules say: {}", error.message())).with_help(help).with_code(error.code())
            };
            input = input.with_encoding(name).map_err(in_rules)?;
        }
        input.nulls.get_or_insert_with(|| rules.null.clone());
        input.blank_is_null = input.blank_is_null.or(rules.blank_is_null);
        Ok(input)
    }

    /// The texts that stand for a missing value.
    pub(super) fn null_texts(&self) -> NullTexts {
        NullTexts::new(self.nulls.as_deref().unwrap_or_default(), self.blank_is_null.unwrap_or(false))
    }

    /// Whether it can be read only once: a stream, or standard input.
    pub(crate) fn is_read_once(&self) -> bool {
        match &self.source {
            InputSource::Files(_) => self.given().iter().any(|given| given == "-"),
            InputSource::Batches { .. } => false,
            InputSource::Stream { .. } => true,
        }
    }

    /// The same input, with each file where `to` says it is now.
    pub(crate) fn moved(&self, to: impl Fn(&Path) -> PathBuf) -> Self {
        let mut moved = self.clone();
        if let InputSource::Files(files) = &mut moved.source {
            files.patterns.iter_mut().for_each(|path| *path = to(path));
        }
        moved
    }

    /// The paths and patterns it was made from; none where it is not of files.
    pub(crate) fn given(&self) -> Vec<String> {
        let InputSource::Files(files) = &self.source else { return Vec::new() };
        files.patterns.iter().map(|pattern| pattern.display().to_string()).collect()
    }

    /// The delimiter of CSV files, if it was given.
    pub(crate) fn given_delimiter(&self) -> Option<char> {
        let InputSource::Files(files) = &self.source else { return None };
        files.delimiter.map(char::from)
    }

    /// The files it is read from, as far as they can be found.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let InputSource::Files(files) = &self.source else { return Vec::new() };
        let locations = files.locations().unwrap_or_default();
        let path = |location| match location {
            Location::File(path) => Some(path),
            Location::Stdin => None,
        };
        locations.into_iter().filter_map(path).collect()
    }
}

impl From<FileInput> for Input {
    fn from(files: FileInput) -> Self {
        Self::of(InputSource::Files(files))
    }
}

/// Whether a batch has the columns of a schema, by name and type; which of them have nulls is seen later.
fn has_columns_of(batch: &RecordBatch, schema: &SchemaRef) -> bool {
    let batch = batch.schema();
    let columns = |schema: &SchemaRef| -> Vec<(String, DataType)> {
        schema.fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
    };
    columns(&batch) == columns(schema)
}

fn columns_text(schema: &SchemaRef) -> String {
    let columns: Vec<String> = schema.fields().iter().map(|f| format!("{} ({})", f.name(), f.data_type())).collect();
    columns.join(", ")
}

/// Paths, patterns (`data/*.csv`) or `-` for standard input, resolved in a fixed order.
#[derive(Clone, Debug)]
pub(super) struct FileInput {
    patterns: Vec<PathBuf>,
    delimiter: Option<u8>,
    encoding: Option<TextEncoding>,
    is_plain: bool,
    tuples: Option<TupleShape>,
}

/// How text files are read, as far as the user has said so.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextOptions {
    pub(super) delimiter: Option<u8>,
    pub(super) encoding: Option<TextEncoding>,
    /// Whether what would be CSV is plain text, without names and quotes.
    pub(super) is_plain: bool,
    /// What is known of the tuples, where files hold tuples and not records.
    pub(super) tuples: Option<TupleShape>,
}

impl TextOptions {
    /// How one of the files is read: those of tuples as their endings say, where the user has said nothing.
    pub(super) fn of_file(self, location: &Location) -> Self {
        if self.tuples.is_none() || self.is_plain || self.delimiter.is_some() {
            return self;
        }
        match location.format_ending() {
            Some(ending) if ending == FACTS => Self { is_plain: true, delimiter: Some(b'\t'), ..self },
            Some(ending) if PLAIN.contains(&ending.as_str()) => Self { is_plain: true, ..self },
            _ => self,
        }
    }
}

impl FileInput {
    fn new<P: Into<PathBuf>>(patterns: impl IntoIterator<Item = P>) -> Self {
        Self {
            patterns: patterns.into_iter().map(Into::into).collect(),
            delimiter: None,
            encoding: None,
            is_plain: false,
            tuples: None,
        }
    }

    /// What the user said of text files, if it makes sense.
    pub(super) fn text_options(&self) -> Result<TextOptions> {
        match self.delimiter {
            Some(byte) if !byte.is_ascii() || matches!(byte, b'"' | b'\n' | b'\r' | 0) => {
                Err(Error::usage("the delimiter must be one ASCII character, and no quote or line break"))
            }
            delimiter => {
                let Self { encoding, is_plain, tuples, .. } = *self;
                Ok(TextOptions { delimiter, encoding, is_plain, tuples })
            }
        }
    }

    /// The places to read, in row order.
    pub(super) fn locations(&self) -> Result<Vec<Location>> {
        let mut all = Vec::new();
        for pattern in &self.patterns {
            all.extend(resolve(pattern)?);
        }
        match all.iter().filter(|place| matches!(place, Location::Stdin)).count() {
            _ if all.is_empty() => Err(Error::usage("no input file given")),
            0 | 1 => Ok(all),
            _ => Err(Error::usage("standard input (`-`) can be given only once")),
        }
    }
}

/// A place that rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// Standard input.
    Stdin,
    /// A file, a named pipe or the like.
    File(PathBuf),
}

impl Location {
    /// What error messages call it.
    pub(super) fn label(&self) -> String {
        match self {
            Self::Stdin => "<stdin>".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// What `source_dataset` calls its records: the file name without the endings that say format and packing.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "stdin".to_owned(),
            Self::File(path) => {
                let name = file_name(path);
                without_ending(without_ending(&name, &PACKED), &FORMATS).to_owned()
            }
        }
    }

    /// The ending that says what the file holds, in lower case.
    pub(super) fn format_ending(&self) -> Option<String> {
        let Self::File(path) = self else { return None };
        let name = file_name(path);
        let (_, ending) = without_ending(&name, &PACKED).rsplit_once('.')?;
        Some(ending.to_ascii_lowercase())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned()
}

/// `name` without one of `endings`; a name that is nothing but an ending stays whole.
fn without_ending<'a>(name: &'a str, endings: &[&str]) -> &'a str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && endings.iter().any(|e| ending.eq_ignore_ascii_case(e)) => stem,
        _ => name,
    }
}

/// A path that exists stands for itself, even if it looks like a pattern.
fn resolve(pattern: &Path) -> Result<Vec<Location>> {
    if pattern == Path::new("-") {
        return Ok(vec![Location::Stdin]);
    }
    if pattern.is_dir() {
        let help = format!("name its files, for example {}", for_shell(&below(pattern)));
        return Err(Error::data(format!("{}: is a directory", pattern.display())).with_help(help));
    }
    match pattern.to_str() {
        Some(text) if !pattern.exists() && text.contains(['*', '?', '[']) => matching(text),
        _ if pattern.exists() => Ok(vec![Location::File(pattern.to_owned())]),
        _ => Err(Error::data(format!("{}: no such file", pattern.display()))),
    }
}

/// The CSV files of a folder, as a pattern.
fn below(folder: &Path) -> String {
    Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join("*.csv").to_string_lossy().into_owned()
}

/// A pattern as an argument that a POSIX shell takes as it is: the library expands it, and all its files are one input.
fn for_shell(pattern: &str) -> String {
    format!("'{}'", pattern.replace('\'', r"'\''"))
}

/// The files a pattern matches, sorted bytewise; as in a shell, hidden files need a dot in the pattern.
fn matching(pattern: &str) -> Result<Vec<Location>> {
    let options = glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
    let found = glob::glob_with(pattern, options)
        .map_err(|error| Error::usage(format!("{pattern}: not a valid pattern: {}", error.msg)))?;
    let mut paths = Vec::new();
    for entry in found {
        let path = entry.map_err(|error| {
            let path = error.path().to_owned();
            Error::io("cannot read", &path, error.into())
        })?;
        if !path.is_dir() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(Error::data(format!("{pattern}: no file matches this pattern")));
    }
    paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(paths.into_iter().map(Location::File).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            std::fs::write(folder.path().join(name), "id\n").unwrap();
        }
        folder
    }

    fn names(input: &FileInput) -> Vec<String> {
        let label = |place: Location| match place {
            Location::Stdin => "-".to_owned(),
            Location::File(path) => file_name(&path),
        };
        input.locations().unwrap().into_iter().map(label).collect()
    }

    #[test]
    fn arguments_keep_their_order_and_patterns_are_sorted_bytewise() {
        let dir = folder(&["b.csv", "a.csv", "B.csv", "é.csv", ".hidden.csv", "z.txt"]);
        std::fs::create_dir(dir.path().join("folder.csv")).unwrap();
        let input = FileInput::new([dir.path().join("z.txt"), dir.path().join("*.csv"), "-".into()]);
        assert_eq!(names(&input), ["z.txt", "B.csv", "a.csv", "b.csv", "é.csv", "-"]);
    }

    #[test]
    fn a_path_that_exists_is_no_pattern() {
        let dir = folder(&["a[1].csv", "a1.csv"]);
        assert_eq!(names(&FileInput::new([dir.path().join("a[1].csv")])), ["a[1].csv"]);
        assert_eq!(names(&FileInput::new([dir.path().join("a[0-9].csv")])), ["a1.csv"]);
    }

    #[test]
    fn names_lose_the_endings_of_format_and_packing_only() {
        let name = |path: &str| Location::File(path.into()).name();
        assert_eq!(name("x/people.csv"), "people");
        assert_eq!(name("people.CSV.GZ"), "people");
        assert_eq!(name("people.2024.jsonl.zst"), "people.2024");
        assert_eq!(name("people.dat"), "people.dat");
        assert_eq!(name("people.parquet.csv"), "people.parquet");
        assert_eq!(name("edge.facts.gz"), "edge");
        assert_eq!(name(".csv"), ".csv");
        assert_eq!(Location::Stdin.name(), "stdin");
    }

    #[test]
    fn endings_say_how_tuples_are_read() {
        let tuples = TextOptions { tuples: Some(TupleShape::of([true])), ..TextOptions::default() };
        let read = |text: TextOptions, path: &str| {
            let text = text.of_file(&Location::File(path.into()));
            (text.is_plain, text.delimiter)
        };
        assert_eq!(read(tuples, "a/edge.FACTS.gz"), (true, Some(b'\t')));
        assert_eq!(read(tuples, "edge.el"), (true, None));
        assert_eq!([read(tuples, "edge.csv"), read(tuples, "edge")], [(false, None); 2]);
        let with_delimiter = TextOptions { delimiter: Some(b','), ..tuples };
        assert_eq!(read(with_delimiter, "edge.facts"), (false, Some(b',')));
        assert_eq!(read(TextOptions::default(), "people.facts"), (false, None), "records have names");
    }

    #[test]
    fn what_cannot_be_resolved_is_an_error() {
        let dir = folder(&["a.csv"]);
        let at = |name: &str| dir.path().join(name);
        let text = |input: FileInput| input.locations().unwrap_err().to_string();
        let shown = dir.path().display();
        assert_eq!(text(FileInput::new([at("b.csv")])), format!("{shown}/b.csv: no such file"));
        assert_eq!(text(FileInput::new([at("b*")])), format!("{shown}/b*: no file matches this pattern"));
        assert_eq!(
            text(FileInput::new([dir.path()])),
            format!("{shown}: is a directory\n  help: name its files, for example '{shown}/*.csv'")
        );
        std::fs::create_dir(at("it's [new]")).unwrap();
        assert_eq!(
            text(FileInput::new([at("it's [new]")])),
            format!(
                "{shown}/it's [new]: is a directory\n  help: name its files, for example '{shown}/it'\\''s [[]new[]]/*.csv'"
            )
        );
        assert_eq!(text(FileInput::new(["-", "-"])), "standard input (`-`) can be given only once");
        assert_eq!(text(FileInput::new([at("[")])), format!("{shown}/[: not a valid pattern: invalid range pattern"));
        assert_eq!(text(FileInput::new(Vec::<PathBuf>::new())), "no input file given");
        let bad = FileInput { delimiter: Some(b'"'), ..FileInput::new([at("a.csv")]) }.text_options();
        assert_eq!(
            bad.unwrap_err().to_string(),
            "the delimiter must be one ASCII character, and no quote or line break"
        );
    }
}
