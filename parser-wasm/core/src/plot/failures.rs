//! Failed requests on the seek map: where and when they completed, at most one mark per cell, so
//! that one among a million is seen.

use super::answer::{Answer, AnswerValue, BadQuery};
use super::band_rows::BandScale;
use super::query::{Band, Filter, MOST, TimeRange, grid};
use super::select::Selection;
use super::view::View;
use crate::errno::error_words;
use crate::event::Flags;
use crate::measure::failed::{FailedSubmitters, is_failed};
use crate::sorting::map_of;
use crate::store::{EventKind, EventRow};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// Parameters of `failures`.
#[derive(Clone, Debug, Deserialize)]
pub struct FailuresQuery {
    pub filter: Filter,
    /// Of the completions.
    pub range: TimeRange,
    /// Bands of the LBA axis, in cells.
    pub bands: Vec<Band>,
    /// Columns and rows of cells.
    pub w: f64,
    pub h: f64,
}

/// Marks of an answer; failures beyond are counted only.
const MAX_MARKS: usize = 1 << 13;
/// The row of marks without a place: flushes and passthrough.
const NO_PLACE: usize = usize::MAX;

/// The first failure of a cell, and how many there are.
struct FailureMark {
    time: f64,
    sector: f64,
    sectors: f64,
    errno: u32,
    count: u32,
}

/// Answers `failures`.
pub fn failures(view: View, query: &FailuresQuery) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let (w, h) = grid(query.w, query.h);
    let scales: Vec<BandScale> = query
        .bands
        .iter()
        .take(MOST)
        .filter_map(|band| BandScale::new(band, h))
        .collect();
    let (mut marks, mut cells): (Vec<FailureMark>, FxHashMap<(usize, usize), usize>) =
        Default::default();
    let mut n = 0u64;
    each(view, &selection, query, |event| {
        let kind = event.kind();
        let placed = has_place(kind);
        let (time, sector) = (event.time() as f64, event.sector());
        let row = if placed {
            let rows = |scale: &BandScale| scale.rows(sector, u64::from(kind.bytes >> 9));
            match scales.iter().find_map(rows) {
                Some((top, _)) => top,
                None => return,
            }
        } else {
            NO_PLACE
        };
        n += 1;
        let share = (time - query.range.t0) / query.range.length();
        let column = ((share * w as f64) as usize).min(w.saturating_sub(1));
        if let Some(&at) = cells.get(&(column, row)) {
            marks[at].count = marks[at].count.saturating_add(1);
        } else if marks.len() < MAX_MARKS {
            cells.insert((column, row), marks.len());
            marks.push(FailureMark {
                time,
                sector: if placed { sector as f64 } else { f64::NAN },
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
    let f64s = |of: fn(&FailureMark) -> f64| marks.iter().map(of).collect::<Vec<f64>>();
    let u32s = |of: fn(&FailureMark) -> u32| marks.iter().map(of).collect::<Vec<u32>>();
    let errno = u32s(|mark| mark.errno);
    Ok(Answer::Object(vec![
        ("n", n.into()),
        ("errors", words_of(&errno)),
        ("at", f64s(|mark| mark.time).into()),
        ("sector", f64s(|mark| mark.sector).into()),
        ("sectors", f64s(|mark| mark.sectors).into()),
        ("errno", errno.into()),
        ("count", u32s(|mark| mark.count).into()),
    ]))
}

/// What errors mean, by their number.
pub fn words_of(errors: &[u32]) -> AnswerValue {
    let words: BTreeMap<String, String> = map_of(errors.iter().map(|&errno| {
        let known = u16::try_from(errno).unwrap_or(0);
        (errno.to_string(), error_words(known))
    }));
    AnswerValue::Json(json!(words))
}

fn has_place(kind: &EventKind) -> bool {
    kind.bytes >= 512 && !kind.flags.has(Flags::PC)
}

/// Visits the failed completions of a range whose requests the filter includes. One that ends no
/// request counts as long as nothing but its operation is filtered.
fn each(view: View, selection: &Selection, query: &FailuresQuery, mut visit: impl FnMut(EventRow)) {
    let store = view.store;
    if !store.events.each_kind().any(is_failed) || query.range.length() <= 0.0 {
        return;
    }
    let window = view.window(query.range);
    let submitters = FailedSubmitters::of(store, window);
    store.events.pieces(window.events(&store.events), |piece| {
        for event in piece.filter(|event| is_failed(event.kind())) {
            let kind = event.kind();
            if kind.device != query.filter.device {
                continue;
            }
            let shown = match submitters.row(store, event) {
                Some(row) => selection.takes(row),
                None => selection
                    .only_ops()
                    .is_some_and(|hidden| hidden & 1 << kind.flags.op(kind.bytes) as u8 == 0),
            };
            if shown {
                visit(event);
            }
        }
    });
}
