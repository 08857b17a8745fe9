//! What the catalogue says of one function, special form or operator.

use crate::expr::{Function, Type};
use crate::measure::MeasureFacts;

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
pub(super) const IF_ANY: &str = "null if an argument is null";
/// The same of one argument.
pub(super) const IF_NULL: &str = "null if the argument is null";

const fn entry(name: &'static str, form: Form) -> FunctionEntry {
    FunctionEntry { name, also: &[], form, signature: "", summary: "", nulls: IF_ANY, example: "", result: "" }
}

/// A function with fixed arguments.
pub(super) const fn fixed(
    name: &'static str,
    function: Function,
    args: &'static [Parameter],
    required: usize,
) -> FunctionEntry {
    entry(name, Form::Function { function, args, required, repeats: false })
}

/// A measure, by its facts.
pub(super) const fn of_measure(
    facts: &'static MeasureFacts,
    function: Function,
    args: &'static [Parameter],
) -> FunctionEntry {
    let words = &facts.words;
    fixed(words.name, function, args, args.len())
        .also(words.also)
        .means(words.signature, words.meaning)
        .null(words.null)
        .example(words.example[0], words.example[1])
}

/// A function whose last argument may be repeated.
pub(super) const fn variadic(
    name: &'static str,
    function: Function,
    args: &'static [Parameter],
    required: usize,
) -> FunctionEntry {
    entry(name, Form::Function { function, args, required, repeats: true })
}

/// A form with rules of its own.
pub(super) const fn special(name: &'static str) -> FunctionEntry {
    entry(name, Form::Special)
}

/// What is written between or around what it takes.
pub(super) const fn operator(name: &'static str) -> FunctionEntry {
    entry(name, Form::Operator)
}

impl FunctionEntry {
    pub(super) const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    pub(super) const fn means(self, signature: &'static str, summary: &'static str) -> Self {
        Self { signature, summary, ..self }
    }

    pub(super) const fn null(self, nulls: &'static str) -> Self {
        Self { nulls, ..self }
    }

    pub(super) const fn example(self, example: &'static str, result: &'static str) -> Self {
        Self { example, result, ..self }
    }

    /// Its names.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.also.iter().copied())
    }

    pub(super) fn is_called(&self) -> bool {
        !matches!(self.form, Form::Operator)
    }
}
