//! Tables of a test case: typed columns, rows of optional cells, an id per row.

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text, one string per cell.
    Text,
    /// Lists of texts.
    TextList,
    /// Vectors of numbers.
    NumberList,
    /// Numbers: all integers or all floats.
    Number,
    /// 64-bit integers without a sign.
    Unsigned,
    /// Decimals: how many digits they have, and how many of these are behind the point.
    Decimal(u8, i8),
    /// Lists of 64-bit integers without a sign.
    Integers,
}

impl Kind {
    /// Whether the cells hold lists.
    pub fn is_list(self) -> bool {
        matches!(self, Kind::TextList | Kind::NumberList | Kind::Integers)
    }

    /// Whether the cells hold single numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Number | Kind::Unsigned | Kind::Decimal(..))
    }
}

/// A value; null is the absence of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text, perhaps empty.
    Text(String),
    /// A list of texts, any of them null or empty.
    TextList(Vec<Option<String>>),
    /// A vector of finite numbers.
    NumberList(Vec<f64>),
    /// An integer.
    Int(i64),
    /// A finite float.
    Float(f64),
    /// An integer without a sign.
    Unsigned(u64),
    /// A decimal, with all the places of its column.
    Decimal(String),
    /// A list of integers without a sign.
    Integers(Vec<u64>),
}

/// A column: its name and the kind of its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name, in lower case.
    pub name: String,
    /// What its cells hold.
    pub kind: Kind,
}

/// A record.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The unique id, which says nothing about the place of the row.
    pub id: String,
    /// One cell per column, `None` for null.
    pub cells: Vec<Option<Cell>>,
}

/// An input of a job.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Table {
    /// The columns besides `id`.
    pub columns: Vec<Column>,
    /// The records in row order.
    pub rows: Vec<Row>,
}

impl Table {
    /// A table of text columns; handy for hand-written cases. `None` is null, ids are `x0`, `x1`, ...
    pub fn of_texts(names: &[&str], rows: &[&[Option<&str>]]) -> Self {
        let column = |name: &&str| Column { name: (*name).to_owned(), kind: Kind::Text };
        let cell = |text: &Option<&str>| text.map(|text| Cell::Text(text.to_owned()));
        let row = |(at, cells): (usize, &&[Option<&str>])| Row {
            id: format!("x{at}"),
            cells: cells.iter().map(cell).collect(),
        };
        Table { columns: names.iter().map(column).collect(), rows: rows.iter().enumerate().map(row).collect() }
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}
