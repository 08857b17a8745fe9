//! `[entity]` sections that a job accepts.

use arrow_schema::DataType;

use super::expressions;
use crate::case::Expr;
use crate::entities::{EntityCase, EntityEntry, EntitySection, SurvivorRule, ValueExpr, common_type, kept_type};
use crate::rng::Rng;

/// What needs no values of a certain type, and can take several columns from one record.
const OF_RECORDS: [SurvivorRule; 7] = [
    SurvivorRule::First,
    SurvivorRule::Newest,
    SurvivorRule::Oldest,
    SurvivorRule::MostFrequent,
    SurvivorRule::MostComplete,
    SurvivorRule::Priority,
    SurvivorRule::Strongest,
];

struct Author<'a> {
    rng: &'a mut Rng,
    case: &'a EntityCase,
    /// All columns, ids first.
    names: Vec<String>,
}

/// A section for a case.
pub(super) fn section(rng: &mut Rng, case: &EntityCase) -> EntitySection {
    let mut names: Vec<String> = Vec::new();
    for column in case.inputs.iter().flat_map(|input| &input.columns) {
        if !names.contains(&column.name) {
            names.push(column.name.clone());
        }
    }
    let mut author = Author { rng, case, names };
    let entries = author.entries();
    let leaves_rest_out =
        author.rng.percent(12) && !entries.iter().any(|entry| entry.key == "*" || entry.is_whole_record());
    EntitySection { entries, leaves_rest_out, says_sides: author.rng.percent(30) }
}

impl Author<'_> {
    fn entries(&mut self) -> Vec<EntityEntry> {
        let mut free = self.names.clone();
        let mut entries = Vec::new();
        if self.rng.percent(40) {
            entries.push(self.group(&mut free));
        }
        for name in free {
            if self.rng.percent(45) && !self.is_id(&name) || self.rng.percent(3) {
                entries.push(self.column(&name));
            }
        }
        for at in 0..self.rng.below(3) {
            entries.push(self.new_column(&format!("new{at}")));
        }
        match self.rng.below(10) {
            0 | 1 => entries.push(self.whole_record()),
            2..5 => entries.push(self.rest()),
            _ => {}
        }
        self.shuffle(&mut entries);
        entries
    }

    fn shuffle(&mut self, entries: &mut [EntityEntry]) {
        for at in (1..entries.len()).rev() {
            let other = self.rng.below(at + 1);
            entries.swap(at, other);
        }
    }

    fn is_id(&self, name: &str) -> bool {
        self.case.inputs.iter().any(|input| input.columns[input.id].name == name)
    }

    /// A column that inputs have, by its name in any case.
    fn column(&mut self, name: &str) -> EntityEntry {
        let own = self.type_of_column(name);
        let computed = self.rng.percent(15).then(|| self.value(own == DataType::Utf8));
        let key = if self.rng.percent(10) { name.to_uppercase() } else { name.to_owned() };
        let of = computed.as_ref().map_or(own, |(_, of)| of.clone());
        let take = self.take_of(&of);
        EntityEntry { value: computed.map(|(value, _)| value), ..self.entry(&key, take) }
    }

    /// A column that no input has.
    fn new_column(&mut self, key: &str) -> EntityEntry {
        let (value, of) = self.value(true);
        let take = self.take_of(&of);
        EntityEntry { value: Some(value), ..self.entry(key, take) }
    }

    fn group(&mut self, free: &mut Vec<String>) -> EntityEntry {
        let mut columns = Vec::new();
        for _ in 0..self.rng.between(1, 3).min(free.len() as i64) {
            let at = self.rng.below(free.len());
            columns.push(free.remove(at));
        }
        let take = *self.rng.pick(&OF_RECORDS);
        EntityEntry { columns: Some(columns), ..self.entry("together", take) }
    }

    fn whole_record(&mut self) -> EntityEntry {
        let take = *self.rng.pick(&OF_RECORDS);
        EntityEntry { columns: Some(vec!["*".to_owned()]), ..self.entry("record", take) }
    }

    fn rest(&mut self) -> EntityEntry {
        let take = *self.rng.pick(&OF_RECORDS);
        self.entry("*", take)
    }

    /// An entry with what its `take` needs.
    fn entry(&mut self, key: &str, take: SurvivorRule) -> EntityEntry {
        let mut entry = EntityEntry::plain(key, take);
        let may_have_by = take == SurvivorRule::First && self.rng.percent(50);
        if may_have_by || matches!(take, SurvivorRule::Newest | SurvivorRule::Oldest) {
            entry.by = Some(self.order());
        }
        if take == SurvivorRule::Priority {
            let first = self.rng.below(self.case.inputs.len());
            let others = (0..self.case.inputs.len()).filter(|other| *other != first && self.rng.percent(50));
            entry.sources = std::iter::once(first).chain(others.collect::<Vec<_>>()).collect();
        }
        entry.condition = self.rng.percent(30).then(|| expressions::condition(self.rng));
        entry
    }

    /// Mostly a column as it is.
    fn order(&mut self) -> Expr {
        let is_nested = |of: &DataType| matches!(of, DataType::List(_) | DataType::Struct(_) | DataType::Map(..));
        let name = self.any_column();
        if self.rng.percent(30) || is_nested(&self.type_of_column(&name)) {
            return expressions::order(self.rng);
        }
        Expr::own(&name)
    }

    fn any_column(&mut self) -> String {
        self.rng.pick(&self.names).clone()
    }

    /// What is computed of records, and its type as far as it decides what can be taken. Inputs without an expression have
    /// their own column, which should be a text, too.
    fn value(&mut self, own_is_text: bool) -> (ValueExpr, DataType) {
        if self.case.inputs.len() == 1 || self.rng.percent(60) {
            let (expr, of) = self.value_expr();
            return (ValueExpr::Same(expr), of);
        }
        let all = self.case.inputs.len();
        let wanted = if own_is_text { self.rng.below(all) + 1 } else { all };
        (ValueExpr::ByInput((0..wanted).map(|at| (at, self.text_of(at))).collect()), DataType::Utf8)
    }

    fn value_expr(&mut self) -> (Expr, DataType) {
        match self.rng.below(10) {
            0..4 => {
                let name = self.any_column();
                (Expr::own(&name), self.type_of_column(&name))
            }
            4..7 => (expressions::number(self.rng), DataType::Float64),
            // Texts and conditions have nothing in common but their order.
            _ => (expressions::value(self.rng), DataType::Null),
        }
    }

    /// A text of an input: a column or something computed.
    fn text_of(&mut self, input: usize) -> Expr {
        let is_text = |physical: &DataType| kept_type(physical) == DataType::Utf8;
        let columns = self.case.inputs[input].columns.iter().filter(|column| is_text(&column.physical));
        let names: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        let folded = self.case.derives.iter().find(|(name, _)| name == "folded");
        let last = folded.map_or("name", |(name, _)| name);
        Expr::own(if self.rng.percent(20) { last } else { names[self.rng.below(names.len())] })
    }

    fn type_of_column(&self, name: &str) -> DataType {
        let columns = self.case.inputs.iter().flat_map(|input| &input.columns).filter(|column| column.name == name);
        common_type(&columns.map(|column| kept_type(&column.physical)).collect::<Vec<_>>())
    }

    fn take_of(&mut self, of: &DataType) -> SurvivorRule {
        if of.is_numeric() && self.rng.percent(40) {
            return *self.rng.pick(&[SurvivorRule::Sum, SurvivorRule::Sum, SurvivorRule::Mean]);
        }
        let has_length = matches!(of, DataType::Utf8 | DataType::List(_));
        let is_wanted = |take: &SurvivorRule| match take {
            SurvivorRule::Longest => has_length,
            SurvivorRule::Sum | SurvivorRule::Mean => of.is_numeric(),
            _ => true,
        };
        let all: Vec<SurvivorRule> = SurvivorRule::ALL.into_iter().filter(is_wanted).collect();
        *self.rng.pick(&all)
    }
}
