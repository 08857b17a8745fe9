//! Signals end the program soon, and nothing is left of what it was doing.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, Said, at_most, has, program};

/// How soon the program ends.
const SOON: Duration = Duration::from_millis(500);

const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// The program with its signals as usual, whatever those of the test are.
fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM,HUP").arg(program()).args(args);
    command.current_dir(folder.path("")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits for a moment in which the program is at work.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "never {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, and gives what the program said; nothing reads or writes its pipes meanwhile.
fn end_by(mut child: Child, signal: &str) -> Said {
    let (input, begun) = (child.stdin.take(), Instant::now());
    send(&child, signal);
    let ended = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < at_most(SOON), "still there after {:?}", begun.elapsed());
        std::thread::sleep(Duration::from_millis(5));
    };
    drop(input);
    let read = |mut from: Box<dyn Read>| {
        let mut text = String::new();
        from.read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!(ended.signal(), None, "it was killed");
    Said {
        code: ended.code(),
        out: read(Box::new(child.stdout.take().unwrap())),
        err: read(Box::new(child.stderr.take().unwrap())),
    }
}

/// Whether the program listens to signals already.
fn is_listening(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    // SIGINT is bit 1 of the mask of signals that are caught.
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|mask| mask & 2 != 0)
}

/// Far more pairs than are found in a test's time.
fn many(folder: &Folder) {
    let rows: String = (0..60_000).map(|row| format!("{row},x,{}\n", row % 7)).collect();
    folder.write("x.csv", format!("id,a,b\n{rows}"));
}

const RULE: &str = "l.a = r.a and levenshtein(l.a || l.b, r.a || r.b) <= 5";

#[test]
fn a_run_into_a_folder_ends_and_keeps_earlier_results() {
    let folder = Folder::new();
    folder.write("small.csv", "id,a,b\n1,x,1\n2,x,2\n");
    folder.ok(&["dedupe", "small.csv", "--rule", RULE, "-o", "old", "--format", "csv", "-q"]);
    let earlier = folder.read("old/pairs.csv");
    many(&folder);
    for (signal, code) in SIGNALS {
        for output in ["new/deep", "old"] {
            let args = ["dedupe", "x.csv", "--rule", RULE, "-o", output, "--overwrite", "--memory", "64MB", "-q"];
            let child = start(&folder, &args);
            wait_until("began", || is_listening(&child) && folder.path(output).exists());
            std::thread::sleep(Duration::from_millis(150));
            let said = end_by(child, signal);
            assert_eq!((said.code, said.out.as_str()), (Some(code), ""), "{said:?}");
            assert_eq!(said.err, format!("error: interrupted by SIG{signal}: unfinished results are removed\n"));
        }
    }
    assert_eq!(folder.names(), ["old", "small.csv", "x.csv"]);
    let mut left: Vec<_> =
        fs::read_dir(folder.path("old")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["clusters.csv", "pairs.csv", "run.json"]);
    assert_eq!(folder.read("old/pairs.csv"), earlier);
}

#[test]
fn a_run_into_a_file_ends_and_keeps_the_earlier_one() {
    let folder = Folder::new();
    many(&folder);
    folder.write("old.csv", "mine");
    let args = ["dedupe", "x.csv", "--rule", RULE, "-o", "old.csv", "--overwrite", "-q"];
    let child = start(&folder, &args);
    wait_until("began", || is_listening(&child) && folder.names().len() == 3);
    std::thread::sleep(Duration::from_millis(150));
    let said = end_by(child, "TERM");
    assert_eq!(said.err, "error: interrupted by SIGTERM: unfinished results are removed\n");
    assert_eq!(
        (folder.names(), folder.read("old.csv")),
        (vec!["old.csv".to_owned(), "x.csv".into()], "mine".to_owned())
    );
}

#[test]
fn a_run_that_waits_for_its_input_ends() {
    let folder = Folder::new();
    folder.write("truth.csv", "l,r\n1,2\n");
    let comparison = "[[compare]]\nname = \"a\"\nlevels = [\"l.a = r.a\"]\n[train]\nrules = [\"l.b = r.b\"]\n";
    folder.write("rules.toml", format!("{comparison}[score]\nprior = 0.1\n"));
    for args in [
        &["dedupe", "-", "--rule", "l.a = r.a", "-o", "out"][..],
        &["why", "-", "--rule", "l.a = r.a", "--pair", "1", "2"],
        &["check", "-", "--rule", "l.a = r.a"],
        &["evaluate", "--pairs", "-", "--truth", "truth.csv"],
        &["evaluate", "--pairs", "-", "--truth", "truth.csv", "--wrong", "wrong.csv"],
        &["train", "-", "--rules", "rules.toml", "-o", "model.toml"],
        &["closure", "-", "-o", "closure.csv"],
    ] {
        let mut child = start(&folder, args);
        wait_until("began", || is_listening(&child));
        child.stdin.as_mut().unwrap().write_all(b"id,a,b\n1,x,y\n").unwrap();
        let said = end_by(child, "TERM");
        assert_eq!(said.code, Some(143), "{args:?}: {said:?}");
        has(&said.err, &["error: interrupted by SIGTERM"]);
        assert_eq!(said.err.lines().count(), 1, "{args:?}: {}", said.err);
        assert_eq!(folder.names(), ["rules.toml", "truth.csv"], "{args:?}");
    }
}

#[test]
fn a_run_that_waits_for_its_reader_ends() {
    let folder = Folder::new();
    let rows: String = (0..1000).map(|row| format!("{row},x\n")).collect();
    folder.write("x.csv", format!("id,a\n{rows}"));
    let mut child = start(&folder, &["dedupe", "x.csv", "--rule", "l.a = r.a", "-o", "-"]);
    // The first bytes have come, and the pipe is full soon after.
    let mut begin = [0; 10];
    child.stdout.as_mut().unwrap().read_exact(&mut begin).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let said = end_by(child, "INT");
    assert_eq!(said.code, Some(130), "{}", said.err);
    assert_eq!(said.err, "error: interrupted by SIGINT: the pairs on standard output are not complete\n");
}

#[test]
fn other_commands_end_too() {
    let folder = Folder::new();
    many(&folder);
    let temporary = folder.path("tmp");
    fs::create_dir(&temporary).unwrap();
    for args in [
        &["explain", "x.csv", "--rule", RULE, "--analyze"][..],
        &["generate", "people", "--records", "200000000", "-o", "made/here"],
        &["selftest", "--device", "cpu", "--cases", "100000"],
    ] {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT,TERM,HUP", &format!("TMPDIR={}", temporary.display())]);
        command.arg(program()).args(args).current_dir(folder.path(""));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("began", || is_listening(&child));
        std::thread::sleep(Duration::from_millis(300));
        let said = end_by(child, "HUP");
        assert_eq!(said.code, Some(129), "{args:?}: {said:?}");
        has(&said.err, &["error: interrupted by SIGHUP"]);
        assert_eq!(folder.names(), ["tmp", "x.csv"], "{args:?}");
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "{args:?}");
    }
}

/// Runs the program in a shell that has done this before.
fn after(folder: &Folder, shell: &str, command: &str) -> Said {
    let run = format!("{shell}; exec {} {command}", program().display());
    Said::from(Command::new("sh").args(["-c", &run]).current_dir(folder.path("")).output().unwrap())
}

/// The system sends SIGXFSZ then, which usually ends a process at once.
#[test]
fn a_file_beyond_the_limit_of_sizes_is_an_error() {
    let folder = Folder::new();
    let rows: String = (0..2_000).map(|row| format!("{row},{}\n", row / 40)).collect();
    folder.write("x.csv", format!("id,a\n{rows}"));
    for output in ["out", "pairs.csv"] {
        let command = format!("dedupe x.csv --rule 'l.a = r.a' -o {output} --format csv -q --threads 2");
        let said = after(&folder, "ulimit -f 8", &command);
        assert_eq!(said.code, Some(2), "{said:?}");
        has(&said.err, &["error: cannot write `", "File too large (os error 27)"]);
        has(&said.err, &["help: raise the limit of file sizes (`ulimit -f`), or write to a disk"]);
        assert_eq!(folder.names(), ["x.csv"], "{said:?}");
    }
    let said = after(&folder, "ulimit -f 8", "generate people --records 2000 -o made -q");
    assert_eq!(said.code, Some(2), "{said:?}");
    has(&said.err, &["error: cannot write into `made`: File too large (os error 27)"]);
    assert_eq!(folder.names(), ["x.csv"], "{said:?}");
}

#[test]
fn without_more_threads_there_is_an_error_and_no_panic() {
    let folder = Folder::with_people();
    for command in [
        "dedupe people.csv --rule 'l.phone = r.phone' -o - -q",
        "check people.csv --rule 'l.phone = r.phone'",
        "profile people.csv",
        "generate people --records 100 -o made -q --overwrite",
    ] {
        let said = after(&folder, "ulimit -u 1 2>/dev/null || ulimit -p 1", command);
        assert!(!said.err.contains("panicked"), "{command}: {said:?}");
        // An administrator may start any number of them.
        let is_refused = said.code == Some(2) && said.err.starts_with("error: cannot start ");
        assert!(said.code == Some(0) || is_refused, "{command}: {said:?}");
    }
}

#[test]
fn a_second_signal_does_not_wait() {
    let folder = Folder::new();
    let child = start(&folder, &["dedupe", "-", "--rule", "l.a = r.a", "-o", "out", "-q"]);
    wait_until("began", || is_listening(&child) && folder.path("out").exists());
    send(&child, "INT");
    std::thread::sleep(Duration::from_millis(20));
    let said = end_by(child, "TERM");
    assert_eq!(said.code, Some(130), "{said:?}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let folder = Folder::with_people();
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM", "--ignore-signal=HUP"]).arg(program());
    command.args(["dedupe", "-", "--rule", "l.phone = r.phone", "-o", "-", "-q"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("began", || is_listening(&child));
    send(&child, "HUP");
    std::thread::sleep(Duration::from_millis(500));
    child.stdin.take().unwrap().write_all(crate::support::PEOPLE.as_bytes()).unwrap();
    let said = Said::from(child.wait_with_output().unwrap());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    assert_eq!(said.out.lines().count(), 3);
    drop(folder);
}
