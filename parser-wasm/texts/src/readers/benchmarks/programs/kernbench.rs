//! The summary of kernbench, one block for each load. The standard deviations are in brackets:
//!
//! ```text
//! Average Half load -j 3 Run (std deviation):
//! Elapsed Time 211.254 (0.412)
//! User Time 371.05 (0.245)
//! Percent CPU 186.2 (0.837)
//! ```

use crate::observation::Metric;
use crate::readers::benchmarks::collect::{
    Collector, PERCENT, SECOND, count, leading, share, time,
};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    let load = load_of(cursor.text(0))?;
    let mut found = Collector::new(cursor, "kernbench");
    found.set("load", load);
    let mut deviations = Vec::new();
    let mut offset = 1;
    while let Some((metric, factor, shown)) = figure(cursor.text(offset)) {
        let (word, value, rest) = leading(shown)?;
        found.add(offset, word, metric, value * factor);
        let deviation = rest.trim().strip_prefix('(').and_then(leading);
        if let (Some((_, deviation, _)), Some(line)) = (deviation, cursor.line(offset)) {
            deviations.push((line.place_of(word), deviation * factor));
        }
        offset += 1;
    }
    let output = found.finish(offset)?;
    Some(Output {
        deviations,
        ..output
    })
}

/// The load in `Average Half load -j 3 Run (std deviation):`.
fn load_of(text: &str) -> Option<&str> {
    let (load, _) = text
        .trim()
        .strip_prefix("Average ")?
        .split_once(" Run (std deviation)")?;
    Some(load)
}

/// The metric of a line, the factor of its unit, and the figure behind its name.
fn figure(text: &str) -> Option<(Metric, f64, &str)> {
    let text = text.trim();
    let found = [
        ("Elapsed Time", time("elapsed", "elapsed time"), SECOND),
        ("User Time", time("user", "user time"), SECOND),
        ("System Time", time("system", "system time"), SECOND),
        ("Percent CPU", share("cpu", "CPU"), PERCENT),
        (
            "Context Switches",
            count("context-switches", "context switches"),
            1.0,
        ),
        ("Sleeps", count("sleeps", "sleeps"), 1.0),
    ];
    found
        .into_iter()
        .find_map(|(name, metric, factor)| {
            Some((metric, factor, text.strip_prefix(name)?.trim_start()))
        })
        .filter(|(_, _, shown)| shown.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn each_load_has_its_times_with_their_deviations() {
        let text = "Average Half load -j 3 Run (std deviation):\nElapsed Time 211.25 (0.412)\n\
            User Time 371.5 (0.25)\nPercent CPU 186.5 (0.5)\nSleeps 60211 (120.5)\n\n\
            Average Optimal load -j 16 Run (std deviation):\nElapsed Time 141.25 (0.312)\n";
        assert_eq!(
            figures(read, text),
            [
                "load=Half load -j 3 elapsed 211250000000",
                "load=Half load -j 3 user 371500000000",
                "load=Half load -j 3 cpu 1.865",
                "load=Half load -j 3 sleeps 60211",
                "load=Optimal load -j 16 elapsed 141250000000",
            ]
        );
        let found = outputs(read, text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].deviations[0].1, 0.312e9);
    }

    #[test]
    fn other_averages_are_left() {
        for text in [
            "Average load 3 Run\nElapsed Time 2",
            "Elapsed Time 211.25 (0.412)",
            "Average Half load -j 3 Run (std deviation):\nnothing",
        ] {
            assert!(figures(read, text).is_empty(), "{text}");
        }
    }
}
