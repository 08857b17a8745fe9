//! The order of evaluation: relations that need each other are one stratum, and a stratum comes after those it needs.
//!
//! What is negated or counted must be complete before. So negation and count may not go through recursion, and the cycle is
//! shown where they do.

use std::collections::VecDeque;

use super::core::{CoreProgram, CoreRole};
use crate::expr::Span;
use crate::rules::Diagnostic;

/// Relations that are evaluated together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stratum {
    /// Ascending.
    pub relations: Vec<usize>,
    /// Whether one of them needs itself.
    pub is_recursive: bool,
}

/// How a relation needs another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Tuples,
    Absence,
    Size,
}

/// One relation needs another, where `span` is written.
#[derive(Clone, Copy, Debug)]
struct Dependence {
    on: usize,
    need: Need,
    span: Span,
}

/// The strata in the order of evaluation, or the mistakes that there is no such order.
pub(super) fn strata(program: &CoreProgram) -> Result<Vec<Stratum>, Vec<Diagnostic>> {
    let needs = dependences(program);
    let groups = components(&needs);
    let mut group_of = vec![0; needs.len()];
    for (at, group) in groups.iter().enumerate() {
        group.iter().for_each(|relation| group_of[*relation] = at);
    }
    let mut mistakes = Vec::new();
    for (relation, list) in needs.iter().enumerate() {
        let inside = list.iter().filter(|need| group_of[need.on] == group_of[relation]);
        for dependence in inside.filter(|dependence| dependence.need != Need::Tuples) {
            mistakes.push(cycle_mistake(program, &needs, relation, dependence));
        }
    }
    if !mistakes.is_empty() {
        mistakes.sort_by_key(|mistake| mistake.span.start);
        return Err(mistakes);
    }
    let stratum = |mut relations: Vec<usize>| {
        relations.sort_unstable();
        let is_recursive = relations.len() > 1 || needs[relations[0]].iter().any(|need| need.on == relations[0]);
        Stratum { relations, is_recursive }
    };
    Ok(groups.into_iter().map(stratum).collect())
}

fn dependences(program: &CoreProgram) -> Vec<Vec<Dependence>> {
    let mut needs = vec![Vec::new(); program.relations.len()];
    for rule in &program.rules {
        let atoms = rule.atoms.iter().map(|atom| (atom, Need::Tuples));
        for (atom, need) in atoms.chain(rule.absent.iter().map(|atom| (atom, Need::Absence))) {
            // The row of a group that is missing is a matter of the count.
            let is_count = program.relations[atom.relation].role == CoreRole::Count;
            let need = if is_count { Need::Tuples } else { need };
            needs[rule.head.relation].push(Dependence { on: atom.relation, need, span: atom.span });
        }
    }
    for count in &program.counts {
        needs[count.into].push(Dependence { on: count.from, need: Need::Size, span: count.span });
    }
    needs
}

/// Strongly connected components, each after those that it needs (Tarjan's algorithm, without recursion).
fn components(needs: &[Vec<Dependence>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let (mut index, mut low) = (vec![NEW; needs.len()], vec![0; needs.len()]);
    let (mut open, mut is_open, mut found, mut next) = (Vec::new(), vec![false; needs.len()], Vec::new(), 0);
    for root in 0..needs.len() {
        let mut walk = if index[root] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some((at, step)) = walk.pop() {
            if step == 0 {
                (index[at], low[at]) = (next, next);
                next += 1;
                open.push(at);
                is_open[at] = true;
            } else {
                let before = needs[at][step - 1].on;
                if is_open[before] {
                    low[at] = low[at].min(low[before]);
                }
            }
            if let Some(need) = needs[at].get(step) {
                walk.push((at, step + 1));
                if index[need.on] == NEW {
                    walk.push((need.on, 0));
                }
            } else if low[at] == index[at] {
                let start = open.iter().rposition(|other| *other == at).unwrap_or(0);
                let group = open.split_off(start);
                group.iter().for_each(|relation| is_open[*relation] = false);
                found.push(group);
            }
        }
    }
    found
}

/// The mistake that `relation` needs the absence or the size of what needs it.
fn cycle_mistake(
    program: &CoreProgram,
    needs: &[Vec<Dependence>],
    relation: usize,
    dependence: &Dependence,
) -> Diagnostic {
    let back = shortest_way(needs, dependence.on, relation);
    let what = if dependence.need == Need::Absence { "negation" } else { "a count" };
    let cycle = shown_cycle(program, needs, relation, dependence, &back);
    Diagnostic::new(dependence.span, format!("{what} through recursion: {cycle}"))
        .with_help("what is negated or counted must be complete before; it must not need what is made of it")
}

/// The relations of the shortest way from one to another, with both ends.
fn shortest_way(needs: &[Vec<Dependence>], from: usize, to: usize) -> Vec<usize> {
    let mut came_from = vec![None; needs.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front().filter(|at| *at != to) {
        for next in needs[at].iter().map(|need| need.on) {
            if next != from && came_from[next].is_none() {
                came_from[next] = Some(at);
                queue.push_back(next);
            }
        }
    }
    let mut way = vec![to];
    while let Some(before) = came_from[way[way.len() - 1]].filter(|_| way[way.len() - 1] != from) {
        way.push(before);
    }
    way.reverse();
    way
}

/// `win -> !lose -> win`; the relations that counts are made of are not named.
fn shown_cycle(
    program: &CoreProgram,
    needs: &[Vec<Dependence>],
    relation: usize,
    first: &Dependence,
    back: &[usize],
) -> String {
    let mut steps = vec![(relation, Need::Tuples), (first.on, first.need)];
    for pair in back.windows(2) {
        let between = needs[pair[0]].iter().filter(|need| need.on == pair[1]);
        let need = between.map(|need| need.need).min_by_key(|need| usize::from(*need != Need::Tuples));
        steps.push((pair[1], need.unwrap_or(Need::Tuples)));
    }
    // A count is shown at the relation that is counted.
    let mut is_counted = false;
    let mut shown = Vec::new();
    for (place, need) in &steps {
        let relation = &program.relations[*place];
        is_counted |= *need == Need::Size;
        if relation.role != CoreRole::Declared {
            continue;
        }
        let sign = if *need == Need::Absence { "!" } else { "" };
        let count = if std::mem::take(&mut is_counted) { "count of " } else { "" };
        shown.push(format!("{count}{sign}{}", relation.name));
    }
    // A cycle that begins at a count's own relation is closed by the first that has a name.
    let begins = program.relations[relation].role == CoreRole::Declared;
    if !begins && let Some(name) = shown.first() {
        let name = name.trim_start_matches("count of ").trim_start_matches('!').to_owned();
        shown.push(name);
    }
    shown.join(" -> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(list: &[&[usize]]) -> Vec<Vec<Dependence>> {
        let on = |on: &usize| Dependence { on: *on, need: Need::Tuples, span: Span::default() };
        list.iter().map(|list| list.iter().map(on).collect()).collect()
    }

    #[test]
    fn components_come_after_those_they_need() {
        let mut sorted = components(&needs(&[&[1, 3], &[2], &[1], &[4], &[], &[5, 0]]));
        sorted.iter_mut().for_each(|group| group.sort_unstable());
        assert_eq!(sorted, vec![vec![1, 2], vec![4], vec![3], vec![0], vec![5]]);
        // A chain of any length does not overflow the stack.
        let chain: Vec<Vec<usize>> = (0..100_000).map(|at| if at == 99_999 { vec![0] } else { vec![at + 1] }).collect();
        let chain: Vec<&[usize]> = chain.iter().map(Vec::as_slice).collect();
        assert_eq!(components(&needs(&chain)).len(), 1);
    }

    #[test]
    fn the_shortest_way_is_found() {
        let needs = needs(&[&[1, 2], &[3], &[3], &[0, 4], &[]]);
        assert_eq!(shortest_way(&needs, 1, 0), [1, 3, 0]);
        assert_eq!(shortest_way(&needs, 2, 2), [2]);
    }
}
