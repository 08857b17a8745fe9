//! Names that many rows repeat, those of sources and of rules, as numbers.

use arrow_array::{Array, StringArray};
use rayon::prelude::*;

use crate::numbering::GrowingNumbers;

/// Names by number, as they come; a missing one is the empty name.
#[derive(Default)]
pub(super) struct RepeatedNames(GrowingNumbers);

impl RepeatedNames {
    /// The numbers of names, column by column. Only columns with a new name are gone through one after the other.
    pub fn number(&mut self, columns: &[&StringArray]) -> Vec<Vec<u32>> {
        let known: Vec<Option<Vec<u32>>> =
            columns.par_iter().map(|column| numbers(column, |name| self.0.find(name))).collect();
        let mut all = Vec::with_capacity(columns.len());
        for (column, known) in columns.iter().zip(known) {
            let known = known.or_else(|| numbers(column, |name| Some(self.0.number(name))));
            all.push(known.unwrap_or_default());
        }
        all
    }

    /// The number of one name.
    pub fn number_one(&mut self, name: &str) -> u32 {
        self.0.number(name.as_bytes())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// All names by number.
    pub fn texts(&self) -> Vec<String> {
        self.0.texts()
    }
}

/// The numbers of the names of a column, if all have one. Most names are those of the row before.
fn numbers(column: &StringArray, mut number: impl FnMut(&[u8]) -> Option<u32>) -> Option<Vec<u32>> {
    let mut last: Option<(&str, u32)> = None;
    let of_row = |row: usize| {
        let name = if column.is_null(row) { "" } else { column.value(row) };
        match last {
            Some((known, its)) if known == name => Some(its),
            _ => {
                let found = number(name.as_bytes())?;
                last = Some((name, found));
                Some(found)
            }
        }
    };
    (0..column.len()).map(of_row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_one_number_in_all_columns() {
        let mut names = RepeatedNames::default();
        let first = StringArray::from(vec![Some("b"), Some("b"), None, Some("a")]);
        let second = StringArray::from(vec![Some("a"), Some(""), Some("c")]);
        assert_eq!(names.number(&[&first, &second, &first]), [vec![0, 0, 1, 2], vec![2, 1, 3], vec![0, 0, 1, 2]]);
        assert_eq!((names.number(&[&second]), names.number_one("c")), (vec![vec![2, 1, 3]], 3));
        assert_eq!(names.texts(), ["b", "", "a", "c"]);
    }
}
