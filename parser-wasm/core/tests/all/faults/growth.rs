//! The cost of one more file. The files are made, since no recording has thousands of devices.

use seekscope_core::intake::{Probe, group};
use seekscope_core::notes::{self, TracePaths};
use std::time::{Duration, Instant};

/// A record of version 7: a queued read of 4 KiB of device 8,0.
fn record(cpu: u32, time: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(0x6561_7407_u32.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(time.to_le_bytes());
    bytes.extend(4096_u64.to_le_bytes());
    for word in [4096, 1 << 16 | 1 << 20 | 1, 77, 8 << 20, cpu, 0] {
        bytes.extend(u32::to_le_bytes(word));
    }
    bytes
}

fn probe(path: String, head: Vec<u8>) -> Probe {
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    Probe {
        name,
        path,
        size: head.len() as u64,
        head,
        ..Probe::default()
    }
}

/// The shortest time of three runs.
fn fastest(mut work: impl FnMut()) -> Duration {
    let mut time = || {
        let begin = Instant::now();
        work();
        begin.elapsed()
    };
    time().min(time()).min(time())
}

/// Ten times as many take at most 25 times as long; comparing each with each takes 100 times as
/// long. Other work on the machine may slow down one measurement, not several.
fn assert_linear(what: &str, work: impl Fn(usize)) {
    let measure = || (fastest(|| work(400)), fastest(|| work(4000)));
    let is_linear = |(some, many): (Duration, Duration)| many < some * 25;
    let measured: Vec<(Duration, Duration)> = (0..4)
        .map(|_| measure())
        .take_while(|&times| !is_linear(times))
        .collect();
    assert!(
        measured.len() < 4,
        "{what}: 400 and 4,000 take {measured:?}"
    );
}

#[test]
fn a_trace_more_costs_no_trace_more() {
    let folders = |n: usize| -> Vec<Probe> {
        (0..n)
            .map(|i| probe(format!("run{i}/trace.blktrace.0"), record(0, 1000)))
            .collect()
    };
    let copies = |n: usize| -> Vec<Probe> {
        (0..n)
            .map(|i| probe(format!("all/sd{i}.blktrace.0"), record(0, 1000)))
            .collect()
    };
    assert_linear("traces in folders", |n| {
        assert_eq!(group(&folders(n)).traces.len(), n)
    });
    assert_linear("traces in one folder", |n| {
        assert_eq!(group(&copies(n)).traces.len(), n)
    });
    let empty = |n: usize| -> Vec<Probe> {
        copies(n)
            .into_iter()
            .chain((0..n).map(|i| probe(format!("all/sd{i}.blktrace.1"), Vec::new())))
            .collect()
    };
    assert_linear("empty files", |n| {
        assert!(
            group(&empty(n))
                .traces
                .iter()
                .all(|trace| trace.parts.len() == 2)
        )
    });
}

#[test]
fn a_text_more_costs_no_trace_more() {
    let work = |n: usize| {
        let traces: Vec<TracePaths> = (0..n)
            .map(|i| TracePaths {
                label: format!("trace ({i})"),
                paths: vec![format!("r/run{i}/trace.blktrace.0")],
            })
            .collect();
        let texts = (0..n)
            .map(|i| notes::read(&format!("r/{i}.txt"), b"Linux version 6.12.0-1-amd64\n"))
            .collect();
        let assigned = notes::assign(&traces, texts);
        assert_eq!((assigned.notes.len(), assigned.runs.len()), (n, n));
        assert_eq!(
            assigned.runs[n - 1].kernel.as_deref(),
            Some("6.12.0-1-amd64"),
            "the first texts are those of all"
        );
    };
    assert_linear("texts above all traces", work);
}

/// A folder has more traces than a file is compared with: the names lead to the right ones.
#[test]
fn files_of_many_devices_find_each_other() {
    let file = |cpu: u32, i: u64| {
        probe(
            format!("all/sd{i}.blktrace.{cpu}"),
            record(cpu, 1000 + i * 1_000_000_000),
        )
    };
    let files: Vec<Probe> = (0..3)
        .flat_map(|cpu| (0..700).map(move |i| file(cpu, i)))
        .collect();
    let grouping = group(&files);
    assert_eq!(grouping.traces.len(), 700);
    for trace in grouping.traces {
        let names: Vec<&str> = trace
            .parts
            .iter()
            .filter_map(|&i| files[i].name.split('.').next())
            .collect();
        assert_eq!(names, [names[0]; 3]);
    }
}
