//! Pages that the disks read and write for one update of a partial stripe.
//!
//! md works in rows of pages: the pages of 4 KiB at the same offset of each disk. A page that is
//! partially written is read first. In a row that is not completely written, md reads the smaller
//! number of pages:
//!
//! - read-modify-write: the old content of the written pages, and the parity;
//! - reconstruct-write: the data pages that are not completely written;
//!
//! both without the pages still in memory; if equal, reconstruct-write. Then the written pages and
//! the parity are written. If md's messages report the reads for a row ("raid5 rmw", "raid5 rcw"),
//! these count.

use super::geometry::Geometry;
use crate::union::SectorSet;
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// Pages of a stripe that are still in memory.
#[derive(Clone, Debug, Default)]
pub struct CachedStripe {
    /// Sectors of data, by sector of the stripe.
    pub data: SectorSet,
    /// Sectors of parity, by offset in the unit.
    pub parity: SectorSet,
}

/// Reads for a row, as reported by md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaidReads {
    /// Read-modify-write that reads so many pages.
    Modify(u64),
    /// Reconstruct-write that reads so many pages.
    Reconstruct(u64),
}

/// Source of the reads of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaidReport {
    /// The trace has no messages of md: estimate.
    Estimated,
    /// md writes messages, but none about this row: it needed no reads.
    NoReads,
    /// md reported the reads.
    Reads(RaidReads),
}

/// A range of rows with the same reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowBand {
    /// Offsets in the unit, from and to: multiples of the page.
    pub rows: (u64, u64),
    /// Data disks with pages to read.
    pub read: Vec<u64>,
    /// Further pages that are read per row, of unknown disks.
    pub elsewhere: u64,
    /// Parity pages that are read per row.
    pub read_parity: u64,
    /// Data disks that are written.
    pub written: Vec<u64>,
    /// Whether the rows are written completely.
    pub whole: bool,
}

/// Page size in sectors: 4 KiB, or one sector if the unit is not a multiple of it.
pub fn page(geometry: &Geometry) -> u64 {
    if geometry.unit().is_multiple_of(8) {
        8
    } else {
        1
    }
}

/// The row bands of an update; `written` are sectors of the stripe.
pub fn bands(
    geometry: &Geometry,
    written: &SectorSet,
    cached: &CachedStripe,
    report: RaidReport,
) -> Vec<RowBand> {
    let cuts: Vec<u64> = edges(geometry, written, cached).into_iter().collect();
    cuts.windows(2)
        .filter_map(|w| band(geometry, written, cached, report, (w[0], w[1])))
        .collect()
}

/// Offsets at which rows may start to differ.
fn edges(geometry: &Geometry, written: &SectorSet, cached: &CachedStripe) -> BTreeSet<u64> {
    let (unit, page) = (geometry.unit(), page(geometry));
    let mut edges = BTreeSet::from([0, unit]);
    for &(from, to) in written.parts() {
        for place in [from % unit, to % unit] {
            edges.extend([place / page * page, place.div_ceil(page) * page]);
        }
    }
    edges.extend(
        cached
            .data
            .parts()
            .iter()
            .flat_map(|i| [i.0 % unit, i.1 % unit]),
    );
    edges.extend(cached.parity.parts().iter().flat_map(|i| [i.0, i.1]));
    edges
}

fn band(
    geometry: &Geometry,
    written: &SectorSet,
    cached: &CachedStripe,
    report: RaidReport,
    rows: (u64, u64),
) -> Option<RowBand> {
    let (unit, disks, parity) = (geometry.unit(), geometry.disks(), geometry.level().parity());
    let rows_of = |disk: u64| (disk * unit + rows.0, disk * unit + rows.1);
    let mut touched = BTreeSet::new();
    for &(from, to) in written.parts() {
        let all = from / unit..=(to - 1) / unit;
        touched.extend(all.filter(|&disk| {
            let (low, high) = rows_of(disk);
            low < to && from < high
        }));
    }
    if touched.is_empty() {
        return None;
    }
    let whole = |disk: u64| written.covers(rows_of(disk).0, rows_of(disk).1);
    let in_memory = |disk: u64| cached.data.covers(rows_of(disk).0, rows_of(disk).1);
    let full = touched.iter().filter(|&&disk| whole(disk)).count() as u64;
    let mut band = RowBand {
        rows,
        whole: full == disks,
        written: touched.iter().copied().collect(),
        ..RowBand::default()
    };
    if band.whole || parity == 0 {
        return Some(band);
    }
    // Partially written pages are always read.
    band.read = touched
        .iter()
        .copied()
        .filter(|&disk| !whole(disk) && !in_memory(disk))
        .collect();
    let first: BTreeSet<u64> = set_of(band.read.iter().copied());
    let has = |disk: u64| in_memory(disk) || first.contains(&disk);
    let old_parity = if cached.parity.covers(rows.0, rows.1) {
        0
    } else {
        parity
    };
    let modify: Vec<u64> = touched.iter().copied().filter(|&disk| !has(disk)).collect();
    let rest = || (0..disks).filter(|disk| !(touched.contains(disk) && whole(*disk)));
    let reconstruct: Vec<u64> = rest().filter(|&disk| !has(disk)).collect();
    let (costs_modify, costs_rest) = (modify.len() as u64 + old_parity, reconstruct.len() as u64);
    match report {
        RaidReport::NoReads => {}
        RaidReport::Reads(RaidReads::Modify(n)) => {
            let n = n.min(disks + parity);
            band.read_parity = if n > modify.len() as u64 {
                parity.min(n - modify.len() as u64)
            } else {
                0
            };
            let again = touched
                .iter()
                .copied()
                .filter(|&disk| has(disk) && !first.contains(&disk));
            let take: Vec<u64> = modify
                .into_iter()
                .chain(again)
                .take((n - band.read_parity) as usize)
                .collect();
            band.elsewhere = n - band.read_parity - take.len() as u64;
            band.read.extend(take);
        }
        RaidReport::Reads(RaidReads::Reconstruct(n)) => {
            let n = n.min(disks + parity);
            let again = rest().filter(|&disk| has(disk) && !first.contains(&disk));
            let take: Vec<u64> = reconstruct
                .into_iter()
                .chain(again)
                .take(n as usize)
                .collect();
            band.elsewhere = n - take.len() as u64;
            band.read.extend(take);
        }
        RaidReport::Estimated if costs_modify < costs_rest => {
            band.read.extend(modify);
            band.read_parity = old_parity;
        }
        RaidReport::Estimated => band.read.extend(reconstruct),
    }
    Some(band)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::geometry::Level;

    /// Units of 16 sectors (two pages), four data disks.
    fn band_of(
        level: Level,
        written: &[(u64, u64)],
        cached: &[(u64, u64)],
        report: RaidReport,
    ) -> Vec<RowBand> {
        let geometry = Geometry::new(level, 16, 4, 0).unwrap();
        let (mut w, mut k) = (SectorSet::default(), CachedStripe::default());
        written.iter().for_each(|&(from, to)| w.insert(from, to));
        cached
            .iter()
            .for_each(|&(from, to)| k.data.insert(from, to));
        bands(&geometry, &w, &k, report)
    }

    fn band(rows: (u64, u64), read: &[u64], read_parity: u64, written: &[u64]) -> RowBand {
        RowBand {
            rows,
            read: read.to_vec(),
            read_parity,
            written: written.to_vec(),
            ..RowBand::default()
        }
    }

    #[test]
    fn the_smaller_number_of_pages_is_read() {
        let estimated = |level, written| band_of(level, written, &[], RaidReport::Estimated);
        // One page of four: the page and its parity. Three pages: the fourth.
        assert_eq!(
            estimated(Level::Raid5, &[(16, 24)]),
            [band((0, 8), &[1], 1, &[1])]
        );
        assert_eq!(
            estimated(Level::Raid5, &[(16, 64)]),
            [band((0, 16), &[0], 0, &[1, 2, 3])]
        );
        // Two parities: three pages for both methods, so reconstruct-write.
        assert_eq!(
            estimated(Level::Raid6, &[(24, 32)]),
            [band((8, 16), &[0, 2, 3], 0, &[1])]
        );
        // Rows that differ; a partially written page is read although its row is reconstructed.
        let expected = [
            band((0, 8), &[3], 0, &[0, 1, 2]),
            band((8, 16), &[2, 3], 0, &[0, 1, 2]),
        ];
        assert_eq!(estimated(Level::Raid5, &[(0, 47)]), expected);
        assert_eq!(
            estimated(Level::Raid0, &[(0, 8)]),
            [band((0, 8), &[], 0, &[0])]
        );
        let whole = RowBand {
            whole: true,
            ..band((0, 8), &[], 0, &[0, 1, 2, 3])
        };
        assert_eq!(
            estimated(Level::Raid5, &[(0, 8), (16, 24), (32, 40), (48, 56)]),
            [whole]
        );
    }

    #[test]
    fn pages_in_memory_are_not_read() {
        assert_eq!(
            band_of(
                Level::Raid5,
                &[(16, 32)],
                &[(0, 16), (32, 64)],
                RaidReport::Estimated
            ),
            [band((0, 16), &[], 0, &[1])]
        );
        let expected = [band((0, 8), &[], 0, &[1]), band((8, 16), &[1], 1, &[1])];
        assert_eq!(
            band_of(
                Level::Raid5,
                &[(16, 32)],
                &[(0, 8), (32, 40), (48, 56)],
                RaidReport::Estimated
            ),
            expected
        );
    }

    #[test]
    fn reported_reads_count() {
        let reported = |report| band_of(Level::Raid5, &[(16, 24)], &[], report);
        assert_eq!(reported(RaidReport::NoReads), [band((0, 8), &[], 0, &[1])]);
        assert_eq!(
            reported(RaidReport::Reads(RaidReads::Reconstruct(2))),
            [band((0, 8), &[0, 2], 0, &[1])]
        );
        assert_eq!(
            reported(RaidReport::Reads(RaidReads::Modify(1))),
            [band((0, 8), &[1], 0, &[1])]
        );
        assert_eq!(
            reported(RaidReport::Reads(RaidReads::Modify(2))),
            [band((0, 8), &[1], 1, &[1])]
        );
        let more = RowBand {
            elsewhere: 2,
            ..band((0, 8), &[0, 2, 3], 0, &[1])
        };
        assert_eq!(
            band_of(
                Level::Raid5,
                &[(16, 24)],
                &[],
                RaidReport::Reads(RaidReads::Reconstruct(5))
            ),
            [more]
        );
    }
}
