//! Days of the Gregorian calendar.

/// Days since 1970 of a date; `None` if there is no such day from 1970 to 2261, where ns since 1970
/// end in 64 bits.
pub fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1970..2262).contains(&year) || !(1..=length).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is the last one.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    Some(
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970() {
        assert_eq!(days(1970, 1, 1), Some(0));
        assert_eq!(days(2000, 3, 1), Some(11_017));
        assert_eq!(days(2024, 2, 29), Some(19_782));
        assert_eq!(days(2026, 11, 22), Some(20_779));
        assert_eq!(
            (
                days(2026, 2, 29),
                days(2100, 2, 29),
                days(2026, 13, 1),
                days(1969, 1, 1)
            ),
            (None, None, None, None)
        );
    }
}
