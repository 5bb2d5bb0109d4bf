//! Counters and totals of the machine and of tracers, as results.

mod blkiomon;
mod blkparse;
mod btt;
pub mod columns;
#[cfg(test)]
mod damage;
mod diskstats;
pub mod histograms;
pub mod iostat;
mod lkp;
mod mdstat;
mod pidstat;
pub mod reports;
mod sadf;
#[cfg(test)]
mod samples;
mod sar;
mod sizes;
mod vmstat;
pub(crate) mod words;
mod zpool;

use super::Reader;

pub const READERS: &[Reader] = &[
    iostat::read,
    pidstat::read,
    sadf::read,
    sar::read,
    vmstat::read,
    blkparse::read,
    btt::read,
    blkiomon::read,
    diskstats::read,
    histograms::read,
    mdstat::read,
    sizes::read,
    lkp::read,
    zpool::read,
];
