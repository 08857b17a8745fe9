//! Scores on a device: the trees of a score program as kernels read them.

use sameas_kernels::DevicePtr;
use sameas_kernels::layout::score::{
    SCORE_COMPARISONS, SCORE_REACHED, ScoreComparison, ScoreNode, ScoreTables, effort as efforts,
};

use super::columns::DeviceColumns;
use crate::device::Buffer;
use crate::error::Result;
use crate::verify::outcome_tree::{EvaluationEffort, OutcomeNode, OutcomeStep};
use crate::verify::score_program::{MOST_TREES, ScoreProgram, ScoredComparison};

const _: () = assert!(MOST_TREES == SCORE_COMPARISONS, "a kernel has room for all trees");

/// Places of a table of patterns at most, copies of it, and places of all copies: what blocks count at one place they do one
/// after the other, and all places are cleared and read with each slice.
const MOST_PLACES: u64 = 1 << 16;
const MOST_COPIES: u64 = 64;
const ALL_PLACES: u64 = 1 << 17;

/// Words of a place: a pattern and its pairs.
const PLACE_WORDS: usize = 2;

/// A score program on a device.
pub struct DeviceScoring {
    /// The struct that the kernels read.
    layout: Buffer<ScoreTables>,
    _nodes: Buffer<ScoreNode>,
    _comparisons: Buffer<ScoreComparison>,
    _is_certain: Buffer<u8>,
    /// Places of all copies of a table of patterns.
    places: usize,
}

impl DeviceScoring {
    /// Brings a program to the device, but for the checks of its predicates.
    pub fn new(columns: &mut DeviceColumns<'_>, program: &ScoreProgram<'_>) -> Result<Self> {
        let (mut nodes, mut comparisons) = (Vec::new(), Vec::new());
        for of in &program.comparisons {
            comparisons.push(comparison(columns, of, nodes.len() as u32)?);
            let root = nodes.len() as u32;
            nodes.extend(of.tree.nodes.iter().map(|of_tree| node(of_tree, of, root)));
        }
        let gpu = columns.gpu().clone();
        let is_certain: Vec<u8> = program.is_certain.iter().map(|certain| u8::from(*certain)).collect();
        let (nodes, comparisons) = (gpu.upload(&nodes)?, gpu.upload(&comparisons)?);
        let is_certain = gpu.upload(&is_certain)?;
        let places = program.patterns.map_or(0, |patterns| patterns.min(MOST_PLACES).next_power_of_two());
        let copies = ALL_PLACES.checked_div(places).map_or(0, |copies| copies.clamp(1, MOST_COPIES));
        let is_hashed = program.patterns.is_some_and(|patterns| patterns > places);
        let layout = ScoreTables {
            nodes: nodes.at(),
            comparisons: comparisons.at(),
            certain: is_certain.at(),
            first: program.first,
            threshold: program.threshold,
            count: comparisons.len() as u32,
            copies: copies as u32,
            places,
            shift: if is_hashed { u64::from(u64::BITS - places.ilog2()) } else { 0 },
        };
        let (layout, places) = (gpu.upload(&[layout])?, (places * copies) as usize);
        Ok(Self { layout, _nodes: nodes, _comparisons: comparisons, _is_certain: is_certain, places })
    }

    /// Where it lies.
    pub fn at(&self) -> DevicePtr<ScoreTables> {
        self.layout.at()
    }

    /// Whether pairs are kept with their scores, and not counted by pattern.
    pub fn gives_scores(&self) -> bool {
        self.places == 0
    }

    /// Words of the table of patterns with its copies.
    pub fn table_words(&self) -> usize {
        self.places * PLACE_WORDS
    }
}

/// Patterns and their pairs in a table, some more than once.
pub fn counted_patterns(words: &[u64]) -> Vec<(u64, u64)> {
    let places = words.chunks_exact(PLACE_WORDS).map(|place| (place[0], place[1]));
    places.filter(|(pattern, _)| *pattern > 0).map(|(pattern, pairs)| (pattern - 1, pairs)).collect()
}

fn comparison(columns: &mut DeviceColumns<'_>, of: &ScoredComparison<'_>, root: u32) -> Result<ScoreComparison> {
    let plain = ScoreComparison { root, ..ScoreComparison::default() };
    let Some(adjustment) = &of.adjustment else { return Ok(plain) };
    Ok(ScoreComparison {
        codes: columns.codes(adjustment.operand)?,
        adjustments: columns.adjustments(adjustment.by_code)?,
        most_adjustment: adjustment.most,
        ..plain
    })
}

/// A node of a tree whose root is at `root`.
fn node(node: &OutcomeNode, of: &ScoredComparison<'_>, root: u32) -> ScoreNode {
    let plain = ScoreNode { most: node.most, ..ScoreNode::default() };
    match node.step {
        OutcomeStep::Ask { predicate, effort, next } => {
            let effort = match effort {
                EvaluationEffort::Codes => efforts::CODES,
                EvaluationEffort::Measure => efforts::MEASURE,
                EvaluationEffort::Expression => efforts::EXPRESSION,
            };
            ScoreNode { predicate: predicate as u32, effort, next: next.map(|to| root + to), ..plain }
        }
        OutcomeStep::Reached(outcome) => {
            let is_adjusted = of.adjustment.as_ref().is_some_and(|by| by.outcomes[outcome as usize]);
            let (part, adjusted) = (of.parts[outcome as usize], u32::from(is_adjusted));
            ScoreNode { part, predicate: SCORE_REACHED, adjusted, ..plain }
        }
    }
}
