//! Two comparisons that a model takes together, since they depend on each other: one whose levels are conjunctions of theirs.
//!
//! The first level that holds counts, so that each pair of outcomes has a level of its own:
//!
//! - `(a) and (b)`: a level of the first, and one of the second;
//! - `(a) and not (...)`: a level of the first, and none of the second; then `(a)`: the second is null;
//! - `not (...) and (b)`: none of the first, and a level of the second; then `(b)`: the first is null;
//! - none of one, while the other is null: without this level, all that is *null* in one of them would be null in both;
//! - *else*: none of both.
//!
//! A comparison is null where no level of it holds and one is null, which is where the disjunction of its levels is null. Where it
//! compares one column of each record as it is, that is where the column is missing, which is looked up and not computed.
//!
//! A model has the conditions of such a comparison and the names of the two (`combines`). Rules that have these two are
//! completed by it: it stands in the place of the first of them. Rules that have it already stay as they are.

use std::collections::BTreeSet;

use super::learned::{ComparisonModel, Model};
use super::training_warning::NotCombinedReason;
use crate::expr::{Expr, ExprKind, Function, Side, shown_name};
use crate::measure::TextMeasure;
use crate::rules::{CompareText, ComparisonRules, Literal, Origin, Predicate, RuleFile, RuleSet, Test, written_name};

/// Two comparisons taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CombinedComparison {
    /// Its name.
    pub name: String,
    /// The names of the two.
    pub of: [String; 2],
    /// The conditions of its levels.
    pub levels: Vec<String>,
}

impl CombinedComparison {
    /// Two comparisons of some rules, by their numbers, or why they stay apart.
    pub fn new(rules: &RuleSet, comparisons: [usize; 2]) -> Result<Self, NotCombinedReason> {
        let [first, second] = comparisons.map(|at| &rules.scoring.comparisons[at]);
        let apart = [first, second].into_iter().find_map(|of| reason_apart(of, rules));
        if let Some(reason) = apart {
            return Err(reason);
        }
        let texts = |of: &ComparisonRules| of.levels.iter().map(|level| level.text.clone()).collect::<Vec<String>>();
        let ([a, b], predicates) = ([texts(first), texts(second)], &rules.predicates);
        let mut levels = conjunctions(&a, &b);
        levels.extend(null_of(second, &b, predicates).map(|is_null| format!("{} and {is_null}", none_of(&a))));
        levels.extend(null_of(first, &a, predicates).map(|is_null| format!("{} and {is_null}", none_of(&b))));
        let name = format!("{} and {}", first.name, second.name);
        Ok(Self { name, of: [first.name.clone(), second.name.clone()], levels })
    }

    /// The same as a model has it; nothing where it is an ordinary comparison.
    fn of_model(comparison: &ComparisonModel) -> Option<Self> {
        let of = comparison.combines.clone()?;
        let levels = comparison.levels.iter().map(|level| level.when.clone()).collect::<Option<_>>()?;
        Some(Self { name: comparison.name.clone(), of, levels })
    }

    /// Takes two of some comparisons together, where both are there and are what it was made of. One with term frequencies is
    /// not: they would be lost.
    fn complete(&self, compares: &mut Vec<CompareText>) -> Option<()> {
        let place = |name: &String| compares.iter().position(|of| of.name.as_ref() == Some(name));
        let [first, second] = [place(&self.of[0])?, place(&self.of[1])?];
        if [first, second].iter().any(|at| compares[*at].term_frequency.is_some()) {
            return None;
        }
        let made = conjunctions(&texts(&compares[first]), &texts(&compares[second]));
        if first == second || made.is_empty() || !self.levels.starts_with(&made) || place(&self.name).is_some() {
            return None;
        }
        let at = compares[first].at.clone();
        let level = |(number, text): (usize, &String)| {
            let what = format!("comparison \"{}\", level {}", self.name, number + 1);
            Origin::without_file(&what, &at.place, text)
        };
        let levels = self.levels.iter().enumerate().map(level).collect();
        let (term_frequency, term_frequencies, weighted) = (None, None, None);
        let name = Some(self.name.clone());
        compares[first] = CompareText { name, at, levels, term_frequency, term_frequencies, weighted };
        compares.remove(second);
        Some(())
    }
}

impl RuleFile {
    /// The rules with some of their comparisons taken together, as far as they have them; nothing where none is.
    pub fn combined(&self, all: &[CombinedComparison]) -> Option<Self> {
        let mut compares = self.compares.clone();
        for (at, compare) in compares.iter_mut().enumerate() {
            compare.name = Some(compare.name_at(at));
        }
        let done = all.iter().filter_map(|of| of.complete(&mut compares)).count();
        (done > 0).then(|| {
            let mut completed = self.clone();
            completed.compares = compares;
            completed
        })
    }
}

impl Model {
    /// The rules as this model completes them; nothing where they stay as they are.
    pub fn completed(&self, rules: &RuleFile) -> Option<RuleFile> {
        let all: Vec<CombinedComparison> = self.comparisons.iter().filter_map(CombinedComparison::of_model).collect();
        if all.is_empty() { None } else { rules.combined(&all) }
    }
}

/// Why a comparison stays apart from every other one, if it does.
fn reason_apart(of: &ComparisonRules, rules: &RuleSet) -> Option<NotCombinedReason> {
    if of.term_frequency.is_some() {
        return Some(NotCombinedReason::TermFrequencies);
    }
    let reads_place = |literal: &Literal| {
        let mut reads = false;
        let is_place = |key: &str| rules.rankings.iter().any(|ranking| ranking.name == key);
        rules.predicates[literal.predicate].test.each_column(&mut |_, key| reads |= is_place(key));
        reads
    };
    if of.levels.iter().flat_map(|level| level.conjunctions.iter().flatten()).any(reads_place) {
        return Some(NotCombinedReason::Neighbours);
    }
    of.levels.iter().any(|level| level.text.contains("--")).then_some(NotCombinedReason::Comment)
}

/// The conditions of a comparison, as levels have them.
fn texts(of: &CompareText) -> Vec<String> {
    of.levels.iter().map(|level| level.text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The levels of two comparisons with a level of at least one of them; nothing where one has none.
fn conjunctions(a: &[String], b: &[String]) -> Vec<String> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut levels = Vec::new();
    for level in a {
        levels.extend(b.iter().map(|other| format!("({level}) and ({other})")));
        levels.extend([format!("({level}) and {}", none_of(b)), level.clone()]);
    }
    levels.extend(b.iter().flat_map(|other| [format!("{} and ({other})", none_of(a)), other.clone()]));
    levels
}

/// That no level of a comparison holds.
fn none_of(levels: &[String]) -> String {
    format!("not {}", any_of(levels))
}

/// That some level of a comparison holds; null where that is not known.
fn any_of(levels: &[String]) -> String {
    match levels {
        [level] => format!("({level})"),
        levels => format!("(({}))", levels.join(") or (")),
    }
}

/// That a comparison with these levels is null; nothing where it never is.
fn null_of(of: &ComparisonRules, levels: &[String], predicates: &[Predicate]) -> Option<String> {
    if of.levels.iter().all(|level| level.is_never_null) {
        return None;
    }
    Some(missing(of, predicates).unwrap_or_else(|| format!("({} is null)", any_of(levels))))
}

/// That a value is missing of the one column of each record that a comparison reads; nothing where it reads several, or is null
/// for other reasons, too.
fn missing(of: &ComparisonRules, predicates: &[Predicate]) -> Option<String> {
    let mut columns: BTreeSet<(bool, String)> = BTreeSet::new();
    for Literal { predicate, .. } in of.levels.iter().flat_map(|level| level.conjunctions.iter().flatten()) {
        let test = &predicates[*predicate].test;
        if !is_null_as_its_columns(test) {
            return None;
        }
        test.each_column(&mut |side, key| {
            columns.insert((side == Side::Right, shown_name(key).to_owned()));
        });
    }
    let columns: Vec<(bool, String)> = columns.into_iter().collect();
    match &columns[..] {
        [(false, left), (true, right)] => {
            Some(format!("(l.{} is null or r.{} is null)", written_name(left), written_name(right)))
        }
        _ => None,
    }
}

/// Whether a test is null exactly where one of the two columns that it compares is missing.
fn is_null_as_its_columns(test: &Test) -> bool {
    let are_columns = |two: [&Expr; 2]| two.iter().all(|of| matches!(of.kind, ExprKind::Column(..)));
    match test {
        Test::Equal { left, right, null_safe } => !null_safe && are_columns([left, right]),
        Test::Measure { measure: Function::Text(measure), left, right, .. } => {
            // Texts of two lengths have no Hamming distance.
            *measure != TextMeasure::Hamming && are_columns([left, right])
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::{DataType, Field, Schema};

    use super::super::learned::LevelModel;
    use super::*;
    use crate::rules::{LinkType, RuleSet, compile, input_columns};

    const RULES: &str = r#"
        [[compare]]
        name = "town"
        levels = ["l.town = r.town", "jaro_winkler(l.town, r.town) >= 0.9"]

        [[compare]]
        levels = ["l.zip = r.zip"]

        [[compare]]
        name = "name"
        levels = ["l.name = r.name"]

        [score]
        threshold = 0.9
    "#;

    fn compiled(rules: &RuleFile) -> RuleSet {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let schema = Schema::new(["id", "town", "zip", "name"].map(text).to_vec());
        let columns = input_columns(&schema, false);
        compile(rules, LinkType::DedupeOnly, [&columns, &columns]).unwrap()
    }

    fn town_and_zip() -> (RuleFile, CombinedComparison) {
        let rules = RuleFile::parse(RULES, "rules.toml").unwrap();
        let set = compiled(&rules);
        let combined = CombinedComparison::new(&set, [0, 1]).unwrap();
        (rules, combined)
    }

    #[test]
    fn each_two_outcomes_have_a_level_of_their_own() {
        let (rules, combined) = town_and_zip();
        assert_eq!((combined.name.as_str(), combined.levels.len()), ("town and compare_2", 10));
        assert_eq!(combined.levels[0], "(l.town = r.town) and (l.zip = r.zip)");
        assert_eq!(combined.levels[1], "(l.town = r.town) and not (l.zip = r.zip)");
        assert_eq!(combined.levels[2], "l.town = r.town");
        let neither = "not ((l.town = r.town) or (jaro_winkler(l.town, r.town) >= 0.9))";
        assert_eq!(combined.levels[6..8], [format!("{neither} and (l.zip = r.zip)"), "l.zip = r.zip".to_owned()]);
        assert_eq!(combined.levels[8], format!("{neither} and (l.zip is null or r.zip is null)"));
        assert_eq!(combined.levels[9], "not (l.zip = r.zip) and (l.town is null or r.town is null)");
        let set = compiled(&rules.combined(&[combined]).unwrap());
        let names: Vec<&str> = set.scoring.comparisons.iter().map(|of| of.name.as_str()).collect();
        assert_eq!(names, ["town and compare_2", "name"]);
    }

    #[test]
    fn what_levels_of_two_comparisons_do_not_have_keeps_them_apart() {
        let apart = |level: &str, more: &str| {
            let text = RULES.replace("\"l.zip = r.zip\"]", &format!("\"{level}\"]\n{more}"));
            CombinedComparison::new(&compiled(&RuleFile::parse(&text, "rules.toml").unwrap()), [0, 1]).unwrap_err()
        };
        assert_eq!(apart("l.zip = r.zip", "term_frequency = \"zip\""), NotCombinedReason::TermFrequencies);
        assert_eq!(apart("neighbours(l.zip, r.zip, 5)", ""), NotCombinedReason::Neighbours);
        assert_eq!(apart("l.zip = r.zip -- as written", ""), NotCombinedReason::Comment);
    }

    /// The last levels of two comparisons that are taken together: one of the two is null.
    fn null_levels(first: &str, second: &str) -> Vec<String> {
        let compare = |name: &str, level: &str| format!("[[compare]]\nname = \"{name}\"\nlevels = [\"{level}\"]\n");
        let rules = RuleFile::parse(&format!("{}{}", compare("a", first), compare("b", second)), "rules.toml").unwrap();
        let combined = CombinedComparison::new(&compiled(&rules), [0, 1]).unwrap();
        // They are conditions like others.
        compiled(&rules.combined(std::slice::from_ref(&combined)).unwrap());
        combined.levels[5..].to_vec()
    }

    #[test]
    fn a_comparison_of_several_columns_may_be_null_where_the_other_is_not() {
        let two = "l.zip = r.zip and l.name = r.name";
        assert_eq!(
            null_levels("l.town = r.town", two),
            [
                format!("not (l.town = r.town) and (({two}) is null)"),
                format!("not ({two}) and (l.town is null or r.town is null)"),
            ]
        );
        // One column, but not as it is; and texts of one length.
        for other in ["lower(l.zip) = lower(r.zip)", "hamming(l.zip, r.zip) <= 1"] {
            let expected = format!("not (l.town = r.town) and (({other}) is null)");
            assert_eq!(null_levels("l.town = r.town", other)[0], expected);
        }
        // What is never null has no such level.
        let known = "(l.zip = r.zip) is true";
        let town = "(l.town is null or r.town is null)";
        assert_eq!(null_levels("l.town = r.town", known), [format!("not ({known}) and {town}")]);
    }

    #[test]
    fn rules_are_completed_by_a_model_of_the_same_levels() {
        let (rules, combined) = town_and_zip();
        let level = |when: &String| LevelModel::new(Some(when), 0.05, 0.05);
        let levels = combined.levels.iter().map(level).collect();
        let mut taken = ComparisonModel::new(&combined.name, levels, LevelModel::new(None, 0.5, 0.5));
        taken.combines = Some(combined.of);
        let name = ComparisonModel::new("name", vec![LevelModel::new(None, 0.9, 0.1)], LevelModel::new(None, 0.1, 0.9));
        let model = Model::parse(&Model::new(0.01, vec![taken, name]).to_text(), "model.toml").unwrap();
        let completed = model.completed(&rules).unwrap();
        model.check(&compiled(&completed).scoring).unwrap();
        let refused = model.check(&compiled(&rules).scoring).unwrap_err();
        let why = "it takes `town` and `compare_2` together, whose levels in the rules are others";
        assert!(refused.message().contains(why), "{refused}");
        // Term frequencies that were added later would be lost.
        let counted = RULES.replace("r.zip\"]", "r.zip\"]\nterm_frequency = \"zip\"");
        let counted = RuleFile::parse(&counted, "rules.toml").unwrap();
        assert!(model.completed(&counted).is_none());
        let refused = model.check(&compiled(&counted).scoring).unwrap_err().to_string();
        let why = "it takes `town` and `compare_2` together, and `compare_2` has term frequencies in the rules";
        assert!(refused.contains(why) && refused.contains("leave out `term_frequency`"), "{refused}");
        // What it has already stays, and other levels are not those that were learned about.
        assert!(model.completed(&completed).is_none());
        let other = RuleFile::parse(&RULES.replace("0.9\"", "0.8\""), "rules.toml").unwrap();
        assert!(model.completed(&other).is_none());
    }
}
