//! The life of one request, from its row and the events around it.
//!
//! A row does not refer to its events, so they are found again by device, time and sectors, by the
//! rules of [`events_of`]. What cannot be told apart by these, as two flushes at the same time, has
//! the events of both.

use crate::answer::BadQuery;
use crate::map::zones;
use crate::query::{GeometryQuery, TimeRange};
use crate::view::{View, begin, placed, total_latency};
use seekscope_measure as measure;
use seekscope_measure::arrays::alignment;
use seekscope_measure::arrays::alignment::Class;
use seekscope_measure::call_path::call_of;
use seekscope_measure::zones::ZoneKind;
use seekscope_trace::errno::error_words;
use seekscope_trace::event::{Action, EventDetail, Flags, Op};
use seekscope_trace::protocol::{Ns, SectorNumber};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::StackEvent;
use seekscope_trace::store::{NO_END, NO_FD};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Parameters of `life`.
#[derive(Clone, Debug, Deserialize)]
pub struct LifeQuery {
    /// Row of the request table.
    pub row: f64,
    /// Required for the alignment class.
    pub geometry: Option<GeometryQuery>,
}

/// An event of a request.
#[derive(Clone, Debug, Serialize)]
pub struct LifeEvent {
    /// Action letter as blkparse prints it.
    action: &'static str,
    rwbs: String,
    at: Ns,
    cpu: u32,
    pid: u32,
    process: String,
    sector: SectorNumber,
    sectors: u64,
    /// What the event does to a zone; absent if nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<ZoneKind>,
}

/// The zone of a request to a zoned disk.
#[derive(Clone, Debug, Serialize)]
pub struct LifeZone {
    number: u64,
    conventional: bool,
    /// What the request did to the zone; absent for reads and writes in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<ZoneKind>,
    /// The write pointer before the request, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<SectorNumber>,
}

/// How a bio became part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BioJoin {
    First,
    BackMerge,
    FrontMerge,
    RequestMerge,
    Split,
}

/// A bio of a request, as it was queued.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LifeBio {
    sector: SectorNumber,
    sectors: u64,
    queued_at: Ns,
    pid: u32,
    process: String,
    joined: BioJoin,
}

/// Requests of one process that overtook a request.
#[derive(Clone, Debug, Serialize)]
pub struct Overtaken {
    process: String,
    n: u64,
}

/// The system call or io_uring operation in which the request was queued.
#[derive(Clone, Debug, Serialize)]
pub struct LifeCall {
    /// `write()`, `io_uring READ`.
    name: String,
    /// The file descriptor, if events say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fd: Option<u32>,
    begin: Ns,
    /// When it returned, or completed; absent if no event says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Ns>,
}

/// The complete life of one request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Life {
    row: usize,
    dev: String,
    op: Op,
    rwbs: String,
    sector: SectorNumber,
    sectors: u64,
    pid: u32,
    process: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<String>,
    /// Absent where no event says it: of write-back, and of threads that work for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<LifeCall>,
    /// The system call, thread or fault by which it entered the kernel: `openat()`; absent without
    /// a call stack.
    #[serde(skip_serializing_if = "Option::is_none")]
    entered_by: Option<String>,
    /// Index of the object that has most of its sectors, as in `info`; absent without a map of the
    /// disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<usize>,
    submit_cpu: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete_cpu: Option<u32>,
    /// errno (5 for EIO); absent when it succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<u16>,
    /// `error` in words: `EIO (I/O error)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_words: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queued: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocated: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inserted: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alignment: Option<Class>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<LifeZone>,
    events: Vec<LifeEvent>,
    bios: Vec<LifeBio>,
    /// Requests of the same device issued between this one's Q and D, by process, most first.
    overtaken: Vec<Overtaken>,
    /// Place among all requests of the device by Q2C (D2C without Q); 1 is the slowest.
    rank: usize,
}

/// Maximum number of listed events per request.
const MAX_EVENTS: usize = 1000;

/// The errno of a stored error; absent for success.
fn errno(error: i16) -> Option<u16> {
    (error != 0).then(|| error.unsigned_abs())
}

/// The call of the submission of a request. The stack of its issue may be that of another task.
fn entered_by(view: View, row: usize) -> Option<String> {
    let stacks = view.store.stacks.as_deref()?;
    let found = stacks.of_row(row);
    let is_of_submitter = found.event != StackEvent::Issue;
    is_of_submitter.then(|| call_of(&stacks.names(found.submitted)))?
}

/// Answers `life`.
pub fn life(view: View, query: &LifeQuery) -> Result<Life, BadQuery> {
    let store = view.store;
    let r = &store.requests;
    let row = query.row as usize;
    if query.row < 0.0 || row >= r.len() {
        return Err(BadQuery(format!("request {} does not exist", query.row)));
    }
    let request = r.row(row);
    let geometry = query
        .geometry
        .as_ref()
        .map(GeometryQuery::geometry)
        .transpose()?;
    let (sector, sectors) = (request.sector(), request.sectors());
    let class = geometry.and_then(|g| alignment::class(&g, sector, sectors));
    let process = store.processes.get(request.process() as usize);
    let events = events_of(view, row);
    Ok(Life {
        row,
        dev: store
            .devices
            .get(request.device() as usize)
            .map_or_else(String::new, |d| d.number.to_string()),
        op: request.op(),
        rwbs: request.flags().rwbs(request.bytes()),
        sector,
        sectors,
        pid: process.map_or(0, |p| p.pid),
        process: view.process_name(request.process()),
        via: process.and_then(|p| p.via).map(|via| via.to_string()),
        call: call(view, row),
        entered_by: entered_by(view, row),
        object: (store.objects.is_some() && request.bytes() > 0)
            .then(|| store.object_groups.group_of_row(row)),
        submit_cpu: request.submit_cpu(),
        complete_cpu: request.completed().map(|_| request.complete_cpu()),
        error: errno(request.error()),
        error_words: errno(request.error()).map(error_words),
        queued: request.queued(),
        allocated: request.allocated(),
        inserted: request.inserted(),
        issued: request.issued(),
        completed: request.completed(),
        alignment: class,
        zone: zone(view, row),
        events: events
            .iter()
            .take(MAX_EVENTS)
            .map(|&i| describe(view, i))
            .collect(),
        bios: bios(view, row, &events),
        overtaken: overtaken(view, row),
        rank: rank(view, row),
    })
}

fn call(view: View, row: usize) -> Option<LifeCall> {
    let calls = view.store.calls.as_deref()?;
    let call = calls.inherited(view.store, row)?;
    Some(LifeCall {
        name: calls.names.get(call.name as usize)?.clone(),
        fd: (call.fd != NO_FD).then_some(call.fd),
        begin: call.begin,
        end: (call.end != NO_END).then_some(call.end),
    })
}

fn zone(view: View, row: usize) -> Option<LifeZone> {
    let store = view.store;
    let request = store.requests.row(row);
    let sector = request.sector();
    let zones = measure::zones::of_disk(store, request.device()).filter(|_| placed(request))?;
    let step = measure::zones::step_of(store, row);
    Some(LifeZone {
        number: sector / zones.sectors,
        conventional: zones.is_conventional(sector),
        kind: step.and_then(|step| ZoneKind::from_op(step.op)),
        pointer: step.and_then(|step| step.pointer),
    })
}

fn describe(view: View, i: usize) -> LifeEvent {
    let e = &view.store.events;
    LifeEvent {
        action: e.action(i).letters(),
        rwbs: e.flags(i).rwbs(e.bytes(i)),
        at: e.time(i),
        cpu: e.cpu(i),
        pid: view
            .store
            .processes
            .get(e.process(i) as usize)
            .map_or(0, |p| p.pid),
        process: view.process_name(e.process(i)),
        sector: e.sector(i),
        sectors: e.sectors(i),
        zone: zones::event_kind(view, i),
    }
}

/// Events of the request's device between its Q and its C inside its sectors; a split bio may
/// extend beyond them. A flush has the flush events without data; a request of less than a sector
/// has the events at its sector.
fn events_of(view: View, row: usize) -> Vec<usize> {
    let (e, request) = (&view.store.events, view.store.requests.row(row));
    let (first, end) = (
        request.sector(),
        request.sector().saturating_add(request.sectors()),
    );
    let (from, to) = (begin(request), request.completed().unwrap_or(u64::MAX));
    let device = request.device();
    let flush = request.op() == Op::Flush;
    let write = request.flags().any(Flags::WRITE);
    let append = request.flags().has(Flags::ZONE) && first < end;
    let mut found = Vec::new();
    for i in e.find(from)..e.len() {
        if e.time(i) > to {
            break;
        }
        if e.device(i) != device
            || matches!(
                e.action(i),
                Action::Plug | Action::Unplug | Action::UnplugTimer
            )
        {
            continue;
        }
        let (s, t) = (e.sector(i), e.sector(i).saturating_add(e.sectors(i)));
        let belongs = if append {
            zones::is_of_append(view, row, i)
        } else if flush {
            e.bytes(i) == 0 && e.flags(i).has(Flags::FLUSH)
        } else if first == end {
            s == first && t == end
        } else if matches!(
            e.action(i),
            Action::Queue | Action::Split | Action::GetRequest
        ) {
            s < end && t > first
        } else {
            s >= first && t <= end && t > s
        };
        if belongs && (flush || e.flags(i).any(Flags::WRITE) == write) {
            found.push(i);
            if found.len() == MAX_EVENTS {
                break;
            }
        }
    }
    found
}

/// The bios of a request, from the events of [`events_of`]. The first event of a bio after its Q
/// shows how it joined the request, unless the bio was split.
fn bios(view: View, row: usize, events: &[usize]) -> Vec<LifeBio> {
    let (e, r) = (&view.store.events, &view.store.requests);
    let start = r.row(row).start();
    let before_issue: Vec<usize> = events
        .iter()
        .copied()
        .filter(|&i| e.time(i) <= start)
        .collect();
    let absorbed: Vec<u64> = before_issue
        .iter()
        .filter(|&&i| e.action(i) == Action::BackMerge && e.flags(i).any(Flags::FS | Flags::PC))
        .map(|&i| e.sector(i))
        .collect();
    let queues = before_issue
        .iter()
        .enumerate()
        .filter(|(_, i)| e.action(**i) == Action::Queue);
    queues
        .map(|(index, &q)| {
            let (s, t) = (e.sector(q), e.sector(q).saturating_add(e.sectors(q)));
            let later = before_issue.get(index + 1..).unwrap_or_default();
            let split = later.iter().any(|&i| {
                e.action(i) == Action::Split && e.sector(i) >= s && e.sector(i) < t.max(s + 1)
                    || matches!(e.detail(i), EventDetail::Split(rest) if rest > s && rest < t)
            });
            let bio = |i: &&usize| {
                e.sector(**i) == s
                    && e.sectors(**i) == t - s
                    && !e.flags(**i).any(Flags::FS | Flags::PC)
            };
            let joined = later
                .iter()
                .filter(bio)
                .find_map(|&i| match e.action(i) {
                    Action::BackMerge => Some(BioJoin::BackMerge),
                    Action::FrontMerge => Some(BioJoin::FrontMerge),
                    Action::GetRequest if absorbed.contains(&s) => Some(BioJoin::RequestMerge),
                    Action::GetRequest => Some(BioJoin::First),
                    _ => None,
                })
                .unwrap_or(BioJoin::First);
            LifeBio {
                sector: s,
                sectors: t - s,
                queued_at: e.time(q),
                pid: view
                    .store
                    .processes
                    .get(e.process(q) as usize)
                    .map_or(0, |p| p.pid),
                process: view.process_name(e.process(q)),
                joined: if split { BioJoin::Split } else { joined },
            }
        })
        .collect()
}

/// Requests of the same device that were issued between the Q and the D of this one, by process.
fn overtaken(view: View, row: usize) -> Vec<Overtaken> {
    let r = &view.store.requests;
    let request = r.row(row);
    let Some(queued) = request.queued() else {
        return Vec::new();
    };
    let span = TimeRange {
        t0: queued as f64,
        t1: request.start() as f64,
    };
    let mut by_process: HashMap<u32, u64> = HashMap::new();
    for other in view.starting(span) {
        let theirs = r.row(other);
        if theirs.device() == request.device()
            && other != row
            && theirs.start() > queued
            && theirs.start() < request.start()
        {
            *by_process.entry(theirs.process()).or_default() += 1;
        }
    }
    let mut counted: Vec<(u32, u64)> = by_process.into_iter().collect();
    counted.sort_short_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    counted
        .into_iter()
        .map(|(p, n)| Overtaken {
            process: view.process_name(p),
            n,
        })
        .collect()
}

/// 1 plus the number of slower requests of the device; a request that did not complete ranks after
/// all that did.
fn rank(view: View, row: usize) -> usize {
    let r = &view.store.requests;
    let request = r.row(row);
    let (latency, device, mut slower) = (total_latency(request), request.device(), 0);
    r.each(0..r.len(), |other| {
        slower += usize::from(total_latency(other) > latency && other.kind().device == device)
    });
    1 + slower
}
