//! The value of a line, without what the text says of it.

use super::super::cell;
use crate::observation::{Observation, slug};

/// A figure without the verdict of the text behind it, `1203 MB/s (good)`, `211 MB/s <-- bad`.
/// Other words in brackets may say what the figure is of.
pub fn without_verdict(value: &str) -> &str {
    const VERDICTS: [&str; 14] = [
        "good",
        "bad",
        "ok",
        "fine",
        "slow",
        "fast",
        "better",
        "worse",
        "best",
        "worst",
        "regressed",
        "regression",
        "broken",
        "fixed",
    ];
    let pointed = || {
        let marks = [" <--", " <==", " <-", " <="];
        let (front, remark) = marks.iter().find_map(|mark| value.split_once(mark))?;
        Some((front, remark.trim_start_matches(['-', '=', ' '])))
    };
    let remark = value
        .strip_suffix(')')
        .and_then(|value| value.rsplit_once(" ("))
        .or_else(pointed);
    let is_verdict = |text: &str| VERDICTS.iter().any(|word| text.eq_ignore_ascii_case(word));
    match remark {
        Some((front, remark)) if is_verdict(remark) => front.trim_end(),
        _ => value,
    }
}

/// The figure behind the command that it is of: `dd bs=1M oflag=direct -> 1.1 GB/s`.
pub fn without_command(value: &str) -> &str {
    let is_figure = |word: &str| cell::figure(word).is_some();
    match value.rsplit_once("->") {
        Some((front, figure)) if !front.contains("->") && is_figure(figure.trim()) => {
            let mut words = front.split_whitespace().peekable();
            let is_command = words.peek().is_some() && !words.any(is_figure);
            if is_command { figure.trim() } else { value }
        }
        _ => value,
    }
}

/// A figure, and what it is counted for: `5.1M IOPS per core`.
pub fn without_part(value: &str) -> (&str, Option<&str>) {
    const PARTS: [&str; 10] = [
        "core", "cpu", "thread", "process", "job", "disk", "drive", "device", "client", "node",
    ];
    let cut = value.rfind(" per ").filter(|cut| {
        let part = value[cut + " per ".len()..].to_ascii_lowercase();
        PARTS.contains(&part.as_str())
    });
    match cut {
        Some(cut) => (&value[..cut], Some(value[cut..].trim_start())),
        None => (value, None),
    }
}

/// Says in the name of a metric what it is counted for: `IOPS per core`.
pub fn count_for(observation: &mut Observation, part: &str) {
    let metric = &mut observation.metric;
    metric.key = format!("{}-{}", metric.key, slug(part));
    metric.label = format!("{} {part}", metric.label);
}
