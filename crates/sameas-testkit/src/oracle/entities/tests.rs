//! A few entities by hand.

use arrow_schema::DataType;

use super::EntityAnswer;
use crate::case::{Expr, JobKind, Op};
use crate::entities::*;

fn texts(name: &str, texts: &[&str]) -> EntityColumn {
    let items = texts.iter().map(|text| Item::text(text)).collect();
    EntityColumn { name: name.to_owned(), physical: DataType::Utf8, items }
}

fn wholes(name: &str, numbers: &[i128]) -> EntityColumn {
    let items = numbers.iter().map(|number| Item::whole(*number)).collect();
    EntityColumn { name: name.to_owned(), physical: DataType::Int32, items }
}

/// Records 0, 1 and 3 are one cluster, 2 another.
fn case(entries: Vec<EntityEntry>) -> EntityCase {
    let columns = vec![
        texts("id", &["a", "b", "c", "d"]),
        texts("name", &["ann", "anna", "bob", "anna"]),
        texts("city", &["", "Rome", "Oslo", "-"]),
        wholes("year", &[2001, 1999, 2020, 1999]),
    ];
    let input = EntityInput { name: "people".to_owned(), id: 0, columns, cuts: Vec::new(), is_file: false };
    let pair = |rows, score| EntityPair { rows, score: Some(score) };
    EntityCase {
        kind: JobKind::Dedupe,
        inputs: vec![input],
        source: PairSource::Scored,
        pairs: vec![pair([0, 1], 0.5), pair([1, 3], 2.0)],
        nulls: vec!["-".to_owned()],
        blank_is_null: false,
        derives: Vec::new(),
        section: Some(EntitySection { entries, ..EntitySection::default() }),
        with: WithColumns::All,
    }
}

/// The row of the first entity, without its id and size.
fn first_entity(entries: Vec<EntityEntry>, with_provenance: bool) -> Vec<Item> {
    let case = case(entries);
    EntityAnswer::new(&case).entities(with_provenance).rows[0][2..].to_vec()
}

fn plain(key: &str, take: SurvivorRule) -> EntityEntry {
    EntityEntry::plain(key, take)
}

#[test]
fn the_most_frequent_value_unless_said() {
    let expected = [Item::text("anna"), Item::text("Rome"), Item::whole(1999)];
    assert_eq!(first_entity(Vec::new(), false), expected);
}

#[test]
fn picks_and_sums() {
    let entries = vec![plain("name", SurvivorRule::First), plain("year", SurvivorRule::Sum)];
    assert_eq!(first_entity(entries, false), [Item::text("ann"), Item::text("Rome"), Item::whole(5999)]);
    let entries = vec![plain("NAME", SurvivorRule::Strongest), plain("year", SurvivorRule::Union)];
    let years = Item::List(vec![Item::whole(2001), Item::whole(1999)]);
    assert_eq!(first_entity(entries, false), [Item::text("anna"), Item::text("Rome"), years]);
}

#[test]
fn a_group_is_of_one_record_and_disagreements_are_counted() {
    let columns = Some(vec!["name".to_owned(), "city".to_owned()]);
    let by = Some(Expr::own("year"));
    let mut entries = vec![EntityEntry { columns, by, ..plain("both", SurvivorRule::Newest) }];
    let row = first_entity(entries.clone(), true);
    assert_eq!(row[..3], [Item::text("ann"), Item::Null, Item::whole(1999)]);
    let provenance =
        [Item::text("a"), Item::whole(1), Item::text("a"), Item::whole(1), Item::text("b"), Item::whole(1)];
    assert_eq!(row[3..], provenance);
    entries[0].condition = Some(Expr::binary(Op::Less, Expr::own("year"), Expr::int(1900)));
    assert_eq!(first_entity(entries, true)[..2], [Item::Null, Item::Null]);
}

#[test]
fn the_best_record_is_the_most_complete() {
    let case = case(Vec::new());
    let answer = EntityAnswer::new(&case);
    let best: Vec<Item> = answer.best_records().rows.iter().map(|row| row[1].clone()).collect();
    assert_eq!(best, [Item::text("b"), Item::text("c")]);
    assert_eq!(answer.records().rows[3][..2], [Item::text("a"), Item::text("d")]);
    let beside = answer.beside_pairs(&[[0, 1]]);
    assert_eq!(beside.columns[1].name, "name_r");
    assert_eq!(beside.rows[0][2..4], [Item::Null, Item::text("Rome")]);
}
