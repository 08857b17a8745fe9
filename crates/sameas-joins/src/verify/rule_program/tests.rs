//! One rule program, bound to the records of different inputs.

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use super::*;
use crate::candidates::Batch;
use crate::measure::levenshtein;
use crate::records::{RowOrigin, Table};
use crate::rules::{LinkType, Literal, RuleFile, compile, input_columns};
use crate::verify::verdict_table;

/// Rules whose checks read texts, sets, numbers, one record, the input of records, and both records.
const RULES: [&str; 4] = [
    "l.city = r.city and abs(l.n - r.n) <= 3",
    "l.name = r.name and l.n > 40",
    "list_has_any(words(l.name), words(r.name)) and levenshtein(l.city, r.city) <= 1",
    "l.n + r.n = 31",
];

struct Person {
    name: &'static str,
    city: &'static str,
    n: i64,
}

fn people(count: usize, step: usize) -> Vec<Person> {
    let person = |at: usize| Person {
        name: ["ann lee", "bo lee", "ann fox", "cy", "dee hall", "bo fox", "cy"][at * step % 7],
        city: ["rome", "romes", "oslo", "lima", "lims"][at * step / 2 % 5],
        n: (at * step * 13 % 61) as i64,
    };
    (0..count).map(person).collect()
}

fn table(people: &[Person]) -> Table {
    let names: ArrayRef = Arc::new(StringArray::from_iter_values(people.iter().map(|person| person.name)));
    let cities: ArrayRef = Arc::new(StringArray::from_iter_values(people.iter().map(|person| person.city)));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(people.iter().map(|person| person.n)));
    let batch = RecordBatch::try_from_iter([("name", names), ("city", cities), ("n", numbers)]).unwrap();
    let (schema, batches) = (batch.schema(), vec![batch]);
    Table { name: "people".into(), schema, batches, files: Vec::new(), origin: RowOrigin::default() }
}

fn rule_set() -> RuleSet {
    let mut file = RuleFile::default();
    RULES.iter().for_each(|rule| file.add_rule(rule));
    let columns = input_columns(&table(&people(1, 1)).schema, true);
    compile(&file, LinkType::LinkAndDedupe, [&columns, &columns]).unwrap()
}

fn compiled() -> RuleProgram {
    RuleProgram::compile(&rule_set(), 1)
}

fn bound(program: &RuleProgram, inputs: &[Vec<Person>; 2]) -> Program {
    let [first, second] = [table(&inputs[0]), table(&inputs[1])];
    let frames = [Frame::new(&[(&first, &[]), (&second, &[])], Cancel::NEVER)];
    let encoded = program.wanted.encode(&frames, Cancel::NEVER);
    program.bind(encoded, program.verdicts(&frames, Cancel::NEVER), &[inputs[0].len() as u32], None)
}

/// The pairs of rows for which a conjunction holds, each predicate evaluated by itself.
fn pairs(program: &Program, rows: u32) -> Vec<(u32, u32)> {
    let holds = |pair: &(u32, u32)| {
        let batch = Batch { l: vec![pair.0], r: vec![pair.1] };
        let is_satisfied = |literal: &Literal| {
            let mut truths = [Truth::Unknown];
            program.evaluate(literal.predicate, &batch, &[0], &mut truths);
            truths[0] == Truth::from(literal.want)
        };
        program.conjunctions.iter().any(|conjunction| conjunction.literals.iter().all(is_satisfied))
    };
    (0..rows).flat_map(|l| (l + 1..rows).map(move |r| (l, r))).filter(holds).collect()
}

/// What the rules say, in other words.
fn is_pair(a: &Person, b: &Person, are_of_one_input: bool) -> bool {
    let shares_word = a.name.split(' ').any(|word| b.name.split(' ').any(|other| word == other));
    let edits = levenshtein::reference(a.city.as_bytes(), b.city.as_bytes());
    a.city == b.city && (a.n - b.n).abs() <= 3
        || a.name == b.name && (a.n > 40 || are_of_one_input && b.n > 40)
        || shares_word && edits <= 1
        || a.n + b.n == 31
}

fn expected(inputs: &[Vec<Person>; 2], is_pair: fn(&Person, &Person, bool) -> bool) -> Vec<(u32, u32)> {
    let all: Vec<(usize, &Person)> = inputs
        .iter()
        .enumerate()
        .flat_map(|(input, people)| people.iter().map(move |person| (input, person)))
        .collect();
    let holds = |(l, r): &(usize, usize)| is_pair(all[*l].1, all[*r].1, all[*l].0 == all[*r].0);
    let pairs = (0..all.len()).flat_map(|l| (l + 1..all.len()).map(move |r| (l, r)));
    pairs.filter(holds).map(|(l, r)| (l as u32, r as u32)).collect()
}

#[test]
fn one_rule_program_serves_the_records_of_several_inputs() {
    let (program, some, others) = (compiled(), [people(30, 1), people(13, 5)], [people(7, 3), people(41, 11)]);
    let (of_some, of_others) = (bound(&program, &some), bound(&program, &others));
    let (found, of_other_records) = (pairs(&of_some, 43), pairs(&of_others, 48));
    assert_eq!(found, expected(&some, is_pair));
    assert_eq!(of_other_records, expected(&others, is_pair));
    assert!(found.len() > 50 && of_other_records.len() > 50, "{} {}", found.len(), of_other_records.len());
    // What is asked of one record, and of its input, is known only where there are records.
    let has_data = |check: &Check| match check {
        Check::OneSided { verdicts, .. } => !verdicts.is_empty(),
        Check::SameSource { borders } => !borders.is_empty(),
        _ => false,
    };
    assert!(!program.checks.iter().any(has_data));
    assert_eq!(of_some.checks.iter().filter(|check| has_data(check)).count(), 3, "both sides, and one input");
}

#[test]
fn a_sample_decides_its_pairs_as_the_whole_does() {
    let mut whole = bound(&compiled(), &[people(30, 1), people(13, 5)]);
    let rows: Vec<u32> = (0..43).filter(|row| row % 3 != 1).collect();
    let among_sampled = |(l, r): (u32, u32)| rows.binary_search(&l).ok().zip(rows.binary_search(&r).ok());
    let expected = |whole: &Program| -> Vec<(u32, u32)> {
        let of_sample = pairs(whole, 43).into_iter().filter_map(among_sampled);
        of_sample.map(|(l, r)| (l as u32, r as u32)).collect()
    };
    let mut sample = whole.sample(&[&rows]);
    assert_eq!(pairs(&sample, rows.len() as u32), expected(&whole));
    assert!(expected(&whole).len() > 5);
    // Another rule, with a check that the sample has not seen.
    let verdicts: Vec<Truth> = (0..43).map(|row| Truth::from(row % 4 == 0)).collect();
    let literals = vec![Literal { predicate: whole.checks.len(), want: true }];
    whole.checks.push(Check::OneSided { side: Side::Left, verdicts: Arc::new(verdicts) });
    whole.tables.push(Default::default());
    whole.conjunctions = vec![Conjunction { rule: 0, literals }];
    sample.follow(&whole, &[&rows]);
    assert_eq!(pairs(&sample, rows.len() as u32), expected(&whole));
    assert!(expected(&whole).len() > 5);
}

#[test]
fn other_rules_share_columns_and_tables() {
    let (set, people) = (rule_set(), [people(30, 1), people(13, 5)]);
    let program = bound(&RuleProgram::compile(&set, 1), &people);
    let (first, rest) = set.rules.split_first().unwrap();
    let own = set.conjunctions[first.conjunctions.clone()].to_vec();
    assert!(!rest.is_empty() && own.len() < set.conjunctions.len());
    let of_one = program.with_rules(&set.with_rules(vec![first.clone()], own).rules);
    assert_eq!((of_one.rules, of_one.checks.len()), (1, program.checks.len()));
    let found = pairs(&of_one, 43);
    assert_eq!(found, expected(&people, |a, b, _| a.city == b.city && (a.n - b.n).abs() <= 3));
    assert!(!found.is_empty() && found.len() < pairs(&program, 43).len());
    let both = program.encoded.columns.iter().zip(&of_one.encoded.columns);
    assert!(both.clone().all(|(one, other)| Arc::ptr_eq(&one.codes, &other.codes)) && both.count() >= 3);
    // A table that one of them makes is there for the other.
    let at = program.checks.iter().position(|check| matches!(check, Check::Text { .. })).unwrap();
    program.tables[at].get_or_init(|| verdict_table(&program, at, 1 << 20, Cancel::NEVER));
    assert!(of_one.tables[at].get().is_some() && of_one.table_bytes() == program.table_bytes());
}
