//! The fields of a tracepoint in text.

use super::fields::{FIELDS, FieldPlace};
use super::{PointDevice, PointValues, ValueField, ValueFields, ValuePoint};

impl PointValues {
    /// Takes a line of a tracepoint; ignores others.
    pub fn take_line(&mut self, time: u64, name: &[u8], body: &[u8]) {
        let Some(point) = ValuePoint::named(name) else {
            return;
        };
        let Ok(body) = std::str::from_utf8(body) else {
            return;
        };
        let (device, rest) = body.split_once(' ').unwrap_or((body, ""));
        self.take(time, point, &ValueLine { device, rest });
    }
}

/// The device and the text behind it.
struct ValueLine<'a> {
    device: &'a str,
    rest: &'a str,
}

impl ValueFields for ValueLine<'_> {
    fn device(&self) -> Option<PointDevice> {
        match self.device.strip_prefix('[') {
            // The device is `[vda]` or `[vda:/group]`.
            Some(name) => PointDevice::named(name.split([':', ']']).next()?),
            None => PointDevice::numbered(self.device),
        }
    }

    fn number(&self, field: ValueField) -> Option<f64> {
        let ratio = || {
            let words = self
                .rest
                .split_whitespace()
                .filter_map(|word| word.split_once('/'));
            words
                .filter_map(|(over, under)| {
                    Some((over.parse::<f64>().ok()?, under.parse::<f64>().ok()?))
                })
                .next()
        };
        match place(field)? {
            FieldPlace::After(key) => number(after(self.rest, key)?),
            FieldPlace::Changed(key) => number(after(self.rest, key)?.split_once("->")?.1),
            FieldPlace::Word(n) => self.rest.split_whitespace().nth(n)?.parse().ok(),
            FieldPlace::Over => Some(ratio()?.0),
            FieldPlace::Under => Some(ratio()?.1),
            FieldPlace::Contains(text) => Some(f64::from(u8::from(self.rest.contains(text)))),
        }
    }

    fn word(&self, field: ValueField) -> Option<&str> {
        match place(field)? {
            FieldPlace::Word(n) => self.rest.split_whitespace().nth(n),
            _ => None,
        }
    }
}

fn place(field: ValueField) -> Option<FieldPlace> {
    FIELDS.iter().find(|row| row.0 == field).map(|row| row.2)
}

/// The text behind a key.
fn after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let starts = |&(index, _): &(usize, &str)| index == 0 || text[..index].ends_with([' ', '(']);
    let (index, _) = text.match_indices(key).find(starts)?;
    Some(&text[index + key.len()..])
}

/// The number at the start of a text.
fn number(text: &str) -> Option<f64> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '-' && c != '.')
        .unwrap_or(text.len());
    text[..end].parse().ok()
}
