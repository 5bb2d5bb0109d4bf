//! Writes to a zoned disk: in order, off the write pointer, appends, and actions on zones.

use super::Window;
use crate::event::{Action, Flags};
use crate::store::{Role, Store, Zones};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// Counts of a zoned disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ZoneFigures {
    /// Sectors of a zone.
    pub zone_sectors: u64,
    /// Sequential zones that were written.
    pub zones: u64,
    /// Reset, open, close or finish; version 7 does not distinguish them.
    pub actions: u64,
    /// Writes to sequential zones, without appends.
    pub writes: u64,
    /// Writes to the start of a zone that is not empty: zone append, of which C has the place.
    pub appends: u64,
    /// Writes elsewhere than where the one before in the zone ended.
    pub off_pointer: u64,
    /// Of these, those that failed.
    pub off_pointer_failed: u64,
    /// Writes that failed and were never issued: newer kernels refuse a write off the write pointer.
    pub refused: u64,
    /// Writes to conventional zones; absent if the types of zones are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conventional: Option<u64>,
}

/// The counts of a device; `None` if it is not known to be zoned, or issues no requests.
pub fn zones(store: &Store, device: u32, window: Window) -> Option<ZoneFigures> {
    let known = store.devices.get(device as usize).filter(|d| d.role == Role::Disk)?;
    let zones = known.zones.as_ref().filter(|z| z.sectors > 0)?;
    let requests = &store.requests;
    let mut figures = ZoneFigures { zone_sectors: zones.sectors, ..ZoneFigures::default() };
    figures.conventional = zones.conventional.as_ref().map(|_| 0);
    // Where the next write of a zone is expected. Unknown before the first, and after an action.
    let mut pointers: FxHashMap<u64, Option<u64>> = FxHashMap::default();
    let mut written = FxHashSet::default();
    for i in 0..window.rows(requests).end {
        if requests.device(i) != device || requests.is_bio(i) {
            continue;
        }
        let (sector, bytes, flags) = (requests.sector(i), requests.bytes(i), requests.flags(i));
        let counted = u64::from(requests.start(i) >= window.from);
        let zone = sector / zones.sectors;
        if bytes == 0 {
            // Printed as a write without data, or by trace points as N.
            let action = flags.has(Flags::ZONE) || (flags.has(Flags::WRITE) && !flags.any(Flags::FLUSH | Flags::DISCARD));
            if action || (flags.has(Flags::PC) && sector > 0) {
                figures.actions += counted;
                // All zones are reset with the first sector.
                pointers.remove(&zone);
                if sector == 0 {
                    pointers.clear();
                }
            }
            continue;
        }
        if !flags.has(Flags::WRITE) || flags.has(Flags::DISCARD) {
            continue;
        }
        if zones.is_conventional(sector) {
            figures.conventional = figures.conventional.map(|n| n + counted);
            continue;
        }
        if counted > 0 {
            written.insert(zone);
        }
        let expected = pointers.get(&zone).copied().flatten();
        let failed = requests.error(i) != 0;
        let start = zone * zones.sectors;
        if flags.has(Flags::ZONE) || (!failed && sector == start && expected.is_some_and(|at| at != start)) {
            figures.appends += counted;
            pointers.insert(zone, Some(expected.unwrap_or(start).saturating_add(u64::from(bytes >> 9))));
            continue;
        }
        figures.writes += counted;
        if expected.is_some_and(|at| at != sector) {
            figures.off_pointer += counted;
            figures.off_pointer_failed += counted * u64::from(failed);
        }
        if !failed {
            pointers.insert(zone, Some(sector.saturating_add(u64::from(bytes >> 9))));
        }
    }
    figures.zones = written.len() as u64;
    figures.refused = refused(store, device, window, zones);
    Some(figures)
}

/// Failed writes to sequential zones that are no request.
fn refused(store: &Store, device: u32, window: Window, zones: &Zones) -> u64 {
    let (events, requests) = (&store.events, &store.requests);
    let failed = |i: &usize| requests.device(*i) == device && requests.error(*i) != 0;
    let issued: FxHashSet<u64> = (0..requests.len()).filter(failed).map(|i| requests.sector(i)).collect();
    let is_one = |i: &usize| {
        let (sector, flags) = (events.sector(*i), events.flags(*i));
        let write = flags.has(Flags::WRITE) && !flags.any(Flags::DISCARD | Flags::PC) && events.bytes(*i) > 0;
        let done = events.action(*i) == Action::Complete && events.device(*i) == device && events.error(*i) != 0;
        done && write && !zones.is_conventional(sector) && !issued.contains(&sector)
    };
    window.events(events).filter(is_one).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fixture::store;

    fn figures(text: &str, conventional: Option<Vec<(u64, u64)>>) -> Option<ZoneFigures> {
        let mut store = store(text);
        store.devices[0].zones = Some(Zones { sectors: 100, conventional });
        zones(&store, 0, Window::WHOLE)
    }

    #[test]
    fn writes_off_the_pointer() {
        let text = "0 D 100+8 W\n1 C 100+8 W\n2 D 108+8 W\n3 C 108+8 W\n4 D 150+8 W\n5 C 150+8 W\n6 D 200+8 W\n7 C 200+8 W\n8 D 5+8 W\n9 C 5+8 W\n\
                    10 D 5+8 W\n11 C 5+8 W\n12 D 100+8 R\n13 C 100+8 R";
        let known = figures(text, Some(vec![(0, 99)])).unwrap();
        assert_eq!(
            (known.zones, known.writes, known.off_pointer, known.off_pointer_failed, known.conventional),
            (2, 4, 1, 0, Some(2))
        );
        let unknown = figures(text, None).unwrap();
        assert_eq!((unknown.zones, unknown.writes, unknown.off_pointer, unknown.conventional), (3, 6, 2, None));
    }

    #[test]
    fn appends_go_to_the_start() {
        let text = "0 D 100+8 W\n1 C 100+8 W\n2 D 100+8 W\n3 C 100+8 W\n4 D 116+8 W\n5 C 116+8 W";
        let found = figures(text, None).unwrap();
        assert_eq!((found.appends, found.writes, found.off_pointer, found.refused), (1, 2, 0, 0));
    }

    #[test]
    fn other_disks_have_no_figures() {
        assert_eq!(zones(&store("0 D 100+8 W\n1 C 100+8 W"), 0, Window::WHOLE), None);
        assert_eq!(zones(&store("0 D 100+8 W\n1 C 100+8 W"), 7, Window::WHOLE), None);
    }
}
