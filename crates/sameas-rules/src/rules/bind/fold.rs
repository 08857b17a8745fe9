//! Constants are computed while binding, so that a rule that is always true or never true is reported.

use crate::cancel::{Cancel, catch};
use crate::expr::{Columns, Expr, ExprKind, Function, Side, Span, Type, Value, Vector, evaluate};
use crate::memory::MemoryBudget;

/// A call, or its value where all arguments are constants, or what is left of `and` and `or`.
///
/// Dropping `true` from `and` and `false` from `or` keeps three-valued truth: they are the neutral elements.
pub fn call(function: Function, args: Vec<Expr>, span: Span) -> Expr {
    let ty = match function.result_type(value_type(function, &args)) {
        Type::Number if function.keeps_decimals() && args.iter().any(|a| a.ty == Type::Decimal) => Type::Decimal,
        ty => ty,
    };
    let args = match function {
        Function::And => match junction(args, true, span) {
            Ok(decided) => return decided,
            Err(rest) => rest,
        },
        Function::Or => match junction(args, false, span) {
            Ok(decided) => return decided,
            Err(rest) => rest,
        },
        _ => args,
    };
    let constant = args.iter().all(|a| matches!(a.kind, ExprKind::Literal(_)));
    let expr = Expr { kind: ExprKind::Call(function, args), ty, span };
    if constant { folded(&expr).unwrap_or(expr) } else { expr }
}

/// The type of the value that a choice returns.
fn value_type(function: Function, args: &[Expr]) -> Type {
    let at = usize::from(function == Function::Case);
    args.get(at).map_or(Type::Null, |a| a.ty)
}

/// `Ok` where the constants decide or one argument is left.
fn junction(args: Vec<Expr>, neutral: bool, span: Span) -> Result<Expr, Vec<Expr>> {
    if args.iter().any(|a| is_bool(a, !neutral)) {
        return Ok(literal(Value::Bool(!neutral), Type::Bool, span));
    }
    let mut rest: Vec<Expr> = args.into_iter().filter(|a| !is_bool(a, neutral)).collect();
    match rest.len() {
        0 => Ok(literal(Value::Bool(neutral), Type::Bool, span)),
        1 => Ok(rest.remove(0)),
        _ => Err(rest),
    }
}

fn is_bool(expr: &Expr, value: bool) -> bool {
    matches!(expr.kind, ExprKind::Literal(Value::Bool(b)) if b == value)
}

fn literal(value: Value, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Literal(value), ty, span }
}

/// One row without columns, and some memory.
struct NoColumns<'a>(&'a MemoryBudget);

impl Columns for NoColumns<'_> {
    fn rows(&self) -> usize {
        1
    }

    fn column(&self, _: Side, _: &str) -> Vector {
        Vector::Null(1)
    }

    fn operand(&self, _: Side, _: usize) -> Vector {
        unreachable!("rules are bound before they have operands")
    }

    fn cancel(&self) -> Cancel<'_> {
        Cancel::NEVER.within(self.0)
    }
}

/// Whether a function of these constants is null.
pub fn is_null(function: Function, args: &[Expr], span: Span) -> bool {
    let ty = function.result_type(value_type(function, args));
    let expr = Expr { kind: ExprKind::Call(function, args.to_vec()), ty, span };
    let budget = MemoryBudget::new(0);
    catch(|| Ok(evaluate(&expr, &NoColumns(&budget), None).shown(0).is_none())).unwrap_or(false)
}

/// The constant's value; dates and lists have no literal and stay calls, and so does what takes much memory.
fn folded(expr: &Expr) -> Option<Expr> {
    let budget = MemoryBudget::new(0);
    let value = match catch(|| Ok(evaluate(expr, &NoColumns(&budget), None))).ok()? {
        Vector::Bool(values) => values[0].map_or(Value::Null, Value::Bool),
        Vector::Number(values) => values.get(0).map_or(Value::Null, Value::Number),
        Vector::Text(values) => {
            use arrow_array::Array;
            if values.is_null(0) { Value::Null } else { Value::Text(values.value(0).to_owned()) }
        }
        _ => return None,
    };
    Some(literal(value, expr.ty, expr.span))
}
