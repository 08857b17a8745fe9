//! Columns that predicates compare, encoded: one dictionary, one alphabet and one token order per domain.
//!
//! An *operand* is an expression of one record that a predicate reads. Operands that a predicate compares with each
//! other share a domain, across columns and inputs, so that equality of values is equality of codes.

mod alphabet;
mod bytes;
mod dictionary;
mod expr_to_sql;
mod part;
mod planes;
mod signature;
mod strings;
mod text;
mod tokens;

use std::collections::HashMap;
use std::ops::Range;

pub use bytes::Numbers;
pub use dictionary::{Dictionary, NULL};
pub use planes::{PlaneShape, Planes};
pub(crate) use signature::{Long, Short};
pub use signature::{Signature, Signatures};
pub(crate) use signature::{SignatureRecord, SignatureRecords};
pub use strings::Strings;
pub use text::{AnyStrings, Texts};
pub use tokens::{Sets, TokenSets, Tokenizer, most_common};

use rayon::prelude::*;

use super::block_column::BlockColumn;
use super::frame::Frame;
use crate::cancel::{Cancel, or_end};
use crate::expr::{Expr, Num, Type, Vector};
use crate::memory::Held;

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

/// An encoded operand: the code of each row's value.
#[derive(Debug)]
pub struct EncodedColumn {
    /// Codes by row, [`NULL`] for null.
    pub codes: Vec<u32>,
    /// The domain the codes belong to.
    pub domain: usize,
    /// Its expression, written as in rules.
    pub text: String,
    /// The frame its rows are of.
    pub frame: usize,
}

/// The distinct values of operands that are compared with each other.
#[derive(Debug)]
pub struct Domain {
    /// Their type.
    pub ty: Type,
    /// Their bytes.
    pub dictionary: Dictionary,
    /// Recoded texts, where a measure of texts needs them.
    pub texts: Option<Texts>,
    /// Numbers or days by code, where differences are asked for and all of them are whole.
    pub integers: Option<Integers>,
}

/// Whole numbers by code.
#[derive(Debug)]
pub enum Integers {
    /// Each is one more than that of the code before: differences are those of codes.
    Consecutive,
    /// Any.
    Each(Vec<i64>),
}

impl Integers {
    fn new(integers: Vec<i64>) -> Self {
        let is_next = |pair: &[i64]| pair[0].checked_add(1) == Some(pair[1]);
        if integers.windows(2).all(is_next) { Self::Consecutive } else { Self::Each(integers) }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Consecutive => 0,
            Self::Each(integers) => size_of_val(&integers[..]),
        }
    }

    /// Those of some codes.
    fn part(&self, kept: &[u32]) -> Self {
        Self::new(match self {
            Self::Consecutive => kept.iter().map(|code| i64::from(*code)).collect(),
            Self::Each(integers) => kept.iter().map(|code| integers[*code as usize]).collect(),
        })
    }
}

impl Domain {
    fn bytes(&self) -> usize {
        self.dictionary.bytes() + self.texts.as_ref().map_or(0, Texts::bytes) + self.integer_bytes()
    }

    fn integer_bytes(&self) -> usize {
        self.integers.as_ref().map_or(0, Integers::bytes)
    }

    /// With the integers that differences are computed of.
    fn with_integers(self) -> Self {
        let integer = |code: u32| match self.number(code)? {
            Num::Int(value) => Some(value),
            _ => None,
        };
        let integers: Option<Vec<i64>> = (0..self.dictionary.len() as u32).into_par_iter().map(integer).collect();
        Self { integers: integers.map(Integers::new), ..self }
    }

    /// The values of some codes as a column.
    pub fn gather(&self, codes: impl Iterator<Item = u32>) -> Vector {
        bytes::vector_from(self.ty, codes.map(|code| self.dictionary.get(code)))
    }

    /// A number or a date (in days), `None` for null.
    #[inline]
    pub fn number(&self, code: u32) -> Option<Num> {
        let value = self.dictionary.get(code)?;
        match self.ty {
            Type::Date => bytes::date(value).map(|days| Num::Int(i64::from(days))),
            _ => bytes::number(value),
        }
    }
}

/// What the encoding made.
#[derive(Debug, Default)]
pub struct Encoded {
    /// Operands, as numbered by [`Encoder::operand`].
    pub columns: Vec<EncodedColumn>,
    /// Domains.
    pub domains: Vec<Domain>,
    /// Token sets, as numbered by [`Encoder::tokens`], by code of their operand's domain.
    pub tokens: Vec<TokenSets>,
    /// The operand of each of these, and how its values became sets.
    pub token_sources: Vec<(usize, Tokenizer)>,
}

impl Encoded {
    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        let codes: usize = self.columns.iter().map(|c| size_of_val(&c.codes[..])).sum();
        let domains: usize = self.domains.iter().map(Domain::bytes).sum();
        codes + domains + self.tokens.iter().map(TokenSets::bytes).sum::<usize>()
    }

    /// The domain of an operand.
    pub fn domain(&self, operand: usize) -> &Domain {
        &self.domains[self.columns[operand].domain]
    }

    /// The value of an operand in a row, as a column of one row.
    pub fn value(&self, operand: usize, row: u32) -> Vector {
        let code = self.columns[operand].codes[row as usize];
        self.domain(operand).gather(std::iter::once(code))
    }
}

struct Operand {
    frame: usize,
    expr: Expr,
    numbers: Numbers,
    wants_text: bool,
    wants_integers: bool,
}

/// Collects what predicates need and encodes it.
#[derive(Default)]
pub struct Encoder {
    operands: Vec<Operand>,
    known: HashMap<String, usize>,
    domains: DisjointSets,
    tokens: Vec<(usize, Tokenizer)>,
    known_tokens: HashMap<(usize, Tokenizer), usize>,
    token_orders: DisjointSets,
}

impl Encoder {
    /// The operand that holds `expr` for the records of a frame.
    pub fn operand(&mut self, frame: usize, expr: &Expr, numbers: Numbers) -> usize {
        let key = format!("{frame} {numbers:?} {:?} {}", expr.ty, expr.canonical());
        let (operands, domains) = (&mut self.operands, &mut self.domains);
        *self.known.entry(key).or_insert_with(|| {
            operands.push(Operand { frame, expr: expr.clone(), numbers, wants_text: false, wants_integers: false });
            domains.add()
        })
    }

    /// Two operands whose values are compared.
    pub fn compare(&mut self, a: usize, b: usize) {
        self.domains.join(a, b);
    }

    /// Has the texts of an operand recoded.
    pub fn texts(&mut self, operand: usize) {
        self.operands[operand].wants_text = true;
    }

    /// Has the numbers of an operand at hand as integers, where all are whole.
    pub fn integers(&mut self, operand: usize) {
        self.operands[operand].wants_integers = true;
    }

    /// The token sets of an operand's values.
    pub fn tokens(&mut self, operand: usize, tokenizer: Tokenizer) -> usize {
        let (wanted, tokens, orders) = ((operand, tokenizer), &mut self.tokens, &mut self.token_orders);
        *self.known_tokens.entry(wanted).or_insert_with(|| {
            tokens.push(wanted);
            orders.add()
        })
    }

    /// Token sets that are compared.
    pub fn compare_tokens(&mut self, a: usize, b: usize) {
        self.token_orders.join(a, b);
    }

    /// Encodes everything that was registered.
    pub fn encode(self, frames: &[Frame], cancel: Cancel<'_>) -> Encoded {
        let (mut encoding, domains) = (PartlyEncoded::new(&self), self.domains.members());
        for some in self.side_by_side(&domains, frames) {
            encoding.add(&domains[some], frames, cancel);
        }
        encoding.finish(cancel)
    }

    /// The same for frames that nothing reads any more: each column is dropped when its last operand is encoded. `freed` is
    /// called after each time.
    pub fn encode_and_drop(self, mut frames: Vec<Frame>, cancel: Cancel<'_>, freed: &dyn Fn()) -> Encoded {
        let (mut encoding, domains) = (PartlyEncoded::new(&self), self.domains.members());
        let last_readers = self.last_readers(frames.len(), &domains);
        for some in self.side_by_side(&domains, &frames) {
            for (frame, last) in frames.iter_mut().zip(&last_readers) {
                frame.keep(|name| last.get(name).is_some_and(|last| *last >= some.start));
            }
            freed();
            encoding.add(&domains[some], &frames, cancel);
        }
        drop(frames);
        freed();
        encoding.finish(cancel)
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
}

/// What an encoder has made so far.
struct PartlyEncoded<'e> {
    encoder: &'e Encoder,
    columns: Vec<Option<EncodedColumn>>,
    domains: Vec<Domain>,
    kept: Vec<Held>,
}

impl<'e> PartlyEncoded<'e> {
    fn new(encoder: &'e Encoder) -> Self {
        let columns = encoder.operands.iter().map(|_| None).collect();
        Self { encoder, columns, domains: Vec::new(), kept: Vec::new() }
    }

    fn add(&mut self, domains: &[Vec<usize>], frames: &[Frame], cancel: Cancel<'_>) {
        let made: Vec<EncodedDomain> =
            domains.par_iter().map(|members| self.encoder.domain(members, frames, cancel)).collect();
        for (members, made) in domains.iter().zip(made) {
            self.kept.push(made.held);
            for (member, codes) in members.iter().zip(made.codes) {
                let Operand { expr, frame, .. } = &self.encoder.operands[*member];
                let (text, domain) = (expr_to_sql::expr_to_sql(expr), self.domains.len());
                self.columns[*member] = Some(EncodedColumn { codes, domain, text, frame: *frame });
            }
            self.domains.push(made.domain);
        }
    }

    fn finish(self, cancel: Cancel<'_>) -> Encoded {
        let columns = self.columns.into_iter().flatten().collect();
        let mut encoded = Encoded { columns, domains: self.domains, ..Encoded::default() };
        encoded.tokens = self.encoder.token_sets(&encoded, cancel);
        encoded.token_sources = self.encoder.tokens.clone();
        encoded
    }
}

/// A domain, and the codes of its operands.
struct EncodedDomain {
    domain: Domain,
    codes: Vec<Vec<u32>>,
    held: Held,
}

impl Encoder {
    fn domain(&self, members: &[usize], frames: &[Frame], cancel: Cancel<'_>) -> EncodedDomain {
        let operands: Vec<&Operand> = members.iter().map(|m| &self.operands[*m]).collect();
        let values = operands.iter().map(|o| frames[o.frame].evaluate_held(&o.expr, cancel));
        let (values, of_values): (Vec<Vec<BlockColumn>>, Vec<Vec<Held>>) = values.unzip();
        let (dictionary, codes) = Dictionary::encode(&values, operands[0].numbers, cancel);
        drop((values, of_values));
        let bytes = dictionary.bytes() + codes.iter().map(|c| size_of_val(&c[..])).sum::<usize>();
        let mut held = cancel.hold(bytes);
        let texts = operands.iter().any(|o| o.wants_text).then(|| Texts::new(&dictionary, cancel));
        or_end(held.add(texts.as_ref().map_or(0, Texts::bytes)));
        cancel.check();
        let mut domain = Domain { ty: operands[0].expr.ty, dictionary, texts, integers: None };
        if operands.iter().any(|o| o.wants_integers) {
            domain = domain.with_integers();
            or_end(held.add(domain.integer_bytes()));
        }
        EncodedDomain { domain, codes, held }
    }

    fn token_sets(&self, encoded: &Encoded, cancel: Cancel<'_>) -> Vec<TokenSets> {
        let mut sets: Vec<Option<TokenSets>> = self.tokens.iter().map(|_| None).collect();
        let (groups, mut kept) = (self.token_orders.members(), Vec::new());
        let source = |member: &usize| {
            let (operand, tokenizer) = self.tokens[*member];
            (&encoded.domain(operand).dictionary, tokenizer)
        };
        // A value has many tokens.
        let values = |members: &Vec<usize>| members.iter().map(|member| 4 * source(member).0.len()).sum();
        for some in side_by_side(groups.iter().map(values)) {
            let make = |members: &Vec<usize>| TokenSets::of(&members.iter().map(source).collect::<Vec<_>>(), cancel);
            let made: Vec<Vec<TokenSets>> = groups[some.clone()].par_iter().map(make).collect();
            for (member, made) in groups[some].iter().flatten().zip(made.into_iter().flatten()) {
                kept.push(cancel.hold(made.bytes()));
                sets[*member] = Some(made);
            }
        }
        sets.into_iter().flatten().collect()
    }
}

/// Union-find over numbered members.
#[derive(Default)]
struct DisjointSets {
    parent: Vec<usize>,
}

impl DisjointSets {
    fn add(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.parent.len() - 1
    }

    /// The first member of a set. The way there is halved, so that long ones do not stay long.
    fn root(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    fn members(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.parent.len()];
        // A parent comes before its children, so its root is known.
        let mut roots: Vec<usize> = Vec::with_capacity(self.parent.len());
        for (member, parent) in self.parent.iter().enumerate() {
            let root = if *parent == member { member } else { roots[*parent] };
            roots.push(root);
            groups[root].push(member);
        }
        groups.retain(|g| !g.is_empty());
        groups
    }
}
