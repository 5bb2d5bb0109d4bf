//! Reads a recording up to one stage, in the same steps as the builder.

use crate::recording::Recording;
use seekscope_core::bounds::Bounds;
use seekscope_core::builder::TraceBuilder;
use seekscope_core::event::Event;
use seekscope_core::format::{Decoder, Record, RecordSink};
use seekscope_core::order::{Order, OrderedMessage};
use std::hint::black_box;

/// State of reading files one after another, without merging them.
struct Turns {
    open: Vec<usize>,
    sum: u64,
    decoders: Vec<Decoder>,
}

impl Turns {
    fn new(recording: &Recording) -> Turns {
        let n = recording.files.len();
        Turns {
            open: (0..n).rev().collect(),
            sum: 0,
            decoders: vec![Decoder::new(); n],
        }
    }

    fn next(&mut self) -> Option<usize> {
        self.open.last().copied()
    }
}

/// Reads a recording and nothing else.
pub fn read_only(recording: &Recording) -> Result<(), String> {
    let mut turns = Turns::new(recording);
    recording.read(&mut turns, Turns::next, |turns, _, bytes| {
        turns.sum = turns
            .sum
            .wrapping_add(bytes.iter().step_by(4096).map(|b| u64::from(*b)).sum());
        if bytes.is_empty() {
            turns.open.pop();
        }
    })?;
    black_box(turns.sum);
    Ok(())
}

/// Sums up what was decoded, by its kind where the decoder knows it: as the builder takes events.
struct DecodedSum<'a> {
    kinds: &'a mut Order,
    sum: &'a mut u64,
}

impl DecodedSum<'_> {
    fn add(&mut self, value: u64) {
        *self.sum = self.sum.wrapping_mul(31).wrapping_add(value);
    }
}

impl RecordSink for DecodedSum<'_> {
    fn record(&mut self, record: Record<'_>) {
        if let Record::Event(e) = record {
            self.add(e.time ^ e.sector ^ u64::from(e.flags.0) ^ u64::from(e.action.code()));
        }
    }

    fn number(&mut self, like: &Event) -> Option<u32> {
        Some(self.kinds.number(like))
    }

    fn event_of_kind(&mut self, number: u32, pid: u32, time: u64, sector: u64, sequence: u32) {
        self.add(time ^ sector ^ u64::from(number ^ pid ^ sequence));
    }
}

/// Reads a recording and decodes its files, one after another.
pub fn decode(recording: &Recording) -> Result<(), String> {
    let mut turns = Turns::new(recording);
    let mut kinds = Order::new(0);
    recording.read(&mut turns, Turns::next, |turns, file, bytes| {
        let Turns {
            open,
            sum,
            decoders,
        } = turns;
        let mut sink = DecodedSum {
            kinds: &mut kinds,
            sum,
        };
        match bytes.is_empty() {
            false => decoders[file].feed(bytes, &mut sink),
            true => {
                decoders[file].finish(&mut sink);
                open.pop();
            }
        }
    })?;
    black_box(turns.sum);
    Ok(())
}

/// Decodes and merges files as the builder does, but stores nothing.
struct Merge {
    order: Order,
    bounds: Bounds,
    decoders: Vec<Decoder>,
    sum: u64,
}

/// Puts the records of a file in order as the builder does.
struct MergeSink<'a> {
    file: usize,
    order: &'a mut Order,
    bounds: &'a mut Bounds,
}

impl RecordSink for MergeSink<'_> {
    fn record(&mut self, mut record: Record<'_>) {
        if !self.bounds.keep(self.file, &mut record) {
            return;
        }
        match record {
            Record::Event(e) | Record::Command(e, _) => self.order.push_event(self.file, &e),
            Record::Message {
                time,
                cpu,
                device,
                pid,
                cgroup,
                ..
            } => {
                let message = OrderedMessage {
                    time,
                    cpu,
                    device,
                    pid,
                    cgroup,
                    text: (0, 0),
                };
                self.order.push_message(self.file, message);
            }
            _ => {}
        }
    }

    fn begin_recorded(&mut self) {
        self.order.mark_recorded(self.file);
    }

    fn number(&mut self, like: &Event) -> Option<u32> {
        self.bounds.has(like).then(|| self.order.number(like))
    }

    #[inline(always)]
    fn event_of_kind(&mut self, number: u32, pid: u32, time: u64, sector: u64, sequence: u32) {
        if !self.bounds.has_time(time) {
            return self.bounds.leave_out(self.file, time);
        }
        let pid = self.bounds.task(pid);
        self.order
            .push_known(self.file, number, pid, time, sector, sequence);
    }
}

/// Reads a recording up to the order of its records.
pub fn order(recording: &Recording) -> Result<(), String> {
    let n = recording.files.len();
    let mut merge = Merge {
        order: Order::new(n),
        bounds: Bounds::default(),
        decoders: vec![Decoder::new(); n],
        sum: 0,
    };
    recording.read(
        &mut merge,
        |merge| merge.order.hungry(),
        |merge, file, bytes| {
            let Merge {
                order,
                bounds,
                decoders,
                sum,
            } = merge;
            let mut sink = MergeSink {
                file,
                order,
                bounds,
            };
            match bytes.is_empty() {
                false => decoders[file].feed(bytes, &mut sink),
                true => {
                    decoders[file].finish(&mut sink);
                    order.close(file);
                }
            }
            order.release(|item| *sum = sum.wrapping_mul(31).wrapping_add(item.time()));
        },
    )?;
    black_box(merge.sum);
    Ok(())
}

/// Reads a recording into a builder, up to the end of its files.
pub fn store(recording: &Recording) -> Result<TraceBuilder, String> {
    let mut builder = TraceBuilder::new("trace", "trace", recording.files.clone());
    recording.read(
        &mut builder,
        |builder| builder.hungry(),
        |builder, file, bytes| match bytes.is_empty() {
            false => builder.feed(file, bytes),
            true => builder.close(file),
        },
    )?;
    Ok(builder)
}
