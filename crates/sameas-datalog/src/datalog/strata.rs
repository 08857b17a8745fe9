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
    /// The rules whose heads they are, in their order.
    pub rules: Vec<usize>,
    /// The count that makes it, if it is the relation of one.
    pub count: Option<usize>,
}

impl Stratum {
    /// Whether a relation is one of it.
    pub fn has(&self, relation: usize) -> bool {
        self.relations.binary_search(&relation).is_ok()
    }
}

/// Cycles that are looked for and shown: more mistakes than this are not.
const MOST_CYCLES: usize = 50;

/// The most steps of a cycle that are shown.
const LONGEST_CYCLE: usize = 12;

/// How a relation needs another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DependencyKind {
    Tuples,
    Absence,
    Size,
}

impl DependencyKind {
    /// What is wrong with it in a cycle.
    fn text(self) -> &'static str {
        if self == Self::Absence { "negation" } else { "a count" }
    }
}

/// One relation needs another, where `span` is written.
#[derive(Clone, Copy, Debug)]
struct Dependence {
    on: usize,
    need: DependencyKind,
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
    let mut inside = Vec::new();
    for (relation, list) in needs.iter().enumerate() {
        let own =
            list.iter().filter(|need| need.need != DependencyKind::Tuples && group_of[need.on] == group_of[relation]);
        inside.extend(own.map(|dependence| (relation, dependence)));
    }
    if !inside.is_empty() {
        inside.sort_by_key(|(_, dependence)| dependence.span.start);
        let mistake = |(at, (relation, dependence)): (usize, (usize, &Dependence))| match at < MOST_CYCLES {
            true => cycle_mistake(program, &needs, relation, dependence),
            false => Diagnostic::new(dependence.span, format!("{} through recursion", dependence.need.text())),
        };
        return Err(inside.into_iter().enumerate().map(mistake).collect());
    }
    let mut strata: Vec<Stratum> = groups.into_iter().map(|relations| stratum(relations, &needs)).collect();
    for (at, rule) in program.rules.iter().enumerate() {
        strata[group_of[rule.head.relation]].rules.push(at);
    }
    for (at, count) in program.counts.iter().enumerate() {
        strata[group_of[count.into]].count = Some(at);
    }
    Ok(strata)
}

/// A stratum of these relations, without its rules.
fn stratum(mut relations: Vec<usize>, needs: &[Vec<Dependence>]) -> Stratum {
    relations.sort_unstable();
    let is_recursive = relations.len() > 1 || needs[relations[0]].iter().any(|need| need.on == relations[0]);
    Stratum { relations, is_recursive, rules: Vec::new(), count: None }
}

fn dependences(program: &CoreProgram) -> Vec<Vec<Dependence>> {
    let mut needs = vec![Vec::new(); program.relations.len()];
    for rule in &program.rules {
        let atoms = rule.atoms.iter().map(|atom| (atom, DependencyKind::Tuples));
        for (atom, need) in atoms.chain(rule.absent.iter().map(|atom| (atom, DependencyKind::Absence))) {
            // The row of a group that is missing is a matter of the count.
            let is_count = program.relations[atom.relation].role == CoreRole::Count;
            let need = if is_count { DependencyKind::Tuples } else { need };
            needs[rule.head.relation].push(Dependence { on: atom.relation, need, span: atom.span });
        }
    }
    for count in &program.counts {
        needs[count.into].push(Dependence { on: count.from, need: DependencyKind::Size, span: count.span });
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
    let what = dependence.need.text();
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
    let mut steps = vec![(relation, DependencyKind::Tuples), (first.on, first.need)];
    for pair in back.windows(2) {
        let between = needs[pair[0]].iter().filter(|need| need.on == pair[1]);
        let need = between.map(|need| need.need).min_by_key(|need| usize::from(*need != DependencyKind::Tuples));
        steps.push((pair[1], need.unwrap_or(DependencyKind::Tuples)));
    }
    // A count is shown at the relation that is counted.
    let mut is_counted = false;
    let mut shown = Vec::new();
    for (place, need) in &steps {
        let relation = &program.relations[*place];
        is_counted |= *need == DependencyKind::Size;
        if relation.role != CoreRole::Declared {
            continue;
        }
        let sign = if *need == DependencyKind::Absence { "!" } else { "" };
        let count = if std::mem::take(&mut is_counted) { "count of " } else { "" };
        shown.push(format!("{count}{sign}{}", relation.name));
    }
    // A cycle that begins at a count's own relation is closed by the first that has a name.
    let begins = program.relations[relation].role == CoreRole::Declared;
    if !begins && let Some(name) = shown.first() {
        let name = name.trim_start_matches("count of ").trim_start_matches('!').to_owned();
        shown.push(name);
    }
    if shown.len() > LONGEST_CYCLE {
        let left_out = LONGEST_CYCLE - 1..shown.len() - 1;
        drop(shown.splice(left_out, ["...".to_owned()]));
    }
    shown.join(" -> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(list: &[&[usize]]) -> Vec<Vec<Dependence>> {
        let on = |on: &usize| Dependence { on: *on, need: DependencyKind::Tuples, span: Span::default() };
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
    fn strata_know_their_rules_and_counts() {
        let text = ".decl a(x: number)\n.decl b(x: number)\n.decl c(x: number)\n.output c\n\
            c(x) :- b(x), 1 = count : { a(_) }.\nb(x) :- a(x).\nb(x) :- c(x), b(x), x < 0.\na(1).\n";
        let program = crate::datalog::RelateProgram::parse("p.dl", text).unwrap();
        let strata = &program.checked().strata;
        let made: Vec<_> = strata.iter().map(|one| (one.relations.clone(), one.rules.clone(), one.count)).collect();
        assert_eq!(made, [(vec![0], vec![], None), (vec![3], vec![], Some(0)), (vec![1, 2], vec![0, 1, 2], None)]);
        assert!(strata[2].has(1) && !strata[2].has(0) && strata[2].is_recursive && !strata[1].is_recursive);
    }

    #[test]
    fn a_long_cycle_is_shown_in_short() {
        let ring = |n: usize| -> String {
            let sign = |at: usize| if at == 0 { "!" } else { "" };
            let rules = (0..n).map(|at| format!("r{at}(x) :- s(x), {}r{}(x).\n", sign(at), (at + 1) % n));
            (0..n).map(|at| format!(".decl r{at}(x: number)\n")).chain(rules).collect()
        };
        let said = |n: usize| {
            let text = format!(".decl s(x: number)\n.output s\n{}", ring(n));
            let error = crate::datalog::RelateProgram::parse("p.dl", &text).unwrap_err().to_string();
            error.lines().next().unwrap().to_owned()
        };
        assert_eq!(said(3), "negation through recursion: r0 -> !r1 -> r2 -> r0");
        let long = "r0 -> !r1 -> r2 -> r3 -> r4 -> r5 -> r6 -> r7 -> r8 -> r9 -> r10 -> ... -> r0";
        assert_eq!(said(5_000), format!("negation through recursion: {long}"));
    }

    #[test]
    fn the_shortest_way_is_found() {
        let needs = needs(&[&[1, 2], &[3], &[3], &[0, 4], &[]]);
        assert_eq!(shortest_way(&needs, 1, 0), [1, 3, 0]);
        assert_eq!(shortest_way(&needs, 2, 2), [2]);
    }
}
