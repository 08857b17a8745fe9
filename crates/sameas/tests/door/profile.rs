//! Profiles of random tables agree with a naive count and with what a run finds by the same conditions.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use arrow_array::{ArrayRef, Date32Array, Float64Array, RecordBatch, StringArray};
use arrow_schema::DataType;
use sameas::profile::{ColumnLook, Profile, TextFormat};
use sameas::{ErrorCode, FieldValue, Input, Job, Observer, Session, Stage};

use crate::dice::Dice;
use crate::inputs::counted;

fn pick<'a>(dice: &mut Dice, texts: &[&'a str]) -> &'a str {
    texts[dice.below(texts.len())]
}

/// Columns of all kinds, with nulls, empty texts and blanks.
fn table(seed: u64, rows: usize) -> RecordBatch {
    let draw = &mut Dice(seed);
    let mut texts = |value: &mut dyn FnMut(&mut Dice) -> String| -> ArrayRef {
        let cell = |_| match draw.below(12) {
            0 => None,
            1 => Some(String::new()),
            _ => Some(value(draw)),
        };
        Arc::new((0..rows).map(cell).collect::<StringArray>())
    };
    let given = ["Ann", "ann", "Änn", "Zoë", "Bob", "BOB", "John", "Jon", " ", "N/A"];
    let names = texts(&mut |d| pick(d, &given).to_owned());
    let surnames = texts(&mut |d| {
        format!("{}{}", pick(d, &["Smith", "Smyth", "Müller", "MULLER", "de Vries"]), pick(d, &["", "s", "son"]))
    });
    let phones =
        texts(&mut |d| format!("{}{}-{}", pick(d, &["", "+49 ", "(0)"]), 555_000 + d.below(9), 1000 + d.below(7)));
    let dates = texts(&mut |d| format!("{:02}.{:02}.{}", 1 + d.below(28), 1 + d.below(12), 1950 + d.below(9)));
    let iso = texts(&mut |d| format!("19{}-0{}-1{}", 50 + d.below(9), 1 + d.below(3), d.below(3)));
    let mails = texts(&mut |d| format!("{}{}@{}", pick(d, &["a", "B", "c"]), d.below(9), pick(d, &["x.org", "Y.com"])));
    let codes = texts(&mut |d| format!("{}{}", 10 + d.below(5), 100 + d.below(20)));
    let streets =
        texts(&mut |d| format!("{} {} Street West", d.below(40), pick(d, &["Main", "Oak", "MAIN", "Élysée"])));
    let constant = texts(&mut |_| "x".to_owned());
    let ids = (0..rows).map(|row| Some(format!("id{row}"))).collect::<StringArray>();
    let numbers = (0..rows).map(|_| (draw.below(5) > 0).then(|| draw.below(6) as f64 / 2.0)).collect::<Float64Array>();
    let days = (0..rows).map(|_| (draw.below(5) > 0).then(|| draw.below(900) as i32)).collect::<Date32Array>();
    let columns: [(&str, ArrayRef); 12] = [
        ("id", Arc::new(ids)),
        ("given name", names),
        ("surname", surnames),
        ("phone", phones),
        ("born", dates),
        ("seen", iso),
        ("mail", mails),
        ("zip", codes),
        ("street", streets),
        ("constant", constant),
        ("number", Arc::new(numbers)),
        ("day", Arc::new(days)),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn input(name: &str, table: &RecordBatch) -> Input {
    // In several batches, as files are read.
    let half = table.num_rows() / 2;
    let batches = vec![table.slice(0, half), table.slice(half, table.num_rows() - half)];
    Input::batches(name, table.schema(), batches).unwrap()
}

/// Every key has as many candidates as a run finds pairs by its condition.
fn check_with_runs(job: &Job) -> Profile {
    let session = Session::builder().threads(2).build().unwrap();
    let profile = session.profile(job, &()).unwrap();
    assert!(profile.keys.len() > 20 && profile.search.combinations > 5, "{:?}", profile.search);
    for keys in profile.keys.chunks(8) {
        let job = keys.iter().fold(job.clone(), |job, key| job.with_rule(&key.condition));
        let record = session.run(&job, &()).unwrap().record();
        assert_eq!(record.nominal_pairs, profile.nominal_pairs);
        for (key, rule) in keys.iter().zip(&record.rules) {
            assert_eq!(key.candidates, rule.alone, "{key:?}");
        }
    }
    for key in profile.keys.iter().filter(|key| key.columns.len() == 1) {
        let plan = session.explain(&job.clone().with_rule(&key.condition), &()).unwrap().plan;
        assert!(plan.len() == 1 && plan[0].exact, "{key:?}");
        assert_eq!(plan[0].estimated_candidates, key.candidates, "{key:?}");
    }
    profile
}

#[test]
fn keys_have_exactly_the_candidates_that_a_run_has() {
    for seed in 0..3 {
        check_with_runs(&Job::dedupe(input("a", &table(seed, 400))));
    }
    let [left, right] = [table(7, 300), table(8, 450)];
    check_with_runs(&Job::link(input("a", &left), input("b", &right)));
    check_with_runs(&Job::link_and_dedupe(input("a", &left), input("b", &right)).with_id("row"));
}

/// Values that are not null, by row.
fn present(table: &RecordBatch, column: &str) -> Vec<Option<String>> {
    let column = arrow_cast::cast(table.column_by_name(column).unwrap(), &arrow_schema::DataType::Utf8).unwrap();
    let texts = column.as_any().downcast_ref::<StringArray>().unwrap();
    texts.iter().map(|text| text.filter(|text| !text.is_empty()).map(str::to_owned)).collect()
}

#[test]
fn columns_and_their_keys_have_the_naive_counts() {
    let table = table(3, 900);
    let profile = Session::new().unwrap().profile(&Job::dedupe(input("t", &table)), &()).unwrap();
    for column in &profile.inputs[0].columns {
        let values = present(&table, &column.name);
        let mut counts: HashMap<&String, u64> = HashMap::new();
        values.iter().flatten().for_each(|value| *counts.entry(value).or_default() += 1);
        assert_eq!(column.nulls as usize, values.iter().filter(|value| value.is_none()).count(), "{}", column.name);
        assert_eq!(column.distinct as usize, counts.len(), "{}", column.name);
        assert_eq!(column.can_be_id, column.name == "id");
        assert_eq!(column.frequent[0].records, *counts.values().max().unwrap());
        let Some(key) =
            profile.keys.iter().find(|key| key.columns == [column.name.clone()] && key.condition.starts_with("l."))
        else {
            assert_eq!(column.look, ColumnLook::Constant);
            continue;
        };
        assert_eq!(key.candidates, counts.values().map(|n| n * (n - 1) / 2).sum::<u64>(), "{}", column.name);
        assert_eq!((key.records, key.distinct), (900 - column.nulls, column.distinct));
        let largest = key.largest.as_ref().map_or(1, |largest| largest.records);
        assert_eq!(largest, *counts.values().max().unwrap());
    }
    let pair = profile
        .keys
        .iter()
        .find(|key| key.columns.len() == 2 && key.condition.matches("l.").count() == 2 && !key.condition.contains('('));
    if let Some(pair) = pair {
        let [a, b] = [&pair.columns[0], &pair.columns[1]].map(|name| present(&table, name));
        let mut counts: HashMap<(&String, &String), u64> = HashMap::new();
        let both = a.iter().zip(&b).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)));
        both.for_each(|values| *counts.entry(values).or_default() += 1);
        assert_eq!(pair.candidates, counts.values().map(|n| n * (n - 1) / 2).sum::<u64>());
        assert_eq!(pair.records, counts.values().sum::<u64>());
    }
}

#[test]
fn what_columns_look_like() {
    let profile = Session::new().unwrap().profile(&Job::dedupe(input("t", &table(5, 500))), &()).unwrap();
    let column = |name: &str| profile.inputs[0].columns.iter().find(|column| column.name == name).unwrap();
    let looks = [
        ("id", ColumnLook::Identifier),
        ("given name", ColumnLook::Name),
        ("surname", ColumnLook::Name),
        ("phone", ColumnLook::Phone),
        ("born", ColumnLook::Date),
        ("seen", ColumnLook::Date),
        ("mail", ColumnLook::Email),
        ("zip", ColumnLook::Code),
        ("street", ColumnLook::Text),
        ("constant", ColumnLook::Constant),
        ("number", ColumnLook::Number),
        ("day", ColumnLook::Date),
    ];
    for (name, look) in looks {
        assert_eq!(column(name).look, look, "{name}");
    }
    let given = column("given name").text.as_ref().unwrap();
    assert!(given.blank > 0 && given.folded == Some(3), "{given:?}");
    assert_eq!(given.missing_like[0].value, FieldValue::Text("N/A".into()));
    let born = column("born").text.as_ref().unwrap();
    assert_eq!(born.formats[0].format, TextFormat::Date { formats: vec!["%d.%m.%Y".into()] });
    assert_eq!(born.patterns[0].pattern, "99.99.9999");
    let conditions: Vec<&str> = profile.keys.iter().map(|key| key.condition.as_str()).collect();
    for expected in [
        "lower(strip_accents(l.\"given name\")) = lower(strip_accents(r.\"given name\"))",
        "soundex(l.surname) = soundex(r.surname)",
        "right(digits(l.phone), 7) = right(digits(r.phone), 7)",
        "right(l.born, 4) = right(r.born, 4)",
        "year(l.seen) = year(r.seen)",
        "year(l.day) = year(r.day)",
        "split_part(lower(l.mail), '@', 1) = split_part(lower(r.mail), '@', 1)",
        "substr(l.zip, 1, 3) = substr(r.zip, 1, 3)",
    ] {
        assert!(conditions.contains(&expected), "no {expected} in {conditions:#?}");
    }
}

#[test]
fn an_empty_key_is_null_and_the_condition_says_so() {
    let phones: ArrayRef = Arc::new(StringArray::from(vec![
        "555-1234",
        "none at all",
        "ask Bob",
        "5551234",
        "555 12 34",
        "555-99-99",
        "555-00-00",
    ]));
    let ids: ArrayRef = Arc::new(StringArray::from_iter_values((0..7).map(|row| row.to_string())));
    let table = RecordBatch::try_from_iter([("id", ids), ("phone", phones)]).unwrap();
    let profile = Session::new().unwrap().profile(&Job::dedupe(input("t", &table)), &()).unwrap();
    let key = profile.keys.iter().find(|key| key.condition.contains("right(")).unwrap();
    assert_eq!(key.condition, "nullif(right(digits(l.phone), 7), '') = nullif(right(digits(r.phone), 7), '')");
    assert_eq!((key.candidates, key.records), (3, 5));
}

#[test]
fn tables_without_records_or_with_many_columns() {
    let empty = table(1, 0);
    let profile = Session::new().unwrap().profile(&Job::dedupe(input("t", &empty)), &()).unwrap();
    assert!(profile.keys.is_empty() && profile.inputs[0].columns.len() == 12);
    let column = |at: usize| -> (String, ArrayRef) {
        let values = (0..60).map(|row| Some(format!("{}", (row * (at + 1)) % (3 + at % 7)))).collect::<StringArray>();
        (format!("c{at}"), Arc::new(values))
    };
    let wide = RecordBatch::try_from_iter((0..300).map(column)).unwrap();
    let profile = Session::new().unwrap().profile(&Job::dedupe(input("t", &wide)), &()).unwrap();
    let search = profile.search;
    assert!(search.single_keys >= 250 && search.combinable > 200, "{search:?}");
    assert!(search.combined <= 10 && search.combinations <= 45, "{search:?}");
}

#[test]
fn columns_of_other_names_are_found_by_their_values() {
    let mails = |first: usize, rows: usize| -> ArrayRef {
        let mail = |row: usize| (!row.is_multiple_of(9)).then(|| format!("{}@x{row}.org", ["ann", "bob"][row % 2]));
        Arc::new((first..first + rows).map(mail).collect::<StringArray>())
    };
    let days = || -> ArrayRef { Arc::new((0..300).map(|row| Some((row % 31).to_string())).collect::<StringArray>()) };
    let left = RecordBatch::try_from_iter([("email", mails(0, 300)), ("day", days())]).unwrap();
    let right = RecordBatch::try_from_iter([("number", days()), ("contact", mails(150, 300))]).unwrap();
    let job = Job::link(input("a", &left), input("b", &right)).with_id("row");
    let session = Session::new().unwrap();
    let profile = session.profile(&job, &()).unwrap();
    let found: Vec<(&str, &str)> = profile.shared_values.iter().map(|s| (s.left.as_str(), s.right.as_str())).collect();
    assert_eq!(found, [("email", "contact")], "house numbers and days share values by chance");
    let key = profile.keys.iter().find(|key| key.condition == "l.email = r.contact").unwrap();
    let run = session.run(&job.with_rule(&key.condition), &()).unwrap().record();
    assert_eq!(key.candidates, run.rules[0].alone);
    assert!((0.4..0.6).contains(&profile.shared_values[0].share) && key.candidates > 100);
}

/// Texts that stay where the caller has them are described as others are, and records at hand are not read again.
#[test]
fn records_at_hand_are_described_without_reading() {
    let session = Session::builder().threads(2).build().unwrap();
    let [left, right] = [table(7, 300), table(8, 450)];
    let given = |batch: &RecordBatch| -> RecordBatch {
        let kept = |at: usize| -> ArrayRef {
            let column = batch.column(at);
            let stays = match at % 3 {
                _ if *column.data_type() != DataType::Utf8 => return column.clone(),
                0 => DataType::Utf8View,
                1 => DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into()),
                _ => DataType::Utf8,
            };
            arrow_cast::cast(column, &stays).unwrap()
        };
        let schema = batch.schema();
        let names = schema.fields().iter().map(|field| field.name().clone());
        RecordBatch::try_from_iter(names.enumerate().map(|(at, name)| (name, kept(at)))).unwrap()
    };
    let jobs: [fn([Input; 2]) -> Job; 2] = [|[a, _]| Job::dedupe(a), |[a, b]| Job::link(a, b)];
    for job in jobs {
        let expected = session.profile(&job([input("a", &left), input("b", &right)]), &()).unwrap();
        let views = [&left, &right].map(given);
        let profile = session.profile(&job([input("a", &views[0]), input("b", &views[1])]), &()).unwrap();
        assert_eq!(profile, expected);
        let [(a, opened), (b, opened_too)] = [counted("a", &left), counted("b", &views[1])];
        let records = session.open(&job([a, b]), &()).unwrap();
        for _ in 0..2 {
            assert_eq!(session.profile_on(&records, &()).unwrap(), expected);
        }
        assert_eq!((opened.load(Relaxed), opened_too.load(Relaxed)), (1, records.job().inputs.len() - 1));
    }
}

/// Ids do not matter to a profile.
#[test]
fn ids_may_repeat_and_be_missing() {
    let texts = |values: [Option<&str>; 4]| -> ArrayRef { Arc::new(StringArray::from(values.to_vec())) };
    let twice = texts([Some("x"), Some("x"), None, Some("y")]);
    let people = RecordBatch::try_from_iter([("id", twice), ("row", texts([Some("a"); 4]))]).unwrap();
    let session = Session::new().unwrap();
    let profile = session.profile(&Job::dedupe(input("t", &people)), &()).unwrap();
    let id = &profile.inputs[0].columns[0];
    assert_eq!((profile.inputs[0].rows, id.nulls, id.distinct, id.can_be_id), (4, 1, 2, false));
    let three = ["a", "b", "c"].map(|name| input(name, &people));
    let error = session.profile(&Job::link_all(three), &()).unwrap_err();
    assert!(error.message().contains("3 were given"), "{error}");
}

/// Wants the job to stop as soon as columns are looked at.
#[derive(Default)]
struct Impatient(std::sync::atomic::AtomicBool);

impl Observer for Impatient {
    fn stage(&self, stage: &Stage, _: Option<u64>) {
        self.0.fetch_or(*stage == Stage::Profiling, std::sync::atomic::Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }
}

#[test]
fn a_profile_can_be_cancelled_and_keeps_to_its_memory() {
    let job = Job::dedupe(input("t", &table(1, 2000)));
    let error = Session::new().unwrap().profile(&job, &Impatient::default()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Cancelled);
    let long: ArrayRef = Arc::new(StringArray::from_iter_values((0..70_000).map(|row| format!("{row:01000}"))));
    let table = RecordBatch::try_from_iter([("long", long)]).unwrap();
    let small = Session::builder().memory(1 << 20).build().unwrap();
    let error = small.profile(&Job::dedupe(input("t", &table)), &()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::MemoryLimit);
}
