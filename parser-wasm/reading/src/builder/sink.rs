//! Passes the records of a file to the order of all events and messages, and tells the builder of
//! the names of tasks and devices.

use super::{TaskNames, note_device, note_recorded};
use crate::bounds::Bounds;
use rustc_hash::FxHashMap;
use seekscope_formats::{Record, RecordSink};
use seekscope_trace::event::{DeviceNumber, Event, EventDetail};
use seekscope_trace::order::{Order, OrderedMessage};
use seekscope_trace::store::Store;

/// Takes what is read of a file, and moves it into the order, the store or the tables of the
/// builder.
pub(super) struct TraceFileSink<'a> {
    pub file: usize,
    pub bounds: &'a mut Bounds,
    pub order: &'a mut Order,
    pub store: &'a mut Store,
    pub names: &'a mut FxHashMap<u32, TaskNames>,
    pub anchor: &'a mut Option<(u64, u64)>,
    pub device: &'a mut Option<Option<DeviceNumber>>,
    pub noted: &'a mut Option<Option<DeviceNumber>>,
    pub device_names: &'a mut FxHashMap<DeviceNumber, String>,
    pub recorded: &'a mut Vec<DeviceNumber>,
}

impl RecordSink for TraceFileSink<'_> {
    fn record(&mut self, mut record: Record<'_>) {
        if !self.bounds.keep(self.file, &mut record) {
            return;
        }
        match record {
            Record::Event(e) => {
                note_device(self.device, e.device);
                self.order.push_event(self.file, &e);
            }
            Record::Command(mut e, bytes) => {
                note_device(self.device, e.device);
                e.detail = EventDetail::Command {
                    at: self.store.commands.len() as u32,
                    len: bytes.len() as u16,
                };
                self.store.commands.extend_from_slice(bytes);
                self.order.push_event(self.file, &e);
            }
            Record::Message {
                time,
                cpu,
                device,
                pid,
                cgroup,
                text,
            } => {
                let messages = &mut self.store.messages;
                let place = (messages.text.len() as u32, text.len() as u16);
                messages.text.extend_from_slice(text);
                self.order.push_message(
                    self.file,
                    OrderedMessage {
                        time,
                        cpu,
                        device,
                        pid,
                        cgroup,
                        text: place,
                    },
                );
            }
            Record::Process {
                time,
                pid,
                name,
                device,
            } => {
                note_device(self.noted, device);
                let name = || (time, name.to_vec());
                self.names
                    .entry(pid)
                    .or_insert_with(|| TaskNames {
                        first: name(),
                        last: name(),
                    })
                    .note(name());
            }
            Record::Device { device, name } => {
                self.device_names
                    .insert(device, String::from_utf8_lossy(name).into_owned());
            }
            Record::Timestamp { time, wall, device } => {
                note_device(self.noted, device);
                // Formats other than blktrace's have one clock for all devices.
                note_recorded(self.recorded, device);
                *self.anchor = Some(
                    self.anchor
                        .map_or((time, wall), |earliest| earliest.min((time, wall))),
                );
            }
        }
    }

    fn begin_recorded(&mut self) {
        self.order.mark_recorded(self.file);
    }

    fn number(&mut self, like: &Event) -> Option<u32> {
        self.bounds.has(like).then(|| self.order.number(like))
    }

    #[inline(always)]
    fn event_of_kind(&mut self, number: u32, time: u64, sector: u64, sequence: u32) {
        if !self.bounds.has_time(time) {
            return self.bounds.leave_out(self.file, time);
        }
        self.order
            .push_known(self.file, number, time, sector, sequence);
    }
}
