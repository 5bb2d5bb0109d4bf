//! What was requested of the devices of a trace: bytes, and where.

use crate::event::{Action, Flags, Op};
use crate::measure::Window;
use crate::store::{Device, Store, rows};
use serde::{Deserialize, Serialize};

/// Bytes requested of a device, at Q, D or C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RequestedWork {
    /// Bytes.
    pub read: u64,
    /// Bytes.
    pub write: u64,
    /// Bytes.
    pub discard: u64,
    /// Bytes read ahead.
    pub ahead: u64,
}

/// By device, at Q, D and C; absent where the action was not recorded.
pub fn works(store: &Store, window: Window) -> Vec<[Option<RequestedWork>; 3]> {
    let recorded = |d: &Device| {
        [Action::Queue, Action::Issue, Action::Complete].map(|action| d.recorded.has(action).then(RequestedWork::default))
    };
    let mut works: Vec<_> = store.devices.iter().map(recorded).collect();
    let events = &store.events;
    rows::each(window.events(events), |i| {
        let at = match events.action(i) {
            Action::Queue => 0,
            Action::Issue => 1,
            Action::Complete => 2,
            _ => return,
        };
        let (bytes, flags) = (u64::from(events.bytes(i)), events.flags(i));
        let Some(work) = works.get_mut(events.device(i) as usize).and_then(|all| all[at].as_mut()) else { return };
        if bytes == 0 || flags.has(Flags::PC) {
            return;
        }
        match flags.op(events.bytes(i)) {
            Op::Read => {
                work.read += bytes;
                work.ahead += if flags.has(Flags::AHEAD) { bytes } else { 0 };
            }
            Op::Write => work.write += bytes,
            Op::Discard => work.discard += bytes,
            Op::Flush => {}
        }
    });
    works
}

/// Deciles of what each device's requests touch.
pub fn places(store: &Store, window: Window) -> Vec<Vec<u64>> {
    let requests = &store.requests;
    let mut touched: Vec<Vec<(u64, u64)>> = vec![Vec::new(); store.devices.len()];
    rows::each(window.rows(requests), |row| {
        let (sector, sectors) = (requests.sector(row), requests.sectors(row));
        if sectors > 0
            && sector != u64::MAX
            && let Some(of_device) = touched.get_mut(requests.device(row) as usize)
        {
            of_device.push((sector, sectors));
        }
    });
    touched.into_iter().map(deciles).collect()
}

/// Of (sector, sectors).
fn deciles(mut touched: Vec<(u64, u64)>) -> Vec<u64> {
    touched.sort_unstable();
    let all: u128 = touched.iter().map(|t| u128::from(t.1)).sum();
    let mut deciles = Vec::new();
    let mut below: u128 = 0;
    for (sector, sectors) in touched {
        below += u128::from(sectors);
        while deciles.len() <= 10 && below * 10 >= all * deciles.len() as u128 {
            deciles.push(sector);
        }
    }
    deciles
}
