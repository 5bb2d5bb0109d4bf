//! Events by action, and completed bytes.
//!
//! Equal to the counters of `blkparse`: every event counts, also without data; bytes are those of
//! all C except passthrough. Discards are separate from writes, which `blkparse` counts together.

use seekscope_trace::event::{Action, Flags, Op};

/// The counts of events of one device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    by_action: [u64; Action::ALL.len() + 1],
    /// M of one request into another one; also counted as M.
    pub request_merges: u64,
    /// Q and R with data, as in btt.
    pub data_queued: u64,
    /// Number of D with data.
    pub data_issued: u64,
    pub read_bytes: u64,
    pub write_bytes: u64,
    pub discard_bytes: u64,
}

impl EventCounts {
    pub fn add(&mut self, action: Action, flags: Flags, bytes: u32, n: u64) {
        self.by_action[action as usize] += n;
        let all = n * u64::from(bytes);
        match action {
            Action::BackMerge if flags.any(Flags::FS | Flags::PC) => self.request_merges += n,
            Action::Queue | Action::Requeue if bytes > 0 => self.data_queued += n,
            Action::Issue if bytes > 0 => self.data_issued += n,
            Action::Complete if !flags.has(Flags::PC) => match flags.op(bytes) {
                Op::Read => self.read_bytes += all,
                Op::Discard => self.discard_bytes += all,
                Op::Write | Op::Flush => self.write_bytes += all,
            },
            _ => {}
        }
    }

    pub fn count(&self, action: Action) -> u64 {
        self.by_action[action as usize]
    }

    /// Bios merged behind a request, without merges of complete requests.
    pub fn back_merges(&self) -> u64 {
        self.count(Action::BackMerge) - self.request_merges
    }

    /// btt's merge ratio: (Q + R) / D of events with data, at least 1; absent if either is missing.
    pub fn queued_per_issued(&self) -> Option<f64> {
        let any = self.count(Action::Queue) > 0 && self.data_queued > 0 && self.data_issued > 0;
        any.then(|| (self.data_queued as f64 / self.data_issued as f64).max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    fn counts(text: &str) -> EventCounts {
        let s = store(text);
        let mut counts = EventCounts::default();
        for i in 0..s.events.len() {
            counts.add(s.events.action(i), s.events.flags(i), s.events.bytes(i), 1);
        }
        counts
    }

    #[test]
    fn merges_and_bytes() {
        let c = counts(
            "0 Q 8+8
             1 Q 16+8
             2 M 16+8
             3 Q 0+8
             4 F 0+8
             5 M 8+24 WQ
             6 D 0+24
             7 D - FN
             8 C 0+16
             9 C 16+8
             10 C - FN
             11 C 0+4 R
             12 C 0+2 D
             13 C 0+1 RP",
        );
        assert_eq!(
            (
                c.count(Action::Queue),
                c.count(Action::BackMerge),
                c.count(Action::Complete)
            ),
            (3, 2, 6)
        );
        assert_eq!(
            (
                c.back_merges(),
                c.request_merges,
                c.count(Action::FrontMerge)
            ),
            (1, 1, 1)
        );
        assert_eq!(
            (c.read_bytes, c.write_bytes, c.discard_bytes),
            (4 * 512, 24 * 512, 2 * 512)
        );
        assert_eq!(c.queued_per_issued(), Some(3.0));
    }

    #[test]
    fn ratio_needs_both_and_is_never_below_one() {
        assert_eq!(counts("0 Q 0+8").queued_per_issued(), None);
        assert_eq!(counts("0 D 0+8").queued_per_issued(), None);
        assert_eq!(
            counts("0 D 0+8\n1 R 0+8\n2 D 0+8").queued_per_issued(),
            None
        );
        assert_eq!(
            counts("0 Q 0+8\n1 D 0+4\n2 D 4+4").queued_per_issued(),
            Some(1.0)
        );
    }
}
