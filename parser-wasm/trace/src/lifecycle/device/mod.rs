//! One device's bios and requests, from Q to C.
//!
//! A request is what an issue (D) covers: the bios inside its sectors that were not issued before.
//! That handles merges of all kinds without following them, tolerates lost events, and is how btt
//! counts.
//!
//! What has to stay true: every event returns as `Effect` how it changes the number of requests in
//! flight and of waiting bios, and `depth` and `waiting` are the sums of these effects. The store
//! keeps the effect with each event, and all depth figures are computed from it, so a bio or
//! request that leaves a table without its effect makes the depth wrong from there to the end of
//! the trace.
//!
//! Each event costs a few look-ups by sector. Searches through all that is open are paid from a
//! budget (`search_budget.rs`).

mod append;
mod completion;
mod queued;
pub mod seam;
mod split;

use super::bios::{Bio, LiveBios, NEVER, NONE};
use super::in_flight::{FLUSH, InFlight, InFlights, PASSTHROUGH};
use super::reissued::{Reissued, RepeatedIssues};
use super::search_budget::SearchBudget;
use super::unmatched::{MissingPartner, UnmatchedEvents};
use crate::event::{Action, Event, Flags};
use crate::store::{
    BioStages, Effect, RequestRow, Requests, Stage, StoredRequest, UnmatchedCounts,
};
use append::ZoneAppends;
use completion::row_of;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Requests or bios of a device that are kept before its first completion.
const MAX_UNCOMPLETED: usize = 1 << 18;

/// A bio that was split; its parts are live bios.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct SplitBio {
    bio: Bio,
    parts_left: u32,
    error: i16,
}

/// Receives the results of an event.
pub struct Context<'a> {
    /// The rows of all devices, not only of this one.
    pub requests: &'a mut Requests,
    pub stages: &'a mut BioStages,
    pub unmatched: &'a mut UnmatchedCounts,
    pub device: u32,
    pub process: u32,
    /// Time of the event in ns since the trace's start.
    pub time: u64,
    /// Called for every sample of the stage times: stage, process of the bio, ns.
    pub each: Option<&'a mut dyn FnMut(Stage, u32, u64)>,
}

impl Context<'_> {
    /// The time from `from` to now is a sample of a stage, for a bio of a process.
    #[inline]
    fn sample(&mut self, stage: Stage, process: u32, from: u64) {
        let ns = self.stages.add(stage, from, self.time);
        if let Some(each) = &mut self.each {
            each(stage, process, ns);
        }
    }
}

/// The bios and requests of one device that have not ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DeviceState {
    bios: LiveBios,
    in_flight: InFlights,
    split_bios: Vec<SplitBio>,
    /// Flush bios without data that are not part of a flush request yet.
    flush_bios: VecDeque<Bio>,
    /// Requests that the driver handed back and that were not issued again, by key.
    requeued: FxHashMap<u64, InFlight>,
    has_issues: bool,
    /// Whether a bio was queued.
    has_queues: bool,
    /// Issues without a bio before the first Q. A format without Q has only such issues, so they
    /// count as unmatched only after a Q.
    without_bio: u64,
    /// Whether a request was handed back (R).
    has_requeues: bool,
    has_completions: bool,
    /// Whether a flush without data was issued.
    has_flushes: bool,
    reissues: RepeatedIssues,
    appends: ZoneAppends,
    /// Events were lost: a completion then belongs to the youngest of equal requests, as the older
    /// ones may have lost theirs.
    lossy: bool,
    /// Rows of completions before any Q and D: those of a recording of completions, else
    /// provisional.
    pub alone: Vec<u32>,
    /// Number of requests in flight: the sum of all effects so far.
    pub depth: i32,
    /// Number of waiting bios: the sum of all effects so far.
    pub waiting: i32,
    scratch: Vec<u32>,
    searches: SearchBudget,
    unmatched: UnmatchedEvents,
}

impl DeviceState {
    /// A device with zones of `sectors`; 0 if the size of its zones is not known.
    pub fn with_zones(sectors: u64) -> DeviceState {
        DeviceState {
            appends: ZoneAppends::with_zone_size(sectors),
            ..DeviceState::default()
        }
    }

    /// Takes an event; returns how it changes the device's state.
    pub fn event(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        self.searches.earn();
        let effect = match e.action {
            Action::Queue => self.queue(e, cx),
            Action::GetRequest => self.get_request(e, cx),
            Action::BackMerge | Action::FrontMerge => self.merge(e, cx),
            Action::Insert => self.insert(e, cx),
            Action::Split => self.split(e),
            Action::Issue => self.issue(e, cx),
            Action::Requeue => self.requeue(e),
            Action::Complete => {
                self.has_completions = true;
                if !self.has_queues && !self.has_issues && e.bytes > 0 {
                    self.complete_alone(e, cx);
                }
                self.complete(e, cx)
            }
            _ => Effect::default(),
        };
        self.depth += effect.depth;
        self.waiting += effect.waiting;
        effect
    }

    fn queue(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        if !self.has_queues {
            self.has_queues = true;
            self.lossy |= self.without_bio > 0;
            cx.unmatched.d += self.without_bio;
        }
        if !self.has_issues && !self.has_completions && self.bios.len() >= MAX_UNCOMPLETED {
            self.push_bios(cx.device, cx.requests);
            self.forget_endless();
        }
        let bio = || Bio::queued(e.sector, e.end(), cx.time, cx.process, e.cpu, e.flags);
        if e.sectors() == 0 {
            if !e.flags.has(Flags::FLUSH) {
                return Effect::default();
            }
            self.flush_bios.push_back(bio());
            return waiting(1);
        }
        let displaced = self.bios.insert(bio());
        let mut lost = 0;
        if let Some(old) = displaced {
            cx.unmatched.q += 1;
            lost = i32::from(!old.in_request);
        }
        waiting(1 - lost)
    }

    fn issue(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        self.has_issues = true;
        let mut row = StoredRequest {
            start: cx.time,
            sector: e.sector,
            bytes: e.bytes,
            flags: e.flags,
            process: cx.process,
            device: cx.device,
            submit_cpu: e.cpu,
            ..StoredRequest::default()
        };
        if e.flags.has(Flags::PC) {
            return self.launch(PASSTHROUGH, e.end(), &mut row, NONE, cx, 0);
        }
        if self.key(e) == FLUSH {
            self.has_flushes = true;
            let bios = std::mem::take(&mut self.flush_bios);
            if let Some(first) = bios.front() {
                row.queued = Some(first.queued);
                row.allocated = happened(first.allocated);
                row.process = first.process;
                row.submit_cpu = first.cpu;
                row.bios = bios.len() as u32;
            }
            return self.launch(FLUSH, 0, &mut row, NONE, cx, bios.len() as i32);
        }
        let mut found = std::mem::take(&mut self.scratch);
        let cut = self.covered_bios(e, &mut found);
        if found.is_empty() {
            let handed_back = self.requeued.get(&e.sector).map_or(NONE, |r| r.bios);
            // Damaged recordings may have ended them meanwhile.
            found.extend(
                self.siblings(handed_back)
                    .filter(|&id| self.bios.is_live(id) && !self.bios.get(id).in_request),
            );
        }
        let repeated = if found.is_empty() {
            self.repeated(e, cx.requests)
        } else {
            None
        };
        if found.is_empty() && e.sectors() > 0 && repeated.is_none() {
            if self.has_queues {
                cx.unmatched.d += 1;
                self.lossy = true;
            } else {
                self.without_bio += 1;
            }
        }
        let mut head = NONE;
        let mut first_queued = (NEVER, NEVER);
        for &id in found.iter().rev() {
            let bio = self.bios.get_mut(id);
            bio.in_request = true;
            bio.issued = cx.time;
            bio.sibling = head;
            head = id;
            cx.sample(Stage::Q2D, bio.process, bio.queued);
            if bio.allocated != NEVER {
                cx.sample(Stage::G2D, bio.process, bio.allocated);
                row.allocated = Some(
                    row.allocated
                        .map_or(bio.allocated, |t| t.min(bio.allocated)),
                );
            }
            if bio.inserted != NEVER {
                cx.sample(Stage::I2D, bio.process, bio.inserted);
                row.inserted = Some(row.inserted.map_or(bio.inserted, |t| t.max(bio.inserted)));
            } else if bio.merged != NEVER {
                cx.sample(Stage::M2D, bio.process, bio.merged);
            }
            if (bio.queued, bio.order) < first_queued {
                first_queued = (bio.queued, bio.order);
                row.queued = Some(bio.queued);
                row.process = bio.process;
                row.submit_cpu = bio.cpu;
            }
        }
        row.bios = found.len() as u32;
        let n = found.len() as i32;
        self.scratch = found;
        if let Some(before) = repeated {
            self.reissues.note(before, cx.requests.len() as u32);
        }
        let mut effect = self.launch(self.key(e), e.end(), &mut row, head, cx, n);
        effect.waiting += cut.waiting;
        effect
    }

    /// Issues so far that repeat one in flight.
    pub fn repeated_issues(&self) -> usize {
        self.reissues.count()
    }

    /// The request in flight that an issue without a bio repeats exactly.
    fn repeated(&self, e: &Event, requests: &Requests) -> Option<u32> {
        // Appends are issued at the same sector.
        if e.sectors() == 0 || self.has_requeues || self.appends.start(e) == Some(e.sector) {
            return None;
        }
        let row = self.in_flight.find(self.key(e), e.end())?;
        let request = requests.row(row as usize);
        (request.bytes() == e.bytes && request.op() == e.flags.op(e.bytes)).then_some(row)
    }

    fn launch(
        &mut self,
        key: u64,
        end: u64,
        row: &mut StoredRequest,
        bios: u32,
        cx: &mut Context<'_>,
        n: i32,
    ) -> Effect {
        let before = if self.requeued.is_empty() {
            None
        } else {
            self.requeued.remove(&key)
        };
        let number = match before {
            Some(before) => {
                row.requeued = true;
                cx.requests.replace(before.row as usize, row);
                before.row
            }
            None => cx.requests.push(row) as u32,
        };
        self.forget_endless();
        let depth = 1 + self.hold(key, InFlight::new(end, number, bios), cx);
        Effect { depth, waiting: -n }
    }

    /// Holds a request in flight. The change of the depth: -1 if another had to go.
    fn hold(&mut self, key: u64, request: InFlight, cx: &mut Context<'_>) -> i32 {
        let Some(displaced) = self.in_flight.insert(key, request) else {
            return 0;
        };
        self.lossy = true;
        cx.unmatched.d += 1;
        self.reissues.displaced(displaced.row);
        -1
    }

    /// A recording without completions would keep all of its requests and bios: they are dropped,
    /// their rows stay.
    fn forget_endless(&mut self) {
        if !self.has_completions && self.in_flight.len().max(self.bios.len()) >= MAX_UNCOMPLETED {
            self.in_flight = InFlights::default();
            self.bios = LiveBios::default();
            self.split_bios.clear();
            self.flush_bios.clear();
        }
    }

    fn requeue(&mut self, e: &Event) -> Effect {
        self.has_requeues = true;
        let key = self.key(e);
        let Some(request) = self.in_flight.take(key, Some(e.end()), true) else {
            return Effect::default();
        };
        self.requeued.insert(key, request);
        let bios: Vec<u32> = if self.searches.allows() {
            self.siblings(request.bios).collect()
        } else {
            Vec::new()
        };
        self.searches.spend(bios.len());
        for &id in &bios {
            self.bios.get_mut(id).in_request = false;
        }
        Effect {
            depth: -1,
            waiting: bios.len() as i32,
        }
    }

    /// The bios of a request, from `head` on.
    fn siblings(&self, head: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors((head != NONE).then_some(head), |&id| {
            let next = self.bios.get(id).sibling;
            (next != NONE).then_some(next)
        })
    }

    fn key(&self, e: &Event) -> u64 {
        if e.flags.has(Flags::PC) {
            PASSTHROUGH
        } else if e.sectors() == 0 && e.flags.has(Flags::FLUSH) {
            FLUSH
        } else {
            e.sector.min(PASSTHROUGH - 1)
        }
    }

    /// Finds the bios that an issue or completion covers; a larger bio that begins with it is
    /// split.
    fn covered_bios(&mut self, e: &Event, found: &mut Vec<u32>) -> Effect {
        if let Some(id) = self.append_bio(e) {
            found.clear();
            found.push(id);
            return Effect::default();
        }
        found.clear();
        if self.searches.allows() {
            self.searches
                .spend(self.bios.within(e.sector, e.end(), found));
        }
        if found.is_empty()
            && let Some(id) = self
                .bios
                .starting(e.sector, |b| !b.in_request && b.end > e.end())
        {
            found.push(id);
            return self.cut(id, e.end());
        }
        Effect::default()
    }

    /// Unmatched events at the end of the trace. `requests` are those of all devices.
    pub fn unmatched(&self, device: u32, requests: &Requests) -> UnmatchedEvents {
        let mut unmatched = self.unmatched.clone();
        let is_open = |request: RequestRow| {
            request.device() == device && request.completed().is_none() && !request.is_bio()
        };
        if self.in_flight.len() > 0 {
            requests.each(0..requests.len(), |request| {
                if is_open(request) {
                    unmatched.note(
                        request.start(),
                        request.submit_cpu(),
                        MissingPartner::Completion,
                    );
                }
            });
        }
        let waiting = self
            .bios
            .all()
            .into_iter()
            .map(|id| self.bios.get(id))
            .filter(|bio| !bio.in_request);
        let flushes = self.flush_bios.iter().filter(|_| self.has_flushes);
        waiting
            .chain(flushes)
            .for_each(|bio| unmatched.note(bio.queued, bio.cpu, MissingPartner::End));
        unmatched
    }

    pub fn has_open(&self) -> bool {
        self.in_flight.len() > 0
    }

    /// Decides which of the repeated issues were requests of their own.
    pub fn reissued(&self, requests: &mut Requests) -> Reissued {
        self.reissues.resolve(requests)
    }

    /// Times of flush bios that wait for nothing that is recorded: with `-a write` they are queued,
    /// but flush requests are no writes.
    pub fn unanswered_flushes(&self) -> impl Iterator<Item = u64> + '_ {
        self.flush_bios
            .iter()
            .filter(|_| self.has_issues && !self.has_flushes)
            .map(|bio| bio.queued)
    }

    /// Ends the trace: what is still open never completed within it.
    pub fn finish(
        &mut self,
        device: u32,
        requests: &mut Requests,
        unmatched: &mut UnmatchedCounts,
    ) {
        unmatched.d += self.in_flight.len() as u64;
        unmatched.q += self.bios.len() as u64;
        if !self.has_issues {
            self.push_bios(device, requests);
        }
    }

    /// Rows of the bios that are not complete, on a device without requests.
    fn push_bios(&self, device: u32, requests: &mut Requests) {
        let mut written = rustc_hash::FxHashSet::default();
        for id in self.bios.all() {
            let bio = *self.bios.get(id);
            if bio.whole == NONE {
                requests.push(&row_of(&bio, device));
            } else if written.insert(bio.whole) {
                requests.push(&row_of(&self.split_bios[bio.whole as usize].bio, device));
            }
        }
    }
}

fn waiting(change: i32) -> Effect {
    Effect {
        depth: 0,
        waiting: change,
    }
}

fn happened(time: u64) -> Option<u64> {
    (time != NEVER).then_some(time)
}
