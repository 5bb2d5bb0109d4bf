//! Results of the Phoronix Test Suite as text:
//!
//! ```text
//! Flexible IO Tester 3.35
//! Type: Random Read - Engine: Linux AIO - Direct: Yes - Block Size: 4KB
//! IOPS > Higher Is Better
//! Linux 6.1 . 412000  |============================================================
//! ```

use crate::observation::{Good, Metric, Unit, slug};
use crate::quantity::scale_of;
use crate::readers::benchmarks::collect::{Collector, decimal};
use crate::recognise::{Cursor, Output};

/// Lines above the one with the unit: the test and its settings.
const MAX_TITLE: usize = 3;
/// Limit for the empty lines between two tests.
const MAX_GAP: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "phoronix");
    found.set_side("system");
    let mut end = 0;
    let mut offset = 0;
    while let Some(unit_offset) = unit_line(cursor, offset) {
        let titles: Vec<&str> = (offset..unit_offset)
            .map(|i| cursor.text(i).trim())
            .collect();
        found.set("test", &titles.join(" "));
        let metric = metric_of(cursor.text(unit_offset))?;
        let mut result = unit_offset + 1;
        while read_result(&mut found, result, cursor.text(result), &metric) {
            result += 1;
        }
        if result == unit_offset + 1 {
            break;
        }
        end = result;
        let next = (end..end + MAX_GAP).find(|i| !cursor.text(*i).trim().is_empty());
        let Some(next) = next else { break };
        offset = next;
    }
    found.finish(end)
}

/// The line with the unit of the test whose title begins at an offset.
fn unit_line(cursor: Cursor, offset: usize) -> Option<usize> {
    for line in offset..=offset + MAX_TITLE {
        let text = cursor.text(line);
        if is_unit(text) {
            return Some(line);
        }
        if text.trim().is_empty() || text.contains('|') {
            return None;
        }
    }
    None
}

fn is_unit(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with("> Higher Is Better") || text.ends_with("> Lower Is Better")
}

fn metric_of(text: &str) -> Option<(Metric, f64)> {
    let (unit, direction) = text.trim().rsplit_once(" > ")?;
    let good = if direction.starts_with("Higher") {
        Good::More
    } else {
        Good::Less
    };
    let lower = unit.to_ascii_lowercase();
    let scale = scale_of(unit).or_else(|| scale_of(&lower));
    let (unit_of, factor) = match scale {
        Some(scale) => (scale.unit, scale.factor),
        None if lower.ends_with("per second") => (Unit::PerSecond, 1.0),
        None => (Unit::None, 1.0),
    };
    Some((Metric::new(slug(unit), unit, unit_of).better(good), factor))
}

/// Reads a row like `Linux 6.1 . 412000  |=====`.
fn read_result(
    found: &mut Collector,
    offset: usize,
    text: &str,
    (metric, factor): &(Metric, f64),
) -> bool {
    let front = text.split('|').next().unwrap_or("").trim();
    let Some((label, word)) = front.rsplit_once(char::is_whitespace) else {
        return false;
    };
    let label = label.trim().trim_end_matches('.').trim();
    let Some(value) = decimal(word).filter(|_| !label.is_empty() && front.contains(" .")) else {
        return false;
    };
    found.set("system", label);
    found.add(offset, word, metric.clone(), value * factor);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn each_test_has_its_unit() {
        let text = "    Flexible IO Tester 3.35\n    Type: Random Read - Block Size: 4KB\n    \
            IOPS > Higher Is Better\n    Linux 6.1 . 412000  |=====\n    \
            Linux 6.10 rc1 ... 398000  |====\n\n    SQLite 3.41.2\n    Seconds > Lower Is Better\n    \
            Linux 6.1 . 21.5   |=====\n";
        assert_eq!(
            figures(read, text),
            [
                "test=Flexible IO Tester 3.35 Type: Random Read - Block Size: 4KB \
                 system=Linux 6.1 iops 412000",
                "test=Flexible IO Tester 3.35 Type: Random Read - Block Size: 4KB \
                 system=Linux 6.10 rc1 iops 398000",
                "test=SQLite 3.41.2 system=Linux 6.1 seconds 21500000000",
            ]
        );
        let output = &outputs(read, text)[0];
        assert_eq!(output.observations[0].metric.good, Some(Good::More));
        assert_eq!(output.observations[2].metric.good, Some(Good::Less));
        assert!(figures(read, "Speed > Higher Is Better\nand that is all\n").is_empty());
    }
}
