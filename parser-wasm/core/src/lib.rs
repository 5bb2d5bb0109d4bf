//! Seekscope's engine: bytes of a block I/O trace in, pictures and figures out.
//!
//! Bytes enter through [`builder::TraceBuilder`], which moves them through `format` - `order` -
//! `lifecycle` into a `store`; `measure` - `report` - `compare` and `plot` read the store. `intake`
//! groups files into traces before, `notes` reads the text files next to them.
//! `tests/all/structure/imports.rs` has the table of modules that each module may use. No I/O and no
//! JavaScript in here: callers push bytes and send queries.
#![forbid(unsafe_code)]


pub use seekscope_trace::{calendar, capabilities, driver_counts, errno, event, json, kinds, lifecycle, limits, names, order, plugs, protocol, quantity, remedy, replay, sorting, store};
#[cfg(test)]
use seekscope_trace::fixture;
pub use seekscope_trace::protocol_types;
pub use seekscope_formats as format;
pub use seekscope_error as error;
pub use seekscope_counters as counters;
pub use seekscope_notes as notes;
pub use seekscope_notes::results;
pub use seekscope_measure as measure;
pub use seekscope_report as report;
pub use seekscope_compare as compare;
pub use seekscope_plot as plot;
pub use seekscope_snapshot as snapshot;
pub use seekscope_reading::bounds;
pub use seekscope_reading::intake;
pub use seekscope_reading::builder;
