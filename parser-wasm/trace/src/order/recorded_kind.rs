//! The part of an event that many events share, kept once per trace: an item in a queue stays
//! short, and no part of it is looked up twice.

use crate::event::{Action, DeviceNumber, Event, EventDetail, Flags};
use crate::kinds::{Kind, KindWords, Kinds};

/// The kinds of all events so far.
pub(super) type RecordedKinds = Kinds<RecordedKind>;

/// An event without its task, time, sector, sequence number and detail. A recording has few
/// different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedKind {
    pub bytes: u32,
    pub device: DeviceNumber,
    pub cpu: u32,
    pub flags: Flags,
    pub error: i16,
    pub action: Action,
}

impl RecordedKind {
    #[inline]
    pub fn from_event(e: &Event) -> RecordedKind {
        let &Event {
            bytes,
            device,
            cpu,
            flags,
            error,
            action,
            ..
        } = e;
        RecordedKind {
            bytes,
            device,
            cpu,
            flags,
            error,
            action,
        }
    }

    #[inline(always)]
    pub fn event(
        &self,
        pid: u32,
        time: u64,
        sector: u64,
        sequence: u32,
        detail: EventDetail,
    ) -> Event {
        let &RecordedKind {
            bytes,
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
            device,
            cpu,
            flags,
            error,
            action,
        } = self;
        let rest = u32::from(flags.0) | u32::from(error as u16) << 16;
        [
            pair(bytes, action.code().into()),
            pair(device.0, cpu),
            rest.into(),
            0,
        ]
    }
}

/// The number of a recorded kind, in the order of one trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindNumber(pub u32);

impl KindNumber {
    /// The number of an event whose kind was not recorded here: its device is looked up.
    pub const NONE: KindNumber = KindNumber(u32::MAX);
}
