//! What one more file costs before anything is read: many traces, per-CPU files and texts are
//! grouped.

use super::Steps;
use super::recorded::{Shape, Streams};
use seekscope_core::intake::{Probe, group};
use seekscope_core::notes::{self, TracePaths};
use serde_json::{Value, json};
use std::hint::black_box;

const TEXT: &str =
    "Linux version 6.12.0-1-amd64\nThis is what the machine had to say about this run.\n";

/// Times the grouping of `size` files; `axis` is their kind.
pub fn open(axis: &str, size: u64) -> Result<Value, String> {
    let mut steps = Steps::new();
    let probes: Vec<Probe> = match axis {
        // Files of one trace.
        "parts" => tiny(size, size)
            .into_iter()
            .enumerate()
            .map(|(cpu, head)| probe(format!("sda.blktrace.{cpu}"), head))
            .collect(),
        // One trace per folder.
        "traces" => {
            let head = tiny(1, 1).concat();
            (0..size)
                .map(|i| probe(format!("run{i}/trace.blktrace.0"), head.clone()))
                .collect()
        }
        // Many traces of one folder, all of the same time and device.
        "copies" => {
            let head = tiny(1, 1).concat();
            (0..size)
                .map(|i| probe(format!("all/disk{i}.blktrace.0"), head.clone()))
                .collect()
        }
        // Texts next to one trace.
        "texts" => {
            let text = |i| probe(format!("run/{i}.txt"), TEXT.as_bytes().to_vec());
            std::iter::once(probe(
                "run/trace.blktrace.0".to_owned(),
                tiny(1, 1).concat(),
            ))
            .chain((0..size).map(text))
            .collect()
        }
        // A text above all traces, and one next to each.
        "notes" => {
            let head = tiny(1, 1).concat();
            let both = |i| {
                [
                    probe(format!("r/run{i}/a.blktrace.0"), head.clone()),
                    probe(format!("r/{i}.txt"), TEXT.as_bytes().to_vec()),
                ]
            };
            (0..size).flat_map(both).collect()
        }
        _ => return Err(format!("unknown axis: {axis}")),
    };
    let grouping = steps.time("group", || group(&probes));
    let path = |&i: &usize| probes[i].path.clone();
    let traces: Vec<TracePaths> = grouping
        .traces
        .iter()
        .map(|trace| TracePaths {
            label: trace.label.clone(),
            paths: trace.parts.iter().map(path).collect(),
        })
        .collect();
    let read = steps.time("notes", || {
        grouping
            .notes
            .iter()
            .map(|&i| notes::read(&probes[i].path, &probes[i].head))
            .collect::<Vec<_>>()
    });
    let assigned = steps.time("assign", || notes::assign(&traces, read));
    steps.time("document", || drop(black_box(json!(assigned).to_string())));
    Ok(steps.json())
}

fn probe(path: String, head: Vec<u8>) -> Probe {
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    Probe {
        name,
        path,
        size: head.len() as u64,
        tail: head.clone(),
        head,
        ..Probe::default()
    }
}

/// The bytes of each file of a recording with few requests per file.
fn tiny(files: u64, requests: u64) -> Vec<Vec<u8>> {
    let mut streams = Streams::new(&Shape {
        events: requests.max(files) * 4 * 2,
        files,
        ..Shape::default()
    });
    let mut bytes = |file| {
        let mut piece = Vec::new();
        streams.next(file, usize::MAX, &mut piece);
        piece
    };
    (0..files as usize).map(&mut bytes).collect()
}
