//! Files of judgements, good and bad.

use std::io::Write;

use super::*;
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::records::Input;

fn read(text: &str, ending: &str, has_sides: bool) -> Result<Judgements> {
    let mut file = tempfile::Builder::new().prefix("labels").suffix(ending).tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let budget = MemoryBudget::unlimited();
    let how = JudgementReading { has_sides, reading: &budget, kept: &budget, progress: &|_| {} };
    Judgements::read(Input::files([file.path()]).open()?, &how)
}

fn csv(text: &str) -> Result<Judgements> {
    read(text, ".csv", false)
}

fn message(text: &str) -> String {
    csv(text).unwrap_err().to_string()
}

#[test]
fn all_columns_are_read_in_any_order() {
    let judgements = csv("note,judgement,unique_id_r,unique_id_l,who,when,stratum,inclusion_probability\n\
                          x,same,2,1,Ann,2026-01-02,high,0.5\n,Different ,4,3,,,low,1\ny, UNSURE,6,5,,,,\n")
    .unwrap();
    let [first, second, third] = judgements.as_slice() else { panic!("{judgements:?}") };
    let ids = |judgement: &Judgement| judgement.records.clone().map(|record| record.id);
    assert_eq!((ids(first), first.kind), (["1".to_owned(), "2".to_owned()], JudgementKind::Same));
    assert_eq!((first.who.as_deref(), first.when.as_deref()), (Some("Ann"), Some("2026-01-02")));
    assert_eq!((first.stratum.as_deref(), first.inclusion_probability), (Some("high"), Some(0.5)));
    assert_eq!((second.kind, second.inclusion_probability), (JudgementKind::Different, Some(1.0)));
    assert_eq!((third.kind, &third.stratum, third.inclusion_probability), (JudgementKind::Unsure, &None, None));
    assert!(!judgements.names_sources() && judgements.place(third).contains(".csv"), "{}", judgements.place(third));
    let rows = "{\"unique_id_l\": 1, \"unique_id_r\": 2, \"judgement\": \"same\", \"inclusion_probability\": 0.25}\n";
    let judgements = read(rows, ".jsonl", false).unwrap();
    assert_eq!(judgements.as_slice()[0].inclusion_probability, Some(0.25));
    assert_eq!(judgements.as_slice()[0].records[0].id, "1");
}

#[test]
fn columns_that_are_missing_or_misspelt_are_named() {
    let said = message("unique_id_l,unique_id_r,judgment\n1,2,same\n");
    assert!(said.contains("have no column `judgement`") && said.contains("did you mean `judgment`?"), "{said}");
    let said = message("a,b,judgement\n1,2,same\n");
    assert!(said.contains("have no column `unique_id_l`") && said.contains("judgements have the columns"), "{said}");
    let said = message("unique_id_l,unique_id_r,judgement,strata\n1,2,same,x\n");
    assert!(said.contains("have an unknown column `strata`") && said.contains("did you mean `stratum`?"), "{said}");
    let said = message("source_dataset_l,unique_id_l,unique_id_r,judgement\na,1,2,same\n");
    assert!(said.contains("have a column `source_dataset_l`, and no column `source_dataset_r`"), "{said}");
    let said = message("unique_id_l,unique_id_r,judgement,judgement\n1,2,same,same\n");
    assert!(said.contains("the name of column `judgement` is repeated"), "{said}");
}

#[test]
fn values_that_are_not_allowed_have_their_place() {
    let with =
        |row: &str| message(&format!("unique_id_l,unique_id_r,judgement,inclusion_probability\n1,2,same,0.1\n{row}\n"));
    for (row, part) in [
        ("3,4,maybe,1", ".csv:3: `judgement` is `maybe`; `same`, `different` and `unsure` are allowed"),
        ("3,4,,1", ".csv:3: `judgement` is missing; `same`, `different` and `unsure` are allowed"),
        ("3,4,same,0", ".csv:3: `inclusion_probability` is `0`; a number above 0 and at most 1 is allowed"),
        ("3,4,same,1.5", ".csv:3: `inclusion_probability` is `1.5`;"),
        ("3,4,same,-0.1", ".csv:3: `inclusion_probability` is `-0.1`;"),
        ("3,4,same,NaN", ".csv:3: `inclusion_probability` is `NaN`;"),
        ("3,4,same,1e-20", ".csv:3: `inclusion_probability` is `1e-20`; it stands for 1 / that many pairs"),
        ("3,4,same,half", ".csv:3: `inclusion_probability` is `half`;"),
        (",4,same,1", ".csv:3: the id in column `unique_id_l` is missing"),
        ("3,,same,1", ".csv:3: the id in column `unique_id_r` is missing"),
        ("3,3,same,1", ".csv:3: the record `3` is compared with itself"),
    ] {
        let said = with(row);
        assert!(said.contains(part), "{row}: {said}");
    }
    let said = message("source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,judgement\na,1,,1,same\n");
    assert!(said.contains(".csv:2: the input of the record in column `source_dataset_r` is missing"), "{said}");
}

#[test]
fn a_pair_is_judged_once() {
    let judgements =
        csv("unique_id_l,unique_id_r,judgement,who,stratum\n1,2,unsure,Ann,\n3,4,same,,x\n2,1,different,Bob,y\n\
                          1,2,different,,\n4,3,unsure,,\n")
        .unwrap();
    let [first, second] = judgements.as_slice() else { panic!("{judgements:?}") };
    assert_eq!((first.kind, first.who.as_deref()), (JudgementKind::Different, Some("Bob")));
    assert_eq!((first.stratum.as_deref(), second.kind), (Some("y"), JudgementKind::Same));
    let said = message("unique_id_l,unique_id_r,judgement\n1,2,same\n5,6,same\n2,1,different\n6,5,different\n");
    assert!(said.contains(".csv:4: of `2` and `1` the judgement is `different`, which contradicts "), "{said}");
    assert!(said.contains(".csv:2\n"), "{said}");
    let said = message("unique_id_l,unique_id_r,judgement,stratum\n1,2,same,x\n2,1,same,z\n");
    assert!(said.contains("the stratum is `z`, which contradicts "), "{said}");
    let said = message("unique_id_l,unique_id_r,judgement,inclusion_probability\n1,2,same,0.5\n2,1,same,0.25\n");
    assert!(said.contains("the inclusion probability is 0.25, which contradicts "), "{said}");
}

#[test]
fn records_of_two_inputs_may_have_one_id() {
    let text = "unique_id_l,unique_id_r,judgement\n1,1,same\n1,2,same\n2,1,different\n";
    assert_eq!(read(text, ".csv", true).unwrap().as_slice().len(), 3);
    let named = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,judgement\n";
    let judgements = csv(&format!("{named}a,1,b,1,same\na,1,a,2,different\nb,1,a,1,same\n")).unwrap();
    assert_eq!(judgements.as_slice().len(), 2);
    assert!(judgements.names_sources() && judgements.as_slice()[1].records[0].source.as_deref() == Some("a"));
    let said = message(&format!("{named}a,1,a,1,same\n"));
    assert!(said.contains("the record `1` is compared with itself"), "{said}");
}
