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

    /// What belongs to this record and what belongs to the other one, given that of the left and that of the right.
    pub fn in_order<T>(self, left: T, right: T) -> (T, T) {
        match self {
            Self::Left => (left, right),
            Self::Right => (right, left),
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
        let mut text = String::new();
        self.write_canonical(&mut text);
        text
    }

    fn write_canonical(&self, out: &mut String) {
        match &self.kind {
            ExprKind::Literal(value) => out.push_str(&literal(value)),
            ExprKind::Column(side, name) => {
                out.push_str(&format!("{}.\"{}\"", side.letter(), name.replace('"', "\"\"")));
            }
            ExprKind::Operand(side, operand) => out.push_str(&format!("{}[{operand}]", side.letter())),
            ExprKind::Call(function, args) => write_call(*function, args, out),
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
        // Two files with the same content mean the same.
        Value::Groups(groups) => format!("groups {}", groups.xxh128()),
    }
}

fn write_call(function: Function, args: &[Expr], out: &mut String) {
    match (function, args) {
        (Function::Greater, [a, b]) => write_list(Function::Less, [b, a], out),
        (Function::GreaterEqual, [a, b]) => write_list(Function::LessEqual, [b, a], out),
        (Function::HaversineKm, _) => write_texts(function, &points_in_order(args), out),
        (Function::Abs, [of]) => match &of.kind {
            // Inside an absolute value the order of a difference does not matter.
            ExprKind::Call(difference @ (Function::Subtract | Function::DateDiffDays), parts) => {
                let texts = [format!("{difference:?}({})", sorted(parts).join(", "))];
                write_texts(function, &texts, out);
            }
            _ => write_list(function, args, out),
        },
        // Of a long sum only the first two operands can change places: each rounds what is before it.
        (Function::Add | Function::Multiply, [a, b, rest @ ..]) => {
            let mut texts = sorted([a, b]);
            texts.extend(rest.iter().map(Expr::canonical));
            write_texts(function, &texts, out);
        }
        _ if is_commutative(function) => write_texts(function, &sorted(args), out),
        _ => write_list(function, args, out),
    }
}

/// Written one after the other into one text, so that deep expressions take no more time than long ones.
fn write_list<'a>(function: Function, args: impl IntoIterator<Item = &'a Expr>, out: &mut String) {
    out.push_str(&format!("{function:?}("));
    for (at, arg) in args.into_iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        arg.write_canonical(out);
    }
    out.push(')');
}

fn write_texts(function: Function, texts: &[String], out: &mut String) {
    out.push_str(&format!("{function:?}({})", texts.join(", ")));
}

fn sorted<'a>(args: impl IntoIterator<Item = &'a Expr>) -> Vec<String> {
    let mut texts: Vec<String> = args.into_iter().map(Expr::canonical).collect();
    texts.sort();
    texts
}

/// The great-circle formula returns the same bits for exchanged points: the differences are squared.
fn points_in_order(args: &[Expr]) -> Vec<String> {
    let mut texts: Vec<String> = args.iter().map(Expr::canonical).collect();
    if texts.len() == 4 && (&texts[2], &texts[3]) < (&texts[0], &texts[1]) {
        texts.rotate_left(2);
    }
    texts
}

fn is_commutative(function: Function) -> bool {
    use Function as F;
    function.measure().is_some_and(|facts| facts.is_symmetric)
        || matches!(function, F::And | F::Or | F::Equal | F::NotEqual | F::Distinct | F::NotDistinct)
        || matches!(function, F::ListHasAny | F::CosineSimilarity)
}
