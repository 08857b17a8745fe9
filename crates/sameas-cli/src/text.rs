//! Numbers, durations, tables and paragraphs as text.

use std::fmt::Write;

use sameas::printable;

use crate::terminal;

/// Characters of a line where no terminal says how wide it is.
pub const WIDTH: usize = 100;

/// Lines of a terminal are used within these limits.
const NARROWEST: usize = 60;
const WIDEST: usize = 200;

/// Lines longer than this are wrapped or cut: those of the terminal, where there is one.
pub fn width() -> usize {
    terminal::width().map_or(WIDTH, |width| width.clamp(NARROWEST, WIDEST))
}

/// `1234567` as `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// A ratio in two digits.
pub fn ratio(ratio: f64) -> String {
    if ratio < 9.95 {
        return format!("{ratio:.1}");
    }
    let scale = 10_f64.powf(ratio.log10().floor() - 1.0);
    count(((ratio / scale).round() * scale) as u64)
}

/// `1 record`, `2 records`.
pub fn counted(number: u64, one: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", count(number))
}

/// A part of a whole in per cent, with as many digits as it takes to see something.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "0 %".into();
    }
    let percent = 100.0 * part as f64 / whole as f64;
    match percent {
        0.0 => "0 %".into(),
        p if p < 0.001 => "under 0.001 %".into(),
        p if p < 1.0 => format!("{p:.3} %"),
        p => format!("{p:.1} %"),
    }
}

/// A number of bytes in two or three digits.
pub fn bytes(number: u64) -> String {
    let scaled = |unit: f64| {
        let number = number as f64 / unit;
        if number < 9.95 { format!("{number:.1}") } else { format!("{number:.0}") }
    };
    match number {
        n if n < 1_000 => format!("{n} B"),
        n if n < 999_500 => format!("{} kB", scaled(1e3)),
        n if n < 999_500_000 => format!("{} MB", scaled(1e6)),
        _ => format!("{} GB", scaled(1e9)),
    }
}

/// A duration in the usual units.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "under 1 ms".into(),
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 60.0 => format!("{s:.1} s"),
        s => format!("{} min {:.0} s", count((s / 60.0) as u64), (s % 60.0).floor()),
    }
}

/// An expected duration: no more digits than an expectation has.
pub fn about(seconds: f64) -> String {
    let unit = |number: f64, one: &str| format!("about {}", counted(number.round().max(1.0) as u64, one));
    match seconds {
        s if s < 10.0 => unit(s, "second"),
        s if s < 90.0 => unit((s / 10.0).round() * 10.0, "second"),
        s if s < 5400.0 => unit(s / 60.0, "minute"),
        s if s < 129_600.0 => unit(s / 3600.0, "hour"),
        s => unit(s / 86_400.0, "day"),
    }
}

/// A number as short as it can be with up to four decimals.
pub fn decimal(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    // What is not nothing should not look like it.
    if text == "0" && value != 0.0 { format!("{value:.1e}") } else { text.to_owned() }
}

/// A text cut to this many characters.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// A text cut to this many characters in its middle: both ends say what it is.
pub fn middle_cut(text: &str, width: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= width {
        return text.to_owned();
    }
    let tail = width / 3;
    let head: String = characters[..width - tail - 3].iter().collect();
    let tail: String = characters[characters.len() - tail..].iter().collect();
    format!("{}...{}", head.trim_end(), tail.trim_start())
}

/// A text of one line, printable: runs of white space are one blank.
pub fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Names one after the other, each of them printable.
pub fn names(names: &[String], between: &str) -> String {
    names.iter().map(|name| printable(name)).collect::<Vec<_>>().join(between)
}

/// Breaks a text between words, so that no line is longer than [`width`]; later lines begin with `indent` blanks. The
/// first line is begun already, with `taken` characters.
pub fn wrap(text: &str, taken: usize, indent: usize) -> String {
    let (mut out, mut column, width) = (String::new(), taken, width());
    for (place, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if place > 0 && column + 1 + length > width {
            let _ = write!(out, "\n{}", " ".repeat(indent));
            column = indent;
        } else if place > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

/// Rows of cells as aligned columns: the first to the left, the others to the right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let blanks = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
            let _ = if column == 0 { write!(line, "{cell}{blanks}") } else { write!(line, "   {blanks}{cell}") };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// Names and what belongs to them, one pair per line, the second column aligned and wrapped.
pub fn facts(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0) + 3;
    let mut out = String::new();
    for (name, fact) in rows {
        let _ = writeln!(out, "{name:width$}{}", wrap(fact, width, width));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1.04, 9.96, 12_345.0].map(ratio), ["1.0", "10", "12,000"]);
        assert_eq!((counted(1, "pair"), counted(0, "pair")), ("1 pair".into(), "0 pairs".into()));
        assert_eq!(
            [percent(1, 3), percent(0, 9), percent(1, 1 << 40), percent(5, 1000)].join(" | "),
            "33.3 % | 0 % | under 0.001 % | 0.500 %"
        );
        assert_eq!(
            [0, 1_500, 20_000, 999_600, 5_000_000_000].map(bytes).join(", "),
            "0 B, 1.5 kB, 20 kB, 1.0 MB, 5.0 GB"
        );
        assert_eq!([0.0001, 0.25, 2.0, 125.0].map(seconds), ["under 1 ms", "250 ms", "2.0 s", "2 min 5 s"]);
        assert_eq!(
            [0.1, 44.0, 170.0, 7300.0, 2e5].map(about).join(", "),
            "about 1 second, about 40 seconds, about 3 minutes, about 2 hours, about 2 days"
        );
        assert_eq!([0.9, 3.0, 0.87654, 0.00001, 0.0].map(decimal), ["0.9", "3", "0.8765", "1.0e-5", "0"]);
    }

    #[test]
    fn long_text_is_cut_and_wrapped() {
        assert_eq!((cut("abcdef", 4), cut("abc", 4)), ("abc…".into(), "abc".into()));
        assert_eq!(middle_cut("abcdefghijklmnop", 9), "abc...nop");
        assert_eq!(middle_cut("abc", 9), "abc");
        let wrapped = wrap(&"word ".repeat(40), 10, 4);
        assert!(wrapped.lines().all(|line| line.len() <= WIDTH) && wrapped.contains("\n    word"), "{wrapped}");
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [["Rule", "pairs"], ["a", "12,345"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "Rule    pairs\na      12,345\n");
        assert_eq!(facts(&[("Time", "1 s".into()), ("Pairs", "2".into())]), "Time    1 s\nPairs   2\n");
    }
}
