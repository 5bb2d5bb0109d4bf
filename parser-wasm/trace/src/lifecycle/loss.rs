//! Finds intervals in which events were lost although the sequence numbers have no gap: a CPU that
//! is usually busy records nothing, and the partners that it would have recorded are missing for
//! events before and after.
//!
//! Two phases: `quiet.rs` finds the quiet intervals of each CPU, then the unmatched events are
//! assigned to them. One alone is not enough: idle CPUs are quiet too, and every recording has
//! unmatched events at its ends.

use super::quiet::{QuietInterval, quiet_intervals};
use super::unmatched::{MissingPartner, UnmatchedEvent};
use crate::store::{EndedUnseen, LossEvidence, LossInterval, Requests, Role, Store, rows};
use rustc_hash::FxHashMap;

/// Unmatched events that make a quiet interval a loss interval; the second number suffices if they
/// are on both sides of it.
const UNMATCHED: (usize, usize) = (4, 2);
/// If so many tenths of a CPU's requests complete on one CPU, all are assumed to complete there.
const USUAL: u64 = 9;

/// The intervals in which events of a device were lost, and what they explain.
#[derive(Clone, Debug, Default)]
pub struct FoundLoss {
    /// Ordered by CPU and time.
    pub intervals: Vec<LossInterval>,
    /// Ends of loss intervals and gaps, with the requests in flight and the waiting bios whose end
    /// was lost.
    pub ended: EndedUnseen,
    /// Times of the issues of those requests.
    pub issues: Vec<u64>,
}

/// Usual durations and CPUs of the requests of a device.
#[derive(Debug, Default)]
struct UsualTiming {
    /// Longest time, ns.
    queued_to_issued: u64,
    issued_to_completed: u64,
    /// CPU on which the requests of a submitting CPU complete, where it is one; and the other way
    /// round.
    completes_on: FxHashMap<u32, u32>,
    submitted_on: FxHashMap<u32, u32>,
}

/// When the missing partner of an unmatched event must have been recorded, and on which CPU if that
/// is known.
#[derive(Clone, Copy, Debug)]
struct PartnerWindow {
    from: u64,
    to: u64,
    cpu: Option<u32>,
}

/// The losses of a device without a sequence gap. `gaps` are those with one: they explain unmatched
/// events too. Only devices that issue requests are examined: md and dm complete bios that they
/// never recorded.
pub fn find(
    store: &Store,
    device: u32,
    unmatched: &[UnmatchedEvent],
    gaps: &[LossInterval],
) -> FoundLoss {
    let mut found = FoundLoss::default();
    let disk = store
        .devices
        .get(device as usize)
        .is_some_and(|d| d.role == Role::Disk);
    if unmatched.is_empty() || !disk {
        return found;
    }
    let usual_timing = UsualTiming::measure(&store.requests, device);
    let Some((span, quiet_intervals)) = quiet_intervals(&store.events, device) else {
        return found;
    };
    let mut explained: Vec<Vec<&UnmatchedEvent>> = vec![Vec::new(); quiet_intervals.len()];
    for event in unmatched {
        let Some(window) = usual_timing.window(event, span) else {
            continue;
        };
        if let Some(gap) = gaps
            .iter()
            .find(|gap| gap.from < window.to && gap.to > window.from)
        {
            found.end(gap.to, event);
        } else if let Some(list) =
            likeliest(&quiet_intervals, window).and_then(|index| explained.get_mut(index))
        {
            list.push(event);
        }
    }
    for (QuietInterval { cpu, from, to, .. }, unmatched) in quiet_intervals
        .into_iter()
        .zip(explained)
        .filter(|(_, unmatched)| is_hole(unmatched))
    {
        unmatched.iter().for_each(|event| found.end(to, event));
        found.intervals.push(LossInterval {
            device,
            cpu,
            from,
            to,
            loss: LossEvidence::Silence {
                unmatched: unmatched.len() as u64,
            },
        });
    }
    found
}

impl FoundLoss {
    fn end(&mut self, time: u64, event: &UnmatchedEvent) {
        if event.lacks == MissingPartner::Completion {
            self.issues.push(event.time);
        }
        let (requests, bios) = self.ended.entry(time).or_default();
        *requests += i32::from(event.lacks == MissingPartner::Completion);
        *bios += i32::from(event.lacks == MissingPartner::End);
    }
}

fn is_hole(unmatched: &[&UnmatchedEvent]) -> bool {
    let after = unmatched
        .iter()
        .filter(|s| s.lacks == MissingPartner::Issue)
        .count();
    unmatched.len() >= UNMATCHED.0
        || (unmatched.len() >= UNMATCHED.1 && after > 0 && after < unmatched.len())
}

/// The quiet interval in a window with most missing events, of the window's CPU if it has one.
fn likeliest(
    quiet_intervals: &[QuietInterval],
    PartnerWindow { from, to, cpu }: PartnerWindow,
) -> Option<usize> {
    let best = |same: bool| {
        let fits = |s: &QuietInterval| s.from < to && s.to > from && (!same || Some(s.cpu) == cpu);
        let fitting = quiet_intervals.iter().enumerate().filter(|(_, s)| fits(s));
        fitting
            .max_by(|a, b| a.1.expected.total_cmp(&b.1.expected))
            .map(|(index, _)| index)
    };
    best(true).or_else(|| best(false))
}

impl UsualTiming {
    fn measure(requests: &Requests, device: u32) -> UsualTiming {
        let mut usual_timing = UsualTiming::default();
        let mut pairs: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        rows::each(0..requests.len(), |i| {
            let request = requests.row(i);
            if request.device() != device {
                return;
            }
            usual_timing.queued_to_issued = usual_timing
                .queued_to_issued
                .max(request.q2d().unwrap_or(0));
            if let Some(d2c) = request.d2c() {
                usual_timing.issued_to_completed = usual_timing.issued_to_completed.max(d2c);
                *pairs
                    .entry((request.submit_cpu(), request.complete_cpu()))
                    .or_default() += 1;
            }
        });
        usual_timing.completes_on = usual(pairs.iter().map(|(&(s, c), &n)| (s, c, n)));
        usual_timing.submitted_on = usual(pairs.iter().map(|(&(s, c), &n)| (c, s, n)));
        usual_timing
    }

    /// `None` if the partner may be before the first or after the last event of the device: at the
    /// ends of a recording some requests are always in flight. The margin is twice the longest
    /// known time.
    fn window(&self, event: &UnmatchedEvent, (first, last): (u64, u64)) -> Option<PartnerWindow> {
        let UnmatchedEvent { time, cpu, lacks } = *event;
        let reach = if lacks == MissingPartner::End {
            self.queued_to_issued
        } else {
            self.issued_to_completed
        };
        let usual_cpu = |cpus: &FxHashMap<u32, u32>| cpus.get(&cpu).copied();
        let inside = match lacks {
            MissingPartner::Issue => time
                .checked_sub(reach.saturating_mul(2))
                .is_some_and(|from| from > first),
            MissingPartner::Completion | MissingPartner::End => time
                .checked_add(reach.saturating_mul(2))
                .is_some_and(|to| to < last),
        };
        (inside && reach > 0).then(|| match lacks {
            MissingPartner::Issue => PartnerWindow {
                from: time - reach,
                to: time,
                cpu: usual_cpu(&self.submitted_on),
            },
            MissingPartner::Completion => PartnerWindow {
                from: time,
                to: time + reach,
                cpu: usual_cpu(&self.completes_on),
            },
            MissingPartner::End => PartnerWindow {
                from: time,
                to: time + reach,
                cpu: Some(cpu),
            },
        })
    }
}

/// The value of nearly all counts, per key.
fn usual(counts: impl Iterator<Item = (u32, u32, u64)>) -> FxHashMap<u32, u32> {
    let mut by_key: FxHashMap<u32, (u64, u64, u32)> = FxHashMap::default();
    for (key, value, n) in counts {
        let (all, most, best) = by_key.entry(key).or_default();
        *all += n;
        if (n, value) > (*most, *best) {
            (*most, *best) = (n, value);
        }
    }
    by_key
        .into_iter()
        .filter(|(_, (all, most, _))| most * 10 >= all * USUAL)
        .map(|(key, (_, _, value))| (key, value))
        .collect()
}
