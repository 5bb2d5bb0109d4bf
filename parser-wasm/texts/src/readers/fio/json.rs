//! fio's JSON and JSON+, complete, cut, or within another document.
//!
//! ```text
//! {"fio version": "fio-3.33", "timestamp": 1795670036, "global options": {"bs": "4k"}, "jobs": [
//!   {"jobname": "a", "groupid": 0, "error": 0, "elapsed": 3, "job options": {"rw": "randread"},
//!    "read": {"bw_bytes": 178394002, "bw": 174212, "iops": 43553.2, "total_ios": 87150,
//!             "clat_ns": {"min": 18075, "max": 4564512, "mean": 117188.5, "stddev": 141273.6,
//!                         "percentile": {"99.000000": 292864}, "bins": {"67072": 12}}},
//!    "sync": {"total_ios": 0, "lat_ns": {...}}}]}
//! ```
//!
//! Of its hundred numbers per job only those are taken that people compare: rates, and the mean,
//! the maximum and the percentiles of completion latency.
//!
//! `client_stats` has the jobs of several machines. fio 2 has `clat` in us, no `bw_bytes`, and the
//! bins of JSON+ without their latencies.

use super::figures::{Measured, Operation, Quantity, Stage, Statistic};
use super::invocation::{Invocation, Job, MAX_JOBS};
use super::options::{Options, option_sizes, pattern, split_sizes};
use super::sums::ALL_CLIENTS;
use crate::json::{Object, Parsed, Value, parse, parse_members};
use crate::observation::{Fact, capitalized};
use crate::recognise::Cursor;
use seekscope_trace::sorting::SortShort;

/// Options besides those that distinguish jobs, with their names.
const REMARKS: [(&str, &str); 6] = [
    ("direct", "Direct"),
    ("sync", "Sync"),
    ("fsync", "fsync interval"),
    ("size", "Size"),
    ("filename", "File"),
    ("runtime", "Run time"),
];
/// Block size of jobs that do not say another one.
const DEFAULT_SIZE: &str = "4k";

/// The reports of one document.
pub struct JsonOutput {
    /// The reports, with the name that a document around them gives them.
    pub reports: Vec<Report>,
    /// Offset of the line behind the document.
    pub end: usize,
}

pub struct Report {
    pub name: String,
    pub invocation: Invocation,
    /// Seconds since 1970, and since fio began.
    pub clock: Option<(f64, f64)>,
}

/// The document that begins at an offset.
pub fn read(cursor: Cursor, offset: usize) -> Option<JsonOutput> {
    let text = cursor.text(offset).trim_start();
    let Parsed { value, end, .. } = match text.as_bytes().first()? {
        b'{' | b'[' => parse(cursor, offset)?,
        b'"' if is_member(text) => parse_members(cursor, offset)?,
        _ => return None,
    };
    let mut reports = Vec::new();
    find(&value, "", &mut reports);
    reports.retain(|report| !report.invocation.is_empty());
    (!reports.is_empty()).then_some(JsonOutput { reports, end })
}

/// Whether an excerpt may begin with a member: one that has others within it.
pub fn is_member(text: &str) -> bool {
    let members = [
        "\"fio version\"",
        "\"jobs\"",
        "\"client_stats\"",
        "\"jobname\"",
        "\"read\"",
        "\"write\"",
        "\"trim\"",
    ];
    let named = members.iter().find_map(|name| text.strip_prefix(name));
    named.is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// Finds reports at any depth of a document.
fn find(value: &Value, name: &str, reports: &mut Vec<Report>) {
    match value {
        Value::Object(object) => {
            if let Some(report) = report(object) {
                let name = name.to_owned();
                reports.push(Report { name, ..report });
                return;
            }
            for (key, value) in &object.members {
                find(value, &joined(name, key), reports);
            }
        }
        Value::Array(values) => {
            let jobs = values.iter().filter_map(Value::as_object);
            let jobs = jobs.filter_map(|object| job(object, None)).take(MAX_JOBS);
            let jobs: Vec<Job> = jobs.collect();
            if !jobs.is_empty() {
                reports.push(Report {
                    name: name.to_owned(),
                    invocation: Invocation {
                        jobs,
                        ..Invocation::default()
                    },
                    clock: None,
                });
                return;
            }
            for (index, value) in values.iter().enumerate() {
                find(value, &joined(name, &(index + 1).to_string()), reports);
            }
        }
        _ => {}
    }
}

fn joined(front: &str, key: &str) -> String {
    if front.is_empty() {
        key.to_owned()
    } else {
        format!("{front} {key}")
    }
}

/// The report that an object is: of fio, of a job, or of an operation.
fn report(object: &Object) -> Option<Report> {
    let listed = object
        .array("jobs")
        .or_else(|| object.array("client_stats"));
    let global = object.object("global options");
    let mut jobs: Vec<Job> = Vec::new();
    let mut clients: Vec<(&str, f64)> = Vec::new();
    let mut elapsed: f64 = 0.0;
    let entries = listed.into_iter().flatten().filter_map(Value::as_object);
    for entry in entries.take(MAX_JOBS) {
        let Some(mut job) = job(entry, global) else {
            continue;
        };
        let port = entry.number("port").map_or(0.0, |port| port.0);
        if let Some(host) = entry.text("hostname").filter(|_| job.name != ALL_CLIENTS) {
            let client = (host, port);
            job.client = clients
                .iter()
                .position(|earlier| *earlier == client)
                .unwrap_or_else(|| {
                    clients.push(client);
                    clients.len() - 1
                });
            job.host = Some(host.to_owned());
        }
        elapsed = elapsed.max(entry.number("elapsed").map_or(0.0, |seconds| seconds.0));
        jobs.push(job);
    }
    if jobs.is_empty() && listed.is_none() {
        jobs.extend(job(object, None));
    }
    if jobs.is_empty() && listed.is_none() {
        jobs.extend(nameless(object));
    }
    if jobs.is_empty() {
        return None;
    }
    let clock = object
        .number("timestamp")
        .filter(|_| elapsed > 0.0)
        .map(|(time, _)| (time, elapsed));
    let time = object.text("time").map(str::to_owned);
    let version = object.text("fio version").map(|version| {
        let version = version
            .trim_start_matches("fio-")
            .trim_start_matches("fio ");
        version.to_owned()
    });
    Some(Report {
        name: String::new(),
        invocation: Invocation {
            version,
            jobs,
            time,
            ..Invocation::default()
        },
        clock,
    })
}

/// Reads the object of one operation without a job around it.
fn nameless(object: &Object) -> Option<Job> {
    let ours = object.get("iops_mean").is_some() || object.get("io_kbytes").is_some();
    let measured = ours.then(|| measured(None, object)).flatten()?;
    Some(Job {
        measured: vec![measured],
        ..Job::default()
    })
}

fn job(object: &Object, global: Option<&Object>) -> Option<Job> {
    let mut all: Vec<Measured> = Vec::new();
    for operation in Operation::ALL {
        let Some(part) = object.object(operation.name()) else {
            continue;
        };
        all.extend(match operation {
            Operation::Sync => synced(part),
            _ => measured(Some(operation), part),
        });
    }
    let read = |name: &str| object.object(name).is_some_and(is_operation);
    if !["read", "write", "trim", "mixed"].into_iter().any(read) {
        return None;
    }
    let error = object.number("error").map(|error| error.0);
    Some(Job {
        name: object.text("jobname").unwrap_or("").to_owned(),
        group: object.number("groupid").map(|id| id.0 as u32),
        options: options(object.object("job options"), global),
        remarks: remarks(object, global),
        measured: all,
        error: error
            .filter(|code| *code != 0.0)
            .map(|code| format!("error {code}")),
        ..Job::default()
    })
}

/// Options and amounts of a job that are no figures.
fn remarks(object: &Object, global: Option<&Object>) -> Vec<Fact> {
    let job = object.text("jobname");
    let options = object.object("job options");
    let found = REMARKS.iter().filter_map(|(key, name)| {
        let text = options.and_then(|options| options.text(key));
        let text = text.or_else(|| global?.text(key))?;
        Some(Fact::text(*key, *name, text).about(job))
    });
    let mut remarks: Vec<Fact> = found.collect();
    for operation in ["read", "write", "trim"] {
        let Some(part) = object.object(operation) else {
            continue;
        };
        // fio 2 counts KiB, and has no `bw_bytes`.
        let unit = if part.get("bw_bytes").is_some() {
            1.0
        } else {
            1024.0
        };
        let amounts = [
            ("io_bytes", "bytes", "amount", unit, "bytes"),
            ("runtime", "runtime_ns", "runtime", 1e6, "ns"),
        ];
        for (member, key, name, factor, unit) in amounts {
            if let Some((number, _)) = part.number(member).filter(|number| number.0 > 0.0) {
                let (key, name) = (format!("{operation}_{key}"), format!("{operation} {name}"));
                remarks
                    .push(Fact::number(key, capitalized(&name), number * factor, unit).about(job));
            }
        }
    }
    remarks
}

/// Whether an object is what a job did: other programs have `read` and `write`, too.
fn is_operation(object: &Object) -> bool {
    let has = |key: &str| object.get(key).is_some();
    has("iops") && (has("bw") || has("bw_bytes"))
}

fn measured(operation: Option<Operation>, object: &Object) -> Option<Measured> {
    if !is_operation(object) {
        return None;
    }
    let mut measured = Measured {
        operation,
        count: object.number("total_ios").map(|count| count.0),
        ..Measured::default()
    };
    let (iops, place) = object.number("iops")?;
    let rate = match object.number("bw_bytes") {
        Some(rate) => Some(rate),
        None => object
            .number("bw")
            .map(|(kib, place)| (kib * 1024.0, place)),
    };
    if iops == 0.0 && rate.is_none_or(|rate| rate.0 == 0.0) {
        return None;
    }
    measured.add(Quantity::Iops, iops, place);
    if let Some((rate, place)) = rate {
        measured.add(Quantity::Rate, rate, place);
    }
    add_stage(&mut measured, Stage::Completion, object);
    if !measured.has_stage(Stage::Completion) {
        add_stage(&mut measured, Stage::Total, object);
    }
    Some(measured)
}

fn synced(object: &Object) -> Option<Measured> {
    let count = object.number("total_ios").map(|count| count.0);
    let mut measured = Measured {
        count,
        ..Measured::new(Operation::Sync)
    };
    add_stage(&mut measured, Stage::Total, object);
    (!measured.figures.is_empty()).then_some(measured)
}

fn add_stage(measured: &mut Measured, stage: Stage, object: &Object) {
    let name = stage.name();
    let in_ns = object
        .object(&format!("{name}_ns"))
        .map(|found| (found, 1.0));
    let Some((latency, factor)) = in_ns.or_else(|| Some((object.object(name)?, 1e3))) else {
        return;
    };
    let value = |key: &str| latency.number(key).map_or(0.0, |number| number.0);
    if value("max") == 0.0 && value("mean") == 0.0 {
        return;
    }
    for (key, statistic) in [("max", Statistic::Max), ("mean", Statistic::Mean)] {
        if let Some((value, place)) = latency.number(key) {
            measured.add(Quantity::Latency(stage, statistic), value * factor, place);
        }
    }
    let members = |key: &str| {
        latency
            .object(key)
            .map_or(&[][..], |object| &object.members)
    };
    for (key, value) in members("percentile") {
        let percent = key.parse::<f64>().ok().filter(|percent| *percent > 0.0);
        if let (Some(percent), Some((value, place))) = (percent, value.as_number()) {
            let statistic = Statistic::Percentile(percent);
            measured.add(Quantity::Latency(stage, statistic), value * factor, place);
        }
    }
    // fio 2 numbers its bins.
    if members("bins")
        .iter()
        .any(|(key, _)| key.starts_with("FIO_IO_U"))
    {
        return;
    }
    let bins = members("bins").iter().filter_map(|(key, value)| {
        let latency = key.parse::<f64>().ok()? * factor;
        let count = value.as_number()?.0;
        (latency >= 0.0 && count > 0.0).then_some((latency as u64, count as u64))
    });
    let mut bins: Vec<(u64, u64)> = bins.collect();
    bins.sort_short();
    measured.bins = bins;
}

/// The options of a job, or those of all jobs.
fn options(job: Option<&Object>, global: Option<&Object>) -> Options {
    // The options that nobody gave are fio's own only where it printed the others.
    if job.is_none() && global.is_none_or(|global| global.members.is_empty()) {
        return Options::default();
    }
    let option = |names: &[&str]| {
        let find = |object: Option<&Object>| {
            let text = names.iter().find_map(|name| object?.text(name))?;
            Some(text.to_owned())
        };
        find(job).or_else(|| find(global))
    };
    let block_sizes = match (
        option(&["bssplit"]),
        option(&["bsrange", "blocksize_range"]),
        option(&["bs", "blocksize"]),
    ) {
        (Some(text), _, _) => split_sizes(&text),
        (_, Some(text), _) => option_sizes(&text),
        (_, _, Some(text)) => option_sizes(&text),
        _ => option_sizes(DEFAULT_SIZE),
    };
    Options {
        pattern: Some(option(&["rw", "readwrite"]).map_or("read".to_owned(), |rw| pattern(&rw))),
        block_sizes,
        engine: option(&["ioengine"]),
        depth: Some(option(&["iodepth"]).unwrap_or_else(|| "1".to_owned())),
        clones: option(&["numjobs"]).and_then(|count| count.parse().ok()),
    }
}
