//! Events with a time that cannot be: a flipped bit, say. Of a CPU and device, times only grow, so
//! an event that is far from both of its neighbours, while these are in order, is the one that is
//! damaged. It would move all later ones, or add years to the run.

use super::V8_HEADER;
use super::record::NOTIFY;
use crate::fields::Fields;
use serde::{Deserialize, Serialize};

/// Two neighbours may differ by this, in ns, without any doubt: clocks of old kernels step by less.
const NEAR: u64 = 1_000_000;
/// The same where its neighbours are of another CPU or device: the one event of a buffer in a
/// stream, which is written with those of the others.
const APART: u64 = 1_000_000_000;
/// The first event of a file may be after the second one by this, in ns.
const FIRST: u64 = 1_000_000_000;
/// The last event of a file may be after the one before it by this, in ns: a year.
const LAST: u64 = 366 * 86_400 * 1_000_000_000;
/// Bytes behind an event in which the next ones are looked for.
pub const FOLLOWING: usize = 4096;

/// When an event was recorded, by which CPU and of which device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventTime {
    /// Time in ns.
    pub time: u64,
    cpu: u32,
    device: u32,
}

/// The events that were left out for their time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOutliers {
    /// Byte at which the record of the first begins.
    pub byte: u64,
    /// The time of the event, and that of its neighbour: the one before, if there is one.
    pub time: u64,
    pub neighbour: u64,
    pub count: u64,
}

/// What follows an event, as far as it was searched for.
#[derive(Clone, Copy, Debug)]
pub enum Following {
    /// The next event, and the one after it if that was needed.
    Events(EventTime, Option<EventTime>),
    /// The event is the last one of the file.
    End,
    /// Something else follows.
    Other,
}

impl EventTime {
    /// The time of another event of the same CPU and device.
    #[inline(always)]
    pub fn with_time(self, time: u64) -> EventTime {
        EventTime { time, ..self }
    }

    /// The time in a record's header; `None` for notes, which may have another clock.
    #[inline(always)]
    pub fn from_header<const BIG: bool>(head: &[u8]) -> Option<EventTime> {
        let fields = Fields::<BIG>(head);
        let (action, cpu) = if head.len() == V8_HEADER {
            (fields.u64(32), 44)
        } else {
            (fields.u32(28).into(), 40)
        };
        (action & NOTIFY == 0).then(|| EventTime {
            time: fields.u64(8),
            cpu: fields.u32(cpu),
            device: fields.u32(cpu - 4),
        })
    }

    /// Whether it can follow `last` without a look at what follows.
    #[inline(always)]
    pub fn is_near(self, last: Option<EventTime>) -> bool {
        last.is_some_and(|last| self.time.wrapping_sub(last.time) <= NEAR)
    }

    /// Whether times of one grow into those of the other: a stream has a buffer of each CPU and
    /// device after another.
    fn is_like(self, other: EventTime) -> bool {
        (self.cpu, self.device) == (other.cpu, other.device)
    }

    /// The neighbour that shows that this time cannot be; `None` if it can.
    #[cold]
    pub fn disproof(self, last: Option<EventTime>, following: Following) -> Option<EventTime> {
        match (last, following) {
            (Some(last), Following::End) => {
                Some(last).filter(|_| self.time.saturating_sub(last.time) > LAST)
            }
            (Some(last), Following::Events(next, _)) => {
                let alike = last.is_like(self) && self.is_like(next);
                let tolerance = if alike { NEAR } else { APART };
                let off = self.time.saturating_sub(next.time) > tolerance
                    || last.time.saturating_sub(self.time) > tolerance;
                let agree = next.time >= last.time && (alike || next.time - last.time <= NEAR);
                (off && agree).then_some(last)
            }
            (None, Following::Events(next, Some(then))) => {
                let alike = self.is_like(next) && self.is_like(then);
                (alike && then.time >= next.time && self.time.saturating_sub(then.time) > FIRST)
                    .then_some(next)
            }
            _ => None,
        }
    }
}

impl Following {
    /// Looks for events in what is behind one with a header of `HEADER` bytes; `None` if more bytes
    /// are needed.
    pub fn search<const BIG: bool, const HEADER: usize>(
        behind: &[u8],
        magic: [u8; 4],
        needs_two: bool,
        end: bool,
    ) -> Option<Following> {
        let mut rest = &behind[..behind.len().min(FOLLOWING)];
        let mut next = None;
        while let Some((head, after)) = rest
            .split_first_chunk::<HEADER>()
            .filter(|(head, _)| head[..4] == magic)
        {
            match (EventTime::from_header::<BIG>(head), next) {
                (None, _) => {}
                (Some(event), None) if needs_two => next = Some(event),
                (Some(event), None) => return Some(Following::Events(event, None)),
                (Some(event), Some(next)) => return Some(Following::Events(next, Some(event))),
            }
            let length =
                usize::from(Fields::<BIG>(head).u16(if HEADER == V8_HEADER { 50 } else { 46 }));
            rest = after.get(length..).unwrap_or_default();
        }
        let all = end || behind.len() >= FOLLOWING || rest.len() >= HEADER;
        all.then_some(if behind.is_empty() {
            Following::End
        } else {
            Following::Other
        })
    }
}

impl TimeOutliers {
    /// Counts an outlier.
    pub fn note(
        outliers: &mut Option<TimeOutliers>,
        byte: u64,
        outlier: EventTime,
        neighbour: EventTime,
    ) {
        let first = TimeOutliers {
            byte,
            time: outlier.time,
            neighbour: neighbour.time,
            count: 0,
        };
        outliers.get_or_insert(first).count += 1;
    }
}
