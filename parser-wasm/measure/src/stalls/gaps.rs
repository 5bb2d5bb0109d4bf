//! Gaps between prompt completions, and the stretches of them in which requests wait.

use super::MAX_IDLE_NS;
use super::pace::{DevicePace, begin, counts};
use super::stalled_time::StalledTime;
use seekscope_trace::store::Store;
use std::ops::Range;

/// Runs of empty bins per request that are examined, on average.
pub(super) const MAX_GAPS: usize = 16;

/// A run of bins without a prompt completion.
#[derive(Clone, Debug)]
pub(super) struct Gap {
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
pub(super) struct Gaps {
    pub gaps: Vec<Gap>,
    /// For each device the places of its gaps.
    places: Vec<Range<usize>>,
}

impl Gaps {
    pub(super) fn find(devices: &[DevicePace]) -> Gaps {
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
    pub(super) fn collect(&mut self, store: &Store, devices: &[DevicePace]) -> bool {
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

    pub(super) fn stretches(&self, store: &Store, devices: &[DevicePace]) -> Vec<StalledTime> {
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
