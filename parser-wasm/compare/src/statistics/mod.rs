//! Errors of figures, and what can be said in spite of them. Distributions are in the crate
//! `statistics`.

pub mod discovery;
pub mod equivalence;
pub mod estimate;
pub mod noise;
pub mod percentile;
