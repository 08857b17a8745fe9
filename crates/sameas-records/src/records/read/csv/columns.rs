//! The columns that rules can name. A header may have others: without a name, as spreadsheets leave them at the end, or
//! with the name of another column. They are in nobody's way as long as no rule names them.

use std::collections::HashMap;

use arrow_schema::{DataType, Field, Fields};

use crate::expr::repeated_field;

/// The columns of a file that have a name; columns that share one are one, which cannot be read.
pub(super) struct NamedColumns {
    pub(super) fields: Fields,
    /// The place of each in the file.
    pub(super) places: Vec<usize>,
}

impl NamedColumns {
    /// Those of a header; `label` is what messages call the file.
    pub(super) fn from_header(names: &[String], label: &str) -> Self {
        let mut number: HashMap<&str, usize> = HashMap::with_capacity(names.len());
        let mut columns: Vec<(&str, Vec<usize>)> = Vec::with_capacity(names.len());
        for (place, name) in names.iter().enumerate().filter(|(_, name)| has_name(name)) {
            match number.get(name.as_str()) {
                Some(known) => columns[*known].1.push(place),
                None => {
                    number.insert(name, columns.len());
                    columns.push((name, vec![place]));
                }
            }
        }
        let places = columns.iter().map(|(_, places)| places[0]).collect();
        Self { fields: columns.iter().map(|(name, places)| field(name, places, label)).collect(), places }
    }
}

pub(super) fn has_name(name: &str) -> bool {
    !name.trim().is_empty()
}

fn field(name: &str, places: &[usize], label: &str) -> Field {
    let field = Field::new(name, DataType::Utf8, true);
    if places.len() == 1 {
        return field;
    }
    repeated_field(field, format!("columns {} of {label}", listed(places)))
}

/// Numbers from 1, as many as a message can hold: `1, 3 and 4`.
fn listed(places: &[usize]) -> String {
    const SHOWN: usize = 5;
    let mut numbers: Vec<String> = places.iter().take(SHOWN).map(|place| (place + 1).to_string()).collect();
    let last = match places.len() {
        more if more > SHOWN => Some(format!("{} more", more - SHOWN)),
        _ => numbers.pop(),
    };
    format!("{} and {}", numbers.join(", "), last.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::repetition;

    #[test]
    fn columns_without_a_name_are_left_out_and_repeated_ones_are_one() {
        let names = ["a", "", "b", " ", "a", "A"].map(String::from);
        let columns = NamedColumns::from_header(&names, "x.csv");
        let shown: Vec<_> = columns.fields.iter().map(|field| (field.name().as_str(), repetition(field))).collect();
        assert_eq!(shown, [("a", Some("columns 1 and 5 of x.csv")), ("b", None), ("A", None)]);
        assert_eq!(columns.places, [0, 2, 5]);
    }

    #[test]
    fn many_places_are_not_all_named() {
        assert_eq!(listed(&[0, 1, 2]), "1, 2 and 3");
        assert_eq!(listed(&[0, 1, 2, 3, 4, 5, 6]), "1, 2, 3, 4, 5 and 2 more");
    }
}
