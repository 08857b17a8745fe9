//! Every mistake of a program, with its place and its help.

use crate::datalog::RelateProgram;

const DECLARED: &str = ".decl edge(x: number, y: number)\n.decl name(x: number, t: symbol)\n\
    .decl out(x: number)\n.output out\n";

/// What is said of a program with these lines after the declarations: message, underlined text, help.
fn said(lines: &str) -> Vec<(String, String, String)> {
    let text = format!("{DECLARED}{lines}");
    let error = RelateProgram::parse("p.dl", &text).err().unwrap_or_else(|| panic!("no mistake in {lines}"));
    let shown = error.to_string();
    let parts: Vec<&str> = match shown.split_once(" mistakes in the rules\n\n") {
        Some((_, rest)) => rest.split("\n\n").map(|part| part.trim_start_matches("error: ")).collect(),
        None => vec![&shown],
    };
    parts.into_iter().map(taken_apart).collect()
}

fn taken_apart(shown: &str) -> (String, String, String) {
    let lines: Vec<&str> = shown.lines().collect();
    let place = lines.iter().position(|line| line.contains("--> p.dl:")).unwrap();
    let code = lines[place + 2].split_once(" | ").unwrap().1;
    let marks = lines[place + 3].split_once(" | ").unwrap().1;
    let (start, width) = (marks.find('^').unwrap(), marks.matches('^').count());
    let marked: String = code.chars().skip(start).take(width).collect();
    let help = lines.get(place + 4).and_then(|line| line.split_once("= help: ")).map_or("", |(_, help)| help);
    (lines[0].to_owned(), marked, help.to_owned())
}

fn one(lines: &str, message: &str, marked: &str, help: &str) {
    let found = said(lines);
    assert_eq!(found.len(), 1, "{lines}: {found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), (message, marked), "{lines}");
    assert!(found[0].2.contains(help), "{lines}: {}", found[0].2);
}

#[test]
fn a_mistake_is_shown_with_its_line() {
    let error = RelateProgram::parse("p.dl", &format!("{DECLARED}out(x) :- egde(x, _).")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown relation `egde`\n --> p.dl:5\n  |\n5 | out(x) :- egde(x, _).\n  |           ^^^^\n  \
         = help: did you mean `edge`?"
    );
}

#[test]
fn statements_must_be_written_well() {
    one("out(x) : edge(x, _).", "expected `.` or `:-` after the head, found `:`", ":", "");
    one("out(x) :- edge(x, _)", "expected `.` or `,` after a condition, found the end of the program", "", "ends with");
    one(
        "out(x) :- edge(x, _); edge(_, x).",
        "expected `.` or `,` after a condition, found `;`",
        ";",
        "a rule for each",
    );
    one("out(x) :- edge(x, y + 1).", "expected `)` or `,` after a term, found `+`", "+", "no arithmetic");
    one("out(x) :- edge x.", "expected a comparison (=, !=, <, <=, > or >=), found `x`", "x", "");
    one("out(x) :- edge(x, _), .", "expected a condition, found `.`", ".", "");
    one("out(x) :- edge(x, _), x < .", "expected a variable or a constant, found `.`", ".", "");
    one(".imput edge", "unknown directive `.imput`", ".imput", "did you mean `.input`? there are `.decl`");
    one(".input edge(IO=file)", "options are not known here", "(", "where the program is run");
    one(".decl a(x number)", "expected `:` and a type after the name of the column, found `number`", "number", "");
    one(".decl a(x: float)", "unknown type `float`", "float", "there are `number`, for 64-bit integers");
    one("!x.", "expected a rule, a fact, `.decl`, `.input` or `.output`, found `!`", "!", "");
    one("out(x) :- edge(x, _), 1 = count { edge(x, _) }.", "expected `.` or `,` after a condition, found `{`", "{", "");
    one("out(x) :- edge(x, _), 1 = count : edge(x, _).", "expected `{` after `count :`, found `edge`", "edge", "");
    let inner = "out(x) :- edge(x, _), 1 = count : { edge(x, y), y = count : { edge(x, _) } }.";
    one(inner, "a count within a count", "count", "a relation of its own");
}

#[test]
fn declarations_must_make_sense() {
    let five = ".decl a(a: number, b: number, c: number, d: number, e: number)";
    one(five, "relation `a` has 5 columns", "a", "at most 4 are possible");
    one(".decl a()", "relation `a` has no columns", "a", "one to 4 columns");
    one(".decl edge(x: number)", "relation `edge` is declared twice", "edge", "");
    one(".decl a(x: number, x: number)", "two columns are named `x`", "x", "");
    one(".input egde", "unknown relation `egde`", "egde", "did you mean `edge`?");
    one(".output zzzzz", "unknown relation `zzzzz`", "zzzzz", "declare it, as in `.decl zzzzz(x: number, y: number)`");
    let long = "a".repeat(121);
    one(&format!(".decl {long}(x: number)"), "the name has more than 120 characters", &long, "");
    let error = RelateProgram::parse("p.dl", ".decl a(x: number)\na(1).").unwrap_err().to_string();
    assert!(error.starts_with("the program has no result\n --> p.dl:2") && error.contains("`.output path`"), "{error}");
}

#[test]
fn atoms_must_fit_their_relations() {
    one("out(x) :- edge(x).", "`edge` has 2 columns, and 1 term is given", "edge(x)", "`edge(x: number, y: number)`");
    one("out(_) :- edge(_, _).", "`_` in a head has no value", "_", "name a variable");
    one("out(x).", "a fact has constants only, and `x` is a variable", "x", "double quotes");
    one("out(\"a\").", "a symbol cannot be here: column `x` of `out` holds numbers", "\"a\"", "without quotes");
    one("name(1, 2).", "a number cannot be here: column `t` of `name` holds symbols", "2", "in double quotes");
    let two = "`x` is a symbol and a number: column `y` of `edge` holds numbers";
    one("out(y) :- name(y, x), edge(y, x).", two, "x", "");
    one("out(x) :- name(x, t), t < 7.", "a symbol is compared with a number", "t < 7", "");
    one("out(x) :- edge(x, _), _ != 7.", "`_` cannot be compared", "_", "name a variable");
}

#[test]
fn variables_must_be_bound() {
    let help = "a variable needs an atom that is not negated";
    one("out(z) :- edge(x, y).", "the variable `z` is not bound", "z", help);
    one("out(x) :- edge(x, _), !edge(x, z).", "the variable `z` is not bound", "z", help);
    one("out(x) :- edge(x, _), z < x.", "the variable `z` is not bound", "z", help);
    one("out(x) :- !edge(x, x).", "the variable `x` is not bound", "x", help);
    assert_eq!(said("out(x) :- x = y, y = x, edge(_, _).").len(), 2);
    one("out(n) :- edge(x, _), n = count : { edge(y, _), y < z }.", "the variable `z` is not bound", "z", help);
    one("out(x) :- 1 = count : { edge(x, _) }.", "the variable `x` is not bound", "x", help);
    // What a count only compares cannot be a group of it.
    one("out(x) :- edge(x, _), 1 = count : { edge(y, _), y < x }.", "the variable `x` is not bound", "x", help);
}

#[test]
fn counts_must_be_small() {
    let message = "the count needs a relation of 5 columns, and 4 are possible";
    let count = "count : { edge(x, a), edge(a, b), edge(b, c), edge(c, d) }";
    one(&format!("out(n) :- edge(x, _), n = {count}."), message, count, "with fewer columns");
    let four = "1 = count : { edge(x, _) }, ".repeat(4);
    let fifth = "count : { edge(x, _) }";
    one(&format!("out(x) :- {four} 1 = {fifth}, edge(x, _)."), "more than 4 counts in one rule", fifth, "of its own");
}

#[test]
fn bodies_must_be_short() {
    let body = vec!["edge(x, _)"; 65].join(", ");
    one(&format!("out(x) :- {body}."), "the body has more than 64 conditions", "out(x)", "divide the rule");
    // Each equality needs the next one: the length is looked at first.
    let equal: Vec<String> = (0..9_000).map(|at| format!("v{at} = v{}", at + 1)).collect();
    let body = format!("{}, v9000 = 1", equal.join(", "));
    one(&format!("out(v0) :- {body}."), "the body has more than 64 conditions", "out(v0)", "divide the rule");
    let terms = vec!["x"; 65].join(", ");
    one(&format!("out(x) :- edge({terms})."), "`edge` has more than 64 terms", "edge", "at most 4 columns");
}

#[test]
fn statements_must_be_short() {
    let names = vec!["edge"; 40_000].join(", ");
    let message = "the statement has more than 65536 words and signs";
    one(&format!(".output {names}"), message, ",", "divide it into several statements");
}

#[test]
fn after_many_mistakes_nothing_is_read() {
    let error = RelateProgram::parse("p.dl", &"\0".repeat(1 << 20)).unwrap_err().to_string();
    assert!(error.starts_with("1000 mistakes in the rules\n\nerror: unexpected `\\u{0}`\n --> p.dl:1\n"), "{error}");
    let unknown = "out(x) :- egde(x, _).\n".repeat(3_000);
    let error = RelateProgram::parse("p.dl", &format!("{DECLARED}{unknown}")).unwrap_err().to_string();
    assert!(error.starts_with("1000 mistakes in the rules"), "{error}");
}

#[test]
fn negation_and_count_do_not_go_through_recursion() {
    let help = "must be complete before";
    one("out(x) :- edge(x, _), !out(x).", "negation through recursion: out -> !out", "out(x)", help);
    let lines = ".decl a(x: number)\n.decl b(x: number)\na(x) :- b(x).\nb(x) :- out(x).\nout(x) :- edge(x, _), !a(x).";
    one(lines, "negation through recursion: out -> !a -> b -> out", "a(x)", help);
    let count = "out(n) :- n = count : { out(_) }.";
    one(count, "a count through recursion: count of out -> out", "count : { out(_) }", help);
    let inside = "out(n) :- edge(x, _), n = count : { edge(x, y), out(y) }.";
    one(inside, "a count through recursion: count of out -> out", "count : { edge(x, y), out(y) }", help);
}

#[test]
fn all_mistakes_are_collected() {
    let found = said("out(x) :- egde(x, _).\nout(z) :- edge(x).\nout(y) :- edge(_, x), !name(y, 1).");
    let messages: Vec<&str> = found.iter().map(|(message, ..)| message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "unknown relation `egde`",
            "the variable `z` is not bound",
            "`edge` has 2 columns, and 1 term is given",
            "the variable `y` is not bound",
            "a number cannot be here: column `t` of `name` holds symbols",
        ]
    );
    let found = said("out(x) : edge(x, _).\nout(x) :- edge(x, _) edge(x, _).\nout(1 :- .");
    assert_eq!(found.len(), 3, "{found:?}");
}
