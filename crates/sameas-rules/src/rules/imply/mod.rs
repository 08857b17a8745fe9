//! Which literals follow from which: proofs that hold for every pair of records, whatever the data.
//!
//! A literal is satisfied where its predicate is exactly true, or exactly false, as it requires; null satisfies
//! neither. Each proof therefore has to show that the second predicate has a value, and which. Where no proof is known
//! the answer is no, which costs work but never a pair.

mod operands;
mod region;

use super::predicate::Test;
use super::sums::conclusions;
use crate::expr::{Expr, ExprKind, Function, Num, Side, Type};
use crate::measure::facts::Highest;
use crate::measure::{MeasureFacts, SetForm};

pub(in crate::rules) use operands::ExprNumbers;
pub(in crate::rules) use operands::is_never_empty;
use operands::{made_of, needed_by};
use region::Region;

/// Whether, for every pair of records, `b` is `b_want` where `a` is `a_want`.
pub fn implies(a: &Test, a_want: bool, b: &Test, b_want: bool) -> bool {
    let mut numbers = ExprNumbers::default();
    let (a, b) = (PredicateFacts::new(a, &mut numbers), PredicateFacts::new(b, &mut numbers));
    a.implies(a_want, &b, b_want)
}

/// What a measure may be above 1 by rounding.
pub(in crate::rules) const ROUNDING: f64 = 1e-6;

/// The least value of a measure, and the greatest.
pub(in crate::rules) fn values_of_measure(facts: &MeasureFacts) -> (f64, f64) {
    let high = match facts.high {
        Highest::Unbounded => f64::INFINITY,
        Highest::One => 1.0,
        Highest::AboutOne => 1.0 + ROUNDING,
    };
    (0.0, high)
}

/// What the proofs need to know about a predicate, computed once.
pub(in crate::rules) struct PredicateFacts {
    kind: TestKind,
    /// Its two operands, or its one condition twice.
    operands: (u32, u32),
    /// What the operands are made of by the same function, where equal texts give equal operands.
    made_of: Vec<(u32, u32)>,
    /// What is not null in the left and the right record where the predicate has a value.
    needed: [Vec<u32>; 2],
    /// What follows where it is false, and where it is true.
    consequences: [Consequences; 2],
    /// What follows for the parts of a sum where it is false, and where it is true.
    of_parts: [Vec<PartFacts>; 2],
}

/// A condition that follows from another one on a sum.
struct PartFacts {
    test: Test,
    facts: PredicateFacts,
}

/// What follows from a literal, besides the test of its predicate.
#[derive(Clone, Copy, Default)]
struct Consequences {
    /// It holds for no pair.
    nothing: bool,
    /// Its operands are equal, and neither is null.
    equal: Option<EqualValues>,
    /// Its sets, neither of them empty, have elements in common, or have none.
    common: Option<bool>,
}

/// The predicates by what the proofs can do with them. There is one for each predicate of a job, so its size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy)]
enum TestKind {
    Equal {
        null_safe: bool,
        never_empty: bool,
        ty: Type,
    },
    Measure {
        measure: Function,
        /// The record whose value is the first argument, where that makes a difference.
        first: Side,
        regions: [Region; 2],
        ty: Type,
    },
    ListHasAny,
    /// `x is null` or `x is not null` of one record; `null` says which of the two.
    NullTest {
        side: Side,
        operand: u32,
        null: bool,
    },
    OneSided {
        side: Side,
    },
    SameSource,
    Residual,
}

impl PredicateFacts {
    /// The facts of a predicate. Facts of predicates that are to be compared share their `numbers`.
    pub(in crate::rules) fn new(test: &Test, numbers: &mut ExprNumbers) -> Self {
        match test {
            Test::Equal { left, right, null_safe } => {
                let never_empty = is_never_empty(left) || is_never_empty(right);
                Self::of_two(TestKind::Equal { null_safe: *null_safe, never_empty, ty: left.ty }, left, right, numbers)
            }
            Test::Measure { measure, first, left, right, comparison, threshold } => {
                let regions = [false, true].map(|want| Region::of_comparison(*measure, *comparison, *threshold, want));
                let kind = TestKind::Measure { measure: *measure, first: *first, regions, ty: left.ty };
                Self::of_two(kind, left, right, numbers)
            }
            Test::ListHasAny { left, right } => Self::of_two(TestKind::ListHasAny, left, right, numbers),
            Test::OneSided { side, condition } => {
                Self::of_one(one_sided(*side, condition, numbers), numbers.number(condition))
            }
            Test::SameSource => Self::of_one(TestKind::SameSource, 0),
            Test::Residual(expr) => {
                let facts = Self::of_one(TestKind::Residual, numbers.number(expr));
                Self { of_parts: [false, true].map(|want| parts(expr, want, numbers)), ..facts }
            }
        }
    }

    fn of_two(kind: TestKind, left: &Expr, right: &Expr, numbers: &mut ExprNumbers) -> Self {
        let mut needed = [Vec::new(), Vec::new()];
        // Of two nulls a null-safe comparison is true; every other predicate is null of a null.
        if !matches!(kind, TestKind::Equal { null_safe: true, .. }) {
            needed_by(left, numbers, &mut needed[0]);
            needed_by(right, numbers, &mut needed[1]);
        }
        let consequences = [false, true].map(|want| kind.consequences(want));
        Self {
            kind,
            operands: (numbers.number(left), numbers.number(right)),
            made_of: made_of(left, right, numbers),
            needed,
            consequences,
            of_parts: Default::default(),
        }
    }

    fn of_one(kind: TestKind, condition: u32) -> Self {
        let needed = [Vec::new(), Vec::new()];
        Self {
            kind,
            operands: (condition, condition),
            made_of: Vec::new(),
            needed,
            consequences: [Consequences::default(); 2],
            of_parts: Default::default(),
        }
    }

    /// Whether this is a test for null, which any predicate that reads the value can imply.
    pub(in crate::rules) fn is_null_test(&self) -> bool {
        matches!(self.kind, TestKind::NullTest { .. })
    }

    /// Whether, for every pair of records, `other` is `other_want` where this is `want`.
    pub(in crate::rules) fn implies(&self, want: bool, other: &Self, other_want: bool) -> bool {
        self.is_same(want, other, other_want)
            // A literal that no pair satisfies implies everything.
            || self.consequences[usize::from(want)].nothing
            || self.implies_measure(want, other, other_want)
            || self.implies_common_elements(want, other, other_want)
            || self.implies_by_equality(want, other, other_want)
            || self.implies_not_null(other, other_want)
            || self.of_parts[usize::from(want)].iter().any(|part| part.facts.implies(true, other, other_want))
    }

    /// The conditions on parts of a sum that follow from it, as it is wanted.
    pub(in crate::rules) fn tests_of_parts(&self) -> impl Iterator<Item = &Test> {
        self.of_parts.iter().flatten().map(|part| &part.test)
    }

    /// The same predicate, with the same value required.
    fn is_same(&self, want: bool, other: &Self, other_want: bool) -> bool {
        let same_kind = match (self.kind, other.kind) {
            (TestKind::Equal { null_safe: a, .. }, TestKind::Equal { null_safe: b, .. }) => a == b,
            // One is true where the other is false, and neither is ever null.
            (TestKind::NullTest { side, operand, null }, TestKind::NullTest { side: s, operand: o, null: n }) => {
                return side == s && operand == o && (want == null) == (other_want == n);
            }
            (TestKind::OneSided { side: a }, TestKind::OneSided { side: b }) => a == b,
            (TestKind::ListHasAny, TestKind::ListHasAny)
            | (TestKind::SameSource, TestKind::SameSource)
            | (TestKind::Residual, TestKind::Residual) => true,
            _ => false,
        };
        same_kind && self.operands == other.operands && want == other_want
    }

    /// Two bounds on one measure, or on two of which one is never above the other.
    fn implies_measure(&self, want: bool, other: &Self, other_want: bool) -> bool {
        let (TestKind::Measure { measure: a, first, .. }, TestKind::Measure { measure: b, first: other_first, .. }) =
            (self.kind, other.kind)
        else {
            return false;
        };
        let (Some(here), Some(there)) = (self.region(want), other.region(other_want)) else { return false };
        self.operands == other.operands
            && first == other_first
            && match (a == b, order(a, b)) {
                (true, _) => here.is_within(there),
                (_, Some(MeasureOrder::NeverAbove)) => here.and_below(b).is_within(there),
                (_, Some(MeasureOrder::NeverBelow)) => here.and_above(b).is_within(there),
                (_, None) => false,
            }
    }

    /// Formulas of what two sets have in common have a value for the same pairs, two sets that are not empty, and are 0
    /// exactly where nothing is common.
    fn implies_common_elements(&self, want: bool, other: &Self, other_want: bool) -> bool {
        let Some(common) = self.consequences[usize::from(want)].common else { return false };
        self.operands == other.operands
            && match other.kind {
                TestKind::ListHasAny => other_want == common,
                TestKind::Measure { measure, .. } if tells_common(measure) => {
                    other.region(other_want).is_some_and(|there| {
                        if common { Region::above_zero(measure).is_within(there) } else { there.contains(Num::Int(0)) }
                    })
                }
                _ => false,
            }
    }

    /// What is true of two equal values, and of what is made of two equal texts.
    fn implies_by_equality(&self, want: bool, other: &Self, other_want: bool) -> bool {
        // Two values that differ are two values: they are also distinct.
        if let (TestKind::Equal { null_safe: false, .. }, TestKind::Equal { .. }) = (self.kind, other.kind)
            && !want
        {
            return !other_want && self.operands == other.operands;
        }
        let Some(equal) = self.consequences[usize::from(want)].equal else { return false };
        let same_operands = self.operands == other.operands;
        let made_of_equal = same_operands || (equal.ty == Type::Text && other.made_of.contains(&self.operands));
        match other.kind {
            // Equal texts give equal values, none of them null: the functions are total.
            TestKind::Equal { .. } => other_want && made_of_equal,
            // Equal numbers are one integer or have one float between them; equal dates are one day. They differ by 0.
            TestKind::Measure { measure: Function::Abs, ty: Type::Number | Type::Decimal | Type::Date, .. } => {
                made_of_equal && other.region(other_want).is_some_and(|there| there.contains(Num::Int(0)))
            }
            // Of a text and itself each measure has one value, provided that the text is not empty.
            TestKind::Measure { measure: Function::Text(measure), .. } => {
                let of_equals = Num::from(measure.of_equals());
                same_operands
                    && equal.never_empty
                    && other.region(other_want).is_some_and(|there| there.contains(of_equals))
            }
            _ => false,
        }
    }

    /// A predicate with a value has operands that are not null.
    fn implies_not_null(&self, other: &Self, other_want: bool) -> bool {
        match other.kind {
            TestKind::NullTest { side, operand, null } => {
                other_want != null && self.needed[usize::from(side == Side::Right)].contains(&operand)
            }
            _ => false,
        }
    }

    fn region(&self, want: bool) -> Option<&Region> {
        self.kind.region(want)
    }
}

impl TestKind {
    fn region(&self, want: bool) -> Option<&Region> {
        match self {
            Self::Measure { regions, .. } => Some(&regions[usize::from(want)]),
            _ => None,
        }
    }

    fn consequences(&self, want: bool) -> Consequences {
        let nothing = self.region(want).is_some_and(Region::is_empty);
        Consequences { nothing, equal: self.equal_values(want), common: self.common_elements(want) }
    }

    /// Whether the two sets have elements in common, where the literal says so.
    fn common_elements(&self, want: bool) -> Option<bool> {
        match *self {
            Self::ListHasAny => Some(want),
            Self::Measure { measure, .. } if tells_common(measure) => match self.region(want)? {
                region if !region.contains(Num::Int(0)) => Some(true),
                region if region.is_only(Num::Int(0)) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the literal says that the two operands are equal, and neither null.
    fn equal_values(&self, want: bool) -> Option<EqualValues> {
        match *self {
            Self::Equal { null_safe: false, never_empty, ty } if want => Some(EqualValues { never_empty, ty }),
            // No edit and no differing place, or all of similarity 1, which less than 2^53 characters cannot round to.
            // Measures have values for texts that are not empty only.
            Self::Measure { measure: Function::Text(measure), ty, .. } if measure.facts().tells_equality => {
                let of_equals = Num::from(measure.of_equals());
                self.region(want)?.is_only(of_equals).then_some(EqualValues { never_empty: true, ty })
            }
            _ => None,
        }
    }
}

/// Two equal values.
#[derive(Clone, Copy)]
struct EqualValues {
    /// They are not empty texts.
    never_empty: bool,
    ty: Type,
}

/// What follows from a condition on a sum that is `want`.
fn parts(expr: &Expr, want: bool, numbers: &mut ExprNumbers) -> Vec<PartFacts> {
    let part = |test: Test| PartFacts { facts: PredicateFacts::new(&test, numbers), test };
    conclusions(expr, want).into_iter().map(|conclusion| conclusion.test).map(part).collect()
}

fn one_sided(side: Side, condition: &Expr, numbers: &mut ExprNumbers) -> TestKind {
    match null_test(condition) {
        Some((operand, null)) => TestKind::NullTest { side, operand: numbers.number(operand), null },
        None => TestKind::OneSided { side },
    }
}

/// What is tested for null, and whether it is to be null. Such a test is never null itself, so `not` inverts it.
fn null_test(condition: &Expr) -> Option<(&Expr, bool)> {
    match &condition.kind {
        ExprKind::Call(Function::IsNull, args) => Some((&args[0], true)),
        ExprKind::Call(Function::IsNotNull, args) => Some((&args[0], false)),
        ExprKind::Call(Function::Not, args) => null_test(&args[0]).map(|(operand, null)| (operand, !null)),
        _ => None,
    }
}

/// Whether a measure is 0 exactly where two sets have nothing in common.
#[deny(clippy::wildcard_enum_match_arm)]
fn tells_common(measure: Function) -> bool {
    let Function::Set(measure) = measure else { return false };
    match measure.form() {
        SetForm::Shared(_) => true,
        SetForm::BestMatches(_) => false,
    }
}

/// How the values of a second measure compare with those of a first one.
enum MeasureOrder {
    NeverAbove,
    NeverBelow,
}

/// The order of `b` to `a` on the same operands, where `b` has a value wherever `a` has one: that of their places in a chain,
/// for which the facts of each give the reason.
fn order(a: Function, b: Function) -> Option<MeasureOrder> {
    let (a, b) = (a.measure()?, b.measure()?);
    let (of_a, of_b) = (a.place?, b.place?);
    match (of_a.chain == of_b.chain && !b.has_more_nulls, of_b.at < of_a.at) {
        (true, true) => Some(MeasureOrder::NeverAbove),
        (true, false) => Some(MeasureOrder::NeverBelow),
        (false, _) => None,
    }
}
