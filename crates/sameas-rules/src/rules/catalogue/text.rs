//! Texts made of texts, and properties of texts.

use super::entry::Parameter::{Number as N, Text as T};
use super::entry::{FunctionEntry, IF_ANY, IF_NULL, fixed, variadic};
use crate::expr::Function as F;

pub const ENTRIES: &[FunctionEntry] = &[
    fixed("lower", F::Lower, &[T], 1)
        .means("lower(a)", "in small letters")
        .null(IF_NULL)
        .example("lower('ANN Éluard')", "'ann éluard'"),
    fixed("upper", F::Upper, &[T], 1)
        .means("upper(a)", "in capital letters")
        .null(IF_NULL)
        .example("upper('straße')", "'STRASSE'"),
    fixed("trim", F::Trim, &[T, T], 1)
        .means("trim(a[, characters])", "without white space, or without these characters, at both ends")
        .null(IF_ANY)
        .example("trim('  Ann ')", "'Ann'"),
    fixed("ltrim", F::TrimStart, &[T, T], 1)
        .means("ltrim(a[, characters])", "as `trim`, at the start only")
        .null(IF_ANY)
        .example("ltrim('00123', '0')", "'123'"),
    fixed("rtrim", F::TrimEnd, &[T, T], 1)
        .means("rtrim(a[, characters])", "as `trim`, at the end only")
        .null(IF_ANY)
        .example("rtrim('Inc..', '.')", "'Inc'"),
    fixed("substr", F::Substr, &[T, N, N], 2)
        .also(&["substring"])
        .means("substr(a, start[, length])", "a part of the text, counted from 1; a negative start counts from the end")
        .null("null if an argument is null, or the length is negative")
        .example("substr('10115 Berlin', 1, 3)", "'101'"),
    fixed("left", F::Left, &[T, N], 2)
        .means("left(a, n)", "the first `n` characters; a negative `n` leaves out the last ones")
        .null(IF_ANY)
        .example("left('Berlin', 3)", "'Ber'"),
    fixed("right", F::Right, &[T, N], 2)
        .means("right(a, n)", "the last `n` characters; a negative `n` leaves out the first ones")
        .null(IF_ANY)
        .example("right('Berlin', 3)", "'lin'"),
    fixed("length", F::Length, &[T], 1)
        .also(&["len", "character_length", "char_length"])
        .means("length(a)", "number of characters")
        .null(IF_NULL)
        .example("length('Zoë')", "3"),
    variadic("concat", F::ConcatPresent, &[T], 1)
        .means(
            "concat(a, b, ...)",
            "the texts one after the other, without those that are null. (`||` is null where one of its texts is)",
        )
        .null("null if all are null")
        .example("concat('Ann', null, ' Smith')", "'Ann Smith'"),
    variadic("concat_ws", F::ConcatWs, &[T, T], 2)
        .means("concat_ws(separator, a, b, ...)", "as `concat`, with a separator between those that are not null")
        .null("null if the separator is null, or all others are")
        .example("concat_ws(' ', 'Ann', null, 'Smith')", "'Ann Smith'"),
    fixed("replace", F::Replace, &[T, T, T], 3)
        .means("replace(a, from, to)", "every occurrence of a text replaced")
        .null(IF_ANY)
        .example("replace('030/123/45', '/', '')", "'03012345'"),
    fixed("regexp_replace", F::RegexpReplace, &[T, T, T, T], 3)
        .means(
            "regexp_replace(a, pattern, to[, flags])",
            "the first match of a regular expression replaced, or all with flag 'g'; flag 'i' ignores case. In `to`, \
             `\\1` to `\\9` are the groups in parentheses, `\\0` is the whole match, `\\\\` a backslash; `$1` is plain text",
        )
        .null(IF_ANY)
        .example(r"regexp_replace('Smith, Ann', '(\w+), (\w+)', '\2 \1')", "'Ann Smith'"),
    fixed("regexp_extract", F::RegexpExtract, &[T, T, N], 2)
        .means(
            "regexp_extract(a, pattern[, group])",
            "the first match of a regular expression, or a group of it in parentheses; empty where there is none",
        )
        .null(IF_ANY)
        .example("regexp_extract('Main St 12b', '([0-9]+)([a-z]?)', 1)", "'12'"),
    fixed("split_part", F::SplitPart, &[T, T, N], 3)
        .means("split_part(a, separator, n)", "the n-th part of a text, from 1, or from the end with -1; empty beyond")
        .null(IF_ANY)
        .example("split_part('ann@example.org', '@', 2)", "'example.org'"),
    fixed("starts_with", F::StartsWith, &[T, T], 2)
        .means("starts_with(a, b)", "true if the first text begins with the second")
        .null(IF_ANY)
        .example("starts_with('Annabel', 'Anna')", "true"),
    fixed("contains", F::Contains, &[T, T], 2)
        .means("contains(a, b)", "true if the second text is a part of the first")
        .null(IF_ANY)
        .example("contains('Annabel', 'nab')", "true"),
    fixed("strip_accents", F::StripAccents, &[T], 1)
        .means("strip_accents(a)", "without accents and other marks on letters")
        .null(IF_NULL)
        .example("strip_accents('Crème Brûlée')", "'Creme Brulee'"),
    fixed("strip_punctuation", F::StripPunctuation, &[T], 1)
        .means("strip_punctuation(a)", "letters, digits and white space only")
        .null(IF_NULL)
        .example("strip_punctuation('O''Neil, Co.')", "'ONeil Co'"),
    fixed("collapse_spaces", F::CollapseSpaces, &[T], 1)
        .means("collapse_spaces(a)", "runs of white space become one blank, and there is none at the ends")
        .null(IF_NULL)
        .example("collapse_spaces('  Ann   Smith ')", "'Ann Smith'"),
    fixed("digits", F::Digits, &[T], 1)
        .means("digits(a)", "the digits 0 to 9 only")
        .null(IF_NULL)
        .example("digits('+49 (30) 123-45')", "'493012345'"),
];
