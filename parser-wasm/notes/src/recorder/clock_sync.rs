//! How far the clock of the machine is from the true time: what `chronyc tracking`, `ntpq -c rv` or
//! `timedatectl timesync-status` says.
//!
//! Runs of several hosts are placed on one axis by their wall clocks. Chrony says what is left to
//! be corrected at that moment, and this is applied. The other two say the offset of the last
//! exchange with a server, most of which is corrected by now: it only widens the error.

use crate::{Fact, Note};

/// Offsets of a year and more are no measurement.
const MAX_SECONDS: f64 = 3.2e7;

/// What is known about a clock, in seconds.
#[derive(Clone, Copy, Debug, Default)]
struct ClockState {
    /// To be added to the clock for the true time.
    correction: Option<f64>,
    /// Offset of the last exchange with a server.
    last_offset: Option<f64>,
    /// Time to the primary source and back.
    root_delay: Option<f64>,
    /// Error that the servers admit; of systemd it includes half of their own delay.
    dispersion: Option<f64>,
}

/// Adds the correction of the clock, and how large the error may be after it.
pub fn read(text: &str, note: &mut Note) {
    let mut state = ClockState::default();
    for line in text.lines().map(str::trim) {
        let pair = line.split_once(':').or_else(|| line.split_once('='));
        let Some((name, value)) = pair.map(|(name, value)| (name.trim(), value.trim())) else {
            continue;
        };
        match name {
            "System time" => state.correction = chrony_correction(value),
            "Root delay" => state.root_delay = seconds(value),
            "Root dispersion" | "Root distance" => state.dispersion = seconds(value),
            "Offset" => state.last_offset = seconds(value),
            "Delay" => state.root_delay = seconds(value),
            // ntpq: in ms, without a unit.
            "offset" => state.last_offset = milliseconds(value),
            "rootdelay" => state.root_delay = milliseconds(value),
            "rootdisp" => state.dispersion = milliseconds(value),
            _ => {}
        }
    }
    let Some(dispersion) = state.dispersion else {
        return;
    };
    let error = dispersion.abs()
        + state.root_delay.unwrap_or_default().abs() / 2.0
        + state.last_offset.unwrap_or_default().abs();
    if let Some(correction) = state.correction {
        note.add(Fact::number(
            "clock_correction",
            "Correction of the wall clock",
            correction * 1e9,
            "ns",
        ));
    }
    note.add(Fact::number(
        "clock_error",
        "Error of the wall clock, at most",
        error * 1e9,
        "ns",
    ));
}

/// `0.000006523 seconds slow of NTP time`: a slow clock needs a positive correction.
fn chrony_correction(value: &str) -> Option<f64> {
    let mut words = value.split_whitespace();
    let size = number(words.next()?)?;
    match words.nth(1)? {
        "slow" => Some(size),
        "fast" => Some(-size),
        _ => None,
    }
}

/// `24.078ms`, `+1.234us`, `0.013639022 seconds`; what follows in parentheses is left out.
fn seconds(value: &str) -> Option<f64> {
    let value = value.split('(').next()?.trim();
    let end = value
        .find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c)))
        .unwrap_or(value.len());
    let factor = match value[end..].trim() {
        "" | "s" | "seconds" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" => 1e-6,
        _ => return None,
    };
    number(&value[..end]).map(|size| size * factor)
}

fn milliseconds(value: &str) -> Option<f64> {
    number(value.trim_end_matches(',')).map(|size| size / 1e3)
}

fn number(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    (value.abs() < MAX_SECONDS).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::{FactValue, NoteKind, read};

    fn facts(text: &str) -> Vec<(String, f64)> {
        let note = read("before/clock-sync.txt", text.as_bytes());
        note.facts
            .iter()
            .filter_map(|fact| match fact.value {
                FactValue::Number(value) => Some((fact.key.to_string(), value)),
                FactValue::Text(_) => None,
            })
            .collect()
    }

    fn rounded(text: &str) -> Vec<(String, i64)> {
        let whole = |(key, ns): (String, f64)| (key, ns.round() as i64);
        facts(text).into_iter().map(whole).collect()
    }

    const CHRONY: &str = "Reference ID    : C0000201 (192.0.2.1)\nStratum         : 3\n\
        System time     : 0.000006523 seconds slow of NTP time\n\
        Root delay      : 0.013639022 seconds\nRoot dispersion : 0.001100737 seconds\n\
        Leap status     : Normal\n";

    #[test]
    fn chrony_says_what_is_left_to_correct() {
        let pair = |key: &str, ns| (key.to_owned(), ns);
        let expected = [
            pair("clock_correction", 6_523),
            pair("clock_error", 1_100_737 + 13_639_022 / 2),
        ];
        assert_eq!(rounded(CHRONY), expected);
        assert_eq!(read("x.txt", CHRONY.as_bytes()).kind, NoteKind::ClockSync);
        let fast = CHRONY.replace("seconds slow", "seconds fast");
        assert_eq!(rounded(&fast)[0].1, -6_523);
    }

    #[test]
    fn offsets_of_the_last_exchange_widen_the_error() {
        let ntpq = "leap_none\noffset=-0.250,\nrootdelay=12.0,\nrootdisp=20.5\n";
        assert_eq!(rounded(ntpq), [("clock_error".to_owned(), 26_750_000)]);
        let systemd = "Root distance: 24.078ms (max: 5s)\n       Offset: +1.234ms\n        \
            Delay: 12us\n";
        assert_eq!(rounded(systemd), [("clock_error".to_owned(), 25_318_000)]);
    }

    #[test]
    fn an_unsynchronised_clock_and_odd_numbers_say_nothing() {
        assert_eq!(facts("Root distance: soon\nOffset: n/a\n"), []);
        assert_eq!(facts("506 Cannot talk to daemon\n"), []);
        assert_eq!(facts(&CHRONY.replace("0.001100737", "1e300")), []);
    }
}
