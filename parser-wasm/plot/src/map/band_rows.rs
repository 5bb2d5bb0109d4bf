//! From sectors to the pixel rows of a band of the LBA axis.
//!
//! [`BandScale`] defines the rows, with floats. A grid of millions of requests would spend most of
//! its time there, so [`BandTable`] answers for most of them, without floats: the row of a sector
//! never descends, so the axis is cut into cells of 2^k sectors that are short enough to hold at
//! most one step, and each cell stores its row and where the next one begins. Table and scale must
//! agree for every sector (the test compares them around all edges); that is why the table is built
//! by asking the scale, and why it is not used where floats cannot hold all sectors exactly.

use crate::query::{Band, EXACT};
use std::ops::Range;

/// Converts sectors to pixel rows within one band: the definition of the picture.
pub struct BandScale {
    lba0: f64,
    lba1: f64,
    per_sector: f64,
    /// Number of rows of the band.
    rows: i32,
    /// The lowest row of the band on the picture, counted from the top.
    bottom: i32,
}

impl BandScale {
    /// The scale of a band on a picture of `h` rows; absent if the band has no sectors or no rows.
    pub fn new(band: &Band, h: usize) -> Option<BandScale> {
        let (top, bottom) = (band.y0.round().max(0.0), band.y1.round().min(h as f64));
        (band.lba0 < band.lba1 && top < bottom).then(|| BandScale {
            lba0: band.lba0,
            lba1: band.lba1,
            per_sector: (bottom - top) / (band.lba1 - band.lba0),
            rows: (bottom - top) as i32,
            bottom: bottom as i32 - 1,
        })
    }

    /// The row of a first sector, counted from the bottom of the band.
    fn low(&self, first: f64) -> i32 {
        (((first - self.lba0) * self.per_sector) as i32).clamp(0, self.rows - 1)
    }

    /// The row of the last sector before `end`, counted from the bottom of the band. An end that is
    /// exactly at an edge belongs to the row below.
    fn high(&self, end: f64) -> i32 {
        let exact = (end - self.lba0) * self.per_sector;
        let whole = exact as i32;
        (whole - i32::from(exact <= f64::from(whole))).clamp(0, self.rows - 1)
    }

    /// Top and bottom row that a request touches. Signed conversions, because they are faster: a
    /// sector is below 2^63.
    pub fn rows(&self, sector: u64, sectors: u64) -> Option<(usize, usize)> {
        let first = sector as i64 as f64;
        let end = first + (sectors as i64).max(1) as f64;
        if first >= self.lba1 || end <= self.lba0 {
            return None;
        }
        let low = self.low(first);
        let high = self.high(end).max(low);
        Some(((self.bottom - high) as usize, (self.bottom - low) as usize))
    }
}

/// A [`BandScale`] with a table, where there is room for one.
pub struct BandRows {
    pub scale: BandScale,
    pub table: Option<BandTable>,
}

impl BandRows {
    /// Makes a table if the band has at most `rows` rows and floats have all its sectors exactly;
    /// `rows` is what is left for the tables of all bands.
    pub fn new(scale: BandScale, rows: &mut usize) -> BandRows {
        let rest = rows
            .checked_sub(scale.rows as usize)
            .filter(|_| scale.lba1 <= EXACT);
        *rows = rest.unwrap_or(*rows);
        BandRows {
            table: rest.map(|_| BandTable::new(&scale)),
            scale,
        }
    }
}

/// The rows of requests that begin in a band and touch one row, as most do. For the others it
/// says that it does not know.
pub struct BandTable {
    /// The first sector of which a part is in the band, and the first one behind the band.
    sectors: Range<u64>,
    shift: u32,
    /// At least one.
    cells: Vec<TableCell>,
}

/// A cell of 2^[`BandTable::shift`] sectors. Two rows of the picture, one below and one above.
#[derive(Clone, Copy)]
struct TableCell {
    /// The first sector of the upper row.
    next: u64,
    /// For each row the highest end with which a request that begins in it touches no other one.
    ends: [u64; 2],
    /// Counted from the top of the picture.
    rows: [u32; 2],
}

impl BandTable {
    fn new(scale: &BandScale) -> BandTable {
        let sectors = scale.lba0.max(0.0) as u64..scale.lba1.max(0.0).ceil() as u64;
        let count = sectors.end.saturating_sub(sectors.start);
        // Half a row at most, about; and halved until no cell has more than one step.
        let mut shift = ((1.0 / scale.per_sector).max(1.0) as u64)
            .ilog2()
            .saturating_sub(1);
        let cells = loop {
            let cells = (0..=count >> shift).map(|cell| {
                let first = sectors.start + (cell << shift);
                TableCell::find(scale, first, first + ((1 << shift) - 1))
            });
            match cells.collect() {
                Some(cells) => break cells,
                None => shift -= 1,
            }
        };
        BandTable {
            sectors,
            shift,
            cells,
        }
    }

    /// The row of the first sector, and whether it is the only one that the request touches; the
    /// row says nothing if not. `end`: the sector behind it. No branches: at random sectors they
    /// would be mispredicted.
    #[inline(always)]
    pub fn only_row(&self, first: u64, end: u64) -> (u32, bool) {
        // Beyond the number of sectors for what begins before the band, too.
        let offset = first.wrapping_sub(self.sectors.start);
        let index = ((offset >> self.shift) as usize).min(self.cells.len() - 1);
        let cell = &self.cells[index];
        let place = usize::from(first >= cell.next);
        let is_inside = offset < self.sectors.end.saturating_sub(self.sectors.start);
        (cell.rows[place], is_inside & (end <= cell.ends[place]))
    }

    /// Whether a part of a request is in the band.
    #[inline(always)]
    pub fn overlaps(&self, first: u64, end: u64) -> bool {
        (first < self.sectors.end) & (end > self.sectors.start)
    }
}

impl TableCell {
    /// The only step from sector `first` to `last`; absent if there are more. A single sector has
    /// one row, so cells cannot be halved forever.
    fn find(scale: &BandScale, first: u64, last: u64) -> Option<TableCell> {
        let low = |sector: u64| scale.low(sector as f64);
        let (before, after) = (low(first), low(last));
        let next = first_above(first..last, |sector| low(sector) > before);
        let end = |row: i32| {
            let limit = scale.lba1.max(0.0).ceil() as u64 + 1;
            match row + 1 < scale.rows {
                true => first_above(first..limit, |end| scale.high(end as f64) > row) - 1,
                // Whatever is above the band counts in its top row.
                false => u64::MAX,
            }
        };
        (before == after || low(next) == after).then(|| TableCell {
            next,
            ends: [before, after].map(end),
            rows: [before, after].map(|row| (scale.bottom - row) as u32),
        })
    }
}

/// The first sector for which a function is true that stays true from there on; the end of the
/// range if there is none.
fn first_above(Range { mut start, mut end }: Range<u64>, is_above: impl Fn(u64) -> bool) -> u64 {
    while start < end {
        let middle = start + (end - start) / 2;
        if is_above(middle) {
            end = middle
        } else {
            start = middle + 1
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_up_is_what_the_scale_says() {
        let mut random = 7u64;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let (mut alone, mut tall) = (0, 0);
        for case in 0..400 {
            let length = [3, 40, 1000, 1 << 20, 1 << 31, 1 << 45][case % 6];
            let lba0 = next(length) as f64 + [0.0, 0.25, -3.5 - length as f64][case % 3];
            let lba1 = lba0 + 0.1 + next(length) as f64 * 1.37;
            let rows = 1 + next(900);
            let scale = BandScale::new(
                &Band {
                    lba0,
                    lba1,
                    y0: 2.0,
                    y1: 2.0 + rows as f64,
                },
                4096,
            )
            .unwrap();
            let table = BandTable::new(&scale);
            let edge = |k: u64| (lba0 + (lba1 - lba0) * k as f64 / rows as f64).max(0.0) as u64;
            for k in 0..600 {
                // At random, and around the edges of rows.
                let first = if k % 2 == 0 {
                    next(length * 3)
                } else {
                    (edge(next(rows + 1)) + next(3)).saturating_sub(1)
                };
                let sectors = if k % 3 == 0 { next(20) } else { next(length) };
                let (wanted, end) = (scale.rows(first, sectors), first + sectors.max(1));
                assert_eq!(
                    table.overlaps(first, end),
                    wanted.is_some(),
                    "{lba0} {lba1}: {first}+{sectors}"
                );
                if let (row, true) = table.only_row(first, end) {
                    assert_eq!(
                        Some((row as usize, row as usize)),
                        wanted,
                        "{lba0} {lba1} {rows}: {first}+{sectors}"
                    );
                    alone += 1;
                } else if let Some((top, bottom)) = wanted {
                    let is_before = (first as f64) < lba0.floor();
                    assert!(
                        top < bottom || is_before,
                        "{lba0} {lba1}: {first}+{sectors}"
                    );
                    tall += 1;
                }
            }
            assert!(!table.only_row(u64::MAX, u64::MAX).1);
        }
        assert!(alone > 10_000 && tall > 10_000, "{alone} {tall}");
    }
}
