//! What happened to the zones of a zoned disk: actions, appends, and writes off the write pointer.

use crate::answer::{BadQuery, answer_object};
use crate::query::TimeRange;
use crate::view::View;
use seekscope_measure::zones::{ZoneKind, ZoneStep, each, issued_at, of_disk, unnamed};
use seekscope_trace::event::{Action, Flags};
use seekscope_trace::sorting::SortShort;
use serde::Deserialize;
use std::ops::ControlFlow;

/// Parameters of `zones`.
#[derive(Clone, Debug, Deserialize)]
pub struct ZonesQuery {
    pub device: u32,
    pub range: TimeRange,
    /// Maximum number of marks.
    pub most: f64,
}

answer_object! {
    /// What happened to the zones of a zoned disk, in time order.
    pub struct ZoneMarks {
        n: usize,
        /// Number of a [`ZoneKind`].
        kind: Vec<u8>,
        /// D, or C of a write that was refused before it was issued.
        at: Vec<f64>,
        sector: Vec<f64>,
        sectors: Vec<f64>,
        /// Write pointer of the zone before the action; NaN: unknown.
        pointer: Vec<f64>,
        /// 1 if the action failed.
        failed: Vec<u8>,
        /// Number of actions of each kind in the range, with those without a mark.
        counts: Vec<f64>,
        /// False: some actions have no mark.
        exact: bool,
    }
}

const KINDS: usize = ZoneKind::ALL.len();
const APPEND: usize = ZoneKind::Append as usize;
/// Upper limit of `most`.
const MAX_MARKS: usize = 1 << 13;

/// What an event does to a zone; `None` for an ordinary read or write.
pub fn event_kind(view: View, i: usize) -> Option<ZoneKind> {
    let e = &view.store.events;
    let (sector, flags, bytes) = (e.sector(i), e.flags(i), e.bytes(i));
    if let Some(action) = flags.zone() {
        return Some(action.into());
    }
    let zones = of_disk(view.store, e.device(i))?;
    let bio = match e.action(i) {
        Action::Queue | Action::GetRequest => Flags::FS,
        Action::Insert | Action::Issue | Action::Requeue | Action::Complete => Flags::default(),
        _ => return None,
    };
    if bytes == 0 {
        return unnamed(zones, sector, flags | bio).map(ZoneKind::from);
    }
    let write = flags.has(Flags::WRITE) && !flags.any(Flags::DISCARD | Flags::PC);
    (write && append_of(view, i).is_some()).then_some(ZoneKind::Append)
}

/// Row of the append to which an event belongs.
pub fn append_of(view: View, i: usize) -> Option<usize> {
    let e = &view.store.events;
    let t = e.time(i) as f64;
    let (device, mut found) = (e.device(i), None);
    view.until_alive(TimeRange { t0: t, t1: t }, |row| {
        found = (row.kind().device == device && is_of_append(view, row.row, i)).then_some(row.row);
        if found.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found
}

/// Whether an event is one of an append, which has all but its completion at the start of its zone.
pub fn is_of_append(view: View, row: usize, i: usize) -> bool {
    let (e, request) = (&view.store.events, view.store.requests.row(row));
    if !request.flags().has(Flags::ZONE) || request.bytes() == 0 || request.bytes() != e.bytes(i) {
        return false;
    }
    let time = Some(e.time(i));
    let expected = match e.action(i) {
        Action::Queue => request.queued(),
        Action::GetRequest => request.allocated(),
        Action::Insert => request.inserted(),
        Action::Issue => Some(request.start()),
        Action::Complete => {
            return request.completed() == time && e.sector(i) == request.sector();
        }
        _ => return false,
    };
    expected == time && issued_at(view.store, row) == Some(e.sector(i))
}

/// Answers `zones`: the counts by kind, and the first marks up to the limit; appends have marks
/// only if all of them have room beside the others.
pub fn zones(view: View, query: &ZonesQuery) -> Result<ZoneMarks, BadQuery> {
    if of_disk(view.store, query.device).is_none() {
        return Err(BadQuery(format!(
            "the zones of device {} are not known",
            query.device
        )));
    }
    let max_marks = if query.most >= 0.0 {
        (query.most as usize).min(MAX_MARKS)
    } else {
        0
    };
    let mut counts = [0u64; KINDS];
    let mut marks: Vec<(usize, ZoneStep)> = Vec::new();
    let mut appends: Vec<(usize, ZoneStep)> = Vec::new();
    each(view.store, query.device, view.window(query.range), |step| {
        let Some(kind) = ZoneKind::from_op(step.op).map(|kind| kind as usize) else {
            return;
        };
        counts[kind] += 1;
        let list = if kind == APPEND {
            &mut appends
        } else {
            &mut marks
        };
        if list.len() <= max_marks {
            list.push((kind, *step));
        }
    });
    marks.truncate(max_marks);
    if marks.len() + appends.len() <= max_marks {
        marks.append(&mut appends);
        marks.sort_short_by_key(|mark| mark.1.time);
    }
    let f64s = |read: &dyn Fn(&ZoneStep) -> f64| {
        marks
            .iter()
            .map(|(_, step)| read(step))
            .collect::<Vec<f64>>()
    };
    let drawn = |kind: usize| marks.iter().filter(|mark| mark.0 == kind).count() as u64;
    Ok(ZoneMarks {
        n: marks.len(),
        kind: marks.iter().map(|mark| mark.0 as u8).collect(),
        at: f64s(&|step| step.time as f64),
        sector: f64s(&|step| step.sector as f64),
        sectors: f64s(&|step| step.sectors as f64),
        pointer: f64s(&|step| step.pointer.map_or(f64::NAN, |sector| sector as f64)),
        failed: marks.iter().map(|mark| u8::from(mark.1.failed)).collect(),
        counts: counts.iter().map(|&n| n as f64).collect(),
        exact: (0..KINDS).all(|kind| counts[kind] == drawn(kind)),
    })
}
