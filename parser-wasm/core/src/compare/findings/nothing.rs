//! Nothing that matters.

use super::{CHANGE, Case, Found};
use crate::compare::figure::Figure;
use crate::compare::pair::Outcome;
use crate::compare::quantity::{Kind, factor};

/// Figures named that differ though the whole does not.
const NAMED: usize = 3;
/// Those whose difference says something of itself. Of single runs only what does not vary with the machine's load.
const TELLING: [&str; 4] = ["events.P", "merges.q_per_d", "size.issued.mean", "sync"];
const TELLING_OF_GROUPS: [&str; 4] = ["i2d.mean", "q2g.mean", "d2c.mean", "depth.mean"];

/// `no-real-difference`
pub fn nothing(case: &Case, list: &[Figure]) -> Option<Found> {
    let pair = case.pair;
    if pair.outcome() != Outcome::Equal {
        return None;
    }
    let rate = match case.both("bps") {
        Some(rate) if rate.0 > 0.0 || rate.1 > 0.0 => case.side_by_side(Kind::Rate, rate),
        _ => case.side_by_side(Kind::Time, case.both("span")?),
    };
    let groups = pair.a.runs.len() > 1 && pair.b.runs.len() > 1;
    let tells = |key: &str| TELLING.contains(&key) || groups && TELLING_OF_GROUPS.contains(&key);
    let changed = list.iter().filter(|f| tells(&f.key) && pair.real(&f.key)).take(NAMED);
    let named = |figure: &Figure| {
        let (a, b) = pair.both(&figure.key)?;
        let by = pair.ratio(&figure.key).map_or_else(|| "new".to_owned(), factor);
        Some(format!("{} {} and {} ({by})", figure.label, figure.kind.write(a), figure.kind.write(b)))
    };
    let named: Vec<String> = changed.filter_map(named).collect();
    let but = if named.is_empty() { String::new() } else { format!(" What did change: {}.", named.join("; ")) };
    Some(Found {
        code: "no-real-difference",
        sentence: format!("The difference is within the noise: {rate}.{but}"),
        keys: &["bps", "iops", "span", "q2c.mean", "d2c.mean", "depth.mean", "events.P", "i2d.mean"],
        more: Vec::new(),
        chart: "differences",
        range: None,
        rule: "no other finding holds, and throughput differs by less than the noise of the runs or the threshold (5 % between groups, 25 % between single runs)",
        part: None,
        class: CHANGE,
    })
}
