//! Bytes that each partition of a disk passed on to it, by A events whose source has the disk's
//! major number: mapped devices have another one, and what they pass on to a partition is not
//! counted twice.

use crate::span::Window;
use seekscope_trace::event::{Action, DeviceNumber, EventDetail};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Store, rows};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Partitions that are kept: those with the most bytes.
const MAX_PARTITIONS: usize = 6;

/// Per device: names of partitions and their bytes, the most bytes first; empty where fewer than
/// two partitions were used.
pub fn partitions(store: &Store, window: Window) -> Vec<Vec<(String, u64)>> {
    let mut bytes: Vec<BTreeMap<DeviceNumber, u64>> = vec![BTreeMap::new(); store.devices.len()];
    let events = &store.events;
    if store
        .devices
        .iter()
        .any(|device| device.recorded.has(Action::Remap))
    {
        rows::each(window.events(events), |i| {
            if events.action(i) == Action::Remap
                && let EventDetail::Remap { from, .. } = events.detail(i)
                && let Some(disk) = store.devices.get(events.device(i) as usize)
                && from.major() == disk.number.major()
                && from != disk.number
            {
                *bytes[events.device(i) as usize].entry(from).or_default() +=
                    u64::from(events.bytes(i));
            }
        });
    }
    let name = |number: DeviceNumber| {
        store
            .devices
            .iter()
            .find(|device| device.number == number)
            .map_or_else(|| number.to_string(), |device| device.name.clone())
    };
    let named = |all: BTreeMap<DeviceNumber, u64>| {
        let mut list: Vec<(DeviceNumber, u64)> =
            all.into_iter().filter(|(_, bytes)| *bytes > 0).collect();
        list.sort_short_by_key(|(_, bytes)| Reverse(*bytes));
        if list.len() < 2 {
            Vec::new()
        } else {
            list.into_iter()
                .take(MAX_PARTITIONS)
                .map(|(number, n)| (name(number), n))
                .collect()
        }
    };
    bytes.into_iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn remaps_from_partitions_count_and_those_of_others_do_not() {
        let s = store(
            "0 Q 0+8 W
             1 A 2048+8 W from=1:0
             2 A 4096+16 W from=2:0
             3 A 2056+8 W from=1:8",
        );
        let names = |list: &[(String, u64)]| {
            list.iter()
                .map(|(name, bytes)| (name.clone(), *bytes))
                .collect::<Vec<_>>()
        };
        let both = [("8,1".to_owned(), 8192), ("8,2".to_owned(), 8192)];
        assert_eq!(names(&partitions(&s, Window::WHOLE)[0]), both);
        assert_eq!(
            partitions(&s, Window { from: 0, to: 2 })[0],
            [],
            "one partition is no choice"
        );
    }
}
