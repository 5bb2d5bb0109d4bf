//! Tables of figures, latencies and sizes: two sides next to each other.

use super::layout::{WIDTH, cut};
use crate::document::FigureEntry;
use crate::pair::Verdict;
use crate::runs::digest::DeviceDigest;
use seekscope_measure::size::SizeCount;
use seekscope_trace::quantity::{Unit, factor};
use seekscope_trace::sorting::SortShort;
use std::collections::BTreeMap;

/// The two sides of a table.
pub struct Sides<'a> {
    /// Runs of the baseline.
    pub a: &'a [usize],
    /// Runs of the other side.
    pub b: &'a [usize],
    /// Indices of both in the list of sides.
    pub indices: [usize; 2],
    /// Names of both: `A`, `B-D`.
    pub heads: &'a [String; 2],
}

/// Keys of the figures in a mail, in their order; those of benchmarks come before them.
pub(super) const MAIN: [&str; 28] = [
    "span",
    "read_bps",
    "write_bps",
    "iops",
    "failed.requests",
    "failed.bytes",
    "depth.mean",
    "waiting.mean",
    "starved.share",
    "states.busy_waiting",
    "states.busy",
    "states.nobody",
    "q2d.mean",
    "d2c.mean",
    "q2c.mean",
    "size.issued.mean",
    "merges.q_per_d",
    "seek.issued.per_second_64k",
    "seek.issued.sequential_share",
    "interleaving.switch_share",
    "alignment.stripes.partial",
    "alignment.straddles.share",
    "alignment.rmw.bytes",
    "flush.flush",
    "flush.fua",
    "sync",
    "bytes.read",
    "bytes.write",
];
/// Printed in place of an interval for a difference that is noise.
const NOISE: &str = "noise";
const LABEL: usize = 29;
pub(super) const VALUE: usize = 11;

/// The table of figures: both values, and the ratio with its 95 % interval, or that it is noise.
pub fn figures(all: &[FigureEntry], sides: &Sides) -> Vec<String> {
    let metrics = crate::metric::all();
    let of_bench = all
        .iter()
        .filter(|f| metrics.iter().all(|metric| metric.key != f.key));
    let rows: Vec<&FigureEntry> = of_bench
        .chain(
            MAIN.iter()
                .filter_map(|key| all.iter().find(|f| f.key == *key)),
        )
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let [a, b] = sides.heads;
    let ratio = format!("{b}/{a}");
    let mut out = vec![format!(
        "{:<LABEL$}{a:>VALUE$}{b:>VALUE$}{ratio:>7}  95%",
        "Figures"
    )];
    out.extend(rows.into_iter().flat_map(|figure| line(figure, sides)));
    out
}

fn line(figure: &FigureEntry, sides: &Sides) -> Option<String> {
    let unit = Unit::from_code(figure.unit.code());
    let mean = |runs: &[usize], side: usize| {
        let spread = figure
            .groups
            .as_ref()
            .and_then(|groups| groups.get(side).copied().flatten());
        spread.map(|s| s.mean).or_else(|| {
            runs.iter()
                .find_map(|&run| figure.values.get(run).copied().flatten())
        })
    };
    let values = [
        mean(sides.a, sides.indices[0]),
        mean(sides.b, sides.indices[1]),
    ];
    if values.iter().all(|v| v.unwrap_or(0.0) == 0.0) {
        return None;
    }
    let [a, b] = values.map(|v| v.map_or_else(|| "-".to_owned(), |v| unit.write(v)));
    let (ratio, interval) = match (values, figure.ratio) {
        ([Some(a), Some(b)], _) if a == b => ("same".to_owned(), String::new()),
        (_, Some(ratio)) if figure.real => (
            factor(ratio),
            figure.ci95.map_or_else(String::new, interval),
        ),
        (_, Some(ratio)) if figure.verdict == Some(Verdict::Unsure) => (
            format!("{}?", factor(ratio)),
            figure.ci95.map_or_else(String::new, interval),
        ),
        (_, Some(ratio)) => (factor(ratio), NOISE.to_owned()),
        ([Some(0.0), Some(_)], None) => ("new".to_owned(), String::new()),
        _ => (String::new(), String::new()),
    };
    let start = format!(
        "{:<LABEL$}{a:>VALUE$}{b:>VALUE$}{ratio:>7}",
        cut(&figure.label, LABEL - 1)
    );
    let whole = format!("{start}  {interval}");
    Some(if whole.len() > WIDTH {
        cut(&start, WIDTH)
    } else {
        whole
    })
}

/// An interval of a ratio: `-56..-35%`, `x6.6..x16`.
fn interval((low, high): (f64, f64)) -> String {
    let (low, high) = (
        factor(low),
        if high.is_finite() {
            factor(high)
        } else {
            "?".to_owned()
        },
    );
    let bare = low
        .strip_suffix('%')
        .filter(|_| high.ends_with('%'))
        .unwrap_or(&low);
    format!("{bare}..{high}")
}

/// The table of latencies: mean, percentiles and maximum of each stage.
pub fn latency(devices: &[&DeviceDigest], heads: &[String]) -> Vec<String> {
    let stats = [
        ("mean", "mean"),
        ("p50", "p50"),
        ("p90", "p90"),
        ("p99", "p99"),
        ("p999", "p99.9"),
        ("max", "max"),
    ];
    let mut out = Vec::new();
    for stage in ["q2c", "q2d", "d2c"] {
        for (device, head) in devices.iter().zip(heads) {
            let values = stats.map(|(key, _)| device.figures.get(&format!("{stage}.{key}")));
            if values.iter().all(Option::is_none) {
                continue;
            }
            let cells = values.map(|v| {
                format!(
                    "{:>10}",
                    v.map_or_else(|| "-".to_owned(), |v| Unit::Time.write(*v))
                )
            });
            out.push(format!(
                "{:<5}{:<7}{}",
                stage.to_uppercase(),
                cut(head, 6),
                cells.concat()
            ));
        }
    }
    if !out.is_empty() {
        out.insert(
            0,
            format!(
                "{:<12}{}",
                "Latency",
                stats.map(|(_, label)| format!("{label:>10}")).concat()
            ),
        );
    }
    out
}

/// Maximum number of sizes that are listed; the rest is counted.
const LISTED: usize = 12;

/// The table of sizes, the most frequent first: requests as issued, or bios as queued on a device
/// that issues none.
pub fn sizes(devices: &[&DeviceDigest], heads: &[String]) -> Vec<String> {
    let (action, name) = if devices.iter().any(|d| !d.sizes[1].is_empty()) {
        (1, "issued")
    } else {
        (0, "queued")
    };
    let mut counts: BTreeMap<(u64, &str), Vec<u64>> = BTreeMap::new();
    for (i, device) in devices.iter().enumerate() {
        for row in device.sizes[action].iter().filter(|row| row.sectors > 0) {
            let SizeCount {
                sectors,
                reads,
                writes,
                discards,
            } = *row;
            for (op, n) in [("R", reads), ("W", writes), ("D", discards)] {
                if n > 0 {
                    counts
                        .entry((sectors, op))
                        .or_insert_with(|| vec![0; devices.len()])[i] += n;
                }
            }
        }
    }
    let mut rows: Vec<((u64, &str), Vec<u64>)> = counts.into_iter().collect();
    rows.sort_short_by_key(|(_, n)| std::cmp::Reverse(n.iter().copied().max()));
    if rows.is_empty() {
        return Vec::new();
    }
    let cells = |cells: &mut dyn Iterator<Item = String>| -> String {
        cells
            .enumerate()
            .map(|(i, cell)| format!("{cell:>0$}", if i == 0 { 10 } else { 12 }))
            .collect()
    };
    let numbers = |n: &[u64]| cells(&mut n.iter().map(u64::to_string));
    let head = cells(&mut heads.iter().map(|head| format!("nr {}", cut(head, 7))));
    let mut out = vec![
        format!("Requests by size, as {name}, in sectors"),
        format!("{head}{:>10}", "size"),
    ];
    out.extend(
        rows.iter()
            .take(LISTED)
            .map(|((sectors, op), n)| format!("{}{sectors:>10} {op}", numbers(n))),
    );
    if let Some(others) = rows.get(LISTED..).filter(|others| !others.is_empty()) {
        let rest: Vec<u64> = (0..devices.len())
            .map(|i| others.iter().map(|(_, n)| n[i]).sum())
            .collect();
        out.push(format!(
            "{}{:>10}",
            numbers(&rest),
            format!("{} others", others.len())
        ));
    }
    out
}
