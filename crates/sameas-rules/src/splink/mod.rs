//! Splink's settings as a job: blocking rules become rules, comparisons stay comparisons, m and u become a model.
//!
//! `settings_json` reads the JSON. `sql` and `functions` translate conditions into `term`s of the rule language, with
//! `dialect`, `dates` and `formulas` for what backends write in their own way. `nulls` makes levels null where Splink has a
//! null level, `symmetry` finds conditions that depend on the order of the two records, and `other_values` those that see some
//! values in another way. `comparison`, `probabilities` and `frequencies` make a comparison and what the model knows of it,
//! `blocking` a rule, and `rules_text` the file. What cannot be said in the rule language, or is not quite the same, is a
//! `note`.
//!
//! SQL is parsed by sqlparser, in the dialect that the settings name, and each condition is checked by our own binder
//! before it is taken. Three things differ between the tools, and each has a file with the argument: a null level is a
//! condition there and a property of levels here (`nulls`); term frequencies belong to levels there and to comparisons
//! here (`frequencies`); a condition that depends on which record is `l` is asked in one direction there (`symmetry`,
//! which only says so). `bench/peers/from_splink.py` compares scores with Splink's, pair by pair.

mod blocking;
mod comparison;
mod dates;
mod dialect;
mod formulas;
mod frequencies;
mod functions;
mod note;
mod nulls;
mod other_values;
mod probabilities;
mod rules_text;
mod settings_json;
mod sql;
mod symmetry;
mod term;

#[cfg(test)]
mod tests;

use crate::error::{Error, ErrorCode, Result, printable};
use crate::model::Model;
use crate::rules::{LinkType, RuleFile, on_a_deep_stack};

use comparison::{JobFacts, RetainedColumns};
use dialect::SqlBackend;
use note::NoteList;
pub use note::{SplinkNote, SplinkNoteKind};
use rules_text::RulesText;
use settings_json::SettingsJson;

/// What Splink takes for the probability that two random records match, where nobody has said it.
const DEFAULT_PRIOR: f64 = 0.0001;

/// The settings of a Splink model, as rules and a model of sameas that give the same match probabilities.
///
/// ```
/// # mod sameas { pub use sameas_core::error::Result; pub use sameas_rules::splink; }
/// # fn main() -> sameas::Result<()> {
/// let json = r#"{
///     "link_type": "dedupe_only",
///     "blocking_rules_to_generate_predictions": ["l.surname = r.surname"],
///     "comparisons": [{"output_column_name": "email", "comparison_levels": [
///         {"sql_condition": "email_l IS NULL OR email_r IS NULL", "is_null_level": true},
///         {"sql_condition": "email_l = email_r", "m_probability": 0.9, "u_probability": 0.01},
///         {"sql_condition": "ELSE", "m_probability": 0.1, "u_probability": 0.99}
///     ]}]
/// }"#;
/// let settings = sameas::splink::SplinkSettings::read(json)?;
/// assert!(settings.rules_text.contains("l.email = r.email"));
/// assert_eq!(settings.model.map(|model| model.comparisons.len()), Some(1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SplinkSettings {
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// The text of the rule file.
    pub rules_text: String,
    /// The model, where the settings have probabilities.
    pub model: Option<Model>,
    /// What is not in the job, or may be another for some records.
    pub notes: Vec<SplinkNote>,
}

impl SplinkSettings {
    /// Bytes of settings at most: those of Splink have some thousands. Whoever reads a file needs no more of it.
    pub const MOST_BYTES: usize = settings_json::MOST_BYTES;

    /// Reads the JSON of Splink 4 or 5. Where something cannot be taken over, that is an error that lists all of it.
    pub fn read(json: &str) -> Result<Self> {
        let settings = Self::read_skipping(json)?;
        let left: Vec<String> =
            settings.not_taken().map(|note| format!("  {}", printable(&note.to_string()))).collect();
        match left.len() {
            0 => Ok(settings),
            count => {
                let things = if count == 1 { "1 thing".to_owned() } else { format!("{count} things") };
                let message = format!("{things} in the settings cannot be taken over:\n{}", left.join("\n"));
                Err(Error::mistakes(message)
                    .with_help("without them, scores differ from Splink's")
                    .with_code(ErrorCode::NotTakenOver))
            }
        }
    }

    /// The same, and what cannot be taken over is left out and noted: scores then differ from Splink's. A comparison
    /// is left out as a whole.
    pub fn read_skipping(json: &str) -> Result<Self> {
        on_a_deep_stack(|| {
            let mut notes = NoteList::default();
            let settings = SettingsJson::read(json, &mut notes)?;
            translated(&settings, notes)
        })
    }

    /// The rules.
    pub fn rules(&self) -> Result<RuleFile> {
        RuleFile::parse(&self.rules_text, "rules.toml")
    }

    /// What is not in the job.
    pub fn not_taken(&self) -> impl Iterator<Item = &SplinkNote> {
        self.notes.iter().filter(|note| note.kind == SplinkNoteKind::NotTaken)
    }
}

fn translated(settings: &SettingsJson, mut notes: NoteList) -> Result<SplinkSettings> {
    let link_type = link_type(settings)?;
    let comparisons = settings.comparisons.as_deref().unwrap_or_default();
    let blocking = settings.blocking_rules_to_generate_predictions.as_deref().unwrap_or_default();
    let backend = SqlBackend::named(settings.sql_dialect.as_deref());
    let is_trained = comparisons.iter().any(settings_json::ComparisonJson::is_trained);
    let facts = JobFacts { backend, link_type, is_trained };
    let mut columns = RetainedColumns::default();
    let mut taken = Vec::new();
    for (at, comparison) in comparisons.iter().enumerate() {
        taken.extend(facts.comparison(comparison, at, &mut notes, &mut columns));
    }
    let mut rules = Vec::new();
    for (at, rule) in blocking.iter().enumerate() {
        rules.extend(facts.rule(rule, at, &mut notes, &mut columns));
    }
    let prior = settings.probability_two_random_records_match.unwrap_or(DEFAULT_PRIOR);
    if !(prior > 0.0 && prior < 1.0) {
        let message = format!("`probability_two_random_records_match` is {prior}, which is not between 0 and 1");
        return Err(Error::data(message).with_help("correct it in the settings"));
    }
    note_job(settings, facts, taken.is_empty(), rules.is_empty(), &mut notes);
    let model = is_trained.then(|| {
        let known = taken.iter().filter_map(|comparison| comparison.model.clone()).collect();
        let mut model = Model::new(prior, known);
        model.prior_from = Some("the settings of Splink".to_owned());
        model
    });
    let model = model.filter(|model| !model.comparisons.is_empty());
    let retained = retained(settings, columns);
    let text = RulesText {
        link_type,
        unique_id: settings.unique_id_column_name.as_deref().unwrap_or("unique_id"),
        rules: &rules,
        comparisons: &taken,
        prior: Some(prior).filter(|prior| model.is_none() && *prior != DEFAULT_PRIOR),
        has_levels: settings.retain_intermediate_calculation_columns == Some(true),
        columns: &retained,
    };
    Ok(SplinkSettings { link_type, rules_text: text.text(), model, notes: notes.notes })
}

fn link_type(settings: &SettingsJson) -> Result<LinkType> {
    match settings.link_type.as_deref() {
        None | Some("dedupe_only") => Ok(LinkType::DedupeOnly),
        Some("link_only") => Ok(LinkType::LinkOnly),
        Some("link_and_dedupe") => Ok(LinkType::LinkAndDedupe),
        Some(other) => Err(Error::data(format!("the settings have an unknown `link_type`: {other}"))
            .with_help("it is dedupe_only, link_only or link_and_dedupe")),
    }
}

/// The columns that pairs are written with.
fn retained(settings: &SettingsJson, mut columns: RetainedColumns) -> Vec<String> {
    if settings.retain_matching_columns == Some(false) {
        columns.single.clear();
    }
    for name in settings.additional_columns_to_retain.as_deref().unwrap_or_default() {
        columns.add_name(name.trim_matches(['"', '`']));
    }
    let id = settings.unique_id_column_name.as_deref().unwrap_or("unique_id");
    columns.single.retain(|name| !name.eq_ignore_ascii_case(id));
    columns.single
}

/// Notes about the job as a whole.
fn note_job(settings: &SettingsJson, facts: JobFacts, no_comparison: bool, no_rule: bool, notes: &mut NoteList) {
    let given = |list: Option<usize>| list.is_some_and(|count| count > 0);
    if no_rule && !given(settings.blocking_rules_to_generate_predictions.as_ref().map(Vec::len)) {
        let what = "there is none, so Splink compares all pairs";
        let next = "give a threshold in [score]: sameas then finds every pair above it without looking at all pairs";
        notes.differs("blocking rules", what, next);
    }
    if !no_comparison && !facts.is_trained {
        let what = "no level has an m or a u, so there is no model";
        notes.differs("comparisons", what, "add the rules of [train] to the rule file and train a model");
    }
    if facts.backend == SqlBackend::Other {
        let name = settings.sql_dialect.as_deref().unwrap_or_default();
        let what = format!("SQL of `{name}` is read as general SQL");
        notes.differs("sql_dialect", what, "compare the conditions with those of the settings");
    }
    let is_fixed = |level: &settings_json::LevelJson| {
        level.fix_m_probability == Some(true) || level.fix_u_probability == Some(true)
    };
    let mut levels = settings.comparisons.iter().flatten().flat_map(|comparison| &comparison.comparison_levels);
    if levels.any(is_fixed) {
        let what = "probabilities that are fixed in training are in the model like others";
        notes.differs("comparisons", what, "training in sameas learns them again unless you write them back");
    }
    let is_other = settings.em_convergence.is_some_and(|least| least != 0.0001)
        || settings.max_iterations.is_some_and(|most| most != 25.0);
    if is_other && !facts.is_trained {
        let what = "training in sameas has limits of its own";
        notes.differs("em_convergence, max_iterations", what, "no change is needed");
    }
    if settings.source_dataset_column_name.as_deref().is_some_and(|name| name != "source_dataset")
        && facts.link_type != LinkType::DedupeOnly
    {
        let what =
            "the dataset of a record is the name of its input, in the columns source_dataset_l and source_dataset_r";
        notes.differs("source_dataset_column_name", what, "give each dataset as an input of its own");
    }
    std::mem::take(&mut notes.others).note(notes);
}
