//! Adds up how long a device was in each state that matters for a request that waits for it, or is
//! in it. A part of a request's time is the difference of two readings.
//!
//! That is why the cost per event does not grow with the number of slow requests: the clocks run
//! once per device, and a slow request remembers only its readings.

use super::RowKind;

/// Readings, ns. Each moment counts once in `queue`, `flight` and `flush`, or in `lost`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// For a request that is not issued: behind a flush, held, behind writes, behind others, held
    /// before anything was issued, behind the only one that the device ever has, in a plug that a
    /// timer releases.
    pub queue: [u64; 7],
    /// For a request in flight: with a flush, alone, with mostly writes, with others.
    pub flight: [u64; 4],
    /// For a flush in flight: with another flush, alone, with others.
    pub flush: [u64; 3],
    /// Time in which events were lost.
    pub lost: u64,
}

pub(super) const HELD: usize = 1;
pub(super) const HELD_FIRST: usize = 4;
/// The run does not show whether the device takes more than one request.
pub(super) const ONE: usize = 5;
pub(super) const TIMER: usize = 6;

impl Clock {
    /// Time in which it matters whose requests are in flight.
    pub(super) fn of_processes(&self) -> [u64; 2] {
        [self.queue[HELD], self.queue[ONE]]
    }
}

/// The requests that are in flight on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DeviceLoad {
    pub all: u32,
    pub writes: u32,
    pub flushes: u32,
}

impl DeviceLoad {
    pub(super) fn change(&mut self, kind: RowKind, more: bool) {
        let step = |n: &mut u32| *n = if more { *n + 1 } else { n.saturating_sub(1) };
        step(&mut self.all);
        match kind {
            RowKind::Read => {}
            RowKind::Write => step(&mut self.writes),
            RowKind::Flush => step(&mut self.flushes),
        }
    }

    /// Index into [`Clock::queue`]. With fewer than `room` in flight, the device has room.
    #[inline]
    pub(super) fn queue(&self, full: u32, room: u32) -> usize {
        if self.flushes > 0 {
            0
        } else if self.all < room {
            HELD
        } else if full <= 1 && self.all == 1 {
            ONE
        } else if 2 * self.writes > self.all {
            2
        } else {
            3
        }
    }

    /// Index into [`Clock::flight`], where one of those in flight is a read.
    pub(super) fn flight(&self) -> usize {
        match self {
            DeviceLoad { flushes: 1.., .. } => 0,
            DeviceLoad { all: 0 | 1, .. } => 1,
            DeviceLoad { all, writes, .. } => {
                if 2 * writes > all - 1 {
                    2
                } else {
                    3
                }
            }
        }
    }

    /// Index into [`Clock::flush`].
    pub(super) fn flush(&self) -> usize {
        match self {
            DeviceLoad { flushes: 2.., .. } => 0,
            DeviceLoad { all: 0 | 1, .. } => 1,
            DeviceLoad { .. } => 2,
        }
    }
}
