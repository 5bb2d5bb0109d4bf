//! What one more of something costs: a recording of a fixed length with more and more devices,
//! files, processes or messages, or a longer one. `seekscope-stages growth AXIS SIZE EVENTS` times
//! one size, in a process of its own, so that its peak memory is its own.

mod doors;
mod recorded;

use recorded::{Shape, Streams};
use seekscope_core::builder::TraceBuilder;
use seekscope_core::compare::{CompareQuery, compare, digest_of};
use seekscope_core::measure::Window;
use seekscope_core::measure::stalls::stalls;
use seekscope_core::plot::{Index, InfoCounter};
use seekscope_core::report::measured::Measured;
use seekscope_core::report::summary::summarise;
use seekscope_core::store::Store;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;

/// CPU time of this process, s; where the system does not count it, the time since `since`.
fn cpu_seconds(since: Instant) -> f64 {
    let counted = std::fs::read_to_string("/proc/self/schedstat").ok();
    let ns: Option<f64> = counted.and_then(|text| text.split(' ').next()?.parse().ok());
    ns.map_or_else(|| since.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

/// CPU time of each step, s, by its name.
struct Steps {
    since: Instant,
    seconds: Vec<(&'static str, f64)>,
}

impl Steps {
    fn new() -> Steps {
        Steps {
            since: Instant::now(),
            seconds: Vec::new(),
        }
    }

    fn time<T>(&mut self, step: &'static str, work: impl FnOnce() -> T) -> T {
        let begin = cpu_seconds(self.since);
        let result = work();
        self.add(step, cpu_seconds(self.since) - begin);
        result
    }

    fn add(&mut self, step: &'static str, seconds: f64) {
        match self.seconds.iter_mut().find(|entry| entry.0 == step) {
            Some(entry) => entry.1 += seconds,
            None => self.seconds.push((step, seconds)),
        }
    }

    /// `{seconds, peak, steps}`: peak memory of this process in bytes, 0 where the system does not
    /// have it.
    fn json(&self) -> Value {
        let steps: serde_json::Map<String, Value> = self
            .seconds
            .iter()
            .map(|&(step, seconds)| (step.to_owned(), json!(seconds)))
            .collect();
        json!({ "seconds": self.seconds.iter().map(|step| step.1).sum::<f64>(), "peak": peak(), "steps": steps })
    }
}

/// Peak resident memory of this process, bytes; Linux only.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?
            .trim()
            .strip_suffix(" kB")?
            .parse::<u64>()
            .ok()
    });
    kib.unwrap_or(0) * 1024
}

/// Times one size on an axis. `events` is the length of the recording, where the axis is not that.
pub fn grow(axis: &str, size: u64, events: u64) -> Result<Value, String> {
    let plain = Shape {
        events,
        ..Shape::default()
    };
    let shape = match axis {
        "events" => Shape {
            events: size,
            ..plain
        },
        "devices" => Shape {
            devices: size,
            ..plain
        },
        "files" => Shape {
            files: size,
            ..plain
        },
        "processes" => Shape {
            processes: size,
            ..plain
        },
        "in-flight" => Shape {
            depth: size,
            ..plain
        },
        "messages" => Shape {
            messages: size,
            ..plain
        },
        "names" => Shape {
            named: size,
            ..plain
        },
        "runs" => return runs(size, &plain),
        _ => return doors::open(axis, size),
    };
    let mut steps = Steps::new();
    let store = read(&shape, &mut steps)?;
    let whole = Window::WHOLE;
    let measured = steps.time("figures", || Measured::new(&store, whole, None));
    steps.time("summary", || {
        drop(black_box(summarise(&store, whole, None)))
    });
    steps.time("digest", || {
        drop(black_box(digest_of(
            &store,
            whole,
            None,
            &measured,
            &stalls(&store, whole),
        )))
    });
    steps.time("info", || {
        let mut counter = InfoCounter::default();
        counter.advance(&store);
        drop(black_box(counter.info(&store)));
    });
    steps.time("index", || drop(black_box(Index::new(&store))));
    Ok(steps.json())
}

/// Makes a trace of so many events.
pub fn made(events: u64) -> Result<Store, String> {
    read(
        &Shape {
            events,
            ..Shape::default()
        },
        &mut Steps::new(),
    )
}

/// Reads a recording while it is made. Making it must not count, so it is made once more without
/// being read, and that time is subtracted.
fn read(shape: &Shape, steps: &mut Steps) -> Result<Store, String> {
    let mut streams = Streams::new(shape);
    let mut builder = TraceBuilder::new("trace", "trace", streams.files());
    let (mut piece, length) = (Vec::new(), builder.piece());
    steps.time("read", || {
        while let Some(file) = builder.hungry() {
            streams.next(file, length, &mut piece);
            match piece.is_empty() {
                false => builder.feed(file, &piece),
                true => builder.close(file),
            }
        }
    });
    let mut streams = Streams::new(shape);
    let begin = cpu_seconds(steps.since);
    for file in 0..shape.files as usize {
        streams.next(file, length, &mut piece);
        while !piece.is_empty() {
            streams.next(file, length, &mut piece);
        }
    }
    steps.add("read", begin - cpu_seconds(steps.since));
    steps
        .time("end", || builder.finish())
        .map_err(|error| error.to_string())
}

/// Compares so many runs of the same work.
fn runs(size: u64, shape: &Shape) -> Result<Value, String> {
    let mut steps = Steps::new();
    let mut digests = Vec::new();
    for run in 0..size {
        let store = read(
            &Shape {
                seed: run,
                ..*shape
            },
            &mut steps,
        )?;
        let digest = steps.time("digest", || {
            seekscope_core::compare::digest(&store, Window::WHOLE, None)
        });
        digests.push(json!({ "label": format!("run {run}"), "trace": digest }));
    }
    let query: CompareQuery = serde_json::from_value(json!({ "runs": digests, "baseline": 0 }))
        .map_err(|error| error.to_string())?;
    steps.time("compare", || drop(black_box(json!(compare(&query)))));
    Ok(steps.json())
}
