//! How much is read ahead at a time: bios of a readahead that one process queues one after another,
//! each where the one before ended, until it unplugs or does something else.
//!
//! The size of a bio does not show it where a limit of the device cuts the readahead into bios of
//! equal size.

use crate::{Window, ratio};
use rustc_hash::FxHashMap;
use seekscope_trace::event::{Action, Flags};
use seekscope_trace::store::{EventKind, Store};
use serde::{Deserialize, Serialize};

/// A bio that is queued later than this after the one before belongs to another readahead, ns.
const GAP: u64 = 1_000_000;
/// With so many requests the kernel flushes a plug in the middle of a readahead.
const PLUGGED: u32 = 16;

/// The readaheads of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Readaheads {
    pub count: u64,
    pub bytes: u64,
}

impl Readaheads {
    /// Mean bytes per readahead.
    pub fn mean(self) -> f64 {
        ratio(u128::from(self.bytes), u128::from(self.count))
    }
}

/// The last readahead of a process on a device.
#[derive(Clone, Copy, Debug)]
struct OpenReadahead {
    time: u64,
    /// The sector at which the next bio would continue it.
    sector: u64,
    /// Number of bios since the last unplug.
    bios: u32,
    unplugged: bool,
}

/// Per device; `None` where nothing was read ahead.
pub fn readaheads(store: &Store, window: Window) -> Vec<Option<Readaheads>> {
    let mut found: Vec<Option<Readaheads>> = vec![None; store.devices.len()];
    let events = &store.events;
    let is_ahead = |kind: &EventKind| {
        kind.action == Action::Queue && kind.flags.has(Flags::AHEAD) && kind.bytes > 0
    };
    if !events.each_kind().any(is_ahead) {
        return found;
    }
    let mut open: FxHashMap<(u32, u32), OpenReadahead> = FxHashMap::default();
    for i in window.events(events) {
        let (kind, process) = events.kind_and_process(i);
        let key = (kind.device, process);
        if is_ahead(kind) {
            let (time, sector) = (events.time(i), events.sector(i));
            let Some(device) = found.get_mut(kind.device as usize) else {
                continue;
            };
            let all = device.get_or_insert_default();
            let before = open.get(&key).filter(|last| {
                last.sector == sector && !last.unplugged && time.saturating_sub(last.time) <= GAP
            });
            all.count += u64::from(before.is_none());
            all.bytes += u64::from(kind.bytes);
            let bios = before.map_or(0, |last| last.bios) + 1;
            let next = OpenReadahead {
                time,
                sector: sector.wrapping_add(u64::from(kind.bytes >> 9)),
                bios,
                unplugged: false,
            };
            open.insert(key, next);
        } else if matches!(kind.action, Action::Unplug | Action::UnplugTimer)
            && let Some(last) = open.get_mut(&key)
        {
            last.unplugged = last.bios < PLUGGED;
            last.bios = 0;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn bios_that_follow_each_other_are_one_readahead() {
        let s = store(
            "0 Q 0+8 RA pid=1
             10 Q 8+8 RA pid=1
             12 Q 900+8 RA pid=2
             20 Q 16+8 RA pid=1
             30 U - N pid=1
             40 Q 24+8 RA pid=1
             2000000 Q 32+8 RA pid=1
             2000010 Q 64+8 RA pid=1
             2000020 Q 72+8 R pid=1",
        );
        // Three, one of the other process, and one each after an unplug, a gap and a jump.
        let expected = Readaheads {
            count: 5,
            bytes: 7 * 4096,
        };
        assert_eq!(readaheads(&s, Window::WHOLE), [Some(expected)]);
        assert_eq!(readaheads(&store("0 Q 0+8 R"), Window::WHOLE), [None]);
    }

    #[test]
    fn a_plug_that_is_full_does_not_end_it() {
        let bios = (0..40_u64).map(|i| {
            let unplug = if i % 16 == 15 { "\n5 U - N pid=1" } else { "" };
            format!("5 Q {}+8 RA pid=1{unplug}", i * 8)
        });
        let text = bios.collect::<Vec<_>>().join("\n");
        let found = readaheads(&store(&text), Window::WHOLE).remove(0);
        assert_eq!(found.map(|all| all.count), Some(1));
    }
}
