//! Alignment of requests to the stripes of an array.

use super::answer::{Answer, AnswerValue, BadQuery};
use super::query::{Filter, GeometryQuery, TimeRange};
use super::select::{ALIGNMENT, Selection};
use super::view::View;
use crate::event::Op;
use crate::measure::alignment::AlignmentCounter;
use crate::measure::array::Arrays;
use crate::measure::coverage::Coverage;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

/// Parameters of `alignment`.
#[derive(Clone, Debug, Deserialize)]
pub struct AlignmentQuery {
    pub filter: Filter,
    /// Requests that start in it.
    pub range: TimeRange,
    pub geometry: GeometryQuery,
}

/// Bins over the stripe for `startReads` and `startWrites`.
const BINS: usize = 64;

/// Answers `alignment`. Only requests with data count.
pub fn alignment(view: View, query: &AlignmentQuery) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let geometry = query.geometry.geometry()?;
    let mut tally = AlignmentCounter::new(geometry);
    let arrays = Arrays::of(view.store);
    let mut coverage = Coverage::new(geometry, view.store, &arrays, query.filter.device);
    let (mut reads, mut writes) = (vec![0.0; BINS], vec![0.0; BINS]);
    let r = &view.store.requests;
    r.each(view.starting(query.range), |row| {
        if row.sectors() == 0 || !selection.takes(row) {
            return;
        }
        let (sector, sectors, op) = (row.sector(), row.sectors(), row.op());
        tally.add(sector, sectors);
        let bin = (u128::from(geometry.place(sector).1) * BINS as u128
            / u128::from(geometry.stripe())) as usize;
        match op {
            Op::Read => reads[bin.min(BINS - 1)] += 1.0,
            Op::Write => writes[bin.min(BINS - 1)] += 1.0,
            Op::Discard | Op::Flush => {}
        }
        coverage.add(view.store, row.row);
    });
    let covered = coverage.finish();
    let (stripes, rmw) = (covered.stripes, covered.rmw);
    let classes: Map<String, Json> = ALIGNMENT
        .iter()
        .zip(tally.classes)
        .map(|(name, c)| {
            (
                (*name).to_owned(),
                json!({ "requests": c.requests, "bytes": c.bytes }),
            )
        })
        .collect();
    Ok(Answer::Object(vec![
        (
            "geometry",
            AnswerValue::Json(json!({
                "level": geometry.level().name(),
                "unit": geometry.unit(),
                "dataDisks": geometry.disks(),
                "start": geometry.start(),
            })),
        ),
        (
            "n",
            tally.classes.iter().map(|c| c.requests).sum::<u64>().into(),
        ),
        ("classes", AnswerValue::Json(classes.into())),
        ("misaligned4k", tally.misaligned_4k.into()),
        ("startReads", reads.into()),
        ("startWrites", writes.into()),
        (
            "stripes",
            AnswerValue::Json(json!({ "full": stripes.full, "partial": stripes.partial })),
        ),
        (
            "rmw",
            AnswerValue::Json(
                json!({ "reads": rmw.reads, "writes": rmw.writes, "extraBytes": rmw.extra_bytes, "told": rmw.told }),
            ),
        ),
    ]))
}
