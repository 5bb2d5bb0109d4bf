//! The figures of a trace, one measure per file. `docs/measures.md` has the definitions and their
//! sources.
//!
//! Each measure is a small accumulator fed with events or request rows, so that one pass can feed
//! many of them and any filter can select their input. Sums are exact integers; a figure becomes a
//! float only at the end. Times are in ns, lengths in sectors of 512 bytes.

pub mod alignment;
pub mod allocation;
pub mod array;
pub mod cost;
pub mod counts;
pub mod coverage;
pub mod depth;
pub mod failed;
pub mod figures;
pub mod flush;
pub mod geometry;
pub mod held;
pub mod histogram;
pub mod interleaving;
pub mod intervals;
pub mod latency;
pub mod layout;
pub mod median;
pub mod members;
pub mod order;
pub mod partitions;
pub mod process;
pub mod readahead;
pub mod seek;
pub mod size;
pub mod span;
pub mod submitters;
pub mod suggestion;
pub mod tail;
pub mod throttled;
pub mod throughput;
pub mod union;
pub mod unplug_timer;
pub mod visit;
pub mod zones;

#[cfg(test)]
pub mod fixture;

pub use alignment::Class;
pub use geometry::{Geometry, Level};
pub use histogram::Histogram;
pub use span::{Span, Window};

/// `part / whole`; 0 if the whole is 0.
pub(crate) fn ratio(part: u128, whole: u128) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// `n` per second, in `ns`; 0 if no time passed.
pub(crate) fn per_second(n: u64, ns: u64) -> f64 {
    ratio(u128::from(n) * 1_000_000_000, u128::from(ns))
}
