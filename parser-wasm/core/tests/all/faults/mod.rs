//! Damaged, incomplete and extreme input.

mod beyond_limits;
mod cpus;
mod damage;
mod extremes;
mod growth;
mod holes;
mod time_outliers;
