//! What a reader of a benchmark looks at first: the only home of the order of its figures, of the
//! sections of a table of them, and of which figure is a statistic of another one.
//!
//! Throughput comes first, then operations per second, then mean latency (of complete requests
//! before parts of their way), percentiles, maxima, and the rest as the benchmark prints it. Within
//! each, the operation that moved most comes first.

use super::bench::BenchColumn;
use rustc_hash::FxHashMap;
use seekscope_notes::{BenchUnit, Good};
use seekscope_trace::sorting::SortShort;
use serde::Serialize;
use std::collections::BTreeMap;

/// A part of the table of all figures, in the order in which a reader looks at them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FigureSection {
    Throughput,
    Rate,
    Latency,
    Percentile,
    Other,
}

/// Which statistic of a distribution a figure is. In ascending order of how unusual they are: if a
/// key has words of several, the last one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Statistic {
    Mean,
    Percentile,
    Max,
    Min,
    Deviation,
}

/// Figures with the spread of another one within its run, by their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[doc(alias = "SpreadKeys")]
pub struct Beside {
    /// The standard deviation; with the unit `share` it is a part of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<String>,
}

impl Beside {
    pub fn is_empty(&self) -> bool {
        *self == Beside::default()
    }
}

const MEANS: [&str; 6] = ["mean", "avg", "average", "hmean", "amean", "gmean"];
const DEVIATIONS: [&str; 5] = ["stdev", "stddev", "sd", "std", "deviation"];
const OPERATIONS: [&str; 6] = ["read", "write", "trim", "discard", "fsync", "flush"];
/// Words for parts of the way of a request before the device.
const PARTS: [&str; 7] = ["slat", "q2g", "g2i", "q2m", "i2d", "m2d", "q2d"];
/// Words for the time in the device.
const IN_DEVICE: [&str; 2] = ["d2c", "svctm"];

/// The words of a key without its tool: `fio.read.clat_p99` has `read`, `clat` and `p99`.
fn tokens(key: &str) -> Vec<String> {
    let name = key.strip_prefix("bench.").unwrap_or(key);
    let name = name.split_once('.').map_or(name, |(_, rest)| rest);
    name.split(['.', '_', '-', ' ', '/', ':'])
        .filter(|token| !token.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn has(tokens: &[String], words: &[&str]) -> bool {
    tokens.iter().any(|token| words.contains(&token.as_str()))
}

/// Whether a word names a percentile: `p99`, `99%`, `95th`, `median`.
fn is_percentile(token: &str) -> bool {
    let number = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && text.len() <= 6
    };
    token == "median"
        || token.strip_prefix('p').is_some_and(number)
        || token.strip_suffix("th").is_some_and(number)
        || token.strip_suffix('%').is_some_and(number)
}

fn statistic_of(token: &str) -> Option<Statistic> {
    match token {
        "min" | "minimum" => Some(Statistic::Min),
        "max" | "maximum" => Some(Statistic::Max),
        token if DEVIATIONS.contains(&token) => Some(Statistic::Deviation),
        token if MEANS.contains(&token) => Some(Statistic::Mean),
        token if is_percentile(token) => Some(Statistic::Percentile),
        _ => None,
    }
}

/// What the place of a figure depends on.
struct RankedFigure {
    section: FigureSection,
    statistic: Statistic,
    /// The key without its statistic.
    stem: Vec<String>,
    operation: Option<&'static str>,
    /// 0 for complete requests, 1 for their time in the device, 2 for other parts of their way.
    part: u8,
}

impl RankedFigure {
    fn new(column: &BenchColumn) -> RankedFigure {
        let tokens = tokens(&column.key);
        let mut statistic = Statistic::Mean;
        let mut stem = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            // `jobs-per-min`: per minute.
            let is_minute = token == "min" && index > 0 && tokens[index - 1] == "per";
            match statistic_of(token).filter(|_| !is_minute) {
                // `lat-avg-p99` is a percentile: the less usual statistic counts.
                Some(found) => statistic = statistic.max(found),
                None => stem.push(token.clone()),
            }
        }
        use BenchUnit::{BytesPerSecond, Nanoseconds, PerSecond};
        let quantity = match (column.unit, column.good) {
            (BytesPerSecond, _) => FigureSection::Throughput,
            (PerSecond, Some(_)) | (BenchUnit::None, Some(Good::More)) => FigureSection::Rate,
            (PerSecond, None) if has(&tokens, &["iops", "ops"]) => FigureSection::Rate,
            (Nanoseconds | BenchUnit::None, Some(Good::Less)) => FigureSection::Latency,
            _ => FigureSection::Other,
        };
        let section = match (quantity, statistic) {
            (FigureSection::Latency, Statistic::Percentile) => FigureSection::Percentile,
            (FigureSection::Latency, Statistic::Mean | Statistic::Max) => FigureSection::Latency,
            (FigureSection::Throughput | FigureSection::Rate, Statistic::Mean) => quantity,
            _ => FigureSection::Other,
        };
        let part = if has(&tokens, &PARTS) {
            2
        } else {
            u8::from(has(&tokens, &IN_DEVICE))
        };
        let operation = OPERATIONS
            .into_iter()
            .find(|operation| has(&tokens, &[operation]));
        RankedFigure {
            section,
            statistic,
            stem,
            operation,
            part,
        }
    }

    /// The section by which it is sorted; maxima follow percentiles.
    fn rank(&self) -> (FigureSection, bool) {
        match (self.section, self.statistic) {
            (FigureSection::Latency, Statistic::Max) => (FigureSection::Percentile, true),
            (section, _) => (section, false),
        }
    }
}

/// A figure with its section and its statistics, in the order of a table.
pub struct Placed {
    pub column: BenchColumn,
    pub section: FigureSection,
    pub beside: Beside,
}

/// Sorts figures into the order in which a reader looks at them.
pub fn placed(columns: Vec<BenchColumn>) -> Vec<Placed> {
    let ranked: Vec<RankedFigure> = columns.iter().map(RankedFigure::new).collect();
    let sum = |column: &BenchColumn| column.values.iter().flatten().sum::<f64>();
    // What an operation moved: bytes where there are some, else its number.
    let moved = |operation: Option<&str>| {
        [FigureSection::Throughput, FigureSection::Rate]
            .map(|section| {
                let figures = ranked.iter().zip(&columns).filter(|(figure, _)| {
                    figure.section == section && figure.operation == operation
                });
                figures.map(|(_, column)| sum(column)).fold(0.0, f64::max)
            })
            .into_iter()
            .find(|moved| *moved > 0.0)
            .unwrap_or(0.0)
    };
    let mut by_operation: BTreeMap<Option<&str>, f64> = BTreeMap::new();
    for figure in &ranked {
        by_operation
            .entry(figure.operation)
            .or_insert_with(|| moved(figure.operation));
    }
    let beside = besides(&ranked, &columns);
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_short_by(|&a, &b| {
        let key = |index: usize| (ranked[index].rank(), ranked[index].part);
        let volume = |index: usize| by_operation[&ranked[index].operation];
        let tail = |index: usize| match ranked[index].section {
            // The rest stays in the order of the benchmark.
            FigureSection::Other => 0.0,
            _ => volume(index),
        };
        (key(a).cmp(&key(b)))
            .then(tail(b).total_cmp(&tail(a)))
            .then(a.cmp(&b))
    });
    let mut columns: Vec<Option<BenchColumn>> = columns.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|index| {
            Some(Placed {
                column: columns[index].take()?,
                section: ranked[index].section,
                beside: beside[index].clone(),
            })
        })
        .collect()
}

/// For each figure that is a mean, the keys of its other statistics: the first of each in the same
/// unit.
fn besides(ranked: &[RankedFigure], columns: &[BenchColumn]) -> Vec<Beside> {
    let mut statistics: FxHashMap<(Statistic, &[String], BenchUnit), usize> = FxHashMap::default();
    for (index, (figure, column)) in ranked.iter().zip(columns).enumerate() {
        let key = (figure.statistic, figure.stem.as_slice(), column.unit);
        statistics.entry(key).or_insert(index);
    }
    let means = ranked.iter().zip(columns).map(|(figure, column)| {
        if figure.statistic != Statistic::Mean {
            return Beside::default();
        }
        let index = |statistic, unit| statistics.get(&(statistic, figure.stem.as_slice(), unit));
        let key = |index: Option<&usize>| index.map(|index| columns[*index].key.clone());
        let deviation = Statistic::Deviation;
        let deviations = [
            index(deviation, column.unit),
            index(deviation, BenchUnit::Share),
        ];
        Beside {
            sd: key(deviations.into_iter().flatten().min()),
            least: key(index(Statistic::Min, column.unit)),
            most: key(index(Statistic::Max, column.unit)),
        }
    });
    means.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(key: &str, unit: BenchUnit, good: Option<Good>, value: f64) -> BenchColumn {
        BenchColumn {
            key: format!("bench.tool.{key}"),
            label: key.to_owned(),
            unit,
            good,
            values: vec![Some(value), None],
            deviations: vec![None; 2],
        }
    }

    fn keys(placed: &[Placed]) -> Vec<&str> {
        placed
            .iter()
            .map(|figure| figure.column.label.as_str())
            .collect()
    }

    const LESS: Option<Good> = Some(Good::Less);
    const MORE: Option<Good> = Some(Good::More);

    #[test]
    fn throughput_comes_first_and_the_busier_operation_before_the_other() {
        let found = placed(vec![
            column("read.iops", BenchUnit::PerSecond, MORE, 10.0),
            column("read.clat_p99", BenchUnit::Nanoseconds, LESS, 5e6),
            column("read.clat_max", BenchUnit::Nanoseconds, LESS, 9e6),
            column("read.slat_mean", BenchUnit::Nanoseconds, LESS, 1e3),
            column("read.clat_mean", BenchUnit::Nanoseconds, LESS, 1e6),
            column("read.clat_stdev", BenchUnit::Nanoseconds, LESS, 1e5),
            column("read.bw", BenchUnit::BytesPerSecond, MORE, 4e4),
            column("util", BenchUnit::Share, None, 0.9),
            column("interrupts", BenchUnit::PerSecond, None, 1e9),
            column("write.bw", BenchUnit::BytesPerSecond, MORE, 9e6),
            column("write.iops", BenchUnit::PerSecond, MORE, 2e3),
            column("write.clat_mean", BenchUnit::Nanoseconds, LESS, 2e6),
        ]);
        assert_eq!(
            keys(&found),
            [
                "write.bw",
                "read.bw",
                "write.iops",
                "read.iops",
                "write.clat_mean",
                "read.clat_mean",
                "read.slat_mean",
                "read.clat_p99",
                "read.clat_max",
                "read.clat_stdev",
                "util",
                "interrupts",
            ]
        );
    }

    #[test]
    fn of_btt_complete_requests_come_first_and_arrivals_with_the_rest() {
        let found = placed(vec![
            column("q2q.min", BenchUnit::Nanoseconds, None, 1.0),
            column("q2q.mean", BenchUnit::Nanoseconds, None, 1.0),
            column("q2g.mean", BenchUnit::Nanoseconds, LESS, 1.0),
            column("d2c.mean", BenchUnit::Nanoseconds, LESS, 1.0),
            column("q2c.min", BenchUnit::Nanoseconds, LESS, 1.0),
            column("q2c.mean", BenchUnit::Nanoseconds, LESS, 1.0),
            column("q2c.max", BenchUnit::Nanoseconds, LESS, 1.0),
            column("q2c.count", BenchUnit::None, None, 1.0),
        ]);
        assert_eq!(
            keys(&found)[..4],
            ["q2c.mean", "d2c.mean", "q2g.mean", "q2c.max"]
        );
        let beside = &found[0].beside;
        assert_eq!(
            (beside.least.as_deref(), beside.most.as_deref()),
            (Some("bench.tool.q2c.min"), Some("bench.tool.q2c.max"))
        );
        assert_eq!(beside.sd, None);
    }

    #[test]
    fn a_deviation_belongs_to_its_own_mean_only() {
        let found = placed(vec![
            column("aim7.jobs-per-min", BenchUnit::None, MORE, 7072.0),
            column("aim7.jobs-per-min.stddev", BenchUnit::Share, None, 0.02),
            column("aim7.time", BenchUnit::None, LESS, 84.0),
        ]);
        let sd: Vec<_> = found
            .iter()
            .map(|figure| figure.beside.sd.as_deref())
            .collect();
        let expected = Some("bench.tool.aim7.jobs-per-min.stddev");
        assert_eq!(sd, [expected, None, None]);
        assert_eq!(found[0].section, FigureSection::Rate);
    }

    #[test]
    fn percentiles_are_told_by_all_their_spellings() {
        for key in [
            "lat.p99.9",
            "lat-99%",
            "95th-lat",
            "lat.median",
            "clat_p9995",
        ] {
            let found = placed(vec![column(key, BenchUnit::Nanoseconds, LESS, 1.0)]);
            assert_eq!(found[0].section, FigureSection::Percentile, "{key}");
        }
        for key in ["path", "time.p", "growth", "lat", "time-per-min"] {
            let found = placed(vec![column(key, BenchUnit::Nanoseconds, LESS, 1.0)]);
            assert_eq!(found[0].section, FigureSection::Latency, "{key}");
        }
    }
}
