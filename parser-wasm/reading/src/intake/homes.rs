//! Selects the traces that a file is compared with: all of its folder, and where a folder has very
//! many, those of its name and those around its time. Without the limit, thousands of files in one
//! folder would be compared with each other.

use super::{Probe, ProbedContent};
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;
use std::collections::BTreeSet;

/// Traces of a folder up to which a file is compared with all of them. Nobody traces as many
/// devices into one folder at a time; an archive may have many thousands of tiny traces, and
/// comparing each with each takes hours.
const MAX_TRACES: usize = 256;

/// The traces of one folder so far, by their numbers.
#[derive(Default)]
struct TracesOfFolder<'a> {
    traces: Vec<usize>,
    by_base: FxHashMap<&'a str, BTreeSet<usize>>,
    /// Traces by the time of their first file.
    by_time: BTreeSet<(u64, usize)>,
}

/// The traces of all folders so far.
#[derive(Default)]
pub(super) struct Homes<'a> {
    folders: FxHashMap<&'a str, TracesOfFolder<'a>>,
}

impl<'a> Homes<'a> {
    /// Numbers of the traces that a file may belong to, at most 256 of its folder.
    pub fn candidates(&self, probe: &Probe, contents: &ProbedContent) -> Vec<usize> {
        let Some(folder) = self.folders.get(probe.folder()) else {
            return Vec::new();
        };
        if folder.traces.len() <= MAX_TRACES {
            return folder.traces.clone();
        }
        let named = probe.base().and_then(|base| folder.by_base.get(base));
        let mut found: Vec<usize> = named
            .into_iter()
            .flat_map(|traces| traces.iter().rev())
            .take(MAX_TRACES / 2)
            .copied()
            .collect();
        let time = start(contents);
        found.extend(
            folder
                .by_time
                .range(..(time, 0))
                .rev()
                .take(MAX_TRACES / 4)
                .map(|entry| entry.1),
        );
        found.extend(
            folder
                .by_time
                .range((time, 0)..)
                .take(MAX_TRACES / 4)
                .map(|entry| entry.1),
        );
        found.sort_short();
        found.dedup();
        found
    }

    /// Enters a file of a trace.
    pub fn note(&mut self, probe: &'a Probe, contents: &ProbedContent, trace: usize) {
        let folder = self.folders.entry(probe.folder()).or_default();
        if folder.traces.binary_search(&trace).is_err() {
            folder.traces.push(trace);
            folder.by_time.insert((start(contents), trace));
        }
        if let Some(base) = probe.base() {
            folder.by_base.entry(base).or_default().insert(trace);
        }
    }
}

fn start(contents: &ProbedContent) -> u64 {
    contents
        .known_times()
        .map(|times| times.0)
        .or(contents.started)
        .unwrap_or(0)
}
