//! Failed requests on the seek map, where and when they completed, and in the chart of latency, at
//! their issue and latency: at most one mark per cell, so that one among a million is seen.

use super::band_rows::BandScale;
use crate::answer::{BadQuery, Document, answer_object};
use crate::distributions::latency::{LatencyAxis, LogScale};
use crate::query::{Band, Filter, MAX_POINTS, TimeRange, grid};
use crate::select::Selection;
use crate::view::View;
use rustc_hash::FxHashMap;
use seekscope_measure::failed::{FailedSubmitters, is_failed};
use seekscope_measure::latency::stage;
use seekscope_trace::errno::error_words;
use seekscope_trace::event::Flags;
use seekscope_trace::sorting::map_of;
use seekscope_trace::store::{EventKind, EventRow, RequestRow, Stage};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Parameters of `failures`.
#[derive(Clone, Debug, Deserialize)]
pub struct FailuresQuery {
    pub filter: Filter,
    /// Failures that complete in it; with `latency` those that start in it, as in `latencyGrid`.
    pub range: TimeRange,
    /// Bands of the LBA axis, in cells.
    #[serde(default)]
    pub bands: Vec<Band>,
    /// Columns and rows of cells.
    pub w: f64,
    pub h: f64,
    /// Places marks in the chart of latency instead of on the LBA axis.
    #[serde(default)]
    pub latency: Option<LatencyAxis>,
}

answer_object! {
    /// Failed requests, in time order: at most one mark per cell, for the first failure in it.
    pub struct FailureMarks {
        /// Number of failures in the range, with those that share a mark or have none.
        n: f64,
        /// Words by errno: `EIO (I/O error)`.
        errors: Document<BTreeMap<String, String>>,
        /// C with the error; with an axis of latency the start of its request, if it has one.
        at: Vec<f64>,
        /// Latency in the queried stage, ns. NaN: the request lacks it, or none was queried.
        took: Vec<f64>,
        /// First sector; NaN for a flush or a command without a place.
        sector: Vec<f64>,
        sectors: Vec<f64>,
        errno: Vec<u32>,
        /// Failures in the cell.
        count: Vec<u32>,
    }
}

/// Maximum number of marks in an answer; further failures are only counted.
const MAX_MARKS: usize = 1 << 13;
/// The row of marks without a place on the axis: flushes and passthrough on that of sectors, what
/// lacks the stage on that of latency.
const NO_PLACE: usize = usize::MAX;

/// The first failure of a cell, and how many there are.
struct FailureMark {
    time: f64,
    /// Latency in the queried stage, ns; `NaN` if the request lacks it or none was queried.
    took: f64,
    sector: f64,
    sectors: f64,
    errno: u32,
    count: u32,
}

/// The vertical axis of the marks.
enum MarkAxis {
    Sectors(Vec<BandScale>),
    Latency(Stage, LogScale),
}

/// Where a failure is drawn: its time, row of cells, and latency.
type MarkPlace = (f64, usize, f64);

impl MarkAxis {
    fn new(query: &FailuresQuery, h: usize) -> Result<MarkAxis, BadQuery> {
        if let Some(axis) = &query.latency {
            return Ok(MarkAxis::Latency(axis.stage.stage(), axis.scale(h)?));
        }
        let bands = query.bands.iter().take(MAX_POINTS);
        let scales = bands.filter_map(|band| BandScale::new(band, h)).collect();
        Ok(MarkAxis::Sectors(scales))
    }

    /// Where a failure is drawn; `None` where the axis does not have its sectors. The request is
    /// that of the completion, if it was recorded.
    fn place(&self, event: EventRow, request: Option<RequestRow>, h: usize) -> Option<MarkPlace> {
        let (kind, time) = (event.kind(), event.time() as f64);
        match self {
            MarkAxis::Sectors(_) if !has_place(kind) => Some((time, NO_PLACE, f64::NAN)),
            MarkAxis::Sectors(scales) => {
                let sectors = u64::from(kind.bytes >> 9);
                let rows = |scale: &BandScale| scale.rows(event.sector(), sectors);
                let (top, _) = scales.iter().find_map(rows)?;
                Some((time, top, f64::NAN))
            }
            MarkAxis::Latency(name, scale) => {
                let start = request.map_or(time, |row| row.start() as f64);
                let took = request.and_then(|row| stage(row, *name));
                let row = took.map_or(NO_PLACE, |ns| h.saturating_sub(1) - scale.step(ns));
                Some((start, row, took.map_or(f64::NAN, |ns| ns as f64)))
            }
        }
    }
}

/// Answers `failures`.
pub fn failures(view: View, query: &FailuresQuery) -> Result<FailureMarks, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let (w, h) = grid(query.w, query.h);
    let axis = MarkAxis::new(query, h)?;
    let (mut marks, mut cells): (Vec<FailureMark>, FxHashMap<(usize, usize), usize>) =
        Default::default();
    let mut n = 0u64;
    each(view, &selection, query, |event, request| {
        let kind = event.kind();
        let Some((time, row, took)) = axis.place(event, request, h) else {
            return;
        };
        if !view.holds(query.range, time as u64) {
            return;
        }
        n += 1;
        let share = (time - query.range.t0) / query.range.length();
        let column = ((share * w as f64) as usize).min(w.saturating_sub(1));
        let placed = has_place(kind);
        if let Some(&index) = cells.get(&(column, row)) {
            marks[index].count = marks[index].count.saturating_add(1);
        } else if marks.len() < MAX_MARKS {
            cells.insert((column, row), marks.len());
            marks.push(FailureMark {
                time,
                took,
                sector: if placed {
                    event.sector() as f64
                } else {
                    f64::NAN
                },
                sectors: if placed {
                    f64::from(kind.bytes >> 9)
                } else {
                    0.0
                },
                errno: kind.error.unsigned_abs().into(),
                count: 1,
            });
        }
    });
    let f64s = |read: fn(&FailureMark) -> f64| marks.iter().map(read).collect::<Vec<f64>>();
    let u32s = |read: fn(&FailureMark) -> u32| marks.iter().map(read).collect::<Vec<u32>>();
    let errno = u32s(|mark| mark.errno);
    Ok(FailureMarks {
        n: n as f64,
        errors: words_of(&errno),
        at: f64s(|mark| mark.time),
        took: f64s(|mark| mark.took),
        sector: f64s(|mark| mark.sector),
        sectors: f64s(|mark| mark.sectors),
        errno,
        count: u32s(|mark| mark.count),
    })
}

/// The meaning of each errno in `errors`, by its number as text.
pub fn words_of(errors: &[u32]) -> Document<BTreeMap<String, String>> {
    Document(map_of(errors.iter().map(|&errno| {
        let number = u16::try_from(errno).unwrap_or(0);
        (errno.to_string(), error_words(number))
    })))
}

fn has_place(kind: &EventKind) -> bool {
    kind.bytes >= 512 && !kind.flags.has(Flags::PC)
}

/// Visits the failed completions of a range whose requests the filter includes, with the request.
/// A completion without a request, as that of a refused bio, counts as long as the filter restricts
/// nothing but operations.
fn each<'a>(
    view: View<'a>,
    selection: &Selection,
    query: &FailuresQuery,
    mut visit: impl FnMut(EventRow<'a>, Option<RequestRow<'a>>),
) {
    let store = view.store;
    if !store.events.each_kind().any(is_failed) || query.range.length() <= 0.0 {
        return;
    }
    let mut window = view.window(query.range);
    if query.latency.is_some() {
        // What starts in the range may complete after it; `failures` sorts out what starts
        // elsewhere.
        window.to = u64::MAX;
    }
    let submitters = FailedSubmitters::new(store, window);
    store.events.pieces(window.events(&store.events), |piece| {
        for event in piece.filter(|event| is_failed(event.kind())) {
            let kind = event.kind();
            if kind.device != query.filter.device {
                continue;
            }
            let request = submitters.row(store, event);
            let shown = match request {
                Some(row) => selection.takes(row),
                None => selection
                    .only_ops()
                    .is_some_and(|hidden| hidden & 1 << kind.flags.op(kind.bytes) as u8 == 0),
            };
            if shown {
                visit(event, request);
            }
        }
    });
}
