//! What makes a check expensive: counts over a sample of pairs, which need no clock.

use sameas_kernels::layout::set_join::SetSummary;

use super::kind::CheckKind;
use super::shipped::cost_of;
use crate::candidates::Batch;
use crate::expr::{Expr, ExprKind, Function, Side, Type};
use crate::records::encode::{AnyStrings, Encoded, NULL, Texts, most_common};
use crate::threshold::{Check, SetTest, Sides, TextFilter, TextPair, TextTest, Truth};

/// Counts per pair of a sample, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Features {
    /// What the filter of a measure of texts does: 1 for a pair of short signatures, 2 for one of long ones, and 1 more
    /// where a text is too long for the filter's table. The summaries of a pair of sets count 1.
    pub filtered: f64,
    /// The share of pairs that come to the measure.
    pub measured: f64,
    /// The steps that the measures take.
    pub work: f64,
}

impl Features {
    /// The counts of a check over the selected pairs.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn count(check: &Check, encoded: &Encoded, pairs: &Batch, selection: &[u32]) -> Self {
        if selection.is_empty() {
            return Self::usual(CheckKind::from_check(check));
        }
        let sample = Sample { encoded, pairs, selection };
        let sum = match check {
            Check::Text { operands, test, filter, .. } => match &encoded.domain(operands.left).texts {
                Some(texts) => sample.texts(*operands, test, filter, texts),
                None => Self::default(),
            },
            Check::Set { operands, tokens, formula, comparison, threshold } => {
                let test = SetTest { formula: *formula, comparison: *comparison, threshold: *threshold };
                sample.sets(*operands, *tokens, |a, b| test.glance(a, b) == Truth::Unknown)
            }
            Check::ListHasAny { operands, tokens } => sample.sets(*operands, *tokens, |a, b| most_common(a, b) > 0),
            Check::Elements { operands, tokens, .. } => sample.elements(*operands, *tokens),
            Check::Residual { expr } => return Self { work: sample.weight(expr), ..Self::default() },
            Check::Equal { .. } | Check::OneSided { .. } | Check::Difference { .. } | Check::SameSource { .. } => {
                return Self::default();
            }
        };
        sum.divided(selection.len() as f64)
    }

    /// What checks of a kind usually meet, where nothing is known: names of 16 characters, sets of 8, few of which come
    /// near.
    pub fn usual(kind: CheckKind) -> Self {
        let [filtered, measured, work] = cost_of(kind).usual;
        Self { filtered, measured, work }
    }

    fn divided(self, by: f64) -> Self {
        Self { filtered: self.filtered / by, measured: self.measured / by, work: self.work / by }
    }
}

/// Some pairs of encoded records.
#[derive(Clone, Copy)]
struct Sample<'a> {
    encoded: &'a Encoded,
    pairs: &'a Batch,
    selection: &'a [u32],
}

impl Sample<'_> {
    /// The codes of the pairs whose values are not null.
    fn codes(self, operands: Sides<usize>) -> impl Iterator<Item = (u32, u32)> {
        let Self { encoded, pairs, selection } = self;
        let (l, r) = (&encoded.columns[operands.left].codes[..], &encoded.columns[operands.right].codes[..]);
        let codes = selection.iter().map(move |at| {
            let at = *at as usize;
            (l[pairs.l[at] as usize], r[pairs.r[at] as usize])
        });
        codes.filter(|(a, b)| *a != NULL && *b != NULL)
    }

    fn texts(self, operands: Sides<usize>, test: &TextTest, filter: &TextFilter, texts: &Texts) -> Features {
        let empty = texts.empty().unwrap_or(NULL);
        let differ = self.codes(operands).filter(|(a, b)| a != b && *a != empty && *b != empty);
        let mut open: Vec<TextPair> = differ.map(|(a, b)| TextPair { at: 0, a, b }).collect();
        let lengths = |pair: &TextPair| [pair.a, pair.b].map(|code| length(texts, code));
        let lines = if texts.signatures().is_short() { 1 } else { 2 };
        let steps_of_filter = |pair: &TextPair| lines + usize::from(lengths(pair).into_iter().max() > Some(WORD));
        let filtered = if test.predicate().is_some() { open.iter().map(steps_of_filter).sum() } else { 0 };
        filter.retain(test, texts.signatures(), &mut open);
        let steps = test.measure().form().count().facts().steps;
        let work = open.iter().map(|pair| {
            let [x, y] = lengths(pair);
            steps(x, y, test.most_edits(x, y).unwrap_or(0)) as f64
        });
        Features { filtered: filtered as f64, measured: open.len() as f64, work: work.sum() }
    }

    /// Sets whose summaries leave it open are merged.
    fn sets(
        self,
        operands: Sides<usize>,
        tokens: Sides<usize>,
        is_open: impl Fn(SetSummary, SetSummary) -> bool,
    ) -> Features {
        let (left, right) = (&*self.encoded.tokens[tokens.left], &*self.encoded.tokens[tokens.right]);
        let mut sum = Features::default();
        for (a, b) in self.codes(operands) {
            sum.filtered += 1.0;
            if is_open(left.summaries()[a as usize], right.summaries()[b as usize]) {
                sum.measured += 1.0;
                sum.work += (left.set(a).len() + right.set(b).len()) as f64;
            }
        }
        sum
    }

    /// Each element of one set meets each of the other.
    fn elements(self, operands: Sides<usize>, tokens: Sides<usize>) -> Features {
        let (left, right) = (&*self.encoded.tokens[tokens.left], &*self.encoded.tokens[tokens.right]);
        let mut sum = Features::default();
        for (a, b) in self.codes(operands) {
            sum.measured += 1.0;
            sum.work += (left.set(a).len() * right.set(b).len()) as f64;
        }
        sum
    }
}

fn length(texts: &Texts, code: u32) -> usize {
    match texts.strings() {
        AnyStrings::U8(strings) => strings.length(code),
        AnyStrings::U16(strings) => strings.length(code),
        AnyStrings::U32(strings) => strings.length(code),
    }
}

/// Characters that measures and filters process at once: the bits of a machine word.
const WORD: usize = 64;

impl Sample<'_> {
    /// The steps of an expression for a pair: a number counts 1, a text ten, and more if it is long.
    fn weight(self, expr: &Expr) -> f64 {
        let own = match expr.ty {
            Type::Text => 10.0,
            Type::TextList | Type::NumberList => 40.0,
            _ => 1.0,
        };
        match &expr.kind {
            ExprKind::Call(function, args) => {
                let measured = if matches!(function, Function::Text(_)) { self.measure_weight(args) } else { 0.0 };
                own + measured + args.iter().map(|arg| self.weight(arg)).sum::<f64>()
            }
            ExprKind::Operand(side, operand) if own > 1.0 => own + self.mean_bytes(*side, *operand) / 12.0,
            ExprKind::Operand(..) => own,
            ExprKind::Column(..) => unreachable!("a compiled condition reads operands"),
            ExprKind::Literal(_) => 0.0,
        }
    }

    /// What comparing two long texts takes beyond what all measures take.
    fn measure_weight(self, args: &[Expr]) -> f64 {
        let length = |arg: &Expr| match &arg.kind {
            ExprKind::Operand(side, operand) => self.mean_bytes(*side, *operand),
            _ => 0.0,
        };
        let cells: f64 = args.iter().take(2).map(length).product();
        if cells > (WORD * WORD) as f64 { cells / 16.0 } else { 0.0 }
    }

    /// How long the values of an operand are, on average.
    fn mean_bytes(self, side: Side, operand: usize) -> f64 {
        let rows = if side == Side::Left { &self.pairs.l } else { &self.pairs.r };
        let (codes, domain) = (&self.encoded.columns[operand].codes[..], self.encoded.domain(operand));
        let bytes = |at: &u32| {
            let code = codes[rows[*at as usize] as usize];
            domain.dictionary.get(code).map_or(0, <[u8]>::len)
        };
        self.selection.iter().map(bytes).sum::<usize>() as f64 / self.selection.len() as f64
    }
}
