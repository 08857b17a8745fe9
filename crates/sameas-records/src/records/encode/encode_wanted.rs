//! From wanted operands to codes: the records of frames are encoded domain after domain, small ones side by side.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::dictionary::Dictionary;
use super::expr_to_sql::expr_to_sql;
use super::text::Texts;
use super::tokens::TokenSets;
use super::wanted::{Operand, WantedOperands};
use super::{Domain, Encoded, EncodedColumn};
use crate::cancel::{Cancel, or_end};
use crate::memory::Held;
use crate::records::block_column::BlockColumn;
use crate::records::frame::Frame;
use crate::records::stats::ValueRows;

/// Rows of domains that are encoded at the same time, at most, or of one domain: this many for each thread, and not fewer than
/// for four. A domain alone leaves some cores idle between its steps.
const SIDE_BY_SIDE: usize = 1 << 19;

/// Cuts a list into ranges of neighbours with this many rows each, so that they are worked on at the same time.
fn side_by_side(rows: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let most = SIDE_BY_SIDE * rayon::current_num_threads().max(4);
    let (mut ranges, mut begin, mut sum, mut end) = (Vec::new(), 0, 0, 0);
    for own in rows {
        if end > begin && sum + own > most {
            ranges.push(begin..end);
            (begin, sum) = (end, 0);
        }
        sum += own;
        end += 1;
    }
    ranges.push(begin..end);
    ranges
}

/// A domain of some records, and the codes of its operands.
pub struct EncodedDomain {
    /// The values.
    pub domain: Domain,
    /// The codes of each operand, in the order of the operands.
    pub codes: Vec<SharedCodes>,
    /// The memory of both, while others are encoded.
    pub held: Held,
}

/// The codes of an operand, and how many records have each value, once that is counted. Clones share both.
#[derive(Clone, Debug, Default)]
pub struct SharedCodes {
    /// By row.
    pub codes: Arc<Vec<u32>>,
    /// By code.
    pub counted: Arc<OnceLock<ValueRows>>,
}

impl SharedCodes {
    /// How many records have each value of a domain with this many: counted once for all that share the codes.
    pub fn value_rows(&self, values: usize) -> &ValueRows {
        value_rows(&self.codes, &self.counted, values)
    }
}

/// Rows by value, counted where they are not known. All threads count, so nobody must wait for the result meanwhile.
pub(super) fn value_rows<'c>(codes: &[u32], counted: &'c OnceLock<ValueRows>, values: usize) -> &'c ValueRows {
    if let Some(known) = counted.get() {
        return known;
    }
    let made = ValueRows::count(codes, values);
    counted.get_or_init(|| made)
}

impl From<Vec<u32>> for SharedCodes {
    fn from(codes: Vec<u32>) -> Self {
        Self { codes: Arc::new(codes), counted: Arc::default() }
    }
}

/// A domain, and the codes of its operands in their order: of several programs, perhaps.
pub type SharedDomain = (Arc<Domain>, Vec<SharedCodes>);

impl WantedOperands {
    /// Encodes the records of frames.
    pub fn encode(&self, frames: &[Frame], cancel: Cancel<'_>) -> Encoded {
        let members = self.domain_members();
        let made = self.encode_domains(&members, frames, cancel);
        let (domains, _held): (Vec<SharedDomain>, Vec<Held>) =
            made.into_iter().map(|made| ((Arc::new(made.domain), made.codes), made.held)).unzip();
        let mut encoded = self.put_together(&members, domains);
        let groups = self.token_groups();
        encoded.tokens = in_order(&groups, self.token_sets(&groups, &encoded, cancel));
        encoded
    }

    /// Encodes some domains of the records of frames, given by their operands.
    pub fn encode_domains(&self, domains: &[Vec<usize>], frames: &[Frame], cancel: Cancel<'_>) -> Vec<EncodedDomain> {
        let mut made = Vec::with_capacity(domains.len());
        for some in self.side_by_side(domains, frames) {
            made.par_extend(domains[some].par_iter().map(|members| self.domain(members, frames, cancel)));
        }
        made
    }

    /// The same for frames that nothing reads any more: each column is dropped when its last operand is encoded. `freed` is
    /// called after each time.
    pub fn encode_domains_and_drop(
        &self,
        domains: &[Vec<usize>],
        mut frames: Vec<Frame>,
        cancel: Cancel<'_>,
        freed: &dyn Fn(),
    ) -> Vec<EncodedDomain> {
        let mut made = Vec::with_capacity(domains.len());
        let last_readers = self.last_readers(frames.len(), domains);
        for some in self.side_by_side(domains, &frames) {
            for (frame, last) in frames.iter_mut().zip(&last_readers) {
                frame.keep(|name| last.get(name).is_some_and(|last| *last >= some.start));
            }
            freed();
            made.par_extend(domains[some].par_iter().map(|members| self.domain(members, &frames, cancel)));
        }
        drop(frames);
        freed();
        made
    }

    /// Which domains are encoded at the same time: some small ones, so that all cores have work, or one large one, whose
    /// values alone are held twice.
    fn side_by_side(&self, domains: &[Vec<usize>], frames: &[Frame]) -> Vec<Range<usize>> {
        let rows =
            |members: &Vec<usize>| members.iter().map(|member| frames[self.operands[*member].frame].rows()).sum();
        side_by_side(domains.iter().map(rows))
    }

    /// For each frame and each of its columns that is read, the last domain that reads it.
    fn last_readers(&self, frames: usize, domains: &[Vec<usize>]) -> Vec<HashMap<String, usize>> {
        let mut last = vec![HashMap::new(); frames];
        for (domain, members) in domains.iter().enumerate() {
            for operand in members.iter().map(|member| &self.operands[*member]) {
                operand.expr.each_column(&mut |_, name| {
                    last[operand.frame].insert(name.to_owned(), domain);
                });
            }
        }
        last
    }

    fn domain(&self, members: &[usize], frames: &[Frame], cancel: Cancel<'_>) -> EncodedDomain {
        let EncodedDomain { domain, codes, mut held } = self.encode_values(members, frames, cancel);
        EncodedDomain { domain: self.completed(members, domain, &mut held, cancel), codes, held }
    }

    /// Encodes the values of some operands, in one domain, without what they want besides.
    pub fn encode_values(&self, members: &[usize], frames: &[Frame], cancel: Cancel<'_>) -> EncodedDomain {
        let operands: Vec<&Operand> = members.iter().map(|m| &self.operands[*m]).collect();
        let values = operands.iter().map(|o| frames[o.frame].evaluate_held(&o.expr, cancel));
        let (values, of_values): (Vec<Vec<BlockColumn>>, Vec<Vec<Held>>) = values.unzip();
        let (dictionary, codes) = Dictionary::encode(&values, operands[0].numbers, cancel);
        drop((values, of_values));
        let bytes = dictionary.bytes() + codes.iter().map(|c| size_of_val(&c[..])).sum::<usize>();
        let held = cancel.hold(bytes);
        let domain = Domain { ty: operands[0].expr.ty, dictionary, texts: None, integers: None };
        EncodedDomain { domain, codes: codes.into_iter().map(SharedCodes::from).collect(), held }
    }

    /// Whether some operands want more than the values of their domain: texts or integers.
    pub fn want_more(&self, members: &[usize]) -> bool {
        members.iter().map(|member| &self.operands[*member]).any(|operand| operand.wants_text || operand.wants_integers)
    }

    /// A domain with what some of its operands want besides its values.
    pub fn completed(&self, members: &[usize], plain: Domain, held: &mut Held, cancel: Cancel<'_>) -> Domain {
        let any = |is_wanted: fn(&Operand) -> bool| members.iter().any(|member| is_wanted(&self.operands[*member]));
        let mut domain = plain;
        if any(|operand| operand.wants_text) {
            let texts = Texts::new(&domain.dictionary, cancel);
            or_end(held.add(texts.bytes()));
            domain.texts = Some(texts);
        }
        cancel.check();
        if any(|operand| operand.wants_integers) {
            domain = domain.with_integers();
            or_end(held.add(domain.integer_bytes()));
        }
        domain
    }

    /// The encoding of all operands, of domains with these members; token sets are not there yet.
    pub fn put_together(&self, members: &[Vec<usize>], domains: Vec<SharedDomain>) -> Encoded {
        let mut columns: Vec<Option<EncodedColumn>> = self.operands.iter().map(|_| None).collect();
        let mut all = Vec::with_capacity(domains.len());
        for (members, (domain, codes)) in members.iter().zip(domains) {
            for (member, SharedCodes { codes, counted }) in members.iter().zip(codes) {
                let Operand { expr, frame, .. } = &self.operands[*member];
                let (domain, text) = (all.len(), expr_to_sql(expr));
                columns[*member] = Some(EncodedColumn { codes, counted, domain, text, frame: *frame });
            }
            all.push(domain);
        }
        Encoded {
            columns: columns.into_iter().flatten().collect(),
            domains: all,
            tokens: Vec::new(),
            token_sources: self.tokens.clone(),
        }
    }

    /// Makes the token sets of some groups that are compared with each other, by group.
    pub fn token_sets(&self, groups: &[Vec<usize>], encoded: &Encoded, cancel: Cancel<'_>) -> Vec<Vec<Arc<TokenSets>>> {
        let (mut all, mut kept) = (Vec::with_capacity(groups.len()), Vec::new());
        let source = |member: &usize| {
            let (operand, tokenizer) = self.tokens[*member];
            (&encoded.domain(operand).dictionary, tokenizer)
        };
        // A value has many tokens.
        let values = |members: &Vec<usize>| members.iter().map(|member| 4 * source(member).0.len()).sum();
        for some in side_by_side(groups.iter().map(values)) {
            let make = |members: &Vec<usize>| {
                let sources: Vec<_> = members.iter().map(source).collect();
                let sets = TokenSets::tokenize(&sources, cancel);
                if self.want_elements(members) { TokenSets::with_elements(sets, &sources, cancel) } else { sets }
            };
            let made: Vec<Vec<TokenSets>> = groups[some].par_iter().map(make).collect();
            for sets in made {
                kept.extend(sets.iter().map(|sets| cancel.hold(sets.bytes())));
                all.push(sets.into_iter().map(Arc::new).collect());
            }
        }
        all
    }
}

/// Token sets by their numbers, from those of groups.
pub fn in_order(groups: &[Vec<usize>], sets: Vec<Vec<Arc<TokenSets>>>) -> Vec<Arc<TokenSets>> {
    let members = groups.iter().flatten().copied();
    let mut numbered: Vec<(usize, Arc<TokenSets>)> = members.zip(sets.into_iter().flatten()).collect();
    numbered.sort_unstable_by_key(|(member, _)| *member);
    numbered.into_iter().map(|(_, sets)| sets).collect()
}
