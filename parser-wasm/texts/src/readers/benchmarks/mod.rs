//! The programs that measure, one file each.

mod collect;
mod devices;
mod file_systems;
mod programs;
#[cfg(test)]
mod properties;
mod wrapped;

use super::Reader;

pub const READERS: &[Reader] = &[wrapped::read];

/// The readers of outputs as programs print them.
const PLAIN: &[Reader] = &[
    devices::dd::read,
    programs::sysbench::read,
    programs::pgbench::read,
    devices::ioping::read,
    devices::hdparm::read,
    file_systems::dbench::read,
    file_systems::bonnie::read,
    file_systems::iozone::read,
    file_systems::fs_mark::read,
    file_systems::tiobench::read,
    file_systems::tiotest::read,
    file_systems::filebench::read,
    file_systems::postmark::read,
    programs::stress_ng::read,
    devices::transfer::read,
    programs::hyperfine::read,
    programs::benchstat::read,
    programs::go_bench::read,
    programs::phoronix::read,
    file_systems::compilebench::read,
    file_systems::elbencho::read,
    file_systems::ior::read,
    file_systems::mdtest::read,
    programs::mmtests::read,
    file_systems::smallfile::read,
    devices::vdbench::read,
    devices::xfs_io::read,
    programs::xfstests::read,
    programs::time::read,
    devices::rados::read,
    programs::kbench::read,
    programs::kernbench::read,
    programs::perf_stat::read,
    devices::disk_mark::read,
    devices::pveperf::read,
    devices::io_uring::read,
    programs::db_bench::read,
    devices::cryptsetup::read,
    programs::cyclictest::read,
    file_systems::blogbench::read,
];
