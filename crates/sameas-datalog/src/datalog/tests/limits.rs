//! Programs that take much memory, or have many relations.

use std::path::Path;

use super::Evaluator;
use super::programs::tuples_of;
use crate::datalog::core::ProgramValue;
use crate::datalog::{RelateJob, RelateProgram, RelatedTuples};
use crate::error::{Error, ErrorCode, Result};
use crate::settings::Settings;

/// As little as there can be: a smaller limit allows no less.
const MEMORY: usize = 100 << 20;

fn parsed(text: &str) -> Result<RelateProgram> {
    RelateProgram::parse_within("p.dl", text, MEMORY)
}

fn related(text: &str) -> RelatedTuples {
    let evaluator = Evaluator::new(Settings { threads: 2, memory: MEMORY, ..Settings::default() });
    evaluator.relate(&RelateJob::new(parsed(text).unwrap()), &()).unwrap()
}

fn refused(text: &str) -> Error {
    parsed(text).err().unwrap_or_else(|| panic!("{} bytes are a program", text.len()))
}

#[test]
fn many_facts_fit_a_small_memory() {
    let facts: String = (0..200_000).map(|at| format!("edge({at}, {}).\nname({at}, \"n{at}\").\n", at / 2)).collect();
    let text = format!(
        ".decl edge(x: number, y: number)\n.decl name(x: number, t: symbol)\n.decl out(x: number, t: symbol)\n\
         .output out\nout(x, t) :- edge(x, x), name(x, t).\n{facts}"
    );
    let found = related(&text);
    assert_eq!(found.count("edge").unwrap(), 200_000);
    let expected = vec![ProgramValue::Number(0), ProgramValue::Text("n0".to_owned())];
    assert_eq!(tuples_of(&found, "out"), [expected]);
}

#[test]
fn a_program_that_does_not_fit_is_refused() {
    let relations: String = (0..100_000).map(|at| format!(".decl r{at}(x: number)\n")).collect();
    let error = refused(&relations);
    assert_eq!(
        error.to_string(),
        "the program takes 129 MiB or more, too much for a memory limit of 100 MiB\n  \
         help: raise the memory limit, or read facts from a file, with `.input`"
    );
    assert_eq!(error.code(), ErrorCode::MemoryLimit);
    let message = "the program takes 180 MiB or more, too much for a memory limit of 100 MiB";
    assert_eq!(refused(&"\n".repeat(10 << 20)).message(), message);
    // Each of the atoms has a join of its own in later rounds.
    let body = vec!["r(x)"; 64].join(", ");
    let text = format!(".decl r(x: number)\n.output r\n{}", format!("r(x) :- {body}.\n").repeat(100));
    assert_eq!(refused(&text).code(), ErrorCode::MemoryLimit);
}

#[cfg(unix)]
#[test]
fn a_program_without_end_is_refused() {
    let error = RelateProgram::read_within(Path::new("/dev/zero"), MEMORY).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/dev/zero: the program is longer than 32 MiB\n  help: a program may take a quarter of the memory limit; read \
         facts from a file, with `.input`"
    );
    assert_eq!(error.code(), ErrorCode::MemoryLimit);
}

/// `r1(x) :- r0(x).` and so on, to the first again.
fn ring(length: usize) -> String {
    let declared = (0..length).map(|at| format!(".decl r{at}(x: number)\n"));
    let rules = (0..length).map(|at| format!("r{}(x) :- r{at}(x).\n", (at + 1) % length));
    declared.chain(rules).chain([".output r0\nr0(7).\nr0(8).\n".to_owned()]).collect()
}

#[test]
fn a_ring_of_relations_takes_what_its_relations_take() {
    let length = 10_000;
    let found = related(&ring(length));
    for at in [0, 1, length / 2, length - 1] {
        let numbers = [7, 8].map(|number| vec![ProgramValue::Number(number)]);
        assert_eq!(tuples_of(&found, &format!("r{at}")), numbers);
    }
    let [stratum] = &found.explanation().strata[..] else { panic!("one stratum") };
    assert_eq!((stratum.relations.len(), stratum.rounds.len()), (length, length));
    assert_eq!(stratum.rounds[length - 1].tuples, 2 * length as u64);
}

#[test]
fn a_chain_of_relations_has_a_stratum_for_each() {
    let length = 10_000;
    let declared = (0..=length).map(|at| format!(".decl r{at}(x: number)\n"));
    let rules = (0..length).map(|at| format!("r{}(x) :- r{at}(x), !s(x).\n", at + 1));
    let facts = [format!(".decl s(x: number)\n.output r{length}\nr0(7).\nr0(8).\ns(8).\n")];
    let text: String = declared.chain(rules).chain(facts).collect();
    let found = related(&text);
    assert_eq!(tuples_of(&found, &format!("r{length}")), [vec![ProgramValue::Number(7)]]);
    assert_eq!(found.explanation().strata.len(), length);
}
