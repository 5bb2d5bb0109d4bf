//! fio's terse output (`--minimal`): a line of fields per job, separated by `;`.
//!
//! Version 3: version, fio's version, job, group, error, then 41 fields each of reads and writes,
//! then CPU, depths, latencies and disks. Version 4 has trims as well, and version 5 six more
//! fields per direction. Version 2, of fio before 2.0.8, has no version of fio and is not read.
//!
//! | place | field of a direction |
//! |---|---|
//! | 0 to 3 | KiB, KiB/s, IOPS, run time in ms |
//! | 4 to 7 | submission latency: min, max, mean, deviation, us |
//! | 8 to 11 | completion latency, likewise |
//! | 12 to 31 | its percentiles, `99.000000%=6979`; `0%=0` where there is none |
//! | 32 to 35 | total latency |
//! | 36 to 40 | bandwidth: min, max, share, mean, deviation |

use crate::notes::fio_text::{DIRECTIONS, FioJob, FioSide, MOST_JOBS};

const US: f64 = 1e3;

/// The jobs in a text; empty for other texts.
pub fn jobs(text: &str) -> Vec<FioJob> {
    text.lines()
        .filter_map(|line| job(line.trim_start_matches(['>', ' ']).trim_end()))
        .take(MOST_JOBS)
        .collect()
}

fn job(line: &str) -> Option<FioJob> {
    let (size, sides) = match line.split_once(';')?.0 {
        "3" => (41, 2),
        "4" => (41, 3),
        "5" => (47, 3),
        _ => return None,
    };
    let fields: Vec<&str> = line.split(';').collect();
    let [_, program, name, group, _error, rest @ ..] = fields.as_slice() else {
        return None;
    };
    if !program.starts_with("fio-") || rest.len() < size * sides {
        return None;
    }
    let sides = DIRECTIONS.iter().zip(rest.chunks(size)).take(sides);
    Some(FioJob {
        name: (*name).to_owned(),
        group: group.parse().unwrap_or(0),
        options: Vec::new(),
        sides: sides
            .filter_map(|(operation, fields)| side(operation, fields))
            .collect(),
    })
}

fn side(operation: &'static str, fields: &[&str]) -> Option<FioSide> {
    let number = |at: usize| {
        fields
            .get(at)?
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite() && *n >= 0.0)
    };
    let iops = number(2).filter(|iops| *iops > 0.0)?;
    let percentile = |field: &&str| {
        let (percent, us) = field.split_once("%=")?;
        let percent: f64 = percent.parse().ok().filter(|p| *p > 0.0)?;
        Some((
            percent,
            us.parse::<f64>().ok().filter(|us| us.is_finite())? * US,
        ))
    };
    Some(FioSide {
        operation,
        iops: Some(iops),
        rate: number(1).map(|kib| kib * 1024.0),
        ios: iops * number(3).unwrap_or(0.0) / 1e3,
        mean: number(10).map(|us| us * US),
        most: number(9).map(|us| us * US),
        percentiles: fields
            .iter()
            .skip(12)
            .take(20)
            .filter_map(percentile)
            .collect(),
        bins: Vec::new(),
    })
}
