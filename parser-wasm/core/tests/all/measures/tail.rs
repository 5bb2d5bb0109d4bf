//! Why the slowest requests of real recordings were slow: every part counted again, request by
//! request and moment by moment.

use crate::common::{read, recording, recordings};
use seekscope_core::event::{Action, Op};
use seekscope_core::measure::tail::{TailCause, TailParts, full, tails, threshold};
use seekscope_core::measure::{Span, Window, depth};
use seekscope_core::store::{Stage, Store};

/// The documented definition, without any state kept from one moment to the next.
fn parts(store: &Store, device: u32, slow: usize, full: u32, from: u64) -> TailParts {
    let r = &store.requests;
    let request = r.row(slow);
    let (start, end) = (request.start(), request.completed().unwrap());
    let others: Vec<usize> = (0..r.len())
        .filter(|&row| {
            r.row(row).device() == device && r.row(row).completed().is_some() && row != slow
        })
        .collect();
    let process = request.process();
    let plugs: Vec<(u64, bool)> = (0..store.events.len())
        .filter(|&i| store.events.device(i) == device && store.events.process(i) == process)
        .filter_map(|i| match store.events.action(i) {
            Action::Plug => Some((store.events.time(i), true)),
            Action::Unplug | Action::UnplugTimer => Some((store.events.time(i), false)),
            _ => None,
        })
        .collect();
    let allocated = request.allocated().filter(|g| (from..=start).contains(g));
    let inserted = allocated.map(|_| request.inserted().unwrap_or(start).min(start));
    let mut moments: Vec<u64> = others
        .iter()
        .flat_map(|&row| [r.row(row).start(), r.row(row).completed().unwrap()])
        .collect();
    moments.extend(plugs.iter().map(|plug| plug.0));
    moments.extend([from, start, end]);
    moments.extend(allocated);
    moments.extend(inserted);
    moments.sort_unstable();
    moments.dedup();
    let mut parts = TailParts::default();
    for pair in moments
        .windows(2)
        .filter(|pair| pair[0] >= from && pair[1] <= end)
    {
        let (moment, next) = (pair[0], pair[1]);
        let flying: Vec<usize> = others
            .iter()
            .copied()
            .filter(|&row| r.row(row).start() <= moment && r.row(row).completed().unwrap() >= next)
            .collect();
        let count = |op: Op| flying.iter().filter(|&&row| r.row(row).op() == op).count();
        let (n, writes, flushes) = (
            flying.len(),
            count(Op::Write) + count(Op::Discard),
            count(Op::Flush),
        );
        let is_read = request.op() == Op::Read;
        let cause = if moment >= start {
            let earlier = flying.iter().any(|&row| row < slow);
            let idle = others
                .iter()
                .filter(|&&row| r.row(row).start() < start)
                .map(|&row| r.row(row).completed().unwrap())
                .max();
            match () {
                () if flushes > 0 => TailCause::Flush,
                () if n == 0
                    && idle.is_some_and(|idle| start.saturating_sub(idle) >= 100_000_000) =>
                {
                    TailCause::AfterIdle
                }
                () if n == 0 => TailCause::Device,
                () if is_read && 2 * writes > n => TailCause::Writes,
                () if earlier => TailCause::Ahead,
                () => TailCause::Overtaken,
            }
        } else {
            let plugged = plugs
                .iter()
                .rfind(|plug| plug.0 <= moment)
                .is_some_and(|plug| plug.1);
            let last = others
                .iter()
                .copied()
                .filter(|&row| r.row(row).start() <= moment && r.row(row).bios() > 0)
                .max();
            let served = if n > 0 {
                flying
                    .iter()
                    .any(|&row| r.row(row).process() == process && r.row(row).bios() > 0)
            } else {
                last.is_none_or(|row| r.row(row).process() == process)
            };
            let room = (n as f64) < 0.7 * f64::from(full.max(1));
            match () {
                () if allocated.is_some_and(|g| moment < g) => TailCause::Allocation,
                () if inserted.is_some_and(|i| moment < i) && plugged => TailCause::Plugged,
                () if flushes > 0 => TailCause::Flush,
                () if room && (served || last.is_none()) => TailCause::Held,
                () if room || full <= 1 && n == 1 && !served => TailCause::OtherProcess,
                () if full <= 1 && n == 1 => TailCause::Queued,
                () if is_read && 2 * writes > n => TailCause::Writes,
                () => TailCause::Queued,
            }
        };
        parts[cause as usize] += next - moment;
    }
    parts
}

#[test]
fn parts_add_up_and_are_those_of_the_definition() {
    let (mut checked, mut seen) = (0, [0u64; TailCause::ALL.len()]);
    for name in recordings() {
        let store = read(&recording(&name), 1 << 20);
        // Parts without events are unknown; the definition above has none of these.
        if !store.quality.loss_intervals.is_empty() {
            continue;
        }
        let thresholds: Vec<_> = (0..store.devices.len())
            .map(|device| {
                full(&store, device).and_then(|full| {
                    threshold(&store, device, Window::WHOLE, Some(9_000), |_| true, full)
                })
            })
            .collect();
        for (device, tail) in tails(&store, Window::WHOLE, &thresholds, 20)
            .into_iter()
            .enumerate()
        {
            let Some(tail) = tail else { continue };
            let usage = depth::usage(
                &store,
                device as u32,
                &Span::of_devices(&store)[device],
                Window::WHOLE,
            )
            .unwrap();
            assert_eq!(Some(tail.full), usage.depth.map(|d| d.p95), "{name}");
            for slow in &tail.slowest {
                let row = slow.row as usize;
                let from = store
                    .requests
                    .row(row)
                    .queued()
                    .filter(|_| tail.stage == Stage::Q2C);
                let from = from.unwrap_or_else(|| store.requests.row(row).start());
                assert_eq!(slow.parts.iter().sum::<u64>(), slow.ns, "{name} row {row}");
                assert_eq!(
                    slow.parts,
                    parts(&store, device as u32, row, tail.full, from),
                    "{name} row {row} {:?}",
                    TailCause::ALL
                );
                checked += 1;
                seen.iter_mut()
                    .zip(slow.parts)
                    .for_each(|(sum, ns)| *sum += ns);
            }
            if tail.n as usize == tail.slowest.len() {
                let sum = tail
                    .slowest
                    .iter()
                    .map(|slow| u128::from(slow.ns))
                    .sum::<u128>();
                assert_eq!(tail.total(), sum, "{name}");
            }
        }
    }
    assert!(checked > 60, "{checked}");
    // The recordings have examples of all causes but that of an idle disk, lost events and a read
    // behind writes.
    let without: Vec<&str> = TailCause::ALL
        .into_iter()
        .zip(seen)
        .filter(|(_, ns)| *ns == 0)
        .map(|(c, _)| c.code())
        .collect();
    assert!(without.len() <= 3, "{without:?}");
}
