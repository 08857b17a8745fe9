//! Access conditions: what a join can enumerate of a conjunction.

use crate::rules::{Comparison, Conjunction, Literal};
use crate::verify::{Check, Program};

/// How a branch finds its candidates. Numbers name predicates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Equal composite keys, one part for each of these equalities.
    EquiJoin(Vec<usize>),
    /// Sets of tokens with enough in common.
    SetJoin(usize),
    /// Texts within some edits of each other.
    EditJoin(usize),
    /// Numbers, dates or ranks near each other.
    Neighbourhood(usize),
    /// Texts of at least some Jaro or Jaro-Winkler similarity.
    JaroJoin(usize),
    /// Every pair.
    AllPairs,
}

impl Access {
    /// The path of one predicate that must be true, if there is one. Measures of sets rise with what the sets have in
    /// common, so only a lower bound joins; edits and differences need an upper one.
    pub fn of(predicate: usize, check: &Check) -> Option<Self> {
        use Comparison::{Greater, GreaterEqual, Less, LessEqual};
        match check {
            Check::Equal { .. } => Some(Self::EquiJoin(vec![predicate])),
            Check::ListHasAny { .. } | Check::Set { comparison: Greater | GreaterEqual, .. } => {
                Some(Self::SetJoin(predicate))
            }
            Check::Text { test, .. } if test.is_edit_bound() => Some(Self::EditJoin(predicate)),
            Check::Text { test, .. } if test.is_jaro_bound() => Some(Self::JaroJoin(predicate)),
            Check::Difference { comparison: Less | LessEqual, .. } => Some(Self::Neighbourhood(predicate)),
            _ => None,
        }
    }

    /// The name of the path.
    pub fn name(&self) -> &'static str {
        match self {
            Self::EquiJoin(_) => "equi_join",
            Self::SetJoin(_) => "set_join",
            Self::EditJoin(_) => "edit_join",
            Self::Neighbourhood(_) => "neighbourhood",
            Self::JaroJoin(_) => "jaro_join",
            Self::AllPairs => "all_pairs",
        }
    }

    /// Whether distinct values are joined, and their pairs known only when they are.
    pub fn is_over_values(&self) -> bool {
        matches!(self, Self::SetJoin(_) | Self::EditJoin(_) | Self::JaroJoin(_))
    }

    /// The predicates it joins on.
    pub fn predicates(&self) -> &[usize] {
        match self {
            Self::EquiJoin(equalities) => equalities,
            Self::SetJoin(one) | Self::EditJoin(one) | Self::Neighbourhood(one) | Self::JaroJoin(one) => {
                std::slice::from_ref(one)
            }
            Self::AllPairs => &[],
        }
    }
}

/// An access path and the records that take part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// How candidates are found.
    pub access: Access,
    /// Conditions on one record alone, which filter records before the join.
    pub filters: Vec<Literal>,
}

impl Condition {
    /// The literals that every candidate satisfies.
    pub fn literals(&self) -> Vec<Literal> {
        let positive = self.access.predicates().iter().map(|predicate| Literal { predicate: *predicate, want: true });
        positive.chain(self.filters.iter().copied()).collect()
    }
}

/// The conditions of a conjunction on one record alone, in a fixed order.
pub fn filters(conjunction: &Conjunction, program: &Program) -> Vec<Literal> {
    let one_sided = |l: &&Literal| matches!(program.checks[l.predicate], Check::OneSided { .. });
    let mut filters: Vec<Literal> = conjunction.literals.iter().filter(one_sided).copied().collect();
    filters.sort_unstable();
    filters
}
