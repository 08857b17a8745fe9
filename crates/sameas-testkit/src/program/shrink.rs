//! From a failing program to a small one that still fails.

use super::Program;

impl Program {
    /// Smaller versions that are still safe: without a rule, without a part of a body, with fewer facts.
    fn smaller(&self) -> Vec<Program> {
        let rules = (0..self.rules.len()).map(|at| self.changed(|program| drop(program.rules.remove(at))));
        let places = self.rules.iter().enumerate().flat_map(|(at, rule)| (0..rule.body.len()).map(move |l| (at, l)));
        let parts = places.map(|(at, l)| self.changed(|program| drop(program.rules[at].body.remove(l))));
        let smaller = rules.chain(parts).filter(Program::is_safe);
        smaller.chain(self.with_fewer_facts()).collect()
    }

    /// Without a half, a quarter, ... of the facts of one relation, each in every place.
    fn with_fewer_facts(&self) -> Vec<Program> {
        let mut all = Vec::new();
        for (at, relation) in self.relations.iter().enumerate() {
            let number = relation.facts.as_ref().map_or(0, Vec::len);
            let mut length = number.div_ceil(2);
            while length > 0 {
                all.extend((0..number).step_by(length).map(|start| {
                    let end = number.min(start + length);
                    self.changed(|program| {
                        program.relations[at].facts.as_mut().map(|facts| facts.drain(start..end).count());
                    })
                }));
                length = if length == 1 { 0 } else { length.div_ceil(2) };
            }
        }
        all
    }

    fn changed(&self, change: impl FnOnce(&mut Program)) -> Program {
        let mut program = self.clone();
        change(&mut program);
        program
    }
}

/// The smallest program reachable by leaving out parts for which `fails` still holds; `program` itself must fail.
pub fn minimise(program: Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut smallest = program;
    loop {
        match smallest.smaller().into_iter().find(|smaller| fails(smaller)) {
            Some(smaller) => smallest = smaller,
            None => return smallest,
        }
    }
}
