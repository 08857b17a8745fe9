//! Looks for keys: those of each column, and the most promising of them in pairs.
//!
//! A table of three hundred columns has fifty thousand pairs of them. So columns come first, one at a time; of their keys
//! the most promising few are kept with the codes of all records, and only these are combined.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::column_values::{ColumnValues, value_of};
use super::combine::{OtherKey, RecordGroups};
use super::key_templates::{AS_IT_IS, FOLDED, KeyTemplate};
use super::pair_count::KeyCount;
use super::report::{JoinKey, KeySearch, KeyVerdict};
use super::single_key::{KeyExprs, SingleKey, condition, in_rules};
use super::verdict::{better_first, cost_to_combine, is_combinable, is_hopeless, verdict};
use crate::cancel::Cancel;
use crate::expr::{ExprKind, FieldValue};
use crate::memory::Held;
use crate::observer::{Progress, Stage};
use crate::records::encode::Domain;
use crate::rules::{Column, LinkType, RuleFile, Test, compile};

/// Keys that are combined, at most: forty-five pairs.
const MOST_COMBINED: usize = 10;

/// Looks for keys of the records of one or two inputs.
pub struct KeyFinder<'a> {
    link_type: LinkType,
    /// What rules may name, of the left (or only) input and of the right one.
    columns: [ColumnsByName; 2],
    /// Records of all inputs, and those of the first.
    rows: u64,
    border: u32,
    nominal_pairs: u64,
    keys: Vec<JoinKey>,
    promising: Vec<PromisingKey>,
    search: KeySearch,
    cancel: Cancel<'a>,
}

/// The columns of an input by their names in lower case. A key names one of them, and there may be thousands: what is made
/// of a key must not depend on their number.
struct ColumnsByName(HashMap<String, Vec<Column>>);

impl ColumnsByName {
    fn new(columns: Vec<Column>) -> Self {
        let mut by_name: HashMap<String, Vec<Column>> = HashMap::new();
        for column in columns {
            by_name.entry(column.name.to_lowercase()).or_default().push(column);
        }
        Self(by_name)
    }

    /// Those of this name, whatever its case.
    fn named(&self, name: &str) -> &[Column] {
        self.0.get(&name.to_lowercase()).map_or(&[], |columns| &columns[..])
    }

    /// Those of either name.
    fn of_names(&self, [left, right]: [&str; 2]) -> Vec<Column> {
        let others: &[Column] = if left.to_lowercase() == right.to_lowercase() { &[] } else { self.named(right) };
        [self.named(left), others].concat()
    }
}

/// A key to combine, with its code for each record.
struct PromisingKey {
    column: String,
    condition: String,
    domain: Arc<Domain>,
    codes: Vec<u32>,
    count: KeyCount<u32>,
    cost: f64,
    _held: Held,
}

/// A column of one input, or of two that belong together, whose keys are tried.
pub struct TriedColumn<'a> {
    /// Its names in the left (or only) and in the right input.
    pub names: [&'a str; 2],
    /// Its values in each input.
    pub values: &'a [ColumnValues],
    /// The keys to try.
    pub templates: Vec<KeyTemplate>,
    /// Each of two inputs numbers its own records by it.
    pub are_own_numbers: bool,
}

impl<'a> KeyFinder<'a> {
    /// Looks for keys of inputs with these columns and numbers of records.
    pub fn new(link_type: LinkType, columns: [Vec<Column>; 2], rows: &[u64], cancel: Cancel<'a>) -> Self {
        let all = rows.iter().sum();
        let sizes = [rows[0], rows.get(1).copied().unwrap_or(0)];
        Self {
            link_type,
            columns: columns.map(ColumnsByName::new),
            rows: all,
            border: rows[0] as u32,
            nominal_pairs: super::pair_count::pairs(link_type, sizes),
            keys: Vec::new(),
            promising: Vec::new(),
            search: KeySearch::default(),
            cancel,
        }
    }

    /// All pairs of records there are.
    pub fn nominal_pairs(&self) -> u64 {
        self.nominal_pairs
    }

    /// Tries the keys of a column. Gives the number of values that differ from another one only in case and accents, where
    /// that was seen.
    pub fn try_column(&mut self, column: &TriedColumn<'_>) -> Option<u64> {
        let names = [0, 1].map(|side| self.in_rules(side, column.names[side]));
        let mut parts = self.parts(column, &names);
        let folded =
            parts.iter().find(|(template, ..)| template.expression == FOLDED).map(|(_, _, count)| count.distinct);
        let plain = parts.first().map(|(_, _, count)| *count)?;
        // A key that joins the same records as the column itself is no key of its own.
        parts.retain(|(template, _, count)| template.expression == AS_IT_IS || !joins_the_same(count, &plain));
        let has_folded = parts.iter().any(|(template, ..)| template.expression == FOLDED);
        for (template, part, count) in parts {
            self.search.single_keys += 1;
            let mut key = self.key(part.condition.clone(), &[column.names[0]], &count, |code| vec![part.value(code)]);
            if column.are_own_numbers && count.candidates > 0 {
                key.verdict = KeyVerdict::OwnNumbers;
            }
            self.keys.push(key);
            let is_replaced = has_folded && template.expression == AS_IT_IS;
            if !column.are_own_numbers && template.is_for_combining && !is_replaced && is_combinable(&count, self.rows)
            {
                self.offer(column, &part, count);
            }
        }
        folded.map(|folded| plain.distinct.saturating_sub(folded))
    }

    fn in_rules(&self, side: usize, name: &str) -> String {
        in_rules(name, self.columns[side].named(name).len() > 1)
    }

    /// The keys of a column, counted. There is none where rules cannot compare the column.
    fn parts(&self, column: &TriedColumn<'_>, names: &[String; 2]) -> Vec<(KeyTemplate, SingleKey, KeyCount<u32>)> {
        let conditions: Vec<String> = column.templates.iter().map(|t| condition(t.expression, names)).collect();
        let visible = self.columns.each_ref().map(|columns| columns.of_names(column.names));
        let Some(exprs) = self.bind(&visible, &conditions) else { return Vec::new() };
        let (mut blocks, mut parts) = (None, Vec::with_capacity(exprs.len()));
        for ((template, condition), exprs) in column.templates.iter().zip(conditions).zip(&exprs) {
            self.cancel.check();
            let is_column = column.values.len() == 1 && matches!(exprs[0].kind, ExprKind::Column(..));
            let part = if is_column {
                SingleKey::of_column(condition, &column.values[0])
            } else {
                let (blocks, _) = blocks.get_or_insert_with(|| self.blocks(column));
                self.computed(template, names, condition, exprs, &visible, blocks)
            };
            let count = part.count(column.values, self.link_type, self.cancel);
            parts.push((*template, part, count));
        }
        parts
    }

    fn blocks(&self, column: &TriedColumn<'_>) -> (Vec<Vec<crate::expr::Vector>>, Vec<Held>) {
        column.values.iter().map(|values| values.blocks(self.cancel)).unzip()
    }

    /// A computed key. Rules take an empty text for a value, and nobody who joins on it wants that: it becomes null.
    fn computed(
        &self,
        template: &KeyTemplate,
        names: &[String; 2],
        text: String,
        exprs: &KeyExprs,
        visible: &[Vec<Column>; 2],
        blocks: &[Vec<crate::expr::Vector>],
    ) -> SingleKey {
        let part = SingleKey::new(text, exprs, blocks, self.cancel);
        if !part.has_empty_text() {
            return part;
        }
        let text = condition(&format!("nullif({}, '')", template.expression), names);
        match self.bind(visible, std::slice::from_ref(&text)) {
            Some(exprs) => SingleKey::new(text, &exprs[0], blocks, self.cancel),
            None => part,
        }
    }

    /// The expressions of conditions on these columns, as a job would have them.
    fn bind(&self, [left, right]: &[Vec<Column>; 2], conditions: &[String]) -> Option<Vec<KeyExprs>> {
        let mut file = RuleFile::default();
        conditions.iter().for_each(|condition| file.add_rule(condition));
        let rules = compile(&file, self.link_type, [left, right]).ok()?;
        let exprs = |rule: &crate::rules::Rule| {
            let literal = rules.conjunctions[rule.conjunctions.start].literals.first()?;
            match &rules.predicates[literal.predicate].test {
                Test::Equal { left, right, .. } => Some([left.clone(), right.clone()]),
                _ => None,
            }
        };
        rules.rules.iter().map(exprs).collect()
    }

    fn key<G: Copy + Ord>(
        &self,
        condition: String,
        columns: &[&str],
        count: &KeyCount<G>,
        values: impl Fn(G) -> Vec<FieldValue>,
    ) -> JoinKey {
        JoinKey {
            condition,
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            candidates: count.candidates,
            records: count.records,
            distinct: count.distinct,
            largest: count.largest_group(values),
            verdict: verdict(count, self.rows),
        }
    }

    /// Keeps a key to combine if it is among the most promising.
    fn offer(&mut self, column: &TriedColumn<'_>, part: &SingleKey, count: KeyCount<u32>) {
        self.search.combinable += 1;
        let cost = cost_to_combine(&count, self.rows);
        let place = self.promising.partition_point(|other| other.cost <= cost);
        if place >= MOST_COMBINED {
            return;
        }
        self.promising.truncate(MOST_COMBINED - 1);
        let held = self.cancel.hold(4 * self.rows as usize + part.domain.dictionary.bytes());
        let key = PromisingKey {
            column: column.names[0].to_owned(),
            condition: part.condition.clone(),
            domain: part.domain.clone(),
            codes: part.row_codes(column.values),
            count,
            cost,
            _held: held,
        };
        self.promising.insert(place, key);
    }

    /// Combines the most promising keys, two at a time.
    pub fn combine(&mut self, progress: Progress<'_>) {
        let pairs = self.pairs_to_combine();
        self.search.combined = self.promising.len() as u64;
        self.search.combinations = pairs.iter().map(|(_, others)| others.len() as u64).sum();
        progress.begin(&Stage::Profiling, Some(pairs.len() as u64));
        let of_first = |(first, others): &(usize, Vec<usize>)| {
            let key = &self.promising[*first];
            let grouping = RecordGroups::new(&key.codes, key.domain.dictionary.len(), self.cancel);
            let found: Vec<JoinKey> = others.iter().map(|other| self.combined(*first, *other, &grouping)).collect();
            progress.advance(1);
            found
        };
        let found: Vec<Vec<JoinKey>> = pairs.par_iter().map(of_first).collect();
        self.keys.extend(found.into_iter().flatten());
    }

    /// Pairs of keys, by the one with more values: its groups are the smaller ones.
    fn pairs_to_combine(&self) -> Vec<(usize, Vec<usize>)> {
        let keys = &self.promising;
        let values = |key: usize| (keys[key].count.distinct, key);
        let is_tried = |a: usize, b: usize| {
            let candidates = [keys[a].count.candidates, keys[b].count.candidates];
            keys[a].column != keys[b].column && !is_hopeless(candidates, self.rows, self.nominal_pairs)
        };
        let others = |first: usize| -> Vec<usize> {
            (0..keys.len()).filter(|other| values(*other) < values(first) && is_tried(first, *other)).collect()
        };
        (0..keys.len()).map(|first| (first, others(first))).filter(|(_, others)| !others.is_empty()).collect()
    }

    fn combined(&self, first: usize, other: usize, grouping: &RecordGroups) -> JoinKey {
        let [a, b] = [first, other].map(|key| &self.promising[key]);
        let with = OtherKey {
            codes: &b.codes,
            distinct: b.domain.dictionary.len(),
            border: self.border,
            link_type: self.link_type,
        };
        let count = grouping.count(&with, self.cancel);
        // The more promising key is written first.
        let [x, y] = if first < other { [a, b] } else { [b, a] };
        let condition = format!("{} and {}", x.condition, y.condition);
        self.key(condition, &[&x.column, &y.column], &count, |(of_a, of_b)| {
            let mut values = vec![value_of(&a.domain, of_a), value_of(&b.domain, of_b)];
            if first > other {
                values.reverse();
            }
            values
        })
    }

    /// All keys, the best first, and how they were looked for.
    pub fn finish(mut self) -> (Vec<JoinKey>, KeySearch) {
        let rows = self.rows;
        self.keys.sort_by(|a, b| better_first(a, b, rows));
        (self.keys, self.search)
    }
}

fn joins_the_same(a: &KeyCount<u32>, b: &KeyCount<u32>) -> bool {
    (a.candidates, a.records, a.distinct) == (b.candidates, b.records, b.distinct)
}
