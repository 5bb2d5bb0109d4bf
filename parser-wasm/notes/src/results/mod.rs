//! Results of benchmarks without a trace, as runs of a matrix. The crate `seekscope-texts` reads
//! them; links and reports carry them; [`seekscope_compare::tables::results`] compares them.
//!
//! Bounds: [`ResultSet::bounded`] for tables that come from elsewhere than a text.

mod arrange;
mod layout;
mod table;

pub use arrange::Arrangement;
pub use layout::{JOINT, ResultLayout, layout};
pub use table::{
    LatencyDistribution, NamedValue, ResultAxis, ResultBase, ResultDimension, ResultRun, ResultSet,
    ResultTable,
};
