//! Requests that waited in a plug until a timer released it, as in kernels before 2.6.39.
//!
//! There a plug belonged to the queue: the first request in an empty queue plugged it, and if no
//! process unplugged it, a timer did after `unplug_delay`, 3 ms in whole ticks of the clock. The
//! timer runs in the context of whichever task it interrupts. Since 2.6.39 a plug belongs to a
//! process, and UT means that this process went to sleep: it is no timer. So an unplug counts as
//! that of a timer if its process has no plug of its own open, and the plug has been open for as
//! long as a timer takes.

use crate::{Window, ratio};
use rustc_hash::FxHashSet;
use seekscope_trace::event::Action;
use seekscope_trace::store::Store;
use serde::{Deserialize, Serialize};

use crate::tail::plugs::PlugEvents;

/// Minimum time from the plug to the unplug, ns: 3 ms are a single tick at 250 Hz, of which up to
/// the whole has passed.
pub const MIN_DELAY: u64 = 1_000_000;
/// Maximum time, ns: a tick at 100 Hz, and some latency of the timer.
pub const MAX_DELAY: u64 = 15_000_000;

/// Plugs of a device that a timer released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimerUnplugs {
    pub count: u64,
    /// Time from these plugs to their release.
    pub ns: u64,
}

impl TimerUnplugs {
    /// ns from a plug to its release.
    pub fn mean(self) -> f64 {
        ratio(u128::from(self.ns), u128::from(self.count))
    }
}

#[derive(Clone, Debug, Default)]
struct OpenPlugs {
    /// Processes with a plug that they have not released.
    processes: FxHashSet<u32>,
    /// The first plug since the last unplug.
    since: Option<u64>,
}

/// Per device, the times from plugs to their release by a timer, in their order.
pub fn intervals(store: &Store) -> Vec<Vec<(u64, u64)>> {
    let mut found = vec![Vec::new(); store.devices.len()];
    let mut kinds = store.events.each_kind();
    if !kinds.any(|kind| kind.action == Action::UnplugTimer) {
        return found;
    }
    let mut open = vec![OpenPlugs::default(); store.devices.len()];
    let mut plugs = PlugEvents::new(store, 0);
    while let Some(plug) = plugs.take() {
        let Some(device) = open.get_mut(plug.device as usize) else {
            continue;
        };
        if plug.action == Action::Plug {
            device.processes.insert(plug.process);
            device.since.get_or_insert(plug.time);
            continue;
        }
        let is_own = device.processes.remove(&plug.process);
        let Some(since) = device.since.take() else {
            continue;
        };
        let delay = plug.time.saturating_sub(since);
        if plug.action == Action::UnplugTimer && !is_own && (MIN_DELAY..=MAX_DELAY).contains(&delay)
        {
            found[plug.device as usize].push((since, plug.time));
        }
    }
    found
}

/// Per device, within the window and its active time; `None` without any.
pub fn timer_unplugs(
    store: &Store,
    window: Window,
    active: &[(u64, u64)],
) -> Vec<Option<TimerUnplugs>> {
    let count = |(intervals, active): (Vec<(u64, u64)>, &(u64, u64))| {
        let mut all = TimerUnplugs::default();
        for (from, to) in intervals {
            let (from, to) = window.clip((from.clamp(active.0, active.1), to.min(active.1)));
            if to > from {
                all.count += 1;
                all.ns += to - from;
            }
        }
        (all.count > 0).then_some(all)
    };
    intervals(store)
        .into_iter()
        .zip(active)
        .map(count)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    fn found(text: &str) -> Vec<(u64, u64)> {
        intervals(&store(text)).remove(0)
    }

    #[test]
    fn a_timer_releases_what_nobody_did() {
        let read = "
            0 Q 0+8 R pid=7
            10 P - N pid=7
            20 I 0+8 R pid=7
            3700000 UT - N pid=1
            3710000 U - N pid=50
            3720000 D 0+8 R pid=50
            9000000 C 0+8 R";
        assert_eq!(found(read), [(10, 3_700_000)]);
        let active = [(0, 9_000_000)];
        assert_eq!(
            timer_unplugs(&store(read), Window::WHOLE, &active),
            [Some(TimerUnplugs {
                count: 1,
                ns: 3_699_990
            })]
        );
        let before = Window { from: 0, to: 5 };
        assert_eq!(timer_unplugs(&store(read), before, &active), [None]);
    }

    #[test]
    fn a_process_that_sleeps_with_its_plug_is_no_timer() {
        let sleeps = "
            0 Q 0+8 R pid=7
            10 P - N pid=7
            3700000 UT - N pid=7
            3720000 D 0+8 R pid=7
            9000000 C 0+8 R";
        assert_eq!(found(sleeps), []);
        // Another process's plug is open as long as a timer takes.
        let others = sleeps.replace("10 P - N pid=7", "10 P - N pid=8\n15 P - N pid=7");
        assert_eq!(found(&others), []);
        // Released at once, and after a time that no timer takes.
        let at_once = sleeps.replace("3700000 UT - N pid=7", "30000 UT - N pid=1");
        assert_eq!(found(&at_once), []);
        let late = sleeps.replace("3700000 UT - N pid=7", "3700000000 UT - N pid=1");
        assert_eq!(
            found(
                &late
                    .replace("3720000 D", "3720000000 D")
                    .replace("9000000 C", "9000000000 C")
            ),
            []
        );
    }
}
