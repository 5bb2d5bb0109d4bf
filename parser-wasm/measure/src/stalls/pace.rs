//! How fast a device usually completes, and when it does. What is called for each request is
//! inlined always, as the rows are.

use super::{GAP_FACTOR, MIN_SLOW_NS, MIN_STALL_NS, SLOW_FACTOR};
use crate::histogram::{Histogram, Share};
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::store::{RequestRow, Store};
use std::ops::Range;

/// A request is prompt below a multiple of this percentile of its device.
pub(super) const PERCENTILE: Share = 9_000;
/// Shortest bin, ns: a fraction of the shortest stall, so that runs of empty bins are few.
pub(super) const MIN_BIN_NS: u64 = 25_000_000;
/// Bins of all devices: 8 MiB.
const MAX_BINS: u64 = 1 << 26;
/// One bin in so many of a quiet stretch has a prompt completion, at least.
const MIN_QUIET_BINS: u64 = 4;

/// Whether a request can be stalled. A discard may take seconds without any fault.
#[inline(always)]
pub(super) fn counts(row: RequestRow) -> bool {
    let kind = row.kind();
    !kind.flags.has(Flags::PC) && kind.op() != Op::Discard
}

/// The time that decides whether a completion is prompt.
#[inline(always)]
fn service(row: RequestRow) -> Option<u64> {
    row.d2c().or_else(|| row.q2c())
}

/// When a request begins to wait.
#[inline(always)]
pub(super) fn begin(row: RequestRow) -> u64 {
    row.queued().unwrap_or_else(|| row.start())
}

/// How fast a device usually completes, and the bins of time with a prompt completion.
#[derive(Clone, Debug)]
pub(super) struct DevicePace {
    /// Requests that take as long are not prompt.
    slow: u64,
    pub min_stall: u64,
    pub last_completion: u64,
    /// Length of a bin, ns.
    pub bin: u64,
    prompt: PromptBins,
}

/// What is counted of a device in the first pass.
#[derive(Clone, Debug)]
struct PaceCounter {
    services: Histogram,
    busy: u64,
    busy_until: u64,
    last_completion: u64,
    prompt: PromptBins,
}

impl PaceCounter {
    fn new(prompt: PromptBins) -> PaceCounter {
        PaceCounter {
            services: Histogram::default(),
            busy: 0,
            busy_until: 0,
            last_completion: 0,
            prompt,
        }
    }

    #[inline(always)]
    fn add(&mut self, row: RequestRow, completed: u64) {
        self.last_completion = self.last_completion.max(completed);
        let service = service(row);
        if service.is_none_or(|service| service < MIN_SLOW_NS) {
            self.prompt.mark(completed);
        }
        if let Some(service) = service.filter(|_| counts(row)) {
            self.services.add(service);
            let begin = (completed - service).max(self.busy_until);
            self.busy += completed.saturating_sub(begin);
            self.busy_until = self.busy_until.max(completed);
        }
    }

    fn pace(self) -> DevicePace {
        let usual = self.services.quantile(PERCENTILE).unwrap_or_default();
        let gap = self.busy / self.services.tally().n.max(1);
        let bin = self.prompt.bin;
        DevicePace {
            slow: MIN_SLOW_NS.max(usual.saturating_mul(SLOW_FACTOR)),
            min_stall: MIN_STALL_NS
                .max(gap.saturating_mul(GAP_FACTOR))
                .max(bin * 3),
            last_completion: self.last_completion,
            bin,
            prompt: self.prompt,
        }
    }
}

/// A bit for each bin of time, set where a prompt completion is in it.
#[derive(Clone, Debug)]
struct PromptBins {
    /// Length of a bin, ns.
    bin: u64,
    words: Vec<u64>,
}

impl PromptBins {
    #[inline(always)]
    fn mark(&mut self, time: u64) {
        let index = time / self.bin;
        if let Some(word) = self.words.get_mut((index / 64) as usize) {
            *word |= 1 << (index % 64);
        }
    }
}

impl DevicePace {
    /// The pace of each device. One pass over the requests marks those that are prompt whatever the
    /// percentile is; another one is necessary only where a device is so slow that it raises the
    /// limit.
    pub(super) fn of_devices(store: &Store) -> Vec<DevicePace> {
        let count = store.devices.len();
        let span = store.span().saturating_add(1);
        let bin = MIN_BIN_NS.max(span.saturating_mul(count as u64) / MAX_BINS);
        let words = vec![0; (span / bin / 64 + 1) as usize];
        let mut counters = vec![PaceCounter::new(PromptBins { bin, words }); count];
        store.requests.each(0..store.requests.len(), |row| {
            if let Some(counter) = counters.get_mut(row.device() as usize)
                && let Some(completed) = row.completed()
            {
                counter.add(row, completed);
            }
        });
        let mut devices: Vec<DevicePace> = counters.into_iter().map(PaceCounter::pace).collect();
        if devices.iter().any(|pace| pace.slow > MIN_SLOW_NS) {
            mark_prompt(store, &mut devices);
        }
        devices
    }

    /// The completion of a request, if it is prompt. One of unknown duration counts as prompt:
    /// nothing shows that it was late.
    #[inline(always)]
    pub(super) fn prompt_completion(&self, row: RequestRow) -> Option<u64> {
        let late = service(row).is_some_and(|service| service >= self.slow);
        row.completed().filter(|_| !late)
    }

    /// Whether there is a prompt completion in enough bins of a stretch: the device is in use.
    pub(super) fn completes_within(&self, from: u64, to: u64) -> bool {
        let bins = from / self.bin..to.div_ceil(self.bin);
        let marked = |bin: &u64| {
            let word = self.prompt.words.get((bin / 64) as usize);
            word.is_some_and(|word| word >> (bin % 64) & 1 == 1)
        };
        let count = bins.end - bins.start;
        bins.filter(marked).count() as u64 * MIN_QUIET_BINS >= count
    }

    /// Runs of bins without a prompt completion that are long enough for a stall.
    pub(super) fn empty_runs(&self) -> Vec<Range<u64>> {
        let (bins, mut runs, mut start) = (self.prompt.words.len() as u64 * 64, Vec::new(), 0);
        let mut close = |start: u64, end: u64| {
            // The stall may reach into the bins beside the run.
            if (end - start + 2) * self.bin >= self.min_stall {
                runs.push(start..end);
            }
        };
        for (word, &bits) in (0..).zip(&self.prompt.words) {
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

/// Marks the bins of all prompt completions.
fn mark_prompt(store: &Store, devices: &mut [DevicePace]) {
    store.requests.each(0..store.requests.len(), |row| {
        if let Some(pace) = devices.get_mut(row.device() as usize)
            && let Some(time) = pace.prompt_completion(row)
        {
            pace.prompt.mark(time);
        }
    });
}
