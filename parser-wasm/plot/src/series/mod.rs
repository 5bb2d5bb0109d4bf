//! What happens over time: depth, rates, lanes, and the state of a device at a moment.

pub mod depth;
pub mod depth_blocks;
pub mod lanes;
pub mod moments;
pub mod playback;
pub mod rate;
pub mod rate_blocks;
pub mod stripe_time;
pub mod totals;
