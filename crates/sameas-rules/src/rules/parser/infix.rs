//! Operators between and after expressions.

use sqlparser::tokenizer::Token;

use super::super::diagnostic::Diagnostic;
use super::super::lexer::Lexeme;
use super::super::syntax::{Syntax, SyntaxKind, join};
use super::{Parsed, SqlParser, deepest, shown};
use crate::expr::Function;

/// An operator that follows an expression.
#[derive(Clone, Copy)]
pub(super) enum InfixOperator {
    Chain(Function),
    Binary(Function),
    Is,
    NotNull,
    In,
    Between,
    Like(Function),
    Cast,
}

impl InfixOperator {
    /// What binds more tightly has more.
    pub(super) fn precedence(self) -> u8 {
        use Function as F;
        match self {
            Self::Chain(F::Or) => 5,
            Self::Chain(F::And) => 10,
            Self::Is | Self::NotNull => 17,
            Self::Like(_) => 19,
            Self::Chain(F::Add) | Self::Binary(F::Subtract) => 30,
            Self::Chain(_) | Self::Binary(F::Divide | F::Modulo) => 40,
            Self::In | Self::Between | Self::Binary(_) => 20,
            Self::Cast => 50,
        }
    }
}

/// What `not` binds of what follows it: comparisons, but neither `and` nor `or`.
pub(super) const NOT: u8 = 15;
/// What a sign before a value binds.
pub(super) const SIGN: u8 = 40;

/// Words that are operators elsewhere.
const FOREIGN: &[&str] =
    &["xor", "div", "glob", "match", "regexp", "rlike", "similar", "overlaps", "member", "collate"];

impl SqlParser<'_> {
    /// The operator that comes next, if any does.
    pub(super) fn operator(&self) -> Parsed<Option<InfixOperator>> {
        use Function as F;
        let Some(next) = self.peek() else { return Ok(None) };
        Ok(Some(match &next.token {
            Token::Word(_) => return self.word_operator(),
            Token::Eq | Token::DoubleEq => InfixOperator::Binary(F::Equal),
            Token::Neq => InfixOperator::Binary(F::NotEqual),
            Token::Lt => InfixOperator::Binary(F::Less),
            Token::LtEq => InfixOperator::Binary(F::LessEqual),
            Token::Gt => InfixOperator::Binary(F::Greater),
            Token::GtEq => InfixOperator::Binary(F::GreaterEqual),
            Token::Plus => InfixOperator::Chain(F::Add),
            Token::Minus => InfixOperator::Binary(F::Subtract),
            Token::Mul => InfixOperator::Chain(F::Multiply),
            Token::Div => InfixOperator::Binary(F::Divide),
            Token::Mod => InfixOperator::Binary(F::Modulo),
            Token::StringConcat => InfixOperator::Chain(F::Concat),
            Token::DoubleColon => InfixOperator::Cast,
            Token::RParen | Token::RBracket | Token::RBrace | Token::Comma | Token::SemiColon => return Ok(None),
            Token::LParen | Token::Period | Token::Number(..) | Token::Char(_) | Token::Backslash => return Ok(None),
            other if is_text(other) => return Ok(None),
            _ => return Err(self.foreign()),
        }))
    }

    fn word_operator(&self) -> Parsed<Option<InfixOperator>> {
        let Some(word) = self.peek().and_then(Lexeme::word) else { return Ok(None) };
        let negated = word == "not";
        let word = if negated { self.peek_after(1).and_then(Lexeme::word).unwrap_or_default() } else { word };
        Ok(Some(match word.as_str() {
            "or" if !negated => InfixOperator::Chain(Function::Or),
            "and" if !negated => InfixOperator::Chain(Function::And),
            "is" if !negated => InfixOperator::Is,
            "notnull" if !negated => InfixOperator::NotNull,
            "null" if negated => InfixOperator::NotNull,
            "in" => InfixOperator::In,
            "between" => InfixOperator::Between,
            "like" => InfixOperator::Like(Function::Like),
            "ilike" => InfixOperator::Like(Function::ILike),
            word if FOREIGN.contains(&word) => return Err(self.foreign()),
            _ => return Ok(None),
        }))
    }

    fn foreign(&self) -> Diagnostic {
        let sign = self.peek().map_or(String::new(), |next| shown(&next.token));
        let message = format!("the operator `{sign}` is not part of the rule language");
        let diagnostic = Diagnostic::new(self.here(), message).with_help("use a function or a comparison");
        self.with_advice(diagnostic)
    }

    /// The operator applied to what is before it and what comes after.
    pub(super) fn infix(&mut self, operator: InfixOperator, left: Syntax) -> Parsed {
        let negated = self.take_word("not");
        self.next();
        match operator {
            InfixOperator::Chain(function) => self.chain(function, operator.precedence(), left),
            InfixOperator::Binary(function) => self.binary(function, operator.precedence(), left),
            InfixOperator::NotNull => self.is(Function::IsNull, true, left),
            InfixOperator::Is => self.is_something(left, operator.precedence()),
            InfixOperator::In => self.in_list(left, negated),
            InfixOperator::Between => {
                let low = self.expression(operator.precedence())?;
                self.expect_word("and")?;
                let high = self.expression(operator.precedence())?;
                let (span, below) = (join(left.outer, high.outer), deepest([&left, &low, &high]));
                self.node(SyntaxKind::Between { negated, parts: Box::new([left, low, high]) }, span, below)
            }
            InfixOperator::Like(function) => self.like(function, left, negated, operator.precedence()),
            InfixOperator::Cast => {
                let ty = self.type_name()?;
                let (span, below) = (join(left.outer, ty.span), left.depth);
                self.node(SyntaxKind::Cast(Box::new(left), ty), span, below)
            }
        }
    }

    /// One level, however many parts it has.
    fn chain(&mut self, function: Function, precedence: u8, left: Syntax) -> Parsed {
        let right = self.expression(precedence)?;
        let span = join(left.outer, right.outer);
        match left {
            // In parentheses it would be a part of its own.
            Syntax { kind: SyntaxKind::Chain(same, mut parts), span: own, outer, depth }
                if same == function && own == outer =>
            {
                let below = right.depth.max(depth - 1);
                parts.push(right);
                self.node(SyntaxKind::Chain(function, parts), span, below)
            }
            left => {
                let below = deepest([&left, &right]);
                self.node(SyntaxKind::Chain(function, vec![left, right]), span, below)
            }
        }
    }

    fn binary(&mut self, function: Function, precedence: u8, left: Syntax) -> Parsed {
        let right = self.expression(precedence)?;
        let (span, below) = (join(left.outer, right.outer), deepest([&left, &right]));
        self.node(SyntaxKind::Binary(function, Box::new([left, right])), span, below)
    }

    fn is(&mut self, test: Function, negated: bool, of: Syntax) -> Parsed {
        let (span, below) = (join(of.outer, self.last()), of.depth);
        self.node(SyntaxKind::Is { test, negated, of: Box::new(of) }, span, below)
    }

    fn is_something(&mut self, left: Syntax, precedence: u8) -> Parsed {
        let negated = self.take_word("not");
        if self.take_words(&["distinct", "from"]) {
            let function = if negated { Function::NotDistinct } else { Function::Distinct };
            return self.binary(function, precedence, left);
        }
        let test = match self.peek().and_then(Lexeme::word).unwrap_or_default().as_str() {
            "null" | "unknown" => Function::IsNull,
            "true" => Function::IsTrue,
            "false" => Function::IsFalse,
            _ => return Err(self.expected("`null`, `true`, `false`, `unknown` or `distinct from` after `is`")),
        };
        self.next();
        self.is(test, negated, left)
    }

    fn in_list(&mut self, left: Syntax, negated: bool) -> Parsed {
        self.expect(&Token::LParen)?;
        let start = left.outer;
        if self.is_subquery() {
            return self.subquery(start);
        }
        let mut parts = vec![left];
        parts.extend(self.list()?);
        if parts.len() == 1 {
            return Err(Diagnostic::new(self.last(), "this list is empty").with_help("name the values to look for"));
        }
        let (span, below) = (join(start, self.last()), deepest(&parts));
        self.node(SyntaxKind::In { negated, parts }, span, below)
    }

    fn like(&mut self, function: Function, left: Syntax, negated: bool, precedence: u8) -> Parsed {
        let mut parts = vec![left, self.expression(precedence)?];
        if self.take_word("escape") {
            parts.push(self.expression(precedence)?);
        }
        let (span, below) = (join(parts[0].outer, parts[parts.len() - 1].outer), deepest(&parts));
        self.node(SyntaxKind::Like { function, negated, parts }, span, below)
    }
}

/// Whether it is some kind of text in quotes.
pub(super) fn is_text(token: &Token) -> bool {
    use Token as T;
    matches!(token, T::SingleQuotedString(_) | T::DoubleQuotedString(_) | T::DollarQuotedString(_))
        || matches!(token, T::TripleSingleQuotedString(_) | T::TripleDoubleQuotedString(_))
        || matches!(token, T::NationalStringLiteral(_) | T::EscapedStringLiteral(_) | T::UnicodeStringLiteral(_))
        || matches!(token, T::HexStringLiteral(_) | T::SingleQuotedByteStringLiteral(_))
}
