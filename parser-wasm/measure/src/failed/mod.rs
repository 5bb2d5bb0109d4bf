//! Failed requests: completions (C) with an error, as blkparse prints them in brackets.
//!
//! Each such completion counts once, with its own bytes: of a request that fails in part, only the
//! part. Passthrough has no bytes here, as in the totals. The process is that of the request's
//! first bio; of a bio that was refused before it was issued, and of one that only flushes, that of
//! the last Q at its sector. `docs/measures.md` defines retries.

mod refused;
mod retries;
mod submitter;
#[cfg(test)]
mod tests;

pub use refused::{RefusedBio, refused_bios};
pub use retries::Retries;

use super::span::Window;
use super::zones;
use retries::RetryTracker;
use rustc_hash::FxHashMap;
use seekscope_trace::errno::block_error;
use seekscope_trace::event::{Action, Flags, Op};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Device, EventKind, EventRow, Store};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
pub use submitter::FailedSubmitters;
use submitter::Submission;

/// Errors and processes of a device that are listed: those with the most requests.
const MAX_LISTED: usize = 16;

/// Number of failed requests, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCount {
    pub requests: u64,
    pub bytes: u64,
}

/// The operation of failed requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedOperation {
    Read,
    Write,
    Discard,
    /// A flush without data, or the end of a bio that waited for one.
    Flush,
    /// Reset, open, close or finish of a zone.
    Zone,
    Passthrough,
}

/// The failed requests with one error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedByError {
    pub errno: u16,
    /// Absent where the block layer has no such error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    #[serde(flatten)]
    pub count: FailedCount,
}

/// The failed requests with one kind of operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedByOperation {
    /// A name of [`FailedOperation`].
    pub operation: String,
    #[serde(flatten)]
    pub count: FailedCount,
}

/// The failed requests of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedByProcess {
    pub pid: u32,
    pub name: String,
    #[serde(flatten)]
    pub count: FailedCount,
}

/// Failed requests of a device. Lists are ordered by requests, most first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FailedRequests {
    #[serde(flatten)]
    pub count: FailedCount,
    /// Times of the first and the last one, ns since the trace's first event.
    pub first_ns: u64,
    pub last_ns: u64,
    /// Number of bios among them that were refused before they were issued to the device.
    #[serde(skip_serializing_if = "is_zero")]
    pub never_issued: u64,
    /// The retries of those with data; absent without D and Q, and where too many failed to follow
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<Retries>,
    pub by_error: Vec<FailedByError>,
    /// Number of errors that the list leaves out.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_errors: u64,
    pub by_operation: Vec<FailedByOperation>,
    /// The failed requests whose process is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_process: Vec<FailedByProcess>,
    /// Number of processes that the list leaves out.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_processes: u64,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl FailedOperation {
    const ALL: [FailedOperation; 6] = [
        FailedOperation::Read,
        FailedOperation::Write,
        FailedOperation::Discard,
        FailedOperation::Flush,
        FailedOperation::Zone,
        FailedOperation::Passthrough,
    ];

    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            FailedOperation::Read => "read",
            FailedOperation::Write => "write",
            FailedOperation::Discard => "discard",
            FailedOperation::Flush => "flush",
            FailedOperation::Zone => "zone",
            FailedOperation::Passthrough => "passthrough",
        }
    }

    fn classify(store: &Store, kind: &EventKind, sector: u64) -> FailedOperation {
        let &EventKind { flags, bytes, .. } = kind;
        if flags.has(Flags::PC) {
            return FailedOperation::Passthrough;
        }
        if bytes == 0 && !flags.has(Flags::DISCARD) {
            let zones = store
                .devices
                .get(kind.device as usize)
                .and_then(|device| device.zones.as_ref())
                .filter(|zones| zones.sectors > 0);
            let manages = flags.has(Flags::ZONE)
                || zones.is_some_and(|zones| zones::unnamed(zones, sector, flags).is_some());
            // Without data, whatever is no flush itself waited for one: a completion does not have
            // the flush bit of its bio.
            return if manages && !flags.has(Flags::FLUSH) {
                FailedOperation::Zone
            } else {
                FailedOperation::Flush
            };
        }
        match flags.op(bytes) {
            Op::Read => FailedOperation::Read,
            Op::Write => FailedOperation::Write,
            Op::Discard => FailedOperation::Discard,
            Op::Flush => FailedOperation::Flush,
        }
    }
}

impl FailedCount {
    /// Adds `n` completions of a kind, if they failed.
    #[inline]
    pub fn add_kind(&mut self, kind: &EventKind, n: u64) {
        if is_failed(kind) {
            self.requests += n;
            self.bytes += n * data_bytes(kind);
        }
    }

    fn add(&mut self, bytes: u64) {
        self.requests += 1;
        self.bytes += bytes;
    }
}

/// Whether an event is the completion of a request, or of a part, with an error.
#[inline]
pub fn is_failed(kind: &EventKind) -> bool {
    kind.error != 0 && kind.action == Action::Complete
}

fn data_bytes(kind: &EventKind) -> u64 {
    if kind.flags.has(Flags::PC) {
        0
    } else {
        kind.bytes.into()
    }
}

/// The failed requests of each device in a window; absent without any. One pass over the requests
/// and events up to its end, and none where nothing failed.
pub fn failed(store: &Store, window: Window) -> Vec<Option<FailedRequests>> {
    let mut tallies: Vec<Tally> = store.devices.iter().map(Tally::new).collect();
    if store.events.each_kind().any(is_failed) {
        let mut submitters = FailedSubmitters::new(store, window);
        let rows = window.events(&store.events);
        let mut found = false;
        store.events.pieces(rows, |piece| {
            for event in piece {
                let kind = event.kind();
                found |= is_failed(kind);
                if found && let Some(tally) = tallies.get_mut(kind.device as usize) {
                    tally.event(store, event, &mut submitters);
                }
            }
        });
    }
    tallies
        .into_iter()
        .map(|tally| tally.finish(store))
        .collect()
}

/// The counts of one device.
#[derive(Default)]
struct Tally {
    all: FailedCount,
    first: u64,
    last: u64,
    never_issued: u64,
    by_error: FxHashMap<u16, FailedCount>,
    by_operation: [FailedCount; FailedOperation::ALL.len()],
    /// By index of the store's processes.
    by_process: FxHashMap<u32, FailedCount>,
    retries: RetryTracker,
    /// Whether D or Q was recorded.
    begins: bool,
}

impl Tally {
    fn new(device: &Device) -> Tally {
        let recorded = device.recorded;
        Tally {
            begins: recorded.has(Action::Issue) || recorded.has(Action::Queue),
            ..Tally::default()
        }
    }

    fn event(&mut self, store: &Store, event: EventRow, submitters: &mut FailedSubmitters) {
        let kind = event.kind();
        if is_failed(kind) {
            self.failure(store, event, submitters);
        }
        if kind.bytes < 512 || kind.flags.has(Flags::PC) {
            return;
        }
        let issues = store.devices[kind.device as usize]
            .recorded
            .has(Action::Issue);
        let (op, from) = (kind.flags.op(kind.bytes), event.sector());
        let sectors = from..from.saturating_add(u64::from(kind.bytes >> 9));
        match kind.action {
            Action::Issue => self.retries.issue(op, sectors),
            Action::Queue if !issues => self.retries.issue(op, sectors),
            Action::Complete if kind.error == 0 => self.retries.succeed(op, sectors),
            Action::Complete => self.retries.fail(op, sectors),
            _ => {}
        }
    }

    fn failure(&mut self, store: &Store, event: EventRow, submitters: &mut FailedSubmitters) {
        let kind = event.kind();
        let bytes = data_bytes(kind);
        let operation = FailedOperation::classify(store, kind, event.sector());
        self.last = event.time();
        if self.all.requests == 0 {
            self.first = event.time();
        }
        self.all.add(bytes);
        self.by_error
            .entry(kind.error.unsigned_abs())
            .or_default()
            .add(bytes);
        self.by_operation[operation as usize].add(bytes);
        let Submission { process, refused } = submitters.find(store, event);
        self.never_issued += u64::from(refused.is_some());
        if let Some(process) = process {
            self.by_process.entry(process).or_default().add(bytes);
        }
    }

    fn finish(self, store: &Store) -> Option<FailedRequests> {
        if self.all.requests == 0 {
            return None;
        }
        let (by_error, more_errors) = largest(self.by_error);
        let (by_process, more_processes) = largest(self.by_process);
        let operations = FailedOperation::ALL.into_iter().zip(self.by_operation);
        let mut by_operation: Vec<FailedByOperation> = operations
            .filter(|(_, count)| count.requests > 0)
            .map(|(operation, count)| FailedByOperation {
                operation: operation.name().to_owned(),
                count,
            })
            .collect();
        by_operation.sort_short_by_key(|entry| Reverse(entry.count.requests));
        Some(FailedRequests {
            count: self.all,
            first_ns: self.first,
            last_ns: self.last,
            never_issued: self.never_issued,
            retries: self.retries.finish().filter(|_| self.begins),
            by_error: by_error.into_iter().map(by_errno).collect(),
            more_errors,
            by_operation,
            by_process: by_process
                .into_iter()
                .filter_map(|(index, count)| {
                    let process = store.processes.get(index as usize)?;
                    Some(FailedByProcess {
                        pid: process.pid,
                        name: process.label(),
                        count,
                    })
                })
                .collect(),
            more_processes,
        })
    }
}

fn by_errno((errno, count): (u16, FailedCount)) -> FailedByError {
    let error = block_error(errno);
    FailedByError {
        errno,
        name: error.map(|error| error.name.to_owned()),
        meaning: error.map(|error| error.meaning.to_owned()),
        count,
    }
}

/// The entries with the most requests, and how many are left out.
fn largest<K: Copy + Ord>(counts: FxHashMap<K, FailedCount>) -> (Vec<(K, FailedCount)>, u64) {
    let mut list: Vec<(K, FailedCount)> = counts.into_iter().collect();
    list.sort_short_by_key(|(key, count)| (Reverse(count.requests), *key));
    let more = list.len().saturating_sub(MAX_LISTED) as u64;
    list.truncate(MAX_LISTED);
    (list, more)
}
