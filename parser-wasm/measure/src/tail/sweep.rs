//! Takes one device through its requests in time order: what is in flight, and the slow requests
//! that are not completed.
//!
//! Every change of the load first advances the clocks to its time (`advance`), then changes the
//! load; a slow request reads the clocks when its phase changes. In the other order, the time
//! before a change would be counted for the state after it. The parts of a request then add up to
//! its own time exactly, which the tests check against the definition.

use super::clock::{Clock, DeviceLoad, HELD, HELD_FIRST, ONE, TIMER};
use super::plugs::PlugEvent;
use super::state::{ActiveSlow, KindTag, Phase, Processes, SlowMoment, SlowState};
use super::time_queue::TimeQueue;
use super::{ROOM, RowKind, SlowRequest, SlowThreshold, Tail, TailCause, TailParts, WAKE};
use crate::ratio;
use seekscope_trace::event::Action;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{RequestKind, RequestRow, Requests, Stage, Store};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) struct Sweep<'a> {
    requests: &'a Requests,
    slow: SlowThreshold,
    /// With fewer requests in flight than this, the device has room.
    room: u32,
    has_g: bool,
    /// Slow rows, ascending, and how many of them are issued. Their index is their number.
    rows: Vec<u32>,
    issued: usize,
    /// (begin, number), the last one first: taken from the end.
    begins: Vec<(u64, u32)>,
    active: ActiveSlow,
    /// The next moments of slow requests, with their numbers. The moments at which those before
    /// have completed follow one another, and so do the completions.
    moments: TimeQueue<(u64, SlowMoment, u32), 2>,
    /// Time, row and tag.
    completions: TimeQueue<(u64, u32, KindTag), 1>,
    processes: Processes,
    /// Loss intervals, the last one first, and the one that has begun.
    losses: Vec<(u64, u64)>,
    lost_until: Option<u64>,
    /// Plugs that a timer releases, the last one first, and when that of now is released.
    timers: Vec<(u64, u64)>,
    timer_until: Option<u64>,
    now: u64,
    clock: Clock,
    in_flight: DeviceLoad,
    /// The last process that issued a request, and the one when the latest slow request ended.
    last: Option<u32>,
    last_before: Option<u32>,
    /// The last completion of all that was issued: since then it is idle, if nothing is in flight.
    until: Option<u64>,
    queued: u64,
    n: u64,
    issued_with: u64,
    parts: [u128; TailCause::ALL.len()],
    most: usize,
    slowest: BinaryHeap<Reverse<SlowRequest>>,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(
        store: &'a Store,
        device: usize,
        slow: SlowThreshold,
        (rows, mut timers): (Vec<u32>, Vec<(u64, u64)>),
        most: usize,
    ) -> Sweep<'a> {
        timers.reverse();
        let requests = &store.requests;
        let begin = |row: u32| {
            let request = requests.row(row as usize);
            let queued = request.queued().filter(|_| slow.stage == Stage::Q2C);
            queued.unwrap_or_else(|| request.start())
        };
        let mut begins: Vec<(u64, u32)> = (0..)
            .zip(&rows)
            .map(|(number, &row)| (begin(row), number))
            .collect();
        begins.sort_unstable_by_key(|b| Reverse(*b));
        let losses_of_device = store
            .quality
            .loss_intervals
            .iter()
            .filter(|hole| hole.device as usize == device);
        let mut losses: Vec<(u64, u64)> =
            losses_of_device.map(|hole| (hole.from, hole.to)).collect();
        losses.sort_short_by_key(|l| Reverse(*l));
        Sweep {
            requests,
            slow,
            room: (ROOM * f64::from(slow.full.max(1))).ceil() as u32,
            has_g: store.devices[device].recorded.has(Action::GetRequest),
            active: ActiveSlow::with_room_for(rows.len()),
            begins,
            rows,
            issued: 0,
            moments: TimeQueue::new(),
            completions: TimeQueue::new(),
            processes: Processes::default(),
            losses,
            lost_until: None,
            timers,
            timer_until: None,
            now: 0,
            clock: Clock::default(),
            in_flight: DeviceLoad::default(),
            last: None,
            last_before: None,
            until: None,
            queued: 0,
            n: 0,
            issued_with: 0,
            parts: [0; TailCause::ALL.len()],
            most,
            slowest: BinaryHeap::new(),
        }
    }

    /// Whether all slow requests are completed.
    pub(super) fn is_done(&self) -> bool {
        self.begins.is_empty() && self.active.is_empty()
    }

    /// The time at which the first slow request begins.
    pub(super) fn begins(&self) -> Option<u64> {
        self.begins.last().map(|(time, _)| *time)
    }

    /// A plug was opened or released. `number`: of the process of its kind, once it is known.
    pub(super) fn plug(&mut self, plug: &PlugEvent, number: &mut Option<u32>) {
        if self.quiet_until().is_none_or(|until| plug.time >= until) {
            self.advance(plug.time);
        }
        let opened = plug.action == Action::Plug;
        let number = *number.get_or_insert_with(|| self.processes.number(plug.process));
        let state = self.processes.state(number);
        if state.plugged == opened {
            return;
        }
        state.plugged = opened;
        // A request can be added to the next plug right after the one before was unplugged: only I
        // shows that it is in no plug.
        for number in state.pluggable.clone() {
            self.enter(
                number,
                if opened {
                    Phase::Plugged
                } else {
                    Phase::Unplugged
                },
            );
        }
    }

    #[cold]
    fn tag(&mut self, kind: &RequestKind) -> KindTag {
        let process = self.processes.number(kind.process);
        KindTag::new(process, RowKind::from_kind(kind), kind.bios > 0)
    }

    /// D of a request; in the order of D. `tag`: of its kind, once it is known.
    pub(super) fn issue(&mut self, row: RequestRow, tag: &mut Option<KindTag>) {
        let (start, row32) = (row.start(), row.row as u32);
        let tag = *tag.get_or_insert_with(|| self.tag(row.kind()));
        let completed = row.completed();
        if let Some(until) = self.quiet_until().filter(|until| start < *until) {
            return self.issue_quietly(completed, until, row32, tag);
        }
        self.advance(start);
        while self.rows.get(self.issued).is_some_and(|slow| *slow < row32) {
            self.issued += 1;
        }
        if self.rows.get(self.issued) == Some(&row32) {
            self.issue_slow(self.issued as u32, start, completed.unwrap_or(start));
        }
        // A request that never completes blocks no other: its end is not known.
        let Some(completed) = completed else { return };
        let idle = self.in_flight.all == 0;
        let before = self.last;
        self.launch(completed, row32, tag);
        // While the device was idle, it was the one that is served.
        if let Some(before) = before.filter(|_| idle) {
            self.refresh(before);
        }
        if completed <= start {
            self.advance(start);
        }
    }

    /// Until when there is no slow request: what happens before that is nobody's wait, so that
    /// neither the clocks nor what has ended by then matters.
    fn quiet_until(&self) -> Option<u64> {
        let begin = self.begins.last().filter(|_| self.active.is_empty());
        begin.map(|(time, _)| *time)
    }

    /// D of a request before the next slow one begins. Only what it leaves behind is noted.
    fn issue_quietly(&mut self, completed: Option<u64>, until: u64, row: u32, tag: KindTag) {
        let Some(completed) = completed else { return };
        if completed >= until {
            return self.launch(completed, row, tag);
        }
        self.until = self.until.max(Some(completed));
        if tag.has_bios() {
            self.last = Some(tag.process());
        }
    }

    /// Puts a request in flight.
    fn launch(&mut self, completed: u64, row: u32, tag: KindTag) {
        self.in_flight.change(tag.kind(), true);
        self.completions.push((completed, row, tag));
        self.until = self.until.max(Some(completed));
        if tag.has_bios() {
            self.last = Some(tag.process());
            let service = self.processes.service(tag.process());
            service.in_flight += 1;
            if service.in_flight == 1 {
                self.refresh(tag.process());
            }
        }
    }

    fn issue_slow(&mut self, number: u32, start: u64, completed: u64) {
        let passed = self.until.unwrap_or(0);
        self.enter(
            number,
            if passed > start {
                Phase::Ahead
            } else {
                Phase::After
            },
        );
        let in_flight = self.in_flight.all;
        let woke = in_flight == 0
            && self
                .until
                .is_some_and(|until| start.saturating_sub(until) >= WAKE);
        if let Some(state) = self.active.get(number) {
            (state.in_flight, state.woke) = (in_flight, woke);
        }
        if passed > start && passed < completed {
            self.moments.push((passed, SlowMoment::Passed, number));
        }
        self.moments
            .push((completed, SlowMoment::Completed, number));
    }

    pub(super) fn finish(mut self) -> Tail {
        self.advance(u64::MAX);
        let mut slowest: Vec<SlowRequest> =
            self.slowest.into_iter().map(|Reverse(slow)| slow).collect();
        slowest.sort_short_by_key(|slow| (Reverse(slow.ns), slow.row));
        Tail {
            stage: self.slow.stage,
            share: self.slow.share,
            threshold: self.slow.ns,
            n: self.n,
            parts: self.parts,
            full: self.slow.full,
            in_flight: ratio(u128::from(self.issued_with), u128::from(self.n)),
            served: self.processes.blamed(),
            slowest,
        }
    }

    /// Advances everything up to and including `to`.
    fn advance(&mut self, to: u64) {
        loop {
            let moment = self.moments.peek().map_or(u64::MAX, |next| next.0);
            let begin = self.begins.last().map_or(u64::MAX, |(time, _)| *time);
            let loss = self
                .lost_until
                .or(self.losses.last().map(|l| l.0))
                .unwrap_or(u64::MAX);
            let timer = self
                .timer_until
                .or(self.timers.last().map(|timer| timer.0))
                .unwrap_or(u64::MAX);
            let first = begin.min(loss).min(timer);
            // Most of what happens are completions, and they change none of these times.
            let is_next = |time: u64| time <= to && time <= moment && time < first;
            while let Some((time, _, tag)) = self.completions.pop_if(|next| is_next(next.0)) {
                self.elapse(time);
                self.complete(tag);
            }
            let next = moment.min(first);
            if next > to || next == u64::MAX {
                break;
            }
            self.elapse(next);
            if next == loss {
                self.lose();
            } else if next == timer {
                self.timer_until = match self.timer_until {
                    Some(_) => None,
                    None => self.timers.pop().map(|(_, until)| until),
                };
            } else if next == begin {
                self.begin();
            } else {
                self.pass();
            }
        }
        if to != u64::MAX {
            self.elapse(to);
        }
    }

    fn elapse(&mut self, to: u64) {
        let ns = to.saturating_sub(self.now);
        if ns == 0 {
            return;
        }
        self.now = to;
        if self.lost_until.is_some() {
            self.clock.lost += ns;
            return;
        }
        let queue = match self.in_flight.queue(self.slow.full, self.room) {
            _ if self.timer_until.is_some() => TIMER,
            HELD if self.last.is_none() => HELD_FIRST,
            queue => queue,
        };
        self.clock.queue[queue] += ns;
        self.clock.flight[self.in_flight.flight()] += ns;
        self.clock.flush[self.in_flight.flush()] += ns;
        if matches!(queue, HELD | ONE)
            && self.queued > 0
            && let Some(last) = self.last
        {
            let queued = self.queued;
            let state = self.processes.state(last);
            state.blamed += u128::from(ns) * u128::from(queued.saturating_sub(state.queued));
        }
    }

    /// Begins or ends a loss interval.
    fn lose(&mut self) {
        if self.lost_until.take().is_none() {
            let Some((_, mut until)) = self.losses.pop() else {
                return;
            };
            while let Some((_, to)) = self.losses.pop_if(|next| next.0 <= until) {
                until = until.max(to);
            }
            self.lost_until = (until > self.now).then_some(until);
        }
    }

    /// Q of a slow request, or D of one without Q.
    fn begin(&mut self) {
        let Some((time, number)) = self.begins.pop() else {
            return;
        };
        if self.active.is_empty() {
            // Only these can be served differently from what `refresh` saw last.
            for process in [self.last_before, self.last].into_iter().flatten() {
                self.refresh(process);
            }
        }
        let row = self.rows[number as usize];
        let request = self.requests.row(row as usize);
        let (start, kind) = (request.start(), request.kind());
        let process = self.processes.number(kind.process);
        let allocated = request
            .allocated()
            .filter(|g| self.has_g && *g >= time && *g <= start);
        let (kind, phase) = (RowKind::from_kind(kind), Phase::Queued);
        let state = SlowState {
            row,
            process,
            kind,
            phase,
            in_flight: 0,
            woke: false,
            since: phase.readings(kind, &self.clock),
            served: self
                .processes
                .service(process)
                .served(self.clock.of_processes()),
            parts: TailParts::default(),
        };
        self.active.begin(number, state);
        self.queue(process, true);
        if time == start {
            return;
        }
        match allocated {
            Some(g) if g > time => {
                self.enter(number, Phase::Allocation);
                self.moments.push((g, SlowMoment::Allocated, number));
            }
            Some(_) => self.allocate(number),
            None => {}
        }
    }

    /// G of a slow request: its process may have a plug open, until I at the latest.
    fn allocate(&mut self, number: u32) {
        let Some(&mut SlowState { process, row, .. }) = self.active.get(number) else {
            return;
        };
        let request = self.requests.row(row as usize);
        let start = request.start();
        let inserted = request.inserted().unwrap_or(start).min(start);
        if inserted <= self.now {
            return self.enter(number, Phase::Queued);
        }
        let plugged = self.processes.state(process).plugged;
        self.enter(
            number,
            if plugged {
                Phase::Plugged
            } else {
                Phase::Unplugged
            },
        );
        self.processes.state(process).pluggable.push(number);
        self.moments.push((inserted, SlowMoment::Inserted, number));
    }

    fn pass(&mut self) {
        let Some((_, moment, number)) = self.moments.pop() else {
            return;
        };
        match moment {
            SlowMoment::Allocated => self.allocate(number),
            SlowMoment::Inserted => {
                let waits = |state: &mut SlowState| {
                    matches!(state.phase, Phase::Plugged | Phase::Unplugged)
                };
                if self.active.get(number).is_some_and(waits) {
                    self.enter(number, Phase::Queued);
                }
            }
            SlowMoment::Passed => self.enter(number, Phase::After),
            SlowMoment::Completed => self.end(number),
        }
    }

    /// C of a request.
    fn complete(&mut self, tag: KindTag) {
        self.in_flight.change(tag.kind(), false);
        if tag.has_bios() {
            let service = self.processes.service(tag.process());
            service.in_flight = service.in_flight.saturating_sub(1);
            if service.in_flight == 0 {
                self.refresh(tag.process());
            }
        }
        if let Some(last) = self.last.filter(|_| self.in_flight.all == 0) {
            self.refresh(last);
        }
    }

    /// Whether a process is served: something of it is in flight, or nothing is and it was the
    /// last.
    fn refresh(&mut self, process: u32) {
        let idle = self.in_flight.all == 0 && self.last == Some(process);
        let now = self.clock.of_processes();
        let service = self.processes.service(process);
        service.serve(service.in_flight > 0 || idle, now);
    }

    fn queue(&mut self, process: u32, more: bool) {
        for n in [&mut self.processes.state(process).queued, &mut self.queued] {
            *n = if more { *n + 1 } else { n.saturating_sub(1) };
        }
    }

    /// Ends the phase of a slow request and begins another.
    fn enter(&mut self, number: u32, phase: Phase) {
        let in_queue = |phase| matches!(phase, Phase::Unplugged | Phase::Queued);
        let in_plug = |phase| matches!(phase, Phase::Plugged | Phase::Unplugged);
        let Some(state) = self.active.get(number) else {
            return;
        };
        let (process, before) = (state.process, state.phase);
        let served = self
            .processes
            .service(process)
            .served(self.clock.of_processes());
        state.settle(&self.clock, served);
        (state.phase, state.served) = (phase, served);
        state.since = phase.readings(state.kind, &self.clock);
        if in_plug(before) && !in_plug(phase) {
            self.processes
                .state(process)
                .pluggable
                .retain(|other| *other != number);
        }
        if in_queue(before) != in_queue(phase) {
            self.queue(process, in_queue(phase));
        }
    }

    fn end(&mut self, number: u32) {
        let Some(mut state) = self.active.end(number) else {
            return;
        };
        self.last_before = self.last;
        state.settle(
            &self.clock,
            self.processes
                .service(state.process)
                .served(self.clock.of_processes()),
        );
        self.n += 1;
        self.issued_with += u64::from(state.in_flight);
        for (sum, ns) in self.parts.iter_mut().zip(state.parts) {
            *sum += u128::from(ns);
        }
        let slow = SlowRequest {
            ns: state.parts.iter().sum(),
            row: state.row,
            in_flight: state.in_flight,
            parts: state.parts,
        };
        self.slowest.push(Reverse(slow));
        if self.slowest.len() > self.most {
            self.slowest.pop();
        }
    }
}
