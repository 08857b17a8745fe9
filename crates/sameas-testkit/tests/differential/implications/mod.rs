//! The engine's implications, checked by the oracle on every pair of values of a small world.
//!
//! Conditions are drawn for a few columns. The oracle says for which pairs of records each is true and for which it is
//! false; everything that follows from a condition by the engine must then hold for these pairs. Rules made of the same
//! conditions must find the same pairs, under the same names, with and without being simplified.

mod conditions;
mod world;

use std::collections::BTreeMap;

use conditions::Condition;
use sameas_rules::rules::{Conjunction, Literal, RuleSet, implies};
use sameas_testkit::case::{Expr, Op};
use sameas_testkit::rng::Rng;
use world::{Satisfied, World};

const ROUNDS: u64 = 2;

/// What must have been seen: the tags of two conditions, one of them implied by the other.
const EXPECTED: [(&str, &str); 45] = [
    ("levenshtein", "levenshtein"),
    ("levenshtein", "osa"),
    ("levenshtein", "damerau_levenshtein"),
    ("osa", "damerau_levenshtein"),
    ("osa", "levenshtein"),
    ("hamming", "hamming"),
    ("hamming", "levenshtein"),
    ("hamming", "damerau_levenshtein"),
    ("levenshtein_similarity", "osa_similarity"),
    ("osa_similarity", "damerau_similarity"),
    ("damerau_similarity", "levenshtein_similarity"),
    ("jaro", "jaro"),
    ("jaro", "jaro_winkler"),
    ("jaro_winkler", "jaro"),
    ("jaccard", "jaccard"),
    ("jaccard", "dice"),
    ("jaccard", "overlap_coefficient"),
    ("dice", "overlap_coefficient"),
    ("dice", "jaccard"),
    ("cosine", "list_has_any"),
    ("cosine", "overlap"),
    ("overlap", "list_has_any"),
    ("list_has_any", "overlap"),
    ("list_has_any", "cosine"),
    ("=", "is not distinct from"),
    ("=", "="),
    ("=", "levenshtein"),
    ("=", "hamming"),
    ("=", "jaro_winkler"),
    ("=", "osa_similarity"),
    ("=", "abs"),
    ("abs", "abs"),
    ("levenshtein", "="),
    ("hamming", "="),
    ("damerau_levenshtein", "jaro"),
    ("levenshtein_similarity", "="),
    ("=", "is not null"),
    ("jaccard", "is not null"),
    ("abs", "is null"),
    ("sum", "levenshtein"),
    ("sum", "damerau_levenshtein"),
    ("sum", "jaro_winkler"),
    ("sum", "overlap_coefficient"),
    ("sum", "abs"),
    ("sum", "="),
];

#[test]
fn every_implication_of_the_engine_holds() {
    let world = World::new();
    let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for seed in 0..ROUNDS {
        let all = conditions::draw(&mut Rng::new(seed));
        for group in all.chunk_by(|a, b| a.group == b.group) {
            let known = Known::new(&world, group);
            for (a, b, wants) in known.implied() {
                let (here, there) =
                    (&known.satisfied[a][usize::from(wants.0)], &known.satisfied[b][usize::from(wants.1)]);
                if let Some(pair) = here.first_outside(there) {
                    panic!("{} {wants:?} does not imply {}: {}", group[a].sql(), group[b].sql(), world.shown(pair));
                }
                if !here.is_empty() {
                    *seen.entry((group[a].tag, group[b].tag)).or_default() += 1;
                }
            }
        }
    }
    let missing: Vec<_> = EXPECTED.iter().filter(|kind| seen.get(kind).copied().unwrap_or(0) < 3).collect();
    assert!(missing.is_empty(), "hardly tested: {missing:?}\n{seen:?}");
}

#[test]
fn simplified_rules_find_the_same_pairs_under_the_same_names() {
    let world = World::new();
    let (mut changed, mut shadowed) = (0, 0);
    let mut rng = Rng::new(ROUNDS);
    let all = conditions::draw(&mut rng);
    for group in all.chunk_by(|a, b| a.group == b.group) {
        let known = Known::new(&world, group);
        for _ in 0..150 {
            let exprs = |rng: &mut Rng, most: i64| -> Vec<Expr> {
                (0..rng.between(1, most)).map(|_| conditions::rule(rng, group)).collect()
            };
            let (rules, nevers) = (exprs(&mut rng, 5), exprs(&mut rng, 3));
            // A rule that requires something and its opposite is refused before it comes here.
            let Ok(before) = world.compile(&rules, &nevers) else { continue };
            // Conditions on one record stay together, and the oracle has not evaluated them together.
            let literals = before.conjunctions.iter().chain(&before.never_conjunctions).flat_map(|c| &c.literals);
            let text = |literal: &Literal| &before.predicates[literal.predicate].text;
            if !literals.map(text).all(|text| known.by_text.contains_key(text)) {
                continue;
            }
            let after = before.simplified();
            known.same_answers(&before, &after.rules);
            for (at, by) in after.shadowed.iter().enumerate() {
                let Some(by) = by else { continue };
                let sets = [at, *by].map(|at| known.of_conjunction(&after.rules, &after.rules.conjunctions[at]));
                assert_eq!(sets[0].first_outside(&sets[1]), None, "{:?}", after.notes);
                shadowed += 1;
            }
            changed += usize::from(!after.notes.is_empty());
        }
    }
    assert!(changed > 200 && shadowed > 50, "only {changed} rule sets changed, {shadowed} conjunctions in shadow");
}

/// The conditions of a group as the engine's predicates, and the pairs for which the oracle says they hold.
struct Known {
    rules: RuleSet,
    /// For each condition where it is false and where it is true.
    satisfied: Vec<[Satisfied; 2]>,
    /// The condition of a predicate, by its text.
    by_text: BTreeMap<String, usize>,
}

impl Known {
    fn new(world: &World, group: &[Condition]) -> Self {
        let exprs: Vec<Expr> = group.iter().map(|condition| condition.expr.clone()).collect();
        let rules = world.compile(&exprs, &[]).unwrap_or_else(|error| panic!("{error}"));
        let both = |expr: &Expr| [Expr::unary(Op::Not, expr.clone()), expr.clone()].map(|expr| world.satisfied(&expr));
        // Each by itself: of two conditions that are one predicate, the text of the first stands for both.
        let alone =
            |expr: &Expr| world.compile(std::slice::from_ref(expr), &[]).map(|rules| rules.predicates[0].text.clone());
        let by_text = exprs.iter().flat_map(alone).zip(0..).collect();
        Self { satisfied: exprs.iter().map(both).collect(), rules, by_text }
    }

    /// Every two conditions where the engine says that one implies the other.
    fn implied(&self) -> impl Iterator<Item = (usize, usize, (bool, bool))> + '_ {
        let test = |at: usize| {
            let literal = self.rules.conjunctions[at].literals[0];
            assert!(literal.want, "conditions are drawn in their positive form");
            &self.rules.predicates[literal.predicate].test
        };
        let count = self.rules.conjunctions.len();
        let pairs = (0..count).flat_map(move |a| (0..count).map(move |b| (a, b)));
        let wants = [(true, true), (true, false), (false, true), (false, false)];
        let candidates = pairs.flat_map(move |(a, b)| wants.map(|wants| (a, b, wants)));
        candidates.filter(move |(a, b, wants)| implies(test(*a), wants.0, test(*b), wants.1))
    }

    fn of_conjunction(&self, rules: &RuleSet, conjunction: &Conjunction) -> Satisfied {
        let of = |text: &str| &self.satisfied[self.by_text[text]];
        let sets = conjunction.literals.iter().map(|l| &of(&rules.predicates[l.predicate].text)[usize::from(l.want)]);
        sets.fold(Satisfied::everywhere(), |all, set| all.and(set))
    }

    /// The pairs of each rule and those that are forbidden are the same before and after.
    fn same_answers(&self, before: &RuleSet, after: &RuleSet) {
        let answer = |rules: &RuleSet| {
            let union = |conjunctions: &[Conjunction]| {
                let sets = conjunctions.iter().map(|conjunction| self.of_conjunction(rules, conjunction));
                sets.fold(Satisfied::nowhere(), |all, set| all.or(&set))
            };
            let each = rules.rules.iter().map(|rule| union(&rules.conjunctions[rule.conjunctions.clone()]));
            (each.collect::<Vec<_>>(), union(&rules.never_conjunctions))
        };
        let texts =
            |rules: &[sameas_rules::rules::Rule]| rules.iter().map(|rule| rule.text.clone()).collect::<Vec<_>>();
        assert_eq!(answer(before), answer(after), "{:?} never {:?}", texts(&before.rules), texts(&before.nevers));
        let ranges = after.rules.iter().map(|rule| rule.conjunctions.len()).sum::<usize>();
        assert_eq!(ranges, after.conjunctions.len());
    }
}
