//! fio's report as JSON. Times are in ns (fio 3) or us (fio 2).

use super::bench::BenchValue;
use super::{Fact, Note};
use serde_json::{Map, Value as Json};

type Object = Map<String, Json>;

/// Reads the report number `place` of a file; false if it is another JSON.
pub fn read(report: &Object, place: usize, note: &mut Note) -> bool {
    let Some(Json::String(version)) = report.get("fio version") else {
        return false;
    };
    note.add(Fact::text("fio_version", "Version", version));
    if let Some(time) = report.get("time").and_then(Json::as_str) {
        note.add(Fact::text("recorded_at", "Recorded at", time));
    }
    let common = report.get("global options").and_then(Json::as_object);
    let jobs = report
        .get("jobs")
        .or_else(|| report.get("client_stats"))
        .and_then(Json::as_array);
    for job in jobs.into_iter().flatten().filter_map(Json::as_object) {
        // The sum over clients is listed next to them.
        if job.get("jobname").and_then(Json::as_str) != Some("All clients") {
            read_job(job, common, place, note);
        }
    }
    true
}

/// Groups per report.
pub const MAX_GROUPS: usize = 1 << 16;

/// Options that describe the workload.
pub const OPTIONS: [(&str, &str); 11] = [
    ("rw", "Pattern"),
    ("bs", "Block size"),
    ("ioengine", "Engine"),
    ("iodepth", "Queue depth"),
    ("numjobs", "Jobs"),
    ("direct", "Direct"),
    ("sync", "Sync"),
    ("fsync", "fsync interval"),
    ("size", "Size"),
    ("filename", "File"),
    ("runtime", "Run time"),
];

/// Jobs of one group ran together; others may have run one after another.
fn read_job(job: &Object, common: Option<&Object>, place: usize, note: &mut Note) {
    let of = job.get("jobname").and_then(Json::as_str);
    if let Some(host) = job.get("hostname").and_then(Json::as_str) {
        note.add(Fact::text("hostname", "Host", host).of(of));
    }
    let own = job.get("job options").and_then(Json::as_object);
    for (key, name) in OPTIONS {
        let option = |options: Option<&Object>| {
            options
                .and_then(|o| o.get(key))
                .and_then(Json::as_str)
                .map(str::to_owned)
        };
        if let Some(value) = option(own).or_else(|| option(common)) {
            note.add(Fact::text(key, name, &value).of(of));
        }
    }
    if let Some(error) = job
        .get("error")
        .and_then(Json::as_f64)
        .filter(|e| *e != 0.0)
    {
        note.add(Fact::number("error", "Error", error, "").of(of));
    }
    let group = job
        .get("groupid")
        .and_then(Json::as_u64)
        .and_then(|id| usize::try_from(id).ok());
    let set = group.and_then(|id| place.checked_mul(MAX_GROUPS)?.checked_add(id));
    for direction in DIRECTIONS {
        if let Some(measured) = job
            .get(direction.word)
            .and_then(Json::as_object)
            .and_then(measured)
        {
            direction.add(measured, of, set, note);
        }
    }
}

/// Keys and names of the facts of one direction.
struct FioDirection {
    word: &'static str,
    iops: (&'static str, &'static str),
    rate: (&'static str, &'static str),
    bytes: (&'static str, &'static str),
    runtime: (&'static str, &'static str),
    mean: (&'static str, &'static str),
    p99: (&'static str, &'static str),
}

const DIRECTIONS: [FioDirection; 3] = [
    FioDirection {
        word: "read",
        iops: ("read_iops", "Read IOPS"),
        rate: ("read_bps", "Read rate"),
        bytes: ("read_bytes", "Read"),
        runtime: ("read_runtime_ns", "Read runtime"),
        mean: ("read_clat_mean_ns", "Read clat mean"),
        p99: ("read_clat_p99_ns", "Read clat p99"),
    },
    FioDirection {
        word: "write",
        iops: ("write_iops", "Write IOPS"),
        rate: ("write_bps", "Write rate"),
        bytes: ("write_bytes", "Written"),
        runtime: ("write_runtime_ns", "Write runtime"),
        mean: ("write_clat_mean_ns", "Write clat mean"),
        p99: ("write_clat_p99_ns", "Write clat p99"),
    },
    FioDirection {
        word: "trim",
        iops: ("trim_iops", "Trim IOPS"),
        rate: ("trim_bps", "Trim rate"),
        bytes: ("trim_bytes", "Trimmed"),
        runtime: ("trim_runtime_ns", "Trim runtime"),
        mean: ("trim_clat_mean_ns", "Trim clat mean"),
        p99: ("trim_clat_p99_ns", "Trim clat p99"),
    },
];

/// What a job measured in one direction. Times in ns.
#[derive(Clone, Copy, Default)]
pub struct FioMeasured {
    pub iops: Option<f64>,
    /// Bytes per second.
    pub rate: Option<f64>,
    pub bytes: Option<f64>,
    pub runtime: Option<f64>,
    /// Completion latency.
    pub mean: Option<f64>,
    pub p99: Option<f64>,
}

/// Adds what was measured in the direction of this name.
pub fn add(
    direction: &str,
    measured: FioMeasured,
    of: Option<&str>,
    set: Option<usize>,
    note: &mut Note,
) {
    if let Some(direction) = DIRECTIONS.iter().find(|known| known.word == direction) {
        direction.add(measured, of, set, note);
    }
}

/// One direction of a job in JSON; `None` if it did nothing.
fn measured(side: &Object) -> Option<FioMeasured> {
    let number = |key: &str| side.get(key).and_then(Json::as_f64);
    let iops = number("iops").filter(|iops| *iops != 0.0)?;
    let (latency, scale) = match (side.get("clat_ns"), side.get("clat")) {
        (Some(ns), _) => (Some(ns), 1.0),
        (None, us) => (us, 1000.0),
    };
    let mean = latency.and_then(|l| l.get("mean")).and_then(Json::as_f64);
    let p99 = latency
        .and_then(|l| l.get("percentile")?.get("99.000000"))
        .and_then(Json::as_f64);
    // fio 2 has `io_bytes` in KiB and no `bw_bytes`.
    let exact = side.contains_key("bw_bytes");
    Some(FioMeasured {
        iops: Some(iops),
        rate: number("bw_bytes").or(number("bw").map(|kib| kib * 1024.0)),
        bytes: number("io_bytes").map(|n| if exact { n } else { n * 1024.0 }),
        runtime: number("runtime").map(|ms| ms * 1e6),
        mean: mean.map(|t| t * scale),
        p99: p99.map(|t| t * scale),
    })
}

impl FioDirection {
    fn add(&self, measured: FioMeasured, of: Option<&str>, set: Option<usize>, note: &mut Note) {
        let facts = [
            (self.iops, measured.iops, "1/s", Some(("iops", "IOPS"))),
            (self.rate, measured.rate, "bytes/s", Some(("bw", "rate"))),
            (self.bytes, measured.bytes, "bytes", None),
            (self.runtime, measured.runtime, "ns", None),
            (
                self.mean,
                measured.mean,
                "ns",
                Some(("clat_mean", "clat mean")),
            ),
            (self.p99, measured.p99, "ns", Some(("clat_p99", "clat p99"))),
        ];
        for ((key, name), value, unit, figure) in facts {
            let Some(value) = value else { continue };
            note.add(Fact::number(key, name, value, unit).of(of));
            if let Some((end, words)) = figure {
                note.add_value(BenchValue {
                    tool: "fio",
                    of: of.map(str::to_owned),
                    whole: false,
                    set: set.filter(|_| unit != "ns"),
                    what: format!("{}.{end}", self.word),
                    words: format!("{} {words}", self.word),
                    unit,
                    value,
                });
            }
        }
    }
}
