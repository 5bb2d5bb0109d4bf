//! Text traces: lines to events, one module per dialect.
//!
//! `lines.rs` splits chunks of any size into lines, `state.rs` decides what becomes of each. The
//! dialect is that of the first line that some dialect understands (`first.rs`); later lines that
//! are not events are counted. A dialect is a struct with `looks_like(line)`, `line(line, sink)`
//! and `capabilities()`; to add one, add it to `Dialect`.

pub mod blkparse;
mod clock;
mod decoder;
mod dialect;
mod first;
mod ftrace;
pub mod lines;
mod look;
mod losses;
mod scan;
mod state;
mod tables;
mod tasks;
#[cfg(test)]
mod tests;

use crate::EventNumber;
pub use blkparse::totals::{ClosingCount, ClosingTotals};
pub use decoder::TextDecoder;
pub use look::{
    LineKind, TextLines, TextPreview, fio_log_problem, is_fio_log, look, may_have_recordings,
};
pub(super) use tasks::Tasks;

/// The result of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOutcome {
    /// An event or message of the trace.
    Taken,
    /// Known not to be an event: headings, summaries.
    Ignored,
    /// An event other than block I/O.
    Other,
    /// So many events were lost here.
    Lost(u64),
    /// A line of blkparse's closing summary.
    Summary,
    /// An event that is left out for a number that cannot be.
    Outlier(EventNumber, u64),
    /// Not understood.
    Unknown,
}
