//! Errors of figures, and what can be said in spite of them. Distributions are in the crate
//! `statistics`.
//!
//! From below: `blocks` of that crate estimates the error of a sum whose parts are not independent;
//! `estimate` and `percentile` use it for the figures of one run, `estimate` also for groups of
//! runs; `noise` knows what repeats differ by; `equivalence` and `discovery` answer the two
//! questions that follow. The verdicts that are made of these are in `pair.rs`.
//! `docs/statistics.md` has the reasons and the measurements.

pub mod discovery;
pub mod equivalence;
pub mod estimate;
pub mod noise;
pub mod percentile;
