//! What a reader finds in a text: figures with their units, dimensions and places.

use crate::line::Place;

pub use seekscope_notes::bench::slug;
pub use seekscope_notes::results::{LatencyDistribution, NamedValue};
pub use seekscope_notes::{BenchUnit as Unit, Fact, Good};

/// The quantity that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// The key, which is stable within its tool: `read.iops`, `write.clat_p99`.
    pub key: String,
    /// The name for people: `read IOPS`.
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
    /// The value in the metric's unit.
    pub value: f64,
    pub place: Place,
    /// What it was measured of, as far as that is not true of the complete output.
    pub dimensions: Vec<NamedValue>,
    /// Number of the repeat, where the text says that it is one.
    pub repeat: Option<String>,
}

/// The text with a capital letter: `Read IOPS`.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
