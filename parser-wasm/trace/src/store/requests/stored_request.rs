//! A request outside of the store: all of its row, and what many rows have in common.

use super::packed_request::RowSpan;
use crate::event::{Flags, Op};
use crate::kinds::{Kind, KindWords};
use serde::{Deserialize, Serialize};

/// A complete row, as the lifecycle writes it. Times are ns since the start of the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredRequest {
    /// D of a request (the last one after a requeue), Q of a bio row.
    pub start: u64,
    /// Time of the first Q among its bios.
    pub queued: Option<u64>,
    /// Time of the first G.
    pub allocated: Option<u64>,
    /// Time of the last I before the D.
    pub inserted: Option<u64>,
    /// Last C, when all of it is done.
    pub completed: Option<u64>,
    /// First sector at D.
    pub sector: u64,
    /// Length at D, bytes.
    pub bytes: u32,
    /// The flags at D.
    pub flags: Flags,
    /// Process of its first bio: index of the store's processes.
    pub process: u32,
    /// Index of the device in the store.
    pub device: u32,
    /// CPU of the first bio's Q, of the D when no Q is known.
    pub submit_cpu: u32,
    /// The CPU of the last C.
    pub complete_cpu: u32,
    /// Bios in it; 0 when none of them was seen.
    pub bios: u32,
    /// 0, or a negative errno.
    pub error: i16,
    /// Whether it is a bio of a device without requests.
    pub bio: bool,
    /// Whether it was handed back at least once.
    pub requeued: bool,
    /// Whether it is a moment: it has no completion, and is not in flight until the end of the
    /// trace.
    pub momentary: bool,
}

impl StoredRequest {
    /// The request as rows store it: no time but the completion is after the issue.
    pub(super) fn normal(&self) -> StoredRequest {
        let before = |time: Option<u64>| time.map(|time| time.min(self.start));
        StoredRequest {
            queued: before(self.queued),
            allocated: before(self.allocated),
            inserted: before(self.inserted),
            completed: self.completed.map(|time| time.max(self.start)),
            flags: self.flags.without_zone_action(),
            ..*self
        }
    }

    /// Distance of a time from the start, in ns.
    #[inline]
    pub(super) fn span(&self, span: RowSpan) -> Option<u64> {
        match span {
            RowSpan::Queued => Some(self.start.saturating_sub(self.queued?)),
            RowSpan::Allocated => Some(self.start.saturating_sub(self.allocated?)),
            RowSpan::Inserted => Some(self.start.saturating_sub(self.inserted?)),
            RowSpan::Completed => Some(self.completed?.saturating_sub(self.start)),
        }
    }
}

/// The part of a request that many requests share: everything but its times, its sector and the CPU
/// of its completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestKind {
    /// Flags at D, without the action on a zone.
    pub flags: Flags,
    /// Length at D, bytes.
    pub bytes: u32,
    /// Process of its first bio: index of the store's processes.
    pub process: u32,
    /// Index of the device in the store.
    pub device: u32,
    /// CPU of the first bio's Q, of the D when no Q is known.
    pub submit_cpu: u32,
    /// Bios in it; 0 when none of them was seen.
    pub bios: u32,
    /// 0, or a negative errno.
    pub error: i16,
    /// Whether it is a bio of a device without requests.
    pub bio: bool,
    /// Whether it was handed back at least once.
    pub requeued: bool,
    /// Whether it is a moment, see [`StoredRequest::momentary`].
    pub momentary: bool,
}

impl RequestKind {
    #[inline]
    pub(super) fn from_row(row: &StoredRequest) -> RequestKind {
        let &StoredRequest {
            bytes,
            process,
            device,
            submit_cpu,
            bios,
            error,
            bio,
            requeued,
            momentary,
            ..
        } = row;
        let flags = row.flags.without_zone_action();
        RequestKind {
            flags,
            bytes,
            process,
            device,
            submit_cpu,
            bios,
            error,
            bio,
            requeued,
            momentary,
        }
    }

    /// Length in complete sectors.
    #[inline]
    pub fn sectors(&self) -> u64 {
        u64::from(self.bytes >> 9)
    }

    #[inline]
    pub fn op(&self) -> Op {
        self.flags.op(self.bytes)
    }
}

impl Kind for RequestKind {
    #[inline]
    fn words(&self) -> KindWords {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let &RequestKind {
            flags,
            bytes,
            process,
            device,
            submit_cpu,
            bios,
            error,
            bio,
            requeued,
            momentary,
        } = self;
        let rest = u32::from(flags.0) | u32::from(error as u16) << 16;
        let marks = u32::from(bio) | u32::from(requeued) << 1 | u32::from(momentary) << 2;
        [
            pair(bytes, process),
            pair(device, submit_cpu),
            pair(bios, rest),
            marks.into(),
        ]
    }
}
