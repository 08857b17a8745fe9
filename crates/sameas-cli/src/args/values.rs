//! Values that are more than text or a number: amounts of memory, delimiters, shares.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use sameas::{Session, Strategy};

/// The units of memory, the longest names first.
const UNITS: [(&str, u64); 13] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("k", 1_000),
    ("m", 1_000_000),
    ("g", 1_000_000_000),
    ("t", 1_000_000_000_000),
    ("b", 1),
];

/// An amount of memory: `512MB`, `2GiB`, `1.5 GB`, or a number of bytes.
pub fn memory(text: &str) -> Result<usize, String> {
    let lower = text.trim().to_ascii_lowercase();
    let unit = UNITS.iter().find(|(name, _)| lower.ends_with(name));
    let (number, unit) = unit.map_or((&lower[..], 1), |(name, size)| (&lower[..lower.len() - name.len()], *size));
    let bytes = match number.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => number * unit as f64,
        Ok(0.0) => return Err("some memory is needed; write for example 512MB".into()),
        _ => return Err("not an amount of memory; write for example 512MB or 2GiB".into()),
    };
    // A limit above all memory there could be is no limit.
    Ok((bytes as usize).max(1))
}

/// Units of numbers.
const THOUSANDS: [(char, u64); 5] =
    [('k', 1_000), ('m', 1_000_000), ('g', 1_000_000_000), ('b', 1_000_000_000), ('t', 1_000_000_000_000)];

/// Whole numbers up to which floats are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A whole number: `5000000`, `5_000_000`, `5,000,000`, `5M` (k, M, G or B, T), `1.5k`, `5e6`.
pub fn number(text: &str) -> Result<u64, String> {
    let wrong = || "not a number; write for example 5000, 500k, 100M or 1e9".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let unit = THOUSANDS.iter().find(|(name, _)| lower.ends_with(*name));
    let (digits, unit) = unit.map_or((&lower[..], 1), |(_, size)| (lower[..lower.len() - 1].trim_end(), *size));
    let digits = without_separators(digits).ok_or_else(wrong)?;
    if let Ok(whole) = digits.parse::<u64>() {
        return whole.checked_mul(unit).ok_or_else(|| "too large a number".into());
    }
    match digits.parse::<f64>().map(|number| number * unit as f64) {
        Ok(number) if !(0.0..=EXACT).contains(&number) => {
            Err(if number > 0.0 { "too large a number".into() } else { wrong() })
        }
        Ok(number) if number.fract() == 0.0 => Ok(number as u64),
        Ok(_) => Err("not a whole number".into()),
        Err(_) => Err(wrong()),
    }
}

/// Digits without `_`, and without commas between groups of three; nothing where commas are elsewhere.
fn without_separators(digits: &str) -> Option<String> {
    let mut groups = digits.split(',');
    let first = groups.next()?;
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
    let has_groups = digits.contains(',');
    let is_right = !has_groups || (1..=3).contains(&first.len()) && groups.all(is_group);
    (is_right && digits.starts_with(|c: char| c.is_ascii_digit())).then(|| digits.replace([',', '_'], ""))
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one thread is needed".into()),
        Ok(threads) if threads > Session::MOST_THREADS => {
            Err(format!("at most {} threads are possible; a thread for each core is enough", Session::MOST_THREADS))
        }
        Ok(threads) => Ok(threads),
        Err(_) => Err("not a number of threads".into()),
    }
}

/// A column and its file: `surname=surnames.parquet`.
pub fn column_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((column, file)) if !column.trim().is_empty() && !file.is_empty() => {
            Ok((column.trim().to_owned(), PathBuf::from(file)))
        }
        _ => Err("not a column and its file; write for example surname=surnames.parquet".into()),
    }
}

/// A delimiter of CSV files.
pub fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        _ => match text.as_bytes() {
            [byte] if byte.is_ascii() => Ok(*byte),
            _ => Err("must be one ASCII character, such as ';', or `tab`".into()),
        },
    }
}

/// The name of a way to plan.
pub fn strategy() -> PossibleValuesParser {
    Strategy::NAMED.map(|(name, _)| name).into()
}

/// A number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("must be a number from 0 to 1".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory() {
        assert_eq!(memory("512MB"), Ok(512_000_000));
        assert_eq!(memory("2GiB"), Ok(2 << 30));
        assert_eq!(memory("1.5 gb"), Ok(1_500_000_000));
        assert_eq!((memory("64k"), memory("100"), memory("7B")), (Ok(64_000), Ok(100), Ok(7)));
        for wrong in ["", "MB", "12XB", "-1GB", "infGB", "NaN", "0", "1e"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_have_units_and_separators() {
        for (text, expected) in [
            ("0", 0),
            ("5000000", 5_000_000),
            ("5_000_000", 5_000_000),
            ("5,000,000", 5_000_000),
            ("100M", 100_000_000),
            ("100 m", 100_000_000),
            ("1.5k", 1_500),
            ("2G", 2_000_000_000),
            ("2B", 2_000_000_000),
            ("1T", 1_000_000_000_000),
            ("1e8", 100_000_000),
            ("2.5E3", 2_500),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(number(text), Ok(expected), "{text}");
        }
        let wrong = Err("not a number; write for example 5000, 500k, 100M or 1e9".to_owned());
        for text in ["", "M", "-1", "1,00", "1,0000", "12,34,567", "x", "1MB", "inf", "nan", "+5", "1.2.3", "5MM"] {
            assert_eq!(number(text), wrong, "{text}");
        }
        assert_eq!(number("1.5"), Err("not a whole number".into()));
        for text in ["18446744073709551616", "1e300", "20000000000G"] {
            assert_eq!(number(text), Err("too large a number".into()), "{text}");
        }
    }

    #[test]
    fn a_column_and_its_file() {
        assert_eq!(column_file("name=a=b.csv"), Ok(("name".into(), "a=b.csv".into())));
        assert!(column_file("a.csv").is_err() && column_file("=a.csv").is_err() && column_file("a=").is_err());
    }

    #[test]
    fn threads_delimiters_and_shares() {
        assert_eq!((threads("3"), threads("0").is_err(), threads("-1").is_err()), (Ok(3), true, true));
        let most = "at most 4096 threads are possible; a thread for each core is enough";
        assert_eq!(threads("100000"), Err(most.to_owned()));
        assert_eq!((delimiter(";"), delimiter("tab"), delimiter("\t")), (Ok(b';'), Ok(b'\t'), Ok(b'\t')));
        assert!(delimiter("").is_err() && delimiter("ab").is_err() && delimiter("é").is_err());
        assert_eq!((share("0.2"), share("1.1").is_err(), share("NaN").is_err()), (Ok(0.2), true, true));
    }
}
