//! What is written where, and what is refused.

use super::*;
use crate::rules::stack::on_a_deep_stack;

/// The tree in brackets.
fn tree(expr: &Syntax) -> String {
    let list = |parts: &[Syntax]| parts.iter().map(tree).collect::<Vec<_>>().join(" ");
    let not = |negated: &bool| if *negated { "not " } else { "" };
    match &expr.kind {
        SyntaxKind::Null => "null".into(),
        SyntaxKind::Bool(truth) => truth.to_string(),
        SyntaxKind::Text(text) => format!("'{text}'"),
        SyntaxKind::Number(number) => number.clone(),
        SyntaxKind::Column(names) => names.iter().map(|n| n.value.as_str()).collect::<Vec<_>>().join("."),
        SyntaxKind::Not(of) => format!("(not {})", tree(of)),
        SyntaxKind::Sign(minus, of) => format!("({} {})", if *minus { "-" } else { "+" }, tree(of)),
        SyntaxKind::Chain(function, parts) => format!("({function:?} {})", list(parts)),
        SyntaxKind::Binary(function, parts) => format!("({function:?} {})", list(&parts[..])),
        SyntaxKind::Is { test, negated, of } => format!("({}{test:?} {})", not(negated), tree(of)),
        SyntaxKind::Between { negated, parts } => format!("({}between {})", not(negated), list(&parts[..])),
        SyntaxKind::In { negated, parts } => format!("({}in {})", not(negated), list(parts)),
        SyntaxKind::Like { function, negated, parts } => format!("({}{function:?} {})", not(negated), list(parts)),
        SyntaxKind::Case { operand, whens, otherwise } => {
            let whens: Vec<String> = whens.iter().map(|when| list(when)).collect();
            let option = |part: &Option<Box<Syntax>>| part.as_ref().map_or("-".into(), |part| tree(part));
            format!("(case {} {} {})", option(operand), whens.join(" "), option(otherwise))
        }
        SyntaxKind::Cast(of, ty) => format!("(cast {} {})", tree(of), ty.name),
        SyntaxKind::Date(text) => format!("(date {})", tree(text)),
        SyntaxKind::Call { name, args } => format!("{name}({})", list(args)),
        SyntaxKind::Refused { message, .. } => format!("<{message}>"),
    }
}

#[test]
fn operators_bind_as_in_sql() {
    for (text, expected) in [
        ("a or b and not c = d", "(Or a (And b (not (Equal c d))))"),
        ("not a is null and b", "(And (not (IsNull a)) b)"),
        ("a = b is not true", "(not IsTrue (Equal a b))"),
        ("a + b * -c - d / e % f", "(Subtract (Add a (Multiply b (- c))) (Modulo (Divide d e) f))"),
        ("a || b || c = d + 1", "(Equal (Concat a b c) (Add d 1))"),
        ("a + b || c", "(Add a (Concat b c))"),
        ("-a::integer * 2", "(Multiply (- (cast a integer)) 2)"),
        ("a between 1 and b + 2 and c", "(And (between a 1 (Add b 2)) c)"),
        ("a not between 1 and 2 or b not in (1, 2,)", "(Or (not between a 1 2) (not in b 1 2))"),
        ("a like b || '%' escape '!' and c not ilike d", "(And (Like a (Concat b '%') '!') (not ILike c d))"),
        ("a is distinct from b + 1 and c is not distinct from d", "(And (Distinct a (Add b 1)) (NotDistinct c d))"),
        ("a notnull and b not null", "(And (not IsNull a) (not IsNull b))"),
        ("a is not unknown", "(not IsNull a)"),
        ("a - b - c", "(Subtract (Subtract a b) c)"),
        ("a * b * c + d + (e + f)", "(Add (Multiply a b c) d (Add e f))"),
        ("(a or b) or c", "(Or (Or a b) c)"),
        ("a == b and c != d and e <> f", "(And (Equal a b) (NotEqual c d) (NotEqual e f))"),
        ("case when a then 1 when b then 2 else 3 end", "(case - a 1 b 2 3)"),
        ("case a when 1 then 'x' end = l.\"b c\"", "(Equal (case a 1 'x' -) l.b c)"),
        (
            "cast(a as double precision) = try_cast(b as decimal(10, 2))",
            "(Equal (cast a double precision) (cast b decimal))",
        ),
        ("substring(a from 2 for 3) = substr(a, 2)", "(Equal substr(a 2 3) substr(a 2))"),
        ("trim(leading 'x' from a) = trim(a, 'x')", "(Equal ltrim(a 'x') trim(a 'x'))"),
        ("trim('x' from a) || trim(both a)", "(Concat trim(a 'x') trim(a))"),
        ("extract(year from a) = Floor(b) + CEIL(c)", "(Equal year(a) (Add floor(b) ceil(c)))"),
        ("date '2024-05-31' < l.date", "(Less (date '2024-05-31') l.date)"),
        ("left(a, 3) = 'it''s' -- said\n and /* more */ b", "(And (Equal left(a 3) 'it's') b)"),
        ("case = 1 and not = 2 and is = 3", "(And (Equal case 1) (Equal not 2) (Equal is 3))"),
        (
            "a in (select b from c) and count(*) > 1",
            "(And <a rule cannot hold a subquery> (Greater <`count` cannot be called like this> 1))",
        ),
        ("sum(a) over (order by b) > 1", "(Greater <windows and aggregates have no meaning for a pair of records> 1)"),
        ("a = [1, (2)] and b", "(And (Equal a <brackets and braces are not part of the rule language>) b)"),
    ] {
        let parsed = parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        assert_eq!(tree(&parsed), expected, "{text}");
    }
}

#[test]
fn the_whole_expression_is_found() {
    for text in [
        "l.a is not null",
        "not l.a = r.a",
        "(l.a = r.a) is not true",
        "cast((l.a) as integer) = cast(r.a as varchar(3))",
        "l.a::integer < -r.b",
        "trim(both 'x' from l.a) = lower(trim(r.a))",
        "floor( l.a ) = ceil(r.a)",
        "substring(l.a from 1 for 2) in (r.a, lower(r.b))",
        "extract(year from l.a) between 1 and abs((2 - l.b))",
        "l.a not like r.a escape '!'",
        "case when l.a is null then 1 else 2 end = 1",
        "l.a is distinct from (r.b)",
        "'ünïcödé' = l.é || (\n'x')",
    ] {
        let padded = format!("  'é' = 'é'\n and ( {text} ) and l.z = r.z");
        let Ok(Syntax { kind: SyntaxKind::Chain(_, parts), .. }) = parse(&padded) else { panic!("{padded}") };
        let (own, outer) = (parts[1].span, parts[1].outer);
        assert_eq!(&padded[own.start..own.end], text);
        assert_eq!(&padded[outer.start..outer.end], format!("( {text} )"));
    }
}

#[test]
fn mistakes_have_a_place() {
    for (text, message, place) in [
        ("", "expected an expression at the end", ""),
        ("l.a = ", "expected an expression at the end", ""),
        ("l.a = )", "expected an expression, found: )", ")"),
        ("f(a b)", "expected `,` or `)`, found: b", "b"),
        ("(a", "expected `)` at the end", ""),
        ("a b", "unexpected `b`", "b"),
        ("l. = 1", "expected a name, found: =", "="),
        ("a is 3", "expected `null`, `true`, `false`, `unknown` or `distinct from` after `is`, found: 3", "3"),
        ("a in 3", "expected `(`, found: 3", "3"),
        ("a in ()", "this list is empty", ")"),
        ("a ~ b", "the operator `~` is not part of the rule language", "~"),
        ("a similar to b", "the operator `similar` is not part of the rule language", "similar"),
        ("a[1] = 2", "the operator `[` is not part of the rule language", "["),
        ("interval '1' day = a", "literals of type `interval` are not known", "interval"),
        ("timestamp '2024-01-01' = a", "literals of type `timestamp` are not known", "timestamp"),
        ("cast(a as array<array<int>>)", "cannot cast to `array<`", "array<"),
        ("a::int[] = b", "cannot cast to `int[`", "int["),
        ("cast(a as struct(b int))", "cannot cast to `struct(b`", "struct(b"),
        ("extract(hour from a)", "cannot extract `hour`", "hour"),
        ("case when a then b", "expected `end` at the end", ""),
        ("'open", "Unterminated string literal", ""),
    ] {
        let Err(mistake) = parse(text) else { panic!("{text}") };
        assert_eq!((mistake.message.as_str(), &text[mistake.span.start..mistake.span.end]), (message, place), "{text}");
    }
}

#[test]
fn long_chains_are_flat_and_deep_nesting_is_refused() {
    let checked = on_a_deep_stack(|| {
        check_depths();
        Ok(())
    });
    checked.unwrap();
}

fn check_depths() {
    for operator in ["and", "or", "||", "+", "*"] {
        let text = vec!["a"; 100_000].join(&format!(" {operator} "));
        assert_eq!(parse(&text).unwrap().depth, 2, "{operator}");
    }
    let nested = |open: &str, close: &str, levels: usize| format!("{}a{}", open.repeat(levels), close.repeat(levels));
    let repeated = |unit: &str, levels: usize| format!("a{}", unit.repeat(levels));
    for (allowed, refused) in [
        (nested("f(", ")", 900), nested("f(", ")", 100_000)),
        (nested("(", ")", 900), nested("(", ")", 100_000)),
        (nested("not ", "", 900), nested("not ", "", 100_000)),
        (nested("- ", "", 900), nested("- ", "", 100_000)),
        (nested("case when a then ", " end", 900), nested("case when a then ", " end", 100_000)),
        (nested("cast(", " as text)", 900), nested("cast(", " as text)", 100_000)),
        (repeated(" - a", 900), repeated(" - a", 100_000)),
        (repeated(" is null", 900), repeated(" is null", 100_000)),
        (repeated("::text", 900), repeated("::text", 100_000)),
        (repeated(" = a", 900), repeated(" = a", 100_000)),
        (repeated(" + a - a", 400), repeated(" + a - a", 100_000)),
        (repeated(" like a", 900), repeated(" like a", 100_000)),
    ] {
        assert!(parse(&allowed).is_ok(), "{}", &allowed[..40]);
        let mistake = parse(&refused).unwrap_err();
        assert_eq!(mistake.message, "this expression is nested more than 1000 levels deep");
        assert_eq!(mistake.help.as_deref(), Some("compute a part of it in a derived column"));
        assert!((900..20_000).contains(&mistake.span.start), "{}", mistake.span.start);
    }
    for open in ["[", "{", "(select ", "array<", "interval ", "x.", "(from a "] {
        assert!(parse(&open.repeat(100_000)).is_err() || open == "[" || open == "{" || open.starts_with('('), "{open}");
    }
}
