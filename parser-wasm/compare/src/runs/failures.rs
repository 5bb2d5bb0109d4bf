//! Failed requests of a side or a run, and their words.

use super::digest::DeviceDigest;
use super::run::ComparisonSide;
use crate::sentence::{Param, Params, Sentence};
use crate::wording;
use seekscope_measure::failed::{FailedByError, FailedByOperation, FailedRequests};
use seekscope_trace::errno::EXPECTED;
use seekscope_trace::quantity::Unit;
use seekscope_trace::sorting::SortShort;
use std::cmp::Reverse;

/// Errors and processes that a sentence names.
const MAX_NAMED: usize = 3;
/// Part of the run that the range of the evidence has before and after the failures.
const MARGIN: u64 = 50;

/// The failures of all runs of a side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failures {
    /// Completions with an error.
    pub failed: f64,
    /// All completions.
    pub all: f64,
    /// Number of runs with a failure.
    pub runs: usize,
    /// Whether all errors are ones that callers expect and handle ([`EXPECTED`]).
    pub expected: bool,
    /// Sums over the runs; processes are those of the first run with failures, because pids of
    /// different runs have nothing in common.
    pub details: FailedRequests,
}

impl Failures {
    /// The failures of a side; absent where a run lacks completions or errors.
    pub fn of_side(side: &ComparisonSide) -> Option<Failures> {
        Failures::of_devices(side.devices())
    }

    /// The failures of single devices; absent where one lacks completions or errors.
    pub fn of_devices(devices: &[&DeviceDigest]) -> Option<Failures> {
        let mut sum = Failures::default();
        for device in devices {
            let (failed, all) = counts(device)?;
            sum.failed += failed;
            sum.all += all;
            sum.runs += usize::from(failed > 0.0);
            if let Some(found) = &device.failed {
                add(&mut sum.details, found);
            }
        }
        let errors = &sum.details.by_error;
        sum.expected = !errors.is_empty()
            && sum.details.more_errors == 0
            && errors.iter().all(|error| EXPECTED.contains(&error.errno));
        Some(sum)
    }

    /// Share of each run's requests that failed; empty where a run lacks them.
    pub fn shares(side: &ComparisonSide) -> Vec<f64> {
        let counts: Option<Vec<(f64, f64)>> = side.devices().iter().map(|d| counts(d)).collect();
        let share = |(failed, all)| part(failed, all);
        counts.unwrap_or_default().into_iter().map(share).collect()
    }

    /// Share of the requests that failed.
    pub fn share(&self) -> f64 {
        part(self.failed, self.all)
    }
}

fn part(failed: f64, all: f64) -> f64 {
    if all > 0.0 { failed / all } else { 0.0 }
}

fn counts(device: &DeviceDigest) -> Option<(f64, f64)> {
    let value = |key: &str| device.figures.get(key).copied();
    Some((value("failed.requests")?, value("events.C")?))
}

fn add(sum: &mut FailedRequests, found: &FailedRequests) {
    sum.count.requests += found.count.requests;
    sum.count.bytes += found.count.bytes;
    sum.more_errors += found.more_errors;
    for error in &found.by_error {
        match sum
            .by_error
            .iter_mut()
            .find(|entry| entry.errno == error.errno)
        {
            Some(entry) => entry.count.requests += error.count.requests,
            None => sum.by_error.push(error.clone()),
        }
    }
    for operation in &found.by_operation {
        let same = |entry: &&mut FailedByOperation| entry.operation == operation.operation;
        match sum.by_operation.iter_mut().find(same) {
            Some(entry) => entry.count.requests += operation.count.requests,
            None => sum.by_operation.push(operation.clone()),
        }
    }
    if let Some(retries) = found.retries {
        let all = sum.retries.get_or_insert_default();
        all.issued_again += retries.issued_again;
        all.succeeded += retries.succeeded;
        all.failed_again += retries.failed_again;
    }
    if sum.by_process.is_empty() {
        sum.by_process.clone_from(&found.by_process);
        sum.more_processes = found.more_processes;
    }
    sum.by_error
        .sort_short_by_key(|entry| Reverse(entry.count.requests));
    sum.by_operation
        .sort_short_by_key(|entry| Reverse(entry.count.requests));
}

/// The parameters of the sentences about failed requests.
pub fn described(params: Params, failures: &Failures) -> Params {
    let details = &failures.details;
    let mut params = params
        .value("failed", failures.failed, Unit::Count)
        .value("all", failures.all, Unit::Count)
        .with("errors", Param::Parts(errors(details)))
        .with("operations", Param::Parts(operations(details)));
    if details.count.bytes > 0 {
        params = params.value("bytes", details.count.bytes as f64, Unit::Bytes);
    }
    if let Some(retries) = details.retries.filter(|retries| retries.issued_again > 0) {
        params = params
            .value("again", retries.issued_again as f64, Unit::Count)
            .value("succeeded", retries.succeeded as f64, Unit::Count)
            .value("failed_again", retries.failed_again as f64, Unit::Count);
    }
    params
}

/// From the first to the last failure of a device, with a margin, ns since the first event of the
/// run.
pub fn range(device: &DeviceDigest) -> Option<(u64, u64)> {
    let found = device.failed.as_ref()?;
    let (from, to) = device.active;
    let margin = to.saturating_sub(from) / MARGIN;
    Some((
        found.first_ns.saturating_sub(margin),
        found.last_ns.saturating_add(margin.max(1)),
    ))
}

fn listed(items: impl Iterator<Item = Sentence>, more: usize) -> Sentence {
    let mut out = Sentence::default();
    for (i, item) in items.enumerate() {
        out.text(if i == 0 { "" } else { ", " });
        out.extend(item);
    }
    if more > 0 {
        let params = Params::default().value("more", more as f64, Unit::Count);
        out.extend(params.fill(wording::failed::MORE));
    }
    out
}

fn errors(details: &FailedRequests) -> Sentence {
    let item = |error: &FailedByError| {
        let number = || format!("error {}", error.errno);
        let name = error.name.clone().unwrap_or_else(number);
        let params = Params::default()
            .value("n", error.count.requests as f64, Unit::Count)
            .with("error", Param::Text(name));
        let params = match &error.meaning {
            Some(meaning) => params.with("meaning", Param::Text(meaning.clone())),
            None => params,
        };
        params.fill(wording::failed::ERROR)
    };
    let left_out = details.by_error.len().saturating_sub(MAX_NAMED);
    listed(
        details.by_error.iter().take(MAX_NAMED).map(item),
        left_out + details.more_errors as usize,
    )
}

fn operations(details: &FailedRequests) -> Sentence {
    let item = |failed: &FailedByOperation| {
        let n = failed.count.requests;
        Params::default()
            .value("n", n as f64, Unit::Count)
            .fill(wording::failed::operation(&failed.operation, n))
    };
    listed(details.by_operation.iter().map(item), 0)
}

/// Whose requests failed, most first; absent where no process is known.
pub fn processes(details: &FailedRequests) -> Option<String> {
    let name = crate::findings::process_name;
    let named: Vec<String> = details
        .by_process
        .iter()
        .take(MAX_NAMED)
        .map(|failed| {
            let name = name(failed.pid, &failed.name);
            format!("{name} ({})", failed.count.requests)
        })
        .collect();
    let more = details.by_process.len().saturating_sub(MAX_NAMED) as u64 + details.more_processes;
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| named.join(", ") + &more)
}
