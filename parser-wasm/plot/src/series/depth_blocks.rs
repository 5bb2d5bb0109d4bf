//! Sums of a device's queue depth over blocks of its events, so that answers for long ranges need
//! not visit every event.
//!
//! The blocks of a device follow each other without a gap from the first event of the trace to the
//! last, each with at most [`BLOCK`] changes of the depth. A block has the integrals and extremes
//! of its intervals and the state before it. [`DepthBlocks::walk`] passes on exactly the intervals
//! that `measure::intervals::walk` would, except that a block completely within the range may be
//! taken as a whole. The two must stay equal: what changes depth (`Effect`) is decided by the
//! events alone.

use seekscope_measure::intervals::{DepthInterval, DepthSteps};
use seekscope_trace::store::{Effect, EventRow, Role, Store};

/// Changes of the depth per block. A block that crosses the edge of a bin is walked event by event:
/// smaller blocks make that cheaper, larger ones make long ranges cheaper.
const BLOCK: usize = 512;
/// Traces with fewer events need no blocks: visiting all events is fast enough.
const MIN_EVENTS: usize = 1 << 16;

/// The time from the first change of a block to that of the next one.
#[derive(Clone, Copy, Debug)]
pub struct DepthBlock {
    /// Row of the first event of the block; the first block begins with the trace.
    row: usize,
    /// Begin, ns.
    pub from: u64,
    /// End, ns; for the last block the time of the trace's last event.
    pub to: u64,
    /// (depth, waiting) before the first event of the block.
    state: (i32, i32),
    /// Integral of the depth, requests times ns.
    pub depth: f64,
    /// Integral of waiting bios, bios times ns.
    pub waiting: f64,
    /// Starved time, ns.
    pub starved: u64,
    /// Minimum depth; `u32::MAX` before the first interval.
    pub min: u32,
    pub max: u32,
    pub max_waiting: u32,
}

impl DepthBlock {
    fn begin(row: usize, from: u64, state: (i32, i32)) -> DepthBlock {
        let (depth, waiting, starved, min, max, max_waiting) = (0.0, 0.0, 0, u32::MAX, 0, 0);
        DepthBlock {
            row,
            from,
            to: from,
            state,
            depth,
            waiting,
            starved,
            min,
            max,
            max_waiting,
        }
    }

    #[inline]
    fn add(&mut self, interval: &DepthInterval) {
        let ns = interval.len() as f64;
        self.depth += ns * f64::from(interval.depth);
        self.waiting += ns * f64::from(interval.waiting);
        self.starved += if interval.is_starved() {
            interval.len()
        } else {
            0
        };
        self.min = self.min.min(interval.depth);
        self.max = self.max.max(interval.depth);
        self.max_waiting = self.max_waiting.max(interval.waiting);
        self.to = interval.to;
    }
}

/// The blocks of a disk so far, and the one being filled.
struct FilledBlocks {
    blocks: Vec<DepthBlock>,
    block: DepthBlock,
    steps: DepthSteps,
    /// Changes of the depth in the current block.
    changes: usize,
}

impl FilledBlocks {
    fn new(begin: u64) -> FilledBlocks {
        let (blocks, block, steps) = (
            Vec::new(),
            DepthBlock::begin(0, begin, (0, 0)),
            DepthSteps::new(begin, (0, 0)),
        );
        FilledBlocks {
            blocks,
            block,
            steps,
            changes: 0,
        }
    }

    #[inline]
    fn add(&mut self, event: EventRow, effect: Effect) {
        if self.changes == BLOCK {
            self.next(event);
        }
        self.changes += 1;
        let interval = self.steps.step(event.time(), effect);
        self.block.add(&interval);
    }

    /// Ends the block and begins the next one at an event.
    fn next(&mut self, event: EventRow) {
        self.end(event.time());
        self.block = DepthBlock::begin(event.row, self.block.to, self.steps.state());
        self.changes = 0;
    }

    fn end(&mut self, time: u64) {
        let interval = self.steps.step(time, Effect::default());
        self.block.add(&interval);
        self.blocks.push(self.block);
    }

    fn finish(mut self, end: u64) -> Vec<DepthBlock> {
        self.end(end);
        self.blocks
    }
}

/// Consumes the activity of a device, in time order.
pub trait DepthSink {
    /// Offers a complete block; `false` if the sink needs the intervals of the block instead.
    fn block(&mut self, block: &DepthBlock) -> bool;
    fn interval(&mut self, interval: &DepthInterval);
}

/// The blocks of each device; empty for devices without requests, and in small traces.
#[derive(Clone, Debug, Default)]
pub struct DepthBlocks {
    devices: Vec<Vec<DepthBlock>>,
}

impl DepthBlocks {
    /// Makes the blocks of a complete trace, in one pass over its events.
    pub fn new(store: &Store) -> DepthBlocks {
        let events = &store.events;
        if events.len() < MIN_EVENTS {
            return DepthBlocks::default();
        }
        let begin = events.time(0);
        let disk = |d: &seekscope_trace::store::Device| {
            (d.role == Role::Disk).then(|| FilledBlocks::new(begin))
        };
        let mut disks: Vec<Option<FilledBlocks>> = store.devices.iter().map(disk).collect();
        events.pieces(0..events.len(), |piece| {
            for event in piece {
                let kind = event.kind();
                if kind.effect != Effect::default()
                    && let Some(Some(disk)) = disks.get_mut(kind.device as usize)
                {
                    disk.add(event, kind.effect);
                }
            }
        });
        DepthBlocks {
            devices: disks
                .into_iter()
                .map(|disk| disk.map_or(Vec::new(), |disk| disk.finish(store.span())))
                .collect(),
        }
    }

    pub fn memory(&self) -> usize {
        self.devices
            .iter()
            .map(|blocks| blocks.len() * size_of::<DepthBlock>())
            .sum()
    }

    /// Passes the activity of a device within `from..to` to `sink`. `false` if the device has no
    /// blocks: then nothing was passed.
    pub fn walk(
        &self,
        store: &Store,
        device: u32,
        (from, to): (u64, u64),
        sink: &mut impl DepthSink,
    ) -> bool {
        let blocks = self
            .devices
            .get(device as usize)
            .map_or(&[][..], Vec::as_slice);
        let first = blocks.partition_point(|b| b.to < from);
        for (i, block) in blocks
            .iter()
            .enumerate()
            .skip(first)
            .take_while(|(_, b)| b.from <= to)
        {
            if block.from >= from && block.to <= to && sink.block(block) {
                continue;
            }
            // Only the rows of the block that are in the range are visited: the block of a device
            // with little activity may span millions of rows of other devices.
            let events = &store.events;
            let end = blocks.get(i + 1).map_or(events.len(), |next| next.row);
            let end = if block.to > to {
                events.find(to.saturating_add(1)).clamp(block.row, end)
            } else {
                end
            };
            let (row, time, state) = if block.from < from {
                let row = events.find(from).clamp(block.row, end);
                (row, from, store.state_before(device, row))
            } else {
                (block.row, block.from, block.state)
            };
            let mut steps = DepthSteps::new(time, state);
            events.pieces(row..end, |piece| {
                for event in piece {
                    let kind = event.kind();
                    if kind.device == device && kind.effect != Effect::default() {
                        sink.interval(&steps.step(event.time(), kind.effect));
                    }
                }
            });
            sink.interval(&steps.step(block.to.min(to), Effect::default()));
        }
        !blocks.is_empty()
    }
}
