//! Random tables: nulls, empty texts, repeated and heavy values, lists, vectors, places.

use super::values::{Flavour, Pool, edited, pool};
use crate::case::{Cell, Column, Kind, Row, Table};
use crate::rng::{Rng, mix};

/// The text columns of every random table.
pub const TEXTS: [(&str, Flavour); 10] = [
    ("given", Flavour::Name),
    ("surname", Flavour::Name),
    ("city", Flavour::City),
    ("zip", Flavour::Zip),
    ("title", Flavour::Title),
    ("note", Flavour::Long),
    ("amount", Flavour::Amount),
    ("born", Flavour::Date),
    ("code", Flavour::TwoLetters),
    ("glyphs", Flavour::Glyphs),
];

/// The pools of one case: all its tables draw from them, so that links find something.
pub struct Pools {
    texts: Vec<Pool>,
    tags: Pool,
    vectors: Vec<Vec<f64>>,
    /// Integers that a float cannot distinguish, and a few that it can.
    wholes: Vec<u64>,
    /// The percentage of cells that are null, empty, the column's heavy value, or edited.
    null: usize,
    empty: usize,
    heavy: usize,
    edited: usize,
}

impl Pools {
    /// New pools.
    pub fn new(rng: &mut Rng) -> Self {
        let texts = TEXTS.iter().map(|(_, flavour)| pool(rng, *flavour)).collect();
        Pools {
            texts,
            tags: pool(rng, Flavour::Name),
            vectors: (0..rng.between(2, 6)).map(|_| vector(rng)).collect(),
            wholes: (0..rng.between(2, 6)).map(|_| whole(rng)).collect(),
            null: *rng.pick(&[0, 5, 10, 30]),
            empty: *rng.pick(&[0, 3, 10]),
            heavy: *rng.pick(&[0, 0, 20, 50, 70]),
            edited: *rng.pick(&[8, 8, 40]),
        }
    }

    /// The values of the text column at a place in [`TEXTS`].
    pub fn texts(&self, column: usize) -> &Pool {
        &self.texts[column]
    }

    /// A value that a tag may have.
    pub fn tag(&self, rng: &mut Rng) -> String {
        rng.pick(&self.tags).clone()
    }

    /// A table of `rows` rows; where `ages_as_text`, the column `age` holds its numbers as text.
    pub fn table(&self, rng: &mut Rng, rows: usize, ages_as_text: bool) -> Table {
        let salt = rng.next_u64();
        // Two tables of a case may differ in the places of their decimals.
        let (price, serial) = (*rng.pick(&PRICES), *rng.pick(&SERIALS));
        let columns = columns(ages_as_text, price, serial);
        let places = [price.1, serial.1];
        let rows = (0..rows).map(|at| Row { id: id(salt, at), cells: self.cells(rng, ages_as_text, places) }).collect();
        Table { columns, rows }
    }

    fn cells(&self, rng: &mut Rng, ages_as_text: bool, [price, serial]: [i8; 2]) -> Vec<Option<Cell>> {
        let mut cells: Vec<Option<Cell>> = self.texts.iter().map(|pool| self.text(rng, pool)).collect();
        let age = if rng.percent(self.heavy) { 5 } else { rng.between(0, 12) };
        let place = rng.between(0, 5) as f64;
        let others = [
            if ages_as_text { Cell::Text(age.to_string()) } else { Cell::Int(age) },
            Cell::Float(48.0 + place * 0.25 + rng.between(0, 1) as f64 * 0.001),
            Cell::Float(place * 1.5),
            Cell::TextList((0..rng.below(4)).map(|_| self.element(rng)).collect()),
            Cell::NumberList(rng.pick(&self.vectors).clone()),
            Cell::Unsigned(*rng.pick(&self.wholes)),
            Cell::Decimal(decimal(rng.between(-3, 12).into(), 1, price)),
            Cell::Decimal(decimal(*rng.pick(&SERIAL_NUMBERS) + i128::from(rng.between(0, 2)), 0, serial)),
            Cell::Integers((0..rng.below(4)).map(|_| *rng.pick(&self.wholes)).collect()),
        ];
        cells.extend(others.into_iter().map(|cell| (!rng.percent(self.null)).then_some(cell)));
        cells
    }

    fn text(&self, rng: &mut Rng, pool: &Pool) -> Option<Cell> {
        if rng.percent(self.null) {
            return None;
        }
        if rng.percent(self.empty) {
            return Some(Cell::Text(String::new()));
        }
        let value = if rng.percent(self.heavy) { pool[0].clone() } else { rng.pick(pool).clone() };
        Some(Cell::Text(if rng.percent(self.edited) { edited(rng, &value) } else { value }))
    }

    fn element(&self, rng: &mut Rng) -> Option<String> {
        match rng.below(20) {
            0 => None,
            1 => Some(String::new()),
            _ => Some(self.tag(rng)),
        }
    }
}

/// Digits and places of the column `price`.
const PRICES: [(u8, i8); 4] = [(5, 1), (9, 2), (20, 3), (38, 20)];

/// Digits and places of the column `serial`: decimals of 128 and of 256 bits.
const SERIALS: [(u8, i8); 5] = [(38, 0), (38, 2), (39, 0), (76, 30), (60, 1)];

/// Around these are the numbers in the column `serial`.
const SERIAL_NUMBERS: [i128; 6] = [0, 5, (1 << 53) + 1, (1 << 64) - 2, 10_i128.pow(30), -10_i128.pow(25)];

/// Some integers are one apart, beyond what floats and what integers with a sign distinguish.
fn whole(rng: &mut Rng) -> u64 {
    let around = *rng.pick(&[0, 5, 1 << 53, 1 << 63, u64::MAX - 2]);
    around + rng.below(3) as u64
}

/// A whole number divided by a power of ten, written with a number of places that is not less than it has.
fn decimal(number: i128, power: usize, places: i8) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", number.unsigned_abs(), width = power + 1);
    let (whole, fraction) = digits.split_at(digits.len() - power);
    match places {
        0 => format!("{sign}{whole}"),
        places => format!("{sign}{whole}.{fraction:0<width$}", width = places as usize),
    }
}

fn columns(ages_as_text: bool, price: (u8, i8), serial: (u8, i8)) -> Vec<Column> {
    let texts = TEXTS.iter().map(|(name, _)| (*name, Kind::Text));
    let age = if ages_as_text { Kind::Text } else { Kind::Number };
    let others = [
        ("age", age),
        ("lat", Kind::Number),
        ("lon", Kind::Number),
        ("tags", Kind::TextList),
        ("vec", Kind::NumberList),
        ("big", Kind::Unsigned),
        ("price", Kind::Decimal(price.0, price.1)),
        ("serial", Kind::Decimal(serial.0, serial.1)),
        ("codes", Kind::Integers),
    ];
    texts.chain(others).map(|(name, kind)| Column { name: name.to_owned(), kind }).collect()
}

/// A vector of mostly three small numbers; some have other lengths or no norm.
fn vector(rng: &mut Rng) -> Vec<f64> {
    let length = *rng.pick(&[3, 3, 3, 3, 2]);
    (0..length).map(|_| *rng.pick(&[0.0, 0.0, 0.5, 1.0, -1.0, 2.5])).collect()
}

/// A unique id that says nothing about the row: the mixing step is a bijection.
fn id(salt: u64, row: usize) -> String {
    let mut number = mix(salt.wrapping_add(row as u64));
    let mut id = "k".to_owned();
    for _ in 0..13 {
        id.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
    }
    id
}
