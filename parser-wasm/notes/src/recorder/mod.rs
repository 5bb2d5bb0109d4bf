//! What only `seekscope-record` leaves beside a trace.

pub mod clock_sync;
pub mod trigger;
