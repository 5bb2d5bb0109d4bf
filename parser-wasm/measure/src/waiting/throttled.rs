//! Bios that blk-throttle (io.max of a control group) held back before they were queued, by its
//! messages:
//!
//! ```text
//! throtl [R] bio. bdisp=98304 sz=4096 bps=18446744073709551615 iodisp=25 iops=250 queued=0/0
//! throtl bios disp=8
//! ```
//!
//! The first one is a bio that is held back, with the limits of its control group; the second one
//! releases as many. Kernels before 4.14 have the path of the control group as second word, later
//! ones its id in the record: 1, that of the root, unless the tracer's option `blk_cgroup` is set.
//! The process of the first one is that of the bio. bps and iops without a limit are the largest
//! number of 32 or 64 bits.

use crate::span::Window;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Message, Process, Store};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Control groups and processes that are kept: those with the most bios.
const MAX_LISTED: usize = 3;
/// Limit for the groups and processes that are counted apart.
const MAX_COUNTED: usize = 1000;
/// The id of the root, which has no limits: the group is not known.
const ROOT: u64 = 1;

/// The bios that were held back on a device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThrottledBios {
    /// Number of bios that were held back.
    pub bios: u64,
    /// Time in which at least one was.
    pub ns: u64,
    /// Limits of the group with the most bios, of reads and of writes.
    pub read: ThrottleLimit,
    pub write: ThrottleLimit,
    /// Their control groups with the number of bios, the most first; empty where they are not
    /// known.
    pub groups: Vec<(String, u64)>,
    /// Their processes (thread id, name) with the number of bios, the most first.
    pub processes: Vec<(u32, String, u64)>,
}

/// The limit; absent fields are not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThrottleLimit {
    /// Bytes per second.
    pub bps: Option<u64>,
    /// Bios per second.
    pub iops: Option<u64>,
}

#[derive(Clone, Copy, Default)]
struct GroupCount {
    bios: u64,
    limits: [ThrottleLimit; 2],
}

/// A device's bios held back by blk-throttle.
#[derive(Default)]
struct Counter {
    /// By name; empty where it is not known.
    groups: BTreeMap<String, GroupCount>,
    /// By thread id.
    processes: BTreeMap<u32, u64>,
    bios: u64,
    ns: u64,
    held: u64,
    since: u64,
}

/// The meaning of a message.
#[derive(Debug, PartialEq)]
enum ThrottleMessage<'a> {
    Held {
        path: Option<&'a str>,
        write: bool,
        limit: ThrottleLimit,
    },
    Released(u64),
}

fn number(text: &str, name: &str) -> Option<u64> {
    let value = text
        .split_ascii_whitespace()
        .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
    value.parse().ok()
}

fn parse(text: &str) -> Option<ThrottleMessage<'_>> {
    let rest = text.strip_prefix("throtl ")?;
    let (path, rest) = match rest.split_once(' ') {
        Some((path, rest)) if path.starts_with('/') => (Some(path), rest),
        _ => (None, rest),
    };
    if let Some(released) = rest.strip_prefix("bios ") {
        return Some(ThrottleMessage::Released(number(released, "disp")?));
    }
    let (direction, bio) = rest.split_once("] bio. ")?;
    let limit =
        |name: &str| number(bio, name).filter(|&n| n != u64::MAX && n != u64::from(u32::MAX));
    let limit = ThrottleLimit {
        bps: limit("bps"),
        iops: limit("iops"),
    };
    Some(ThrottleMessage::Held {
        path,
        write: direction == "[W",
        limit,
    })
}

impl Counter {
    fn add(&mut self, row: &Message, message: &ThrottleMessage) {
        let time = row.time;
        match message {
            ThrottleMessage::Held { path, write, limit } => {
                if self.held == 0 {
                    self.since = time;
                }
                self.held += 1;
                self.bios += 1;
                if self.processes.len() < MAX_COUNTED || self.processes.contains_key(&row.pid) {
                    *self.processes.entry(row.pid).or_default() += 1;
                }
                let name = match (path, row.cgroup) {
                    (Some(path), _) => (*path).to_owned(),
                    (None, Some(id)) if id != ROOT => format!("cgroup {id}"),
                    _ => String::new(),
                };
                if self.groups.len() < MAX_COUNTED || self.groups.contains_key(&name) {
                    let count = self.groups.entry(name).or_default();
                    count.bios += 1;
                    count.limits[usize::from(*write)] = *limit;
                }
            }
            ThrottleMessage::Released(n) => {
                if self.held > 0 && *n >= self.held {
                    self.ns = self.ns.saturating_add(time.saturating_sub(self.since));
                }
                self.held = self.held.saturating_sub(*n);
            }
        }
    }

    fn finish(mut self, store: &Store, end: u64) -> Option<ThrottledBios> {
        if self.bios == 0 {
            return None;
        }
        if self.held > 0 {
            self.ns = self.ns.saturating_add(end.saturating_sub(self.since));
        }
        let mut groups: Vec<(String, GroupCount)> = self.groups.into_iter().collect();
        groups.sort_short_by_key(|(_, count)| Reverse(count.bios));
        let [read, write] = groups
            .first()
            .map(|(_, count)| count.limits)
            .unwrap_or_default();
        let groups = groups
            .into_iter()
            .filter(|(name, _)| !name.is_empty())
            .take(MAX_LISTED)
            .map(|(name, count)| (name, count.bios));
        let mut processes: Vec<(u32, u64)> = self.processes.into_iter().collect();
        processes.sort_short_by_key(|(_, bios)| Reverse(*bios));
        let name = |pid: u32| {
            store
                .processes
                .iter()
                .find(|process| process.pid == pid)
                .map_or_else(|| format!("pid {pid}"), Process::label)
        };
        let processes = processes
            .into_iter()
            .take(MAX_LISTED)
            .map(|(pid, bios)| (pid, name(pid), bios));
        Some(ThrottledBios {
            bios: self.bios,
            ns: self.ns,
            read,
            write,
            groups: groups.collect(),
            processes: processes.collect(),
        })
    }
}

/// Per device, within the window; `active` are first Q and last C of each. `None` where no message
/// shows such a bio.
pub fn throttled(
    store: &Store,
    window: Window,
    active: &[(u64, u64)],
) -> Vec<Option<ThrottledBios>> {
    let mut counters: Vec<Counter> = active.iter().map(|_| Counter::default()).collect();
    let messages = &store.messages;
    let in_window = |time: u64| time >= window.from && time < window.to;
    for (i, row) in messages
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| in_window(row.time))
    {
        let start = row.text.0 as usize;
        let is_throttle = messages
            .text
            .get(start..)
            .is_some_and(|text| text.starts_with(b"throtl "));
        let Some(counter) = counters
            .get_mut(row.device as usize)
            .filter(|_| is_throttle)
        else {
            continue;
        };
        if let Some(message) = parse(&messages.text(i)) {
            counter.add(row, &message);
        }
    }
    counters
        .into_iter()
        .zip(active)
        .map(|(counter, (_, end))| counter.finish(store, *end))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(messages: &[(u64, Option<u64>, &str)]) -> Store {
        let mut store = Store::default();
        for (time, cgroup, text) in messages {
            let place = (store.messages.text.len() as u32, text.len() as u16);
            store.messages.text.extend_from_slice(text.as_bytes());
            store.messages.rows.push(Message {
                time: *time,
                cpu: 0,
                device: 0,
                pid: 1,
                cgroup: *cgroup,
                text: place,
            });
        }
        store
    }

    const READ: &str =
        "throtl [R] bio. bdisp=0 sz=4096 bps=18446744073709551615 iodisp=25 iops=250 queued=0/0";
    const WRITE: &str =
        "throtl [W] bio. bdisp=0 sz=4096 bps=1048576 iodisp=1 iops=4294967295 queued=0/1";

    #[test]
    fn time_in_which_bios_are_held_back() {
        let s = store(&[
            (10, Some(7), READ),
            (15, Some(7), READ),
            (20, Some(9), WRITE),
            (25, Some(7), "throtl dispatch nr_queued=1 read=1 write=0"),
            (30, Some(7), "throtl bios disp=2"),
            (40, Some(7), "throtl bios disp=1"),
            (60, Some(7), READ),
            (61, None, "cfq throtl [R] bio. iops=1"),
        ]);
        let found = throttled(&s, Window::WHOLE, &[(5, 100)])
            .remove(0)
            .expect("bios are held back");
        assert_eq!((found.bios, found.ns), (4, 30 + 40));
        assert_eq!(
            found.groups,
            [("cgroup 7".to_owned(), 3), ("cgroup 9".to_owned(), 1)]
        );
        assert_eq!(found.processes, [(1, "pid 1".to_owned(), 4)]);
        assert_eq!(
            found.read,
            ThrottleLimit {
                bps: None,
                iops: Some(250)
            }
        );
        assert_eq!(found.write, ThrottleLimit::default(), "of the other group");
        assert_eq!(
            throttled(&s, Window { from: 0, to: 10 }, &[(5, 100)]),
            [None]
        );
        assert_eq!(throttled(&s, Window::WHOLE, &[]), []);
        // The option `blk_cgroup` is off.
        let s = store(&[
            (10, Some(ROOT), READ),
            (20, Some(ROOT), "throtl bios disp=1"),
        ]);
        let found = throttled(&s, Window::WHOLE, &[(5, 100)])
            .remove(0)
            .expect("a bio is held back");
        assert_eq!(
            (found.groups.len(), found.processes.len(), found.read.iops),
            (0, 1, Some(250))
        );
    }

    #[test]
    fn older_kernels_have_the_path() {
        let message = parse(
            "throtl /load [W] bio. bdisp=0 sz=4096 bps=1048576 iodisp=0 iops=4294967295 queued=0/0",
        );
        let limit = ThrottleLimit {
            bps: Some(1 << 20),
            iops: None,
        };
        assert_eq!(
            message,
            Some(ThrottleMessage::Held {
                path: Some("/load"),
                write: true,
                limit
            })
        );
        assert_eq!(parse("throtl [R] new slice start=1 end=2 jiffies=3"), None);
        assert_eq!(parse("throtl bios disp=x"), None);
        assert_eq!(parse("bfq [R] bio. "), None);
    }
}
