//! What a join will do: the width of its signatures, its path, and the rounds that keep its lists within the budget.

use std::ops::Range;

use super::SetJoinOptions;
use super::bounds::Bounds;
use super::choose::{Enumeration, ListLengths, compatible, cost_of_everything, cost_of_lists};
use super::postings::{ENTRY_BYTES, lengths};
use super::side::SetSide;
use super::signature::best_width;
use super::walk::Direction;

/// Parts of the token range that are lined up independently.
const PARTS: usize = 64;

/// Rounds at most, about. The lists of a 64th of all entries take less than a tenth of the memory of the sets
/// themselves, so that a smaller budget would save nothing and cost a pass over the sets for each round.
const ROUNDS: usize = 64;

/// Words of a signature that cost as much as comparing two sets without any.
const UNSIGNED: usize = 1 << 9;

/// Pairs drawn to choose the width of signatures.
const SAMPLE: u64 = 4096;

/// Tokens of these pairs at most: large sets are few, and some of them tell enough.
const SAMPLED_TOKENS: usize = 1 << 22;

/// The width of signatures that suits pairs of compatible sizes, drawn evenly by a fixed rule.
pub fn width(bounds: &Bounds, sides: &[SetSide<'_>], direction: Direction) -> usize {
    let (probes, index) = (&sides[direction.probes], &sides[direction.index]);
    let draw = |at: u64| {
        // Multiples of two irrational parts of 2^64 fall evenly.
        let among = |n: usize, step: u64| ((u128::from((at + 1).wrapping_mul(step)) * n as u128) >> 64) as u32;
        let probe = among(probes.len(), 0x9E37_79B9_7F4A_7C15);
        let class = probes.class(probe);
        let partners = index.ranks(bounds.lowest(class)..class + 1);
        let other = partners.start + among(partners.len(), 0xC2B2_AE3D_27D4_EB4F);
        let need = |other| bounds.needs(class)[index.class(other) as usize];
        (!partners.is_empty()).then(|| (probes.set(probe), index.set(other), need(other)))
    };
    let draws = if probes.len() == 0 { 0 } else { SAMPLE };
    let mut tokens = 0;
    let is_affordable = |(a, b, _): &(&[u32], &[u32], u32)| {
        let before = tokens;
        tokens += a.len() + b.len();
        before < SAMPLED_TOKENS
    };
    best_width((0..draws).filter_map(draw).take_while(is_affordable))
}

/// The path, and the parts of the token range that each round lists.
pub fn plan(
    bounds: &Bounds,
    sides: &[SetSide<'_>],
    directions: &[Direction],
    options: SetJoinOptions,
) -> (Enumeration, Vec<Vec<Range<u32>>>) {
    let everything = (Enumeration::Everything, vec![vec![0..1]]);
    if options.path == Some(Enumeration::Everything) || !bounds.needs_common_token() {
        return everything;
    }
    let tokens = sides.iter().map(SetSide::tokens).max().unwrap_or(0);
    let of_probes: Vec<Vec<u32>> = sides.iter().map(|s| lengths(s, tokens, |c| bounds.probe_prefix(c))).collect();
    if options.path.is_none() {
        let of_index: Vec<Vec<u32>> = sides.iter().map(|s| lengths(s, tokens, |c| bounds.index_prefix(c))).collect();
        let (mut all, mut listed, words) = (0.0, 0.0, words(sides));
        for d in directions {
            let pairs = compatible(bounds, &sides[d.probes], &sides[d.index]);
            let lengths = ListLengths { probes: &of_probes[d.probes], index: &of_index[d.index] };
            let nominal = sides[d.probes].len() as f64 * sides[d.index].len() as f64;
            all += cost_of_everything(pairs, words);
            listed += cost_of_lists(&lengths, pairs / nominal.max(1.0), words);
        }
        if all <= listed {
            return everything;
        }
    }
    let entries: Vec<usize> = (0..tokens).map(|t| of_probes.iter().map(|l| l[t] as usize).sum()).collect();
    (Enumeration::Prefixes, rounds(&entries, options.budget / ENTRY_BYTES))
}

/// Words to compare for a pair.
fn words(sides: &[SetSide<'_>]) -> usize {
    match sides[0].signatures.words() {
        0 => UNSIGNED,
        words => words,
    }
}

/// Cuts the token range into rounds of at most `room` entries and these into parts. A token's list is never cut.
pub fn rounds(entries: &[usize], room: usize) -> Vec<Vec<Range<u32>>> {
    let total: usize = entries.iter().sum();
    let room = room.max(total / ROUNDS + 1);
    let of_part = (room.min(total) / PARTS).max(1);
    let (mut rounds, mut parts, mut in_round, mut in_part, mut start) = (Vec::new(), Vec::new(), 0, 0, 0);
    for (token, entries) in (0..).zip(entries) {
        if in_round + in_part > 0 && in_round + in_part + entries > room {
            parts.push(start..token);
            rounds.push(std::mem::take(&mut parts));
            (start, in_round, in_part) = (token, 0, 0);
        }
        in_part += entries;
        if in_part >= of_part {
            parts.push(start..token + 1);
            (start, in_round, in_part) = (token + 1, in_round + in_part, 0);
        }
    }
    if (start as usize) < entries.len() || rounds.is_empty() {
        parts.push(start..entries.len() as u32);
    }
    if !parts.is_empty() {
        rounds.push(parts);
    }
    rounds
}
