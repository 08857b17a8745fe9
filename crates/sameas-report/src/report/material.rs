//! Facts and tables of a report, cut down until they fit its size.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::cluster_choice::{ClusterChoice, sizes};
use super::data_facts::data_facts;
use super::entity_examples::ColumnExamples;
use super::entity_facts::EntityMaterial;
use super::explained::{Explainer, PairKind};
use super::facts::*;
use super::making::ReportRequest;
use super::overlaps::{ThresholdLook, overlaps};
use super::overview::overview;
use super::personal::seems_personal;
use super::plan_facts::plan_facts;
use super::score_facts::ScoreMaterial;
use super::size_search::SizeSearch;
use super::sweep_facts::sweep_facts;
use super::tables::{TableMaterial, TableSelection, VALUE_CHARACTERS};
use crate::engine::{InspectedColumn, NearCondition, NeverRecord, RuleRecord, RunRecord};
use crate::error::{Error, Result};
use crate::observer::Progress;
use crate::records::stats::SEED;
use crate::score::ScoreBin;
use crate::scoring::SCORE_RULE;

/// The version of the facts and tables.
const FORMAT: u32 = 1;

/// Examples of a rule.
const EXAMPLES: usize = 100;

/// Everything that facts and tables are made of.
pub struct ReportMaterial<'a> {
    /// What was asked for.
    pub request: &'a ReportRequest<'a>,
    /// The record of the run, masked.
    pub run: &'a RunRecord,
    /// What the tables are made of.
    pub tables: TableMaterial<'a>,
    /// The clusters worth looking at.
    pub choice: &'a ClusterChoice,
    /// The conditions and rules, if the inputs could be read.
    pub explainer: Option<&'a Explainer>,
    /// The records in the order in which they go into the report.
    pub queue: &'a [u32],
    /// The names of the rules.
    pub names: &'a [String],
    /// The result compared with the truth.
    pub evaluation: Option<ReportEvaluation>,
    /// How nearest misses were found.
    pub search: ReportSearch,
    /// Clusters whose records disagree, by the columns of entities.
    pub entity_examples: &'a [ColumnExamples],
    /// Pairs in the sample.
    pub sampled: u64,
    /// Whether these are all pairs.
    pub sample_is_complete: bool,
    /// Near pairs in the sample, if the run looked for them.
    pub near_sampled: Option<u64>,
    /// Whether these are all near pairs.
    pub near_is_complete: bool,
    /// Clusters of three records or more, and those in which bridges were looked for.
    pub of_three: [u64; 2],
}

impl ReportMaterial<'_> {
    /// Facts and packed tables of as many records and pairs as the size allows: nothing is left out that there is room for.
    pub fn fitted(&self, progress: Progress<'_>) -> Result<(ReportFacts, Vec<u8>)> {
        let (records, pairs) = (self.queue.len(), self.tables.pairs.len());
        let (mut search, mut best) = (SizeSearch::new(self.request.options.bytes, records), None);
        while let Some(share) = search.share() {
            progress.cancel().check();
            let [records, pairs] = [records, pairs].map(|all| (all as f64 * share) as usize);
            let (facts, tables, taken) = self.made(records, pairs)?;
            if search.tried(share, taken) {
                best = Some((facts, tables));
            } else if records == 0 && pairs == 0 {
                return Err(Error::usage(format!("the report needs {taken} bytes at least, besides its page"))
                    .with_help("allow it more; 10 MB are usual"));
            }
        }
        best.ok_or_else(|| Error::internal("a report that nobody has made"))
    }

    /// Facts and packed tables of the first records and pairs, and the characters that they take.
    fn made(&self, records: usize, pairs: usize) -> Result<(ReportFacts, Vec<u8>, u64)> {
        let selection = TableSelection::new(self.queue[..records].to_vec(), pairs, &self.tables);
        let facts = self.facts(&selection);
        let text = serde_json::to_vec(&facts).map_err(|error| Error::internal(format!("facts: {error}")))?;
        let (tables, text) = rayon::join(|| packed(&self.tables.tables(&selection)?.into_bytes()), || packed(&text));
        let (tables, text) = (tables?, text?);
        let taken = as_text(text.len()) + as_text(tables.len());
        Ok((facts, tables, taken))
    }

    fn facts(&self, selection: &TableSelection) -> ReportFacts {
        let columns = self.columns();
        let entities = self.entities(&columns, selection);
        ReportFacts {
            format: FORMAT,
            program: crate::VERSION,
            header: self.header(&columns),
            sampling: self.sampling(selection),
            overview: overview(self.run, self.evaluation.clone()),
            columns,
            conditions: self.conditions(),
            rules: self.rules(selection),
            scores: self.scores(selection),
            clusters: self.clusters(selection),
            sweep: self.request.options.sweep.as_ref().map(sweep_facts),
            entities,
            data: data_facts(self.request.run, self.tables.records, self.tables.masks),
            plan: plan_facts(self.run),
            search: self.search,
        }
    }

    fn columns(&self) -> Vec<ReportColumn> {
        let Some(records) = self.tables.records else { return Vec::new() };
        let mut examples: HashMap<&str, Option<&str>> = HashMap::new();
        for counts in &records.counts {
            examples.entry(&counts.name).or_insert(counts.example.as_deref());
        }
        let expressions = self.expressions();
        let expression = |name: &str| expressions.get(&name.to_ascii_lowercase()).copied().flatten();
        let column = |(at, column): (usize, &InspectedColumn)| ReportColumn {
            name: column.name.clone(),
            key: format!("c{at}"),
            derived: column.is_derived,
            expression: expression(&column.name).filter(|_| column.is_derived).map(str::to_owned),
            masked: self.tables.masks.has(&column.name),
            personal: seems_personal(&column.name, examples.get(column.name.as_str()).copied().flatten()),
            used: column.is_used,
        };
        records.columns().iter().enumerate().map(column).collect()
    }

    /// The expressions of derived columns, by name in small letters; nothing where inputs have different ones.
    fn expressions(&self) -> HashMap<String, Option<&str>> {
        let mut expressions: HashMap<String, Option<&str>> = HashMap::new();
        for derive in &self.run.job.derive {
            let own = derive.expression.as_str();
            let known = expressions.entry(derive.name.to_ascii_lowercase()).or_insert(Some(own));
            *known = known.filter(|known| *known == own);
        }
        expressions
    }

    fn header(&self, columns: &[ReportColumn]) -> ReportHeader {
        let names = |of: &dyn Fn(&ReportColumn) -> bool| -> Vec<String> {
            columns.iter().filter(|column| of(column)).map(|column| column.name.clone()).collect()
        };
        let run = self.run;
        let titles: Vec<&str> = run.inputs.iter().map(|input| input.name.as_str()).collect();
        ReportHeader {
            title: titles.join(", "),
            link_type: run.link_type,
            started: run.job.started.clone(),
            folder: self.request.options.folder.clone(),
            command: run.job.command.clone(),
            shown_columns: names(&|column| !column.masked),
            personal_columns: names(&|column| !column.masked && column.personal),
            masked_columns: names(&|column| column.masked),
            ids_masked: self.tables.masked_ids.contains(&true),
            has_values: self.tables.records.is_some(),
        }
    }

    fn sampling(&self, selection: &TableSelection) -> ReportSampling {
        let (run, members) = (self.run, self.tables.members);
        let mut shown: BTreeMap<u32, u32> = BTreeMap::new();
        for record in &selection.records {
            *shown.entry(members.roots[*record as usize]).or_default() += 1;
        }
        let whole = shown.iter().filter(|(root, shown)| **shown > 1 && members.sizes[**root as usize] == **shown);
        ReportSampling {
            budget_bytes: self.request.options.size,
            seed: SEED,
            records: ShownPart { all: members.len() as u64, shown: selection.records.len() as u64 },
            clusters: ShownPart { all: run.clusters_of_two_or_more, shown: whole.count() as u64 },
            pairs: ShownPart { all: self.tables.totals.pairs, shown: self.sampled },
            near: self
                .near_sampled
                .map(|shown| ShownPart { all: run.near.as_ref().and_then(|near| near.pairs).unwrap_or(shown), shown }),
            bridges: ShownPart { all: self.of_three[0], shown: self.of_three[1] },
            value_characters: VALUE_CHARACTERS as u64,
        }
    }

    fn conditions(&self) -> Vec<ReportCondition> {
        let Some(explainer) = self.explainer else { return Vec::new() };
        let both = explainer.texts.iter().zip(&explainer.thresholds);
        both.map(|(text, threshold)| ReportCondition { text: text.clone(), threshold: threshold.clone() }).collect()
    }

    fn rules(&self, selection: &TableSelection) -> ReportRules {
        let numbers = selection.pair_numbers();
        let shown = |place: usize| numbers.get(&place).copied();
        let (list, nevers) = (self.rule_list(&shown), self.nevers());
        let (before_scores, near) = (self.counts_before_scores(), self.near());
        let Some(explainer) = self.explainer else {
            return ReportRules { list, before_scores, nevers, near, ..ReportRules::default() };
        };
        let (sets, other_overlaps) = overlaps(self.tables.pairs);
        let by_condition: Option<BTreeMap<(usize, usize), u64>> = near
            .as_ref()
            .map(|near| near.conditions.iter().filter_map(|of| Some(((of.rule, of.condition?), of.pairs))).collect());
        let look = ThresholdLook {
            pairs: self.tables.pairs,
            explainer,
            is_complete: self.sample_is_complete,
            near: by_condition.as_ref(),
            near_is_complete: self.near_is_complete,
        };
        let thresholds = look.all(&shown);
        ReportRules {
            list,
            before_scores,
            nevers,
            overlaps: sets,
            overlaps_exact: self.sample_is_complete,
            other_overlaps,
            near,
            thresholds,
        }
    }

    fn rule_list(&self, shown: &dyn Fn(usize) -> Option<u32>) -> Vec<ReportRule> {
        let known: HashMap<&str, &RuleRecord> = self.run.rules.iter().map(|rule| (rule.name.as_str(), rule)).collect();
        let rule = |((at, name), mine): ((usize, &String), Vec<usize>)| {
            let examples = mine.iter().filter_map(|place| shown(*place)).take(EXAMPLES).collect();
            let rule = self.rule_facts(at, name, known.get(name.as_str()).copied());
            ReportRule { explained: mine.len() as u64, examples, ..rule }
        };
        self.names.iter().enumerate().zip(self.weakest_of_rules()).map(rule).collect()
    }

    /// Whether the run has counted the pairs of rules before their scores were known.
    fn counts_before_scores(&self) -> bool {
        self.run.scores.as_ref().is_some_and(|scores| !scores.given)
    }

    /// A rule without its pairs.
    fn rule_facts(&self, at: usize, name: &str, known: Option<&RuleRecord>) -> ReportRule {
        let pairs = self.tables.totals.by_rule.get(at).copied().unwrap_or_default();
        let made = known.is_some_and(|rule| !rule.named && rule.name == SCORE_RULE);
        // The rule that a score is made into gives whatever may reach the threshold: only the result says anything.
        let is_of_result = made && self.counts_before_scores();
        let number = |of: fn(&RuleRecord) -> u64| if is_of_result { pairs } else { known.map_or(0, of) };
        ReportRule {
            name: name.to_owned(),
            // It is known by its name, too.
            named: made || known.is_some_and(|rule| rule.named),
            made,
            when: known.map_or_else(String::new, |rule| rule.when.clone()),
            alone: number(|rule| rule.alone),
            marginal: number(|rule| rule.marginal),
            cumulative: number(|rule| rule.cumulative),
            pairs,
            explained: 0,
            ways: self.explainer.and_then(|of| of.rule_ways.get(at)).cloned().unwrap_or_default(),
            examples: Vec::new(),
        }
    }

    /// The places of the explained pairs of each rule, the weakest first.
    fn weakest_of_rules(&self) -> Vec<Vec<usize>> {
        let is_scored = self.run.scores.is_some();
        let weakness = |place: usize| {
            let pair = &self.tables.pairs[place];
            let of = if is_scored { pair.score() } else { pair.slack };
            of.unwrap_or(f64::INFINITY)
        };
        let mut of_rules: Vec<Vec<usize>> = vec![Vec::new(); self.names.len()];
        for (place, pair) in self.tables.pairs.iter().enumerate() {
            if let (PairKind::Result, Some(mine)) = (pair.asked.kind, of_rules.get_mut(pair.asked.pair.rule as usize)) {
                mine.push(place);
            }
        }
        for mine in &mut of_rules {
            mine.sort_by(|a, b| weakness(*a).total_cmp(&weakness(*b)).then(a.cmp(b)));
        }
        of_rules
    }

    fn nevers(&self) -> Vec<ReportNever> {
        let never = |(at, never): (usize, &NeverRecord)| ReportNever {
            name: never.name.clone(),
            when: never.when.clone(),
            removed: never.removed,
            ways: self.explainer.and_then(|of| of.never_ways.get(at)).cloned().unwrap_or_default(),
        };
        self.run.never.iter().enumerate().map(never).collect()
    }

    fn near(&self) -> Option<ReportNear> {
        let near = self.run.near.as_ref()?;
        let places: HashMap<&String, usize> = self.names.iter().zip(0..).collect();
        let condition = |of: &NearCondition| {
            Some(ReportNearCondition {
                rule: *places.get(&of.rule)?,
                condition: self.explainer.and_then(|explainer| explainer.condition(&of.condition.to_string())),
                looser: of.looser.to_string(),
                pairs: of.pairs.unwrap_or_default(),
            })
        };
        Some(ReportNear {
            amount: near.amount,
            pairs: near.pairs.unwrap_or_default(),
            conditions: near.conditions.iter().filter_map(condition).collect(),
        })
    }

    fn scores(&self, selection: &TableSelection) -> Option<ReportScores> {
        let numbers = selection.pair_numbers();
        let mut by_score: Vec<(f64, usize)> = self
            .tables
            .pairs
            .iter()
            .enumerate()
            .filter(|(_, pair)| pair.asked.kind == PairKind::Result)
            .filter_map(|(at, pair)| Some((pair.score()?, at)))
            .collect();
        by_score.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let weakest = by_score.iter().filter_map(|(_, at)| numbers.get(at).copied()).take(EXAMPLES).collect();
        let material = ScoreMaterial {
            run: self.run,
            job: self.request.job,
            records: self.tables.records,
            masks: self.tables.masks,
            pairs: self.tables.pairs,
        };
        let bin = |bin: &ScoreBin| ValueBin { from: bin.from, to: bin.to, pairs: bin.pairs as f64 };
        material.facts(self.tables.totals.scores.bins().iter().map(bin).collect(), weakest)
    }

    fn entities(&self, columns: &[ReportColumn], selection: &TableSelection) -> Option<ReportEntities> {
        let record = self.run.entities.as_ref()?;
        let (examples, masks) = (self.entity_examples, self.tables.masks);
        Some(EntityMaterial { record, examples, columns, masks }.facts(selection))
    }

    fn clusters(&self, selection: &TableSelection) -> ReportClusters {
        let shown = |roots: &[u32]| roots.iter().filter_map(|root| selection.cluster(*root)).collect();
        ReportClusters {
            sizes: sizes(self.tables.members),
            largest: shown(&self.choice.largest),
            least_cohesive: shown(&self.choice.least_cohesive),
            bridged: shown(&self.choice.bridged),
            with_bridge: self.choice.with_bridge,
        }
    }
}

/// Bytes as gzip packs them. No name and no time is in them.
fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(4));
    let failed = |error| Error::internal(format!("cannot pack a table: {error}"));
    encoder.write_all(bytes).map_err(failed)?;
    encoder.finish().map_err(failed)
}

/// The characters that bytes take as text, four for three of them.
fn as_text(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(3) * 4
}
