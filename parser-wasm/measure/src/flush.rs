//! Flushes and forced writes.
//!
//! preflush: bios (Q) that request a flush first, with or without data. flush: cache flushes sent
//! to the device, D without data. fua: forced writes sent to the device, D with FUA. On a device
//! without D, Q counts. On a device without FUA the kernel turns a forced write into a write and a
//! flush: its D has no FUA, which is how the two are distinguished. Busy share: part of [first Q,
//! last C] in which at least one flush is in flight, from D (Q without D) to C.

use super::ratio;
use seekscope_trace::event::{Action, Flags};
use seekscope_trace::store::{Device, Role};
use serde::Serialize;

/// Actions that were not recorded are absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Flush {
    /// Bios that request a flush first; needs Q.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preflush: Option<u64>,
    /// Cache flushes sent to the device; needs D, or Q on a device without requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flush: Option<u64>,
    /// Forced writes sent to the device; needs the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fua: Option<u64>,
    /// Share of time with a flush in flight; needs C as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_share: Option<f64>,
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
    pub fn add(&mut self, action: Action, flags: Flags, bytes: u32, n: u64) {
        let counts = match action {
            Action::Queue => &mut self.queued,
            Action::Issue => {
                self.any_issue = true;
                &mut self.issued
            }
            _ => return,
        };
        if flags.any(Flags::FLUSH | Flags::FUA) {
            counts[0] += n * u64::from(flags.has(Flags::FLUSH) && bytes == 0);
            counts[1] += n * u64::from(flags.has(Flags::FUA));
            self.preflush += n * u64::from(action == Action::Queue && flags.has(Flags::FLUSH));
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

    /// The figures, given the length of [first Q, last C] and the device.
    pub fn finish(&self, active_ns: u64, Device { recorded, role, .. }: &Device) -> Flush {
        let [flush, fua] = if self.any_issue {
            self.issued
        } else {
            self.queued
        };
        let queued = recorded.is_known(Action::Queue);
        let sent = recorded.is_known(Action::Issue) || queued && *role != Role::Disk;
        let ended = sent && recorded.is_known(Action::Complete);
        Flush {
            preflush: queued.then_some(self.preflush),
            flush: sent.then_some(flush),
            fua: sent.then_some(fua),
            busy_share: ended.then(|| ratio(u128::from(self.busy), u128::from(active_ns))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    fn tally(text: &str) -> (FlushCounter, Device) {
        let s = store(text);
        let mut tally = FlushCounter::default();
        for i in 0..s.events.len() {
            tally.add(s.events.action(i), s.events.flags(i), s.events.bytes(i), 1);
        }
        (tally, s.devices[0].clone())
    }

    fn flush(preflush: u64, flush: u64, fua: u64, busy_share: f64) -> Flush {
        Flush {
            preflush: Some(preflush),
            flush: Some(flush),
            fua: Some(fua),
            busy_share: Some(busy_share),
        }
    }

    #[test]
    fn a_forced_write_on_a_device_without_fua() {
        let (mut t, device) = tally(
            "0 Q 8+8 FWFS
             10 D - FN
             20 C - FN
             30 D 8+8 WS
             40 C 8+8 WS
             50 D - FN
             60 C - FN",
        );
        [(10, 20), (15, 18), (50, 60)]
            .into_iter()
            .for_each(|(from, to)| t.in_flight(from, to));
        assert_eq!(t.finish(100, &device), flush(1, 2, 0, 0.2));
    }

    #[test]
    fn with_fua_and_without_requests() {
        let flush_of = |text: &str| {
            let (counter, device) = tally(text);
            counter.finish(10, &device)
        };
        assert_eq!(
            flush_of("0 Q 8+8 WFS\n1 D 8+8 WFS\n2 C 8+8 WFS"),
            flush(0, 0, 1, 0.0)
        );
        assert_eq!(
            flush_of("0 Q 8+8 FWFS\n1 Q - FN\n2 C 8+8"),
            flush(2, 1, 1, 0.0)
        );
        // Absent without the events that they are counted at.
        assert_eq!(
            flush_of("0 D 8+8 WFS"),
            Flush {
                fua: Some(1),
                flush: Some(0),
                ..Flush::default()
            }
        );
        assert_eq!(
            flush_of("0 Q 8+8 FWFS\n1 G 8+8"),
            Flush {
                preflush: Some(1),
                ..Flush::default()
            }
        );
        assert_eq!(flush_of("0 C 8+8 WFS"), Flush::default());
    }
}
