//! fio's reports without a trace: JSON, JSON+ with the distribution of latencies, its text, and its
//! terse lines (`terse.rs`). Jobs of one group ran together and are one run.

use super::table::{FoundRow, NamedValue, plain};
use crate::notes::Good;
use crate::notes::fio_text::{DIRECTIONS, FioJob, FioSide, MOST_JOBS, OPTIONS, jobs};
use crate::sorting::SortShort;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// Bins per direction.
const MOST_BINS: usize = 4096;
/// Length of all names of a group.
const NAMES: usize = 60;
const PERCENTILES: [(f64, &str, &str); 5] = [
    (50.0, "clat_p50", "clat p50"),
    (90.0, "clat_p90", "clat p90"),
    (95.0, "clat_p95", "clat p95"),
    (99.0, "clat_p99", "clat p99"),
    (99.9, "clat_p999", "clat p99.9"),
];

/// How often which latency was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyDistribution {
    /// `read`, `write`, `trim`.
    pub operation: String,
    /// Latency in ns and number of I/Os, ascending.
    pub bins: Vec<(f64, u64)>,
}

/// Jobs that ran together.
pub struct FioGroup {
    pub row: FoundRow,
    pub distributions: Vec<LatencyDistribution>,
}

/// All groups of jobs in a file; empty for other texts.
pub fn read(text: &str) -> Vec<FioGroup> {
    let reports = json(text);
    let reports = if reports.is_empty() {
        vec![jobs(text)]
    } else {
        reports
    };
    let reports = if reports.iter().all(Vec::is_empty) {
        vec![super::terse::jobs(text)]
    } else {
        reports
    };
    reports.into_iter().flat_map(groups).collect()
}

fn groups(jobs: Vec<FioJob>) -> Vec<FioGroup> {
    let mut ids: Vec<u64> = jobs.iter().map(|job| job.group).collect();
    ids.dedup();
    let mut seen = Vec::new();
    ids.retain(|id| {
        !seen.contains(id) && {
            seen.push(*id);
            true
        }
    });
    ids.iter()
        .filter_map(|id| {
            group(
                &jobs
                    .iter()
                    .filter(|job| job.group == *id)
                    .collect::<Vec<_>>(),
            )
        })
        .collect()
}

fn group(jobs: &[&FioJob]) -> Option<FioGroup> {
    let mut names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    names.dedup();
    let joined = names.join("+");
    let name = if joined.len() <= NAMES {
        joined
    } else {
        format!("{} jobs", jobs.len())
    };
    let mut row = FoundRow {
        dimensions: vec![NamedValue::new("job", &name)],
        figures: Vec::new(),
    };
    for option in OPTIONS {
        let mut values: Vec<&str> = jobs
            .iter()
            .filter_map(|job| job.options.iter().find(|o| o.0 == option))
            .map(|o| o.1.as_str())
            .collect();
        values.dedup();
        if let [only] = values.as_slice() {
            row.dimensions.push(NamedValue::new(option, only));
        }
    }
    let mut distributions = Vec::new();
    for operation in DIRECTIONS {
        let sides: Vec<&FioSide> = jobs
            .iter()
            .flat_map(|job| &job.sides)
            .filter(|side| side.operation == operation)
            .collect();
        if sides.is_empty() {
            continue;
        }
        let sum =
            |of: fn(&FioSide) -> Option<f64>| sides.iter().map(|s| of(s)).sum::<Option<f64>>();
        let mut add =
            |end: &str, words: &str, unit: &'static str, good: Good, value: Option<f64>| {
                let Some(value) = value.filter(|v| v.is_finite()) else {
                    return;
                };
                let figure = plain(
                    "fio",
                    &format!("{operation} {words}"),
                    unit,
                    Some(good),
                    value,
                );
                row.figures.push(crate::notes::BenchFigure {
                    key: format!("bench.fio.{operation}.{end}"),
                    ..figure
                });
            };
        add("bw", "rate", "bytes/s", Good::More, sum(|s| s.rate));
        add("iops", "IOPS", "1/s", Good::More, sum(|s| s.iops));
        let ios: f64 = sides.iter().map(|s| s.ios).sum();
        let weighed = sides
            .iter()
            .map(|s| s.mean.map(|mean| mean * s.ios))
            .sum::<Option<f64>>();
        let mean = if let [only] = sides.as_slice() {
            only.mean
        } else {
            weighed.filter(|_| ios > 0.0).map(|sum| sum / ios)
        };
        add("clat_mean", "clat mean", "ns", Good::Less, mean);
        let mut bins: Vec<(f64, u64)> = Vec::new();
        if sides.iter().all(|s| !s.bins.is_empty()) {
            bins = sides.iter().flat_map(|s| s.bins.iter().copied()).collect();
            bins.sort_short_by(|a, b| a.0.total_cmp(&b.0));
            bins.dedup_by(|b, a| {
                a.0 == b.0 && {
                    a.1 = a.1.saturating_add(b.1);
                    true
                }
            });
        }
        for (percent, end, words) in PERCENTILES {
            // Percentiles of several jobs follow only from their distributions.
            let value = match sides.as_slice() {
                [only] => only
                    .percentiles
                    .iter()
                    .find(|p| (p.0 - percent).abs() < 1e-9)
                    .map(|p| p.1),
                _ => None,
            };
            add(
                end,
                words,
                "ns",
                Good::Less,
                value.or_else(|| quantile(&bins, percent)),
            );
        }
        let most = sides.iter().map(|s| s.most).collect::<Option<Vec<f64>>>();
        add(
            "clat_max",
            "clat max",
            "ns",
            Good::Less,
            most.and_then(|all| all.into_iter().reduce(f64::max)),
        );
        if !bins.is_empty() {
            distributions.push(LatencyDistribution {
                operation: operation.to_owned(),
                bins,
            });
        }
    }
    (!row.figures.is_empty()).then_some(FioGroup { row, distributions })
}

/// The bin at which a share of all is reached.
fn quantile(bins: &[(f64, u64)], percent: f64) -> Option<f64> {
    let all: f64 = bins.iter().map(|b| b.1 as f64).sum();
    let mut before = 0.0;
    for (at, n) in bins {
        before += *n as f64;
        if before >= all * percent / 100.0 && before > 0.0 {
            return Some(*at);
        }
    }
    None
}

fn json(text: &str) -> Vec<Vec<FioJob>> {
    let start = if text.trim_start().starts_with('{') {
        Some(0)
    } else {
        text.find("\n{")
    };
    let Some(start) = start else {
        return Vec::new();
    };
    let values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Json>();
    let mut found = Vec::new();
    for report in values.map_while(Result::ok).take(MOST_JOBS) {
        let Some(report) = report.as_object().filter(|o| o.contains_key("fio version")) else {
            break;
        };
        let common = report.get("global options").and_then(Json::as_object);
        let jobs = report
            .get("jobs")
            .or_else(|| report.get("client_stats"))
            .and_then(Json::as_array);
        let jobs = jobs.into_iter().flatten().filter_map(Json::as_object);
        // The sum over clients is listed next to them.
        let own =
            jobs.filter(|job| job.get("jobname").and_then(Json::as_str) != Some("All clients"));
        found.push(own.take(MOST_JOBS).map(|job| job_of(job, common)).collect());
    }
    found
}

fn job_of(job: &Map<String, Json>, common: Option<&Map<String, Json>>) -> FioJob {
    let own = job.get("job options").and_then(Json::as_object);
    let option = |key: &&'static str| {
        let value = own
            .and_then(|o| o.get(*key))
            .or_else(|| common?.get(*key))?;
        Some((*key, value.as_str()?.to_owned()))
    };
    FioJob {
        name: job
            .get("jobname")
            .and_then(Json::as_str)
            .unwrap_or("")
            .to_owned(),
        group: job.get("groupid").and_then(Json::as_u64).unwrap_or(0),
        options: OPTIONS.iter().filter_map(option).collect(),
        sides: DIRECTIONS
            .iter()
            .filter_map(|word| side_of(word, job.get(*word)?.as_object()?))
            .collect(),
    }
}

fn side_of(operation: &'static str, side: &Map<String, Json>) -> Option<FioSide> {
    let number = |key: &str| side.get(key).and_then(Json::as_f64);
    let iops = number("iops").filter(|iops| *iops > 0.0)?;
    // Times are in ns (fio 3) or us (fio 2).
    let (latency, scale) = side
        .get("clat_ns")
        .map_or((side.get("clat"), 1000.0), |ns| (Some(ns), 1.0));
    let of = |key: &str| latency?.get(key)?.as_f64().map(|t| t * scale);
    let map = |key: &str| {
        latency
            .and_then(|l| l.get(key))
            .and_then(Json::as_object)
            .into_iter()
            .flatten()
    };
    let mut bins: Vec<(f64, u64)> = map("bins")
        .filter_map(|(at, n)| Some((at.parse::<f64>().ok()? * scale, n.as_u64()?)))
        .take(MOST_BINS)
        .collect();
    bins.retain(|bin| bin.0.is_finite() && bin.1 > 0);
    bins.sort_short_by(|a, b| a.0.total_cmp(&b.0));
    Some(FioSide {
        operation,
        iops: Some(iops),
        rate: number("bw_bytes").or(number("bw").map(|kib| kib * 1024.0)),
        ios: number("total_ios").unwrap_or(0.0),
        mean: of("mean"),
        most: of("max"),
        percentiles: map("percentile")
            .filter_map(|(p, t)| Some((p.parse().ok()?, t.as_f64()? * scale)))
            .take(100)
            .collect(),
        bins,
    })
}
