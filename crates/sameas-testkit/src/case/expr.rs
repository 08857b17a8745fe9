//! Expressions of rules and derives as plain data.

use super::Op;

/// Whose column it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// `l.column`
    Left,
    /// `r.column`
    Right,
    /// A bare `column`, in a derive, which sees one record only.
    Own,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A text in quotes.
    Text(String),
    /// A number without a point.
    Int(i64),
    /// A finite number with a point.
    Float(f64),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A column of one record.
    Column(Side, String),
    /// A constant.
    Literal(Literal),
    /// An operator or function of its arguments.
    Call(Op, Vec<Expr>),
}

impl Expr {
    /// `l.name`
    pub fn l(name: &str) -> Self {
        Expr::Column(Side::Left, name.to_owned())
    }

    /// `r.name`
    pub fn r(name: &str) -> Self {
        Expr::Column(Side::Right, name.to_owned())
    }

    /// A bare column name, for derives.
    pub fn own(name: &str) -> Self {
        Expr::Column(Side::Own, name.to_owned())
    }

    /// A text constant.
    pub fn text(value: &str) -> Self {
        Expr::Literal(Literal::Text(value.to_owned()))
    }

    /// An integer constant.
    pub fn int(value: i64) -> Self {
        Expr::Literal(Literal::Int(value))
    }

    /// A float constant.
    pub fn float(value: f64) -> Self {
        Expr::Literal(Literal::Float(value))
    }

    /// A call of one argument.
    pub fn unary(op: Op, argument: Expr) -> Self {
        Expr::Call(op, vec![argument])
    }

    /// A call of two arguments.
    pub fn binary(op: Op, first: Expr, second: Expr) -> Self {
        Expr::Call(op, vec![first, second])
    }

    /// The arguments of a call; none for columns and constants.
    pub fn arguments(&self) -> &[Expr] {
        match self {
            Expr::Call(_, arguments) => arguments,
            _ => &[],
        }
    }

    /// This expression with every column moved to `side`: from a derive's bare names to `l.` or `r.`.
    #[must_use]
    pub fn on(&self, side: Side) -> Self {
        match self {
            Expr::Column(_, name) => Expr::Column(side, name.clone()),
            Expr::Literal(_) => self.clone(),
            Expr::Call(op, arguments) => Expr::Call(*op, arguments.iter().map(|a| a.on(side)).collect()),
        }
    }

    /// Calls `visit` for this expression and everything inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        for argument in self.arguments() {
            argument.walk(visit);
        }
    }

    /// The columns it mentions, in order, with repetitions.
    pub fn columns(&self) -> Vec<(Side, &str)> {
        let mut found = Vec::new();
        self.walk(&mut |expr| {
            if let Expr::Column(side, name) = expr {
                found.push((*side, name.as_str()));
            }
        });
        found
    }

    /// The measures called anywhere inside.
    pub fn measures(&self) -> Vec<Op> {
        let mut found = Vec::new();
        self.walk(&mut |expr| match expr {
            Expr::Call(op, _) if op.is_measure() => found.push(*op),
            _ => {}
        });
        found
    }
}
