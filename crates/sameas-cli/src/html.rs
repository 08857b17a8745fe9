//! A report as one HTML file: the page, with facts and tables in it.
//!
//! Facts and tables are packed and written in base64, whose letters mean nothing to a browser: whatever a record holds, it
//! is data until the page shows it as text.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sameas::report::{ReportOptions, RunReport};
use sameas::{Error, Observer, Result};
use serde_json::Value;

use crate::report::page_words;

/// The page, built from the sources in the folder `report` of the repository.
const PAGE: &str = include_str!("report_page/page.html");

/// Where the facts go.
const FACTS: &str = "@@FACTS@@";

/// Where the tables go.
const TABLES: &str = "@@TABLES@@";

/// What sentences take of a report at first.
const FOR_WORDS: u64 = 20_000;

/// How often a report is made again because its sentences were longer than expected.
const ATTEMPTS: usize = 3;

/// A report as HTML, of at most this many bytes; `make` makes it with the options that it is given.
pub fn html_report(
    size: u64,
    options: &ReportOptions,
    observer: &dyn Observer,
    make: impl Fn(&ReportOptions, &dyn Observer) -> Result<RunReport>,
) -> Result<String> {
    let page = PAGE.len() as u64;
    let mut room = size.saturating_sub(page + FOR_WORDS);
    let (mut options, mut longest) = (options.clone(), 0);
    for _ in 0..ATTEMPTS {
        options = options.with_size(size, room);
        let report = make(&options, observer)?;
        let html = with_data(&report)?;
        longest = html.len() as u64;
        if longest <= size {
            return Ok(html);
        }
        room = room.saturating_sub(longest - size + FOR_WORDS / 4);
        options = options.with_records_of(&report);
    }
    Err(Error::usage(format!("the report takes {longest} bytes, and {size} are allowed")).with_help("allow it more"))
}

/// The page with the data of a report.
fn with_data(report: &RunReport) -> Result<String> {
    let broken = |error: &dyn std::fmt::Display| Error::internal(format!("cannot write the report: {error}"));
    let mut facts = serde_json::to_value(report.facts()).map_err(|error| broken(&error))?;
    if let Value::Object(fields) = &mut facts {
        fields.insert("words".to_owned(), page_words(report));
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(facts.to_string().as_bytes()).map_err(|error| broken(&error))?;
    let facts = STANDARD.encode(packed.finish().map_err(|error| broken(&error))?);
    let tables = STANDARD.encode(report.tables());
    let parts = PAGE.split_once(FACTS).and_then(|(head, rest)| Some((head, rest.split_once(TABLES)?)));
    let Some((head, (middle, end))) = parts else {
        return Err(broken(&"the page has no place for its data"));
    };
    Ok([head, &facts, middle, &tables, end].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_one_place_for_facts_and_one_for_tables_after_it() {
        assert_eq!((PAGE.matches(FACTS).count(), PAGE.matches(TABLES).count()), (1, 1));
        assert!(PAGE.find(FACTS) < PAGE.find(TABLES));
    }

    #[test]
    fn the_page_loads_nothing() {
        assert!(PAGE.contains("Content-Security-Policy") && PAGE.contains("default-src 'none'"));
        let lower = PAGE.to_lowercase();
        for address in ["src=\"http", "href=\"http", "src=\"//", "@import", "url(http"] {
            assert!(!lower.contains(address), "{address}");
        }
    }
}
