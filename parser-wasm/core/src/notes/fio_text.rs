//! fio's normal output, which is no JSON.

use super::bench::rate_unit;
use super::fio::{self, FioMeasured, MAX_GROUPS};
use super::{Fact, Note};

/// Jobs per file.
pub const MAX_JOBS: usize = 400;
/// Options by which runs may differ.
pub const OPTIONS: [&str; 8] = [
    "rw", "bs", "ioengine", "iodepth", "numjobs", "direct", "sync", "fsync",
];
pub const DIRECTIONS: [&str; 3] = ["read", "write", "trim"];

/// A job of a report.
#[derive(Default)]
pub struct FioJob {
    pub name: String,
    /// Jobs with the same number ran together.
    pub set: usize,
    pub options: Vec<(&'static str, String)>,
    pub sides: Vec<FioSide>,
}

/// What a job did in one direction.
#[derive(Default)]
pub struct FioSide {
    pub operation: &'static str,
    pub iops: Option<f64>,
    pub rate: Option<f64>,
    pub ios: f64,
    pub mean: Option<f64>,
    pub most: Option<f64>,
    /// By percent, ns.
    pub percentiles: Vec<(f64, f64)>,
    pub bins: Vec<(f64, u64)>,
}

/// Adds the jobs of fio's normal output to a note.
pub fn read(text: &str, note: &mut Note) {
    for job in jobs(text) {
        let of = Some(job.name.as_str());
        for (key, value) in &job.options {
            if let Some((key, name)) = fio::OPTIONS.iter().find(|(known, _)| known == key) {
                note.add(Fact::text(key, name, value).of(of));
            }
        }
        let set = Some(job.set);
        for side in &job.sides {
            let p99 = side
                .percentiles
                .iter()
                .find(|(percent, _)| *percent == 99.0)
                .map(|(_, ns)| *ns);
            let measured = FioMeasured {
                iops: side.iops,
                rate: side.rate,
                mean: side.mean,
                p99,
                ..FioMeasured::default()
            };
            fio::add(side.operation, measured, of, set, note);
        }
    }
}

/// The jobs in fio's normal output.
pub fn jobs(text: &str) -> Vec<FioJob> {
    let mut jobs: Vec<FioJob> = Vec::new();
    let mut options: Vec<(String, Vec<(&'static str, String)>)> = Vec::new();
    // Unit of the percentiles that follow.
    let mut percentiles = None;
    // Each output numbers its groups from 0.
    let mut outputs = 0;
    let mut has_ended = false;
    for line in text
        .lines()
        .map(|line| line.trim_start_matches(['>', ' ']).trim_end())
    {
        if line.starts_with("Run status group") {
            has_ended = true;
        } else if [": (g=", ": (groupid="]
            .iter()
            .any(|part| line.contains(part))
        {
            outputs += usize::from(std::mem::take(&mut has_ended));
        }
        if let Some((name, rest)) = line.split_once(": (g=") {
            let of = |key: &&'static str| {
                let value = rest
                    .split([' ', ','])
                    .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))?;
                // `(R) 4096B-4096B` does not begin with a value.
                Some((*key, value.to_owned()))
                    .filter(|(_, value)| !value.is_empty() && !value.starts_with('('))
            };
            if options.len() < MAX_JOBS {
                options.push((name.to_owned(), OPTIONS.iter().filter_map(of).collect()));
            }
        } else if let Some((name, rest)) = line.split_once(": (groupid=") {
            let group: usize = rest
                .split([',', ')'])
                .next()
                .and_then(|n| n.parse().ok())
                .unwrap_or(0);
            let own = options
                .iter()
                .find(|(known, _)| known == name)
                .map(|o| o.1.clone())
                .unwrap_or_default();
            if jobs.len() < MAX_JOBS {
                jobs.push(FioJob {
                    name: name.to_owned(),
                    set: outputs * MAX_GROUPS + group.min(MAX_GROUPS - 1),
                    options: own,
                    sides: Vec::new(),
                });
            }
            percentiles = None;
        } else if line.starts_with("Run status group") {
            percentiles = None;
        } else if let Some(job) = jobs.last_mut() {
            text_line(line, job, &mut percentiles);
        }
    }
    jobs
}

fn text_line(line: &str, job: &mut FioJob, percentiles: &mut Option<f64>) {
    let begin = DIRECTIONS.iter().find(|word| {
        line.strip_prefix(**word)
            .is_some_and(|rest| rest.trim_start().starts_with(':'))
    });
    if let Some(operation) = begin {
        let value = |names: [&str; 2]| {
            let mut words = line.split([' ', ',', ':']);
            words
                .find_map(|word| names.iter().find_map(|name| word.strip_prefix(name)))
                .map(str::to_owned)
        };
        let iops = value(["IOPS=", "iops="]).and_then(|text| scaled(&text));
        let rate = value(["BW=", "bw="]).and_then(|text| {
            let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
            let unit = text[digits..].split('(').next()?;
            let factor = match unit {
                // `bw=` is of fio before 2.18, which calls 1024 bytes a KB.
                "KB/s" | "MB/s" | "GB/s" if !line.contains("BW=") => {
                    rate_unit(&unit.replace('B', "iB"))?
                }
                _ => rate_unit(unit)?,
            };
            Some(text[..digits].parse::<f64>().ok()? * factor)
        });
        if iops.is_some() || rate.is_some() {
            job.sides.push(FioSide {
                operation,
                iops,
                rate,
                ..FioSide::default()
            });
        }
        *percentiles = None;
        return;
    }
    let Some(side) = job.sides.last_mut() else {
        return;
    };
    let scale = |line: &str| match line.split_once('(')?.1.split(')').next()?.trim() {
        "nsec" => Some(1.0),
        "usec" => Some(1e3),
        "msec" => Some(1e6),
        "sec" => Some(1e9),
        _ => None,
    };
    if line.starts_with("clat percentiles") {
        *percentiles = scale(line);
    } else if line.starts_with('|') {
        let Some(scale) = *percentiles else { return };
        for entry in line.trim_matches(['|', ' ']).split("],") {
            let pair = entry.trim().split_once("th=[");
            let number = |text: &str| text.trim().trim_end_matches(']').trim().parse::<f64>().ok();
            if let Some((percent, at)) = pair.and_then(|(p, t)| Some((number(p)?, number(t)?)))
                && side.percentiles.len() < 100
            {
                side.percentiles.push((percent, at * scale));
            }
        }
    } else {
        *percentiles = None;
        if let Some(scale) = line.strip_prefix("clat (").and_then(|_| scale(line)) {
            let of = |name: &str| {
                let text = line
                    .split([',', ':'])
                    .find_map(|part| part.trim().strip_prefix(name))?;
                scaled(text.trim()).map(|n| n * scale)
            };
            (side.mean, side.most) = (of("avg="), of("max="));
        }
    }
}

/// `200`, `12.3k`, `1.2M`.
fn scaled(text: &str) -> Option<f64> {
    let (number, scale) = match text.strip_suffix('k').or_else(|| text.strip_suffix('K')) {
        Some(number) => (number, 1e3),
        None => text
            .strip_suffix('M')
            .map_or((text, 1.0), |number| (number, 1e6)),
    };
    number
        .parse::<f64>()
        .ok()
        .filter(|n| n.is_finite() && *n >= 0.0)
        .map(|n| n * scale)
}
