//! A comparison of Splink as one of sameas.

use super::dialect::SqlBackend;
use super::frequencies::adjusted;
use super::note::{NotExpressible, NoteList};
use super::nulls::NullLevel;
use super::settings_json::{ComparisonJson, LevelJson};
use super::sql::{ColumnStyle, SqlTranslator};
use super::symmetry::is_symmetric;
use super::term::SqlTerm;
use crate::model::{ComparisonModel, LevelModel, toml_text};
use crate::rules::{LinkType, RuleFile};

/// A comparison that is in the job.
#[derive(Clone, Debug)]
pub struct TakenComparison {
    pub name: String,
    pub levels: Vec<TakenLevel>,
    /// The column whose values weigh more the rarer they are.
    pub term_frequency: Option<String>,
    /// What is known of it, where the settings have probabilities.
    pub model: Option<ComparisonModel>,
}

/// A level that is in the job.
#[derive(Clone, Debug)]
pub struct TakenLevel {
    pub text: String,
    /// What Splink calls it.
    pub label: Option<String>,
}

/// What is the same for all comparisons of a job.
#[derive(Clone, Copy, Debug)]
pub struct JobFacts {
    pub backend: SqlBackend,
    pub link_type: LinkType,
    /// Whether there are probabilities, so that a model is made.
    pub is_trained: bool,
}

/// The levels of a comparison, translated; *else* is not among them.
pub struct LevelTerms<'a> {
    pub name: &'a str,
    pub levels: Vec<&'a LevelJson>,
    /// Where each is in the settings, from 1.
    pub numbers: Vec<usize>,
    /// The condition of each as Splink means it.
    pub meant: Vec<SqlTerm>,
    /// The condition of each, so that it holds where the level counts, whatever is null.
    pub held: Vec<SqlTerm>,
    /// The condition of each as the job has it.
    pub terms: Vec<SqlTerm>,
}

impl JobFacts {
    /// The comparisons that one of Splink becomes, none where it cannot be expressed, and the columns that it reads.
    pub fn comparison(
        self,
        of: &ComparisonJson,
        at: usize,
        notes: &mut NoteList,
        columns: &mut RetainedColumns,
    ) -> Vec<TakenComparison> {
        let name = of.output_column_name.clone().unwrap_or_else(|| format!("comparison_{}", at + 1));
        let place = format!("comparison `{name}`");
        if let Err(why) = of.check() {
            notes.not_taken(&place, why);
            return Vec::new();
        }
        let Some(terms) = self.levels(of, &name, notes) else { return Vec::new() };
        for term in &terms.meant {
            columns.add(term);
            notes.others.look(term, self.backend, &place);
        }
        self.taken(of, &terms, &place, notes)
    }

    fn taken(
        self,
        of: &ComparisonJson,
        terms: &LevelTerms<'_>,
        place: &str,
        notes: &mut NoteList,
    ) -> Vec<TakenComparison> {
        let shares = if self.is_trained { of.shares(place, notes) } else { Vec::new() };
        let texts: Vec<String> = terms.terms.iter().map(SqlTerm::text).collect();
        let labels = terms.levels.iter().map(|level| level.label_for_charts.clone());
        let levels = texts.iter().zip(labels).map(|(text, label)| TakenLevel { text: text.clone(), label }).collect();
        let model = shares.split_last().map(|(otherwise, shares)| {
            let known = texts.iter().zip(shares).map(|(text, of)| LevelModel::new(Some(&spaced(text)), of.m, of.u));
            ComparisonModel::new(terms.name, known.collect(), LevelModel::new(None, otherwise.m, otherwise.u))
        });
        let plain = TakenComparison { name: terms.name.to_owned(), levels, term_frequency: None, model };
        adjusted(plain, terms, &shares, notes)
    }

    /// The conditions of the levels, or none where one cannot be expressed.
    fn levels<'a>(self, of: &'a ComparisonJson, name: &'a str, notes: &mut NoteList) -> Option<LevelTerms<'a>> {
        let (mut levels, mut numbers, mut meant) = (Vec::new(), Vec::new(), Vec::new());
        let (mut nulls, mut after) = (Vec::new(), 0);
        let mut is_whole = true;
        for (at, level) in of.comparison_levels.iter().enumerate().filter(|(_, level)| !level.is_else()) {
            let place = format!("comparison `{name}`, level {}", at + 1);
            match self.condition(level, &place, notes) {
                Err(why) => {
                    notes.not_taken(&place, why);
                    is_whole = false;
                }
                Ok(term) if level.is_null() => {
                    after = meant.len();
                    nulls.push(term);
                }
                Ok(term) => {
                    levels.push(level);
                    numbers.push(at + 1);
                    meant.push(term);
                }
            }
        }
        let null = (!nulls.is_empty()).then(|| NullLevel::new(SqlTerm::any(nulls)));
        let held = NullLevel::excluded(null.as_ref(), after, meant.clone());
        let terms = NullLevel::seen(null.as_ref(), held.clone());
        for (term, number) in terms.iter().zip(&numbers) {
            if let Err(why) = check(&term.text()) {
                notes.not_taken(&format!("comparison `{name}`, level {number}"), why);
                is_whole = false;
            }
        }
        is_whole.then_some(LevelTerms { name, levels, numbers, meant, held, terms })
    }

    fn condition(self, level: &LevelJson, place: &str, notes: &mut NoteList) -> Result<SqlTerm, NotExpressible> {
        let mut translator = SqlTranslator { backend: self.backend, columns: ColumnStyle::Suffix, place, notes };
        let term = translator.condition(&level.sql_condition)?;
        if !level.is_null() {
            self.note_direction(&term, place, notes);
        }
        Ok(term)
    }

    /// Says so where a condition depends on which of the two records is the left one.
    pub fn note_direction(self, term: &SqlTerm, place: &str, notes: &mut NoteList) {
        if is_symmetric(term) {
            return;
        }
        match self.link_type {
            LinkType::LinkOnly => notes.differs(
                place,
                "the condition depends on which record is `l`: in Splink that of the dataset whose name comes first, in \
                 sameas that of the first input",
                "give the inputs in the order of their names in Splink",
            ),
            _ => notes.differs(
                place,
                "the condition depends on which record is `l`: Splink looks at a pair in one direction, by its ids, and \
                 sameas in both",
                "pairs that satisfy it only in the other direction reach this level, too",
            ),
        }
    }
}

impl ComparisonJson {
    /// Whether its levels are in an order that can be taken over, and its numbers are probabilities.
    fn check(&self) -> Result<(), NotExpressible> {
        let levels = &self.comparison_levels;
        let correct = "correct it in the settings";
        if !levels.last().is_some_and(LevelJson::is_else) || levels.iter().filter(|level| level.is_else()).count() > 1 {
            return Err(NotExpressible::new("its last level, and no other, must be `ELSE`", correct));
        }
        if levels.iter().all(|level| level.is_null() || level.is_else()) {
            return Err(NotExpressible::new("it only has levels for null and `ELSE`", "leave it out"));
        }
        let nulls: Vec<usize> = (0..levels.len()).filter(|at| levels[*at].is_null()).collect();
        if nulls.windows(2).any(|two| two[1] != two[0] + 1) {
            let what = "levels for null stand at several places, and sameas looks for missing values once";
            return Err(NotExpressible::new(what, "put them one after the other"));
        }
        let numbers = levels.iter().flat_map(|level| [&level.m_probability, &level.u_probability]).flatten();
        match numbers.filter_map(serde_json::Value::as_f64).find(|number| !(0.0..=1.0).contains(number)) {
            Some(number) => Err(NotExpressible::new(format!("{number} is not a probability"), correct)),
            None => Ok(()),
        }
    }
}

/// Whether a condition is one of the rule language: a mistake would be a function with arguments of another kind.
pub fn check(condition: &str) -> Result<(), NotExpressible> {
    let text = format!("[[rule]]\nwhen = {}\n", toml_text(condition));
    let checked = RuleFile::parse(&text, "condition").and_then(|file| file.check_syntax());
    checked.map(|_| ()).map_err(|error| {
        let message = error.message().lines().next().unwrap_or_default();
        let message = message.split_once(": ").map_or(message, |(_, message)| message);
        let what = format!("`{condition}` is not a condition of the rule language: {message}");
        NotExpressible::new(what, "write a condition of its kind by hand")
    })
}

/// A condition as the compiled rules show it.
pub fn spaced(condition: &str) -> String {
    condition.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The columns that a job reads, in order.
#[derive(Debug, Default)]
pub struct RetainedColumns {
    /// Those with one value in a record.
    pub single: Vec<String>,
    lists: Vec<String>,
}

impl RetainedColumns {
    /// Adds those of a condition.
    pub fn add(&mut self, term: &SqlTerm) {
        const OF_LISTS: [&str; 5] =
            ["array_length", "overlap", "overlap_coefficient", "list_has_any", "cosine_similarity"];
        term.walk(&mut |part| {
            if let SqlTerm::Call(name, args) = part
                && OF_LISTS.contains(name)
            {
                for arg in args {
                    if let SqlTerm::Column(_, column) = arg {
                        self.lists.push(column.clone());
                    }
                }
            }
        });
        term.walk(&mut |part| {
            if let SqlTerm::Column(_, column) = part {
                self.add_name(column);
            }
        });
    }

    /// Adds one, unless it is there or holds lists.
    pub fn add_name(&mut self, column: &str) {
        let is_known = |names: &[String]| names.iter().any(|name| name.eq_ignore_ascii_case(column));
        if !column.trim().is_empty() && !is_known(&self.single) && !is_known(&self.lists) {
            self.single.push(column.to_owned());
        }
    }
}
