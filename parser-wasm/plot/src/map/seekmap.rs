//! The seek map: each request as a mark if there are few, else requests per pixel cell.
//!
//! # How a grid is filled
//!
//! Rows of requests are in order of their start, so the grid is filled column by column, and only
//! one column has to be in cache ([`SeekGrid`]). A tall request would touch many cells; instead it
//! adds 1 at its top row and subtracts 1 below its bottom row, in the column of its class, and
//! [`SeekGrid::flush`] sums up these differences once per column. The cost is one pass over the
//! requests plus one over the cells, whatever the sizes of requests.
//!
//! The inner loop runs for every request in view, so it avoids branches and decisions: hidden kinds
//! are left out before ([`Selection::chunks`]), where the column of a class begins is looked up per
//! kind ([`DrawnKind`]), rows of bands come from a table (`band_rows`), and a request that touches
//! one row, as most do, adds to one cell ([`ColumnCell`]). Each request must count exactly once in
//! `n` and once per row that it touches, as a plain loop over all requests would do it.

use super::band_rows::{BandRows, BandScale};
use super::class::{Layer, LayerName, MAX_CLASSES, NO_CLASS};
use crate::answer::{Answer, AnswerValue, BadQuery, IntoAnswer, answer_object};
use crate::query::{Band, Filter, MAX_POINTS, TimeRange, grid};
use crate::select::{Selection, TakenRows};
use crate::view::{View, placed};
use seekscope_trace::event::Op;
use seekscope_trace::store::rows::CHUNK;
use seekscope_trace::store::{RequestKind, RequestRow};
use serde::{Deserialize, Serialize};

/// Parameters of `seekMap`.
#[derive(Clone, Debug, Deserialize)]
pub struct SeekMapQuery {
    pub filter: Filter,
    pub range: TimeRange,
    /// Bands of the LBA axis.
    pub bands: Vec<Band>,
    /// Number of columns.
    pub w: f64,
    /// Number of rows.
    pub h: f64,
    pub layer: LayerName,
    /// Class of each process, for the layer `process`.
    pub slots: Option<Vec<f64>>,
    /// Maximum number of marks; more requests give a grid.
    pub marks: f64,
}

/// The word by which JavaScript recognizes an answer of marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarksKind {
    #[default]
    Marks,
}

/// The word by which JavaScript recognizes an answer that is a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GridKind {
    #[default]
    Grid,
}

impl From<MarksKind> for AnswerValue {
    fn from(_: MarksKind) -> AnswerValue {
        "marks".into()
    }
}

impl From<GridKind> for AnswerValue {
    fn from(_: GridKind) -> AnswerValue {
        "grid".into()
    }
}

answer_object! {
    /// One entry per request that is alive in the range (from its Q to its C), in time order. A
    /// request is drawn from `issued` to `completed`, its wait before that (from `queued` on) as a
    /// line.
    pub struct Marks {
        kind: MarksKind,
        n: usize,
        /// Row of the request table: the key for `life`.
        row: Vec<u32>,
        /// ns; NaN: the Q was not recorded.
        queued: Vec<f64>,
        /// D of a disk's request, Q of a stacked device's bio.
        issued: Vec<f64>,
        /// NaN: not completed within the trace.
        completed: Vec<f64>,
        /// NaN for a flush: it has no place.
        lba: Vec<f64>,
        sectors: Vec<f64>,
        /// Class in the queried layer.
        cls: Vec<u8>,
        /// Number of the operation.
        op: Vec<u8>,
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

/// The answer of `seekMap`.
pub enum SeekMapAnswer {
    Marks(Marks),
    Grid(Grid),
}

impl IntoAnswer for SeekMapAnswer {
    fn into_answer(self) -> Answer {
        match self {
            SeekMapAnswer::Marks(marks) => marks.into_answer(),
            SeekMapAnswer::Grid(grid) => grid.into_answer(),
        }
    }
}

/// Upper limit of `marks`.
const MAX_MARKS: usize = 1 << 16;

/// Maximum number of rows for which tables are made, over all bands. The bands of a map share its
/// rows, but a query may contain overlapping ones.
const TABLE_ROWS: usize = 2 * MAX_POINTS;

/// Answers `seekMap`. It collects requests until there are more than marks are allowed, and only
/// then fills a grid.
pub fn seek_map(view: View, query: &SeekMapQuery) -> Result<SeekMapAnswer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let layer = Layer::new(
        query.layer,
        query.slots.clone(),
        &selection,
        &view.store.object_groups,
    )?;
    let (w, h) = grid(query.w, query.h);
    let scales: Vec<BandScale> = query
        .bands
        .iter()
        .take(MAX_POINTS)
        .filter_map(|b| BandScale::new(b, h))
        .collect();
    let max_marks = if query.marks >= 0.0 {
        (query.marks as usize).min(MAX_MARKS)
    } else {
        0
    };
    let mut seen = Vec::new();
    for block in view.blocks() {
        view.each_taken_in(block, query.range, &selection, |row| {
            let is_drawn = || {
                scales
                    .iter()
                    .any(|scale| scale.rows(row.sector(), row.sectors()).is_some())
            };
            if seen.len() <= max_marks && (!placed(row) || is_drawn()) {
                seen.push(row);
            }
        });
        if seen.len() > max_marks {
            break;
        }
    }
    if seen.len() <= max_marks {
        return Ok(SeekMapAnswer::Marks(marks(&selection, &layer, &seen)));
    }
    let mut rows = TABLE_ROWS;
    let bands = scales
        .into_iter()
        .map(|scale| BandRows::new(scale, &mut rows))
        .collect();
    let mut grid = SeekGrid::new(w, h, layer.classes());
    let mut drawing = Drawing {
        selection: &selection,
        layer: &layer,
        height: h + 1,
        kinds: Vec::new(),
        is_by_row: false,
        bands,
    };
    if selection.has_kinds() {
        let kinds = view.store.requests.each_kind();
        drawing.kinds = kinds.map(|kind| drawing.drawn_kind(kind)).collect();
        drawing.is_by_row = drawing.kinds.iter().any(|kind| kind.offset == BY_ROW);
    }
    grid.fill(view, &drawing, query.range);
    Ok(SeekMapAnswer::Grid(grid.answer()))
}

/// Requests as marks.
pub fn marks(selection: &Selection, layer: &Layer, rows: &[RequestRow]) -> Marks {
    let time = |t: Option<u64>| t.map_or(f64::NAN, |t| t as f64);
    let f64s = |read: &dyn Fn(RequestRow) -> f64| rows.iter().map(|&row| read(row)).collect();
    let u8s = |read: &dyn Fn(RequestRow) -> u8| rows.iter().map(|&row| read(row)).collect();
    let lba = |row: RequestRow| {
        if placed(row) {
            row.sector() as f64
        } else {
            f64::NAN
        }
    };
    Marks {
        kind: MarksKind::Marks,
        n: rows.len(),
        row: rows.iter().map(|&row| row.row as u32).collect(),
        queued: f64s(&|row| time(row.queued())),
        issued: f64s(&|row| row.start() as f64),
        completed: f64s(&|row| time(row.completed())),
        lba: f64s(&lba),
        sectors: f64s(&|row| row.sectors() as f64),
        cls: u8s(&|row| layer.class(selection, row)),
        op: u8s(&|row| row.op() as u8),
    }
}

/// What all requests of a kind have in common on the map.
#[derive(Clone, Copy)]
struct DrawnKind {
    /// Where the column of their class begins, or [`HIDDEN`] or [`BY_ROW`].
    offset: u32,
    sectors: u32,
}

/// The kind has no place.
const HIDDEN: u32 = u32::MAX;
/// Requests of the kind have different classes.
const BY_ROW: u32 = u32::MAX - 1;

/// How requests are drawn.
struct Drawing<'a> {
    selection: &'a Selection,
    layer: &'a Layer,
    /// Entries per class in [`SeekGrid::column`]: one per row of the grid and one to end with.
    height: usize,
    /// For each kind of request; empty where there are too many kinds.
    kinds: Vec<DrawnKind>,
    /// Whether requests of a kind have different classes.
    is_by_row: bool,
    bands: Vec<BandRows>,
}

impl Drawing<'_> {
    fn drawn_kind(&self, kind: &RequestKind) -> DrawnKind {
        let offset = || {
            self.layer
                .class_of_kind(kind)
                .map_or(BY_ROW, |class| self.column(class))
        };
        DrawnKind {
            offset: if kind.op() == Op::Flush {
                HIDDEN
            } else {
                offset()
            },
            sectors: kind.bytes >> 9,
        }
    }

    /// Where the column of a class begins; requests without a class count in the first.
    fn column(&self, class: u8) -> u32 {
        if class == NO_CLASS {
            0
        } else {
            (usize::from(class) * self.height) as u32
        }
    }

    /// Stores the rows that have a place, and returns their number. Each row is stored, but the
    /// index advances only for a drawn one, which saves a branch that would be mispredicted.
    #[inline(never)]
    fn rows(&self, rows: TakenRows, drawn: &mut [DrawnRow; CHUNK]) -> usize {
        let mut n = 0;
        for row in rows {
            let kind = self.kinds.get(row.kind_number() as usize).copied();
            let mut kind = kind.unwrap_or_else(|| self.drawn_kind(row.kind()));
            if kind.offset == BY_ROW {
                kind.offset = self.column(self.layer.class(self.selection, row));
            }
            drawn[n % CHUNK] = DrawnRow::new(row.sector(), kind);
            n += usize::from(kind.offset != HIDDEN);
        }
        n
    }

    /// The same where all rows are near and their kinds decide: without a call, so that all values
    /// of the loop stay in registers.
    #[inline(never)]
    fn near_rows(&self, rows: TakenRows, drawn: &mut [DrawnRow; CHUNK]) -> usize {
        let (kinds, mut n) = (&self.kinds[..], 0);
        for &index in rows.indices {
            let (kind, sector) = rows.chunk.near_place(index);
            let kind = kinds[kind as usize];
            drawn[n % CHUNK] = DrawnRow::new(sector, kind);
            n += usize::from(kind.offset != HIDDEN);
        }
        n
    }
}

/// A request on the map.
#[derive(Clone, Copy, Default)]
struct DrawnRow {
    first: u64,
    sectors: u32,
    /// Where the column of its class begins.
    offset: u32,
}

impl DrawnRow {
    #[inline(always)]
    fn new(first: u64, kind: DrawnKind) -> DrawnRow {
        DrawnRow {
            first,
            sectors: kind.sectors,
            offset: kind.offset,
        }
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
struct SeekGrid {
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
    fn new(w: usize, h: usize, classes: usize) -> SeekGrid {
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

    fn fill(&mut self, view: View, drawing: &Drawing, range: TimeRange) {
        if self.w == 0 || self.h == 0 || range.length() <= 0.0 {
            return;
        }
        for (x, column) in view.columns(range, self.w).enumerate() {
            drawing
                .selection
                .chunks(&view.store.requests, column, |rows| {
                    self.draw(drawing, rows)
                });
            self.flush(x);
        }
    }

    /// Short loops over some rows at once, because one long loop runs out of registers.
    fn draw(&mut self, drawing: &Drawing, rows: TakenRows) {
        let mut drawn = [DrawnRow::default(); CHUNK];
        let n = if rows.is_near && !drawing.is_by_row {
            drawing.near_rows(rows, &mut drawn)
        } else {
            drawing.rows(rows, &mut drawn)
        };
        let mut counted = [false; CHUNK];
        for BandRows { scale, table } in &drawing.bands {
            let (drawn, counted) = (&drawn[..n], &mut counted);
            match table {
                Some(table) => self.add(drawn, counted, |row| {
                    table.rows(row.first, row.sectors.into())
                }),
                None => self.add(drawn, counted, |row| {
                    scale.rows(row.first, row.sectors.into())
                }),
            }
        }
    }

    /// Adds the requests of a band. `counted` are those that touch a band before it.
    #[inline(never)]
    fn add(
        &mut self,
        drawn: &[DrawnRow],
        counted: &mut [bool; CHUNK],
        rows_of: impl Fn(&DrawnRow) -> Option<(usize, usize)>,
    ) {
        let column = &mut self.column[..];
        let ((mut from, mut to), mut n) = (self.used, 0);
        for (row, counted) in drawn.iter().zip(counted) {
            let Some((top, bottom)) = rows_of(row) else {
                continue;
            };
            let offset = row.offset as usize;
            if top == bottom {
                column[offset + top].only += 1;
            } else {
                column[offset + top].more += 1;
                column[offset + bottom + 1].more -= 1;
            }
            (from, to) = (from.min(top), to.max(bottom + 1));
            n += u64::from(!*counted);
            *counted = true;
        }
        self.used = (from, to);
        self.n += n;
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

    fn answer(self) -> Grid {
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
