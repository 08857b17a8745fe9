//! Records of a few values, each of which meets every other one, and the truth of conditions about them.

use crate::expr::{Columns, Decimal, Expr, ExprKind, Function, Num, Side, Span, Type, Value, Vector, evaluate};
use crate::rules::sums::conclusions;
use crate::rules::{Column, LinkType, RuleFile, RuleSet, Test, compile};

/// Texts that are null, equal, similar and different.
const TEXTS: [Option<&str>; 9] =
    [None, Some("a"), Some("b"), Some("ab"), Some("ba"), Some("abc"), Some("martha"), Some("marhta"), Some("dixon")];
const FLOATS: [f64; 6] = [0.0, 0.1, 0.3, 0.1 + 0.2, 1.5, 1e16];
const INTS: [i64; 6] = [0, 1, 3, -2, 1 << 53, (1 << 53) + 1];
const DECIMALS: [&str; 6] = ["0.1", "0.3", "1.50", "9007199254740993.0", "0.30000000000000000000001", "2.5"];

pub(super) fn compiled(link_type: LinkType, rule: &str) -> RuleSet {
    let types = [("a", Type::Text), ("b", Type::Text), ("n", Type::Number), ("f", Type::Number), ("x", Type::Decimal)];
    let column = |(name, ty): &(&str, Type)| Column { name: (*name).into(), key: (*name).into(), ty: Ok(*ty) };
    let columns: Vec<Column> = types.iter().chain(&[("d", Type::Date)]).map(column).collect();
    let mut file = RuleFile::default();
    file.add_rule(rule);
    compile(&file, link_type, [&columns, &columns]).unwrap_or_else(|e| panic!("{rule}: {e}"))
}

/// All pairs of some rows.
pub(super) struct World {
    rows: usize,
}

impl World {
    pub(super) fn new() -> Self {
        Self { rows: 54 }
    }

    /// The first pair, as rows, for which a literal of a rule holds and something that is concluded from it does not.
    pub(super) fn counterexample(&self, rule: &str) -> Option<String> {
        let set = compiled(LinkType::LinkOnly, rule);
        for literal in set.conjunctions.iter().flat_map(|conjunction| &conjunction.literals) {
            let Test::Residual(expr) = &set.predicates[literal.predicate].test else { continue };
            let here = self.truth(expr);
            for conclusion in conclusions(expr, literal.want) {
                let there = self.truth(&as_expr(&conclusion.test));
                let wrong = |at: &usize| here[*at] == Some(literal.want) && there[*at] != Some(true);
                if let Some(at) = (0..here.len()).find(wrong) {
                    return Some(format!("{} in {} {}", conclusion.text(rule), at / self.rows, at % self.rows));
                }
            }
        }
        None
    }

    fn truth(&self, condition: &Expr) -> Vec<Option<bool>> {
        match evaluate(condition, self, None) {
            Vector::Bool(truth) => truth,
            Vector::Null(rows) => vec![None; rows],
            other => panic!("{other:?} is no truth"),
        }
    }
}

impl Columns for World {
    fn rows(&self) -> usize {
        self.rows * self.rows
    }

    fn column(&self, side: Side, name: &str) -> Vector {
        let row = |pair: usize| if side == Side::Left { pair / self.rows } else { pair % self.rows };
        let rows = || (0..self.rows()).map(row);
        let number = |row: usize| match (name, row % 7) {
            (_, 6) => None,
            ("n", at) => Some(Num::Int(INTS[at])),
            ("f", at) => Some(Num::Float(FLOATS[at])),
            (_, at) => Decimal::parse(DECIMALS[at]).map(Num::Wide),
        };
        match name {
            "a" => Vector::Text(rows().map(|row| TEXTS[row % 9]).collect()),
            "b" => Vector::Text(rows().map(|row| TEXTS[row / 3 % 9]).collect()),
            "d" => Vector::Date(rows().map(|row| (row % 5 > 0).then_some(row as i32 % 5)).collect()),
            _ => Vector::Number(rows().map(number).collect()),
        }
    }

    fn operand(&self, _: Side, _: usize) -> Vector {
        unreachable!("conditions are not encoded")
    }
}

/// A test as the condition it stands for.
fn as_expr(test: &Test) -> Expr {
    let call = |function, args, ty| Expr { kind: ExprKind::Call(function, args), ty, span: Span::default() };
    match test {
        Test::Equal { left, right, null_safe } => {
            let function = if *null_safe { Function::NotDistinct } else { Function::Equal };
            call(function, vec![left.clone(), right.swapped()], Type::Bool)
        }
        Test::Measure { measure, left, right, comparison, threshold, .. } => {
            let sides = vec![left.clone(), right.swapped()];
            let apart = if left.ty == Type::Date { Function::DateDiffDays } else { Function::Subtract };
            let value = match measure {
                Function::Abs => call(Function::Abs, vec![call(apart, sides, Type::Number)], Type::Number),
                measure => call(*measure, sides, Type::Number),
            };
            let kind = ExprKind::Literal(Value::Number(*threshold));
            let function = match comparison.sign() {
                "<" => Function::Less,
                "<=" => Function::LessEqual,
                ">" => Function::Greater,
                _ => Function::GreaterEqual,
            };
            call(function, vec![value, Expr { kind, ty: Type::Number, span: Span::default() }], Type::Bool)
        }
        other => panic!("{other:?} is not concluded from sums"),
    }
}
