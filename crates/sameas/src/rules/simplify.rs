//! Rules without what they say twice: the same pairs for less work.
//!
//! 1. A conjunction whose literals contradict each other holds for no pair and goes.
//! 2. A literal that follows from another one of its conjunction is not checked.
//! 3. A conjunction that implies another one of its rule adds no pair to it and goes; a pair is forbidden by whatever
//!    `never` rule, so there the two may be of different rules.
//! 4. A conjunction that implies one of an earlier rule names no pair, but its pairs count for its rule: it stays, marked.
//!
//! What goes in step 2 or 3 follows from something that stays at that moment, and what stays is looked at after it. So
//! if that goes later, it follows from something that stays still longer, and nothing goes in a circle.

mod implied;
mod subsumed;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::compile::{Conjunction, Rule, RuleSet};
use super::predicate::{Literal, Predicate};
use super::predicate_text::exchanged;
pub use implied::Implications;
use subsumed::Subsumed;

/// A rule set that gives the same pairs, with the same rules' names and counts, for less work.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The rules; one that can never hold has no conjunction.
    pub rules: RuleSet,
    /// What was left out and why, for people.
    pub notes: Vec<String>,
    /// For each conjunction of `rules.conjunctions` the first one of an earlier rule that holds wherever it holds.
    pub shadowed: Vec<Option<usize>>,
    /// What follows from what, among the predicates. All of them stay: one that is not checked may be the one to join on.
    pub implications: Implications,
}

impl RuleSet {
    /// The same rules without what follows from the rest of them.
    pub fn simplified(&self) -> Simplified {
        let implied = Implications::new(&self.predicates, self.conjunctions.iter().chain(&self.never_conjunctions));
        let mut notes = Notes { predicates: &self.predicates, notes: Vec::new(), told: HashSet::new() };
        let conjunctions = simplify(&self.rules, &self.conjunctions, "rule", &implied, &mut notes);
        let nevers = simplify(&self.nevers, &self.never_conjunctions, "never", &implied, &mut notes);
        let nevers = without_subsumed_nevers(nevers, &self.nevers, &implied, &mut notes);
        let shadowed = shadows(&conjunctions, &implied);
        notes.of_shadows(&self.rules, &conjunctions, &shadowed);
        if implied.left_out > 0 {
            notes.notes.push(format!(
                "which of {} conditions follow from each other was not looked for: too many read the same columns",
                implied.left_out
            ));
        }
        let notes = notes.notes;
        let mut rules = self.clone();
        rules.rules = with_ranges(&self.rules, &conjunctions);
        rules.nevers = with_ranges(&self.nevers, &nevers);
        rules.conjunctions = conjunctions.into_iter().map(|part| part.kept).collect();
        rules.never_conjunctions = nevers.into_iter().map(|part| part.kept).collect();
        Simplified { rules, notes, shadowed, implications: implied }
    }
}

/// A conjunction: all that it says, and as much of it as has to be checked.
struct Part {
    says: Vec<Literal>,
    kept: Conjunction,
}

/// Steps 1 to 3 within each rule.
fn simplify(
    rules: &[Rule],
    conjunctions: &[Conjunction],
    what: &str,
    implied: &Implications,
    notes: &mut Notes<'_>,
) -> Vec<Part> {
    let mut all = Vec::with_capacity(conjunctions.len());
    for rule in rules {
        let label = format!("{what} \"{}\"", rule.name);
        let mut parts = Vec::new();
        let mut contradictions = Vec::new();
        for conjunction in &conjunctions[rule.conjunctions.clone()] {
            match contradiction(&conjunction.literals, implied) {
                Some(pair) => contradictions.push(pair),
                None => parts.push(reduced(conjunction, &label, implied, notes)),
            }
        }
        notes.of_contradictions(&label, parts.is_empty(), &contradictions);
        all.extend(without_subsumed(parts, implied, |gone, by| notes.of_subsumed(&label, gone, &label, by)));
    }
    all
}

/// The first two literals that no pair satisfies together.
fn contradiction(literals: &[Literal], implied: &Implications) -> Option<(Literal, Literal)> {
    let pairs = literals.iter().enumerate().flat_map(|(at, a)| literals[at..].iter().map(move |b| (*a, *b)));
    pairs.into_iter().find(|(a, b)| implied.contradict(*a, *b))
}

/// The conjunction without literals that follow from others of it. Of two that follow from each other the first stays.
fn reduced(conjunction: &Conjunction, label: &str, implied: &Implications, notes: &mut Notes<'_>) -> Part {
    let says = conjunction.literals.clone();
    let mut kept = conjunction.clone();
    for at in (0..says.len()).rev() {
        let reason = kept.literals.iter().enumerate().find(|(i, l)| *i != at && implied.implies(**l, says[at]));
        if let Some((_, reason)) = reason {
            notes.of_literal(label, says[at], *reason);
            kept.literals.remove(at);
        }
    }
    Part { says, kept }
}

/// The parts without those that imply another one. Of two that imply each other the first stays.
fn without_subsumed(parts: Vec<Part>, implied: &Implications, mut tell: impl FnMut(&Part, &Part)) -> Vec<Part> {
    if parts.len() < 2 {
        return parts;
    }
    let mut subsumed = Subsumed::new(&parts, implied);
    let mut stays = vec![true; parts.len()];
    for at in (0..parts.len()).rev() {
        if let Some(by) = subsumed.first(at, parts.len(), |by| by != at && stays[by]) {
            stays[at] = false;
            tell(&parts[at], &parts[by]);
        }
    }
    parts.into_iter().zip(stays).filter_map(|(part, stays)| stays.then_some(part)).collect()
}

fn without_subsumed_nevers(
    parts: Vec<Part>,
    nevers: &[Rule],
    implied: &Implications,
    notes: &mut Notes<'_>,
) -> Vec<Part> {
    let label = |part: &Part| format!("never \"{}\"", nevers[part.kept.rule].name);
    without_subsumed(parts, implied, |gone, by| notes.of_subsumed(&label(gone), gone, &label(by), by))
}

/// For each conjunction the first one of an earlier rule that it implies.
fn shadows(parts: &[Part], implied: &Implications) -> Vec<Option<usize>> {
    let mut subsumed = Subsumed::new(parts, implied);
    let start = |rule: usize| parts.partition_point(|part| part.kept.rule < rule);
    (0..parts.len()).map(|at| subsumed.first(at, start(parts[at].kept.rule), |_| true)).collect()
}

/// The rules with the places of their conjunctions, which stand rule by rule.
fn with_ranges(rules: &[Rule], parts: &[Part]) -> Vec<Rule> {
    let mut start = 0;
    let mut ranged = rules.to_vec();
    for (at, rule) in ranged.iter_mut().enumerate() {
        let end = start + parts[start..].iter().take_while(|part| part.kept.rule == at).count();
        rule.conjunctions = start..end;
        start = end;
    }
    ranged
}

/// What is said of the changes. A rule of two orientations is told of once.
struct Notes<'a> {
    predicates: &'a [Predicate],
    notes: Vec<String>,
    told: HashSet<String>,
}

impl Notes<'_> {
    fn add(&mut self, label: &str, text: &str) {
        let [note, mirrored] = [text, &exchanged(text)].map(|text| format!("{label}{text}"));
        if !self.told.contains(&mirrored) && self.told.insert(note.clone()) {
            self.notes.push(note);
        }
    }

    fn text(&self, literal: Literal) -> String {
        let text = &self.predicates[literal.predicate].text;
        if literal.want { text.clone() } else { format!("not ({text})") }
    }

    fn texts(&self, part: &Part) -> String {
        part.kept.literals.iter().map(|literal| self.text(*literal)).collect::<Vec<_>>().join(" and ")
    }

    fn of_literal(&mut self, label: &str, gone: Literal, reason: Literal) {
        let text = format!(": {} follows from {} and is not checked", self.text(gone), self.text(reason));
        self.add(label, &text);
    }

    fn of_contradictions(&mut self, label: &str, nothing_left: bool, contradictions: &[(Literal, Literal)]) {
        let told = if nothing_left { 1 } else { contradictions.len() };
        let start = if nothing_left { " can never hold" } else { ": one way for it to hold is left out" };
        for (a, b) in contradictions.iter().take(told) {
            let reason = match a == b {
                true => format!("{} is true of no pair", self.text(*a)),
                false => format!("{} contradicts {}", self.text(*a), self.text(*b)),
            };
            self.add(label, &format!("{start}: {reason}"));
        }
    }

    fn of_subsumed(&mut self, label: &str, gone: &Part, by_label: &str, by: &Part) {
        let whose = if label == by_label { String::new() } else { format!(" of {by_label}") };
        let text =
            format!(": `{}` is left out, for `{}`{whose} holds wherever it does", self.texts(gone), self.texts(by));
        self.add(label, &text);
    }

    fn of_shadows(&mut self, rules: &[Rule], parts: &[Part], shadowed: &[Option<usize>]) {
        for (at, rule) in with_ranges(rules, parts).iter().enumerate() {
            let owners = shadowed[rule.conjunctions.clone()].iter().map(|by| by.map(|by| parts[by].kept.rule));
            // Each pair belongs to one of these rules or to one before it: of all that can be said of the last of them.
            if let Some(owner) = owners.collect::<Option<Vec<usize>>>().and_then(|owners| owners.into_iter().max()) {
                let text = format!(
                    " names no pair: every pair it gives already belongs to rule \"{}\" (or one before it); it is only \
                     counted",
                    rules[owner].name
                );
                self.add(&format!("rule \"{}\"", rules[at].name), &text);
            }
        }
    }
}
