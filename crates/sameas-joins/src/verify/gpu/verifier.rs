//! Runs the tasks of an access path through the verifier and brings back what passed.
//!
//! Tasks are launched in slices (`candidates/slices`) with an output of fixed size. While the host takes the pairs of one
//! slice, the device runs the next.

use std::ops::Range;
use std::time::Instant;

use bytemuck::{Pod, Zeroable};
use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::pair_order::{PairGather, PairOrder};
use sameas_kernels::layout::verify::VerifyRun;
use sameas_kernels::{DevicePtr, kernel};

use super::compile::DeviceProgram;
use super::scoring::{DeviceScoring, counted_patterns};
use crate::candidates::device_path::{DevicePath, DeviceSink};
use crate::candidates::slices::Slices;
use crate::device::{Buffer, Copying, Gpu, Pinned};
use crate::error::{ErrorCode, Result};
use crate::verify::{BranchProgram, Program};

/// Words before the counters: the two cursors.
const CURSORS: usize = 2;

/// Pairs that are copied at a time, and more where they are in order: those become a run for each thread, and few long runs
/// are quicker to read than many short ones.
const PIECE: usize = 1 << 19;
const PIECE_IN_ORDER: usize = 1 << 22;

/// Steps below each other that a stack has room for.
const DEEPEST: usize = 32;

/// Tasks that are tried, the ranges they come from, and the candidates of a task that a lane walks: counting takes time.
const TRIED: u64 = 256;
const TRIED_RANGES: u64 = 4;
const TRIED_BY_LANE: u32 = 64;

/// Pairs of a slice from which on the device brings them in order; sorting fewer is little work for the host.
const ORDERED_FROM: usize = 1 << 17;

/// Blocks and threads of the kernels that make keys of pairs.
const ORDER_GRID: [u32; 2] = [1024, 256];

/// Values of the smallest page-locked memory.
const LEAST_PINNED: usize = 1 << 14;

/// Pairs that passed, with the rules that own them.
pub struct Resolved<'s> {
    /// Left records.
    pub l: &'s [u32],
    /// Right records.
    pub r: &'s [u32],
    /// Owning rules; where pairs are scored, with a mark at those that the host has to score.
    pub rule: &'s [u32],
    /// The sum of each by its device stage, where that gives scores and the host does not have to.
    pub sums: Option<&'s [i64]>,
    /// Whether they ascend by left and then by right record.
    pub are_in_order: bool,
}

/// Pairs that are left to the host, with what is known of them by slot: true, false, or null where both.
pub struct Deferred<'s> {
    /// Left records.
    pub l: &'s [u32],
    /// Right records.
    pub r: &'s [u32],
    /// Slots that are true or null.
    pub yes: &'s [u64],
    /// Slots that are false or null.
    pub no: &'s [u64],
}

/// What a slice was, apart from its pairs.
#[derive(Clone, Debug, Default)]
pub struct SliceCounts {
    /// Candidates.
    pub candidates: u64,
    /// Pairs per rule, whatever other rules say, as far as the device has decided.
    pub alone: Vec<u64>,
    /// Pairs per rule that no earlier rule has, likewise.
    pub owned: Vec<u64>,
    /// Pairs that each `never` is the first to forbid, likewise.
    pub forbidden: Vec<u64>,
    /// Candidates that reached each step, and those that passed it, where steps are counted.
    pub steps: Vec<[u64; 2]>,
    /// Patterns and their pairs, where these are counted, likewise; some more than once.
    pub patterns: Vec<(u64, u64)>,
}

/// Takes what passed. An error ends the run.
pub trait ResultSink {
    /// Takes pairs of a slice.
    fn take(&mut self, resolved: &Resolved<'_>, deferred: &Deferred<'_>, counts: &SliceCounts) -> Result<()>;

    /// Some more tasks are done; called after every slice.
    fn progress(&mut self, tasks: u64) -> Result<()>;
}

/// Output of a slice on the device.
struct SliceOutput {
    pairs: [Buffer<u32>; 3],
    /// The sums of these pairs, where they are scored.
    sums: Option<Buffer<i64>>,
    deferred: [Buffer<u32>; 2],
    known: [Buffer<u64>; 2],
    capacity: usize,
    launch: VerifyLaunch,
}

/// What the kernels of a slice read, and where they count.
struct VerifyLaunch {
    counters: Buffer<u64>,
    run: Buffer<VerifyRun>,
    sink: DeviceSink,
}

/// Where pieces of an output arrive on the host.
struct HostCopies {
    pairs: [Pinned<u32>; 3],
    sums: [Pinned<i64>; 1],
    deferred: [Pinned<u32>; 2],
    known: [Pinned<u64>; 2],
}

/// Bytes of an output for each pair it has room for, and for its sum.
const PAIR: usize = 36;
const SUM: usize = size_of::<i64>();

/// Where the records of rows and the components are, and what the verifier does besides.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifierSetup {
    /// Records by left and by right row, or null.
    pub rows: [DevicePtr<u32>; 2],
    /// Parents of the components, or null.
    pub parents: DevicePtr<u32>,
    /// Right records among the components.
    pub right_offset: u32,
    /// Expensive checks are not gathered: for measurements.
    pub no_queue: bool,
    /// Steps are walked by recursion: for measurements.
    pub recursive: bool,
    /// Steps are counted one by one.
    pub count_steps: bool,
    /// Bits of left and of right records.
    pub record_bits: [u32; 2],
    /// Pairs of a slice from which on they are brought in order, where it is not the usual number: for tests.
    pub ordered_from: Option<usize>,
}

/// The rules of a job that are counted one by one.
#[derive(Clone, Copy, Debug)]
pub struct CountedRules {
    /// Number of rules.
    pub rules: usize,
    /// Number of `never` rules.
    pub nevers: usize,
}

impl CountedRules {
    /// The counters before those of steps.
    fn counters(self) -> usize {
        1 + 2 * self.rules + self.nevers
    }

    /// What the counters say, in the order of `VerifyRun`, with a table of patterns behind them.
    fn counts(self, counters: &[u64], scoring: Option<&DeviceScoring>) -> SliceCounts {
        let (counters, table) = counters.split_at(counters.len() - scoring.map_or(0, DeviceScoring::table_words));
        let (of_rules, steps) = counters.split_at(self.counters());
        let (alone, rest) = of_rules[1..].split_at(self.rules);
        let (owned, forbidden) = rest.split_at(self.rules);
        SliceCounts {
            candidates: of_rules[0],
            alone: alone.to_vec(),
            owned: owned.to_vec(),
            forbidden: forbidden.to_vec(),
            steps: steps.chunks(2).map(|step| [step[0], step[1]]).collect(),
            patterns: counted_patterns(table),
        }
    }
}

/// The verifier of a branch with its output.
pub struct DeviceVerifier {
    gpu: Gpu,
    program: DeviceProgram,
    outputs: [SliceOutput; 2],
    copies: HostCopies,
    capacity: usize,
    counted: CountedRules,
    setup: VerifierSetup,
}

/// A slice that has been run: its counters and its output.
struct FinishedSlice {
    output: usize,
    counters: Vec<u64>,
    /// What its pairs have, where these are in order.
    ordered: Option<OrderedColumns>,
}

/// The columns of pairs in order, beside their records.
struct OrderedColumns {
    rules: Buffer<u32>,
    sums: Option<Buffer<i64>>,
}

impl DeviceVerifier {
    /// A verifier with room for `capacity` pairs per slice: no task may have more candidates.
    pub fn new(
        gpu: &Gpu,
        program: DeviceProgram,
        counted: CountedRules,
        capacity: usize,
        setup: VerifierSetup,
    ) -> Result<Self> {
        let output = || SliceOutput::new(gpu, &program, counted, capacity, setup);
        let outputs = [output()?, output()?];
        let (words, wide) = (|| gpu.pinned::<u32>(0), || gpu.pinned::<u64>(0));
        let (pairs, deferred, known) = ([words()?, words()?, words()?], [words()?, words()?], [wide()?, wide()?]);
        let copies = HostCopies { pairs, sums: [gpu.pinned::<i64>(0)?], deferred, known };
        Ok(Self { gpu: gpu.clone(), program, outputs, copies, capacity, counted, setup })
    }

    /// Pairs of a program that fit a share of the free memory.
    pub fn capacity(gpu: &Gpu, program: &DeviceProgram, task: usize) -> usize {
        let pair = if program.gives_scores() { PAIR + SUM } else { PAIR };
        (gpu.free() / 4 / (2 * pair)).clamp(task, task.max(1 << 24))
    }

    /// The predicate of each slot.
    pub fn slots(&self) -> &[usize] {
        self.program.slots()
    }

    /// Runs all tasks of a prepared round.
    pub fn run(&mut self, path: &dyn DevicePath, sink: &mut dyn ResultSink) -> Result<()> {
        let mut slices = Slices::new(0..path.tasks(), self.capacity);
        let (mut output, mut pending) = (0, None);
        while let Some(tasks) = slices.next_slice() {
            let begun = Instant::now();
            self.gpu.fill_zero(&self.outputs[output].launch.counters)?;
            self.outputs[output].launch.start(path, tasks.clone())?;
            if let Some(slice) = pending.take() {
                self.hand_over(&slice, sink)?;
            }
            let counters = &self.outputs[output].launch.counters;
            let counters = self.gpu.read(counters, 0..counters.len())?;
            let results = counters[0].max(counters[1]) as usize;
            if slices.finish(results, begun.elapsed())? {
                let ordered = self.bring_in_order(output, counters[0] as usize)?;
                pending = Some(FinishedSlice { output, counters, ordered });
                output = 1 - output;
                sink.progress(tasks.end - tasks.start)?;
            }
        }
        match pending {
            Some(slice) => self.hand_over(&slice, sink),
            None => Ok(()),
        }
    }

    /// Candidates that reach each step, and those that pass it, in some tasks of a prepared round. Nothing else comes of
    /// them: all tasks are still to be run.
    pub fn trial(&self, path: &dyn DevicePath) -> Result<Vec<[u64; 2]>> {
        let setup = VerifierSetup { count_steps: true, parents: DevicePtr::NULL, ..self.setup };
        let places = VerifyRun { most: TRIED_BY_LANE, ..VerifyRun::zeroed() };
        let launch = VerifyLaunch::new(&self.gpu, &self.program, self.counted, setup, places)?;
        self.gpu.fill_zero(&launch.counters)?;
        // Tasks far from each other: neighbours are about the same values.
        let (tasks, each) = (path.tasks(), TRIED.div_ceil(TRIED_RANGES));
        for range in 0..TRIED_RANGES {
            let begin = tasks * range / TRIED_RANGES;
            let end = (tasks * (range + 1) / TRIED_RANGES).min(begin + each);
            if begin < end {
                launch.start(path, begin..end)?;
            }
        }
        let counters = self.gpu.read(&launch.counters, 0..launch.counters.len())?;
        Ok(self.counted.counts(&counters[CURSORS..], self.program.scoring()).steps)
    }

    /// Goes on with another order of checks.
    pub fn reorder(&mut self, program: &Program, branch: &BranchProgram) -> Result<()> {
        self.program = self.program.reordered(&self.gpu, program, branch)?;
        let Self { gpu, program, outputs, counted, setup, .. } = self;
        outputs.iter_mut().try_for_each(|output| output.is_of(gpu, program, *counted, *setup))
    }

    /// Orders the pairs of a slice by left and right record, and gives what else they have in that order; nothing where they
    /// are few, or where there is no memory for it.
    fn bring_in_order(&self, output: usize, pairs: usize) -> Result<Option<OrderedColumns>> {
        if pairs < self.setup.ordered_from.unwrap_or(ORDERED_FROM).max(1) {
            return Ok(None);
        }
        match self.sorted(&self.outputs[output], pairs) {
            Err(error) if error.code() == ErrorCode::DoesNotFitDevice => Ok(None),
            result => result.map(Some),
        }
    }

    /// Records are replaced last: up to there, memory that does not suffice leaves the pairs as they were.
    fn sorted(&self, output: &SliceOutput, pairs: usize) -> Result<OrderedColumns> {
        let [left_bits, right_bits] = self.setup.record_bits;
        let [left, right, rules] = &output.pairs;
        let keys = self.gpu.buffer::<u64>(pairs)?;
        // Sums take more room than the sort carries with a key: the place of a pair is carried instead.
        let places = output.sums.as_ref().map(|_| self.gpu.buffer::<u32>(pairs)).transpose()?;
        let args = |keys, places| PairOrder {
            left: left.at(),
            right: right.at(),
            keys,
            places,
            pairs: pairs as u64,
            right_bits,
            unused: 0,
        };
        let [grid, block] = ORDER_GRID;
        let at = places.as_ref().map_or(DevicePtr::NULL, Buffer::at);
        self.gpu.launch(kernel::PAIR_ORDER_KEYS, grid, block, 0, &args(keys.at(), at))?;
        let carried = places.as_ref().unwrap_or(rules);
        let (keys, carried) = self.gpu.sort_pairs(&keys, carried, pairs, 0..left_bits + right_bits)?;
        let ordered = match &output.sums {
            Some(sums) => self.gathered(&carried, rules, sums, pairs)?,
            None => OrderedColumns { rules: carried, sums: None },
        };
        self.gpu.launch(kernel::PAIR_ORDER_SPLIT, grid, block, 0, &args(keys.at(), DevicePtr::NULL))?;
        // They are copied aside, beside what runs next.
        self.gpu.wait()?;
        Ok(ordered)
    }

    /// The rules and sums of pairs in the order of their places.
    fn gathered(
        &self,
        places: &Buffer<u32>,
        rules: &Buffer<u32>,
        sums: &Buffer<i64>,
        pairs: usize,
    ) -> Result<OrderedColumns> {
        let (ordered_rules, ordered_sums) = (self.gpu.buffer::<u32>(pairs)?, self.gpu.buffer::<i64>(pairs)?);
        let args = PairGather {
            places: places.at(),
            rules: rules.at(),
            scores: sums.at(),
            ordered_rules: ordered_rules.at(),
            ordered_scores: ordered_sums.at(),
            pairs: pairs as u64,
        };
        let [grid, block] = ORDER_GRID;
        self.gpu.launch(kernel::PAIR_ORDER_GATHER, grid, block, 0, &args)?;
        Ok(OrderedColumns { rules: ordered_rules, sums: Some(ordered_sums) })
    }

    /// Copies what a slice gave, piece by piece, while the device runs the next one.
    fn hand_over(&mut self, slice: &FinishedSlice, sink: &mut dyn ResultSink) -> Result<()> {
        let (pairs, deferred) = (slice.counters[0] as usize, slice.counters[1] as usize);
        let mut counts = self.counted.counts(&slice.counters[CURSORS..], self.program.scoring());
        let output = &self.outputs[slice.output];
        let HostCopies { pairs: pair_copies, sums: sum_copies, deferred: deferred_copies, known } = &mut self.copies;
        let are_in_order = slice.ordered.is_some();
        let [left, right, rules] = &output.pairs;
        let (rules, sums) = match &slice.ordered {
            Some(ordered) => (&ordered.rules, ordered.sums.as_ref()),
            None => (rules, output.sums.as_ref()),
        };
        let columns = [left, right, rules];
        let most = if are_in_order { PIECE_IN_ORDER } else { PIECE };
        for begin in (0..pairs.max(deferred).max(1)).step_by(most) {
            let piece = |all: usize| begin.min(all)..all.min(begin + most);
            let copied_pairs = fetch_all(&self.gpu, piece(pairs), columns, pair_copies)?;
            let copied_sums = match sums {
                Some(sums) => fetch_all(&self.gpu, piece(pairs), [sums], sum_copies)?,
                None => Vec::new(),
            };
            let copied_deferred = fetch_all(&self.gpu, piece(deferred), output.deferred.each_ref(), deferred_copies)?;
            let copied_known = fetch_all(&self.gpu, piece(deferred), output.known.each_ref(), known)?;
            wait_for(copied_pairs, pair_copies)?;
            wait_for(copied_sums, sum_copies)?;
            wait_for(copied_deferred, deferred_copies)?;
            wait_for(copied_known, known)?;
            let [l, r, rule] = pair_copies.each_ref().map(|column| &column.values()[..piece(pairs).len()]);
            let [deferred_l, deferred_r] =
                deferred_copies.each_ref().map(|column| &column.values()[..piece(deferred).len()]);
            let [yes, no] = known.each_ref().map(|column| &column.values()[..piece(deferred).len()]);
            let sums = sums.map(|_| &sum_copies[0].values()[..piece(pairs).len()]);
            let resolved = Resolved { l, r, rule, sums, are_in_order };
            sink.take(&resolved, &Deferred { l: deferred_l, r: deferred_r, yes, no }, &counts)?;
            counts = SliceCounts::default();
        }
        Ok(())
    }
}

impl SliceOutput {
    fn new(
        gpu: &Gpu,
        program: &DeviceProgram,
        counted: CountedRules,
        capacity: usize,
        setup: VerifierSetup,
    ) -> Result<Self> {
        let (words, wide) = (|| gpu.buffer::<u32>(capacity), || gpu.buffer::<u64>(capacity));
        let (pairs, deferred, known) = ([words()?, words()?, words()?], [words()?, words()?], [wide()?, wide()?]);
        let sums = program.gives_scores().then(|| gpu.buffer::<i64>(capacity)).transpose()?;
        let places = Self::places(&pairs, sums.as_ref(), &deferred, &known, capacity);
        let launch = VerifyLaunch::new(gpu, program, counted, setup, places)?;
        Ok(Self { pairs, sums, deferred, known, capacity, launch })
    }

    /// Makes it the output of another program.
    fn is_of(&mut self, gpu: &Gpu, program: &DeviceProgram, counted: CountedRules, setup: VerifierSetup) -> Result<()> {
        let places = Self::places(&self.pairs, self.sums.as_ref(), &self.deferred, &self.known, self.capacity);
        self.launch = VerifyLaunch::new(gpu, program, counted, setup, places)?;
        Ok(())
    }

    /// Where results go.
    fn places(
        pairs: &[Buffer<u32>; 3],
        sums: Option<&Buffer<i64>>,
        deferred: &[Buffer<u32>; 2],
        known: &[Buffer<u64>; 2],
        capacity: usize,
    ) -> VerifyRun {
        VerifyRun {
            pair_l: pairs[0].at(),
            pair_r: pairs[1].at(),
            pair_rule: pairs[2].at(),
            pair_score: sums.map_or(DevicePtr::NULL, Buffer::at),
            open_l: deferred[0].at(),
            open_r: deferred[1].at(),
            open_true: known[0].at(),
            open_false: known[1].at(),
            capacity: capacity as u64,
            ..VerifyRun::zeroed()
        }
    }
}

impl VerifyLaunch {
    fn new(
        gpu: &Gpu,
        program: &DeviceProgram,
        counted: CountedRules,
        setup: VerifierSetup,
        places: VerifyRun,
    ) -> Result<Self> {
        let steps = if setup.count_steps { program.steps() } else { 0 };
        let (scoring, before) = (program.scoring(), CURSORS + counted.counters() + 2 * steps);
        let counters = gpu.buffer::<u64>(before + scoring.map_or(0, DeviceScoring::table_words))?;
        let run = VerifyRun {
            program: program.at(),
            counters: counters.at_index(CURSORS),
            left_rows: setup.rows[0],
            right_rows: setup.rows[1],
            parents: setup.parents,
            cursors: counters.at(),
            score: scoring.map_or(DevicePtr::NULL, DeviceScoring::at),
            patterns: counters.at_index(before),
            all_rules: counted.rules as u32,
            all_nevers: counted.nevers as u32,
            right_offset: setup.right_offset,
            no_queue: u32::from(setup.no_queue),
            count_steps: u32::from(setup.count_steps),
            ..places
        };
        let is_recursive = setup.recursive && program.depth() <= DEEPEST;
        let sink = if is_recursive { DeviceSink::VerifyRecursively } else { DeviceSink::Verify };
        Ok(Self { counters, run: gpu.upload(&[run])?, sink })
    }

    /// Starts the kernels for some tasks.
    fn start(&self, path: &dyn DevicePath, tasks: Range<u64>) -> Result<()> {
        path.launch(tasks, self.sink, &Consume { verify: self.run.at(), ..Consume::default() })
    }
}

/// Begins to copy columns. Page-locking memory is slow, so only as much of it is taken as was needed so far.
fn fetch_all<T: Pod, const N: usize>(
    gpu: &Gpu,
    range: Range<usize>,
    from: [&Buffer<T>; N],
    to: &mut [Pinned<T>; N],
) -> Result<Vec<Copying<T>>> {
    let fetch = |(from, to): (&Buffer<T>, &mut Pinned<T>)| {
        let mut memory = std::mem::replace(to, gpu.pinned(0)?);
        if memory.len() < range.len() {
            memory = gpu.pinned(range.len().next_power_of_two().max(LEAST_PINNED))?;
        }
        gpu.fetch(from, range.clone(), memory)
    };
    from.into_iter().zip(to).map(fetch).collect()
}

/// Waits for columns and puts them where they can be read.
fn wait_for<T>(copies: Vec<Copying<T>>, to: &mut [Pinned<T>]) -> Result<()> {
    for (copy, to) in copies.into_iter().zip(to) {
        *to = copy.wait()?;
    }
    Ok(())
}
