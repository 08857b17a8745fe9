//! Records of entities of one size, scattered over a Parquet file: the table of a published job of GoldenMatch on Ray.
//!
//! Arguments: `--records 100000000 --each 5 --file PATH`. The last name is that of the entity alone; the first names of its records differ by
//! a letter, so that any two are at least 0.85 alike by Jaro-Winkler: all records of an entity are pairs.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use rayon::prelude::*;
use sameas_records::output::{Format, TableStream};
use serde_json::json;

use super::report;

/// Rows of a batch, and batches that are made together.
const ROWS: u64 = 1 << 16;
const TOGETHER: u64 = 32;

/// What names are made of: a consonant and a vowel.
const CONSONANTS: &[u8] = b"bdfghjklmnprstvw";
const VOWELS: &[u8] = b"aeiou";

/// A prime, so that multiplying by it scatters entities whose number it does not divide.
const SCATTER: u64 = 4_294_967_291;

/// Writes the file.
pub fn run(args: &[String]) {
    let option = |name| report::option(args, name).expect("--records, --each and --file are needed");
    let number = |name| option(name).parse::<u64>().expect("a whole number after the option");
    let each = number("--each").max(1);
    let entities = number("--records") / each;
    let path = option("--file");
    let path = Path::new(&path);
    let mut out = TableStream::begin_typed(
        File::create(path).expect("a file that can be written"),
        &batch(0..0, 1).schema(),
        Format::Parquet,
        path,
    )
    .expect("a table that can be written");
    let records = entities * each;
    for first in (0..records).step_by((ROWS * TOGETHER) as usize) {
        let end = records.min(first + ROWS * TOGETHER);
        let starts: Vec<u64> = (first..end).step_by(ROWS as usize).collect();
        let batches = starts.into_par_iter().map(|start| batch(start..end.min(start + ROWS), entities)).collect();
        out.write(batches).expect("room for the table");
    }
    out.finish().expect("room for the table");
    println!("{}", json!({ "records": records, "entities": entities }));
}

/// Some rows. The records of an entity are as far from each other as can be.
fn batch(rows: std::ops::Range<u64>, entities: u64) -> RecordBatch {
    let people: Vec<Person> = rows.clone().map(|row| Person::new(row, entities)).collect();
    let texts =
        |of: fn(&Person) -> Option<String>| -> ArrayRef { Arc::new(people.iter().map(of).collect::<StringArray>()) };
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(rows.map(|row| row as i64)));
    RecordBatch::try_from_iter_with_nullable([
        ("id", ids, true),
        ("first", texts(Person::first), true),
        ("last", texts(Person::last), true),
        ("mail", texts(Person::mail), true),
        ("phone", texts(Person::phone), true),
        ("zip", texts(Person::zip), true),
    ])
    .expect("columns of one length")
}

/// A record: which of its entity it is, and numbers that its values are made of.
struct Person {
    entity: u64,
    member: u64,
    mixed: u64,
}

impl Person {
    fn new(row: u64, entities: u64) -> Self {
        let member = row / entities;
        // Another order of entities for each member.
        let entity = ((row % entities) as u128 * u128::from(SCATTER) + u128::from(member)) % u128::from(entities);
        Self { entity: entity as u64, member, mixed: report::mix(entity as u64) }
    }

    /// The name of the entity, with a letter less, more or another.
    fn first(&self) -> Option<String> {
        let name = syllables(self.mixed, 4);
        Some(match self.member {
            1 => name[..7].to_owned(),
            2 => format!("{name}s"),
            3 => format!("{}y", &name[..7]),
            _ => name,
        })
    }

    /// Another for each entity: five syllables are enough for three billion of them.
    fn last(&self) -> Option<String> {
        Some(syllables(self.entity, 5))
    }

    fn mail(&self) -> Option<String> {
        let is_given = !(self.mixed + self.member).is_multiple_of(4);
        is_given.then(|| format!("{}.{}@example.org", syllables(self.mixed, 4), syllables(self.entity, 5)))
    }

    fn phone(&self) -> Option<String> {
        Some(format!("{:010}", report::mix(self.mixed + self.member % 2) % 10_000_000_000))
    }

    fn zip(&self) -> Option<String> {
        Some(format!("{:05}", (self.mixed >> 20) % 100_000))
    }
}

/// The lowest digits of a number as syllables.
fn syllables(mut number: u64, count: usize) -> String {
    let mut text = String::with_capacity(2 * count);
    for _ in 0..count {
        let (consonants, vowels) = (CONSONANTS.len() as u64, VOWELS.len() as u64);
        text.push(char::from(CONSONANTS[(number % consonants) as usize]));
        number /= consonants;
        text.push(char::from(VOWELS[(number % vowels) as usize]));
        number /= vowels;
    }
    text
}
