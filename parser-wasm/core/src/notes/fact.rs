//! One statement of a note.

use serde::Serialize;

/// Characters kept of a value.
const MAX_LENGTH: usize = 300;

/// The value of a fact.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FactValue {
    /// In the unit of the fact.
    Number(f64),
    /// As in the text.
    Text(String),
}

/// One statement of a note.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// The subject, if a text has several: a job, a device, a partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Stable key.
    pub key: &'static str,
    /// For people.
    pub name: &'static str,
    pub value: FactValue,
    /// `ns`, `bytes`, `bytes/s`, `1/s`, `sectors` and `sector` (an address) of 512 bytes, `KiB`,
    /// `events`; `None` for plain numbers and words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
}

impl Fact {
    pub fn text(key: &'static str, name: &'static str, value: &str) -> Fact {
        Fact {
            of: None,
            key,
            name,
            value: FactValue::Text(cut(value)),
            unit: None,
        }
    }

    /// A number with its unit; an empty unit means none.
    pub fn number(key: &'static str, name: &'static str, value: f64, unit: &'static str) -> Fact {
        Fact {
            of: None,
            key,
            name,
            value: FactValue::Number(value),
            unit: Some(unit).filter(|u| !u.is_empty()),
        }
    }

    /// The same, with a subject.
    #[must_use]
    pub fn of(self, of: Option<&str>) -> Fact {
        Fact {
            of: of.filter(|name| !name.is_empty()).map(cut),
            ..self
        }
    }
}

/// A text of limited length.
pub fn cut(text: &str) -> String {
    text.trim().chars().take(MAX_LENGTH).collect()
}

/// The name of a device: `sda` for `/dev/sda`.
pub fn device(path: &str) -> &str {
    path.strip_prefix("/dev/").unwrap_or(path)
}

/// `256K`, `512KiB`, `64k`, `1M`, `262144` in bytes.
pub fn size(text: &str) -> Option<u64> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let scale = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        _ => return None,
    };
    text[..digits].parse::<u64>().ok()?.checked_mul(scale)
}

/// `0.43`, `0,43`.
pub fn decimal(text: &str) -> Option<f64> {
    text.replace(',', ".")
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite() && *n >= 0.0)
}
