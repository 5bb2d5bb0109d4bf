//! Bytes to events, one module per format.
#![forbid(unsafe_code)]

pub mod blktrace;
mod block_event;
mod broken_bin;
mod buffered;
mod cursor;
mod decoder;
pub mod driver;
mod fields;
pub mod machine;
mod named;
mod number_outliers;
pub mod other;
pub mod perf_data;
pub mod perfetto;
mod problem;
mod report;
mod rwbs;
pub mod stacks;
mod tep;
pub mod text;
pub mod trace_dat;
mod unpack_budget;
pub mod values;

pub use buffered::MAX_HELD_BYTES;
pub use decoder::{Decoder, held_format, is_text};
pub use number_outliers::{EventNumber, NumberOutliers, RecordPlace};
pub use problem::{FormatProblem, RequiredData};
pub use report::{LineGroup, LostSpan, Report};

use seekscope_trace::event::{DeviceNumber, Event};

/// A record of a file, in the form that all formats share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// An event of the block layer.
    Event(Event),
    /// A passthrough event with the bytes of its command.
    Command(Event, &'a [u8]),
    /// The name of a task.
    Process {
        /// Time on the trace clock, ns.
        time: u64,
        /// Thread id.
        pid: u32,
        /// The name without NUL padding.
        name: &'a [u8],
        /// Device whose tracer wrote it; [`DeviceNumber::NONE`] in formats without.
        device: DeviceNumber,
    },
    /// A device's name, if the format has it.
    Device {
        /// Device; a made-up number if the format has only names.
        device: DeviceNumber,
        /// `nvme0n1`
        name: &'a [u8],
    },
    /// The wall clock at a moment of the trace clock.
    Timestamp {
        /// Time on the trace clock, ns.
        time: u64,
        /// Wall clock, ns since 1970.
        wall: u64,
        /// The device whose tracer wrote it.
        device: DeviceNumber,
    },
    /// A line of a scheduler, md or user.
    Message {
        /// Time on the trace clock, ns.
        time: u64,
        cpu: u32,
        device: DeviceNumber,
        /// The task that was running.
        pid: u32,
        /// The cgroup id, if the record has the cgroup flag.
        cgroup: Option<u64>,
        /// The bytes as they were recorded.
        text: &'a [u8],
    },
}

/// Receives what a decoder reads.
pub trait RecordSink {
    fn record(&mut self, record: Record<'_>);

    /// The records that follow are those of blktrace itself, not what a program printed of them.
    fn begin_recorded(&mut self) {}

    /// The number by which [`RecordSink::event_of_kind`] takes events that differ from this one
    /// only in task, time, sector and sequence number, and have no detail; `None` if each needs a
    /// record.
    fn number(&mut self, _like: &Event) -> Option<u32> {
        None
    }

    /// Takes an event like the one that was given this number.
    fn event_of_kind(&mut self, _number: u32, _pid: u32, _time: u64, _sector: u64, _sequence: u32) {
    }
}

impl<F: FnMut(Record<'_>)> RecordSink for F {
    #[inline(always)]
    fn record(&mut self, record: Record<'_>) {
        self(record);
    }
}
