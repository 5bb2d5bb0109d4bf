//! Recordings in every format say the same.

mod binary_tracepoints;
mod blkparse_text;
pub mod call_stacks;
mod completed_text;
mod drivers;
mod field_texts;
mod ftrace_text;
mod intake;
mod other_layers;
pub mod perfetto;
pub mod tracefs;
mod tracepoints;
