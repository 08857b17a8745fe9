//! The functions as a page of the guide.

use std::fmt::Write;

use sameas::FunctionInfo;

use super::heading;

/// What the page begins with. The rest is the library's own list.
const INTRODUCTION: &str = "\
# Functions and operators

Everything that a rule or a derived column can be made of, with an example and its result. The program has the same list:
`sameas functions` shows it, and `sameas functions NAME` explains one function. What a rule is, and how nulls and types behave,
is said in [The rule language](rules.md).
";

/// The whole page.
pub fn page(functions: &[FunctionInfo]) -> String {
    let mut out = INTRODUCTION.to_owned();
    for group in functions.chunk_by(|a, b| a.group == b.group) {
        let _ = writeln!(out, "\n{}", opening(heading(group[0].group)));
        for function in group {
            let _ = write!(out, "\n{}", section(function));
        }
    }
    out
}

/// The heading of a group. What it has in brackets is a sentence of its own here.
fn opening(heading: &str) -> String {
    match heading.strip_suffix(')').and_then(|heading| heading.split_once(" (")) {
        Some((title, advice)) => format!("## {title}\n\n{}.", capitalised(advice)),
        None => format!("## {heading}"),
    }
}

/// One function.
pub fn section(function: &FunctionInfo) -> String {
    let also = match function.also {
        [] => String::new(),
        names => format!(" Other names: `{}`.", names.join("`, `")),
    };
    format!(
        "### `{}`\n\n`{}`: {}.{also}\n{}.\n\nExample: `{}` gives `{}`.\n",
        function.name,
        function.signature,
        function.summary,
        capitalised(function.nulls),
        function.example,
        function.result
    )
}

fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}
