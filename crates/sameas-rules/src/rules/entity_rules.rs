//! `[entity]` over the columns of inputs: which columns an entity has, and where each input has their values.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::bind::{Binder, Column, ColumnIndex, Scope};
use super::columns_of_inputs::{InputColumns, derives_by_input};
use super::derive::{Derived, bind_derives, empty_is_null};
use super::diagnostic::{Diagnostic, Origin, Report};
use super::list_file::ListFiles;
use super::nearest;
use super::rule_file::{EntryText, GroupText, OTHERS, RuleFile, Take, ValueText};
use super::stack::on_a_deep_stack;
use crate::error::Result;
use crate::expr::{Expr, ExprKind, SOURCE_DATASET, Type, derived_key, shown_name};
use crate::memory::MemoryBudget;

/// An input whose records become entities.
#[derive(Clone, Copy, Debug)]
pub struct EntityInput<'a> {
    /// What results call it, and its columns in the types of rules.
    pub columns: InputColumns<'a>,
    /// The column of its ids.
    pub id: Option<&'a str>,
}

/// How the records of a cluster become one, over the columns of inputs.
#[derive(Clone, Debug, Default)]
pub struct EntityRules {
    /// The columns of an entity, in order.
    pub columns: Vec<EntityColumn>,
    /// What they are taken by.
    pub entries: Vec<EntityEntry>,
    /// The entry that takes all columns that nothing else is said of from one record, if one does.
    pub whole: Option<usize>,
    /// The columns by which it chooses a record, where whole records are taken.
    pub chosen_by: Option<Vec<EntityColumn>>,
    /// What is computed of the records of each input.
    pub inputs: Vec<EntityExpressions>,
}

/// What is computed of the records of an input.
#[derive(Clone, Debug, Default)]
pub struct EntityExpressions {
    /// Its derived columns, in the order of computation.
    pub derived: Vec<Derived>,
    /// The values.
    pub values: Vec<Expr>,
}

impl EntityExpressions {
    /// The same without derived columns that no value reads.
    fn with_what_is_read(mut self) -> Self {
        let mut read: HashSet<String> = HashSet::new();
        self.values.iter().for_each(|expr| expr.each_column(&mut |_, key| _ = read.insert(key.to_owned())));
        for derived in self.derived.iter().rev() {
            if read.contains(&derived_key(&derived.name)) {
                derived.expr.each_column(&mut |_, key| _ = read.insert(key.to_owned()));
            }
        }
        self.derived.retain(|derived| read.contains(&derived_key(&derived.name)));
        self
    }
}

/// A column of an entity.
#[derive(Clone, Debug)]
pub struct EntityColumn {
    /// Its name.
    pub name: String,
    /// The place of its entry.
    pub entry: usize,
    /// Where each input has its values.
    pub values: Vec<RecordValue>,
}

/// Where a value of a record is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordValue {
    /// Nowhere: it is missing.
    Missing,
    /// In the column of this name.
    Column(String),
    /// Among what is computed, at this place.
    Computed(usize),
}

/// What some columns are taken by.
#[derive(Clone, Debug)]
pub struct EntityEntry {
    /// How.
    pub take: Take,
    /// Whether it takes several columns from one record.
    pub is_group: bool,
    /// What records are ordered by, for each input.
    pub by: Option<Vec<RecordValue>>,
    /// Which records count, for each input.
    pub condition: Option<Vec<RecordValue>>,
    /// The place of each input among the preferred sources; those that are not named come last.
    pub ranks: Vec<u32>,
    /// Where it was written.
    taken_at: Origin,
}

impl EntityEntry {
    /// Adds that something is wrong with how values are taken.
    pub fn add_mistake(&self, message: impl Into<String>, help: impl Into<String>, report: &mut Report) {
        let mistake = Diagnostic::new(self.taken_at.whole(), message).with_help(help);
        report.add(&self.taken_at, &[mistake]);
    }
}

impl EntityRules {
    /// The rules by which the best record of each cluster is found, with all columns of it: those of an entry that takes whole
    /// records, if there is one, or the most complete one.
    pub fn of_best(file: &RuleFile, inputs: &[EntityInput<'_>], budget: &MemoryBudget) -> Result<Self> {
        let rules = entity_rules(file, inputs, budget)?;
        let entry = match rules.whole {
            Some(whole) => rules.entries[whole].clone(),
            None => EntityEntry { is_group: true, ..entry_without_text(Take::MostComplete, inputs.len()) },
        };
        let names = all_names(inputs, |_, _| true);
        let column = |name: &String| EntityColumn { name: name.clone(), entry: 0, values: own_columns(name, inputs) };
        let is_of = |whole| move |column: &&EntityColumn| column.entry == whole;
        let chosen_by = rules.whole.map(|whole| rules.columns.iter().filter(is_of(whole)).cloned().collect());
        Ok(Self {
            chosen_by,
            columns: names.iter().map(column).collect(),
            entries: vec![entry],
            whole: Some(0),
            inputs: rules.inputs,
        })
    }
}

/// What `[entity]` says of the records of these inputs; nothing is said of a column: the most frequent value. All mistakes are
/// reported at once. The memory of the files that expressions name is counted.
pub fn entity_rules(file: &RuleFile, inputs: &[EntityInput<'_>], budget: &MemoryBudget) -> Result<EntityRules> {
    on_a_deep_stack(|| {
        let lists = ListFiles::new(budget).made_in(file.folder_made_in());
        let mut report = Report::default();
        let columns: Vec<InputColumns<'_>> = inputs.iter().map(|input| input.columns).collect();
        let texts = derives_by_input(file, &columns, &mut report);
        let mut records = Vec::new();
        for (texts, input) in texts.iter().zip(inputs) {
            let with_others = with_columns_of_others(&input.columns, inputs);
            let (derived, index) = bind_derives(file, texts, &with_others, &lists, &mut report);
            records.push(BoundInput { index, expressions: EntityExpressions { derived, values: Vec::new() } });
        }
        let names = all_names(inputs, |input, name| input.id != Some(name));
        let known = all_names(inputs, |_, _| true);
        let mut binding = EntityBinding { file, inputs, lists: &lists, records, known, report, taken: HashMap::new() };
        let rules = binding.rules(&names);
        binding.report.into_result()?;
        let inputs = binding.records.into_iter().map(|record| record.expressions.with_what_is_read());
        Ok(EntityRules { inputs: inputs.collect(), ..rules })
    })
}

/// The columns of an input, and those that only others have: they are null in it, and have the type of the first that has them.
fn with_columns_of_others(own: &InputColumns<'_>, inputs: &[EntityInput<'_>]) -> Vec<Column> {
    let mut columns = own.columns.to_vec();
    let mut known: HashSet<String> = columns.iter().map(|column| column.name.to_lowercase()).collect();
    for other in inputs.iter().flat_map(|input| input.columns.columns) {
        if known.insert(other.name.to_lowercase()) {
            columns.push(other.clone());
        }
    }
    columns
}

/// The names of columns of all inputs, in the order in which they first appear.
fn all_names(inputs: &[EntityInput<'_>], is_wanted: impl Fn(&EntityInput<'_>, &str) -> bool) -> Vec<String> {
    let mut known = HashSet::new();
    let named = inputs.iter().flat_map(|input| input.columns.columns.iter().map(move |column| (input, column)));
    let is_column = |column: &Column| column.key == column.name || shown_name(&column.key) != SOURCE_DATASET;
    let wanted = named.filter(|(input, column)| is_column(column) && is_wanted(input, &column.name));
    wanted.filter(|(_, column)| known.insert(column.name.as_str())).map(|(_, column)| column.name.clone()).collect()
}

/// A column of this name in each input that has it.
fn own_columns(name: &str, inputs: &[EntityInput<'_>]) -> Vec<RecordValue> {
    let has = |input: &EntityInput<'_>| input.columns.columns.iter().any(|column| column.key == name);
    let value = |input| if has(input) { RecordValue::Column(name.to_owned()) } else { RecordValue::Missing };
    inputs.iter().map(value).collect()
}

/// An entry that nobody has written.
fn entry_without_text(take: Take, inputs: usize) -> EntityEntry {
    let taken_at = Origin::without_file("entity", "[entity]", take.name());
    EntityEntry { take, is_group: false, by: None, condition: None, ranks: vec![0; inputs], taken_at }
}

/// An input while expressions are bound to its columns.
struct BoundInput {
    index: ColumnIndex,
    expressions: EntityExpressions,
}

/// The binding of all entries.
struct EntityBinding<'a> {
    file: &'a RuleFile,
    inputs: &'a [EntityInput<'a>],
    lists: &'a ListFiles<'a>,
    records: Vec<BoundInput>,
    /// All columns of inputs, those of ids too.
    known: Vec<String>,
    report: Report,
    /// Where something is said of each column.
    taken: HashMap<String, Origin>,
}

impl EntityBinding<'_> {
    fn rules(&mut self, names: &[String]) -> EntityRules {
        let file = self.file;
        let (others, entries): (Vec<_>, Vec<_>) = file.entity.entries.iter().partition(|entry| entry.is_others());
        let mut rules = EntityRules::default();
        let mut taken: HashMap<String, (usize, Vec<RecordValue>)> = HashMap::new();
        let mut made = Vec::new();
        for entry in entries {
            let at = rules.entries.len();
            for (name, values) in self.columns_of(entry) {
                if !self.known.contains(&name) {
                    made.push(name.clone());
                }
                taken.insert(name, (at, values));
            }
            rules.entries.push(self.entry(entry));
        }
        let of_others = self.others(&others, &mut rules);
        let ids = self.known.iter().filter(|name| !names.contains(name) && taken.contains_key(*name));
        let mut wanted: Vec<String> = self.known.iter().filter(|name| names.contains(name)).cloned().collect();
        if ids.clone().next().is_some() {
            wanted =
                self.known.iter().filter(|name| names.contains(name) || taken.contains_key(*name)).cloned().collect();
        }
        for name in wanted.into_iter().chain(made) {
            let column = match (taken.remove(&name), of_others) {
                (Some((entry, values)), _) => EntityColumn { name, entry, values },
                (None, Some(entry)) => EntityColumn { values: self.without_ids(&name), name, entry },
                (None, None) => continue,
            };
            rules.columns.push(column);
        }
        rules
    }

    /// A column of this name in each input that has it, unless it has the ids there.
    fn without_ids(&self, name: &str) -> Vec<RecordValue> {
        let mut values = own_columns(name, self.inputs);
        for (value, input) in values.iter_mut().zip(self.inputs) {
            if input.id == Some(name) {
                *value = RecordValue::Missing;
            }
        }
        values
    }

    /// The place of the entry for columns that nothing else is said of, which is added; none where they are left out.
    fn others(&mut self, others: &[&EntryText], rules: &mut EntityRules) -> Option<usize> {
        if let [first, second, ..] = others {
            let help = format!("the other is at {}; leave one of them out", first.named_at.place);
            let twice = Diagnostic::new(second.named_at.whole(), "two entries take all other columns").with_help(help);
            self.report.add(&second.named_at, &[twice]);
        }
        let entry = match others.first() {
            Some(entry) => {
                entry.take?;
                let is_whole = entry.name != OTHERS;
                rules.whole = is_whole.then_some(rules.entries.len());
                EntityEntry { is_group: is_whole, ..self.entry(entry) }
            }
            None => entry_without_text(Take::MostFrequent, self.inputs.len()),
        };
        rules.entries.push(entry);
        Some(rules.entries.len() - 1)
    }

    fn entry(&mut self, entry: &EntryText) -> EntityEntry {
        EntityEntry {
            take: entry.take.unwrap_or(Take::MostFrequent),
            is_group: matches!(entry.columns, Some(GroupText::Named(_))),
            by: entry.by.as_ref().map(|by| self.everywhere(by, false)),
            condition: entry.condition.as_ref().map(|condition| self.everywhere(condition, true)),
            ranks: self.ranks(&entry.sources),
            taken_at: entry.taken_at.clone(),
        }
    }

    /// The columns of an entry, each with its values.
    fn columns_of(&mut self, entry: &EntryText) -> Vec<(String, Vec<RecordValue>)> {
        match (&entry.columns, &entry.value) {
            (Some(GroupText::Named(columns)), _) => {
                let columns: Vec<String> = columns.iter().filter_map(|column| self.column_of_group(column)).collect();
                columns.into_iter().map(|name| (name.clone(), own_columns(&name, self.inputs))).collect()
            }
            (_, Some(value)) => {
                let name = self.found(&entry.name).unwrap_or_else(|| entry.name.clone());
                self.take_once(&name, &entry.named_at);
                vec![(name.clone(), self.values(&name, value))]
            }
            _ => {
                let Some(name) = self.known_column(&entry.named_at) else { return Vec::new() };
                self.take_once(&name, &entry.named_at);
                vec![(name.clone(), own_columns(&name, self.inputs))]
            }
        }
    }

    fn column_of_group(&mut self, named_at: &Origin) -> Option<String> {
        let name = self.known_column(named_at)?;
        self.take_once(&name, named_at).then_some(name)
    }

    /// Whether nothing was said of a column before; else that is a mistake.
    fn take_once(&mut self, name: &str, named_at: &Origin) -> bool {
        let Some(earlier) = self.taken.insert(name.to_owned(), named_at.clone()) else { return true };
        let help = format!("the other is at {}; leave one of them out", earlier.place);
        let twice = Diagnostic::new(named_at.whole(), format!("two entries are for column `{name}`")).with_help(help);
        self.report.add(named_at, &[twice]);
        false
    }

    /// The column of inputs that is meant by a name: the same one, or the only one that differs in case.
    fn found(&self, name: &str) -> Option<String> {
        if self.known.iter().any(|known| known == name) {
            return Some(name.to_owned());
        }
        let lower = name.to_lowercase();
        let mut alike = self.known.iter().filter(|known| known.to_lowercase() == lower);
        alike.next().filter(|_| alike.next().is_none()).cloned()
    }

    /// The same, or a mistake at the place of the name.
    fn known_column(&mut self, named_at: &Origin) -> Option<String> {
        if let Some(name) = self.found(&named_at.text) {
            return Some(name);
        }
        let near = nearest(&named_at.text, self.known.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let help = format!("{near}a new column has a `value`: `{{ take = \"first\", value = \"lower(name)\" }}`");
        let message = format!("no input has a column `{}`", named_at.text);
        self.report.add(named_at, &[Diagnostic::new(named_at.whole(), message).with_help(help)]);
        None
    }

    /// The values of a column by expressions.
    fn values(&mut self, name: &str, value: &ValueText) -> Vec<RecordValue> {
        match value {
            ValueText::Everywhere(origin) => self.everywhere(origin, false),
            ValueText::ByInput(by_input) => {
                let mut values = own_columns(name, self.inputs);
                for (named_at, origin) in by_input {
                    let Some(input) = self.input_called(named_at) else { continue };
                    let mut mistakes = Report::default();
                    values[input] = self.bound(input, origin, false, &mut mistakes);
                    self.report.append(mistakes);
                }
                values
            }
        }
    }

    /// The values of an expression for all inputs. A mistake in several of them is reported once.
    fn everywhere(&mut self, origin: &Origin, is_condition: bool) -> Vec<RecordValue> {
        let mut mistakes = Report::default();
        let mut values = Vec::with_capacity(self.inputs.len());
        for input in 0..self.inputs.len() {
            let mut found = Report::default();
            values.push(self.bound(input, origin, is_condition, &mut found));
            if mistakes.is_empty() {
                mistakes = found;
            }
        }
        self.report.append(mistakes);
        values
    }

    /// An expression of the records of an input.
    fn bound(&mut self, input: usize, origin: &Origin, is_condition: bool, report: &mut Report) -> RecordValue {
        let record = &mut self.records[input];
        let (name, none) = (origin.text.trim(), ColumnIndex::default());
        // Columns that rules cannot read can be taken, too.
        let is_own = |column: &&Column| column.key == name && column.name == name;
        if !is_condition
            && record.index.all().iter().any(|column| is_own(&column))
            && own_columns(name, self.inputs)[input] != RecordValue::Missing
        {
            return RecordValue::Column(name.to_owned());
        }
        let scope = Scope::Record { columns: &record.index, input: &none, own: "" };
        let mut binder = Binder::new(&origin.text, &scope).with_lists(self.lists.near(self.file.folder_of(origin)));
        let bound = if is_condition { binder.truth() } else { binder.expression() };
        report.add(origin, &binder.diagnostics);
        match bound {
            None => RecordValue::Missing,
            Some(expr) if expr.ty == Type::Null => RecordValue::Missing,
            Some(expr) => match &expr.kind {
                ExprKind::Column(_, key)
                    if !is_condition && own_columns(key, self.inputs)[input] != RecordValue::Missing =>
                {
                    RecordValue::Column(key.clone())
                }
                ExprKind::Column(_, key) if !is_condition && self.known.contains(key) => RecordValue::Missing,
                _ => {
                    record.expressions.values.push(empty_is_null(expr));
                    RecordValue::Computed(record.expressions.values.len() - 1)
                }
            },
        }
    }

    /// The input that is called so.
    fn input_called(&mut self, named_at: &Origin) -> Option<usize> {
        let names: Vec<&str> = self.inputs.iter().map(|input| input.columns.name).collect();
        let found = match (named_at.text.as_str(), names.len()) {
            (name, _) if names.contains(&name) => names.iter().position(|of| *of == name),
            ("left", 2) => Some(0),
            ("right", 2) => Some(1),
            _ => None,
        };
        if found.is_none() {
            let near = nearest(&named_at.text, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            let all: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
            let help = format!("{near}the inputs are: {}", all.join(", "));
            let message = format!("no input of this job is called `{}`", named_at.text);
            self.report.add(named_at, &[Diagnostic::new(named_at.whole(), message).with_help(help)]);
        }
        found
    }

    /// The place of each input among preferred sources.
    fn ranks(&mut self, sources: &[Origin]) -> Vec<u32> {
        let mut ranks = vec![sources.len() as u32; self.inputs.len()];
        let mut named = BTreeSet::new();
        for (rank, source) in sources.iter().enumerate() {
            let Some(input) = self.input_called(source) else { continue };
            if named.insert(input) {
                ranks[input] = rank as u32;
            }
        }
        ranks
    }
}

/// The most names of inputs in one message.
const MOST_NAMES: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str) -> Column {
        Column { name: name.to_owned(), key: name.to_owned(), ty: Ok(Type::Text) }
    }

    fn rules(text: &str) -> Result<EntityRules> {
        let [crm, web] = [["id", "name", "mail"], ["id", "full", "mail"]].map(|names| names.map(column));
        let inputs = [("crm", &crm), ("web", &web)]
            .map(|(name, columns)| EntityInput { columns: InputColumns { name, columns }, id: Some("id") });
        entity_rules(&RuleFile::parse(text, "e.toml")?, &inputs, &MemoryBudget::unlimited())
    }

    fn shown(rules: &EntityRules) -> Vec<(&str, &str)> {
        let shown = |column: &'_ EntityColumn| rules.entries[column.entry].take.name();
        rules.columns.iter().map(|column| (column.name.as_str(), shown(column))).collect()
    }

    #[test]
    fn columns_that_nothing_is_said_of_are_most_frequent() {
        let all = [("name", "most_frequent"), ("mail", "most_frequent"), ("full", "most_frequent")];
        assert_eq!(shown(&rules("").unwrap()), all);
        assert_eq!(shown(&rules("[entity]\nMail = \"longest\"\n\"*\" = \"none\"\n").unwrap()), [("mail", "longest")]);
        let named = rules("[entity]\nid = \"first\"\n\"*\" = \"none\"\n").unwrap();
        assert_eq!(shown(&named), [("id", "first")]);
    }

    #[test]
    fn inputs_have_values_by_name_or_by_expression() {
        let text = "[entity]\nname = { take = \"first\", value = { web = \"upper(full)\" } }\n\
                    new = { take = \"max\", value = \"name || full\", where = \"name is not null\" }\n";
        let rules = rules(text).unwrap();
        let column = |name: &str| rules.columns.iter().find(|column| column.name == name).unwrap();
        assert_eq!(column("name").values, [RecordValue::Column("name".into()), RecordValue::Computed(0)]);
        assert_eq!(rules.columns.last().unwrap().name, "new");
        assert!(rules.entries[column("new").entry].condition.is_some());
    }

    #[test]
    fn groups_and_sources() {
        let text = "[entity]\nboth = { columns = [\"name\", \"mail\"], take = \"priority\", sources = [\"web\"] }\n\
                    rest = { columns = \"*\", take = \"most_complete\" }\n";
        let rules = rules(text).unwrap();
        assert_eq!((rules.entries[0].ranks.as_slice(), rules.entries[0].is_group), (&[1, 0][..], true));
        assert_eq!(rules.whole, Some(1));
        assert_eq!(rules.columns.iter().map(|column| column.entry).collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn each_mistake_has_its_place() {
        for (text, line, message, help) in [
            ("[entity]\nnmae = \"first\"\n", 2, "no input has a column `nmae`", "did you mean `name`?"),
            ("[entity]\nname = \"longst\"\n", 2, "`name` is not \"longst\"", "did you mean \"longest\"?"),
            ("[entity]\nname = { by = \"mail\" }\n", 2, "`name` has no `take`", "most_frequent"),
            ("[entity]\nname = \"newest\"\n", 2, "`newest` has no `by`", "updated_at"),
            ("[entity]\nname = { take = \"priority\", sources = [\"crn\"] }\n", 2, "called `crn`", "`crm`?"),
            ("[entity]\nname = \"priority\"\n", 2, "`priority` has no `sources`", "preferred"),
            ("[entity]\nname = { take = \"first\", where = \"lowr(name) = 'a'\" }\n", 2, "unknown function", "lower"),
            ("[entity]\nname = { take = \"first\", where = \"mial = 'a'\" }\n", 2, "mial", "mail"),
            ("[entity]\nname = { take = \"first\", where = \"mail\" }\n", 2, "", ""),
            (
                "[entity]\nname = \"first\"\ng = { columns = [\"name\"], take = \"first\" }\n",
                3,
                "two entries",
                "e.toml:2",
            ),
            ("[entity]\ng = { columns = [\"name\"], take = \"sum\" }\n", 2, "`sum` is not for a group", "one column"),
            ("[entity]\n\"*\" = \"longest\"\n", 2, "`longest` is not for all other columns", "entry"),
        ] {
            let said = rules(text).expect_err(text).to_string();
            for part in [message, help, &format!("e.toml:{line}\n")] {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    }
}
