//! No command replaces a file that it reads, and none replaces another one without being asked.

use crate::scores::{PEOPLE, RULES};
use crate::support::{Folder, SAME_PHONE, has};

/// A folder with people and rules to learn a model by.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    folder.write("rules.csv", RULES);
    folder
}

/// Runs a command that would replace a file it reads: it is refused, and the file stays as it was.
fn refused(folder: &Folder, file: &str, args: &[&str]) {
    let before = folder.bytes(file);
    let complaint = folder.fails(args);
    let what = format!("`{file}` is an input, and would be replaced by the output");
    has(&complaint, &[&what, "help: choose another name for the output"]);
    assert_eq!(folder.bytes(file), before, "{args:?}");
}

#[test]
fn training_replaces_neither_records_nor_rules() {
    let folder = folder();
    for file in ["people.csv", "rules.csv"] {
        refused(&folder, file, &["train", "people.csv", "--rules", "rules.csv", "-o", file, "--overwrite"]);
    }
    folder.write("notes.txt", "mine");
    let complaint = folder.fails(&["train", "people.csv", "--rules", "rules.csv", "-o", "notes.txt"]);
    has(&complaint, &["the output file `notes.txt` is there already", "use --overwrite for that"]);
    assert_eq!(folder.read("notes.txt"), "mine");
}

#[test]
fn a_run_replaces_nothing_that_its_rules_are_made_of() {
    let folder = folder();
    folder.ok(&["train", "people.csv", "--rules", "rules.csv", "-o", "model.csv", "-q"]);
    let scored = |output: &'static str| {
        ["dedupe", "people.csv", "--rules", "rules.csv", "--model", "model.csv", "-o", output, "--overwrite"]
    };
    refused(&folder, "rules.csv", &scored("rules.csv"));
    refused(&folder, "model.csv", &scored("model.csv"));
    folder.write("names.csv", "dora maar,carl orf\n");
    folder.write("scores.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n");
    folder.write("lists.toml", "[[rule]]\nwhen = \"in_list(l.name, r.name, 'names.csv')\"\n");
    folder.write("scored.toml", "[score]\npairs = \"scores.csv\"\n");
    let by = |rules: &'static str, output: &'static str| {
        ["dedupe", "people.csv", "--rules", rules, "-o", output, "--overwrite"]
    };
    let frequencies = "term_frequency = \"name\"\n";
    folder.write("given.toml", RULES.replace(frequencies, &format!("{frequencies}term_frequencies = \"tf.csv\"\n")));
    folder.write("tf.csv", "value,frequency\nann smith,0.5\n");
    refused(&folder, "tf.csv", &by("given.toml", "tf.csv"));
    refused(&folder, "tf.csv", &[&scored("tf.csv")[..], &["--term-frequencies", "name=tf.csv"]].concat());
    refused(&folder, "names.csv", &by("lists.toml", "names.csv"));
    refused(&folder, "scores.csv", &by("scored.toml", "scores.csv"));
    let report = ["dedupe", "people.csv", "--rules", "lists.toml", "-o", "out", "--report=lists.toml", "--overwrite"];
    refused(&folder, "lists.toml", &report);
    folder.ok(&by("lists.toml", "found.csv"));
    has(&folder.read("found.csv"), &["\n7,8,rule_1\n"]);
}

#[test]
fn a_report_replaces_neither_its_run_nor_its_truth() {
    let folder = Folder::with_people();
    folder.write("rules.toml", format!("[[rule]]\nwhen = \"{SAME_PHONE}\"\n"));
    folder.write("truth.csv", "a,b\n1,2\n");
    folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml", "-o", "out", "-q"]);
    for file in ["out/run.json", "out/pairs.parquet", "out/clusters.parquet", "people.csv", "rules.toml", "truth.csv"] {
        refused(&folder, file, &["report", "out", "--truth", "truth.csv", "-o", file, "--overwrite"]);
    }
}

#[test]
fn an_evaluation_replaces_nothing_that_it_compares() {
    let folder = Folder::with_people();
    folder.write("truth.csv", "a,b\n1,2\n");
    folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out", "--format", "csv", "-q"]);
    let evaluate = ["evaluate", "--pairs", "out/pairs.csv", "--truth", "truth.csv", "--overwrite"];
    for option in ["--wrong", "--missed"] {
        for file in ["truth.csv", "out/pairs.csv"] {
            refused(&folder, file, &[&evaluate[..], &[option, file]].concat());
        }
    }
    let same = [&evaluate[..], &["--missed", "x.csv", "--thresholds", "x.csv"]].concat();
    has(&folder.fails(&same), &["--missed and --thresholds name the same file", "help: give each a name of its own"]);
}

#[test]
fn a_program_over_its_own_results_is_refused() {
    let folder = Folder::new();
    let program = ".decl edge(x: number, y: number)\n.decl path(x: number, y: number)\n.input edge\n.output path\n\
                   path(x, y) :- edge(x, y).\n";
    folder.write("paths.dl", program);
    folder.write("edge.csv", "x,y\n1,2\n");
    let relate = |edges: &'static str| ["relate", "paths.dl", "--input", edges, "-o", "out", "--overwrite", "-q"];
    folder.ok(&relate("edge=edge.csv"));
    let complaint = folder.fails(&relate("edge=out/path.csv"));
    has(&complaint, &["`out/path.csv` is an input of the run, and would be replaced by a result"]);
    assert_eq!(folder.read("out/path.csv"), "x,y\n1,2\n");
}

#[test]
fn costs_go_into_a_file_that_is_there_only_when_that_is_wanted() {
    let folder = Folder::new();
    folder.write("notes.txt", "mine");
    let complaint = folder.fails(&["calibrate", "--quick", "-o", "notes.txt"]);
    has(&complaint, &["the output file `notes.txt` is there already", "use --overwrite for that"]);
    assert_eq!(folder.read("notes.txt"), "mine");
    folder.ok(&["calibrate", "--quick", "-o", "notes.txt", "--overwrite"]);
    has(&folder.read("notes.txt"), &["\"kinds\""]);
    assert_eq!(folder.names(), ["notes.txt"]);
    // Where later runs look for them they are always replaced.
    for _ in 0..2 {
        let mut command = folder.command(&["calibrate", "--quick"]);
        assert!(command.env("XDG_CONFIG_HOME", folder.path("")).output().unwrap().status.success());
    }
    has(&folder.read("sameas/costs.json"), &["\"kinds\""]);
}
