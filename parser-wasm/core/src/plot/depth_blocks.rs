//! Sums of a device's queue depth over blocks of events, so that answers for long ranges need not visit every event.

use crate::measure::intervals::{DepthInterval, DepthSteps};
use crate::store::{Effect, Role, Store};

/// Events per block. A block that crosses the edge of a bin is walked event by event: smaller blocks make that cheaper, larger
/// ones make long ranges cheaper.
const BLOCK: usize = 512;
/// Devices with fewer events need no blocks: visiting all their events is fast enough.
const LEAST_EVENTS: u64 = 1 << 16;

/// The time from the first event of a block to the first event of the next one.
#[derive(Clone, Copy, Debug)]
pub struct DepthBlock {
    /// Start, ns.
    pub from: u64,
    /// End, ns; for the last block the time of the trace's last event.
    pub to: u64,
    /// (depth, waiting) before its first event.
    state: (i32, i32),
    /// Integral of the depth, requests times ns.
    pub depth: f64,
    /// Integral of waiting bios, bios times ns.
    pub waiting: f64,
    /// Starved time, ns.
    pub starved: u64,
    pub least: u32,
    pub most: u32,
    pub most_waiting: u32,
}

impl DepthBlock {
    fn add(&mut self, interval: &DepthInterval) {
        let ns = interval.len() as f64;
        self.depth += ns * f64::from(interval.depth);
        self.waiting += ns * f64::from(interval.waiting);
        self.starved += if interval.is_starved() { interval.len() } else { 0 };
        self.least = self.least.min(interval.depth);
        self.most = self.most.max(interval.depth);
        self.most_waiting = self.most_waiting.max(interval.waiting);
    }
}

/// Takes the activity of a device, in time order.
pub trait DepthSink {
    /// Takes a complete block; `false` if it needs the block's intervals instead.
    fn block(&mut self, block: &DepthBlock) -> bool;
    /// Takes an interval.
    fn interval(&mut self, interval: &DepthInterval);
}

/// The blocks of each device; empty for devices with few events or without requests.
#[derive(Clone, Debug, Default)]
pub struct DepthBlocks {
    devices: Vec<Vec<DepthBlock>>,
}

impl DepthBlocks {
    /// Of a complete trace, in one pass over its events per busy disk.
    pub fn of(store: &Store) -> DepthBlocks {
        let busy = |d: &crate::store::Device| d.role == Role::Disk && d.events >= LEAST_EVENTS;
        let blocks = |(i, d)| if busy(d) { blocks(store, i as u32) } else { Vec::new() };
        DepthBlocks { devices: store.devices.iter().enumerate().map(blocks).collect() }
    }

    pub fn memory(&self) -> usize {
        self.devices.iter().map(|blocks| blocks.len() * size_of::<DepthBlock>()).sum()
    }

    /// Passes the activity of a device within `from..to` to `sink`. `false` if the device has no blocks: then nothing was passed.
    pub fn walk(&self, store: &Store, device: u32, (from, to): (u64, u64), sink: &mut impl DepthSink) -> bool {
        let blocks = self.devices.get(device as usize).map_or(&[][..], Vec::as_slice);
        let first = blocks.partition_point(|b| b.to < from);
        for (i, block) in blocks.iter().enumerate().skip(first).take_while(|(_, b)| b.from <= to) {
            if block.from >= from && block.to <= to && sink.block(block) {
                continue;
            }
            intervals(store, device, i, block.from, block.state, block.to, |mut p| {
                p.from = p.from.max(from);
                p.to = p.to.min(to);
                if p.from <= p.to {
                    sink.interval(&p);
                }
            });
        }
        !blocks.is_empty()
    }
}

fn blocks(store: &Store, device: u32) -> Vec<DepthBlock> {
    let events = &store.events;
    let mut state = (0, 0);
    (0..events.len().div_ceil(BLOCK))
        .map(|i| {
            let next = (i + 1) * BLOCK;
            let (from, to) = (events.time(i * BLOCK), if next < events.len() { events.time(next) } else { store.span() });
            let (least, most, most_waiting) = (u32::MAX, 0, 0);
            let mut block = DepthBlock { from, to, state, depth: 0.0, waiting: 0.0, starved: 0, least, most, most_waiting };
            state = intervals(store, device, i, from, state, to, |p| block.add(&p));
            block
        })
        .collect()
}

/// Visits the intervals of block `i`; returns (depth, waiting) after it.
fn intervals(
    store: &Store,
    device: u32,
    i: usize,
    from: u64,
    (mut depth, mut waiting): (i32, i32),
    to: u64,
    mut visit: impl FnMut(DepthInterval),
) -> (i32, i32) {
    let events = &store.events;
    let mut steps = DepthSteps::new(from, (depth, waiting));
    events.pieces(i * BLOCK..((i + 1) * BLOCK).min(events.len()), |piece| {
        for event in piece {
            let kind = event.kind();
            let effect = kind.effect;
            if kind.device == device && effect != Effect::default() {
                visit(steps.step(event.time(), effect));
                depth += effect.depth;
                waiting += effect.waiting;
            }
        }
    });
    visit(steps.step(to, Effect::default()));
    (depth, waiting)
}
