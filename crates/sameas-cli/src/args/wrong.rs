//! A command line that cannot be understood.

use clap::Parser;
use clap::error::ContextValue;
use sameas::printable;

use super::Cli;
use crate::terminal;

/// The command line; nothing where it is wrong, which has been said. Does not return where help was asked for.
pub fn parse() -> Option<Cli> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Some(cli),
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => error,
    };
    let shown = error.render().to_string();
    match without_raw_names(&error, &shown) {
        // In colours, where there are any.
        same if same == shown => drop(error.print()),
        escaped => terminal::complain_as_is(&escaped),
    }
    None
}

/// What the user has written is shown as part of a line, whatever is in it.
fn without_raw_names(error: &clap::Error, shown: &str) -> String {
    let named = error.context().flat_map(|(_, value)| match value {
        ContextValue::String(name) => vec![name.clone()],
        ContextValue::Strings(names) => names.clone(),
        _ => Vec::new(),
    });
    let escaped = named.filter(|name| !name.is_empty()).fold(shown.to_owned(), |text, name| {
        let safe = printable(&name);
        if safe == name { text } else { text.replace(&name, &safe) }
    });
    terminal::printable_lines(&escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_message_are_escaped() {
        let error = Cli::try_parse_from(["sameas", "dedupe", "a.csv", "--fo\u{1b}[31m\nerror: x"]).unwrap_err();
        let shown = without_raw_names(&error, &error.render().to_string());
        assert!(shown.starts_with("error: unexpected argument '--fo\\u{1b}[31m\\nerror: x' found"), "{shown}");
        let error = Cli::try_parse_from(["sameas", "dedupe", "a.csv", "--id"]).unwrap_err();
        let shown = error.render().to_string();
        assert_eq!(without_raw_names(&error, &shown), shown);
    }
}
