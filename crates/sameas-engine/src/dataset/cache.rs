//! What is encoded of the records of a dataset, for whichever job asks for it next.
//!
//! Domains are known by the operands that they are made of. Whatever is asked for here takes no time: work is done before, with
//! nothing locked, and of two jobs that have done the same the first keeps it. So no lock is held while work is done by all threads,
//! one of which might take up the work of another job that waits for the same lock.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::records::encode::{Domain, OperandKey, SharedCodes, SharedDomain, TokenSets, Tokenizer};
use crate::threshold::Truth;
use crate::verify::{Check, Program};

/// Codes of operands, by their keys.
type CodesByKey = BTreeMap<OperandKey, SharedCodes>;

/// The sets of values that are compared with each other: domains by their numbers, and how sets are made.
pub type TokenGroup = Vec<(u64, Tokenizer)>;

/// What was encoded.
#[derive(Default)]
pub struct ColumnCache {
    /// By number. No number is used twice.
    domains: BTreeMap<u64, CachedDomain>,
    /// The numbers of the domains that an operand is in.
    domains_of: HashMap<OperandKey, Vec<u64>>,
    verdicts: BTreeMap<OperandKey, LastUsed<Arc<Vec<Truth>>>>,
    tokens: BTreeMap<TokenGroup, LastUsed<Vec<Arc<TokenSets>>>>,
    ranks: BTreeMap<u128, LastUsed<Arc<Vec<u32>>>>,
    /// How many values some operands have together.
    distinct: BTreeMap<Vec<OperandKey>, usize>,
    next_domain: u64,
    /// Counts what was asked for.
    clock: u64,
}

/// A domain, and the codes of its operands.
struct CachedDomain {
    codes: CodesByKey,
    plain: Arc<Domain>,
    /// With recoded texts or integers, once a job has wanted them.
    complete: Option<Arc<Domain>>,
    used: u64,
}

/// A value, and when it was last asked for.
struct LastUsed<T> {
    value: T,
    used: u64,
}

/// A domain that has some operands, and perhaps others.
#[derive(Clone)]
pub struct ServedDomain {
    /// Its number.
    pub number: u64,
    /// The codes of the operands that were asked for, in that order.
    pub codes: Vec<SharedCodes>,
    /// Its values.
    pub plain: Arc<Domain>,
    /// The same with recoded texts or integers, if they were made.
    pub complete: Option<Arc<Domain>>,
    /// Whether it has no other operands.
    pub is_exact: bool,
}

impl ColumnCache {
    /// The domain with the fewest values that has all of these operands.
    pub fn find(&mut self, operands: &[OperandKey]) -> Option<ServedDomain> {
        let domains = &self.domains;
        let has_all = |number: &&u64| operands.iter().all(|key| domains[*number].codes.contains_key(key));
        let numbers = self.domains_of.get(operands.first()?)?.iter().filter(has_all);
        let number = *numbers.min_by_key(|number| (domains[*number].plain.dictionary.len(), **number))?;
        self.served(number, operands)
    }

    fn served(&mut self, number: u64, operands: &[OperandKey]) -> Option<ServedDomain> {
        self.clock += 1;
        let found = self.domains.get_mut(&number)?;
        found.used = self.clock;
        let codes: Option<Vec<_>> = operands.iter().map(|key| found.codes.get(key).cloned()).collect();
        let is_exact = found.codes.len() == operands.len();
        let (plain, complete) = (Arc::clone(&found.plain), found.complete.clone());
        Some(ServedDomain { number, codes: codes?, plain, complete, is_exact })
    }

    /// Keeps a domain of these operands, unless there is one, and serves it. If it is complete, it has all that can be made of its
    /// values.
    pub fn put(&mut self, operands: &[OperandKey], (domain, codes): SharedDomain, is_complete: bool) -> ServedDomain {
        if let Some(known) = self.find(operands).filter(|known| known.is_exact) {
            return known;
        }
        let number = self.next_domain;
        self.next_domain += 1;
        self.clock += 1;
        for key in operands {
            self.domains_of.entry(key.clone()).or_default().push(number);
        }
        let plain = if is_complete { Arc::new(domain.plain()) } else { Arc::clone(&domain) };
        let complete = is_complete.then_some(domain);
        let by_key = operands.iter().cloned().zip(codes.iter().cloned()).collect();
        let (kept_plain, kept_complete) = (Arc::clone(&plain), complete.clone());
        let kept = CachedDomain { codes: by_key, plain: kept_plain, complete: kept_complete, used: self.clock };
        self.domains.insert(number, kept);
        ServedDomain { number, codes, plain, complete, is_exact: true }
    }

    /// Keeps a domain with what was made of its values besides, unless there is one.
    pub fn complete(&mut self, number: u64, made: Arc<Domain>) -> Arc<Domain> {
        match self.domains.get_mut(&number) {
            Some(domain) => Arc::clone(domain.complete.get_or_insert(made)),
            None => made,
        }
    }

    /// How many values some operands have together, if that was counted.
    pub fn distinct(&self, operands: &[OperandKey]) -> Option<usize> {
        self.distinct.get(operands).copied()
    }

    /// Keeps how many values some operands have together.
    pub fn put_distinct(&mut self, operands: Vec<OperandKey>, values: usize) {
        self.distinct.insert(operands, values);
    }

    /// The verdicts of a condition.
    pub fn verdicts(&mut self, condition: &OperandKey) -> Option<Arc<Vec<Truth>>> {
        self.clock += 1;
        let found = self.verdicts.get_mut(condition)?;
        found.used = self.clock;
        Some(Arc::clone(&found.value))
    }

    /// Keeps the verdicts of a condition, unless there are some.
    pub fn put_verdicts(&mut self, condition: &OperandKey, made: Arc<Vec<Truth>>) -> Arc<Vec<Truth>> {
        self.clock += 1;
        let made = LastUsed { value: made, used: self.clock };
        Arc::clone(&self.verdicts.entry(condition.clone()).or_insert(made).value)
    }

    /// The sets of values that are compared with each other.
    pub fn tokens(&mut self, group: &[(u64, Tokenizer)]) -> Option<Vec<Arc<TokenSets>>> {
        self.clock += 1;
        let found = self.tokens.get_mut(group)?;
        found.used = self.clock;
        Some(found.value.clone())
    }

    /// Keeps sets of values, unless there are some with as much.
    pub fn put_tokens(&mut self, group: TokenGroup, made: Vec<Arc<TokenSets>>) -> Vec<Arc<TokenSets>> {
        self.clock += 1;
        let made = LastUsed { value: made, used: self.clock };
        let have_elements = |sets: &[Arc<TokenSets>]| sets.iter().all(|sets| sets.elements().is_some());
        match self.tokens.entry(group) {
            Entry::Vacant(free) => free.insert(made).value.clone(),
            Entry::Occupied(mut known) => {
                if have_elements(&made.value) && !have_elements(&known.get().value) {
                    known.insert(made);
                }
                known.get().value.clone()
            }
        }
    }

    /// The ranks of all records.
    pub fn ranks(&mut self, of: u128) -> Option<Arc<Vec<u32>>> {
        self.clock += 1;
        let found = self.ranks.get_mut(&of)?;
        found.used = self.clock;
        Some(Arc::clone(&found.value))
    }

    /// Keeps the ranks of all records.
    pub fn put_ranks(&mut self, of: u128, made: Arc<Vec<u32>>) {
        self.clock += 1;
        self.ranks.insert(of, LastUsed { value: made, used: self.clock });
    }

    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        let domains: usize = self.domains.values().map(CachedDomain::bytes).sum();
        let verdicts: usize = self.verdicts.values().map(|of| of.value.len()).sum();
        let tokens: usize = self.tokens.values().map(|of| bytes_of(&of.value)).sum();
        domains + verdicts + tokens + self.rank_bytes()
    }

    fn rank_bytes(&self) -> usize {
        self.ranks.values().map(|of| size_of_val(&of.value[..])).sum()
    }

    /// Memory of what a program does not read. It reads no ranks, but the codes that were made of them.
    pub fn bytes_beside(&self, program: &Program) -> usize {
        let encoded = &program.encoded;
        let codes: HashSet<*const Vec<u32>> = encoded.columns.iter().map(|of| Arc::as_ptr(&of.codes)).collect();
        let domains: usize = self.domains.values().map(|domain| domain.bytes_beside(&codes)).sum();
        let sets: HashSet<*const TokenSets> = encoded.tokens.iter().map(Arc::as_ptr).collect();
        let tokens = self.tokens.values().flat_map(|of| &of.value).filter(|of| !sets.contains(&Arc::as_ptr(of)));
        let answered = program.checks.iter().filter_map(|check| match check {
            Check::OneSided { verdicts, .. } => Some(Arc::as_ptr(verdicts)),
            _ => None,
        });
        let answered: HashSet<*const Vec<Truth>> = answered.collect();
        let verdicts = self.verdicts.values().filter(|of| !answered.contains(&Arc::as_ptr(&of.value)));
        let tokens: usize = tokens.map(|sets| sets.bytes()).sum();
        domains + tokens + verdicts.map(|of| of.value.len()).sum::<usize>() + self.rank_bytes()
    }

    /// Drops about half of what no program holds, what was not used for the longest time first, and gives its bytes.
    pub fn drop_unused(&mut self) -> usize {
        let domains = self.domains.iter().filter(|(_, domain)| !domain.is_held());
        let domains = domains.map(|(number, domain)| (domain.used, domain.bytes(), Unused::Domain(*number)));
        let verdicts = self.verdicts.iter().filter(|(_, of)| Arc::strong_count(&of.value) == 1);
        let verdicts = verdicts.map(|(key, of)| (of.used, of.value.len(), Unused::Verdicts(key.clone())));
        let tokens = self.tokens.iter().filter(|(_, of)| of.value.iter().all(|sets| Arc::strong_count(sets) == 1));
        let tokens = tokens.map(|(group, of)| (of.used, bytes_of(&of.value), Unused::Tokens(group.clone())));
        let ranks = self.ranks.iter().filter(|(_, of)| Arc::strong_count(&of.value) == 1);
        let ranks = ranks.map(|(key, of)| (of.used, size_of_val(&of.value[..]), Unused::Ranks(*key)));
        let mut unused: Vec<(u64, usize, Unused)> = domains.chain(verdicts).chain(tokens).chain(ranks).collect();
        unused.sort_by_key(|(used, ..)| *used);
        let half = unused.iter().map(|(_, bytes, _)| bytes).sum::<usize>().div_ceil(2);
        let mut dropped = 0;
        for (_, bytes, entry) in unused {
            if dropped >= half {
                break;
            }
            self.remove(entry);
            dropped += bytes;
        }
        dropped
    }

    fn remove(&mut self, entry: Unused) {
        match entry {
            Unused::Verdicts(key) => _ = self.verdicts.remove(&key),
            Unused::Tokens(group) => _ = self.tokens.remove(&group),
            Unused::Ranks(key) => _ = self.ranks.remove(&key),
            Unused::Domain(number) => {
                let gone = self.domains.remove(&number);
                for key in gone.iter().flat_map(|domain| domain.codes.keys()) {
                    if let Some(numbers) = self.domains_of.get_mut(key) {
                        numbers.retain(|other| *other != number);
                    }
                }
                // A job that uses such sets uses the domain, too.
                self.tokens.retain(|group, _| group.iter().all(|(domain, _)| *domain != number));
            }
        }
    }
}

/// Something that no program holds.
enum Unused {
    Domain(u64),
    Verdicts(OperandKey),
    Tokens(TokenGroup),
    Ranks(u128),
}

fn bytes_of_codes(of: &SharedCodes) -> usize {
    let counted = of.counted.get().map_or(0, |counted| size_of_val(&counted.by_code[..]));
    size_of_val(&of.codes[..]) + counted
}

fn bytes_of(sets: &[Arc<TokenSets>]) -> usize {
    sets.iter().map(|sets| sets.bytes()).sum()
}

impl CachedDomain {
    fn bytes(&self) -> usize {
        let codes: usize = self.codes.values().map(bytes_of_codes).sum();
        codes + self.plain.bytes() + self.complete.as_ref().map_or(0, |domain| domain.bytes_beside_values())
    }

    /// Memory of what a program with these codes does not read.
    fn bytes_beside(&self, codes: &HashSet<*const Vec<u32>>) -> usize {
        let is_read = |of: &&SharedCodes| codes.contains(&Arc::as_ptr(&of.codes));
        match self.codes.values().any(|of| is_read(&of)) {
            true => self.codes.values().filter(|of| !is_read(of)).map(bytes_of_codes).sum(),
            false => self.bytes(),
        }
    }

    /// Whether a program has it.
    fn is_held(&self) -> bool {
        let has_complete = self.complete.as_ref().is_some_and(|domain| Arc::strong_count(domain) > 1);
        let has_codes = self.codes.values().any(|of| Arc::strong_count(&of.codes) > 1);
        Arc::strong_count(&self.plain) > 1 || has_complete || has_codes
    }
}
