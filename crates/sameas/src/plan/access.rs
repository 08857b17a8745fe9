//! The one decision list: from a conjunction to its access condition.

use crate::expr::Num;
use crate::rules::{Comparison, Conjunction, Literal};
use crate::verify::{Check, Program};

/// How a branch finds its candidates. Numbers name predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Conjunctions that share their candidates.
#[derive(Clone, Debug)]
pub struct Branch {
    /// How candidates are found.
    pub access: Access,
    /// Conditions on one record alone, which filter records before the join.
    pub filters: Vec<Literal>,
    /// The conjunctions decided here, in order.
    pub conjunctions: Vec<usize>,
}

/// All branches of a job, by their first conjunction.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The branches.
    pub branches: Vec<Branch>,
}

/// Gives every conjunction the branch of its access condition.
pub fn plan(program: &Program) -> Plan {
    let mut branches: Vec<Branch> = Vec::new();
    for (index, conjunction) in program.conjunctions.iter().enumerate() {
        let (access, filters) = (choose(conjunction, program), filters(conjunction, program));
        match branches.iter_mut().find(|b| b.access == access && b.filters == filters) {
            Some(branch) => branch.conjunctions.push(index),
            None => branches.push(Branch { access, filters, conjunctions: vec![index] }),
        }
    }
    Plan { branches }
}

/// From special to general; only positive literals enumerate. Equalities come first, then bands in which a record has
/// few partners. Among similarities, those with an index come before a wide band, which may hold most of the records,
/// and this before Jaro, which looks at all pairs of distinct values.
fn choose(conjunction: &Conjunction, program: &Program) -> Access {
    let wanted = |select: &dyn Fn(&Check) -> bool| -> Vec<usize> {
        let positive = conjunction.literals.iter().filter(|l| l.want && select(&program.checks[l.predicate]));
        let mut found: Vec<usize> = positive.map(|l| l.predicate).collect();
        found.sort_unstable();
        found
    };
    let equalities = wanted(&|check| matches!(check, Check::Equal { .. }));
    if !equalities.is_empty() {
        return Access::EquiJoin(equalities);
    }
    let first = |select: &dyn Fn(&Check) -> bool| wanted(select).first().copied();
    first(&|check| is_band(check) && is_narrow(check, program))
        .map(Access::Neighbourhood)
        .or_else(|| first(&is_set).map(Access::SetJoin))
        .or_else(|| first(&is_edit).map(Access::EditJoin))
        .or_else(|| first(&is_band).map(Access::Neighbourhood))
        .or_else(|| first(&is_jaro).map(Access::JaroJoin))
        .unwrap_or(Access::AllPairs)
}

/// A band in which a record has about this many partners or fewer is as good as an index.
const FEW_PARTNERS: f64 = 64.0;

/// Records of each side whose pairs are tried to tell a narrow band.
const SAMPLE: usize = 512;

/// Whether a band of numbers is narrow, by the share of a sample's pairs for which it holds. `neighbours` is such a band,
/// over ranks.
fn is_narrow(check: &Check, program: &Program) -> bool {
    let Check::Difference { operands, .. } = check else { return false };
    let encoded = &program.encoded;
    let sample = |operand: usize, offset: usize| -> Vec<Num> {
        let (codes, domain) = (&encoded.columns[operand].codes, encoded.domain(operand));
        let step = (codes.len() / SAMPLE).max(1);
        codes.iter().skip(offset % step).step_by(step).filter_map(|code| domain.number(*code)).collect()
    };
    // Different rows of the two sides, which may be one: a record is no partner of its own.
    let (left, right) = (sample(operands.left, 0), sample(operands.right, 1));
    let near = left.iter().map(|a| right.iter().filter(|b| check.holds_for_numbers(*a, **b)).count()).sum::<usize>();
    let share = near as f64 / (left.len() * right.len()).max(1) as f64;
    encoded.columns[operands.right].codes.len() as f64 * share <= FEW_PARTNERS
}

fn is_band(check: &Check) -> bool {
    matches!(check, Check::Difference { comparison: Comparison::Less | Comparison::LessEqual, .. })
}

/// Measures of sets rise with what the sets have in common, so only a lower bound joins.
fn is_set(check: &Check) -> bool {
    match check {
        Check::ListHasAny { .. } => true,
        Check::Set { comparison, .. } => matches!(comparison, Comparison::Greater | Comparison::GreaterEqual),
        _ => false,
    }
}

/// A bound on edits from above.
fn is_edit(check: &Check) -> bool {
    matches!(check, Check::Text { test, .. } if test.is_edit_bound())
}

fn is_jaro(check: &Check) -> bool {
    matches!(check, Check::Text { test, .. } if test.is_jaro_bound())
}

fn filters(conjunction: &Conjunction, program: &Program) -> Vec<Literal> {
    let one_sided = |l: &&Literal| matches!(program.checks[l.predicate], Check::OneSided { .. });
    let mut filters: Vec<Literal> = conjunction.literals.iter().filter(one_sided).copied().collect();
    filters.sort_unstable();
    filters
}

impl Branch {
    /// The literals that every candidate of this branch satisfies: its access condition.
    pub fn implied(&self) -> Vec<Literal> {
        let positive = self.access.predicates().iter().map(|predicate| Literal { predicate: *predicate, want: true });
        positive.chain(self.filters.iter().copied()).collect()
    }
}
