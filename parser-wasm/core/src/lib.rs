//! Seekscope's engine: bytes of a block I/O trace in, pictures and figures out.
//!
//! Bytes enter through [`builder::TraceBuilder`], which moves them through `format` - `order` -
//! `lifecycle` into a `store`; `measure` - `report` - `compare` and `plot` read the store. `intake`
//! groups files into traces before, `notes` reads the text files next to them.
//! `tests/all/structure/imports.rs` has the table of modules that each module may use. No I/O and no
//! JavaScript in here: callers push bytes and send queries.
#![forbid(unsafe_code)]

pub mod bounds;
pub mod builder;
mod calendar;
pub mod capabilities;
pub mod compare;
pub mod counters;
pub mod driver_counts;
pub mod errno;
pub mod error;
pub mod event;
#[cfg(test)]
mod fixture;
pub mod format;
pub mod intake;
pub mod json;
mod kinds;
pub mod lifecycle;
pub mod limits;
pub mod measure;
mod names;
pub mod notes;
pub mod order;
pub mod plot;
mod plugs;
pub mod protocol;
pub mod quantity;
mod remedy;
mod replay;
pub mod report;
pub mod results;
pub mod snapshot;
mod sorting;
pub mod store;
