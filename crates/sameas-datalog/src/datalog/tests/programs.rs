//! Programs over small random relations, evaluated by the engine and naively.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use super::Evaluator;
use super::naive::{Database, Tuple, evaluate};
use crate::datalog::core::ProgramValue;
use crate::datalog::{RelateJob, RelateProgram, RelatedTuples};
use crate::error::ErrorCode;
use crate::observer::Observer;
use crate::records::Input;

/// Relations that files fill.
const INPUTS: &str = ".decl edge(x: number, y: number)\n.decl label(x: number, t: symbol)\n.decl wide(a: number, b: symbol, \
    c: number, d: symbol)\n.input edge, label, wide\n.output out\n";

/// Each fills `out`.
const PROGRAMS: [&str; 22] = [
    ".decl out(x: number, y: number)\nout(x, y) :- edge(x, y).\nout(x, z) :- out(x, y), edge(y, z).",
    ".decl out(x: number, y: number)\nout(x, y) :- edge(x, y).\nout(x, z) :- out(x, y), out(y, z), x != z.",
    ".decl out(x: number, y: number)\nout(x, y) :- edge(p, x), edge(p, y), x != y.\n\
     out(x, y) :- edge(a, x), out(a, b), edge(b, y).",
    ".decl reach(x: number)\n.decl out(x: number)\nreach(1).\nreach(y) :- reach(x), edge(x, y).\n\
     out(x) :- edge(x, _), !reach(x).",
    ".decl out(x: number, n: number)\nout(x, n) :- edge(x, _), n = count : { edge(x, _) }.",
    ".decl out(x: number, n: number)\nout(x, n) :- label(x, _), n = count : { edge(x, y), label(y, _) }.",
    ".decl out(x: number)\nout(x) :- label(x, _), count : { edge(_, x) } <= 1, 1 < count : { edge(x, _) }.",
    ".decl out(n: number)\nout(n) :- n = count : { edge(_, _) }.\nout(n) :- n = count : { edge(x, x) }.",
    ".decl n(x: number, n: number)\n.decl out(x: number, y: number)\nn(x, n) :- edge(x, _), n = count : { edge(x, _) }.\n\
     out(x, y) :- n(x, y), edge(y, _).\nout(x, m) :- n(x, n), m = count : { edge(n, _) }.",
    ".decl out(x: number, t: symbol)\nout(x, t) :- label(x, t), t >= \"b\", x > -2.\nout(7, \"new \\\"x\\\"\").",
    ".decl out(t: symbol, u: symbol)\nout(t, u) :- label(x, t), edge(x, y), label(y, u), t < u.",
    ".decl out(t: symbol)\nout(t) :- label(x, t), x = y, edge(y, 2).\nout(t) :- label(_, t), 2 = 1.\nout(\"z\") :- 1 < 2.",
    ".decl out(a: number, b: symbol, c: number, d: symbol)\nout(a, b, c, d) :- wide(a, b, c, d), a <= c, b != d.",
    ".decl out(a: number, b: symbol, c: number, d: symbol)\nout(a, b, c, d) :- wide(c, d, a, b).\n\
     out(a, b, c, d) :- out(a, b, e, f), wide(e, f, c, d).",
    ".decl even(x: number)\n.decl odd(x: number)\n.decl out(x: number)\neven(0).\neven(y) :- odd(x), edge(x, y).\n\
     odd(y) :- even(x), edge(x, y).\nout(x) :- even(x), odd(x).",
    ".decl a(x: number)\n.decl out(x: number, y: number)\na(x) :- edge(x, x).\nout(x, y) :- a(x), a(y), !edge(y, _).\n\
     out(1, 1) :- !edge(1, 1).\nout(x, y) :- edge(x, y), !a(x), !label(y, \"a\").",
    ".decl out(x: number, y: number)\nout(x, z) :- edge(x, y), edge(y, z), edge(z, x), x < y.",
    ".decl out(x: number, n: number)\nout(n, m) :- wide(n, _, m, _), n = count : { edge(m, _) }.",
    ".decl out(x: number, n: number)\nout(x, n) :- edge(x, _), n = count : { edge(x, y), !label(y, _), y != 2 }.",
    ".decl out(x: number)\nout(x) :- edge(x, y), edge(y, z), edge(z, w), edge(w, x), label(x, t), label(w, t).",
    ".decl sizes(t: symbol, n: number)\n.decl out(t: symbol)\nsizes(t, n) :- label(_, t), n = count : { label(_, t) }.\n\
     out(t) :- sizes(t, n), sizes(u, m), t != u, n > m.",
    ".decl edge2(x: number, y: number)\n.decl out(x: number, y: number)\nedge2(x, y) :- edge(y, x).\nedge2(3, 4).\n\
     edge(x, y) :- edge2(x, y), x < 3.\nout(x, y) :- edge(x, y), !edge2(y, x).",
];

struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn number(&mut self) -> ProgramValue {
        ProgramValue::Number(self.below(6) as i64 - 1)
    }

    fn text(&mut self) -> ProgramValue {
        ProgramValue::Text(["a", "b", "ä", "c c"][self.below(4) as usize].to_owned())
    }
}

fn drawn(seed: u64) -> Database {
    let mut draw = Draw(seed);
    let mut database = Database::new();
    for name in ["edge", "label", "wide"] {
        let tuples = draw.below(10);
        let tuple = |draw: &mut Draw| match name {
            "edge" => vec![draw.number(), draw.number()],
            "label" => vec![draw.number(), draw.text()],
            _ => vec![draw.number(), draw.text(), draw.number(), draw.text()],
        };
        database.insert(name.to_owned(), (0..tuples).map(|_| tuple(&mut draw)).collect());
    }
    database
}

/// Tuples as an input, each twice.
fn input(name: &str, tuples: &BTreeSet<Tuple>, kinds: &str) -> Input {
    let column = |at: usize, kind: char| -> (String, ArrayRef) {
        let values = tuples.iter().chain(tuples).map(|tuple| &tuple[at]);
        let array: ArrayRef = match kind {
            'n' => Arc::new(Int64Array::from_iter_values(values.map(|value| match value {
                ProgramValue::Number(number) => *number,
                ProgramValue::Text(_) => 0,
            }))),
            _ => Arc::new(StringArray::from_iter_values(values.map(|value| match value {
                ProgramValue::Text(text) => text.clone(),
                ProgramValue::Number(_) => String::new(),
            }))),
        };
        (format!("c{at}"), array)
    };
    let columns = kinds.chars().enumerate().map(|(at, kind)| column(at, kind));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

pub(super) fn tuples_of(found: &RelatedTuples, relation: &str) -> Vec<Tuple> {
    let mut tuples = Vec::new();
    let mut take = |batch: RecordBatch| {
        for row in 0..batch.num_rows() {
            let value = |column: &ArrayRef| match column.as_primitive_opt::<Int64Type>() {
                Some(numbers) => ProgramValue::Number(numbers.value(row)),
                None => ProgramValue::Text(column.as_string::<i32>().value(row).to_owned()),
            };
            tuples.push(batch.columns().iter().map(value).collect());
        }
        Ok(())
    };
    found.read(relation, &mut take).unwrap();
    tuples
}

fn job(text: &str, database: &Database) -> RelateJob {
    let mut job = RelateJob::new(RelateProgram::parse("p.dl", text).unwrap());
    for (name, kinds) in [("edge", "nn"), ("label", "ns"), ("wide", "nsns")] {
        job = job.with_input(name, input(name, &database[name], kinds)).unwrap();
    }
    job
}

#[test]
fn programs_give_what_naive_evaluation_gives() {
    let evaluators = [1, 3].map(Evaluator::with_threads);
    for (at, program) in PROGRAMS.iter().enumerate() {
        let text = format!("{INPUTS}{program}");
        for seed in 0..12 {
            let database = drawn(seed * 1000 + at as u64);
            let expected = evaluate(&text, database.clone()).remove("out").unwrap_or_default();
            let found = evaluators[seed as usize % 2].relate(&job(&text, &database), &()).unwrap();
            let tuples = tuples_of(&found, "out");
            assert!(tuples.is_sorted(), "{program}: {tuples:?}");
            let found: BTreeSet<Tuple> = tuples.into_iter().collect();
            assert_eq!(found, expected, "{program}\nseed {seed}: {database:?}");
        }
    }
}

#[cfg(feature = "emulated")]
#[test]
fn a_device_gives_what_naive_evaluation_gives() {
    use crate::device::{DeviceChoice, DeviceKind, DeviceOptions};
    use crate::settings::Settings;

    let evaluator = |memory: usize| {
        let device_options = DeviceOptions::default().with_memory(memory);
        Evaluator::new(Settings { threads: 2, device: DeviceChoice::Emulated, device_options, ..Settings::default() })
    };
    // The second has no room for anything.
    let evaluators = [evaluator(32 << 20), evaluator(4 << 10)];
    for (at, program) in PROGRAMS.iter().enumerate() {
        let text = format!("{INPUTS}{program}");
        let database = drawn(77 + at as u64);
        let expected = evaluate(&text, database.clone()).remove("out").unwrap_or_default();
        for evaluator in &evaluators {
            let found = evaluator.relate(&job(&text, &database), &()).unwrap();
            assert_eq!(found.explanation().device, DeviceKind::Emulated);
            assert!(tuples_of(&found, "out").into_iter().eq(expected.clone()), "{program}: {database:?}");
        }
    }
}

/// Each count has a number that is new, and all relations share it.
#[test]
fn many_counts_extend_the_same_domain() {
    let (mut declared, mut rules) = (String::new(), String::new());
    for n in 1..40 {
        declared += &format!(".decl r{n}(x: number)\n");
        rules += &(0..n).map(|at| format!("r{n}({}).\n", 1000 + at)).collect::<String>();
        rules += &format!("out({n}, c) :- c = count : {{ r{n}(_) }}.\nout(c, 0) :- c = count : {{ r{n}(_) }}.\n");
    }
    let text = format!(".decl out(n: number, c: number)\n.output out\n{declared}{rules}");
    let program = RelateProgram::parse("p.dl", &text).unwrap();
    let found = Evaluator::with_threads(2).relate(&RelateJob::new(program), &()).unwrap();
    let expected = evaluate(&text, Database::new()).remove("out").unwrap();
    assert!(expected.len() == 78 && tuples_of(&found, "out").into_iter().eq(expected));
}

#[test]
fn plans_are_explained_with_and_without_inputs() {
    let text = format!("{INPUTS}{}", PROGRAMS[0]);
    let evaluator = Evaluator::with_threads(1);
    let explained = evaluator.explain(&job(&text, &drawn(7))).unwrap();
    let [stratum] = &explained.strata[..] else { panic!("{explained:?}") };
    assert!(stratum.is_recursive && stratum.rules.len() == 2);
    assert_eq!(stratum.carried.as_deref(), Some("`x` of `out`"));
    assert_eq!(stratum.rules[1].later[0].atoms[0].atom, "out(x, y)");
    let bare = RelateJob::new(RelateProgram::parse("p.dl", &text).unwrap());
    assert_eq!(evaluator.explain(&bare).unwrap().strata.len(), 1);
    let error = evaluator.relate(&bare, &()).unwrap_err();
    assert_eq!(error.message(), "no input is given for relation `edge`");
}

#[test]
fn a_run_can_be_cancelled_and_has_a_limit() {
    struct Stopped;
    impl Observer for Stopped {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let text = format!("{INPUTS}{}", PROGRAMS[0]);
    let error = Evaluator::with_threads(2).relate(&job(&text, &drawn(7)), &Stopped).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Cancelled);
}

#[test]
fn inputs_must_be_of_the_program() {
    let program = RelateProgram::parse("p.dl", &format!("{INPUTS}{}", PROGRAMS[0])).unwrap();
    let job = RelateJob::new(program);
    let batch = |name| input(name, &BTreeSet::new(), "nn");
    let wrong = job.clone().with_input("egde", batch("e")).unwrap_err();
    assert_eq!(wrong.to_string(), "the program has no relation `egde`\n  help: did you mean `edge`?");
    let twice = job.with_input("edge", batch("e")).unwrap().with_input("edge", batch("f")).unwrap_err();
    assert!(twice.message().starts_with("relation `edge` has two inputs"), "{twice}");
}
