//! Writes to a zoned disk: in order, off the write pointer, appends, and actions on zones.

use super::Window;
use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_trace::event::{Action, Flags, ZoneAction};
use seekscope_trace::protocol::serialize_as_word;
use seekscope_trace::store::{RequestRow, Role, Store, Zones};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The figures of a zoned disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ZoneFigures {
    /// Length of a zone in sectors.
    pub zone_sectors: u64,
    /// Number of sequential zones that were written.
    pub zones: u64,
    /// Reset, open, close or finish; version 7 does not distinguish them.
    pub actions: u64,
    /// The same by code; `action` where it was not recorded which.
    pub actions_by_name: BTreeMap<ZoneKind, u64>,
    /// Number of writes to sequential zones, without appends.
    pub writes: u64,
    /// Number of zone appends.
    pub appends: u64,
    /// Writes elsewhere than where the one before in the zone ended.
    pub off_pointer: u64,
    /// Number of these that failed; absent without completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off_pointer_failed: Option<u64>,
    /// Writes that failed and were never issued: newer kernels refuse a write off the write
    /// pointer. Absent without completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<u64>,
    /// Writes to conventional zones; absent if the types of zones are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conventional: Option<u64>,
}

/// What a request did to a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneOp {
    /// It reset, opened, closed or finished the zone.
    Action(ZoneAction),
    Append,
    /// It wrote to a sequential zone.
    Write,
    /// A write elsewhere than at the write pointer.
    OffPointer,
    /// The same, refused before it was issued.
    Refused,
    /// It wrote to a conventional zone.
    Conventional,
}

/// What a mark or an event says of a zone, in the order of the page's legend. `action` stands for
/// reset, open, close or finish where it was not recorded which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneKind {
    OffPointer,
    Refused,
    Reset,
    ResetAll,
    Open,
    Close,
    Finish,
    Action,
    Append,
}

serialize_as_word!(ZoneKind, name);

impl ZoneKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [ZoneKind; 9] = [
        ZoneKind::OffPointer,
        ZoneKind::Refused,
        ZoneKind::Reset,
        ZoneKind::ResetAll,
        ZoneKind::Open,
        ZoneKind::Close,
        ZoneKind::Finish,
        ZoneKind::Action,
        ZoneKind::Append,
    ];

    /// The name in documents; `web/lib/zones.ts` has the words for people.
    pub fn name(self) -> &'static str {
        match self {
            ZoneKind::OffPointer => "off-pointer",
            ZoneKind::Refused => "refused",
            ZoneKind::Reset => "reset",
            ZoneKind::ResetAll => "reset-all",
            ZoneKind::Open => "open",
            ZoneKind::Close => "close",
            ZoneKind::Finish => "finish",
            ZoneKind::Action => "action",
            ZoneKind::Append => "append",
        }
    }

    /// The kind of what a request did; `None` for ordinary writes.
    pub fn from_op(op: ZoneOp) -> Option<ZoneKind> {
        match op {
            ZoneOp::OffPointer => Some(ZoneKind::OffPointer),
            ZoneOp::Refused => Some(ZoneKind::Refused),
            ZoneOp::Append => Some(ZoneKind::Append),
            ZoneOp::Action(action) => Some(action.into()),
            ZoneOp::Write | ZoneOp::Conventional => None,
        }
    }
}

/// By name, as documents list them.
impl Ord for ZoneKind {
    fn cmp(&self, other: &ZoneKind) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for ZoneKind {
    fn partial_cmp(&self, other: &ZoneKind) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<ZoneAction> for ZoneKind {
    fn from(action: ZoneAction) -> ZoneKind {
        match action {
            ZoneAction::Unnamed => ZoneKind::Action,
            ZoneAction::Append => ZoneKind::Append,
            ZoneAction::Reset => ZoneKind::Reset,
            ZoneAction::ResetAll => ZoneKind::ResetAll,
            ZoneAction::Finish => ZoneKind::Finish,
            ZoneAction::Open => ZoneKind::Open,
            ZoneAction::Close => ZoneKind::Close,
        }
    }
}

/// A request that changed a zone, or should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneStep {
    /// ns since the start of the trace: D, or C if it was refused.
    pub time: u64,
    pub sector: u64,
    pub sectors: u64,
    pub op: ZoneOp,
    /// The write pointer before it; unknown before the first write in a zone, and after an action
    /// other than a reset.
    pub pointer: Option<u64>,
    pub failed: bool,
    /// Row of the request; a write that was refused has none.
    pub row: Option<usize>,
}

/// The zones of a disk whose issues were recorded.
pub fn of_disk(store: &Store, device: u32) -> Option<&Zones> {
    let disk = store
        .devices
        .get(device as usize)
        .filter(|d| d.role == Role::Disk && d.recorded.has(Action::Issue))?;
    disk.zones.as_ref().filter(|z| z.sectors > 0)
}

/// The counts of a device; `None` if it is not known to be zoned, or its issues were not recorded.
pub fn zones(store: &Store, device: u32, window: Window) -> Option<ZoneFigures> {
    let zones = of_disk(store, device)?;
    let mut figures = ZoneFigures {
        zone_sectors: zones.sectors,
        ..ZoneFigures::default()
    };
    let (mut conventional, mut refused, mut failed) = (0, 0, 0);
    let mut written = FxHashSet::default();
    each(store, device, window, |step| {
        match step.op {
            ZoneOp::Action(action) => {
                figures.actions += 1;
                *figures
                    .actions_by_name
                    .entry(ZoneKind::from(action))
                    .or_default() += 1;
            }
            ZoneOp::Append => figures.appends += 1,
            ZoneOp::Write => figures.writes += 1,
            ZoneOp::OffPointer => {
                figures.writes += 1;
                figures.off_pointer += 1;
                failed += u64::from(step.failed);
            }
            ZoneOp::Refused => refused += 1,
            ZoneOp::Conventional => conventional += 1,
        }
        if matches!(step.op, ZoneOp::Append | ZoneOp::Write | ZoneOp::OffPointer) {
            written.insert(step.sector / zones.sectors);
        }
    });
    figures.conventional = zones.conventional.as_ref().map(|_| conventional);
    figures.zones = written.len() as u64;
    let completed = store
        .devices
        .get(device as usize)
        .is_some_and(|d| d.recorded.has(Action::Complete));
    (figures.refused, figures.off_pointer_failed) =
        (completed.then_some(refused), completed.then_some(failed));
    Some(figures)
}

/// Visits what a window's requests did to zones, in time order. One pass over the requests up to
/// its end, and one over its events.
pub fn each(store: &Store, device: u32, window: Window, mut visit: impl FnMut(&ZoneStep)) {
    let Some(zones) = of_disk(store, device) else {
        return;
    };
    let mut refused = refused(store, device, window, zones).into_iter().peekable();
    let mut pointers = WritePointers::default();
    let requests = &store.requests;
    for row in 0..window.rows(requests).end {
        let request = requests.row(row);
        if request.device() != device || request.is_bio() {
            continue;
        }
        while let Some(step) = refused.next_if(|step| step.time <= request.start()) {
            visit(&pointers.before(zones, step));
        }
        if let Some(step) = pointers
            .step(store, zones, row)
            .filter(|step| step.time >= window.from)
        {
            visit(&step);
        }
    }
    refused.for_each(|step| visit(&pointers.before(zones, step)));
}

/// The position at which the next write of each zone is expected.
#[derive(Default)]
struct WritePointers {
    /// `None` if the position is not known.
    zones: FxHashMap<u64, Option<u64>>,
    /// Whether all zones without an entry are empty.
    reset: bool,
}

impl WritePointers {
    fn pointer(&self, zones: &Zones, sector: u64) -> Option<u64> {
        let zone = sector / zones.sectors;
        let other = (self.reset && !zones.is_conventional(sector)).then_some(zone * zones.sectors);
        self.zones.get(&zone).copied().unwrap_or(other)
    }

    fn before(&self, zones: &Zones, step: ZoneStep) -> ZoneStep {
        ZoneStep {
            pointer: self.pointer(zones, step.sector),
            ..step
        }
    }

    /// What a request did to a zone; `None` if nothing.
    fn step(&mut self, store: &Store, zones: &Zones, row: usize) -> Option<ZoneStep> {
        let request = store.requests.row(row);
        let (sector, bytes, flags) = (request.sector(), request.bytes(), request.flags());
        let (zone, failed) = (sector / zones.sectors, request.error() != 0);
        let (start, sectors) = (zone * zones.sectors, u64::from(bytes >> 9));
        let pointer = self.pointer(zones, sector);
        let op = if bytes == 0 {
            let action = action(store, zones, row)?;
            if !failed {
                self.act(action, zone, sector, start);
            }
            ZoneOp::Action(action)
        } else if !flags.has(Flags::WRITE) || flags.has(Flags::DISCARD) {
            return None;
        } else if zones.is_conventional(sector) {
            ZoneOp::Conventional
        } else if flags.has(Flags::ZONE)
            || (!failed && sector == start && pointer.is_some_and(|position| position != start))
        {
            let position = if sector == start {
                pointer.unwrap_or(start)
            } else {
                sector
            };
            self.zones
                .insert(zone, Some(position.saturating_add(sectors)));
            ZoneOp::Append
        } else {
            if !failed {
                self.zones
                    .insert(zone, Some(sector.saturating_add(sectors)));
            }
            if pointer.is_some_and(|position| position != sector) {
                ZoneOp::OffPointer
            } else {
                ZoneOp::Write
            }
        };
        Some(ZoneStep {
            time: request.start(),
            sector,
            sectors,
            op,
            pointer,
            failed,
            row: Some(row),
        })
    }

    fn act(&mut self, action: ZoneAction, zone: u64, sector: u64, start: u64) {
        match action {
            ZoneAction::ResetAll => {
                *self = WritePointers {
                    reset: true,
                    ..WritePointers::default()
                }
            }
            // The action has no name and is at the first sector: it resets all zones.
            ZoneAction::Unnamed if sector == 0 => *self = WritePointers::default(),
            ZoneAction::Reset => drop(self.zones.insert(zone, Some(start))),
            ZoneAction::Open | ZoneAction::Close => {}
            _ => drop(self.zones.insert(zone, None)),
        }
    }
}

/// What a request without data does to a zone.
fn action(store: &Store, zones: &Zones, row: usize) -> Option<ZoneAction> {
    let request = store.requests.row(row);
    if request.flags().has(Flags::ZONE) {
        Some(named(store, row))
    } else {
        unnamed(zones, request.sector(), request.flags())
    }
}

/// What a request or event without data and without a name of its action does to a zone: it begins
/// where a zone begins. Versions before 8 print it as a write or read without data, tracepoints as
/// N.
pub fn unnamed(zones: &Zones, sector: u64, flags: Flags) -> Option<ZoneAction> {
    let any = if flags.has(Flags::PC) {
        sector > 0
    } else {
        flags.any(Flags::WRITE | Flags::FS)
    };
    if !any || flags.any(Flags::FLUSH | Flags::DISCARD) || !sector.is_multiple_of(zones.sectors) {
        return None;
    }
    // Nothing but a reset of all zones begins in a conventional one.
    Some(if sector == 0 && zones.is_conventional(0) {
        ZoneAction::ResetAll
    } else {
        ZoneAction::Unnamed
    })
}

/// What one request did. It costs a pass over the requests before it.
pub fn step_of(store: &Store, row: usize) -> Option<ZoneStep> {
    let request = store.requests.row(row);
    let from = request.start();
    let mut found = None;
    each(
        store,
        request.device(),
        Window {
            from,
            to: from.saturating_add(1),
        },
        |step| {
            if step.row == Some(row) {
                found = Some(*step);
            }
        },
    );
    found
}

/// The sector at which an append was issued, if it was moved to the place of its data: the start of
/// its zone.
pub fn issued_at(store: &Store, row: usize) -> Option<u64> {
    let (request, events) = (store.requests.row(row), &store.events);
    let start = request.start();
    if !request.flags().has(Flags::ZONE) || request.bytes() == 0 {
        return None;
    }
    (events.find(start)..events.len())
        .take_while(|&i| events.time(i) == start)
        .find(|&i| {
            let begins = matches!(events.action(i), Action::Issue | Action::Queue);
            begins && events.device(i) == request.device() && events.bytes(i) == request.bytes()
        })
        .map(|i| events.sector(i))
}

/// The operation of a zoned disk that the events of a request name.
pub fn named(store: &Store, row: usize) -> ZoneAction {
    let (request, events) = (store.requests.row(row), &store.events);
    let start = request.start();
    let events_of_request = (events.find(start)..events.len())
        .take_while(|&i| events.time(i) == start)
        .filter(|&i| events.device(i) == request.device() && events.sector(i) == request.sector());
    events_of_request
        .filter_map(|i| events.flags(i).zone())
        .next()
        .unwrap_or(ZoneAction::Unnamed)
}

/// Failed writes to sequential zones that are no request, by their completions.
fn refused(store: &Store, device: u32, window: Window, zones: &Zones) -> Vec<ZoneStep> {
    let (events, requests) = (&store.events, &store.requests);
    let issued: FxHashSet<u64> = (0..requests.len())
        .map(|i| requests.row(i))
        .filter(|request| request.device() == device && request.error() != 0)
        .map(RequestRow::sector)
        .collect();
    let step = |i: usize| {
        let (sector, flags) = (events.sector(i), events.flags(i));
        let write = flags.has(Flags::WRITE)
            && !flags.any(Flags::DISCARD | Flags::PC)
            && events.bytes(i) > 0;
        let done = events.action(i) == Action::Complete
            && events.device(i) == device
            && events.error(i) != 0;
        let (time, sectors) = (events.time(i), events.sectors(i));
        let step = ZoneStep {
            time,
            sector,
            sectors,
            op: ZoneOp::Refused,
            pointer: None,
            failed: true,
            row: None,
        };
        (done && write && !zones.is_conventional(sector) && !issued.contains(&sector))
            .then_some(step)
    };
    window.events(events).filter_map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    fn figures(text: &str, conventional: Option<Vec<(u64, u64)>>) -> Option<ZoneFigures> {
        let mut store = store(text);
        store.devices[0].zones = Some(Zones {
            sectors: 100,
            conventional,
        });
        zones(&store, 0, Window::WHOLE)
    }

    #[test]
    fn writes_off_the_pointer() {
        let text = "0 D 100+8 W\n1 C 100+8 W\n2 D 108+8 W\n3 C 108+8 W\n4 D 150+8 W\n5 C 150+8 \
            W\n6 D 200+8 W\n7 C 200+8 W\n8 D 5+8 W\n9 C 5+8 W\n\
                    10 D 5+8 W\n11 C 5+8 W\n12 D 100+8 R\n13 C 100+8 R";
        let with_zones = figures(text, Some(vec![(0, 99)])).unwrap();
        assert_eq!(
            (
                with_zones.zones,
                with_zones.writes,
                with_zones.off_pointer,
                with_zones.off_pointer_failed,
                with_zones.conventional
            ),
            (2, 4, 1, Some(0), Some(2))
        );
        let unknown = figures(text, None).unwrap();
        assert_eq!(
            (
                unknown.zones,
                unknown.writes,
                unknown.off_pointer,
                unknown.conventional
            ),
            (3, 6, 2, None)
        );
    }

    #[test]
    fn appends_go_to_the_start() {
        let text = "0 D 100+8 W\n1 C 100+8 W\n2 D 100+8 W\n3 C 100+8 W\n4 D 116+8 W\n5 C 116+8 W";
        let found = figures(text, None).unwrap();
        assert_eq!(
            (
                found.appends,
                found.writes,
                found.off_pointer,
                found.refused
            ),
            (1, 2, 0, Some(0))
        );
    }

    #[test]
    fn other_disks_have_no_figures() {
        assert_eq!(
            zones(&store("0 D 100+8 W\n1 C 100+8 W"), 0, Window::WHOLE),
            None
        );
        assert_eq!(
            zones(&store("0 D 100+8 W\n1 C 100+8 W"), 7, Window::WHOLE),
            None
        );
    }
}
