//! The results of texts as tables of runs that can be compared: what the command line and the page
//! show.

use crate::line::Place;
use crate::observation::{Good, LatencyDistribution, NamedValue};
use serde::{Deserialize, Serialize};

/// A figure of a run, measured by a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchFigure {
    /// Stable, to compare runs by: `bench.fio.write.bw`.
    pub key: String,
    /// For people.
    pub label: String,
    /// `bytes/s`, `1/s`, `ns`, `bytes`, `share`; empty for a count or an unknown unit.
    pub unit: String,
    /// `None`: a difference is a change, neither better nor worse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<Good>,
    pub value: f64,
    /// Where it stands in a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<FigurePlace>,
}

/// Where a figure stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigurePlace {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// Characters of the line, in UTF-16, from 1; the second one is behind the figure.
    pub columns: [u32; 2],
    /// Index of the line in the text as it is shown, which is another one where the file is encoded.
    pub shown: u32,
}

/// Results without traces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultSet {
    pub tables: Vec<ResultTable>,
}

/// Runs that were measured in the same way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultTable {
    /// The program, and what was measured.
    pub title: String,
    /// The program that printed the figures; `table` for tables of people.
    pub tool: String,
    /// Files with its runs.
    pub files: Vec<String>,
    /// The same in all runs.
    pub common: Vec<NamedValue>,
    /// Names of metrics that are 0 in all runs, which have none of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zero: Vec<String>,
    /// Those in which runs differ; the first one is that which is compared.
    pub dimensions: Vec<ResultDimension>,
    /// Runs with the same values are repeats.
    pub runs: Vec<ResultRun>,
    /// Keys of dimensions.
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    /// With what runs are compared; absent where the text has one side only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<ResultBase>,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRun {
    pub label: String,
    pub file: String,
    /// The first line of its figures, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// By dimension; empty if it has none.
    pub values: Vec<String>,
    pub figures: Vec<BenchFigure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<LatencyDistribution>,
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

/// Where a place of a reader is in the file.
pub fn figure_place(
    file: &str,
    shown: &crate::transport::ShownText,
    place: Place,
) -> Option<FigurePlace> {
    let line = shown.lines.get(place.line as usize)?;
    let units = |end: u32| {
        let end = (end as usize).min(line.text.len());
        line.text
            .get(..end)
            .map_or(end, |text| text.encode_utf16().count()) as u32
    };
    Some(FigurePlace {
        file: file.to_owned(),
        line: line.file_line + 1,
        columns: [
            line.file_column + units(place.start) + 1,
            line.file_column + units(place.end) + 1,
        ],
        shown: place.line,
    })
}
