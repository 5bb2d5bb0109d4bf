//! Dates and times as tools print them. Local times have no zone; dates may be written in several
//! orders.

use seekscope_trace::calendar::days;

/// Nanoseconds per second, and per day.
pub const SECOND: i64 = 1_000_000_000;
pub const DAY: i64 = 86_400 * SECOND;

/// The days, since 1970, that a date may mean: `2026-11-22`, `11/22/26`, `22/11/2026`,
/// `22.11.2026`. At most two.
pub fn date(text: &str) -> Vec<i64> {
    let numbers: Vec<i64> = text
        .split(['-', '/', '.'])
        .filter_map(|part| part.parse().ok().filter(|_| part.len() <= 4))
        .collect();
    let [a, b, c] = numbers[..] else {
        return Vec::new();
    };
    if text.split(['-', '/', '.']).count() != 3 {
        return Vec::new();
    }
    let year = if c < 100 { 2000 + c } else { c };
    let orders = if a >= 1970 {
        [days(a, b, c), None]
    } else if text.contains('.') {
        [days(year, b, a), None]
    } else {
        [days(year, a, b), days(year, b, a)]
    };
    let mut found: Vec<i64> = orders.into_iter().flatten().collect();
    found.dedup();
    found
}

/// ns since midnight of `05:09:20` or `05:09:20.5`; `half` is the word after it, `AM` or `PM`.
pub fn time_of_day(text: &str, half: Option<&str>) -> Option<i64> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    if parts.next().is_some() || hours.len() > 2 || minutes.len() != 2 || whole.len() != 2 {
        return None;
    }
    let number =
        |text: &str, below: i64| text.parse::<i64>().ok().filter(|n| (0..below).contains(n));
    let hours = number(hours, 24)?;
    let hours = match half {
        Some("AM" | "am") => hours % 12,
        Some("PM" | "pm") => hours % 12 + 12,
        _ => hours,
    };
    let whole = hours * 3600 + number(minutes, 60)? * 60 + number(whole, 61)?;
    Some(whole * SECOND + fraction_ns(fraction)?)
}

/// ns of the digits after a point.
fn fraction_ns(digits: &str) -> Option<i64> {
    if digits.len() > 9 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let padded = format!("{digits:0<9}");
    padded.parse().ok()
}

/// `123.45` seconds in ns; not negative, below 10^9 s.
pub fn seconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || whole.len() > 10 || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    whole
        .parse::<i64>()
        .ok()?
        .checked_mul(SECOND)?
        .checked_add(fraction_ns(fraction)?)
}

/// Offset from UTC of `UTC`, `Z`, `+0100` or `+01:00`, ns.
pub fn zone(text: &str) -> Option<i64> {
    if matches!(text, "UTC" | "GMT" | "Z") {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = text[1..].chars().filter(|&c| c != ':').collect();
    let number = |range| digits.get(range).and_then(|d: &str| d.parse::<i64>().ok());
    let (hours, minutes) = (number(0..2)?, number(2..4)?);
    (digits.len() == 4 && hours <= 14 && minutes < 60)
        .then_some(sign * (hours * 3600 + minutes * 60) * SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date("2026-11-22"), [20_779]);
        assert_eq!(date("11/22/26"), [20_779]);
        assert_eq!(date("22/11/2026"), [20_779]);
        assert_eq!(date("22.11.2026"), [20_779]);
        assert_eq!(date("1970-01-01"), [0]);
        assert_eq!(
            date("03/04/2024").len(),
            2,
            "third of April or fourth of March"
        );
        assert_eq!(date("02/30/2024"), [0; 0]);
        assert_eq!(date("2024-02-29"), [19_782]);
        for odd in ["", "x", "1-2", "2026-13-01", "99999999999-1-1", "1/2/3/4"] {
            assert_eq!(date(odd), [0; 0], "{odd}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(
            time_of_day("05:09:20", None),
            Some((5 * 3600 + 9 * 60 + 20) * SECOND)
        );
        assert_eq!(time_of_day("12:00:01", Some("AM")), Some(SECOND));
        assert_eq!(
            time_of_day("01:00:00", Some("PM")),
            Some(13 * 3600 * SECOND)
        );
        assert_eq!(time_of_day("00:00:00.25", None), Some(SECOND / 4));
        assert_eq!(seconds("10.89"), Some(10_890_000_000));
        assert_eq!(seconds("1795324168"), Some(1_795_324_168 * SECOND));
        assert_eq!(
            (
                seconds("-1"),
                seconds(""),
                seconds("1e3"),
                seconds("99999999999")
            ),
            (None, None, None, None)
        );
        for odd in [
            "",
            "5:9",
            "25:00:00",
            "05:60:00",
            "a:b:c",
            "05:09:20:1",
            "00:00:00.1234567890",
        ] {
            assert_eq!(time_of_day(odd, None), None, "{odd}");
        }
    }

    #[test]
    fn zones() {
        assert_eq!(zone("UTC"), Some(0));
        assert_eq!(zone("+0530"), Some((5 * 3600 + 1800) * SECOND));
        assert_eq!(zone("-08:00"), Some(-8 * 3600 * SECOND));
        assert_eq!(
            (
                zone("CET"),
                zone("+9900"),
                zone("\u{e9}"),
                zone("+\u{e9}\u{e9}")
            ),
            (None, None, None, None)
        );
    }
}
