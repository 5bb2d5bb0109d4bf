//! Counters of other tools: whatever they hold, lanes with finite values in the order of time, or a
//! reason.

use seekscope_core::counters::{self, RunClock};
use seekscope_core::store::Lanes;

/// 2026-11-22 05:09:20 UTC, when the seeds were recorded.
const WALL: i64 = 1_795_324_160_000_000_000;
const SECOND: i64 = 1_000_000_000;

/// # Panics
/// When a value is not finite, samples are not in order, an interval is empty, or a file has
/// neither lanes nor a reason.
pub fn any(data: &[u8]) {
    let Some(file) = counters::read("counters.txt", data) else {
        assert!(data.len() > 64 << 10 || counters::tool(data).is_none());
        return;
    };
    assert!(!file.what().is_empty());
    let whole_day = RunClock {
        wall: Some(WALL),
        uptime: Some(14 * SECOND),
        trace_clock: Some(14 * SECOND),
        span: 10 * SECOND,
    };
    for clock in [
        whole_day,
        RunClock {
            wall: Some(WALL),
            uptime: None,
            trace_clock: Some(i64::MAX),
            span: i64::MAX,
        },
        RunClock::default(),
    ] {
        let mut lanes = Lanes::default();
        counters::place(std::slice::from_ref(&file), clock, &mut lanes);
        assert_eq!(lanes.sources.len(), 1);
        assert!(
            lanes.sources[0].clock.is_some()
                || (lanes.sources[0].absent.is_some() && lanes.rows.is_empty())
        );
        for lane in &lanes.rows {
            assert!(
                lane.samples
                    .iter()
                    .all(|s| s.value.is_finite() && s.from <= s.time),
                "{lane:?}"
            );
            assert!(
                lane.samples
                    .windows(2)
                    .all(|two| two[0].time <= two[1].time),
                "{lane:?}"
            );
            if let Some(figures) = lane.figures(0, clock.span) {
                assert!(
                    figures.mean.is_finite() && figures.min <= figures.max,
                    "{lane:?}"
                );
            }
        }
    }
}
