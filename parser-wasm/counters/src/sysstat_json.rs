//! JSON of sysstat: `iostat -o JSON`, `mpstat -o JSON`, `sadf -j`. All have
//! `sysstat.hosts[].statistics[]`, a report each.

use super::columns::{self, CounterColumn};
use super::iostat::{PrintedTime, printed_time};
use super::reports::Reports;
use super::time::{DAY, SECOND, date, time_of_day};
use super::{Collected, CounterClock};
use seekscope_trace::json;
use seekscope_trace::store::lanes::LaneSubject;
use serde_json::{Map, Value as Json};

/// Bytes parsed; the parsed document is some ten times as large.
const MAX_BYTES: usize = 8 << 20;

const TOO_LONG: &str =
    "it is JSON of more than 8 MiB; print fewer reports or activities, or use sadf -d";
const DAMAGED: &str = "its JSON is damaged or ends too early";

/// Keys of an object with several values, and the columns that they are.
type Keys = &'static [(&'static str, &'static str)];

const DISK: Keys = &[
    ("rkB", "rkB/s"),
    ("wkB", "wkB/s"),
    ("dkB", "dkB/s"),
    ("util", "%util"),
    ("util-percent", "%util"),
    ("rrqm", "%rrqm"),
    ("wrqm", "%wrqm"),
    ("drqm", "%drqm"),
];
const IO: Keys = &[
    ("tps", "tps"),
    ("rtps", "rtps"),
    ("wtps", "wtps"),
    ("bread", "bread/s"),
    ("bwrtn", "bwrtn/s"),
];
const QUEUE: Keys = &[("runq-sz", "runq-sz"), ("blocked", "blocked")];
const TASKS: Keys = &[("cswch", "cswch/s"), ("proc", "proc/s")];
const PAGING: Keys = &[("pgpgin", "pgpgin/s"), ("pgpgout", "pgpgout/s")];
const MEMORY: Keys = &[("dirty", "kbdirty")];
/// The counters of `psi`: object, key, column.
const PSI: [(&str, &str, &str); 5] = [
    ("psi-cpu", "some_avg", "cpu some"),
    ("psi-io", "some_avg", "io some"),
    ("psi-io", "full_avg", "io full"),
    ("psi-mem", "some_avg", "memory some"),
    ("psi-mem", "full_avg", "memory full"),
];

pub fn is_one(head: &str) -> bool {
    head.trim_start().starts_with('{') && head.contains("\"sysstat\"") && head.contains("\"hosts\"")
}

/// Finds the tool by the names of the keys, for documents that are not complete.
fn tool(text: &str) -> &'static str {
    if text.contains("\"disk_device\"") || text.contains("\"avg-cpu\"") {
        "iostat -o JSON"
    } else if text.contains("\"interval\"") || text.contains("\"file-date\"") {
        "sadf -j"
    } else {
        "mpstat -o JSON"
    }
}

pub fn read(text: &str) -> Option<Collected> {
    let problem = |problem| Collected {
        tool: tool(text).to_owned(),
        clock: CounterClock::None,
        zone: None,
        reports: Reports::default(),
        problem: Some(problem),
    };
    if text.len() > MAX_BYTES {
        return Some(problem(TOO_LONG));
    }
    let Ok(document) = json::read::<Json>(text) else {
        return Some(problem(DAMAGED));
    };
    let Some(host) = document["sysstat"]["hosts"].get(0) else {
        return Some(problem(DAMAGED));
    };
    let tool = tool(text);
    let mut reports = if tool == "iostat -o JSON" {
        Reports::since_boot()
    } else {
        Reports::default()
    };
    let mut clock = CounterClock::None;
    let day = host["date"].as_str().map(date).unwrap_or_default();
    for statistics in host["statistics"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Json::as_object)
    {
        let time = statistics
            .get("timestamp")
            .and_then(|time| report_time(time, &day));
        if let Some(ReportTime {
            clock: printed_clock,
            ..
        }) = &time
            && clock == CounterClock::None
        {
            clock = printed_clock.clone();
        }
        let same = time
            .filter(|time| std::mem::discriminant(&time.clock) == std::mem::discriminant(&clock));
        reports.begin(
            same.as_ref().and_then(|time| time.from),
            same.map(|time| time.end),
        );
        report(statistics, &mut reports);
    }
    Some(Collected {
        tool: tool.to_owned(),
        clock,
        zone: None,
        reports,
        problem: None,
    })
}

/// When a report ends, and where its interval begins, if printed.
struct ReportTime {
    clock: CounterClock,
    from: Option<i64>,
    end: i64,
}

fn report_time(time: &Json, day: &[i64]) -> Option<ReportTime> {
    if let Some(text) = time.as_str() {
        if let Some(end_of_report) = time_of_day(text.split(' ').next()?, text.split(' ').nth(1)) {
            return Some(ReportTime {
                clock: CounterClock::Local(day.to_vec()),
                from: None,
                end: end_of_report,
            });
        }
        let PrintedTime { days, of_day, zone } = printed_time(text)?;
        let first = *days.first()?;
        return Some(match zone {
            Some(offset) => ReportTime {
                clock: CounterClock::Utc,
                from: None,
                end: first * DAY + of_day - offset,
            },
            None => ReportTime {
                clock: CounterClock::Local(days),
                from: None,
                end: of_day,
            },
        });
    }
    let days = date(time["date"].as_str()?);
    let of_day = time_of_day(time["time"].as_str()?, None)?;
    let length = time["interval"]
        .as_i64()
        .filter(|seconds| (1..1 << 20).contains(seconds))
        .map(|seconds| seconds * SECOND);
    let (clock, end_of_report) = if time["utc"] == 1 {
        (CounterClock::Utc, days.first()? * DAY + of_day)
    } else {
        (CounterClock::Local(days), of_day)
    };
    Some(ReportTime {
        clock,
        from: length.map(|ns| end_of_report - ns),
        end: end_of_report,
    })
}

fn report(statistics: &Map<String, Json>, reports: &mut Reports) {
    let machine = LaneSubject::Machine;
    let object = |key: &str| statistics.get(key).and_then(Json::as_object);
    let list = |key: &str| {
        statistics
            .get(key)
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .filter_map(Json::as_object)
    };
    if let Some(shares) = object("avg-cpu") {
        cpu_shares(shares, &machine, reports);
    }
    for shares in list("cpu-load").chain(list("cpu-load-all")) {
        let name = shares.get("cpu").and_then(Json::as_str).unwrap_or_default();
        match (name, name.parse()) {
            ("all", _) => cpu_shares(shares, &machine, reports),
            (_, Ok(cpu)) => cpu_shares(shares, &LaneSubject::Cpu(cpu), reports),
            _ => {}
        }
    }
    for disk in list("disk") {
        let name = ["disk_device", "disk-device"]
            .iter()
            .find_map(|key| disk.get(*key))
            .and_then(Json::as_str);
        let subject = LaneSubject::Device(name.unwrap_or_default().chars().take(60).collect());
        for (key, value) in disk {
            let column = DISK
                .iter()
                .find(|(name, _)| name == key)
                .map_or(key.as_str(), |(_, column)| column);
            // If a counter has two names, the newer one counts.
            if !(key == "avgqu-sz" && disk.contains_key("aqu-sz")
                || key == "avgrq-sz" && disk.contains_key("areq-sz"))
            {
                add(reports, &subject, columns::DEVICE, column, value);
            }
        }
    }
    for (key, keys) in [
        ("queue", QUEUE),
        ("process-and-context-switch", TASKS),
        ("paging", PAGING),
        ("memory", MEMORY),
        ("io", IO),
    ] {
        let Some(values) = object(key) else { continue };
        let inner = ["io-reads", "io-writes"]
            .iter()
            .filter_map(|key| values.get(*key).and_then(Json::as_object));
        for values in std::iter::once(values).chain(inner) {
            for (key, column) in keys {
                if let Some(value) = values.get(*key) {
                    add(reports, &machine, columns::SAR, column, value);
                }
            }
        }
    }
    for (resource, key, column) in PSI {
        if let Some(value) = object("psi")
            .and_then(|psi| psi.get(resource))
            .and_then(|psi| psi.get(key))
        {
            add(reports, &machine, columns::PRESSURE, column, value);
        }
    }
}

fn cpu_shares(shares: &Map<String, Json>, subject: &LaneSubject, reports: &mut Reports) {
    for (key, value) in shares {
        add(reports, subject, columns::CPU, &format!("%{key}"), value);
    }
}

fn add(
    reports: &mut Reports,
    subject: &LaneSubject,
    table: &'static [CounterColumn],
    column: &str,
    value: &Json,
) {
    if let (Some(column), Some(value)) = (columns::find(table, column), value.as_f64()) {
        reports.add(subject, column, value);
    }
}
