//! The counters that are known: name, unit, what a printed number is multiplied by, and the meaning
//! in words.

use seekscope_trace::store::lanes::{LaneKind, LaneUnit};

/// A counter that a tool prints.
#[derive(Debug)]
pub struct CounterColumn {
    /// The name that the tool prints.
    pub name: &'static str,
    /// Base units of one printed unit; shares are printed in percent.
    scale: f64,
    pub unit: LaneUnit,
    pub kind: LaneKind,
    /// Whether it is drawn at first.
    pub main: bool,
    /// The tool prints 0 where nothing was measured: a wait or a size of no request.
    pub zero_is_none: bool,
    pub meaning: &'static str,
}

impl CounterColumn {
    /// A printed number in the base unit. Division keeps 70 % at 0.7.
    pub fn value(&self, printed: f64) -> f64 {
        if self.unit == LaneUnit::Share {
            printed / PERCENT
        } else {
            printed * self.scale
        }
    }
}

const KIB: f64 = 1024.0;
const MIB: f64 = 1_048_576.0;
const MS: f64 = 1e6;
const PERCENT: f64 = 100.0;

const fn rate(
    name: &'static str,
    scale: f64,
    unit: LaneUnit,
    meaning: &'static str,
) -> CounterColumn {
    CounterColumn {
        name,
        scale,
        unit,
        kind: LaneKind::Rate,
        main: false,
        zero_is_none: false,
        meaning,
    }
}
const fn main(column: CounterColumn) -> CounterColumn {
    CounterColumn {
        main: true,
        ..column
    }
}
const fn gauge(
    name: &'static str,
    scale: f64,
    unit: LaneUnit,
    meaning: &'static str,
) -> CounterColumn {
    CounterColumn {
        kind: LaneKind::Gauge,
        ..rate(name, scale, unit, meaning)
    }
}
/// A mean per request, which does not exist without one.
const fn per_request(
    name: &'static str,
    scale: f64,
    unit: LaneUnit,
    meaning: &'static str,
) -> CounterColumn {
    CounterColumn {
        zero_is_none: true,
        ..rate(name, scale, unit, meaning)
    }
}
const fn share(name: &'static str, meaning: &'static str) -> CounterColumn {
    rate(name, 1.0, LaneUnit::Share, meaning)
}
const fn per_second(name: &'static str, meaning: &'static str) -> CounterColumn {
    rate(name, 1.0, LaneUnit::PerSecond, meaning)
}
const fn bytes(name: &'static str, scale: f64, meaning: &'static str) -> CounterColumn {
    rate(name, scale, LaneUnit::BytesPerSecond, meaning)
}

const READ: &str = "bytes read per second";
const WRITTEN: &str = "bytes written per second";
const DISCARDED: &str = "bytes discarded per second";
const QUEUE: &str = "mean number of requests queued or in flight";
const SIZE: &str = "mean size of the requests";
const AWAIT: &str = "mean time of a request from queueing to completion";

/// The counters of iostat, sar -d and sadf -d; samples of diskstats give them under the same names.
pub const DEVICE: &[CounterColumn] = &[
    main(share(
        "%util",
        "share of time with a request in flight; of devices that serve several at once not their \
            load",
    )),
    main(rate("aqu-sz", 1.0, LaneUnit::Count, QUEUE)),
    main(rate("avgqu-sz", 1.0, LaneUnit::Count, QUEUE)),
    main(per_request(
        "r_await",
        MS,
        LaneUnit::Ns,
        "mean time of a read from queueing to completion",
    )),
    main(per_request(
        "w_await",
        MS,
        LaneUnit::Ns,
        "mean time of a write from queueing to completion",
    )),
    main(per_request("await", MS, LaneUnit::Ns, AWAIT)),
    main(bytes("rkB/s", KIB, READ)),
    main(bytes("wkB/s", KIB, WRITTEN)),
    main(bytes("rMB/s", MIB, READ)),
    main(bytes("wMB/s", MIB, WRITTEN)),
    main(bytes("kB_read/s", KIB, READ)),
    main(bytes("kB_wrtn/s", KIB, WRITTEN)),
    main(bytes("MB_read/s", MIB, READ)),
    main(bytes("MB_wrtn/s", MIB, WRITTEN)),
    main(bytes("Blk_read/s", 512.0, READ)),
    main(bytes("Blk_wrtn/s", 512.0, WRITTEN)),
    main(bytes("rsec/s", 512.0, READ)),
    main(bytes("wsec/s", 512.0, WRITTEN)),
    main(bytes("rd_sec/s", 512.0, READ)),
    main(bytes("wr_sec/s", 512.0, WRITTEN)),
    per_second("r/s", "reads completed per second"),
    per_second("w/s", "writes completed per second"),
    per_second("d/s", "discards completed per second"),
    per_second("f/s", "flushes completed per second"),
    per_second("tps", "requests issued per second"),
    bytes("dkB/s", KIB, DISCARDED),
    bytes("dMB/s", MIB, DISCARDED),
    bytes("kB_dscd/s", KIB, DISCARDED),
    bytes("MB_dscd/s", MIB, DISCARDED),
    per_second("rrqm/s", "reads merged into others per second"),
    per_second("wrqm/s", "writes merged into others per second"),
    per_second("drqm/s", "discards merged into others per second"),
    share("%rrqm", "share of reads merged into others"),
    share("%wrqm", "share of writes merged into others"),
    share("%drqm", "share of discards merged into others"),
    per_request(
        "d_await",
        MS,
        LaneUnit::Ns,
        "mean time of a discard from queueing to completion",
    ),
    per_request("f_await", MS, LaneUnit::Ns, "mean time of a flush"),
    per_request(
        "svctm",
        MS,
        LaneUnit::Ns,
        "time in use per request; removed from sysstat because it misleads",
    ),
    per_request("areq-sz", KIB, LaneUnit::Bytes, SIZE),
    per_request("rareq-sz", KIB, LaneUnit::Bytes, "mean size of the reads"),
    per_request("wareq-sz", KIB, LaneUnit::Bytes, "mean size of the writes"),
    per_request(
        "dareq-sz",
        KIB,
        LaneUnit::Bytes,
        "mean size of the discards",
    ),
    per_request("avgrq-sz", 512.0, LaneUnit::Bytes, SIZE),
    gauge(
        "in_flight",
        1.0,
        LaneUnit::Count,
        "requests in flight at that moment",
    ),
];

const USER: &str = "CPU time in programs";
const SYSTEM: &str = "CPU time in the kernel";
const IOWAIT: &str =
    "CPU idle while a task of it waited for I/O; 0 with asynchronous I/O, however busy the device";

/// The counters of CPUs in iostat, mpstat, sar and samples of /proc/stat.
pub const CPU: &[CounterColumn] = &[
    main(share("%iowait", IOWAIT)),
    main(share("%user", USER)),
    main(share("%usr", USER)),
    main(share("%system", SYSTEM)),
    main(share("%sys", SYSTEM)),
    main(share("%idle", "CPU idle, and no task of it waited for I/O")),
    share("%nice", "CPU time in programs of low priority"),
    share(
        "%steal",
        "time in which another virtual machine had the CPU",
    ),
    share("%irq", "CPU time in interrupt handlers"),
    share("%soft", "CPU time in soft interrupts"),
    share("%guest", "CPU time of virtual machines"),
    share("%gnice", "CPU time of virtual machines of low priority"),
];

/// The counters of vmstat.
pub const VMSTAT: &[CounterColumn] = &[
    main(share("wa", IOWAIT)),
    main(share("us", USER)),
    main(share("sy", SYSTEM)),
    main(share("id", "CPU idle, and no task of it waited for I/O")),
    main(gauge(
        "b",
        1.0,
        LaneUnit::Count,
        "tasks blocked, mostly by I/O",
    )),
    main(bytes("bi", KIB, "bytes read from block devices per second")),
    main(bytes(
        "bo",
        KIB,
        "bytes written to block devices per second",
    )),
    gauge(
        "r",
        1.0,
        LaneUnit::Count,
        "tasks that run or wait for a CPU",
    ),
    gauge("swpd", KIB, LaneUnit::Bytes, "memory swapped out"),
    gauge("free", KIB, LaneUnit::Bytes, "free memory"),
    gauge("buff", KIB, LaneUnit::Bytes, "memory in buffers"),
    gauge("cache", KIB, LaneUnit::Bytes, "memory in the page cache"),
    gauge("inact", KIB, LaneUnit::Bytes, "inactive memory"),
    gauge("active", KIB, LaneUnit::Bytes, "active memory"),
    bytes("si", KIB, "bytes swapped in per second"),
    bytes("so", KIB, "bytes swapped out per second"),
    per_second("in", "interrupts per second"),
    per_second("cs", "context switches per second"),
    share("st", "time in which another virtual machine had the CPU"),
    share("gu", "CPU time of virtual machines"),
];

/// The counters of the machine in sar.
pub const SAR: &[CounterColumn] = &[
    per_second("tps", "requests issued per second, of all devices"),
    per_second("rtps", "reads issued per second, of all devices"),
    per_second("wtps", "writes issued per second, of all devices"),
    per_second("dtps", "discards issued per second, of all devices"),
    main(bytes(
        "bread/s",
        512.0,
        "bytes read per second, of all devices",
    )),
    main(bytes(
        "bwrtn/s",
        512.0,
        "bytes written per second, of all devices",
    )),
    bytes(
        "bdscd/s",
        512.0,
        "bytes discarded per second, of all devices",
    ),
    gauge("runq-sz", 1.0, LaneUnit::Count, "tasks that wait for a CPU"),
    main(gauge(
        "blocked",
        1.0,
        LaneUnit::Count,
        "tasks blocked by I/O",
    )),
    per_second("cswch/s", "context switches per second"),
    per_second("proc/s", "tasks created per second"),
    bytes("pgpgin/s", KIB, "bytes paged in per second"),
    bytes("pgpgout/s", KIB, "bytes paged out per second"),
    gauge(
        "kbdirty",
        KIB,
        LaneUnit::Bytes,
        "memory that waits for writeback",
    ),
];

const UNNAMED: &str = "share of time in which some or all tasks were stalled; the file does not \
    name the resource, which is cpu, io, memory or irq";
const SOME_CPU: &str = "share of time in which some tasks waited for a CPU";
const SOME_IO: &str = "share of time in which some tasks waited for I/O";
const FULL_IO: &str = "share of time in which all tasks that were not idle waited for I/O";
const SOME_MEMORY: &str = "share of time in which some tasks waited for memory";
const FULL_MEMORY: &str = "share of time in which all tasks that were not idle waited for memory";

/// The counters in samples of /proc/pressure.
pub const PRESSURE: &[CounterColumn] = &[
    main(share("io some", SOME_IO)),
    main(share("io full", FULL_IO)),
    main(share("cpu some", SOME_CPU)),
    share(
        "cpu full",
        "share of time in which all tasks that were not idle waited for a CPU; 0 for the complete \
            machine",
    ),
    main(share("memory some", SOME_MEMORY)),
    main(share("memory full", FULL_MEMORY)),
    share(
        "irq some",
        "share of time in which some tasks were delayed by interrupts",
    ),
    share(
        "irq full",
        "share of time in which all tasks that were not idle were delayed by interrupts",
    ),
    main(share("1st some", UNNAMED)),
    main(share("1st full", UNNAMED)),
    main(share("2nd some", UNNAMED)),
    main(share("2nd full", UNNAMED)),
    main(share("3rd some", UNNAMED)),
    main(share("3rd full", UNNAMED)),
];

/// The counters in samples of /proc/vmstat. Pages have the size that the kernel was built with,
/// which the file does not contain.
pub const PAGES: &[CounterColumn] = &[
    main(gauge(
        "nr_dirty",
        1.0,
        LaneUnit::Count,
        "pages that wait for writeback",
    )),
    main(gauge(
        "nr_writeback",
        1.0,
        LaneUnit::Count,
        "pages that are being written back",
    )),
    main(bytes(
        "pgpgin",
        KIB,
        "bytes read from block devices per second",
    )),
    main(bytes(
        "pgpgout",
        KIB,
        "bytes written to block devices per second",
    )),
    per_second("nr_dirtied", "pages dirtied per second"),
    per_second("nr_written", "pages written back per second"),
    per_second(
        "pgmajfault",
        "page faults per second that had to read from a device",
    ),
    per_second("pswpin", "pages swapped in per second"),
    per_second("pswpout", "pages swapped out per second"),
    per_second(
        "pgscan_kswapd",
        "pages per second that kswapd looked at, to free memory",
    ),
    per_second(
        "pgscan_direct",
        "pages per second that tasks looked at, to free memory for themselves",
    ),
];

/// The counters in samples of a control group's io.stat.
pub const CGROUP: &[CounterColumn] = &[
    main(bytes(
        "cgroup rbytes",
        1.0,
        "bytes read per second by the control group of the command",
    )),
    main(bytes(
        "cgroup wbytes",
        1.0,
        "bytes written per second by the control group of the command",
    )),
    per_second(
        "cgroup rios",
        "reads per second by the control group of the command",
    ),
    per_second(
        "cgroup wios",
        "writes per second by the control group of the command",
    ),
    bytes(
        "cgroup dbytes",
        1.0,
        "bytes discarded per second by the control group of the command",
    ),
    per_second(
        "cgroup dios",
        "discards per second by the control group of the command",
    ),
];

/// Position of a counter in the tables: the more telling ones first.
pub fn rank(column: &'static CounterColumn) -> usize {
    let mut all = [DEVICE, CPU, VMSTAT, SAR, PRESSURE, PAGES, CGROUP]
        .into_iter()
        .flatten();
    all.position(|candidate| std::ptr::eq(candidate, column))
        .unwrap_or(usize::MAX)
}

pub fn find(columns: &'static [CounterColumn], name: &str) -> Option<&'static CounterColumn> {
    columns.iter().find(|column| column.name == name)
}
