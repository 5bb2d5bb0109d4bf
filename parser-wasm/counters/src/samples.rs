//! Samples of files in /proc and /sys, as loops of `cat` write them: a time, then the content of
//! the file, again and again. Counts since boot become rates of the interval between two samples.
//!
//! ```text
//! uptime 16.03 11.50        also /proc/uptime itself, seconds since 1970, 2026-11-22T05:09:20+00:00, date's own output
//!  254       0 vda 1261 0 10088 3387 0 0 0 0 0 980 3387 0 0 0 0 0 0
//! ```

use super::faults::complete_lines;
use super::reports::Reports;
use super::time::{DAY, date, seconds, time_of_day, zone};
use super::{Collected, CounterClock, diskstats, first_lines, pressure, stat, totals};

/// The kind of lines that the samples have.
enum SampledFile {
    Diskstats(diskstats::Diskstats),
    Stat(stat::CpuTimes),
    Pressure(pressure::Pressures),
    Vmstat(totals::CountsSinceBoot),
    Cgroup(totals::CountsSinceBoot),
}

/// A line that says when the next sample was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SampleTime {
    Uptime(i64),
    Utc(i64),
    Local(Vec<i64>, i64),
}

/// Seconds since 1970 from 2001 on; smaller numbers are no time.
const MIN_EPOCH: i64 = 1_000_000_000 * super::time::SECOND;
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Differences of the two clocks up to this are those of reading them one after the other, ns: the
/// machine was never suspended.
const READ_APART: i64 = 100_000_000;

/// How far `/proc/uptime` is ahead of the clock of traces, because it also counts the time of
/// suspend: `clock uptime 16.03 monotonic 12.001`, the first line that seekscope-record writes. Its
/// traces have this clock, whatever their format.
fn recorder_clock(line: &str) -> Option<i64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["clock", "uptime", up, "monotonic", monotonic] = words[..] else {
        return None;
    };
    let ahead = seconds(up)? - seconds(monotonic)?;
    Some(if ahead.abs() <= READ_APART { 0 } else { ahead })
}

pub fn sample_time(line: &str) -> Option<SampleTime> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    // Some loops write a word before the time.
    let named = matches!(
        words.first(),
        Some(&("uptime" | "time" | "date" | "#" | "---" | "==="))
    )
    .then(|| words.remove(0));
    match words.as_slice() {
        // /proc/uptime has two numbers with two digits after the point.
        [up, idle] if up.contains('.') && idle.contains('.') => {
            seconds(idle)?;
            seconds(up).map(SampleTime::Uptime)
        }
        [up] if named == Some("uptime") => seconds(up).map(SampleTime::Uptime),
        [epoch] if seconds(epoch).is_some() => seconds(epoch)
            .filter(|ns| *ns >= MIN_EPOCH)
            .map(SampleTime::Utc),
        [iso] => {
            let (day, rest) = iso.split_once('T')?;
            let end = rest
                .find(['+', 'Z'])
                .or_else(|| rest.rfind('-'))
                .unwrap_or(rest.len());
            dated(
                &date(day),
                &rest[..end].replace(',', "."),
                rest.get(end..).unwrap_or_default(),
            )
        }
        [day, clock] => dated(&date(day), clock, ""),
        [day, clock, offset] => dated(&date(day), clock, offset),
        // `date`: Sun Nov 22 05:09:28 UTC 2026.
        [_, month, day, clock, offset, year] => {
            let month = MONTHS.iter().position(|name| name == month)? + 1;
            dated(&date(&format!("{year}-{month}-{day}")), clock, offset)
        }
        _ => None,
    }
}

fn dated(days: &[i64], clock: &str, offset: &str) -> Option<SampleTime> {
    let of_day = time_of_day(clock, None)?;
    let first = *days.first()?;
    Some(match zone(offset) {
        Some(offset) => SampleTime::Utc(first * DAY + of_day - offset),
        None => SampleTime::Local(days.to_vec(), of_day),
    })
}

fn samples(head: &str) -> Option<SampledFile> {
    // Lines of numbers without a device are samples only below a time.
    let timed = first_lines(head).any(|line| sample_time(line).is_some());
    first_lines(head).find_map(|line| {
        if stat::is_line(line) {
            Some(SampledFile::Stat(stat::CpuTimes::default()))
        } else if pressure::is_line(line) {
            Some(SampledFile::Pressure(pressure::Pressures::default()))
        } else if totals::is_vmstat(line) {
            Some(SampledFile::Vmstat(totals::CountsSinceBoot::default()))
        } else if totals::is_cgroup(line) {
            Some(SampledFile::Cgroup(totals::CountsSinceBoot::default()))
        } else if diskstats::is_line(line, timed) {
            Some(SampledFile::Diskstats(diskstats::Diskstats::default()))
        } else {
            None
        }
    })
}

pub fn is_one(head: &str) -> bool {
    samples(head).is_some()
}

pub fn read(text: &str) -> Option<Collected> {
    let mut samples = samples(text)?;
    let mut reports = Reports::default();
    let mut clock = CounterClock::None;
    let mut open = false;
    // The difference to the clock of the recorder's trace.
    let mut ahead = None;
    for (number, line) in complete_lines(text) {
        reports.faults.line = number;
        if clock == CounterClock::None && line.starts_with("clock ") {
            ahead = recorder_clock(line).or(ahead);
            continue;
        }
        if let Some(time) = sample_time(line) {
            let (printed_clock, time) = match time {
                SampleTime::Uptime(time) => match ahead {
                    Some(ahead) => (CounterClock::Monotonic, time - ahead),
                    None => (CounterClock::Uptime, time),
                },
                SampleTime::Utc(time) => (CounterClock::Utc, time),
                SampleTime::Local(days, time) => (CounterClock::Local(days), time),
            };
            // Several times per sample: that of the first kind counts.
            if clock == CounterClock::None {
                if matches!(
                    printed_clock,
                    CounterClock::Uptime | CounterClock::Monotonic
                ) {
                    reports.set_exact_times();
                }
                clock = printed_clock.clone();
            }
            if std::mem::discriminant(&clock) == std::mem::discriminant(&printed_clock) {
                reports.begin(None, Some(time));
                open = true;
                if let SampledFile::Pressure(pressures) = &mut samples {
                    pressures.begin();
                }
            }
            continue;
        }
        if !open && clock == CounterClock::None && reports.len() == 0 {
            // Samples without any time: one report, which has no place.
            reports.begin(None, None);
        }
        match &mut samples {
            SampledFile::Diskstats(disks) => disks.line(line, &mut reports),
            SampledFile::Stat(times) => times.line(line, &mut reports),
            SampledFile::Pressure(pressures) => pressures.line(line, &mut reports),
            SampledFile::Vmstat(totals) => totals.vmstat(line, &mut reports),
            SampledFile::Cgroup(totals) => totals.cgroup(line, &mut reports),
        }
    }
    let tool = match samples {
        SampledFile::Diskstats(disks) => disks.tool(),
        SampledFile::Stat(_) => "/proc/stat",
        SampledFile::Pressure(_) => "/proc/pressure",
        SampledFile::Vmstat(_) => "/proc/vmstat",
        SampledFile::Cgroup(_) => "io.stat of a control group",
    };
    Some(Collected {
        tool: tool.to_owned(),
        clock,
        zone: None,
        reports,
        problem: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SECOND;

    #[test]
    fn times_between_samples() {
        let utc = |ns| Some(SampleTime::Utc(ns));
        assert_eq!(
            sample_time("uptime 16.03 11.50"),
            Some(SampleTime::Uptime(16_030_000_000))
        );
        assert_eq!(
            sample_time("16.03 11.50"),
            Some(SampleTime::Uptime(16_030_000_000))
        );
        let start = 1_795_324_160 * SECOND;
        assert_eq!(sample_time("1795324160.5"), utc(start + SECOND / 2));
        assert_eq!(sample_time("2026-11-22T05:09:20+00:00"), utc(start));
        assert_eq!(
            sample_time("2026-11-22T06:09:20,500+01:00"),
            utc(start + SECOND / 2)
        );
        assert_eq!(sample_time("Sun Nov 22 05:09:20 UTC 2026"), utc(start));
        assert_eq!(
            sample_time("=== 2026-11-22 05:09:20"),
            Some(SampleTime::Local(vec![20_779], start - 20_779 * DAY))
        );
        for other in [
            "",
            "vda",
            "12",
            "0 0",
            "254 0 vda 1 2 3 4",
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=4866",
            "ctxt 4134",
        ] {
            assert_eq!(sample_time(other), None, "{other}");
        }
    }
}
