//! Damaged, incomplete and extreme input.

mod beyond_limits;
mod broken_bin;
mod cpus;
mod damage;
mod extremes;
mod growth;
mod holes;
mod time_outliers;
