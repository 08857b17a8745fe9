//! Goes through the steps of a chain.

use std::ops::Range;

use rayon::prelude::*;

use super::{Chain, JoinStep, ScanStep, StepCondition, ValuePlace};
use crate::cancel::{Cancel, or_end};
use crate::relation::cpu::host_relation::HostRelation;
use crate::relation::cpu::index::TupleIndex;
use crate::relation::cpu::indexes::Indexes;
use crate::relation::cpu::inserter::{Inserter, Inserters};
use crate::relation::cpu::set::TupleBits;
use crate::relation::cpu::store::TupleBlock;
use crate::relation::program::{MOST_COLUMNS, RelationId};

/// Tuples of the first atom that a task begins with, at most.
const SCANNED: usize = 4096;
/// Matches that a task lists, about.
const PIECE: usize = 1 << 15;

/// One evaluation of a chain: what it reads and where its tuples go.
pub struct ChainWalk<'a, 's> {
    /// The steps.
    pub chain: &'a Chain,
    /// All relations.
    pub relations: &'a [HostRelation],
    /// Their indexes, up to date.
    pub indexes: &'a Indexes,
    /// The blocks that the last round has added.
    pub delta_of: &'a (dyn Fn(RelationId) -> Range<usize> + Sync),
    /// Where the tuples go.
    pub inserters: &'a Inserters<'s>,
    /// Whether to go on.
    pub cancel: Cancel<'a>,
}

/// Values of variables: a list for each, with one entry per row.
#[derive(Default)]
struct Bindings {
    columns: Vec<Vec<u32>>,
    rows: usize,
}

/// Matches of one row in one run of an index.
#[derive(Clone, Copy)]
struct MatchSpan {
    row: u32,
    run: u32,
    start: u32,
    len: u32,
}

/// A row and one of its matches, to read values from.
struct Matched<'a> {
    bindings: &'a Bindings,
    row: usize,
    payload: &'a [&'a [u32]],
    at: usize,
}

impl Matched<'_> {
    #[inline]
    fn value(&self, place: ValuePlace) -> u32 {
        match place {
            ValuePlace::Row(column) => self.bindings.columns[column][self.row],
            ValuePlace::Match(column) => self.payload[column][self.at],
            ValuePlace::Constant(value) => value,
        }
    }

    #[inline]
    fn tuple(&self, places: &[ValuePlace]) -> [u32; MOST_COLUMNS] {
        let mut tuple = [0; MOST_COLUMNS];
        tuple.iter_mut().zip(places).for_each(|(value, place)| *value = self.value(*place));
        tuple
    }
}

impl ChainWalk<'_, '_> {
    /// Evaluates the chain.
    pub fn run(&self) {
        let nothing = Matched { bindings: &Bindings::default(), row: 0, payload: &[], at: 0 };
        if !self.holds(&self.chain.before, &nothing) {
            return;
        }
        let Some(scan) = &self.chain.scan else {
            return or_end(self.inserters.own().offer(&nothing.tuple(&self.chain.constants)));
        };
        let store = &self.relations[scan.relation.0 as usize].store;
        let blocks = store.blocks(if scan.is_delta { (self.delta_of)(scan.relation) } else { store.range() });
        let tuples: usize = blocks.iter().map(TupleBlock::len).sum();
        let size = (tuples / (rayon::current_num_threads() * 8)).clamp(64, SCANNED);
        let parts = |block| part_ranges(block, size).map(move |range| (block, range));
        let parts: Vec<(&TupleBlock, Range<usize>)> = blocks.iter().flat_map(parts).collect();
        parts.into_par_iter().with_max_len(1).for_each(|(block, range)| self.scan(scan, block, range));
    }

    /// Some tuples of the first atom.
    fn scan(&self, scan: &ScanStep, block: &TupleBlock, range: Range<usize>) {
        self.cancel.check();
        let payload: Vec<&[u32]> = block.columns().iter().map(|column| &column[range.clone()]).collect();
        let mut bindings = Bindings { columns: vec![Vec::new(); scan.kept.len()], rows: 0 };
        if scan.conditions.is_empty() {
            bindings.copy(&scan.kept, &payload, range.len());
            return self.go_on(0, &bindings);
        }
        let empty = Bindings::default();
        for at in 0..range.len() {
            let matched = Matched { bindings: &empty, row: 0, payload: &payload, at };
            if self.holds(&scan.conditions, &matched) {
                bindings.push(&scan.kept, &matched);
            }
        }
        self.go_on(0, &bindings);
    }

    /// The steps from `level` on.
    fn go_on(&self, level: usize, bindings: &Bindings) {
        if bindings.rows == 0 {
            return;
        }
        let Some(step) = self.chain.joins.get(level) else { return self.offer_all(bindings) };
        let index = self.indexes.get(step.index);
        let spans = self.spans(step, index, bindings);
        let pieces = pieces(&spans);
        match pieces.as_slice() {
            [] => {}
            [piece] => self.piece(level, step, bindings, &spans[piece.clone()]),
            _ => pieces.into_par_iter().with_max_len(1).for_each(|piece| {
                self.piece(level, step, bindings, &spans[piece]);
            }),
        }
    }

    /// Where the matches of each row are, cut where they are many.
    fn spans(&self, step: &JoinStep, index: &TupleIndex, bindings: &Bindings) -> Vec<MatchSpan> {
        let mut spans = Vec::with_capacity(bindings.rows);
        let mut key = [0; MOST_COLUMNS];
        for row in 0..bindings.rows {
            let matched = Matched { bindings, row, payload: &[], at: 0 };
            key.iter_mut().zip(&step.key).for_each(|(value, place)| *value = matched.value(*place));
            for (run, found) in index.runs().map(|run| run.find(&key[..step.key.len()])).enumerate() {
                for part in found.clone().step_by(PIECE) {
                    let len = (found.end - part).min(PIECE) as u32;
                    spans.push(MatchSpan { row: row as u32, run: run as u32, start: part as u32, len });
                }
            }
        }
        spans
    }

    /// Some matches of a step, by one task.
    fn piece(&self, level: usize, step: &JoinStep, bindings: &Bindings, spans: &[MatchSpan]) {
        self.cancel.check();
        let index = self.indexes.get(step.index);
        if level + 1 == self.chain.joins.len() {
            return self.offer_matches(step, index, bindings, spans);
        }
        let mut next = Bindings { columns: vec![Vec::new(); step.kept.len()], rows: 0 };
        let (seen, only) = (self.chain.seen[level].as_ref(), only_match(step));
        for span in spans {
            let payload = payload_of(index, span.run as usize);
            match seen.zip(only) {
                Some((seen, only)) => list_new(step, bindings, &payload, *span, only, seen, &mut next),
                None => self.list(step, bindings, &payload, *span, &mut next),
            }
        }
        if let Some(seen) = seen.filter(|_| only.is_none()) {
            next.retain_new(seen);
        }
        self.go_on(level + 1, &next);
    }

    /// Lists the matches of a row.
    fn list(&self, step: &JoinStep, bindings: &Bindings, payload: &[&[u32]], span: MatchSpan, next: &mut Bindings) {
        let (row, range) = (span.row as usize, span.start as usize..(span.start + span.len) as usize);
        if !step.conditions.is_empty() {
            for at in range {
                let matched = Matched { bindings, row, payload, at };
                if self.holds(&step.conditions, &matched) {
                    next.push(&step.kept, &matched);
                }
            }
            return;
        }
        // Matches that only have to exist make one row.
        next.rows += if has_match(step) { range.len() } else { 1 };
        for (column, place) in next.columns.iter_mut().zip(&step.kept) {
            match place {
                ValuePlace::Row(from) => column.resize(next.rows, bindings.columns[*from][row]),
                ValuePlace::Match(from) => column.extend_from_slice(&payload[*from][range.clone()]),
                ValuePlace::Constant(value) => column.resize(next.rows, *value),
            }
        }
    }

    /// The last step: matches become tuples of the head.
    fn offer_matches(&self, step: &JoinStep, index: &TupleIndex, bindings: &Bindings, spans: &[MatchSpan]) {
        let only = only_match(step);
        let is_found = step.conditions.is_empty() && !has_match(step);
        let mut inserter = self.inserters.own();
        for span in spans {
            let payload = payload_of(index, span.run as usize);
            let (row, range) = (span.row as usize, span.start as usize..(span.start + span.len) as usize);
            let matched = Matched { bindings, row, payload: &payload, at: range.start };
            match only {
                Some(OnlyMatch { at, column }) => {
                    or_end(inserter.offer_values(&matched.tuple(&step.kept), at, &payload[column][range]));
                }
                None if is_found => {
                    or_end(inserter.offer(&matched.tuple(&step.kept)));
                }
                None => self.offer_each(step, bindings, &payload, *span, &mut inserter),
            }
        }
    }

    /// Matches that are looked at one by one.
    fn offer_each(
        &self,
        step: &JoinStep,
        bindings: &Bindings,
        payload: &[&[u32]],
        span: MatchSpan,
        inserter: &mut Inserter<'_>,
    ) {
        for at in span.start as usize..(span.start + span.len) as usize {
            let matched = Matched { bindings, row: span.row as usize, payload, at };
            if self.holds(&step.conditions, &matched) {
                or_end(inserter.offer(&matched.tuple(&step.kept)));
            }
        }
    }

    /// The rows of a chain without joins are its output.
    fn offer_all(&self, bindings: &Bindings) {
        let mut inserter = self.inserters.own();
        let mut tuple = [0; MOST_COLUMNS];
        for row in 0..bindings.rows {
            tuple.iter_mut().zip(&bindings.columns).for_each(|(value, column)| *value = column[row]);
            or_end(inserter.offer(&tuple));
        }
    }

    #[inline]
    fn holds(&self, conditions: &[StepCondition], matched: &Matched<'_>) -> bool {
        conditions.iter().all(|condition| match condition {
            StepCondition::Compare(left, comparison, right) => {
                comparison.holds(matched.value(*left), matched.value(*right))
            }
            StepCondition::Absent { index, key } => {
                let tuple = matched.tuple(key);
                self.indexes.get(*index).runs().all(|run| run.find(&tuple[..key.len()]).is_empty())
            }
        })
    }
}

impl Bindings {
    /// Takes all tuples of some columns.
    fn copy(&mut self, kept: &[ValuePlace], payload: &[&[u32]], rows: usize) {
        for (column, place) in self.columns.iter_mut().zip(kept) {
            match place {
                ValuePlace::Match(from) => column.extend_from_slice(payload[*from]),
                ValuePlace::Constant(value) => column.resize(rows, *value),
                ValuePlace::Row(_) => {}
            }
        }
        self.rows = rows;
    }

    #[inline]
    fn push(&mut self, kept: &[ValuePlace], matched: &Matched<'_>) {
        self.columns.iter_mut().zip(kept).for_each(|(column, place)| column.push(matched.value(*place)));
        self.rows += 1;
    }

    /// Keeps the rows that were not seen before.
    fn retain_new(&mut self, seen: &TupleBits) {
        let mut kept = 0;
        let mut tuple = [0; MOST_COLUMNS];
        for row in 0..self.rows {
            tuple.iter_mut().zip(&self.columns).for_each(|(value, column)| *value = column[row]);
            self.columns.iter_mut().for_each(|column| column[kept] = column[row]);
            kept += usize::from(seen.insert(seen.place(&tuple[..self.columns.len()])));
        }
        self.columns.iter_mut().for_each(|column| column.truncate(kept));
        self.rows = kept;
    }
}

/// What a step adds where it adds one column and checks nothing: its place in the next block, and the wanted column.
#[derive(Clone, Copy)]
struct OnlyMatch {
    at: usize,
    column: usize,
}

fn only_match(step: &JoinStep) -> Option<OnlyMatch> {
    let mut matches = step.kept.iter().enumerate().filter_map(|(at, place)| match place {
        ValuePlace::Match(column) => Some(OnlyMatch { at, column: *column }),
        ValuePlace::Row(_) | ValuePlace::Constant(_) => None,
    });
    let only = matches.next().filter(|_| step.conditions.is_empty());
    only.filter(|_| matches.next().is_none())
}

/// Whether a step hands on anything of what it finds.
fn has_match(step: &JoinStep) -> bool {
    step.kept.iter().any(|place| matches!(place, ValuePlace::Match(_)))
}

/// Lists the matches of a row that were not seen before, of a step that adds one column and checks nothing.
fn list_new(
    step: &JoinStep,
    bindings: &Bindings,
    payload: &[&[u32]],
    span: MatchSpan,
    only: OnlyMatch,
    seen: &TupleBits,
    next: &mut Bindings,
) {
    let range = span.start as usize..(span.start + span.len) as usize;
    let tuple = Matched { bindings, row: span.row as usize, payload, at: range.start }.tuple(&step.kept);
    let mut base = tuple;
    base[only.at] = 0;
    seen.insert_values(&base[..step.kept.len()], only.at, &payload[only.column][range], &mut next.columns[only.at]);
    next.rows = next.columns[only.at].len();
    next.columns.iter_mut().zip(tuple).for_each(|(column, value)| column.resize(next.rows, value));
}

fn part_ranges(block: &TupleBlock, size: usize) -> impl Iterator<Item = Range<usize>> + use<> {
    let len = block.len();
    (0..len).step_by(size).map(move |start| start..(start + size).min(len))
}

/// Ranges of spans with about [`PIECE`] matches each.
fn pieces(spans: &[MatchSpan]) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut matches) = (Vec::new(), 0, 0);
    for (at, span) in spans.iter().enumerate() {
        matches += span.len as usize;
        if matches >= PIECE || at + 1 == spans.len() {
            pieces.push(start..at + 1);
            (start, matches) = (at + 1, 0);
        }
    }
    pieces
}

/// The wanted columns of a run.
#[inline]
fn payload_of(index: &TupleIndex, run: usize) -> [&[u32]; MOST_COLUMNS] {
    let (mut payload, run) = ([[].as_slice(); MOST_COLUMNS], index.run(run));
    payload.iter_mut().zip(run.payload()).for_each(|(place, column)| *place = column);
    payload
}
