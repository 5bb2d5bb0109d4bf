//! Programs that measure databases or other programs, and suites of them.

pub mod benchstat;
pub mod cyclictest;
pub mod db_bench;
pub mod go_bench;
pub mod hyperfine;
pub mod kbench;
pub mod kernbench;
pub mod mmtests;
pub mod perf_stat;
pub mod pgbench;
pub mod phoronix;
pub mod stress_ng;
pub mod sysbench;
pub mod time;
pub mod xfstests;
