//! The bytes that were requested of the devices of a trace.

use seekscope_trace::event::{Action, Flags, Op};
use seekscope_trace::store::{Device, EventsByKind, Store};
use serde::{Deserialize, Serialize};

/// Bytes requested of a device, at Q, D or C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RequestedWork {
    pub read: u64,
    pub write: u64,
    pub discard: u64,
    /// The part of `read` that is readahead.
    pub ahead: u64,
}

impl RequestedWork {
    /// Bytes of all operations.
    pub fn bytes(&self) -> u64 {
        self.read + self.write + self.discard
    }
}

/// The bytes of `events` by device, at Q, D and C; absent where the action was not recorded.
/// Passthrough and requests without data do not count.
pub fn works(store: &Store, events: &EventsByKind) -> Vec<[Option<RequestedWork>; 3]> {
    let recorded = |d: &Device| {
        [Action::Queue, Action::Issue, Action::Complete]
            .map(|action| d.recorded.has(action).then(RequestedWork::default))
    };
    let mut works: Vec<_> = store.devices.iter().map(recorded).collect();
    for (kind, rows) in events.each(&store.events) {
        let action = match kind.action {
            Action::Queue => 0,
            Action::Issue => 1,
            Action::Complete => 2,
            _ => continue,
        };
        let (bytes, flags) = (rows.n * u64::from(kind.bytes), kind.flags);
        let Some(work) = works
            .get_mut(kind.device as usize)
            .and_then(|all| all[action].as_mut())
        else {
            continue;
        };
        if bytes == 0 || flags.has(Flags::PC) {
            continue;
        }
        match flags.op(kind.bytes) {
            Op::Read => {
                work.read += bytes;
                work.ahead += if flags.has(Flags::AHEAD) { bytes } else { 0 };
            }
            Op::Write => work.write += bytes,
            Op::Discard => work.discard += bytes,
            Op::Flush => {}
        }
    }
    works
}
