//! How the records of an input are read, as far as somebody has said so: a plain value, apart from where they come from.

use serde::{Deserialize, Serialize};

use super::encoding::TextEncoding;
use super::formats::{PlainTuples, plain_tuples};
use super::location::Location;
use super::null_texts::NullTexts;
use super::tuples::TupleShape;
use crate::error::{Error, Result};
use crate::rules::RuleFile;

/// How records are read, as far as somebody has said so. A source takes of it what concerns it: Parquet files have no
/// delimiter, and record batches no encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(default)]
pub struct ReadOptions {
    /// The delimiter of CSV files, which is otherwise found from each file's header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The name of the encoding of text files, which are otherwise UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Texts that stand for a missing value, besides the empty text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub null: Option<Vec<String>>,
    /// Whether a text of white space alone stands for a missing value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank_is_null: Option<bool>,
    /// Whether files that would be read as CSV are plain text, without names and quotes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub plain_text: bool,
}

impl ReadOptions {
    /// The same, with what a rule file says wherever nothing else was said.
    #[doc(hidden)]
    pub fn or_as_rules_say(&self, rules: &RuleFile) -> Self {
        Self {
            encoding: self.encoding.clone().or_else(|| rules.encoding.clone()),
            null: Some(self.null.clone().unwrap_or_else(|| rules.null.clone())),
            blank_is_null: self.blank_is_null.or(rules.blank_is_null),
            ..self.clone()
        }
    }

    /// The texts that stand for a missing value.
    pub(super) fn null_texts(&self) -> NullTexts {
        NullTexts::new(self.null.as_deref().unwrap_or_default(), self.blank_is_null.unwrap_or(false))
    }

    /// What is said of text files, if it makes sense; `tuples` is what is known of tuples, where files hold these.
    pub(super) fn text(&self, tuples: Option<TupleShape>) -> Result<TextOptions> {
        let encoding = self.encoding.as_deref().map(TextEncoding::named).transpose()?;
        let delimiter = self.delimiter.map(delimiter_byte).transpose()?;
        Ok(TextOptions { delimiter, encoding, is_plain: self.plain_text, tuples })
    }
}

fn delimiter_byte(delimiter: char) -> Result<u8> {
    if !delimiter.is_ascii() || matches!(delimiter, '"' | '\n' | '\r' | '\0') {
        return Err(Error::usage("the delimiter must be one ASCII character, and no quote or line break"));
    }
    Ok(delimiter as u8)
}

/// How text files are read.
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
        match location.format_ending().and_then(|ending| plain_tuples(&ending)) {
            Some(PlainTuples { delimiter }) => Self { is_plain: true, delimiter, ..self },
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn endings_say_how_tuples_are_read() {
        let tuples = TextOptions { tuples: Some(TupleShape::new([true])), ..TextOptions::default() };
        let read = |text: TextOptions, path: &str| {
            let text = text.of_file(&Location::of_file(Path::new(path)));
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
    fn what_makes_no_sense_is_an_error() {
        for delimiter in ['"', '\n', 'é'] {
            let options = ReadOptions { delimiter: Some(delimiter), ..ReadOptions::default() };
            assert_eq!(
                options.text(None).unwrap_err().to_string(),
                "the delimiter must be one ASCII character, and no quote or line break"
            );
        }
        let options = ReadOptions { encoding: Some("klingon".into()), ..ReadOptions::default() };
        assert!(options.text(None).unwrap_err().message().starts_with("unknown encoding"));
    }

    #[test]
    fn options_are_written_and_read_as_they_are() {
        let options = ReadOptions {
            delimiter: Some(';'),
            encoding: Some("latin1".into()),
            null: Some(vec!["NULL".into()]),
            blank_is_null: Some(false),
            plain_text: true,
        };
        for options in [options, ReadOptions::default()] {
            let text = serde_json::to_string(&options).unwrap();
            assert_eq!(serde_json::from_str::<ReadOptions>(&text).unwrap(), options, "{text}");
        }
        assert_eq!(serde_json::to_string(&ReadOptions::default()).unwrap(), "{}");
    }
}
