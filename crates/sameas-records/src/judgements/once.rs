//! Each pair once: what several rows say of a pair is put together, and rows that contradict each other are an error.

use super::judgement::{JudgedRecord, Judgement, JudgementKind};
use crate::error::{Error, Result};
use crate::records::Table;

/// The judgements, each pair at its first row. Of an ordered pair the first record is of another input than the second.
pub(super) fn each_once(mut all: Vec<Judgement>, is_ordered: bool, table: &Table) -> Result<Vec<Judgement>> {
    let mut keeps = vec![true; all.len()];
    let mut contradiction: Option<(usize, String)> = None;
    for rows in repeated(&all, is_ordered) {
        for later in &rows[1..] {
            keeps[*later] = false;
            let (before, from) = all.split_at_mut(*later);
            let (first, later) = (&mut before[rows[0]], &from[0]);
            // The first one in the file is reported.
            if let Err(what) = first.add(later)
                && contradiction.as_ref().is_none_or(|(row, _)| later.row < *row)
            {
                let [a, b] = &later.records;
                let (place, other) = (table.place(later.row), table.place(first.row));
                let message = format!("{place}: of `{}` and `{}` {what}, which contradicts {other}", a.id, b.id);
                contradiction = Some((later.row, message));
            }
        }
    }
    if let Some((_, message)) = contradiction {
        return Err(Error::data(message).with_help("a pair has one judgement: leave out the row that is wrong"));
    }
    let mut keeps = keeps.into_iter();
    all.retain(|_| keeps.next().unwrap_or(true));
    Ok(all)
}

/// The places of judgements about one pair, ascending, for each pair that has several.
fn repeated(all: &[Judgement], is_ordered: bool) -> Vec<Vec<usize>> {
    let mut places: Vec<usize> = (0..all.len()).collect();
    let key = |place: &usize| all[*place].key(is_ordered);
    places.sort_by(|a, b| key(a).cmp(&key(b)).then(a.cmp(b)));
    let groups = places.chunk_by(|a, b| key(a) == key(b));
    groups.filter(|group| group.len() > 1).map(<[usize]>::to_vec).collect()
}

impl Judgement {
    /// The pair. The order of its records matters where they are of two inputs.
    fn key(&self, is_ordered: bool) -> [&JudgedRecord; 2] {
        let [a, b] = &self.records;
        if is_ordered || a <= b { [a, b] } else { [b, a] }
    }

    /// Adds what another row says of the pair, or gives what contradicts this one.
    fn add(&mut self, other: &Self) -> std::result::Result<(), String> {
        match (self.kind, other.kind) {
            (a, b) if a == b => {}
            (_, JudgementKind::Unsure) => {}
            // Who is sure decides.
            (JudgementKind::Unsure, kind) => {
                (self.kind, self.row) = (kind, other.row);
                (self.who, self.when) = (other.who.clone(), other.when.clone());
            }
            (_, kind) => return Err(format!("the judgement is `{}`", kind.name())),
        }
        match (&self.stratum, &other.stratum) {
            (Some(a), Some(b)) if a != b => return Err(format!("the stratum is `{b}`")),
            (None, Some(b)) => self.stratum = Some(b.clone()),
            _ => {}
        }
        match (self.inclusion_probability, other.inclusion_probability) {
            (Some(a), Some(b)) if a.total_cmp(&b).is_ne() => Err(format!("the inclusion probability is {b}")),
            (a, b) => {
                self.inclusion_probability = a.or(b);
                Ok(())
            }
        }
    }
}
