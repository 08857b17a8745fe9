//! Moments as text.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::calendar::date_text;

const DAY: u64 = 86_400;

/// A moment in UTC by RFC 3339, in whole seconds: `2026-01-31T12:00:00Z`. Moments before 1970 are its beginning.
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let (days, of_day) = (i32::try_from(seconds / DAY).unwrap_or(i32::MAX), seconds % DAY);
    format!("{}T{:02}:{:02}:{:02}Z", date_text(days), of_day / 3600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(1_709_210_096), "2024-02-29T12:34:56Z");
        assert_eq!(utc(UNIX_EPOCH - Duration::from_secs(5)), "1970-01-01T00:00:00Z");
    }
}
