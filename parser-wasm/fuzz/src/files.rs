//! Several files at once: which belong together, and the merge of those that do.

use crate::road::{everything, noise, probe, read};
use seekscope_core::intake::{Grouping, group};

/// Names as they are dropped; the first byte of a file chooses.
const NAMES: [&str; 8] = [
    "trace.blktrace.0",
    "trace.blktrace.1",
    "sda.blktrace.0",
    "sda.blktrace.1",
    "run/sda.blktrace.0",
    "run/md0.blktrace.1",
    "dump.bin",
    "notes.txt",
];

/// Packs several files into one input: for each the index of its name, its length in two bytes, and
/// its bytes.
pub(crate) fn bundle(files: &[(u8, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, data) in files {
        out.extend([*name, data.len() as u8, (data.len() >> 8) as u8]);
        out.extend_from_slice(data);
    }
    out
}

fn unbundle(mut data: &[u8]) -> Vec<(&'static str, &[u8])> {
    let mut files = Vec::new();
    while let [name, low, high, rest @ ..] = data {
        let (file, after) =
            rest.split_at(rest.len().min(usize::from(*low) | usize::from(*high) << 8));
        files.push((NAMES[usize::from(*name) % NAMES.len()], file));
        data = after;
    }
    files
}

/// The target: files as `bundle` packs them.
pub(crate) fn several(data: &[u8]) {
    let files = unbundle(data);
    let mut probes: Vec<_> = files.iter().map(|(name, data)| probe(name, data)).collect();
    for probe in &mut probes {
        probe.name = probe.path.rsplit('/').next().unwrap_or_default().to_owned();
        // Only the ends of a longer file are seen before it is read.
        if probe.head.len() > 1024 {
            probe.head.truncate(probe.head.len() / 2);
            probe.tail.drain(..probe.tail.len() / 2);
        }
    }
    let grouping = group(&probes);
    every_file_once(&grouping, files.len());
    for trace in &grouping.traces {
        assert!(
            !trace.name.is_empty() && !trace.label.is_empty(),
            "{trace:?}"
        );
        let parts: Vec<(&str, &[u8])> = trace.parts.iter().map(|&i| files[i]).collect();
        if let Ok(store) = read(&parts, 100, false) {
            everything(&store, noise(data));
        }
    }
}

/// Each file is in exactly one place of a grouping.
fn every_file_once(grouping: &Grouping, files: usize) {
    let traces = grouping.traces.iter().flat_map(|t| t.parts.iter().copied());
    let mut all: Vec<usize> = traces
        .chain(grouping.rejected.iter().map(|r| r.0))
        .chain(grouping.notes.iter().copied())
        .collect();
    all.sort_unstable();
    assert_eq!(all, (0..files).collect::<Vec<_>>());
}
