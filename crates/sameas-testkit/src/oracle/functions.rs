//! Functions of values: the definition of each name.

use super::value::Value;
use super::{accents, date, date_format, keys, lists, metaphone, number, number_text, regex, sets, strings, text};
use crate::case::Op;

/// The value of a function. A null argument makes it null, as does one that cannot be read as what it needs.
pub fn call(op: Op, values: &[Value]) -> Value {
    if matches!(op, Op::ConcatPresent | Op::ConcatWs) {
        return joined(op, values);
    }
    if values.iter().any(Value::is_null) {
        return Value::Null;
    }
    let group = || {
        None.or_else(|| cast(op, values))
            .or_else(|| arithmetic(op, values))
            .or_else(|| dates(op, values))
            .or_else(|| sets_and_vectors(op, values))
    };
    group().unwrap_or_else(|| texts(op, values).unwrap_or(Value::Null))
}

/// `concat` and `concat_ws`, which leave nulls out.
fn joined(op: Op, values: &[Value]) -> Value {
    let (separator, parts) = if op == Op::ConcatWs { values.split_at(1) } else { values.split_at(0) };
    let separator = separator.first().map_or(Some(String::new()), Value::to_text);
    let parts: Vec<String> = parts.iter().filter_map(Value::to_text).collect();
    match separator {
        Some(separator) if !parts.is_empty() => Value::Text(parts.join(&separator)),
        _ => Value::Null,
    }
}

fn cast(op: Op, values: &[Value]) -> Option<Value> {
    let value = &values[0];
    match op {
        Op::CastText => Some(value.to_text().map_or(Value::Null, Value::Text)),
        Op::CastInteger => Some(value.to_integer().map_or(Value::Null, Value::Int)),
        Op::CastDouble => Some(value.to_float().map_or(Value::Null, Value::Float)),
        Op::CastDate => Some(value.to_date().map_or(Value::Null, Value::Date)),
        _ => None,
    }
}

fn arithmetic(op: Op, values: &[Value]) -> Option<Value> {
    match (op, values) {
        (Op::Subtract, [Value::Date(a), Value::Date(b)]) => Some(Value::Int(a - b)),
        (Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo, [a, b]) => Some(number::arithmetic(op, a, b)),
        (Op::Negate, [a]) => Some(number::negate(a)),
        (Op::Abs, [a]) => Some(number::abs(a)),
        (Op::Round, [a, digits]) => Some(number::round_at(a, digits)),
        (Op::Round | Op::Floor | Op::Ceil, [a]) => Some(number::whole(op, a)),
        _ => None,
    }
}

fn dates(op: Op, values: &[Value]) -> Option<Value> {
    if !matches!(op, Op::Year | Op::Month | Op::Day | Op::DateDiffDays) {
        return None;
    }
    let Some(days) = values.iter().map(Value::to_date).collect::<Option<Vec<i64>>>() else { return Some(Value::Null) };
    let (year, month, day) = date::parts(days[0]);
    Some(Value::Int(match op {
        Op::Year => year,
        Op::Month => month,
        Op::Day => day,
        _ => days[1] - days[0],
    }))
}

fn sets_and_vectors(op: Op, values: &[Value]) -> Option<Value> {
    match (op, values) {
        (Op::CosineSimilarity, [Value::Numbers(a), Value::Numbers(b)]) => {
            Some(keys::cosine(a, b).map_or(Value::Null, Value::float))
        }
        (Op::HaversineKm, _) => {
            let places: Option<Vec<f64>> = values.iter().map(Value::to_float).collect();
            Some(places.map_or(Value::Null, |p| Value::float(keys::haversine(p[0], p[1], p[2], p[3]))))
        }
        (Op::ArrayLength, [Value::Texts(list)]) => {
            Some(Value::Int(list.iter().collect::<std::collections::BTreeSet<_>>().len() as i64))
        }
        (_, [Value::Texts(a), Value::Texts(b)]) => Some(sets::measure(op, a, b)),
        _ => None,
    }
}

/// Functions whose first argument is text; `None` is null.
fn texts(op: Op, values: &[Value]) -> Option<Value> {
    let first = values[0].to_text()?;
    let second = || values.get(1).and_then(Value::to_text);
    let third = || values.get(2).and_then(Value::to_text);
    let number = |at: usize| values.get(at).and_then(Value::to_integer);
    let text = |text: String| Some(Value::Text(text));
    match op {
        Op::Concat => text(values.iter().map(Value::to_text).collect::<Option<Vec<_>>>()?.concat()),
        Op::Lower => text(first.to_lowercase()),
        Op::Upper => text(first.to_uppercase()),
        Op::Trim | Op::TrimStart | Op::TrimEnd => text(trim(op, &first, second().as_deref())),
        Op::Substr if values.len() == 3 => text::substr(&first, number(1)?, Some(number(2)?)).map(Value::Text),
        Op::Substr => text::substr(&first, number(1)?, None).map(Value::Text),
        Op::Left => text(text::left(&first, number(1)?)),
        Op::Right => text(text::right(&first, number(1)?)),
        Op::Length => Some(Value::Int(first.chars().count() as i64)),
        Op::Replace => text(text::replace(&first, &second()?, &third()?)),
        Op::RegexpReplace => {
            let flags = values.get(3).map_or(Some(String::new()), Value::to_text)?;
            regex::replace(&first, &second()?, &third()?, &flags).map(Value::Text)
        }
        Op::RegexpExtract => {
            let group = values.get(2).map_or(Some(0), Value::to_integer)?;
            regex::extract(&first, &second()?, usize::try_from(group).ok()?).map(Value::Text)
        }
        Op::SplitPart => text(text::split_part(&first, &second()?, number(2)?)),
        Op::StripAccents => text(accents::strip(&first)),
        Op::StripPunctuation => text(text::strip_punctuation(&first)),
        Op::CollapseSpaces => text(text::collapse_spaces(&first)),
        Op::Digits => text(text::digits(&first)),
        Op::StartsWith => Some(Value::Bool(first.starts_with(&second()?))),
        Op::Contains => Some(Value::Bool(first.contains(&second()?))),
        Op::Like | Op::NotLike | Op::ILike => Some(Value::Bool(like(op, &first, &second()?, third()))),
        Op::Soundex => keys::soundex(&first).map(Value::Text),
        Op::Metaphone => metaphone::codes(&first).0.map(Value::Text),
        Op::MetaphoneAlternate => metaphone::codes(&first).1.map(Value::Text),
        Op::Strptime => {
            let formats: Vec<String> = values[1..].iter().filter_map(Value::to_text).collect();
            formats.iter().find_map(|format| date_format::read(&first, format)).map(Value::Date)
        }
        Op::ParseNumber => {
            number_text::plain(&first, second()?.chars().next()?).map(|plain| Value::Text(plain).to_number())
        }
        Op::InList => Some(Value::Bool(lists::together(&first, &second()?, &third()?))),
        Op::SortKey => keys::sort_key(&first).map(Value::Int),
        Op::Words => Some(Value::Texts(sets::words(&first))),
        Op::Qgrams => Some(Value::Texts(sets::qgrams(&first, usize::try_from(number(1)?).ok()?))),
        _ => strings::measure(op, &first, &second()?),
    }
}

fn trim(op: Op, value: &str, dropped: Option<&str>) -> String {
    let drop = |c: char| dropped.map_or(c.is_whitespace(), |dropped| dropped.contains(c));
    text::trim(value, &drop, op != Op::TrimEnd, op != Op::TrimStart)
}

fn like(op: Op, value: &str, pattern: &str, escape: Option<String>) -> bool {
    let lowered = |text: &str| if op == Op::ILike { text.to_lowercase() } else { text.to_owned() };
    let chars = |text: &str| lowered(text).chars().collect::<Vec<char>>();
    let escape = escape.and_then(|escape| escape.chars().next());
    text::like(&chars(value), &chars(pattern), escape) != (op == Op::NotLike)
}
