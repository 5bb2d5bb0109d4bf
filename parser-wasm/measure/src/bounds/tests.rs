use super::merging::MAX_MERGED_BYTES;
use super::*;
use seekscope_trace::fixture::store;
use std::fmt::Write;

/// The bounds of the first device of a text whose times are us.
fn measured(lines: &[(u64, String)]) -> GainBounds {
    let mut lines = lines.to_vec();
    lines.sort_by_key(|(time, _)| *time);
    let mut text = String::new();
    for (time, rest) in &lines {
        writeln!(text, "{} {rest}", time * 1_000).unwrap();
    }
    let store = store(&text);
    let active: Vec<(u64, u64)> = crate::Span::of_devices(&store)
        .iter()
        .map(crate::Span::active)
        .collect();
    gain_bounds(&store, Window::WHOLE, &active)
        .remove(0)
        .unwrap()
}

/// A request: times of Q, D and C in us, sector, and flags.
fn request(times: [u64; 3], sector: u64, flags: &str) -> [(u64, String); 3] {
    let sectors = if flags == "FN" {
        "-".to_owned()
    } else {
        format!("{sector}+8")
    };
    let event = |action: &str| format!("{action} {sectors} {flags}");
    [
        (times[0], event("Q")),
        (times[1], event("D")),
        (times[2], event("C")),
    ]
}

fn ends(found: Option<(f64, f64)>) -> Option<GainBound> {
    found.map(|(min, max)| GainBound { min, max })
}

fn near(bound: Option<GainBound>, (min, max): (f64, f64)) {
    let bound = bound.unwrap();
    assert!(
        (bound.min - min).abs() < 0.01 && (bound.max - max).abs() < 0.01,
        "{bound:?}"
    );
}

#[test]
fn flushes_cost_their_time_and_at_most_the_idle_time_beside_them() {
    // Every 1,000 us: a write of 200 us, 100 us idle, a flush of 500 us, 200 us idle.
    let lines: Vec<(u64, String)> = (0..100)
        .flat_map(|n| {
            let t = n * 1_000;
            let write = request([t, t, t + 200], n * 80, "WS");
            let flush = request([t + 300, t + 300, t + 800], 0, "FN");
            write.into_iter().chain(flush)
        })
        .collect();
    let bounds = measured(&lines);
    // Without the 500 us of each flush 50 % are left, without the idle time 20 %; the last 200 us
    // are after the last completion.
    near(
        ends(bounds.flushes),
        (99_800.0 / 49_800.0, 99_800.0 / 20_000.0),
    );
    assert_eq!(bounds.merged, None);
}

#[test]
fn a_flush_behind_writes_wins_nothing_for_sure() {
    // The write is in flight during all of the flush, and each takes as long.
    let lines: Vec<(u64, String)> = (0..100)
        .flat_map(|n| {
            let t = n * 1_000;
            let write = request([t, t, t + 1_000], n * 80, "WS");
            let flush = request([t + 300, t + 300, t + 800], 0, "FN");
            write.into_iter().chain(flush)
        })
        .collect();
    near(ends(measured(&lines).flushes), (1.0, 1.0));
}

#[test]
fn few_flushes_have_no_bound() {
    let writes = (0..200).flat_map(|n| request([n * 10, n * 10, n * 10 + 5], n * 80, "W"));
    let flushes = [300, 1_200]
        .into_iter()
        .flat_map(|t| request([t + 6, t + 6, t + 8], 0, "FN"));
    let mut lines: Vec<(u64, String)> = writes.collect();
    lines.extend(flushes);
    assert_eq!(measured(&lines).flushes, None);
}

#[test]
fn adjacent_requests_could_be_one() {
    // Every 1,000 us, eight adjacent writes at once; the first takes 100 us, each further one
    // 100 us more.
    let batch = |n: u64| {
        (0..8).flat_map(move |i| {
            let t = n * 1_000;
            request([t, t, t + 100 + i * 100], n * 640 + i * 8, "W")
        })
    };
    let lines: Vec<(u64, String)> = (0..100).flat_map(batch).collect();
    let bounds = measured(&lines);
    // A merged one takes 100 us of the 800 at least; 200 us are idle in any case.
    near(ends(bounds.merged), (1.0, 99_800.0 / (9_900.0 + 19_900.0)));
}

#[test]
fn one_after_the_other_is_not_merged() {
    // Sequential, but each is queued after the one before has completed.
    let lines: Vec<(u64, String)> = (0..100)
        .flat_map(|n| request([n * 10, n * 10, n * 10 + 5], n * 8, "W"))
        .collect();
    assert_eq!(measured(&lines).merged, None);
}

#[test]
fn what_would_exceed_the_largest_request_is_not_merged() {
    let big = MAX_MERGED_BYTES / 512;
    let lines: Vec<(u64, String)> = (0..100_u64)
        .flat_map(|n| {
            let event = |action: &str| format!("{action} {}+{big} W", n * big);
            [(n, event("Q")), (n, event("D")), (n + 50, event("C"))]
        })
        .collect();
    assert_eq!(measured(&lines).merged, None);
}

#[test]
fn the_curve_has_the_depths_that_the_run_had() {
    // Two seconds with one request of 1 ms at a time, then two with four of 2 ms each.
    let single =
        (0..2_000).flat_map(|n| request([n * 1_000, n * 1_000, n * 1_000 + 1_000], n * 80, "R"));
    let four = (0..1_000).flat_map(|n| {
        (0..4).flat_map(move |i| {
            let t = 2_000_000 + n * 2_000;
            request([t, t, t + 2_000], (n * 4 + i) * 800 + 7_000_000, "R")
        })
    });
    let lines: Vec<(u64, String)> = single.chain(four).collect();
    let bounds = measured(&lines);
    let rounded: Vec<[f64; 3]> = bounds
        .curve
        .iter()
        .map(|&(depth, latency, rate)| [depth, latency / 1e6, rate / 1e3].map(f64::round))
        .collect();
    assert_eq!(rounded, [[1.0, 1.0, 1.0], [4.0, 2.0, 2.0]]);
    assert_eq!((bounds.rate.round(), bounds.depth), (1_500.0, 2.5));
    // Four deep: the run reached 2,000 per second itself; at most 4 per 1 ms, because it was never
    // faster than that.
    near(bounds.at_depth(4.0), (2_000.0 / 1_500.0, 4_000.0 / 1_500.0));
    near(bounds.at_depth(8.0), (2_000.0 / 1_500.0, 8_000.0 / 1_500.0));
    // Three deep: no window was deeper than the mean and not deeper than that.
    near(bounds.at_depth(3.0), (1.0, 3_000.0 / 1_500.0));
    // The queue is deeper already.
    assert_eq!(bounds.at_depth(2.0), None);
}

#[test]
fn a_request_over_the_whole_run_counts_in_each_window() {
    let mut lines: Vec<(u64, String)> = (0..1_000)
        .flat_map(|n| request([n * 1_000, n * 1_000, n * 1_000 + 1_000], n * 80, "R"))
        .collect();
    lines.extend(request([0, 0, 1_000_000], 9_000_000, "R"));
    let curve = measured(&lines).curve;
    assert_eq!(curve.len(), 1);
    assert!((curve[0].0 - 2.0).abs() < 0.01, "{curve:?}");
}

#[test]
fn devices_without_completions_have_no_bounds() {
    let found = |text: &str| gain_bounds(&store(text), Window::WHOLE, &[(0, 100)]).remove(0);
    assert_eq!(found("0 Q 0+8\n1 D 0+8\n2 Q 8+8"), None);
    assert_eq!(found("0 Q 0+8\n100 C 0+8"), None);
}

#[test]
fn with_too_many_requests_in_flight_merging_has_no_bound() {
    // Every fifth request continues the one before; none completes before all are issued.
    let lines = |count: u64| -> Vec<(u64, String)> {
        (0..count)
            .flat_map(|n| {
                let sector = n / 5 * 1_000 + if n % 5 == 4 { 308 } else { n % 5 * 100 };
                request([n, n, count + n], sector, "W")
            })
            .collect()
    };
    assert!(measured(&lines(1_000)).merged.is_some());
    assert_eq!(measured(&lines(90_000)).merged, None);
}
