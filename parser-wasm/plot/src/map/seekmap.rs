//! The seek map: each request as a mark if there are few, else requests per pixel cell.

use super::band_rows::{BandRows, BandScale};
use super::class::{Layer, LayerName};
use super::drawn_rows::Drawing;
use super::seek_grid::{Grid, SeekGrid};
use crate::answer::{Answer, AnswerValue, BadQuery, IntoAnswer, answer_object};
use crate::query::{Band, Filter, MAX_POINTS, TimeRange, grid};
use crate::select::Selection;
use crate::view::{View, placed};
use seekscope_trace::store::RequestRow;
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

impl From<MarksKind> for AnswerValue {
    fn from(_: MarksKind) -> AnswerValue {
        "marks".into()
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
const MAX_TABLE_ROWS: usize = 2 * MAX_POINTS;

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
    let mut rows = MAX_TABLE_ROWS;
    let bands: Vec<BandRows> = scales
        .into_iter()
        .map(|scale| BandRows::new(scale, &mut rows))
        .collect();
    let mut grid = SeekGrid::new(w, h, layer.classes());
    let drawing = Drawing::new(
        &view.store.requests,
        &selection,
        &layer,
        grid.column_height(),
    );
    grid.fill(view, query.range, (&drawing, &bands));
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
