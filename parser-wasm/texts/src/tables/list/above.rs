//! What the lines above a list say of all of its figures.

use super::super::cell;
use super::super::pairs::PAIRS;
use super::super::units::unit_in;
use super::super::words::{self, Described, Kind, describe};
use super::observed::TEST;
use crate::line::Line;
use crate::observation::{NamedValue, Observation};
use crate::quantity::{Scale, number, spelled};

/// What the lines above a list say.
#[derive(Clone, Copy, Default)]
pub struct Above<'a> {
    /// The unit of figures without one.
    pub unit: Option<Described<'a>>,
    /// The latency or time that a title without a unit names: what figures in ms are of.
    pub time: Option<Described<'a>>,
    runs: Option<Runs>,
    /// The operations of two figures with a slash between them: `read/write`.
    operations: Option<[&'a str; 2]>,
}

/// The figures of a line are those of repeats.
#[derive(Clone, Copy)]
enum Runs {
    Any,
    Count(usize),
}

impl<'a> Above<'a> {
    /// `lines`: the nearest first.
    pub fn new(lines: &'a [String]) -> Above<'a> {
        Above {
            unit: lines.iter().find_map(|line| unit_in(line)),
            time: lines.first().and_then(|line| time_in(line)),
            runs: lines.iter().find_map(|line| runs_in(line)),
            operations: lines.iter().find_map(|line| operations_in(line)),
        }
    }

    /// The figures of a line whose unit is above it: of repeats, `12.3 12.4 12.2`, or of two
    /// operations, `312k/311k`.
    pub fn figures(&self, line: &Line, label: &str, value: &str) -> Option<Vec<Observation>> {
        let Some((unit, scale)) = self.unit.and_then(|unit| Some((unit, unit.scale?))) else {
            return self.figures_with_units(line, label, value);
        };
        let observation = |shown: &str, value: f64, scale: Scale| Observation {
            metric: words::metric("", describe(label).kind.or(unit.kind), scale, None),
            value: value * scale.factor,
            place: line.place_of(shown),
            dimensions: vec![NamedValue::new(TEST, label)],
            repeat: None,
        };
        if let (Some(operations), Some((first, second))) = (self.operations, value.split_once('/'))
        {
            let figures = [first, second].map(|text| cell::figure(text.trim()));
            let [Some(first), Some(second)] = figures else {
                return None;
            };
            let found = [first, second].into_iter().zip(operations);
            let found = found.map(|(figure, operation)| {
                let scale = figure.quantity.scale.unwrap_or(scale);
                let mut found = observation(figure.shown, figure.quantity.value, scale);
                found.dimensions.push(NamedValue::new("op", operation));
                found
            });
            return Some(found.collect());
        }
        let words = value.split_whitespace();
        let shown: Vec<&str> = words
            .map(|word| word.trim_end_matches([',', ';']))
            .collect();
        let are_runs = self.runs?.holds(shown.len());
        let figures = shown.iter().enumerate().map(|(index, shown)| {
            let mut found = observation(shown, number(shown)?, scale);
            found.repeat = Some((index + 1).to_string());
            Some(found)
        });
        are_runs.then(|| figures.collect())?
    }
}

impl Above<'_> {
    /// The figures of repeats that have units of their own: `21.2s, 21.5s, 21.1s`.
    fn figures_with_units(
        &self,
        line: &Line,
        label: &str,
        value: &str,
    ) -> Option<Vec<Observation>> {
        let runs = self.runs?;
        let shown = value.split(',').flat_map(|part| part.split("  "));
        let shown: Vec<&str> = shown
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        let mut found = Vec::new();
        for (index, shown) in shown.iter().enumerate() {
            let figure = cell::figure(shown)?;
            let scale = figure.quantity.scale?;
            let kind = self.time.and_then(|time| time.kind);
            found.push(Observation {
                metric: words::metric("", kind, scale, None),
                value: figure.quantity.value * scale.factor,
                place: line.place_of(figure.shown),
                dimensions: vec![NamedValue::new(TEST, label)],
                repeat: Some((index + 1).to_string()),
            });
        }
        let is_one = found.iter().all(|other| other.metric == found[0].metric);
        (runs.holds(shown.len()) && is_one).then_some(found)
    }
}

impl Runs {
    fn holds(self, count: usize) -> bool {
        match self {
            Runs::Any => count > 1,
            Runs::Count(expected) => count == expected,
        }
    }
}

/// The latency or time that a title without a unit names: `p99 latency:`, `Copying 10 GB takes:`.
fn time_in(title: &str) -> Option<Described<'_>> {
    const MAX_DURATION_WORDS: usize = 20;
    const DURATIONS: [&str; 6] = ["takes:", "took:", "take:", "needs:", "needed:", "lasts:"];
    const NOUNS: [&str; 4] = ["time", "times", "cost", "duration"];
    let last = title.rsplit(' ').next().unwrap_or_default();
    let has_noun = || title.split_whitespace().any(|word| NOUNS.contains(&word));
    let is_duration = DURATIONS.contains(&last) || title.ends_with(':') && has_noun();
    if is_duration && title.split_whitespace().count() <= MAX_DURATION_WORDS {
        return Some(Described {
            kind: Some(Kind::Time),
            ..Described::default()
        });
    }
    const MAX_WORDS: usize = 4;
    // `Time to copy the sources of a kernel:`
    const MAX_CAPTION_WORDS: usize = 9;
    let described = describe(title);
    let is_time = matches!(described.kind, Some(Kind::Latency | Kind::Time));
    let words = match title.ends_with(':') {
        true => MAX_CAPTION_WORDS,
        false => MAX_WORDS,
    };
    let is_short = title.split_whitespace().count() <= words && !title.ends_with('.');
    (is_time && is_short && described.scale.is_none()).then_some(described)
}

/// The sides that a title names with an arrow or `vs` between them, as the figures below it have:
/// `Results, 5.10 -> 6.1:`, `Parent (9f1b2c7) vs e42e3e1`.
pub fn sides_in<'a>(title: &'a str) -> Option<[&'a str; 2]> {
    const MAX_BYTES: usize = 100;
    const MARKS: [&str; 6] = [" -> ", " => ", " \u{2192} ", " vs ", " vs. ", " versus "];
    let title = title.trim().trim_end_matches([':', '.']);
    if title.len() > MAX_BYTES {
        return None;
    }
    let (front, behind) = MARKS.iter().find_map(|mark| title.split_once(mark))?;
    let front = front.rsplit([',', ':']).next()?.trim();
    let behind = behind.split([',', ':']).next()?.trim();
    let bare = |word: &'a str| word.trim_matches(['(', ')']);
    let words = (
        bare(front.rsplit(' ').next()?),
        bare(behind.split(' ').next()?),
    );
    let names_both = |(first, second)| words::name_sides([first, second].into_iter());
    let pairs = [words, (front, behind)];
    let (first, second) = pairs.into_iter().find(|pair| names_both(*pair))?;
    Some([first, second])
}

/// Whether a title says that figures are of several runs: `seconds, 5 runs`, `all runs`. Figures
/// that are means of runs already are of several things.
fn runs_in(title: &str) -> Option<Runs> {
    const SUMMARIES: [&str; 8] = [
        "mean", "means", "average", "averages", "averaged", "avg", "median", "best",
    ];
    let words = || title.split(|c: char| !c.is_alphanumeric());
    let is_summary = |word: &str| {
        SUMMARIES
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other))
    };
    if words().any(is_summary) {
        return None;
    }
    let mut count = None;
    for word in words() {
        match word.to_ascii_lowercase().as_str() {
            "runs" | "repeats" | "repetitions" | "iterations" | "trials" | "tries" | "attempts"
            | "measurements" => {
                return Some(count.map_or(Runs::Any, Runs::Count));
            }
            "" => {}
            word => count = spelled(word).or(word.parse().ok()),
        }
    }
    None
}

/// The operations that a title names with a slash between them.
fn operations_in(title: &str) -> Option<[&str; 2]> {
    let lower = title.to_ascii_lowercase();
    PAIRS.iter().find_map(|pair| {
        let begin = lower.find(pair)?;
        let is_word = !lower[..begin].ends_with(char::is_alphanumeric);
        let (first, second) = title.get(begin..begin + pair.len())?.split_once('/')?;
        let is_operation = words::is_operation(first.trim()) || first.len() == 1;
        (is_word && is_operation).then(|| [first.trim(), second.trim()])
    })
}
