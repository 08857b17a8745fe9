//! An operand's expression as SQL for plans and reports: written as in a rule, without `l.` and `r.`.

use crate::expr::{Expr, ExprKind, Function, Value, shown_name};

/// An expression of one record in the language of rules. Conversions that the binder added are written out as casts.
pub fn expr_to_sql(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Column(_, key) => name(shown_name(key)),
        ExprKind::Operand(..) => unreachable!("an operand is made of columns"),
        ExprKind::Literal(value) => literal(value),
        ExprKind::Call(function, args) => call(*function, args),
    }
}

/// A column, in quotes where the language needs them.
fn name(name: &str) -> String {
    let plain = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let bare = name.chars().all(plain) && name.starts_with(|c: char| plain(c) && !c.is_ascii_digit());
    if bare { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(truth) => truth.to_string(),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Number(number) => number.to_text(),
        Value::Groups(groups) => literal(&Value::Text(groups.path().to_owned())),
    }
}

fn call(function: Function, args: &[Expr]) -> String {
    let texts: Vec<String> = args.iter().map(expr_to_sql).collect();
    let inner: Vec<String> = args.iter().zip(&texts).map(|(arg, text)| in_place(arg, text)).collect();
    if let Some(sign) = sign(function) {
        return inner.join(&format!(" {sign} "));
    }
    match (function, &inner[..]) {
        (Function::Not, [a]) => format!("not {a}"),
        (Function::Negate, [a]) => format!("-{a}"),
        (Function::IsNull, [a]) => format!("{a} is null"),
        (Function::IsNotNull, [a]) => format!("{a} is not null"),
        (Function::IsTrue, [a]) => format!("{a} is true"),
        (Function::IsFalse, [a]) => format!("{a} is false"),
        (Function::In, [a, ..]) => format!("{a} in ({})", texts[1..].join(", ")),
        (Function::Like, [a, b]) => format!("{a} like {b}"),
        (Function::ILike, [a, b]) => format!("{a} ilike {b}"),
        (Function::Case, _) => case(&texts),
        _ => match cast(function) {
            Some(ty) => format!("cast({} as {ty})", texts.join(", ")),
            None => format!("{}({})", function_name(function), texts.join(", ")),
        },
    }
}

/// A part of an expression with a sign: in brackets if it has a sign itself.
fn in_place(expr: &Expr, text: &str) -> String {
    let signed = match &expr.kind {
        ExprKind::Call(function, _) => sign(*function).is_some() || is_written_around(*function),
        _ => false,
    };
    if signed { format!("({text})") } else { text.to_owned() }
}

fn is_written_around(function: Function) -> bool {
    use Function as F;
    let with_a_word =
        matches!(function, F::IsNull | F::IsNotNull | F::IsTrue | F::IsFalse | F::In | F::Like | F::ILike);
    with_a_word || matches!(function, F::Not | F::Negate)
}

fn sign(function: Function) -> Option<&'static str> {
    Some(match function {
        Function::And => "and",
        Function::Or => "or",
        Function::Equal => "=",
        Function::NotEqual => "<>",
        Function::Less => "<",
        Function::LessEqual => "<=",
        Function::Greater => ">",
        Function::GreaterEqual => ">=",
        Function::Distinct => "is distinct from",
        Function::NotDistinct => "is not distinct from",
        Function::Add => "+",
        Function::Subtract => "-",
        Function::Multiply => "*",
        Function::Divide => "/",
        Function::Modulo => "%",
        Function::Concat => "||",
        _ => return None,
    })
}

fn case(texts: &[String]) -> String {
    let mut said = String::from("case");
    for branch in texts.chunks(2) {
        match branch {
            [when, then] => said.push_str(&format!(" when {when} then {then}")),
            rest => said.push_str(&format!(" else {}", rest.concat())),
        }
    }
    said + " end"
}

fn cast(function: Function) -> Option<&'static str> {
    Some(match function {
        Function::ToNumber => "number",
        Function::ToInteger => "integer",
        Function::ToFloat => "double",
        Function::ToDate => "date",
        Function::ToText => "text",
        Function::ToBool => "boolean",
        _ => return None,
    })
}

/// Functions are named as in rules: most of them by their words in lower case.
fn function_name(function: Function) -> String {
    if let Some(measure) = function.measure() {
        return measure.words.name.into();
    }
    match function {
        Function::TrimStart => return "ltrim".into(),
        Function::TrimEnd => return "rtrim".into(),
        Function::NullIf => return "nullif".into(),
        Function::ILike => return "ilike".into(),
        Function::ConcatPresent => return "concat".into(),
        _ => {}
    }
    let mut name = String::new();
    for c in format!("{function:?}").chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::derived_key;
    use crate::expr::{Num, Side, Span, Type};
    use crate::measure::{SetMeasure, TextMeasure};

    fn expr(kind: ExprKind) -> Expr {
        Expr { kind, ty: Type::Text, span: Span::default() }
    }

    fn column(key: &str) -> Expr {
        expr(ExprKind::Column(Side::Left, key.to_owned()))
    }

    fn called(function: Function, args: Vec<Expr>) -> Expr {
        expr(ExprKind::Call(function, args))
    }

    #[test]
    fn operands_read_like_rules() {
        let number = |n| expr(ExprKind::Literal(Value::Number(Num::Int(n))));
        let text = |t: &str| expr(ExprKind::Literal(Value::Text(t.into())));
        let cases = [
            (column("name"), "name"),
            (column(&derived_key("name_key")), "name_key"),
            (column("first \"given\" name"), "\"first \"\"given\"\" name\""),
            (
                called(Function::StripAccents, vec![called(Function::Lower, vec![column("a")])]),
                "strip_accents(lower(a))",
            ),
            (called(Function::Left, vec![column("a"), number(3)]), "left(a, 3)"),
            (called(Function::ToNumber, vec![column("age")]), "cast(age as number)"),
            (called(Function::Concat, vec![column("a"), text("it's"), column("b")]), "a || 'it''s' || b"),
            (
                called(Function::Multiply, vec![called(Function::Add, vec![column("a"), column("b")]), number(2)]),
                "(a + b) * 2",
            ),
            (
                called(Function::Case, vec![called(Function::IsNull, vec![column("a")]), text("x"), column("b")]),
                "case when a is null then 'x' else b end",
            ),
            (called(Function::In, vec![column("a"), text("x"), text("y")]), "a in ('x', 'y')"),
            (called(Function::TrimEnd, vec![column("1st")]), "rtrim(\"1st\")"),
            (
                called(Function::Text(TextMeasure::DamerauLevenshtein), vec![column("a"), column("b")]),
                "damerau_levenshtein(a, b)",
            ),
            (
                called(Function::Set(SetMeasure::OverlapCoefficient), vec![column("a"), column("b")]),
                "overlap_coefficient(a, b)",
            ),
        ];
        for (expr, expected) in cases {
            assert_eq!(expr_to_sql(&expr), expected);
        }
    }
}
