//! Waiting for an allocation, Q to G, of reads and of writes: where no tag is free both wait, a
//! limit of one of them holds back that one only.

use crate::{Window, ratio};
use seekscope_trace::event::Op;
use seekscope_trace::store::Store;
use serde::{Deserialize, Serialize};

/// The waits of the requests of one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllocationWait {
    pub requests: u64,
    /// Sum of their times from Q to G.
    pub ns: u64,
}

impl AllocationWait {
    /// Mean wait per request, ns.
    pub fn mean(self) -> f64 {
        ratio(u128::from(self.ns), u128::from(self.requests))
    }
}

/// The waits on a device, per operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllocationWaits {
    pub reads: AllocationWait,
    pub writes: AllocationWait,
}

/// Per device, for requests issued in the window; `None` where no request has a Q and a G.
pub fn allocation_waits(store: &Store, window: Window) -> Vec<Option<AllocationWaits>> {
    let mut found = vec![None; store.devices.len()];
    let requests = &store.requests;
    requests.each(window.rows(requests), |row| {
        let Some((queued, allocated)) = row.queued().zip(row.allocated()) else {
            return;
        };
        let kind = row.kind();
        let Some(device) = found.get_mut(kind.device as usize) else {
            return;
        };
        let waits: &mut AllocationWaits = device.get_or_insert_default();
        let wait = match kind.op() {
            Op::Read => &mut waits.reads,
            Op::Write => &mut waits.writes,
            Op::Discard | Op::Flush => return,
        };
        wait.requests += 1;
        wait.ns = wait.ns.saturating_add(allocated.saturating_sub(queued));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn reads_and_writes_apart() {
        let s = store(
            "0 Q 0+8 W
             5 Q 8+8 R
             6 G 8+8 R
             7 D 8+8 R
             30 G 0+8 W
             31 D 0+8 W
             40 C 8+8 R
             50 C 0+8 W
             60 Q 16+8 W
             60 D 16+8 W",
        );
        let wait = |requests, ns| AllocationWait { requests, ns };
        let expected = AllocationWaits {
            reads: wait(1, 1),
            writes: wait(1, 30),
        };
        assert_eq!(allocation_waits(&s, Window::WHOLE), [Some(expected)]);
        assert_eq!(
            allocation_waits(&store("0 Q 0+8 W\n1 D 0+8 W"), Window::WHOLE),
            [None]
        );
    }
}
