//! Accessed data that moved on the disk.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart};
use crate::pair::Outcome;
use crate::threshold::{bytes, fraction};
use seekscope_trace::quantity::Unit;

/// Minimum mean shift of the deciles, as a share of the extent between the 1st and the 9th.
const SHIFT: f64 = 0.5;
/// Minimum shift, sectors: 64 MiB.
const FAR: f64 = 131_072.0;

pub fn rule() -> String {
    format!(
        "throughput differs significantly, and the deciles of the accessed sectors moved by at \
         least {} and by {} of the extent between the first and the ninth",
        bytes(FAR * 512.0),
        fraction(SHIFT),
    )
}

/// `placement-moved`
pub fn moved(case: &Case) -> Option<Draft> {
    // Repeats of work at random places move, too.
    if !matches!(case.pair.outcome(), Outcome::Slower | Outcome::Faster) {
        return None;
    }
    let (a, b) = (&case.pair.a.device().places, &case.pair.b.device().places);
    if a.len() != 11 || b.len() != 11 {
        return None;
    }
    let shift = a
        .iter()
        .zip(b)
        .map(|(&x, &y)| x.abs_diff(y) as f64)
        .sum::<f64>()
        / 11.0;
    let extent = a[9].abs_diff(a[1]).max(b[9].abs_diff(b[1])) as f64;
    if shift < FAR || shift < SHIFT * extent {
        return None;
    }
    let middle = |places: &[u64]| places[5] as f64 * 512.0;
    Some(Draft {
        code: "placement-moved",
        params: case.params().value("middle", middle(b), Unit::Bytes).value(
            "middle_good",
            middle(a),
            Unit::Bytes,
        ),
        keys: &["seek.issued.mean_abs", "d2c.mean"],
        more: Vec::new(),
        chart: EvidenceChart::SeekMap,
        range: None,
        part: None,
        class: CHANGE,
    })
}
