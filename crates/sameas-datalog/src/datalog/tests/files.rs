//! Relations from text files: with and without names of columns, and which value a message is about.

use std::fmt::Write as _;

use super::Evaluator;
use super::naive::Tuple;
use super::programs::tuples_of;
use crate::datalog::core::ProgramValue;
use crate::datalog::{RelateJob, RelateProgram, RelatedTuples};
use crate::error::{ErrorCode, Result};
use crate::records::Input;

const EDGE: &str = ".decl r(x: number, y: number)\n.input r\n.output r\n";
const LIKES: &str = ".decl r(a: symbol, b: symbol)\n.input r\n.output r\n";
const NAMES: &str = ".decl r(x: number, t: symbol)\n.input r\n.output r\n";

fn related(program: &str, input: Input, threads: usize) -> Result<RelatedTuples> {
    let job = RelateJob::new(RelateProgram::parse("p.dl", program).unwrap()).with_input("r", input)?;
    Evaluator::with_threads(threads).relate(&job, &())
}

/// The tuples of a file, with numbers as texts.
fn read(program: &str, name: &str, text: &str, how: impl Fn(Input) -> Input) -> Result<Vec<Vec<String>>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let found = related(program, how(Input::files([path])), 2)?;
    let text = |value: &ProgramValue| match value {
        ProgramValue::Number(number) => number.to_string(),
        ProgramValue::Text(text) => text.clone(),
    };
    Ok(tuples_of(&found, "r").iter().map(|tuple: &Tuple| tuple.iter().map(text).collect()).collect())
}

fn as_it_is(input: Input) -> Input {
    input
}

#[test]
fn no_tuple_is_taken_for_names() {
    for (name, text) in [
        ("edge.facts", "1\t2\n2\t3\n3\t1\n"),
        ("edge.facts", "1\t2\r\n\r\n2\t3\r\n3\t1"),
        ("edge.tsv", "1\t2\n2\t3\n3\t1\n"),
        ("edge.csv", "\u{feff}1\t2\n2\t3\n3\t1\n"),
        ("edge", "1\t2\tx\n2\t3\ty\n3\t1\tz\n"),
        ("edge.txt", "# a graph\n1 2\n2\t3\n3,1 0.5\n"),
        ("edge.csv", "x,y\n1,2\n2,3\n3,1\n"),
        ("edge.tsv", "x\ty\n1\t2\n2\t3\n3\t1\n"),
    ] {
        assert_eq!(read(EDGE, name, text, as_it_is).unwrap(), [["1", "2"], ["2", "3"], ["3", "1"]], "{name}: {text}");
    }
    assert!(read(EDGE, "edge.facts", "", as_it_is).unwrap().is_empty(), "a relation may have no tuples");
    assert_eq!(read(NAMES, "n.tsv", "1\t\"a b\"\n2\tc\n", as_it_is).unwrap(), [["1", "a b"], ["2", "c"]]);
}

#[test]
fn texts_between_tabs_are_whole() {
    let facts = "a b\tc, d\n#e\t\"f\"\n";
    assert_eq!(read(LIKES, "likes.facts", facts, as_it_is).unwrap(), [["#e", "\"f\""], ["a b", "c, d"]]);
    assert_eq!(read(LIKES, "likes.csv", "a b\tc\n", Input::as_plain_text).unwrap(), [["a b", "c"]]);
    assert_eq!(read(LIKES, "likes.txt", "a b\tc\n", as_it_is).unwrap(), [["a b", "c"]]);
    let bars = |input: Input| input.as_plain_text().with_delimiter(b'|');
    assert_eq!(read(LIKES, "likes.txt", "a b|c\td\n", bars).unwrap(), [["a b", "c\td"]]);
    let error = read(LIKES, "likes.facts", "a\tb\nc\t\n", as_it_is).unwrap_err();
    assert!(error.message().ends_with("likes.facts:2: the value of column `b` of relation `r` is missing"), "{error}");
}

#[test]
fn numbers_in_the_place_of_names_are_refused() {
    let refused = |program, text| read(program, "r.csv", text, as_it_is).unwrap_err();
    let error = refused(EDGE, "1,2\n2,3\n");
    let message = "r.csv` begins with the numbers 1 and 2, where names of columns are expected";
    assert!(error.message().ends_with(message), "{error}");
    assert_eq!(error.help(), Some("give it a first line with names, or read it as plain text, which has none"));
    assert_eq!(error.code(), ErrorCode::NoColumnNames);
    let message = "r.csv` begins with the number 1, where the name of a column is expected";
    assert!(refused(NAMES, "1;ann\n").message().ends_with(message));
    assert_eq!(refused(LIKES, "1\t2\n3\t4\n").code(), ErrorCode::NoColumnNames);
    assert_eq!(read(EDGE, "r.csv", "1,2\n2,3\n", Input::as_plain_text).unwrap(), [["1", "2"], ["2", "3"]]);
}

#[test]
fn the_first_bad_row_is_named_whatever_the_threads_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edge.csv");
    let mut text = "x,y\n".to_owned();
    for row in 0..400_000 {
        let _ = match row {
            0..70_000 => writeln!(text, "{row},{row}"),
            70_000 => writeln!(text, "1,seven"),
            _ if row % 3 == 0 => writeln!(text, ",{row}"),
            _ => writeln!(text, "eight,{row}"),
        };
    }
    std::fs::write(&path, text).unwrap();
    for threads in [1, 2, 3, 8, 8, 8] {
        let error = related(EDGE, Input::files([&path]), threads).unwrap_err();
        let message = "edge.csv:70002: `seven` is not a whole number, and column `y` of `r` has numbers";
        assert!(error.message().ends_with(message), "{threads} threads: {error}");
    }
}
