//! The options of `sameas from-splink`.

use std::path::PathBuf;

use clap::Args;

/// Make a rule file and a model of the settings of a Splink model
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas from-splink model.json -o job
  sameas dedupe people.csv --rules job/rules.toml --model job/model.toml -o result
  sameas from-splink settings.json --skip -o job            without what cannot be taken over

SETTINGS is the JSON that `save_model_to_json` of Splink 4 or 5 writes, or settings of that form. Pairs
get the match_probability that Splink gives them. Writes `rules.toml` and, where the settings have
probabilities, `model.toml`; says what differs. What has no counterpart is listed, and nothing is
written then, unless --skip leaves it out.")]
pub struct FromSplink {
    /// The settings: a JSON file, or - for standard input
    #[arg(value_name = "SETTINGS")]
    pub settings: PathBuf,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Leave out what cannot be taken over: scores then differ from Splink's
    #[arg(long)]
    pub skip: bool,
    /// Replace the files if they are there
    #[arg(long)]
    pub overwrite: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}
