//! Counters that other tools recorded next to a trace, as lanes on its clock: one parser per
//! format.
//!
//! A parser collects reports (`reports.rs`) of known counters (`columns.rs`) on the clock of the
//! tool; `place.rs` moves them to the clock of the run. A file without times, or whose times have
//! no known relation to the run, has no lanes but a reason.
//!
//! Bounds: [`MAX_BYTES`] of a file, [`MAX_REPORTS`], [`MAX_LANES`] and [`MAX_SAMPLES`] of a
//! file; time is linear in the text.
#![forbid(unsafe_code)]

pub mod columns;
mod diskstats;
mod faults;
mod fio_log;
mod iostat;
mod place;
mod pressure;
mod reports;
mod sadf;
mod samples;
mod sar;
mod stat;
mod sysstat_json;
mod time;
mod totals;
mod vmstat;

pub use place::{RunClock, place};

use columns::CounterColumn;
use reports::Reports;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::Store;
use seekscope_trace::store::lanes::{LaneSample, LaneSubject};

/// Limit for the bytes that are read of a file.
pub const MAX_BYTES: usize = 16 << 20;
/// Limit for the reports of a file.
const MAX_REPORTS: usize = 100_000;
/// Limit for the counters of a file.
const MAX_LANES: usize = 1024;
/// Limit for the values of a file.
const MAX_SAMPLES: usize = 1 << 20;
const NO_VALUES: &str = "it has headings, but no values below them";
/// Bytes by which a format is recognised, and lines of them: a mail that quotes some counters
/// further down is no such file.
const HEAD: usize = 64 << 10;
const HEAD_LINES: usize = 12;

/// The clock of a file's times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CounterClock {
    /// The file has no times.
    None,
    /// ns since 1970, UTC.
    Utc,
    /// ns since midnight, local time, of one of these days since 1970; of any day if there is none.
    Local(Vec<i64>),
    /// ns since boot.
    Uptime,
    /// ns on the clock of the trace that was recorded with it: since boot, without suspend.
    Monotonic,
}

/// A counter of a file, on the clock of the file.
#[derive(Clone, Debug)]
pub struct CounterSeries {
    pub column: &'static CounterColumn,
    pub subject: LaneSubject,
    pub samples: Vec<LaneSample>,
}

/// The counters of one file, before they are placed on a trace's clock.
#[derive(Clone, Debug)]
pub struct CounterFile {
    /// Path of the file.
    pub file: String,
    /// The tool that wrote it: `iostat -x`, `vmstat`.
    pub tool: String,
    pub reports: usize,
    pub clock: CounterClock,
    /// Offset of its local time from UTC, if the file contains it, ns.
    pub zone: Option<i64>,
    pub series: Vec<CounterSeries>,
    /// Longer than the limits: only its beginning was read.
    pub cut: bool,
    /// The reason why nothing could be read.
    pub problem: Option<&'static str>,
    /// A description of what was left out, and why.
    pub faults: Option<String>,
}

impl CounterFile {
    /// `iostat -x: 15 reports of vda, vdb and all CPUs`.
    pub fn what(&self) -> String {
        let mut subjects: Vec<String> = Vec::new();
        let mut cpus = 0;
        for series in &self.series {
            match &series.subject {
                LaneSubject::Cpu(cpu) => cpus = cpus.max(cpu.saturating_add(1)),
                subject @ LaneSubject::Device(_) if !subjects.contains(&subject.label()) => {
                    subjects.push(subject.label())
                }
                _ => {}
            }
        }
        if subjects.len() > 4 {
            subjects = vec![format!("{} devices", subjects.len())];
        }
        if cpus > 0 {
            subjects.push(if cpus == 1 {
                "1 CPU".to_owned()
            } else {
                format!("{cpus} CPUs")
            });
        }
        let reports = if self.reports == 1 {
            "1 report".to_owned()
        } else {
            format!("{} reports", self.reports)
        };
        let subjects = if subjects.is_empty() {
            String::new()
        } else {
            format!(" of {}", subjects.join(", "))
        };
        let cut = if self.cut {
            ", the beginning of the file"
        } else {
            ""
        };
        format!("{}: {reports}{subjects}{cut}", self.tool)
    }
}

type CounterReader = fn(&str) -> Option<Collected>;

/// The result of a parser.
struct Collected {
    tool: String,
    clock: CounterClock,
    zone: Option<i64>,
    reports: Reports,
    /// The reason why nothing could be read.
    problem: Option<&'static str>,
}

/// A test of the first lines, and the parser.
type CounterFormat = (fn(&str) -> bool, CounterReader);

const FORMATS: &[CounterFormat] = &[
    (sysstat_json::is_one, sysstat_json::read),
    (sadf::is_one, sadf::read),
    (iostat::is_one, iostat::read),
    (sar::is_one, sar::read),
    (vmstat::is_one, vmstat::read),
    (samples::is_one, samples::read),
    (fio_log::is_one, fio_log::read),
];

/// The tool that wrote a file which starts with `head`: `iostat -x`; `None` if that has no
/// counters.
pub fn tool(head: &[u8]) -> Option<String> {
    Some(read("", &head[..head.len().min(HEAD)])?.tool)
}

/// The reason why a complete short file cannot be read.
pub fn fault(bytes: &[u8]) -> Option<String> {
    let file = read("", bytes)?;
    let problem = file.problem.map(str::to_owned);
    problem
        .or(file.faults)
        .or_else(|| file.series.is_empty().then(|| NO_VALUES.to_owned()))
}

/// A text without its counters: their lines are empty. Counters are the paragraphs that begin like
/// those of a tool.
pub fn without(text: &str) -> String {
    if text.trim_start().starts_with('{') {
        return String::new();
    }
    let mut out = String::with_capacity(text.len());
    let mut paragraph: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        if !line.trim().is_empty() {
            paragraph.push(line);
            continue;
        }
        let head = paragraph
            .iter()
            .take(HEAD_LINES)
            .copied()
            .collect::<Vec<_>>()
            .join("\n");
        let counted = format_of(&head).is_some();
        for line in paragraph.drain(..) {
            out.push_str(if counted { "" } else { line });
            out.push('\n');
        }
        out.push('\n');
    }
    // The empty line that ends the last paragraph goes, too.
    out.pop();
    out
}

fn format_of(head: &str) -> Option<CounterReader> {
    FORMATS
        .iter()
        .find(|(is_one, _)| is_one(head))
        .map(|(_, read)| *read)
}

/// The counters of a file; `None` if it has none.
pub fn read(file: &str, bytes: &[u8]) -> Option<CounterFile> {
    let long = bytes.len() > MAX_BYTES;
    let text = text(&bytes[..bytes.len().min(MAX_BYTES)])?;
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let Collected {
        tool,
        clock,
        zone,
        reports,
        problem,
    } = format_of(&text[..end])?(&text)?;
    let count = reports.len();
    let (mut series, cut, mut faults) = reports.finish();
    faults.cut_line = faults::cut_line(&text).filter(|_| faults.line > 0 && !long);
    series.sort_short_by(|a, b| {
        (&a.subject, columns::rank(a.column)).cmp(&(&b.subject, columns::rank(b.column)))
    });
    Some(CounterFile {
        file: file.to_owned(),
        tool,
        reports: count,
        clock,
        zone,
        series,
        cut: cut || long,
        problem,
        faults: faults.words(),
    })
}

fn text(bytes: &[u8]) -> Option<std::borrow::Cow<'_, str>> {
    if bytes[..bytes.len().min(4096)].contains(&0) {
        return None;
    }
    Some(String::from_utf8_lossy(
        bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
    ))
}

/// The first lines, for recognising a format.
fn first_lines(head: &str) -> impl Iterator<Item = &str> {
    head.lines().take(HEAD_LINES).map(str::trim)
}

/// The files with counters next to a trace. They may arrive before and after the trace is read.
#[derive(Clone, Debug, Default)]
pub struct CountersBeside {
    files: Vec<CounterFile>,
    /// Number of sources and of lanes that the trace itself has.
    of_trace: (usize, usize),
}

/// Limit for the files next to a trace.
const MAX_FILES: usize = 200;

impl CountersBeside {
    /// Adds a file; `false` if it has no counters.
    pub fn add(&mut self, file: &str, bytes: &[u8]) -> bool {
        let read = read(file, bytes).filter(|_| self.files.len() < MAX_FILES);
        let has_counters = read.is_some();
        self.files.extend(read);
        has_counters
    }

    /// Forgets the files.
    pub fn clear(&mut self) {
        self.files.clear();
    }

    /// Notes what a complete trace has of its own, and adds the counters.
    pub fn finish(&mut self, store: &mut Store) {
        self.of_trace = (store.lanes.sources.len(), store.lanes.rows.len());
        self.place(store);
    }

    /// Places the counters of all files again on the clock of a complete trace.
    pub fn place(&self, store: &mut Store) {
        let clock = RunClock::from_trace(store);
        store.lanes.sources.truncate(self.of_trace.0);
        store.lanes.rows.truncate(self.of_trace.1);
        place(&self.files, clock, &mut store.lanes);
    }
}

/// A number as tools print it; some locales have a comma.
fn number(word: &str) -> Option<f64> {
    let plain = word
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'-'));
    if !plain {
        return None;
    }
    if word.contains(',') {
        word.replace(',', ".").parse().ok()
    } else {
        word.parse().ok()
    }
}

/// The date in sysstat's first line: `Linux 6.12.0 (host) 11/22/26 _x86_64_ (2 CPU)`, with tabs.
fn banner_date(line: &str) -> Option<Vec<i64>> {
    let rest = line.strip_prefix("Linux ")?;
    // The release may look like a date.
    rest.split_whitespace()
        .skip(1)
        .map(time::date)
        .find(|days| !days.is_empty())
}

#[cfg(test)]
mod tests;
