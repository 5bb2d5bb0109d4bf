//! Moves the times of counters to the clock of a run. Never a guess: where the relation is unknown,
//! or several are possible, a file has no lanes but a reason.

use super::time::{DAY, SECOND};
use super::{CounterClock, CounterFile, CounterSeries};
use seekscope_trace::store::Store;
use seekscope_trace::store::lanes::{Lane, LaneSample, LaneSource, Lanes};

/// Lanes of a trace, and values of all of them.
const MAX_LANES: usize = 2048;
const MAX_SAMPLES: usize = 2 << 20;
/// Offsets of time zones from UTC that are not whole hours, in minutes; whole ones are from -12 to
/// 14 h.
const ODD_ZONES: [i64; 13] = [
    -570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825,
];
/// Tools print whole seconds, so a time may be off by this.
const SLACK: i64 = SECOND;

/// What relates the clock of a run to other clocks. Times in ns.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunClock {
    /// Wall clock at its start, since 1970.
    pub wall: Option<i64>,
    /// Time since boot at its start.
    pub uptime: Option<i64>,
    /// Clock of the trace at its start, whatever it is.
    pub trace_clock: Option<i64>,
    pub span: i64,
}

/// The position of a file's times: what is subtracted from them, and how that is known.
struct Placement {
    zero: i64,
    clock: String,
}

impl RunClock {
    /// The clocks of a complete trace.
    pub fn from_trace(store: &Store) -> RunClock {
        let ns = |time: u64| i64::try_from(time).ok();
        // blktrace's clock counts from boot. Times of a dump start at 0.
        let since_boot = store.format.starts_with("blktrace") && store.origin > 0;
        RunClock {
            wall: store.wall.and_then(ns),
            uptime: ns(store.origin).filter(|_| since_boot),
            trace_clock: ns(store.origin).filter(|origin| *origin > 0),
            span: ns(store.span()).unwrap_or(i64::MAX),
        }
    }
}

/// Adds the counters of all files, on the clock of a run.
pub fn place(files: &[CounterFile], clock: RunClock, lanes: &mut Lanes) {
    // A zone that one file names is that of the machine.
    let mut zones: Vec<i64> = files.iter().filter_map(|file| file.zone).collect();
    zones.dedup();
    let zone = if let [zone] = zones[..] {
        Some(zone)
    } else {
        None
    };
    let mut samples = 0;
    for file in files {
        let source = lanes.sources.len();
        let mut entry = LaneSource {
            file: file.file.clone(),
            what: file.what(),
            clock: None,
            absent: None,
            limiter: None,
        };
        match placement(file, clock, zone) {
            Ok(Placement { zero, clock }) => {
                entry.clock = Some(clock);
                entry.absent.clone_from(&file.faults);
                for series in file
                    .series
                    .iter()
                    .filter(|series| !series.samples.is_empty())
                {
                    samples += series.samples.len();
                    if lanes.rows.len() >= MAX_LANES || samples > MAX_SAMPLES {
                        entry.absent =
                            Some("more counters than can be shown; only the first are".to_owned());
                        break;
                    }
                    lanes.rows.push(lane(series, source, zero));
                }
            }
            Err(reason) => {
                entry.absent = Some(
                    file.faults
                        .iter()
                        .fold(reason, |all, faults| format!("{all}; {faults}")),
                )
            }
        }
        lanes.sources.push(entry);
    }
}

fn lane(
    CounterSeries {
        column,
        subject,
        samples,
    }: &CounterSeries,
    source: usize,
    zero: i64,
) -> Lane {
    let moved = |s: &LaneSample| LaneSample {
        from: s.from.saturating_sub(zero),
        time: s.time.saturating_sub(zero),
        ..*s
    };
    Lane {
        name: column.name.to_owned(),
        meaning: column.meaning.to_owned(),
        unit: column.unit,
        kind: column.kind,
        subject: subject.clone(),
        source,
        main: column.main,
        samples: samples.iter().map(moved).collect(),
    }
}

const NO_WALL: &str =
    "its times are wall clock times, and the recording does not contain the wall clock";
const NO_UPTIME: &str = "its times count from boot, and the times of this recording do not";

fn placement(file: &CounterFile, run: RunClock, zone: Option<i64>) -> Result<Placement, String> {
    let times = || file.series.iter().flat_map(|series| &series.samples);
    let extent = times()
        .map(|s| s.from)
        .min()
        .zip(times().map(|s| s.time).max());
    if let Some(problem) = file.problem {
        return Err(problem.to_owned());
    }
    if file.clock == CounterClock::None {
        return Err("it has no times, so its place on the run's clock is unknown".to_owned());
    }
    let Some((first, last)) = extent else {
        return Err(
            "it has no interval: a single report since boot is no course of time".to_owned(),
        );
    };
    let overlaps = |zero: i64| {
        last.saturating_sub(zero) >= -SLACK
            && first.saturating_sub(zero) <= run.span.saturating_add(SLACK)
    };
    let checked = |zero: i64, clock: String| {
        if overlaps(zero) {
            Ok(Placement { zero, clock })
        } else {
            Err(outside(first - zero, last - zero, run.span))
        }
    };
    match &file.clock {
        CounterClock::None => Err(String::new()),
        CounterClock::Utc => checked(run.wall.ok_or(NO_WALL)?, "by the wall clock".to_owned()),
        CounterClock::Uptime => checked(
            run.uptime.ok_or(NO_UPTIME)?,
            "by the time since boot".to_owned(),
        ),
        CounterClock::Monotonic => checked(
            run.trace_clock.ok_or(NO_UPTIME)?,
            "by the time since boot".to_owned(),
        ),
        CounterClock::Local(days) => {
            let wall = run.wall.ok_or(NO_WALL)?;
            let today = wall.div_euclid(DAY);
            let days = if days.is_empty() {
                vec![today - 1, today, today + 1]
            } else {
                days.clone()
            };
            let zones: Vec<i64> = match zone {
                Some(zone) => vec![zone],
                None => (-12..=14)
                    .map(|hours| hours * 60)
                    .chain(ODD_ZONES)
                    .map(|minutes| minutes * 60 * SECOND)
                    .collect(),
            };
            // A time of the file is `zero` less on the run's clock.
            let zeros = days.iter().flat_map(|day| {
                zones
                    .iter()
                    .map(move |zone| (wall - day * DAY + zone, *zone))
            });
            let fitting: Vec<(i64, i64)> = zeros.filter(|(zero, _)| overlaps(*zero)).collect();
            match fitting[..] {
                [(zero, offset)] if zone.is_some() => Ok(Placement {
                    zero,
                    clock: format!(
                        "by the wall clock ({}, as another file \
                        shows)",
                        zone_name(offset)
                    ),
                }),
                [(zero, offset)] => {
                    let name = zone_name(offset);
                    Ok(Placement {
                        zero,
                        clock: format!(
                            "by the wall clock; its local time is {name}, the only time \
                            zone that fits the run"
                        ),
                    })
                }
                [] => Err("its times are not those of the run, in no time zone".to_owned()),
                _ => Err(
                    "its times are local, and several time zones fit the run; record with \
                        S_TIME_FORMAT=ISO or TZ=UTC"
                        .to_owned(),
                ),
            }
        }
    }
}

/// The name of a zone: `UTC`, `UTC+1`, `UTC-3:30`.
fn zone_name(offset: i64) -> String {
    let minutes = offset / SECOND / 60;
    let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
    let sign = if minutes < 0 { '-' } else { '+' };
    match (hours, rest) {
        (0, 0) => "UTC".to_owned(),
        (_, 0) => format!("UTC{sign}{hours}"),
        _ => format!("UTC{sign}{hours}:{rest:02}"),
    }
}

fn outside(first: i64, last: i64, span: i64) -> String {
    if last < 0 {
        format!("it ends {} s before the run begins", -last / SECOND)
    } else {
        format!(
            "it begins {} s after the run ends",
            first.saturating_sub(span) / SECOND
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_names() {
        let name = |hours: f64| zone_name((hours * 3600.0) as i64 * SECOND);
        assert_eq!(
            (name(0.0), name(1.0), name(-3.5), name(5.75)),
            (
                "UTC".into(),
                "UTC+1".into(),
                "UTC-3:30".into(),
                "UTC+5:45".into()
            )
        );
    }
}
