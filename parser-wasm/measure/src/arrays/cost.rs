//! Extra I/O that updates of partial stripes cause on the disks of the array, given which pages
//! stay in memory.

use super::geometry::Geometry;
use super::layout::Layout;
use super::visit::{CachedStripe, RaidReport, RowBand, bands, page};
use crate::union::SectorSet;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rows of pages that stay in memory: md's default stripe cache size (`stripe_cache_size`).
pub const CACHED_ROWS: u64 = 256;

/// Extra I/O of the disks for partially written stripes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rmw {
    /// Reads of adjacent pages: old data and old parity, or the rest of the rows.
    pub reads: u64,
    /// Writes of adjacent parity pages of partially written rows.
    pub writes: u64,
    /// Bytes of these reads.
    pub read_bytes: u64,
    /// Bytes written beyond the data and the parity that full stripes with as much data have.
    pub write_bytes: u64,
    /// Bytes of both together.
    pub extra_bytes: u64,
    /// Whether md's messages report the reads; else they are estimated.
    pub told: bool,
}

/// I/O of one disk of the array, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskIo {
    /// Bytes that users of the array read from the disk.
    pub asked: u64,
    /// Bytes read for partially written stripes.
    pub read: u64,
    /// Number of runs of adjacent pages in `read`.
    pub reads: u64,
    /// Bytes written, including parity.
    pub written: u64,
    /// Data written by users of the array, and the parity that full stripes with as much data have.
    pub ideal: u64,
}

impl DiskIo {
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

/// Pages of stripes that are still in memory; the least recently updated stripe is dropped first.
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
        let Some((clock, cached)) = self.stripes.remove(&number) else {
            return CachedStripe::default();
        };
        self.order.remove(&clock);
        self.rows -= cached.parity.total() / page;
        cached
    }

    fn put(&mut self, number: u64, cached: CachedStripe, page: u64) {
        self.take(number, page);
        self.rows += cached.parity.total() / page;
        self.clock += 1;
        self.order.insert(self.clock, number);
        self.stripes.insert(number, (self.clock, cached));
        while self.rows > CACHED_ROWS
            && let Some((_, oldest)) = self.order.pop_first()
            && let Some((_, cached)) = self.stripes.remove(&oldest)
        {
            self.rows -= cached.parity.total() / page;
        }
    }
}

/// A target of I/O, to detect runs that continue from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RunKey {
    Data(u64),
    Parity(u64),
    Written,
}

/// Adds up the cost of updates.
#[derive(Clone, Debug)]
pub struct RmwCost {
    geometry: Geometry,
    layout: Option<Layout>,
    slots: Vec<DiskIo>,
    reads: u64,
    writes: u64,
    /// Number of sectors read.
    read: u64,
    /// Sectors of data in updates of partial stripes, and sectors written for them.
    data: u64,
    written: u64,
    cache: StripeCache,
    /// Stripe and offset at which the last run of each target ended.
    ends: FxHashMap<RunKey, (u64, u64)>,
}

impl RmwCost {
    pub fn new(geometry: Geometry) -> RmwCost {
        let layout = Layout::for_geometry(&geometry);
        RmwCost {
            geometry,
            layout,
            slots: vec![DiskIo::default(); layout.map_or(0, |l| l.disks())],
            reads: 0,
            writes: 0,
            read: 0,
            data: 0,
            written: 0,
            cache: StripeCache::default(),
            ends: FxHashMap::default(),
        }
    }

    pub fn add_read(&mut self, sector: u64, sectors: u64) {
        let Some(layout) = self.layout else { return };
        // After as many stripes as there are disks, each disk has had the same amount.
        let (unit, disks) = (self.geometry.unit(), layout.disks() as u64);
        let rounds = sectors / (self.geometry.stripe() * disks);
        let each = rounds * self.geometry.stripe();
        self.slots
            .iter_mut()
            .for_each(|slot| slot.asked += each * 512);
        let (mut sector_here, end) = (
            sector.saturating_add(each * disks),
            sector.saturating_add(sectors),
        );
        while sector_here < end {
            let (number, place) = self.geometry.place(sector_here);
            let len = (unit - place % unit).min(end - sector_here);
            self.slots[layout.data(number, place / unit)].asked += len * 512;
            sector_here += len;
        }
    }

    /// Adds `count` complete stripes from `first` on.
    pub fn add_full(&mut self, first: u64, count: u64) {
        let (unit, stripe, page) = (
            self.geometry.unit(),
            self.geometry.stripe(),
            page(&self.geometry),
        );
        for slot in &mut self.slots {
            slot.written += unit * count * 512;
            slot.ideal += unit * count * 512;
        }
        if self.geometry.level().parity() > 0 {
            let last = CACHED_ROWS.div_ceil(unit / page).min(count);
            for number in first + count - last..first + count {
                let mut cached = CachedStripe::default();
                cached.data.insert(0, stripe);
                cached.parity.insert(0, unit);
                self.cache.put(number, cached, page);
            }
        }
    }

    /// Adds an update: the written sectors of one stripe.
    pub fn update(&mut self, number: u64, written: &SectorSet, report: RaidReport) {
        let (unit, disks, parity) = (
            self.geometry.unit(),
            self.geometry.disks(),
            self.geometry.level().parity(),
        );
        if let Some(layout) = self.layout {
            for (disk, len) in written.parts().iter().flat_map(|&part| by_unit(unit, part)) {
                self.slots[layout.data(number, disk)].ideal += len * 512;
                self.slots[layout.data(number, disk)].written +=
                    if parity == 0 { len * 512 } else { 0 };
            }
            (0..parity).for_each(|i| {
                self.slots[layout.parity(number, i)].ideal += written.total() * 512 / disks
            });
        }
        if parity == 0 {
            return;
        }
        let page = page(&self.geometry);
        let mut cached = self.cache.take(number, page);
        self.data += written.total();
        for band in bands(&self.geometry, written, &cached, report) {
            self.add(number, &band);
            let (from, to) = band.rows;
            band.read
                .iter()
                .chain(&band.written)
                .for_each(|disk| cached.data.insert(disk * unit + from, disk * unit + to));
            cached.parity.insert(from, to);
        }
        self.cache.put(number, cached, page);
    }

    fn add(&mut self, number: u64, band: &RowBand) {
        let (parity, (from, to)) = (self.geometry.level().parity(), band.rows);
        let sectors = to - from;
        let mut ends = std::mem::take(&mut self.ends);
        let mut begins =
            |piece| u64::from(ends.insert(piece, (number, to)) != Some((number, from)));
        for i in 0..band.read.len() as u64 + band.read_parity {
            let disk = band.read.get(i as usize).copied();
            let other = i - (band.read.len() as u64).min(i);
            let new = begins(disk.map_or(RunKey::Parity(other), RunKey::Data));
            self.reads += new;
            if let Some(layout) = self.layout {
                let slot = &mut self.slots
                    [disk.map_or_else(|| layout.parity(number, other), |d| layout.data(number, d))];
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
            band.written
                .iter()
                .for_each(|&disk| self.slots[layout.data(number, disk)].written += sectors * 512);
            (0..parity).for_each(|i| self.slots[layout.parity(number, i)].written += sectors * 512);
        }
    }

    /// The extra I/O, and the I/O of each disk.
    pub fn finish(self, is_reported: bool) -> (Rmw, Vec<DiskIo>) {
        let (disks, parity) = (
            u128::from(self.geometry.disks()),
            u128::from(self.geometry.level().parity()),
        );
        let ideal = u128::from(self.data) * (disks + parity);
        let beyond = (u128::from(self.written) * disks).saturating_sub(ideal) * 512 / disks;
        let (read_bytes, write_bytes) =
            (self.read * 512, u64::try_from(beyond).unwrap_or(u64::MAX));
        let extra_bytes = read_bytes.saturating_add(write_bytes);
        (
            Rmw {
                reads: self.reads,
                writes: self.writes,
                read_bytes,
                write_bytes,
                extra_bytes,
                told: is_reported,
            },
            self.slots,
        )
    }
}

/// Splits sectors of a stripe by unit: (unit, sectors).
fn by_unit(unit: u64, (from, to): (u64, u64)) -> impl Iterator<Item = (u64, u64)> {
    (from / unit..to.div_ceil(unit))
        .map(move |disk| (disk, to.min((disk + 1) * unit) - from.max(disk * unit)))
}
