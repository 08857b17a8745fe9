//! Conditions on the numbers of two records in postfix order, as a device evaluates them.
//!
//! The kernels know integers and floats, comparisons, logic and choices. Whatever else an expression contains (texts,
//! decimals, roundings, other functions) leaves it to the host.

use sameas_kernels::layout::arithmetic::{ARITHMETIC_DEPTH, code, constant_kind};

use crate::expr::{Expr, ExprKind, Function, Num, Side, Type, Value};
use crate::records::encode::Encoded;

/// Operations of a condition at most: longer ones are rare, and the host evaluates whole columns of them.
const MOST: usize = 256;

/// A step of a condition in postfix order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PostfixStep {
    /// The number of an operand of a record.
    Operand(Side, usize),
    /// A constant: its kind and bits.
    Constant(u32, u64),
    /// An operation on the last values.
    Apply(u32),
}

/// The steps of a condition, if a device can evaluate all of them.
pub fn postfix(expr: &Expr, encoded: &Encoded) -> Option<Vec<PostfixStep>> {
    let mut steps = Postfix { encoded, steps: Vec::new(), depth: 0 };
    steps.add(expr)?;
    (expr.ty == Type::Bool && steps.steps.len() <= MOST).then_some(steps.steps)
}

/// Steps so far, and the values that they leave.
struct Postfix<'a> {
    encoded: &'a Encoded,
    steps: Vec<PostfixStep>,
    depth: usize,
}

impl Postfix<'_> {
    fn add(&mut self, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Column(..) => None,
            ExprKind::Operand(side, operand) => {
                let ty = self.encoded.domain(*operand).ty;
                (ty.is_number() || ty == Type::Date).then_some(())?;
                self.push(PostfixStep::Operand(*side, *operand))
            }
            ExprKind::Literal(value) => {
                let (kind, bits) = constant(value)?;
                self.push(PostfixStep::Constant(kind, bits))
            }
            ExprKind::Call(function, args) => self.call(*function, args),
        }
    }

    fn push(&mut self, step: PostfixStep) -> Option<()> {
        self.depth += 1;
        self.steps.push(step);
        (self.depth <= ARITHMETIC_DEPTH).then_some(())
    }

    fn apply(&mut self, code: u32, takes: usize) {
        self.depth -= takes - 1;
        self.steps.push(PostfixStep::Apply(code));
    }

    fn call(&mut self, function: Function, args: &[Expr]) -> Option<()> {
        match (function, args) {
            (Function::Case, _) => self.choice(args),
            // Days from the first to the second.
            (Function::DateDiffDays, [from, to]) => {
                self.add(to)?;
                self.add(from)?;
                self.apply(code::SUBTRACT, 2);
                Some(())
            }
            (Function::IsNotNull, [value]) => {
                self.add(value)?;
                self.apply(code::IS_NULL, 1);
                self.apply(code::NOT, 1);
                Some(())
            }
            (_, [value]) => {
                let code = code_of_one(function)?;
                self.add(value)?;
                self.apply(code, 1);
                Some(())
            }
            (_, [first, others @ ..]) => {
                let code = code_of_two(function)?;
                (others.len() == 1 || is_chain(function)).then_some(())?;
                self.add(first)?;
                others.iter().try_for_each(|other| {
                    self.add(other)?;
                    self.apply(code, 2);
                    Some(())
                })
            }
            (_, []) => None,
        }
    }

    /// `when, then, ..., else`: each condition chooses between its value and the choice of the rest.
    fn choice(&mut self, args: &[Expr]) -> Option<()> {
        match args {
            [otherwise] => self.add(otherwise),
            [when, then, rest @ ..] => {
                self.add(when)?;
                self.add(then)?;
                self.choice(rest)?;
                self.apply(code::SELECT, 3);
                Some(())
            }
            [] => None,
        }
    }
}

/// The kind and the bits of a constant.
fn constant(value: &Value) -> Option<(u32, u64)> {
    match value {
        Value::Null => Some((constant_kind::NULL, 0)),
        Value::Bool(truth) => Some((constant_kind::BOOL, u64::from(*truth))),
        Value::Number(Num::Int(value)) => Some((constant_kind::WHOLE, *value as u64)),
        Value::Number(Num::Float(value)) => Some((constant_kind::FLOAT, value.to_bits())),
        Value::Number(Num::Wide(_)) | Value::Text(_) | Value::Groups(_) => None,
    }
}

fn code_of_one(function: Function) -> Option<u32> {
    Some(match function {
        Function::Negate => code::NEGATE,
        Function::Abs => code::ABS,
        Function::Not => code::NOT,
        Function::IsNull => code::IS_NULL,
        Function::IsTrue => code::IS_TRUE,
        Function::IsFalse => code::IS_FALSE,
        _ => return None,
    })
}

fn code_of_two(function: Function) -> Option<u32> {
    Some(match function {
        Function::Add => code::ADD,
        Function::Subtract => code::SUBTRACT,
        Function::Multiply => code::MULTIPLY,
        Function::Divide => code::DIVIDE,
        Function::Modulo => code::MODULO,
        Function::Equal => code::EQUAL,
        Function::NotEqual => code::NOT_EQUAL,
        Function::Less => code::LESS,
        Function::LessEqual => code::LESS_EQUAL,
        Function::Greater => code::GREATER,
        Function::GreaterEqual => code::GREATER_EQUAL,
        Function::Distinct => code::DISTINCT,
        Function::NotDistinct => code::NOT_DISTINCT,
        Function::And => code::AND,
        Function::Or => code::OR,
        Function::Coalesce => code::COALESCE,
        Function::Least => code::LEAST,
        Function::Greatest => code::GREATEST,
        _ => return None,
    })
}

/// Whether a function of more than two arguments is the function of two, applied one after the other.
fn is_chain(function: Function) -> bool {
    use Function::{And, Coalesce, Greatest, Least, Or};
    matches!(function, And | Or | Coalesce | Least | Greatest)
}
