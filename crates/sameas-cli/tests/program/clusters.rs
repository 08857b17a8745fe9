//! Clusters as a rule file asks for them: the pairs between them have a file of their own, and the summary says what cut them.

use serde_json::Value;

use crate::report::Unpacked;
use crate::support::{Folder, has};

const PEOPLE: &str = "id,name,city\n0,ann,x\n1,anna,x\n2,anne,y\n3,hanna,y\n4,hanne,y\n";

/// A chain that is weakest at its end.
const SCORED: &str = "unique_id_l,unique_id_r,score\n0,1,0.9\n1,2,0.8\n2,3,0.7\n3,4,0.6\n";

const HEAD: &str = "unique_id_l,unique_id_r,match_key,score,cause,because\n";

fn folder(clusters: &str) -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    folder.write("scored.csv", SCORED);
    rules(&folder, clusters);
    folder
}

fn rules(folder: &Folder, clusters: &str) {
    folder.write("rules.toml", format!("[score]\npairs = \"scored.csv\"\n{clusters}"));
}

const DEDUPE: [&str; 9] =
    ["dedupe", "people.csv", "--rules", "rules.toml", "--format", "csv", "-o", "out", "--overwrite"];

fn record(folder: &Folder) -> Value {
    serde_json::from_str(&folder.read("out/run.json")).unwrap()
}

#[test]
fn pairs_between_clusters_have_a_file_that_says_why() {
    let folder = folder("[[limit]]\nmost = 1\nvalues_of = \"city\"\n[clusters]\nmax_size = 2\n");
    let said = folder.ok(&DEDUPE).out;
    assert_eq!(folder.read("out/clusters.csv"), "unique_id,cluster_id\n0,0\n1,0\n2,2\n3,2\n4,4\n");
    assert_eq!(folder.read("out/cut.csv"), format!("{HEAD}1,2,score,0.8,max_size,\n3,4,score,0.6,max_size,\n"));
    has(&said, &["Cut          2 pairs between clusters: 2 by max_size; they are in out/cut.csv"]);
    has(&said, &["3, of which 2 have two or more records; the largest has 2"]);
    let record = record(&folder);
    assert_eq!((record["cut"]["pairs"].as_u64(), record["cut"]["max_size"].as_u64()), (Some(2), Some(2)));
    assert!(record["files"].as_array().unwrap().iter().any(|file| file["name"] == "cut.csv"));
    // Without them, the file of the earlier run is no result any more.
    rules(&folder, "");
    folder.ok(&DEDUPE);
    assert!(!folder.path("out/cut.csv").exists());
    assert_eq!(folder.read("out/clusters.csv"), "unique_id,cluster_id\n0,0\n1,0\n2,0\n3,0\n4,0\n");
}

#[test]
fn what_refused_a_pair_is_named() {
    let folder = folder("[[limit]]\nmost = 1\nvalues_of = \"city\"\n");
    folder.ok(&DEDUPE);
    assert_eq!(folder.read("out/cut.csv"), format!("{HEAD}1,2,score,0.8,limit,city: y\n"));
    rules(&folder, "[[never]]\nwhen = \"l.name = 'ann' and r.name = 'hanna'\"\n[clusters]\nkeep_apart = true\n");
    let said = folder.ok(&DEDUPE).out;
    assert_eq!(folder.read("out/cut.csv"), format!("{HEAD}2,3,score,0.7,never,\"0, 3\"\n"));
    has(&said, &["1 pair between clusters: 1 by what a `never` forbids"]);
    assert!(!said.contains("can still be in one cluster"), "{said}");
    assert_eq!(record(&folder)["cut"]["kept_apart"].as_u64(), Some(10));
    let refused = folder.fails(&[&DEDUPE[..], &["--max-pairs", "9"]].concat());
    has(&refused, &["10 pairs inside components would be looked at, more than the limit of 9", "--max-pairs"]);
}

#[test]
fn a_record_of_a_link_has_one_partner() {
    let folder = Folder::new();
    folder.write("left.csv", "id,name\n1,ann\n2,bob\n");
    folder.write("right.csv", "id,name\n7,ann\n8,ann\n9,bob\n");
    folder.write("rules.toml", "[[rule]]\nwhen = \"l.name = r.name\"\n[clusters]\none_to = \"one\"\n");
    folder.ok(&["link", "left.csv", "right.csv", "--rules", "rules.toml", "--format", "csv"]);
    let cut = "unique_id_l,unique_id_r,match_key,cause,because\n1,8,rule_1,one_to,right\n";
    assert_eq!(folder.read("sameas-out/cut.csv"), cut);
    let clusters = "left,1,left:1\nleft,2,left:2\nright,7,left:1\nright,8,right:8\nright,9,left:2\n";
    has(&folder.read("sameas-out/clusters.csv"), &[clusters]);
}

#[test]
fn each_of_several_thresholds_has_a_column() {
    let folder = folder("[clusters]\nthreshold = [0.85, 0.65]\n");
    let said = folder.ok(&DEDUPE).out;
    let clusters = "unique_id,cluster_id,cluster_id_0.65\n0,0,0\n1,0,0\n2,2,0\n3,3,0\n4,4,4\n";
    assert_eq!(folder.read("out/clusters.csv"), clusters);
    assert!(!folder.path("out/cut.csv").exists());
    has(&said, &["Threshold", "cluster_id_0.65"]);
    assert_eq!(record(&folder)["clusters_at"].as_array().unwrap().len(), 2);
}

/// What the folder says of two records, with single blanks.
fn why(folder: &Folder, pair: [&str; 2]) -> String {
    let said = folder.ok(&["why", "out", "--pair", pair[0], pair[1]]).out;
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_chain_connects_two_records_of_a_cluster() {
    let folder = folder("");
    folder.ok(&DEDUPE);
    let said = folder.ok(&["why", "out", "--pair", "0", "3"]).out;
    let chain = "\nThey are in one cluster, 0, by a chain of 3 pairs; < marks the weakest\n   0 and 1      0.90  score\n   \
                 1 and 2      0.80  score\n < 2 and 3      0.70  score\nWithout the weakest pair the cluster would fall apart: \
                 3 records with 0, 2 records with 3.\n";
    has(&said, &["0 and 3 are not a pair", chain]);
    assert!(!why(&folder, ["0", "1"]).contains("cluster"));
    // Inputs and rules alone know no clusters.
    let of_inputs = folder.ok(&["why", "people.csv", "--rules", "rules.toml", "--pair", "0", "3"]).out;
    has(&of_inputs, &["is known of a run: sameas why FOLDER --pair"]);
    folder.write("scored.csv", SCORED.to_owned() + "0,3,0.65\n");
    folder.ok(&DEDUPE);
    has(&why(&folder, ["1", "3"]), &["chain of 2 pairs", "< 2 and 3 0.70 score", "nothing would change: another path"]);
}

#[test]
fn what_comes_closest_between_two_clusters_says_what_cut_it() {
    let folder = folder("[[limit]]\nmost = 1\nvalues_of = \"city\"\n[clusters]\nmax_size = 2\n");
    folder.ok(&DEDUPE);
    has(
        &why(&folder, ["0", "2"]),
        &["two clusters, 0 and 2: the strongest pair between these, 1 and 2 (0.80)", "max_size."],
    );
    has(&why(&folder, ["1", "2"]), &["1 and 2 are a pair", "0 and 2: this pair (0.80) was cut by max_size."]);
    let far = why(&folder, ["0", "4"]);
    has(
        &far,
        &["two clusters, 0 and 4, and there is no pair between these", "by a chain of 4 pairs", "0 and 1 0.90 score 1"],
    );
    has(&far, &["1 and 2 0.80 score, cut by max_size", "< 3 and 4 0.60 score, cut by max_size"]);
    has(
        &folder.ok(&["show", "3", "--in", "out"]).out,
        &[
            "\nCut: 2 pairs with records of other clusters\n   by max_size: 2 and 1 of cluster 0 (0.80); 3 and 4 (0.60)\n",
        ],
    );
    rules(&folder, "[[limit]]\nmost = 1\nvalues_of = \"city\"\n");
    folder.ok(&DEDUPE);
    has(&why(&folder, ["1", "3"]), &["1 and 2 (0.80) by \"score\", was cut by a limit (city: y)."]);
    has(&folder.ok(&["show", "1", "--in", "out"]).out, &["by a limit: 1 and 2 (0.80), city: y\n"]);
    folder.write("people.csv", PEOPLE.to_owned() + "5,ida,z\n");
    folder.ok(&DEDUPE);
    has(&why(&folder, ["0", "5"]), &["two clusters, 0 and 5, and no chain of pairs connects them."]);
    rules(&folder, "[clusters]\nthreshold = 0.75\n");
    folder.ok(&DEDUPE);
    has(&why(&folder, ["2", "3"]), &["this pair (0.70) is too weak for the threshold of clusters."]);
}

#[test]
fn reports_have_the_pairs_that_were_cut() {
    let folder = folder("[clusters]\nmax_size = 2\n");
    folder.ok(&[&DEDUPE[..], &["--report"]].concat());
    let report = Unpacked::read(&folder, "out/report.html");
    assert_eq!(report.numbers("clusters", "cut"), [Some(1), Some(2)]);
    assert_eq!(report.numbers("clusters", "edges"), [Some(1), Some(1)]);
    let cut = report.numbers("cut", "cluster").into_iter().zip(report.floats("cut", "score"));
    let of_clusters: Vec<_> = cut.filter(|(cluster, _)| cluster.is_some()).collect();
    assert_eq!(of_clusters, [(Some(0), Some(0.8)), (Some(1), Some(0.8)), (Some(1), Some(0.6))]);
    let numbers = report.numbers("cut", "rule");
    assert!(numbers.iter().all(|rule| *rule == Some(0)), "{numbers:?}");
}

#[test]
fn mistakes_have_their_place() {
    let folder = folder("");
    for (clusters, parts) in [
        ("[[limit]]\nmost = 1\nvalues_of = \"town\"\n", ["unknown column `town`", "rules.toml:5"]),
        ("[[limit]]\nmost = 0\nvalues_of = \"city\"\n", ["`most` is 0", "rules.toml:5"]),
        ("[clusters]\nthreshold = \"high\"\n", ["`threshold` must be a number", "rules.toml:4"]),
        ("[clusters]\nmethod = \"averege\"\nleast = 0.5\n", ["did you mean \"average\"?", "rules.toml:4"]),
        ("[clusters]\none_to = \"one\"\n", ["`[clusters]`, `one_to`", "there is one"]),
        ("[clusters]\none_to_many = \"left\"\n", ["`[clusters]`, `one_to_many`", "there is one"]),
    ] {
        rules(&folder, clusters);
        has(&folder.fails(&DEDUPE), &parts);
    }
    folder.write("rules.toml", "[[rule]]\nwhen = \"l.city = r.city\"\n[clusters]\nthreshold = 0.5\n");
    has(&folder.fails(&DEDUPE), &["`threshold`: the pairs of this job have no scores", "[[compare]]"]);
}
