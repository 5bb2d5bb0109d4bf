//! Stretches of time in which events were lost although the sequences have no gap: a CPU that is busy as a rule falls silent, and
//! events before and after lack just those partners that it would have recorded.

use super::quiet::{QuietInterval, quiet_intervals};
use super::unmatched::{MissingPartner, UnmatchedEvent};
use crate::store::{LossEvidence, LossInterval, Requests, Role, Store};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Strays that make a silence a hole: so many, or fewer when they stand on both sides of it.
const UNMATCHED: (usize, usize) = (4, 2);
/// A CPU whose requests complete on one CPU so often (tenths) is taken to have them all complete there.
const USUAL: u64 = 9;

/// What the strays of a device say.
#[derive(Clone, Debug, Default)]
pub struct FoundLoss {
    /// Silences in which events were lost, by CPU and time.
    pub intervals: Vec<LossInterval>,
    /// Ends of holes and gaps, in time order, with the requests in flight and the bios waiting that ended before, unseen.
    pub ended: BTreeMap<u64, (i32, i32)>,
}

/// What is usual for the requests of a device.
#[derive(Debug, Default)]
struct UsualTiming {
    /// Longest, ns.
    queued_to_issued: u64,
    issued_to_completed: u64,
    /// CPU on which the requests of a submitting CPU complete, where it is one; and the other way round.
    completes_on: FxHashMap<u32, u32>,
    submitted_on: FxHashMap<u32, u32>,
}

/// Where the missing partner of a stray must be, and on which CPU if that is known.
#[derive(Clone, Copy, Debug)]
struct PartnerWindow {
    from: u64,
    to: u64,
    cpu: Option<u32>,
}

/// Holes of a device. `gaps` are those of its sequences: they explain strays too. Devices that issue no requests are not judged:
/// what they complete unseen cannot be told from what is lost.
pub fn find(store: &Store, device: u32, unmatched: &[UnmatchedEvent], gaps: &[LossInterval]) -> FoundLoss {
    let mut found = FoundLoss::default();
    let disk = store.devices.get(device as usize).is_some_and(|d| d.role == Role::Disk);
    if unmatched.is_empty() || !disk {
        return found;
    }
    let usual_timing = UsualTiming::of(&store.requests, device);
    let Some((span, quiet_intervals)) = quiet_intervals(&store.events, device) else { return found };
    let mut explained: Vec<Vec<&UnmatchedEvent>> = vec![Vec::new(); quiet_intervals.len()];
    for event in unmatched {
        let Some(window) = usual_timing.window(event, span) else { continue };
        if let Some(gap) = gaps.iter().find(|gap| gap.from < window.to && gap.to > window.from) {
            found.end(gap.to, event);
        } else if let Some(list) = likeliest(&quiet_intervals, window).and_then(|at| explained.get_mut(at)) {
            list.push(event);
        }
    }
    for (QuietInterval { cpu, from, to, .. }, unmatched) in
        quiet_intervals.into_iter().zip(explained).filter(|(_, unmatched)| is_hole(unmatched))
    {
        unmatched.iter().for_each(|event| found.end(to, event));
        found.intervals.push(LossInterval {
            device,
            cpu,
            from,
            to,
            loss: LossEvidence::Silence { unmatched: unmatched.len() as u64 },
        });
    }
    found
}

impl FoundLoss {
    fn end(&mut self, at: u64, event: &UnmatchedEvent) {
        let (requests, bios) = self.ended.entry(at).or_default();
        *requests += i32::from(event.lacks == MissingPartner::Completion);
        *bios += i32::from(event.lacks == MissingPartner::End);
    }
}

fn is_hole(unmatched: &[&UnmatchedEvent]) -> bool {
    let after = unmatched.iter().filter(|s| s.lacks == MissingPartner::Issue).count();
    unmatched.len() >= UNMATCHED.0 || (unmatched.len() >= UNMATCHED.1 && after > 0 && after < unmatched.len())
}

/// The silence within a window in which most is missing, of the window's CPU if it has one there.
fn likeliest(quiet_intervals: &[QuietInterval], PartnerWindow { from, to, cpu }: PartnerWindow) -> Option<usize> {
    let best = |same: bool| {
        let fits = |s: &QuietInterval| s.from < to && s.to > from && (!same || Some(s.cpu) == cpu);
        let fitting = quiet_intervals.iter().enumerate().filter(|(_, s)| fits(s));
        fitting.max_by(|a, b| a.1.expected.total_cmp(&b.1.expected)).map(|(at, _)| at)
    };
    best(true).or_else(|| best(false))
}

impl UsualTiming {
    fn of(requests: &Requests, device: u32) -> UsualTiming {
        let mut usual_timing = UsualTiming::default();
        let mut pairs: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        for i in (0..requests.len()).filter(|&i| requests.device(i) == device) {
            usual_timing.queued_to_issued = usual_timing.queued_to_issued.max(requests.q2d(i).unwrap_or(0));
            if let Some(d2c) = requests.d2c(i) {
                usual_timing.issued_to_completed = usual_timing.issued_to_completed.max(d2c);
                *pairs.entry((requests.submit_cpu(i), requests.complete_cpu(i))).or_default() += 1;
            }
        }
        usual_timing.completes_on = usual(pairs.iter().map(|(&(s, c), &n)| (s, c, n)));
        usual_timing.submitted_on = usual(pairs.iter().map(|(&(s, c), &n)| (c, s, n)));
        usual_timing
    }

    /// Nothing for what may have its partner before the first or after the last event of the device: at the ends of a recording some
    /// requests are always under way. Twice the longest time known is allowed for.
    fn window(&self, event: &UnmatchedEvent, (first, last): (u64, u64)) -> Option<PartnerWindow> {
        let UnmatchedEvent { time, cpu, lacks } = *event;
        let reach = if lacks == MissingPartner::End { self.queued_to_issued } else { self.issued_to_completed };
        let known = |cpus: &FxHashMap<u32, u32>| cpus.get(&cpu).copied();
        let inside = match lacks {
            MissingPartner::Issue => time.checked_sub(reach.saturating_mul(2)).is_some_and(|from| from > first),
            MissingPartner::Completion | MissingPartner::End => {
                time.checked_add(reach.saturating_mul(2)).is_some_and(|to| to < last)
            }
        };
        (inside && reach > 0).then(|| match lacks {
            MissingPartner::Issue => PartnerWindow { from: time - reach, to: time, cpu: known(&self.submitted_on) },
            MissingPartner::Completion => PartnerWindow { from: time, to: time + reach, cpu: known(&self.completes_on) },
            MissingPartner::End => PartnerWindow { from: time, to: time + reach, cpu: Some(cpu) },
        })
    }
}

/// The value that nearly all of a key's counts have.
fn usual(counts: impl Iterator<Item = (u32, u32, u64)>) -> FxHashMap<u32, u32> {
    let mut by_key: FxHashMap<u32, (u64, u64, u32)> = FxHashMap::default();
    for (key, value, n) in counts {
        let (all, most, best) = by_key.entry(key).or_default();
        *all += n;
        if (n, value) > (*most, *best) {
            (*most, *best) = (n, value);
        }
    }
    by_key.into_iter().filter(|(_, (all, most, _))| most * 10 >= all * USUAL).map(|(key, (_, _, value))| (key, value)).collect()
}
