//! All results, looked at once: what is counted of them, and which records and pairs go into the report.

use std::collections::{BTreeMap, HashSet};

use super::cluster_choice::{ClusterChoice, ClusterEdges};
use super::cut_pairs::CutOfReport;
use super::explained::{PairKind, PairToExplain};
use super::making::ReportRequest;
use super::members::ClusterMembers;
use super::pair_counts::PairTotals;
use super::pair_picks::{NearSample, PairPicks, PickRequest, pick_near};
use super::pair_reader::{PairReader, ReportedPair};
use super::selection::{ReportLimits, WantedClusters, choose_records, together};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::{MemoryBudget, RESULTS_SHARE};
use crate::records::stats::SEED;
use crate::rules::LinkType;

/// Verdicts on conditions that a report may hold: rules with many conditions have fewer pairs explained.
const MOST_FINDINGS: usize = 400_000;

/// Records among which a report looks for near misses.
const NEAR_AMONG: usize = 5_000;

/// What was seen of all results, and what of it goes into the report.
pub struct ResultScan {
    /// All records.
    pub members: ClusterMembers,
    /// What was seen.
    pub scanned: ScannedResults,
    /// What of it goes into the report.
    pub chosen: ChosenRecords,
    /// The pairs between the clusters of these records.
    pub cut: CutOfReport,
}

impl ResultScan {
    /// Looks at the results of a run, within a share of a memory limit.
    pub fn new(request: &ReportRequest<'_>, memory: usize, cancel: Cancel<'_>) -> Result<Self> {
        let (budget, limits) = (MemoryBudget::share(memory, RESULTS_SHARE), bounded_limits(request, memory));
        let members = ClusterMembers::read(request.results, request.run, &budget, cancel)?;
        let scanned = ScannedResults::scan(request, &members, &limits, &budget, cancel)?;
        let chosen = ChosenRecords::choose(request, &scanned, &members, &limits);
        let cut = match &request.run.cut {
            Some(of_run) if of_run.pairs > 0 => {
                let mut reader = PairReader::new(&members, request.run, &budget);
                // Rules have the same numbers as in the other pairs.
                scanned.names.iter().for_each(|name| {
                    reader.rules.number(name.as_bytes());
                });
                CutOfReport::read(request.results, &mut reader, &members, &chosen.rows, &budget, cancel)?
            }
            _ => CutOfReport::default(),
        };
        Ok(Self { members, scanned, chosen, cut })
    }
}

/// What was seen of all results.
pub struct ScannedResults {
    /// Pairs counted.
    pub totals: PairTotals,
    /// The pairs that each cluster could have.
    pub possible: Vec<u64>,
    /// The clusters worth looking at.
    pub choice: ClusterChoice,
    /// The clusters whose pairs were kept.
    pub wanted: WantedClusters,
    /// A sample of the pairs, and how many pairs each stands for.
    pub sample: Vec<(ReportedPair, f64)>,
    /// Whether these are all.
    pub sample_is_complete: bool,
    /// Pairs with the lowest scores.
    pub weakest: Vec<ReportedPair>,
    /// Some of the near pairs.
    pub near: Option<NearSample>,
    /// The pairs inside the wanted clusters.
    pub edges: ClusterEdges,
    /// The names of the rules.
    pub names: Vec<String>,
    /// The conditions that near pairs miss.
    pub loosened: Vec<String>,
}

impl ScannedResults {
    /// Looks at all pairs, twice.
    fn scan(
        request: &ReportRequest<'_>,
        members: &ClusterMembers,
        limits: &ReportLimits,
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        let ReportRequest { run, results, .. } = *request;
        let mut reader = PairReader::new(members, run, budget);
        let totals = PairTotals::count(results, &mut reader, members, budget, cancel)?;
        let possible = members.possible_pairs(run.link_type == LinkType::LinkOnly);
        let mut choice = ClusterChoice::by_size(members, &totals.by_cluster, &possible);
        let wanted = WantedClusters::new(members, &totals, &choice, limits, budget)?;
        let of_rule = limits.of_rules(&totals.by_rule);
        let weakest = if run.scores.is_some() { limits.weakest } else { 0 };
        let wishes = PickRequest { of_rule: &of_rule, weakest, clusters: &wanted.wanted, seed: SEED };
        let picks = PairPicks::pick(results, &mut reader, members, &wishes, cancel)?;
        let conditions = run.near.as_ref().map_or(1, |near| near.conditions.len().max(1));
        let near = pick_near(results, &mut reader, (limits.near / conditions).clamp(3, 200), SEED, cancel)?;
        let edges = ClusterEdges::new(picks.edges, members, cancel);
        choice.add_bridged(&edges, members);
        Ok(Self {
            totals,
            possible,
            choice,
            wanted,
            sample: picks.sample,
            sample_is_complete: picks.is_complete,
            weakest: picks.weakest,
            near,
            edges,
            names: reader.rules.texts(),
            loosened: reader.loosened.texts(),
        })
    }
}

/// What goes into the report, as far as its size allows.
pub struct ChosenRecords {
    /// Records in the order in which they go into the report.
    pub queue: Vec<u32>,
    /// The same, ascending.
    pub rows: Vec<u32>,
    /// Those of them among which near misses are looked for, ascending.
    pub near_rows: Vec<u32>,
    /// Pairs to be explained.
    pub asked: Vec<PairToExplain>,
}

impl ChosenRecords {
    fn choose(
        request: &ReportRequest<'_>,
        scanned: &ScannedResults,
        members: &ClusterMembers,
        limits: &ReportLimits,
    ) -> Self {
        let mut asked = pairs_to_explain(scanned);
        let (choice, edges, wanted) = (&scanned.choice, &scanned.edges, &scanned.wanted);
        let (queue, drawn) = choose_records(members, choice, edges, wanted, &asked, limits);
        asked.extend(together(members, &drawn, &scanned.edges, request.run.link_type == LinkType::LinkOnly));
        let mut rows = queue.clone();
        rows.sort_unstable();
        let has = |record: u32| rows.binary_search(&record).is_ok();
        asked.retain(|asked| has(asked.pair.left) && has(asked.pair.right));
        let mut near_rows: Vec<u32> = queue.iter().take(NEAR_AMONG).copied().collect();
        near_rows.sort_unstable();
        Self { queue, rows, near_rows, asked }
    }
}

/// The limits of a report, where its rules are not so large that fewer pairs fit.
fn bounded_limits(request: &ReportRequest<'_>, memory: usize) -> ReportLimits {
    let limits = ReportLimits::new(request.options.bytes, memory);
    // Each rule has some conditions; how many is known only when it is compiled. Signs of comparisons are about as many.
    let signs = |text: &str| text.matches(['=', '<', '>', '(']).count().max(1);
    let conditions: usize = request.run.rules.iter().map(|rule| signs(&rule.when)).sum();
    ReportLimits { pairs: limits.pairs.min((MOST_FINDINGS / conditions.max(1)).max(50)), ..limits }
}

/// The pairs that are to be explained: first a few of everything, then the rest.
fn pairs_to_explain(scanned: &ScannedResults) -> Vec<PairToExplain> {
    let of = |kind: PairKind, pair: ReportedPair, weight: f64| PairToExplain { pair, kind, condition: None, weight };
    let sampled: HashSet<(u32, u32)> = scanned.sample.iter().map(|(pair, _)| (pair.left, pair.right)).collect();
    let weakest = scanned.weakest.iter().filter(|pair| !sampled.contains(&(pair.left, pair.right)));
    let near = scanned.near.iter().flat_map(|near| &near.pairs);
    let all = scanned.sample.iter().map(|(pair, weight)| of(PairKind::Result, *pair, *weight));
    let all = all.chain(weakest.map(|pair| of(PairKind::Result, *pair, 0.0)));
    let all = all.chain(near.map(|(pair, weight)| of(PairKind::Near, *pair, *weight)));
    // Of each rule one after the other, so that what is cut off is cut off of all.
    let mut places: BTreeMap<(u8, u32, u32), u32> = BTreeMap::new();
    let mut placed: Vec<(u32, PairToExplain)> = Vec::new();
    for asked in all {
        let next = places.entry((asked.kind as u8, asked.pair.rule, asked.pair.loosened)).or_default();
        placed.push((*next, asked));
        *next += 1;
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, asked)| asked).collect()
}
