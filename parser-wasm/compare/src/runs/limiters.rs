//! Limiters as reasons of waiting, by their own tracepoints: which of their values can be one, and
//! when they differ enough between two sides. Values are those of the time in which requests
//! waited.

use super::run::{ComparedRun, ComparisonSide};
use crate::settings::of_compared;
use seekscope_measure::waiting::held::{HeldBack, HeldValue};
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::lanes::LaneLimiter;
use std::collections::BTreeMap;

/// Maximum share of the other limit.
const LIMIT: f64 = 0.7;
/// Minimum growth of what happens, or of a level.
const GROWTH: f64 = 1.5;
/// Minimum number of events of the bad side.
const MIN_EVENTS: f64 = 3.0;
/// Minimum level of the bad side.
const MIN_LEVEL: f64 = 0.1;

/// How a value of a limiter is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LimiterValue {
    /// What the limiter allows: a smaller value is worse.
    Limit,
    /// A count of events: a higher rate per second is worse.
    Events,
    /// A state: a higher value is worse.
    Level,
}

/// What shows that a limit was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LimitReached {
    /// Nothing: the value alone is evidence.
    Always,
    /// The lane of this name was as high as the limit.
    By(&'static str),
    /// Events of the lane of this name happened.
    On(&'static str),
}

/// The requests that a limiter can hold back.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HeldRequests {
    All,
    /// Writes: a reason only where most bytes are written.
    Writes,
    /// Reads: a reason only where most bytes are read.
    Reads,
}

/// A reason for waiting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimiterRow {
    pub limiter: LaneLimiter,
    /// Name of the lane.
    pub lane: &'static str,
    pub kind: LimiterValue,
    pub unit: Unit,
    requests: HeldRequests,
    reached: LimitReached,
}

/// All reasons, in the order in which they are named. Their words are in `wording.rs`.
pub const ROWS: [LimiterRow; 9] = {
    use HeldRequests::{All, Reads, Writes};
    use LaneLimiter::{Iocost, Kyber, Tags, Wbt};
    use LimitReached::{Always, By, On};
    use LimiterValue::{Events, Level, Limit};
    [
        row(
            (Wbt, "background"),
            Limit,
            Unit::Number,
            Writes,
            By("inflight"),
        ),
        row((Wbt, "normal"), Limit, Unit::Number, Writes, By("inflight")),
        row((Kyber, "throttled"), Events, Unit::PerSecond, All, Always),
        row(
            (Kyber, "read depth"),
            Limit,
            Unit::Number,
            Reads,
            On("throttled"),
        ),
        row(
            (Kyber, "write depth"),
            Limit,
            Unit::Number,
            Writes,
            On("throttled"),
        ),
        row((Iocost, "vrate"), Limit, Unit::Share, All, Always),
        row((Iocost, "shortages"), Level, Unit::Number, All, Always),
        row(
            (Tags, "scheduler tags"),
            Events,
            Unit::PerSecond,
            All,
            Always,
        ),
        row(
            (Tags, "hardware tags"),
            Events,
            Unit::PerSecond,
            All,
            Always,
        ),
    ]
};

const fn row(
    (limiter, lane): (LaneLimiter, &'static str),
    kind: LimiterValue,
    unit: Unit,
    requests: HeldRequests,
    reached: LimitReached,
) -> LimiterRow {
    LimiterRow {
        limiter,
        lane,
        kind,
        unit,
        requests,
        reached,
    }
}

/// A value of the good side; `None`: there is no limit at all.
type GoodValue = Option<f64>;

impl LimiterRow {
    /// The values of the good and the bad side if this held requests back on the bad side and not,
    /// or less, on the good one. Absent where that is not known: the good side must have the
    /// tracepoints, or settings by which there is no such limit.
    pub fn differs(
        &self,
        runs: &[ComparedRun],
        (good, bad): (&ComparisonSide, &ComparisonSide),
        writes: bool,
    ) -> Option<(GoodValue, f64)> {
        match self.requests {
            HeldRequests::Writes if !writes => return None,
            HeldRequests::Reads if writes => return None,
            _ => {}
        }
        let worse: Vec<f64> = bad
            .devices()
            .iter()
            .map(|device| self.limiting(device.held.as_ref()?))
            .collect::<Option<_>>()?;
        let better: Vec<GoodValue> = (good.devices().iter().zip(&good.runs))
            .map(|(device, &run)| self.good_value(device.held.as_ref(), runs.get(run)?))
            .collect::<Option<_>>()?;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let bad = mean(&worse);
        if better.iter().all(Option::is_none) {
            return Some((None, bad));
        }
        let good = mean(&better.into_iter().collect::<Option<Vec<f64>>>()?);
        let differs = match self.kind {
            LimiterValue::Limit => bad <= LIMIT * good,
            LimiterValue::Events | LimiterValue::Level => bad >= GROWTH * good,
        };
        differs.then_some((Some(good), bad))
    }

    fn value(&self, held: &HeldBack) -> Option<f64> {
        let value = held.by.get(&self.limiter)?.get(self.lane)?.value;
        match self.kind {
            LimiterValue::Limit | LimiterValue::Level => Some(value),
            LimiterValue::Events => Some(if held.waiting_ns > 0 {
                value * 1e9 / held.waiting_ns as f64
            } else {
                0.0
            }),
        }
    }

    /// The value of a device on the bad side; absent unless it can have held requests back.
    fn limiting(&self, held: &HeldBack) -> Option<f64> {
        if held.waiting_ns == 0 {
            return None;
        }
        let value = self.value(held)?;
        let lanes: &BTreeMap<String, HeldValue> = held.by.get(&self.limiter)?;
        let lane = |name: &str| lanes.get(name).copied().unwrap_or_default();
        let enough = match self.kind {
            LimiterValue::Limit => true,
            LimiterValue::Events => lane(self.lane).value >= MIN_EVENTS,
            LimiterValue::Level => value >= MIN_LEVEL,
        };
        let reached = match self.reached {
            LimitReached::Always => true,
            LimitReached::By(name) => lane(name).max >= value,
            LimitReached::On(name) => lane(name).value >= MIN_EVENTS,
        };
        (enough && reached).then_some(value)
    }

    /// The value of a device on the good side; `None` if nothing was recorded that shows it.
    fn good_value(&self, held: Option<&HeldBack>, run: &ComparedRun) -> Option<GoodValue> {
        let nothing = if self.kind == LimiterValue::Limit {
            None
        } else {
            Some(0.0)
        };
        if is_off(self.limiter, run) {
            return Some(nothing);
        }
        let held = held?;
        let lanes = held.by.get(&self.limiter)?;
        match self.value(held) {
            Some(value) => Some(Some(value)),
            None if lanes.is_empty() || self.kind == LimiterValue::Events => Some(nothing),
            None => None,
        }
    }
}

/// Whether the settings of a run show that its device has no such limit.
fn is_off(limiter: LaneLimiter, run: &ComparedRun) -> bool {
    match limiter {
        LaneLimiter::Wbt => {
            of_compared(run, "wbt_lat_usec").is_some_and(|value| value.trim() == "0")
        }
        LaneLimiter::Kyber => {
            of_compared(run, "scheduler").is_some_and(|value| value.trim() != "kyber")
        }
        LaneLimiter::Iocost | LaneLimiter::Tags => false,
    }
}
