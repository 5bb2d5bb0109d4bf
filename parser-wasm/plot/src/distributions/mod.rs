//! How often each value occurs: latencies and their causes, sizes, places in a stripe.

pub mod latency;
mod percentile_band;
pub mod sizes;
pub mod stripes;
pub mod tail;
