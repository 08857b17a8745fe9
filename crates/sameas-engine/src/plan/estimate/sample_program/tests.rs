//! Plans that are made of sampled records are those that all records give.

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use super::*;
use crate::cancel::Cancel;
use crate::dataset::{OperandKeys, RecordCounter, RecordLayout};
use crate::memory::MemoryBudget;
use crate::plan::cost::Costs;
use crate::plan::{BranchRecord, Describer, Draw, Plan, PlanInput, Planner, RelativeCost, Strategy};
use crate::records::{Frame, InputRows, RowOrigin, Table};
use crate::rules::{Derived, InputColumns, LinkType, RuleFile, Simplified, compile_within, input_columns};
use crate::verify::RuleProgram;

/// Random jobs: each kind of them several times.
const CASES: u64 = 12;

/// Kinds of jobs, with the records of their inputs: several times as many as samples have.
const KINDS: [(LinkType, &[usize]); 4] = [
    (LinkType::DedupeOnly, &[9000]),
    (LinkType::LinkOnly, &[4000, 5000]),
    (LinkType::LinkOnly, &[6000, 40, 2960]),
    (LinkType::LinkAndDedupe, &[5000, 4000]),
];

/// Rules of a job, drawn from those below.
const RULES_OF_JOB: usize = 4;

/// Rules with every kind of check.
const RULES: [&str; 14] = [
    "l.city = r.city and levenshtein(l.name, r.name) <= 1",
    "l.code = r.code and l.n > 40",
    "l.name = r.name and abs(l.n - r.n) <= 3",
    "jaro_winkler(l.name, r.name) >= 0.93 and abs(l.n - r.n) <= 30",
    "levenshtein(l.code, r.code) <= 1",
    "jaccard(words(l.name), words(r.name)) >= 0.6 and l.city = r.city",
    "list_has_any(words(l.name), words(r.name)) and l.n = r.n",
    "abs(l.n - r.n) <= 1 and hamming(l.code, r.code) <= 2",
    "l.city is not distinct from r.city and l.n + r.n = 131",
    "l.n * r.n > 60000 and l.city = 'c3' and l.name = r.name",
    "length(l.name) + length(r.name) = 19 and l.code = r.code",
    "left(l.city, 2) = left(r.city, 2) and l.n = r.n + 1",
    "l.name = r.city or l.n + r.n = 17",
    "l.city = r.city and l.n = r.n and jaro(l.code, r.code) >= 0.8",
];

const NAMES: [&str; 8] =
    ["ann lee", "anna lee", "bo fox", "bob fox", "cy hall", "dee hall", "johanna hill", "johann hill"];

const NO_DERIVES: &[Derived] = &[];

/// A job whose records were counted.
struct CountedJob {
    rules: Vec<&'static str>,
    simplified: Simplified,
    program: Program,
    keys: Vec<OperandKey>,
    statistics: Statistics,
}

fn table(name: String, records: usize, random: &mut Random) -> Table {
    let mut text = |make: fn(&mut Random) -> String| -> ArrayRef {
        let value = |_| {
            let value = make(random);
            (random.below(20) > 0).then_some(value)
        };
        Arc::new((0..records).map(value).collect::<StringArray>())
    };
    let names = text(|random| format!("{} {}", NAMES[random.below(8) as usize], random.below(300)));
    let codes = text(|random| format!("{:05}", random.below(4000)));
    // Some cities are far more frequent than others.
    let cities = text(|random| {
        let most = random.below(60) + 1;
        format!("c{}", random.below(most))
    });
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..records).map(|_| i64::from(random.below(400)))));
    let columns = [("name", names), ("code", codes), ("city", cities), ("n", numbers)];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap();
    let (schema, batches) = (batch.schema(), vec![batch]);
    Table { name, schema, batches, files: Vec::new(), origin: RowOrigin::default() }
}

fn job(seed: u64) -> CountedJob {
    let mut random = Random::new(seed);
    let (link_type, sizes) = KINDS[seed as usize % KINDS.len()];
    let rules: Vec<&str> = (0..RULES_OF_JOB).map(|_| RULES[random.below(RULES.len() as u32) as usize]).collect();
    let tables: Vec<Table> =
        sizes.iter().enumerate().map(|(at, records)| table(format!("t{at}"), *records, &mut random)).collect();
    let mut file = RuleFile::default();
    rules.iter().for_each(|rule| file.add_rule(rule));
    let columns = input_columns(&tables[0].schema, link_type != LinkType::DedupeOnly);
    let inputs: Vec<InputColumns<'_>> =
        tables.iter().map(|table| InputColumns { name: &table.name, columns: &columns }).collect();
    let compiled = compile_within(&file, link_type, &inputs, &MemoryBudget::unlimited(), None).unwrap();
    let simplified = compiled.simplified();
    let (program, keys) = bound(&simplified, &tables);
    let rows = tables.iter().map(|table| table.batches[0].num_rows() as u32).collect();
    let layout = &RecordLayout::new(&simplified.rules, rows);
    let names: Vec<String> = tables.iter().map(|table| table.name.clone()).collect();
    let counter = RecordCounter { program: &program, keys: &keys, layout, names: &names, numbers: None };
    let statistics = counter.count(Cancel::NEVER).statistics;
    CountedJob { rules, simplified, program, keys, statistics }
}

/// The program over the records of some tables, and what its operands are.
fn bound(simplified: &Simplified, tables: &[Table]) -> (Program, Vec<OperandKey>) {
    let with_derived: Vec<(&Table, &[Derived])> = tables.iter().map(|table| (table, NO_DERIVES)).collect();
    let is_link_of_two = simplified.rules.has_two_sides();
    let tables_of_frame = if is_link_of_two { 1 } else { tables.len() };
    let frames: Vec<Frame> = with_derived.chunks(tables_of_frame).map(|some| Frame::new(some, Cancel::NEVER)).collect();
    let mut all = 0;
    let first = |table: &Table| {
        let first = all;
        all += table.batches[0].num_rows() as u32;
        first
    };
    let firsts: Vec<u32> = tables.iter().map(first).collect();
    let is_across = simplified.rules.link_type == LinkType::LinkOnly && !is_link_of_two;
    let across = is_across.then(|| InputRows::new(firsts.iter().copied(), all));
    let program = RuleProgram::compile(&simplified.rules, frames.len());
    let keys = OperandKeys::new(&program, &simplified.rules, frames.len()).operands;
    let verdicts = program.verdicts(&frames, Cancel::NEVER);
    (program.bind(program.wanted.encode(&frames, Cancel::NEVER), verdicts, &firsts[1..], across), keys)
}

/// The plan of a job, with what is said of its branches.
fn planned(job: &CountedJob, sample: &SampleProgram, strategy: Strategy) -> (Plan, Vec<BranchRecord>) {
    let Simplified { rules, shadowed, implications, .. } = &job.simplified;
    let input = PlanInput {
        sample,
        statistics: &job.statistics,
        costs: &Costs::shipped(),
        implications,
        shadowed,
        facts: &[],
        strategy,
        memory: 1 << 24,
        device: matches!(strategy, Strategy::NoRuleOrder).then(RelativeCost::of_emulated),
        comparisons: &[],
    };
    let mut planner = Planner::new(input);
    let plan = planner.plan(&(0..rules.conjunctions.len()).collect::<Vec<usize>>());
    let describer = Describer { rules, estimator: planner.estimator(), implications, tables: &plan.tables, strategy };
    let records = plan.branches.iter().map(|branch| describer.branch(branch)).collect();
    (plan, records)
}

/// A choice without and with a device, none, and any.
fn strategies(seed: u64) -> [Strategy; 4] {
    [Strategy::Full, Strategy::NoRuleOrder, Strategy::NoEpg, Strategy::Random(Draw { seed, path: None })]
}

#[test]
fn a_sample_gives_the_plan_that_all_records_give() {
    let mut smaller = 0;
    for seed in 0..CASES {
        let job = job(seed);
        let sample = SampleProgram::new(&job.program, &job.keys, &job.statistics);
        let all = SampleProgram::of_all(&job.program, &job.keys, &job.statistics);
        assert_eq!(all.bytes_beside(&job.program), 0, "all records are shared");
        smaller += u64::from(sample.bytes_beside(&job.program) > 0);
        for strategy in strategies(seed) {
            let (of_sample, of_all) = (planned(&job, &sample, strategy), planned(&job, &all, strategy));
            assert_eq!(of_sample, of_all, "seed {seed}, {strategy:?}, {:?}", job.rules);
        }
    }
    assert!(2 * smaller > CASES, "{smaller} samples of {CASES} have fewer records");
}

/// The sample of a job with no values but those of its records, under numbers of their own.
fn with_own_values(job: &CountedJob) -> SampleProgram {
    let sample = SampleProgram::new(&job.program, &job.keys, &job.statistics);
    let predicates: Vec<usize> = (0..job.program.checks.len()).collect();
    let part = job.program.part(&by_frame(&sample.records), &predicates);
    let across = job.program.across.as_ref().map(|inputs| inputs.part(&sample.records[0]));
    SampleProgram { program: Program { across, ..part }, ..sample }
}

/// Values that no sampled record has are asked for nowhere, nor how many there are.
#[test]
fn a_sample_needs_no_values_of_other_records() {
    let mut fewer = 0;
    for seed in 0..CASES {
        let job = job(seed);
        let shared = SampleProgram::new(&job.program, &job.keys, &job.statistics);
        let own = with_own_values(&job);
        let values = |of: &SampleProgram| -> usize {
            of.program.encoded.domains.iter().map(|domain| domain.dictionary.len()).sum()
        };
        fewer += u64::from(values(&own) < values(&shared));
        for strategy in strategies(seed) {
            let [own, shared] = [&own, &shared].map(|sample| planned(&job, sample, strategy).0);
            assert_eq!(own, shared, "seed {seed}, {strategy:?}, {:?}", job.rules);
        }
    }
    assert!(2 * fewer > CASES, "{fewer} samples of {CASES} have fewer values");
}

#[test]
fn records_are_sampled_once_and_most_of_them_are_all() {
    assert_eq!(of_frame(vec![7, 3, 7, 1], 10), [1, 3, 7]);
    assert_eq!(of_frame(vec![4, 0, 2], 5), [0, 1, 2, 3, 4]);
    assert!(of_frame(Vec::new(), 0).is_empty());
    assert_eq!(places(&[7, 1, 7], &[1, 3, 7]), [2, 0, 2]);
}
