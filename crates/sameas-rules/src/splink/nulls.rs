//! Missing values: Splink asks for them in a level of its own, sameas finds them by the null of its levels.
//!
//! In Splink the first level whose condition is true counts, and one that is null is passed over like one that is false;
//! a pair has no say only where the condition of the *null level* holds. In sameas the outcome is null where no level holds
//! and one of them is null. Both are the same if, wherever the null level does not hold, no level is null, and wherever it
//! holds, no later level is true and some level is null. [`NullLevel::excluded`] adds `x is not null` to the levels that could
//! be null otherwise, and to those that could hold where they must not; [`NullLevel::seen`] makes one null where none is.

use super::term::{IS_NOT_NULL, IS_NOT_TRUE, IS_NULL, SqlTerm};

/// Functions whose value can be null although their arguments are not.
const PARTIAL: [&str; 7] = ["strptime", "nullif", "year", "month", "day", "soundex", "cosine_similarity"];

/// Measures that are null where a text is empty.
const OF_TEXTS: [&str; 5] = ["levenshtein", "damerau_levenshtein", "jaro", "jaro_winkler", "jaccard"];

/// The condition under which a pair has no say in a comparison.
#[derive(Clone, Debug)]
pub struct NullLevel {
    condition: SqlTerm,
    /// It holds where in each of these some value is null; nothing where it says something else.
    clauses: Vec<Vec<SqlTerm>>,
}

impl NullLevel {
    /// By its condition.
    pub fn new(condition: SqlTerm) -> Self {
        let clauses = match &condition {
            SqlTerm::And(parts) => parts.iter().map(null_tests).collect::<Option<Vec<_>>>(),
            other => null_tests(other).map(|tests| vec![tests]),
        };
        Self { condition, clauses: clauses.unwrap_or_default() }
    }

    /// The levels of a comparison, so that each holds where it does in Splink, and where missing values say nothing no level
    /// after the null level does. Those from `after` on come after it; without one, levels are never null.
    pub fn excluded(of: Option<&Self>, after: usize, levels: Vec<SqlTerm>) -> Vec<SqlTerm> {
        let present = of.map(Self::present_otherwise).unwrap_or_default();
        let mut levels: Vec<SqlTerm> = levels.into_iter().map(|level| never_null(level, &present)).collect();
        if let Some(null) = of {
            for level in &mut levels[after..] {
                *level = null.excluded_from(level.clone());
            }
        }
        levels
    }

    /// These levels, of which at least one is null where missing values say nothing.
    pub fn seen(of: Option<&Self>, mut levels: Vec<SqlTerm>) -> Vec<SqlTerm> {
        if let Some(null) = of
            && !null.is_seen_by(&levels)
            && let Some(last) = levels.pop()
        {
            let nothing = SqlTerm::Literal("null".to_owned());
            levels.push(SqlTerm::Case(vec![[null.condition.clone(), nothing]], Some(Box::new(last))));
        }
        levels
    }

    /// What is there wherever the condition does not hold.
    fn present_otherwise(&self) -> Vec<SqlTerm> {
        match &self.clauses[..] {
            [tests] => tests.iter().flat_map(null_if).collect(),
            _ => Vec::new(),
        }
    }

    /// A level that does not hold where the condition does.
    fn excluded_from(&self, level: SqlTerm) -> SqlTerm {
        let known = not_true_if(&level);
        if self.clauses.iter().any(|tests| tests.iter().all(|test| known.contains(test))) {
            return level;
        }
        match &self.clauses[..] {
            [tests] => {
                let open = tests.iter().filter(|test| !known.contains(test));
                SqlTerm::all(open.map(|test| test.clone().test(IS_NOT_NULL)).chain([level]))
            }
            _ => SqlTerm::all([self.condition.clone().test(IS_NOT_TRUE), level]),
        }
    }

    /// Whether some level is null wherever the condition holds: whatever value is missing.
    fn is_seen_by(&self, levels: &[SqlTerm]) -> bool {
        let seen: Vec<SqlTerm> = levels.iter().flat_map(null_if).collect();
        self.clauses.iter().any(|tests| tests.iter().all(|test| seen.contains(test)))
    }
}

/// The values that are asked for, where a condition says that one of some is null.
fn null_tests(condition: &SqlTerm) -> Option<Vec<SqlTerm>> {
    match condition {
        SqlTerm::Test(of, IS_NULL) => Some(vec![(**of).clone()]),
        SqlTerm::Or(parts) => Some(parts.iter().map(null_tests).collect::<Option<Vec<_>>>()?.concat()),
        _ => None,
    }
}

/// A condition that is false where it would be null because of something that may be missing.
fn never_null(level: SqlTerm, present: &[SqlTerm]) -> SqlTerm {
    let guards: Vec<SqlTerm> = null_sources(&level).into_iter().filter(|source| !present.contains(source)).collect();
    SqlTerm::all(guards.into_iter().map(|source| source.test(IS_NOT_NULL)).chain([level]))
}

/// Expressions that are all there only if this one is not null.
fn null_sources(term: &SqlTerm) -> Vec<SqlTerm> {
    let all = |terms: Vec<&SqlTerm>| distinct(terms.into_iter().flat_map(null_sources));
    match term {
        SqlTerm::Column(..) => vec![term.clone()],
        SqlTerm::Literal(_) | SqlTerm::Test(..) => Vec::new(),
        SqlTerm::Infix("is distinct from" | "is not distinct from", _) => Vec::new(),
        SqlTerm::Infix("/" | "%", _) => vec![term.clone()],
        SqlTerm::Cast(_, kind) if *kind != "varchar" => vec![term.clone()],
        SqlTerm::Call(name, _) if PARTIAL.contains(name) => vec![term.clone()],
        SqlTerm::Call("coalesce" | "concat" | "concat_ws" | "least" | "greatest", args) => {
            let each: Vec<Vec<SqlTerm>> = args.iter().map(null_sources).collect();
            if each.iter().any(Vec::is_empty) { Vec::new() } else { distinct(each.into_iter().flatten()) }
        }
        SqlTerm::Call(name, args) if OF_TEXTS.contains(name) => distinct(
            args.iter().flat_map(|text| if may_be_empty(text) { vec![or_null(text)] } else { null_sources(text) }),
        ),
        // A condition that is null is not true; only the values count.
        SqlTerm::Case(_, None) => vec![term.clone()],
        SqlTerm::Case(whens, Some(otherwise)) => {
            all(whens.iter().map(|[_, then]| then).chain([&**otherwise]).collect())
        }
        // What a part of a conjunction makes false where it is null is no source of it.
        SqlTerm::And(parts) => {
            let guarded: Vec<SqlTerm> = parts.iter().filter_map(present_by).flatten().collect();
            let mut sources = all(parts.iter().collect());
            sources.retain(|source| !guarded.contains(source));
            sources
        }
        other => all(other.parts()),
    }
}

/// What `x is not null` says to be there.
fn present_by(part: &SqlTerm) -> Option<Vec<SqlTerm>> {
    match part {
        SqlTerm::Test(of, IS_NOT_NULL) => Some(null_if(of)),
        _ => None,
    }
}

/// Expressions of which each makes this one null by being null.
fn null_if(term: &SqlTerm) -> Vec<SqlTerm> {
    let any = |terms: Vec<&SqlTerm>| distinct(terms.into_iter().flat_map(null_if));
    match term {
        SqlTerm::Column(..) => vec![term.clone()],
        SqlTerm::Literal(_) | SqlTerm::Test(..) | SqlTerm::Case(..) => Vec::new(),
        SqlTerm::Infix("is distinct from" | "is not distinct from", _) => Vec::new(),
        SqlTerm::In(of, _) => null_if(of),
        SqlTerm::Call("nullif", args) => distinct([term.clone()].into_iter().chain(null_if(&args[0]))),
        SqlTerm::Call("coalesce" | "concat" | "concat_ws" | "least" | "greatest", args) => {
            shared(args.iter().map(null_if))
        }
        SqlTerm::And(parts) | SqlTerm::Or(parts) => shared(parts.iter().map(null_if)),
        // Not only what it is made of, but it as a whole may be asked for.
        SqlTerm::Call(..) | SqlTerm::Cast(..) | SqlTerm::Infix("/" | "%", _) => {
            distinct([term.clone()].into_iter().chain(any(term.parts())))
        }
        other => any(other.parts()),
    }
}

/// Expressions of which each keeps this condition from being true by being null.
fn not_true_if(condition: &SqlTerm) -> Vec<SqlTerm> {
    match condition {
        SqlTerm::And(parts) => distinct(parts.iter().flat_map(not_true_if)),
        SqlTerm::Or(parts) => shared(parts.iter().map(not_true_if)),
        SqlTerm::Test(of, IS_NOT_NULL) => null_if(of),
        SqlTerm::Case(whens, Some(otherwise)) => {
            shared(whens.iter().map(|[_, then]| then).chain([&**otherwise]).map(not_true_if))
        }
        other => null_if(other),
    }
}

/// Whether a text can be empty although it is not null: texts made of others can, columns cannot.
fn may_be_empty(text: &SqlTerm) -> bool {
    match text {
        SqlTerm::Call("nullif" | "qgrams", _) => false,
        SqlTerm::Call(..) | SqlTerm::Infix("||", _) => true,
        _ => false,
    }
}

/// A text, or null where it is empty.
fn or_null(text: &SqlTerm) -> SqlTerm {
    SqlTerm::Call("nullif", vec![text.clone(), SqlTerm::text_literal("")])
}

fn distinct(terms: impl Iterator<Item = SqlTerm>) -> Vec<SqlTerm> {
    let mut found = Vec::new();
    for term in terms {
        if !found.contains(&term) {
            found.push(term);
        }
    }
    found
}

/// What all lists have.
fn shared(mut lists: impl Iterator<Item = Vec<SqlTerm>>) -> Vec<SqlTerm> {
    let mut first = lists.next().unwrap_or_default();
    for other in lists {
        first.retain(|term| other.contains(term));
    }
    first
}
