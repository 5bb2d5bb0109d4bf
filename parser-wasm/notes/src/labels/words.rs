//! Words of names: those of known dimensions, of repeats, and of parameters.

pub(super) const SCHEDULERS: [&str; 9] = [
    "none",
    "noop",
    "deadline",
    "mq-deadline",
    "kyber",
    "bfq",
    "cfq",
    "anticipatory",
    "adios",
];
pub(super) const FILESYSTEMS: [&str; 11] = [
    "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "reiserfs", "zfs", "bcachefs", "raw",
];
pub(super) const DEVICES: [&str; 11] = [
    "scsi", "virtio", "nvme", "sata", "sas", "ssd", "hdd", "usb", "mmc", "ide", "iscsi",
];
/// Levels of RAID; `raid` alone is the name of the dimension.
pub(super) const RAID_LEVELS: [&str; 7] = [
    "raid0", "raid1", "raid4", "raid5", "raid6", "raid10", "jbod",
];
/// Modes of caches of virtual disks, bcache and LVM.
pub(super) const CACHE_MODES: [&str; 6] = [
    "writeback",
    "writethrough",
    "writearound",
    "write-back",
    "write-through",
    "directsync",
];
/// Words before the number of a repeat.
pub(super) const REPEATS: [&str; 15] = [
    "run",
    "runs",
    "rep",
    "repeat",
    "repetition",
    "iter",
    "iteration",
    "try",
    "attempt",
    "trial",
    "take",
    "pass",
    "round",
    "sample",
    "measurement",
];
/// May count repeats, or name the level of a RAID: `r1`, `r10`.
pub(super) const R: &str = "r";
/// Larger numbers are not counts of repeats.
pub(super) const MAX_REPEAT: u32 = 99;
/// Words whose number is a value or names a thing: it never counts repeats.
pub(super) const PARAMETERS: [&str; 72] = [
    "batch",
    "block",
    "bs",
    "build",
    "case",
    "cfg",
    "chunk",
    "client",
    "clients",
    "config",
    "core",
    "cores",
    "cpu",
    "cpus",
    "depth",
    "dev",
    "device",
    "devices",
    "disk",
    "disks",
    "drive",
    "file",
    "files",
    "gen",
    "group",
    "host",
    "idle",
    "iodepth",
    "kb",
    "kernel",
    "kib",
    "latency",
    "level",
    "limit",
    "load",
    "lun",
    "mb",
    "mib",
    "mode",
    "node",
    "nr",
    "ns",
    "numa",
    "part",
    "partition",
    "patch",
    "path",
    "pcie",
    "phase",
    "port",
    "prio",
    "q",
    "qd",
    "queue",
    "queues",
    "ra",
    "raid",
    "rate",
    "requests",
    "rev",
    "server",
    "size",
    "socket",
    "stage",
    "step",
    "stripe",
    "test",
    "type",
    "variant",
    "ver",
    "version",
    "vm",
];
/// Words for a side of a comparison, to which the number of a repeat may be attached: `old1`.
pub(super) const SIDES: [&str; 21] = [
    "after",
    "bad",
    "base",
    "baseline",
    "before",
    "broken",
    "control",
    "fast",
    "fixed",
    "good",
    "new",
    "old",
    "orig",
    "original",
    "patched",
    "ref",
    "reference",
    "slow",
    "stock",
    "unpatched",
    "vanilla",
];
/// Words before or after a count, by dimension.
pub(super) const COUNTS: [(&str, &[&str]); 4] = [
    ("writers", &["w", "writer", "writers", "dd", "dds"]),
    ("threads", &["t", "thr", "thread", "threads"]),
    ("readers", &["reader", "readers"]),
    ("jobs", &["j", "job", "jobs", "numjobs", "procs"]),
];
/// Words after a kernel version that belong to it.
pub(super) const KERNEL_ENDS: [&str; 14] = [
    "amd64", "generic", "x86", "64", "default", "smp", "pae", "arm64", "aarch64", "i686", "686",
    "rt", "lts", "cloud",
];
/// Names of files and folders that say nothing about a run.
pub(super) const EMPTY: [&str; 8] = [
    "trace", "traces", "blktrace", "out", "output", "log", "dump", "kernel",
];

/// Settings whose value may follow after a blank or `=`.
pub(super) const SETTINGS: [&str; 9] = [
    "slice_idle",
    "low_latency",
    "read_ahead_kb",
    "nr_requests",
    "queue_depth",
    "max_sectors_kb",
    "stripe_cache_size",
    "wbt_lat_usec",
    "iodepth",
];
/// Units after a number: the number alone is the value.
pub(super) const UNITS: [&str; 10] = ["ns", "us", "ms", "s", "kb", "mb", "gb", "kib", "mib", "gib"];
