//! The way of the records of all files into the store: what the bounds keep is put in order, and
//! assembled as far as there is room.

use super::assembly::Assembly;
use super::room::Room;
use crate::bounds::Bounds;
use seekscope_trace::order::{Order, SequenceGap};
use seekscope_trace::store::Store;

#[derive(Clone, Debug)]
pub(super) struct Pipeline {
    pub bounds: Bounds,
    pub order: Order,
    pub assembly: Assembly,
    /// The rows that still have room in memory.
    pub room: Room,
}

impl Pipeline {
    pub fn new(files: usize, store: Store) -> Pipeline {
        Pipeline {
            bounds: Bounds::default(),
            order: Order::new(files),
            assembly: Assembly {
                store,
                ..Assembly::default()
            },
            room: Room::default(),
        }
    }

    /// Stores what no file has anything before. `zoned`: it will be read again for its zones.
    pub fn release(&mut self, zoned: bool) {
        if self.room.grow(&self.order, &self.assembly, zoned) {
            let assembly = &mut self.assembly;
            self.order
                .release(|item| assembly.passed |= assembly.append(item));
            assembly.recant_plugs();
        }
    }

    /// Stores all that has arrived of a recording that is followed.
    pub fn settle_live(&mut self, zoned: bool) {
        if self.order.live().is_some() && self.room.grow(&self.order, &self.assembly, zoned) {
            let assembly = &mut self.assembly;
            self.order.settle_live(|item| {
                assembly.append(item);
            });
            assembly.recant_plugs();
        }
    }

    /// Stores what waits for files that are paused.
    pub fn drain(&mut self) {
        let assembly = &mut self.assembly;
        self.order.drain(|item| {
            assembly.append(item);
        });
    }

    /// Stores the items that were out of order, and with them everything again.
    pub fn sort_stash(&mut self) {
        if let Some(stash) = self.order.take_stash() {
            self.assembly.add_sorted(stash);
        }
    }

    /// Notes how far a trace was read that did not fit, and drops what only the rest needs.
    pub fn end_part(&mut self) {
        if self.room.is_full_in_order() {
            self.assembly.cut_window();
        }
        self.assembly.drop_texts();
    }

    /// The gaps in the sequence numbers that are in the window.
    pub fn gaps(&self) -> impl Iterator<Item = &SequenceGap> {
        self.order.gaps().filter(|gap| self.is_in_window(gap))
    }

    pub fn is_in_window(&self, gap: &SequenceGap) -> bool {
        let Store { window, origin, .. } = self.assembly.store;
        window.is_none_or(|window| window.meets(gap.from, gap.to, origin))
    }

    /// Missing events and gaps, of the window.
    pub fn lost(&self) -> (u64, u64) {
        if self.assembly.store.window.is_none() {
            return self.order.lost();
        }
        self.gaps().fold((0, 0), |(events, gaps), gap| {
            (gap.events.saturating_add(events), gaps + 1)
        })
    }

    /// Whether everything so far was in order and within the limits.
    pub fn is_steady(&self) -> bool {
        self.order.is_steady() && self.bounds.is_kept() && !self.room.is_full()
    }
}
