//! Files of pairs in, files of pairs out, against the closure by the definition.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Int32Array, RecordBatch, StringArray, UInt64Array};

use super::*;
use crate::engine::{Observer, Progress, Settings};
use crate::error::{ErrorCode, Result};
use crate::graph::testing::{naive_closure, random_graphs};
use crate::output::Format;

fn solved(job: &ClosureJob, memory: usize) -> Result<SolvedClosure> {
    let settings = Settings { memory, ..Settings::default() };
    crate::cancel::catch(|| solve(job, &settings, Progress::new(&(), &|| false)))
}

/// The same on an emulated device with this much memory.
#[cfg(feature = "emulated")]
fn on_device(job: &ClosureJob, device_memory: usize) -> SolvedClosure {
    let device_options = crate::device::DeviceOptions::default().with_memory(device_memory);
    let device = crate::device::DeviceChoice::Emulated;
    let settings = Settings { memory: 1 << 24, device, device_options, ..Settings::default() };
    crate::cancel::catch(|| solve(job, &settings, Progress::new(&(), &|| false))).unwrap()
}

fn written(closure: &SolvedClosure) -> String {
    let sink = FileSink { out: Vec::new(), format: Format::Csv, path: Path::new("out.csv") };
    let out = closure.write(sink, Progress::new(&(), &|| false));
    String::from_utf8(out.unwrap()).unwrap()
}

fn closure_of(job: &ClosureJob) -> Result<String> {
    solved(job, 1 << 30).map(|closure| written(&closure))
}

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> Input {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    Input::files([path])
}

fn batch(columns: [(&str, ArrayRef); 2]) -> Input {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    Input::batches("edges", batch.schema(), vec![batch]).unwrap()
}

#[test]
fn methods_and_memory_give_the_closure_of_the_definition() {
    let folder = tempfile::tempdir().unwrap();
    for (name, _, pairs) in random_graphs(5).into_iter().filter(|(_, _, pairs)| !pairs.is_empty()) {
        let text: String = pairs.iter().map(|[a, b]| format!("{}\t{}\n", a * 3, b * 3)).collect();
        let input = file(&folder, "g.txt", &text);
        for (directed, reflexive) in [(true, false), (true, true), (false, false), (false, true)] {
            let mut used: Vec<u32> = pairs.iter().flatten().copied().collect();
            used.sort_unstable();
            let back = pairs.iter().filter(|_| !directed).map(|[a, b]| [*b, *a]);
            let edges: Vec<[u32; 2]> = pairs.iter().copied().chain(back).collect();
            let mut expected = "source,target\n".to_owned();
            for [a, b] in naive_closure(used[used.len() - 1] + 1, &edges, reflexive) {
                if used.binary_search(&a).is_ok() {
                    expected += &format!("{},{}\n", a * 3, b * 3);
                }
            }
            for method in [ClosureMethod::Auto, ClosureMethod::BitRows, ClosureMethod::Fixpoint] {
                let job = ClosureJob { directed, reflexive, method, ..ClosureJob::new(input.clone()) };
                let closure = solved(&job, 1 << 20).unwrap();
                assert_eq!(written(&closure), expected, "{name}, {directed}, {reflexive}, {method:?}");
                assert_eq!(closure.pairs() + 1, expected.lines().count() as u64);
                assert!(
                    directed
                        || method != ClosureMethod::Auto
                        || closure.plan().reason == ClosureReason::ComponentsSuffice
                );
            }
        }
    }
}

#[test]
fn ids_have_their_order_and_keep_their_type() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = file(&folder, "n.csv", "from,to,w\n10,9,x\n9,-2,x\n");
    assert_eq!(closure_of(&ClosureJob::new(numbers)).unwrap(), "from,to\n9,-2\n10,-2\n10,9\n");
    let texts = file(&folder, "t.csv", "from,to\n10,9\n9,b\n");
    assert_eq!(closure_of(&ClosureJob::new(texts.clone())).unwrap(), "from,to\n10,9\n10,b\n9,b\n");
    let other = ClosureJob::new(texts).with_columns("to", "from");
    assert_eq!(closure_of(&other).unwrap(), "to,from\n9,10\nb,10\nb,9\n");
    let dates = |days: Vec<i32>| Arc::new(Date32Array::from(days)) as ArrayRef;
    let days = batch([("a", dates(vec![1, 0])), ("b", dates(vec![0, 2]))]);
    let expected = "a,b\n1970-01-01,1970-01-03\n1970-01-02,1970-01-01\n1970-01-02,1970-01-03\n";
    assert_eq!(closure_of(&ClosureJob::new(days)).unwrap(), expected);
    let large = |values: Vec<u64>| Arc::new(UInt64Array::from(values)) as ArrayRef;
    let large = batch([("a", large(vec![u64::MAX, 1])), ("b", large(vec![1, 0]))]);
    let expected = "a,b\n1,0\n18446744073709551615,0\n18446744073709551615,1\n";
    assert_eq!(closure_of(&ClosureJob::new(large)).unwrap(), expected);
}

#[test]
fn files_are_read_as_their_endings_say() {
    let folder = tempfile::tempdir().unwrap();
    let closure = |name: &str, text: &str| closure_of(&ClosureJob::new(file(&folder, name, text))).unwrap();
    assert_eq!(closure("e.facts", "a b\tc\nc\td\n"), "source,target\na b,c\na b,d\nc,d\n");
    assert_eq!(closure("e.el", "# x\na b\tc\n"), "source,target\na,b\n", "white space is between ids");
    let tabs = ClosureJob::new(file(&folder, "e.tsv", "a b\tc\n").as_plain_text().with_delimiter(b'\t'));
    assert_eq!(closure_of(&tabs).unwrap(), "source,target\na b,c\n");
}

#[test]
fn what_makes_no_pairs_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |input: Input| closure_of(&ClosureJob::new(input)).unwrap_err();
    let (number, text) = (Arc::new(Int32Array::from(vec![1])), Arc::new(StringArray::from(vec!["1"])));
    let error = refused(batch([("a", number as ArrayRef), ("b", text as ArrayRef)]));
    let message = "`edges`: the ids are of two types: whole numbers in column `a`, texts in column `b`";
    assert_eq!(error.message(), message);
    let error = refused(file(&folder, "e.csv", "1,2\n3,4\n"));
    assert_eq!(error.message(), "`e` begins with the numbers 1 and 2, where names of columns are expected");
    assert_eq!(error.code(), ErrorCode::NoColumnNames);
    let error = refused(file(&folder, "m.csv", "a,b\n1,2\n3,\n"));
    assert!(error.message().ends_with("m.csv:3: the id in column `b` is missing"), "{error}");
    let error = refused(file(&folder, "o.csv", "a\n1\n"));
    assert_eq!(error.message(), "`o` has only one column, `a`; pairs need two");
    let named = ClosureJob::new(file(&folder, "p.csv", "a,b\n1,2\n")).with_columns("a", "c");
    assert_eq!(closure_of(&named).unwrap_err().to_string(), "`p` has no column `c`\n  help: its columns are `a`, `b`");
    assert_eq!(closure_of(&ClosureJob::new(file(&folder, "q.csv", "a,b\n"))).unwrap(), "a,b\n");
}

#[test]
fn a_closure_can_be_cancelled() {
    struct Stopped;
    impl Observer for Stopped {}
    let folder = tempfile::tempdir().unwrap();
    let job = ClosureJob::new(file(&folder, "g.txt", "1 2\n2 3\n"));
    let stopped = crate::cancel::catch(|| solve(&job, &Settings::default(), Progress::new(&Stopped, &|| true)));
    assert_eq!(stopped.err().map(|error| error.code()), Some(ErrorCode::Cancelled));
}

#[cfg(feature = "emulated")]
#[test]
fn a_device_gives_the_same_bytes_with_and_without_room() {
    let folder = tempfile::tempdir().unwrap();
    for (name, _, pairs) in random_graphs(2).into_iter().filter(|(_, _, pairs)| !pairs.is_empty()) {
        let text: String = pairs.iter().map(|[a, b]| format!("{a}\t{b}\n")).collect();
        let input = file(&folder, "g.txt", &text);
        for (directed, reflexive) in [(true, false), (true, true), (false, false)] {
            // An emulated fixpoint of a large graph takes a minute: those are tried where there is time for it.
            let is_small = pairs.len() < 100 || std::env::var_os("SAMEAS_LONG").is_some();
            let methods = [Some(ClosureMethod::BitRows), is_small.then_some(ClosureMethod::Fixpoint)];
            for method in methods.into_iter().flatten() {
                let job = ClosureJob { directed, reflexive, method, ..ClosureJob::new(input.clone()) };
                let expected = closure_of(&job).unwrap();
                for memory in [64 << 20, 40 << 10, 4 << 10] {
                    let closure = on_device(&job, memory);
                    assert_eq!(closure.plan().device, crate::device::DeviceKind::Emulated);
                    assert!(written(&closure) == expected, "{name}, {directed}, {reflexive}, {method:?}, {memory}");
                }
            }
        }
    }
}

#[test]
fn a_small_closure_is_not_worth_a_device() {
    let folder = tempfile::tempdir().unwrap();
    let closure = solved(&ClosureJob::new(file(&folder, "g.txt", "1 2\n2 3\n")), 1 << 30).unwrap();
    assert_eq!(closure.plan().device, crate::device::DeviceKind::Cpu);
    assert!(closure.plan().no_gpu.is_some() && closure.plan().host_milliseconds == 0);
}
