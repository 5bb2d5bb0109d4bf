//! Distributions, quantiles and change points: pure functions of numbers, for the engine, the fleet
//! page and `seekscope builds`. `docs/statistics.md` describes the methods.

#![forbid(unsafe_code)]

pub mod beta;
pub mod blocks;
pub mod changes;
pub mod discovery;
pub mod normal;
pub mod repeats;
pub mod sample;
pub mod scan;
pub mod student;
