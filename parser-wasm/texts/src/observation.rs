//! What a reader finds in a text: figures with their units, what tells them apart, and their
//! places.

use crate::line::Place;

pub use seekscope_core::notes::bench::slug;
pub use seekscope_core::notes::{Fact, Good};
pub use seekscope_core::results::{LatencyDistribution, NamedValue};

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

/// `Read IOPS`.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
