//! Tables of runs without a trace: what a text says of them, and what is compared.

use crate::BenchFigure;
use crate::bench::slug;
use crate::fact::cut;
use serde::{Deserialize, Serialize};

/// A dimension and its value: `kernel`, `2.6.34-rc5`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

impl NamedValue {
    pub fn new(name: &str, value: &str) -> NamedValue {
        NamedValue {
            name: cut(name),
            value: cut(&value.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    /// Equal for all spellings of a name.
    pub fn key(&self) -> String {
        slug(&self.name)
    }
}

/// How many I/Os of a run took how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyDistribution {
    /// `read`, `write`, `trim`.
    pub operation: String,
    /// Latency in ns and number of I/Os, ascending.
    pub bins: Vec<(f64, u64)>,
}

/// Results without traces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultSet {
    pub tables: Vec<ResultTable>,
}

/// Runs that were measured in the same way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultTable {
    /// The program, and what was measured.
    pub title: String,
    /// `table`, or the program that printed it: `fio`, `dd`, `iostat`.
    pub tool: String,
    /// Files with its runs.
    pub files: Vec<String>,
    /// The same in all runs.
    pub common: Vec<NamedValue>,
    /// Names of metrics that are 0 in all runs, which have none of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zero: Vec<String>,
    /// Those in which runs differ.
    pub dimensions: Vec<ResultDimension>,
    /// Runs with the same values are repeats.
    pub runs: Vec<ResultRun>,
    /// Keys of dimensions.
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    /// With what runs are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<ResultBase>,
    /// Values of the first dimension whose runs are in no cell, because a person left them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// By what the text tells its sides apart, in words: `by the headings`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

/// A dimension in which runs differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultDimension {
    pub key: String,
    pub name: String,
}

/// A run without a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultRun {
    pub label: String,
    pub file: String,
    /// Where its first figure stands in the file, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// By dimension; empty if it has none.
    pub values: Vec<String>,
    /// Which one it is of those with the same values, where the text says so: `2`, `interval 3`,
    /// `500 ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
    pub figures: Vec<BenchFigure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<LatencyDistribution>,
}

impl ResultRun {
    /// Whether it is an interval of a measurement, and no measurement of its own.
    pub fn is_interval(&self) -> bool {
        let name = self.repeat.as_deref().unwrap_or("");
        name.starts_with("interval ") || name.ends_with(" ms")
    }
}

/// Which side of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultAxis {
    Row,
    Column,
}

/// The line of a matrix with which others are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultBase {
    pub axis: ResultAxis,
    /// Its values, joined by U+0001.
    pub key: String,
}
