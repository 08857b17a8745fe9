//! Compiles a rule file and the columns of the inputs to a rule set that the engine can run.

use std::collections::{BTreeSet, HashMap};

use super::bind::{Binder, Column, ColumnIndex, Ranking, Scope, Unusable};
use super::columns_of_inputs::{InputColumns, common_columns, derives_by_input};
use super::derive::{Derived, bind_derives};
use super::diagnostic::{Diagnostic, Origin, Report};
use super::doubt::{self, Doubt, Role};
use super::list_file::ListFiles;
use super::near::{NearRules, near_rules};
use super::normal_form::{NormalForm, as_set, contradicts_itself, is_never_null, without_repeats};
use super::predicate::{Literal, Predicates};
use super::predicate_text::exchanged;
use super::rule_file::{DeriveText, EntryText, LinkType, RuleFile, RuleText};
use super::rule_set::{Conjunction, LevelRule, Rule, RuleSet, has_two_sides};
use super::stack::on_a_deep_stack;
use super::text_reading::TextReadings;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{Expr, SOURCE_DATASET, Side, Type, derived_key, repetition};
use crate::memory::MemoryBudget;

/// As [`compile_within`], with one input for a dedupe (both are the same) and two without names otherwise, and without near
/// rules.
pub fn compile(file: &RuleFile, link_type: LinkType, inputs: [&[Column]; 2]) -> Result<RuleSet> {
    let [left, right] = inputs;
    let input = |name, columns| InputColumns { name, columns };
    let budget = MemoryBudget::unlimited();
    match link_type {
        LinkType::DedupeOnly => compile_within(file, link_type, &[input("", left)], &budget, None),
        _ => compile_within(file, link_type, &[input("left", left), input("right", right)], &budget, None),
    }
}

/// Checks a rule file against the columns of the inputs and compiles it. All mistakes are reported at once. The memory of
/// the files that rules read is counted. With an amount, near rules are added whose thresholds are loosened by it.
pub fn compile_within(
    file: &RuleFile,
    link_type: LinkType,
    inputs: &[InputColumns<'_>],
    budget: &MemoryBudget,
    near: Option<f64>,
) -> Result<RuleSet> {
    let lists = ListFiles::new(budget).made_in(file.folder_made_in());
    on_a_deep_stack(|| compile_here(file, link_type, inputs, lists, near))
}

fn compile_here(
    file: &RuleFile,
    link_type: LinkType,
    inputs: &[InputColumns<'_>],
    lists: ListFiles<'_>,
    near: Option<f64>,
) -> Result<RuleSet> {
    file.check_combinations()?;
    let mut report = Report::default();
    let names = file.names(&mut report);
    file.add_scoring_mistakes(&mut report);
    file.add_cluster_mistakes(&mut report);
    let mut readings = TextReadings::default();
    let (derived, columns) = derive_all(file, link_type, inputs, &lists, &mut report, &mut readings);
    let scope = match &columns[..] {
        [left, right] => Scope::Pair([left, right], false),
        all => Scope::Pair([&all[0], &all[0]], true),
    };
    let mut compiler = RuleCompiler {
        file,
        lists: &lists,
        link_type,
        scope,
        predicates: Predicates::new(near),
        rankings: Vec::new(),
        values: Vec::new(),
        known_values: HashMap::new(),
        report,
        readings,
    };
    let never_names: Vec<String> = (1..=file.nevers.len()).map(|i| format!("never_{i}")).collect();
    let never_names: Vec<String> =
        file.nevers.iter().zip(never_names).map(|(never, name)| never.name.clone().unwrap_or(name)).collect();
    let (texts, names) = certain_first(&file.rules, names);
    let (mut rules, mut conjunctions) = compiler.rules(&texts, &names, Role::Rule);
    let (nevers, never_conjunctions) = compiler.rules(&file.nevers, &never_names, Role::Never);
    let scoring = compiler.scoring();
    let columns = compiler.pair_columns(&scoring);
    let limits = compiler.limits();
    let RuleCompiler { mut predicates, rankings, values, report, readings, .. } = compiler;
    let doubts = report.into_result()?;
    if rules.is_empty() && scoring.is_empty() && file.score.pairs.is_none() {
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
    let (predicates, joinable) = predicates.into_parts();
    let (lists, named_lists) = lists.into_groups();
    let mut set = RuleSet {
        link_type,
        derived,
        unused_derived: Vec::new(),
        rankings,
        predicates,
        rules,
        conjunctions,
        nevers,
        never_conjunctions,
        near: near.conditions,
        doubts,
        readings: readings.into_vec(),
        lists,
        named_lists,
        shadowed_nevers: Vec::new(),
        scoring,
        values,
        columns,
        limits,
    };
    drop_unused_predicates(&mut set, &joinable);
    drop_unused_derived(&mut set);
    Ok(set)
}

impl RuleFile {
    /// Checks what can be checked without the inputs: everything but the names and types of columns. No file that the
    /// rules name is read. Gives the conditions that are likely mistakes.
    pub fn check_syntax(&self) -> Result<Vec<Doubt>> {
        self.check_combinations()?;
        let mut report = Report::default();
        self.names(&mut report);
        self.add_scoring_mistakes(&mut report);
        self.add_cluster_mistakes(&mut report);
        self.add_syntax_mistakes(&mut report)?;
        report.into_result()
    }

    /// Adds the mistakes in the SQL of the file.
    pub(super) fn add_syntax_mistakes(&self, report: &mut Report) -> Result<()> {
        on_a_deep_stack(|| {
            let of_entities = self.entity.entries.iter().flat_map(EntryText::expressions);
            let of_records = self.all_derives().map(|text| &text.origin).chain(&self.clusters.limits);
            for origin in of_records.chain(of_entities) {
                let mut binder = Binder::new(&origin.text, &Scope::AnyRecord);
                let bound = binder.expression();
                report.add(origin, &binder.diagnostics);
                let doubts = bound.iter().flat_map(|expr| doubt::of_expression(expr, &origin.text));
                report.add_doubts(origin, binder.doubts.into_iter().chain(doubts));
            }
            let rules = self
                .rules
                .iter()
                .chain(&self.train.rules)
                .chain(&self.train.deterministic)
                .map(|rule| (&rule.origin, Role::Rule));
            let of_weighted = self.compares.iter().filter_map(|compare| compare.weighted.as_ref());
            let levels = self.compares.iter().flat_map(|compare| &compare.levels);
            let levels = levels.chain(of_weighted.clone().filter_map(|of| of.within.as_ref()));
            let levels = levels.map(|level| (level, Role::Rule));
            let expressions = of_weighted.map(|of| &of.similarity).chain(self.columns.iter().map(|of| &of.origin));
            for origin in expressions {
                let mut binder = Binder::new(&origin.text, &Scope::AnyPair);
                let bound = binder.expression();
                report.add(origin, &binder.diagnostics);
                let doubts = bound.iter().flat_map(|expr| doubt::of_expression(expr, &origin.text));
                report.add_doubts(origin, binder.doubts.into_iter().chain(doubts));
            }
            let nevers = self.nevers.iter().map(|never| (&never.origin, Role::Never));
            for (origin, role) in rules.chain(levels).chain(nevers) {
                let mut binder = Binder::new(&origin.text, &Scope::AnyPair);
                let bound = binder.condition();
                report.add(origin, &binder.diagnostics);
                let doubts = bound.iter().flat_map(|expr| doubt::of_condition(expr, &origin.text, role));
                report.add_doubts(origin, binder.doubts.into_iter().chain(doubts));
            }
            Ok(())
        })
    }
}

/// The derived columns of each input, and the columns that rules see: of both sides, or once where both see the same.
fn derive_all(
    file: &RuleFile,
    link_type: LinkType,
    inputs: &[InputColumns<'_>],
    lists: &ListFiles<'_>,
    report: &mut Report,
    readings: &mut TextReadings,
) -> (Vec<Vec<Derived>>, Vec<ColumnIndex>) {
    let texts = derives_by_input(file, inputs, report);
    // A mistake in what all inputs derive is one in each of many: one is enough.
    let mut enough = Report::default();
    let bind = |(texts, input): (&Vec<DeriveText>, &InputColumns<'_>)| {
        let report = if inputs.len() > 2 && !report.is_empty() { &mut enough } else { &mut *report };
        bind_derives(file, texts, input.columns, lists, report)
    };
    let (mut derived, columns): (Vec<_>, Vec<_>) = texts.iter().zip(inputs).map(bind).unzip();
    for (at, (texts, derived)) in texts.iter().zip(&derived).enumerate() {
        let is_right = at == 1 && has_two_sides(link_type, inputs.len());
        add_readings(texts, derived, if is_right { Side::Right } else { Side::Left }, readings);
    }
    if columns.len() == 1 || has_two_sides(link_type, columns.len()) {
        return (derived, columns);
    }
    let names: Vec<&str> = inputs.iter().map(|input| input.name).collect();
    let common = common_columns(&names, &columns, &mut derived);
    (derived, vec![common])
}

fn add_readings(texts: &[DeriveText], derived: &[Derived], side: Side, readings: &mut TextReadings) {
    let by_name: HashMap<&str, &DeriveText> = texts.iter().map(|text| (text.name.as_str(), text)).collect();
    for column in derived {
        if let Some(text) = by_name.get(column.name.as_str()) {
            readings.add(&column.expr, Some(side), &text.origin);
        }
    }
}

pub(super) struct RuleCompiler<'a> {
    pub(super) file: &'a RuleFile,
    lists: &'a ListFiles<'a>,
    link_type: LinkType,
    scope: Scope<'a>,
    pub(super) predicates: Predicates,
    rankings: Vec<Ranking>,
    values: Vec<Expr>,
    /// Their numbers, by type and canonical text.
    known_values: HashMap<String, usize>,
    pub(super) report: Report,
    readings: TextReadings,
}

impl RuleCompiler<'_> {
    pub(super) fn rules(&mut self, texts: &[RuleText], names: &[String], role: Role) -> (Vec<Rule>, Vec<Conjunction>) {
        let mut rules = Vec::with_capacity(texts.len());
        let mut all = Vec::new();
        for (rule, (text, name)) in texts.iter().zip(names).enumerate() {
            let start = all.len();
            let origin = origin_of(text, name);
            let (own, both_ways) = self.rule(&origin, role);
            all.extend(own.into_iter().map(|literals| Conjunction { rule, literals }));
            let shown = text.origin.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (name, named, is_certain) = (name.clone(), text.name.is_some(), text.is_certain);
            rules.push(Rule {
                name,
                named,
                text: shown,
                conjunctions: start..all.len(),
                both_ways,
                origin,
                is_certain,
            });
        }
        (rules, all)
    }

    /// An expression of two records.
    pub(super) fn expression(&mut self, origin: &Origin) -> Option<Expr> {
        let lists = self.lists.near(self.file.folder_of(origin));
        let mut binder = Binder::new(&origin.text, &self.scope).with_lists(lists);
        let bound = binder.expression();
        add_rankings(&mut self.rankings, binder.rankings);
        self.report.add(origin, &binder.diagnostics);
        let bound = bound?;
        let doubts = binder.doubts.into_iter().chain(doubt::of_expression(&bound, &origin.text));
        self.report.add_doubts(origin, doubts);
        self.readings.add(&bound, None, origin);
        Some(bound)
    }

    /// An expression of one record, over the columns of the left and of the right one.
    pub(super) fn of_each_record(&mut self, origin: &Origin) -> Option<[Expr; 2]> {
        let Scope::Pair([left, right], is_one_table) = self.scope else { return None };
        let bound = self.of_record(origin, left, Side::Left)?;
        let right = if is_one_table { bound.clone() } else { self.of_record(origin, right, Side::Right)? };
        Some([bound, right])
    }

    fn of_record(&mut self, origin: &Origin, columns: &ColumnIndex, side: Side) -> Option<Expr> {
        let (none, lists) = (ColumnIndex::default(), self.lists.near(self.file.folder_of(origin)));
        let scope = Scope::Record { columns, input: &none, own: "" };
        let mut binder = Binder::new(&origin.text, &scope).with_lists(lists);
        let bound = binder.expression();
        self.report.add(origin, &binder.diagnostics);
        let bound = bound?;
        let doubts = binder.doubts.into_iter().chain(doubt::of_expression(&bound, &origin.text));
        self.report.add_doubts(origin, doubts);
        self.readings.add(&bound, Some(side), origin);
        Some(bound)
    }

    /// The conjunctions of a condition that nobody wrote, made of expressions that were written beside `origin`; nothing
    /// where it is constant.
    pub(super) fn made_condition(&mut self, text: &str, origin: &Origin) -> Option<Vec<Vec<Literal>>> {
        let lists = self.lists.near(self.file.folder_of(origin));
        let mut binder = Binder::new(text, &self.scope).with_lists(lists);
        let condition = binder.condition()?;
        add_rankings(&mut self.rankings, binder.rankings);
        Some(self.orientations(&condition, text, false).0)
    }

    /// The number of a value of pairs that is asked for.
    pub(super) fn value(&mut self, expr: Expr) -> usize {
        let values = &mut self.values;
        *self.known_values.entry(format!("{:?} {}", expr.ty, expr.canonical())).or_insert_with(|| {
            values.push(expr);
            values.len() - 1
        })
    }

    /// Whether the two records of a pair may be exchanged.
    pub(super) fn has_one_kind_of_record(&self) -> bool {
        self.link_type != LinkType::LinkOnly
    }

    /// What must hold of two records that may be exchanged, where that is not so of all.
    pub(super) fn same_source(&mut self) -> Option<Literal> {
        (self.link_type == LinkType::LinkAndDedupe).then(|| self.predicates.same_source())
    }

    /// The conjunctions of a rule, and whether they are of both orientations.
    pub(super) fn rule(&mut self, origin: &Origin, role: Role) -> (Vec<Vec<Literal>>, bool) {
        let Some(condition) = self.condition(origin, role) else { return (Vec::new(), false) };
        let (conjunctions, both_ways) = self.orientations(&condition, &origin.text, false);
        self.report_impossible(origin, conjunctions.is_empty());
        (conjunctions, both_ways)
    }

    /// A condition whose nulls count, too, with its text.
    pub(super) fn level_of(&mut self, origin: &Origin, text: String) -> LevelRule {
        let Some(condition) = self.condition(origin, Role::Rule) else { return LevelRule::default() };
        let (mut conjunctions, _) = self.orientations(&condition, &origin.text, true);
        conjunctions.sort_by_key(|literals| contradicts_itself(literals));
        let (ways, _) = self.orientations(&condition, &origin.text, false);
        self.report_impossible(origin, ways.is_empty());
        LevelRule { text, conjunctions, ways, is_never_null: is_never_null(&condition), has_term_frequency: false }
    }

    /// The condition that a text is; its mistakes and doubts are reported.
    fn condition(&mut self, origin: &Origin, role: Role) -> Option<Expr> {
        let lists = self.lists.near(self.file.folder_of(origin));
        let mut binder = Binder::new(&origin.text, &self.scope).with_lists(lists);
        let condition = binder.condition();
        add_rankings(&mut self.rankings, binder.rankings);
        self.report.add(origin, &binder.diagnostics);
        let condition = condition?;
        let doubts = binder.doubts.into_iter().chain(doubt::of_condition(&condition, &origin.text, role));
        self.report.add_doubts(origin, doubts);
        self.readings.add(&condition, None, origin);
        Some(condition)
    }

    fn report_impossible(&mut self, origin: &Origin, is_impossible: bool) {
        if is_impossible {
            let never = Diagnostic::new(
                origin.whole(),
                "this condition can never hold: it requires something and its opposite",
            );
            self.report.add(origin, &[never.with_help("see which parts of it exclude each other")]);
        }
    }

    /// In a dedupe a pair satisfies R(a, b) or R(b, a). Where exchanging the records changes nothing, one form is
    /// enough; otherwise both are listed. Across inputs only (earlier input, later input) counts. `is_whole` says whether
    /// conjunctions that contradict themselves are listed, too.
    fn orientations(&mut self, condition: &Expr, text: &str, is_whole: bool) -> (Vec<Vec<Literal>>, bool) {
        let mut form = NormalForm { predicates: &mut self.predicates, text, is_whole };
        let straight = form.conjunctions(condition);
        if self.link_type == LinkType::LinkOnly {
            return (straight, false);
        }
        let exchanged_text = exchanged(text);
        let mut form = NormalForm { predicates: &mut self.predicates, text: &exchanged_text, is_whole };
        let mirrored = form.conjunctions(&condition.swapped());
        if same_conjunctions(&straight, &mirrored) {
            return (straight, false);
        }
        let same_source = self.same_source();
        let mirrored = mirrored.into_iter().map(|literals| literals.into_iter().chain(same_source).collect());
        (without_repeats(straight.into_iter().chain(mirrored).collect()), true)
    }
}

fn add_rankings(known: &mut Vec<Ranking>, more: Vec<Ranking>) {
    for ranking in more {
        if !known.iter().any(|known| known.name == ranking.name) {
            known.push(ranking);
        }
    }
}

/// The rules with their names, certain ones first: a pair belongs to the first rule that holds, and one that a certain rule
/// gives needs no score.
fn certain_first(rules: &[RuleText], names: Vec<String>) -> (Vec<RuleText>, Vec<String>) {
    let mut named: Vec<(RuleText, String)> = rules.iter().cloned().zip(names).collect();
    named.sort_by_key(|(rule, _)| !rule.is_certain);
    named.into_iter().unzip()
}

/// Where a rule was written, with the name it has.
fn origin_of(text: &RuleText, name: &str) -> Origin {
    let mut origin = text.origin.clone();
    if text.name.is_none() {
        origin.what = format!("{} \"{name}\"", origin.what);
    }
    origin
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
/// for nothing. What can be joined on where a literal of a rule holds is used.
fn drop_unused_predicates(set: &mut RuleSet, joinable: &HashMap<Literal, Vec<usize>>) {
    let mut place: Vec<Option<usize>> = vec![None; set.predicates.len()];
    let mut kept = Vec::new();
    let of_rules = set.conjunctions.iter().flat_map(|conjunction| &conjunction.literals);
    let to_join: Vec<usize> = of_rules.filter_map(|literal| joinable.get(literal)).flatten().copied().collect();
    let of_rules = set.conjunctions.iter_mut().chain(&mut set.never_conjunctions);
    for literal in of_rules.flat_map(|conjunction| &mut conjunction.literals).chain(set.scoring.literals_mut()) {
        let old = literal.predicate;
        literal.predicate = *place[old].get_or_insert_with(|| {
            kept.push(set.predicates[old].clone());
            kept.len() - 1
        });
    }
    for comparison in &mut set.scoring.comparisons {
        comparison.term_frequency = comparison.term_frequency.and_then(|old| place[old]);
    }
    for old in to_join {
        place[old].get_or_insert_with(|| {
            kept.push(set.predicates[old].clone());
            kept.len() - 1
        });
    }
    for limit in &mut set.limits {
        let old = *limit;
        *limit = *place[old].get_or_insert_with(|| {
            kept.push(set.predicates[old].clone());
            kept.len() - 1
        });
    }
    set.predicates = kept;
}

/// Derived columns that neither a rule nor a used derived column reads.
fn drop_unused_derived(set: &mut RuleSet) {
    let mut read: BTreeSet<String> = BTreeSet::new();
    let of_predicates = set.predicates.iter().flat_map(|p| p.test.exprs());
    let of_rankings = set.rankings.iter().flat_map(|r| &r.keys);
    of_predicates.chain(of_rankings).chain(&set.values).for_each(|expr| collect_columns(expr, &mut read));
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

/// The columns of an input that rules may name; `source_dataset` is one where there are several inputs.
pub fn input_columns(schema: &arrow_schema::Schema, with_source: bool) -> Vec<Column> {
    let of_field = |field: &arrow_schema::FieldRef| Column {
        name: field.name().clone(),
        key: field.name().clone(),
        ty: match repetition(field) {
            Some(places) => Err(Unusable::Repeated(places.to_owned())),
            None => crate::expr::type_of(field.data_type())
                .ok_or_else(|| Unusable::Type(format!("it holds {}", field.data_type()))),
        },
    };
    let mut columns: Vec<Column> = schema.fields().iter().map(of_field).collect();
    if with_source {
        columns.retain(|c| c.name != SOURCE_DATASET);
        columns.push(Column { name: SOURCE_DATASET.into(), key: derived_key(SOURCE_DATASET), ty: Ok(Type::Text) });
    }
    columns
}
