//! Thresholds in the words of a rule, so that its sentence follows its constants.

use seekscope_measure::stalls::{GAP_FACTOR, MIN_SLOW_NS, MIN_STALL_NS, SLOW_FACTOR};
use seekscope_measure::waiting::unplug_timer::{MAX_DELAY, MIN_DELAY};
use seekscope_trace::quantity::{Unit, figure};

/// Shares that have a word, as it stands before "of".
const FRACTIONS: [(f64, &str); 4] = [
    (0.5, "half"),
    (0.25, "a quarter"),
    (0.2, "a fifth"),
    (0.1, "a tenth"),
];
/// Numbers of times that have a word.
const TIMES: [(f64, &str); 3] = [(1.0, "once"), (2.0, "twice"), (10.0, "ten times")];

fn word(words: &[(f64, &'static str)], value: f64) -> Option<&'static str> {
    words
        .iter()
        .find(|(number, _)| (number - value).abs() < 1e-9)
        .map(|(_, word)| *word)
}

/// `5%`
pub fn percent(share: f64) -> String {
    Unit::Share.write(share)
}

/// `5 percentage points`
pub fn points(share: f64) -> String {
    format!("{} percentage points", figure(share * 100.0))
}

/// `half`, `a tenth`; a share without a word of its own as percent.
pub fn fraction(share: f64) -> String {
    word(&FRACTIONS, share).map_or_else(|| percent(share), str::to_owned)
}

/// `most bytes` from a half on; a larger share as percent.
pub fn most(share: f64, what: &str) -> String {
    if share == 0.5 {
        format!("most {what}")
    } else {
        format!("at least {} of the {what}", percent(share))
    }
}

/// `twice`, `1.5 times`
pub fn times(factor: f64) -> String {
    word(&TIMES, factor).map_or_else(|| format!("{factor} times"), str::to_owned)
}

/// `4 KiB`
pub fn bytes(size: f64) -> String {
    Unit::Bytes.write(size)
}

/// What two rules call a stall; `what` is who does.
pub fn stall(what: &str) -> String {
    format!(
        "{what}: for at least {} ms, and {GAP_FACTOR} times the mean time between completions, \
         requests wait and none completes that took less than {} ms and {SLOW_FACTOR} times the \
         90th percentile",
        MIN_STALL_NS / 1_000_000,
        MIN_SLOW_NS / 1_000_000,
    )
}

/// The plugs that two rules call released by a timer.
pub fn timer_plugs() -> String {
    format!(
        "plugs that a timer released (UT of a process without a plug of its own, {} to {} ms after \
         the plug)",
        MIN_DELAY / 1_000_000,
        MAX_DELAY / 1_000_000
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{alone, findings};

    #[test]
    fn thresholds_have_words_where_the_language_does() {
        assert_eq!([percent(0.05), percent(0.07)], ["5%", "7%"]);
        assert_eq!(points(0.15), "15 percentage points");
        let fractions = [0.5, 1.25 - 1.0, 0.2, 1.1 - 1.0, 0.3].map(fraction);
        assert_eq!(
            fractions,
            ["half", "a quarter", "a fifth", "a tenth", "30%"]
        );
        assert_eq!(most(0.5, "bytes"), "most bytes");
        assert_eq!(most(0.6, "bytes"), "at least 60% of the bytes");
        let factors = [1.0, 1.5, 2.0, 1.0 / 0.1].map(times);
        assert_eq!(factors, ["once", "1.5 times", "twice", "ten times"]);
        assert_eq!(bytes(16_384.0), "16 KiB");
    }

    #[test]
    fn rules_are_documented_with_their_thresholds() {
        let document = include_str!("../../../docs/findings.md");
        let sections: Vec<(&str, &str)> = document
            .split("\n## `")
            .skip(1)
            .filter_map(|section| section.split_once("`\n"))
            .collect();
        assert!(sections.len() > 40, "{}", sections.len());
        for (code, text) in sections {
            let of_sides = findings::rules::in_words(code);
            let of_run = alone::rules::in_words(code);
            assert!(of_sides.is_empty() != of_run.is_empty(), "{code}");
            let expected = format!("- **Rule**: {of_sides}{of_run}.\n");
            assert!(text.contains(&expected), "{code}: {expected}");
        }
    }
}
