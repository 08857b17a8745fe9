//! `run.json` has what it takes to run a job again.

use std::fs;

use sameas::{ErrorCode, Format, OutputFolder, RunRecord, Session};

use crate::scores;
use crate::support::{Folder, has};

#[test]
fn a_run_is_reproduced_from_its_record() {
    let folder = Folder::new();
    folder.write("left.csv", "key;name;year\n1;Ann Smith;1980\n2;Bob Jones;1975\n3;Zoe;1990\n");
    folder.write("right.csv", "key;name;year\n7;ann smith;1980\n8;bob jones;\n9;zoe;1990\n");
    let rules = "unique_id = \"key\"  # not `id`\n[derive]\nplain = \"lower(name)\"\n[derive.left]\nside = \"'l'\"\n\
                 [derive.right]\nside = \"'r'\"\n\
                 [[rule]]\nname = \"same name\"\nwhen = \"l.plain = r.plain and l.side <> r.side\"\n\
                 [[never]]\nwhen = \"l.year = 1990\"\n";
    folder.write("rules.toml", rules);
    let args = [
        "link",
        "left.csv",
        "right.csv",
        "--rules",
        "rules.toml",
        "--rule",
        "l.year = r.year",
        "--delimiter",
        ";",
        "--format",
        "csv",
        "-o",
        "out",
        "--max-pairs",
        "1M",
    ];
    folder.ok(&args);
    let record: serde_json::Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
    let job = &record["job"];
    let texts = |value: &serde_json::Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts(&job["command"])[1..], args);
    let spec = &job["spec"];
    assert_eq!((&spec["ids_of_rules"]["column"], job["max_candidates"].as_u64()), (&"key".into(), Some(1_000_000)));
    let derive: Vec<_> =
        job["derive"].as_array().unwrap().iter().map(|d| d["input"].as_str().unwrap_or("both")).collect();
    assert_eq!(derive, ["both", "left", "right"]);
    let started = job["started"].as_str().unwrap();
    assert!(started.len() == 20 && started.starts_with("20") && started.ends_with('Z'), "{started}");
    for (input, name) in record["inputs"].as_array().unwrap().iter().zip(["left.csv", "right.csv"]) {
        assert_eq!((texts(&input["given"]), input["id"].as_str()), (vec![name.to_owned()], Some("key")));
        assert_eq!(input["delimiter"].as_str(), Some(";"));
        let file = &input["on_disk"][0];
        assert_eq!(
            (file["path"].as_str(), file["bytes"].as_u64()),
            (Some(name), Some(folder.bytes(name).len() as u64))
        );
        assert!(file["modified"].as_str().unwrap().ends_with('Z'));
    }
    // Only the record and the inputs are left.
    fs::remove_file(folder.path("rules.toml")).unwrap();
    fs::rename(folder.path("out"), folder.path("first")).unwrap();
    let parts = spec["rules"].as_array().unwrap();
    assert_eq!(parts.iter().map(|part| part["kind"].as_str().unwrap()).collect::<Vec<_>>(), ["file", "rule"]);
    folder.write(parts[0]["path"].as_str().unwrap(), parts[0]["text"].as_str().unwrap());
    assert_eq!(folder.read("rules.toml"), rules);
    let command = texts(&job["command"]);
    folder.ok(&command[1..].iter().map(String::as_str).collect::<Vec<_>>());
    for name in ["pairs.csv", "clusters.csv"] {
        assert_eq!(folder.read(&format!("out/{name}")), folder.read(&format!("first/{name}")));
    }
    let again: serde_json::Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
    assert_eq!(
        (&again["files"], &again["rules"], &again["never"]),
        (&record["files"], &record["rules"], &record["never"])
    );
    assert_eq!(again["inputs"], record["inputs"]);
}

/// Rules from a pipe can be read only once.
#[cfg(unix)]
#[test]
fn rules_from_a_pipe_are_recorded() {
    let folder = Folder::with_people();
    let rules = "[[rule]]\nwhen = \"l.phone = r.phone\"\n";
    let said = folder.feed(&["dedupe", "people.csv", "--rules", "/dev/stdin"], rules.as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
    let record: serde_json::Value = serde_json::from_str(&folder.read("sameas-out/run.json")).unwrap();
    assert_eq!(record["job"]["spec"]["rules"][0]["text"].as_str(), Some(rules));
    folder.write("bad.toml", [b'#', 0xff]);
    has(&folder.fails(&["dedupe", "people.csv", "--rules", "bad.toml", "-o", "x"]), &["`bad.toml` is not UTF-8 text"]);
}

/// The same results, made of the description of the job in `run.json` and of nothing else that the program knew.
pub fn runs_again(folder: &Folder, results: &str) {
    let spec = RunRecord::read(&folder.path(results).join("run.json")).unwrap().job.spec.unwrap();
    let target = OutputFolder::create(&folder.path("again"), true).unwrap();
    let mut run = Session::builder().threads(2).build().unwrap().run(&spec.job(&[]).unwrap(), &()).unwrap();
    run.write(target, Format::Csv, &()).unwrap();
    for name in fs::read_dir(folder.path(results)).unwrap().map(|entry| entry.unwrap().file_name()) {
        let name = name.into_string().unwrap();
        if name != "run.json" {
            assert_eq!(folder.read(&format!("again/{name}")), folder.read(&format!("{results}/{name}")), "{name}");
        }
    }
    assert_eq!(run.record().job.spec, Some(spec));
}

#[test]
fn a_job_is_run_again_by_its_description_alone() {
    let folder = Folder::new();
    folder.write("left.csv", b"key;name;year\n1;J\xf6rg Ott;1980\n2;Ann Lee;1975\n3;-;1990\n;Bob;1\n".as_slice());
    folder.write("right.csv", b"no;name;year\n7;J\xf6rg Ott;1981\n8;Ann Lea;1975\n9;-;1990\n".as_slice());
    folder.write("names.csv", "lee,lea\n");
    let rules = "[derive]\nlast = \"lower(split_part(name, ' ', 2))\"\n[[rule]]\nname = \"listed\"\n\
                 when = \"in_list(l.last, r.last, 'names.csv') and abs(l.year - r.year) <= 1\"\n";
    folder.write("rules.toml", rules);
    let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let [left, right, file] = ["left.csv", "right.csv", "rules.toml"].map(path);
    let rule = "l.year = r.year and jaro_winkler(l.name, r.name) >= 0.99";
    let reading = ["--encoding", "latin1", "--null", "-", "--delimiter", ";", "--skip-null-ids"];
    let job = ["link", left.as_str(), &right, "--id-left", "key", "--id-right", "no", "--rules", &file, "--rule", rule];
    folder.ok(&[&job[..], &reading, &["--near", "0.1", "--format", "csv", "-o", "out"]].concat());
    fs::remove_file(&file).unwrap();
    assert_eq!(folder.read("out/pairs.csv").lines().count(), 3);
    assert!(folder.path("out/near.csv").exists() && folder.path("out/skipped.csv").exists());
    runs_again(&folder, "out");
}

#[test]
fn scores_of_others_models_and_frequencies_are_in_the_description() {
    let folder = Folder::new();
    folder.write("people.csv", scores::PEOPLE);
    folder.write("rules.toml", scores::RULES);
    folder.write("outside.toml", "[score]\npairs = \"scored.csv\"\nthreshold = 0.6\n");
    folder.write("scored.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n3,4,0.7\n5,6,0.1\n");
    folder.write("names.csv", "value,frequency\nann smith,0.01\nbob jones,0.5\n");
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml", "-q"]);
    let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let [people, rules, outside, model] = ["people.csv", "rules.toml", "outside.toml", "model.toml"].map(path);
    let frequencies = format!("name={}", path("names.csv"));
    let job = ["dedupe", people.as_str(), "--format", "csv", "--rules"];
    let scored = [rules.as_str(), "--model", &model, "--term-frequencies", &frequencies, "-o", "scored"];
    folder.ok(&[&job[..], &[outside.as_str(), "-o", "outside"]].concat());
    folder.ok(&[&job[..], &scored].concat());
    [rules, outside, model].iter().for_each(|file| fs::remove_file(file).unwrap());
    for results in ["outside", "scored"] {
        assert!(folder.read(&format!("{results}/pairs.csv")).lines().count() > 1, "{results}");
        runs_again(&folder, results);
    }
}

/// What rules name is a part of the answer, as records are: a run is not asked about by another file.
#[test]
fn files_that_rules_name_must_be_as_they_were() {
    let folder = Folder::new();
    folder.write("people.csv", scores::PEOPLE);
    folder.write("listed.toml", "[[rule]]\nwhen = \"in_list(l.name, r.name, 'list.csv')\"\n");
    folder.write("list.csv", "ann smith,bob jones\n");
    folder.write("outside.toml", "[score]\npairs = \"scored.csv\"\nthreshold = 0.6\n");
    folder.write("scored.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n3,4,0.7\n5,6,0.1\n");
    let frequency = "term_frequency = \"name\"\n";
    folder.write(
        "rules.toml",
        scores::RULES.replace(frequency, &format!("{frequency}term_frequencies = \"names.csv\"\n")),
    );
    folder.write("names.csv", "value,frequency\nann smith,0.01\nbob jones,0.5\n");
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml", "-q"]);
    let kinds: [(&str, &[&str], &str, &str); 3] = [
        ("listed.toml", &[], "list.csv", "ann smith,carl orff\n"),
        ("outside.toml", &[], "scored.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n"),
        ("rules.toml", &["--model", "model.toml"], "names.csv", "value,frequency\nann smith,0.02\n"),
    ];
    for (rules, more, file, changed) in kinds {
        let out = format!("of-{}", file.replace('.', "-"));
        folder.ok(&[&["dedupe", "people.csv", "--rules", rules, "-q", "-o", &out][..], more].concat());
        let spec = RunRecord::read(&folder.path(&out).join("run.json")).unwrap().job.spec.unwrap();
        assert_eq!(spec.files.keys().collect::<Vec<_>>(), [file]);
        let why = ["why", &out, "--pair", "1", "2"];
        let before = folder.ok(&why).out;
        let was = folder.read(file);
        folder.write(file, changed);
        let complaint = folder.fails(&why);
        has(&complaint, &[&format!("the file `{file}`, which the rules name, is not the one that the run has read")]);
        has(&complaint, &["help: run the job again, or bring back the file as it was"]);
        // From this folder, too, in which the program does not run.
        let job = spec.job(&[]).unwrap();
        let refused = Session::builder().threads(2).build().unwrap().run(&job, &()).unwrap_err();
        assert_eq!(refused.code(), ErrorCode::OtherRecords, "{refused}");
        folder.write(file, was);
        assert_eq!(folder.ok(&why).out, before);
    }
}
