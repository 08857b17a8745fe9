//! Several inputs: which derives each one has, and which columns all of them have.

use std::collections::HashSet;

use super::bind::{Column, ColumnIndex};
use super::derive::Derived;
use super::diagnostic::Report;
use super::nearest;
use super::rule_file::{DeriveText, RuleFile};
use crate::expr::{Expr, ExprKind, Side, Span, Type, derived_key};

/// The columns of an input.
#[derive(Clone, Copy, Debug)]
pub struct InputColumns<'a> {
    /// What `source_dataset` says of its records.
    pub name: &'a str,
    /// Its columns.
    pub columns: &'a [Column],
}

/// The derives of each input: those of all inputs, replaced by its own where they have the same name.
pub fn derives_by_input(file: &RuleFile, inputs: &[InputColumns<'_>], report: &mut Report) -> Vec<Vec<DeriveText>> {
    report_sides(file, inputs, report);
    report_unknown_inputs(file, inputs, report);
    let of_input = |(place, input): (usize, &InputColumns<'_>)| {
        // With one input, or more than two, both sides are the same.
        let common = &file.derive[if inputs.len() == 2 { place } else { 0 }];
        let Some(own) = file.derive_of.get(input.name) else { return common.clone() };
        let replaced: HashSet<&str> = own.iter().map(|derive| derive.name.as_str()).collect();
        let kept = common.iter().filter(|derive| !replaced.contains(derive.name.as_str()));
        kept.chain(own).cloned().collect()
    };
    inputs.iter().enumerate().map(of_input).collect()
}

/// Left and right are the sides of two inputs.
fn report_sides(file: &RuleFile, inputs: &[InputColumns<'_>], report: &mut Report) {
    if inputs.len() == 2 || !file.has_sided_derives() {
        return;
    }
    let (why, help) = match inputs.len() {
        0 | 1 => ("belong to a link; a dedupe has one input".to_owned(), "write `[derive]`".to_owned()),
        n => {
            let tables: Vec<String> = shown_names(inputs).map(|name| format!("`[derive.{name}]`")).collect();
            (format!("belong to a link of two inputs; this one has {n}"), format!("write {}", some(&tables, " or ")))
        }
    };
    report.add_plain(format!("`[derive.left]` and `[derive.right]` {why}\n  help: {help}"));
}

fn report_unknown_inputs(file: &RuleFile, inputs: &[InputColumns<'_>], report: &mut Report) {
    if file.derive_of.is_empty() {
        return;
    }
    let known: HashSet<&str> = inputs.iter().map(|input| input.name).collect();
    let shown: Vec<String> = shown_names(inputs).map(|name| format!("`{name}`")).collect();
    for name in file.derive_of.keys().filter(|name| !known.contains(name.as_str())) {
        let near = nearest(name, inputs.iter().map(|input| input.name));
        let near = near.map_or(String::new(), |near| format!("did you mean `[derive.{}]`? ", key(near)));
        let are = if shown.len() == 1 { "the input is" } else { "the inputs are" };
        report.add_plain(format!(
            "`[derive.{}]` is for no input of this job\n  help: {near}{are} {}",
            key(name),
            some(&shown, ", ")
        ));
    }
}

/// The most names of inputs in one message.
const MOST_NAMES: usize = 20;

/// These names, or the first of them where there are many.
fn some(names: &[String], between: &str) -> String {
    let shown = names[..names.len().min(MOST_NAMES)].join(between);
    let more = names.len().saturating_sub(MOST_NAMES);
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}

fn shown_names<'a>(inputs: &'a [InputColumns<'_>]) -> impl Iterator<Item = String> + 'a {
    inputs.iter().map(|input| key(input.name))
}

/// A name as TOML writes it in the head of a table, on one line.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name = crate::error::printable(name);
    if !name.is_empty() && name.chars().all(is_bare) { name } else { format!("\"{name}\"") }
}

/// `l` and `r` may each be of any input, so rules see the columns that all of them have, with one type. One that only
/// some inputs derive is derived in the others as well, as what it is there.
pub fn common_columns(names: &[&str], inputs: &[ColumnIndex], derived: &mut [Vec<Derived>]) -> ColumnIndex {
    let mut common = ColumnIndex::default();
    let mut known: HashSet<&str> = HashSet::new();
    for (place, input) in inputs.iter().enumerate() {
        for column in input.all().iter().filter(|column| known.insert(&column.name)) {
            match shared(column, place, names, inputs) {
                Ok(found) => common.push(under_one_key(&column.name, &found, derived)),
                Err((what, help)) => common.refuse(&column.name, what, help),
            }
        }
    }
    common
}

/// A column of one input in each of them, or why it is not in all and what to do. Every input is asked until one has it
/// not, so that the time is in proportion to the columns of all.
fn shared<'a>(
    column: &Column,
    of: usize,
    names: &[&str],
    inputs: &'a [ColumnIndex],
) -> Result<Vec<&'a Column>, (String, String)> {
    let name = &column.name;
    let lower = name.to_lowercase();
    let of_input = |(input, input_name): (&'a ColumnIndex, &&str)| {
        let Some(other) = input.named(&lower).find(|other| other.name == *name) else {
            return Err(lacking(name, input_name));
        };
        match (&column.ty, &other.ty) {
            // One whose derive is wrong fits everything: it has been reported.
            (Ok(Type::Null), Ok(_)) | (Ok(_), Ok(Type::Null)) => Ok(other),
            (Ok(x), Ok(y)) if x != y => Err(differing(name, [names[of], input_name], [x.name(), y.name()])),
            _ => Ok(other),
        }
    };
    inputs.iter().zip(names).map(of_input).collect()
}

/// The column that rules see, whose name in expressions is the same for all inputs.
fn under_one_key(name: &str, found: &[&Column], derived: &mut [Vec<Derived>]) -> Column {
    let unusable = found.iter().find(|column| column.ty.is_err());
    let column = Column { key: found[0].key.clone(), ..(*unusable.unwrap_or(&found[0])).clone() };
    let Ok(ty) = column.ty else { return column };
    if found.iter().all(|other| other.key == column.key) {
        return column;
    }
    let own = |key: &str| Expr { kind: ExprKind::Column(Side::Left, key.to_owned()), ty, span: Span::default() };
    for (other, derived) in found.iter().zip(derived).filter(|(other, _)| other.key == name) {
        derived.push(Derived { name: name.to_owned(), expr: own(&other.key) });
    }
    Column { key: derived_key(name), ..column }
}

fn lacking(column: &str, input: &str) -> (String, String) {
    (
        format!("not every input has a column `{column}`: `{input}` has none"),
        format!("rules see the columns that all inputs have; `[derive.{}]` can make one of that name", key(input)),
    )
}

fn differing(column: &str, inputs: [&str; 2], types: [&str; 2]) -> (String, String) {
    (
        format!("column `{column}` has two types: {} in `{}` and {} in `{}`", types[0], inputs[0], types[1], inputs[1]),
        format!(
            "make it of one type where it is another, as in `[derive.{}]` with `cast({column} as text)`",
            key(inputs[1])
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryBudget;
    use crate::rules::{LinkType, RuleSet, compile_within};

    /// Columns by name; those that begin with `n` are numbers.
    fn columns(names: &[&str]) -> Vec<Column> {
        let ty = |name: &str| Ok(if name.starts_with('n') { Type::Number } else { Type::Text });
        let column = |name: &&str| Column { name: (*name).into(), key: (*name).into(), ty: ty(name) };
        names.iter().map(column).collect()
    }

    fn compiled(link_type: LinkType, file: &RuleFile, inputs: &[(&str, &[&str])]) -> crate::error::Result<RuleSet> {
        let columns: Vec<Vec<Column>> = inputs.iter().map(|(_, names)| columns(names)).collect();
        let named = inputs.iter().zip(&columns).map(|((name, _), columns)| InputColumns { name, columns });
        compile_within(file, link_type, &named.collect::<Vec<_>>(), &MemoryBudget::unlimited(), None)
    }

    fn derives(text: &str) -> Vec<DeriveText> {
        RuleFile::parse(&format!("[derive]\n{text}\n[[rule]]\nwhen = \"l.a = r.a\"\n"), "j.toml").unwrap().derive[0]
            .clone()
    }

    fn rules(when: &str) -> RuleFile {
        let mut file = RuleFile::default();
        file.add_rule(when);
        file
    }

    const THREE: [(&str, &[&str]); 3] = [("a", &["x", "y"]), ("b", &["x", "z"]), ("c", &["x", "y"])];

    #[test]
    fn rules_see_what_all_inputs_have_and_say_who_lacks_the_rest() {
        let link = |when: &str| compiled(LinkType::LinkOnly, &rules(when), &THREE);
        assert_eq!(link("l.x = r.x").unwrap().derived.len(), 3);
        let error = link("l.y = r.x and l.Z = r.x").unwrap_err().to_string();
        assert!(error.contains("not every input has a column `y`: `b` has none"), "{error}");
        assert!(error.contains("not every input has a column `z`: `a` has none"), "{error}");
        assert!(error.contains("`[derive.b]` can make one of that name"), "{error}");
        let error = link("l.w = r.x").unwrap_err().to_string();
        assert!(error.contains("unknown column `l.w`"), "{error}");
    }

    #[test]
    fn a_column_of_two_types_names_both_inputs() {
        let mut file = rules("l.x = r.x");
        file.derive_of.insert("c".into(), derives("x = \"length(y)\""));
        let error = compiled(LinkType::LinkAndDedupe, &file, &THREE).unwrap_err().to_string();
        assert!(error.contains("column `x` has two types: text in `a` and a number in `c`"), "{error}");
        assert!(error.contains("`[derive.c]` with `cast(x as text)`"), "{error}");
    }

    #[test]
    fn an_input_has_its_own_derives_in_place_of_common_ones() {
        let mut file = rules("l.k = r.k");
        file.derive = [derives("k = \"lower(x)\""), derives("k = \"lower(x)\"")];
        file.derive_of.insert("b".into(), derives("k = \"upper(z)\""));
        for link_type in [LinkType::LinkOnly, LinkType::LinkAndDedupe] {
            let set = compiled(link_type, &file, &THREE).unwrap();
            let shown: Vec<String> = set.derived.iter().map(|d| format!("{} {:?}", d.len(), d[0].expr.kind)).collect();
            assert!(
                shown[1].starts_with("1 ") && shown[1].contains("Upper") && shown[2].contains("Lower"),
                "{shown:?}"
            );
        }
        let set = compiled(LinkType::LinkOnly, &file, &THREE[..2]).unwrap();
        assert!(set.has_two_sides() && format!("{:?}", set.derived[1][0].expr.kind).contains("Upper"));
    }

    #[test]
    fn names_that_are_no_input_and_sides_of_three_are_mistakes() {
        let mut file = rules("l.x = r.x");
        file.derive_of.insert("bb".into(), derives("x = \"lower(x)\""));
        let error = compiled(LinkType::LinkOnly, &file, &THREE).unwrap_err().to_string();
        assert!(error.contains("`[derive.bb]` is for no input of this job"), "{error}");
        assert!(error.contains("did you mean `[derive.b]`? the inputs are `a`, `b`, `c`"), "{error}");
        let mut file = rules("l.x = r.x");
        file.derive[0] = derives("x = \"lower(x)\"");
        let error = compiled(LinkType::LinkOnly, &file, &THREE).unwrap_err().to_string();
        assert!(error.contains("belong to a link of two inputs; this one has 3"), "{error}");
        assert!(error.contains("write `[derive.a]` or `[derive.b]` or `[derive.c]`"), "{error}");
        let error = compiled(LinkType::DedupeOnly, &file, &THREE[..1]).unwrap_err().to_string();
        assert!(error.contains("belong to a link; a dedupe has one input"), "{error}");
    }

    #[test]
    fn thousands_of_inputs_take_no_time_that_grows_with_their_square() {
        let names: Vec<String> = (0..4000).map(|at| format!("input {at}")).collect();
        let others: Vec<String> = (0..4000).map(|at| format!("only {at}")).collect();
        let lists: Vec<[&str; 2]> = others.iter().map(|other| ["x", other.as_str()]).collect();
        let inputs: Vec<(&str, &[&str])> =
            names.iter().zip(&lists).map(|(name, list)| (name.as_str(), &list[..])).collect();
        let begun = std::time::Instant::now();
        assert_eq!(compiled(LinkType::LinkOnly, &rules("l.x = r.x"), &inputs).unwrap().derived.len(), 4000);
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }
}
