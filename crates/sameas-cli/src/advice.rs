//! Which option of the program helps against an error: the library knows none of them.

use sameas::{Error, ErrorCode};

/// The error as the user reads it: message, help, and the options that matter.
pub fn text(error: &Error) -> String {
    let options = match options(error.code()) {
        Some(options) if error.help().is_some() => format!("; {options}"),
        Some(options) => format!("\n  help: {options}"),
        None => String::new(),
    };
    format!("{error}{options}")
}

fn options(code: ErrorCode) -> Option<&'static str> {
    match code {
        ErrorCode::MemoryLimit => Some("--memory sets the limit"),
        ErrorCode::CandidateLimit => Some("--max-pairs sets the limit"),
        ErrorCode::NoIdColumn => {
            Some("--id names the column, --id-left and --id-right those of a link, and `--id row` takes row numbers")
        }
        ErrorCode::BadId => Some("use `--id row` for that"),
        ErrorCode::MissingId => Some("use `--id row` or --skip-null-ids for that"),
        ErrorCode::WrongEncoding => Some("for example --encoding windows-1252"),
        ErrorCode::NoSuchId => Some("--id names the column"),
        ErrorCode::LinkTypeMismatch => Some("use the command that fits: `dedupe`, `link` or `link --dedupe`"),
        ErrorCode::NoModel => Some("`sameas train` writes one, --model names it"),
        ErrorCode::NotTakenOver => Some("--skip leaves them out"),
        ErrorCode::ThresholdTooLow => Some("--all-pairs looks at all pairs"),
        ErrorCode::NoRules => Some("use --rules FILE or --rule CONDITION"),
        ErrorCode::OtherStatistics => Some("--statistics takes the run.json that a run has written into its folder"),
        ErrorCode::OutputNotEmpty => Some("use --overwrite for that"),
        ErrorCode::HoldsClusters => Some("use --clusters in place of --pairs for that"),
        ErrorCode::HoldsPairs => Some("use --pairs in place of --clusters for that"),
        ErrorCode::SourcesDiffer => Some("use --link for that"),
        ErrorCode::DeviceUnavailable => Some("use --device cpu or --device auto"),
        ErrorCode::DoesNotFitDevice => Some("--device-memory sets the limit; --device cpu uses no GPU"),
        ErrorCode::NoColumnNames => Some("use --text for that"),
        ErrorCode::DeviceFailed => Some("--device cpu uses no GPU"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_without_a_code_stays_as_it_is() {
        let error = Error::usage("no").with_help("yes");
        assert_eq!(text(&error), "no\n  help: yes");
    }
}
