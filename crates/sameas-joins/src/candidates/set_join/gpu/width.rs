//! The width of signatures on a device: what pairs of a sample cost with each.

use sameas_kernels::kernel;
use sameas_kernels::layout::set_join::{self as layout, SET_JOIN_THREADS, SET_JOIN_WORDS, SetClass};

use super::WORD;
use super::side::{SizedSets, class_of_size, strides};
use crate::candidates::set_join::bounds::Bounds;
use crate::candidates::set_join::walk::Direction;
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Nanoseconds of an H200 for a pair that signatures leave: it is looked at once more, and its sets are merged.
const LEFT: f64 = 0.4;

/// Pairs drawn at most.
const DRAWS: u64 = 1 << 14;

/// Tokens of these pairs, about, at most: large sets are few, and some of them tell enough.
const SAMPLED_TOKENS: u64 = 1 << 26;

/// The words of a signature with which a sample of the pairs of compatible sizes costs least.
pub(super) fn best_words(
    gpu: &Gpu,
    sides: &[SizedSets],
    bounds: &Bounds,
    needs: &Buffer<u32>,
    direction: Direction,
) -> Result<usize> {
    let (probes, index) = (&sides[direction.probes], &sides[direction.index]);
    if probes.len() == 0 || index.len() == 0 {
        return Ok(SET_JOIN_WORDS[0]);
    }
    let tokens: u64 = sides.iter().flat_map(|side| (0..).zip(&side.counts)).map(|(size, n)| size * u64::from(*n)).sum();
    let sets: u64 = sides.iter().map(|side| side.len() as u64).sum();
    // A sample takes a small part of the join itself.
    let pairs = probes.len() as u64 * index.len() as u64;
    let draws = (SAMPLED_TOKENS / (tokens / sets).max(1)).clamp(64, DRAWS).min(pairs / 64 + 1);
    let class = |class: u32| SetClass { lowest: bounds.lowest(class), ..SetClass::default() };
    let classes: Vec<SetClass> = (0..bounds.classes() as u32).map(class).collect();
    let (classes, class_of_size) = (gpu.upload(&classes)?, gpu.upload(&class_of_size(bounds))?);
    let (firsts, counts) = (gpu.upload(&index.firsts(bounds))?, gpu.zeroed::<u64>(SET_JOIN_WORDS.len() + 1)?);
    let args = layout::SetSample {
        probe_sets: probes.sets,
        index_sets: index.sets,
        probe_codes: probes.codes(),
        index_codes: index.codes(),
        classes: classes.at(),
        class_of_size: class_of_size.at(),
        index_firsts: firsts.at(),
        needs: needs.at(),
        counts: counts.at(),
        probe_count: probes.len() as u32,
        class_count: bounds.classes() as u32,
        draws: draws as u32,
        unused: 0,
    };
    gpu.launch(kernel::SET_JOIN_SAMPLE, strides(gpu, 32 * draws as usize), SET_JOIN_THREADS, 0, &args)?;
    let counts = gpu.read(&counts, 0..SET_JOIN_WORDS.len() + 1)?;
    let drawn = counts[SET_JOIN_WORDS.len()].max(1) as f64;
    let cost = |at: usize| WORD * SET_JOIN_WORDS[at] as f64 + LEFT * counts[at] as f64 / drawn;
    let best = (0..SET_JOIN_WORDS.len()).min_by(|a, b| cost(*a).total_cmp(&cost(*b)));
    Ok(SET_JOIN_WORDS[best.unwrap_or_default()])
}
