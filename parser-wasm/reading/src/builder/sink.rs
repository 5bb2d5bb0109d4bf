//! Passes the records of a file to the pipeline. Every event goes through here.

use super::files::FileDevices;
use super::notices::Notices;
use super::pipeline::Pipeline;
use seekscope_formats::{Record, RecordSink};
use seekscope_trace::event::{Event, EventDetail};
use seekscope_trace::order::OrderedMessage;

/// Takes what is read of a file: events and messages into the pipeline, the rest as notices.
pub(super) struct TraceFileSink<'a> {
    pub file: usize,
    pub devices: &'a mut FileDevices,
    pub notices: &'a mut Notices,
    pub pipeline: &'a mut Pipeline,
}

impl RecordSink for TraceFileSink<'_> {
    fn record(&mut self, mut record: Record<'_>) {
        if !self.pipeline.bounds.keep(self.file, &mut record) {
            return;
        }
        let order = &mut self.pipeline.order;
        let store = &mut self.pipeline.assembly.store;
        match record {
            Record::Event(e) => {
                self.devices.events.note(e.device);
                order.push_event(self.file, &e);
            }
            Record::Command(mut e, bytes) => {
                self.devices.events.note(e.device);
                e.detail = EventDetail::Command {
                    start: store.commands.len() as u32,
                    len: bytes.len() as u16,
                };
                store.commands.extend_from_slice(bytes);
                order.push_event(self.file, &e);
            }
            Record::Message {
                time,
                cpu,
                device,
                pid,
                cgroup,
                text,
            } => {
                let messages = &mut store.messages;
                let place = (messages.text.len() as u32, text.len() as u16);
                messages.text.extend_from_slice(text);
                let message = OrderedMessage {
                    time,
                    cpu,
                    device,
                    pid,
                    cgroup,
                    text: place,
                };
                order.push_message(self.file, message);
            }
            Record::Process {
                time,
                pid,
                name,
                device,
            } => {
                self.devices.notices.note(device);
                self.notices.note_task(pid, time, name);
            }
            Record::Device { device, name } => self.notices.note_device(device, name),
            Record::Timestamp { time, wall, device } => {
                self.devices.notices.note(device);
                self.notices.note_timestamp(time, wall, device);
            }
        }
    }

    fn begin_recorded(&mut self) {
        self.pipeline.order.mark_recorded(self.file);
    }

    fn number(&mut self, like: &Event) -> Option<u32> {
        let Pipeline { bounds, order, .. } = &mut *self.pipeline;
        bounds.has(like).then(|| order.number(like))
    }

    #[inline(always)]
    fn event_of_kind(&mut self, number: u32, pid: u32, time: u64, sector: u64, sequence: u32) {
        let Pipeline { bounds, order, .. } = &mut *self.pipeline;
        if !bounds.has_time(time) {
            return bounds.leave_out(self.file, time);
        }
        let pid = bounds.task(pid);
        order.push_known(self.file, number, pid, time, sector, sequence);
    }
}
