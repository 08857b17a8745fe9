//! Results have the same bytes for any number of threads and any memory limit.

use crate::support::Folder;

#[test]
fn threads_and_memory_do_not_change_a_byte() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "4000", "--seed", "3", "-o", "data"]);
    let rules = [
        "--rule",
        "l.surname = r.surname and jaro_winkler(l.given_name, r.given_name) >= 0.85",
        "--rule",
        "l.city = r.city",
    ];
    for format in ["parquet", "csv"] {
        let run = |output: &str, options: &[&str]| {
            let args = ["dedupe", "data/records.csv", "-q", "--format", format, "-o", output];
            folder.ok(&[&args[..], &rules, options].concat());
            let read = |name: &str| folder.bytes(&format!("{output}/{name}.{format}"));
            [read("pairs"), read("clusters")]
        };
        let expected = run(&format!("one-{format}"), &["--threads", "1"]);
        let others: [&[&str]; 4] =
            [&["--threads", "2"], &["--threads", "5"], &["--memory", "1MB"], &["--memory", "64KiB", "--threads", "3"]];
        for (place, options) in others.iter().enumerate() {
            assert!(run(&format!("{format}-{place}"), options) == expected, "{options:?} gives other bytes");
        }
    }
}
