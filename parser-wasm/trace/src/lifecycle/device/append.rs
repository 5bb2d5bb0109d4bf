//! Zone appends: queued and issued at the start of their zone, and completed where the device wrote
//! their data.

use super::{Context, DeviceState, waiting};
use crate::event::{Event, Flags, ZoneAction};
use crate::store::Effect;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The zone size of a device and the appends that completed last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ZoneAppends {
    /// Sectors of a zone; 0: not known.
    zone: u64,
    /// Per CPU, the sector of an append if that was its last completion: version 8 can record the
    /// completion of an append twice, for the request and for its bio.
    last: FxHashMap<u32, u64>,
}

impl ZoneAppends {
    /// A zone has `zone` sectors; 0 if that is not known.
    pub fn with_zone_size(zone: u64) -> ZoneAppends {
        ZoneAppends {
            zone,
            ..ZoneAppends::default()
        }
    }

    /// Whether the completion of an append was recorded before, as that of its request.
    pub fn is_repeated(&mut self, e: &Event) -> bool {
        if e.flags.zone() == Some(ZoneAction::Append) {
            if self.last.remove(&e.cpu) == Some(e.sector) {
                return true;
            }
            self.last.insert(e.cpu, e.sector);
        } else if !self.last.is_empty() {
            self.last.remove(&e.cpu);
        }
        false
    }

    /// Whether nothing is known of zones and appends; only then can two states be compared.
    pub fn is_empty(&self) -> bool {
        self.zone == 0 && self.last.is_empty()
    }

    /// The first sector of the zone that a write with data is in.
    pub fn start(&self, e: &Event) -> Option<u64> {
        let write = e.flags.has(Flags::WRITE)
            && !e.flags.any(Flags::PC | Flags::DISCARD)
            && e.sectors() > 0;
        (write && self.zone > 0).then(|| e.sector - e.sector % self.zone)
    }
}

impl DeviceState {
    /// The completion of an append: that of the oldest request of the same length at the start of
    /// the zone, on a device without issues of the oldest such bio. Appends of one length complete
    /// in any order, but which of them is which changes no sum. Without zones from notes, of
    /// version 8's appends in flight those count that start at the nearest sector below.
    pub(super) fn complete_append(&mut self, e: &Event, cx: &mut Context<'_>) -> Option<Effect> {
        let named = e.flags.zone() == Some(ZoneAction::Append);
        let n = e.sectors();
        let end_of = |start: u64| start.saturating_add(n);
        let start = match self.appends.start(e) {
            Some(start) => start,
            None if named && self.searches.allows() => {
                self.searches.spend(self.in_flight.len());
                self.in_flight.below(e.sector, n)?
            }
            None => return None,
        };
        if self.in_flight.find(start, end_of(start)).is_some() {
            let request = self.in_flight.take(start, Some(end_of(start)), false)?;
            let mut row = cx.requests.stored(request.row as usize);
            (row.sector, row.flags) = (e.sector, row.flags | Flags::ZONE);
            cx.requests.replace(request.row as usize, &row);
            return Some(self.complete_request(request, e, cx));
        }
        if self.has_issues {
            return None;
        }
        let id = self.bios.starting(start, |bio| bio.end == end_of(start))?;
        let mut bio = *self.bios.get(id);
        self.bios.remove(id);
        (bio.start, bio.end, bio.flags) = (e.sector, e.end(), bio.flags | Flags::ZONE);
        self.complete_bio(&bio, e, cx);
        Some(waiting(-1))
    }

    /// The oldest bio that an issue at the start of a zone covers: of several appends that wait
    /// there, one of the same length.
    pub(super) fn append_bio(&self, e: &Event) -> Option<u32> {
        let start = self.appends.start(e).filter(|start| *start == e.sector)?;
        self.bios
            .starting(start, |bio| !bio.in_request && bio.end == e.end())
    }
}

#[cfg(test)]
mod tests {
    use crate::event::{Action, DeviceNumber, Event, EventDetail, Flags, ZoneAction};
    use crate::lifecycle::Lifecycle;
    use crate::order::KindNumber;
    use crate::store::Store;

    /// Version 8 as documented; no recording of it was at hand.
    #[test]
    fn appends_of_version_8_complete_where_their_data_are() {
        let (mut store, mut lifecycle) = (Store::default(), Lifecycle::default());
        let mut event = |time, action, sector, cpu| {
            let (flags, pid, sequence, error, detail) = (
                Flags::of_zone(ZoneAction::Append),
                1,
                0,
                0,
                EventDetail::None,
            );
            let e = Event {
                time,
                sector,
                bytes: 4096,
                action,
                flags,
                pid,
                device: DeviceNumber(8 << 20),
                cpu,
                sequence,
                error,
                detail,
            };
            lifecycle.event(&mut store, time, &e, KindNumber::NONE);
        };
        event(0, Action::Issue, 1000, 0);
        event(1, Action::Issue, 1000, 1);
        event(2, Action::Issue, 9000, 1);
        event(5, Action::Complete, 1016, 0);
        // Recorded again, for the bio: it is not the completion of the other append.
        event(6, Action::Complete, 1016, 0);
        event(7, Action::Complete, 1024, 1);
        event(8, Action::Complete, 1024, 1);
        event(9, Action::Complete, 9000, 1);
        lifecycle.finish(&mut store, &[]);
        let rows: Vec<_> = (0..store.requests.len())
            .map(|i| store.requests.stored(i))
            .map(|r| (r.start, r.completed, r.sector))
            .collect();
        assert_eq!(
            rows,
            [(0, Some(5), 1016), (1, Some(7), 1024), (2, Some(9), 9000)]
        );
        assert_eq!(
            (
                store.quality.unmatched.d,
                store.quality.unmatched.c,
                store.quality.reissued
            ),
            (0, 0, 0)
        );
    }
}
