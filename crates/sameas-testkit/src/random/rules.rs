//! Random jobs: derives, rules of many shapes, vetoes.

use super::tables::{Pools, TEXTS};
use crate::case::{Derive, Expr, Job, JobKind, Op, Rule};
use crate::rng::Rng;

/// The columns of numbers.
const NUMBERS: [&str; 6] = ["age", "lat", "lon", "big", "price", "serial"];

/// Writes the job of one case, knowing the columns it may use.
pub struct Author<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) pools: &'a Pools,
    pub(super) kind: JobKind,
    pub(super) tables: usize,
    /// Columns by type; derives join their type's.
    pub(super) texts: Vec<String>,
    pub(super) numbers: Vec<String>,
    pub(super) lists: Vec<String>,
}

impl<'a> Author<'a> {
    /// An author for a job of this kind over this number of tables.
    pub fn new(rng: &'a mut Rng, pools: &'a Pools, kind: JobKind, tables: usize) -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let texts = TEXTS.iter().map(|(name, _)| (*name).to_owned()).collect();
        Author { rng, pools, kind, tables, texts, numbers: owned(&NUMBERS), lists: owned(&["tags", "codes"]) }
    }

    /// Whether rules may read which input a record comes from.
    pub(super) fn has_sources(&self) -> bool {
        self.kind != JobKind::Dedupe
    }

    /// The job.
    pub fn job(mut self) -> Job {
        let derives = self.derives();
        let rules = (0..self.rng.between(1, 4)).map(|at| self.named_rule(at)).collect();
        let nevers =
            if self.rng.percent(30) { (0..self.rng.between(1, 2)).map(|_| self.never()).collect() } else { vec![] };
        Job { kind: self.kind, derives, rules, nevers, scoring: None }
    }

    pub(super) fn named_rule(&mut self, at: i64) -> Rule {
        Rule { name: self.rng.percent(30).then(|| format!("by hand {at}")), ..Rule::new(self.rule()) }
    }

    pub(super) fn derives(&mut self) -> Vec<Derive> {
        let (mut derives, tables) = (Vec::new(), self.tables);
        let shared = |name: &str, expr: Expr| Derive { name: name.to_owned(), table: None, expr };
        if self.rng.percent(30) {
            derives.push(shared("d_text", self.text()));
        }
        if self.rng.percent(20) {
            derives.push(shared("d_number", self.number()));
        }
        if self.rng.percent(20) {
            derives.push(shared("d_list", self.tokens()));
        }
        if self.rng.percent(10) {
            derives.push(shared("given", Expr::unary(Op::Lower, Expr::own("given"))));
        }
        if self.has_sources() && self.rng.percent(20) {
            let own = |table: usize| Derive { name: "d_side".into(), table: Some(table), expr: self.text() };
            derives.extend((0..tables).map(own));
        }
        // Only now may rules use them: a derive over itself would be a cycle.
        for derive in &derives {
            match derive.name.as_str() {
                "d_number" => self.numbers.push("d_number".into()),
                "d_list" => self.lists.push("d_list".into()),
                "given" => {}
                name => self.texts.push(name.to_owned()),
            }
        }
        derives
    }

    pub(super) fn never(&mut self) -> Expr {
        let veto = self.atom();
        if self.rng.percent(60) { Expr::binary(Op::And, veto, self.atom()) } else { veto }
    }

    pub(super) fn rule(&mut self) -> Expr {
        if self.rng.percent(45) {
            return self.carried_by_similarity();
        }
        match self.rng.below(20) {
            0..=8 => self.conjunction(),
            9..=12 => Expr::Call(Op::Or, (0..self.rng.between(2, 3)).map(|_| self.conjunction()).collect()),
            13 => Expr::binary(Op::And, self.carrier(), Expr::unary(Op::Not, self.atom())),
            14 => {
                let group = Expr::binary(*self.rng.pick(&[Op::And, Op::Or]), self.atom(), self.atom());
                Expr::binary(Op::And, self.carrier(), Expr::unary(Op::Not, group))
            }
            15 | 16 => Expr::binary(Op::And, self.carrier(), Expr::binary(Op::Or, self.atom(), self.atom())),
            17 => Expr::unary(Op::Not, self.nested(2)),
            18 => self.nested(3),
            _ => self.broad(),
        }
    }

    /// One carrier and up to two more predicates; sometimes a composite equality.
    fn conjunction(&mut self) -> Expr {
        let mut parts = vec![self.carrier()];
        for _ in 0..*self.rng.pick(&[0, 0, 1, 1, 1, 2]) {
            parts.push(if self.rng.percent(25) { self.equality() } else { self.atom() });
        }
        if parts.len() == 1 { parts.remove(0) } else { Expr::Call(Op::And, parts) }
    }

    pub(super) fn nested(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.rng.percent(20) {
            return self.atom();
        }
        match self.rng.below(5) {
            0 => Expr::unary(Op::Not, self.nested(depth - 1)),
            1 | 2 => Expr::binary(Op::And, self.nested(depth - 1), self.nested(depth - 1)),
            _ => Expr::binary(Op::Or, self.nested(depth - 1), self.nested(depth - 1)),
        }
    }

    /// A conjunction of disjunctions whose distribution has more than 64 conjunctions, as it is or as a negation.
    fn broad(&mut self) -> Expr {
        if self.rng.percent(50) {
            let group = |author: &mut Self| Expr::binary(Op::And, author.equality(), author.sided());
            let groups = (0..7).map(|_| group(self)).collect();
            return Expr::binary(Op::And, self.carrier(), Expr::unary(Op::Not, Expr::Call(Op::Or, groups)));
        }
        let (groups, each) = *self.rng.pick(&[(7, 2), (4, 3)]);
        let group = |author: &mut Self| Expr::Call(Op::Or, (0..each).map(|_| author.equality()).collect());
        let likely = |author: &mut Self| Expr::binary(Op::Or, group(author), author.sided());
        Expr::Call(Op::And, (0..groups).map(|_| likely(self)).collect())
    }
}
