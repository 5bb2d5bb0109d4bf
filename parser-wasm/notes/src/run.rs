//! Assigns notes to traces, and collects what they say about each.

use super::bench::{self, BenchFigure, BenchValue};
use super::owners::{Owners, split, stem};
use super::{BlockNote, Fact, FactValue, Note, Setting, ZoneNote, manifest, zones};
use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_trace::limits::{CountOutliers, ReportedCount};
use seekscope_trace::names::is_generic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Limit for the settings of a run.
const MAX_SETTINGS: usize = 2000;

/// A trace that notes may belong to.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct TracePaths {
    /// The label that the names of the files suggest.
    pub label: String,
    /// The paths of its files; the first one decides which texts belong to it.
    pub paths: Vec<String>,
}

/// A note and the traces that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AssignedNote {
    #[serde(flatten)]
    pub note: Note,
    /// Indices of the traces that it belongs to.
    pub traces: Vec<usize>,
}

/// The dropped events that the tracer reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[doc(alias = "DroppedEvents")]
pub struct TracerDrops {
    pub events: u64,
    /// Path of the log.
    pub file: String,
    /// Counts of the log that cannot be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outliers: Option<CountOutliers>,
}

/// The facts of all notes that belong to one trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunFacts {
    /// A label from the file names, or from the notes if those are generic.
    pub label: String,
    /// The kernel, if the notes agree on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The scheduler, if the notes agree on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<String>,
    /// Names of fio's jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<String>,
    /// Number of dd processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writers: Option<usize>,
    /// fio's `numjobs`, if its jobs agree on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
    /// `None` without a log that is certainly of this trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<TracerDrops>,
    /// Benchmark figures that are certainly of this run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bench: Vec<BenchFigure>,
    /// Settings on which the notes agree, by device and key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<Setting>,
    /// Zones of zoned disks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<ZoneNote>,
    /// Sizes of logical blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockNote>,
    /// Repeats of one measurement, as the recorder noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// The notes with their traces, and the facts of each trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[doc(alias = "NotesOfTraces")]
pub struct AssignedNotes {
    pub notes: Vec<AssignedNote>,
    /// One entry per trace.
    pub runs: Vec<RunFacts>,
}

/// Assigns notes to traces and collects the facts of each run.
pub fn assign(traces: &[TracePaths], notes: Vec<Note>) -> AssignedNotes {
    let mut owners = Owners::new(traces);
    let with_traces = |note: Note| AssignedNote {
        traces: owners.find(&note.file),
        note,
    };
    let notes: Vec<AssignedNote> = notes.into_iter().map(with_traces).collect();
    let mut notes_of = vec![Vec::new(); traces.len()];
    for (n, note) in notes.iter().enumerate() {
        note.traces.iter().for_each(|&i| notes_of[i].push(n));
    }
    let notes_for = |i: usize| notes_of[i].iter().map(|&n| &notes[n]);
    let kernels: Vec<Option<&str>> = (0..traces.len())
        .map(|i| only(notes_for(i).filter_map(|n| n.note.kernel.as_deref())))
        .collect();
    let schedulers: Vec<Option<&str>> = (0..traces.len())
        .map(|i| {
            only(
                notes_for(i)
                    .flat_map(|n| &n.note.schedulers)
                    .map(|s| s.1.as_str()),
            )
        })
        .collect();
    let labels = labels(traces, &kernels, &schedulers);
    let named: Vec<NamedRuns> = notes
        .iter()
        .map(|note| named_runs(note, traces, &kernels))
        .collect();
    let path = |i: usize| traces[i].paths.first().map_or("", String::as_str);
    let recorded: Vec<(&str, Vec<&Note>)> = (0..traces.len())
        .map(|i| (path(i), notes_for(i).map(|n| &n.note).collect()))
        .collect();
    let groups = manifest::groups(&recorded);
    let runs = labels.into_iter().enumerate().map(|(i, label)| {
        let values: Vec<BenchValue> = notes_of[i]
            .iter()
            .flat_map(|&n| values(&notes[n], i, &named[n]))
            .collect();
        let settings = settings(notes_for(i).map(|n| &n.note));
        let reports: Vec<&ZoneNote> = notes_for(i).filter_map(|n| n.note.zones.as_ref()).collect();
        RunFacts {
            zones: zones::of_run(&settings, &reports),
            blocks: BlockNote::of_run(&settings),
            group: groups[i].map(str::to_owned),
            label,
            kernel: kernels[i].map(str::to_owned),
            scheduler: schedulers[i].map(str::to_owned),
            workload: bench::jobs_of_fio(&values),
            writers: writers(&values),
            jobs: numjobs(notes_for(i).map(|n| &n.note)),
            dropped: notes_for(i)
                .filter_map(|n| dropped(n, &traces[i]))
                .max_by_key(|d| d.events),
            bench: bench::figures(&values),
            settings,
        }
    });
    AssignedNotes {
        runs: runs.collect(),
        notes,
    }
}

/// The value that all have; `None` if they differ or there are none.
fn only<'a>(mut values: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// The number of jobs that all fio reports agree on.
fn numjobs<'a>(notes: impl Iterator<Item = &'a Note>) -> Option<usize> {
    let numbers = notes
        .flat_map(|note| &note.facts)
        .filter(|fact| fact.key == "numjobs");
    let text = |fact: &'a Fact| match &fact.value {
        FactValue::Text(text) => Some(text.as_str()),
        FactValue::Number(_) => None,
    };
    only(numbers.filter_map(text))?.parse().ok()
}

/// The settings in the notes of a trace, without those for which they have several values. Numbers
/// of devices become names.
fn settings<'a>(notes: impl Iterator<Item = &'a Note>) -> Vec<Setting> {
    let notes: Vec<&Note> = notes.collect();
    let (mut by_number, mut by_name) = (FxHashMap::default(), FxHashMap::default());
    for (dev, name) in notes.iter().flat_map(|note| &note.names) {
        by_number.entry(dev.as_str()).or_insert(name.as_str());
        by_name.entry(name.as_str()).or_insert(dev.as_str());
    }
    let mut found: BTreeMap<(Option<String>, &str), Option<&str>> = BTreeMap::new();
    for setting in notes.iter().flat_map(|note| &note.settings) {
        let printed = setting.device.as_deref();
        let named = printed.and_then(|printed| by_number.get(printed).copied());
        let place = (named.or(printed).map(str::to_owned), setting.key.as_str());
        let value = setting.value.as_str();
        found
            .entry(place)
            .and_modify(|agreed| *agreed = agreed.filter(|agreed| *agreed == value))
            .or_insert(Some(value));
    }
    let dev = |device: &str| by_name.get(device).map(|dev| (*dev).to_owned());
    let agreed = |((device, key), value): ((Option<String>, &str), Option<&str>)| {
        Some(Setting {
            dev: device.as_deref().and_then(dev),
            device,
            key: key.to_owned(),
            value: value?.to_owned(),
        })
    };
    found
        .into_iter()
        .filter_map(agreed)
        .take(MAX_SETTINGS)
        .collect()
}

/// Dropped events of a trace in a log: those of its devices if the log names them, else all, but
/// only if it belongs to no other trace.
fn dropped(owned: &AssignedNote, trace: &TracePaths) -> Option<TracerDrops> {
    let logged = &owned.note.dropped;
    if logged.is_empty() {
        return None;
    }
    let stems: FxHashSet<&str> = trace.paths.iter().map(|path| stem(split(path).1)).collect();
    let named =
        |device: &Option<String>| device.as_ref().is_some_and(|d| stems.contains(d.as_str()));
    let is_any_named = logged.iter().any(|(device, _)| named(device));
    if !is_any_named && owned.traces.len() != 1 {
        return None;
    }
    let mut sum = ReportedCount::default();
    for (device, count) in logged {
        if !is_any_named || named(device) {
            sum.add(*count);
        }
    }
    // A sum that cannot be is damage, too; of a count that cannot be, the log has the digits.
    let outliers = owned.note.count_outliers.as_ref().or(sum.outliers());
    Some(TracerDrops {
        events: sum.sum(),
        file: owned.note.file.clone(),
        outliers: outliers.cloned(),
    })
}

/// The run that each value of a text names, if it is certain, and the name.
type NamedRuns = Vec<Option<(usize, String)>>;

fn named_runs(owned: &AssignedNote, traces: &[TracePaths], kernels: &[Option<&str>]) -> NamedRuns {
    let is_alone = owned.traces.len() == 1;
    let bearer = |name: &str| {
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        let mut bearers = owned
            .traces
            .iter()
            .copied()
            .filter(|&t| is(&traces[t].label) || kernels[t].is_some_and(is));
        bearers.next().filter(|_| bearers.next().is_none())
    };
    let named = |value: &BenchValue| {
        let others = value.headings.iter().chain(&value.part);
        value
            .run
            .iter()
            .chain(others.filter(|_| !is_alone))
            .find_map(|name| Some((bearer(name)?, name.clone())))
    };
    owned.note.values.iter().map(named).collect()
}

/// Benchmark values of the run `i` in a text: those that name this run only, and all others if the
/// text belongs to no other trace and does not describe several runs.
fn values(owned: &AssignedNote, i: usize, named: &NamedRuns) -> Vec<BenchValue> {
    let all = &owned.note.values;
    let is_alone = owned.traces.len() == 1;
    let mine = |(value, named): (&BenchValue, &Option<(usize, String)>)| match named {
        Some((run, name)) => (*run == i).then(|| without_name(value, name)),
        None if !is_alone => None,
        None if value.run.is_some() => all
            .iter()
            .filter(|other| other.tool == value.tool && other.run.is_some())
            .all(|other| other.run == value.run)
            .then(|| value.clone()),
        None => Some(value.clone()),
    };
    all.iter().zip(named).filter_map(mine).collect()
}

/// The value of the run that has the name: it says no more.
fn without_name(value: &BenchValue, name: &String) -> BenchValue {
    let is_other = |other: &String| other != name;
    BenchValue {
        run: value.run.clone().filter(is_other),
        headings: value
            .headings
            .iter()
            .filter(|h| is_other(h))
            .cloned()
            .collect(),
        part: value.part.clone().filter(is_other),
        ..value.clone()
    }
}

/// Number of dd processes that wrote.
fn writers(values: &[BenchValue]) -> Option<usize> {
    let count = values.iter().map(|value| value.processes as usize);
    Some(count.fold(0, usize::saturating_add)).filter(|count| *count > 0)
}

/// Replaces generic labels by the kernel release, the scheduler, or both: the first that makes the
/// runs distinct.
fn labels(
    traces: &[TracePaths],
    kernels: &[Option<&str>],
    schedulers: &[Option<&str>],
) -> Vec<String> {
    let by_kernel = |i: usize| kernels[i].map(str::to_owned);
    let by_scheduler = |i: usize| schedulers[i].map(str::to_owned);
    let by_both = |i: usize| Some(format!("{} {}", kernels[i]?, schedulers[i]?));
    let ways: [&dyn Fn(usize) -> Option<String>; 3] = [&by_kernel, &by_scheduler, &by_both];
    let labels: Vec<String> = traces.iter().map(|t| t.label.clone()).collect();
    let unique = ways.iter().map(|way| {
        let renamed = labels.iter().enumerate().map(|(i, label)| {
            if empty(label) {
                way(i)
            } else {
                Some(label.clone())
            }
        });
        renamed
            .collect::<Option<Vec<String>>>()
            .filter(|all| all.iter().collect::<FxHashSet<_>>().len() == all.len())
    });
    unique.flatten().next().unwrap_or(labels)
}

/// Whether a label says nothing: `trace`, `sda`, `trace (2)`.
fn empty(label: &str) -> bool {
    let numbered = label.rsplit_once(" (").filter(|(_, rest)| {
        rest.strip_suffix(')')
            .is_some_and(|n| n.parse::<u32>().is_ok())
    });
    is_generic(numbered.map_or(label, |(base, _)| base))
}
