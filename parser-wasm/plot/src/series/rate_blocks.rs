//! What a device completed in each block of events, so that throughput over long ranges need not
//! visit every event.

use seekscope_trace::event::{Action, Flags};
use seekscope_trace::store::{EventKind, Store};

/// Events per block. A block that crosses the edge of a bin is visited event by event.
pub const BLOCK: usize = 512;
/// Reads, writes, discards: the first three numbers of `Op`. Flushes complete no bytes.
pub const OPS: usize = 3;

/// Completed bytes and requests, by the number of the operation.
pub type RateBlock = [(u64, u32); OPS];

/// Whether a completion counts as throughput.
#[inline]
pub fn counts(bytes: u32, flags: Flags) -> bool {
    bytes > 0 && !flags.has(Flags::PC)
}

/// All blocks of a complete trace, in one pass over its events: 0.1 bytes per event.
pub fn rate_blocks(store: &Store, device: u32) -> Vec<RateBlock> {
    let events = &store.events;
    let mut blocks = vec![RateBlock::default(); events.len().div_ceil(BLOCK)];
    let completed = |(kind, _): (&EventKind, u32)| {
        kind.action == Action::Complete && kind.device == device && counts(kind.bytes, kind.flags)
    };
    let taken: Vec<bool> = events.each_task_kind().map(completed).collect();
    events.taken(0..events.len(), &taken, |event| {
        let kind = event.kind();
        if let Some((sum, ios)) =
            blocks[event.row / BLOCK].get_mut(kind.flags.op(kind.bytes) as usize)
        {
            *sum += u64::from(kind.bytes);
            *ios += 1;
        }
    });
    blocks
}
