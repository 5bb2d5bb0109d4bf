//! Files of one trace, and how well another file fits to them.

use super::{Probe, ProbedContent};
use rustc_hash::FxHashSet;

/// Boot times computed from two TIMESTAMP records of one boot differ by less than this, ns: the
/// tracer reads wall clock and trace clock one after the other, and adjustments of the wall clock
/// are small. Reboots are seconds apart.
const SAME_BOOT: i128 = 10_000_000;

/// Events of other CPUs may be older than the TIMESTAMP record by this much, ns: tracing starts CPU
/// by CPU.
const START_SLACK: u64 = 10_000_000;

/// A tracer starts all its devices within this time, ns.
const STARTED_TOGETHER: u64 = 100_000_000;

/// Files that are one trace, as far as was seen so far.
#[derive(Default)]
pub(super) struct Cluster<'a> {
    pub parts: Vec<usize>,
    contents: ProbedContent,
    pub names: FxHashSet<&'a str>,
    /// The base names (without `.blktrace.CPU`) of its per-CPU files.
    pub bases: FxHashSet<&'a str>,
}

impl<'a> Cluster<'a> {
    pub fn new(part: usize, probe: &'a Probe, contents: ProbedContent) -> Cluster<'a> {
        let mut cluster = Cluster {
            contents,
            ..Cluster::default()
        };
        cluster.note(part, probe);
        cluster
    }

    /// Adds a file with its names only: it has no records that could decide what belongs here.
    pub fn note(&mut self, part: usize, probe: &'a Probe) {
        self.parts.push(part);
        self.names.insert(&probe.name);
        self.bases.extend(probe.base());
    }

    /// Adds a file with its names and contents.
    pub fn add(&mut self, part: usize, probe: &'a Probe, contents: &ProbedContent) {
        self.note(part, probe);
        let joined_contents = &mut self.contents;
        joined_contents.streams.extend(&contents.streams);
        joined_contents.devices.extend(&contents.devices);
        joined_contents.boot = joined_contents.boot.or(contents.boot);
        joined_contents.started = joined_contents
            .started
            .into_iter()
            .chain(contents.started)
            .min();
        joined_contents.times = joined(joined_contents.times, contents.times);
        joined_contents.named = joined(joined_contents.named, contents.named);
        joined_contents.pids.extend(&contents.pids);
        joined_contents.tasks.extend(&contents.tasks);
    }
}

/// Scores how well a file fits a cluster of the same folder; `None` if it cannot belong to it.
/// `other` is the cluster's first file.
pub(super) fn affinity(
    probe: &Probe,
    contents: &ProbedContent,
    cluster: &Cluster,
    other: &Probe,
) -> Option<f64> {
    // Times of a dump start at 0, and it is complete.
    let dump = |c: &ProbedContent| c.times.is_some_and(|t| t.0 == 0);
    // One folder has a name once: such files were dropped from several.
    let same_name = probe.base().is_some() && cluster.names.contains(probe.name.as_str());
    if same_name || dump(contents) || dump(&cluster.contents) {
        return None;
    }
    if contents
        .streams
        .iter()
        .any(|s| cluster.contents.streams.contains(s))
    {
        return None;
    }
    let same_device = contents
        .devices
        .iter()
        .any(|d| cluster.contents.devices.contains(d));
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
    let same_base = probe
        .base()
        .is_some_and(|base| cluster.bases.contains(base));
    if same_base && !same_device {
        // Per-CPU files with one base name are of one device, so this is another trace.
        return None;
    }
    let shared = overlap(contents.known_times(), cluster.contents.known_times());
    let together = started_together(contents, &cluster.contents);
    if !same_base {
        // Another device of the same run, or per-CPU files with other names: only if the clocks
        // agree.
        let both_named = probe.base().is_some() && other.base().is_some();
        let silent = same_device && (contents.times.is_none() || cluster.contents.times.is_none());
        let agree = shared >= 0.5 && (same_boot || same_device);
        if (same_device && both_named) || !(agree || together || silent) {
            return None;
        }
    }
    let common_pids = contents
        .pids
        .iter()
        .filter(|p| cluster.contents.pids.contains(p))
        .count()
        .min(4) as f64;
    let changed_together = match (probe.last_modified, other.last_modified) {
        (Some(a), Some(b)) => (a - b).abs() < 2000.0,
        _ => false,
    };
    let yes = |holds: bool| f64::from(u8::from(holds));
    let score = 8.0 * yes(same_boot) + 4.0 * yes(same_base) + 4.0 * yes(together) + 3.0 * shared;
    let times = |c: &ProbedContent| c.known_times().or(c.started.map(|t| (t, t)));
    let apart = gap(times(contents), times(&cluster.contents)) as f64 / 1e9;
    Some(score + 2.0 * common_pids + yes(changed_together) - apart.min(3.0))
}

/// Whether one tracer wrote both: it started them at the same moment of one boot, or the kernel
/// named a task to both.
fn started_together(a: &ProbedContent, b: &ProbedContent) -> bool {
    let same_start = match (a.boot, b.boot, a.started, b.started) {
        (Some(_), Some(_), Some(x), Some(y)) => x.abs_diff(y) <= STARTED_TOGETHER,
        _ => false,
    };
    same_start
        || a.tasks.iter().any(|&(pid, time)| {
            (time.saturating_sub(1)..=time.saturating_add(1))
                .any(|time| b.tasks.contains(&(pid, time)))
        })
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
    let (Some(a), Some(b)) = (a, b) else {
        return 0.0;
    };
    let (from, to) = (a.0.max(b.0), a.1.min(b.1));
    if to < from {
        return 0.0;
    }
    let shorter = (a.1 - a.0).min(b.1 - b.0).max(1);
    ((to - from).max(1) as f64 / shorter as f64).min(1.0)
}
