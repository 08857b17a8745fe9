//! Independent pieces of a round's work.

use std::ops::Range;

use super::postings::PostingLists;
use super::walk::Direction;

/// Comparisons in a task: a few milliseconds.
const TASK: usize = 1 << 22;

/// Probes in a task at least, so that a tile is used often enough to be worth filling.
const TASK_PROBES: usize = 256;

/// Sets that a task pairs with themselves.
const TASK_SETS: u32 = 4096;

/// A piece of work.
#[derive(Clone, Debug)]
pub enum SetTask {
    /// Some sets, by rank, each with itself.
    Itself(Range<u32>),
    /// Some lists of a part, in all directions.
    PostingLists { part: usize, lists: Range<usize> },
    /// Some probes of a long list, in one direction.
    Probes { part: usize, list: usize, direction: usize, probes: Range<usize> },
}

/// Adds the tasks that pair each of this many sets with itself.
pub fn add_itself(sets: u32, tasks: &mut Vec<SetTask>) {
    let ranks = (0..sets).step_by(TASK_SETS as usize).map(|from| from..sets.min(from.saturating_add(TASK_SETS)));
    tasks.extend(ranks.map(SetTask::Itself));
}

/// Adds the tasks of a part: short lists together, long lists by ranges of probes.
pub fn add_tasks(part: usize, lists: &[Vec<PostingLists>], directions: &[Direction], tasks: &mut Vec<SetTask>) {
    let length = |side: usize, list: usize| lists[side][part].list(list).len();
    let (mut start, mut cost, count) = (0, 0, lists[0][part].len());
    let push = |lists: Range<usize>, tasks: &mut Vec<SetTask>| {
        if !lists.is_empty() {
            tasks.push(SetTask::PostingLists { part, lists });
        }
    };
    for list in 0..count {
        let of_list: usize = directions.iter().map(|d| length(d.probes, list) * length(d.index, list) / 2).sum();
        if of_list >= TASK {
            push(start..list, tasks);
            for (direction, d) in directions.iter().enumerate() {
                let step = (TASK / length(d.index, list).max(1)).max(TASK_PROBES);
                let all = length(d.probes, list);
                let probes = (0..all).step_by(step).map(|from| from..all.min(from + step));
                tasks.extend(probes.map(|probes| SetTask::Probes { part, list, direction, probes }));
            }
            (start, cost) = (list + 1, 0);
        } else if cost + of_list >= TASK {
            push(start..list + 1, tasks);
            (start, cost) = (list + 1, 0);
        } else {
            cost += of_list;
        }
    }
    push(start..count, tasks);
}
