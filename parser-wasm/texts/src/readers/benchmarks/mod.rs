//! Programs that measure, one file each.

mod benchstat;
mod bonnie;
mod collect;
mod compilebench;
mod cryptsetup;
mod db_bench;
mod dbench;
mod dd;
mod disk_mark;
mod elbencho;
mod filebench;
mod fs_mark;
mod go_bench;
mod hdparm;
mod hyperfine;
mod io_uring;
mod ioping;
mod ior;
mod iozone;
mod kbench;
mod mdtest;
mod mmtests;
mod pgbench;
mod phoronix;
mod postmark;
#[cfg(test)]
mod properties;
mod pveperf;
mod rados;
mod smallfile;
mod stress_ng;
mod sysbench;
mod time;
mod tiobench;
mod tiotest;
mod transfer;
mod vdbench;
mod wrapped;
mod xfs_io;
mod xfstests;

use super::Reader;

pub const READERS: &[Reader] = &[wrapped::read];

/// The readers of outputs as programs print them.
const PLAIN: &[Reader] = &[
    dd::read,
    sysbench::read,
    pgbench::read,
    ioping::read,
    hdparm::read,
    dbench::read,
    bonnie::read,
    iozone::read,
    fs_mark::read,
    tiobench::read,
    tiotest::read,
    filebench::read,
    postmark::read,
    stress_ng::read,
    transfer::read,
    hyperfine::read,
    benchstat::read,
    go_bench::read,
    phoronix::read,
    compilebench::read,
    elbencho::read,
    ior::read,
    mdtest::read,
    mmtests::read,
    smallfile::read,
    vdbench::read,
    xfs_io::read,
    xfstests::read,
    time::read,
    rados::read,
    kbench::read,
    disk_mark::read,
    pveperf::read,
    io_uring::read,
    db_bench::read,
    cryptsetup::read,
];
