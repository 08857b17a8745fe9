//! The record that a value is taken from: the best of those that count, and among equals the earliest.

use std::cmp::Ordering;

use super::answer::EntityAnswer;
use super::columns::is_missing;
use super::counting::EntityColumnOf;
use crate::entities::{Item, SurvivorRule};

impl EntityAnswer<'_> {
    /// The row that is chosen of those that count, which are in order.
    pub(super) fn picked(&self, counting: &[usize], column: &EntityColumnOf) -> Option<usize> {
        let is_better = |row: usize, best: usize| self.is_better(row, best, counting, column);
        counting.iter().copied().reduce(|best, row| if is_better(row, best) { row } else { best })
    }

    /// Whether a later row is chosen over an earlier one.
    fn is_better(&self, row: usize, best: usize, counting: &[usize], column: &EntityColumnOf) -> bool {
        let [value, known] = [row, best].map(|row| self.values_for(row, column));
        match column.entry.take {
            SurvivorRule::First => self.by_order(row, best, column, Ordering::Less),
            SurvivorRule::Oldest => self.by_order(row, best, column, Ordering::Less),
            SurvivorRule::Newest => self.by_order(row, best, column, Ordering::Greater),
            SurvivorRule::MostFrequent => {
                let times =
                    |of: &Vec<Item>| counting.iter().filter(|row| self.values_for(**row, column) == *of).count();
                times(&value) > times(&known)
            }
            SurvivorRule::Longest => length(&value[0]) > length(&known[0]),
            SurvivorRule::MostComplete => self.filled(row, column) > self.filled(best, column),
            SurvivorRule::Priority => self.place_of_source(row, column) < self.place_of_source(best, column),
            SurvivorRule::Min => value[0].order(&known[0]) == Ordering::Less,
            SurvivorRule::Max => value[0].order(&known[0]) == Ordering::Greater,
            SurvivorRule::Strongest => self.strengths[row] > self.strengths[best],
            take => panic!("{} takes no record", take.name()),
        }
    }

    /// Whether `by` of a row is before or after that of another; a missing one comes after all others.
    fn by_order(&self, row: usize, best: usize, column: &EntityColumnOf, wanted: Ordering) -> bool {
        let Some(by) = &column.entry.by else { return false };
        let by = self.column_by(by);
        let [value, known] = [row, best].map(|row| self.value_of(row, &by));
        match [is_missing(&value), is_missing(&known)] {
            [true, _] => false,
            [false, true] => true,
            [false, false] => value.order(&known) == wanted,
        }
    }

    /// How many columns are filled: of a group its own, else all but ids.
    fn filled(&self, row: usize, column: &EntityColumnOf) -> usize {
        let names = column.group.clone().unwrap_or_else(|| self.columns_without_ids());
        names.iter().filter(|name| !is_missing(&self.value_in(row, name))).count()
    }

    fn place_of_source(&self, row: usize, column: &EntityColumnOf) -> usize {
        let sources = &column.entry.sources;
        sources.iter().position(|source| *source == self.rows[row].0).unwrap_or(sources.len())
    }
}

/// Characters of a text, or elements of a list.
fn length(item: &Item) -> usize {
    match item {
        Item::Text(text) => text.chars().count(),
        Item::List(items) => items.len(),
        other => panic!("only texts and lists have a length: {other:?}"),
    }
}
