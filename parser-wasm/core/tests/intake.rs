//! Files of traces find each other by what is in them.

mod common;

use common::{dump, recording, recordings};
use seekscope_core::intake::{Grouping, PROBE_BYTES, Probe, group};

fn probe(path: &str, data: &[u8]) -> Probe {
    Probe {
        name: path.rsplit('/').next().unwrap_or(path).to_owned(),
        path: path.to_owned(),
        size: data.len() as u64,
        last_modified: None,
        head: data[..data.len().min(PROBE_BYTES)].to_vec(),
        tail: data[data.len().saturating_sub(PROBE_BYTES)..].to_vec(),
    }
}

/// Files of several recordings as they lie in a drop, each with the recording it is of; `loose` without folders.
fn drop_of(names: &[&str], loose: bool) -> (Vec<Probe>, Vec<String>) {
    let mut probes = Vec::new();
    let mut owners = Vec::new();
    for name in names {
        for (file, data) in recording(name) {
            probes.push(probe(&if loose { file } else { format!("{name}/{file}") }, &data));
            owners.push((*name).to_owned());
        }
    }
    // Not in the order in which they belong together.
    let order: Vec<usize> = (0..probes.len()).rev().collect();
    (order.iter().map(|&i| probes[i].clone()).collect(), order.iter().map(|&i| owners[i].clone()).collect())
}

/// Empty files are all alike, so any of their name's traces may have them.
fn assert_grouped_by(grouping: &Grouping, probes: &[Probe], owners: &[String], what: &str) {
    assert!(grouping.rejected.is_empty(), "{what}: {:?}", grouping.rejected);
    for trace in &grouping.traces {
        let mine: Vec<&String> = trace.parts.iter().filter(|&&i| probes[i].size > 0).map(|&i| &owners[i]).collect();
        assert!(mine.windows(2).all(|w| w[0] == w[1]), "{what}: {} mixes {mine:?}", trace.name);
    }
    let mut distinct: Vec<&String> = owners.iter().collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(grouping.traces.len(), distinct.len(), "{what}");
    let labels: std::collections::HashSet<&String> = grouping.traces.iter().map(|t| &t.label).collect();
    assert_eq!(labels.len(), grouping.traces.len(), "{what}: labels are distinct");
}

#[test]
fn a_folder_of_folders() {
    let names = recordings();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (probes, owners) = drop_of(&names, false);
    assert_grouped_by(&group(&probes), &probes, &owners, "all recordings");
}

#[test]
fn loose_files_of_two_traces_with_the_same_names() {
    let names = recordings();
    for a in &names {
        for b in names.iter().filter(|b| *b > a) {
            let (probes, owners) = drop_of(&[a, b], true);
            assert_grouped_by(&group(&probes), &probes, &owners, &format!("{a} and {b}"));
        }
    }
}

#[test]
fn several_devices_of_one_run_are_one_trace() {
    let (probes, _) = drop_of(&["two-devices"], true);
    assert_eq!(group(&probes).traces.len(), 1);
    let (probes, _) = drop_of(&["dm-remap"], true);
    let grouping = group(&probes);
    assert_eq!(grouping.traces.len(), 1, "{:?}", grouping.traces);
}

#[test]
fn file_names_do_not_matter() {
    let files = recording("two-devices");
    let probes: Vec<Probe> = files.iter().enumerate().map(|(i, f)| probe(&format!("part-{i}"), &f.1)).collect();
    assert_eq!(group(&probes).traces.len(), 1);
}

#[test]
fn dumps_are_traces_of_their_own() {
    let a = dump(&recording("sync-fua"));
    let b = dump(&recording("sync-no-fua"));
    let grouping = group(&[probe("old.bin", &a), probe("new.bin", &b)]);
    assert_eq!(grouping.traces.iter().map(|t| t.label.as_str()).collect::<Vec<_>>(), ["old", "new"]);
}

#[test]
fn what_is_no_trace_is_said() {
    let (mut probes, _) = drop_of(&["requeue"], true);
    let n = probes.len();
    probes.push(probe("README.md", b"# Notes\n"));
    probes.push(probe("trace.blktrace.7", b""));
    probes.push(probe("other.blktrace.0", b"\xff\xd8\xff\xe0 a photograph of some disk, certainly longer than a header"));
    let grouping = group(&probes);
    assert_eq!(grouping.notes, [n]);
    assert_eq!(grouping.traces.len(), 1);
    assert_eq!(grouping.rejected.len(), 1);
    assert_eq!(grouping.rejected[0].1.code, "not-a-trace");
    assert!(grouping.rejected[0].1.message.contains("JPEG"));

    let alone = group(&[probe("sda.blktrace.0", b"")]);
    assert_eq!(alone.rejected[0].1.code, "empty-file");
    let junk = group(&[probe("junk", &[0x93; 5000])]);
    assert_eq!(junk.rejected[0].1.code, "not-a-trace");
}
