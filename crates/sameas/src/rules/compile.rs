//! Compiles a rule file and the columns of the inputs to a rule set that the engine can run.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use super::bind::{Binder, Column, ColumnIndex, Ranking, Scope};
use super::derive::{Derived, bind_derives};
use super::diagnostic::{Diagnostic, Report};
use super::near::{LoosenedCondition, NearRules, near_rules};
use super::normal_form::{NormalForm, as_set, without_repeats};
use super::predicate::{Literal, Predicate, Predicates};
use super::predicate_text::exchanged;
use super::rule_file::{DeriveText, LinkType, RuleFile, RuleText};
use super::stack::on_a_deep_stack;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{Expr, SOURCE_DATASET, Span, Type, derived_key};

/// Literals that must all be satisfied.
#[derive(Clone, Debug)]
pub struct Conjunction {
    /// The rule (or `never` rule) it is part of.
    pub rule: usize,
    /// What must hold, in the order of writing.
    pub literals: Vec<Literal>,
}

/// A rule by name.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, the `match_key` of its pairs.
    pub name: String,
    /// Whether the user has named it; else it is `rule_N` or `never_N`.
    pub named: bool,
    /// How the user wrote it.
    pub text: String,
    /// Its conjunctions.
    pub conjunctions: Range<usize>,
    /// Whether exchanging the records changes its meaning, so that each pair is looked at both ways round.
    pub both_ways: bool,
}

/// Everything a run needs to know about its rules, checked against the inputs' columns.
///
/// A pair is a result if a conjunction of `conjunctions` holds and none of `nevers`; it belongs to the first
/// that holds. In a dedupe the left record is the earlier row, and conjunctions of both orientations are listed.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// Derived columns of the left (or only) and the right input that rules use, in the order of computation.
    pub derived: [Vec<Derived>; 2],
    /// Names of derived columns that no rule uses, and that are not computed.
    pub unused_derived: Vec<String>,
    /// Rankings used by `neighbours`.
    pub rankings: Vec<Ranking>,
    /// The distinct predicates.
    pub predicates: Vec<Predicate>,
    /// The rules in order, and after them the near rules.
    pub rules: Vec<Rule>,
    /// All conjunctions of the rules, rule by rule.
    pub conjunctions: Vec<Conjunction>,
    /// The `never` rules in order.
    pub nevers: Vec<Rule>,
    /// All conjunctions of the `never` rules.
    pub never_conjunctions: Vec<Conjunction>,
    /// What is loosened in each near rule.
    pub near: Vec<LoosenedCondition>,
}

/// Checks a rule file against the columns of the inputs (for a dedupe both are the same) and compiles it.
/// All mistakes are reported at once.
pub fn compile(file: &RuleFile, link_type: LinkType, inputs: [&[Column]; 2]) -> Result<RuleSet> {
    compile_with_near(file, link_type, inputs, None)
}

/// As [`compile`], with near rules whose thresholds are loosened by this amount, if one is given.
pub fn compile_with_near(
    file: &RuleFile,
    link_type: LinkType,
    inputs: [&[Column]; 2],
    near: Option<f64>,
) -> Result<RuleSet> {
    on_a_deep_stack(|| compile_here(file, link_type, inputs, near))
}

fn compile_here(
    file: &RuleFile,
    link_type: LinkType,
    inputs: [&[Column]; 2],
    near: Option<f64>,
) -> Result<RuleSet> {
    let names = file.rule_names()?;
    let mut report = Report::default();
    if link_type == LinkType::DedupeOnly && file.has_sided_derives() {
        report.add_plain(
            "`[derive.left]` and `[derive.right]` belong to a link; a dedupe has one input\n  help: write `[derive]`",
        );
    }
    let (derived, columns) = derive_sides(file, link_type, inputs, &mut report);
    let scope = match &columns[..] {
        [left, right] => Scope::Pair([left, right], link_type != LinkType::LinkOnly),
        both => Scope::Pair([&both[0], &both[0]], true),
    };
    let mut compiler =
        RuleCompiler { link_type, scope, predicates: Predicates::new(near), rankings: Vec::new(), report };
    let never_names: Vec<String> = (1..=file.nevers.len()).map(|i| format!("never_{i}")).collect();
    let never_names: Vec<String> =
        file.nevers.iter().zip(never_names).map(|(never, name)| never.name.clone().unwrap_or(name)).collect();
    let (mut rules, mut conjunctions) = compiler.rules(&file.rules, &names);
    let (nevers, never_conjunctions) = compiler.rules(&file.nevers, &never_names);
    let RuleCompiler { mut predicates, rankings, report, .. } = compiler;
    report.into_result()?;
    if rules.is_empty() {
        return Err(Error::rules("there is no rule")
            .with_code(ErrorCode::NoRules)
            .with_help("give a rule file or a condition"));
    }
    let near = match near {
        Some(_) => near_rules(&rules, &conjunctions, &mut predicates, link_type)?,
        None => NearRules::default(),
    };
    rules.extend(near.rules);
    conjunctions.extend(near.conjunctions);
    let mut set = RuleSet {
        link_type,
        derived,
        unused_derived: Vec::new(),
        rankings,
        predicates: predicates.into_vec(),
        rules,
        conjunctions,
        nevers,
        never_conjunctions,
        near: near.conditions,
    };
    drop_unused_predicates(&mut set);
    drop_unused_derived(&mut set);
    Ok(set)
}

impl RuleFile {
    /// Checks what can be checked without the inputs: everything but the names and types of columns.
    pub fn check_syntax(&self) -> Result<()> {
        on_a_deep_stack(|| self.check_syntax_here())
    }

    fn check_syntax_here(&self) -> Result<()> {
        self.rule_names()?;
        let mut report = Report::default();
        let left: HashSet<_> = self.derive[0].iter().map(DeriveText::identity).collect();
        let derives = self.derive[0].iter().chain(self.derive[1].iter().filter(|d| !left.contains(&d.identity())));
        for text in derives {
            let mut binder = Binder::new(&text.origin.text, &Scope::AnyRecord);
            binder.expression();
            report.add(&text.origin, &binder.diagnostics);
        }
        for rule in self.rules.iter().chain(&self.nevers) {
            let mut binder = Binder::new(&rule.origin.text, &Scope::AnyPair);
            binder.condition();
            report.add(&rule.origin, &binder.diagnostics);
        }
        report.into_result()
    }
}

/// Derived columns, and the columns that rules see: for each side, or once where both see the same.
fn derive_sides(
    file: &RuleFile,
    link_type: LinkType,
    inputs: [&[Column]; 2],
    report: &mut Report,
) -> ([Vec<Derived>; 2], Vec<ColumnIndex>) {
    let (left, left_columns) = bind_derives(&file.derive[0], inputs[0], report);
    if link_type == LinkType::DedupeOnly {
        return ([left, Vec::new()], vec![left_columns]);
    }
    let (right, right_columns) = bind_derives(&file.derive[1], inputs[1], report);
    if link_type == LinkType::LinkAndDedupe {
        return ([left, right], vec![common_columns(&left_columns, &right_columns)]);
    }
    ([left, right], vec![left_columns, right_columns])
}

/// `l` and `r` may each be of either input, so rules see the columns that both have.
fn common_columns(left: &ColumnIndex, right: &ColumnIndex) -> ColumnIndex {
    let in_both = |a: &Column| {
        let b = right.named(&a.name.to_lowercase()).find(|b| b.name == a.name)?;
        let ty = match (&a.ty, &b.ty) {
            (Ok(x), Ok(y)) if x == y => Ok(*x),
            (Ok(x), Ok(y)) => Err(format!("it is {} in one input and {} in the other", x.name(), y.name())),
            (Err(reason), _) | (_, Err(reason)) => Err(reason.clone()),
        };
        Some(Column { name: a.name.clone(), key: a.key.clone(), ty })
    };
    left.all().iter().filter_map(in_both).collect()
}

struct RuleCompiler<'a> {
    link_type: LinkType,
    scope: Scope<'a>,
    predicates: Predicates,
    rankings: Vec<Ranking>,
    report: Report,
}

impl RuleCompiler<'_> {
    fn rules(&mut self, texts: &[RuleText], names: &[String]) -> (Vec<Rule>, Vec<Conjunction>) {
        let mut rules = Vec::with_capacity(texts.len());
        let mut all = Vec::new();
        for (rule, (text, name)) in texts.iter().zip(names).enumerate() {
            let start = all.len();
            let (own, both_ways) = self.rule(text, name);
            all.extend(own.into_iter().map(|literals| Conjunction { rule, literals }));
            let shown = text.origin.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (name, named) = (name.clone(), text.name.is_some());
            rules.push(Rule { name, named, text: shown, conjunctions: start..all.len(), both_ways });
        }
        (rules, all)
    }

    /// The conjunctions of a rule, and whether they are of both orientations.
    fn rule(&mut self, text: &RuleText, name: &str) -> (Vec<Vec<Literal>>, bool) {
        let mut origin = text.origin.clone();
        if text.name.is_none() {
            origin.what = format!("{} \"{name}\"", origin.what);
        }
        let mut binder = Binder::new(&origin.text, &self.scope);
        let condition = binder.condition();
        for ranking in binder.rankings {
            if !self.rankings.iter().any(|known| known.name == ranking.name) {
                self.rankings.push(ranking);
            }
        }
        self.report.add(&origin, &binder.diagnostics);
        let Some(condition) = condition else { return (Vec::new(), false) };
        let (conjunctions, both_ways) = self.orientations(&condition, &origin.text);
        if conjunctions.is_empty() {
            let whole = Span { start: 0, end: origin.text.trim_end().len() };
            let never = Diagnostic::new(whole, "this condition can never hold: it requires something and its opposite");
            self.report.add(&origin, &[never.with_help("see which parts of it exclude each other")]);
        }
        (conjunctions, both_ways)
    }

    /// In a dedupe a pair satisfies R(a, b) or R(b, a). Where exchanging the records changes nothing, one form is
    /// enough; otherwise both are listed. Across two inputs only (left, right) counts.
    fn orientations(&mut self, condition: &Expr, text: &str) -> (Vec<Vec<Literal>>, bool) {
        let mut form = NormalForm { predicates: &mut self.predicates, text };
        let straight = form.of(condition);
        if self.link_type == LinkType::LinkOnly {
            return (straight, false);
        }
        let exchanged_text = exchanged(text);
        let mut form = NormalForm { predicates: &mut self.predicates, text: &exchanged_text };
        let mirrored = form.of(&condition.swapped());
        if same_conjunctions(&straight, &mirrored) {
            return (straight, false);
        }
        let same_source = (self.link_type == LinkType::LinkAndDedupe).then(|| self.predicates.same_source());
        let mirrored = mirrored.into_iter().map(|literals| literals.into_iter().chain(same_source).collect());
        (without_repeats(straight.into_iter().chain(mirrored).collect()), true)
    }
}

fn same_conjunctions(a: &[Vec<Literal>], b: &[Vec<Literal>]) -> bool {
    let sets = |c: &[Vec<Literal>]| {
        let mut sets: Vec<Vec<Literal>> = c.iter().map(|l| as_set(l)).collect();
        sets.sort();
        sets
    };
    sets(a) == sets(b)
}

/// Predicates that no conjunction uses, such as those named only by an `or` that is kept as one step, would be encoded
/// for nothing.
fn drop_unused_predicates(set: &mut RuleSet) {
    let mut place: Vec<Option<usize>> = vec![None; set.predicates.len()];
    let mut kept = Vec::new();
    for conjunction in set.conjunctions.iter_mut().chain(&mut set.never_conjunctions) {
        for literal in &mut conjunction.literals {
            let old = literal.predicate;
            literal.predicate = *place[old].get_or_insert_with(|| {
                kept.push(set.predicates[old].clone());
                kept.len() - 1
            });
        }
    }
    set.predicates = kept;
}

/// Derived columns that neither a rule nor a used derived column reads.
fn drop_unused_derived(set: &mut RuleSet) {
    let mut read: BTreeSet<String> = BTreeSet::new();
    let of_predicates = set.predicates.iter().flat_map(|p| p.test.exprs());
    let of_rankings = set.rankings.iter().flat_map(|r| &r.keys);
    of_predicates.chain(of_rankings).for_each(|expr| collect_columns(expr, &mut read));
    let mut unused: BTreeSet<String> = BTreeSet::new();
    for derived in &mut set.derived {
        let mut read = read.clone();
        let mut kept = Vec::with_capacity(derived.len());
        // A column is computed after those it reads; from the last to the first, its readers are known when it is
        // reached.
        for column in std::mem::take(derived).into_iter().rev() {
            if read.contains(&derived_key(&column.name)) {
                collect_columns(&column.expr, &mut read);
                kept.push(column);
            } else {
                unused.insert(column.name);
            }
        }
        kept.reverse();
        *derived = kept;
    }
    set.unused_derived = unused.into_iter().collect();
}

fn collect_columns(expr: &Expr, columns: &mut BTreeSet<String>) {
    expr.each_column(&mut |_, key| {
        columns.insert(key.to_owned());
    });
}

/// The columns of an input that rules may name; `source_dataset` is one where there are two inputs.
pub fn input_columns(schema: &arrow_schema::Schema, with_source: bool) -> Vec<Column> {
    let of_field = |field: &arrow_schema::FieldRef| Column {
        name: field.name().clone(),
        key: field.name().clone(),
        ty: crate::expr::type_of(field.data_type()).ok_or_else(|| format!("it holds {}", field.data_type())),
    };
    let mut columns: Vec<Column> = schema.fields().iter().map(of_field).collect();
    if with_source {
        columns.retain(|c| c.name != SOURCE_DATASET);
        columns.push(Column { name: SOURCE_DATASET.into(), key: derived_key(SOURCE_DATASET), ty: Ok(Type::Text) });
    }
    columns
}
