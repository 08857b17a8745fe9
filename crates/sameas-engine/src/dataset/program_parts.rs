//! What a program reads of the records of a dataset: as far as it is known taken from the cache, and otherwise encoded for it and
//! for others.

use std::sync::Arc;

use super::cache::{ServedDomain, TokenGroup};
use super::operand_keys::OperandKeys;
use super::shared::Dataset;
use crate::cancel::Cancel;
use crate::expr::Expr;
use crate::memory::Held;
use crate::records::Frame;
use crate::records::encode::{Encoded, OperandKey, SharedDomain, TokenSets, distinct_codes, in_order};
use crate::rules::RuleSet;
use crate::threshold::Truth;
use crate::verify::{Program, RuleProgram};

/// A domain serves operands if it has at most this many times the values that they have: tables and lists are as long as it is.
const MOST_TIMES: usize = 2;

/// What a program reads, as far as it is known.
pub struct ProgramParts<'a> {
    dataset: &'a Dataset,
    pub(super) program: &'a RuleProgram,
    /// What its operands and conditions are.
    pub keys: OperandKeys,
    /// The operands of each domain.
    pub(super) members: Vec<Vec<usize>>,
    pub(super) domains: Vec<Option<ServedDomain>>,
    verdicts: Vec<Option<Arc<Vec<Truth>>>>,
    /// The memory of what was encoded, until the program is complete.
    held: Vec<Held>,
}

/// Frames that have what is to be encoded.
pub enum EncodedFrames<'f> {
    /// Nothing else reads them: their columns are dropped one by one, and `freed` is called after each time.
    Dropped(Vec<Frame>, &'f dyn Fn()),
    /// They stay.
    Kept(&'f [Frame]),
}

impl<'a> ProgramParts<'a> {
    /// What is known of what a program of rules reads.
    pub fn known(dataset: &'a Dataset, rules: &RuleSet, program: &'a RuleProgram) -> Self {
        let keys = OperandKeys::new(program, rules, dataset.layout().frames());
        let members = program.wanted.domain_members();
        let domains = members.iter().map(|members| find_domain(dataset, &keys.of_members(members))).collect();
        let verdicts = keys.conditions.iter().map(|condition| dataset.columns().verdicts(condition)).collect();
        Self { dataset, program, keys, members, domains, verdicts, held: Vec::new() }
    }

    /// What has to be computed of the records of frames, because it is not known.
    pub fn missing(&self) -> impl Iterator<Item = (usize, &Expr)> {
        let domains = self.members.iter().zip(&self.domains).filter(|(_, known)| known.is_none());
        let operands = domains.flat_map(|(members, _)| members).map(|member| self.program.wanted.expression(*member));
        let conditions = self.program.conditions.iter().zip(&self.verdicts).filter(|(_, known)| known.is_none());
        operands.chain(conditions.map(|(of, _)| (of.frame, &of.condition)))
    }

    /// Computes and encodes what is not known, of frames that have what it needs.
    pub fn encode(&mut self, frames: EncodedFrames<'_>, cancel: Cancel<'_>) {
        self.answer_conditions(frames.all(), cancel);
        self.encode_domains(frames, cancel);
        self.complete_domains(cancel);
    }

    fn answer_conditions(&mut self, frames: &[Frame], cancel: Cancel<'_>) {
        let conditions = self.program.conditions.iter().zip(&self.keys.conditions);
        for ((of, key), verdicts) in conditions.zip(&mut self.verdicts).filter(|(_, known)| known.is_none()) {
            // The same may have been asked of the other record of a pair.
            let known = self.dataset.columns().verdicts(key);
            let made = known.unwrap_or_else(|| {
                self.dataset.count_work();
                of.verdicts(frames, cancel)
            });
            *verdicts = Some(self.dataset.columns().put_verdicts(key, made));
        }
    }

    fn encode_domains(&mut self, frames: EncodedFrames<'_>, cancel: Cancel<'_>) {
        let missing: Vec<usize> = (0..self.domains.len()).filter(|at| self.domains[*at].is_none()).collect();
        if missing.is_empty() {
            return;
        }
        let (wanted, members) = (&self.program.wanted, missing.iter().map(|at| self.members[*at].clone()));
        let members: Vec<Vec<usize>> = members.collect();
        let made = match frames {
            EncodedFrames::Dropped(frames, freed) => wanted.encode_domains_and_drop(&members, frames, cancel, freed),
            EncodedFrames::Kept(frames) => wanted.encode_domains(&members, frames, cancel),
        };
        for ((at, members), made) in missing.into_iter().zip(&members).zip(made) {
            self.dataset.count_work();
            self.held.push(made.held);
            let (keys, domain) = (self.keys.of_members(members), (Arc::new(made.domain), made.codes));
            self.domains[at] = Some(self.dataset.columns().put(&keys, domain, wanted.want_more(members)));
        }
    }

    /// Makes the texts and integers that domains have not been asked for before.
    fn complete_domains(&mut self, cancel: Cancel<'_>) {
        let wanted = &self.program.wanted;
        for (members, domain) in self.members.iter().zip(&mut self.domains) {
            let Some(domain) = domain.as_mut().filter(|domain| domain.complete.is_none() && wanted.want_more(members))
            else {
                continue;
            };
            self.dataset.count_work();
            let mut held = cancel.hold(0);
            let made = wanted.completed(members, domain.plain.plain(), &mut held, cancel);
            self.held.push(held);
            domain.complete = Some(self.dataset.columns().complete(domain.number, Arc::new(made)));
        }
    }

    /// The program, of which everything is known.
    pub fn into_program(self, cancel: Cancel<'_>) -> Program {
        let (wanted, layout) = (&self.program.wanted, self.dataset.layout());
        let served = self.members.iter().zip(self.domains.iter().flatten());
        let shared = |(members, domain): (&Vec<usize>, &ServedDomain)| -> SharedDomain {
            let complete = domain.complete.as_ref().filter(|_| wanted.want_more(members));
            (Arc::clone(complete.unwrap_or(&domain.plain)), domain.codes.clone())
        };
        let mut encoded = wanted.put_together(&self.members, served.map(shared).collect());
        encoded.tokens = self.tokens(&encoded, cancel);
        let verdicts = self.verdicts.into_iter().flatten().collect();
        self.program.bind(encoded, verdicts, &layout.borders(), layout.across())
    }

    /// The token sets, by their numbers.
    fn tokens(&self, encoded: &Encoded, cancel: Cancel<'_>) -> Vec<Arc<TokenSets>> {
        let (wanted, numbers) = (&self.program.wanted, self.domains.iter().flatten().map(|domain| domain.number));
        let numbers: Vec<u64> = numbers.collect();
        let groups = wanted.token_groups();
        let key = |member: &usize| {
            let (operand, tokenizer) = wanted.token_source(*member);
            (numbers[encoded.columns[operand].domain], tokenizer)
        };
        let keys: Vec<TokenGroup> = groups.iter().map(|members| members.iter().map(key).collect()).collect();
        let known = |(members, key): (&Vec<usize>, &TokenGroup)| {
            let found = self.dataset.columns().tokens(key)?;
            let has_elements = found.iter().all(|sets| sets.elements().is_some());
            (has_elements || !wanted.want_elements(members)).then_some(found)
        };
        let mut sets: Vec<Option<Vec<Arc<TokenSets>>>> = groups.iter().zip(&keys).map(known).collect();
        let missing: Vec<usize> = (0..groups.len()).filter(|at| sets[*at].is_none()).collect();
        let of_missing: Vec<Vec<usize>> = missing.iter().map(|at| groups[*at].clone()).collect();
        for (at, made) in missing.into_iter().zip(wanted.token_sets(&of_missing, encoded, cancel)) {
            self.dataset.count_work();
            sets[at] = Some(self.dataset.columns().put_tokens(keys[at].clone(), made));
        }
        in_order(&groups, sets.into_iter().flatten().collect())
    }
}

impl EncodedFrames<'_> {
    fn all(&self) -> &[Frame] {
        match self {
            Self::Dropped(frames, _) => frames,
            Self::Kept(frames) => frames,
        }
    }
}

/// A domain that serves some operands: it has them, and not many more values than they have.
fn find_domain(dataset: &Dataset, operands: &[OperandKey]) -> Option<ServedDomain> {
    let found = dataset.columns().find(operands)?;
    let values = found.plain.dictionary.len();
    if found.is_exact || values <= MOST_TIMES * distinct_values(dataset, operands, &found) { Some(found) } else { None }
}

/// How many values some operands have together, counted once.
fn distinct_values(dataset: &Dataset, operands: &[OperandKey], domain: &ServedDomain) -> usize {
    let known = dataset.columns().distinct(operands);
    known.unwrap_or_else(|| {
        let codes: Vec<&[u32]> = domain.codes.iter().map(|of| &of.codes[..]).collect();
        let counted = distinct_codes(&codes, domain.plain.dictionary.len());
        dataset.columns().put_distinct(operands.to_vec(), counted);
        counted
    })
}
