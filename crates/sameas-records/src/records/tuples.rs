//! Files of tuples. Their columns count by their places, so that a text file of them needs no names: its first line may be
//! a tuple, and must not be lost.

use crate::error::{Error, ErrorCode};

/// Columns that can be declared at most.
const MOST_DECLARED: usize = 64;

/// What is known of the tuples of a file before it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TupleShape {
    /// The columns that are read, from the first on; 0 where nothing is declared.
    columns: usize,
    /// Which of them hold whole numbers, a bit each.
    numbers: u64,
}

/// What the first line of a text file is, as far as it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FirstLine {
    /// Names of columns.
    Names,
    /// A tuple: where numbers are declared it has these.
    Tuple(Vec<i64>),
    /// Names or a tuple: where texts are declared it has these numbers.
    Unclear(Vec<i64>),
}

impl TupleShape {
    /// A column for each of these, which says whether it holds whole numbers.
    pub fn new(are_numbers: impl IntoIterator<Item = bool>) -> Self {
        let mut shape = Self::default();
        for is_number in are_numbers.into_iter().take(MOST_DECLARED) {
            shape.numbers |= u64::from(is_number) << shape.columns;
            shape.columns += 1;
        }
        shape
    }

    /// The columns that are declared.
    pub(super) fn columns(self) -> usize {
        self.columns
    }

    fn is_number(self, column: usize) -> bool {
        self.numbers >> column & 1 == 1
    }

    /// Whether one of its columns holds texts.
    pub(super) fn has_texts(self) -> bool {
        (0..self.columns).any(|column| !self.is_number(column))
    }

    /// What a first line with these fields is.
    pub(super) fn first_line(self, fields: &[String]) -> FirstLine {
        let (numbers, texts): (Vec<usize>, Vec<usize>) = (0..self.columns).partition(|column| self.is_number(*column));
        let has_numbers = !numbers.is_empty();
        let places = if has_numbers { numbers } else { texts };
        let number = |place: &usize| fields.get(*place).and_then(|field| whole_number(field));
        match places.iter().map(number).collect::<Option<Vec<i64>>>() {
            Some(found) if has_numbers => FirstLine::Tuple(found),
            Some(found) if !found.is_empty() => FirstLine::Unclear(found),
            _ => FirstLine::Names,
        }
    }
}

/// A whole number of 64 bits; floats and decimals that are whole are written with zeros behind a point.
pub fn whole_number(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (whole, fraction) = text.split_once('.')?;
    if fraction.is_empty() || fraction.bytes().any(|digit| digit != b'0') { None } else { whole.parse().ok() }
}

/// The error for a file that begins with numbers: a tuple in the place of the names would be lost.
pub fn no_names(file: &str, numbers: &[i64]) -> Error {
    let message = match numbers {
        [one] => format!("`{file}` begins with the number {one}, where the name of a column is expected"),
        _ => format!("`{file}` begins with the numbers {}, where names of columns are expected", listed(numbers)),
    };
    Error::data(message)
        .with_help("give it a first line with names, or read it as plain text, which has none")
        .with_code(ErrorCode::NoColumnNames)
}

/// `1, 2 and 3`.
fn listed(numbers: &[i64]) -> String {
    let mut texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let last = texts.pop().unwrap_or_default();
    if texts.is_empty() { last } else { format!("{} and {last}", texts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `kinds` has an `n` for each column of numbers.
    fn first_line(kinds: &str, line: &str) -> FirstLine {
        let fields: Vec<String> = line.split(' ').map(str::to_owned).collect();
        TupleShape::new(kinds.chars().map(|kind| kind == 'n')).first_line(&fields)
    }

    #[test]
    fn the_first_line_has_names_or_values() {
        assert_eq!(first_line("nn", "1 -2 x"), FirstLine::Tuple(vec![1, -2]));
        assert_eq!(first_line("nt", "1 ann"), FirstLine::Tuple(vec![1]));
        assert_eq!(first_line("tn", "ann 7.0"), FirstLine::Tuple(vec![7]));
        assert_eq!(first_line("tt", "1 2"), FirstLine::Unclear(vec![1, 2]));
        for (kinds, line) in [("nn", "1 y"), ("nn", "1"), ("tt", "1 b"), ("tt", "a b"), ("", "1 2")] {
            assert_eq!(first_line(kinds, line), FirstLine::Names, "{kinds}: {line}");
        }
        assert!(TupleShape::new([true, false]).has_texts() && !TupleShape::new([true]).has_texts());
        assert!(!TupleShape::default().has_texts(), "nothing is declared");
    }

    #[test]
    fn whole_numbers() {
        for (text, number) in [("7", Some(7)), (" -7 ", Some(-7)), ("7.00", Some(7)), ("7.", None), ("7.5", None)] {
            assert_eq!(whole_number(text), number, "{text}");
        }
        assert_eq!([whole_number(""), whole_number("x"), whole_number("9223372036854775808")], [None; 3]);
    }

    #[test]
    fn numbers_in_the_place_of_names_are_listed() {
        let message = |numbers: &[i64]| no_names("e.csv", numbers).message().to_owned();
        assert_eq!(message(&[1]), "`e.csv` begins with the number 1, where the name of a column is expected");
        let three = "`e.csv` begins with the numbers 1, 2 and 3, where names of columns are expected";
        assert_eq!(message(&[1, 2, 3]), three);
    }
}
