//! Goes through a trace in time order and finds the parents of its requests: the requests of the
//! devices above that have the same sectors and are in flight.
//!
//! Remaps come first: the kernel names the upper device and sector when it passes a bio on. Where
//! there are none, the arithmetic of the layers finds the sectors.

use crate::candidates::{Candidate, Child, Choice};
use crate::flight::{Entry, Flight, OPEN};
use crate::learn::{self, AHEAD, Remap, RemapTarget};
use crate::place::{StripePart, UpperPlace};
use crate::rule::LayerRule;
use crate::stack::Stack;
use seekscope_trace::event::{DeviceNumber, Flags, Op};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Parents, StackLayer, Store};
use std::collections::VecDeque;

/// Devices that are gone through upwards.
const MAX_DEPTH: usize = 16;
/// Pieces into which the sectors of one request are taken apart.
const MAX_STEPS: usize = 1 << 14;
/// Candidates of one request.
const MAX_CANDIDATES: usize = 1 << 14;
/// Candidates of data; groups of parity have higher numbers.
const DATA: u32 = 0;

/// What was met on the way up.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    is_internal: bool,
    is_unknown: bool,
    /// Whether the search was given up.
    is_cut: bool,
}

/// A range on its way up.
#[derive(Clone, Copy)]
struct Search {
    op: Op,
    now: u64,
    process: u32,
}

/// A range of a device: `base` is its first sector in those of the request below.
#[derive(Clone, Copy)]
struct SectorSpan {
    sector: u64,
    sectors: u64,
    base: u64,
}

/// The group of the candidates, and the number of devices that were gone through.
type Way = (u32, usize);

pub struct ParentSweep<'a> {
    store: &'a Store,
    stack: &'a Stack,
    /// Node of each device of the store.
    nodes: Vec<usize>,
    /// Requests in flight, by node.
    flights: Vec<Flight>,
    /// Parts of requests as remaps pass them on, by node of the target.
    passed: Vec<Flight>,
    candidates: Vec<Candidate>,
    choice: Choice,
    rows: Vec<u32>,
    spans: Vec<(u64, u64)>,
    met: Met,
    steps: usize,
    groups: u32,
    rivals: Vec<u32>,
    parents: Parents,
}

impl<'a> ParentSweep<'a> {
    pub fn new(store: &'a Store, stack: &'a Stack) -> ParentSweep<'a> {
        let count = stack.nodes.len();
        let nodes = store
            .devices
            .iter()
            .map(|device| stack.find(device.number).unwrap_or(usize::MAX))
            .collect();
        ParentSweep {
            store,
            stack,
            nodes,
            flights: vec![Flight::default(); count],
            passed: vec![Flight::default(); count],
            candidates: Vec::new(),
            choice: Choice::default(),
            rows: Vec::new(),
            spans: Vec::new(),
            met: Met::default(),
            steps: 0,
            groups: DATA,
            rivals: Vec::new(),
            parents: Parents::with_rows(store.requests.len()),
        }
    }

    /// The parents of all requests.
    pub fn run(mut self) -> Parents {
        self.parents.set_layers(self.layers());
        self.parents.kinds = self.stack.kinds(self.store);
        let store = self.store;
        let mut remaps = Ahead {
            remaps: learn::remaps(store),
            ahead: VecDeque::with_capacity(AHEAD),
        };
        let count = store.requests.len();
        let mut row = 0;
        while row < count {
            let start = store.requests.row(row).start();
            self.pass_until(&mut remaps, start);
            let mut end = row;
            // What starts at one time may be passed on at the same time, in coarse clocks.
            while end < count && store.requests.row(end).start() == start {
                self.depart(end);
                end += 1;
            }
            self.pass_until(&mut remaps, start.saturating_add(1));
            for row in row..end {
                self.arrive(row);
            }
            row = end;
        }
        self.parents
    }

    fn layers(&self) -> Vec<StackLayer> {
        let mut layers: Vec<StackLayer> = Vec::new();
        for (index, &node) in self.nodes.iter().enumerate() {
            if node >= self.stack.nodes.len() {
                continue;
            }
            for upper in self.stack.recorded_above(node) {
                match layers.iter_mut().find(|layer| layer.device == upper) {
                    Some(layer) => layer.below.push(index as u32),
                    None => layers.push(StackLayer {
                        device: upper,
                        below: vec![index as u32],
                    }),
                }
            }
        }
        layers.sort_short_by_key(|layer| layer.device);
        layers
    }

    fn node_of(&self, row: usize) -> Option<usize> {
        let device = self.store.requests.row(row).device() as usize;
        let node = *self.nodes.get(device)?;
        (node < self.stack.nodes.len()).then_some(node)
    }

    /// Adds a request to those in flight on its device.
    fn depart(&mut self, row: usize) {
        let request = self.store.requests.row(row);
        let Some(node) = self.node_of(row) else {
            return;
        };
        if !self.stack.nodes[node].has_lower {
            return;
        }
        let (sector, sectors, op) = (request.sector(), request.sectors(), request.op());
        if sectors == 0 || sector == u64::MAX || request.flags().has(Flags::PC) {
            return;
        }
        let (now, end) = (request.start(), sector.saturating_add(sectors));
        let is_late = self.stack.nodes[node].is_late;
        // Data that was kept goes to the devices below at any later time.
        let completed = request.completed().filter(|_| !is_late || op == Op::Read);
        let flight = &mut self.flights[node];
        if is_late {
            flight.replace(op, sector, end, now);
        }
        flight.add(op, sector, Entry::new(end, row as u32, now, completed), now);
    }

    /// Follows the remaps before a time.
    fn pass_until(&mut self, remaps: &mut Ahead<impl Iterator<Item = Remap>>, time: u64) {
        let store = self.store;
        while let Some(remap) = remaps.next_before(store, time) {
            let to = match self.stack.links.target(store, remap) {
                RemapTarget::Device(to) => to,
                RemapTarget::Follow(to) => remaps.following(store, remap).unwrap_or(to),
            };
            self.pass(remap, to);
        }
    }

    fn pass(&mut self, remap: Remap, to: DeviceNumber) {
        let events = &self.store.events;
        let Remap {
            event,
            from,
            sector,
            ..
        } = remap;
        let (Some(upper), Some(lower)) = (self.stack.find(from), self.stack.find(to)) else {
            return;
        };
        let (kind, process) = (*events.kind(event), events.process(event));
        let sectors = u64::from(kind.bytes >> 9);
        let node = &self.stack.nodes[upper];
        if sectors == 0
            || !self.stack.nodes[lower].is_below
            || node.has_parity
            || node.has_zeros && sector == 0
        {
            return;
        }
        let (target, now) = (events.sector(event), events.time(event));
        let search = Search {
            op: kind.flags.op(kind.bytes),
            now,
            process,
        };
        self.begin();
        let span = SectorSpan {
            sector,
            sectors,
            base: target,
        };
        self.visit(upper, span, search, (DATA, 0));
        let child = Child {
            process,
            completed: None,
            is_now: true,
        };
        self.choice.decide(self.store, &mut self.candidates, child);
        // Where nothing decides, all of them are passed on: the request below will be ambiguous.
        let Choice { chosen, rivals, .. } = &mut self.choice;
        let is_rival = |c: &&Candidate| rivals.contains(&c.row);
        chosen.extend(self.candidates.iter().filter(is_rival));
        for i in 0..self.choice.chosen.len() {
            let Candidate { from, to, row, .. } = self.choice.chosen[i];
            let completed = self.store.requests.row(row as usize).completed();
            let entry = Entry::new(to, row, now, completed);
            self.passed[lower].add(search.op, from, entry, now);
        }
    }

    fn begin(&mut self) {
        self.candidates.clear();
        self.choice.clear();
        self.rivals.clear();
        self.met = Met::default();
        self.steps = 0;
        self.groups = DATA;
    }

    /// Finds the parents of a request.
    fn arrive(&mut self, row: usize) {
        let request = self.store.requests.row(row);
        let node = self
            .node_of(row)
            .filter(|&node| self.stack.nodes[node].is_below);
        let Some(node) = node else {
            self.parents.push(&[], None);
            return;
        };
        let (sector, sectors, op) = (request.sector(), request.sectors(), request.op());
        let bytes = u64::from(request.bytes());
        let device = request.device();
        if sectors == 0 || sector == u64::MAX || op == Op::Flush || request.flags().has(Flags::PC) {
            self.parents.push(&[], None);
            self.parents.tally(device).empty.add(bytes);
            return;
        }
        self.begin();
        let search = Search {
            op,
            now: request.start(),
            process: request.process(),
        };
        let span = SectorSpan {
            sector,
            sectors,
            base: sector,
        };
        self.climb(node, span, search, (DATA, 0));
        let child = Child {
            process: request.process(),
            completed: request.completed(),
            is_now: false,
        };
        self.choice.decide(self.store, &mut self.candidates, child);
        if let Some(completed) = request.completed() {
            self.answer(op, completed);
        }
        self.finish(device, bytes, (sector, sectors));
    }

    /// Notes for parents without completion that requests below have their sectors.
    fn answer(&mut self, op: Op, completed: u64) {
        for candidate in &self.choice.chosen {
            let parent = self.store.requests.row(candidate.row as usize);
            if parent.completed().is_some() || candidate.is_late && op != Op::Read {
                continue;
            }
            let node = self.nodes.get(parent.device() as usize);
            if let Some(flight) = node.and_then(|&node| self.flights.get_mut(node)) {
                let sectors = candidate.to - candidate.from;
                flight.answer(op, parent.sector(), candidate.row, sectors, completed);
            }
        }
    }

    /// Adds what was found for a request to the parents.
    fn finish(&mut self, device: u32, bytes: u64, range: (u64, u64)) {
        let (_, sectors) = range;
        self.rows.clear();
        self.rows
            .extend(self.choice.chosen.iter().map(|chosen| chosen.row));
        self.rows.sort_unstable();
        self.rows.dedup();
        self.rivals.extend_from_slice(&self.choice.rivals);
        let is_ambiguous = !self.rivals.is_empty();
        let task = |row: u32| self.store.requests.row(row as usize).process();
        let only_task = self.rivals.first().map(|&row| task(row)).filter(|only| {
            let all = self.rivals.iter().chain(&self.rows);
            all.copied().all(|row| task(row) == *only)
        });
        let covered = self.covered();
        if is_ambiguous || self.met.is_cut {
            // The task of direct parents is that of the top only if nothing lies on them.
            let is_top = self.rivals.iter().all(|&row| {
                let device = self.store.requests.row(row as usize).device();
                self.parents.is_top_device(device)
            });
            self.parents
                .push(&[], only_task.filter(|_| is_top && !self.met.is_cut));
            self.parents.tally(device).ambiguous.add(bytes);
            return;
        }
        self.parents.push(&self.rows, None);
        let (met, has_rows) = (self.met, !self.rows.is_empty());
        let tallies = self.parents.tally(device);
        let tally = if covered >= sectors {
            &mut tallies.found
        } else if has_rows {
            &mut tallies.partial
        } else if met.is_internal {
            &mut tallies.internal
        } else if met.is_unknown {
            &mut tallies.unknown
        } else {
            &mut tallies.outside
        };
        tally.add(bytes);
    }

    /// Number of sectors with a chosen parent.
    fn covered(&mut self) -> u64 {
        self.spans.clear();
        self.spans
            .extend(self.choice.chosen.iter().map(|c| (c.from, c.to)));
        self.spans.sort_unstable();
        let (mut covered, mut end) = (0, 0);
        for &(from, to) in &self.spans {
            covered += to.saturating_sub(from.max(end));
            end = end.max(to);
        }
        covered
    }

    /// Adds the candidates for a range of an upper device: its requests, or what lies above it.
    fn visit(&mut self, upper: usize, span: SectorSpan, search: Search, (group, depth): Way) {
        if self.stack.nodes[upper].device.is_some() {
            self.collect(upper, span, search, group, true);
        } else if depth < MAX_DEPTH {
            self.climb(upper, span, search, (group, depth + 1));
        } else {
            self.met.is_cut = true;
        }
    }

    /// Adds the requests in flight of a recorded device, or the parts that were passed on to it.
    fn collect(
        &mut self,
        node: usize,
        span: SectorSpan,
        search: Search,
        group: u32,
        is_flight: bool,
    ) {
        let flight = if is_flight {
            &self.flights[node]
        } else {
            &self.passed[node]
        };
        let is_late = is_flight && self.stack.nodes[node].is_late && search.op != Op::Read;
        let range = (span.sector, span.sector.saturating_add(span.sectors));
        let candidates = &mut self.candidates;
        let is_open = |entry: &Entry| {
            let parent = self.store.requests.row(entry.row as usize);
            let node = self.nodes.get(parent.device() as usize);
            node.and_then(|&node| self.flights.get(node))
                .is_some_and(|f| f.is_open(search.op, parent.sector(), entry.row, search.now))
        };
        let is_complete = flight.find(search.op, range, search.now, |begin, entry| {
            if !is_flight && entry.done == OPEN && !is_open(entry) {
                return;
            }
            let (from, to) = (begin.max(range.0), entry.end.min(range.1));
            if candidates.len() < MAX_CANDIDATES {
                candidates.push(Candidate {
                    group,
                    from: span.base + (from - range.0),
                    to: span.base + (to - range.0),
                    row: entry.row,
                    is_late,
                });
            }
        });
        self.met.is_cut |= !is_complete || self.candidates.len() >= MAX_CANDIDATES;
    }

    /// Adds the candidates for a range of a lower device.
    fn climb(&mut self, lower: usize, span: SectorSpan, search: Search, way: Way) {
        let before = self.candidates.len();
        self.collect(lower, span, search, way.0, false);
        // What remaps have not passed on is left to the arithmetic.
        let mut from = span.base;
        let end = span.base.saturating_add(span.sectors);
        let passed = self.candidates.len();
        self.candidates[before..passed].sort_unstable();
        for i in before..passed {
            let Candidate {
                from: begin, to, ..
            } = self.candidates[i];
            if begin > from {
                self.rules(lower, part(span, from, begin), search, way);
            }
            from = from.max(to);
        }
        if from < end {
            self.rules(lower, part(span, from, end), search, way);
        }
    }

    /// Adds the candidates for a range of a lower device by the arithmetic of the layers.
    fn rules(&mut self, lower: usize, span: SectorSpan, search: Search, way: Way) {
        let stack = self.stack;
        let end = span.sector.saturating_add(span.sectors);
        for above in stack.nodes[lower].rules(span.sector, end) {
            if above.rule == LayerRule::Unknown {
                self.met.is_unknown = true;
                continue;
            }
            let (mut done, upper) = (0, above.upper);
            while done < span.sectors {
                self.steps += 1;
                if self.steps > MAX_STEPS {
                    self.met.is_cut = true;
                    return;
                }
                let left = span.sectors - done;
                let step = above
                    .rule
                    .step(&stack.thin, span.sector.saturating_add(done), left);
                let sectors = step.sectors.clamp(1, left);
                let base = span.base + done;
                match step.place {
                    UpperPlace::Outside => {}
                    UpperPlace::Internal => self.met.is_internal = true,
                    UpperPlace::Unknown => self.met.is_unknown = true,
                    UpperPlace::Data(sector) => {
                        self.met.is_unknown = true;
                        let span = SectorSpan {
                            sector,
                            sectors,
                            base,
                        };
                        self.visit(upper, span, search, way);
                    }
                    UpperPlace::Stripe(stripe) => {
                        self.met.is_unknown = true;
                        let span = SectorSpan {
                            sector: 0,
                            sectors,
                            base,
                        };
                        self.stripe(upper, stripe, span, search, way);
                    }
                }
                done += sectors;
            }
        }
    }

    /// Adds the candidates for a range within a stripe with parity.
    fn stripe(
        &mut self,
        upper: usize,
        stripe: StripePart,
        span: SectorSpan,
        search: Search,
        way: Way,
    ) {
        let begin = self.candidates.len();
        if let Some(sector) = stripe.data {
            self.visit(upper, SectorSpan { sector, ..span }, search, way);
            if search.op != Op::Read {
                return;
            }
        }
        let data = self.candidates.len();
        // Parity is written for any data of its stripe; for a write, any member may be read.
        let write = Search {
            op: Op::Write,
            ..search
        };
        self.stripe_data(upper, stripe, span, write, way);
        if search.op == Op::Read && stripe.is_degraded {
            self.stripe_data(upper, stripe, span, search, way);
        }
        if begin < data && data < self.candidates.len() {
            let is_of_task =
                |c: &Candidate| self.store.requests.row(c.row as usize).process() == search.process;
            if self.candidates[begin..data].iter().all(is_of_task) {
                self.candidates.truncate(data);
            } else {
                let rivals = self.candidates[begin..].iter().map(|c| c.row);
                self.rivals.extend(rivals);
                self.candidates.truncate(begin);
            }
        }
    }

    /// Adds the requests that have data of a stripe, those of each data chunk as a group.
    fn stripe_data(
        &mut self,
        upper: usize,
        stripe: StripePart,
        span: SectorSpan,
        search: Search,
        way: Way,
    ) {
        for index in 0..stripe.chunks {
            self.groups += 1;
            self.steps += 1;
            if self.steps > MAX_STEPS {
                self.met.is_cut = true;
                return;
            }
            let sector = stripe
                .first
                .saturating_add(index.saturating_mul(stripe.chunk));
            let way = (self.groups, way.1);
            self.visit(upper, SectorSpan { sector, ..span }, search, way);
        }
    }
}

/// The remaps in time order, and some that come next.
struct Ahead<I> {
    remaps: I,
    ahead: VecDeque<Remap>,
}

impl<I: Iterator<Item = Remap>> Ahead<I> {
    /// The next remap, if it is before a time.
    fn next_before(&mut self, store: &Store, time: u64) -> Option<Remap> {
        if self.ahead.is_empty() {
            self.ahead.extend(self.remaps.next());
        }
        let is_before = |remap: &Remap| store.events.time(remap.event) < time;
        self.ahead.front().copied().filter(is_before)?;
        self.ahead.pop_front()
    }

    /// The partition from which a remap takes on what `first` passed to its disk.
    fn following(&mut self, store: &Store, first: Remap) -> Option<DeviceNumber> {
        let missing = AHEAD.saturating_sub(self.ahead.len());
        self.ahead.extend(self.remaps.by_ref().take(missing));
        let next = self
            .ahead
            .iter()
            .find(|next| learn::follows(store, first, **next))?;
        Some(next.from)
    }
}

/// The part of a range between two sectors of the request below.
fn part(span: SectorSpan, from: u64, to: u64) -> SectorSpan {
    SectorSpan {
        sector: span.sector.saturating_add(from - span.base),
        sectors: to.saturating_sub(from),
        base: from,
    }
}
