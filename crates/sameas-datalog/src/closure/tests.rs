//! Files of pairs in, files of pairs out, against the closure by the definition.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Int32Array, RecordBatch, StringArray, UInt64Array};

use super::*;
use crate::error::{ErrorCode, Result};
use crate::observer::{Observer, Progress};
use crate::output::Format;
use crate::settings::Settings;

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

/// Graphs of every shape, in a numbering that does not fit their edges: chains, cycles, stars, loops, repeated edges, two
/// components and random ones, `rounds` of each.
fn graphs(rounds: u32) -> Vec<(String, Vec<[u32; 2]>)> {
    let mut graphs = vec![("one loop".to_owned(), vec![[0, 0]])];
    for round in 0..rounds {
        let n = if round % 4 == 0 { 211 } else { 7 + 3 * round };
        let mut add = |name: &str, edges: Vec<[u32; 2]>| {
            // 7 and 1009 have no common divisor, so no two vertices have one number.
            let numbered = edges.iter().map(|edge| edge.map(|vertex| vertex * 7 % 1009)).collect();
            graphs.push((format!("{name}, round {round}"), numbered));
        };
        add("chain", (1..n).map(|v| [v - 1, v]).collect());
        add("cycle", (0..n).map(|v| [v, (v + 1) % n]).collect());
        add("star", (1..n).map(|v| if v % 2 == 0 { [0, v] } else { [v, 0] }).collect());
        add("loops", (1..n).map(|v| if v % 3 == 0 { [v, v] } else { [v, v - 1] }).collect());
        add("two components", (0..n).flat_map(|v| [[v, (v + 1) % n], [n + v / 2, n + v]]).collect());
        let mixed = |at: u32| (at + round).wrapping_mul(2_654_435_769) >> 8;
        add("random, repeated", (0..n).chain(0..n).map(|at| [mixed(2 * at) % n, mixed(2 * at + 1) % n]).collect());
        add("acyclic", (0..2 * n).map(|at| [at / 2 + 1 + mixed(at) % 9, at / 2]).collect());
    }
    graphs
}

/// All pairs that a path of at least one edge connects; with `reflexive` every vertex with itself, too.
fn by_definition(edges: &[[u32; 2]], reflexive: bool) -> BTreeSet<[u32; 2]> {
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for [from, to] in edges {
        next.entry(*from).or_default().push(*to);
        next.entry(*to).or_default();
    }
    let mut closure = BTreeSet::new();
    for source in next.keys() {
        let mut open = vec![*source];
        while let Some(at) = open.pop() {
            open.extend(next[&at].iter().filter(|to| closure.insert([*source, **to])));
        }
        closure.extend(reflexive.then_some([*source, *source]));
    }
    closure
}

#[test]
fn methods_and_memory_give_the_closure_of_the_definition() {
    let folder = tempfile::tempdir().unwrap();
    for (name, pairs) in graphs(5) {
        let text: String = pairs.iter().map(|[a, b]| format!("{}\t{}\n", a * 3, b * 3)).collect();
        let input = file(&folder, "g.txt", &text);
        for (directed, reflexive) in [(true, false), (true, true), (false, false), (false, true)] {
            let back = pairs.iter().filter(|_| !directed).map(|[a, b]| [*b, *a]);
            let edges: Vec<[u32; 2]> = pairs.iter().copied().chain(back).collect();
            let mut expected = "source,target\n".to_owned();
            for [a, b] in by_definition(&edges, reflexive) {
                expected += &format!("{},{}\n", a * 3, b * 3);
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
    for (name, pairs) in graphs(2) {
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
