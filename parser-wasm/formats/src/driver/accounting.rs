//! Requests of which only block_io_start and block_io_done were recorded (Linux 6.5 and later;
//! tools that measure from there enable nothing else). The kernel has consumed a request when it is
//! done and prints `0 () sector + 0`, so its size is that of the start.

use super::HELD;
use crate::Record;
use crate::block_event::SeenActions;
use rustc_hash::FxHashMap;
use seekscope_trace::event::{Action, DeviceNumber, Event};

/// Limit for the requests that are followed.
const OPEN: usize = 1 << 16;

/// Takes these events in the order of their times.
#[derive(Clone, Debug, Default)]
pub struct AccountedRequests {
    /// There are other events of requests, which count instead.
    superseded: bool,
    /// Whether these events are the requests.
    requests: bool,
    held: Vec<Event>,
    open: FxHashMap<(DeviceNumber, u64), Event>,
}

impl AccountedRequests {
    /// Whether such events count at all.
    #[inline]
    pub fn counts(&self) -> bool {
        !self.superseded
    }

    /// Whether these events are the requests of the recording.
    pub fn are_requests(&self) -> bool {
        self.requests
    }

    /// Takes an event of another kind; returns whether that counts.
    #[inline]
    pub fn supersede(&mut self) -> bool {
        if !self.superseded && !self.requests {
            self.superseded = true;
            (self.held, self.open) = (Vec::new(), FxHashMap::default());
        }
        self.superseded
    }

    /// Takes a start, as D, or an end, as C.
    pub fn take(
        &mut self,
        event: Event,
        seen: &mut SeenActions,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        let key = (event.device, event.sector);
        let event = match event.action {
            Action::Issue => {
                if self.open.len() < OPEN || self.open.contains_key(&key) {
                    self.open.insert(key, event);
                }
                event
            }
            _ => match self.open.remove(&key) {
                Some(start) => Event {
                    bytes: start.bytes,
                    flags: start.flags,
                    ..event
                },
                // The request began before the recording, or it is the bio of a flush: without a
                // size.
                None => return,
            },
        };
        if !self.requests && self.held.len() < HELD {
            self.held.push(event);
        } else {
            self.finish(seen, sink);
            self.requests = true;
            seen.note(event.action);
            sink(Record::Event(event));
        }
    }

    /// Takes the end of the file, or so many events that no others can be expected.
    pub fn finish(&mut self, seen: &mut SeenActions, sink: &mut impl FnMut(Record<'_>)) {
        self.requests |= !self.held.is_empty();
        for event in std::mem::take(&mut self.held) {
            seen.note(event.action);
            sink(Record::Event(event));
        }
    }
}
