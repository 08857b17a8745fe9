//! `sameas functions`: what rules can be made of.

mod markdown;

use std::fmt::Write;

use sameas::rules::FunctionGroup;
use sameas::{Error, FunctionInfo, function, functions};

use crate::args::{Functions, FunctionsFormat};
use crate::outcome::{CommandResult, Outcome};
use crate::terminal::{Stream, give, say};
use crate::text::{facts, wrap};

/// Runs `sameas functions`.
pub fn run(args: &Functions) -> CommandResult {
    match (&args.name, args.format) {
        (None, FunctionsFormat::Text) => say(Stream::Out, &listed(&functions())),
        (None, FunctionsFormat::Markdown) => give(&markdown::page(&functions())),
        (None, FunctionsFormat::Json) => give(&json(serde_json::to_string_pretty(&functions()))?),
        (Some(name), FunctionsFormat::Text) => say(Stream::Out, &explained(&function(name)?)),
        (Some(name), FunctionsFormat::Markdown) => give(&markdown::section(&function(name)?)),
        (Some(name), FunctionsFormat::Json) => give(&json(serde_json::to_string_pretty(&function(name)?))?),
    }?;
    Ok(Outcome::Done)
}

fn json(json: serde_json::Result<String>) -> Result<String, Error> {
    Ok(json.map_err(|error| Error::internal(format!("the functions as JSON: {error}")))? + "\n")
}

/// Group by group, a line or two for each.
fn listed(functions: &[FunctionInfo]) -> String {
    let mut out = String::new();
    for group in functions.chunk_by(|a, b| a.group == b.group) {
        let _ = writeln!(out, "{}\n", heading(group[0].group));
        for function in group {
            let _ = writeln!(out, "  {}", row(function));
        }
        out.push('\n');
    }
    out.push_str("`sameas functions NAME` explains one of them, with an example.\n");
    out
}

/// Long ways to write a function have a line of their own.
fn row(function: &FunctionInfo) -> String {
    const INDENT: usize = 36;
    let signature = function.signature;
    let gap = match INDENT.checked_sub(3 + signature.chars().count()) {
        Some(blanks) => " ".repeat(blanks + 1),
        None => format!("\n{}", " ".repeat(INDENT)),
    };
    format!("{signature}{gap}{}", wrap(first_sentence(function.summary), INDENT, INDENT))
}

fn first_sentence(summary: &str) -> &str {
    let end = [". ", "; "].iter().filter_map(|end| summary.find(end)).min();
    &summary[..end.unwrap_or(summary.len())]
}

/// All about one function.
fn explained(function: &FunctionInfo) -> String {
    let mut rows = vec![("Write", function.signature.to_owned()), ("Meaning", function.summary.to_owned())];
    if !function.also.is_empty() {
        rows.push(("Also", function.also.join(", ")));
    }
    rows.push(("Null", function.nulls.to_owned()));
    rows.push(("Example", function.example.to_owned()));
    rows.push(("Result", function.result.to_owned()));
    facts(&rows)
}

fn heading(group: FunctionGroup) -> &'static str {
    match group {
        FunctionGroup::TextMeasures => {
            "How similar two texts are (compare with a threshold: `jaro_winkler(l.name, r.name) >= 0.9`)"
        }
        FunctionGroup::SetMeasures => "Sets of words, q-grams or list elements, and what two sets share",
        FunctionGroup::OtherMeasures => "Other ways to be alike: lists of names, places, vectors, order",
        FunctionGroup::Keys => "Keys to compare for equality (`metaphone(l.name) = metaphone(r.name)`)",
        FunctionGroup::Texts => "Texts",
        FunctionGroup::NumbersAndDates => "Numbers and dates",
        FunctionGroup::Choices => "Choices and conversions",
        FunctionGroup::Operators => "Operators",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::WIDTH;

    #[test]
    fn every_function_has_a_row_of_readable_width() {
        let functions = functions();
        let said = listed(&functions);
        for function in &functions {
            assert!(said.contains(&format!("  {}", function.signature)), "{}", function.name);
            let explained = explained(function);
            assert!(explained.contains(function.result), "{explained}");
        }
        assert!(said.lines().all(|line| line.chars().count() <= WIDTH), "{said}");
    }
}
