//! Where the numbers of a model are in its text, and how precisely they are written.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::plausible::{FOUR_DECIMALS, NumberOwner, NumberPlace};

/// The text of a model as TOML, by places.
pub(super) struct ModelPlaces<'t> {
    text: &'t str,
    table: Option<Spanned<DeTable<'t>>>,
}

impl<'t> ModelPlaces<'t> {
    /// Of the text of a model.
    pub fn new(text: &'t str) -> Self {
        Self { text, table: DeTable::parse(text).ok() }
    }

    /// The line of a number, or of what has it, where the number itself has no line.
    pub fn line(&self, place: NumberPlace) -> usize {
        let value = self.value(place.of).and_then(|of| entry(table_of(of)?, place.key));
        let root = || self.table.as_ref().and_then(|table| entry(table.get_ref(), place.key));
        let start = value.or_else(|| self.value(place.of)).or_else(root).map_or(0, |value| value.span().start);
        self.text.get(..start).unwrap_or_default().matches('\n').count() + 1
    }

    /// By how much the weight of an outcome of a comparison may be off, as it is written: half of its last digit.
    pub fn slack(&self, comparison: usize, outcome: usize) -> f64 {
        let level = self.value(NumberOwner::Outcome(comparison, outcome)).and_then(table_of);
        let written = level.and_then(|level| entry(level, "weight")).and_then(|value| self.text.get(value.span()));
        written.map_or(FOUR_DECIMALS, half_of_last_digit)
    }

    /// What has a number; nothing for the model as a whole.
    fn value(&self, of: NumberOwner) -> Option<&Spanned<DeValue<'t>>> {
        let root = self.table.as_ref()?.get_ref();
        let comparison = |at: usize| item(entry(root, "comparison")?, at);
        match of {
            NumberOwner::Model => None,
            NumberOwner::Comparison(at) => comparison(at),
            NumberOwner::Pass(at) => item(entry(root, "pass")?, at),
            NumberOwner::Outcome(at, outcome) => {
                let table = table_of(comparison(at)?)?;
                let level = entry(table, "level").and_then(|levels| item(levels, outcome));
                level.or_else(|| entry(table, "else"))
            }
        }
    }
}

fn entry<'a, 'i>(table: &'a DeTable<'i>, name: &str) -> Option<&'a Spanned<DeValue<'i>>> {
    table.iter().find(|(key, _)| key.get_ref().as_ref() == name).map(|(_, value)| value)
}

fn table_of<'a, 'i>(value: &'a Spanned<DeValue<'i>>) -> Option<&'a DeTable<'i>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

fn item<'a, 'i>(value: &'a Spanned<DeValue<'i>>, at: usize) -> Option<&'a Spanned<DeValue<'i>>> {
    match value.get_ref() {
        DeValue::Array(items) => items.get(at),
        _ => None,
    }
}

/// Half of what the last digit of a number stands for: what rounding to it changes at most.
fn half_of_last_digit(written: &str) -> f64 {
    let (digits, power) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, after)| after.chars().filter(char::is_ascii_digit).count());
    let power = power.parse::<i32>().unwrap_or(0).clamp(-400, 400);
    0.5 * 10.0_f64.powi(power - decimals.min(400) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digit_says_how_precise_a_number_is() {
        let expected =
            [("3", 0.5), ("-3.0", 0.05), ("+12.25", 0.005), ("1_0.2_5", 0.005), ("3.17e1", 0.05), ("1e-3", 5e-4)];
        for (written, half) in expected {
            let found = half_of_last_digit(written);
            assert!((found - half).abs() <= 1e-12 * half, "{written}: {found}");
        }
    }
}
