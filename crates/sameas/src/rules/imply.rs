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

/// The least value of a measure, and the greatest where it has one.
pub(in crate::rules) fn values_of_measure(measure: Function) -> (f64, Option<f64>) {
    Region::of_all(measure).ends()
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
            Test::Measure { measure, left, right, comparison, threshold } => {
                let regions = [false, true].map(|want| Region::of(*measure, *comparison, *threshold, want));
                Self::of_two(TestKind::Measure { measure: *measure, regions, ty: left.ty }, left, right, numbers)
            }
            Test::ListHasAny { left, right } => Self::of_two(TestKind::ListHasAny, left, right, numbers),
            Test::OneSided { side, condition } => {
                Self::of_one(one_sided(*side, condition, numbers), numbers.of(condition))
            }
            Test::SameSource => Self::of_one(TestKind::SameSource, 0),
            Test::Residual(expr) => {
                let facts = Self::of_one(TestKind::Residual, numbers.of(expr));
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
            operands: (numbers.of(left), numbers.of(right)),
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
        let (TestKind::Measure { measure: a, .. }, TestKind::Measure { measure: b, .. }) = (self.kind, other.kind)
        else {
            return false;
        };
        let (Some(here), Some(there)) = (self.region(want), other.region(other_want)) else { return false };
        self.operands == other.operands
            && match (a == b, order(a, b)) {
                (true, _) => here.is_within(there),
                (_, Some(MeasureOrder::NeverAbove)) => here.and_below(b).is_within(there),
                (_, Some(MeasureOrder::NeverBelow)) => here.and_above(b).is_within(there),
                (_, None) => false,
            }
    }

    /// All set measures have a value for the same pairs, two sets that are not empty, and are 0 exactly where nothing
    /// is common: a quotient of small integers does not vanish by rounding.
    fn implies_common_elements(&self, want: bool, other: &Self, other_want: bool) -> bool {
        let Some(common) = self.consequences[usize::from(want)].common else { return false };
        self.operands == other.operands
            && match other.kind {
                TestKind::ListHasAny => other_want == common,
                TestKind::Measure { measure, .. } if measure.is_set_measure() => {
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
            TestKind::Measure { measure, .. } if measure.is_text_measure() => {
                let of_itself = if is_distance(measure) { Num::Int(0) } else { Num::Int(1) };
                same_operands
                    && equal.never_empty
                    && other.region(other_want).is_some_and(|there| there.contains(of_itself))
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
            Self::Measure { measure, .. } if measure.is_set_measure() => match self.region(want)? {
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
            Self::Measure { measure, ty, .. } if is_distance(measure) || measure.is_edit_similarity() => {
                let of_equal = if is_distance(measure) { Num::Int(0) } else { Num::Int(1) };
                self.region(want)?.is_only(of_equal).then_some(EqualValues { never_empty: true, ty })
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
        Some((operand, null)) => TestKind::NullTest { side, operand: numbers.of(operand), null },
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

fn is_distance(measure: Function) -> bool {
    measure.is_edit_distance() || measure == Function::Hamming
}

/// How the values of a second measure compare with those of a first one.
enum MeasureOrder {
    NeverAbove,
    NeverBelow,
}

/// The order of `b` to `a` on the same operands, where `b` has a value wherever `a` has one.
///
/// - The optimal string alignment may do everything the Levenshtein distance may, and also swap neighbours; the
///   unrestricted distance may also edit between them. Substituting each differing place is one way to edit, so
///   Hamming is never below; it alone is null for texts of different lengths.
/// - The similarities reverse this: `1 - d / n` with one `n` falls as `d` grows, rounded or not.
/// - Jaro-Winkler adds something that is not negative to Jaro, or nothing, and a rounded sum is no less than its part.
/// - With i common elements of x and y: `x + y - i >= (x + y) / 2 >= min(x, y)`, since `i <= min(x, y)`. Each measure
///   is one correctly rounded division of integers, which keeps the order. The cosine rounds twice and is left out.
fn order(a: Function, b: Function) -> Option<MeasureOrder> {
    use Function as F;
    let place = |measure: F| match measure {
        F::DamerauLevenshtein => Some((0, 0)),
        F::Osa => Some((0, 1)),
        F::Levenshtein => Some((0, 2)),
        F::Hamming => Some((0, 3)),
        F::LevenshteinSimilarity => Some((1, 0)),
        F::OsaSimilarity => Some((1, 1)),
        F::DamerauSimilarity => Some((1, 2)),
        F::Jaro => Some((2, 0)),
        F::JaroWinkler => Some((2, 1)),
        F::Jaccard => Some((3, 0)),
        F::Dice => Some((3, 1)),
        F::OverlapCoefficient => Some((3, 2)),
        _ => None,
    };
    // Chains of measures, from the least to the greatest.
    let ((chain_a, at_a), (chain_b, at_b)) = (place(a)?, place(b)?);
    match (chain_a == chain_b && b != F::Hamming, at_b < at_a) {
        (true, true) => Some(MeasureOrder::NeverAbove),
        (true, false) => Some(MeasureOrder::NeverBelow),
        (false, _) => None,
    }
}
