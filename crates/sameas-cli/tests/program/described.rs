//! What is asked of the folder of a run: `report`, `show` and `why` make its job again from its record, whether the
//! program or Python has run it.

use std::path::Path;
use std::sync::Arc;

use sameas::arrow_array::{ArrayRef, RecordBatch, StringArray};
use sameas::{Format, Input, Job, OutputFolder, Session};

use crate::report::Unpacked;
use crate::scores;
use crate::support::{Folder, PEOPLE, SAME_PHONE, has};

/// Results of a program that has no command line.
fn write(folder: &Folder, job: &Job, name: &str) {
    let target = OutputFolder::create(&folder.path(name), false).unwrap();
    let mut run = Session::builder().threads(2).build().unwrap().run(job, &()).unwrap();
    run.write(target, Format::Parquet, &()).unwrap();
}

#[test]
fn results_of_another_program_over_files_have_values() {
    let folder = Folder::with_people();
    write(&folder, &Job::dedupe(Input::files([folder.path("people.csv")])).with_rule(SAME_PHONE), "out");
    folder.ok(&["report", "out", "-q"]);
    let report = Unpacked::read(&folder, "out/report.html");
    assert!(report.has_bytes("jon smith"));
    assert_eq!(report.facts["header"]["hasValues"], true);
    assert!(report.facts["words"]["withoutValues"].is_null());
    has(&folder.ok(&["show", "2", "--in", "out"]).out, &["john smith", "jon smith*"]);
    has(&folder.ok(&["why", "out", "--pair", "1", "2"]).out, &["1 and 2 are a pair", "'jon smith'"]);
}

#[test]
fn records_that_a_program_gave_are_named() {
    let folder = Folder::new();
    let column = |values: [&str; 3]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let columns = [("id", column(["1", "2", "3"])), ("name", column(["ann smith", "anne smith", "bob jones"]))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let input = Input::batches("customers", batch.schema(), vec![batch]).unwrap();
    write(&folder, &Job::dedupe(input).with_rule("jaro_winkler(l.name, r.name) >= 0.9"), "out");
    folder.ok(&["report", "out", "-q"]);
    let report = Unpacked::read(&folder, "out/report.html");
    let why = "the records customers were given by a program, which has to give them again";
    has(report.facts["words"]["withoutValues"].as_str().unwrap(), &[why]);
    assert_eq!(report.facts["overview"]["pairs"].as_u64(), Some(1));
    let shown = folder.ok(&["show", "1", "--in", "out"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
    has(&shown, &[why, "Pairs: 1 of 1 possible"]);
    let complaint = folder.fails(&["why", "out", "--pair", "1", "2"]);
    has(&complaint, &["the records `customers` were given to the job, and have to be given again", "help: "]);
}

#[test]
fn why_takes_the_folder_of_a_run() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out"]);
    let options: [&[&str]; 3] = [&[], &["--records"], &["--full", "--records"]];
    for more in options {
        let of_run = folder.ok(&[&["why", "out", "--pair", "1", "2"][..], more].concat()).out;
        let of_files = ["why", "people.csv", "--rule", SAME_PHONE, "--pair", "1", "2"];
        assert_eq!(of_run, folder.ok(&[&of_files[..], more].concat()).out);
    }
    let said = folder.fails(&["why", "out", "--pair", "1", "2", "--id", "name"]);
    has(&said, &["the run in `out` says itself how its inputs are read", "help: leave the options"]);
    has(&folder.fails(&["why", "out", "--rule", SAME_PHONE, "--pair", "1", "2"]), &["out: is a directory"]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    has(&folder.fails(&["why", "empty", "--pair", "1", "2"]), &["cannot read the record of a run"]);
    // A record of before does not say what the job was.
    let mut record: serde_json::Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
    record["job"].as_object_mut().unwrap().remove("spec").unwrap();
    folder.write("empty/run.json", record.to_string());
    has(&folder.fails(&["why", "empty", "--pair", "1", "2"]), &["does not say how it was made", "name the inputs"]);
    folder.write("people.csv", PEOPLE.replace("john", "joan"));
    let changed = "the records of `people` are not those that the run has read";
    has(&folder.fails(&["why", "out", "--pair", "1", "2"]), &[changed]);
}

/// Whatever has decided the answer is in the description: scores, and the sides of a link.
#[test]
fn why_of_a_run_has_its_model_and_its_sides() {
    let folder = Folder::new();
    folder.write("people.csv", scores::PEOPLE);
    folder.write("rules.toml", scores::RULES);
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml", "-q"]);
    let scored = ["people.csv", "--rules", "rules.toml", "--model", "model.toml"];
    folder.write("other.csv", "no,name\na,ann smith\n");
    let linked = ["people.csv", "other.csv", "--id-right", "no", "--rule", "l.name = r.name"];
    let asked = [
        folder.ok(&[&["why"][..], &scored, &["--pair", "1", "2"]].concat()).out,
        folder.ok(&[&["why", "--link"][..], &linked, &["--pair", "1", "a"]].concat()).out,
    ];
    folder.ok(&[&["dedupe"][..], &scored, &["-o", "scored"]].concat());
    folder.ok(&[&["link"][..], &linked, &["-o", "linked"]].concat());
    ["rules.toml", "model.toml"].iter().for_each(|file| std::fs::remove_file(folder.path(file)).unwrap());
    assert_eq!(folder.ok(&["why", "scored", "--pair", "1", "2"]).out, asked[0]);
    assert_eq!(folder.ok(&["why", "linked", "--pair", "1", "a"]).out, asked[1]);
    has(&asked[0], &["are a pair by their score"]);
}

/// What a run has named by relative paths is found from any folder, and where its folder has moved, from that folder.
#[test]
fn the_folder_of_a_run_is_asked_from_elsewhere() {
    let (folder, elsewhere) = (Folder::with_people(), Folder::new());
    let kept = Folder::new();
    std::fs::create_dir(folder.path("rules")).unwrap();
    folder.write("rules/names.csv", "john,jon\n");
    let rules = "[derive]\nfirst = \"split_part(name, ' ', 1)\"\n[[rule]]\n\
                 when = \"l.phone = r.phone and in_list(l.first, r.first, 'names.csv')\"\n";
    folder.write("rules/rules.toml", rules);
    folder.ok(&["dedupe", "people.csv", "--rules", "rules/rules.toml", "-o", "out"]);
    let out = folder.path("out").to_str().unwrap().to_owned();
    let of_run = folder.ok(&["why", "out", "--pair", "1", "2"]).out;
    has(&of_run, &["1 and 2 are a pair"]);
    let looks = |from: &Folder, out: &str, page: &Path| {
        assert_eq!(from.ok(&["why", out, "--pair", "1", "2"]).out, of_run);
        has(&from.ok(&["show", "2", "--in", out]).out, &["john smith", "jon smith*"]);
        from.ok(&["report", out, "-q", "-o", page.to_str().unwrap(), "--overwrite"]);
        assert!(Unpacked::read(&kept, "report.html").has_bytes("jon smith"));
    };
    let page = kept.path("report.html");
    looks(&elsewhere, &out, &page);
    // Files of the same names are not meant.
    elsewhere.write("people.csv", PEOPLE.replace("john", "joan"));
    elsewhere.write("names.csv", "joan,jon\n");
    looks(&elsewhere, &out, &page);
    // What has changed there is refused, here as there.
    folder.write("rules/names.csv", "john,joan\n");
    for from in [&folder, &elsewhere] {
        has(
            &from.fails(&["why", &out, "--pair", "1", "2"]),
            &["the file `rules/names.csv`, which the rules name, is not the one"],
        );
    }
    folder.write("rules/names.csv", "john,jon\n");
    folder.write("people.csv", PEOPLE.replace("john", "joan"));
    let changed = "the records of `people` are not those that the run has read";
    has(&elsewhere.fails(&["why", &out, "--pair", "1", "2"]), &[changed]);
    folder.write("people.csv", PEOPLE);
    // A folder that has moved as a whole is asked in it.
    let moved = Folder::new();
    for name in ["people.csv", "rules", "out"] {
        std::fs::rename(folder.path(name), moved.path(name)).unwrap();
    }
    looks(&moved, "out", &page);
    let lost = elsewhere.fails(&["why", moved.path("out").to_str().unwrap(), "--pair", "1", "2"]);
    has(&lost, &["the file `rules/names.csv`, which the rules name, is not the one"]);
}
