//! Numbers as two integers, digits and place: the shortest decimal that gives the same number.

use serde_json::{Number, Value};

/// Limit for exponents: 10^-400 to 10^400.
const ZERO: i64 = 400;

/// The place that marks a negative integer.
const NEGATIVE: u64 = 1;

/// Digits and place. Place 0: an integer; 1: a negative integer; else 2 + 2 * exponent code + sign,
/// where the code of an exponent e is -2e up to 0 and 2e + 1 above, so that common exponents are
/// small numbers.
pub fn to_decimal(value: Option<&Value>) -> (u64, u64) {
    let Some(Value::Number(number)) = value else {
        return (0, 0);
    };
    if let Some(whole) = number.as_u64() {
        return (whole, 0);
    }
    if let Some(whole) = number.as_i64() {
        return (whole.unsigned_abs(), NEGATIVE);
    }
    let text = format!("{:e}", number.as_f64().unwrap_or(0.0));
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (negative, digits) = digits
        .strip_prefix('-')
        .map_or((false, digits), |d| (true, d));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i64>().unwrap_or(0) - part.len() as i64;
    let significand = format!("{whole}{part}").parse().unwrap_or(0);
    // Most exponents are between -20 and 0, so they get the small codes.
    let place = if exponent <= 0 {
        (-exponent) * 2
    } else {
        exponent * 2 + 1
    };
    (
        significand,
        2 + (place.clamp(0, 2 * ZERO) as u64) * 2 + u64::from(negative),
    )
}

/// The inverse; `None` for a place that no number has.
pub fn from_decimal(digits: u64, place: u64) -> Option<Number> {
    let code = match place {
        0 => return Some(Number::from(digits)),
        NEGATIVE => return 0i64.checked_sub_unsigned(digits).map(Number::from),
        code => code - 2,
    };
    let (negative, place) = (code & 1 == 1, (code >> 1) as i64);
    if place > 2 * ZERO {
        return None;
    }
    let exponent = if place & 1 == 1 {
        place >> 1
    } else {
        -(place >> 1)
    };
    let value: f64 = format!("{}{digits}e{exponent}", if negative { "-" } else { "" })
        .parse()
        .ok()?;
    Number::from_f64(value)
}

/// Rounds to so many significant digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    format!("{value:.*e}", digits.saturating_sub(1))
        .parse()
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_number_comes_back() {
        let numbers = [
            0.0,
            1.5,
            -2.25,
            0.1,
            1e-7,
            123_456.789,
            1e300,
            -1e-300,
            f64::MIN_POSITIVE,
            f64::MAX,
            5e-324,
            1.0 / 3.0,
        ];
        for n in numbers {
            let (digits, place) = to_decimal(Some(&json!(n)));
            assert_eq!(
                from_decimal(digits, place).and_then(|b| b.as_f64()),
                Some(n),
                "{n}"
            );
        }
        for n in [0u64, 1, 77, u64::MAX] {
            assert_eq!(to_decimal(Some(&json!(n))), (n, 0));
            assert_eq!(from_decimal(n, 0), Some(Number::from(n)));
        }
        let (digits, place) = to_decimal(Some(&json!(-3)));
        assert_eq!(from_decimal(digits, place), Some(Number::from(-3)));
        assert_eq!(from_decimal(1, u64::MAX), None);
    }

    #[test]
    fn few_digits_are_the_nearest() {
        assert_eq!(
            [
                rounded(1.234_56, 3),
                rounded(-987_654.0, 2),
                rounded(0.0, 5),
                rounded(0.000_123_456, 4)
            ],
            [1.23, -990_000.0, 0.0, 0.000_123_5]
        );
        assert!(rounded(f64::NAN, 3).is_nan());
    }
}
