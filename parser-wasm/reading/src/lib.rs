//! From files to the store of a trace. `intake` decides which files are traces and which belong
//! together; [`builder::TraceBuilder`] moves the bytes of one trace through its format, the order
//! and the lifecycle into a store.
//!
//! No I/O in here: callers push bytes.
#![forbid(unsafe_code)]

pub mod beside;
pub mod bounds;
pub mod builder;
pub mod intake;
