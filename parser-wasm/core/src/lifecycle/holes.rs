//! Stretches of time in which events were lost although the sequences have no gap: a CPU that is busy as a rule falls silent, and
//! events before and after lack just those partners that it would have recorded.

use super::silences::{Silence, silences};
use super::strays::{Lacks, Stray};
use crate::store::{Hole, Loss, Requests, Role, Store};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Strays that make a silence a hole: so many, or fewer when they stand on both sides of it.
const STRAYS: (usize, usize) = (4, 2);
/// A CPU whose requests complete on one CPU so often (tenths) is taken to have them all complete there.
const USUAL: u64 = 9;

/// What the strays of a device say.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Silences in which events were lost, by CPU and time.
    pub holes: Vec<Hole>,
    /// Ends of holes and gaps, in time order, with the requests in flight and the bios waiting that ended before, unseen.
    pub ended: BTreeMap<u64, (i32, i32)>,
}

/// What is usual for the requests of a device.
#[derive(Debug, Default)]
struct Habits {
    /// Longest, ns.
    queued_to_issued: u64,
    issued_to_completed: u64,
    /// CPU on which the requests of a submitting CPU complete, where it is one; and the other way round.
    completes_on: FxHashMap<u32, u32>,
    submitted_on: FxHashMap<u32, u32>,
}

/// Where the missing partner of a stray must be, and on which CPU if that is known.
#[derive(Clone, Copy, Debug)]
struct Window {
    from: u64,
    to: u64,
    cpu: Option<u32>,
}

/// Holes of a device. `gaps` are those of its sequences: they explain strays too. Devices that issue no requests are not judged:
/// what they complete unseen cannot be told from what is lost.
pub fn find(store: &Store, device: u32, strays: &[Stray], gaps: &[Hole]) -> Findings {
    let mut findings = Findings::default();
    let disk = store.devices.get(device as usize).is_some_and(|d| d.role == Role::Disk);
    if strays.is_empty() || !disk {
        return findings;
    }
    let habits = Habits::of(&store.requests, device);
    let Some((span, silences)) = silences(&store.events, device) else { return findings };
    let mut explained: Vec<Vec<&Stray>> = vec![Vec::new(); silences.len()];
    for stray in strays {
        let Some(window) = habits.window(stray, span) else { continue };
        if let Some(gap) = gaps.iter().find(|gap| gap.from < window.to && gap.to > window.from) {
            findings.end(gap.to, stray);
        } else if let Some(list) = likeliest(&silences, window).and_then(|at| explained.get_mut(at)) {
            list.push(stray);
        }
    }
    for (Silence { cpu, from, to, .. }, strays) in silences.into_iter().zip(explained).filter(|(_, strays)| is_hole(strays)) {
        strays.iter().for_each(|stray| findings.end(to, stray));
        findings.holes.push(Hole { device, cpu, from, to, loss: Loss::Silent { strays: strays.len() as u64 } });
    }
    findings
}

impl Findings {
    fn end(&mut self, at: u64, stray: &Stray) {
        let (requests, bios) = self.ended.entry(at).or_default();
        *requests += i32::from(stray.lacks == Lacks::Completion);
        *bios += i32::from(stray.lacks == Lacks::End);
    }
}

fn is_hole(strays: &[&Stray]) -> bool {
    let after = strays.iter().filter(|s| s.lacks == Lacks::Issue).count();
    strays.len() >= STRAYS.0 || (strays.len() >= STRAYS.1 && after > 0 && after < strays.len())
}

/// The silence within a window in which most is missing, of the window's CPU if it has one there.
fn likeliest(silences: &[Silence], Window { from, to, cpu }: Window) -> Option<usize> {
    let best = |same: bool| {
        let fits = |s: &Silence| s.from < to && s.to > from && (!same || Some(s.cpu) == cpu);
        let fitting = silences.iter().enumerate().filter(|(_, s)| fits(s));
        fitting.max_by(|a, b| a.1.expected.total_cmp(&b.1.expected)).map(|(at, _)| at)
    };
    best(true).or_else(|| best(false))
}

impl Habits {
    fn of(requests: &Requests, device: u32) -> Habits {
        let mut habits = Habits::default();
        let mut pairs: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        for i in (0..requests.len()).filter(|&i| requests.device(i) == device) {
            habits.queued_to_issued = habits.queued_to_issued.max(requests.q2d(i).unwrap_or(0));
            if let Some(d2c) = requests.d2c(i) {
                habits.issued_to_completed = habits.issued_to_completed.max(d2c);
                *pairs.entry((requests.submit_cpu(i), requests.complete_cpu(i))).or_default() += 1;
            }
        }
        habits.completes_on = usual(pairs.iter().map(|(&(s, c), &n)| (s, c, n)));
        habits.submitted_on = usual(pairs.iter().map(|(&(s, c), &n)| (c, s, n)));
        habits
    }

    /// Nothing for what may have its partner before the first or after the last event of the device: at the ends of a recording some
    /// requests are always under way. Twice the longest time known is allowed for.
    fn window(&self, stray: &Stray, (first, last): (u64, u64)) -> Option<Window> {
        let Stray { time, cpu, lacks } = *stray;
        let reach = if lacks == Lacks::End { self.queued_to_issued } else { self.issued_to_completed };
        let known = |cpus: &FxHashMap<u32, u32>| cpus.get(&cpu).copied();
        let inside = match lacks {
            Lacks::Issue => time.checked_sub(reach.saturating_mul(2)).is_some_and(|from| from > first),
            Lacks::Completion | Lacks::End => time.checked_add(reach.saturating_mul(2)).is_some_and(|to| to < last),
        };
        (inside && reach > 0).then(|| match lacks {
            Lacks::Issue => Window { from: time - reach, to: time, cpu: known(&self.submitted_on) },
            Lacks::Completion => Window { from: time, to: time + reach, cpu: known(&self.completes_on) },
            Lacks::End => Window { from: time, to: time + reach, cpu: Some(cpu) },
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
