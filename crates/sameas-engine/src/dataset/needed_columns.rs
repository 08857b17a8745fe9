//! Which columns some expressions need: of tables, derived ones, and ranks.

use std::collections::BTreeSet;

use super::dataset_input::DatasetInput;
use super::layout::RecordLayout;
use super::wanted_columns::wanted_names;
use crate::expr::{Expr, derived_key};
use crate::rules::{Derived, Ranking, RuleSet};

/// The columns that some expressions need, with those that these are made of.
pub struct NeededColumns {
    /// Columns of the tables, by input.
    pub columns: Vec<BTreeSet<String>>,
    /// Derived columns, by input and in the order of computation.
    pub derived: Vec<Vec<Derived>>,
    /// Ranks.
    pub rankings: Vec<Ranking>,
}

impl NeededColumns {
    /// What expressions need, each of the records of a frame. What rules do not read of an input is not needed of it: a
    /// condition on two records may be looked at for what it says of one of them.
    pub fn of_exprs<'e>(
        exprs: impl Iterator<Item = (usize, &'e Expr)>,
        rules: &RuleSet,
        layout: &RecordLayout,
        inputs: &[DatasetInput],
    ) -> Self {
        let mut names: Vec<BTreeSet<String>> = vec![BTreeSet::new(); layout.frames()];
        exprs.for_each(|(frame, expr)| add_columns(expr, &mut names[frame]));
        let is_needed = |ranking: &&Ranking| names.iter().any(|names| names.contains(&ranking.name));
        let rankings: Vec<Ranking> = rules.rankings.iter().filter(is_needed).cloned().collect();
        for ranking in &rankings {
            ranking.keys.iter().zip(&mut names).for_each(|(key, names)| add_columns(key, names));
        }
        let by_input = (0..inputs.len()).map(|input| names[layout.frame_of(input)].clone()).collect();
        let mut needed = Self::of_names(by_input, rankings, rules, inputs);
        for (input, columns) in needed.columns.iter_mut().enumerate() {
            let read = wanted_names(rules, input);
            columns.retain(|column| read.contains(column));
        }
        needed
    }

    /// Everything that rules read and, if whole records are to be shown, all columns that can be.
    pub fn of_rules(rules: &RuleSet, whole_records: bool, inputs: &[DatasetInput]) -> Self {
        let names = |(at, input): (usize, &DatasetInput)| {
            let mut names = wanted_names(rules, at);
            names.extend(input.shown_columns().filter(|_| whole_records).map(str::to_owned));
            names.extend(rules.derived[at].iter().map(|column| derived_key(&column.name)));
            names
        };
        let names = inputs.iter().enumerate().map(names).collect();
        Self::of_names(names, rules.rankings.clone(), rules, inputs)
    }

    /// The part of it that a rank is made of.
    pub fn of_rank(&self, ranking: &Ranking, layout: &RecordLayout) -> Self {
        let mut of_frames: Vec<BTreeSet<String>> = vec![BTreeSet::new(); layout.frames()];
        ranking.keys.iter().zip(&mut of_frames).for_each(|(key, names)| add_columns(key, names));
        let mut names: Vec<BTreeSet<String>> =
            (0..self.columns.len()).map(|input| of_frames[layout.frame_of(input)].clone()).collect();
        let derived = names.iter_mut().zip(&self.derived).map(|(names, all)| needed_derived(all, names)).collect();
        let columns = names.iter().zip(&self.columns).map(|(names, all)| names & all).collect();
        Self { columns, derived, rankings: Vec::new() }
    }

    fn of_names(
        mut names: Vec<BTreeSet<String>>,
        rankings: Vec<Ranking>,
        rules: &RuleSet,
        inputs: &[DatasetInput],
    ) -> Self {
        let derived = names.iter_mut().zip(&rules.derived).map(|(names, all)| needed_derived(all, names)).collect();
        let of_table = |(names, input): (BTreeSet<String>, &DatasetInput)| {
            let fields = input.schema.fields().iter().map(|field| field.name().clone());
            fields.filter(|name| names.contains(name)).collect()
        };
        Self { columns: names.into_iter().zip(inputs).map(of_table).collect(), derived, rankings }
    }
}

/// The derived columns among some names, with those that they are derived from; the names of what these read are added.
fn needed_derived(all: &[Derived], names: &mut BTreeSet<String>) -> Vec<Derived> {
    let mut needed = Vec::new();
    // A column is derived from those before it.
    for column in all.iter().rev() {
        if names.contains(&derived_key(&column.name)) {
            add_columns(&column.expr, names);
            needed.push(column.clone());
        }
    }
    needed.reverse();
    needed
}

fn add_columns(expr: &Expr, names: &mut BTreeSet<String>) {
    expr.each_column(&mut |_, name| {
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
    });
}
