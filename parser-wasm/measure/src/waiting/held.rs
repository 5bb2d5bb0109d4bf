//! What limiters did while requests of a device waited: the values of their tracepoints, over the
//! time in which at least one bio was queued and not yet issued.

use crate::intervals::walk;
use seekscope_trace::sorting::map_of;
use seekscope_trace::store::Store;
use seekscope_trace::store::lanes::{Lane, LaneKind, LaneLimiter, LaneSubject};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Minimum share of that time in which a value is known.
const KNOWN: f64 = 0.5;

/// The values of the limiters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldBack {
    /// Time in which requests waited, ns.
    pub waiting_ns: u64,
    /// The limiters whose tracepoints were recorded; without values where none of them occurred.
    pub by: BTreeMap<LaneLimiter, BTreeMap<String, HeldValue>>,
}

/// A value while requests waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldValue {
    /// Mean over that time; of something that happens, how often it did.
    pub value: f64,
    /// The largest value.
    pub max: f64,
}

/// For a device with Q, within its active time; `None` where no such tracepoint was recorded.
pub fn held_back(store: &Store, device: usize, active: (u64, u64)) -> Option<HeldBack> {
    let lanes = &store.lanes;
    if lanes.recorded.is_empty() {
        return None;
    }
    let name = &store.devices.get(device)?.name;
    let mut waiting: Vec<(u64, u64)> = Vec::new();
    walk(store, device as u32, active, |interval| {
        if interval.waiting > 0 && !interval.is_empty() {
            match waiting.last_mut() {
                Some(last) if last.1 == interval.from => last.1 = interval.to,
                _ => waiting.push((interval.from, interval.to)),
            }
        }
    });
    let waiting_ns = waiting.iter().map(|(from, to)| to - from).sum();
    // Where nothing waited, the values are over the complete time: what would have limited
    // requests.
    let time = if waiting.is_empty() {
        vec![active]
    } else {
        waiting
    };
    let mut by_limiter: BTreeMap<LaneLimiter, BTreeMap<String, HeldValue>> = map_of(
        lanes
            .recorded
            .iter()
            .map(|limiter| (*limiter, BTreeMap::new())),
    );
    for lane in &lanes.rows {
        let limiter = lanes
            .sources
            .get(lane.source)
            .and_then(|source| source.limiter);
        let is_of_device = matches!(&lane.subject, LaneSubject::Device(device) if device == name);
        let Some(values) = limiter
            .filter(|_| is_of_device)
            .and_then(|limiter| by_limiter.get_mut(&limiter))
        else {
            continue;
        };
        if let Some(value) = value(lane, &time, active.1) {
            values.insert(lane.name.clone(), value);
        }
    }
    Some(HeldBack {
        waiting_ns,
        by: by_limiter,
    })
}

/// Within a time of ascending intervals; a value holds until the next one, the last one until
/// `end`.
fn value(lane: &Lane, time: &[(u64, u64)], end: u64) -> Option<HeldValue> {
    let (mut sum, mut known_ns, mut max, mut index) = (0.0, 0u64, f64::NEG_INFINITY, 0);
    for (i, sample) in lane.samples.iter().enumerate() {
        let from = sample.time.max(0) as u64;
        let to = lane
            .samples
            .get(i + 1)
            .map_or(end, |next| next.time.max(0) as u64);
        while time.get(index).is_some_and(|interval| interval.1 < from) {
            index += 1;
        }
        if lane.kind == LaneKind::Event {
            if time.get(index).is_some_and(|interval| interval.0 <= from) && sample.time >= 0 {
                sum += 1.0;
                max = f64::max(max, sample.value);
            }
            continue;
        }
        for interval in time[index..].iter().take_while(|interval| interval.0 < to) {
            let ns = interval.1.min(to).saturating_sub(interval.0.max(from));
            if ns > 0 {
                sum += sample.value * ns as f64;
                known_ns += ns;
                max = f64::max(max, sample.value);
            }
        }
    }
    if lane.kind == LaneKind::Event {
        return Some(HeldValue {
            value: sum,
            max: if sum > 0.0 { max } else { 0.0 },
        });
    }
    let whole: u64 = time.iter().map(|(from, to)| to - from).sum();
    (known_ns > 0 && known_ns as f64 >= KNOWN * whole as f64).then(|| HeldValue {
        value: sum / known_ns as f64,
        max,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::store::lanes::{LaneSample, LaneUnit};

    fn lane(kind: LaneKind, samples: &[(i64, f64)]) -> Lane {
        let samples = samples
            .iter()
            .map(|&(time, value)| LaneSample {
                from: time,
                time,
                value,
            })
            .collect();
        let subject = LaneSubject::Device("vda".to_owned());
        Lane {
            name: "x".to_owned(),
            meaning: String::new(),
            unit: LaneUnit::Count,
            kind,
            subject,
            source: 0,
            main: true,
            samples,
        }
    }

    #[test]
    fn only_the_time_in_which_requests_waited_counts() {
        let gauge = lane(LaneKind::Gauge, &[(-5, 100.0), (10, 4.0), (30, 8.0)]);
        // 100 from 0 to 10, 4 to 30, 8 to the end.
        let value_and_max = |time: &[(u64, u64)]| value(&gauge, time, 50).map(|v| (v.value, v.max));
        assert_eq!(
            value_and_max(&[(10, 20), (25, 35)]),
            Some(((4.0 * 15.0 + 8.0 * 5.0) / 20.0, 8.0))
        );
        assert_eq!(value_and_max(&[(5, 15)]), Some((52.0, 100.0)));
        assert_eq!(
            value_and_max(&[(40, 50)]),
            Some((8.0, 8.0)),
            "the last one holds"
        );
        let late = lane(LaneKind::Gauge, &[(30, 8.0)]);
        assert_eq!(
            value(&late, &[(0, 40)], 40),
            None,
            "unknown for most of the time"
        );
        assert!(value(&late, &[(0, 10), (30, 40)], 40).is_some());
    }

    #[test]
    fn events_are_counted_while_requests_wait() {
        let events = lane(
            LaneKind::Event,
            &[
                (-1, 1.0),
                (9, 1.0),
                (10, 64.0),
                (12, 1.0),
                (21, 1.0),
                (30, 2.0),
            ],
        );
        assert_eq!(
            value(&events, &[(10, 20), (25, 35)], 50),
            Some(HeldValue {
                value: 3.0,
                max: 64.0
            })
        );
        assert_eq!(
            value(&events, &[(40, 45)], 50),
            Some(HeldValue {
                value: 0.0,
                max: 0.0
            })
        );
    }
}
