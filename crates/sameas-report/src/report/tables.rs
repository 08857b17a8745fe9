//! The tables of a report: records, clusters, pairs inside clusters, explained pairs and what is known of each.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::cluster_choice::ClusterEdges;
use super::container::{TableColumn, TableContainer};
use super::cut_pairs::{CutOfReport, ReportedCut};
use super::data_facts::cut;
use super::explained::{ExplainedPair, PairKind};
use super::mask::{ColumnMasks, shown};
use super::members::ClusterMembers;
use super::pair_counts::PairTotals;
use super::score_facts::level_place;
use crate::engine::{InspectedColumn, InspectedRecords};
use crate::error::Result;
use crate::expr::FieldValue;
use crate::rules::Test;
use crate::verify::{Finding, NamedValue};

/// Characters of a value that a report has.
pub const VALUE_CHARACTERS: usize = 500;

/// What the tables are made of.
pub struct TableMaterial<'a> {
    /// All records.
    pub members: &'a ClusterMembers,
    /// What was counted of all pairs.
    pub totals: &'a PairTotals,
    /// The pairs that each cluster could have.
    pub possible: &'a [u64],
    /// The pairs inside clusters.
    pub edges: &'a ClusterEdges,
    /// The pairs between clusters.
    pub between: &'a CutOfReport,
    /// The records that were read, if they could be.
    pub records: Option<&'a InspectedRecords>,
    /// Their values: by column, then place.
    pub values: &'a [Vec<Option<String>>],
    /// The records that were looked at, ascending.
    pub rows: &'a [u32],
    /// Whether each condition reads a masked column.
    pub masked_conditions: &'a [bool],
    /// The explained pairs.
    pub pairs: &'a [ExplainedPair],
    /// What is masked.
    pub masks: &'a ColumnMasks,
    /// Whether the ids of each input are masked.
    pub masked_ids: &'a [bool],
}

/// What of it a report has room for.
pub struct TableSelection {
    /// The records, ascending.
    pub records: Vec<u32>,
    /// The explained pairs, by their places.
    pub pairs: Vec<usize>,
    /// The clusters, by first record, ascending.
    pub clusters: Vec<u32>,
}

impl TableSelection {
    /// These records, and the pairs of them among the first ones.
    pub fn new(mut records: Vec<u32>, pairs: usize, material: &TableMaterial<'_>) -> Self {
        records.sort_unstable();
        let has = |record: u32| records.binary_search(&record).is_ok();
        let is_shown = |at: &usize| {
            let pair = &material.pairs[*at].asked.pair;
            has(pair.left) && has(pair.right)
        };
        let pairs = (0..pairs.min(material.pairs.len())).filter(is_shown).collect();
        let roots = records.iter().map(|record| material.members.roots[*record as usize]);
        let mut clusters: Vec<u32> = roots.filter(|root| material.members.sizes[*root as usize] > 1).collect();
        clusters.sort_unstable();
        clusters.dedup();
        Self { records, pairs, clusters }
    }

    /// The number of a record.
    pub fn record(&self, record: u32) -> Option<u32> {
        self.records.binary_search(&record).ok().map(|place| place as u32)
    }

    /// The number of a cluster.
    pub fn cluster(&self, root: u32) -> Option<u32> {
        self.clusters.binary_search(&root).ok().map(|place| place as u32)
    }

    /// The numbers of explained pairs, by their places.
    pub fn pair_numbers(&self) -> HashMap<usize, u32> {
        self.pairs.iter().enumerate().map(|(number, place)| (*place, number as u32)).collect()
    }
}

/// The values of all columns of the records that were read, cut and masked.
pub fn record_values(records: &InspectedRecords, rows: usize, masks: &ColumnMasks) -> Vec<Vec<Option<String>>> {
    let of_column = |column: &InspectedColumn| {
        let is_masked = masks.has(&column.name);
        let value = |record: usize| {
            let value = records.shown.value(record, column)?;
            Some(if is_masked { masks.mask(&value) } else { cut(value, VALUE_CHARACTERS) })
        };
        (0..rows).into_par_iter().map(value).collect()
    };
    records.columns().iter().map(of_column).collect()
}

impl TableMaterial<'_> {
    /// The tables of a selection.
    pub fn tables(&self, selection: &TableSelection) -> Result<TableContainer> {
        let mut container = TableContainer::default();
        container.add("records", self.records_table(selection))?;
        let (edges, shown_edges) = self.edges_table(selection);
        container.add("clusters", self.clusters_table(selection, &shown_edges))?;
        container.add("edges", edges)?;
        container.add("cut", self.cut_table(selection))?;
        container.add("pairs", self.pairs_table(selection))?;
        container.add("findings", self.findings_table(selection))?;
        container.add("waterfall", self.waterfall_table(selection))?;
        Ok(container)
    }

    /// The id of a record, or its mask.
    pub fn id(&self, record: u32) -> String {
        self.masks.value(self.members.id(record).to_owned(), self.masked_ids[self.members.input_of(record)])
    }

    /// The id of a cluster, or its mask.
    pub fn cluster_id(&self, root: u32) -> String {
        self.masks.value(self.members.cluster_id(root), self.masked_ids[self.members.input_of(root)])
    }

    fn records_table(&self, selection: &TableSelection) -> Vec<TableColumn> {
        let members = self.members;
        let rows = &selection.records;
        let root = |record: &u32| members.roots[*record as usize];
        let ids: Vec<String> = rows.iter().map(|record| cut(self.id(*record), VALUE_CHARACTERS)).collect();
        let mut columns = vec![
            TableColumn::texts("id", &ids.iter().map(|id| Some(id.as_str())).collect::<Vec<_>>()),
            TableColumn::numbers("input", rows.iter().map(|record| Some(members.input_of(*record) as u32))),
            TableColumn::numbers("cluster", rows.iter().map(|record| selection.cluster(root(record)))),
            TableColumn::numbers("cluster_size", rows.iter().map(|record| Some(members.sizes[root(record) as usize]))),
            TableColumn::numbers("degree", rows.iter().map(|record| Some(self.totals.degrees[*record as usize]))),
        ];
        let places: Vec<usize> = rows.iter().map(|record| self.rows.partition_point(|row| row < record)).collect();
        for (at, values) in self.values.iter().enumerate() {
            let texts: Vec<Option<&str>> = places.iter().map(|place| values[*place].as_deref()).collect();
            columns.push(TableColumn::texts(format!("c{at}"), &texts));
        }
        columns
    }

    fn clusters_table(&self, selection: &TableSelection, edges: &BTreeMap<u32, u32>) -> Vec<TableColumn> {
        let roots = &selection.clusters;
        let mut shown: HashMap<u32, u32> = HashMap::new();
        for record in &selection.records {
            *shown.entry(self.members.roots[*record as usize]).or_default() += 1;
        }
        let bridges = |root: &u32| self.edges.bridges.get(root);
        let ids: Vec<String> = roots.iter().map(|root| cut(self.cluster_id(*root), VALUE_CHARACTERS)).collect();
        vec![
            TableColumn::texts("id", &ids.iter().map(|id| Some(id.as_str())).collect::<Vec<_>>()),
            TableColumn::numbers("size", roots.iter().map(|root| Some(self.members.sizes[*root as usize]))),
            TableColumn::numbers("shown", roots.iter().map(|root| shown.get(root).copied())),
            TableColumn::large_numbers("pairs", roots.iter().map(|root| self.totals.by_cluster[*root as usize])),
            TableColumn::numbers("edges", roots.iter().map(|root| Some(edges.get(root).copied().unwrap_or(0)))),
            TableColumn::large_numbers("possible", roots.iter().map(|root| self.possible[*root as usize])),
            TableColumn::numbers("bridges", roots.iter().map(|root| bridges(root).map(|of| of.bridges))),
            TableColumn::numbers("smaller_part", roots.iter().map(|root| bridges(root).and_then(|of| of.worst))),
            TableColumn::numbers("cut", roots.iter().map(|root| Some(self.between.in_cluster(*root)))),
        ]
    }

    /// The pairs inside the clusters, and their number in each.
    fn edges_table(&self, selection: &TableSelection) -> (Vec<TableColumn>, BTreeMap<u32, u32>) {
        let explained: HashMap<(u32, u32), u32> = selection
            .pairs
            .iter()
            .enumerate()
            .filter(|(_, place)| self.pairs[**place].asked.kind == PairKind::Result)
            .map(|(number, place)| (self.pairs[*place].asked.pair, number as u32))
            .map(|(pair, number)| ((pair.left, pair.right), number))
            .collect();
        let (mut rows, mut counts) = (Vec::new(), BTreeMap::new());
        for (number, root) in selection.clusters.iter().enumerate() {
            for edge in self.edges.in_cluster(*root) {
                let ends = (selection.record(edge.pair.left), selection.record(edge.pair.right));
                if let (Some(left), Some(right)) = ends {
                    *counts.entry(*root).or_default() += 1;
                    rows.push((number as u32, left, right, edge));
                }
            }
        }
        let columns = vec![
            TableColumn::numbers("cluster", rows.iter().map(|row| Some(row.0))),
            TableColumn::numbers("left", rows.iter().map(|row| Some(row.1))),
            TableColumn::numbers("right", rows.iter().map(|row| Some(row.2))),
            TableColumn::numbers("rule", rows.iter().map(|row| Some(row.3.pair.rule))),
            TableColumn::floats("score", rows.iter().map(|row| Some(row.3.pair.score).filter(|score| !score.is_nan()))),
            TableColumn::flags("bridge", rows.iter().map(|row| row.3.smaller_part.is_some())),
            TableColumn::numbers("smaller_part", rows.iter().map(|row| row.3.smaller_part)),
            TableColumn::numbers(
                "pair",
                rows.iter().map(|row| explained.get(&(row.3.pair.left, row.3.pair.right)).copied()),
            ),
        ];
        (columns, counts)
    }

    /// The pairs between clusters, once for each of their records that is there.
    fn cut_table(&self, selection: &TableSelection) -> Vec<TableColumn> {
        let root = |record: u32| self.members.roots[record as usize];
        let mut rows: Vec<CutRow<'_>> = Vec::new();
        for of in &self.between.pairs {
            for (record, other) in [(of.pair.left, of.pair.right), (of.pair.right, of.pair.left)] {
                let cluster = selection.cluster(root(record));
                rows.extend(selection.record(record).map(|record| CutRow { cluster, record, other, of }));
            }
        }
        rows.sort_by_key(|row| row.cluster);
        let short = |text: String| cut(text, VALUE_CHARACTERS);
        let ids: Vec<String> = rows.iter().map(|row| short(self.id(row.other))).collect();
        let clusters: Vec<String> = rows.iter().map(|row| short(self.cluster_id(root(row.other)))).collect();
        vec![
            TableColumn::numbers("cluster", rows.iter().map(|row| row.cluster)),
            TableColumn::numbers("record", rows.iter().map(|row| Some(row.record))),
            TableColumn::numbers("other", rows.iter().map(|row| selection.record(row.other))),
            TableColumn::texts("other_id", &ids.iter().map(|id| Some(id.as_str())).collect::<Vec<_>>()),
            TableColumn::texts("other_cluster", &clusters.iter().map(|id| Some(id.as_str())).collect::<Vec<_>>()),
            TableColumn::numbers("rule", rows.iter().map(|row| Some(row.of.pair.rule))),
            TableColumn::floats(
                "score",
                rows.iter().map(|row| Some(row.of.pair.score).filter(|score| !score.is_nan())),
            ),
            TableColumn::texts("cause", &rows.iter().map(|row| Some(row.of.cause.as_str())).collect::<Vec<_>>()),
        ]
    }

    fn pairs_table(&self, selection: &TableSelection) -> Vec<TableColumn> {
        let pairs: Vec<&ExplainedPair> = selection.pairs.iter().map(|place| &self.pairs[*place]).collect();
        let kind = |pair: &&ExplainedPair| match pair.asked.kind {
            PairKind::Result => 0,
            PairKind::Near => 1,
            PairKind::Miss => 2,
            PairKind::Together => 3,
        };
        let number = |number: Option<usize>| number.map(|number| number as u32);
        let rules: Vec<String> = pairs.iter().map(|pair| numbers_text(&pair.rules)).collect();
        vec![
            TableColumn::numbers("left", pairs.iter().map(|pair| selection.record(pair.asked.pair.left))),
            TableColumn::numbers("right", pairs.iter().map(|pair| selection.record(pair.asked.pair.right))),
            TableColumn::bytes("kind", pairs.iter().map(kind)),
            TableColumn::numbers("rule", pairs.iter().map(|pair| number(pair.rule))),
            TableColumn::numbers("condition", pairs.iter().map(|pair| number(pair.condition))),
            TableColumn::floats("score", pairs.iter().map(|pair| pair.score())),
            TableColumn::floats("probability", pairs.iter().map(|pair| pair.probability())),
            TableColumn::floats("slack", pairs.iter().map(|pair| pair.slack)),
            TableColumn::texts("rules", &rules.iter().map(|text| Some(text.as_str())).collect::<Vec<_>>()),
            TableColumn::numbers("never", pairs.iter().map(|pair| number(pair.never))),
        ]
    }

    fn findings_table(&self, selection: &TableSelection) -> Vec<TableColumn> {
        let of_pair = |(number, place): (usize, &usize)| {
            let findings = self.pairs[*place].inspected.iter().flat_map(|inspected| &inspected.findings);
            findings.enumerate().map(move |(at, finding)| self.finding(number, at, finding)).collect::<Vec<_>>()
        };
        let rows: Vec<FindingRow> = selection.pairs.iter().enumerate().flat_map(of_pair).collect();
        let texts = |of: fn(&FindingRow) -> &Option<String>| -> Vec<Option<&str>> {
            rows.iter().map(|row| of(row).as_deref()).collect()
        };
        vec![
            TableColumn::numbers("pair", rows.iter().map(|row| Some(row.pair))),
            TableColumn::numbers("condition", rows.iter().map(|row| Some(row.condition))),
            TableColumn::bytes("verdict", rows.iter().map(|row| row.verdict)),
            TableColumn::floats("measured", rows.iter().map(|row| row.measured)),
            TableColumn::floats("missed_by", rows.iter().map(|row| row.missed_by)),
            TableColumn::texts("left", &texts(|row| &row.left)),
            TableColumn::texts("right", &texts(|row| &row.right)),
            TableColumn::texts("parts", &texts(|row| &row.parts)),
        ]
    }

    fn finding(&self, pair: usize, condition: usize, finding: &Finding) -> FindingRow {
        let is_masked = self.masked_conditions[condition];
        // A value of one record may be what is measured.
        let test = self.records.map(|records| &records.predicate(records.conditions[condition]).test);
        let is_shown = !is_masked || matches!(test, Some(Test::Measure { .. }));
        let parts = (!finding.parts.is_empty() && !is_masked).then(|| parts_text(&finding.parts));
        FindingRow {
            pair: pair as u32,
            condition: condition as u32,
            verdict: if finding.truth.is_none() { 2 } else { u8::from(finding.holds) },
            measured: finding.measured.filter(|_| is_shown),
            missed_by: finding.missed_by.filter(|_| is_shown),
            left: self.side_text(&finding.values, "l", is_masked),
            right: self.side_text(&finding.values, "r", is_masked),
            parts,
        }
    }

    /// What a condition has read of one record.
    fn side_text(&self, values: &[NamedValue], letter: &str, is_masked: bool) -> Option<String> {
        let mut of_side = values.iter().filter(|value| value.name.split('.').next() == Some(letter));
        let text = |value: &FieldValue| {
            let text = if *value == FieldValue::Null { None } else { Some(shown(value)) }?;
            Some(if is_masked { self.masks.mask(&text) } else { cut(text, VALUE_CHARACTERS) })
        };
        match values.iter().find(|value| value.name == letter) {
            Some(value) => text(&value.value),
            None => {
                let first = of_side.next()?;
                let named = |value: &NamedValue| {
                    let name = value.name.split_once('.').map_or("", |(_, name)| name);
                    format!("{name}: {}", text(&value.value).unwrap_or_else(|| "missing".into()))
                };
                let all: Vec<String> = std::iter::once(first).chain(of_side).map(named).collect();
                Some(all.join("; "))
            }
        }
    }

    fn waterfall_table(&self, selection: &TableSelection) -> Vec<TableColumn> {
        let mut rows: Vec<WaterfallRow> = Vec::new();
        let levels = |comparison: usize| {
            let comparisons = self.records.map(|records| &records.rules().scoring.comparisons);
            comparisons.and_then(|all| all.get(comparison)).map_or(0, |of| of.levels.len())
        };
        for (number, place) in selection.pairs.iter().enumerate() {
            let Some(inspected) = &self.pairs[*place].inspected else { continue };
            for (at, of) in inspected.score.iter().flat_map(|score| &score.comparisons).enumerate() {
                let level = Some(level_place(of.number, &of.level, levels(at)) as u32);
                rows.push((number as u32, at as u32, level, of.weight, of.term_frequency, None));
            }
            for (at, of) in inspected.weighted.iter().flat_map(|weighted| &weighted.comparisons).enumerate() {
                rows.push((number as u32, at as u32, None, of.adds, None, of.similarity));
            }
        }
        vec![
            TableColumn::numbers("pair", rows.iter().map(|row| Some(row.0))),
            TableColumn::numbers("comparison", rows.iter().map(|row| Some(row.1))),
            TableColumn::numbers("level", rows.iter().map(|row| row.2)),
            TableColumn::floats("adds", rows.iter().map(|row| Some(row.3))),
            TableColumn::floats("term_frequency", rows.iter().map(|row| row.4)),
            TableColumn::floats("similarity", rows.iter().map(|row| row.5)),
        ]
    }
}

/// A pair between clusters, as one of its records sees it.
struct CutRow<'a> {
    /// The cluster of the record, if the report has it.
    cluster: Option<u32>,
    record: u32,
    /// The other record, by its number among all.
    other: u32,
    of: &'a ReportedCut,
}

/// A row of what conditions say of pairs.
struct FindingRow {
    pair: u32,
    condition: u32,
    verdict: u8,
    measured: Option<f64>,
    missed_by: Option<f64>,
    left: Option<String>,
    right: Option<String>,
    parts: Option<String>,
}

/// Pair, comparison, level, what it adds, what the frequency of the value adds, and the similarity.
type WaterfallRow = (u32, u32, Option<u32>, f64, Option<f64>, Option<f64>);

fn numbers_text(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

fn parts_text(parts: &[NamedValue]) -> String {
    let part = |part: &NamedValue| format!("{} = {}", part.name, cut(shown(&part.value), VALUE_CHARACTERS));
    parts.iter().map(part).collect::<Vec<_>>().join("; ")
}
