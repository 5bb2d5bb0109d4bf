//! Requests per pixel cell of the seek map.
//!
//! Rows of requests are in order of their start, so the grid is filled column by column, and only
//! one column has to be in cache. A tall request would touch many cells; instead it adds 1 at its
//! top row and subtracts 1 below its bottom row, in the column of its class, and
//! [`SeekGrid::flush`] sums up these differences once per column. A request that touches one row,
//! as most do, adds to one cell ([`ColumnCell`]). The cost is one pass over the requests plus one
//! over the cells, whatever the sizes of requests. Each request must count exactly once in `n` and
//! once per row that it touches, as a plain loop over all requests would do it.

use super::band_rows::{BandRows, BandScale, BandTable};
use super::class::MAX_CLASSES;
use super::drawn_rows::{Drawing, DrawnRow};
use crate::answer::{AnswerValue, answer_object};
use crate::query::TimeRange;
use crate::view::View;
use seekscope_trace::store::rows::CHUNK;
use serde::Serialize;

/// The word by which JavaScript recognizes an answer that is a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GridKind {
    #[default]
    Grid,
}

impl From<GridKind> for AnswerValue {
    fn from(_: GridKind) -> AnswerValue {
        "grid".into()
    }
}

answer_object! {
    /// Requests per pixel cell, column-major: cell (x, y) is at x * h + y, y from the top. A
    /// request stands in the column in which it starts, and counts once in each row that it
    /// touches: large requests are as tall as they are. Flushes have no place and no cell.
    pub struct Grid {
        kind: GridKind,
        w: usize,
        h: usize,
        /// Requests in the grid, each counted once.
        n: f64,
        counts: Vec<u32>,
        /// The most frequent class in the cell; the lowest of equally frequent ones.
        cls: Vec<u8>,
        /// Largest of `counts`.
        max: f64,
    }
}

/// A row of the column being filled, in one class.
#[derive(Clone, Copy, Default)]
struct ColumnCell {
    /// Requests that touch this row alone.
    only: i32,
    /// Requests that touch more rows: how many more of them touch this row than the one above.
    more: i32,
}

/// Counts per cell, filled column by column: requests are in time order, so only one column at a
/// time needs to be in cache. A request counts once in each row it touches, in the column in which
/// it starts.
pub struct SeekGrid {
    w: usize,
    h: usize,
    classes: usize,
    n: u64,
    counts: Vec<u32>,
    cls: Vec<u8>,
    max: u32,
    /// The current column: `h + 1` per class.
    column: Vec<ColumnCell>,
    /// Rows of the current column in use: first, one past the last.
    used: (usize, usize),
}

impl SeekGrid {
    pub fn new(w: usize, h: usize, classes: usize) -> SeekGrid {
        let column = vec![ColumnCell::default(); (h + 1) * classes];
        SeekGrid {
            w,
            h,
            classes,
            n: 0,
            counts: vec![0; w * h],
            cls: vec![0; w * h],
            max: 0,
            column,
            used: (h, 0),
        }
    }

    /// Entries per class in a column: one per row of the grid and one to end with.
    pub fn column_height(&self) -> usize {
        self.h + 1
    }

    /// Adds the requests that start in `range`.
    pub fn fill(
        &mut self,
        view: View,
        range: TimeRange,
        (drawing, bands): (&Drawing, &[BandRows]),
    ) {
        if self.w == 0 || self.h == 0 || range.length() <= 0.0 {
            return;
        }
        for (x, column) in view.columns(range, self.w).enumerate() {
            drawing.each(&view.store.requests, column, |rows| self.draw(rows, bands));
            self.flush(x);
        }
    }

    fn draw(&mut self, drawn: &[DrawnRow], bands: &[BandRows]) {
        let mut counted = [false; CHUNK];
        for BandRows { scale, table } in bands {
            if let Some(table) = table {
                self.add_all((scale, table), drawn, &mut counted);
            } else {
                let rows = drawn.iter().zip(&mut counted);
                rows.for_each(|(row, counted)| self.add_tall(scale, row, counted));
            }
        }
        self.n += counted.iter().filter(|is_counted| **is_counted).count() as u64;
    }

    /// Adds the requests of a band, and notes which these are. Each in the band adds 0 or 1 to a
    /// cell, without a branch; those of other bands are left out first, because a look-up in each
    /// band would cost more. The cells are not collected: consecutive requests often touch the same
    /// one, and a loop of additions alone would wait for each.
    #[inline(never)]
    fn add_all(
        &mut self,
        (scale, table): (&BandScale, &BandTable),
        drawn: &[DrawnRow],
        counted: &mut [bool; CHUNK],
    ) {
        let (mut from, mut to) = (self.h as u32, 0);
        for (row, counted) in drawn.iter().zip(counted) {
            let end = row.first.wrapping_add(row.sectors.into());
            if !table.overlaps(row.first, end) {
                continue;
            }
            let (y, is_alone) = table.only_row(row.first, end);
            self.column[(row.offset + y) as usize].only += i32::from(is_alone);
            from = if is_alone { from.min(y) } else { from };
            to = if is_alone { to.max(y + 1) } else { to };
            *counted |= is_alone;
            if !is_alone {
                self.add_tall(scale, row, counted);
            }
        }
        self.use_rows(from as usize, to as usize);
    }

    /// Adds a request as tall as it is.
    #[inline(never)]
    fn add_tall(&mut self, scale: &BandScale, row: &DrawnRow, counted: &mut bool) {
        if let Some((top, bottom)) = scale.rows(row.first, row.sectors.into()) {
            let offset = row.offset as usize;
            self.column[offset + top].more += 1;
            self.column[offset + bottom + 1].more -= 1;
            self.use_rows(top, bottom + 1);
            *counted = true;
        }
    }

    /// Notes that rows are in use; `end`: one past the last.
    fn use_rows(&mut self, top: usize, end: usize) {
        let (from, to) = self.used;
        self.used = (from.min(top), to.max(end));
    }

    /// Adds the differences of the current column to column `x` and clears them.
    fn flush(&mut self, x: usize) {
        let (top, end) = self.used;
        let mut running = [0i32; MAX_CLASSES];
        for y in top..end {
            let (mut sum, mut best, mut cls) = (0, 0, 0);
            for (class, running) in running.iter_mut().enumerate().take(self.classes) {
                let cell = self.column[class * (self.h + 1) + y];
                *running += cell.more;
                let count = *running + cell.only;
                sum += count;
                if count > best {
                    (best, cls) = (count, class as u8);
                }
            }
            if sum > 0 {
                let cell = x * self.h + y;
                self.counts[cell] += sum as u32;
                self.cls[cell] = cls;
                self.max = self.max.max(self.counts[cell]);
            }
        }
        if top < end {
            for class in 0..self.classes {
                self.column[class * (self.h + 1)..][top..=end].fill(ColumnCell::default());
            }
        }
        self.used = (self.h, 0);
    }

    pub fn answer(self) -> Grid {
        Grid {
            kind: GridKind::Grid,
            w: self.w,
            h: self.h,
            n: self.n as f64,
            counts: self.counts,
            cls: self.cls,
            max: f64::from(self.max),
        }
    }
}
