//! How fast a device usually completes, and when it does.

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
pub(super) fn counts(row: RequestRow) -> bool {
    let kind = row.kind();
    !kind.flags.has(Flags::PC) && kind.op() != Op::Discard
}

/// The time that decides whether a completion is prompt.
fn service(row: RequestRow) -> Option<u64> {
    row.d2c().or_else(|| row.q2c())
}

/// When a request begins to wait.
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
    prompt: Vec<u64>,
}

impl DevicePace {
    pub(super) fn of_devices(store: &Store) -> Vec<DevicePace> {
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
    pub(super) fn prompt_completion(&self, row: RequestRow) -> Option<u64> {
        let late = service(row).is_some_and(|service| service >= self.slow);
        row.completed().filter(|_| !late)
    }

    /// Whether there is a prompt completion in enough bins of a stretch: the device is in use.
    pub(super) fn completes_within(&self, from: u64, to: u64) -> bool {
        let bins = from / self.bin..to.div_ceil(self.bin);
        let marked = |bin: &u64| {
            let word = self.prompt.get((bin / 64) as usize);
            word.is_some_and(|word| word >> (bin % 64) & 1 == 1)
        };
        let count = bins.end - bins.start;
        bins.filter(marked).count() as u64 * MIN_QUIET_BINS >= count
    }

    /// Runs of bins without a prompt completion that are long enough for a stall.
    pub(super) fn empty_runs(&self) -> Vec<Range<u64>> {
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

pub(super) fn mark_prompt(store: &Store, devices: &mut [DevicePace]) {
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
