//! Standard output that takes nothing: closed, full, or open for reading only. Results are never lost in silence.

use std::process::Command;

use crate::support::{Folder, SAME_PHONE, Said, has, program};

/// Runs the program by a shell that redirects its standard output.
fn redirected(folder: &Folder, args: &[&str], redirection: &str) -> Said {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec \"$0\" \"$@\" {redirection}")]).arg(program()).args(args);
    Said::from(command.current_dir(folder.path("")).output().unwrap())
}

fn printing() -> [&'static [&'static str]; 7] {
    [
        &["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "-", "-q"],
        &["explain", "people.csv", "--rule", SAME_PHONE],
        &["explain", "people.csv", "--rule", SAME_PHONE, "--format", "json"],
        &["why", "people.csv", "--rule", SAME_PHONE, "--pair", "1", "2"],
        &["check", "people.csv", "--rule", SAME_PHONE],
        &["evaluate", "--pairs", "truth.csv", "--truth", "truth.csv", "--format", "json"],
        &["devices", "--format", "json"],
    ]
}

#[test]
fn what_cannot_be_written_is_a_failure() {
    let folder = Folder::with_people();
    folder.write("truth.csv", "unique_id_l,unique_id_r\n1,2\n");
    for args in printing() {
        for (redirection, message) in [
            (">&-", "standard output is closed"),
            ("> /dev/full", "No space left on device"),
            ("1< /dev/null", "Bad file descriptor"),
        ] {
            let said = redirected(&folder, args, redirection);
            assert_eq!(said.code, Some(2), "{args:?} {redirection}: {said:?}");
            has(&said.err, &["error: ", message]);
        }
        for redirection in ["> /dev/null", "1<> /dev/null"] {
            let said = redirected(&folder, args, redirection);
            assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{args:?} {redirection}");
        }
    }
}

#[test]
fn a_closed_output_is_seen_before_the_work() {
    let folder = Folder::new();
    let said = redirected(&folder, &["dedupe", "none.csv", "--rule", "l.a = r.a", "-o", "-"], ">&-");
    has(&said.err, &["error: standard output is closed", "help: "]);
}

#[test]
fn a_quiet_run_into_a_folder_needs_no_output() {
    let folder = Folder::with_people();
    let said = redirected(&folder, &["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out", "-q"], ">&-");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(folder.path("out/pairs.parquet").exists());
}
