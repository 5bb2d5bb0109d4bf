//! The counters of `perf stat`. With several runs (`-r`), the relative deviation of their mean is
//! behind each of them:
//!
//! ```text
//!  Performance counter stats for 'fio a.fio' (5 runs):
//!
//!          10,120.45 msec task-clock        #    1.012 CPUs utilized    ( +-  0.21% )
//!            118,204      context-switches  #   11.680 K/sec            ( +-  0.10% )
//!     <not supported>      stalled-cycles-frontend
//!            10.0031 +- 0.0012 seconds time elapsed  ( +-  0.01% )
//! ```

use crate::line::{Line, Place};
use crate::quantity::{number, number_length};
use crate::readers::benchmarks::collect::{
    Collector, MAX_PARTS, PERCENT, SECOND, count, nanoseconds, time,
};
use crate::recognise::{Cursor, Output};

/// Blank lines between the counters and the times.
const MAX_GAP: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    cursor
        .text(0)
        .trim()
        .strip_prefix("Performance counter stats for ")?;
    let mut found = Collector::new(cursor, "perf stat");
    let mut deviations = Vec::new();
    let (mut end, mut offset, mut parts) = (1, 1, 0);
    while offset <= end + MAX_GAP && parts < MAX_PARTS {
        let text = cursor.text(offset);
        if !text.trim().is_empty() && !add(&mut found, offset, text) {
            break;
        }
        if !text.trim().is_empty() {
            parts += 1;
            end = offset + 1;
            let deviation = cursor.line(offset).and_then(deviation);
            deviations.extend(deviation.filter(|_| !found.is_empty()));
        }
        offset += 1;
    }
    let output = found.finish(end)?;
    Some(Output {
        deviations,
        ..output
    })
}

/// Adds the figure of a line; whether the line is one of the counters.
fn add(found: &mut Collector, offset: usize, text: &str) -> bool {
    let text = text.trim();
    if text.starts_with("<not ") {
        return true;
    }
    let Some((word, value, rest)) = leading(text) else {
        return false;
    };
    for (words, key, label) in [
        ("seconds time elapsed", "elapsed", "time elapsed"),
        ("seconds user", "user", "user time"),
        ("seconds sys", "sys", "sys time"),
    ] {
        if rest.trim_start().starts_with(words) || rest.contains(words) && rest.contains("+-") {
            found.add(offset, word, time(key, label), value * SECOND);
            return true;
        }
    }
    let names: Vec<&str> = rest
        .split_whitespace()
        .take_while(|name| *name != "#" && !name.starts_with('('))
        .collect();
    let is_name = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase());
    match names.as_slice() {
        [event] if is_name(event) => {
            let value = number(&integer(word)).unwrap_or(value);
            found.add(offset, word, count(event, event), value);
        }
        [unit, event] if is_name(event) => match nanoseconds(unit) {
            Some(scale) => found.add(offset, word, time(event, event).neutral(), value * scale),
            // Other units are those of the machine: `4.10 Joules power/energy-pkg/`. Other words
            // behind a number are those of a sentence.
            None => return event.contains(['/', '_', '-']),
        },
        _ => return false,
    }
    true
}

/// A number as perf prints it, with the separators of its locale.
fn leading(text: &str) -> Option<(&str, f64, &str)> {
    let (word, rest) = text.split_at_checked(number_length(text))?;
    Some((word, number(word)?, rest))
}

/// A counter without the separators of thousands, whatever the locale has for them.
fn integer(word: &str) -> String {
    word.replace([',', '.'], "")
}

/// The deviation of the figure in a line, in its unit, from the share behind it.
fn deviation(line: &Line) -> Option<(Place, f64)> {
    let text = line.text().trim();
    let (word, value, rest) = leading(text)?;
    let (_, share) = rest.rsplit_once("( +-")?;
    let (_, share, _) = leading(share.trim_start())?;
    let unit = rest.split_whitespace().next().and_then(nanoseconds);
    let (value, factor) = match unit {
        _ if rest.contains("seconds ") => (value, SECOND),
        Some(factor) => (value, factor),
        None => (number(&integer(word))?, 1.0),
    };
    Some((line.place_of(word), value * factor * share * PERCENT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    const TEXT: &str = " Performance counter stats for 'fio a.fio' (5 runs):\n\n         \
        10,120.5 msec task-clock        #    1.012 CPUs utilized    ( +-  0.20% )\n           \
        118,204      context-switches  #   11.680 K/sec            ( +-  0.10% )\n    \
        <not supported>      stalled-cycles-frontend\n      \
        1,250,000      cycles:u\n\n           \
        10.25 +- 0.01 seconds time elapsed  ( +-  0.10% )\n";

    #[test]
    fn counters_and_times_have_their_deviations() {
        assert_eq!(
            figures(read, TEXT),
            [
                "task-clock 10120500000",
                "context-switches 118204",
                "cycles:u 1250000",
                "elapsed 10250000000",
            ]
        );
        let found = outputs(read, TEXT);
        let deviations: Vec<f64> = found[0].deviations.iter().map(|(_, sd)| *sd).collect();
        assert_eq!(deviations.len(), 3);
        assert!((deviations[1] - 118.204).abs() < 1e-6);
        assert!((deviations[2] - 10.25e6).abs() < 1e-3);
    }

    #[test]
    fn a_sentence_ends_the_counters() {
        let alone = " Performance counter stats for 'dd':\n\n   12 context-switches\n\
            12 of them are from kworkers\n   1.25 seconds time elapsed\n   0.5 seconds user\n";
        assert_eq!(figures(read, alone), ["context-switches 12"]);
        assert!(figures(read, "12 context-switches\n").is_empty());
    }
}
