//! Sums up what updates of stripes cost the disks of the array, and remembers what they leave in memory.

use super::geometry::Geometry;
use super::layout::Layout;
use super::union::SectorSet;
use super::visit::{CachedStripe, RaidReport, RowBand, bands, page};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rows of pages that stay in memory: the stripe cache of md, unless set to more.
pub const CACHED: u64 = 256;

/// Extra I/O of the disks for stripes that are written in part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rmw {
    /// Reads of neighbouring pages: old data and old parity, or the rest of the rows.
    pub reads: u64,
    /// Writes of neighbouring parity pages of rows that are written in part.
    pub writes: u64,
    /// Bytes of the reads.
    pub read_bytes: u64,
    /// Bytes written beyond the data and the parity that whole stripes of as much data have.
    pub write_bytes: u64,
    /// Sum of both.
    pub extra_bytes: u64,
    /// Whether the reads are md's own word, or else reckoned.
    pub told: bool,
}

/// What falls on one disk of the array, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskIo {
    /// Read by who uses the array.
    pub asked: u64,
    /// Read for stripes written in part.
    pub read: u64,
    /// Of `read`, in how many pieces.
    pub reads: u64,
    /// Written, parity included.
    pub written: u64,
    /// Data written by who uses the array, and the parity that whole stripes of as much data have.
    pub ideal: u64,
}

impl DiskIo {
    /// What falls on both.
    pub fn plus(self, other: &DiskIo) -> DiskIo {
        DiskIo {
            asked: self.asked + other.asked,
            read: self.read + other.read,
            reads: self.reads + other.reads,
            written: self.written + other.written,
            ideal: self.ideal + other.ideal,
        }
    }
}

/// What stays of stripes, the least recently updated being dropped first.
#[derive(Clone, Debug, Default)]
struct StripeCache {
    stripes: FxHashMap<u64, (u64, CachedStripe)>,
    /// Stripe by the clock of its last update.
    order: BTreeMap<u64, u64>,
    clock: u64,
    rows: u64,
}

impl StripeCache {
    fn take(&mut self, number: u64, page: u64) -> CachedStripe {
        let Some((clock, known)) = self.stripes.remove(&number) else { return CachedStripe::default() };
        self.order.remove(&clock);
        self.rows -= known.parity.total() / page;
        known
    }

    fn put(&mut self, number: u64, known: CachedStripe, page: u64) {
        self.take(number, page);
        self.rows += known.parity.total() / page;
        self.clock += 1;
        self.order.insert(self.clock, number);
        self.stripes.insert(number, (self.clock, known));
        while self.rows > CACHED
            && let Some((_, oldest)) = self.order.pop_first()
            && let Some((_, known)) = self.stripes.remove(&oldest)
        {
            self.rows -= known.parity.total() / page;
        }
    }
}

/// A disk, for pieces that go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RunKey {
    Data(u64),
    Parity(u64),
    Written,
}

/// The sums.
#[derive(Clone, Debug)]
pub struct RmwCost {
    geometry: Geometry,
    layout: Option<Layout>,
    slots: Vec<DiskIo>,
    reads: u64,
    writes: u64,
    /// Sectors.
    read: u64,
    /// Sectors of data in updates of parts, and sectors that were written for them.
    data: u64,
    written: u64,
    memory: StripeCache,
    /// Stripe and place where the last piece of each disk ended.
    ends: FxHashMap<RunKey, (u64, u64)>,
}

impl RmwCost {
    /// Nothing yet.
    pub fn new(geometry: Geometry) -> RmwCost {
        let layout = Layout::of(&geometry);
        RmwCost {
            geometry,
            layout,
            slots: vec![DiskIo::default(); layout.map_or(0, |l| l.disks())],
            reads: 0,
            writes: 0,
            read: 0,
            data: 0,
            written: 0,
            memory: StripeCache::default(),
            ends: FxHashMap::default(),
        }
    }

    /// Something was read from the array.
    pub fn asked(&mut self, sector: u64, sectors: u64) {
        let Some(layout) = self.layout else { return };
        // After as many stripes as there are disks each of them has had equally much.
        let (unit, disks) = (self.geometry.unit(), layout.disks() as u64);
        let rounds = sectors / (self.geometry.stripe() * disks);
        let each = rounds * self.geometry.stripe();
        self.slots.iter_mut().for_each(|slot| slot.asked += each * 512);
        let (mut at, end) = (sector.saturating_add(each * disks), sector.saturating_add(sectors));
        while at < end {
            let (number, place) = self.geometry.place(at);
            let len = (unit - place % unit).min(end - at);
            self.slots[layout.data(number, place / unit)].asked += len * 512;
            at += len;
        }
    }

    /// So many stripes were written whole, from the `first` on.
    pub fn whole(&mut self, first: u64, count: u64) {
        let (unit, stripe, page) = (self.geometry.unit(), self.geometry.stripe(), page(&self.geometry));
        for slot in &mut self.slots {
            slot.written += unit * count * 512;
            slot.ideal += unit * count * 512;
        }
        if self.geometry.level().parity() > 0 {
            let last = CACHED.div_ceil(unit / page).min(count);
            for number in first + count - last..first + count {
                let mut known = CachedStripe::default();
                known.data.insert(0, stripe);
                known.parity.insert(0, unit);
                self.memory.put(number, known, page);
            }
        }
    }

    /// Sectors of a stripe were written.
    pub fn update(&mut self, number: u64, written: &SectorSet, word: RaidReport) {
        let (unit, disks, parity) = (self.geometry.unit(), self.geometry.disks(), self.geometry.level().parity());
        if let Some(layout) = self.layout {
            for (disk, len) in written.parts().iter().flat_map(|&part| by_unit(unit, part)) {
                self.slots[layout.data(number, disk)].ideal += len * 512;
                self.slots[layout.data(number, disk)].written += if parity == 0 { len * 512 } else { 0 };
            }
            (0..parity).for_each(|i| self.slots[layout.parity(number, i)].ideal += written.total() * 512 / disks);
        }
        if parity == 0 {
            return;
        }
        let page = page(&self.geometry);
        let mut known = self.memory.take(number, page);
        self.data += written.total();
        for band in bands(&self.geometry, written, &known, word) {
            self.add(number, &band);
            let (from, to) = band.rows;
            band.read.iter().chain(&band.written).for_each(|disk| known.data.insert(disk * unit + from, disk * unit + to));
            known.parity.insert(from, to);
        }
        self.memory.put(number, known, page);
    }

    fn add(&mut self, number: u64, band: &RowBand) {
        let (parity, (from, to)) = (self.geometry.level().parity(), band.rows);
        let sectors = to - from;
        let mut ends = std::mem::take(&mut self.ends);
        let mut begins = |piece| u64::from(ends.insert(piece, (number, to)) != Some((number, from)));
        for i in 0..band.read.len() as u64 + band.read_parity {
            let disk = band.read.get(i as usize).copied();
            let other = i - (band.read.len() as u64).min(i);
            let new = begins(disk.map_or(RunKey::Parity(other), RunKey::Data));
            self.reads += new;
            if let Some(layout) = self.layout {
                let slot = &mut self.slots[disk.map_or_else(|| layout.parity(number, other), |d| layout.data(number, d))];
                slot.read += sectors * 512;
                slot.reads += new;
            }
        }
        if !band.whole {
            self.writes += parity * begins(RunKey::Written);
        }
        self.ends = ends;
        self.reads += band.elsewhere;
        self.read += (band.read.len() as u64 + band.read_parity + band.elsewhere) * sectors;
        self.written += (band.written.len() as u64 + parity) * sectors;
        if let Some(layout) = self.layout {
            band.written.iter().for_each(|&disk| self.slots[layout.data(number, disk)].written += sectors * 512);
            (0..parity).for_each(|i| self.slots[layout.parity(number, i)].written += sectors * 512);
        }
    }

    /// The extra I/O, and what falls on each disk.
    pub fn finish(self, told: bool) -> (Rmw, Vec<DiskIo>) {
        let (disks, parity) = (u128::from(self.geometry.disks()), u128::from(self.geometry.level().parity()));
        let ideal = u128::from(self.data) * (disks + parity);
        let beyond = (u128::from(self.written) * disks).saturating_sub(ideal) * 512 / disks;
        let (read_bytes, write_bytes) = (self.read * 512, u64::try_from(beyond).unwrap_or(u64::MAX));
        let extra_bytes = read_bytes.saturating_add(write_bytes);
        (Rmw { reads: self.reads, writes: self.writes, read_bytes, write_bytes, extra_bytes, told }, self.slots)
    }
}

/// Sectors by unit of a piece of a stripe.
fn by_unit(unit: u64, (from, to): (u64, u64)) -> impl Iterator<Item = (u64, u64)> {
    (from / unit..to.div_ceil(unit)).map(move |disk| (disk, to.min((disk + 1) * unit) - from.max(disk * unit)))
}
