//! The functions and operators of the language by name: what they take, what they mean, an example with its result.
//!
//! What the binder accepts and what the help says come from here alone.

mod information;
mod logic;
mod measures;
mod numbers;
mod sets;
mod text;

pub use information::{FunctionGroup, FunctionInfo, function, functions};

use crate::expr::{Function, Type};

/// What one argument must be. Scalars are converted where the language allows it; sets and vectors are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Text.
    Text,
    /// A number.
    Number,
    /// A date.
    Date,
    /// A set of texts.
    Set,
    /// A list of numbers.
    Vector,
}

impl Parameter {
    /// The type the argument must have or be converted to.
    pub fn ty(self) -> Type {
        match self {
            Self::Text => Type::Text,
            Self::Number => Type::Number,
            Self::Date => Type::Date,
            Self::Set => Type::TextList,
            Self::Vector => Type::NumberList,
        }
    }
}

/// How an entry is written.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// `name(arguments)`: `args` are all it can take; the first `required` of them must be given.
    Function {
        /// What it is.
        function: Function,
        /// What it takes.
        args: &'static [Parameter],
        /// The number of these that must be given.
        required: usize,
        /// Whether the last of them may be repeated.
        repeats: bool,
    },
    /// `name(arguments)` with rules of its own about them.
    Special,
    /// Written between or around what it takes.
    Operator,
}

/// A function, special form or operator, with all that the help says about it.
#[derive(Clone, Copy, Debug)]
pub struct FunctionEntry {
    /// Its name in rules.
    pub name: &'static str,
    /// Other names for the same.
    pub also: &'static [&'static str],
    /// How it is written.
    pub form: Form,
    /// The same for people.
    pub signature: &'static str,
    /// What it gives.
    pub summary: &'static str,
    /// When it is null.
    pub nulls: &'static str,
    /// An expression with it.
    pub example: &'static str,
    /// The value of that expression.
    pub result: &'static str,
}

/// Null of null, as most functions are.
const IF_ANY: &str = "null if an argument is null";
/// The same of one argument.
const IF_NULL: &str = "null if the argument is null";
/// Measures, keys and codes.
const IF_EMPTY: &str = "null if an argument is null or empty";

const fn entry(name: &'static str, form: Form) -> FunctionEntry {
    FunctionEntry { name, also: &[], form, signature: "", summary: "", nulls: IF_ANY, example: "", result: "" }
}

/// A function with fixed arguments.
const fn fixed(name: &'static str, function: Function, args: &'static [Parameter], required: usize) -> FunctionEntry {
    entry(name, Form::Function { function, args, required, repeats: false })
}

/// A function whose last argument may be repeated.
const fn variadic(
    name: &'static str,
    function: Function,
    args: &'static [Parameter],
    required: usize,
) -> FunctionEntry {
    entry(name, Form::Function { function, args, required, repeats: true })
}

const fn special(name: &'static str) -> FunctionEntry {
    entry(name, Form::Special)
}

const fn operator(name: &'static str) -> FunctionEntry {
    entry(name, Form::Operator)
}

impl FunctionEntry {
    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    const fn means(self, signature: &'static str, summary: &'static str) -> Self {
        Self { signature, summary, ..self }
    }

    const fn null(self, nulls: &'static str) -> Self {
        Self { nulls, ..self }
    }

    const fn example(self, example: &'static str, result: &'static str) -> Self {
        Self { example, result, ..self }
    }

    /// Its names.
    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.also.iter().copied())
    }

    fn is_called(&self) -> bool {
        !matches!(self.form, Form::Operator)
    }
}

/// All entries, group by group.
const GROUPS: [(FunctionGroup, &[FunctionEntry]); 8] = [
    (FunctionGroup::TextMeasures, measures::OF_TEXTS),
    (FunctionGroup::SetMeasures, sets::ENTRIES),
    (FunctionGroup::OtherMeasures, measures::OF_OTHERS),
    (FunctionGroup::Keys, measures::KEYS),
    (FunctionGroup::Texts, text::ENTRIES),
    (FunctionGroup::NumbersAndDates, numbers::ENTRIES),
    (FunctionGroup::Choices, logic::CHOICES),
    (FunctionGroup::Operators, logic::OPERATORS),
];

fn entries() -> impl Iterator<Item = &'static FunctionEntry> {
    GROUPS.iter().flat_map(|(_, entries)| entries.iter())
}

/// Functions other systems have under another name, and what they are called here.
const ALIASES: &[(&str, &str)] = &[
    ("jaro_similarity", "jaro"),
    ("jaro_winkler_similarity", "jaro_winkler"),
    ("editdist3", "levenshtein"),
    ("edit_distance", "levenshtein"),
    ("ngrams", "qgrams"),
    ("tokens", "words"),
    ("neighbors", "neighbours"),
    ("datediff", "date_diff_days"),
    ("date_diff", "date_diff_days"),
    ("to_date", "strptime"),
    ("str_to_date", "strptime"),
    ("parse_date", "strptime"),
    ("to_number", "parse_number"),
    ("unaccent", "strip_accents"),
    ("ifnull", "coalesce"),
    ("nvl", "coalesce"),
    ("list_intersect", "list_has_any"),
    ("array_intersect", "list_has_any"),
    ("double_metaphone", "metaphone"),
    ("dmetaphone", "metaphone"),
    ("dmetaphone_alt", "metaphone_alternate"),
    ("cardinality", "array_length"),
    ("list_length", "array_length"),
];

const AGGREGATES: &[&str] = &["count", "sum", "avg", "min", "max", "median", "mode", "string_agg", "list", "array_agg"];

/// The function of that name; special forms and operators have no function.
pub fn find(name: &str) -> Option<&'static FunctionEntry> {
    let is_it =
        |entry: &&FunctionEntry| matches!(entry.form, Form::Function { .. }) && entry.names().any(|n| n == name);
    entries().find(is_it)
}

/// What a function is called.
pub fn name_of(function: Function) -> &'static str {
    let is_it = |entry: &&FunctionEntry| matches!(entry.form, Form::Function { function: of, .. } if of == function);
    entries().find(is_it).map_or("this function", |entry| entry.name)
}

/// What to write instead of an unknown function.
pub fn advice(name: &str) -> String {
    if AGGREGATES.contains(&name) {
        return "aggregates have no meaning for a pair of records; for the larger of two values use `greatest`".into();
    }
    if let Some((_, ours)) = ALIASES.iter().find(|(theirs, _)| *theirs == name) {
        return format!("it is called `{ours}` here");
    }
    let names = entries().filter(|entry| entry.is_called()).flat_map(FunctionEntry::names);
    match super::nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`sameas functions` lists them all".into(),
    }
}

#[cfg(test)]
mod tests;
