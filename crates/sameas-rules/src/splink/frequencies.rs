//! Term frequencies: Splink says at each level which column adjusts it; a comparison of sameas has one such column.
//!
//! Where all levels that hold for equal values of one column are adjusted by it, the comparison has that column. Otherwise
//! each adjusted level gets a comparison of its own: its one level holds where the level counts, weighs nothing, and has
//! the adjustment. The score of a pair is a sum, so it is the same.

use super::comparison::{LevelTerms, TakenComparison, TakenLevel, spaced};
use super::note::{NotExpressible, NoteList};
use super::probabilities::LevelShares;
use super::term::{IS_NOT_TRUE, SqlTerm};
use crate::expr::Side;
use crate::model::{ComparisonModel, LevelModel};

/// An adjustment of one level.
#[derive(Clone, Debug, PartialEq)]
struct Adjustment {
    /// The place of the level among those that are no null level.
    level: usize,
    column: String,
    weight: f64,
    minimum: f64,
    /// The u of the level that says that both records have one value of the column.
    u: f64,
}

/// A comparison with the adjustments of its levels; `shares` is empty where the settings have no probabilities.
pub fn adjusted(
    mut plain: TakenComparison,
    terms: &LevelTerms<'_>,
    shares: &[LevelShares],
    notes: &mut NoteList,
) -> Vec<TakenComparison> {
    let adjustments = adjustments(terms, shares, notes);
    let Some(first) = adjustments.first() else { return vec![plain] };
    if is_of_one_column(&adjustments, terms, shares) {
        plain.term_frequency = Some(first.column.clone());
        if let Some(model) = &mut plain.model {
            model.term_frequency_weight = (first.weight != 1.0).then_some(first.weight);
            model.term_frequency_minimum = (first.minimum != 0.0).then_some(first.minimum);
        }
        return vec![plain];
    }
    let place = format!("comparison `{}`", terms.name);
    if plain.model.is_none() {
        let what = "its levels are adjusted by the term frequencies of several columns, or only some of them are";
        let next = "train the model in Splink, or give each column a comparison of its own";
        notes.not_taken(&place, NotExpressible::new(what, next));
        return vec![plain];
    }
    let what = "each of its levels with a term frequency is a comparison of its own, which weighs nothing but that";
    notes.differs(&place, what, "score by the model as it is: train it in Splink, not in sameas");
    let own = adjustments.iter().map(|adjustment| comparison_of(adjustment, terms));
    [plain].into_iter().chain(own).collect()
}

/// The adjustments that can be taken over; the others are noted.
fn adjustments(terms: &LevelTerms<'_>, shares: &[LevelShares], notes: &mut NoteList) -> Vec<Adjustment> {
    let mut found = Vec::new();
    for (at, level) in terms.levels.iter().enumerate() {
        let weight = level.tf_adjustment_weight.unwrap_or(1.0);
        let Some(column) = level.tf_adjustment_column.as_deref().filter(|_| weight != 0.0) else { continue };
        let column = column.trim_matches(['"', '`', '[', ']']).to_owned();
        let minimum = level.tf_minimum_u_value.unwrap_or(0.0);
        let own_u = shares.get(at).map_or(1.0, |shares| shares.u);
        let exact = terms.meant.iter().position(|term| is_equality(term, &column));
        let u = match exact {
            _ if level.disable_tf_exact_match_detection == Some(true) => Some(own_u),
            exact => exact.map(|exact| shares.get(exact).map_or(1.0, |shares| shares.u)),
        };
        let place = format!("comparison `{}`, level {}", terms.name, terms.numbers[at]);
        match u {
            Some(u) if implies_equality(&terms.meant[at], &column) => {
                found.push(Adjustment { level: at, column, weight, minimum, u });
            }
            Some(_) => {
                let what =
                    format!("the level holds for different values of `{column}`, and is adjusted by its frequency");
                let next = "adjust levels that hold for equal values only";
                notes.not_taken(&place, NotExpressible::new(what, next));
            }
            None => {
                let what = format!("no level says that `{column}` is equal, so its term frequency has no base");
                notes.not_taken(&place, NotExpressible::new(what, "add such a level in Splink"));
            }
        }
    }
    found
}

/// Whether sameas adjusts the same levels in the same way where the comparison has that column.
fn is_of_one_column(adjustments: &[Adjustment], terms: &LevelTerms<'_>, shares: &[LevelShares]) -> bool {
    let Some(first) = adjustments.first() else { return false };
    let is_same = |other: &Adjustment| Adjustment { level: first.level, ..other.clone() } == *first;
    let by_equality: Vec<usize> =
        (0..terms.meant.len()).filter(|at| implies_equality(&terms.meant[*at], &first.column)).collect();
    let base = by_equality.first().and_then(|at| shares.get(*at)).map_or(first.u, |shares| shares.u);
    adjustments.iter().all(is_same)
        && adjustments.iter().map(|of| of.level).eq(by_equality.iter().copied())
        && base == first.u
        && adjustments.iter().all(|of| terms.held[of.level] == terms.terms[of.level])
}

/// The comparison that has nothing but the adjustment of a level.
fn comparison_of(of: &Adjustment, terms: &LevelTerms<'_>) -> TakenComparison {
    let name = format!("{}, level {} by frequency of {}", terms.name, terms.numbers[of.level], of.column);
    let earlier = terms.meant[..of.level].iter().map(|earlier| earlier.clone().test(IS_NOT_TRUE));
    let text = SqlTerm::all([terms.held[of.level].clone()].into_iter().chain(earlier)).text();
    // Equal shares weigh nothing; u is what frequencies are compared with.
    let level = LevelModel::new(Some(&spaced(&text)), of.u, of.u);
    let mut model = ComparisonModel::new(&name, vec![level], LevelModel::new(None, 1.0, 1.0));
    model.term_frequency_weight = (of.weight != 1.0).then_some(of.weight);
    model.term_frequency_minimum = (of.minimum != 0.0).then_some(of.minimum);
    let levels = vec![TakenLevel { text, label: None }];
    TakenComparison { name, levels, term_frequency: Some(of.column.clone()), model: Some(model) }
}

/// Whether a condition holds for equal values of a column only.
fn implies_equality(condition: &SqlTerm, column: &str) -> bool {
    match condition {
        SqlTerm::And(parts) => parts.iter().any(|part| implies_equality(part, column)),
        SqlTerm::Or(parts) => parts.iter().all(|part| implies_equality(part, column)),
        other => is_equality(other, column),
    }
}

/// Whether a condition says that both records have one value of a column, and nothing else.
fn is_equality(condition: &SqlTerm, column: &str) -> bool {
    let SqlTerm::Infix("=", operands) = condition else { return false };
    let is_column = |term: &SqlTerm, side: Side| match term {
        SqlTerm::Column(of, name) => *of == side && name.eq_ignore_ascii_case(column),
        _ => false,
    };
    let [a, b] = &**operands;
    is_column(a, Side::Left) && is_column(b, Side::Right) || is_column(a, Side::Right) && is_column(b, Side::Left)
}
