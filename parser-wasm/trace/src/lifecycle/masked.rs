//! What only the end of a trace shows: which actions were not recorded of a device, and which rows
//! and counts change with that.

use crate::event::{Action, DeviceNumber};
use crate::store::{
    Device, EndedUnseen, RecordedActions, RequestRow, Role, RowMeaning, Store, UnmatchedCounts,
    rows,
};
use rustc_hash::FxHashMap;

/// Major number of md, the only one of its kind that the kernel assigns for good (`MD_MAJOR`).
const MD: u32 = 9;
/// A request without a completion is in flight for this many times the longest D2C of its device;
/// after that its fate is unknown.
const PATIENCE: u64 = 2;

/// The role of a device that issued no requests, if its events show one. Device mapper and md queue
/// and complete bios, but allocate and insert no requests; with only one of Q and C they cannot be
/// distinguished from a disk by their events.
pub fn role(device: &Device, remapped: bool) -> Role {
    let has = |action| device.recorded.has(action);
    if has(Action::Issue) || has(Action::GetRequest) || has(Action::Insert) {
        Role::Disk
    } else if remapped {
        Role::Remapped
    } else if has(Action::Queue) == has(Action::Complete) || major(device.number) == MD {
        Role::Stacked
    } else {
        Role::Disk
    }
}

fn major(number: DeviceNumber) -> u32 {
    number.0 >> 20
}

/// Tells devices without events which actions the others have.
pub fn describe_idle(store: &mut Store) {
    let all: Vec<RecordedActions> = store.devices.iter().map(|d| d.recorded).collect();
    for device in &mut store.devices {
        all.iter().for_each(|&other| device.recorded.beside(other));
    }
}

/// Unmatched events of which the partner was recorded at all.
pub fn unmatched(device: &Device) -> UnmatchedCounts {
    let UnmatchedCounts { q, d, c } = device.unmatched;
    match device.recorded.row() {
        RowMeaning::Request | RowMeaning::Bio => UnmatchedCounts { q, d, c },
        RowMeaning::Completion | RowMeaning::Issue | RowMeaning::Queue => {
            UnmatchedCounts::default()
        }
    }
}

/// Makes moments of the rows of devices without completions.
pub fn make_momentary(store: &mut Store) {
    let endless = |d: &Device| matches!(d.recorded.row(), RowMeaning::Issue | RowMeaning::Queue);
    let endless: Vec<bool> = store.devices.iter().map(endless).collect();
    if endless.contains(&true) {
        let requests = &mut store.requests;
        rows::each(0..requests.len(), |i| {
            if endless
                .get(requests.row(i).device() as usize)
                .is_some_and(|e| *e)
            {
                requests.make_momentary(i);
            }
        });
    }
}

/// Requests of a device whose fate is unknown: issued so long before its last event that their
/// completion should have been seen. They are no longer in flight after that time. `ended` are the
/// times of issues that a loss interval ended.
pub fn give_up(store: &mut Store, device: u32, ended: &[u64]) -> EndedUnseen {
    let mut given_up = EndedUnseen::new();
    let is_request = |row: RequestRow| row.device() == device && !row.is_bio();
    let all = 0..store.requests.len();
    let mut longest = None;
    store.requests.each(all.clone(), |row| {
        longest = longest.max(row.d2c().filter(|_| is_request(row)))
    });
    let Some(longest) = longest else {
        return given_up;
    };
    let last = (0..store.events.len())
        .rev()
        .find(|&i| store.events.device(i) == device)
        .map_or(0, |i| store.events.time(i));
    let mut lost_issues: FxHashMap<u64, u32> = FxHashMap::default();
    for &time in ended {
        *lost_issues.entry(time).or_default() += 1;
    }
    let mut lost = Vec::new();
    let mut open = Vec::new();
    store.requests.each(all, |row| {
        if row.completed().is_none() && is_request(row) {
            open.push(row.row);
        }
    });
    for i in open {
        let start = store.requests.row(i).start();
        if let Some(n) = lost_issues.get_mut(&start).filter(|n| **n > 0) {
            *n -= 1;
            lost.push(i);
            continue;
        }
        let until = start.saturating_add(longest.saturating_mul(PATIENCE));
        if until < last {
            given_up.entry(until).or_default().0 += 1;
            lost.push(i);
        }
    }
    for i in lost {
        store.requests.make_momentary(i);
    }
    given_up
}

#[cfg(test)]
mod tests {
    use crate::fixture::store;
    use crate::store::Role;

    #[test]
    fn completions_alone_are_rows() {
        let s = store("0 C 0+8 R\n5 C - FN\n10 C 100+8 W dev=1\n20 C 8+16 W");
        assert_eq!(
            (s.requests.len(), s.quality.unmatched),
            (3, Default::default())
        );
        let row = s.requests.stored(2);
        assert_eq!(
            (row.start, row.completed, row.sector, row.bytes, row.bio),
            (20, Some(20), 8, 8192, true)
        );
        assert_eq!(
            (
                s.requests.row(2).d2c(),
                s.requests.row(2).q2c(),
                s.requests.row(2).issued()
            ),
            (None, None, None)
        );
        // A later Q or D: the completions before it are of requests that were issued before the
        // trace.
        assert_eq!(store("0 C 0+8\n10 D 8+8\n20 C 8+8").requests.len(), 1);
        assert_eq!(store("0 C 0+8\n10 Q 8+8\n20 C 8+8").quality.unmatched.c, 1);
    }

    #[test]
    fn roles_of_what_was_recorded() {
        let role = |text: &str| store(text).devices[0].role;
        assert_eq!(
            (role("0 C 0+8"), role("0 Q 0+8"), role("0 Q 0+8\n1 C 0+8")),
            (Role::Disk, Role::Disk, Role::Stacked)
        );
        assert_eq!(
            (role("0 Q 0+8\n1 G 0+8\n2 C 0+8"), role("0 P -")),
            (Role::Disk, Role::Stacked)
        );
    }
}
