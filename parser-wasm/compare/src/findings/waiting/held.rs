//! What held requests back, as the reason inside findings about waiting.

use crate::findings::Case;
use crate::runs::limiters::{LimiterRow, ROWS};
use crate::sentence::{Param, Sentence};
use crate::values::ValuePair;
use crate::wording;
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::lanes::LaneLimiter;
use serde::Serialize;

/// The findings that limiters can explain.
const CODES: [&str; 4] = [
    "writes-throttled",
    "starved-while-waiting",
    "scheduler-slower",
    "tags-exhausted",
];
/// Maximum number of reasons in a sentence.
const NAMED: usize = 3;

/// A value of a tracepoint while requests waited.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimiterReason {
    pub by: LaneLimiter,
    /// Name of the lane with the value.
    pub name: &'static str,
    pub unit: Unit,
    /// Values of the baseline and the other side; `None`: no such limit.
    pub values: ValuePair,
}

/// What held requests back on the worse side, and not or less on the other one, each with the good
/// and the bad value.
fn differing(code: &str, case: &Case) -> Vec<(LimiterRow, (Option<f64>, f64))> {
    if !CODES.contains(&code) {
        return Vec::new();
    }
    let sum = |key: &str| case.both(key).map_or(0.0, |(a, b)| a + b);
    let writes = sum("bytes.write") > sum("bytes.read");
    let sides = (case.pair.a, case.pair.b);
    ROWS.into_iter()
        .filter_map(|row| Some((row, row.differs(case.runs, sides, writes)?)))
        .collect()
}

/// The reasons, and the end of the finding's sentence.
pub fn reasons(code: &str, case: &Case) -> (Vec<LimiterReason>, Sentence) {
    let found = differing(code, case);
    let words = |(row, (good, bad)): &(LimiterRow, (Option<f64>, f64))| {
        let params = case.params().value("value", *bad, row.unit);
        let params = match good {
            Some(good) => params.value("value_good", *good, row.unit),
            None => params.with("none", Param::Flag),
        };
        params.fill(wording::held(row.limiter, row.lane))
    };
    let sentence = match found.is_empty() {
        true => Sentence::default(),
        false => {
            let all = Sentence::joined(found.iter().take(NAMED).map(words));
            let params = case.params().with("reasons", Param::Parts(all));
            let more = found.len().saturating_sub(NAMED);
            let params = if more > 0 {
                params.value("more", more as f64, Unit::Count)
            } else {
                params
            };
            params.fill(wording::HELD)
        }
    };
    let reason = |(row, (good, bad)): (LimiterRow, (Option<f64>, f64))| LimiterReason {
        by: row.limiter,
        name: row.lane,
        unit: row.unit,
        values: if case.swapped {
            (Some(bad), good)
        } else {
            (good, Some(bad))
        },
    };
    (found.into_iter().map(reason).collect(), sentence)
}
