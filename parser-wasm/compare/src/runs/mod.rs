//! What a comparison has of each run.

pub mod bins;
pub mod context;
pub mod counter_means;
pub mod digest;
pub mod failures;
pub mod limiters;
pub mod places;
pub mod requested;
pub mod run;
pub mod tail;
pub mod work_bytes;
