//! Times of day and dates as tools print them: `14:03:07`, `14:03:07.123456`, `2026-11-22`,
//! `2026-11-22T14:03:07.123`.

use super::scan::Scan;
use seekscope_trace::calendar;

/// ns.
pub const DAY: u64 = 86_400 * SECOND;
const SECOND: u64 = 1_000_000_000;

/// `hours:minutes:seconds`, with a fraction or without, as ns since midnight. `None` for other
/// words.
pub fn time_of_day(word: &[u8]) -> Option<u64> {
    let mut scan = Scan(word);
    let hours = scan.number().filter(|&h| h < 24)?;
    scan.byte(b':')?;
    let minutes = scan.number().filter(|&m| m < 60)?;
    scan.byte(b':')?;
    let seconds = if scan.0.contains(&b'.') {
        scan.seconds()?
    } else {
        scan.number()?.checked_mul(SECOND)?
    };
    scan.done()?;
    (seconds < 61 * SECOND).then_some((hours * 60 + minutes) * 60 * SECOND + seconds)
}

/// Whether a word is a date.
pub fn is_date(word: &[u8]) -> bool {
    date(word).is_some()
}

/// `year-month-day` as ns since 1970.
pub fn date(word: &[u8]) -> Option<u64> {
    let mut scan = Scan(word);
    let year = scan.number()?;
    scan.byte(b'-')?;
    let month = scan.number()?;
    scan.byte(b'-')?;
    let day = scan.number()?;
    scan.done()?;
    let days = calendar::days(
        year.try_into().ok()?,
        month.try_into().ok()?,
        day.try_into().ok()?,
    )?;
    Some(days as u64 * DAY)
}

/// A date and a time of day in one word.
pub fn stamp(word: &[u8]) -> Option<u64> {
    let separator = word.iter().position(|b| *b == b'T')?;
    let time = word[separator + 1..]
        .strip_suffix(b"Z")
        .unwrap_or(&word[separator + 1..]);
    date(&word[..separator])?.checked_add(time_of_day(time)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_dates() {
        assert_eq!(
            time_of_day(b"14:03:07"),
            Some((14 * 3600 + 3 * 60 + 7) * SECOND)
        );
        assert_eq!(time_of_day(b"00:00:00.000001"), Some(1000));
        assert_eq!(date(b"1970-01-01"), Some(0));
        assert_eq!(date(b"2000-03-01"), Some(951_868_800 * SECOND));
        assert_eq!(date(b"2026-11-22"), Some(1_795_305_600 * SECOND));
        assert_eq!(
            stamp(b"2026-11-22T00:00:01.5Z"),
            Some(1_795_305_601 * SECOND + SECOND / 2)
        );
        for word in [
            "",
            "14:03",
            "25:00:00",
            "14:60:00",
            "14:03:07x",
            "1.5",
            "2026-11",
            "2026-13-01",
            "1969-01-01",
            "9999999-01-01",
        ] {
            assert_eq!(
                (time_of_day(word.as_bytes()), date(word.as_bytes())),
                (None, None),
                "{word}"
            );
        }
    }
}
