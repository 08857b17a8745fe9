//! `train`, and jobs with scores: a model is learned, used and explained, and mistakes are named before anything runs.

use crate::support::{Folder, has};

pub const PEOPLE: &str = "id,name,city,phone\n1,ann smith,rome,11\n2,ann smith,rome,11\n3,anne smith,rome,12\n4,bob jones,oslo,13\n\
                      5,bob jones,,13\n6,carl orff,bern,14\n7,dora maar,lima,15\n8,carl orf,bern,16\n";

pub const RULES: &str = "[[compare]]\nname = \"name\"\nlevels = [\"l.name = r.name\", \"jaro_winkler(l.name, r.name) >= 0.9\"]\n\
                     term_frequency = \"name\"\n[[compare]]\nname = \"city\"\nlevels = [\"l.city = r.city\"]\n\
                     [train]\nrules = [\"l.phone = r.phone\", \"l.city = r.city\"]\n\
                     [score]\nthreshold = 0.5\nprior = 0.2\nlevels = true\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    folder.write("rules.toml", RULES);
    folder
}

#[test]
fn a_model_is_learned_used_and_explained() {
    let folder = folder();
    let said = folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml"]).out;
    has(&said, &["match with probability 2.000e-1 (given)", "l.name = r.name", "else", "Written to model.toml"]);
    let text = folder.read("model.toml");
    has(&text, &["prior = 0.2", "[[comparison]]", "u_from = \"counted\"", "[[pass]]", "changes = ["]);
    assert_eq!(folder.ok(&["train", "people.csv", "--rules", "rules.toml"]).out, text);
    has(&folder.fails(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml"]), &["--overwrite"]);
    let run =
        ["dedupe", "people.csv", "--rules", "rules.toml", "--model", "model.toml", "--format", "csv", "-o", "out"];
    folder.ok(&run);
    let pairs = folder.read("out/pairs.csv");
    has(&pairs, &["unique_id_l,unique_id_r,match_key,match_weight,match_probability,level_name,level_city\n"]);
    has(&pairs, &["\n1,2,score,", "l.name = r.name,l.city = r.city\n", "\n6,8,score,"]);
    has(&folder.read("out/run.json"), &["\"scores\": {", "\"threshold\": 0.5"]);
    let why = ["why", "people.csv", "--rules", "rules.toml", "--model", "model.toml", "--pair"];
    let said = folder.ok(&[&why[..], &["1", "2"]].concat()).out;
    has(
        &said,
        &["1 and 2 are a pair by their score", "prior", "by the frequency of the value", "match_weight", "reaches"],
    );
    let said = folder.ok(&[&why[..], &["1", "7"]].concat()).out;
    has(&said, &["1 and 7 are not a pair: their score is below the threshold", "else"]);
    has(&folder.ok(&["explain", "people.csv", "--rules", "rules.toml", "--model", "model.toml"]).out, &["score"]);
}

#[test]
fn certain_rules_keep_their_pairs_and_never_rules_forbid_them() {
    let folder = folder();
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml"]);
    let more = "[[rule]]\nname = \"same city\"\nwhen = \"l.city = r.city\"\n\
                [[rule]]\nname = \"sure\"\nwhen = \"l.phone = r.phone\"\ncertain = true\n\
                [[never]]\nwhen = \"l.id = 4 and r.id = 5\"\n";
    folder.write("sure.toml", format!("{RULES}{more}"));
    let run = ["dedupe", "people.csv", "--rules", "sure.toml", "--model", "model.toml", "--format", "csv", "-o", "out"];
    folder.ok(&run);
    let pairs = folder.read("out/pairs.csv");
    has(&pairs, &["\n1,2,sure,", "\n1,3,same city,"]);
    assert!(!pairs.contains("\n4,5"), "{pairs}");
}

#[test]
fn mistakes_are_named_before_anything_runs() {
    let folder = folder();
    let dedupe = ["dedupe", "people.csv", "--rules", "rules.toml", "-o", "out"];
    has(&folder.fails(&dedupe), &["there is no model to score them by", "`sameas train` writes one", "--model"]);
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml"]);
    let other = RULES.replace(">= 0.9", ">= 0.8");
    folder.write("other.toml", &other);
    let run =
        |rules: &str| folder.fails(&["dedupe", "people.csv", "--rules", rules, "--model", "model.toml", "-o", "out"]);
    has(&run("other.toml"), &["the model does not fit", "level 2 of `name`", "train a model"]);
    folder.write("low.toml", RULES.replace("threshold = 0.5", "threshold_weight = -100"));
    let low = "pairs that reach the threshold can only be found by looking at all 28 pairs";
    has(&run("low.toml"), &[low, "raise the threshold above", "--all-pairs"]);
    let wrong = [
        ("levels = []", "this comparison has no level"),
        ("levels = [\"l.name = r.name\", \"l.name = r.name and l.city = r.city\"]", "can never be reached"),
        (
            "levels = [\"l.name = r.name\"]\nterm_frequency = \"city\"",
            "no level of this comparison says `l.city = r.city`",
        ),
        ("levels = [\"l.nam = r.name\"]", "unknown column"),
    ];
    for (levels, message) in wrong {
        folder.write("wrong.toml", format!("[[compare]]\n{levels}\n"));
        has(&folder.fails(&["train", "people.csv", "--rules", "wrong.toml"]), &[message]);
    }
    folder.write("wrong.toml", format!("{RULES}threshold_weight = 3\n"));
    has(&folder.fails(&["train", "people.csv", "--rules", "wrong.toml"]), &["two thresholds"]);
    folder.write("wrong.toml", RULES.replace("threshold = 0.5", "threshold = 1.5"));
    let at_its_line = "--> threshold, wrong.toml:11\n   |\n11 | threshold = 1.5\n   |             ^^^\n";
    has(
        &folder.fails(&["train", "people.csv", "--rules", "wrong.toml"]),
        &["more than 0 and less than 1", at_its_line],
    );
    folder.write("none.toml", "[[rule]]\nwhen = \"l.name = r.name\"\n");
    has(&folder.fails(&["train", "people.csv", "--rules", "none.toml"]), &["there is nothing to learn"]);
    assert!(!folder.path("out").exists() || folder.names().iter().all(|name| !name.contains("pairs")));
}

/// More levels than a byte counts: a pair without any of them has the weight of *else*, not of an early level.
#[test]
fn a_comparison_may_have_hundreds_of_levels() {
    let folder = Folder::new();
    folder.write("numbers.csv", "id,all,n\n1,k,0\n2,k,3\n3,k,1000\n");
    let levels: Vec<String> = (0..300).map(|apart| format!("\"abs(l.n - r.n) = {apart}\"")).collect();
    let rule = "[[rule]]\nwhen = \"l.all = r.all\"\n[score]\nthreshold_weight = -100\nlevels = true\n";
    folder.write("rules.toml", format!("[[compare]]\nname = \"n\"\nlevels = [{}]\n{rule}", levels.join(", ")));
    let level = "[[comparison.level]]\nm = 0.002\nu = 0.0005\n".repeat(300);
    let otherwise = "[comparison.else]\nm = 0.2\nu = 0.8\n";
    folder.write("model.toml", format!("prior = 0.5\n[[comparison]]\nname = \"n\"\n{level}{otherwise}"));
    let run =
        ["dedupe", "numbers.csv", "--rules", "rules.toml", "--model", "model.toml", "--format", "csv", "-o", "out"];
    folder.ok(&run);
    let expected = "unique_id_l,unique_id_r,match_key,match_weight,match_probability,level_n\n\
                    1,2,rule_1,2.0,0.8,abs(l.n - r.n) = 3\n1,3,rule_1,-2.0,0.2,else\n2,3,rule_1,-2.0,0.2,else\n";
    assert_eq!(folder.read("out/pairs.csv"), expected);
}

/// A name with a line break in it is shown in one line: it cannot look like another warning.
#[test]
fn names_make_no_lines_of_their_own() {
    let folder = folder();
    let named = RULES.replace("name = \"city\"", "name = \"city\\nwarning: all is well\"");
    folder.write("rules.toml", named.replace("rules = [\"l.phone = r.phone\", ", "rules = ["));
    let said = folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml"]);
    let warning = "warning: no training rule leaves `city\\nwarning: all is well` open, so it is not learned and weighs 0: it \
                   shares columns with `l.city = r.city` (column city); add a rule to `[train]`";
    has(&said.err, &[warning]);
    let is_forged = |line: &str| line.starts_with("warning: all is well");
    assert!(!said.err.lines().chain(said.out.lines()).any(is_forged), "{said:?}");
}

#[test]
fn a_model_with_impossible_numbers_is_refused() {
    let folder = folder();
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml"]);
    let model = folder.read("model.toml");
    for weight in ["nan", "inf", "-2.0"] {
        let changed = format!("name = \"name\"\nterm_frequency_weight = {weight}\n");
        folder.write("model.toml", model.replace("name = \"name\"\n", &changed));
        let dedupe = ["dedupe", "people.csv", "--rules", "rules.toml", "--model", "model.toml", "-o", "out"];
        let why = "the model does not fit: its comparison `name` has term_frequency_weight = ";
        has(&folder.fails(&dedupe), &[why, ", which cannot be\n  help: 1 is the whole adjustment, 0 is none"]);
    }
}

const CDS: &str = "id,artist,title,track\n1,Ann Lee,Blue Moon,Fire\n2,Ann Lee,Blue Moon,Fire\n3,Anne Lee,Blue Moon,\n\
                   4,Bob Ray,Red Sun,Rain\n5,Bob Ray,Red Son,Rain\n6,Cy Twain,Old Road,Wind\n";

const WEIGHTS: &str = "[[compare]]\nname = \"artist\"\nsimilarity = \"jaro_winkler(l.artist, r.artist)\"\n\
                       within = \"neighbours(l.artist, r.artist, 3)\"\nat_least = 0.6\nweight = 20\n\
                       [[compare]]\nname = \"title\"\nsimilarity = \"jaro_winkler(l.title, r.title)\"\nat_least = 0.8\nweight = 30\n\
                       [[compare]]\nname = \"track\"\nsimilarity = \"jaro_winkler(l.track, r.track)\"\nat_least = 0.8\nweight = 50\n\
                       [score]\nthreshold = 0.9\nlevels = true\n";

#[test]
fn weights_need_no_model() {
    let folder = Folder::new();
    folder.write("cds.csv", CDS);
    folder.write("weights.toml", WEIGHTS);
    let dedupe = ["dedupe", "cds.csv", "--rules", "weights.toml", "--format", "csv", "-o", "out"];
    let said = folder.ok(&dedupe).out;
    has(&said, &["kept from a score of 0.9 on"]);
    let pairs = folder.read("out/pairs.csv");
    has(&pairs, &["unique_id_l,unique_id_r,match_key,score,similarity_artist,similarity_title,similarity_track\n"]);
    has(&pairs, &["\n1,2,score,1.0,1.0,1.0,1.0\n", "\n4,5,score,0.9"]);
    assert_eq!(pairs.lines().count(), 3, "{pairs}");
    let why = ["why", "cds.csv", "--rules", "weights.toml", "--pair"];
    has(
        &folder.ok(&[&why[..], &["1", "3"]].concat()).out,
        &["not a pair: their score is below the threshold", "a value is missing", "similarity 1.0000, weight 0.3000"],
    );
    has(
        &folder.ok(&[&why[..], &["1", "6"]].concat()).out,
        &["not within neighbours(l.artist, r.artist, 3)", "below 0.8"],
    );
    has(&folder.ok(&["explain", "cds.csv", "--rules", "weights.toml"]).out, &["rules        score", "jaro_winkler"]);
    folder.write("truth.csv", "id_a,id_b\n1,2\n4,5\n2,3\n");
    let evaluate = ["evaluate", "--pairs", "out/pairs.csv", "--truth", "truth.csv", "--thresholds", "all.csv"];
    has(&folder.ok(&evaluate).out, &["score ", "best F1"]);
    has(&folder.fails(&["train", "cds.csv", "--rules", "weights.toml"]), &["there is nothing to learn"]);
    folder.write("people.csv", PEOPLE);
    folder.write("rules.toml", RULES);
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml"]);
    let with_model = [&dedupe[..], &["--model", "model.toml", "--overwrite"]].concat();
    has(&folder.fails(&with_model), &["a model is for comparisons with levels"]);
}

#[test]
fn scores_of_others_come_back_as_pairs() {
    let folder = Folder::new();
    folder.write("cds.csv", CDS);
    let rules = "[[rule]]\nwhen = \"l.title = r.title\"\n[[rule]]\nname = \"sure\"\nwhen = \"l.track = r.track\"\ncertain = true\n\
                 [[never]]\nwhen = \"l.id = 2 and r.id = 3\"\n[columns]\nsame = \"l.title = r.title\"\n\
                 [score]\npairs = \"given/scored.csv\"\nthreshold = -1.5\n";
    std::fs::create_dir(folder.path("given")).unwrap();
    folder.write("rules.toml", rules);
    let dedupe = ["dedupe", "cds.csv", "--rules", "rules.toml", "--format", "csv", "-o", "out", "--overwrite"];
    let run = |scored: &str| {
        folder.write("given/scored.csv", scored);
        // What a `never` takes from given scores, it takes from the result.
        assert!(!folder.ok(&dedupe).out.contains("before scores"));
        folder.read("out/pairs.csv")
    };
    let pairs = run("unique_id_l,unique_id_r,score\n3,1,-1.5\n2,3,4\n1,2,2.5\n5,6,-1.6\n1,2,2.5\n");
    let expected =
        "unique_id_l,unique_id_r,match_key,score,same\n1,2,sure,2.5,true\n1,3,score,-1.5,true\n4,5,sure,,false\n";
    assert_eq!(pairs, expected);
    let why = ["why", "cds.csv", "--rules", "rules.toml", "--pair"];
    has(&folder.ok(&[&why[..], &["1", "3"]].concat()).out, &["are a pair by their score", "-1.5, which reaches"]);
    has(&folder.ok(&[&why[..], &["5", "6"]].concat()).out, &["not a pair", "which is below the threshold"]);
    let wrong = [
        ("unique_id_l,unique_id_r,score\n1,9,2\n", "there is no record with id `9`"),
        ("unique_id_l,unique_id_r,score\n1,2,x\n", "`score` is not a number"),
        ("unique_id_l,unique_id_r,score\n1,1,2\n", "`1` is paired with itself"),
        ("unique_id_l,unique_id_r,score\n1,2,2\n2,1,3\n", "comes twice, with the scores 2 and 3"),
        ("unique_id_l,unique_id_r,logit\n1,2,2\n", "say which has the scores"),
        ("a,b,score\n1,2,2\n", "no column `unique_id_l`"),
    ];
    for (scored, message) in wrong {
        folder.write("given/scored.csv", scored);
        has(&folder.fails(&dedupe), &[message]);
    }
    folder.write("rules.toml", "[score]\npairs = \"given/scored.csv\"\ncolumn = \"logit\"\n");
    assert_eq!(run("unique_id_l,unique_id_r,logit\n4,5,0.5\n1,2,0.4\n").lines().count(), 2);
}

/// A threshold that would be ignored is a mistake, before anything runs and in a check.
#[test]
fn a_threshold_without_a_meaning_is_refused() {
    let folder = folder();
    let wrong = [
        ("[score]\npairs = \"p.csv\"\nthreshold_weight = 8\n", "`threshold_weight`", "the scores are given", 3),
        ("[[rule]]\nwhen = \"l.name = r.name\"\n[score]\nthreshold = 8\n", "`threshold`", "nothing is compared", 4),
    ];
    for (text, key, why, line) in wrong {
        folder.write("wrong.toml", text);
        let said = format!("error: {key} has no meaning here: {why}\n --> threshold, wrong.toml:{line}\n");
        has(&folder.fails(&["dedupe", "people.csv", "--rules", "wrong.toml", "-o", "out"]), &[said.as_str()]);
        let checked = folder.run(&["check", "--rules", "wrong.toml"]);
        assert_eq!(checked.code, Some(1), "{checked:?}");
        has(&checked.err, &[said.as_str()]);
    }
}

#[cfg(unix)]
#[test]
fn rules_and_models_without_an_end_are_refused() {
    let folder = folder();
    let dedupe = ["dedupe", "people.csv", "-o", "out"];
    let too_long = "`/dev/zero` is longer than 16 MiB\n  help: check the path: this cannot be";
    let model = [&dedupe[..], &["--rules", "rules.toml", "--model", "/dev/zero"]].concat();
    has(&folder.fails(&model), &[too_long, "the model"]);
    has(&folder.fails(&[&dedupe[..], &["--rules", "/dev/zero"]].concat()), &[too_long, "the rules"]);
}
