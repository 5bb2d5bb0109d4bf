//! Events on their way into the columns. Each is written once, into one place; a block of them is then copied column by column, with one check
//! of room, width and time base per block instead of one per value.

use super::Effect;
use super::events::LARGE;
use crate::event::{Action, Event, EventDetail, Flags};

/// Rows of a block: 48 bytes each, so that a block stays in the first-level cache while it is copied.
pub const ROWS: usize = 512;

/// An event as the store keeps it, without its detail.
#[derive(Clone, Copy, Debug)]
pub struct BlockRow {
    /// ns since the trace's start.
    pub time: u64,
    pub sector: u64,
    pub bytes: u32,
    pub cpu: u32,
    /// Indices of the store's tables.
    pub process: u32,
    pub device: u32,
    pub sequence: u32,
    pub flags: Flags,
    pub error: i16,
    /// [`crate::event::Action::code`].
    pub action: u8,
    /// [`Effect`] in two bytes.
    pub effect: i16,
}

/// The next rows of the store.
#[derive(Clone, Debug, Default)]
pub struct EventBlock {
    pub rows: Vec<BlockRow>,
    /// Of rows that have one, by row of the block.
    pub details: Vec<(u32, EventDetail)>,
    /// Likewise effects that do not fit.
    pub large_effects: Vec<(u32, Effect)>,
}

impl EventBlock {
    /// Whether it has to be copied before the next event.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.rows.len() >= ROWS
    }

    /// Appends an event at `time` ns since the trace's start; `device` and `process` are indices of the store's tables.
    #[inline]
    pub fn push(&mut self, time: u64, e: &Event, device: u32, process: u32, effect: Effect) {
        // An unplug without a number has a place among them, too.
        if e.detail != EventDetail::None || matches!(e.action, Action::Unplug | Action::UnplugTimer) {
            self.details.push((self.rows.len() as u32, e.detail));
        }
        let &Event { sector, bytes, cpu, sequence, flags, error, action, .. } = e;
        let action = action.code();
        let effect = effect.pack().unwrap_or_else(|| {
            self.large_effects.push((self.rows.len() as u32, effect));
            LARGE
        });
        self.rows.push(BlockRow { time, sector, bytes, cpu, process, device, sequence, flags, error, action, effect });
    }
}
