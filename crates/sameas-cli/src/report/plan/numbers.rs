//! Shares and times of plans, in as many digits as an estimate deserves.

use crate::text::{count, seconds};

/// A part of one in per cent, in about two digits.
pub fn share(part: f64) -> String {
    let percent = part * 100.0;
    match percent {
        0.0 => "0 %".into(),
        p if p < 0.001 => "<0.001 %".into(),
        p if p < 0.01 => format!("{p:.4} %"),
        p if p < 0.1 => format!("{p:.3} %"),
        p if p < 1.0 => format!("{p:.2} %"),
        p if p < 9.95 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}

/// A duration in the usual units, up to hours.
pub fn duration(time: f64) -> String {
    const HOUR: f64 = 3600.0;
    if time < HOUR {
        return seconds(time);
    }
    format!("{} h {:.0} min", count((time / HOUR) as u64), (time % HOUR / 60.0).floor())
}

/// The time of one core that something is expected to take.
pub fn of_one_core(time: f64) -> String {
    // "About under" is no English.
    let about = if time < 0.001 { "" } else { "about " };
    format!("{about}{} of one core", duration(time))
}

/// A duration in a narrow column.
pub fn short(time: f64) -> String {
    match time {
        t if t < 0.000_05 => "<0.1 ms".into(),
        t if t < 0.009_95 => format!("{:.1} ms", t * 1000.0),
        t => duration(t),
    }
}

/// The nanoseconds of one evaluation.
pub fn each(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 9.95 => format!("{n:.1} ns"),
        n if n < 999.5 => format!("{n:.0} ns"),
        n if n < 9_950.0 => format!("{:.1} us", n / 1e3),
        n if n < 999_500.0 => format!("{:.0} us", n / 1e3),
        n => format!("{:.1} ms", n / 1e6),
    }
}
