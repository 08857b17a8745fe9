//! The names of records of two inputs: no two have one name, and `why` knows the names that results show.

use crate::support::{Folder, has};

/// The rows of a CSV file, without the header.
fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn names_that_look_like_a_prefix_do_not_collide() {
    for (left, right, names) in [
        ("a", "a:b", ["a_l", "a:b_r"]),
        ("a:b", "a", ["a:b_l", "a_r"]),
        ("a:b", "a:b", ["a:b_l", "a:b_r"]),
        ("a", "ab", ["a", "ab"]),
        ("a:b", "a:c", ["a:b", "a:c"]),
        ("people", "orders", ["people", "orders"]),
    ] {
        let folder = Folder::new();
        std::fs::create_dir(folder.path("r")).unwrap();
        let (left, right) = (format!("{left}.csv"), format!("r/{right}.csv"));
        folder.write(&left, "id,x\nb:1,red\n1,blue\nb:b:1,green\n");
        folder.write(&right, "id,x\n1,black\nb:1,white\n2,green\n");
        for kind in [&["link"][..], &["link", "--dedupe"]] {
            let given = [&left, &right, "--rule", "l.x = r.x", "--format", "csv", "-q", "--overwrite"];
            folder.ok(&[kind, &given].concat());
            let clusters = rows(&folder.read("sameas-out/clusters.csv"));
            let mut ids: Vec<&String> = clusters.iter().map(|row| &row[2]).collect();
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), 5, "{left} {right}: {clusters:?}");
            for row in &clusters {
                assert!(names.contains(&row[0].as_str()), "{names:?}: {row:?}");
            }
            // A cluster is called by the input and the id of its first record.
            let called: Vec<String> = clusters.iter().map(|row| format!("{}:{}", row[0], row[1])).collect();
            assert_eq!((&clusters[5][2], &clusters[0][2]), (&called[2], &called[0]));
            let dedupe: &[&str] = if kind.len() > 1 { &["--dedupe"] } else { &[] };
            for pair in [[&called[2], &called[5]], [&called[5], &called[2]]] {
                let ask = ["why", "--link", &left, &right, "--rule", "l.x = r.x", "--pair", pair[0], pair[1]];
                let said = folder.ok(&[&ask, dedupe].concat()).out;
                has(&said, &[&format!("{} and {} are a pair", called[2], called[5])]);
            }
        }
    }
}

/// Two tables with the same ids.
fn twins() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,red\n2,blue\n3,blue\n4,black\n");
    folder.write("b.csv", "id,x\n1,blue\n2,green\n3,red\na:2,black\n");
    folder
}

#[test]
fn an_id_of_both_inputs_needs_a_name() {
    let folder = twins();
    let why = ["why", "--link", "a.csv", "b.csv", "--dedupe", "--rule", "l.x = r.x", "--pair"];
    let refused = folder.fails(&[&why[..], &["1", "2"]].concat());
    has(&refused, &["there is a record with id `1` in a and in b", "say which is meant: `a:1` or `b:1`"]);
    let said = |pair: [&str; 2]| folder.ok(&[&why[..], &pair].concat()).out;
    has(&said(["a:2", "b:1"]), &["a:2 and b:1 are a pair"]);
    has(&said(["b:1", "a:2"]), &["a:2 and b:1 are a pair"]);
    has(&said(["b:1", "b:2"]), &["b:1 and b:2 are not a pair"]);
    has(&said(["a:3", "a:2"]), &["a:2 and a:3 are a pair"]);
    // An id of one input needs no name; what could be a name is one.
    has(&said(["4", "b:a:2"]), &["a:4 and b:a:2 are a pair"]);
    has(&said(["4", "a:2"]), &["a:2 and a:4 are not a pair"]);
    has(&folder.fails(&[&why[..], &["a:1", "a:1"]].concat()), &["`a:1` is one record; a pair needs two"]);
    has(&folder.fails(&[&why[..], &["c:1", "a:1"]].concat()), &["no record with id `c:1` in a or b", "--id"]);
}

#[test]
fn a_link_takes_the_left_id_first_or_names() {
    let folder = twins();
    let why = ["why", "--link", "a.csv", "b.csv", "--rule", "l.x = r.x", "--pair"];
    let said = |pair: [&str; 2]| folder.ok(&[&why[..], &pair].concat()).out;
    has(&said(["2", "1"]), &["a:2 and b:1 are a pair"]);
    has(&said(["1", "2"]), &["a:1 and b:2 are not a pair"]);
    has(&said(["b:1", "a:2"]), &["a:2 and b:1 are a pair"]);
    // In `pairs` ids of a link have no name, so this is one of them.
    has(&said(["4", "a:2"]), &["a:4 and b:a:2 are a pair"]);
    let refused = folder.fails(&[&why[..], &["1", "4"]].concat());
    has(&refused, &["there is no record with id `4` in b", "`a:4` is the one of a"]);
}

/// What a folder says of two records, with single blanks.
fn why_in(folder: &Folder, args: &[&str]) -> String {
    folder.ok(&[&["why"], args].concat()).out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Two records of the left table have the same partner.
fn shared_partner() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,red\n2,blue\n3,blue\n");
    folder.write("b.csv", "id,x\n1,blue\n2,green\n");
    folder
}

/// A link compares no two records of one input, but its clusters have such records in them.
#[test]
fn two_records_of_one_input_of_a_link_are_connected_by_others() {
    let folder = shared_partner();
    let link = ["--link", "a.csv", "b.csv", "--rule", "l.x = r.x", "--pair"];
    let no_rule = "are not a pair: both are records of a, and a link compares records of different inputs, so no rule applies \
                   to them.";
    for pair in [["a:2", "a:3"], ["a:3", "a:2"]] {
        let said = why_in(&folder, &[&link[..], &pair].concat());
        has(&said, &["a:2 and a:3", no_rule, "is known of a run: sameas why FOLDER"]);
        assert!(!said.contains("rule_1"), "{said}");
    }
    let run = ["link", "a.csv", "b.csv", "--rule", "l.x = r.x", "-o", "out", "-q"];
    folder.ok(&run);
    let said = why_in(&folder, &["out", "--pair", "a:3", "a:2", "--records"]);
    has(
        &said,
        &[no_rule, "They are in one cluster, a:2, by a chain of 2 pairs; < marks the weakest a:2 and b:1 rule_1"],
    );
    has(&said, &["< b:1 and a:3 rule_1", "would fall apart: 2 records with a:2, 1 record with a:3.", "* id '2' '3'"]);
    assert!(!said.contains("known of a run") && said.contains(" x 'blue' 'blue'"), "{said}");
    // Of the right input, by columns that the left one does not have.
    folder.write("a.csv", "id,x\n1,red\n");
    folder.write("b.csv", "id,x,town\n1,red,York\n2,red,Hull\n3,blue,York\n");
    folder.ok(&[&run[..], &["--overwrite"]].concat());
    let said = why_in(&folder, &["out", "--pair", "b:2", "b:1", "--records"]);
    has(
        &said,
        &["b:1 and b:2 are not a pair: both are records of b", "one cluster, a:1, by a chain", "* town 'York' 'Hull'"],
    );
    has(&why_in(&folder, &["out", "--pair", "b:1", "b:3"]), &["a:1 and b:3, and no chain of pairs connects them."]);
}

/// A constraint has parted what a partner of both would hold together.
#[test]
fn what_parts_two_records_of_one_input_is_named() {
    let folder = shared_partner();
    folder.write("rules.toml", "[[rule]]\nwhen = \"l.x = r.x\"\n[clusters]\none_to = \"one\"\n");
    folder.ok(&["link", "a.csv", "b.csv", "--rules", "rules.toml", "-o", "out", "-q"]);
    let said = why_in(&folder, &["out", "--pair", "a:2", "a:3"]);
    let closest = "They are in two clusters, a:2 and a:3: the strongest pair between these, b:1 and a:3 by \"rule_1\", was cut \
                   by one_to (a).";
    has(&said, &["a:2 and a:3 are not a pair: both are records of a", closest]);
}

/// Rules that look at the input, hold in one direction only, or forbid.
#[test]
fn why_agrees_with_every_pair_of_a_link_with_dedupe() {
    let folder = twins();
    let rules = "link_type = \"link_and_dedupe\"\n[[rule]]\nname = \"across\"\n\
                 when = \"l.x = r.x and l.source_dataset <> r.source_dataset\"\n\
                 [[rule]]\nname = \"asymmetric\"\nwhen = \"l.x = 'blue' and r.x = 'green'\"\n\
                 [[rule]]\nname = \"of b\"\nwhen = \"l.source_dataset = 'b' and r.x = 'red'\"\n\
                 [[never]]\nwhen = \"l.id = '3' and r.id = '1'\"\n";
    folder.write("rules.toml", rules);
    folder.ok(&["link", "a.csv", "b.csv", "--dedupe", "--rules", "rules.toml", "--format", "csv", "-q"]);
    let found = rows(&folder.read("sameas-out/pairs.csv"));
    assert!(["across", "asymmetric", "of b"].iter().all(|rule| found.iter().any(|row| row[4] == *rule)), "{found:?}");
    let records: Vec<String> =
        rows(&folder.read("sameas-out/clusters.csv")).iter().map(|row| format!("{}:{}", row[0], row[1])).collect();
    for (at, left) in records.iter().enumerate() {
        for right in &records[at + 1..] {
            let key = found
                .iter()
                .find(|row| format!("{}:{}", row[0], row[1]) == *left && format!("{}:{}", row[2], row[3]) == *right);
            for pair in [[left, right], [right, left]] {
                let ask = ["why", "--link", "a.csv", "b.csv", "--dedupe", "--rules", "rules.toml", "--pair"];
                let said = folder.ok(&[&ask[..], &[pair[0], pair[1]]].concat()).out;
                match key {
                    Some(row) => has(&said, &[&format!("{left} and {right} are a pair"), &format!("\"{}\"", row[4])]),
                    None => has(&said, &[&format!("{left} and {right} are not a pair")]),
                }
            }
        }
    }
}
