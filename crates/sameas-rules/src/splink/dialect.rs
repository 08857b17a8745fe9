//! The SQL that Splink writes for its backends.

use sqlparser::ast::Expr;
use sqlparser::dialect::{DatabricksDialect, Dialect, DuckDbDialect, GenericDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use super::note::{NotExpressible, shown};

/// Bytes of a condition at most. Splink's own have a few thousand; what is longer may nest deeper than the stack is.
const MOST_BYTES: usize = 16 << 10;

/// Levels of nesting at most.
const MOST_DEPTH: usize = 120;

/// Whose SQL a condition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlBackend {
    DuckDb,
    Spark,
    Postgres,
    Sqlite,
    Other,
}

impl SqlBackend {
    /// By the name that Splink gives it; without one, a condition is written as for DuckDB.
    pub fn named(name: Option<&str>) -> Self {
        match name.map(str::to_lowercase).as_deref() {
            None | Some("duckdb") => Self::DuckDb,
            Some("spark" | "databricks") => Self::Spark,
            Some("postgres" | "postgresql") => Self::Postgres,
            Some("sqlite") => Self::Sqlite,
            Some(_) => Self::Other,
        }
    }

    /// Whether the quotient of two integers is one, too.
    pub fn divides_integers(self) -> bool {
        matches!(self, Self::Postgres | Self::Sqlite)
    }

    fn dialect(self) -> Box<dyn Dialect> {
        match self {
            Self::DuckDb => Box::new(DuckDbDialect {}),
            Self::Spark => Box::new(DatabricksDialect {}),
            Self::Postgres => Box::new(PostgreSqlDialect {}),
            Self::Sqlite => Box::new(SQLiteDialect {}),
            Self::Other => Box::new(GenericDialect {}),
        }
    }

    /// The condition that a text is.
    pub fn parse(self, sql: &str) -> Result<Expr, NotExpressible> {
        let why = |what: String| NotExpressible::new(what, "write the condition in the rule language by hand");
        if sql.len() > MOST_BYTES {
            return Err(why(format!("a condition of {} bytes is too long to be translated", sql.len())));
        }
        let dialect = self.dialect();
        let unreadable = |error| why(format!("`{}` cannot be read as SQL: {error}", shown(sql)));
        let parser = Parser::new(&*dialect).with_recursion_limit(MOST_DEPTH);
        let mut parser = parser.try_with_sql(sql).map_err(|error| unreadable(error.to_string()))?;
        let expr = parser.parse_expr().map_err(|error| unreadable(error.to_string()))?;
        match parser.peek_token().token {
            Token::EOF => Ok(expr),
            other => Err(unreadable(format!("`{other}` comes after its end"))),
        }
    }
}
