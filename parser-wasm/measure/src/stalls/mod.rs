//! Stalls: stretches in which requests wait and the device completes none of them promptly.
//!
//! A completion is *prompt* if the request took less than [`MIN_SLOW_NS`], or less than
//! [`SLOW_FACTOR`] times the 90th percentile of its device where that is more: D2C, or Q2C of a
//! bio.
//! A stall is a stretch between two prompt completions during which a read, write or flush was
//! outstanding (from its Q, else its D, to its C), without idle times of more than [`MAX_IDLE_NS`].
//! It ends with the last late completion. Without its idle times it lasts at least
//! [`MIN_STALL_NS`], and at least [`GAP_FACTOR`] times the mean time between two completions of the
//! busy device: a slow device is not a stalled one.
//!
//! Three passes over the requests, no sorting: the first finds the percentile and the mean, the
//! second marks bins of time with a prompt completion, the third visits the requests around runs of
//! empty bins. Without such runs there is no third pass. Time and memory are bounded whatever the
//! times are: bins have at most [`MAX_BINS`] bits for all devices together, so that in recordings
//! of many hours with many devices stalls of fewer than three bins are not found; and where requests
//! outlast more than [`MAX_GAPS`] runs of empty bins on average, no stall is found.

#[cfg(test)]
mod tests;

use super::Window;
use super::histogram::{Histogram, Share};
use rustc_hash::FxHashMap;
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::protocol::labels;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Parents, RequestRow, Role, Store};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::iter;
use std::ops::Range;

/// Shortest stall, ns.
pub const MIN_STALL_NS: u64 = 300_000_000;
/// A request that takes less is prompt, ns.
pub const MIN_SLOW_NS: u64 = 100_000_000;
/// A request is prompt below this multiple of the 90th percentile, too.
pub const SLOW_FACTOR: u64 = 4;
/// A stall lasts at least this multiple of the mean time between completions.
pub const GAP_FACTOR: u64 = 10;
/// Idle time that does not end a stall, ns: a program that waits for each request sends the next
/// one only when it was woken up.
pub const MAX_IDLE_NS: u64 = 20_000_000;
/// Stalls of a trace that are listed: the longest ones.
pub const MAX_STALLS: usize = 256;

/// Time shown before and after a stall, ns; the length of the stall if that is more.
const MARGIN_NS: u64 = 2_000_000_000;
/// One bin in so many of a quiet stretch has a prompt completion, at least.
const MIN_QUIET_BINS: u64 = 4;
const PERCENTILE: Share = 9_000;
/// Shortest bin, ns: a fraction of the shortest stall, so that runs of empty bins are few.
const MIN_BIN_NS: u64 = 25_000_000;
/// Bins of all devices: 8 MiB.
const MAX_BINS: u64 = 1 << 26;
/// Runs of empty bins per request that are examined, on average.
const MAX_GAPS: usize = 16;
/// Places of a quiet stretch that are tried on either side of a stall.
const MAX_TRIES: usize = 64;
/// Processes that are named per stall.
const MAX_PROCESSES: usize = 3;
/// In percent: a stall in which nothing completes for this share of its time is frozen, and one in
/// which requests are in the device for less than the rest is held.
const FROZEN_PERCENT: u64 = 90;

/// What a device did while it stalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StallKind {
    /// It completed nothing until the end.
    Frozen,
    /// It completed requests, each of them late.
    Slow,
    /// Requests waited above it: it, or the devices below it, had nothing to do.
    Held,
}

labels! {
    /// What a device did while it stalled, as the verb of a sentence; by kind, in their order.
    STALL_VERBS {
        "frozen" => "completed nothing",
        "slow" => "completed all requests late",
        "held" => "had nothing to do",
    }
}

impl StallKind {
    /// What the device did, as the verb of a sentence.
    pub fn verb(self) -> &'static str {
        STALL_VERBS[self as usize].1
    }
}

/// The longest stall of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongestStall {
    pub kind: StallKind,
    pub from_ns: u64,
    pub to_ns: u64,
    /// Requests that were outstanding within it.
    pub requests: u64,
}

/// All stalls of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StallTotals {
    pub count: u64,
    /// Their time in all.
    pub ns: u64,
    pub longest: LongestStall,
}

impl StallTotals {
    /// Those of the device `dev` (`major,minor`) among stalls; absent without any.
    pub fn of_device(stalls: &[Stall], dev: &str) -> Option<StallTotals> {
        let of_device = || stalls.iter().filter(|stall| stall.device == dev);
        let longest = of_device().max_by_key(|stall| stall.to_ns - stall.from_ns)?;
        Some(StallTotals {
            count: of_device().count() as u64,
            ns: of_device().map(|stall| stall.to_ns - stall.from_ns).sum(),
            longest: LongestStall {
                kind: longest.kind,
                from_ns: longest.from_ns,
                to_ns: longest.to_ns,
                requests: longest.requests,
            },
        })
    }
}

/// The requests of one process that a stall delayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StalledProcess {
    pub pid: u32,
    pub name: String,
    pub requests: u64,
}

/// A stretch in which a device stalled. Times are ns since the first event of the trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stall {
    /// `major,minor`.
    pub device: String,
    pub kind: StallKind,
    /// The last prompt completion before it, or the begin of the first request that it delayed.
    pub from_ns: u64,
    /// The last late completion in it; the end of the trace if it never ended.
    pub to_ns: u64,
    /// Whether the trace ended before any request that it delayed was completed.
    pub unfinished: bool,
    /// Requests (bios of a stacked device) that were outstanding within it.
    pub requests: u64,
    /// Those of them that were completed before its last moment.
    pub completed: u64,
    /// Those of them that were in the device at some time; absent for bios of a stacked device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued: Option<u64>,
    /// The longest time of one of these requests, ns: Q2C, else D2C; absent if none completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_ns: Option<u64>,
    /// Whose requests they were, most requests first.
    pub processes: Vec<StalledProcess>,
    /// The stall with some time before and after it, to be compared with `quiet_ns`.
    pub around_ns: (u64, u64),
    /// The nearest stretch of the same length, before the stall if there is one, in which the
    /// device completed requests and did not stall; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_ns: Option<(u64, u64)>,
}

/// The stalls of a complete trace within a window, by their time. Empty where the times are in
/// doubt.
pub fn stalls(store: &Store, window: Window) -> Vec<Stall> {
    if !store.complete || store.quality.clock.is_some() {
        return Vec::new();
    }
    let mut devices = DevicePace::of_devices(store);
    mark_prompt(store, &mut devices);
    let mut gaps = Gaps::find(&devices);
    if gaps.gaps.is_empty() {
        return Vec::new();
    }
    if !gaps.collect(store, &devices) {
        return Vec::new();
    }
    let mut found = gaps.stretches(store, &devices);
    // A quiet stretch has no stall, neither one outside of the window nor one that is not listed.
    let all = StallTimes::collect(&found, devices.len());
    found.retain(|stretch| stretch.from < window.to && stretch.to >= window.from);
    found.sort_short_by_key(|stretch| Reverse(stretch.to - stretch.from));
    found.truncate(MAX_STALLS);
    found.sort_short_by_key(|stretch| (stretch.from, stretch.device));
    found
        .iter()
        .map(|stretch| stretch.describe(store, &devices[stretch.device], &all))
        .collect()
}

/// Whether a request can be stalled. A discard may take seconds without any fault.
fn counts(row: RequestRow) -> bool {
    let kind = row.kind();
    !kind.flags.has(Flags::PC) && kind.op() != Op::Discard
}

/// The time that decides whether a completion is prompt.
fn service(row: RequestRow) -> Option<u64> {
    row.d2c().or_else(|| row.q2c())
}

/// When a request begins to wait.
fn begin(row: RequestRow) -> u64 {
    row.queued().unwrap_or_else(|| row.start())
}

/// How fast a device usually completes, and the bins of time with a prompt completion.
#[derive(Clone, Debug)]
struct DevicePace {
    /// Requests that take as long are not prompt.
    slow: u64,
    min_stall: u64,
    last_completion: u64,
    bin: u64,
    prompt: Vec<u64>,
}

impl DevicePace {
    fn of_devices(store: &Store) -> Vec<DevicePace> {
        let count = store.devices.len();
        let mut services = vec![Histogram::default(); count];
        // Busy time, and until when the device is busy.
        let mut busy = vec![(0u64, 0u64); count];
        let mut last = vec![0u64; count];
        store.requests.each(0..store.requests.len(), |row| {
            let device = row.device() as usize;
            let (Some(services), Some(completed)) = (services.get_mut(device), row.completed())
            else {
                return;
            };
            last[device] = last[device].max(completed);
            if let Some(service) = service(row).filter(|_| counts(row)) {
                services.add(service);
                let (total, until) = &mut busy[device];
                *total += completed.saturating_sub((completed - service).max(*until));
                *until = (*until).max(completed);
            }
        });
        let span = store.span().saturating_add(1);
        let bin = MIN_BIN_NS.max(span.saturating_mul(count as u64) / MAX_BINS);
        let words = (span / bin / 64 + 1) as usize;
        let pace = |((services, (busy, _)), last_completion): ((Histogram, (u64, u64)), u64)| {
            let usual = services.quantile(PERCENTILE).unwrap_or_default();
            let gap = busy / services.tally().n.max(1);
            DevicePace {
                slow: MIN_SLOW_NS.max(usual.saturating_mul(SLOW_FACTOR)),
                min_stall: MIN_STALL_NS
                    .max(gap.saturating_mul(GAP_FACTOR))
                    .max(bin * 3),
                last_completion,
                bin,
                prompt: vec![0; words],
            }
        };
        services.into_iter().zip(busy).zip(last).map(pace).collect()
    }

    /// The completion of a request, if it is prompt. One of unknown duration counts as prompt:
    /// nothing shows that it was late.
    fn prompt_completion(&self, row: RequestRow) -> Option<u64> {
        let late = service(row).is_some_and(|service| service >= self.slow);
        row.completed().filter(|_| !late)
    }

    /// Whether there is a prompt completion in enough bins of a stretch: the device is in use.
    fn completes_within(&self, from: u64, to: u64) -> bool {
        let bins = from / self.bin..to.div_ceil(self.bin);
        let marked = |bin: &u64| {
            let word = self.prompt.get((bin / 64) as usize);
            word.is_some_and(|word| word >> (bin % 64) & 1 == 1)
        };
        let count = bins.end - bins.start;
        bins.filter(marked).count() as u64 * MIN_QUIET_BINS >= count
    }

    /// Runs of bins without a prompt completion that are long enough for a stall.
    fn empty_runs(&self) -> Vec<Range<u64>> {
        let (bins, mut runs, mut start) = (self.prompt.len() as u64 * 64, Vec::new(), 0);
        let mut close = |start: u64, end: u64| {
            // The stall may reach into the bins beside the run.
            if (end - start + 2) * self.bin >= self.min_stall {
                runs.push(start..end);
            }
        };
        for (word, &bits) in (0..).zip(&self.prompt) {
            let mut bits = bits;
            while bits != 0 {
                let bin = word * 64 + u64::from(bits.trailing_zeros());
                close(start, bin);
                start = bin + 1;
                bits &= bits - 1;
            }
        }
        close(start, bins);
        runs
    }
}

fn mark_prompt(store: &Store, devices: &mut [DevicePace]) {
    store.requests.each(0..store.requests.len(), |row| {
        if let Some(pace) = devices.get_mut(row.device() as usize)
            && let Some(time) = pace.prompt_completion(row)
        {
            let bin = time / pace.bin;
            if let Some(word) = pace.prompt.get_mut((bin / 64) as usize) {
                *word |= 1 << (bin % 64);
            }
        }
    });
}

/// A run of bins without a prompt completion.
#[derive(Clone, Debug)]
struct Gap {
    device: usize,
    bins: Range<u64>,
    /// The last prompt completion before it.
    from: u64,
    /// The first prompt completion after it.
    to: u64,
    /// Requests that are outstanding in it.
    rows: Vec<u32>,
}

/// The gaps of all devices; those of a device stand together, in the order of time.
#[derive(Clone, Debug)]
struct Gaps {
    gaps: Vec<Gap>,
    /// For each device the places of its gaps.
    places: Vec<Range<usize>>,
}

impl Gaps {
    fn find(devices: &[DevicePace]) -> Gaps {
        let (mut gaps, mut places) = (Vec::new(), Vec::new());
        for (device, pace) in devices.iter().enumerate() {
            let first = gaps.len();
            gaps.extend(pace.empty_runs().into_iter().map(|bins| Gap {
                device,
                bins,
                from: 0,
                to: u64::MAX,
                rows: Vec::new(),
            }));
            places.push(first..gaps.len());
        }
        Gaps { gaps, places }
    }

    /// Finds the exact ends of the gaps, and the requests in them. False if these are too many.
    fn collect(&mut self, store: &Store, devices: &[DevicePace]) -> bool {
        let mut room = store.requests.len().saturating_mul(MAX_GAPS);
        let whole = store.quality.lost_events == 0 && store.quality.truncated_bytes == 0;
        let end_of_trace = store.span();
        store.requests.each(0..store.requests.len(), |row| {
            let device = row.device() as usize;
            let (Some(pace), Some(places)) = (devices.get(device), self.places.get(device)) else {
                return;
            };
            let gaps = &mut self.gaps[places.clone()];
            if let Some(time) = pace.prompt_completion(row) {
                let bin = time / pace.bin;
                let after = gaps.partition_point(|gap| gap.bins.end <= bin);
                if let Some(gap) = after.checked_sub(1).and_then(|before| gaps.get_mut(before)) {
                    gap.to = gap.to.min(time);
                }
                if let Some(gap) = gaps.get_mut(after) {
                    gap.from = gap.from.max(time);
                }
            }
            // A request without a completion waits until the end of the trace, unless its
            // completion may have been lost: then others were completed after it. The store ends
            // requests of unknown fate much earlier.
            let begin = begin(row);
            let is_last = pace.last_completion > 0 && begin > pace.last_completion;
            let unfinished = (whole && is_last).then_some(end_of_trace);
            let Some(end) = row.completed().or(unfinished).filter(|_| counts(row)) else {
                return;
            };
            // The ends of a gap lie in the bins beside it.
            let first = gaps.partition_point(|gap| (gap.bins.end + 1) * pace.bin <= begin);
            for gap in &mut gaps[first..] {
                if gap.bins.start.saturating_sub(1) * pace.bin > end || room == 0 {
                    break;
                }
                room -= 1;
                gap.rows.push(row.row as u32);
            }
        });
        room > 0
    }

    fn stretches(&self, store: &Store, devices: &[DevicePace]) -> Vec<StalledTime> {
        let mut found = Vec::new();
        for gap in &self.gaps {
            let pace = &devices[gap.device];
            gap.stretches(store, pace, |stretch| {
                let lost = store.quality.loss_intervals.iter().any(|loss| {
                    loss.device as usize == stretch.device
                        && loss.from <= stretch.to
                        && loss.to >= stretch.from
                });
                if !lost {
                    found.push(stretch);
                }
            });
        }
        found
    }
}

impl Gap {
    /// The stretches of the gap in which a request is always outstanding, if they are long enough.
    fn stretches(&self, store: &Store, pace: &DevicePace, mut found: impl FnMut(StalledTime)) {
        let to = self.to.min(store.span());
        let mut outstanding: Vec<(u64, u64, u32)> = self
            .rows
            .iter()
            .map(|&number| {
                let row = store.requests.row(number as usize);
                let end = row.completed().unwrap_or_else(|| store.span());
                (begin(row).max(self.from), end, number)
            })
            .filter(|&(begin, end, _)| begin < to && end > self.from)
            .collect();
        outstanding.sort_unstable();
        let mut rest = outstanding.as_slice();
        while let Some(&(from, ..)) = rest.first() {
            let (mut until, mut count, mut idle) = (from, 0, 0);
            let joined = |until: u64| move |next: &&(u64, u64, u32)| next.0 <= until + MAX_IDLE_NS;
            while let Some(&(begin, end, _)) = rest.get(count).filter(joined(until)) {
                idle += begin.saturating_sub(until);
                (until, count) = (until.max(end.min(to)), count + 1);
            }
            let (together, others) = rest.split_at(count);
            rest = others;
            let late = |&(_, end, number): &(u64, u64, u32)| {
                let row = store.requests.row(number as usize);
                let prompt = pace.prompt_completion(row).is_some();
                (row.completed().is_some() && !prompt && end <= until).then_some(end)
            };
            let last = together.iter().filter_map(late).max();
            let end = last.unwrap_or(until);
            if end.saturating_sub(from + idle) >= pace.min_stall {
                let began = |&&(begin, ..): &&(u64, u64, u32)| begin < end;
                found(StalledTime {
                    device: self.device,
                    from,
                    to: end,
                    unfinished: last.is_none() && self.to > store.span(),
                    rows: together.iter().filter(began).map(|row| row.2).collect(),
                });
            }
        }
    }
}

/// Begin and end of all stalls by device, in the order of time. Those of a device do not overlap.
#[derive(Clone, Debug)]
struct StallTimes {
    devices: Vec<Vec<(u64, u64)>>,
}

impl StallTimes {
    fn collect(found: &[StalledTime], devices: usize) -> StallTimes {
        let mut times = vec![Vec::new(); devices];
        for stall in found {
            times[stall.device].push((stall.from, stall.to));
        }
        StallTimes { devices: times }
    }

    /// Whether a stall of the device has time in common with a stretch.
    fn overlaps(&self, device: usize, from: u64, to: u64) -> bool {
        let times = &self.devices[device];
        let next = times.partition_point(|stall| stall.1 <= from);
        times.get(next).is_some_and(|stall| stall.0 < to)
    }
}

/// A stall, and the requests that were outstanding in it.
#[derive(Clone, Debug)]
struct StalledTime {
    device: usize,
    from: u64,
    to: u64,
    unfinished: bool,
    rows: Vec<u32>,
}

impl StalledTime {
    fn describe(&self, store: &Store, pace: &DevicePace, all: &StallTimes) -> Stall {
        let (around, quiet) = self.compared(store.span(), pace, all);
        let rows = || {
            self.rows
                .iter()
                .map(|&number| store.requests.row(number as usize))
        };
        let completed: Vec<u64> = rows()
            .filter_map(RequestRow::completed)
            .filter(|&time| time < self.to)
            .collect();
        let bios = rows().all(RequestRow::is_bio);
        Stall {
            device: store.devices[self.device].number.to_string(),
            kind: self.kind(store, &completed, bios, all),
            from_ns: self.from,
            to_ns: self.to,
            unfinished: self.unfinished,
            requests: self.rows.len() as u64,
            completed: completed.len() as u64,
            issued: (!bios).then(|| {
                let in_device = |row: &RequestRow| row.issued().is_some_and(|time| time < self.to);
                rows().filter(in_device).count() as u64
            }),
            longest_ns: rows()
                .filter_map(|row| row.q2c().or_else(|| row.d2c()))
                .max(),
            processes: self.processes(store),
            around_ns: around,
            quiet_ns: quiet,
        }
    }

    /// The stall with its margins, and the quiet stretch: with half or a quarter of the margins
    /// where there is none that is longer.
    fn compared(
        &self,
        end: u64,
        pace: &DevicePace,
        all: &StallTimes,
    ) -> ((u64, u64), Option<(u64, u64)>) {
        let margin = MARGIN_NS.max(self.to - self.from);
        for margin in [margin, margin / 2, margin / 4] {
            let around = self.around(margin, end);
            let quiet = self.quiet(end, around, pace, all);
            if quiet.is_some() {
                return (around, quiet);
            }
        }
        (self.around(margin, end), None)
    }

    /// The stall with its margins, within the trace.
    fn around(&self, margin: u64, end: u64) -> (u64, u64) {
        (
            self.from.saturating_sub(margin),
            self.to.saturating_add(margin).min(end),
        )
    }

    /// See [`Stall::quiet_ns`]. A stretch that is as near as possible ends where a stall begins, or
    /// begins where one ends.
    fn quiet(
        &self,
        end: u64,
        around: (u64, u64),
        pace: &DevicePace,
        all: &StallTimes,
    ) -> Option<(u64, u64)> {
        let length = around.1 - around.0;
        let times = &all.devices[self.device];
        let first_after = times.partition_point(|stall| stall.0 < around.1);
        let last_before = times.partition_point(|stall| stall.0 <= around.0);
        let before = times[..last_before].iter().rev().map(|stall| stall.0);
        let before = iter::once(around.0).chain(before);
        let before = before.filter_map(|to| to.checked_sub(length));
        let after = times[first_after..].iter().map(|stall| stall.1);
        let after = iter::once(around.1).chain(after);
        let after = after.take_while(|from| from + length <= end);
        let is_free = |from: &u64| {
            let to = from + length;
            !all.overlaps(self.device, *from, to) && pace.completes_within(*from, to)
        };
        let from = before
            .take(MAX_TRIES)
            .find(is_free)
            .or_else(|| after.take(MAX_TRIES).find(is_free))?;
        Some((from, from + length))
    }

    fn kind(&self, store: &Store, completed: &[u64], bios: bool, all: &StallTimes) -> StallKind {
        let length = self.to - self.from;
        let held = if bios {
            self.below_is_idle(store, all)
        } else {
            self.time_in_device(store) * 100 < length * (100 - FROZEN_PERCENT)
        };
        let first = completed.iter().min().copied().unwrap_or(self.to);
        if held {
            StallKind::Held
        } else if (first - self.from) * 100 >= length * FROZEN_PERCENT {
            StallKind::Frozen
        } else {
            StallKind::Slow
        }
    }

    /// Time within the stall in which a request is between D and C.
    fn time_in_device(&self, store: &Store) -> u64 {
        let mut spans: Vec<(u64, u64)> = self
            .rows
            .iter()
            .filter_map(|&number| {
                let row = store.requests.row(number as usize);
                let to = row.completed().unwrap_or(self.to).min(self.to);
                Some((row.issued()?.max(self.from), to))
            })
            .collect();
        spans.sort_unstable();
        let (mut total, mut until) = (0, self.from);
        for (from, to) in spans {
            total += to.saturating_sub(from.max(until));
            until = until.max(to);
        }
        total
    }

    /// Whether the recorded devices below a stacked one neither stall nor get requests meanwhile.
    fn below_is_idle(&self, store: &Store, all: &StallTimes) -> bool {
        let layers = store.parents.as_deref().map_or(&[][..], Parents::layers);
        let layer = layers
            .iter()
            .find(|layer| layer.device as usize == self.device);
        let Some(layer) = layer.filter(|layer| !layer.below.is_empty()) else {
            return false;
        };
        let below = |device: usize| layer.below.contains(&(device as u32));
        let mut devices = layer.below.iter();
        let stalls = devices.any(|&device| all.overlaps(device as usize, self.from, self.to));
        let disk = |device: usize| store.devices[device].role != Role::Stacked;
        let rows = store.requests.find(self.from + 1)..store.requests.find(self.to);
        // Requests at the edges are those before it, and those that ended it.
        let edge = (self.to - self.from) * (100 - FROZEN_PERCENT) / 100;
        let inner = self.from + edge..self.to - edge;
        let works = rows.into_iter().any(|number| {
            let row = store.requests.row(number);
            let device = row.device() as usize;
            below(device) && disk(device) && inner.contains(&row.start())
        });
        !stalls && !works
    }

    fn processes(&self, store: &Store) -> Vec<StalledProcess> {
        let mut counts = FxHashMap::default();
        for &number in &self.rows {
            let process = store.requests.row(number as usize).process();
            *counts.entry(process).or_insert(0u64) += 1;
        }
        let mut processes: Vec<StalledProcess> = counts
            .into_iter()
            .filter_map(|(process, requests)| {
                let process = store.processes.get(process as usize)?;
                Some(StalledProcess {
                    pid: process.pid,
                    name: process.label(),
                    requests,
                })
            })
            .collect();
        processes.sort_short_by_key(|p| (Reverse(p.requests), p.pid));
        processes.truncate(MAX_PROCESSES);
        processes
    }
}
