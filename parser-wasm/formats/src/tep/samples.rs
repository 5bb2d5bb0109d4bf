//! Converts samples to records.

use super::{BlockFormat, BlockFormats};
use crate::Record;
use crate::block_event::{self, SeenActions, TracePoint};
use crate::driver::{CommandMoment, OtherRequests};
use crate::number_outliers::{EventNumber, NumberOutliers, RecordPlace};
use crate::text::Tasks;
use crate::values::PointValues;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::driver_counts::DriverCounts;
use seekscope_trace::event::{Action, DeviceNumber, Event};

/// Bytes of a passthrough command that are kept.
const COMMAND: usize = 32;

/// Makes records of a file's samples, which it takes in the order of their times.
#[derive(Clone, Debug)]
pub struct Samples<'a> {
    shapes: &'a BlockFormats,
    big: bool,
    tasks: Tasks,
    seen: SeenActions,
    requests: OtherRequests,
    values: PointValues,
    records: u64,
    others: u64,
    numbers: Option<NumberOutliers>,
}

impl<'a> Samples<'a> {
    /// Converts samples of these layouts.
    pub fn new(shapes: &'a BlockFormats, big: bool) -> Samples<'a> {
        let (tasks, seen, requests) = (
            Tasks::default(),
            SeenActions::default(),
            OtherRequests::default(),
        );
        Samples {
            shapes,
            big,
            tasks,
            seen,
            requests,
            values: PointValues::default(),
            records: 0,
            others: 0,
            numbers: None,
        }
    }

    /// Commands of drivers are only counted: the recording has not their bytes.
    pub fn only_count_commands(&mut self) {
        self.requests.only_count();
    }

    /// Takes a sample of a CPU; `time` in ns. Ignores samples other than block events.
    pub fn take(&mut self, time: u64, cpu: u32, bytes: &[u8], sink: &mut impl FnMut(Record<'_>)) {
        let Some((shape, pid, action, kind)) = self.event_of(bytes) else {
            self.other(time, cpu, bytes, sink);
            return;
        };
        let fields = shape.fields(bytes, self.big);
        let Some(event) = fields.event(action, kind) else {
            match fields.impossible_length() {
                Some(length) => self.leave_out(EventNumber::Length, length),
                None => self.others += 1,
            }
            return;
        };
        if let Some(name) = shape.task(bytes, self.big) {
            self.tasks.names(pid, time, name, true, sink);
        }
        let event = Event {
            time,
            pid,
            cpu,
            ..event
        };
        self.requests.issued(&event);
        if !self.requests.block_event(event.device) {
            self.others += 1;
            return;
        }
        if event.device == DeviceNumber::NONE
            && !matches!(action, Action::Plug | Action::Unplug | Action::UnplugTimer)
        {
            // Requests without a bio, in old kernels.
            self.others += 1;
            return;
        }
        self.seen.note(action);
        self.records += 1;
        match fields.command {
            b"" => sink(Record::Event(event)),
            hex => sink(Record::Command(
                event,
                block_event::hex(hex, &mut [0; COMMAND]),
            )),
        }
    }

    fn leave_out(&mut self, number: EventNumber, value: u64) {
        NumberOutliers::note(&mut self.numbers, number, value, RecordPlace::default());
    }

    /// Events that were left out for a number that cannot be.
    pub fn number_outliers(&self) -> Option<NumberOutliers> {
        self.numbers
    }

    /// Takes a sample of block_io_start, block_io_done, a driver, or of something else.
    fn other(&mut self, time: u64, cpu: u32, bytes: &[u8], sink: &mut impl FnMut(Record<'_>)) {
        let Some((shape, pid)) = self.shapes.find(bytes, self.big) else {
            return self.command(time, cpu, bytes, sink);
        };
        let event = match shape.point {
            TracePoint::Accounting(action) if self.requests.accounts() || self.requests.pairs() => {
                let fields = shape.fields(bytes, self.big);
                if let Some(length) = fields.impossible_length() {
                    return self.leave_out(EventNumber::Length, length);
                }
                fields.event(action, block_event::PointLayout::Request)
            }
            _ => None,
        };
        event.iter().for_each(|event| self.requests.issued(event));
        let event = event.filter(|_| self.requests.accounts());
        let Some(event) = event else {
            self.value(time, bytes);
            return;
        };
        if let Some(name) = shape
            .task(bytes, self.big)
            .filter(|_| event.action == Action::Issue)
        {
            self.tasks.names(pid, time, name, true, sink);
        }
        let records = &mut self.records;
        let mut counted = |record: Record<'_>| {
            *records += 1;
            sink(record);
        };
        self.requests.accounted(
            Event {
                time,
                pid,
                cpu,
                ..event
            },
            &mut self.seen,
            &mut counted,
        );
    }

    /// Takes a sample of a driver, or of something else.
    fn command(&mut self, time: u64, cpu: u32, bytes: &[u8], sink: &mut impl FnMut(Record<'_>)) {
        let event = self
            .shapes
            .driver(bytes, self.big)
            .and_then(|(shape, pid)| Some((shape, pid, shape.event(bytes, self.big)?)));
        let Some((shape, pid, event)) = event else {
            self.value(time, bytes);
            return;
        };
        // These events never become records.
        self.others += u64::from(self.requests.is_bare());
        let records = &mut self.records;
        let mut counted = |record: Record<'_>| {
            *records += 1;
            sink(record);
        };
        let outlier = self.requests.command(
            shape.point,
            &event,
            CommandMoment { time, pid, cpu },
            &mut self.seen,
            &mut counted,
        );
        if let Some((number, value)) = outlier {
            self.leave_out(number, value);
        }
    }

    /// Takes a sample of a limiter, or of something else.
    fn value(&mut self, time: u64, bytes: &[u8]) {
        self.others += 1;
        if let Some(format) = self.shapes.values(bytes, self.big) {
            self.values
                .take(time, format.point, &format.sample(bytes, self.big));
        }
    }

    /// Ends the samples.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        let records = &mut self.records;
        self.requests.finish(&mut self.seen, &mut |record| {
            *records += 1;
            sink(record);
        });
    }

    /// The counts of the commands of drivers.
    pub fn drivers(&self) -> DriverCounts {
        self.requests.counts()
    }

    /// Names of disks, and the bytes of their logical blocks.
    pub fn block_sizes(&self) -> Vec<(String, u32)> {
        self.requests.block_sizes()
    }

    /// The values of limiters.
    pub fn take_values(&mut self) -> PointValues {
        PointValues {
            described: self.shapes.value_points(),
            ..std::mem::take(&mut self.values)
        }
    }

    /// The layout of a sample, its task, and which event it is; absent when blktrace has no action
    /// for it.
    fn event_of(
        &self,
        bytes: &[u8],
    ) -> Option<(&'a BlockFormat, u32, Action, block_event::PointLayout)> {
        let (shape, pid) = self.shapes.find(bytes, self.big)?;
        let TracePoint::Known(action, kind) = shape.point else {
            return None;
        };
        Some((shape, pid, action, kind))
    }

    /// A task's name from outside the samples, after all of them.
    pub fn name(&mut self, time: u64, pid: u32, name: &[u8], sink: &mut impl FnMut(Record<'_>)) {
        self.tasks.names(pid, time, name, false, sink);
    }

    /// Number of events that were emitted.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Number of samples that are not block events.
    pub fn others(&self) -> u64 {
        self.others
    }

    /// The fields and actions that the samples have.
    pub fn capabilities(&self) -> Capabilities {
        self.seen.capabilities().without(self.requests.lacks())
    }
}
