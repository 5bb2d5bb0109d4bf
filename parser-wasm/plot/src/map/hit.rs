//! The request nearest to a point of the seek map.

use crate::answer::{BadQuery, answer_object};
use crate::query::{Filter, TimeRange};
use crate::select::Selection;
use crate::view::{View, begin, end, placed};
use serde::Deserialize;

/// Parameters of `hit`.
#[derive(Clone, Debug, Deserialize)]
pub struct HitQuery {
    pub filter: Filter,
    /// Time of the point, ns.
    pub t: f64,
    /// Sector of the point.
    pub lba: f64,
    /// Tolerance in time, ns, at least 1.
    pub dt: f64,
    /// Tolerance in sectors, at least 1.
    pub dlba: f64,
}

answer_object! {
    /// A row of the request table; -1 where there is none.
    pub struct RowAnswer {
        row: f64,
    }
}

impl RowAnswer {
    pub fn new(row: Option<usize>) -> RowAnswer {
        RowAnswer {
            row: row.map_or(-1.0, |row| row as f64),
        }
    }
}

/// Distance, in tolerances, that is added to a match on the waiting line (Q to D), so that the mark
/// (D to C) of another request is preferred: it is easier to see.
const HELD_PENALTY: f64 = 0.5;

/// Distance of `x` from [from, to]; 0 inside.
fn outside(x: f64, from: f64, to: f64) -> f64 {
    (from - x).max(x - to).max(0.0)
}

/// Answers `hit`. Distances are measured in tolerances; of equally near requests the one issued
/// last wins, because it is drawn on top.
pub fn hit(view: View, query: &HitQuery) -> Result<RowAnswer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let (dt, dlba) = (query.dt.max(1.0), query.dlba.max(1.0));
    let mut nearest: Option<(f64, usize)> = None;
    view.each_alive(
        TimeRange {
            t0: query.t - dt,
            t1: query.t + dt,
        },
        |row| {
            if !placed(row) {
                return;
            }
            let (first, length) = (row.sector() as f64, row.sectors() as f64);
            let lba = outside(query.lba, first, first + length) / dlba;
            let start = row.start() as f64;
            let mark = outside(query.t, start, end(row) as f64) / dt;
            let held = outside(query.t, begin(row) as f64, start) / dt + HELD_PENALTY;
            if lba > 1.0 || mark > 1.0 && held > 1.0 + HELD_PENALTY || !selection.takes(row) {
                return;
            }
            let distance = lba.hypot(mark.min(held));
            if nearest.is_none_or(|(best, _)| distance <= best) {
                nearest = Some((distance, row.row));
            }
        },
    );
    Ok(RowAnswer::new(nearest.map(|(_, row)| row)))
}
