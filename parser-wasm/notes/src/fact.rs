//! One statement of a note.

use seekscope_trace::protocol::serialize_as_word;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Limit for the characters of a value.
const MAX_LENGTH: usize = 300;

/// The value of a fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FactValue {
    /// A number in the unit of the fact.
    Number(f64),
    /// Text as the note has it.
    Text(String),
}

/// The unit of a fact. Sectors are of 512 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactUnit {
    Ns,
    /// A time on a clock: in ns, that of a machine that runs for 105 days would not be exact.
    Seconds,
    Bytes,
    BytesPerSecond,
    PerSecond,
    Sectors,
    /// A sector address.
    Sector,
    Kib,
    Events,
}

serialize_as_word!(FactUnit, name);

impl FactUnit {
    const ALL: [FactUnit; 9] = [
        FactUnit::Ns,
        FactUnit::Seconds,
        FactUnit::Bytes,
        FactUnit::BytesPerSecond,
        FactUnit::PerSecond,
        FactUnit::Sectors,
        FactUnit::Sector,
        FactUnit::Kib,
        FactUnit::Events,
    ];

    pub fn name(self) -> &'static str {
        match self {
            FactUnit::Ns => "ns",
            FactUnit::Seconds => "s",
            FactUnit::Bytes => "bytes",
            FactUnit::BytesPerSecond => "bytes/s",
            FactUnit::PerSecond => "1/s",
            FactUnit::Sectors => "sectors",
            FactUnit::Sector => "sector",
            FactUnit::Kib => "KiB",
            FactUnit::Events => "events",
        }
    }

    /// `None` for other words: a number without a unit.
    pub fn named(name: &str) -> Option<FactUnit> {
        FactUnit::ALL.into_iter().find(|unit| unit.name() == name)
    }
}

impl<'de> Deserialize<'de> for FactUnit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FactUnit, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        FactUnit::named(&name).ok_or_else(|| D::Error::custom("no unit of facts"))
    }
}

/// One statement of a note, such as the scheduler of a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// The subject, if a text has several: a job, a device, a partition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The stable key, for scripts.
    pub key: Cow<'static, str>,
    /// The name that people see.
    pub name: Cow<'static, str>,
    pub value: FactValue,
    /// `None` for plain numbers and words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<FactUnit>,
}

impl Fact {
    pub fn text(
        key: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        value: &str,
    ) -> Fact {
        Fact {
            of: None,
            key: key.into(),
            name: name.into(),
            value: FactValue::Text(cut(value)),
            unit: None,
        }
    }

    /// A number with its unit; an empty unit means none.
    pub fn number(
        key: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        value: f64,
        unit: &'static str,
    ) -> Fact {
        Fact {
            of: None,
            key: key.into(),
            name: name.into(),
            value: FactValue::Number(value),
            unit: FactUnit::named(unit),
        }
    }

    /// The same fact about a device or a job.
    #[must_use]
    pub fn about(self, subject: Option<&str>) -> Fact {
        Fact {
            of: subject.filter(|name| !name.is_empty()).map(cut),
            ..self
        }
    }

    /// The same with texts of limited length.
    pub(super) fn bounded(self) -> Fact {
        Fact {
            of: self.of.as_deref().map(cut),
            key: cut(&self.key).into(),
            name: cut(&self.name).into(),
            value: match self.value {
                FactValue::Text(text) => FactValue::Text(cut(&text)),
                number => number,
            },
            unit: self.unit,
        }
    }
}

/// Cuts a text to the length of a value.
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
