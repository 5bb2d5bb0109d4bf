//! What one update of a part of a stripe costs the disks.
//!
//! md works in rows of pages: the pages of 4 KiB at the same place of each disk. A page that is written in part is read first. In a row
//! that is not written whole, the cheaper is read, in pages, of
//!
//! - read-modify-write: the written pages and the parity as they were;
//! - reconstruct-write: the data pages that are not written whole;
//!
//! both without what is still in memory; if equal, reconstruct-write. Then the written pages and the parity are written. Where md itself
//! says what it reads for a row ("raid5 rmw", "raid5 rcw"), its word counts.

use super::geometry::Geometry;
use super::union::SectorSet;
use std::collections::BTreeSet;

/// What is still in memory of a stripe: whole pages.
#[derive(Clone, Debug, Default)]
pub struct CachedStripe {
    /// Data, by sector of the stripe.
    pub data: SectorSet,
    /// Parity, by place in the unit.
    pub parity: SectorSet,
}

/// md's word for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaidReads {
    /// Read-modify-write that reads so many pages.
    Modify(u64),
    /// Reconstruct-write that reads so many pages.
    Reconstruct(u64),
}

/// How to learn what is read for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaidReport {
    /// md does not speak: reckon.
    Silent,
    /// md speaks, and did not of this row: it had all it needed.
    Nothing,
    /// It spoke.
    Of(RaidReads),
}

/// A range of rows that are written alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowBand {
    /// Places in the unit, from and to: multiples of the page.
    pub rows: (u64, u64),
    /// Disks of which pages are read, by their number among the data.
    pub read: Vec<u64>,
    /// Pages that are read of each row beside those, of disks that are not known.
    pub elsewhere: u64,
    /// Parity pages that are read of each row.
    pub read_parity: u64,
    /// Data disks written to.
    pub written: Vec<u64>,
    /// Whether the rows are written whole.
    pub whole: bool,
}

/// Sectors that are read and written at a time: 4 KiB, or less if the unit is no multiple of it.
pub fn page(geometry: &Geometry) -> u64 {
    if geometry.unit().is_multiple_of(8) { 8 } else { 1 }
}

/// The bands of an update of `written`, sectors of the stripe.
pub fn bands(geometry: &Geometry, written: &SectorSet, known: &CachedStripe, word: RaidReport) -> Vec<RowBand> {
    let cuts: Vec<u64> = edges(geometry, written, known).into_iter().collect();
    cuts.windows(2).filter_map(|w| band(geometry, written, known, word, (w[0], w[1]))).collect()
}

/// Places at which rows may begin to differ.
fn edges(geometry: &Geometry, written: &SectorSet, known: &CachedStripe) -> BTreeSet<u64> {
    let (unit, page) = (geometry.unit(), page(geometry));
    let mut edges = BTreeSet::from([0, unit]);
    for &(from, to) in written.parts() {
        for place in [from % unit, to % unit] {
            edges.extend([place / page * page, place.div_ceil(page) * page]);
        }
    }
    edges.extend(known.data.parts().iter().flat_map(|i| [i.0 % unit, i.1 % unit]));
    edges.extend(known.parity.parts().iter().flat_map(|i| [i.0, i.1]));
    edges
}

fn band(geometry: &Geometry, written: &SectorSet, known: &CachedStripe, word: RaidReport, rows: (u64, u64)) -> Option<RowBand> {
    let (unit, disks, parity) = (geometry.unit(), geometry.disks(), geometry.level().parity());
    let of = |disk: u64| (disk * unit + rows.0, disk * unit + rows.1);
    let mut touched = BTreeSet::new();
    for &(from, to) in written.parts() {
        let all = from / unit..=(to - 1) / unit;
        touched.extend(all.filter(|&disk| {
            let (low, high) = of(disk);
            low < to && from < high
        }));
    }
    if touched.is_empty() {
        return None;
    }
    let whole = |disk: u64| written.covers(of(disk).0, of(disk).1);
    let in_memory = |disk: u64| known.data.covers(of(disk).0, of(disk).1);
    let full = touched.iter().filter(|&&disk| whole(disk)).count() as u64;
    let mut band = RowBand { rows, whole: full == disks, written: touched.iter().copied().collect(), ..RowBand::default() };
    if band.whole || parity == 0 {
        return Some(band);
    }
    // Pages written in part are read in any case.
    band.read = touched.iter().copied().filter(|&disk| !whole(disk) && !in_memory(disk)).collect();
    let first: BTreeSet<u64> = band.read.iter().copied().collect();
    let has = |disk: u64| in_memory(disk) || first.contains(&disk);
    let old_parity = if known.parity.covers(rows.0, rows.1) { 0 } else { parity };
    let modify: Vec<u64> = touched.iter().copied().filter(|&disk| !has(disk)).collect();
    let rest = || (0..disks).filter(|disk| !(touched.contains(disk) && whole(*disk)));
    let reconstruct: Vec<u64> = rest().filter(|&disk| !has(disk)).collect();
    let (costs_modify, costs_rest) = (modify.len() as u64 + old_parity, reconstruct.len() as u64);
    match word {
        RaidReport::Nothing => {}
        RaidReport::Of(RaidReads::Modify(n)) => {
            let n = n.min(disks + parity);
            band.read_parity = if n > modify.len() as u64 { parity.min(n - modify.len() as u64) } else { 0 };
            let again = touched.iter().copied().filter(|&disk| has(disk) && !first.contains(&disk));
            let take: Vec<u64> = modify.into_iter().chain(again).take((n - band.read_parity) as usize).collect();
            band.elsewhere = n - band.read_parity - take.len() as u64;
            band.read.extend(take);
        }
        RaidReport::Of(RaidReads::Reconstruct(n)) => {
            let n = n.min(disks + parity);
            let again = rest().filter(|&disk| has(disk) && !first.contains(&disk));
            let take: Vec<u64> = reconstruct.into_iter().chain(again).take(n as usize).collect();
            band.elsewhere = n - take.len() as u64;
            band.read.extend(take);
        }
        RaidReport::Silent if costs_modify < costs_rest => {
            band.read.extend(modify);
            band.read_parity = old_parity;
        }
        RaidReport::Silent => band.read.extend(reconstruct),
    }
    Some(band)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::geometry::Level;

    /// Units of 16 sectors (two pages), four data disks.
    fn of(level: Level, written: &[(u64, u64)], known: &[(u64, u64)], word: RaidReport) -> Vec<RowBand> {
        let geometry = Geometry::new(level, 16, 4, 0).unwrap();
        let (mut w, mut k) = (SectorSet::default(), CachedStripe::default());
        written.iter().for_each(|&(from, to)| w.insert(from, to));
        known.iter().for_each(|&(from, to)| k.data.insert(from, to));
        bands(&geometry, &w, &k, word)
    }

    fn band(rows: (u64, u64), read: &[u64], read_parity: u64, written: &[u64]) -> RowBand {
        RowBand { rows, read: read.to_vec(), read_parity, written: written.to_vec(), ..RowBand::default() }
    }

    #[test]
    fn the_cheaper_way_is_read() {
        let silent = |level, written| of(level, written, &[], RaidReport::Silent);
        // One page of four: the page and its parity. Three pages: the fourth.
        assert_eq!(silent(Level::Raid5, &[(16, 24)]), [band((0, 8), &[1], 1, &[1])]);
        assert_eq!(silent(Level::Raid5, &[(16, 64)]), [band((0, 16), &[0], 0, &[1, 2, 3])]);
        // Two parities: three pages either way, so the rest.
        assert_eq!(silent(Level::Raid6, &[(24, 32)]), [band((8, 16), &[0, 2, 3], 0, &[1])]);
        // Rows that differ; a page in part is read though it is reconstructed.
        let expected = [band((0, 8), &[3], 0, &[0, 1, 2]), band((8, 16), &[2, 3], 0, &[0, 1, 2])];
        assert_eq!(silent(Level::Raid5, &[(0, 47)]), expected);
        assert_eq!(silent(Level::Raid0, &[(0, 8)]), [band((0, 8), &[], 0, &[0])]);
        let whole = RowBand { whole: true, ..band((0, 8), &[], 0, &[0, 1, 2, 3]) };
        assert_eq!(silent(Level::Raid5, &[(0, 8), (16, 24), (32, 40), (48, 56)]), [whole]);
    }

    #[test]
    fn what_is_in_memory_is_not_read() {
        assert_eq!(of(Level::Raid5, &[(16, 32)], &[(0, 16), (32, 64)], RaidReport::Silent), [band((0, 16), &[], 0, &[1])]);
        let expected = [band((0, 8), &[], 0, &[1]), band((8, 16), &[1], 1, &[1])];
        assert_eq!(of(Level::Raid5, &[(16, 32)], &[(0, 8), (32, 40), (48, 56)], RaidReport::Silent), expected);
    }

    #[test]
    fn its_own_word_counts() {
        let said = |word| of(Level::Raid5, &[(16, 24)], &[], word);
        assert_eq!(said(RaidReport::Nothing), [band((0, 8), &[], 0, &[1])]);
        assert_eq!(said(RaidReport::Of(RaidReads::Reconstruct(2))), [band((0, 8), &[0, 2], 0, &[1])]);
        assert_eq!(said(RaidReport::Of(RaidReads::Modify(1))), [band((0, 8), &[1], 0, &[1])]);
        assert_eq!(said(RaidReport::Of(RaidReads::Modify(2))), [band((0, 8), &[1], 1, &[1])]);
        let more = RowBand { elsewhere: 2, ..band((0, 8), &[0, 2, 3], 0, &[1]) };
        assert_eq!(of(Level::Raid5, &[(16, 24)], &[], RaidReport::Of(RaidReads::Reconstruct(5))), [more]);
    }
}
