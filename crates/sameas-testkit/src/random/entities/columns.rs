//! The inputs of a job: a few columns that expressions know, and others of any type.

use arrow_schema::DataType;

use super::items::{data_type, encoded, item, types_that_meet};
use crate::entities::{EntityColumn, EntityInput, EntityPair, Item};
use crate::rng::Rng;

/// The names of inputs.
const INPUTS: [&str; 3] = ["crm", "web", "shop"];

/// A column of some inputs: its type in each, and the values that it has in all of them.
struct Draft {
    name: String,
    types: Vec<DataType>,
    present: Vec<bool>,
    nulls: usize,
}

/// Inputs of this many records.
pub(super) fn inputs(rng: &mut Rng, rows: &[usize]) -> Vec<EntityInput> {
    let drafts = drafts(rng, rows.len());
    let pools: Vec<Vec<Vec<Item>>> = drafts.iter().map(|draft| pools(rng, draft)).collect();
    let ids_are_numbers = rng.percent(30);
    let ids_differ = rows.len() > 1 && rng.percent(30);
    let mut inputs = Vec::new();
    for (at, rows) in rows.iter().enumerate() {
        let id = if ids_differ && at == 1 { "knr" } else { "id" };
        let is_file = rng.percent(50);
        let mut columns = vec![ids(id, *rows, ids_are_numbers)];
        for (draft, pools) in drafts.iter().zip(&pools).filter(|(draft, _)| draft.present[at]) {
            let items = (0..*rows).map(|_| drawn(rng, &pools[at], draft.nulls)).collect();
            let physical = encoded(rng, &draft.types[at], is_file);
            columns.push(EntityColumn { name: draft.name.clone(), physical, items });
        }
        let place = rng.below(columns.len());
        columns.swap(0, place);
        let cuts = if *rows > 1 && rng.percent(50) { vec![rng.below(*rows)] } else { Vec::new() };
        inputs.push(EntityInput { name: INPUTS[at].to_owned(), id: place, columns, cuts, is_file });
    }
    inputs
}

/// The columns that expressions know, then others.
fn drafts(rng: &mut Rng, inputs: usize) -> Vec<Draft> {
    let known = [
        ("name", DataType::Utf8),
        ("city", DataType::Utf8),
        ("num", DataType::Int32),
        ("amount", DataType::Float64),
        ("day", DataType::Date32),
        ("flag", DataType::Boolean),
    ];
    let mut drafts: Vec<Draft> = known.into_iter().map(|(name, of)| draft(rng, name, vec![of; inputs])).collect();
    // Derived columns are made of it in each input.
    drafts[0].present = vec![true; inputs];
    for at in 0..rng.between(1, 6) {
        let differs = inputs > 1 && rng.percent(25);
        let types = if differs {
            let two = types_that_meet(rng);
            (0..inputs).map(|_| rng.pick(&two).clone()).collect()
        } else {
            vec![data_type(rng); inputs]
        };
        drafts.push(draft(rng, &format!("x{at}"), types));
    }
    drafts
}

fn draft(rng: &mut Rng, name: &str, types: Vec<DataType>) -> Draft {
    let mut present: Vec<bool> = types.iter().map(|_| rng.percent(80)).collect();
    if !present.contains(&true) {
        present[0] = true;
    }
    Draft { name: name.to_owned(), types, present, nulls: *rng.pick(&[0, 10, 30, 60]) }
}

/// The values that a column draws from in each input: the same where types are the same.
fn pools(rng: &mut Rng, draft: &Draft) -> Vec<Vec<Item>> {
    let many = rng.between(1, 5);
    let first: Vec<Item> = (0..many).map(|_| value(rng, draft, 0)).collect();
    let pool = |(at, of): (usize, &DataType)| {
        if *of == draft.types[0] { first.clone() } else { (0..many).map(|_| value(rng, draft, at)).collect() }
    };
    draft.types.iter().enumerate().map(pool).collect()
}

/// A value of a column. What expressions compute with has no zero with a sign, and no texts that look alike.
fn value(rng: &mut Rng, draft: &Draft, at: usize) -> Item {
    match draft.name.as_str() {
        "num" => Item::whole(rng.between(-3, 9).into()),
        "amount" => Item::Float(*rng.pick(&[0.0, 1.5, -2.25, 0.1, 100.0, f64::NAN])),
        _ => item(rng, &draft.types[at]),
    }
}

fn drawn(rng: &mut Rng, pool: &[Item], nulls: usize) -> Item {
    if rng.percent(nulls) { Item::Null } else { rng.pick(pool).clone() }
}

/// Ids that say nothing about the order of records.
fn ids(name: &str, rows: usize, are_numbers: bool) -> EntityColumn {
    let id = |row: usize| {
        let number = (row * 7919 + 13) % 1_000_003;
        if are_numbers { Item::whole(number as i128) } else { Item::Text(format!("r{number}")) }
    };
    let physical = if are_numbers { DataType::Int64 } else { DataType::Utf8 };
    EntityColumn { name: name.to_owned(), physical, items: (0..rows).map(id).collect() }
}

/// A column with a word for each pair, which both records have and no other.
pub(super) fn add_links(inputs: &mut [EntityInput], pairs: &[EntityPair]) {
    let mut row = 0;
    for input in inputs {
        let rows = row..row + input.rows();
        row = rows.end;
        let words = |row: usize| {
            let of_row = pairs.iter().enumerate().filter(|(_, pair)| pair.rows.contains(&row));
            let words: Vec<String> = of_row.map(|(at, _)| format!("p{at}")).collect();
            if words.is_empty() { Item::Null } else { Item::Text(words.join(" ")) }
        };
        let items = rows.map(words).collect();
        input.columns.push(EntityColumn { name: "links".to_owned(), physical: DataType::Utf8, items });
    }
}
