//! Standard input and output, packed files, and readers that go away.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::support::{Folder, PEOPLE, SAME_PHONE, has};

const PAIRS: &str = "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n";

#[test]
fn standard_input_to_standard_output() {
    let folder = Folder::new();
    let said = folder.feed(&["dedupe", "-", "--rule", SAME_PHONE, "-o", "-"], PEOPLE.as_bytes());
    assert_eq!((said.code, said.out.as_str()), (Some(0), PAIRS));
    has(&said.err, &["stdin: 6 records", "1 pair written to standard output"]);
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn packed_files() {
    let folder = Folder::new();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(PEOPLE.as_bytes()).unwrap();
    folder.write("people.csv.gz", gz.finish().unwrap());
    folder.write("people.csv.zst", zstd::encode_all(PEOPLE.as_bytes(), 3).unwrap());
    for name in ["people.csv.gz", "people.csv.zst"] {
        let said = folder.ok(&["dedupe", name, "--rule", SAME_PHONE, "-o", "-"]);
        assert_eq!(said.out, PAIRS, "{name}");
    }
}

/// Far more pairs than a pipe holds, and a reader that wants ten bytes.
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = Folder::new();
    let rows: String = (0..1000).map(|row| format!("{row},x\n")).collect();
    folder.write("x.csv", format!("id,a\n{rows}"));
    let mut command = folder.command(&["dedupe", "x.csv", "--rule", "l.a = r.a", "-o", "-", "--quiet"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut begin = [0; 10];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut begin).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn text_for_nobody_is_no_failure() {
    let folder = Folder::with_people();
    let mut command = folder.command(&["explain", "people.csv", "--rule", SAME_PHONE]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
