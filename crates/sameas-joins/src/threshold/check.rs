//! A predicate over encoded columns: what it reads, and what must hold of it.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use crate::expr::{Expr, ExprKind, Num, Side};
use crate::measure::{SetFormula, TextMeasure};
use crate::rules::Comparison;

use super::element_test::ElementTest;
use super::text_filter::TextFilter;
use super::text_test::TextTest;

/// A three-valued verdict, or that none has been given yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Truth {
    /// Not evaluated.
    #[default]
    Unknown,
    /// False.
    False,
    /// True.
    True,
    /// Neither: a value is missing.
    Null,
}

impl From<Option<bool>> for Truth {
    #[inline]
    fn from(value: Option<bool>) -> Self {
        match value {
            Some(true) => Self::True,
            Some(false) => Self::False,
            None => Self::Null,
        }
    }
}

impl From<bool> for Truth {
    #[inline]
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

/// Operands of the left and the right record.
#[derive(Clone, Copy, Debug)]
pub struct Sides<T> {
    /// Of the left record.
    pub left: T,
    /// Of the right record.
    pub right: T,
}

/// A predicate over encoded columns. Numbers name operands and token sets of
/// [`Encoded`](crate::records::encode::Encoded).
#[derive(Clone, Debug)]
pub enum Check {
    /// Codes are equal.
    Equal {
        /// Operands.
        operands: Sides<usize>,
        /// Two nulls are equal.
        null_safe: bool,
    },
    /// A condition on one record, answered before.
    OneSided {
        /// Which record.
        side: Side,
        /// Verdicts by row; none before the check is one of records.
        verdicts: Arc<Vec<Truth>>,
    },
    /// A measure of two texts.
    Text {
        /// Operands, of one domain with recoded texts.
        operands: Sides<usize>,
        /// The threshold.
        test: TextTest,
        /// The measure.
        measure: TextMeasure,
        /// What the signatures of two texts must allow.
        filter: TextFilter,
    },
    /// A measure of what two sets share.
    Set {
        /// Operands.
        operands: Sides<usize>,
        /// Their token sets.
        tokens: Sides<usize>,
        /// What is made of their sizes and of what they share.
        formula: SetFormula,
        /// How its value is compared.
        comparison: Comparison,
        /// With what.
        threshold: Num,
    },
    /// A measure of two sets by the texts of their elements.
    Elements {
        /// Operands.
        operands: Sides<usize>,
        /// Their token sets, which have the texts of their elements.
        tokens: Sides<usize>,
        /// The record whose set is the first argument.
        first: Side,
        /// The threshold.
        test: ElementTest,
    },
    /// Two sets share an element.
    ListHasAny {
        /// Operands.
        operands: Sides<usize>,
        /// Their token sets.
        tokens: Sides<usize>,
    },
    /// The absolute difference of two numbers or dates.
    Difference {
        /// Operands.
        operands: Sides<usize>,
        /// How it is compared.
        comparison: Comparison,
        /// With what.
        threshold: Num,
    },
    /// No border between two inputs lies between the rows.
    SameSource {
        /// First rows of the inputs after the first, ascending; none before the check is one of records.
        borders: Vec<u32>,
    },
    /// Any other condition.
    Residual {
        /// The condition, over operands.
        expr: Expr,
    },
}

impl Check {
    /// The two operands it compares, where it compares values.
    pub fn operands(&self) -> Option<Sides<usize>> {
        match self {
            Self::Equal { operands, .. }
            | Self::Text { operands, .. }
            | Self::Set { operands, .. }
            | Self::Elements { operands, .. }
            | Self::ListHasAny { operands, .. }
            | Self::Difference { operands, .. } => Some(*operands),
            Self::OneSided { .. } | Self::SameSource { .. } | Self::Residual { .. } => None,
        }
    }

    /// The operands that it computes with, where it is an expression of two records.
    pub fn computed_operands(&self) -> Vec<usize> {
        fn collect(expr: &Expr, operands: &mut Vec<usize>) {
            match &expr.kind {
                ExprKind::Operand(_, operand) => operands.push(*operand),
                ExprKind::Call(_, args) => args.iter().for_each(|arg| collect(arg, operands)),
                ExprKind::Column(..) | ExprKind::Literal(_) => {}
            }
        }
        let mut operands = Vec::new();
        if let Self::Residual { expr } = self {
            collect(expr, &mut operands);
        }
        operands
    }

    /// Whether a value stands for the same thing on both sides: two sides may make other sets of one value, and a measure may
    /// distinguish its arguments.
    pub fn has_one_value_list(&self) -> bool {
        match self {
            Self::Set { tokens, .. } | Self::ListHasAny { tokens, .. } => tokens.left == tokens.right,
            Self::Elements { .. } => false,
            Self::Equal { .. } | Self::OneSided { .. } | Self::Text { .. } => true,
            Self::Difference { .. } | Self::SameSource { .. } | Self::Residual { .. } => true,
        }
    }

    /// The sets of tokens it compares, where it compares sets.
    pub fn tokens(&self) -> Option<Sides<usize>> {
        match self {
            Self::Set { tokens, .. } | Self::Elements { tokens, .. } | Self::ListHasAny { tokens, .. } => Some(*tokens),
            Self::Equal { .. } | Self::OneSided { .. } | Self::Text { .. } => None,
            Self::Difference { .. } | Self::SameSource { .. } | Self::Residual { .. } => None,
        }
    }

    /// The verdict on two numbers, where the check is one on the difference of numbers.
    pub fn holds_for_numbers(&self, a: Num, b: Num) -> bool {
        let Self::Difference { comparison, threshold, .. } = self else { return false };
        difference(Some(a), Some(b)).is_some_and(|value| comparison.holds(value, *threshold))
    }

    /// The verdict on two sets with `common` elements in common, where the check is one on what sets share.
    pub fn holds_for_sets(&self, common: usize, x: usize, y: usize) -> bool {
        match self {
            Self::Set { formula, comparison, threshold, .. } => {
                comparison.holds(formula.value(common, x, y).into(), *threshold)
            }
            Self::ListHasAny { .. } => common > 0,
            Self::Equal { .. }
            | Self::OneSided { .. }
            | Self::Text { .. }
            | Self::Elements { .. }
            | Self::Difference { .. }
            | Self::SameSource { .. }
            | Self::Residual { .. } => unreachable!("this does not depend on how much two sets share"),
        }
    }
}

/// The absolute difference as the expression `abs(a - b)` computes it: null where a number is, and on overflow.
#[inline]
pub(crate) fn difference(a: Option<Num>, b: Option<Num>) -> Option<Num> {
    a?.distance(b?)
}
