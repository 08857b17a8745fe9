//! What to do about the values of a column before they are compared.

use sameas::profile::{ColumnProfile, TextFormat, TextProfile, ValueCount};
use sameas::{FieldValue, printable};

use super::{VALUE, in_rules};
use crate::report::values;
use crate::text::{count, counted, cut};

/// Values that look missing are listed up to this number; the option names all of them.
const MISSING: usize = 6;

/// The advice for a column of texts.
pub fn of_texts(column: &ColumnProfile, text: &TextProfile) -> Vec<(&'static str, String)> {
    let name = in_rules(&column.name);
    let mut advice = Vec::new();
    advice.extend(missing_like(&text.missing_like));
    if text.blank > 0 {
        let records = records_have(text.blank);
        advice.push(format!(
            "{records} blanks alone, which is a value; `blank_is_null = true` in the rule file makes it missing"
        ));
    }
    if text.padded > 0 {
        advice.push(format!("{} blanks at the beginning or the end: compare trim({name})", records_have(text.padded)));
    }
    if let Some(folded @ 1..) = text.folded {
        let values = if folded == 1 { "1 value differs".into() } else { format!("{} values differ", count(folded)) };
        advice.push(format!("{values} from another in case or accents alone: compare lower(strip_accents({name}))"));
    }
    advice.extend(text.formats.iter().filter_map(|format| of_format(&format.format, &format.example, &name)));
    advice.extend(text.garbled.as_ref().map(|garbled| {
        let example = cut(&printable(&garbled.example), VALUE);
        let right =
            garbled.repaired.as_ref().map(|right| format!(", which should be '{}'", cut(&printable(right), VALUE)));
        let records = counted(garbled.records, "record");
        format!(
            "'{example}'{} ({records}) was read or saved in a wrong encoding: see --encoding",
            right.unwrap_or_default()
        )
    }));
    advice.into_iter().map(|advice| ("note", advice)).collect()
}

fn records_have(records: u64) -> String {
    if records == 1 { "1 record has".into() } else { format!("{} records have", count(records)) }
}

fn missing_like(found: &[ValueCount]) -> Option<String> {
    if found.is_empty() {
        return None;
    }
    let shown = found.iter().take(MISSING);
    let shown = shown.map(|value| format!("{} {}", values::value_in_short(&value.value, VALUE), count(value.records)));
    let more = if found.len() > MISSING { format!(" and {} more", found.len() - MISSING) } else { String::new() };
    let texts = found.iter().filter_map(|value| match &value.value {
        FieldValue::Text(text) => Some(text.trim()),
        _ => None,
    });
    let mut texts: Vec<&str> = texts.collect();
    texts.sort_unstable();
    texts.dedup();
    let option = texts.join(",").replace('\'', r"'\''");
    let shown = shown.collect::<Vec<_>>().join(", ");
    Some(format!("{shown}{more} may stand for a missing value: --null '{option}'"))
}

/// How values of a format become dates and numbers.
fn of_format(format: &TextFormat, example: &str, name: &str) -> Option<String> {
    match format {
        TextFormat::Date { formats } => {
            let read: Vec<String> = formats.iter().map(|format| format!("strptime({name}, '{format}')")).collect();
            let which = if read.len() > 1 { "; no day is above 12, so see which it is" } else { "" };
            let example = cut(&printable(example), VALUE);
            Some(format!("{} reads dates such as '{example}'{which}", read.join(" or ")))
        }
        TextFormat::DecimalComma => Some(format!("parse_number({name}, ',') reads the decimal commas")),
        _ => None,
    }
}
