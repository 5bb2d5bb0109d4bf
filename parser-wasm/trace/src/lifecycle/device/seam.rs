//! The state of a device in a form that does not depend on how it came about: ids and row numbers
//! are replaced by ages and contents. Two devices with equal outlines treat all later events alike,
//! which is what makes a seam between two workers exact.
//!
//! Whoever adds a field to `DeviceState` that influences later events must add it to `Outline`, or
//! two workers join where one would have gone on otherwise. Counts and sums of the past do not
//! belong here; `add_before` adds them.

use super::{DeviceState, InFlight, SplitBio};
use crate::lifecycle::bios::{Bio, NONE};
use crate::lifecycle::in_flight::PASSTHROUGH;
use crate::sorting::SortShort;
use crate::store::{Process, Requests, StoredRequest};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Bios and requests that were left behind, at most: more are not a few whose ends were lost.
const MAX_LEFT_BEHIND: usize = 256;

/// The tables that the row and process numbers of a state refer to.
#[derive(Clone, Copy)]
pub struct Meanings<'a> {
    pub requests: &'a Requests,
    pub processes: &'a [Process],
}

impl Meanings<'_> {
    fn pid(&self, process: u32) -> u64 {
        self.processes
            .get(process as usize)
            .map_or(u64::MAX, |process| process.pid.into())
    }
}

/// The content of a bio. Links to other bios are ages, counted from the youngest live bio, because
/// ids differ between workers.
type BioWords = [u64; 11];

/// Key and content of a request in flight.
type RequestWords = (u64, [u64; 12]);

/// A device's state. Counts and sums of what was are not part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Which of D, Q and C were seen.
    marks: u64,
    /// The live bios, the oldest first.
    bios: Vec<BioWords>,
    /// The requests in flight by key, and the oldest first where they share one.
    requests: Vec<RequestWords>,
    /// Split bios, flushes, and requests handed back.
    rest: Vec<u64>,
}

/// Bios and requests that are open in one state and not in another that is otherwise equal: their
/// ends were lost long ago.
#[derive(Clone, Debug, Default)]
pub struct LeftBehind {
    /// How many of the oldest bios.
    bios: usize,
    /// Positions among the requests in flight.
    requests: Vec<usize>,
    /// First and last sector of each of them.
    sectors: Vec<(u64, u64)>,
}

impl LeftBehind {
    /// Whether an event is about any of it.
    pub fn meets(&self, sector: u64, end: u64) -> bool {
        self.sectors
            .iter()
            .any(|&(first, last)| sector <= last && first <= end)
    }

    /// Rows of requests, without those that were left behind.
    pub fn shared_rows(&self, rows: &[u32]) -> Vec<u32> {
        (0..)
            .zip(rows)
            .filter(|(place, _)| !self.requests.contains(place))
            .map(|(_, row)| *row)
            .collect()
    }

    pub fn is_empty(&self) -> bool {
        self.sectors.is_empty()
    }
}

impl Outline {
    /// Whether it is that of a device that was not used.
    pub fn is_fresh(&self) -> bool {
        *self == Outline::default()
    }

    /// What is open here and not in `next`, which began later and has nothing older; `None` if they
    /// differ in anything else.
    pub fn left_behind(&self, next: &Outline) -> Option<LeftBehind> {
        let bios = self.bios.len().checked_sub(next.bios.len())?;
        let same =
            (self.marks, &self.bios[bios..], &self.rest) == (next.marks, &next.bios, &next.rest);
        let mut left = LeftBehind {
            bios,
            ..LeftBehind::default()
        };
        left.sectors
            .extend(self.bios[..bios].iter().map(|bio| (bio[0], bio[1])));
        let mut remaining = next.requests.iter().peekable();
        for (place, request) in self.requests.iter().enumerate() {
            if remaining
                .next_if(|remaining| *remaining == request)
                .is_none()
            {
                left.requests.push(place);
                left.sectors
                    .push((request.0.min(request.1[2]), request.1[0]));
            }
        }
        // Requests with their bios; passthrough requests and flushes have no sector, and parts of
        // bios are not followed.
        let alone = |&place: &usize| {
            self.requests[place].0 < PASSTHROUGH
                && self.requests[place].1[1] >= next.bios.len() as u64
        };
        let unsplit = self.bios[..bios].iter().all(|bio| bio[10] == u64::MAX);
        let fits = same && remaining.next().is_none() && left.sectors.len() <= MAX_LEFT_BEHIND;
        (fits && unsplit && left.requests.iter().all(alone)).then_some(left)
    }
}

/// Live bios by their age, the youngest is 0, and those that were split by their first part.
struct Places {
    bios: FxHashMap<u32, u64>,
    split: Vec<u32>,
    split_at: FxHashMap<u32, u64>,
}

impl Places {
    /// The place of a bio; `None` if it is gone.
    fn bio(&self, id: u32) -> Option<u64> {
        if id == NONE {
            Some(u64::MAX)
        } else {
            self.bios.get(&id).copied()
        }
    }

    fn split(&mut self, whole: u32) -> u64 {
        if whole == NONE {
            return u64::MAX;
        }
        *self.split_at.entry(whole).or_insert_with(|| {
            self.split.push(whole);
            self.split.len() as u64 - 1
        })
    }
}

fn words_of_bio(bio: &Bio, tables: Meanings<'_>, sibling: u64, whole: u64) -> BioWords {
    let &Bio {
        start,
        end,
        queued,
        allocated,
        inserted,
        merged,
        issued,
        process,
        cpu,
        flags,
        in_request,
        ..
    } = bio;
    let marks = u64::from(cpu) << 32 | u64::from(flags.0) << 1 | u64::from(in_request);
    [
        start,
        end,
        queued,
        allocated,
        inserted,
        merged,
        issued,
        tables.pid(process),
        marks,
        sibling,
        whole,
    ]
}

/// `bios` is the place of its first bio.
fn words_of_request(key: u64, request: &InFlight, tables: Meanings<'_>, bios: u64) -> RequestWords {
    let row = tables.requests.stored(request.row as usize);
    let StoredRequest {
        start,
        queued,
        allocated,
        inserted,
        completed,
        sector,
        bytes,
        flags,
        ..
    } = row;
    let StoredRequest {
        process,
        submit_cpu,
        complete_cpu,
        bios: n,
        error,
        bio,
        requeued,
        momentary,
        ..
    } = row;
    let time = |time: Option<u64>| time.map_or(u64::MAX, |time| time);
    let marks = u64::from(bio) | u64::from(requeued) << 1 | u64::from(momentary) << 2;
    let words = [
        request.end,
        bios,
        sector,
        start,
        time(queued),
        time(allocated),
        time(inserted),
        time(completed),
        tables.pid(process),
        u64::from(bytes) << 32 | u64::from(submit_cpu),
        u64::from(n) << 32 | u64::from(complete_cpu),
        u64::from(flags.0) << 32 | u64::from(error as u16) << 8 | marks,
    ];
    (key, words)
}

impl DeviceState {
    /// The state's outline, and the rows that can still change; `None` if it links what is gone, as
    /// in damaged recordings, or is that of a device with zones or of repeated issues.
    pub fn outline(&self, tables: Meanings<'_>) -> Option<(Outline, Vec<u32>)> {
        if !self.appends.is_empty() || self.reissues.any() {
            return None;
        }
        let marks = [self.has_issues, self.has_queues, self.has_completions];
        let mut outline = Outline {
            marks: marks
                .iter()
                .fold(0, |all, &mark| all << 1 | u64::from(mark)),
            ..Outline::default()
        };
        let live = self.bios.all();
        let mut places = Places {
            bios: live.iter().rev().copied().zip(0..).collect(),
            split: Vec::new(),
            split_at: FxHashMap::default(),
        };
        for bio in live.iter().map(|&id| self.bios.get(id)) {
            let (sibling, whole) = (places.bio(bio.sibling)?, places.split(bio.whole));
            outline.bios.push(words_of_bio(bio, tables, sibling, whole));
        }
        for &whole in &places.split {
            let SplitBio {
                bio,
                parts_left,
                error,
            } = self.split_bios.get(whole as usize)?;
            outline.rest.extend(words_of_bio(
                bio,
                tables,
                (*parts_left).into(),
                *error as u64,
            ));
        }
        self.flush_bios.iter().for_each(|bio| {
            outline
                .rest
                .extend(words_of_bio(bio, tables, u64::MAX, u64::MAX))
        });
        let mut rows = Vec::new();
        for (key, request) in self.in_flight.all() {
            outline.requests.push(words_of_request(
                key,
                &request,
                tables,
                places.bio(request.bios)?,
            ));
            rows.push(request.row);
        }
        let mut handed_back: Vec<(&u64, &InFlight)> = self.requeued.iter().collect();
        handed_back.sort_short_by_key(|request| request.0);
        for (&key, request) in handed_back {
            let (key, words) = words_of_request(key, request, tables, places.bio(request.bios)?);
            outline.rest.push(key);
            outline.rest.extend(words);
            rows.push(request.row);
        }
        Some((outline, rows))
    }

    /// Gives all rows that can still change other numbers, and those of completions alone.
    pub fn renumber_rows(&mut self, mut number: impl FnMut(u32) -> u32) {
        self.in_flight
            .each_mut(|request| request.row = number(request.row));
        self.requeued
            .values_mut()
            .for_each(|request| request.row = number(request.row));
        self.alone.iter_mut().for_each(|row| *row = number(*row));
        self.reissues.renumber(number);
    }

    /// Gives the processes of all bios other numbers.
    pub fn renumber_processes(&mut self, number: impl Fn(u32) -> u32) {
        self.bios.each_mut(|bio| bio.process = number(bio.process));
        let split = self.split_bios.iter_mut().map(|split| &mut split.bio);
        split
            .chain(&mut self.flush_bios)
            .for_each(|bio| bio.process = number(bio.process));
    }

    /// Forgets what was counted so far; the state stays.
    pub fn begin(&mut self) {
        (self.without_bio, self.depth, self.waiting) = (0, 0, 0);
        // Requests whose issue was before the first event would look like losses.
        (self.lossy, self.in_flight.took_older) = (false, false);
        self.alone.clear();
        self.unmatched = Default::default();
        self.searches = Default::default();
    }

    /// Whether `next`, which began in this state, would have gone on in the same way with what was
    /// counted here.
    pub fn allows(&self, next: &DeviceState) -> bool {
        let queues_begin = next.has_queues && !self.has_queues;
        let as_lossy = self.lossy && next.in_flight.took_older;
        let as_requeued = self.has_requeues && next.reissues.any();
        !(as_lossy || as_requeued || self.without_bio > 0 && queues_begin)
            && self.searches.suffices_for(next.searches)
    }

    /// Takes over what was counted before, and what was left behind.
    pub fn add_before(&mut self, mut before: DeviceState, left: &LeftBehind) {
        let bios = before.bios.all();
        let mut new_ids: FxHashMap<u32, u32> = FxHashMap::default();
        self.bios.age(left.bios as u64);
        for (order, &id) in (0..).zip(&bios[..left.bios]) {
            new_ids.insert(
                id,
                self.bios.insert_old(Bio {
                    order,
                    ..*before.bios.get(id)
                }),
            );
        }
        for id in new_ids.values() {
            let bio = self.bios.get_mut(*id);
            bio.sibling = new_ids.get(&bio.sibling).copied().unwrap_or(NONE);
        }
        let requests = before.in_flight.all();
        for (key, request) in left.requests.iter().map(|&place| requests[place]) {
            let bios = new_ids.get(&request.bios).copied().unwrap_or(NONE);
            self.in_flight
                .insert(key, InFlight::new(request.end, request.row, bios));
        }
        self.without_bio += before.without_bio;
        // The effects of the appended events are added to these.
        (self.depth, self.waiting) = (before.depth, before.waiting);
        self.lossy |= before.lossy;
        self.has_requeues |= before.has_requeues;
        self.has_flushes |= before.has_flushes;
        self.in_flight.took_older |= before.in_flight.took_older;
        before.alone.append(&mut self.alone);
        self.alone = before.alone;
        self.unmatched.add_before(before.unmatched);
        self.searches.add_before(before.searches);
    }
}
