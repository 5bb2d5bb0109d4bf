//! One row per request: issued by a disk, or a bio of a device without requests. 40 bytes each.

use super::column::{Column8, Column16, Column48, reserve};
use super::rows;
use super::spans::Spans;
use crate::event::{Flags, Op};
use rustc_hash::FxHashSet;
use std::collections::HashMap;

#[cfg(test)]
mod tests;

/// Marks a row that is a bio: its device has no D, so it runs from Q to C.
const BIO: u16 = 1 << 15;
/// Marks a row that was handed back at least once.
const REQUEUED: u16 = 1 << 14;
/// Marks a row whose end is not known, and never will be.
const MOMENTARY: u16 = 1 << 13;
/// Marks, and bits of an event's flags that rows do not keep: which action of a zone it was.
const NOT_KEPT: u16 = BIO | REQUEUED | MOMENTARY | Flags::ZONE_ACTION;

/// A complete row, as the lifecycle writes it. Times are ns since the start of the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoredRequest {
    /// D of a request (the last one after a requeue), Q of a bio row.
    pub start: u64,
    /// First Q among its bios.
    pub queued: Option<u64>,
    /// First G.
    pub allocated: Option<u64>,
    /// Last I before the D.
    pub inserted: Option<u64>,
    /// Last C, when all of it is done.
    pub completed: Option<u64>,
    /// First sector at D.
    pub sector: u64,
    /// Length at D.
    pub bytes: u32,
    /// Flags at D.
    pub flags: Flags,
    /// Process of its first bio: index of the store's processes.
    pub process: u32,
    /// Index of the store's devices.
    pub device: u32,
    /// CPU of the first bio's Q, of the D when no Q is known.
    pub submit_cpu: u32,
    /// CPU of the last C.
    pub complete_cpu: u32,
    /// Bios in it; 0 when none of them was seen.
    pub bios: u32,
    /// errno, 0 or negative.
    pub error: i16,
    /// Whether it is a bio of a device without requests.
    pub bio: bool,
    /// Whether it was handed back at least once.
    pub requeued: bool,
    /// Whether it is a moment: it has no completion, and is not in flight until the end of the trace.
    pub momentary: bool,
}

/// The request columns, ascending by `start` once the trace is complete.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    start: Column48,
    queued: Spans,
    allocated: Spans,
    inserted: Spans,
    completed: Spans,
    sector: Column48,
    bytes: Vec<u32>,
    flags: Vec<u16>,
    process: Column16,
    device: Column8,
    submit_cpu: Column8,
    complete_cpu: Column8,
    bios: Column8,
    errors: HashMap<u32, i16>,
}

impl Requests {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Makes room for so many rows more.
    pub fn reserve(&mut self, more: usize) {
        for spans in [&mut self.queued, &mut self.allocated, &mut self.inserted, &mut self.completed] {
            spans.reserve(more);
        }
        self.start.reserve(more);
        self.sector.reserve(more);
        reserve(&mut self.bytes, more);
        reserve(&mut self.flags, more);
        self.process.reserve(more);
        for column in [&mut self.device, &mut self.submit_cpu, &mut self.complete_cpu, &mut self.bios] {
            column.reserve(more);
        }
    }

    /// Appends a row and returns its number.
    pub fn push(&mut self, row: &StoredRequest) -> usize {
        let i = self.len();
        let before = |t: Option<u64>| t.map(|t| row.start.saturating_sub(t));
        self.start.push(row.start);
        self.queued.push(before(row.queued));
        self.allocated.push(before(row.allocated));
        self.inserted.push(before(row.inserted));
        self.completed.push(row.completed.map(|t| t.saturating_sub(row.start)));
        self.sector.push(row.sector);
        self.bytes.push(row.bytes);
        self.flags.push(packed_flags(row));
        self.process.push(row.process);
        self.device.push(row.device);
        self.submit_cpu.push(row.submit_cpu);
        self.complete_cpu.push(row.complete_cpu);
        self.bios.push(row.bios);
        if row.error != 0 {
            self.errors.insert(i as u32, row.error);
        }
        i
    }

    /// Writes another row over row `i`: the request was handed back and issued again.
    pub fn replace(&mut self, i: usize, row: &StoredRequest) {
        let before = |t: Option<u64>| t.map(|t| row.start.saturating_sub(t));
        self.start.set(i, row.start);
        self.queued.set(i, before(row.queued));
        self.allocated.set(i, before(row.allocated));
        self.inserted.set(i, before(row.inserted));
        self.completed.set(i, row.completed.map(|t| t.saturating_sub(row.start)));
        self.sector.set(i, row.sector);
        self.bytes[i] = row.bytes;
        self.flags[i] = packed_flags(row);
        self.process.set(i, row.process);
        self.device.set(i, row.device);
        self.submit_cpu.set(i, row.submit_cpu);
        self.complete_cpu.set(i, row.complete_cpu);
        self.bios.set(i, row.bios);
        if row.error == 0 {
            self.errors.remove(&(i as u32));
        } else {
            self.errors.insert(i as u32, row.error);
        }
    }

    pub fn row(&self, i: usize) -> StoredRequest {
        StoredRequest {
            start: self.start(i),
            queued: self.queued(i),
            allocated: self.allocated(i),
            inserted: self.inserted(i),
            completed: self.completed(i),
            sector: self.sector(i),
            bytes: self.bytes(i),
            flags: self.flags(i),
            process: self.process(i),
            device: self.device(i),
            submit_cpu: self.submit_cpu(i),
            complete_cpu: self.complete_cpu(i),
            bios: self.bios(i),
            error: self.error(i),
            bio: self.is_bio(i),
            requeued: self.flags[i] & REQUEUED != 0,
            momentary: self.is_momentary(i),
        }
    }

    /// Marks row `i` as done at `time`.
    pub fn complete(&mut self, i: usize, time: u64, cpu: u32, error: i16) {
        let start = self.start(i);
        self.completed.set(i, Some(time.saturating_sub(start)));
        self.complete_cpu.set(i, cpu);
        if error != 0 {
            self.errors.insert(i as u32, error);
        }
    }

    /// D of a request, Q of a bio row: ns since the trace's start.
    #[inline]
    pub fn start(&self, i: usize) -> u64 {
        self.start.get(i)
    }

    /// First Q of its bios.
    #[inline]
    pub fn queued(&self, i: usize) -> Option<u64> {
        self.queued.get(i).map(|d| self.start(i).saturating_sub(d))
    }

    /// First G.
    #[inline]
    pub fn allocated(&self, i: usize) -> Option<u64> {
        self.allocated.get(i).map(|d| self.start(i).saturating_sub(d))
    }

    /// Last I before D.
    #[inline]
    pub fn inserted(&self, i: usize) -> Option<u64> {
        self.inserted.get(i).map(|d| self.start(i).saturating_sub(d))
    }

    /// D; absent for bio rows.
    #[inline]
    pub fn issued(&self, i: usize) -> Option<u64> {
        (!self.is_bio(i)).then(|| self.start(i))
    }

    /// Last C.
    #[inline]
    pub fn completed(&self, i: usize) -> Option<u64> {
        self.completed.get(i).map(|d| self.start(i).saturating_add(d))
    }

    /// D to C, absent for bio rows and for what did not complete.
    #[inline]
    pub fn d2c(&self, i: usize) -> Option<u64> {
        if self.is_bio(i) { None } else { self.completed.get(i) }
    }

    /// Q to D.
    #[inline]
    pub fn q2d(&self, i: usize) -> Option<u64> {
        if self.is_bio(i) { None } else { self.queued.get(i) }
    }

    /// First G to D.
    #[inline]
    pub fn g2d(&self, i: usize) -> Option<u64> {
        if self.is_bio(i) { None } else { self.allocated.get(i) }
    }

    /// Last I to D.
    #[inline]
    pub fn i2d(&self, i: usize) -> Option<u64> {
        if self.is_bio(i) { None } else { self.inserted.get(i) }
    }

    /// Q to C.
    #[inline]
    pub fn q2c(&self, i: usize) -> Option<u64> {
        Some(self.queued.get(i)?.saturating_add(self.completed.get(i)?))
    }

    /// First sector; all ones for a flush without a sector.
    #[inline]
    pub fn sector(&self, i: usize) -> u64 {
        self.sector.get(i)
    }

    /// Length in bytes.
    #[inline]
    pub fn bytes(&self, i: usize) -> u32 {
        self.bytes[i]
    }

    /// Length in complete sectors.
    #[inline]
    pub fn sectors(&self, i: usize) -> u64 {
        u64::from(self.bytes[i] >> 9)
    }

    /// Flags at D.
    #[inline]
    pub fn flags(&self, i: usize) -> Flags {
        Flags(self.flags[i] & !NOT_KEPT)
    }

    /// Kind of operation.
    #[inline]
    pub fn op(&self, i: usize) -> Op {
        self.flags(i).op(self.bytes(i))
    }

    /// Process of its first bio: index of the store's processes.
    #[inline]
    pub fn process(&self, i: usize) -> u32 {
        self.process.get(i)
    }

    /// Index of the store's devices.
    #[inline]
    pub fn device(&self, i: usize) -> u32 {
        self.device.get(i)
    }

    /// CPU that submitted it.
    #[inline]
    pub fn submit_cpu(&self, i: usize) -> u32 {
        self.submit_cpu.get(i)
    }

    /// CPU of the last C.
    #[inline]
    pub fn complete_cpu(&self, i: usize) -> u32 {
        self.complete_cpu.get(i)
    }

    /// Bios in it.
    #[inline]
    pub fn bios(&self, i: usize) -> u32 {
        self.bios.get(i)
    }

    /// errno, 0 or negative.
    pub fn error(&self, i: usize) -> i16 {
        self.errors.get(&(i as u32)).copied().unwrap_or(0)
    }

    /// Whether the row is a bio of a device without requests.
    #[inline]
    pub fn is_bio(&self, i: usize) -> bool {
        self.flags[i] & BIO != 0
    }

    /// Whether a row is a moment, see [`StoredRequest::momentary`].
    #[inline]
    pub fn is_momentary(&self, i: usize) -> bool {
        self.flags[i] & MOMENTARY != 0
    }

    /// Makes a row a moment.
    pub fn make_momentary(&mut self, i: usize) {
        self.flags[i] |= MOMENTARY;
    }

    /// First row whose `start` is at or after `time`.
    pub fn find(&self, time: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let mid = low + (high - low) / 2;
            if self.start(mid) < time { low = mid + 1 } else { high = mid }
        }
        low
    }

    /// The same rows except `removed`, stably ordered by `start`.
    pub fn sorted_without(self, removed: &FxHashSet<u32>) -> Requests {
        let (mut sorted, mut before) = (true, 0);
        rows::until(0..self.len(), |i| {
            sorted = before <= self.start(i);
            before = self.start(i);
            !sorted
        });
        if removed.is_empty() && sorted {
            return self;
        }
        let mut order: Vec<u32> = (0..self.len() as u32).filter(|row| !removed.contains(row)).collect();
        order.sort_by_key(|&i| self.start(i as usize));
        let mut sorted = Requests::default();
        for i in order {
            sorted.push(&self.row(i as usize));
        }
        sorted
    }

    /// Memory of all columns, in bytes.
    pub fn memory(&self) -> usize {
        self.start.bytes()
            + self.queued.bytes()
            + self.allocated.bytes()
            + self.inserted.bytes()
            + self.completed.bytes()
            + self.sector.bytes()
            + self.bytes.len() * 4
            + self.flags.len() * 2
            + self.process.bytes()
            + self.device.bytes()
            + self.submit_cpu.bytes()
            + self.complete_cpu.bytes()
            + self.bios.bytes()
            + self.errors.len() * 8
    }
}

fn packed_flags(row: &StoredRequest) -> u16 {
    let mark = |is: bool, bit: u16| if is { bit } else { 0 };
    row.flags.0 & !NOT_KEPT | mark(row.bio, BIO) | mark(row.requeued, REQUEUED) | mark(row.momentary, MOMENTARY)
}
