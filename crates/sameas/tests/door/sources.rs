//! Sources are opened as often as needed, and a caller can bring its own: the pairs are those of batches in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, SchemaRef};
use sameas::report::ReportOptions;
use sameas::sources::{OpenSource, Opening, PartBatches, PartReading, SourceDescription, SourcePart};
use sameas::{ErrorCode, Input, Job, Observer, ReadOptions, Result, Run, Session, Source};

use crate::inputs::{people, rows};

const RULE: &str = "l.city = r.city and levenshtein(l.name, r.name) <= 1";

fn session() -> Session {
    Session::builder().threads(2).build().unwrap()
}

fn run(input: &Input) -> Result<Run> {
    session().run(&Job::dedupe(input.clone()).with_rule(RULE), &())
}

/// The pairs of a run, and the hash of its records.
fn outcome(run: &Run) -> (Vec<String>, String) {
    (rows(run), run.record().inputs[0].xxh128.clone())
}

fn in_memory() -> Input {
    let batches = people();
    Input::batches("people", batches[0].schema(), batches).unwrap()
}

fn streamed(batches: Vec<std::result::Result<RecordBatch, ArrowError>>) -> Input {
    let schema = people()[0].schema();
    Input::reader("people", RecordBatchIterator::new(batches, schema))
}

#[test]
fn a_stream_is_kept_and_read_as_often_as_wanted() {
    let (input, session) = (streamed(people().into_iter().map(Ok).collect()), session());
    let job = Job::dedupe(input.clone()).with_rule(RULE);
    assert_eq!(session.check(&job).unwrap().unused_derived, Vec::<String>::new());
    let expected = outcome(&run(&in_memory()).unwrap());
    assert!(expected.0.len() > 100, "{} pairs", expected.0.len());
    let first = session.run(&job, &()).unwrap();
    assert_eq!(outcome(&first), expected);
    assert_eq!(outcome(&run(&input).unwrap()), expected, "when it is opened again");
    assert_eq!(input.description(), SourceDescription::Records { name: "people".into() });
    let ids: Vec<&str> = expected.0[0].split(',').take(2).collect();
    assert!(first.why([ids[0], ids[1]]).unwrap().match_key.is_some());
    assert!(first.report(&ReportOptions::default(), &()).unwrap().without_values().is_none());
}

/// Jobs that read one stream at the same time each see all of it.
#[test]
fn jobs_share_a_stream() {
    let input = streamed(people().into_iter().map(Ok).collect());
    let expected = outcome(&run(&in_memory()).unwrap());
    std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..4).map(|_| scope.spawn(|| outcome(&run(&input).unwrap()))).collect();
        jobs.into_iter().for_each(|job| assert_eq!(job.join().unwrap(), expected));
    });
}

#[test]
fn a_stream_that_fails_says_where_each_time() {
    let batches = people();
    let dead = Err(ArrowError::ExternalError("the line is dead".into()));
    let input = streamed(vec![Ok(batches[0].clone()), Ok(batches[2].clone()), dead, Ok(batches[3].clone())]);
    for _ in 0..2 {
        let error = run(&input).unwrap_err();
        assert_eq!(error.message(), "people, row 301: cannot be read: External error: the line is dead");
    }
}

/// What comes of a pipe is kept, too: who opens it a second time would wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_kept_and_read_as_often_as_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let text: String = (0..300).map(|row| format!("{row},name{},York\n", row % 90)).collect();
    let text = format!("id,name,city\n{text}");
    let plain = folder.path().join("plain.csv");
    std::fs::write(&plain, &text).unwrap();
    let writer = std::thread::spawn({
        let path = path.clone();
        move || std::fs::write(path, text).unwrap()
    });
    let input = Input::files([&path]);
    let expected = outcome(&run(&Input::files([&plain])).unwrap());
    assert_eq!(outcome(&run(&input).unwrap()), expected);
    writer.join().unwrap();
    assert_eq!(outcome(&run(&input).unwrap()), expected, "when it is opened again");
}

/// Batches in several parts, with the columns of every other part the other way round. It gives what is asked for alone.
#[derive(Debug)]
struct Shards {
    shards: Vec<Vec<RecordBatch>>,
    opened: AtomicUsize,
}

struct Shard {
    label: String,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Shards {
    fn new(shards: Vec<Vec<RecordBatch>>) -> Arc<Self> {
        Arc::new(Self { shards, opened: AtomicUsize::new(0) })
    }
}

impl Source for Shards {
    fn open(&self, opening: &Opening<'_>) -> Result<OpenSource> {
        assert!(!opening.is_cancelled() && opening.memory_left() > 0);
        self.opened.fetch_add(1, Relaxed);
        let part = |(at, batches): (usize, &Vec<RecordBatch>)| {
            let columns: Vec<usize> = if at % 2 == 0 { vec![0, 1, 2] } else { vec![2, 1, 0] };
            let batches: Vec<_> = batches.iter().map(|batch| batch.project(&columns).unwrap()).collect();
            let schema = Arc::new(people()[0].schema().project(&columns).unwrap());
            Box::new(Shard { label: format!("shard {at}"), schema, batches }) as Box<dyn SourcePart>
        };
        OpenSource::new("people", self.shards.iter().enumerate().map(part).collect())
    }

    fn description(&self) -> SourceDescription {
        SourceDescription::Records { name: "shards".into() }
    }
}

impl SourcePart for Shard {
    fn label(&self) -> &str {
        &self.label
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(self: Box<Self>, reading: &PartReading<'_>) -> Result<PartBatches> {
        let schema = Arc::new(self.schema.project(reading.columns()).unwrap());
        let columns = reading.columns().to_vec();
        reading.take(RecordBatchIterator::new(self.batches.into_iter().map(move |b| b.project(&columns)), schema))
    }
}

#[test]
fn an_own_source_gives_what_batches_give() {
    let batches = people();
    let shards = vec![vec![batches[0].clone(), batches[1].clone()], Vec::new(), batches[2..].to_vec()];
    let source = Shards::new(shards);
    let (input, expected) = (Input::source(source.clone()), outcome(&run(&in_memory()).unwrap()));
    for _ in 0..2 {
        let run = run(&input).unwrap();
        assert_eq!(outcome(&run), expected);
        let record = run.record().inputs[0].clone();
        assert_eq!((record.name.as_str(), record.files.len(), record.given.len()), ("people", 3, 0));
        assert_eq!(record.files[2], "shard 2");
    }
    assert_eq!(source.opened.load(Relaxed), 2);
    let repeated = Shards::new(vec![vec![batches[0].clone()], vec![batches[0].clone()]]);
    let error = run(&Input::source(repeated)).unwrap_err();
    assert!(error.message().starts_with("shard 1, row 1: the id `0` in column `id` was used before"), "{error}");
}

#[test]
fn how_records_are_read_is_a_value_of_its_own() {
    let options: ReadOptions = serde_json::from_str(r#"{"null": ["York"]}"#).unwrap();
    let input = Input::source(Shards::new(vec![people()])).with_options(options.clone());
    assert_eq!(input.options(), &options);
    let expected = run(&in_memory().with_null_texts(["York"])).unwrap();
    assert_eq!(outcome(&run(&input).unwrap()), outcome(&expected));
    assert!(rows(&expected).len() < rows(&run(&in_memory()).unwrap()).len());
}

/// One part, which is made while it is read.
struct Made<F> {
    schema: SchemaRef,
    next: F,
}

impl<F> std::fmt::Debug for Made<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Made")
    }
}

impl<F> Source for Made<F>
where
    F: Fn(usize) -> Option<std::result::Result<RecordBatch, ArrowError>> + Clone + Send + Sync + 'static,
{
    fn open(&self, _opening: &Opening<'_>) -> Result<OpenSource> {
        let (next, schema) = (self.next.clone(), self.schema.clone());
        OpenSource::of_reader("made", self.schema.clone(), move |columns| {
            let columns = columns.to_vec();
            let projected = Arc::new(schema.project(&columns).unwrap());
            let batches = (0..).map_while(next).map(move |batch| batch?.project(&columns));
            Ok(Box::new(RecordBatchIterator::new(batches, projected)) as Box<dyn RecordBatchReader + Send>)
        })
    }

    fn description(&self) -> SourceDescription {
        SourceDescription::Records { name: "made".into() }
    }
}

/// Ten thousand records of about a hundred bytes.
fn made(at: usize) -> RecordBatch {
    let rows = (at * 10_000) as i64..((at + 1) * 10_000) as i64;
    let texts =
        |text: fn(i64) -> String| -> ArrayRef { Arc::new(StringArray::from_iter_values(rows.clone().map(text))) };
    let (names, cities) = (texts(|row| format!("{row:>90}")), texts(|row| format!("city {row}")));
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(rows));
    RecordBatch::try_from_iter([("id", ids), ("name", names), ("city", cities)]).unwrap()
}

#[test]
fn a_source_that_fails_in_the_middle_says_where() {
    let failing =
        |at: usize| Some(if at < 3 { Ok(made(at)) } else { Err(ArrowError::ComputeError("no more numbers".into())) });
    let input = Input::source(Arc::new(Made { schema: made(0).schema(), next: failing }));
    let error = run(&input).unwrap_err();
    assert_eq!(error.message(), "made, row 30001: cannot be read: Compute error: no more numbers");
    let other = |at: usize| Some(if at < 1 { Ok(made(0)) } else { made(0).project(&[0, 2, 1]) });
    let input = Input::source(Arc::new(Made { schema: made(0).schema(), next: other }));
    let error = run(&input).unwrap_err();
    let start = "made, row 10001: cannot be read: Schema error: a batch has the columns id (Int64), city (Utf8)";
    assert!(error.message().starts_with(start), "{error}");
}

/// A source without an end stops at the memory limit, and a job that is cancelled stops asking it.
#[test]
fn a_source_without_end_stays_within_its_bounds() {
    let asked = Arc::new(AtomicUsize::new(0));
    let input = |asked: &Arc<AtomicUsize>| {
        let asked = Arc::clone(asked);
        let next = move |at: usize| {
            asked.fetch_add(1, Relaxed);
            Some(Ok::<_, ArrowError>(made(at)))
        };
        Input::source(Arc::new(Made { schema: made(0).schema(), next }))
    };
    let job = Job::dedupe(input(&asked)).with_rule(RULE);
    let session = Session::builder().threads(2).memory(150 << 20).build().unwrap();
    let error = session.run(&job, &()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::MemoryLimit, "{error}");
    // A batch takes more than a megabyte, and records may take half of the limit.
    assert!((40..150).contains(&asked.load(Relaxed)), "{} batches", asked.load(Relaxed));
    let cancelled = Arc::new(AtomicUsize::new(0));
    let job = Job::dedupe(input(&cancelled)).with_rule(RULE);
    let error = session.run(&job, &Enough(Arc::clone(&cancelled))).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Cancelled, "{error}");
    assert!(cancelled.load(Relaxed) <= 4, "{} batches", cancelled.load(Relaxed));
}

/// Cancels once some batches were asked for.
struct Enough(Arc<AtomicUsize>);

impl Observer for Enough {
    fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed) >= 3
    }
}
