//! Which conjunctions imply which, without comparing each with each.

use super::ReducedConjunction;
use super::implied::{Implications, place};

/// The conjunctions by one of their literals, the one that follows from the fewest conjunctions.
///
/// A conjunction can only imply those of which it has that literal among what follows from it; so as many are looked at
/// as share their rarest condition.
pub(super) struct Subsumed<'a> {
    parts: &'a [ReducedConjunction],
    /// What follows from each conjunction, what it does not check included; perhaps twice.
    follows: Vec<Vec<usize>>,
    /// Conjunctions of one rarest literal, in order.
    groups: Vec<Vec<usize>>,
    /// The group of a literal by its place, from 1; 0 where it is nobody's rarest.
    group_of: Vec<u32>,
    /// Literals by their place, marked with the number of the conjunction, from 1, that they follow from.
    marks: Vec<u32>,
}

impl<'a> Subsumed<'a> {
    pub(super) fn new(parts: &'a [ReducedConjunction], implied: &Implications) -> Self {
        let all = |part: &ReducedConjunction| {
            part.all.iter().flat_map(|literal| implied.from(place(*literal))).copied().collect()
        };
        let follows: Vec<Vec<usize>> = parts.iter().map(all).collect();
        let mut often = vec![0_u32; implied.places()];
        follows.iter().flatten().for_each(|at| often[*at] += 1);
        let none = vec![0; implied.places()];
        let mut subsumed = Self { parts, follows, groups: Vec::new(), group_of: none.clone(), marks: none };
        for (at, part) in parts.iter().enumerate() {
            let places = part.kept.literals.iter().map(|literal| place(*literal));
            if let Some(rarest) = places.min_by_key(|at| often[*at]) {
                subsumed.add(at, rarest);
            }
        }
        subsumed
    }

    fn add(&mut self, part: usize, rarest: usize) {
        if self.group_of[rarest] == 0 {
            self.groups.push(Vec::new());
            self.group_of[rarest] = self.groups.len() as u32;
        }
        self.groups[self.group_of[rarest] as usize - 1].push(part);
    }

    /// The first conjunction that holds wherever that one holds, of those before the place `end` that are acceptable.
    pub(super) fn first(&mut self, at: usize, end: usize, accept: impl Fn(usize) -> bool) -> Option<usize> {
        let mark = at as u32 + 1;
        let Self { parts, follows, groups, group_of, marks } = self;
        follows[at].iter().for_each(|place| marks[*place] = mark);
        let holds = |by: usize| parts[by].kept.literals.iter().all(|literal| marks[place(*literal)] == mark);
        let mut found = None;
        for group in follows[at].iter().map(|place| group_of[*place] as usize).filter(|group| *group > 0) {
            // Groups are in order, and only what comes before the one found so far matters.
            let mut before = groups[group - 1].iter().copied().take_while(|by| *by < found.unwrap_or(end));
            found = before.find(|by| accept(*by) && holds(*by)).or(found);
        }
        found
    }
}
