//! Random relations and rules, small and hostile.

use crate::relation::{Atom, Filter, FixpointRule, RelationDeclaration, RelationId, Term, TermComparison, Variant};

/// A generator of random numbers (splitmix64): the same case for the same seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn one_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A program: relations with their tuples, the first few of which rules extend.
pub struct Program {
    pub declarations: Vec<RelationDeclaration>,
    pub tuples: Vec<Vec<Vec<u32>>>,
    pub rules: Vec<FixpointRule>,
}

/// The values that occur: few, with the largest among them where the domain has it.
const VALUES: [u32; 7] = [0, 1, 2, 3, 4, u32::MAX - 1, u32::MAX];

impl Program {
    pub fn draw(dice: &mut Dice) -> Self {
        let values = if dice.one_in(2) { &VALUES[..5] } else { &VALUES };
        let domain = if values.len() == 5 { 5 } else { 1 << 32 };
        let heads = 1 + dice.below(2) as usize;
        let relations = heads + 1 + dice.below(3) as usize;
        let mut declarations: Vec<RelationDeclaration> = Vec::new();
        for at in 0..relations {
            let columns = if dice.one_in(2) { 2 } else { 1 + dice.below(4) as usize };
            declarations.push(RelationDeclaration { name: format!("r{at}"), domains: vec![domain; columns] });
        }
        let tuples = declarations.iter().enumerate().map(|(at, declaration)| {
            let most = if at < heads { 3 } else { 12 };
            let tuple = |dice: &mut Dice| declaration.domains.iter().map(|_| dice.pick(values)).collect();
            (0..dice.below(most)).map(|_| tuple(dice)).collect()
        });
        let tuples = tuples.collect();
        let mut program = Self { declarations, tuples, rules: Vec::new() };
        for _ in 0..1 + dice.below(4) {
            let rule = program.draw_rule(dice, heads, values);
            program.rules.push(rule);
        }
        // Only what a rule extends has new tuples.
        let extended: Vec<RelationId> = program.rules.iter().map(|rule| rule.head).collect();
        let reads_new =
            |variant: &Variant| variant.delta.is_some_and(|at| extended.contains(&variant.atoms[at].relation));
        program.rules.iter_mut().for_each(|rule| rule.recursive.retain(reads_new));
        program
    }

    fn draw_rule(&self, dice: &mut Dice, heads: usize, values: &[u32]) -> FixpointRule {
        let head = RelationId(dice.below(heads as u64) as u32);
        let atoms: Vec<Atom> = (0..dice.below(4)).map(|_| self.draw_atom(dice, 0, values, 6)).collect();
        let mut first = Variant { atoms, ..Variant::default() };
        let bound = first.bound();
        let term = |dice: &mut Dice| match bound.is_empty() || dice.one_in(6) {
            true => Term::Constant(dice.pick(values)),
            false => Term::Variable(dice.pick(&bound)),
        };
        let comparisons =
            [TermComparison::Equal, TermComparison::Different, TermComparison::Less, TermComparison::AtMost];
        for _ in 0..dice.below(5).saturating_sub(2) {
            first.filters.push(Filter { left: term(dice), comparison: dice.pick(&comparisons), right: term(dice) });
        }
        for _ in 0..dice.below(5).saturating_sub(3) {
            let mut atom = self.draw_atom(dice, heads, values, 1);
            let is_unknown = |term: &Term| matches!(term, Term::Variable(variable) if !bound.contains(variable));
            atom.terms.iter_mut().filter(|term| is_unknown(term)).for_each(|term| *term = Term::Any);
            first.absent.push(atom);
        }
        let output = self.declarations[head.0 as usize].domains.iter().map(|_| term(dice)).collect();
        let recursive = (0..first.atoms.len()).filter(|at| (first.atoms[*at].relation.0 as usize) < heads);
        let recursive = recursive.map(|at| delta_variant(dice, &first, at)).collect();
        FixpointRule { name: format!("a rule of {}", head.0), head, output, first, recursive }
    }

    fn draw_atom(&self, dice: &mut Dice, from: usize, values: &[u32], variables: u64) -> Atom {
        let relation = from as u64 + dice.below((self.declarations.len() - from) as u64);
        let term = |dice: &mut Dice| match dice.below(10) {
            0 => Term::Constant(dice.pick(values)),
            1 => Term::Any,
            _ => Term::Variable(dice.below(variables.max(4)) as u32),
        };
        let terms = self.declarations[relation as usize].domains.iter().map(|_| term(dice)).collect();
        Atom { relation: RelationId(relation as u32), terms }
    }
}

/// The same atoms with one of them as delta, in another order half of the time.
fn delta_variant(dice: &mut Dice, first: &Variant, at: usize) -> Variant {
    let mut order: Vec<usize> = (0..first.atoms.len()).collect();
    if dice.one_in(2) {
        let by = dice.below(order.len() as u64) as usize;
        order.rotate_left(by);
    }
    let atoms = order.iter().map(|at| first.atoms[*at].clone()).collect();
    Variant { atoms, delta: order.iter().position(|other| *other == at), ..first.clone() }
}
