//! Files are grouped into traces by content.

use crate::common::{dump, read, recording, recordings};
use seekscope_core::intake::{Grouping, PROBE_BYTES, Probe, group};
use std::collections::BTreeSet;

fn probe(path: &str, data: &[u8]) -> Probe {
    Probe {
        name: path.rsplit('/').next().unwrap_or(path).to_owned(),
        path: path.to_owned(),
        size: data.len() as u64,
        head: data[..data.len().min(PROBE_BYTES)].to_vec(),
        tail: data[data.len().saturating_sub(PROBE_BYTES)..].to_vec(),
        ..Probe::default()
    }
}

/// Files of several recordings as dropped, each with the recording it is of; `loose` without
/// folders.
fn drop_of(names: &[&str], loose: bool) -> (Vec<Probe>, Vec<String>) {
    let mut probes = Vec::new();
    let mut owners = Vec::new();
    for name in names {
        for (file, data) in recording(name) {
            probes.push(probe(
                &if loose {
                    file
                } else {
                    format!("{name}/{file}")
                },
                &data,
            ));
            owners.push((*name).to_owned());
        }
    }
    // The order differs from the one in which they belong together.
    let order: Vec<usize> = (0..probes.len()).rev().collect();
    (
        order.iter().map(|&i| probes[i].clone()).collect(),
        order.iter().map(|&i| owners[i].clone()).collect(),
    )
}

/// Empty files are all alike, so any of their name's traces may have them.
fn assert_grouped_by(grouping: &Grouping, probes: &[Probe], owners: &[String], what: &str) {
    assert!(
        grouping.rejected.is_empty(),
        "{what}: {:?}",
        grouping.rejected
    );
    for trace in &grouping.traces {
        let mine: Vec<&String> = trace
            .parts
            .iter()
            .filter(|&&i| probes[i].size > 0)
            .map(|&i| &owners[i])
            .collect();
        assert!(
            mine.windows(2).all(|w| w[0] == w[1]),
            "{what}: {} mixes {mine:?}",
            trace.name
        );
    }
    let mut distinct: Vec<&String> = owners.iter().collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(grouping.traces.len(), distinct.len(), "{what}");
    let labels: std::collections::HashSet<&String> =
        grouping.traces.iter().map(|t| &t.label).collect();
    assert_eq!(
        labels.len(),
        grouping.traces.len(),
        "{what}: labels are distinct"
    );
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

/// One `blktrace -d vda -d vdb`, in which one CPU used vdb: files of 0 bytes, with the TIMESTAMP
/// only and with names of tasks only.
#[test]
fn files_without_events_belong_to_what_was_recorded_with_them() {
    let (probes, _) = drop_of(&["two-devices-idle"], true);
    let grouping = group(&probes);
    assert_eq!(grouping.rejected, []);
    assert_eq!(
        grouping
            .traces
            .iter()
            .map(|t| t.parts.len())
            .collect::<Vec<_>>(),
        [8],
        "{:?}",
        grouping.traces
    );
    // Whatever their names, as far as they have content.
    let files = recording("two-devices-idle")
        .into_iter()
        .filter(|f| !f.1.is_empty());
    let probes: Vec<Probe> = files
        .enumerate()
        .map(|(i, f)| probe(&format!("part-{i}"), &f.1))
        .collect();
    assert_eq!(
        group(&probes).traces.len(),
        1,
        "{:?}",
        group(&probes).traces
    );
    // Without TIMESTAMP, the tasks that the kernel named to both devices at once decide.
    let named: Vec<Probe> = recording("two-devices-idle")
        .iter()
        .map(|f| probe(&f.0, &f.1))
        .filter(|p| p.name.ends_with('1'))
        .collect();
    assert_eq!(group(&named).traces.len(), 1, "{:?}", group(&named).traces);
}

#[test]
fn a_device_that_was_not_used_is_listed() {
    let store = read(&recording("two-devices-idle"), 1 << 20);
    let events = |device: usize| {
        (0..store.events.len())
            .filter(|&i| store.events.device(i) == device as u32)
            .count()
    };
    let mut devices: Vec<_> = store
        .devices
        .iter()
        .enumerate()
        .map(|(i, d)| (d.name.as_str(), events(i)))
        .collect();
    devices.sort_unstable();
    assert_eq!(devices, [("vda", 0), ("vdb", 1400)]);
    assert!(
        store.quality.warnings.is_empty(),
        "{:?}",
        store.quality.warnings
    );
}

#[test]
fn empty_files_of_another_device_belong_to_the_only_recording_next_to_them() {
    let (mut probes, _) = drop_of(&["requeue"], true);
    probes.push(probe("sdz.blktrace.0", b""));
    let grouping = group(&probes);
    assert_eq!(
        (grouping.traces.len(), grouping.rejected.len()),
        (1, 0),
        "{grouping:?}"
    );
    // Nothing shows which recording the texts are of.
    let (mut probes, _) = drop_of(&["requeue", "discard"], true);
    probes.push(probe("sdz.blktrace.0", b""));
    assert_eq!(group(&probes).rejected[0].1.code, "empty-file");
}

#[test]
fn what_blkparse_printed_of_a_trace_is_no_second_run() {
    let (mut probes, _) = drop_of(&["two-devices", "raid5-aligned", "raid5-misaligned"], false);
    let n = probes.len();
    probes.push(probe("raid5-aligned/md0.blkparse.txt", TEXT));
    probes.push(probe("raid5-misaligned/vda.blkparse", TEXT));
    let grouping = group(&probes);
    assert_eq!(
        (grouping.traces.len(), grouping.notes.as_slice()),
        (3, [n, n + 1].as_slice()),
        "{:?}",
        grouping.traces
    );
    // Without the rest of its trace, it is a trace of its own.
    probes.push(probe("two-devices/md0.blkparse.txt", TEXT));
    assert_eq!(group(&probes).traces.len(), 4);
}

#[test]
fn file_names_do_not_matter() {
    let files = recording("two-devices");
    let probes: Vec<Probe> = files
        .iter()
        .enumerate()
        .map(|(i, f)| probe(&format!("part-{i}"), &f.1))
        .collect();
    assert_eq!(group(&probes).traces.len(), 1);
}

#[test]
fn dumps_are_traces_of_their_own() {
    let a = dump(&recording("sync-fua"));
    let b = dump(&recording("sync-no-fua"));
    let grouping = group(&[probe("old.bin", &a), probe("new.bin", &b)]);
    assert_eq!(
        grouping
            .traces
            .iter()
            .map(|t| t.label.as_str())
            .collect::<Vec<_>>(),
        ["old", "new"]
    );
}

const TEXT: &[u8] = b"  8,0    0        1     0.000000000   286  Q  RS 0 + 128 [dd]\n  8,0    \
    0        2     0.000558791   286  G  RS 0 + 128 [dd]\n";

#[test]
fn text_is_a_trace_by_itself() {
    let (mut probes, _) = drop_of(&["requeue"], true);
    let n = probes.len();
    probes.push(probe("vda.blkparse.txt", TEXT));
    probes.push(probe("foo.log", TEXT));
    probes.push(probe(
        "README.md",
        &[
            b"# Notes\n\nA line of it:\n\n".as_slice(),
            &TEXT[..62],
            &b"and so on\n".repeat(9),
        ]
        .concat(),
    ));
    let grouping = group(&probes);
    let parts: Vec<_> = grouping
        .traces
        .iter()
        .map(|t| (t.label.as_str(), t.parts.clone()))
        .collect();
    assert_eq!(
        parts[1..],
        [("vda", vec![n]), ("foo", vec![n + 1])],
        "{parts:?}"
    );
    assert_eq!(
        (grouping.traces.len(), grouping.notes.as_slice()),
        (3, [n + 2].as_slice())
    );
    // If it is dropped alone, it is the trace.
    assert_eq!(group(&probes[n + 2..]).traces.len(), 1);
}

#[test]
fn text_without_events_says_what_it_is() {
    let code = |data: &[u8]| group(&[probe("x.txt", data)]).rejected[0].1.code;
    assert_eq!(
        code(b"Throughput (R/W): 1187KiB/s / 23KiB/s\n"),
        "summary-only"
    );
    assert_eq!(code(b"hello\n"), "text-not-understood");
    assert_eq!(code(b"{ \"jobs\": [] }\n"), "not-a-trace");
}

#[test]
fn a_format_string_makes_text_a_trace() {
    let text = b"Q 100 8 at 0.000000001 RS\nC 100 8 at 0.000000009 RS\n";
    let grouped_with = |pattern: &str| {
        group(&[Probe {
            pattern: Some(pattern.to_owned()),
            ..probe("x.txt", text)
        }])
    };
    assert_eq!(grouped_with(r"%a %S %n at %T.%t %d\n").traces.len(), 1);
    assert_eq!(
        grouped_with("%a %S %n at %T %d").rejected[0].1.code,
        "bad-format-string"
    );
    assert_eq!(
        grouped_with("%a-%S-%n-%T.%t-%d").rejected[0].1.code,
        "text-not-understood"
    );
}

#[test]
fn what_is_no_trace_is_said() {
    let (mut probes, _) = drop_of(&["requeue"], true);
    let n = probes.len();
    probes.push(probe("README.md", b"# Notes\n"));
    probes.push(probe("trace.blktrace.7", b""));
    probes.push(probe(
        "other.blktrace.0",
        b"\xff\xd8\xff\xe0 a photograph of some disk, certainly longer than a header",
    ));
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

/// Damage leaves little to group by; then the order in which the files were given must not decide.
#[test]
fn damaged_files_are_grouped_alike_in_any_order() {
    let names = recordings();
    let mut seed = 1_u32;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    for (a, b) in names.iter().zip(names.iter().cycle().skip(3)) {
        let (mut probes, _) = drop_of(&[a, b], true);
        for probe in probes.iter_mut().filter(|probe| !probe.head.is_empty()) {
            let (head, tail) = (random(probe.head.len()), random(probe.tail.len()));
            match random(4) {
                0 => probe.head[..head].fill(0),
                1 => probe.head.truncate(head),
                2 => probe.tail[tail..].fill(0xff),
                _ => (0..40).for_each(|_| probe.head[random(head + 1)] ^= 1 << random(8)),
            }
        }
        let traces = |order: &[usize]| {
            let grouping = group(&order.iter().map(|&i| probes[i].clone()).collect::<Vec<_>>());
            // Empty files are all alike.
            let has_bytes = |&i: &usize| probes[i].size > 0;
            let files = |parts: &[usize]| {
                parts
                    .iter()
                    .map(|&index| order[index])
                    .filter(has_bytes)
                    .collect::<BTreeSet<usize>>()
            };
            grouping
                .traces
                .iter()
                .map(|trace| files(&trace.parts))
                .collect::<BTreeSet<_>>()
        };
        let mut order: Vec<usize> = (0..probes.len()).collect();
        let first = traces(&order);
        for _ in 0..10 {
            (1..order.len())
                .rev()
                .for_each(|i| order.swap(i, random(i + 1)));
            assert_eq!(traces(&order), first, "{a} and {b} as {order:?}");
        }
    }
}

/// A sparse file may have any size: it is not read to its end to find that it is too large.
#[test]
fn a_file_that_is_held_as_a_whole_is_refused_by_its_size() {
    let heads: [(&str, &[u8]); 2] = [
        ("trace.dat", b"\x17\x08\x44tracing6\0\0\x08"),
        ("perf.data", b"PERFILE2\x68\0\0\0\0\0\0\0"),
    ];
    for (name, head) in heads {
        let mut big = probe(name, &[head, &[0; 4096]].concat());
        assert_eq!(group(std::slice::from_ref(&big)).traces.len(), 1, "{name}");
        big.size = 1 << 40;
        let Grouping {
            traces, rejected, ..
        } = group(&[big]);
        assert!(traces.is_empty(), "{name}");
        let error = &rejected[0].1;
        assert_eq!(error.code, "too-large");
        assert_eq!(
            error.at.as_ref().and_then(|place| place.size),
            Some(1 << 40)
        );
    }
}
