//! What a reader finds in a text: figures with their units, what tells them apart, and their places.

use crate::line::Place;
use serde::{Deserialize, Serialize};

/// Which direction of a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Good {
    /// A larger value: throughput.
    More,
    /// A smaller value: time.
    Less,
}

/// The units of figures; texts have them with other scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    BytesPerSecond,
    PerSecond,
    Nanoseconds,
    Bytes,
    /// Of 1, not of 100.
    Share,
    /// A count, or a number whose unit the text does not say.
    None,
}

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Unit::BytesPerSecond => "bytes/s",
            Unit::PerSecond => "1/s",
            Unit::Nanoseconds => "ns",
            Unit::Bytes => "bytes",
            Unit::Share => "share",
            Unit::None => "",
        }
    }

    /// More throughput and less time are better; of other units neither direction is.
    pub fn good(self) -> Option<Good> {
        match self {
            Unit::BytesPerSecond | Unit::PerSecond => Some(Good::More),
            Unit::Nanoseconds => Some(Good::Less),
            Unit::Bytes | Unit::Share | Unit::None => None,
        }
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Stable, within its tool: `read.iops`, `write.clat_p99`.
    pub key: String,
    /// For people: `read IOPS`.
    pub label: String,
    pub unit: Unit,
    pub good: Option<Good>,
}

impl Metric {
    /// A metric of which the direction follows from the unit.
    pub fn new(key: impl Into<String>, label: impl Into<String>, unit: Unit) -> Metric {
        Metric {
            key: key.into(),
            label: label.into(),
            unit,
            good: unit.good(),
        }
    }

    /// The same where neither direction is better.
    pub fn neutral(self) -> Metric {
        Metric { good: None, ..self }
    }

    pub fn better(self, good: Good) -> Metric {
        Metric {
            good: Some(good),
            ..self
        }
    }
}

/// A property that tells figures of one output apart: a job, a device, a block size.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

impl NamedValue {
    pub fn new(name: &str, value: &str) -> NamedValue {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        NamedValue {
            name: name.to_owned(),
            value: value.chars().take(MAX_VALUE).collect(),
        }
    }

    /// Letters, digits and dots of the name: `number-of-dds`.
    pub fn key(&self) -> String {
        slug(&self.name)
    }
}

/// Characters kept of a value.
const MAX_VALUE: usize = 100;

/// Letters, digits and dots of a name, for a key: `dd-to-vda1`.
pub fn slug(name: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || c == '.' {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let dashed: String = name.chars().take(MAX_VALUE).map(plain).collect();
    dashed
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// A figure in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    pub metric: Metric,
    /// In the metric's unit.
    pub value: f64,
    pub place: Place,
    /// What it was measured of, besides what the complete output is of.
    pub dimensions: Vec<NamedValue>,
    /// Number of the repeat, where the text says that it is one.
    pub repeat: Option<String>,
}

/// A histogram of latencies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyDistribution {
    /// `read`, `write`, `trim`.
    pub operation: String,
    /// Latency in ns and number of I/Os, ascending.
    pub bins: Vec<(u64, u64)>,
}
