//! Weighted averages, by the book: every pair of small random tables is averaged here, by definitions written out once more,
//! and the library must keep exactly those that reach the threshold. And columns of pairs.

use std::sync::Arc;

use sameas::arrow_array::cast::AsArray;
use sameas::arrow_array::types::{Float64Type, UInt32Type};
use sameas::arrow_array::{Array, ArrayRef, RecordBatch, StringArray, UInt32Array};
use sameas::{Error, Input, Job, RuleFile, Session};

use super::dice::Dice;

/// Name, city and year.
type Row = [Option<String>; 3];

const NAMES: [&str; 10] = ["anna", "anne", "ann", "bob", "bo", "carla", "karla", "dieter", "peter", "petra"];
const CITIES: [&str; 5] = ["rome", "roma", "oslo", "bern", "lima"];
const YEARS: [&str; 6] = ["1970", "1971", "1975", "1990", "2001", "2002"];

fn row(dice: &mut Dice) -> Row {
    let mut some =
        |from: &[&str], nulls: usize| (dice.below(10) >= nulls).then(|| from[dice.below(from.len())].to_owned());
    [some(&NAMES, 1), some(&CITIES, 2), some(&YEARS, 1)]
}

fn input(name: &str, rows: &[Row]) -> Input {
    let column = |at: usize| Arc::new(rows.iter().map(|row| row[at].clone()).collect::<StringArray>()) as ArrayRef;
    let ids = Arc::new(UInt32Array::from_iter_values(0..rows.len() as u32)) as ArrayRef;
    let columns = [("id", ids, false), ("name", column(0), true), ("city", column(1), true), ("year", column(2), true)];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

fn edits(a: &[u8], b: &[u8]) -> usize {
    match (a, b) {
        ([], rest) | (rest, []) => rest.len(),
        ([x, a @ ..], [y, b @ ..]) if x == y => edits(a, b),
        ([_, x @ ..], [_, y @ ..]) => 1 + edits(x, y).min(edits(x, b)).min(edits(a, y)),
    }
}

/// What a comparison says of a pair.
#[derive(Clone, Copy)]
enum Measure {
    /// `levenshtein_similarity` of a column.
    Edits(usize),
    /// Years less than forty apart.
    Years,
    /// Whether one name comes before the other, which depends on the order of the records.
    Before,
}

impl Measure {
    fn text(self) -> &'static str {
        match self {
            Self::Edits(0) => "levenshtein_similarity(l.name, r.name)",
            Self::Edits(_) => "levenshtein_similarity(l.city, r.city)",
            Self::Years => "1 - abs(l.year - r.year) / 40.0",
            Self::Before => "case when l.name < r.name then 1 else 0.4 end",
        }
    }

    fn similarity(self, a: &Row, b: &Row, is_link: bool) -> Option<f64> {
        match self {
            Self::Edits(at) => {
                let (a, b) = (a[at].as_ref()?, b[at].as_ref()?);
                Some(1.0 - edits(a.as_bytes(), b.as_bytes()) as f64 / a.len().max(b.len()) as f64)
            }
            Self::Years => {
                let year = |row: &Row| row[2].as_ref().map(|year| year.parse::<f64>().unwrap());
                Some((1.0 - (year(a)? - year(b)?).abs() / 40.0).clamp(0.0, 1.0))
            }
            Self::Before => {
                let before = |a: &Row, b: &Row| a[0].as_ref().zip(b[0].as_ref()).is_some_and(|(a, b)| a < b);
                Some(if before(a, b) || (!is_link && before(b, a)) { 1.0 } else { 0.4 })
            }
        }
    }
}

/// A condition of a comparison.
#[derive(Clone, Copy)]
enum Within {
    Window(usize, usize),
    SameYear,
}

struct Comparison {
    measure: Measure,
    within: Option<Within>,
    at_least: f64,
    weight: f64,
}

impl Comparison {
    fn random(dice: &mut Dice, measure: Measure) -> Self {
        let within = match dice.below(4) {
            0 => Some(Within::Window(dice.below(3), 2 + dice.below(12))),
            1 => Some(Within::SameYear),
            _ => None,
        };
        // No fraction of small numbers, so that rounding does not matter.
        let at_least = [0.0, 0.0, 0.37, 0.61, 0.79][dice.below(5)];
        Self { measure, within, at_least, weight: (dice.unit() * 40.0).round() + 1.0 }
    }

    fn text(&self, number: usize) -> String {
        let mut text = format!("[[compare]]\nname = \"c{number}\"\nsimilarity = \"{}\"\n", self.measure.text());
        match self.within {
            Some(Within::Window(at, width)) => {
                let column = ["name", "city", "year"][at];
                text += &format!("within = \"neighbours(l.{column}, r.{column}, {width})\"\n");
            }
            Some(Within::SameYear) => text += "within = \"l.year = r.year\"\n",
            None => {}
        }
        if self.at_least > 0.0 {
            text += &format!("at_least = {}\n", self.at_least);
        }
        text + &format!("weight = {}\n", self.weight)
    }
}

/// The ranks of all records by each column, ties by row.
fn ranks(rows: &[Row]) -> Vec<[Option<usize>; 3]> {
    let mut all = vec![[None; 3]; rows.len()];
    for at in 0..3 {
        let mut order: Vec<usize> = (0..rows.len()).filter(|row| rows[*row][at].is_some()).collect();
        order.sort_by_key(|row| (rows[*row][at].clone(), *row));
        order.into_iter().enumerate().for_each(|(rank, row)| all[row][at] = Some(rank));
    }
    all
}

/// The weighted average of two rows.
fn average(
    comparisons: &[Comparison],
    rows: &[Row],
    ranks: &[[Option<usize>; 3]],
    pair: (usize, usize),
    is_link: bool,
) -> f64 {
    let (a, b) = pair;
    let weights: f64 = comparisons.iter().map(|of| of.weight).sum();
    let part = |of: &Comparison| {
        let is_within = match of.within {
            None => true,
            Some(Within::SameYear) => rows[a][2].is_some() && rows[a][2] == rows[b][2],
            Some(Within::Window(at, width)) => {
                ranks[a][at].zip(ranks[b][at]).is_some_and(|(a, b)| a.abs_diff(b) < width)
            }
        };
        let similarity = of.measure.similarity(&rows[a], &rows[b], is_link).filter(|of_pair| *of_pair >= of.at_least);
        if is_within { of.weight / weights * similarity.unwrap_or(0.0) } else { 0.0 }
    };
    comparisons.iter().map(part).sum()
}

/// Ids and scores of the pairs that a job keeps.
fn found(job: &Job, threads: usize) -> Result<Vec<(usize, usize, f64)>, Error> {
    let run = Session::builder().threads(threads).build()?.run(job, &())?;
    let mut all = Vec::new();
    for batch in run.pairs() {
        let batch = batch?;
        let id = |at: usize| batch.column(at).as_primitive::<UInt32Type>().values().to_vec();
        let score = batch.column_by_name("score").unwrap().as_primitive::<Float64Type>();
        let (left, right) = (id(0), id(1));
        all.extend((0..batch.num_rows()).map(|at| (left[at] as usize, right[at] as usize, score.value(at))));
    }
    Ok(all)
}

fn assert_same(found: &[(usize, usize, f64)], expected: &[(usize, usize, f64)], context: &str) {
    let ids = |pairs: &[(usize, usize, f64)]| pairs.iter().map(|(l, r, _)| (*l, *r)).collect::<Vec<_>>();
    assert_eq!(ids(found), ids(expected), "{context}");
    for ((l, r, found), (.., expected)) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-7, "{context}: {l} {r} {found} {expected}");
    }
}

#[test]
fn every_pair_above_the_threshold_is_kept_and_no_other() {
    let (mut complete, mut refused) = (0, 0);
    for seed in 0..80 {
        let mut dice = Dice(seed);
        let rows: Vec<Row> = (0..30 + dice.below(50)).map(|_| row(&mut dice)).collect();
        let measures = [Measure::Edits(0), Measure::Edits(1), Measure::Years, Measure::Before];
        let comparisons: Vec<Comparison> =
            (0..1 + dice.below(4)).map(|at| Comparison::random(&mut dice, measures[at])).collect();
        let (threshold, is_link) = (0.15 + 0.8 * dice.unit(), seed % 3 == 2);
        let border = if is_link { rows.len() / 3 } else { 0 };
        let ranks = ranks(&rows);
        let mut expected = Vec::new();
        for a in 0..if is_link { border } else { rows.len() } {
            for b in if is_link { border..rows.len() } else { a + 1..rows.len() } {
                let average = average(&comparisons, &rows, &ranks, (a, b), is_link);
                if average >= threshold {
                    expected.push((a, b - border, average));
                }
            }
        }
        let mut text: String = comparisons.iter().enumerate().map(|(at, of)| of.text(at)).collect();
        text += &format!("[score]\nthreshold = {threshold}\nlevels = true\n");
        let job = |text: &str| {
            let (left, right) = rows.split_at(border);
            let job = match is_link {
                true => Job::link(input("left", left), input("right", right)),
                false => Job::dedupe(input("people", &rows)),
            };
            job.with_rules(RuleFile::parse(text, "rules.toml").unwrap())
        };
        let context = format!("seed {seed}\n{text}");
        let all = format!("{text}\n[[rule]]\nwhen = \"l.id >= 0 and r.id + l.id >= 0\"\n");
        assert_same(&found(&job(&all), 1 + seed as usize % 3).unwrap(), &expected, &context);
        assert_same(&found(&job(&text).with_all_pairs(), 2).unwrap(), &expected, &context);
        match found(&job(&text), 1) {
            Ok(found) => {
                complete += 1;
                assert_same(&found, &expected, &context);
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().contains("can only be found by looking at all"), "{error}");
            }
        }
    }
    assert!(complete > 20 && refused > 3, "{complete} {refused}");
}

fn rows(all: &[[&str; 3]]) -> Vec<Row> {
    all.iter().map(|row| row.map(|text| (!text.is_empty()).then(|| text.to_owned()))).collect()
}

#[test]
fn a_pair_on_the_threshold_is_kept_and_weights_of_what_is_missing_stay() {
    let people = rows(&[["anna", "rome", "1970"], ["anna", "rome", ""], ["anna", "", ""], ["anna", "rome", "1970"]]);
    let text = "[[compare]]\nsimilarity = \"levenshtein_similarity(l.name, r.name)\"\nat_least = 0.5\n\
                [[compare]]\nsimilarity = \"levenshtein_similarity(l.city, r.city)\"\nat_least = 0.5\n\
                [[compare]]\nsimilarity = \"case when l.year = r.year then 1 end\"\n[score]\nthreshold = ";
    let pairs = |threshold: &str| {
        let rules = RuleFile::parse(&format!("{text}{threshold}\n"), "rules.toml").unwrap();
        found(&Job::dedupe(input("people", &people)).with_rules(rules), 1).unwrap()
    };
    assert_eq!(pairs("1"), [(0, 3, 1.0)]);
    let two_thirds = 0.666_666_67;
    let most = [(0, 1, two_thirds), (0, 3, 1.0), (1, 3, two_thirds)];
    assert_eq!(pairs("0.6666666666666666"), most);
    assert_eq!(pairs("0.5"), most);
}

fn said(text: &str) -> String {
    let people = rows(&[["anna", "rome", "1970"]]);
    let rules = match RuleFile::parse(text, "rules.toml") {
        Ok(rules) => rules,
        Err(error) => return error.to_string(),
    };
    let job = Job::dedupe(input("people", &people)).with_rules(rules);
    Session::builder().threads(1).build().unwrap().run(&job, &()).map(drop).unwrap_err().to_string()
}

#[test]
fn mistakes_are_named() {
    let weighted = "[[compare]]\nname = \"n\"\nsimilarity = \"jaro_winkler(l.name, r.name)\"\n";
    let wrong = [
        ("[[compare]]\nsimilarity = \"l.name\"\n", "a similarity is a number from 0 to 1; this is text"),
        ("[[compare]]\nsimilarity = \"levenshtein(l.name, r.name)\"\n", "this can be far more"),
        ("[[compare]]\nsimilarity = \"abs(l.year - r.year)\"\n", "this can be far more"),
        ("[[compare]]\nsimilarity = \"jaro(l.nme, r.name)\"\n", "unknown column"),
        ("[[compare]]\nsimilarity = 3\n", "`similarity` must be a text in quotes"),
        ("[[compare]]\nname = \"n\"\n", "neither levels nor a similarity"),
        (
            "[[compare]]\nsimilarity = \"jaro(l.name, r.name)\"\nlevels = [\"l.name = r.name\"]\n",
            "levels and a similarity",
        ),
        ("[[compare]]\nlevels = [\"l.name = r.name\"]\nweight = 3\n", "`weight` belongs to a similarity"),
        ("[[compare]]\nsimilarity = \"jaro(l.name, r.name)\"\nterm_frequency = \"name\"\n", "belongs to levels"),
    ];
    for (text, message) in wrong {
        assert!(said(text).contains(message), "{text}: {}", said(text));
    }
    let more = [
        ("weight = 0\n", "the weights add up to zero"),
        ("weight = -1\n", "`weight` cannot be negative"),
        ("weight = inf\n", "`weight` must be a finite number"),
        ("at_least = 1.5\n", "`at_least` is a similarity: from 0 to 1"),
        ("within = \"l.name\"\n", "condition"),
        ("[[compare]]\nlevels = [\"l.name = r.name\"]\n", "all comparisons of a job have levels, or all have"),
        ("[score]\nthreshold = 1.2\n", "`threshold` is a weighted average: more than 0 and at most 1"),
        ("[score]\nthreshold = 0\n", "more than 0"),
        ("[score]\nprior = 0.1\n", "`prior` belongs to comparisons with levels"),
        ("[score]\nthreshold_weight = 2\n", "`threshold_weight` belongs to comparisons with levels"),
        ("[train]\nrules = [\"l.name = r.name\"]\n", "`[train]` belongs to comparisons with levels"),
    ];
    for (line, message) in more {
        let text = format!("{weighted}{line}");
        assert!(said(&text).contains(message), "{text}: {}", said(&text));
    }
}

#[test]
fn expressions_become_columns_of_pairs() {
    let people = rows(&[["anna", "rome", "1970"], ["anne", "", "1971"], ["bob", "oslo", "x"]]);
    let text = "[[rule]]\nwhen = \"l.id + r.id >= 0\"\n[columns]\nalike = \"levenshtein_similarity(l.name, r.name)\"\n\
                edits = \"levenshtein(l.name, r.name)\"\nnames = \"l.name || ' ' || r.name\"\n\
                same = \"l.city = r.city\"\nyears = \"r.year - l.year\"\nday = \"date '2024-05-31'\"\n";
    let job = Job::dedupe(input("people", &people)).with_rules(RuleFile::parse(text, "rules.toml").unwrap());
    let run = Session::builder().threads(1).build().unwrap().run(&job, &()).unwrap();
    let batch = run.pairs().next().unwrap().unwrap();
    let number =
        |name: &str| batch.column_by_name(name).unwrap().as_primitive::<Float64Type>().iter().collect::<Vec<_>>();
    assert_eq!(number("alike"), [Some(0.75), Some(0.0), Some(0.0)]);
    assert_eq!(number("edits"), [Some(1.0), Some(4.0), Some(4.0)]);
    assert_eq!(number("years"), [Some(1.0), None, None]);
    let names: Vec<_> = batch.column_by_name("names").unwrap().as_string::<i32>().iter().flatten().collect();
    assert_eq!(names, ["anna anne", "anna bob", "anne bob"]);
    let same = batch.column_by_name("same").unwrap().as_boolean();
    assert!(same.is_null(0) && !same.value(1) && same.is_null(2));
    assert_eq!(batch.column_by_name("day").unwrap().null_count(), 0);
}

#[test]
fn columns_have_names_and_values_of_their_own() {
    let rule = "[[rule]]\nwhen = \"l.name = r.name\"\n";
    let wrong = [
        ("[columns]\nMatch_Key = \"l.name\"\n", "pairs have another column called `Match_Key`"),
        ("[columns]\na = \"l.name\"\nA = \"r.name\"\n", "pairs have another column called"),
        ("[columns]\na = 3\n", "the column `a` must be an SQL expression in quotes"),
        ("[columns]\na = \"l.nam\"\n", "unknown column"),
        ("[columns]\na = \"words(l.name)\"\n", "holds texts, numbers, dates, true or false"),
        ("[columns]\na = \"null\"\n", "null for every pair"),
        ("columns = 3\n", "`columns` must be one table"),
    ];
    for (text, message) in wrong {
        let text = if text.starts_with('[') { format!("{rule}{text}") } else { format!("{text}{rule}") };
        assert!(said(&text).contains(message), "{text}: {}", said(&text));
    }
}
