//! Records in parts: whatever branch is run, within each part and across each two, all pairs of a run are found once, with its
//! scores.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sameas::arrow_array::cast::AsArray;
use sameas::arrow_array::types::UInt64Type;
use sameas::arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use sameas::record_parts::{BranchPairs, OfAllRecords, PartInput, PartRecords, RecordPart};
use sameas::{BranchRun, DeviceChoice, ErrorCode, Input, Job, JobPlan, Observer, RuleFile, Session};

use super::dice::Dice;
use super::inputs::counted;
use super::scores::{BLOCKING, RULES, Row, device_sessions, model, row};

/// People with an id, names, cities and years.
fn people(seed: u64, count: usize) -> RecordBatch {
    let mut dice = Dice(seed);
    let rows: Vec<Row> = (0..count).map(|_| row(&mut dice)).collect();
    let column = |at: usize| Arc::new(rows.iter().map(|row| row[at].clone()).collect::<StringArray>()) as ArrayRef;
    let ids = Arc::new(UInt32Array::from_iter_values(0..count as u32)) as ArrayRef;
    let columns = [("id", ids, false), ("name", column(0), true), ("city", column(1), true), ("year", column(2), true)];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn input(name: &str, batch: &RecordBatch) -> Input {
    Input::batches(name, batch.schema(), vec![batch.clone()]).unwrap()
}

/// Inputs with their names.
type Tables = Vec<(&'static str, RecordBatch)>;

/// The number of a record among all: most are beyond 32 bits.
fn number(row: usize) -> u64 {
    5 + row as u64 * 3_000_000_019
}

/// The part of a record, by chance.
fn part_of(input: usize, row: usize, parts: usize) -> usize {
    let mixed = (row as u64 + 977 * input as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize % parts
}

/// The records of the inputs that are in one of some parts.
fn part(tables: &Tables, own: usize, parts: usize) -> RecordPart {
    let of_input = |(at, (name, batch)): (usize, &(&'static str, RecordBatch))| {
        let rows: Vec<usize> = (0..batch.num_rows()).filter(|row| part_of(at, *row, parts) == own).collect();
        let places = UInt64Array::from_iter_values(rows.iter().map(|row| *row as u64));
        let some = arrow_select::take::take_record_batch(batch, &places).unwrap();
        // Some in one batch, some in two.
        let half = some.num_rows() / 2;
        let batches = vec![some.slice(0, half), some.slice(half, some.num_rows() - half)];
        let records = Input::batches(name, some.schema(), batches).unwrap();
        PartInput::new(records, rows.into_iter().map(number).collect())
    };
    RecordPart::new(tables.iter().enumerate().map(of_input).collect())
}

/// The rows of a batch as texts, without those columns.
fn texts(batch: &RecordBatch, without: &[&str]) -> Vec<String> {
    let schema = batch.schema();
    let columns: Vec<&ArrayRef> = (0..batch.num_columns())
        .filter(|at| !without.contains(&schema.field(*at).name().as_str()))
        .map(|at| batch.column(at))
        .collect();
    let cell = |column: &ArrayRef, row: usize| arrow_cast::display::array_value_to_string(column, row).unwrap();
    let row = |row: usize| columns.iter().map(|column| cell(column, row)).collect::<Vec<String>>().join("|");
    (0..batch.num_rows()).map(row).collect()
}

fn pairs_of_run(session: &Session, job: &Job) -> Vec<String> {
    let run = session.run(job, &()).unwrap();
    let mut pairs: Vec<String> = run.pairs().flat_map(|batch| texts(&batch.unwrap(), &[])).collect();
    pairs.sort();
    pairs
}

/// The pairs of all branches over these parts.
fn pairs_of_branches(
    session: &Session,
    job: &Job,
    plan: &JobPlan,
    parts: &[RecordPart],
    of_all: &OfAllRecords,
    which: BranchPairs,
) -> Vec<String> {
    let records = session.open_parts(job, plan, parts, of_all, &()).unwrap();
    let mut pairs = Vec::new();
    for branch in 0..plan.branches() {
        let run = session.run_branch(plan, branch, &records, which, &()).unwrap();
        let before = pairs.len();
        for batch in run.batches().map(Result::unwrap) {
            assert_eq!(batch.schema().field(0).name(), "row_l");
            check_numbers(&batch);
            pairs.extend(texts(&batch, &["row_l", "row_r"]));
        }
        assert_eq!(run.owned, (pairs.len() - before) as u64);
    }
    pairs
}

/// Ids are the rows of the inputs, so row numbers follow from them.
fn check_numbers(batch: &RecordBatch) {
    for side in ["l", "r"] {
        let numbers = batch.column_by_name(&format!("row_{side}")).unwrap().as_primitive::<UInt64Type>().clone();
        let ids = batch.column_by_name(&format!("unique_id_{side}")).unwrap();
        for row in 0..batch.num_rows() {
            let id: usize = arrow_cast::display::array_value_to_string(ids, row).unwrap().parse().unwrap();
            assert_eq!(numbers.value(row), number(id));
        }
    }
}

/// Within each part and across each two.
fn union(session: &Session, job: &Job, tables: &Tables, parts: usize, of_all: &OfAllRecords) -> Vec<String> {
    let plan = session.plan(job, &()).unwrap();
    let stored: JobPlan = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
    assert_eq!(stored, plan);
    let all: Vec<RecordPart> = (0..parts).map(|own| part(tables, own, parts)).collect();
    let run = |some: &[RecordPart], which| pairs_of_branches(session, job, &stored, some, of_all, which);
    let mut pairs = Vec::new();
    for (at, own) in all.iter().enumerate() {
        pairs.extend(run(std::slice::from_ref(own), BranchPairs::Within));
        for other in &all[at + 1..] {
            pairs.extend(run(&[own.clone(), other.clone()], BranchPairs::Across));
        }
    }
    pairs.sort();
    pairs
}

/// The records of an input in parts, each with the number of times that it was opened.
fn counted_parts(batch: &RecordBatch, parts: usize) -> (Vec<RecordPart>, Vec<Arc<AtomicUsize>>) {
    let part = |own: usize| {
        let rows: Vec<usize> = (0..batch.num_rows()).filter(|row| part_of(0, *row, parts) == own).collect();
        let places = UInt64Array::from_iter_values(rows.iter().map(|row| *row as u64));
        let some = arrow_select::take::take_record_batch(batch, &places).unwrap();
        let (records, opened) = counted("people", &some);
        let numbers = rows.into_iter().map(number).collect();
        (RecordPart::new(vec![PartInput::new(records, numbers)]), opened)
    };
    (0..parts).map(part).unzip()
}

fn cpu() -> Session {
    Session::builder().threads(2).device(DeviceChoice::Cpu).build().unwrap()
}

fn rules(text: &str) -> RuleFile {
    RuleFile::parse(text, "rules.toml").unwrap()
}

/// Rules that mean something else with the records exchanged, and one that no pair may satisfy.
const NOT_SYMMETRIC: &str = r#"
    [[rule]]
    when = "l.name < r.name and l.city = r.city and left(l.name, 1) = left(r.name, 1)"
    [[rule]]
    when = "levenshtein(l.name, r.name) <= 1 and abs(l.year - r.year) <= 5"
    [[rule]]
    when = "l.city = left(r.city, 4) and l.year is null"
    [[never]]
    when = "l.year > r.year and l.city = r.city"
"#;

#[test]
fn parts_of_every_kind_of_job_give_the_pairs_of_a_run() {
    let session = cpu();
    let table = |(name, seed): (&'static str, u64)| (name, people(7 + seed, 60 + 10 * seed as usize));
    let tables = |count: usize| -> Tables { ["a", "b", "c"].into_iter().zip(0..).map(table).take(count).collect() };
    let inputs = |tables: &Tables| tables.iter().map(|(name, batch)| input(name, batch)).collect::<Vec<Input>>();
    let (one, two, three) = (tables(1), tables(2), tables(3));
    let jobs = [
        (Job::dedupe(inputs(&one).remove(0)), &one),
        (Job::link_all(inputs(&two)), &two),
        (Job::link_and_dedupe_all(inputs(&two)), &two),
        (Job::link_all(inputs(&three)), &three),
    ];
    for (job, tables) in jobs {
        let job = job.with_rules(rules(NOT_SYMMETRIC));
        let expected = pairs_of_run(&session, &job);
        assert!(expected.len() > 30, "{} pairs", expected.len());
        for parts in [1, 2, 3] {
            assert_eq!(union(&session, &job, tables, parts, &OfAllRecords::nothing()), expected, "{parts} parts");
        }
    }
}

/// Jobs with scores of every kind.
fn scored_jobs(people: &RecordBatch) -> Vec<(&'static str, Job)> {
    let job = |text: &str| Job::dedupe(input("people", people)).with_rules(rules(text));
    let never = "[[never]]\nwhen = \"l.city <> r.city\"\n";
    let weights = format!("{RULES}{BLOCKING}{never}[score]\nthreshold_weight = 6.0\nlevels = true\n");
    let complete = format!("{RULES}\n[score]\nthreshold_weight = 0.0\n");
    let average = |rule: &str| {
        let compare = |name: &str, similarity: &str| {
            format!("[[compare]]\nname = \"{name}\"\nsimilarity = \"{similarity}\"\nat_least = 0.7\n")
        };
        let name = compare("name", "levenshtein_similarity(l.name, r.name)");
        let city = compare("city", "jaro_winkler(l.city, r.city)");
        format!("{rule}{name}{city}[score]\nthreshold = 0.9\nlevels = true\n")
    };
    let (ids, score) = ((0..150_u32).map(|at| (at % 70, 70 + at * 7 % 80)), |at: u32| f64::from(at % 13) / 13.0);
    let column =
        |of: &dyn Fn((u32, u32)) -> u32| Arc::new(UInt32Array::from_iter_values(ids.clone().map(of))) as ArrayRef;
    let scores: ArrayRef = Arc::new(Float64Array::from_iter_values((0..150).map(score)));
    let given = [("unique_id_l", column(&|pair| pair.0)), ("unique_id_r", column(&|pair| pair.1)), ("score", scores)];
    let given = input("scores", &RecordBatch::try_from_iter(given).unwrap());
    let certain = "[[rule]]\nwhen = \"l.name = r.name and l.city = r.city\"\ncertain = true\n\
                   [[never]]\nwhen = \"l.year > r.year\"\n[score]\nthreshold = 0.4\n";
    vec![
        ("weights", job(&weights).with_model(model(&mut Dice(3)))),
        ("weights without rules", job(&complete).with_model(model(&mut Dice(3))).with_all_pairs()),
        ("averages", job(&average("[[rule]]\nwhen = \"l.year = r.year\"\n"))),
        ("averages without rules", job(&average("")).with_all_pairs()),
        ("given", job(certain).with_scores(given)),
    ]
}

#[test]
fn branches_score_their_pairs_as_a_run_does() {
    let people = people(42, 150);
    let tables: Tables = vec![("people", people.clone())];
    for session in [vec![cpu()], device_sessions().into_iter().take(1).collect()].concat() {
        for (name, job) in scored_jobs(&people) {
            let expected = pairs_of_run(&session, &job);
            assert!(expected.len() > 10, "{name}: {} pairs", expected.len());
            let of_all = match name.starts_with("weights") {
                true => OfAllRecords::counted(&session.term_frequencies(&job, &()).unwrap()).unwrap(),
                false => OfAllRecords::nothing(),
            };
            for parts in [1, 2] {
                assert_eq!(union(&session, &job, &tables, parts, &of_all), expected, "{name} in {parts} parts");
            }
        }
    }
}

/// All parts are opened together, and each pair of parts is looked at by itself.
#[test]
fn a_part_is_read_once_for_all_pairs_of_parts() {
    let people = people(42, 150);
    let rows = |records: &PartRecords, plan: &JobPlan, session: &Session, which: BranchPairs| -> Vec<String> {
        let runs = (0..plan.branches()).map(|at| session.run_branch(plan, at, records, which, &()).unwrap());
        let batches = |run: BranchRun| run.batches().map(Result::unwrap).collect::<Vec<RecordBatch>>();
        runs.flat_map(batches).flat_map(|batch| texts(&batch, &["row_l", "row_r"])).collect()
    };
    for session in [vec![cpu()], device_sessions().into_iter().take(1).collect()].concat() {
        for (name, job) in scored_jobs(&people) {
            let (expected, plan) = (pairs_of_run(&session, &job), session.plan(&job, &()).unwrap());
            let of_all = match name.starts_with("weights") {
                true => OfAllRecords::counted(&session.term_frequencies(&job, &()).unwrap()).unwrap(),
                false => OfAllRecords::nothing(),
            };
            let (parts, opened) = counted_parts(&people, 4);
            let records = session.open_parts(&job, &plan, &parts, &of_all, &()).unwrap();
            let mut pairs = Vec::new();
            for part in 0..4 {
                pairs.extend(rows(&records, &plan, &session, BranchPairs::InPart(part)));
                // In whichever order the two are named.
                let others = (part + 1..4).map(|other| [(part, other), (other, part)][other % 2]);
                others.for_each(|(a, b)| pairs.extend(rows(&records, &plan, &session, BranchPairs::Between(a, b))));
            }
            pairs.sort();
            assert_eq!(pairs, expected, "{name}");
            assert!(opened.iter().all(|opened| opened.load(Relaxed) == 1), "{name}: {opened:?}");
            let within: usize =
                (0..4).map(|part| rows(&records, &plan, &session, BranchPairs::InPart(part)).len()).sum();
            assert_eq!(rows(&records, &plan, &session, BranchPairs::Within).len(), within, "{name}");
        }
    }
}

/// Parts that do not fit the memory together are refused, not dropped.
#[test]
fn parts_keep_to_the_memory() {
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..70_000).map(|row| format!("{row:01000}"))));
    let ids: ArrayRef = Arc::new(UInt32Array::from_iter_values(0..70_000));
    let batch = RecordBatch::try_from_iter([("id", ids), ("name", texts)]).unwrap();
    let small = Session::builder().threads(2).memory(1 << 20).device(DeviceChoice::Cpu).build().unwrap();
    let job = Job::dedupe(input("people", &batch)).with_rule("l.name = r.name");
    let few = Job::dedupe(input("people", &batch.slice(0, 100))).with_rule("l.name = r.name");
    let plan = small.plan(&few, &()).unwrap();
    let (parts, _) = counted_parts(&batch, 5);
    let error = small.open_parts(&job, &plan, &parts, &OfAllRecords::nothing(), &()).err().unwrap();
    assert_eq!(error.code(), ErrorCode::MemoryLimit);
    assert!(small.open_parts(&job, &plan, &parts[..1], &OfAllRecords::nothing(), &()).is_ok());
}

/// What a model removes of the pairs that the rules give is most of them.
#[test]
fn a_branch_knows_the_threshold() {
    let (session, people) = (cpu(), people(42, 150));
    let (_, job) = scored_jobs(&people).remove(0);
    let unscored = Job::dedupe(input("people", &people)).with_rule("l.city = r.city").with_rule("l.year = r.year");
    let (scored, all) = (pairs_of_run(&session, &job).len(), pairs_of_run(&session, &unscored).len());
    assert!(scored * 2 < all, "{scored} of {all}");
    let of_all = OfAllRecords::counted(&session.term_frequencies(&job, &()).unwrap()).unwrap();
    assert_eq!(union(&session, &job, &vec![("people", people)], 1, &of_all).len(), scored);
}

/// An observer that stops a job once candidates were looked at, and how many were.
#[derive(Default)]
struct StopsEarly(AtomicUsize);

impl Observer for StopsEarly {
    fn counted(&self, candidates: u64, _pairs: u64) {
        self.0.fetch_add(candidates as usize, Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed) > 0
    }
}

#[test]
fn a_branch_stops_soon_after_it_is_cancelled() {
    let (session, people) = (cpu(), people(42, 2_000));
    let plain = Job::dedupe(input("people", &people)).with_rule("l.city = r.city");
    let (_, scored) = scored_jobs(&people).remove(0);
    let of_all = OfAllRecords::counted(&session.term_frequencies(&scored, &()).unwrap()).unwrap();
    for (job, of_all) in [(plain, OfAllRecords::nothing()), (scored, of_all)] {
        let (plan, (parts, _)) = (session.plan(&job, &()).unwrap(), counted_parts(&people, 1));
        let records = session.open_parts(&job, &plan, &parts, &of_all, &()).unwrap();
        let run = |branch: usize, observer: &dyn Observer| {
            session.run_branch(&plan, branch, &records, BranchPairs::Within, observer)
        };
        let mut stopped = 0;
        for branch in 0..plan.branches() {
            let candidates = run(branch, &()).unwrap().candidates;
            if candidates < 200_000 {
                continue;
            }
            let early = StopsEarly::default();
            let error = run(branch, &early).err().unwrap();
            assert_eq!(error.code(), ErrorCode::Cancelled, "{error}");
            let seen = early.0.load(Relaxed);
            assert!(seen as u64 * 4 < candidates, "{seen} of {candidates} candidates");
            stopped += 1;
        }
        assert!(stopped > 0, "a branch with many candidates");
    }
}

#[test]
fn what_only_all_records_tell_must_be_given() {
    let (session, people) = (cpu(), people(42, 150));
    let tables: Tables = vec![("people", people.clone())];
    let (_, job) = scored_jobs(&people).remove(1);
    let plan = session.plan(&job, &()).unwrap();
    let parts = [part(&tables, 0, 2)];
    let open = |job: &Job, of_all: &OfAllRecords| session.open_parts(job, &plan, &parts, of_all, &());
    assert_eq!(open(&job, &OfAllRecords::nothing()).err().unwrap().code(), ErrorCode::NeedsAllRecords);
    let of_all = OfAllRecords::counted(&session.term_frequencies(&job, &()).unwrap()).unwrap();
    assert!(open(&job, &of_all).is_ok());
    // The rule of the score was made by this model alone.
    let error = open(&job.clone().with_model(model(&mut Dice(4))), &of_all).err().unwrap();
    assert!(error.message().contains("other scores"), "{error}");
    let other = job.with_rules(rules(&format!("{RULES}{BLOCKING}")));
    assert!(open(&other, &of_all).err().unwrap().message().contains("other rules"));
}

/// Ids that are row numbers are those of all records.
#[test]
fn records_without_ids_are_called_by_their_numbers() {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..40).map(|row| row % 7)));
    let batch = RecordBatch::try_from_iter([("n", numbers)]).unwrap();
    let (session, job) = (cpu(), Job::dedupe(input("t", &batch)).with_id("row").with_rule("l.n = r.n"));
    let plan = session.plan(&job, &()).unwrap();
    let some = [RecordPart::new(vec![PartInput::new(input("t", &batch), (0..40).map(number).collect())])];
    let records = session.open_parts(&job, &plan, &some, &OfAllRecords::nothing(), &()).unwrap();
    let run = session.run_branch(&plan, 0, &records, BranchPairs::Within, &()).unwrap();
    let batch = run.batches().next().unwrap().unwrap();
    let (l, r) = (number(0), number(7));
    assert_eq!(texts(&batch, &[])[0], format!("{l}|{r}|{}|{}|rule_1", l + 1, r + 1));
}
