//! Seekscope's engine under one name: bytes of a block I/O trace in, pictures and figures out. The
//! work is done by the crates that are named here; `README.md` says which does what.
//!
//! Bytes enter through [`builder::TraceBuilder`], which moves them through `format` - `order` -
//! `lifecycle` into a `store`; `measure` - `report` - `compare` and `plot` read the store. `intake`
//! groups files into traces before, `notes` reads the text files next to them. No I/O and no
//! JavaScript in any of them: callers push bytes and send queries.
#![forbid(unsafe_code)]

pub use seekscope_compare as compare;
pub use seekscope_counters as counters;
pub use seekscope_error as error;
pub use seekscope_formats as format;
pub use seekscope_measure as measure;
pub use seekscope_notes as notes;
pub use seekscope_notes::results;
pub use seekscope_plot as plot;
pub use seekscope_reading::{beside, bounds, builder, intake};
pub use seekscope_report as report;
pub use seekscope_snapshot as snapshot;
pub use seekscope_trace::{
    capabilities, errno, event, json, lifecycle, limits, order, protocol, protocol_types, quantity,
    store,
};
