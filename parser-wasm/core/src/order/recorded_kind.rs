//! What an event is, as it was recorded: kept once, so that an item in a queue is short and nothing
//! of it is looked up twice.

use crate::event::{Action, DeviceNumber, Event, EventDetail, Flags};
use crate::kinds::{Kind, KindWords, Kinds};

/// The kinds of all events so far.
pub(super) type RecordedKinds = Kinds<RecordedKind>;

/// All of an event but its time, sector, sequence number and detail, as it was recorded. A
/// recording has few of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedKind {
    pub bytes: u32,
    pub pid: u32,
    pub device: DeviceNumber,
    pub cpu: u32,
    pub flags: Flags,
    pub error: i16,
    pub action: Action,
}

impl RecordedKind {
    #[inline]
    pub fn of(e: &Event) -> RecordedKind {
        let &Event {
            bytes,
            pid,
            device,
            cpu,
            flags,
            error,
            action,
            ..
        } = e;
        RecordedKind {
            bytes,
            pid,
            device,
            cpu,
            flags,
            error,
            action,
        }
    }

    /// An event of this kind.
    #[inline(always)]
    pub fn event(&self, time: u64, sector: u64, sequence: u32, detail: EventDetail) -> Event {
        let &RecordedKind {
            bytes,
            pid,
            device,
            cpu,
            flags,
            error,
            action,
        } = self;
        Event {
            time,
            sector,
            bytes,
            action,
            flags,
            pid,
            device,
            cpu,
            sequence,
            error,
            detail,
        }
    }
}

impl Kind for RecordedKind {
    #[inline]
    fn words(&self) -> KindWords {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let &RecordedKind {
            bytes,
            pid,
            device,
            cpu,
            flags,
            error,
            action,
        } = self;
        let rest = u32::from(flags.0) | u32::from(error as u16) << 16;
        [
            pair(bytes, pid),
            pair(device.0, cpu),
            pair(rest, action.code().into()),
            0,
        ]
    }
}

/// The number of a recorded kind, in the order of one trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindNumber(pub u32);

impl KindNumber {
    /// Of an event that comes from elsewhere.
    pub const NONE: KindNumber = KindNumber(u32::MAX);
}
