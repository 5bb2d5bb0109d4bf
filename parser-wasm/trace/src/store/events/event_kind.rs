//! The part of an event that many events share: everything but its time, sector and process.

use crate::event::{Action, Flags};
use crate::kinds::{Kind, KindWords};
use serde::{Deserialize, Serialize};

/// How an event changes its device's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// Change of requests in flight: +1 at D, -1 at R or at the last C.
    pub depth: i32,
    /// Change of bios waiting: +1 at Q; minus the bios of a request at its D.
    pub waiting: i32,
}

/// An event without its time, sector and process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventKind {
    pub action: Action,
    /// The flags of the operation.
    pub flags: Flags,
    pub bytes: u32,
    /// Index of the device in the store.
    pub device: u32,
    pub cpu: u32,
    /// 0, or a negative errno.
    pub error: i16,
    /// How the event changed its device's state.
    pub effect: Effect,
}

impl Kind for EventKind {
    #[inline]
    fn words(&self) -> KindWords {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let &EventKind {
            action,
            flags,
            bytes,
            device,
            cpu,
            error,
            effect,
        } = self;
        let rest = u32::from(flags.0) | u32::from(error as u16) << 16;
        [
            pair(bytes, action.code().into()),
            pair(device, cpu),
            pair(effect.waiting as u32, effect.depth as u32),
            rest.into(),
        ]
    }
}
