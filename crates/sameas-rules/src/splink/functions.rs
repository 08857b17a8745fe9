//! Functions of the backends of Splink, by what they are called there.

use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::dates;
use super::dialect::SqlBackend;
use super::note::NotExpressible;
use super::sql::{ColumnStyle, SqlTranslator, Translated, repeatable, unknown};
use super::term::SqlTerm;

/// Functions that have a counterpart with the same arguments.
const SAME: &[(&str, &str)] = &[
    ("levenshtein", "levenshtein"),
    ("levenshtein_distance", "levenshtein"),
    ("editdist3", "levenshtein"),
    ("damerau_levenshtein", "damerau_levenshtein"),
    ("jaro", "jaro"),
    ("jaro_sim", "jaro"),
    ("jaro_similarity", "jaro"),
    ("jaro_winkler", "jaro_winkler"),
    ("jaro_winkler_similarity", "jaro_winkler"),
    ("array_cosine_similarity", "cosine_similarity"),
    ("list_cosine_similarity", "cosine_similarity"),
    ("lower", "lower"),
    ("lcase", "lower"),
    ("upper", "upper"),
    ("ucase", "upper"),
    ("trim", "trim"),
    ("ltrim", "ltrim"),
    ("rtrim", "rtrim"),
    ("left", "left"),
    ("right", "right"),
    ("substr", "substr"),
    ("substring", "substr"),
    ("length", "length"),
    ("len", "length"),
    ("char_length", "length"),
    ("character_length", "length"),
    ("replace", "replace"),
    ("split_part", "split_part"),
    ("starts_with", "starts_with"),
    ("startswith", "starts_with"),
    ("contains", "contains"),
    ("strip_accents", "strip_accents"),
    ("concat_ws", "concat_ws"),
    ("soundex", "soundex"),
    ("nullif", "nullif"),
    ("coalesce", "coalesce"),
    ("ifnull", "coalesce"),
    ("nvl", "coalesce"),
    ("least", "least"),
    ("greatest", "greatest"),
    ("abs", "abs"),
    ("round", "round"),
    ("floor", "floor"),
    ("ceil", "ceil"),
    ("ceiling", "ceil"),
    ("year", "year"),
    ("month", "month"),
    ("day", "day"),
];

/// What gives the number of elements of a list.
const LIST_LENGTHS: [&str; 6] = ["array_length", "array_size", "list_length", "size", "cardinality", "len"];

/// What gives the elements that two lists share.
const INTERSECTIONS: [&str; 2] = ["list_intersect", "array_intersect"];

impl SqlTranslator<'_> {
    /// A call with plain arguments.
    pub(super) fn function(&mut self, function: &Function) -> Translated {
        let FunctionArguments::List(list) = &function.args else { return Err(unknown(function)) };
        let is_plain = list.clauses.is_empty() && list.duplicate_treatment.is_none();
        if !is_plain || function.over.is_some() || function.filter.is_some() {
            return Err(unknown(function));
        }
        let mut args = Vec::new();
        for arg in &list.args {
            match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => args.push(expr),
                _ => return Err(unknown(function)),
            }
        }
        self.call(&function.name.to_string().to_lowercase(), &args)
    }

    /// A function of some arguments.
    pub(super) fn call(&mut self, name: &str, args: &[&Expr]) -> Translated {
        if let Some(found) = self.list_call(name, args).or_else(|| self.date_call(name, args)) {
            return found;
        }
        let terms = args.iter().map(|arg| self.term(arg)).collect::<Result<Vec<_>, _>>()?;
        match (name, &terms[..]) {
            ("jaccard", [a, b]) => Ok(SqlTerm::Call("jaccard", vec![characters(a), characters(b)])),
            ("concat", _) if self.backend == SqlBackend::Spark => Ok(terms
                .into_iter()
                .reduce(|all, next| SqlTerm::infix("||", all, next))
                .unwrap_or_else(|| SqlTerm::text_literal(""))),
            ("concat", _) => Ok(SqlTerm::Call("concat", terms)),
            ("regexp_extract", [_, _]) => {
                let group = if self.backend == SqlBackend::Spark { 1.0 } else { 0.0 };
                Ok(SqlTerm::Call("regexp_extract", [terms, vec![SqlTerm::number(group)]].concat()))
            }
            ("regexp_extract", [_, _, _]) => Ok(SqlTerm::Call("regexp_extract", terms)),
            ("regexp_replace", _) => self.replaced(terms),
            _ => match SAME.iter().find(|(theirs, _)| *theirs == name) {
                Some((_, ours)) => Ok(SqlTerm::Call(ours, terms)),
                None => Err(unknown_function(name)),
            },
        }
    }

    /// Spark replaces every match; the others replace the first.
    fn replaced(&mut self, mut terms: Vec<SqlTerm>) -> Translated {
        if self.backend == SqlBackend::Spark {
            let by = terms.get(2).and_then(SqlTerm::literal_text);
            if terms.len() != 3 || by.is_none_or(|by| by.contains(['$', '\\'])) {
                return Err(unknown_function("regexp_replace"));
            }
            terms.push(SqlTerm::text_literal("g"));
        }
        Ok(SqlTerm::Call("regexp_replace", terms))
    }

    /// Lengths of lists, and what two lists share.
    fn list_call(&mut self, name: &str, args: &[&Expr]) -> Option<Translated> {
        match (name, args) {
            (name, [of]) if LIST_LENGTHS.contains(&name) => match shared_lists(of) {
                Some([a, b]) => Some(self.both("overlap", a, b)),
                None if name == "len" => None,
                None => Some(self.term(of).map(|of| SqlTerm::Call("array_length", vec![of]))),
            },
            ("list_has_any" | "array_has_any" | "arrays_overlap", [a, b]) => {
                Some(self.both("list_has_any", a, b).and_then(shares))
            }
            _ => None,
        }
    }

    fn both(&mut self, name: &'static str, a: &Expr, b: &Expr) -> Translated {
        Ok(SqlTerm::Call(name, vec![self.term(a)?, self.term(b)?]))
    }

    /// Dates that are read from texts, and what is counted between them.
    fn date_call(&mut self, name: &str, args: &[&Expr]) -> Option<Translated> {
        let found = match (name, args) {
            ("try_strptime" | "strptime", [of, format]) => {
                self.term(of).and_then(|of| dates::strptime(of, format, |f| Some(f.to_owned())))
            }
            ("try_to_timestamp" | "to_timestamp" | "to_date" | "try_to_date", [of, format]) => {
                self.term(of).and_then(|of| dates::strptime(of, format, dates::of_java))
            }
            ("try_cast_date" | "try_cast_timestamp", [of, format]) => {
                self.term(of).and_then(|of| dates::strptime(of, format, dates::of_postgres))
            }
            ("strftime", [of, format]) => self.both("strftime", of, format),
            ("date" | "to_date", [of]) => self.term(of).map(dates::as_date),
            ("epoch" | "unix_timestamp", [of]) => self.term(of).map(|of| self.seconds(of)),
            ("datediff", [a, b]) => self.both("date_diff_days", a, b),
            ("datediff" | "date_diff", [unit, a, b]) => match self.term(unit) {
                Ok(unit) if unit.literal_text().is_some_and(|unit| ["day", "days"].contains(&unit.as_str())) => {
                    self.both("date_diff_days", a, b)
                }
                _ => Err(unknown_function("date_diff of another unit than days")),
            },
            _ => return None,
        };
        Some(found)
    }

    /// Seconds since 1970. A column is taken for dates.
    fn seconds(&mut self, of: SqlTerm) -> SqlTerm {
        if let SqlTerm::Column(_, name) = &of {
            let what = format!("`{name}` is read as dates: a time of day does not count");
            self.note(what, "no change is needed if it holds dates");
        }
        SqlTerm::Seconds(Box::new(of))
    }

    /// Two values compared. What the rule language says in another way is found here.
    pub(super) fn comparison(&mut self, operator: &'static str, left: SqlTerm, right: SqlTerm) -> Translated {
        if let (ColumnStyle::Prefix { exploded }, SqlTerm::Column(_, a), SqlTerm::Column(_, b)) =
            (self.columns, &left, &right)
            && operator == "="
            && exploded.contains(a)
            && exploded.contains(b)
        {
            return Ok(SqlTerm::Call("list_has_any", vec![left, right]));
        }
        if let Some(condition) = dates::difference(operator, &left, &right) {
            return Ok(condition);
        }
        if let Some(condition) = dates::same_parts(operator, &left, &right) {
            [&left, &right].into_iter().try_for_each(repeatable)?;
            return Ok(condition);
        }
        if [&left, &right].into_iter().any(|of| of.literal_text().is_some_and(|text| text.is_empty())) {
            let what = "an empty text is a missing value in sameas, and is neither equal to another nor different";
            self.note(what, "ask whether the value is null instead");
        }
        match (&left, operator) {
            (SqlTerm::Call("overlap", _), _) => self.shared_elements(operator, left, &right),
            _ => Ok(SqlTerm::infix(operator, left, folded(right))),
        }
    }

    /// How many elements two lists share. `overlap` is null where a list is empty; there it is 0.
    fn shared_elements(&mut self, operator: &'static str, left: SqlTerm, right: &SqlTerm) -> Translated {
        let SqlTerm::Call(_, lists) = &left else { return Err(unknown_function("overlap")) };
        lists.iter().try_for_each(repeatable)?;
        let lengths: Vec<SqlTerm> = lists.iter().map(|of| SqlTerm::Call("array_length", vec![of.clone()])).collect();
        let least = match operator {
            ">=" => right.constant(),
            ">" => right.constant().map(|number| number + 1.0),
            _ => None,
        };
        if least.is_some_and(|least| least >= 1.0) {
            let right = folded(right.clone());
            let present = lengths.into_iter().map(|length| SqlTerm::infix(">", length, SqlTerm::number(0.0)));
            return Ok(SqlTerm::all(present.chain([SqlTerm::infix(operator, left, right)])));
        }
        if operator == "=" && *right == SqlTerm::Call("least", lengths.clone()) {
            let what = "an element that a list has twice counts once in sameas";
            self.note(what, "no change is needed where lists have no element twice");
            let empty = lengths.into_iter().map(|length| SqlTerm::infix("=", length, SqlTerm::number(0.0)));
            let whole = SqlTerm::Call("overlap_coefficient", lists.clone());
            return Ok(SqlTerm::any(empty.chain([SqlTerm::infix(">=", whole, SqlTerm::number(1.0))])));
        }
        let what = "what two lists share can only be compared with a number from 1 on";
        Err(NotExpressible::new(what, "write the condition in the rule language by hand"))
    }
}

/// `list_has_any` of lists with elements: it is null where one has none, and false there.
fn shares(call: SqlTerm) -> Translated {
    let SqlTerm::Call(_, lists) = &call else { return Ok(call) };
    lists.iter().try_for_each(repeatable)?;
    let length = |of: &SqlTerm| SqlTerm::Call("array_length", vec![of.clone()]);
    let present: Vec<SqlTerm> = lists.iter().map(|of| SqlTerm::infix(">", length(of), SqlTerm::number(0.0))).collect();
    Ok(SqlTerm::all(present.into_iter().chain([call])))
}

/// The two lists of `list_intersect(a, b)`.
fn shared_lists(expr: &Expr) -> Option<[&Expr; 2]> {
    let Expr::Function(function) = expr else { return None };
    let FunctionArguments::List(list) = &function.args else { return None };
    let is_known = INTERSECTIONS.contains(&function.name.to_string().to_lowercase().as_str());
    match &list.args[..] {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(a)), FunctionArg::Unnamed(FunctionArgExpr::Expr(b))]
            if is_known =>
        {
            Some([a, b])
        }
        _ => None,
    }
}

/// The set of characters of a text.
fn characters(text: &SqlTerm) -> SqlTerm {
    SqlTerm::Call("qgrams", vec![text.clone(), SqlTerm::number(1.0)])
}

/// A number in place of an expression of numbers alone.
fn folded(term: SqlTerm) -> SqlTerm {
    match (&term, term.constant()) {
        (SqlTerm::Literal(_), _) | (_, None) => term,
        (_, Some(number)) => SqlTerm::number(number),
    }
}

fn unknown_function(name: &str) -> NotExpressible {
    let what = format!("the rule language has no counterpart of the function `{name}`");
    NotExpressible::new(what, "compute it as a column of the data, or write a condition of its kind by hand")
}
