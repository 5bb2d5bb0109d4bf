//! The figures of a trace, one measure per file. `docs/measures.md` has the definitions and their
//! sources.
//!
//! Each measure is a small accumulator fed with events or request rows, so that one pass can feed
//! many of them and any filter can select their input. Sums are exact integers; a figure becomes a
//! float only at the end. Times are in ns, lengths in sectors of 512 bytes.
#![forbid(unsafe_code)]

pub mod access;
pub mod arrays;
pub mod bounds;
pub mod call_path;
pub mod calls;
pub mod counts;
pub mod coverage;
pub mod depth;
pub mod failed;
pub mod figures;
pub mod flush;
pub mod histogram;
pub mod intervals;
pub mod latency;
pub mod layers;
pub mod median;
pub mod objects;
pub mod process;
pub mod size;
pub mod span;
pub mod stacks;
pub mod stalls;
pub mod submitters;
pub mod tail;
pub mod throughput;
pub mod union;
pub mod waiting;
pub mod zones;

pub use arrays::alignment::Class;
pub use arrays::geometry::{Geometry, Level};
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
