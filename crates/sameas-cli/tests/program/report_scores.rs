//! Scores in reports: what they are made of, and pairs whose scores are a little too low.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::report::{Unpacked, pair};
use crate::support::{Folder, has};

const SCORED: &str = "id,name,city,phone\n1,ann smith,rome,11\n2,ann smith,rome,11\n3,anne smith,rome,12\n4,bob jones,oslo,13\n\
                      5,bob jones,,13\n6,carl orff,bern,14\n7,dora maar,lima,15\n8,carl orf,bern,16\n";

const COMPARED: &str = "[[compare]]\nname = \"name\"\nlevels = [\"l.name = r.name\", \"jaro_winkler(l.name, r.name) >= 0.9\"]\n\
                        term_frequency = \"name\"\n[[compare]]\nname = \"city\"\nlevels = [\"l.city = r.city\"]\n\
                        [train]\nrules = [\"l.phone = r.phone\", \"l.city = r.city\"]\n\
                        [score]\nthreshold = 0.5\nprior = 0.1\n";

/// Near misses of a score are what a threshold lower by three bits would add.
#[test]
fn scores_that_are_a_little_too_low_are_near_misses() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "1500", "-q", "-o", "p"]);
    let rules = |least: f64| {
        let compared = ["given_name", "surname", "city", "birth_date"].map(|column| {
            let equal = format!("l.{column} = r.{column}");
            let levels = format!("[\"{equal}\", \"jaro_winkler(l.{column}, r.{column}) >= 0.9\"]");
            format!("[[compare]]\nname = \"{column}\"\nlevels = {levels}\n")
        });
        let train = "[train]\nrules = [\"l.birth_date = r.birth_date\", \"l.surname = r.surname\"]\n";
        format!("{}{train}[score]\nthreshold_weight = {least}\nprior = 0.0003\n", compared.concat())
    };
    folder.write("rules.toml", rules(4.0));
    folder.write("lower.toml", rules(1.0));
    folder.ok(&["train", "p/records.csv", "--rules", "rules.toml", "-o", "model.toml"]);
    let run = |rules: &str, out: &str| {
        let job = ["dedupe", "p/records.csv", "--rules", rules, "--model", "model.toml", "--format", "csv", "-o", out];
        folder.ok(&job);
        let text = folder.read(&format!("{out}/pairs.csv"));
        let pair = |line: &str| {
            let mut parts = line.split(',');
            pair(parts.next().unwrap(), parts.next().unwrap())
        };
        text.lines().skip(1).map(pair).collect::<BTreeSet<_>>()
    };
    let (found, lower) = (run("rules.toml", "out"), run("lower.toml", "low"));
    folder.ok(&["report", "out"]);
    let report = Unpacked::read(&folder, "out/report.html");
    assert_eq!(
        (report.facts["search"]["misses"].as_str(), report.facts["search"]["among"].as_u64()),
        (Some("report"), Some(1500))
    );
    // Those within one cluster are shown as such.
    let shown: BTreeSet<_> = report.pairs(2).into_iter().chain(report.pairs(3)).collect();
    let misses: Vec<_> = lower.difference(&found).collect();
    assert!(misses.len() > 2 && misses.iter().all(|miss| shown.contains(*miss)), "{misses:?}");
    assert!(report.pairs(2).iter().all(|miss| lower.contains(miss) && !found.contains(miss)));
}

/// Prior, weights and frequencies of each pair add up to its score; the model is the one that the run had.
#[test]
fn scores_are_taken_apart() {
    let folder = Folder::new();
    folder.write("people.csv", SCORED);
    folder.write("rules.toml", COMPARED);
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml"]);
    folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml", "--model", "model.toml", "-o", "out"]);
    std::fs::remove_file(folder.path("model.toml")).unwrap();
    folder.write("rules.toml", "not any more");
    folder.ok(&["report", "out"]);
    let report = Unpacked::read(&folder, "out/report.html");
    let scores = &report.facts["scores"];
    assert_eq!((scores["kind"].as_str(), scores["prior"].as_f64()), (Some("weight"), Some(0.1)));
    let (pairs, prior) = (report.facts["overview"]["pairs"].as_u64().unwrap(), scores["priorWeight"].as_f64().unwrap());
    let counted = scores["histogram"].as_array().unwrap().iter().map(|bin| bin["pairs"].as_f64().unwrap()).sum::<f64>();
    assert_eq!(counted, pairs as f64);
    let levels = scores["comparisons"][0]["levels"].as_array().unwrap();
    assert_eq!(
        levels.iter().map(|level| level["text"].as_str().unwrap()).collect::<Vec<_>>(),
        ["l.name = r.name", "jaro_winkler(l.name, r.name) >= 0.9", "else", "null"]
    );
    let weight = (levels[0]["m"].as_f64().unwrap() / levels[0]["u"].as_f64().unwrap()).log2();
    assert!((levels[0]["weight"].as_f64().unwrap() - weight).abs() < 1e-6);
    assert_eq!(scores["comparisons"][0]["termFrequency"]["values"].as_u64(), Some(6));
    let mut sums = vec![prior; report.tables["pairs"].num_rows()];
    let adds = report.floats("waterfall", "adds").into_iter().zip(report.floats("waterfall", "term_frequency"));
    for (pair, (adds, frequency)) in report.numbers("waterfall", "pair").into_iter().zip(adds) {
        sums[pair.unwrap() as usize] += adds.unwrap() + frequency.unwrap_or(0.0);
    }
    for (sum, score) in sums.iter().zip(report.floats("pairs", "score")) {
        assert!((sum - score.unwrap()).abs() < 1e-6, "{sum} {score:?}");
    }
    assert_eq!(scores["weakest"].as_array().unwrap().len() as u64, pairs);
    // Nobody wrote the rule of the score, and its candidates say nothing.
    let score = &report.facts["rules"]["list"][0];
    assert_eq!((score["name"].as_str(), score["made"].as_bool()), (Some("score"), Some(true)));
    assert!(["alone", "marginal", "cumulative", "pairs"].iter().all(|of| score[of].as_u64() == Some(pairs)), "{score}");
}

#[test]
fn averages_are_taken_apart() {
    let folder = Folder::new();
    folder.write("people.csv", SCORED);
    let rules = "[[compare]]\nname = \"name\"\nsimilarity = \"jaro_winkler(l.name, r.name)\"\nweight = 3\n\
                 [[compare]]\nname = \"city\"\nsimilarity = \"jaro(l.city, r.city)\"\nweight = 1\n[score]\nthreshold = 0.8\n";
    folder.write("rules.toml", rules);
    folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml", "-o", "out", "--report"]);
    let report = Unpacked::read(&folder, "out/report.html");
    assert_eq!(report.facts["scores"]["kind"], "average");
    assert_eq!(report.facts["scores"]["comparisons"][0]["similarity"]["share"].as_f64(), Some(0.75));
    let mut sums = vec![0.0; report.tables["pairs"].num_rows()];
    for (pair, adds) in report.numbers("waterfall", "pair").into_iter().zip(report.floats("waterfall", "adds")) {
        sums[pair.unwrap() as usize] += adds.unwrap();
    }
    let scores = report.floats("pairs", "score");
    assert!(!sums.is_empty() && sums.iter().zip(&scores).all(|(sum, score)| (sum - score.unwrap()).abs() < 1e-6));
}

const AVERAGED: &str = "[[rule]]\nname = \"city\"\nwhen = \"l.city = r.city\"\n[[never]]\nwhen = \"l.id = 2 and r.id = 3\"\n\
                        [[compare]]\nname = \"name\"\nsimilarity = \"jaro_winkler(l.name, r.name)\"\nweight = 1\n\
                        [score]\nthreshold = 0.99\n";

#[test]
fn numbers_of_rules_are_said_to_be_before_scores() {
    let folder = Folder::new();
    folder.write("people.csv", SCORED);
    folder.write("rules.toml", AVERAGED);
    let said = folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml", "-o", "out", "--report"]).out;
    let rules = "Rule, before scores   pairs alone   marginal   cumulative\n\
                 city                            3          3            3\n";
    let nevers = "Never, before scores             pairs removed\n\
                  never_1: l.id = 2 and r.id = 3               1\n";
    has(&said, &[rules, nevers, "Pairs        1\n"]);
    let facts = Unpacked::read(&folder, "out/report.html").facts;
    let (rules, first) = (&facts["rules"], &facts["rules"]["list"][0]);
    assert_eq!((&rules["beforeScores"], &first["made"]), (&Value::Bool(true), &Value::Bool(false)));
    let numbers = [&first["alone"], &first["cumulative"], &first["pairs"], &rules["nevers"][0]["removed"]];
    assert_eq!(numbers.map(|n| n.as_u64().unwrap()), [3, 3, 1, 1]);
}
