//! What became of the parts of Splink's settings that are not in the job as they are there.

use std::fmt;

use serde::Serialize;

use super::other_values::OtherValues;

/// Something in Splink's settings that a job of sameas does not have, or has in another way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SplinkNote {
    /// Whether it is in the job at all.
    pub kind: SplinkNoteKind,
    /// Where it stands in the settings: ``comparison `dob`, level 3``.
    pub place: String,
    /// What is so.
    pub what: String,
    /// What to do next.
    pub next: String,
}

/// How much of something in Splink's settings is in the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SplinkNoteKind {
    /// Nothing: without it, scores or pairs are others than Splink's.
    NotTaken,
    /// It is in the job, and may be another for some records.
    Differs,
}

impl fmt::Display for SplinkNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, what, next, .. } = self;
        write!(f, "{place}: {what}; {next}")
    }
}

/// Notes while they are collected.
#[derive(Debug, Default)]
pub struct NoteList {
    pub notes: Vec<SplinkNote>,
    /// Conditions that see some values in another way.
    pub others: OtherValues,
}

impl NoteList {
    /// Adds what is not in the job.
    pub fn not_taken(&mut self, place: &str, why: NotExpressible) {
        self.add(SplinkNoteKind::NotTaken, place, why);
    }

    /// Adds what is another in the job.
    pub fn differs(&mut self, place: &str, what: impl Into<String>, next: impl Into<String>) {
        self.add(SplinkNoteKind::Differs, place, NotExpressible::new(what, next));
    }

    fn add(&mut self, kind: SplinkNoteKind, place: &str, NotExpressible { what, next }: NotExpressible) {
        let note = SplinkNote { kind, place: place.to_owned(), what, next };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Why something cannot be said in the rule language, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotExpressible {
    pub what: String,
    pub next: String,
}

impl NotExpressible {
    pub fn new(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { what: what.into(), next: next.into() }
    }
}

/// A piece of SQL as a note shows it.
pub fn shown(sql: &str) -> String {
    const MOST: usize = 90;
    let plain = sql.split_whitespace().collect::<Vec<_>>().join(" ");
    if plain.chars().count() <= MOST {
        return plain;
    }
    plain.chars().take(MOST).chain("...".chars()).collect()
}
