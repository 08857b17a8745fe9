//! Clusters as rules ask for them: the same bytes however a job is run, interrupted or repeated.

use std::time::Duration;

use sameas::record::Resumption;
use sameas::{DeviceChoice, Format, Input, Job, OutputFolder, RuleFile, Run, RunRecord, Session};

use crate::inputs::people;
use crate::scores::device_sessions;

const RULES: &str = r#"
    [[rule]]
    when = "l.city = r.city and levenshtein(l.name, r.name) <= 1"
    [[rule]]
    when = "l.name = r.name"
    [[never]]
    when = "levenshtein(l.name, r.name) > 1"
    [clusters]
    keep_apart = true
    max_size = 9
    [[limit]]
    most = 1
    values_of = "upper(city)"
"#;

fn job() -> Job {
    let batches = people();
    let input = Input::batches("people", batches[0].schema(), batches).unwrap();
    Job::dedupe(input).with_rules(RuleFile::parse(RULES, "rules.toml").unwrap())
}

fn session(threads: usize, memory: Option<usize>) -> Session {
    let builder = Session::builder().threads(threads).device(DeviceChoice::Cpu).checkpoint_interval(Duration::ZERO);
    match memory {
        Some(memory) => builder.memory(memory).build().unwrap(),
        None => builder.build().unwrap(),
    }
}

/// The files of its pairs, its clusters, and the pairs between these.
fn written(mut run: Run) -> [Vec<u8>; 3] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    run.write(OutputFolder::create(&path, true).unwrap(), Format::Csv, &()).unwrap();
    ["pairs", "clusters", "cut"].map(|name| std::fs::read(path.join(format!("{name}.csv"))).unwrap())
}

#[test]
fn memory_threads_and_devices_change_no_byte_of_clusters() {
    let first = session(1, None).run(&job(), &()).unwrap();
    let record = first.record();
    let cut = record.cut.unwrap();
    assert!(cut.pairs > 0 && cut.never > 0 && cut.kept_apart.is_some_and(|pairs| pairs > record.pairs));
    assert!(record.largest_cluster.unwrap().records <= 9);
    let expected = written(first);
    for (threads, memory) in [(3, Some(300)), (2, Some(64 << 10)), (4, None)] {
        let found = written(session(threads, memory).run(&job(), &()).unwrap());
        assert!(found == expected, "{threads} threads, {memory:?} bytes");
    }
    for (number, session) in device_sessions().iter().enumerate() {
        assert!(written(session.run(&job(), &()).unwrap()) == expected, "session {number} of devices");
    }
}

#[test]
fn a_run_that_is_resumed_or_repeated_has_the_same_clusters() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session(2, None));
    let first = session.run(&job(), &()).unwrap();
    let stored = serde_json::to_string(&first.record()).unwrap();
    let spec = serde_json::from_str::<RunRecord>(&stored).unwrap().job.spec.unwrap();
    let expected = written(first);
    let batches = people();
    let input = Input::batches("people", batches[0].schema(), batches).unwrap();
    assert!(written(session.run(&spec.job(&[input]).unwrap(), &()).unwrap()) == expected);
    let out = OutputFolder::create(&folder.path().join("out"), false).unwrap();
    // Nothing is written there, so that the checkpoint of the first is found by the second.
    let [begun, resumed] = [(); 2].map(|()| session.resume(&job(), &out, &()).unwrap());
    let resumption = resumed.record().resumption;
    assert!(matches!(resumption, Some(Resumption::Resumed { branches: 1.. })), "{resumption:?}");
    assert!(written(begun) == expected && written(resumed) == expected);
}
