//! Traces of Perfetto (`.perfetto-trace`, `.pftrace`): messages of protobuf. Of those, what the
//! kernel's ftrace recorded of the block layer. Made from the published descriptions of the
//! messages; `events.rs` has the events.
//!
//! | message | field | content |
//! |---|---:|---|
//! | the file | 1 | a packet, again and again |
//! | packet | 1 | ftrace: events of one CPU |
//! | | 2 | processes: 1 (pid 1, command line 3), threads: 2 (id 1, name 2) |
//! | | 6 | clocks: 1, each with id 1 (1 wall clock, 5 monotonic raw, 6 since boot) and time 2, ns |
//! | | 10, 42 | number of the packet's writer; packets before it were dropped |
//! | | 34 | statistics: phase 1 (2: at the end), of CPUs 2: CPU 1, overwritten 3, dropped 8 |
//! | | 45 | system: 1, the names of the kernel, with the machine 4 |
//! | | 50, 133 | packets, compressed with zlib or zstd |
//! | ftrace | 1 | CPU |
//! | | 2 | event: time 1 (ns), task 2, and a message whose field number is that of the event |
//! | | 3 | events were lost before: 1, or how many |
//! | | 11 | description of a generic event |
//! | | 5, 6, 7 | clock (0 since boot, 2 and 3 of the CPU, 4 monotonic raw), and a moment of it and of the clock since boot |
//!
//! The numbers are those of the published sources (`trace_packet.proto`,
//! `ftrace_event_bundle.proto`, `ftrace_stats.proto`, `process_tree.proto`, `clock_snapshot.proto`,
//! `system_info.proto`), except fields 5, 6 and 7 of ftrace, for which no source was at hand.
//!
//! Bounds: 1 GiB of the file, what `UnpackBudget` allows it to unpack to, packed packets are not
//! packed again, 2^25 block events, and as many names as a file has events. Time is that of sorting
//! the events.

mod events;
mod other;
mod wire;

use super::buffered::BufferedFormat;
use super::tep::Samples;
use super::unpack_budget::UnpackBudget;
use super::{LostSpan, Record, Report};
use crate::machine::Machine;
use events::{BlockEvents, Descriptions, EventIndex, EventSet};
use flate2::bufread::ZlibDecoder;
use rustc_hash::{FxHashMap, FxHashSet};
use ruzstd::decoding::StreamingDecoder;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::limits::ReportedCount;
use std::io::Read;
use std::ops::Range;
use wire::{WireFields, WireValue};

pub use other::read_other_events;

const FORMAT: &str = "perfetto";
const MAX_WINDOW: u64 = 64 << 20;
const MAX_EVENTS: usize = 1 << 25;
const MAX_SPANS: usize = 1 << 12;
const MAX_NAMES: usize = 1 << 20;
/// Tag of a packet: field 1, bytes.
const PACKET: u8 = 0x0a;
/// Field numbers of packets end before this.
const MAX_FIELD_NUMBER: u32 = 2000;
/// The clocks of a snapshot.
const REALTIME: u64 = 1;
const MONOTONIC_RAW: u64 = 5;
const BOOTTIME: u64 = 6;

/// Whether a file that begins like this may be such a trace: packets whose fields have a meaning.
/// Text is none.
pub fn is_one(head: &[u8]) -> bool {
    let mut rest = head;
    let mut recognised = 0;
    while let Some((&PACKET, after)) = rest.split_first() {
        rest = after;
        let Some(length) = wire::varint(&mut rest).and_then(|n| usize::try_from(n).ok()) else {
            break;
        };
        let packet = &rest[..length.min(rest.len())];
        let mut fields = WireFields::new(packet);
        let plausible = fields.by_ref().filter(|f| f.0 < MAX_FIELD_NUMBER).count();
        let cut = packet.len() < length;
        // Only the beginning of a long packet is there. A damaged packet counts only behind others.
        let whole = length > 0 && (cut || !fields.damaged);
        if !whole {
            break;
        }
        recognised += usize::from(plausible > 0 || (cut && starts_known(packet)));
        rest = &rest[packet.len()..];
    }
    recognised > 0 && !super::is_text(head)
}

/// Whether a packet begins with one of the fields that may be long.
fn starts_known(packet: &[u8]) -> bool {
    let mut rest = packet;
    wire::varint(&mut rest)
        .is_some_and(|tag| tag & 7 == 2 && matches!(tag >> 3, 1 | 2 | 9 | 33 | 34 | 50 | 133))
}

/// The format: events of all CPUs are mixed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Perfetto;

/// An event: the bytes of its message are in the file (0) or in what was unpacked (1).
struct FoundEvent {
    time: u64,
    cpu: u32,
    pid: u32,
    /// Index of the event, and its number in the file.
    kind: (EventIndex, u32),
    unpacked: bool,
    place: Range<u32>,
}

/// The contents of the packets.
struct Packets {
    /// The events that are wanted.
    set: Box<dyn EventSet>,
    machine: Option<Machine>,
    described: Descriptions,
    events: Vec<FoundEvent>,
    others: u64,
    /// Names of threads, and of processes by their command lines.
    threads: Vec<(u32, Vec<u8>)>,
    processes: Vec<(u32, Vec<u8>)>,
    /// Wall clock less the clock since boot, and less the monotonic raw one, ns.
    wall_of_boot: Option<i64>,
    wall_of_raw: Option<i64>,
    /// The clock of ftrace, and the clock since boot less it.
    clock: u64,
    boot_of_ftrace: Option<i64>,
    /// Overwritten and dropped by CPU, at the start and at the end.
    lost: [FxHashMap<u64, u64>; 2],
    spans: Vec<LostSpan>,
    /// Lost events as the packets report them.
    reported: ReportedCount,
    last: FxHashMap<u32, u64>,
    writers: FxHashSet<u64>,
    damaged: Option<(u64, u64)>,
    /// Number of wanted events beyond the limit.
    left_out: u64,
    /// What compressed packets may still unpack to.
    budget: UnpackBudget,
}

/// The bytes that messages are read from.
#[derive(Clone, Copy)]
struct PacketSource<'a> {
    bytes: &'a [u8],
    unpacked: bool,
}

impl PacketSource<'_> {
    /// The place of a part of the bytes.
    fn place(&self, part: &[u8]) -> Range<u32> {
        let begin = (part.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        let end = begin.saturating_add(part.len()).min(self.bytes.len());
        begin.min(end) as u32..end as u32
    }
}

impl BufferedFormat for Perfetto {
    const NAME: &'static str = FORMAT;

    fn read(data: &[u8], report: &mut Report, sink: &mut impl FnMut(Record<'_>)) -> Capabilities {
        let mut found = Packets::new(Box::new(BlockEvents), data);
        let mut unpacked = Vec::new();
        report.truncated = found.read(data, &mut unpacked);
        report.tracer = Some(FORMAT);
        report.skipped = found.damaged;
        let all = found.take_events();
        let start = all.first().map_or(0, |event| event.time);
        let formats = events::formats();
        let mut samples = Samples::new(&formats, false);
        samples.only_count_commands();
        let mut bytes = Vec::new();
        for FoundEvent {
            time,
            cpu,
            pid,
            kind,
            unpacked: packed,
            place,
        } in all
        {
            let source: &[u8] = if packed { &unpacked } else { data };
            let message = source
                .get(place.start as usize..place.end as usize)
                .unwrap_or_default();
            events::sample(kind, pid, message, &found.described, &mut bytes);
            samples.take(time, cpu, &bytes, sink);
        }
        samples.finish(sink);
        samples.name(start, 0, b"swapper", sink);
        for (pid, name) in found.threads.iter().rev().chain(&found.processes) {
            samples.name(start, *pid, name, sink);
        }
        if let Some(wall) = found.wall(start) {
            sink(Record::Timestamp {
                time: start,
                wall,
                device: DeviceNumber::NONE,
            });
        }
        report.records = samples.records();
        report.numbers = samples.number_outliers();
        report.other_events = found.others + samples.others();
        report.drivers = samples.drivers();
        // Events beyond the bound are missing like lost ones.
        report.lost = found.lost();
        report.lost_spans = found.spans;
        samples.capabilities()
    }
}

/// Reads packets until the end; returns where a last one is cut: its place, bytes there and bytes
/// needed. Unpacks compressed ones.
fn read_packets(
    source: PacketSource<'_>,
    found: &mut Packets,
    mut unpacked: Option<&mut Vec<u8>>,
) -> Option<(u64, u64, u64)> {
    let mut rest = source.bytes;
    while let Some((&tag, after)) = rest.split_first() {
        let byte = source.place(rest).start as u64;
        let left = rest.len() as u64;
        let mut body = after;
        let length = wire::varint(&mut body).filter(|_| tag == PACKET);
        let Some(length) = length else {
            // Too short for a length, or no packet: nothing behind it can be found.
            if tag == PACKET && rest.len() <= 10 {
                return Some((byte, left, left + 1));
            }
            found.damaged.get_or_insert((byte, left));
            return None;
        };
        let Some((packet, next)) = usize::try_from(length)
            .ok()
            .and_then(|n| body.split_at_checked(n))
        else {
            let head = left - body.len() as u64;
            return Some((byte, left, head.saturating_add(length)));
        };
        if !found.packet(source, packet, &mut unpacked) {
            found.damaged = Some(
                found
                    .damaged
                    .map_or((byte, length), |(first, sum)| (first, sum + length)),
            );
        }
        rest = next;
    }
    None
}

impl Packets {
    fn new(set: Box<dyn EventSet>, data: &[u8]) -> Packets {
        Packets {
            set,
            machine: None,
            described: Descriptions::default(),
            events: Vec::new(),
            others: 0,
            threads: Vec::new(),
            processes: Vec::new(),
            wall_of_boot: None,
            wall_of_raw: None,
            clock: 0,
            boot_of_ftrace: None,
            lost: Default::default(),
            spans: Vec::new(),
            reported: ReportedCount::default(),
            last: FxHashMap::default(),
            writers: FxHashSet::default(),
            damaged: None,
            left_out: 0,
            budget: UnpackBudget::for_file(data.len()),
        }
    }

    /// Reads all packets of a file, and those that they unpack to; returns where the last one is
    /// cut, as [`read_packets`].
    fn read(&mut self, data: &[u8], unpacked: &mut Vec<u8>) -> Option<(u64, u64, u64)> {
        let file = PacketSource {
            bytes: data,
            unpacked: false,
        };
        self.describe(data);
        let truncated = read_packets(file, self, Some(unpacked));
        if !unpacked.is_empty() {
            self.describe(unpacked);
            let packed = PacketSource {
                bytes: unpacked,
                unpacked: true,
            };
            // A place in what was unpacked means nothing in the file.
            if let Some((_, there, _)) = read_packets(packed, self, None) {
                self.damaged.get_or_insert((0, there));
            }
        }
        truncated
    }

    /// The wanted events in the order of their times.
    fn take_events(&mut self) -> Vec<FoundEvent> {
        let mut all = std::mem::take(&mut self.events);
        all.sort_by_key(|event| (event.time, event.cpu));
        all
    }

    /// Takes the descriptions of generic events, which may be anywhere: until the first damage.
    fn describe(&mut self, packets: &[u8]) {
        let fields_of = |message, number| {
            WireFields::new(message)
                .filter(move |f| f.0 == number)
                .filter_map(|f| f.1.bytes())
        };
        for description in fields_of(packets, 1)
            .flat_map(|packet| fields_of(packet, 1))
            .flat_map(|bundle| fields_of(bundle, 11))
        {
            self.described.add(description, self.set.as_ref());
        }
    }

    /// Takes a packet; `false` if it is damaged.
    fn packet(
        &mut self,
        source: PacketSource<'_>,
        packet: &[u8],
        unpacked: &mut Option<&mut Vec<u8>>,
    ) -> bool {
        let writer = WireFields::new(packet)
            .find(|f| f.0 == 10)
            .and_then(|f| f.1.number());
        let dropped = WireFields::new(packet).any(|f| f.0 == 42 && f.1 != WireValue::Number(0));
        // Set on the first packet of every writer.
        let dropped = dropped && writer.is_some_and(|writer| !self.writers.insert(writer));
        if let Some(writer) = writer.filter(|_| self.writers.len() < MAX_NAMES) {
            self.writers.insert(writer);
        }
        let mut fields = WireFields::new(packet);
        let mut whole = true;
        for (number, value) in fields.by_ref() {
            let Some(bytes) = value.bytes() else { continue };
            match number {
                1 => whole &= self.bundle(source, bytes, dropped),
                2 => self.names(bytes),
                6 => self.clocks(bytes),
                34 => self.statistics(bytes),
                45 => self.system(bytes),
                50 => {
                    whole &= unpacked
                        .as_mut()
                        .is_none_or(|out| unpack(ZlibDecoder::new(bytes), out, &self.budget))
                }
                133 => {
                    let decoder = StreamingDecoder::new_with_max_window_size(bytes, MAX_WINDOW);
                    whole &= unpacked.as_mut().is_none_or(|out| {
                        decoder.is_ok_and(|decoder| unpack(decoder, out, &self.budget))
                    });
                }
                _ => {}
            }
        }
        whole && !fields.damaged
    }

    /// Takes the events of a CPU.
    fn bundle(&mut self, source: PacketSource<'_>, bundle: &[u8], dropped: bool) -> bool {
        let number = |wanted: u32| {
            WireFields::new(bundle)
                .find(|f| f.0 == wanted)
                .and_then(|f| f.1.number())
        };
        let cpu = number(1).map_or(0, |cpu| cpu as u32);
        if let (Some(clock), None) = (number(5), self.boot_of_ftrace) {
            self.clock = clock;
            self.boot_of_ftrace = number(6)
                .zip(number(7))
                .map(|(clock, boot)| (boot as i64).wrapping_sub(clock as i64));
        }
        let mut missing = number(3).unwrap_or(0).max(u64::from(dropped));
        let mut fields = WireFields::new(bundle);
        for (_, value) in fields.by_ref().filter(|f| f.0 == 2) {
            let Some(time) = value
                .bytes()
                .and_then(|event| self.event(source, event, cpu))
            else {
                continue;
            };
            let from = self.last.insert(cpu, time).unwrap_or(time);
            let events = std::mem::take(&mut missing);
            if events > 0 {
                let byte = (!source.unpacked).then(|| source.place(bundle).start.into());
                self.reported.add_at(events, None, byte);
            }
            if events > 0 && self.spans.len() < MAX_SPANS {
                self.spans.push(LostSpan {
                    cpu,
                    from: from.min(time),
                    to: time,
                    events,
                });
            }
        }
        !fields.damaged
    }

    /// Takes an event; returns its time.
    fn event(&mut self, source: PacketSource<'_>, event: &[u8], cpu: u32) -> Option<u64> {
        let (mut time, mut pid, mut message) = (None, 0, None);
        for (number, value) in WireFields::new(event) {
            match (number, value) {
                (1, WireValue::Number(n)) => time = Some(n),
                (2, WireValue::Number(n)) => pid = n as u32,
                (_, WireValue::Bytes(bytes)) => message = Some((number, bytes)),
                _ => {}
            }
        }
        let sample = message.and_then(|(number, bytes)| {
            let kind = events::kind(number, bytes, &self.described, self.set.as_ref())?;
            Some((kind, number, bytes))
        });
        match (sample, time) {
            (Some((kind, number, bytes)), Some(time)) if self.events.len() < MAX_EVENTS => {
                let (unpacked, place) = (source.unpacked, source.place(bytes));
                self.events.push(FoundEvent {
                    time,
                    cpu,
                    pid,
                    kind: (kind, number),
                    unpacked,
                    place,
                });
            }
            _ => {
                let left_out = sample.is_some() && time.is_some();
                *if left_out {
                    &mut self.left_out
                } else {
                    &mut self.others
                } += 1;
            }
        }
        time
    }

    fn names(&mut self, tree: &[u8]) {
        for (number, value) in WireFields::new(tree) {
            let Some(task) = value
                .bytes()
                .filter(|_| self.threads.len() + self.processes.len() < MAX_NAMES)
            else {
                continue;
            };
            let id = WireFields::new(task)
                .find(|f| f.0 == 1)
                .and_then(|f| f.1.number());
            let text = |wanted| {
                WireFields::new(task)
                    .find(|f| f.0 == wanted)
                    .and_then(|f| f.1.bytes())
            };
            match (number, id) {
                (1, Some(pid)) => {
                    let line = text(3).unwrap_or_default();
                    let name = line.rsplit(|b| *b == b'/').next().unwrap_or_default();
                    self.processes.push((pid as u32, shortened(name)));
                }
                (2, Some(tid)) => self
                    .threads
                    .push((tid as u32, shortened(text(2).unwrap_or_default()))),
                _ => {}
            }
        }
    }

    fn clocks(&mut self, snapshot: &[u8]) {
        let mut times: FxHashMap<u64, i64> = FxHashMap::default();
        for clock in WireFields::new(snapshot)
            .filter(|f| f.0 == 1)
            .filter_map(|f| f.1.bytes())
            .take(64)
        {
            let number = |wanted| {
                WireFields::new(clock)
                    .find(|f| f.0 == wanted)
                    .and_then(|f| f.1.number())
            };
            times.extend(number(1).zip(number(2)).map(|(id, time)| (id, time as i64)));
        }
        let wall_less = |id: u64| times.get(&REALTIME)?.checked_sub(*times.get(&id)?);
        self.wall_of_boot = self.wall_of_boot.or_else(|| wall_less(BOOTTIME));
        self.wall_of_raw = self.wall_of_raw.or_else(|| wall_less(MONOTONIC_RAW));
    }

    /// The wall clock at a time of ftrace.
    fn wall(&self, time: u64) -> Option<u64> {
        let offset = match self.clock {
            0 => self.wall_of_boot,
            2 | 3 => self
                .wall_of_boot
                .zip(self.boot_of_ftrace)
                .and_then(|(wall, boot)| wall.checked_add(boot)),
            4 => self.wall_of_raw,
            _ => None,
        };
        time.checked_add_signed(offset?)
    }

    fn system(&mut self, message: &[u8]) {
        let bytes = |message, wanted| {
            let mut fields = WireFields::new(message);
            fields.find(|f| f.0 == wanted).and_then(|f| f.1.bytes())
        };
        let machine = bytes(message, 1).and_then(|names| bytes(names, 4));
        self.machine = machine.and_then(Machine::named).or(self.machine);
    }

    fn statistics(&mut self, message: &[u8]) {
        let end = WireFields::new(message).any(|f| f == (1, WireValue::Number(2)));
        for cpu in WireFields::new(message)
            .filter(|f| f.0 == 2)
            .filter_map(|f| f.1.bytes())
        {
            let number = |wanted| {
                WireFields::new(cpu)
                    .find(|f| f.0 == wanted)
                    .and_then(|f| f.1.number())
                    .unwrap_or(0)
            };
            let lost = &mut self.lost[usize::from(end)];
            if lost.len() < MAX_SPANS {
                lost.insert(number(1), number(3).saturating_add(number(8)));
            }
        }
    }

    /// Events that were lost: by the statistics of the CPUs, and at least one where a packet
    /// reports it.
    fn lost(&self) -> ReportedCount {
        let [start, end] = &self.lost;
        let mut counted = ReportedCount::default();
        for (cpu, &count) in end {
            let before = start.get(cpu).copied().unwrap_or(0);
            // A counter that went back began again.
            counted.add(count.checked_sub(before).unwrap_or(count));
        }
        let mut lost = counted.max(&self.reported);
        lost.add(self.left_out);
        lost
    }
}

/// The part of a name that the kernel keeps.
fn shortened(name: &[u8]) -> Vec<u8> {
    name[..name.len().min(16)].to_vec()
}

/// Adds what a compressed packet contains; `false` if it is damaged or too much.
fn unpack(from: impl Read, out: &mut Vec<u8>, budget: &UnpackBudget) -> bool {
    let before = out.len();
    let whole = budget.unpack(from, u64::MAX, out);
    if !whole {
        // Packets behind a cut one could not be found.
        out.truncate(before);
    }
    whole
}
