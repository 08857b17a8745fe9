//! What the summary says to protect a user: large clusters, and what `never` does.

use std::fmt::Write as _;

use crate::support::{Folder, has};

/// 120 people of one town, and 90 pairs who share a mail address.
fn town(folder: &Folder) {
    let mut text = "id,town,mail\n".to_owned();
    (0..120).for_each(|id| writeln!(text, "{id},x,").unwrap());
    (120..300).for_each(|id| writeln!(text, "{id},,m{}", id / 2).unwrap());
    folder.write("town.csv", text);
}

fn record(folder: &Folder) -> serde_json::Value {
    serde_json::from_str(&folder.read("sameas-out/run.json")).unwrap()
}

const RULES: &str = "[[rule]]\nname = \"same town\"\nwhen = \"l.town = r.town\"\n\
                     [[rule]]\nname = \"same mail\"\nwhen = \"l.mail = r.mail\"\n";

#[test]
fn a_cluster_out_of_proportion_is_a_warning_that_names_the_rule() {
    let folder = Folder::new();
    town(&folder);
    folder.write("rules.toml", RULES);
    let said = folder.ok(&["dedupe", "town.csv", "--rules", "rules.toml"]).out;
    let one_line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    has(
        &said,
        &[
            "Cluster size   clusters   records\n2                    90       180   ##############################\n100 to 999            1       120   ####################\n",
        ],
    );
    has(
        &one_line,
        &[
            "91, of which 91 have two or more records; the largest has 120",
            "WARNING one cluster, `0`, holds 120 of 300 records (40.0 %), while the others of two or more have 2.0 on average.",
            "100.0 % of its 7,140 pairs come from rule \"same town\".",
            "Look at some of them, as with `sameas why ... --pair 0 1`; then make the rule stricter, or forbid",
        ],
    );
    let record = record(&folder);
    let largest = &record["largest_cluster"];
    assert_eq!((largest["cluster_id"].as_str(), largest["records"].as_u64()), (Some("0"), Some(120)));
    assert_eq!(largest["out_of_proportion"]["rules"][0]["pairs"].as_u64(), Some(7140));
    assert_eq!(record["cluster_sizes"].as_array().unwrap().len(), 2);
    // The example is one that `why` understands.
    let why = folder.ok(&["why", "town.csv", "--rules", "rules.toml", "--pair", "0", "1"]).out;
    has(&why, &["0 and 1 are a pair: rule \"same town\" holds"]);
}

#[test]
fn clusters_that_are_all_large_are_no_warning() {
    let folder = Folder::new();
    let sizes = [238, 191, 120, 90, 60, 50, 45, 40, 30, 30, 25, 20, 15, 10, 5, 3, 2, 2];
    let rows = sizes.iter().enumerate().flat_map(|(paper, size)| (0..*size).map(move |copy| (paper, copy)));
    let text: String = rows.map(|(paper, copy)| format!("{paper}-{copy},{paper}\n")).collect();
    folder.write("citations.csv", format!("id,paper\n{text}"));
    let said = folder.ok(&["dedupe", "citations.csv", "--rule", "l.paper = r.paper"]).out;
    has(&said, &["the largest has 238"]);
    assert!(!said.contains("WARNING"), "{said}");
    assert!(record(&folder)["largest_cluster"]["out_of_proportion"].is_null());
}

#[test]
fn every_never_counts_the_pairs_that_it_is_the_first_to_forbid() {
    let folder = Folder::new();
    // All share a name; towns and years differ.
    folder.write("x.csv", "id,name,town,year\n1,a,x,1990\n2,a,x,1990\n3,a,y,1990\n4,a,y,1980\n5,b,z,1970\n");
    let never = |when: &str| format!("[[never]]\nwhen = \"{when}\"\n");
    let rule = "[[rule]]\nwhen = \"l.name = r.name\"\n[[rule]]\nwhen = \"l.name = r.name and l.town = r.town\"\n";
    // The first follows from the second, and is still the first to forbid.
    let nevers = [never("l.town <> r.town and l.year <> r.year"), never("l.year <> r.year"), never("l.id = '9'")];
    folder.write("rules.toml", format!("{rule}{}", nevers.concat()));
    for (threads, plan) in [("1", "full"), ("2", "full"), ("2", "no-epg"), ("1", "cheap-first")] {
        let args = ["dedupe", "x.csv", "--rules", "rules.toml", "--overwrite", "--threads", threads, "--plan", plan];
        let said = folder.ok(&args).out;
        let removed: Vec<u64> =
            record(&folder)["never"].as_array().unwrap().iter().map(|n| n["removed"].as_u64().unwrap()).collect();
        assert_eq!(removed, [2, 1, 0], "{threads} {plan}");
        has(
            &said,
            &["Never", "pairs removed", "never_1: l.town <> r.town and l.year <> r.year", "never_3: l.id = '9'"],
        );
        has(&said, &["a `never` removes pairs, and clusters are made of the pairs that are left"]);
        assert_eq!(record(&folder)["pairs"].as_u64(), Some(3));
    }
}

#[test]
fn numbers_have_suffixes() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "1k", "-o", "people"]);
    assert_eq!(folder.read("people/records.csv").lines().count(), 1001);
    let run = |most: &'static str| ["dedupe", "people/records.csv", "--rule", "l.city = r.city", "--max-pairs", most];
    has(&folder.fails(&run("0.1k")), &["more than the limit of 100", "--max-pairs"]);
    folder.ok(&run("100M"));
    has(
        &folder.fails(&run("many")),
        &["invalid value 'many' for '--max-pairs <N>': not a number; write for example 5000, 500k"],
    );
}

/// Where a build has no CUDA, every run would say so. Whoever asks for a GPU gets an error.
#[test]
fn a_build_without_cuda_is_no_news() {
    let folder = Folder::with_people();
    let said = folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone"]).out;
    assert!(!said.contains("has no CUDA support"), "{said}");
    let said = folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone", "--device", "cpu", "-o", "cpu"]).out;
    assert!(!said.contains("no GPU was used"), "{said}");
}
