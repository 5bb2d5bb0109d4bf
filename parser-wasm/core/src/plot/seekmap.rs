//! The seek map: each request as a mark if there are few, else requests per pixel cell.

use super::answer::{Answer, AnswerValue, BadQuery};
use super::class::{Layer, MOST_CLASSES, NO_CLASS};
use super::kinds::{FilterKind, FilterKinds};
use super::query::{Band, Filter, MOST, TimeRange, cells};
use super::select::Selection;
use super::view::{View, placed};
use crate::store::{Requests, rows};
use serde::Deserialize;

/// Parameters of `seekMap`.
#[derive(Clone, Debug, Deserialize)]
pub struct SeekMapQuery {
    pub filter: Filter,
    pub range: TimeRange,
    /// Bands of the LBA axis.
    pub bands: Vec<Band>,
    /// Columns.
    pub w: f64,
    /// Rows.
    pub h: f64,
    /// Name of a [`Layer`].
    pub layer: String,
    /// Class of each process, for the layer `process`.
    pub slots: Option<Vec<f64>>,
    /// Maximum number of marks; more requests give a grid.
    pub marks: f64,
}

/// Upper limit of `marks`.
const MOST_MARKS: usize = 1 << 16;

/// Answers `seekMap`.
pub fn seek_map(view: View, query: &SeekMapQuery) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let layer = Layer::new(&query.layer, query.slots.clone(), &selection)?;
    let (w, h) = (cells(query.w), cells(query.h));
    let rulers: Vec<BandScale> = query.bands.iter().take(MOST).filter_map(|b| BandScale::new(b, h)).collect();
    let most = if query.marks >= 0.0 { (query.marks as usize).min(MOST_MARKS) } else { 0 };
    let seen: Vec<usize> = view
        .alive(query.range)
        .filter(|&row| {
            selection.takes(row)
                && (!placed(&view.store.requests, row) || rulers.iter().any(|r| r.rows(&view.store.requests, row).is_some()))
        })
        .take(most + 1)
        .collect();
    if seen.len() <= most {
        return Ok(marks(view, &selection, &layer, &seen));
    }
    let mut grid = SeekGrid::new(w, h, layer.classes());
    grid.fill(view, &selection, &layer, &rulers, query.range);
    Ok(grid.answer())
}

fn marks(view: View, selection: &Selection, layer: &Layer, rows: &[usize]) -> Answer {
    let r = &view.store.requests;
    let time = |t: Option<u64>| t.map_or(f64::NAN, |t| t as f64);
    let f64s = |of: &dyn Fn(usize) -> f64| AnswerValue::F64(rows.iter().map(|&row| of(row)).collect());
    let u8s = |of: &dyn Fn(usize) -> u8| AnswerValue::U8(rows.iter().map(|&row| of(row)).collect());
    Answer::Object(vec![
        ("kind", "marks".into()),
        ("n", rows.len().into()),
        ("row", AnswerValue::U32(rows.iter().map(|&row| row as u32).collect())),
        ("queued", f64s(&|row| time(r.queued(row)))),
        ("issued", f64s(&|row| r.start(row) as f64)),
        ("completed", f64s(&|row| time(r.completed(row)))),
        ("lba", f64s(&|row| if placed(r, row) { r.sector(row) as f64 } else { f64::NAN })),
        ("sectors", f64s(&|row| r.sectors(row) as f64)),
        ("cls", u8s(&|row| layer.class(selection, r, row))),
        ("op", u8s(&|row| r.op(row) as u8)),
    ])
}

/// Converts sectors to pixel rows within one band.
struct BandScale {
    lba0: f64,
    lba1: f64,
    per_sector: f64,
    /// Number of rows of the band.
    rows: i32,
    /// Its lowest row.
    bottom: i32,
}

impl BandScale {
    fn new(band: &Band, h: usize) -> Option<BandScale> {
        let (top, bottom) = (band.y0.round().max(0.0), band.y1.round().min(h as f64));
        (band.lba0 < band.lba1 && top < bottom).then(|| BandScale {
            lba0: band.lba0,
            lba1: band.lba1,
            per_sector: (bottom - top) / (band.lba1 - band.lba0),
            rows: (bottom - top) as i32,
            bottom: bottom as i32 - 1,
        })
    }

    /// Top and bottom row that a request touches. Signed conversions, because they are faster: a sector is below 2^63.
    #[inline]
    fn rows(&self, requests: &Requests, row: usize) -> Option<(usize, usize)> {
        let first = requests.sector(row) as i64 as f64;
        let end = first + (requests.sectors(row) as i64).max(1) as f64;
        if first >= self.lba1 || end <= self.lba0 {
            return None;
        }
        let low = (((first - self.lba0) * self.per_sector) as i32).clamp(0, self.rows - 1);
        let exact = (end - self.lba0) * self.per_sector;
        let whole = exact as i32;
        let high = (whole - i32::from(exact <= f64::from(whole))).clamp(low, self.rows - 1);
        Some(((self.bottom - high) as usize, (self.bottom - low) as usize))
    }
}

/// The class of each kind of requests; absent for kinds that are hidden or have no place. Absent altogether where rows of one kind differ.
fn classes_of_kinds<'a>(selection: &Selection<'a>, layer: &Layer) -> Option<(&'a FilterKinds, Vec<Option<u8>>)> {
    let (kinds, taken) = selection.kinds()?;
    let class =
        |(kind, &taken): (&FilterKind, &bool)| layer.class_of_kind(kind).map(|class| (taken && kind.placed).then_some(class));
    Some((kinds, kinds.list().iter().zip(taken).map(class).collect::<Option<_>>()?))
}

/// Counts per cell, filled column by column: requests are in time order, so only one column at a time needs to be in cache.
/// A request counts once in each row it touches, in the column in which it starts.
struct SeekGrid {
    w: usize,
    h: usize,
    classes: usize,
    n: u64,
    counts: Vec<u32>,
    cls: Vec<u8>,
    max: u32,
    /// Differences down the current column: `h + 1` per class.
    column: Vec<i32>,
    /// Rows of the current column in use: first, one past the last.
    used: (usize, usize),
}

impl SeekGrid {
    fn new(w: usize, h: usize, classes: usize) -> SeekGrid {
        let column = vec![0; (h + 1) * classes];
        SeekGrid { w, h, classes, n: 0, counts: vec![0; w * h], cls: vec![0; w * h], max: 0, column, used: (h, 0) }
    }

    fn fill(&mut self, view: View, selection: &Selection, layer: &Layer, rulers: &[BandScale], range: TimeRange) {
        if self.w == 0 || self.h == 0 || range.length() <= 0.0 {
            return;
        }
        let requests = &view.store.requests;
        let of_kinds = classes_of_kinds(selection, layer);
        for (x, column) in view.columns(range, self.w).enumerate() {
            match &of_kinds {
                Some((kinds, classes)) => {
                    rows::each(column, |row| {
                        if let Some(class) = classes[kinds.number(row)] {
                            self.add(requests, rulers, row, class);
                        }
                    });
                }
                None => rows::each(column, |row| {
                    if selection.takes(row) && placed(requests, row) {
                        self.add(requests, rulers, row, layer.class(selection, requests, row));
                    }
                }),
            }
            self.flush(x);
        }
    }

    #[inline]
    fn add(&mut self, requests: &Requests, rulers: &[BandScale], row: usize, class: u8) {
        let from = if class == NO_CLASS { 0 } else { usize::from(class) * (self.h + 1) };
        let mut touched = false;
        for (top, bottom) in rulers.iter().filter_map(|ruler| ruler.rows(requests, row)) {
            self.column[from + top] += 1;
            self.column[from + bottom + 1] -= 1;
            self.used = (self.used.0.min(top), self.used.1.max(bottom + 1));
            touched = true;
        }
        self.n += u64::from(touched);
    }

    /// Adds the differences of the current column to column `x` and clears them.
    fn flush(&mut self, x: usize) {
        let (top, end) = self.used;
        let mut running = [0i32; MOST_CLASSES];
        for y in top..end {
            let (mut sum, mut best, mut cls) = (0, 0, 0);
            for (class, running) in running.iter_mut().enumerate().take(self.classes) {
                *running += self.column[class * (self.h + 1) + y];
                sum += *running;
                if *running > best {
                    (best, cls) = (*running, class as u8);
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
                self.column[class * (self.h + 1)..][top..=end].fill(0);
            }
        }
        self.used = (self.h, 0);
    }

    fn answer(self) -> Answer {
        Answer::Object(vec![
            ("kind", "grid".into()),
            ("w", self.w.into()),
            ("h", self.h.into()),
            ("n", self.n.into()),
            ("counts", self.counts.into()),
            ("cls", self.cls.into()),
            ("max", self.max.into()),
        ])
    }
}
