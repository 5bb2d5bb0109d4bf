//! Figures of many runs in cells.

pub mod bench;
mod copied;
pub mod headline;
mod intervals;
pub mod matrix;
pub mod results;
pub mod sweep;
pub mod written;
