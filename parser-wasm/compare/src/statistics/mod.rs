//! Errors of figures, and what can be said in spite of them.

pub mod blocks;
pub mod discovery;
pub mod equivalence;
pub mod estimate;
pub mod noise;
pub mod percentile;
pub mod student;
