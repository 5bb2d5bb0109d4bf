//! The output of blktrace at its end, the only reliable source for dropped events.

use super::fact::device;
use super::{Fact, Note};
use seekscope_trace::limits::ReportedCount;

pub fn read(text: &str, note: &mut Note) {
    let mut subject: Option<&str> = None;
    let mut hint = None;
    // Collects the counts of the log that cannot be right; the others are not used.
    let mut counts = ReportedCount::default();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        let mut count = |digits: &str| {
            let mut read = ReportedCount::default();
            let is_count = read.add_digits(digits.trim(), Some(number));
            counts.note_outliers(&read);
            is_count.then(|| read.sum())
        };
        if let Some(name) = line
            .strip_prefix("===")
            .and_then(|rest| rest.strip_suffix("==="))
        {
            subject = Some(device(name.trim()));
        } else if let Some(name) = line.strip_prefix("Device:") {
            subject = Some(device(name.trim()));
        } else if let Some((events, dropped)) = line
            .strip_prefix("Total:")
            .and_then(total)
            .and_then(|(events, dropped)| count(events).zip(count(dropped)))
        {
            note.add(
                Fact::number("events", "Events recorded", events as f64, "events").about(subject),
            );
            note.add(
                Fact::number("dropped", "Events dropped", dropped as f64, "events").about(subject),
            );
            note.dropped.push((subject.map(str::to_owned), dropped));
        } else if let Some(rest) = line.strip_prefix("You have ")
            && rest.ends_with("dropped events")
        {
            hint = rest.split([' ', '(']).next().and_then(count);
        }
    }
    if let Some(dropped) = hint.filter(|_| note.dropped.is_empty()) {
        note.add(Fact::number(
            "dropped",
            "Events dropped",
            dropped as f64,
            "events",
        ));
        note.dropped.push((None, dropped));
    }
    note.count_outliers = counts.outliers().cloned();
}

/// The counts of `9245 events (dropped 15341), 434 KiB data`.
fn total(rest: &str) -> Option<(&str, &str)> {
    let (events, rest) = rest.trim().split_once(" events (dropped ")?;
    let (dropped, rest) = rest.split_once(')')?;
    rest.trim_end()
        .ends_with("KiB data")
        .then_some((events, dropped))
}
