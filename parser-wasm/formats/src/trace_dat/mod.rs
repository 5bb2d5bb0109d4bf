//! trace.dat of trace-cmd, versions 6 and 7: a copy of tracefs and the ring buffer pages of each
//! CPU. `file.rs` reads everything but the samples, `stream.rs` and `page.rs` read one CPU's
//! samples, this module merges the CPUs by time.

mod compression;
mod file;
mod page;
mod recover;
mod stacks;
mod stream;

use super::buffered::BufferedFormat;
use super::tep::{MAGIC, OtherEvent, PageLayout, Samples};
use super::{FormatProblem, Record, Report};
use file::{Region, TraceDatFile};
use rustc_hash::FxHashMap;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::sorting::SortShort;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use stream::{CpuSamples, SampleLayout, StreamReport};

pub use stacks::read_stacks;

const FORMAT: &str = "trace.dat";

/// Whether a file that begins like this is a trace.dat.
pub fn is_one(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// The format: the offsets of the samples are at its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraceDat;

impl BufferedFormat for TraceDat {
    const NAME: &'static str = FORMAT;

    fn read(data: &[u8], report: &mut Report, sink: &mut impl FnMut(Record<'_>)) -> Capabilities {
        let contents = match file::read(data) {
            Ok(contents) => contents,
            Err(version) => {
                report.problem = Some(FormatProblem::Version(version));
                return Capabilities::default();
            }
        };
        report.problem = problem(&contents);
        report.counted_time = counts_time(&contents);
        report.tracer = Some(FORMAT);
        let Some(layout) = contents
            .layout
            .filter(|_| contents.unknown_method.is_none())
        else {
            return Capabilities::default();
        };
        let mut samples = Samples::new(&contents.shapes, contents.big);
        let mut noticed = StreamReport::default();
        let mut start = None;
        read_samples(data, &contents, layout, &mut noticed, |time, cpu, bytes| {
            start.get_or_insert(time);
            samples.take(time, cpu, bytes, sink);
            ControlFlow::Continue(())
        });
        samples.finish(sink);
        let start = start.unwrap_or(0);
        samples.name(start, 0, b"<idle>", sink);
        for (pid, name) in &contents.names {
            samples.name(start, *pid, name, sink);
        }
        if let Some(wall) = contents.wall.and_then(|ns| start.checked_add_signed(ns)) {
            sink(Record::Timestamp {
                time: start,
                wall,
                device: DeviceNumber::NONE,
            });
        }
        report.records = samples.records();
        report.numbers = samples.number_outliers();
        report.other_events = samples.others();
        report.drivers = samples.drivers();
        report.block_sizes = samples.block_sizes();
        report.values = samples.take_values();
        report.lost = noticed.missed.max(&contents.dropped);
        report.skipped = noticed.skipped;
        let size = data.len() as u64;
        report.truncated = match (noticed.cut, contents.bad) {
            (Some((byte, missing)), _) => Some((byte, 0, missing)),
            (None, Some(byte)) => Some((byte as u64, size - byte as u64, size - byte as u64 + 1)),
            (None, None) => None,
        };
        samples.capabilities()
    }
}

/// Whether the readable part of a file describes events of other layers, and of the block layer.
pub fn described_events(head: &[u8]) -> (bool, bool) {
    file::read(head).map_or((false, false), |contents| {
        (
            !contents.shapes.other.is_empty(),
            !contents.shapes.is_empty(),
        )
    })
}

/// Gives the events of other layers.
pub fn read_other_events(data: &[u8], each: &mut dyn FnMut(OtherEvent<'_>)) {
    let Ok(contents) = file::read(data) else {
        return;
    };
    let (Some(layout), None) = (contents.layout, &contents.unknown_method) else {
        return;
    };
    let formats = &contents.shapes.other;
    if formats.is_empty() {
        return;
    }
    let names = contents.names.iter().rev();
    let names: FxHashMap<u32, Cow<'_, str>> = names
        .map(|(pid, name)| (*pid, String::from_utf8_lossy(name)))
        .collect();
    let mut fields = String::new();
    let mut noticed = StreamReport::default();
    read_samples(data, &contents, layout, &mut noticed, |time, _, bytes| {
        let Some(sample) = formats.find(bytes, contents.big) else {
            return ControlFlow::Continue(());
        };
        fields.clear();
        sample.write(bytes, contents.big, &mut fields);
        each(OtherEvent {
            time,
            pid: sample.pid,
            comm: names.get(&sample.pid).map_or("", |name| name),
            name: sample.name,
            fields: &fields,
            machine: contents.machine,
        });
        ControlFlow::Continue(())
    });
}

/// Gives out all samples in the order of their times, in ns, until `sink` breaks.
fn read_samples(
    data: &[u8],
    contents: &TraceDatFile,
    layout: PageLayout,
    noticed: &mut StreamReport,
    mut sink: impl FnMut(u64, u32, &[u8]) -> ControlFlow<()>,
) {
    let setup = SampleLayout {
        big: contents.big,
        method: contents.method,
        layout,
        budget: &contents.budget,
    };
    let streams = disjoint(&contents.regions)
        .map(|region| CpuSamples::new(data, region, setup))
        .collect();
    let scale = |time| {
        contents.ticks.map_or(time, |(mult, shift)| {
            u64::try_from((u128::from(time) * u128::from(mult)) >> shift).unwrap_or(u64::MAX)
        })
    };
    merge(streams, noticed, |time, cpu, bytes| {
        sink(scale(time), cpu, bytes)
    });
}

/// The reason why nothing can be read.
fn problem(contents: &TraceDatFile) -> Option<FormatProblem> {
    if let Some(method) = &contents.unknown_method {
        return Some(FormatProblem::Compression(method.clone()));
    }
    let headless =
        contents.layout.is_none() || (contents.shapes.is_empty() && contents.bad.is_some());
    headless.then_some(FormatProblem::NoEventFormats)
}

/// Whether times are in another unit than ns.
fn counts_time(contents: &TraceDatFile) -> bool {
    let ns = ["local", "global", "perf", "mono", "mono_raw", "boot", "tai"];
    contents.ticks.is_none()
        && contents
            .clock
            .as_deref()
            .is_some_and(|clock| !ns.contains(&clock))
}

/// The regions that do not reach into others; in a damaged file all of them might cover all of it.
fn disjoint(regions: &[Region]) -> impl Iterator<Item = Region> {
    let mut regions = regions.to_vec();
    regions.sort_short_by_key(|r| (r.offset, r.cpu));
    let mut end = 0;
    regions.into_iter().filter(move |r| {
        let fits = r.offset >= end && r.size > 0;
        end = if fits {
            r.offset.saturating_add(r.size)
        } else {
            end
        };
        fits
    })
}

/// Gives out the samples of all CPUs in the order of their times, until `sink` breaks.
fn merge(
    mut streams: Vec<CpuSamples<'_>>,
    noticed: &mut StreamReport,
    mut sink: impl FnMut(u64, u32, &[u8]) -> ControlFlow<()>,
) {
    let mut heads: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    for (i, stream) in streams.iter_mut().enumerate() {
        heads.extend(stream.time().map(|time| Reverse((time, i))));
    }
    while let Some(Reverse((_, i))) = heads.pop() {
        let stream = &mut streams[i];
        let cpu = stream.cpu;
        if let Some((time, bytes)) = stream.sample()
            && sink(time, cpu, bytes).is_break()
        {
            break;
        }
        heads.extend(stream.time().map(|time| Reverse((time, i))));
    }
    for stream in &streams {
        noticed.add(&stream.noticed);
    }
}
