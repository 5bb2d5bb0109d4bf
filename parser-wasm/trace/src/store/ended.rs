//! Corrections of queue depth and waiting bios after a trace was read.

use super::BLOCK;
use super::{Effect, Store};
use std::collections::BTreeMap;

/// Requests in flight and waiting bios that end, by time in ns.
pub type EndedUnseen = BTreeMap<u64, (i32, i32)>;

impl Store {
    /// Ends requests in flight and waiting bios of `device`, because their ends were not recorded:
    /// the first event of the device from then on gets their effect. What ends after its last event
    /// stays. One pass over the checkpoints.
    pub fn end_unseen(&mut self, device: u32, ended: &EndedUnseen) {
        let mut changes: Vec<(u32, i32, i32)> = Vec::new();
        let mut from = 0;
        for (&time, &(requests, bios)) in ended {
            from = self.events.find(time).max(from);
            let Some(i) = (from..self.events.len()).find(|&i| self.events.device(i) == device)
            else {
                break;
            };
            from = i;
            self.events.add_effect(
                i,
                Effect {
                    depth: -requests,
                    waiting: -bios,
                },
            );
            changes.push(((i / BLOCK + 1) as u32, requests, bios));
        }
        let Some(d) = self
            .devices
            .get_mut(device as usize)
            .filter(|_| !changes.is_empty())
        else {
            return;
        };
        let old = std::mem::take(&mut d.checkpoints);
        let mut blocks: Vec<u32> = old
            .iter()
            .map(|c| c.0)
            .chain(changes.iter().map(|c| c.0))
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        let (mut old, mut changes) = (old.into_iter().peekable(), changes.into_iter().peekable());
        let (mut depth, mut waiting) = (0, 0);
        let (mut requests, mut bios) = (0, 0);
        for block in blocks {
            while let Some((_, d, w)) = old.next_if(|c| c.0 <= block) {
                (depth, waiting) = (d, w);
            }
            while let Some((_, r, b)) = changes.next_if(|c| c.0 <= block) {
                (requests, bios) = (requests + r, bios + b);
            }
            d.checkpoints
                .push((block, depth - requests, waiting - bios));
        }
    }
}
