//! Finds the process whose request failed. A completion runs in whichever task was interrupted, so
//! the request, or the bio that was never issued, is searched for.

use super::super::span::Window;
use seekscope_trace::event::{Action, Flags};
use seekscope_trace::store::{EventKind, EventRow, RequestRow, Store};

/// Failed requests that are remembered, 24 bytes each; failures beyond have no process.
const MAX_ROWS: usize = 1 << 20;
/// Rows that are compared with one completion: equal ends are rare.
const MAX_CANDIDATES: usize = 64;
/// Events before a completion that are searched for its Q, and in all: a refused bio ends at once,
/// and what waited for a flush was queued shortly before.
const MAX_SCAN: usize = 1 << 14;
const MAX_SCANNED: usize = 1 << 24;

/// The process that submitted what failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Index of the store's processes; absent where it is not known.
    pub process: Option<u32>,
    /// The Q of a bio that was refused: it was not issued to the device, and nothing shows that it
    /// may have been before the recording began.
    pub refused: Option<usize>,
}

/// A request with an error.
struct FailedRow {
    device: u32,
    /// `u64::MAX`: it failed in part, and the rest did not complete.
    completed: u64,
    row: u32,
}

/// Requests with an error, by the time of their end.
pub struct FailedSubmitters {
    rows: Vec<FailedRow>,
    scanned: usize,
}

impl FailedSubmitters {
    /// The requests that were issued before the end of a window.
    pub fn new(store: &Store, window: Window) -> FailedSubmitters {
        let requests = &store.requests;
        let mut rows = Vec::new();
        let before = Window { from: 0, ..window }.rows(requests);
        if requests.each_kind().any(|kind| kind.error != 0) {
            requests.each(before, |row| {
                if row.kind().error != 0 && rows.len() < MAX_ROWS {
                    rows.push(FailedRow {
                        device: row.kind().device,
                        completed: row.completed().unwrap_or(u64::MAX),
                        row: row.row as u32,
                    });
                }
            });
        }
        rows.sort_by_key(|row| (row.device, row.completed));
        FailedSubmitters { rows, scanned: 0 }
    }

    /// Who submitted what a failed completion ends.
    pub fn find(&mut self, store: &Store, event: EventRow) -> Submission {
        let kind = event.kind();
        let (index, refused) = match self.row(store, event) {
            // A request without a bio has the task that issued it, often a kernel thread.
            Some(row) => (
                Some(row.kind().process).filter(|_| row.kind().bios > 0),
                None,
            ),
            None => match self.origin(store, event) {
                Some(queue) if store.events.action(queue) == Action::Queue => {
                    let device = &store.devices[kind.device as usize];
                    let is_refused = device.recorded.has(Action::Issue) && has_sectors(kind);
                    let process = store.events.process(queue);
                    (Some(process), is_refused.then_some(queue))
                }
                _ => (None, None),
            },
        };
        Submission {
            process: index.filter(|&index| (index as usize) < store.processes.len()),
            refused,
        }
    }

    /// The request that a completion ends, or a part of it.
    pub fn row<'a>(&self, store: &'a Store, event: EventRow) -> Option<RequestRow<'a>> {
        let (kind, time, sector) = (event.kind(), event.time(), event.sector());
        let first = self
            .rows
            .partition_point(|row| (row.device, row.completed) < (kind.device, time));
        let passthrough = kind.flags.has(Flags::PC);
        let fits = |failed: &&FailedRow| {
            let row = store.requests.row(failed.row as usize);
            if row.kind().flags.has(Flags::PC) != passthrough || row.start() > time {
                return false;
            }
            if has_sectors(kind) {
                let end = row.sector().saturating_add(row.sectors());
                return row.sector() <= sector && sector < end;
            }
            failed.completed == time && (passthrough || row.sectors() == 0)
        };
        self.rows[first..]
            .iter()
            .take(MAX_CANDIDATES)
            .take_while(|row| row.device == kind.device)
            .find(fits)
            .map(|failed| store.requests.row(failed.row as usize))
    }

    /// The last Q or D before a completion at its sector.
    fn origin(&mut self, store: &Store, event: EventRow) -> Option<usize> {
        let (events, kind, sector) = (&store.events, event.kind(), event.sector());
        if kind.flags.has(Flags::PC) {
            return None;
        }
        let room = MAX_SCAN.min(MAX_SCANNED.saturating_sub(self.scanned));
        let from = event.row.saturating_sub(room);
        let begins = |i: &usize| {
            let before = events.kind(*i);
            let (start, sectors) = (events.sector(*i), u64::from(before.bytes >> 9));
            let end = start.saturating_add(sectors);
            if before.device != kind.device || before.flags.has(Flags::PC) {
                return false;
            }
            match before.action {
                Action::Issue => has_sectors(kind) && start <= sector && sector < end,
                Action::Queue if has_sectors(kind) => start == sector && sectors > 0,
                // Bios that waited for a flush end at its end.
                Action::Queue => before.flags.has(Flags::FLUSH) && end == sector,
                _ => false,
            }
        };
        let found = (from..event.row).rev().find(begins);
        self.scanned += event.row - found.unwrap_or(from);
        found
    }
}

/// Whether an event has a place on the device.
fn has_sectors(kind: &EventKind) -> bool {
    kind.bytes >= 512 && !kind.flags.has(Flags::PC)
}
