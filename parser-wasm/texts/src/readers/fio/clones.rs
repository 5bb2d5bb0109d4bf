//! The sum of clones of a job: what follows exactly from what fio prints of each.

use super::figures::{Figure, Measured, Operation, Quantity, Stage, Statistic};
use super::invocation::{Group, Job};
use seekscope_trace::sorting::SortShort;

/// Makes one job of the clones of a job.
pub fn joined(mut set: Vec<Job>, groups: &[Group]) -> Job {
    if set.len() == 1 {
        return set.remove(0);
    }
    let mut job = Job {
        measured: Vec::new(),
        processes: set
            .iter()
            .map(|job| job.processes.unwrap_or(1))
            .reduce(u32::saturating_add),
        error: set.iter().find_map(|job| job.error.clone()),
        // The remarks are of one clone each.
        remarks: Vec::new(),
        ..set[0].clone()
    };
    let operations = Operation::ALL.into_iter().map(Some).chain([None]);
    for operation in operations {
        let parts: Vec<&Measured> = set
            .iter()
            .flat_map(|job| &job.measured)
            .filter(|measured| measured.operation == operation)
            .collect();
        if !parts.is_empty() {
            job.measured.push(sum(operation, &parts));
        }
    }
    // fio's own sum has more digits than the sum of rounded rates.
    for group in groups {
        let is_of_job = group.id == job.group && group.client == job.client;
        for total in group.measured.iter().filter(|_| is_of_job) {
            let mine = job
                .measured
                .iter_mut()
                .find(|m| m.operation == total.operation);
            replace_rate(mine, total);
        }
    }
    job
}

/// Takes the rate of a group if the sum of the rates is the same but for rounding: other jobs may
/// be part of the group.
fn replace_rate(mine: Option<&mut Measured>, total: &Measured) {
    const ROUNDING: f64 = 0.02;
    let (Some(mine), Some(rate)) = (mine, total.figure(Quantity::Rate)) else {
        return;
    };
    for figure in &mut mine.figures {
        let near = (figure.value - rate.value).abs() <= ROUNDING * rate.value;
        if figure.quantity == Quantity::Rate && near {
            *figure = rate;
        }
    }
}

/// Adds what clones did together: rates add up; of latencies only what follows exactly is kept.
fn sum(operation: Option<Operation>, parts: &[&Measured]) -> Measured {
    let mut total = Measured {
        operation,
        count: parts.iter().map(|part| part.count).sum(),
        ..Measured::default()
    };
    let all = |quantity| -> Option<Vec<Figure>> {
        parts.iter().map(|part| part.figure(quantity)).collect()
    };
    for quantity in [Quantity::Iops, Quantity::Rate] {
        if let Some(figures) = all(quantity) {
            // A sum with a figure that cannot be would hide it.
            let wrong = figures.iter().find(|figure| figure.value < 0.0);
            let value = figures.iter().map(|figure| figure.value).sum();
            let (value, place) = wrong.map_or((value, figures[0].place), |f| (f.value, f.place));
            total.add(quantity, value, place);
        }
    }
    for stage in [Stage::Completion, Stage::Total] {
        let worst = all(Quantity::Latency(stage, Statistic::Max));
        let worst = worst.and_then(|figures| {
            let larger = |a: Figure, b: Figure| if b.value > a.value { b } else { a };
            figures.into_iter().reduce(larger)
        });
        let mean = weighted_mean(parts, Quantity::Latency(stage, Statistic::Mean));
        for figure in worst.into_iter().chain(mean) {
            total.add(figure.quantity, figure.value, figure.place);
        }
        // The rest of the stages says the same.
        if total.has_stage(stage) {
            break;
        }
    }
    total.bins = joined_bins(parts);
    let place = parts.iter().flat_map(|part| &part.figures).next();
    if let Some(place) = place.map(|figure| figure.place) {
        for figure in &parts[0].figures {
            if let Quantity::Latency(Stage::Completion, Statistic::Percentile(percent)) =
                figure.quantity
                && let Some(value) = quantile(&total.bins, percent)
            {
                total.add(figure.quantity, value as f64, place);
            }
        }
    }
    total
}

/// The mean of all I/Os; unknown if the number of I/Os of a part is.
fn weighted_mean(parts: &[&Measured], quantity: Quantity) -> Option<Figure> {
    let mut sum = 0.0;
    let mut count = 0.0;
    for part in parts {
        let n = part.count?;
        let mean = part.figure(quantity)?;
        if mean.value < 0.0 {
            return Some(mean);
        }
        sum += mean.value * n;
        count += n;
    }
    let first = parts.first()?.figure(quantity)?;
    (count > 0.0).then_some(Figure {
        value: sum / count,
        ..first
    })
}

/// The histogram of all parts; empty if a part has none.
fn joined_bins(parts: &[&Measured]) -> Vec<(u64, u64)> {
    if parts.iter().any(|part| part.bins.is_empty()) {
        return Vec::new();
    }
    let mut bins: Vec<(u64, u64)> = parts.iter().flat_map(|part| &part.bins).copied().collect();
    bins.sort_short();
    let mut joined: Vec<(u64, u64)> = Vec::with_capacity(bins.len());
    for (latency, count) in bins {
        match joined.last_mut() {
            Some(last) if last.0 == latency => last.1 = last.1.saturating_add(count),
            _ => joined.push((latency, count)),
        }
    }
    joined
}

/// The bin at which a share of all I/Os is reached, as fio has it.
fn quantile(bins: &[(u64, u64)], percent: f64) -> Option<u64> {
    let all: f64 = bins.iter().map(|bin| bin.1 as f64).sum();
    let mut before = 0.0;
    bins.iter().find_map(|(latency, count)| {
        before += *count as f64;
        (before > 0.0 && before >= all * percent / 100.0).then_some(*latency)
    })
}
