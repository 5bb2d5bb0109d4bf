//! The lines of fio's normal output, of all versions.
//!
//! ```text
//! name: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=16
//! fio-2.2.10
//! Starting 1 process
//! name: (groupid=0, jobs=1): err= 0: pid=811: Mon Mar  7 12:00:00 2016
//!   read : io=1536.0MB, bw=47489KB/s, iops=11872, runt= 33120msec                 fio 1 and 2
//!   read: IOPS=43.6k, BW=170MiB/s (178MB/s)(340MiB/2001msec)                      since 2.18
//!     slat (usec): min=2, max=412, avg=17.13, stdev= 1.92                         clat, lat
//!     clat percentiles (usec):
//!      |  1.00th=[  847],  5.00th=[  988], 10.00th=[ 1059], 20.00th=[ 1130],
//!   fsync/fdatasync/sync_file_range:
//!     sync (usec): min=22, max=38561, avg=3205.68, stdev=4769.87
//!   cpu          : usr=2.47%, sys=8.83%, ctx=52412, majf=0, minf=24
//!      issued    : total=r=393216/w=0/d=0, short=r=0/w=0/d=0                      fio 2
//!      issued rwts: total=480,0,0,0 short=0,0,0,0 dropped=0,0,0,0                 fio 3
//! Run status group 0 (all jobs):
//!    READ: io=1536.0MB, aggrb=47489KB/s, minb=47489KB/s, maxb=47489KB/s, mint=33120msec, ...
//!    READ: bw=112MiB/s (118MB/s), 112MiB/s-112MiB/s (118MB/s-118MB/s), io=113MiB (118MB), ...
//! Disk stats (read/write):
//! ```
//!
//! `KB` of fio before 2.18 is 1024 bytes; newer ones print `KiB`, and `kB` for 1000 bytes.

use super::figures::{Operation, Quantity, Stage, Statistic};
use super::options::{Options, announced};
use super::words::{Shown, field, leading, rate, rounded, scaled, unit_factor};
use crate::quantity::number;

#[derive(Debug, PartialEq)]
pub enum FioLine<'a> {
    Announced {
        name: &'a str,
        group: Option<u32>,
        options: Options,
    },
    Version(&'a str),
    /// fio starts so many processes or threads.
    Starting(u32),
    /// A client names the machine that it runs on.
    Client,
    /// The name of a client alone.
    Host(&'a str),
    Job {
        name: &'a str,
        group: Option<u32>,
        processes: Option<u32>,
        error: Option<&'a str>,
        pid: Option<u32>,
        date: &'a str,
    },
    Operation {
        operation: Operation,
        figures: Vec<(Quantity, Shown<'a>)>,
    },
    Latency {
        stage: Stage,
        figures: Vec<(Quantity, Shown<'a>)>,
    },
    /// The mean of samples of IOPS or the rate. With the line of their operation, whose figures are
    /// of the complete time, it says nothing new.
    Samples(Quantity, Shown<'a>),
    /// The heading of percentiles: stage, and ns of their unit. `None` if they are of some I/Os only.
    Percentiles(Option<(Stage, f64)>),
    PercentileRow(Vec<(f64, Shown<'a>)>),
    Sync,
    /// Number of reads, writes, trims and syncs.
    Issued([Option<f64>; 4]),
    Group(Option<u32>),
    GroupRate {
        operation: Operation,
        rate: Shown<'a>,
    },
    DiskStats,
    /// A line of fio without figures to compare.
    Other,
}

/// The meaning of a line of fio's output; `None` for other lines.
pub fn read(text: &str) -> Option<FioLine<'_>> {
    let text = text.trim();
    if text.len() < 3 {
        return None;
    }
    announcement(text)
        .or_else(|| job(text))
        .or_else(|| operation(text))
        .or_else(|| latency(text))
        .or_else(|| samples(text))
        .or_else(|| percentiles(text))
        .or_else(|| group(text))
        .or_else(|| single(text))
        .or_else(|| is_other(text).then_some(FioLine::Other))
}

/// `<host> ` before lines that a client passes on.
pub fn host(text: &str) -> Option<(&str, &str)> {
    let (host, rest) = text.trim_start().strip_prefix('<')?.split_once('>')?;
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    (!host.is_empty() && host.chars().all(plain)).then_some((host, rest))
}

fn announcement(text: &str) -> Option<FioLine<'_>> {
    let (name, rest) = text.split_once(": (g=")?;
    let (group, options) = rest.split_once("): ")?;
    options.starts_with("rw=").then(|| FioLine::Announced {
        name,
        group: group.parse().ok(),
        options: announced(options),
    })
}

fn job(text: &str) -> Option<FioLine<'_>> {
    let (name, rest) = text.split_once(": (groupid=")?;
    let (group, rest) = rest.split_once([',', ')'])?;
    let processes = field(rest, "jobs").and_then(|word| leading(word).parse().ok());
    let (_, state) = rest.split_once("err=")?;
    let (error, state) = match state.split_once(": pid=") {
        Some((error, state)) => (error.trim(), state),
        None => (state.trim(), ""),
    };
    let pid = leading(state).parse().ok();
    let date = state.split_once(':').map_or("", |(_, date)| date.trim());
    let failed = leading(error).parse::<i64>().is_ok_and(|code| code != 0);
    let words = error
        .split_once("error=")
        .map_or(error, |(_, words)| words.trim_end_matches([')', ':']));
    Some(FioLine::Job {
        name,
        group: group.trim().parse().ok(),
        processes,
        error: failed.then_some(words),
        pid,
        date,
    })
}

fn operation(text: &str) -> Option<FioLine<'_>> {
    let (name, rest) = text.split_once(':')?;
    let operation = Operation::named(name.trim_end())?;
    if let Some(iops) = field(rest, "IOPS") {
        let mut figures = Vec::new();
        let rate = field(rest, "BW").and_then(|word| rate(word, false));
        // An operation that fio did not measure (`mixed: IOPS=0, BW=0 (0)`) has a rate without unit.
        if let Some(iops) = scaled(iops).filter(|iops| iops.1 > 0.0 || rate.is_some()) {
            figures.push((Quantity::Iops, iops));
        }
        figures.extend(rate.map(|rate| (Quantity::Rate, rate)));
        return Some(FioLine::Operation { operation, figures });
    }
    let iops = field(rest, "iops").and_then(scaled);
    let rate = field(rest, "bw").and_then(|word| rate(word, true));
    rate.filter(|_| iops.is_some() || field(rest, "io").is_some())?;
    let mut figures = Vec::new();
    figures.extend(iops.map(|iops| (Quantity::Iops, iops)));
    figures.extend(rate.map(|rate| (Quantity::Rate, rate)));
    (!figures.is_empty()).then_some(FioLine::Operation { operation, figures })
}

fn latency(text: &str) -> Option<FioLine<'_>> {
    let (name, rest) = text.split_once('(')?;
    let (unit, rest) = rest.split_once(')')?;
    let factor = unit_factor(unit)?;
    let rest = rest.trim_start().strip_prefix(':')?;
    field(rest, "min").or_else(|| field(rest, "avg"))?;
    let stage = match name.trim() {
        "slat" => Stage::Submission,
        "clat" => Stage::Completion,
        "lat" | "sync" => Stage::Total,
        // Latencies of one priority, and other parts.
        name if name.len() < 40 => return Some(FioLine::Other),
        _ => return None,
    };
    let mut figures = Vec::new();
    for (key, statistic) in [
        ("min", Statistic::Min),
        ("max", Statistic::Max),
        ("avg", Statistic::Mean),
        ("stdev", Statistic::Deviation),
    ] {
        if let Some((word, value)) = field(rest, key).and_then(scaled) {
            let quantity = Quantity::Latency(stage, statistic);
            figures.push((quantity, (word, rounded(value * factor))));
        }
    }
    Some(FioLine::Latency { stage, figures })
}

fn samples(text: &str) -> Option<FioLine<'_>> {
    let (name, rest) = text.split_once(':')?;
    field(rest, "min")?;
    let (word, value) = field(rest, "avg").and_then(scaled)?;
    let name = name.trim_end();
    if name == "iops" {
        return Some(FioLine::Samples(Quantity::SampledIops, (word, value)));
    }
    let unit = name.strip_prefix("bw")?.trim_start().strip_prefix('(')?;
    let unit: String = unit.strip_suffix(')')?.split_whitespace().collect();
    let (_, factor) = rate(&format!("1{unit}"), !unit.contains('i'))?;
    Some(FioLine::Samples(
        Quantity::SampledRate,
        (word, rounded(value * factor)),
    ))
}

fn percentiles(text: &str) -> Option<FioLine<'_>> {
    if let Some(row) = text.strip_prefix('|') {
        return row.contains("th=[").then(|| row_of(row));
    }
    if text.contains("th=[") && text.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(row_of(text));
    }
    let (name, rest) = text.split_once(" percentiles (")?;
    let factor = unit_factor(rest.split(')').next()?)?;
    let stage = match name.trim() {
        "slat" => Some(Stage::Submission),
        "clat" => Some(Stage::Completion),
        "lat" | "sync" => Some(Stage::Total),
        name if name.len() < 60 => None,
        _ => return None,
    };
    Some(FioLine::Percentiles(stage.map(|stage| (stage, factor))))
}

fn row_of(text: &str) -> FioLine<'_> {
    let entries = text.match_indices("th=[").filter_map(|(index, mark)| {
        let front = text.get(..index)?;
        let digits = front
            .bytes()
            .rev()
            .take_while(|b| b.is_ascii_digit() || *b == b'.')
            .count();
        let percent = front.get(front.len() - digits..)?.parse::<f64>().ok()?;
        let word = text.get(index + mark.len()..)?.split_once(']')?.0.trim();
        Some((percent, (word, number(word)?)))
    });
    FioLine::PercentileRow(entries.collect())
}

fn group(text: &str) -> Option<FioLine<'_>> {
    if let Some(rest) = text.strip_prefix("Run status group ") {
        return Some(FioLine::Group(leading(rest).parse().ok()));
    }
    let (name, rest) = text.split_once(':')?;
    let operation = Operation::ALL
        .into_iter()
        .find(|operation| operation.name().to_ascii_uppercase() == name.trim_end())?;
    let rate = match field(rest, "aggrb") {
        Some(word) => rate(word, true),
        None => rate(field(rest, "bw")?, false),
    };
    rate.map(|rate| FioLine::GroupRate { operation, rate })
}

fn single(text: &str) -> Option<FioLine<'_>> {
    if let Some(version) = text
        .strip_prefix("fio-")
        .or_else(|| text.strip_prefix("fio "))
    {
        let numbered = version.starts_with(|c: char| c.is_ascii_digit());
        let word = !version.contains(char::is_whitespace) && !version.ends_with(':');
        return (numbered && word && version.contains('.')).then_some(FioLine::Version(version));
    }
    if let Some(rest) = text.strip_prefix("Starting ") {
        let kind = rest.split_once(' ')?.1;
        let kinds = ["process", "processes", "thread", "threads"];
        // `Starting 1 thread and 2 processes`
        return kinds
            .iter()
            .any(|name| kind.split(' ').any(|word| word == *name))
            .then(|| FioLine::Starting(counted(rest)));
    }
    if text.starts_with("hostname=") && text.contains("fio=") {
        return Some(FioLine::Client);
    }
    if let Some((name, "")) = host(text) {
        return Some(FioLine::Host(name));
    }
    match text {
        "fsync/fdatasync/sync_file_range:" => return Some(FioLine::Sync),
        "Disk stats (read/write):" => return Some(FioLine::DiskStats),
        _ => {}
    }
    text.starts_with("issued").then(|| issued(text)).flatten()
}

/// The sum of the numbers in `1 thread and 2 processes`.
fn counted(text: &str) -> u32 {
    text.split(' ')
        .filter_map(|word| word.parse::<u32>().ok())
        .fold(0, u32::saturating_add)
}

/// `issued rwts: total=480,0,0,0`, `issued rwt: total=480,0,0`, `issued: total=r=480/w=0/d=0`,
/// `issued r/w: total=480/0`.
fn issued(text: &str) -> Option<FioLine<'_>> {
    let totals = field(text, "total")?;
    let totals = totals.split([' ', '\t']).next().unwrap_or("");
    let mut counts = [None; 4];
    let entries = totals.split([',', '/']).filter(|entry| !entry.is_empty());
    for (slot, entry) in counts.iter_mut().zip(entries) {
        let digits = entry.rsplit('=').next().unwrap_or("");
        *slot = digits.parse::<u64>().ok().map(|count| count as f64);
    }
    Some(FioLine::Issued(counts))
}

/// Lines that say nothing that is compared.
fn is_other(text: &str) -> bool {
    let name = text.split([':', '(']).next().unwrap_or("").trim();
    let table = matches!(
        name,
        "cpu"
            | "IO depths"
            | "submit"
            | "complete"
            | "latency"
            | "bw"
            | "iops"
            | "lat"
            | "errors"
            | "issued"
            | "steadystate"
            | "ss"
            | "Jobs"
            | "fio"
            | "cachehits"
    );
    let disk = text.contains(": ios=") && text.contains("ticks=");
    let distribution = text.starts_with("lat (") && text.contains('%');
    let notice = [
        ": Laying out IO file",
        "[eta ",
        "clock setaffinity failed",
        ": No I/O performed by ",
        "both iodepth >= 1 and synchronous",
    ];
    let elided = matches!(
        text,
        "..." | "[...]" | "\u{2026}" | "[\u{2026}]" | "[snip]" | "<snip>" | "(...)"
    );
    disk || distribution
        || elided
        || table && text.contains([':', '('])
        || notice.iter().any(|part| text.contains(part))
}
