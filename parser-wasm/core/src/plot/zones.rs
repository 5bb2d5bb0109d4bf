//! What happened to the zones of a zoned disk: actions, appends, and writes off the write pointer.

use super::answer::{Answer, BadQuery};
use super::query::TimeRange;
use super::view::View;
use crate::event::{Action, Flags, ZoneAction};
use crate::measure::zones::{ZoneOp, ZoneStep, each, issued_at, known, unnamed};
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

/// Kinds of marks, by their numbers: the codes of actions, and of writes elsewhere than at the
/// write pointer.
pub const KINDS: [&str; 9] = [
    "off-pointer",
    "refused",
    "reset",
    "reset-all",
    "open",
    "close",
    "finish",
    "action",
    "append",
];
const APPEND: usize = 8;
/// Upper limit of `most`.
const MAX_MARKS: usize = 1 << 13;

/// Name of what a request did to a zone.
pub fn kind_of(op: ZoneOp) -> Option<&'static str> {
    Some(match op {
        ZoneOp::OffPointer => "off-pointer",
        ZoneOp::Refused => "refused",
        ZoneOp::Append => ZoneAction::Append.code(),
        ZoneOp::Action(action) => action.code(),
        ZoneOp::Write | ZoneOp::Conventional => return None,
    })
}

fn kind(op: ZoneOp) -> Option<usize> {
    let name = kind_of(op)?;
    KINDS.iter().position(|k| *k == name)
}

/// What an event does to a zone, one of [`KINDS`]; `None` for ordinary ones.
pub fn event_kind(view: View, i: usize) -> Option<&'static str> {
    let e = &view.store.events;
    let (sector, flags, bytes) = (e.sector(i), e.flags(i), e.bytes(i));
    if let Some(action) = flags.zone() {
        return Some(action.code());
    }
    let zones = known(view.store, e.device(i))?;
    let bio = match e.action(i) {
        Action::Queue | Action::GetRequest => Flags::FS,
        Action::Insert | Action::Issue | Action::Requeue | Action::Complete => Flags::default(),
        _ => return None,
    };
    if bytes == 0 {
        return unnamed(zones, sector, flags | bio).map(ZoneAction::code);
    }
    let write = flags.has(Flags::WRITE) && !flags.any(Flags::DISCARD | Flags::PC);
    (write && append_of(view, i).is_some()).then(|| ZoneAction::Append.code())
}

/// The append to which an event belongs.
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
    let (e, r) = (&view.store.events, &view.store.requests);
    if !r.flags(row).has(Flags::ZONE) || r.bytes(row) == 0 || r.bytes(row) != e.bytes(i) {
        return false;
    }
    let at = Some(e.time(i));
    let own = match e.action(i) {
        Action::Queue => r.queued(row),
        Action::GetRequest => r.allocated(row),
        Action::Insert => r.inserted(row),
        Action::Issue => Some(r.start(row)),
        Action::Complete => return r.completed(row) == at && e.sector(i) == r.sector(row),
        _ => return false,
    };
    own == at && issued_at(view.store, row) == Some(e.sector(i))
}

/// Answers `zones`: counts by kind, and a mark for each as long as they are few; appends only if
/// all have room.
pub fn zones(view: View, query: &ZonesQuery) -> Result<Answer, BadQuery> {
    if known(view.store, query.device).is_none() {
        return Err(BadQuery(format!(
            "the zones of device {} are not known",
            query.device
        )));
    }
    let most = if query.most >= 0.0 {
        (query.most as usize).min(MAX_MARKS)
    } else {
        0
    };
    let mut counts = [0u64; KINDS.len()];
    let mut marks: Vec<(usize, ZoneStep)> = Vec::new();
    let mut appends: Vec<(usize, ZoneStep)> = Vec::new();
    each(view.store, query.device, view.window(query.range), |step| {
        let Some(kind) = kind(step.op) else { return };
        counts[kind] += 1;
        let list = if kind == APPEND {
            &mut appends
        } else {
            &mut marks
        };
        if list.len() <= most {
            list.push((kind, *step));
        }
    });
    marks.truncate(most);
    if marks.len() + appends.len() <= most {
        marks.append(&mut appends);
        marks.sort_by_key(|mark| mark.1.time);
    }
    let f64s = |of: &dyn Fn(&ZoneStep) -> f64| {
        marks.iter().map(|(_, step)| of(step)).collect::<Vec<f64>>()
    };
    let drawn = |kind: usize| marks.iter().filter(|mark| mark.0 == kind).count() as u64;
    Ok(Answer::Object(vec![
        ("n", marks.len().into()),
        (
            "kind",
            marks
                .iter()
                .map(|mark| mark.0 as u8)
                .collect::<Vec<u8>>()
                .into(),
        ),
        ("at", f64s(&|step| step.time as f64).into()),
        ("sector", f64s(&|step| step.sector as f64).into()),
        ("sectors", f64s(&|step| step.sectors as f64).into()),
        (
            "pointer",
            f64s(&|step| step.pointer.map_or(f64::NAN, |at| at as f64)).into(),
        ),
        (
            "failed",
            marks
                .iter()
                .map(|mark| u8::from(mark.1.failed))
                .collect::<Vec<u8>>()
                .into(),
        ),
        (
            "counts",
            counts
                .iter()
                .map(|&n| n as f64)
                .collect::<Vec<f64>>()
                .into(),
        ),
        (
            "exact",
            (0..KINDS.len())
                .all(|kind| counts[kind] == drawn(kind))
                .into(),
        ),
    ]))
}
