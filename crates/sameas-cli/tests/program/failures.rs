//! Every failure: exit code 2, a message that says what and where, and nothing half-written.

use std::os::unix::fs::PermissionsExt;

use crate::support::{Folder, SAME_PHONE, has};

/// The complaint about a file of this content.
fn about(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    folder.write(name, content);
    folder.fails(&["dedupe", name, "--rule", "l.a = r.a"])
}

#[test]
fn inputs_that_cannot_be_read() {
    let folder = Folder::new();
    has(&folder.fails(&["dedupe", "none.csv", "--rule", "l.a = r.a"]), &["none.csv: no such file"]);
    has(&about("x.csv", ""), &["x.csv", "empty"]);
    has(&about("x.csv", "\n\n"), &["x.csv"]);
    has(&about("x.csv", "id,a,A2,a\n1,2,3,4\n"), &["x.csv", "`a`"]);
    has(&about("x.csv", "id,a\n1,x\n1,y\n"), &["x.csv", "the id `1`", "was used before"]);
    has(&about("x.csv", "id,a\n1,x\n,y\n"), &["x.csv", "the id in column `id` is missing"]);
    has(&about("x.csv", b"id,a\n1,x\n2,\xff\n"), &["x.csv", "UTF-8", "byte"]);
    has(&about("x.csv", "id,a\n1,x\n2,y,z\n"), &["x.csv:3"]);
    has(&about("x.parquet", "this is no parquet file, though long enough to hold a footer"), &["x.parquet"]);
    has(&about("x.jsonl", "{\"id\": 1, \"a\": \n"), &["x.jsonl"]);
    has(&about("x.csv.gz", b"\x1f\x8b\x08 broken off"), &["x.csv.gz"]);
}

#[test]
fn a_file_without_an_id_column_lists_its_columns() {
    let complaint = about("x.csv", "key,a\n1,x\n");
    has(&complaint, &["has no column `id` or `unique_id`", "key, a", "--id row"]);
}

#[test]
fn an_unknown_column_comes_with_a_suggestion_and_all_mistakes_are_reported() {
    let folder = Folder::with_people();
    let rules = ["dedupe", "people.csv", "--rule", "l.phne = r.phone", "--rule", "jaro(l.name, r.nam) > 0.9"];
    has(&folder.fails(&rules), &["phne", "phone", "r.nam", "2 mistakes"]);
}

#[test]
fn an_output_folder_that_cannot_be_used() {
    let folder = Folder::with_people();
    folder.write("file", "x");
    let run = |output: &str| folder.fails(&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", output]);
    has(&run("file"), &["`file` is a file"]);
    has(&run("file/below"), &["file/below"]);
    has(&run("."), &["is not empty", "help: ", "--overwrite"]);
    has(&run("/proc/sameas-out"), &["/proc/sameas-out"]);
    std::fs::create_dir(folder.path("locked")).unwrap();
    std::fs::set_permissions(folder.path("locked"), PermissionsExt::from_mode(0o555)).unwrap();
    // The administrator may write everywhere.
    if std::fs::write(folder.path("locked/probe"), "").is_ok() {
        eprintln!("skipped: permissions do not bind this user");
    } else {
        has(&run("locked"), &["cannot write into the output folder"]);
    }
}

#[test]
fn a_failure_leaves_earlier_results_alone() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE]);
    let before = folder.bytes("sameas-out/pairs.parquet");
    folder.write("people.csv", "id,name,phone\n1,a,b\n1,a,b\n");
    folder.fails(&["dedupe", "people.csv", "--rule", SAME_PHONE, "--overwrite"]);
    assert_eq!(folder.bytes("sameas-out/pairs.parquet"), before);
    folder.fails(&["dedupe", "people.csv", "--rule", SAME_PHONE]);
}

#[test]
fn no_rules_no_gpu_no_threads_no_memory() {
    let folder = Folder::with_people();
    has(&folder.fails(&["dedupe", "people.csv"]), &["no rules given", "--rule \"l.email", "--rules rules.toml"]);
    let with = |option: &str, value: &str| folder.fails(&["dedupe", "people.csv", "--rule", SAME_PHONE, option, value]);
    has(&with("--device", "cuda"), &["no GPU can be used: ", "help: ", "--device cpu"]);
    has(&with("--threads", "0"), &["'--threads <N>'", "at least one thread"]);
    has(&with("--memory", "12XB"), &["'--memory <LIMIT>'", "512MB or 2GiB"]);
    has(&with("--device-memory", "12XB"), &["'--device-memory <LIMIT>'", "512MB or 2GiB"]);
    has(&with("--delimiter", "ab"), &["one ASCII character"]);
    has(&with("--id", "nam"), &["no column `nam`", "id, name, phone, year"]);
    has(&with("--rules", "none.toml"), &["none.toml"]);
}

#[test]
fn a_rule_file_that_contradicts_the_command() {
    let folder = Folder::with_people();
    folder.write("rules.toml", "link_type = \"link_only\"\n[[rule]]\nwhen = \"l.phone = r.phone\"\n");
    has(&folder.fails(&["dedupe", "people.csv", "--rules", "rules.toml"]), &["link_only", "dedupe_only"]);
    has(
        &folder.fails(&["explain", "people.csv", "--rules", "rules.toml"]),
        &["a link needs two inputs, and 1 was given"],
    );
}

/// A disk that is full in the middle of the results. Takes a file system of our own, which takes an administrator.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    use std::process::Command;
    let folder = Folder::new();
    std::fs::create_dir(folder.path("small")).unwrap();
    let small = folder.path("small");
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&small).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no permission to mount a small file system");
        return;
    }
    let rows: String = (0..3000).map(|row| format!("{row},x\n")).collect();
    folder.write("x.csv", format!("id,a\n{rows}"));
    let said = folder.run(&["dedupe", "x.csv", "--rule", "l.a = r.a", "-o", "small/out", "--format", "csv"]);
    let left = small.join("out").exists();
    Command::new("umount").arg(&small).output().unwrap();
    assert_eq!(said.code, Some(2), "{said:?}");
    has(&said.err, &["error: ", "small/out"]);
    assert!(!left, "a half-written result was left");
}
