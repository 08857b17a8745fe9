//! The tables: entities, records, the best record of each entity, and columns beside pairs.

use arrow_schema::DataType;

use super::aggregate::{aggregate, aggregate_type, distinct};
use super::answer::EntityAnswer;
use super::columns::is_missing;
use super::counting::EntityColumnOf;
use crate::case::JobKind;
use crate::entities::{EntityEntry, Item, SurvivorRule, WithColumns, kept_type};

/// A column of a table: its name, and its type; none where it has what records are called, in the type of ids.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedColumn {
    /// Its name.
    pub name: String,
    /// Its type.
    pub data_type: Option<DataType>,
}

/// A table that a run writes.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedTable {
    /// Its columns.
    pub columns: Vec<ExpectedColumn>,
    /// Its rows.
    pub rows: Vec<Vec<Item>>,
}

fn column(name: impl Into<String>, data_type: DataType) -> ExpectedColumn {
    ExpectedColumn { name: name.into(), data_type: Some(data_type) }
}

fn column_of_ids(name: impl Into<String>) -> ExpectedColumn {
    ExpectedColumn { name: name.into(), data_type: None }
}

impl EntityAnswer<'_> {
    /// One row for each cluster.
    pub fn entities(&self, with_provenance: bool) -> ExpectedTable {
        let taken = self.entity_columns();
        let mut columns = vec![column_of_ids("entity_id"), column("entity_size", DataType::UInt32)];
        columns.extend(taken.iter().map(|of| column(&of.name, aggregate_type(of.entry.take, &of.values.data_type))));
        if with_provenance {
            for of in &taken {
                columns.push(column_of_ids(format!("{}_record", of.name)));
                columns.push(column(format!("{}_disagreed", of.name), DataType::UInt32));
            }
        }
        let row = |rows: &Vec<usize>| {
            let mut row = vec![Item::Text(self.case.record_name(rows[0])), Item::whole(rows.len() as i128)];
            let cells: Vec<[Item; 3]> = taken.iter().map(|of| self.cell(rows, of)).collect();
            row.extend(cells.iter().map(|[value, ..]| value.clone()));
            if with_provenance {
                row.extend(cells.into_iter().flat_map(|[_, record, disagreed]| [record, disagreed]));
            }
            row
        };
        ExpectedTable { columns, rows: self.clusters.iter().map(row).collect() }
    }

    /// The value of an entity, the record that it is from, and how many values disagree with it.
    fn cell(&self, rows: &[usize], of: &EntityColumnOf) -> [Item; 3] {
        let counting = self.counting(rows, of);
        if of.entry.take.is_aggregate() {
            let values: Vec<Item> = counting.iter().map(|row| self.value_of(*row, &of.values)).collect();
            return [aggregate(of.entry.take, &values, &of.values.data_type), Item::Null, Item::whole(0)];
        }
        let Some(row) = self.picked(&counting, of) else { return [Item::Null, Item::Null, Item::whole(0)] };
        let value = Some(self.value_of(row, &of.values)).filter(|value| !is_missing(value)).unwrap_or(Item::Null);
        let others = self.allowed(rows, &of.entry).into_iter().map(|row| self.value_of(row, &of.values));
        let others: Vec<Item> = others.filter(|other| !is_missing(other) && *other != value).collect();
        [value, Item::Text(self.case.record_name(row)), Item::whole(distinct(&others).len() as i128)]
    }

    /// One row for each record.
    pub fn records(&self) -> ExpectedTable {
        self.records_of(&(0..self.rows.len()).collect::<Vec<_>>())
    }

    /// The best record of each cluster.
    pub fn best_records(&self) -> ExpectedTable {
        let rows: Vec<usize> = self.clusters.iter().map(|rows| self.best(rows)).collect();
        self.records_of(&rows)
    }

    /// The record that the entry of the whole record picks, else the most complete one.
    fn best(&self, rows: &[usize]) -> usize {
        let whole = self.entries().iter().find(|entry| entry.is_whole_record()).cloned();
        let all = || EntityEntry { columns: Some(self.columns_without_ids()), ..complete() };
        let entry = whole.unwrap_or_else(all);
        let group = Some(self.columns_of_group(&entry));
        let values = self.column_of("", None);
        let of = EntityColumnOf { name: String::new(), values, entry, group };
        self.picked(&self.counting(rows, &of), &of).unwrap_or(rows[0])
    }

    fn records_of(&self, rows: &[usize]) -> ExpectedTable {
        let (names, has_sources) = (self.all_columns(), self.case.inputs.len() > 1);
        let mut columns = vec![column_of_ids("entity_id")];
        if has_sources {
            columns.push(column("source_dataset", DataType::Utf8));
        }
        columns.extend(names.iter().map(|name| column(name, self.type_of_column(name))));
        let first_rows = self.first_rows();
        let row = |row: &usize| {
            let mut items = vec![Item::Text(self.case.record_name(first_rows[*row]))];
            if has_sources {
                items.push(Item::text(&self.case.inputs[self.rows[*row].0].name));
            }
            items.extend(names.iter().map(|name| self.value_in(*row, name)));
            items
        };
        ExpectedTable { columns, rows: rows.iter().map(row).collect() }
    }

    /// The columns that stand beside each of these pairs.
    pub fn beside_pairs(&self, pairs: &[[usize; 2]]) -> ExpectedTable {
        let wanted: Vec<(String, usize)> = self.columns_beside_pairs();
        let of_side = |(name, side): &(String, usize)| {
            column(format!("{name}{}", ["_l", "_r"][*side]), self.type_beside_pairs(name, *side))
        };
        let value = |pair: &[usize; 2], (name, side): &(String, usize)| {
            if self.is_link_of_two() { self.own_value(pair[*side], name) } else { self.value_in(pair[*side], name) }
        };
        let row = |pair: &[usize; 2]| wanted.iter().map(|of| value(pair, of)).collect();
        ExpectedTable { columns: wanted.iter().map(of_side).collect(), rows: pairs.iter().map(row).collect() }
    }

    fn is_link_of_two(&self) -> bool {
        self.case.kind == JobKind::Link && self.case.inputs.len() == 2
    }

    /// The type of a column: in a link of two inputs that of its side.
    fn type_beside_pairs(&self, name: &str, side: usize) -> DataType {
        let of_side = self.case.inputs[side.min(self.case.inputs.len() - 1)].columns.iter().find(|of| of.name == name);
        match of_side.filter(|_| self.is_link_of_two()) {
            Some(column) => kept_type(&column.physical),
            None => self.type_of_column(name),
        }
    }

    /// Names and sides. In a link of two inputs a side has the columns of its input.
    fn columns_beside_pairs(&self) -> Vec<(String, usize)> {
        let names = match &self.case.with {
            WithColumns::All => self.columns_without_ids(),
            WithColumns::Named(names) => names.iter().filter_map(|name| self.column_called(name)).collect(),
        };
        let has = |name: &str, side: usize| !self.is_link_of_two() || self.case.inputs[side].place(name).is_some();
        let sides = names.iter().flat_map(|name| [(name.clone(), 0), (name.clone(), 1)]);
        sides.filter(|(name, side)| has(name, *side)).collect()
    }
}

fn complete() -> EntityEntry {
    EntityEntry::plain("best", SurvivorRule::MostComplete)
}
