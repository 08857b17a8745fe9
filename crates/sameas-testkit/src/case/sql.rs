//! Expressions as SQL text. Operators inside operators are in parentheses, so that the text says what the tree says.

use super::{Expr, Literal, Op, Side, list_name};

/// The expression as SQL.
pub fn sql(expr: &Expr) -> String {
    match expr {
        Expr::Column(side, name) => format!("{}{name}", prefix(*side)),
        Expr::Literal(literal) => literal_sql(literal),
        Expr::Call(op, arguments) => call(*op, arguments),
    }
}

fn prefix(side: Side) -> &'static str {
    match side {
        Side::Left => "l.",
        Side::Right => "r.",
        Side::Own => "",
    }
}

fn literal_sql(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Literal::Int(value) => value.to_string(),
        Literal::Float(value) => format!("{value:?}"),
    }
}

/// An argument of an operator, in parentheses unless it is one piece already.
fn operand(expr: &Expr) -> String {
    let text = sql(expr);
    let negative = matches!(expr, Expr::Literal(Literal::Int(i64::MIN..0)))
        || matches!(expr, Expr::Literal(Literal::Float(value)) if *value < 0.0);
    match expr {
        Expr::Call(op, _) if is_operator(*op) => format!("({text})"),
        _ if negative => format!("({text})"),
        _ => text,
    }
}

/// Whether the SQL of a call is not one piece.
fn is_operator(op: Op) -> bool {
    let comparison = (Op::And..=Op::ILike).contains(&op);
    comparison || (Op::Add..=Op::Negate).contains(&op) || op == Op::Concat
}

fn call(op: Op, arguments: &[Expr]) -> String {
    let name = op.name();
    match op {
        Op::Not => format!("not {}", operand(&arguments[0])),
        Op::Negate => format!("-({})", sql(&arguments[0])),
        Op::IsNull | Op::IsNotNull | Op::IsTrue | Op::IsNotTrue | Op::IsFalse | Op::IsNotFalse => {
            format!("{} {name}", operand(&arguments[0]))
        }
        Op::In | Op::NotIn => format!("{} {name} ({})", operand(&arguments[0]), list(&arguments[1..])),
        Op::Between | Op::NotBetween => {
            format!("{} {name} {} and {}", operand(&arguments[0]), operand(&arguments[1]), operand(&arguments[2]))
        }
        Op::Like | Op::NotLike | Op::ILike => like(name, arguments),
        Op::Case => case(arguments),
        Op::InList => in_list(arguments),
        Op::CastText | Op::CastInteger | Op::CastDouble | Op::CastDate => {
            format!("cast({} as {name})", sql(&arguments[0]))
        }
        Op::Trim if arguments.len() == 2 => format!("trim(both {} from {})", sql(&arguments[1]), sql(&arguments[0])),
        _ if is_operator(op) => arguments.iter().map(operand).collect::<Vec<_>>().join(&format!(" {name} ")),
        _ => format!("{name}({})", list(arguments)),
    }
}

fn list(arguments: &[Expr]) -> String {
    arguments.iter().map(sql).collect::<Vec<_>>().join(", ")
}

/// The third argument is the content of the file; SQL has its name.
fn in_list(arguments: &[Expr]) -> String {
    let file = match &arguments[2] {
        Expr::Literal(Literal::Text(content)) => Expr::text(&list_name(content)),
        other => other.clone(),
    };
    format!("in_list({}, {})", list(&arguments[..2]), sql(&file))
}

fn like(name: &str, arguments: &[Expr]) -> String {
    let escape = arguments.get(2).map_or(String::new(), |escape| format!(" escape {}", sql(escape)));
    format!("{} {name} {}{escape}", operand(&arguments[0]), operand(&arguments[1]))
}

fn case(arguments: &[Expr]) -> String {
    let mut text = "case".to_owned();
    for branch in arguments.chunks(2) {
        match branch {
            [when, then] => text += &format!(" when {} then {}", sql(when), sql(then)),
            _ => text += &format!(" else {}", sql(&branch[0])),
        }
    }
    text + " end"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_nest_in_parentheses() {
        let sum = Expr::binary(Op::Add, Expr::l("a"), Expr::int(-2));
        let rule =
            Expr::binary(Op::And, Expr::binary(Op::Less, sum, Expr::r("b")), Expr::unary(Op::IsNull, Expr::l("c")));
        assert_eq!(sql(&rule), "((l.a + (-2)) < r.b) and (l.c is null)");
    }

    #[test]
    fn functions_and_keywords() {
        let text = Expr::text("it's");
        assert_eq!(sql(&Expr::Call(Op::Trim, vec![Expr::l("a"), text.clone()])), "trim(both 'it''s' from l.a)");
        assert_eq!(sql(&Expr::Call(Op::In, vec![Expr::l("a"), text, Expr::int(3)])), "l.a in ('it''s', 3)");
        let case = Expr::Call(Op::Case, vec![Expr::l("p"), Expr::int(1), Expr::float(2.0)]);
        assert_eq!(sql(&case), "case when l.p then 1 else 2.0 end");
        assert_eq!(sql(&Expr::unary(Op::CastDate, Expr::own("d"))), "cast(d as date)");
    }
}
