//! What most values of a column look like, and which keys that suggests.

use super::DescribedColumn;
use super::column_values::ColumnValues;
use super::report::ColumnLook;
use super::text_format::ValueClass;
use super::text_tally::TextTally;
use crate::expr::Type;

/// A key that is tried for a column; `{}` stands for the column of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyTemplate {
    /// The expression.
    pub expression: &'static str,
    /// Whether it is one to combine with keys of other columns.
    pub is_for_combining: bool,
}

/// The value as it is.
pub const AS_IT_IS: &str = "{}";
/// The value without what people write in different ways.
pub const FOLDED: &str = "lower(strip_accents({}))";

/// Texts of more words than this, on average, are not names.
const WORDS_OF_A_NAME: f64 = 3.5;

/// What a column looks like; `texts` is what was counted of its texts.
pub fn column_look(name: &str, values: &ColumnValues, texts: Option<&TextTally>) -> ColumnLook {
    let (present, distinct) = (values.present(), values.distinct() as u64);
    let is_unique = distinct == present && present == values.rows() && present > 1;
    match (values.domain.ty, texts) {
        _ if present == 0 => ColumnLook::Empty,
        (Type::TextList | Type::NumberList, _) => ColumnLook::Other,
        _ if distinct == 1 => ColumnLook::Constant,
        (Type::Bool, _) => ColumnLook::Flag,
        (Type::Date, _) => ColumnLook::Date,
        (Type::Number | Type::Decimal, _) if is_unique => ColumnLook::Identifier,
        (Type::Number | Type::Decimal, _) => ColumnLook::Number,
        (_, Some(texts)) => match look_of_texts(name, texts, is_unique) {
            ColumnLook::Name | ColumnLook::Text | ColumnLook::Code if is_category(present, distinct) => {
                ColumnLook::Category
            }
            look => look,
        },
        _ => ColumnLook::Other,
    }
}

/// Whether a few values make up a column.
fn is_category(present: u64, distinct: u64) -> bool {
    distinct <= 50 && present >= 50 * distinct
}

fn look_of_texts(name: &str, texts: &TextTally, is_unique: bool) -> ColumnLook {
    let meant = texts.records - texts.meaningless;
    let share = |records: u64, least: f64| records as f64 >= least * meant as f64;
    let of = |class: ValueClass| texts.of_class(class);
    let digits = of(ValueClass::Digits) + of(ValueClass::CompactDate);
    let dates = of(ValueClass::IsoDate) + texts.compact_dates() + texts.other_dates();
    let numbers = digits + of(ValueClass::Number) + of(ValueClass::DecimalComma);
    let phones = of(ValueClass::Phone) + if is_named_phone(name) { numbers } else { 0 };
    let mean_words = texts.words as f64 / texts.records.max(1) as f64;
    match () {
        () if share(dates, 0.8) => ColumnLook::Date,
        () if share(of(ValueClass::Email), 0.8) => ColumnLook::Email,
        () if share(phones, 0.7) => ColumnLook::Phone,
        () if is_unique && share(texts.single_words, 0.9) && !share(texts.without_digits, 0.5) => {
            ColumnLook::Identifier
        }
        () if share(digits, 0.9) => ColumnLook::Code,
        () if share(numbers, 0.9) => ColumnLook::Number,
        () if share(of(ValueClass::Words), 0.7) && mean_words <= WORDS_OF_A_NAME => ColumnLook::Name,
        () if share(texts.single_words, 0.8) && !share(texts.without_digits, 0.5) => ColumnLook::Code,
        () if mean_words <= 1.5 && share(texts.without_digits, 0.8) => ColumnLook::Name,
        () => ColumnLook::Text,
    }
}

/// Phone numbers without signs are digits like others; the name of the column tells.
fn is_named_phone(name: &str) -> bool {
    let name = name.to_lowercase();
    ["phone", "telef", "mobile", "handy", "fax"].iter().any(|word| name.contains(word)) || name == "tel"
}

/// The keys to try for a column of one or two inputs. What would change nothing is left out.
pub fn templates(described: &[DescribedColumn], ty: Type) -> Vec<KeyTemplate> {
    let key = |expression, is_for_combining| KeyTemplate { expression, is_for_combining };
    let texts = || described.iter().filter_map(|column| column.texts.as_ref());
    let has_variants = texts().any(TextTally::has_case_or_accents);
    let full = described.iter().find(|column| column.look != ColumnLook::Empty);
    let look = full.map_or(ColumnLook::Empty, |column| column.look);
    let mut keys = vec![key(AS_IT_IS, true)];
    match look {
        ColumnLook::Empty | ColumnLook::Constant | ColumnLook::Other => return Vec::new(),
        ColumnLook::Name => {
            keys.extend(has_variants.then(|| key(FOLDED, true)));
            keys.extend([
                key("soundex({})", true),
                key(if has_variants { "substr(lower({}), 1, 3)" } else { "substr({}, 1, 3)" }, false),
            ]);
        }
        ColumnLook::Text => {
            keys.extend(has_variants.then(|| key(FOLDED, true)));
            keys.push(key(if has_variants { "substr(lower({}), 1, 8)" } else { "substr({}, 1, 8)" }, true));
        }
        ColumnLook::Email => {
            keys.extend(has_variants.then(|| key("lower({})", false)));
            let name = if has_variants { "split_part(lower({}), '@', 1)" } else { "split_part({}, '@', 1)" };
            keys.push(key(name, true));
        }
        ColumnLook::Phone if ty == Type::Text => {
            let is_written_alike = texts().all(|texts| texts.patterns() <= 1);
            keys.extend((!is_written_alike).then(|| key("digits({})", false)));
            keys.push(key("right(digits({}), 7)", true));
        }
        ColumnLook::Code if ty == Type::Text => {
            keys.extend(has_variants.then(|| key("lower({})", false)));
            keys.push(key("substr({}, 1, 3)", true));
        }
        ColumnLook::Date => keys.extend(year_template(ty, full).map(|year| key(year, true))),
        ColumnLook::Identifier
        | ColumnLook::Number
        | ColumnLook::Category
        | ColumnLook::Flag
        | ColumnLook::Code
        | ColumnLook::Phone => {}
    }
    keys
}

/// How the year of most dates of a column is taken.
fn year_template(ty: Type, column: Option<&DescribedColumn>) -> Option<&'static str> {
    let texts = column.and_then(|column| column.texts.as_ref());
    let Some(texts) = texts.filter(|_| ty == Type::Text) else { return Some("year({})") };
    let iso = texts.of_class(ValueClass::IsoDate) + texts.compact_dates();
    let most = texts.dates.iter().max_by_key(|date| date.records);
    match most {
        Some(date) if date.records > iso => date.year_template(),
        _ => Some("year({})"),
    }
}
