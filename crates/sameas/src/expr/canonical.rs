//! Questions about an expression's shape: which records it reads, what it looks like with the
//! records exchanged, and one text for all ways of writing the same thing.

use super::{Expr, ExprKind, Function, Num, Side, Value};

/// Which records of the pair an expression reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// None: a constant.
    None,
    /// One record only.
    One(Side),
    /// Both.
    Both,
}

impl Side {
    /// The other record.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// `l` or `r`.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Left => "l",
            Self::Right => "r",
        }
    }
}

impl Expr {
    /// Which records it reads.
    pub fn sides(&self) -> Reads {
        match &self.kind {
            ExprKind::Literal(_) => Reads::None,
            ExprKind::Column(side, _) | ExprKind::Operand(side, _) => Reads::One(*side),
            ExprKind::Call(_, args) => args.iter().map(Self::sides).fold(Reads::None, Reads::join),
        }
    }

    /// The same with `l` and `r` exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        self.map_sides(&Side::other)
    }

    /// The same as an expression of its one record, whichever side that is on.
    #[must_use]
    pub fn own(&self) -> Self {
        self.map_sides(&|_| Side::Left)
    }

    fn map_sides(&self, f: &dyn Fn(Side) -> Side) -> Self {
        let kind = match &self.kind {
            ExprKind::Literal(value) => ExprKind::Literal(value.clone()),
            ExprKind::Column(side, name) => ExprKind::Column(f(*side), name.clone()),
            ExprKind::Operand(side, operand) => ExprKind::Operand(f(*side), *operand),
            ExprKind::Call(function, args) => ExprKind::Call(*function, args.iter().map(|a| a.map_sides(f)).collect()),
        };
        Self { kind, ty: self.ty, span: self.span }
    }

    /// Calls `visit` for every column it reads.
    pub fn each_column(&self, visit: &mut dyn FnMut(Side, &str)) {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Operand(..) => {}
            ExprKind::Column(side, name) => visit(*side, name),
            ExprKind::Call(_, args) => args.iter().for_each(|a| a.each_column(visit)),
        }
    }

    /// One text for all ways of writing the same value: equal texts mean equal values for every
    /// pair. Arguments are put in order only where the function returns the same bits either way
    /// round; so `abs(l.x - r.x)` and `abs(r.x - l.x)` agree, `l.x - r.x` and `r.x - l.x` do not.
    pub fn canonical(&self) -> String {
        match &self.kind {
            ExprKind::Literal(value) => literal(value),
            ExprKind::Column(side, name) => format!("{}.\"{}\"", side.letter(), name.replace('"', "\"\"")),
            ExprKind::Operand(side, operand) => format!("{}[{operand}]", side.letter()),
            ExprKind::Call(function, args) => call(*function, args),
        }
    }
}

impl Reads {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, s) | (s, Self::None) => s,
            (Self::One(a), Self::One(b)) if a == b => self,
            _ => Self::Both,
        }
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        // A decimal computes in another way than a float or an integer of the same value.
        Value::Number(Num::Wide(decimal)) => format!("decimal {}", decimal.to_text()),
        Value::Number(n) => n.canonical().to_text(),
    }
}

fn call(function: Function, args: &[Expr]) -> String {
    let mut texts: Vec<String> = args.iter().map(Expr::canonical).collect();
    let function = match function {
        Function::Greater => mirrored(&mut texts, Function::Less),
        Function::GreaterEqual => mirrored(&mut texts, Function::LessEqual),
        Function::HaversineKm => points_in_order(&mut texts),
        Function::Abs => return format!("Abs({})", difference(&args[0]).unwrap_or_else(|| texts.remove(0))),
        other => other,
    };
    if is_commutative(function) {
        texts.sort();
    }
    format!("{function:?}({})", texts.join(", "))
}

fn mirrored(texts: &mut [String], to: Function) -> Function {
    texts.reverse();
    to
}

/// The great-circle formula returns the same bits for exchanged points: the differences are squared.
fn points_in_order(texts: &mut [String]) -> Function {
    if texts.len() == 4 && (&texts[2], &texts[3]) < (&texts[0], &texts[1]) {
        texts.rotate_left(2);
    }
    Function::HaversineKm
}

/// `x - y` inside an absolute value, where the order does not matter.
fn difference(argument: &Expr) -> Option<String> {
    let ExprKind::Call(function @ (Function::Subtract | Function::DateDiffDays), args) = &argument.kind else {
        return None;
    };
    let mut texts: Vec<String> = args.iter().map(Expr::canonical).collect();
    texts.sort();
    Some(format!("{function:?}({})", texts.join(", ")))
}

fn is_commutative(function: Function) -> bool {
    use Function as F;
    function.is_text_measure()
        || function.is_set_measure()
        || matches!(function, F::And | F::Or | F::Equal | F::NotEqual | F::Distinct | F::NotDistinct)
        || matches!(function, F::Add | F::Multiply | F::ListHasAny | F::CosineSimilarity)
}
