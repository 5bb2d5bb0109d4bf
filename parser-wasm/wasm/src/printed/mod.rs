//! Documents that the command line prints, where they have more than the engine answers. They are
//! declared here because types and JSON Schemas in TypeScript are made from the sources in Rust;
//! nothing in Rust makes such a document.

pub mod bisection;
pub mod builds;
pub mod interval;
pub mod replay;
pub mod served;

use seekscope_core::compare::alone::RunFinding;
use seekscope_core::compare::tables::matrix::MatrixFigure;
use seekscope_core::compare::{CompareDocument, ResultsDocument};
use seekscope_core::measure::latency::Latency;
use seekscope_core::measure::stalls::Stall;
use seekscope_core::notes::Note;
use seekscope_core::notes::bench::BenchFigure;
use seekscope_core::report::summary::TraceSummary;
use seekscope_texts::reading::{ReadingWarning, TableReading};
use serde::Serialize;

seekscope_core::protocol_types![
    PrintedSummary,
    PrintedComparison,
    PrintedMatrix,
    bisection::PrintedBisection,
    builds::PrintedBuilds,
    interval::PrintedInterval,
    replay::PrintedReplay,
    served::ServedStart,
    served::ServedIndex,
    served::ServedQuery,
    served::ServedProblem,
];

/// The document of `summary --json`.
#[derive(Serialize)]
pub struct PrintedSummary {
    /// Version of the document: 1.
    pub schema: u32,
    /// In the order of the paths.
    pub traces: Vec<PrintedTrace>,
    /// The requests of all traces as one; with `--together` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<PrintedTogether>,
    /// Results of benchmarks; absent where a text has none, or belongs to a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<PrintedResults>,
}

/// The requests of several traces as one population: of one service on several hosts, or of
/// repeats. A mean of percentiles is no percentile, so they are computed from the requests.
#[derive(Serialize)]
pub struct PrintedTogether {
    /// The disks that the requests are of, as `trace: device`.
    pub disks: Vec<String>,
    /// From Q to C; absent where no request has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q2c: Option<Latency>,
    /// From D to C; absent where no request has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub d2c: Option<Latency>,
}

/// The figures of a trace, and what the command line adds to them.
#[derive(Serialize)]
#[doc(alias = "SummaryTrace")]
pub struct PrintedTrace {
    #[serde(flatten)]
    pub figures: TraceSummary,
    /// Findings about the run by itself, for the device that a comparison would choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<RunFinding>>,
    /// Stalls of the devices, by their time; at most 256, the longest ones. `compare --moment`
    /// counts them from 1.
    pub moments: Vec<Stall>,
    /// Texts next to the trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Figures of a benchmark, from notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bench: Vec<BenchFigure>,
}

/// The document of `compare --json`.
#[derive(Serialize)]
#[serde(untagged)]
pub enum PrintedComparison {
    /// Of one or more traces.
    Traces(Box<ComparedTraces>),
    /// Of results without a trace.
    Results(ComparedResults),
}

/// Runs compared, or one run explained.
#[derive(Serialize)]
pub struct ComparedTraces {
    #[serde(flatten)]
    pub document: CompareDocument,
    /// Results of benchmarks that belong to no trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<PrintedResults>,
}

/// Results without a trace.
#[derive(Serialize)]
pub struct ComparedResults {
    /// Version of the document: 1.
    pub schema: u32,
    /// Empty: there is no trace.
    pub runs: [u8; 0],
    pub results: PrintedResults,
}

/// Results of benchmarks, and how they were read.
#[derive(Serialize)]
pub struct PrintedResults {
    #[serde(flatten)]
    pub document: ResultsDocument,
    pub reading: PrintedReading,
}

/// How texts with results were read.
#[derive(Serialize)]
pub struct PrintedReading {
    /// One sentence about all tables.
    pub sentence: String,
    /// One for each table of the results, in their order.
    pub tables: Vec<TableReading>,
    /// The faults of the texts, in their order.
    pub warnings: Vec<ReadingWarning>,
    /// The texts that were not read, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

/// The document of `compare --matrix --json`. Cells are numbered row by row.
#[derive(Serialize)]
pub struct PrintedMatrix {
    /// Version of the document: 1.
    pub schema: u32,
    /// The runs, in the order of the paths; figures have a value for each.
    pub runs: Vec<MatrixRun>,
    /// What the labels of the runs differ in, and where it stands.
    pub dimensions: MatrixAxes,
    /// Values of the dimensions of each row.
    pub rows: Vec<Vec<String>>,
    /// Values of the dimensions of each column.
    pub columns: Vec<Vec<String>>,
    /// The row or column with which the others are compared; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<MatrixBaseLine>,
    /// Indices of the runs of each cell; a cell may be empty.
    pub cells: Vec<Vec<usize>>,
    /// Pairs of cells that are compared: base and other.
    pub pairs: Vec<(usize, usize)>,
    /// Indices of pairs that belong together: the matched cells of two lines.
    pub sweeps: Vec<Vec<usize>>,
    /// Figures with a value per run, a mean per cell and a change per pair.
    pub figures: Vec<MatrixFigure>,
}

/// A run of a matrix.
#[derive(Serialize)]
pub struct MatrixRun {
    pub label: String,
}

/// Dimensions of the labels.
#[derive(Serialize)]
pub struct MatrixAxes {
    pub rows: Vec<MatrixAxis>,
    pub columns: Vec<MatrixAxis>,
    /// Runs that differ only in these dimensions share a cell.
    pub averaged: Vec<MatrixAxis>,
}

/// A dimension of the labels.
#[derive(Serialize)]
pub struct MatrixAxis {
    pub key: String,
    /// The name that people see.
    pub name: String,
}

/// A row or column of a matrix.
#[derive(Serialize)]
pub struct MatrixBaseLine {
    pub axis: MatrixLineKind,
    /// Index among the rows or columns.
    pub at: usize,
}

/// A line of a matrix.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MatrixLineKind {
    Row,
    Column,
}
