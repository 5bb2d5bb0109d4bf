//! The intervals between a device's events, with the requests in flight and the bios waiting during
//! each.

use super::span::Window;
use seekscope_trace::store::{Effect, EventKind, Store};

/// A time during which neither d nor w changes, ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthInterval {
    pub from: u64,
    /// Equal to `from` between two events with the same time.
    pub to: u64,
    pub depth: u32,
    pub waiting: u32,
}

impl DepthInterval {
    /// The part within a time range; absent if that is empty.
    #[inline(always)]
    pub(super) fn clip(mut self, (from, to): (u64, u64)) -> Option<DepthInterval> {
        self.from = self.from.max(from);
        self.to = self.to.min(to);
        (self.from < self.to).then_some(self)
    }

    pub fn len(&self) -> u64 {
        self.to - self.from
    }

    /// Whether it is between two events with the same time.
    pub fn is_empty(&self) -> bool {
        self.from == self.to
    }

    /// Whether bios wait while nothing is in flight.
    pub fn is_starved(&self) -> bool {
        self.depth == 0 && self.waiting > 0
    }
}

/// Turns the events of a device into intervals of constant depth.
#[derive(Clone, Copy, Debug, Default)]
pub struct DepthSteps {
    time: u64,
    depth: i32,
    waiting: i32,
}

impl DepthSteps {
    /// Starts at `time` with this (depth, waiting).
    pub fn new(time: u64, (depth, waiting): (i32, i32)) -> DepthSteps {
        DepthSteps {
            time,
            depth,
            waiting,
        }
    }

    /// Depth and waiting bios after the last step.
    pub fn state(&self) -> (i32, i32) {
        (self.depth, self.waiting)
    }

    /// The interval that ends at `time`, at an event with this effect.
    #[inline(always)]
    pub fn step(&mut self, time: u64, effect: Effect) -> DepthInterval {
        let to = time.max(self.time);
        let interval = DepthInterval {
            from: self.time,
            to,
            depth: self.depth.max(0) as u32,
            waiting: self.waiting.max(0) as u32,
        };
        self.time = to;
        self.depth += effect.depth;
        self.waiting += effect.waiting;
        interval
    }
}

/// Visits the intervals of one device that fill `from..to`, in time order.
pub fn walk(
    store: &Store,
    device: u32,
    (from, to): (u64, u64),
    mut visit: impl FnMut(DepthInterval),
) {
    let events = &store.events;
    let range = Window { from, to }.events(events);
    let mut steps = DepthSteps::new(from, store.state_before(device, range.start));
    // Eight bytes of each kind stay in the cache; kinds themselves would not.
    let on_device = |kind: &EventKind| {
        if kind.device == device {
            kind.effect
        } else {
            Effect::default()
        }
    };
    let effects: Vec<Effect> = events.each_kind().map(on_device).collect();
    events.pieces(range, |piece| {
        for event in piece {
            let effect = effects.get(event.kind_number() as usize);
            if let Some(&effect) = effect.filter(|effect| **effect != Effect::default()) {
                visit(steps.step(event.time(), effect));
            }
        }
    });
    visit(steps.step(to, Effect::default()));
}
