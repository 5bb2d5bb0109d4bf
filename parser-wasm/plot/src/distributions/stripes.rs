//! Alignment of requests to the stripes of an array.

use crate::answer::{BadQuery, Document, answer_object};
use crate::query::{Filter, GeometryQuery, TimeRange};
use crate::select::Selection;
use crate::view::View;
use seekscope_measure::Level;
use seekscope_measure::arrays::alignment::{AlignmentCounter, ClassCount};
use seekscope_measure::arrays::array::Arrays;
use seekscope_measure::coverage::{Coverage, StripeCounts};
use seekscope_trace::event::Op;
use seekscope_trace::protocol::{ByteCount, SectorNumber};
use serde::{Deserialize, Serialize};

/// Parameters of `alignment`.
#[derive(Clone, Debug, Deserialize)]
pub struct AlignmentQuery {
    pub filter: Filter,
    /// Requests that start in it.
    pub range: TimeRange,
    pub geometry: GeometryQuery,
}

/// Requests by the alignment of both ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AlignmentClasses {
    pub full: ClassCount,
    pub unit: ClassCount,
    pub inside: ClassCount,
    pub straddles: ClassCount,
}

/// The geometry of the query. A snapshot compares it with that of other queries, as JSON: whole
/// numbers are written as such.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AlignmentGeometry {
    pub level: Level,
    pub unit: SectorNumber,
    pub data_disks: u64,
    pub start: SectorNumber,
}

/// Estimated extra device I/O for partial stripes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StripeCost {
    pub reads: u64,
    pub writes: u64,
    pub extra_bytes: ByteCount,
    /// Whether md's own messages report the reads; if not, they are an estimate from the writes.
    pub told: bool,
}

answer_object! {
    /// Alignment of requests with data.
    #[doc(alias = "Alignment")]
    pub struct AlignmentAnswer {
        geometry: Document<AlignmentGeometry>,
        n: f64,
        classes: Document<AlignmentClasses>,
        /// Requests with an end that is no multiple of 4 KiB from the device's start.
        misaligned4k: f64,
        /// Where within the stripe requests begin: 64 equal bins of the stripe.
        start_reads as "startReads": Vec<f64>,
        start_writes as "startWrites": Vec<f64>,
        /// Stripes written completely and partially.
        stripes: Document<StripeCounts>,
        rmw: Document<StripeCost>,
    }
}

/// Bins over the stripe for `startReads` and `startWrites`.
const BINS: usize = 64;

/// Answers `alignment`. Only requests with data count.
pub fn alignment(view: View, query: &AlignmentQuery) -> Result<AlignmentAnswer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let geometry = query.geometry.geometry()?;
    let mut tally = AlignmentCounter::new(geometry);
    let arrays = Arrays::collect(view.store);
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
    let rmw = covered.rmw;
    let [full, unit, inside, straddles] = tally.classes;
    Ok(AlignmentAnswer {
        geometry: Document(AlignmentGeometry {
            level: geometry.level(),
            unit: geometry.unit(),
            data_disks: geometry.disks(),
            start: geometry.start(),
        }),
        n: tally.classes.iter().map(|c| c.requests).sum::<u64>() as f64,
        classes: Document(AlignmentClasses {
            full,
            unit,
            inside,
            straddles,
        }),
        misaligned4k: tally.misaligned_4k as f64,
        start_reads: reads,
        start_writes: writes,
        stripes: Document(covered.stripes),
        rmw: Document(StripeCost {
            reads: rmw.reads,
            writes: rmw.writes,
            extra_bytes: rmw.extra_bytes,
            told: rmw.told,
        }),
    })
}
