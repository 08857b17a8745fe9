//! Choices, conversions and operators.

use super::entry::{FunctionEntry, IF_ANY, operator, special};

/// Choices between values, and conversions.
pub const CHOICES: &[FunctionEntry] = &[
    special("coalesce")
        .means("coalesce(a, b, ...)", "the first that is not null")
        .null("null if all are null")
        .example("coalesce(null, 'unknown')", "'unknown'"),
    special("nullif")
        .means("nullif(a, b)", "null where the two are equal, else the first: `nullif(phone, 'N/A')`")
        .null("null if the first is null or equals the second")
        .example("nullif('N/A', 'N/A')", "null"),
    special("least")
        .means("least(a, b, ...)", "the smallest that is not null")
        .null("null if all are null")
        .example("least(3, null, 2)", "2"),
    special("greatest")
        .means("greatest(a, b, ...)", "the largest that is not null")
        .null("null if all are null")
        .example("greatest(3, null, 2)", "3"),
    operator("case")
        .means("case when p then a [when q then b] [else c] end", "the value after the first condition that is true")
        .null("null if none is true and there is no `else`; a condition that is null is not true")
        .example("case when 2 > 1 then 'more' else 'less' end", "'more'"),
    special("cast")
        .also(&["try_cast"])
        .means("cast(a as type)", "as varchar, bigint, double, boolean or date; dates are written '2024-05-31'")
        .null("null if the argument is null or cannot be read as the type")
        .example("cast('42' as bigint)", "42"),
];

/// Null whatever the values are.
const NEVER: &str = "never null";

pub const OPERATORS: &[FunctionEntry] = &[
    operator("=")
        .means("a = b", "equal. A number or date beside a text: the text is read as one")
        .example("'02134' = '2134'", "false"),
    operator("<>").also(&["!="]).means("a <> b", "not equal").example("1 <> 2", "true"),
    operator("<").means("a < b", "less; texts by the code of their characters").example("'Z' < 'a'", "true"),
    operator("<=").means("a <= b", "less or equal").example("2 <= 2", "true"),
    operator(">").means("a > b", "greater").example("2 > 3", "false"),
    operator(">=").means("a >= b", "greater or equal").example("2 >= 3", "false"),
    operator("is distinct from")
        .also(&["is not distinct from"])
        .means("a is [not] distinct from b", "not equal (or equal), where null is a value like any other")
        .null(NEVER)
        .example("null is not distinct from null", "true"),
    operator("is null")
        .also(&["is not null"])
        .means("a is [not] null", "whether the value is missing; empty columns are")
        .null(NEVER)
        .example("'x' is null", "false"),
    operator("is true")
        .also(&["is false", "is not true", "is not false"])
        .means("p is [not] true, p is [not] false", "whether a condition is true, or false, and not null")
        .null(NEVER)
        .example("(1 > 2) is true", "false"),
    operator("and")
        .means("p and q", "both hold")
        .null("null if one is null and none is false")
        .example("1 = 1 and 1 = 2", "false"),
    operator("or")
        .means("p or q", "at least one holds")
        .null("null if one is null and none is true")
        .example("1 = 1 or 1 = 2", "true"),
    operator("not")
        .means("not p", "the opposite; null stays null")
        .null("null if the condition is null")
        .example("not 1 = 2", "true"),
    operator("between")
        .also(&["not between"])
        .means("a [not] between low and high", "at least `low` and at most `high`")
        .example("5 between 1 and 5", "true"),
    operator("in")
        .also(&["not in"])
        .means("a [not] in (b, c, ...)", "equal to one of the values; to look values up in a file see `in_list`")
        .null("null if the first is null, or it equals none and one of the others is null")
        .example("'Berlin' in ('Paris', 'Berlin')", "true"),
    operator("like")
        .also(&["not like"])
        .means(
            "a [not] like pattern [escape 'c']",
            "the whole text fits: `%` is anything, `_` one character; case matters",
        )
        .null(IF_ANY)
        .example("'Anna' like 'A%a'", "true"),
    operator("ilike")
        .also(&["not ilike"])
        .means("a [not] ilike pattern [escape 'c']", "as `like`, whatever the case")
        .null(IF_ANY)
        .example("'ANNA' ilike 'a%'", "true"),
    operator("||")
        .means("a || b", "one text after the other. Null with null: `concat` leaves nulls out instead")
        .null("null if one of the texts is null")
        .example("'Ann' || ' ' || 'Smith'", "'Ann Smith'"),
    operator("+").means("a + b", "sum; null beyond 64 bits").example("1 + 2", "3"),
    operator("-").means("a - b", "difference; of two dates the days between them").example("7 - 10", "-3"),
    operator("*").means("a * b", "product").example("2 * 2.5", "5.0"),
    operator("/")
        .means("a / b", "quotient, always with fractions")
        .null("null if one is null, or the divisor is 0")
        .example("7 / 2", "3.5"),
    operator("%")
        .means("a % b", "what a division leaves, with the sign of the first")
        .null("null if one is null, or the divisor is 0")
        .example("7 % 4", "3"),
];
