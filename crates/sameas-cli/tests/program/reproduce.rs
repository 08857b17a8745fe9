//! `run.json` has what it takes to run a job again.

use std::fs;

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
    assert_eq!((job["unique_id"].as_str(), job["max_candidates"].as_u64()), (Some("key"), Some(1_000_000)));
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
    for file in job["rule_files"].as_array().unwrap() {
        folder.write(file["path"].as_str().unwrap(), file["text"].as_str().unwrap());
    }
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
    assert_eq!(record["job"]["rule_files"][0]["text"].as_str(), Some(rules));
    folder.write("bad.toml", [b'#', 0xff]);
    has(&folder.fails(&["dedupe", "people.csv", "--rules", "bad.toml", "-o", "x"]), &["`bad.toml` is not UTF-8 text"]);
}
