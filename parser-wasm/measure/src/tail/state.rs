//! A slow request on its way, and the processes that it competes with.

use super::clock::Clock;
use super::{NAMED, RowKind, TailCause, TailParts};
use crate::ratio;
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;
use std::cmp::Reverse;
use std::num::NonZeroU32;

/// The phase of its life that a slow request is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// From Q to G.
    Allocation,
    /// From G on, in no open plug; it may be in one later.
    Unplugged,
    /// In the plug of its process.
    Plugged,
    /// In the queue.
    Queued,
    /// In flight with requests that were issued before it.
    Ahead,
    /// In flight after these have completed.
    After,
}

/// See [`Phase::readings`]; ns.
type PhaseReadings = [u64; 8];

impl Phase {
    /// The readings that matter for a request in this phase: the time in which events were lost,
    /// then `flush` or `flight` of one in flight, else `queue`. Of all slow requests in flight,
    /// these are most of the memory.
    pub(super) fn readings(self, kind: RowKind, clock: &Clock) -> PhaseReadings {
        match self {
            Phase::Ahead | Phase::After if kind == RowKind::Flush => {
                let [flush, alone, with] = clock.flush;
                [clock.lost, flush, alone, with, 0, 0, 0, 0]
            }
            Phase::Ahead | Phase::After => {
                let [flush, alone, writes, with] = clock.flight;
                [clock.lost, flush, alone, writes, with, 0, 0, 0]
            }
            _ => {
                let [flush, held, writes, full, first, single, timer] = clock.queue;
                [clock.lost, flush, held, writes, full, first, single, timer]
            }
        }
    }
}

/// A moment in the life of a slow request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SlowMoment {
    Allocated,
    Inserted,
    /// The last one that was issued before it has completed.
    Passed,
    Completed,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SlowState {
    pub row: u32,
    /// Number of the process in the sweep.
    pub process: u32,
    pub kind: RowKind,
    pub phase: Phase,
    pub in_flight: u32,
    /// Whether it was issued after a long idle interval.
    pub woke: bool,
    /// Readings at the start of the phase.
    pub since: PhaseReadings,
    pub served: [u64; 2],
    pub parts: TailParts,
}

/// The slow requests that have begun and are not completed, by their number.
#[derive(Clone, Debug)]
pub(super) struct ActiveSlow {
    /// Per number: its place in `states`, or [`NO_PLACE`].
    places: Vec<u32>,
    states: Vec<SlowState>,
    /// Places whose request has ended.
    free: Vec<u32>,
}

const NO_PLACE: u32 = u32::MAX;

impl ActiveSlow {
    /// Room for so many slow requests; none has begun.
    pub(super) fn with_room_for(slow: usize) -> ActiveSlow {
        ActiveSlow {
            places: vec![NO_PLACE; slow],
            states: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(super) fn begin(&mut self, number: u32, state: SlowState) {
        let place = self.free.pop().unwrap_or(self.states.len() as u32);
        match self.states.get_mut(place as usize) {
            Some(free) => *free = state,
            None => self.states.push(state),
        }
        self.places[number as usize] = place;
    }

    #[inline]
    pub(super) fn get(&mut self, number: u32) -> Option<&mut SlowState> {
        self.states.get_mut(self.places[number as usize] as usize)
    }

    pub(super) fn end(&mut self, number: u32) -> Option<SlowState> {
        let place = std::mem::replace(&mut self.places[number as usize], NO_PLACE);
        let state = *self.states.get(place as usize)?;
        self.free.push(place);
        Some(state)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.states.len() == self.free.len()
    }
}

/// Whether a process that issues requests to the device is served. Apart from [`ProcessState`],
/// because each request asks for it: of thousands of processes, it has to stay in the cache.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcessService {
    pub in_flight: u32,
    /// Readings since which it is served, and the time in which it was before; see
    /// [`Clock::of_processes`].
    since: Option<[u64; 2]>,
    served: [u64; 2],
}

/// What a process has to do with slow requests.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcessState {
    /// Index of the store's processes.
    pub process: u32,
    /// Slow requests of it in the queue.
    pub queued: u64,
    /// The time in which it was served while slow requests of others waited and it was the last to
    /// issue, counted per request.
    pub blamed: u128,
    pub plugged: bool,
    /// Slow requests of it in its plug, or before it.
    pub pluggable: Vec<u32>,
}

/// What a sweep has to know of all requests of a kind, in a word that a request in flight takes
/// along. From bit 4 on the number of the process in the sweep; bit 3, whether there are bios; bits
/// 1 and 2, the [`RowKind`]; bit 0 is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KindTag(NonZeroU32);

impl KindTag {
    /// The flush machinery's own requests have no bios, and no process.
    pub(super) fn new(process: u32, kind: RowKind, has_bios: bool) -> KindTag {
        let (kind, has_bios) = (kind as u32, u32::from(has_bios));
        KindTag(NonZeroU32::MIN | process << 4 | has_bios << 3 | kind << 1)
    }

    #[inline]
    pub(super) fn process(self) -> u32 {
        self.0.get() >> 4
    }

    #[inline]
    pub(super) fn has_bios(self) -> bool {
        self.0.get() >> 3 & 1 != 0
    }

    #[inline]
    pub(super) fn kind(self) -> RowKind {
        match self.0.get() >> 1 & 3 {
            0 => RowKind::Read,
            1 => RowKind::Write,
            _ => RowKind::Flush,
        }
    }
}

/// The processes of a sweep, by a number in the order of their first request or plug.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes {
    services: Vec<ProcessService>,
    states: Vec<ProcessState>,
    /// By index of the store's processes.
    numbers: FxHashMap<u32, u32>,
}

impl Processes {
    pub(super) fn number(&mut self, process: u32) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(process).or_insert(next);
        if number == next {
            self.services.push(ProcessService::default());
            self.states.push(ProcessState {
                process,
                ..ProcessState::default()
            });
        }
        number
    }

    #[inline]
    pub(super) fn service(&mut self, number: u32) -> &mut ProcessService {
        &mut self.services[number as usize]
    }

    #[inline]
    pub(super) fn state(&mut self, number: u32) -> &mut ProcessState {
        &mut self.states[number as usize]
    }

    /// The processes that were served most meanwhile, and their shares.
    pub(super) fn blamed(self) -> Vec<(u32, f64)> {
        let all: u128 = self.states.iter().map(|state| state.blamed).sum();
        let served_ns = self
            .states
            .iter()
            .map(|state| (state.process, state.blamed));
        let mut served: Vec<(u32, u128)> = served_ns.filter(|(_, ns)| *ns > 0).collect();
        served.sort_short_by_key(|(process, ns)| (Reverse(*ns), *process));
        served.truncate(NAMED);
        served
            .into_iter()
            .map(|(process, ns)| (process, ratio(ns, all)))
            .collect()
    }
}

/// The differences of readings.
fn less<const N: usize>(a: [u64; N], b: [u64; N]) -> [u64; N] {
    std::array::from_fn(|i| a[i].saturating_sub(b[i]))
}

fn sum(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    std::array::from_fn(|i| a[i] + b[i])
}

impl ProcessService {
    /// Begins or ends being served at these readings.
    pub(super) fn serve(&mut self, is: bool, now: [u64; 2]) {
        match (is, self.since) {
            (true, None) => self.since = Some(now),
            (false, Some(since)) => {
                self.served = sum(self.served, less(now, since));
                self.since = None;
            }
            _ => {}
        }
    }

    /// The time in which it was served.
    pub(super) fn served(&self, now: [u64; 2]) -> [u64; 2] {
        self.since
            .map_or(self.served, |since| sum(self.served, less(now, since)))
    }
}

impl SlowState {
    /// Adds the time since the start of the phase to the parts.
    pub(super) fn settle(&mut self, clock: &Clock, served: [u64; 2]) {
        let [lost, spent @ ..] = less(self.phase.readings(self.kind, clock), self.since);
        let mut add = |cause: TailCause, ns: u64| self.parts[cause as usize] += ns;
        add(TailCause::Unknown, lost);
        let alone = if self.woke {
            TailCause::AfterIdle
        } else {
            TailCause::Device
        };
        let others = if self.phase == Phase::Ahead {
            TailCause::Ahead
        } else {
            TailCause::Overtaken
        };
        let is_read = self.kind == RowKind::Read;
        match self.phase {
            Phase::Allocation => add(TailCause::Allocation, spent.iter().sum()),
            Phase::Plugged => add(TailCause::Plugged, spent.iter().sum()),
            Phase::Unplugged | Phase::Queued => {
                let [flush, held, writes, full, first, single, timer] = spent;
                let of_own_process = less(served, self.served);
                let (own_held, own_one) =
                    (of_own_process[0].min(held), of_own_process[1].min(single));
                add(TailCause::Flush, flush);
                add(TailCause::UnplugTimer, timer);
                add(TailCause::Held, own_held + first);
                add(TailCause::OtherProcess, held - own_held + single - own_one);
                add(
                    if is_read {
                        TailCause::Writes
                    } else {
                        TailCause::Queued
                    },
                    writes,
                );
                add(TailCause::Queued, full + own_one);
            }
            Phase::Ahead | Phase::After if self.kind == RowKind::Flush => {
                let [flush, only, with, ..] = spent;
                add(TailCause::Flush, flush);
                add(alone, only);
                add(others, with);
            }
            Phase::Ahead | Phase::After => {
                let [flush, only, writes, with, ..] = spent;
                add(TailCause::Flush, flush);
                add(alone, only);
                add(if is_read { TailCause::Writes } else { others }, writes);
                add(others, with);
            }
        }
    }
}
