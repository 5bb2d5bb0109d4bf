//! What would be won without the cause of a finding: bounds from the run itself, printed with the
//! finding and never alone.

use crate::assumed_change::AssumedChange;
use crate::runs::digest::DeviceDigest;
use crate::sentence::{Param, Params, Sentence};
use crate::wording;
use seekscope_measure::bounds::{GainBound, GainBounds};
use seekscope_trace::quantity::Unit;
use serde::Serialize;

/// How much deeper the queue of a single run is assumed, which has no other side to say so.
const DEEPER: f64 = 2.0;

/// What a change would win: the throughput with it as a multiple of that of the run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AssumedGain {
    pub change: AssumedChange,
    /// The mean queue depth that is assumed; for a deeper queue only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// At least so many times as much per second; 1 or more.
    pub min: f64,
    /// At most so many times as much per second.
    pub max: f64,
    /// The bound in words.
    pub words: Sentence,
}

impl AssumedGain {
    /// The mean bound of repeated runs, for a finding about them; absent where none applies, or not
    /// to each of the runs. `depth` is the queue depth to assume, `params` has what the words call
    /// `bad`.
    pub fn of_finding(
        code: &str,
        devices: &[&DeviceDigest],
        depth: Option<f64>,
        params: Params,
    ) -> Option<AssumedGain> {
        let change = AssumedChange::against(code)?;
        let depth = depth.filter(|_| change == AssumedChange::DeeperQueue);
        let bounds: Vec<GainBound> = devices
            .iter()
            .map(|device| bound(change, device, depth))
            .collect::<Option<_>>()?;
        let mean = |end: fn(&GainBound) -> f64| {
            bounds.iter().map(end).sum::<f64>() / bounds.len().max(1) as f64
        };
        let found = GainBound::new(mean(|bound| bound.min), mean(|bound| bound.max))?;
        Some(AssumedGain {
            change,
            depth,
            min: found.min,
            max: found.max,
            words: words(change, depth, found, params),
        })
    }

    /// The bound for a finding about a run by itself.
    pub fn of_run(code: &str, device: &DeviceDigest) -> Option<AssumedGain> {
        let depth = device.figures.get("depth.mean").map(|depth| depth * DEEPER);
        let params = Params::default().with("bad", Param::Text("the device".to_owned()));
        AssumedGain::of_finding(code, &[device], depth, params)
    }
}

fn bound(change: AssumedChange, device: &DeviceDigest, depth: Option<f64>) -> Option<GainBound> {
    // Times are wrong where events are missing.
    if device.loss.is_some() {
        return None;
    }
    let measured = device.bounds.as_ref();
    match change {
        AssumedChange::NoStarvedTime => without_starved_time(device),
        AssumedChange::FreeFlushes => ends(measured?.flushes?),
        AssumedChange::Merged => ends(measured?.merged?),
        AssumedChange::DeeperQueue => measured.and_then(|all| GainBounds::at_depth(all, depth?)),
    }
}

fn ends((min, max): (f64, f64)) -> Option<GainBound> {
    GainBound::new(min, max)
}

/// At least: the starved time is gone, and all else takes as long. At most: no request waits for
/// its issue, so that what is outstanding at a time takes D2C instead of Q2C.
fn without_starved_time(device: &DeviceDigest) -> Option<GainBound> {
    let figure = |key: &str| device.figures.get(key).copied();
    let starved = figure("starved.share")?;
    let idle = figure("states.nobody")?;
    let (d2c, q2c) = (figure("d2c.mean")?, figure("q2c.mean")?);
    let shortest = idle + (1.0 - idle) * (d2c / q2c).min(1.0);
    GainBound::new(1.0 / (1.0 - starved), 1.0 / shortest)
}

/// A smaller factor prints like 1: as a lower bound it is left out, as an upper one it is no gain.
const MIN_GAIN: f64 = 1.01;

fn words(change: AssumedChange, depth: Option<f64>, bound: GainBound, params: Params) -> Sentence {
    let mut params = params.value("max", bound.max, Unit::Number);
    params = if bound.min < MIN_GAIN {
        params.with("only_max", Param::Flag)
    } else {
        params.value("min", bound.min, Unit::Number)
    };
    if let Some(depth) = depth {
        params = params.value("depth", depth, Unit::Requests);
    }
    let mut sentence = params.fill(wording::assumed(change));
    sentence.extend(params.fill(if bound.max < MIN_GAIN {
        wording::NO_GAIN
    } else {
        wording::GAIN
    }));
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::digest::EventLoss;

    fn device(figures: &[(&str, f64)]) -> DeviceDigest {
        DeviceDigest {
            figures: figures
                .iter()
                .map(|(key, value)| ((*key).to_owned(), *value))
                .collect(),
            bounds: Some(GainBounds {
                flushes: Some((1.0, 1.5)),
                merged: None,
                rate: 100.0,
                depth: 2.0,
                curve: vec![(2.0, 2e7, 100.0), (3.0, 2e7, 150.0)],
            }),
            ..DeviceDigest::default()
        }
    }

    fn words(code: &str, device: &DeviceDigest) -> Option<String> {
        AssumedGain::of_run(code, device).map(|gain| gain.words.ascii())
    }

    #[test]
    fn each_bound_is_a_sentence() {
        let starved = device(&[
            ("starved.share", 0.2),
            ("states.nobody", 0.1),
            ("d2c.mean", 1e6),
            ("q2c.mean", 2e6),
            ("depth.mean", 2.0),
        ]);
        assert_eq!(
            words("held-back", &starved).as_deref(),
            Some(
                "If the device were never idle while requests wait, the device would complete \
                 1.25 to 1.82 times as much per second."
            )
        );
        // No lower bound above 1 is not printed.
        assert_eq!(
            words("flushes-in-flight", &starved).as_deref(),
            Some(
                "If flushes took no time, the device would complete at most 1.50 times as much per \
                 second."
            )
        );
        // Twice as deep: 4 requests of 20 ms each; at a depth of 3 the run was at 150 per second.
        assert_eq!(
            words("queue-shallow", &starved).as_deref(),
            Some(
                "With 4 requests in flight on average, the device would complete 1.50 to 2 times \
                 as much per second."
            )
        );
        assert_eq!(words("small-requests", &starved), None);
        let mut useless = starved.clone();
        if let Some(bounds) = &mut useless.bounds {
            bounds.flushes = Some((1.0, 1.004));
        }
        assert_eq!(
            words("flushes-in-flight", &useless).as_deref(),
            Some("If flushes took no time, the device would complete no more per second.")
        );
        assert_eq!(words("mostly-idle", &starved), None);
    }

    #[test]
    fn lost_events_and_absent_figures_give_no_bound() {
        let lossy = DeviceDigest {
            loss: Some(EventLoss::Clock),
            ..device(&[("depth.mean", 2.0)])
        };
        assert_eq!(words("flushes-in-flight", &lossy), None);
        assert_eq!(words("held-back", &device(&[("starved.share", 0.2)])), None);
    }

    #[test]
    fn repeats_have_the_mean_bound_if_each_has_one() {
        let [first, mut second] = [device(&[]), device(&[])];
        if let Some(bounds) = &mut second.bounds {
            bounds.flushes = Some((1.2, 2.5));
        }
        let gain = |devices: &[&DeviceDigest]| {
            AssumedGain::of_finding("flushes-appeared", devices, None, Params::default())
        };
        let both = gain(&[&first, &second]).unwrap();
        assert_eq!((both.min, both.max), (1.1, 2.0));
        second.bounds = None;
        assert_eq!(gain(&[&first, &second]), None);
    }
}
