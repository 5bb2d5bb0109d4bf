//! Completes blkparse's lines from their neighbours: names as records, the device that recorded a
//! remap, the size of a split, and whether a merge is of a bio or of a complete request.

use crate::Record;
use crate::text::tasks::NO_NAME;
use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_trace::event::{Action, DeviceNumber, Event, EventDetail, Flags};
use std::collections::VecDeque;

/// Remaps held back until a device is known.
const EARLY: usize = 1024;

/// Passthrough requests that are followed.
const COMMANDS: usize = 1024;

/// CPUs of which the sequences are followed.
const CPUS: u32 = 4096;

/// A device, and the last sequence of each CPU; 0 where none is known.
type Traced = (DeviceNumber, Vec<u32>);

#[inline]
fn counted((_, sequences): &mut Traced, cpu: u32, sequence: u32) {
    match sequences.get_mut(cpu as usize) {
        Some(last) if sequence != 0 => *last = sequence,
        None if cpu < CPUS => {
            sequences.resize(cpu as usize + 1, 0);
            sequences[cpu as usize] = sequence;
        }
        _ => {}
    }
}

/// State from earlier lines.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// Tasks whose name was emitted.
    named: FxHashSet<u32>,
    last_named: Option<u32>,
    /// Devices that recorded something.
    devices: Vec<Traced>,
    /// The device of the last line.
    current: usize,
    /// Remaps before the first other line.
    early: Vec<Event>,
    /// Per task and device: the last bio's first sector and end, and whether nothing became of it
    /// yet.
    bios: FxHashMap<(u32, DeviceNumber), (u64, u64, bool)>,
    /// Bytes of passthrough requests that are not completed: a completion does not print them.
    commands: VecDeque<(DeviceNumber, u32)>,
}

impl Tracked {
    /// Gives out a task's name when it is the first.
    #[inline]
    pub fn names(&mut self, pid: u32, time: u64, name: &[u8], sink: &mut impl FnMut(Record<'_>)) {
        if self.last_named != Some(pid) && name != NO_NAME {
            self.last_named = Some(pid);
            if self.named.insert(pid) {
                sink(Record::Process {
                    time,
                    pid,
                    name,
                    device: DeviceNumber::NONE,
                });
            }
        }
    }

    /// A device recorded something on a CPU.
    #[inline]
    pub fn sees(
        &mut self,
        device: DeviceNumber,
        cpu: u32,
        sequence: u32,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        if self.devices.get(self.current).is_none_or(|d| d.0 != device) {
            self.current = self
                .devices
                .iter()
                .position(|d| d.0 == device)
                .unwrap_or_else(|| {
                    self.devices.push((device, Vec::new()));
                    self.devices.len() - 1
                });
        }
        counted(&mut self.devices[self.current], cpu, sequence);
        if !self.early.is_empty() {
            self.release(Some((device, cpu, sequence)), sink);
        }
    }

    /// Gives out a remap as an event of the device that recorded it; its line names the device that
    /// it leads to.
    pub fn remap(&mut self, e: Event, sink: &mut impl FnMut(Record<'_>)) {
        if self.devices.is_empty() && self.early.len() < EARLY {
            self.early.push(e);
            return;
        }
        self.release(None, sink);
        let device = self.recorder(&e);
        if let Some(traced) = self.devices.iter_mut().find(|d| d.0 == device) {
            counted(traced, e.cpu, e.sequence);
        }
        sink(Record::Event(Event { device, ..e }));
    }

    /// The traced device that a remap leads to; where it leads to a part of one, the device whose
    /// count goes on with it.
    fn recorder(&self, e: &Event) -> DeviceNumber {
        let to = e.device;
        let goes_on = |d: &&Traced| {
            d.1.get(e.cpu as usize)
                .is_some_and(|&last| last != 0 && last.wrapping_add(1) == e.sequence)
        };
        let whole = |d: &&Traced| d.0.major() == to.major() && d.0.minor() < to.minor();
        let traced = self.devices.iter().find(|d| d.0 == to);
        let traced = traced.or_else(|| self.devices.iter().find(goes_on));
        traced
            .or_else(|| self.devices.iter().filter(whole).max_by_key(|d| d.0))
            .map_or(to, |d| d.0)
    }

    /// Gives out the remaps before the first other line: its device recorded those that its count
    /// goes on from.
    #[cold]
    fn release(
        &mut self,
        next: Option<(DeviceNumber, u32, u32)>,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        let mut early = std::mem::take(&mut self.early);
        let mut sequence = next.map_or(0, |(_, _, sequence)| sequence);
        for e in early.iter_mut().rev() {
            let before = |(_, cpu, _): &(DeviceNumber, u32, u32)| {
                *cpu == e.cpu && sequence != 0 && e.sequence.wrapping_add(1) == sequence
            };
            let goes_on = next.filter(before);
            e.device = goes_on.map_or_else(|| self.recorder(e), |(device, ..)| device);
            if goes_on.is_some() {
                sequence = e.sequence;
            }
        }
        for e in early {
            sink(Record::Event(e));
        }
    }

    /// Ends the text.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        self.release(None, sink);
    }

    /// Whether an event is about the bio that its task has just queued. Something has become of
    /// that bio then.
    #[inline]
    fn take(&mut self, e: &Event) -> bool {
        let Some((sector, _, fresh)) = self.bios.get_mut(&(e.pid, e.device)) else {
            return false;
        };
        std::mem::take(fresh) && *sector == e.sector
    }

    /// Bytes of what a split cuts off; of dm, which names the remainder, to the end of the task's
    /// bio.
    fn split(&self, e: &Event) -> u32 {
        let EventDetail::Split(cut) = e.detail else {
            return 0;
        };
        let sectors = match u64::from((cut as u32).wrapping_sub(e.sector as u32)) {
            0 => self
                .bios
                .get(&(e.pid, e.device))
                .filter(|b| b.0 < e.sector)
                .map_or(0, |b| b.1.saturating_sub(e.sector)),
            front => front,
        };
        sectors
            .checked_mul(512)
            .and_then(|bytes| u32::try_from(bytes).ok())
            .unwrap_or(0)
    }

    /// Sets what lines do not print. A merge is of a bio when its task has just queued that bio.
    #[inline]
    pub fn follow(&mut self, e: &mut Event) {
        match e.action {
            Action::Queue => {
                self.bios
                    .insert((e.pid, e.device), (e.sector, e.end(), true));
            }
            Action::GetRequest => {
                self.take(e);
            }
            Action::BackMerge | Action::FrontMerge if !self.take(e) => e.flags |= Flags::FS,
            Action::Split => e.bytes = self.split(e),
            Action::Issue if e.flags.has(Flags::PC) => {
                self.commands.truncate(COMMANDS);
                self.commands.push_back((e.device, e.bytes));
            }
            Action::Complete if e.flags.has(Flags::PC) => {
                if let Some(i) = self.commands.iter().position(|c| c.0 == e.device) {
                    e.bytes = self.commands.remove(i).map_or(0, |c| c.1);
                }
            }
            Action::Insert | Action::Issue | Action::Requeue if !e.flags.has(Flags::PC) => {
                e.flags |= Flags::FS
            }
            _ => {}
        }
    }
}
