//! Which files belong together.

use super::distinct::make_labels_distinct;
use super::sniff::{FileKind, sniff};
use super::{Probe, ProbedContent};
use crate::error::{Error, LinePlace, Problem};
use crate::format::FormatProblem;
use crate::format::text::pattern::Pattern;
use crate::format::text::{fio_log_problem, is_fio_log};
use crate::names::is_generic;
use serde::Serialize;

/// Boot times computed from two TIMESTAMP records of one boot differ by less than this, ns: the tracer reads wall clock and trace clock
/// one after the other, and adjustments of the wall clock are small. Reboots are seconds apart.
const SAME_BOOT: i128 = 10_000_000;

/// Events of other CPUs may be older than the TIMESTAMP record by this much, ns: tracing starts CPU by CPU.
const START_SLACK: u64 = 10_000_000;

/// A tracer starts all its devices within this time, ns.
const STARTED_TOGETHER: u64 = 100_000_000;

/// A trace that was found among the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceGroup {
    /// Base name of its files.
    pub name: String,
    /// Guessed from file and folder names, unique among the traces.
    pub label: String,
    /// Indices of its files, ascending.
    pub parts: Vec<usize>,
}

/// The files, grouped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grouping {
    /// Traces, in the order in which their first files were given.
    pub traces: Vec<TraceGroup>,
    /// Files that are not traces although they should be.
    pub rejected: Vec<(usize, Error)>,
    /// Text and other files next to the traces.
    pub notes: Vec<usize>,
}

struct Cluster {
    parts: Vec<usize>,
    contents: ProbedContent,
}

/// Sorts the files into traces, rejected files and notes.
pub fn group(probes: &[Probe]) -> Grouping {
    let patterns: Vec<_> = probes.iter().map(|p| p.pattern.as_deref().map(Pattern::new)).collect();
    let kinds: Vec<FileKind> =
        probes.iter().zip(&patterns).map(|(p, pattern)| kind(p, pattern.as_ref().and_then(|p| p.as_ref().ok()))).collect();
    let any_trace =
        kinds.iter().any(|kind| matches!(kind, FileKind::Blktrace | FileKind::Binary | FileKind::Text { mostly: true }));
    let mut grouping = Grouping::default();
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut parts: Vec<(usize, ProbedContent)> = Vec::new();
    for (i, (probe, kind)) in probes.iter().zip(&kinds).enumerate() {
        match kind {
            FileKind::Blktrace => parts.push((i, ProbedContent::read(probe))),
            FileKind::FioLog(_) | FileKind::Counters(..) if any_trace => grouping.notes.push(i),
            FileKind::FioLog(problem) => {
                let (format, problem) = ("fio-log", problem.clone());
                let problem = Problem::Unreadable { file: probe.path.clone(), format, problem, size: probe.size };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Counters(tool, fault) => {
                let (file, tool, fault) = (probe.path.clone(), tool.clone(), fault.clone());
                let problem = Problem::CountersOnly { file, tool, fault, size: probe.size };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Binary => clusters.push(Cluster { parts: vec![i], contents: ProbedContent::default() }),
            FileKind::Text { .. } if is_printed_from_one_beside(probe, probes, &kinds) => grouping.notes.push(i),
            // Next to traces, a text that quotes a few lines is a note.
            FileKind::Text { mostly } if *mostly || !any_trace => {
                clusters.push(Cluster { parts: vec![i], contents: ProbedContent::default() });
            }
            FileKind::Empty => {}
            FileKind::Text { .. } => grouping.notes.push(i),
            FileKind::Summary if any_trace => grouping.notes.push(i),
            FileKind::Prose(_) if any_trace && probe.base().is_none() && probe.pattern.is_none() => grouping.notes.push(i),
            FileKind::Prose(first) => {
                let file = probe.path.clone();
                let problem = match &patterns[i] {
                    Some(Err(reason)) => Problem::BadPattern { file, reason: reason.clone() },
                    _ => {
                        let at = LinePlace { file, line: first.line, byte: first.byte };
                        Problem::NotUnderstood { at, example: first.example.clone(), size: probe.size }
                    }
                };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Summary => {
                let problem = Problem::SummaryOnly { file: probe.path.clone(), size: probe.size };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Other { .. } if any_trace && probe.base().is_none() => grouping.notes.push(i),
            FileKind::Other { looks_like, .. } => {
                let problem = Problem::NotATrace { file: probe.path.clone(), looks_like, size: probe.size };
                grouping.rejected.push((i, problem.into()));
            }
        }
    }
    // Parts with a wall clock first: they separate traces of different boots. Parts without an event last: they separate nothing.
    parts.sort_by_key(|(i, c)| (c.boot.is_none(), c.times.is_none(), *i));
    let whole = clusters.len();
    for (i, contents) in parts {
        let best = clusters[whole..]
            .iter_mut()
            .filter_map(|c| affinity(probes, i, &contents, c).map(|score| (score, c)))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.parts[0].cmp(&a.1.parts[0])));
        match best {
            Some((_, cluster)) => cluster.add(i, contents),
            None => clusters.push(Cluster { parts: vec![i], contents }),
        }
    }
    add_empty_files(probes, &kinds, &mut clusters, &mut grouping);
    for cluster in &mut clusters {
        cluster.parts.sort_unstable();
    }
    clusters.sort_by_key(|c| c.parts[0]);
    grouping.traces = clusters.iter().map(|c| name(probes, c)).collect();
    make_labels_distinct(probes, &mut grouping.traces);
    grouping.rejected.sort_by_key(|r| r.0);
    grouping
}

/// The kind of a file. fio's logs of bandwidth, IOPS and submission latency look like latency logs; only their names differ. Latency logs
/// without offsets, or with averages, are no traces.
fn kind(probe: &Probe, pattern: Option<&Pattern>) -> FileKind {
    let kind = sniff(&probe.head, probe.size, pattern);
    let other_log = ["_bw.", "_iops.", "_slat."].iter().any(|word| probe.name.contains(word)) && probe.name.ends_with(".log");
    if !matches!(kind, FileKind::Text { .. }) || !is_fio_log(&probe.head) {
        return kind;
    }
    let problem = if other_log { Some(FormatProblem::MissingColumn("latencies")) } else { fio_log_problem(&probe.head) };
    problem.map_or(kind, FileKind::FioLog)
}

/// Whether the name of a text says that blkparse printed it from a trace in the same folder: `sda.blkparse.txt` and
/// `sda.blktrace.0`. It is a copy of that run.
fn is_printed_from_one_beside(probe: &Probe, probes: &[Probe], kinds: &[FileKind]) -> bool {
    let Some((base, _)) = probe.name.split_once(".blkparse") else { return false };
    let of_it = |other: &Probe| other.base() == Some(base) && other.folder() == probe.folder();
    probe.pattern.is_none() && probes.iter().zip(kinds).any(|(other, kind)| *kind == FileKind::Blktrace && of_it(other))
}

impl Cluster {
    fn add(&mut self, part: usize, contents: ProbedContent) {
        self.parts.push(part);
        let own = &mut self.contents;
        own.streams.extend(contents.streams);
        own.devices.extend(contents.devices);
        own.boot = own.boot.or(contents.boot);
        own.started = own.started.into_iter().chain(contents.started).min();
        own.times = joined(own.times, contents.times);
        own.named = joined(own.named, contents.named);
        own.pids.extend(contents.pids);
        own.tasks.extend(contents.tasks);
    }
}

/// How well a part fits a cluster; `None` if it cannot belong to it.
fn affinity(probes: &[Probe], part: usize, contents: &ProbedContent, cluster: &Cluster) -> Option<f64> {
    let (probe, other) = (&probes[part], &probes[cluster.parts[0]]);
    let same_stream = contents.streams.iter().any(|s| cluster.contents.streams.contains(s));
    // Times of a dump start at 0, and it is complete.
    let dump = |c: &ProbedContent| c.times.is_some_and(|t| t.0 == 0);
    if probe.folder() != other.folder() || same_stream || dump(contents) || dump(&cluster.contents) {
        return None;
    }
    // One folder has a name once: such files were dropped from several.
    if probe.base().is_some() && cluster.parts.iter().any(|&i| probes[i].name == probe.name) {
        return None;
    }
    let same_device = contents.devices.iter().any(|d| cluster.contents.devices.contains(d));
    let same_boot = match (contents.boot, cluster.contents.boot) {
        (Some(a), Some(b)) if (a - b).abs() > SAME_BOOT => return None,
        // A tracer writes the wall clock once for each device.
        (Some(_), Some(_)) if same_device => return None,
        (Some(_), Some(_)) => true,
        _ => false,
    };
    // The TIMESTAMP record is written when tracing starts.
    let before = |c: &ProbedContent, start: Option<u64>| match (c.known_times(), start) {
        (Some(times), Some(start)) => times.0.saturating_add(START_SLACK) < start,
        _ => false,
    };
    if before(contents, cluster.contents.started) || before(&cluster.contents, contents.started) {
        return None;
    }
    let same_base = cluster.parts.iter().any(|&i| probe.base().is_some() && probes[i].base() == probe.base());
    if same_base && !same_device {
        // Per-CPU files of one name are of one device.
        return None;
    }
    let shared = overlap(contents.known_times(), cluster.contents.known_times());
    let together = started_together(contents, &cluster.contents);
    if !same_base {
        // Another device of the same run, or per-CPU files with other names: only if the clocks agree.
        let both_named = probe.base().is_some() && other.base().is_some();
        let silent = same_device && (contents.times.is_none() || cluster.contents.times.is_none());
        let agree = shared >= 0.5 && (same_boot || same_device);
        if (same_device && both_named) || !(agree || together || silent) {
            return None;
        }
    }
    let common_pids = contents.pids.iter().filter(|p| cluster.contents.pids.contains(p)).count().min(4) as f64;
    let changed_together = match (probe.last_modified, other.last_modified) {
        (Some(a), Some(b)) => (a - b).abs() < 2000.0,
        _ => false,
    };
    let yes = |holds: bool| f64::from(u8::from(holds));
    let score = 8.0 * yes(same_boot) + 4.0 * yes(same_base) + 4.0 * yes(together) + 3.0 * shared;
    let known = |c: &ProbedContent| c.known_times().or(c.started.map(|t| (t, t)));
    let apart = gap(known(contents), known(&cluster.contents)) as f64 / 1e9;
    Some(score + 2.0 * common_pids + yes(changed_together) - apart.min(3.0))
}

/// Whether one tracer wrote both: it started them at the same moment of one boot, or the kernel named a task to both.
fn started_together(a: &ProbedContent, b: &ProbedContent) -> bool {
    let same_start = match (a.boot, b.boot, a.started, b.started) {
        (Some(_), Some(_), Some(x), Some(y)) => x.abs_diff(y) <= STARTED_TOGETHER,
        _ => false,
    };
    same_start
        || a.tasks.iter().any(|&(pid, at)| (at.saturating_sub(1)..=at.saturating_add(1)).any(|at| b.tasks.contains(&(pid, at))))
}

fn joined(a: Option<(u64, u64)>, b: Option<(u64, u64)>) -> Option<(u64, u64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// Time between two ranges, ns; 0 when they touch.
fn gap(a: Option<(u64, u64)>, b: Option<(u64, u64)>) -> u64 {
    let (Some(a), Some(b)) = (a, b) else { return 0 };
    a.0.max(b.0).saturating_sub(a.1.min(b.1))
}

/// Share of the shorter range that is inside the longer one.
fn overlap(a: Option<(u64, u64)>, b: Option<(u64, u64)>) -> f64 {
    let (Some(a), Some(b)) = (a, b) else { return 0.0 };
    let (from, to) = (a.0.max(b.0), a.1.min(b.1));
    if to < from {
        return 0.0;
    }
    let shorter = (a.1 - a.0).min(b.1 - b.0).max(1);
    ((to - from).max(1) as f64 / shorter as f64).min(1.0)
}

/// Empty per-CPU files belong to the trace of their name; alone they are an error.
fn add_empty_files(probes: &[Probe], kinds: &[FileKind], clusters: &mut [Cluster], grouping: &mut Grouping) {
    let alone = clusters.is_empty() && grouping.notes.is_empty();
    for (i, probe) in probes.iter().enumerate().filter(|(i, _)| kinds[*i] == FileKind::Empty) {
        let mut homes: Vec<&mut Cluster> = clusters
            .iter_mut()
            .filter(|c| probes[c.parts[0]].folder() == probe.folder() && c.parts.iter().any(|&p| probes[p].base().is_some()))
            .filter(|_| probe.base().is_some())
            .collect();
        // Of the device of its name, else of the only recording here: a device that was not used, or only by other CPUs.
        let named = |c: &Cluster| c.parts.iter().any(|&p| probes[p].base() == probe.base());
        if homes.len() > 1 || homes.iter().any(|c| named(c)) {
            homes.retain(|c| named(c));
        }
        // With several traces of one name: the one that has no file of this name yet.
        let at = homes.iter().position(|c| c.parts.iter().all(|&p| probes[p].name != probe.name)).unwrap_or(0);
        match homes.get_mut(at) {
            Some(home) => home.parts.push(i),
            None if alone || probe.base().is_some() => {
                grouping.rejected.push((i, Problem::Empty { file: probe.path.clone() }.into()));
            }
            None => grouping.notes.push(i),
        }
    }
}

fn name(probes: &[Probe], cluster: &Cluster) -> TraceGroup {
    let first = &probes[cluster.parts[0]];
    let mut bases: Vec<&str> = Vec::new();
    for &i in &cluster.parts {
        let base = probes[i].base().unwrap_or(&probes[i].name);
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    let base = if first.base().is_some() { bases[0] } else { tidy(bases[0]) };
    let folder = first.folder().rsplit('/').next().unwrap_or_default();
    let label = if (bases.len() > 1 || is_generic(base)) && !folder.is_empty() { folder } else { base };
    TraceGroup { name: bases.join("+"), label: tidy(label).to_owned(), parts: cluster.parts.clone() }
}

/// Removes extensions and generic words from the end of a label: `ext4dd-2.6.35+-trace.tar.bz2`.
fn tidy(label: &str) -> &str {
    let mut label = label;
    for end in [
        ".gz",
        ".bz2",
        ".xz",
        ".zst",
        ".tar",
        ".tgz",
        ".tbz2",
        ".txz",
        ".tzst",
        ".zip",
        "-trace",
        "_trace",
        ".trace",
        ".dump",
        ".bin",
        ".txt",
        ".log",
        ".out",
        ".blkparse",
    ] {
        label = label.strip_suffix(end).filter(|l| !l.is_empty()).unwrap_or(label);
    }
    label
}
