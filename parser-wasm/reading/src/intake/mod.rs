//! Sorts dropped files into traces, notes and rejected files.
//!
//! Looks at the first and last 64 KiB of each file. Content decides (cpu, device and time of the
//! records, the wall clock of the TIMESTAMP records); names only help where content leaves a
//! choice.

mod cluster;
mod cuts;
mod distinct;
mod estimate;
mod group;
mod homes;
mod sniff;
mod sorter;
mod spread;

pub use cuts::{CutFinder, Cuts, EXCERPT, SectionPlaces};
pub use estimate::{TraceEstimate, estimate};
pub use group::{Grouping, TraceGroup};
pub use sniff::{FileKind, sniff};
pub use sorter::{FileSorter, group};

use rustc_hash::FxHashSet;
use seekscope_formats::{Decoder, Record};
use seekscope_trace::event::DeviceNumber;
use serde::Deserialize;

/// Bytes of a file's start and end in a probe.
pub const PROBE_BYTES: usize = 64 * 1024;

/// PROCESS records of one task for several devices are written within this time, ns.
const NAMING: u64 = 100_000;

/// A file before it is read: names, size, first and last bytes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Probe {
    /// File name without folders.
    pub name: String,
    /// Path with folders as far as known (`run1/sda.blktrace.0`), else the name.
    pub path: String,
    pub size: u64,
    /// Time of the last change, ms since 1970.
    pub last_modified: Option<f64>,
    /// Format string of `blkparse -f`, if the reader gave one.
    pub pattern: Option<String>,
    /// First bytes of the file.
    #[serde(skip)]
    pub head: Vec<u8>,
    /// Last bytes of the file; they may overlap the head.
    #[serde(skip)]
    pub tail: Vec<u8>,
    /// Bytes from inside of the file, each with the byte at which it begins; to estimate its size
    /// over time.
    #[serde(skip)]
    pub excerpts: Vec<(u64, Vec<u8>)>,
}

impl Probe {
    /// The path without the file name.
    fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Base name of a per-CPU file: `sda` for `sda.blktrace.0`.
    fn base(&self) -> Option<&str> {
        let (base, cpu) = self.name.rsplit_once(".blktrace.")?;
        (!base.is_empty() && cpu.chars().all(|c| c.is_ascii_digit())).then_some(base)
    }
}

/// What the first and last records of a file say about where it belongs.
#[derive(Clone, Debug, Default, PartialEq)]
struct ProbedContent {
    /// CPU and device of its records.
    streams: FxHashSet<(u32, DeviceNumber)>,
    /// Devices of its records, TIMESTAMP records included.
    devices: FxHashSet<DeviceNumber>,
    /// First and last time of its events and messages, ns.
    times: Option<(u64, u64)>,
    /// Wall clock at trace clock 0, ns since 1970: the same for all parts of one boot.
    boot: Option<i128>,
    /// Trace clock of the TIMESTAMP record, ns.
    started: Option<u64>,
    /// Tasks that queued a bio.
    pids: FxHashSet<u32>,
    /// First and last time of its PROCESS records, ns.
    named: Option<(u64, u64)>,
    /// Tasks of its PROCESS records and when they were written, in [`NAMING`]s. The kernel writes
    /// such a record for all devices that are traced at that moment.
    tasks: FxHashSet<(u32, u64)>,
}

impl ProbedContent {
    /// Times of its events, else of its notify records, ns.
    fn known_times(&self) -> Option<(u64, u64)> {
        self.times.or(self.named)
    }

    fn read(probe: &Probe) -> ProbedContent {
        let mut contents = ProbedContent::default();
        contents.scan(&probe.head);
        contents.scan(&probe.tail);
        contents
    }

    fn scan(&mut self, bytes: &[u8]) {
        let mut decoder = Decoder::new();
        let mut sink = |record: Record<'_>| match record {
            Record::Event(e) | Record::Command(e, _) => {
                self.note(e.time, e.cpu, e.device);
                if e.action == seekscope_trace::event::Action::Queue && self.pids.len() < 64 {
                    self.pids.insert(e.pid);
                }
            }
            Record::Message {
                time, cpu, device, ..
            } => self.note(time, cpu, device),
            Record::Timestamp { time, wall, device } => {
                self.note_device(device);
                self.started.get_or_insert(time);
                self.boot.get_or_insert(i128::from(wall) - i128::from(time));
            }
            Record::Process {
                time, pid, device, ..
            } => {
                self.note_device(device);
                let (first, last) = self.named.unwrap_or((time, time));
                self.named = Some((first.min(time), last.max(time)));
                if self.tasks.len() < 64 {
                    self.tasks.insert((pid, time / NAMING));
                }
            }
            Record::Device { .. } => {}
        };
        // The decoders are compiled once for all that looks at samples.
        let mut sink: &mut dyn FnMut(Record<'_>) = &mut sink;
        decoder.feed(bytes, &mut sink);
        decoder.finish(&mut sink);
    }

    fn note(&mut self, time: u64, cpu: u32, device: DeviceNumber) {
        let (first, last) = self.times.unwrap_or((time, time));
        self.times = Some((first.min(time), last.max(time)));
        if self.streams.insert((cpu, device)) {
            self.note_device(device);
        }
    }

    fn note_device(&mut self, device: DeviceNumber) {
        if device != DeviceNumber::NONE {
            self.devices.insert(device);
        }
    }
}
