//! Flushes and forced writes.
//!
//! preflush: bios (Q) that request a flush first, with or without data. flush: cache flushes sent to the device, D without data. fua:
//! forced writes sent to the device, D with FUA. On a device without D, Q counts. On a device without FUA the kernel turns a
//! forced write into a write and a flush: its D has no FUA, which is how the two are distinguished.
//! Busy share: part of [first Q, last C] in which at least one flush is in flight, from D (Q without D) to C.

use super::ratio;
use crate::event::{Action, Flags};
use serde::Serialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Flush {
    /// Bios that request a flush first.
    pub preflush: u64,
    /// Cache flushes sent to the device.
    pub flush: u64,
    /// Forced writes sent to the device.
    pub fua: u64,
    /// Share of time with a flush in flight.
    pub busy_share: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct FlushCounter {
    preflush: u64,
    /// [flushes, forced writes] at Q and at D.
    queued: [u64; 2],
    issued: [u64; 2],
    any_issue: bool,
    /// Length of the union of the times in flight, and the end of that union.
    busy: u64,
    until: u64,
}

impl FlushCounter {
    #[inline]
    pub fn add(&mut self, action: Action, flags: Flags, bytes: u32) {
        let at = match action {
            Action::Queue => &mut self.queued,
            Action::Issue => {
                self.any_issue = true;
                &mut self.issued
            }
            _ => return,
        };
        if flags.any(Flags::FLUSH | Flags::FUA) {
            at[0] += u64::from(flags.has(Flags::FLUSH) && bytes == 0);
            at[1] += u64::from(flags.has(Flags::FUA));
            self.preflush += u64::from(action == Action::Queue && flags.has(Flags::FLUSH));
        }
    }

    /// Adds the time in flight of a flush, clipped to the active time; start times must ascend.
    pub fn in_flight(&mut self, from: u64, to: u64) {
        let from = from.max(self.until);
        if to > from {
            self.busy += to - from;
            self.until = to;
        }
    }

    /// The figures, given the length of [first Q, last C].
    pub fn finish(&self, active_ns: u64) -> Flush {
        let [flush, fua] = if self.any_issue { self.issued } else { self.queued };
        Flush { preflush: self.preflush, flush, fua, busy_share: ratio(u128::from(self.busy), u128::from(active_ns)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fixture::store;

    fn tally(text: &str) -> FlushCounter {
        let s = store(text);
        let mut tally = FlushCounter::default();
        for i in 0..s.events.len() {
            tally.add(s.events.action(i), s.events.flags(i), s.events.bytes(i));
        }
        tally
    }

    #[test]
    fn a_forced_write_on_a_device_without_fua() {
        let mut t = tally(
            "0 Q 8+8 FWFS
             10 D - FN
             20 C - FN
             30 D 8+8 WS
             40 C 8+8 WS
             50 D - FN
             60 C - FN",
        );
        [(10, 20), (15, 18), (50, 60)].into_iter().for_each(|(from, to)| t.in_flight(from, to));
        assert_eq!(t.finish(100), Flush { preflush: 1, flush: 2, fua: 0, busy_share: 0.2 });
    }

    #[test]
    fn with_fua_and_without_requests() {
        let fua = tally("0 Q 8+8 WFS\n1 D 8+8 WFS").finish(0);
        assert_eq!(fua, Flush { preflush: 0, flush: 0, fua: 1, busy_share: 0.0 });
        let md = tally("0 Q 8+8 FWFS\n1 Q - FN").finish(10);
        assert_eq!((md.preflush, md.flush, md.fua), (2, 1, 1));
        assert_eq!(FlushCounter::default().finish(0), Flush::default());
    }
}
