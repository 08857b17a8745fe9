//! What the user gave for one side of a job: where its records come from, and how they are read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::SchemaRef;

use super::batch_sources::{BatchesSource, ReaderSource};
use super::content_id::ContentId;
use super::encoding::TextEncoding;
use super::file_source::FileSource;
use super::read::{OpenSource, Opening};
use super::read_options::ReadOptions;
use super::source::{Source, SourceDescription};
use super::tuples::TupleShape;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::rules::RuleFile;

/// One side of a job: a [`Source`] of records, and how they are read. Clones are cheap, and share the source.
#[derive(Clone, Debug)]
pub struct Input {
    source: Arc<dyn Source>,
    options: ReadOptions,
    /// What is known of the tuples, where files hold tuples and not records.
    tuples: Option<TupleShape>,
    /// Says where a file is now.
    moved: Option<fn(&Path) -> PathBuf>,
    /// The records that it must have, where they were read before.
    expected: Option<ContentId>,
}

impl Input {
    /// Files: paths, patterns (`data/*.csv`) or `-` for standard input, in CSV, JSON lines or Parquet.
    ///
    /// Files keep the order of the arguments, and the files of a pattern are sorted bytewise: this is the order of the
    /// rows. What comes only once, from standard input or a pipe, is kept in a temporary file too, for whoever reads it again.
    pub fn files<P: Into<PathBuf>>(patterns: impl IntoIterator<Item = P>) -> Self {
        Self::source(Arc::new(FileSource::new(patterns.into_iter().map(Into::into).collect())))
    }

    /// Record batches in memory, all of one schema. `name` is what `source_dataset` says of the records.
    pub fn batches(name: &str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self> {
        Ok(Self::source(Arc::new(BatchesSource::new(name, schema, batches)?)))
    }

    /// A stream of record batches, which is read when the job is run. What has come of it is kept in a temporary file, so that
    /// it can be read again. `name` is what `source_dataset` says of the records.
    pub fn reader(name: &str, reader: impl RecordBatchReader + Send + 'static) -> Self {
        Self::source(Arc::new(ReaderSource::new(name, reader)))
    }

    /// Records from a source of the caller.
    pub fn source(source: Arc<dyn Source>) -> Self {
        Self { source, options: ReadOptions::default(), tuples: None, moved: None, expected: None }
    }

    /// The same, read in this way, in place of what was said before.
    #[must_use]
    pub fn with_options(mut self, options: ReadOptions) -> Self {
        self.options = options;
        self
    }

    /// How it is read, as far as it was said.
    pub fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// How its source can be found again.
    pub fn description(&self) -> SourceDescription {
        self.source.description()
    }

    /// The same with a delimiter for CSV files, which is otherwise found from each file's header.
    #[must_use]
    pub fn with_delimiter(mut self, delimiter: u8) -> Self {
        self.options.delimiter = Some(char::from(delimiter));
        self
    }

    /// The same, where files that would be read as CSV are plain text: white space or commas between values, no names of
    /// columns, no quotes, and comments in lines that begin with `#` or `%`. Columns are called by their numbers, from `1`.
    /// With a delimiter (see [`Self::with_delimiter`]) it alone is between values, and there are no comments.
    #[must_use]
    pub fn as_plain_text(mut self) -> Self {
        self.options.plain_text = true;
        self
    }

    /// The same for files of tuples: endings say which are plain text, where no delimiter was given, and what is known of
    /// the tuples decides whether the first line of another file can have the names of its columns.
    #[must_use]
    #[doc(hidden)]
    pub fn into_tuples(mut self, shape: TupleShape) -> Self {
        self.tuples = Some(shape);
        self
    }

    /// The same with an encoding for CSV files and JSON lines, which are otherwise UTF-8: `windows-1252`, `latin1`,
    /// `utf-16le` or another name that it is known by. A file that begins with a byte order mark is read as the mark
    /// says. Parquet files and record batches have no encoding.
    pub fn with_encoding(mut self, name: &str) -> Result<Self> {
        TextEncoding::named(name)?;
        self.options.encoding = Some(name.to_owned());
        Ok(self)
    }

    /// The same, where these texts in columns of text, and in lists of texts, stand for a missing value. Values
    /// must be exactly these: case matters, and nothing is trimmed. The empty text always stands for one.
    #[must_use]
    pub fn with_null_texts<T: Into<String>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.options.null = Some(texts.into_iter().map(Into::into).collect());
        self
    }

    /// The same, where a text of white space alone stands for a missing value, or does not.
    #[must_use]
    pub fn with_blank_as_null(mut self, is_null: bool) -> Self {
        self.options.blank_is_null = Some(is_null);
        self
    }

    /// The same, read as a rule file says wherever nothing else was said.
    #[doc(hidden)]
    pub fn or_as_rules_say(&self, rules: &RuleFile) -> Result<Self> {
        let of_rules = rules.encoding.as_deref().filter(|_| self.options.encoding.is_none() && self.is_of_files());
        let in_rules = |error: Error| {
            let help = error.help().unwrap_or_default().to_owned();
            Error::rules(format!("the rules say: {}", error.message())).with_help(help).with_code(error.code())
        };
        of_rules.map(TextEncoding::named).transpose().map_err(in_rules)?;
        Ok(Self { options: self.options.or_as_rules_say(rules), ..self.clone() })
    }

    /// The same input, with each file where `to` says it is now.
    #[doc(hidden)]
    pub fn moved(&self, to: fn(&Path) -> PathBuf) -> Self {
        Self { moved: Some(to), ..self.clone() }
    }

    /// The same input, which must have these records, if any are said: whoever reads it refuses others.
    #[must_use]
    #[doc(hidden)]
    pub fn expecting(mut self, content: Option<ContentId>) -> Self {
        self.expected = content;
        self
    }

    /// The records that it must have, if that is known.
    #[doc(hidden)]
    pub fn expected(&self) -> Option<&ContentId> {
        self.expected.as_ref()
    }

    /// The paths and patterns it was made from; none where it is not of files.
    #[doc(hidden)]
    pub fn given(&self) -> Vec<String> {
        self.description().given().to_vec()
    }

    /// The delimiter of CSV files, if it was given.
    #[doc(hidden)]
    pub fn given_delimiter(&self) -> Option<char> {
        self.options.delimiter.filter(|_| self.is_of_files())
    }

    fn is_of_files(&self) -> bool {
        matches!(self.description(), SourceDescription::Files { .. })
    }

    /// The files it is read from, as far as they can be found.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.source.files()
    }

    /// Whether the records that were read of it can be read once more.
    #[doc(hidden)]
    pub fn can_be_read_again(&self) -> bool {
        self.source.can_be_read_again()
    }

    /// Finds its columns: see [`Source::open`].
    #[doc(hidden)]
    pub fn open(&self) -> Result<OpenSource> {
        self.open_until(Cancel::NEVER)
    }

    /// As [`Self::open`], unless the job is cancelled meanwhile or its memory does not suffice.
    #[doc(hidden)]
    pub fn open_until(&self, cancel: Cancel<'_>) -> Result<OpenSource> {
        self.open_as(&Opening { tuples: self.tuples, moved: self.moved, ..Opening::new(&self.options, cancel) })
    }

    /// The same, where text is read in blocks of this size.
    #[cfg(test)]
    pub(super) fn open_in_blocks(&self, block_bytes: usize) -> Result<OpenSource> {
        self.open_as(&Opening { block_bytes, ..Opening::new(&self.options, Cancel::NEVER) })
    }

    fn open_as(&self, opening: &Opening<'_>) -> Result<OpenSource> {
        let opened = self.source.open(opening)?;
        Ok(opened.with_reading(self.options.null_texts(), opening.block_bytes))
    }
}
