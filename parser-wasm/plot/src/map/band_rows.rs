//! From sectors to the pixel rows of a band of the LBA axis.
//!
//! [`BandScale`] defines the rows, with floats. A grid of millions of requests would spend most of
//! its time there, so [`BandTable`] answers the same from a table without floats: the row of a
//! sector never descends, so the axis is cut into cells of 2^k sectors that are short enough to
//! hold at most one step, and each cell stores its row and where the next one begins. Table and
//! scale must agree for every sector (the test compares them around all edges); that is why the
//! table is built by asking the scale, and why it is not used where floats cannot hold all sectors
//! exactly.

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

/// A table of the rows of first sectors, and one of the rows of ends.
pub struct BandTable {
    /// A request is in the band if its first sector is below `to` and its end at least `from`.
    from: u64,
    to: u64,
    bottom: u32,
    low: RowSteps,
    high: RowSteps,
    /// For each row the highest end with which a request that begins in it does not reach the next
    /// one: most requests are shorter than a row, and for them one comparison that is predicted
    /// saves the look-up in `high`. Too low an end costs that look-up and nothing else.
    ends: Vec<u64>,
}

impl BandTable {
    fn new(scale: &BandScale) -> BandTable {
        let from = if scale.lba0 < 0.0 {
            0
        } else {
            scale.lba0.floor() as u64 + 1
        };
        let (base, to) = (from.saturating_sub(1), scale.lba1.max(0.0).ceil() as u64);
        let height = 1.0 / scale.per_sector;
        let low = RowSteps::new(base..to, height, |sector| scale.low(sector as f64) as u32);
        let high = RowSteps::new(base..to.saturating_add(1), height, |end| {
            scale.high(end as f64) as u32
        });
        BandTable {
            from,
            to,
            bottom: scale.bottom as u32,
            ends: high.last_sectors(scale.rows as usize),
            low,
            high,
        }
    }

    /// As [`BandScale::rows`].
    #[inline(always)]
    pub fn rows(&self, first: u64, sectors: u64) -> Option<(usize, usize)> {
        let end = first.saturating_add(sectors.max(1));
        self.rows_until(first, end)
    }

    #[inline(always)]
    fn rows_until(&self, first: u64, end: u64) -> Option<(usize, usize)> {
        if first >= self.to || end < self.from {
            return None;
        }
        let low = self.low.get(first);
        let is_within = self.ends.get(low as usize).is_some_and(|&last| end <= last);
        let high = if is_within {
            low
        } else {
            self.high.get(end).max(low)
        };
        Some(((self.bottom - high) as usize, (self.bottom - low) as usize))
    }
}

/// A function of sectors that never descends, in cells of 2^`shift` sectors: within a cell it
/// ascends at most once. Beyond the last cell it stays at `last`.
struct RowSteps {
    base: u64,
    shift: u32,
    cells: Vec<RowStep>,
    last: u32,
}

#[derive(Clone, Copy)]
struct RowStep {
    /// The first sector that is not in the row `before`.
    next: u64,
    before: u32,
    /// Rows by which it ascends at `next`.
    rise: u32,
}

impl RowSteps {
    /// `height` is the number of sectors per row, about: cells begin with at most half of it
    /// and are halved until none has more than one step.
    fn new(sectors: Range<u64>, height: f64, row: impl Fn(u64) -> u32) -> RowSteps {
        let mut shift = (height.max(1.0) as u64).ilog2().saturating_sub(1);
        let cells = loop {
            let cells = (0..=(sectors.end.saturating_sub(sectors.start)) >> shift).map(|cell| {
                let first = sectors.start + (cell << shift);
                RowStep::find(first, first + ((1 << shift) - 1), &row)
            });
            match cells.collect::<Option<Vec<RowStep>>>() {
                Some(cells) => break cells,
                None => shift -= 1,
            }
        };
        RowSteps {
            base: sectors.start,
            shift,
            last: cells.last().map_or(0, |cell| cell.before + cell.rise),
            cells,
        }
    }

    /// For each of `n` rows the last sector that is in it or below; 0 below the first step.
    fn last_sectors(&self, n: usize) -> Vec<u64> {
        let mut last = vec![0; n];
        for step in self.cells.iter().filter(|step| step.rise > 0) {
            let rows = step.before as usize..(step.before + step.rise) as usize;
            last[rows].fill(step.next - 1);
        }
        // Whatever is above the band counts in its top row.
        last.iter_mut()
            .last()
            .into_iter()
            .for_each(|row| *row = u64::MAX);
        last
    }

    #[inline(always)]
    fn get(&self, sector: u64) -> u32 {
        match self
            .cells
            .get((sector.saturating_sub(self.base) >> self.shift) as usize)
        {
            // No branch: at random sectors it would be mispredicted.
            Some(step) => step.before + step.rise * u32::from(sector >= step.next),
            None => self.last,
        }
    }
}

impl RowStep {
    /// The only step from sector `first` to `last`, by binary search; absent if there are more. A
    /// single sector has one row, so cells cannot be halved forever.
    fn find(first: u64, last: u64, row: &impl Fn(u64) -> u32) -> Option<RowStep> {
        let (before, after) = (row(first), row(last));
        let (mut low, mut high) = (first, last);
        while low < high {
            let middle = low + (high - low) / 2;
            if row(middle) == before {
                low = middle + 1
            } else {
                high = middle
            }
        }
        (before == after || row(low) == after).then_some(RowStep {
            next: low,
            before,
            rise: after - before,
        })
    }
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
                let wanted = scale.rows(first, sectors);
                assert_eq!(
                    table.rows_until(first, first + sectors.max(1)),
                    wanted,
                    "{lba0} {lba1} {rows}: {first}+{sectors}"
                );
            }
            assert_eq!(table.rows_until(u64::MAX, u64::MAX), None);
        }
    }
}
