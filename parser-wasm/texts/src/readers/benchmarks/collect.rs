//! The common part of the readers of benchmarks: collects figures, and reads numbers as C programs
//! print them.

use crate::line::Place;
use crate::observation::{Metric, NamedValue, Observation, Unit};
use crate::quantity::{number, number_length};
use crate::recognise::{Cursor, Output};
use crate::structure::{heading, prompt};

pub const KIB: f64 = 1024.0;
pub const MIB: f64 = 1_048_576.0;
pub const SECOND: f64 = 1e9;
pub const MS: f64 = 1e6;
pub const US: f64 = 1e3;
pub const PERCENT: f64 = 0.01;

/// Lines of a program before its first figure, besides progress.
const MAX_FRUITLESS: usize = 64;
/// Parts of an output that are distinguished by their names.
pub const MAX_PARTS: usize = 256;

/// Collects the figures of one output.
pub struct Collector<'a> {
    cursor: Cursor<'a>,
    output: Output,
    dimensions: Vec<NamedValue>,
    repeat: Option<String>,
}

impl<'a> Collector<'a> {
    pub fn new(cursor: Cursor<'a>, tool: &'static str) -> Collector<'a> {
        let output = Output {
            tool,
            ..Output::default()
        };
        Collector {
            cursor,
            output,
            dimensions: Vec::new(),
            repeat: None,
        }
    }

    /// Sets a dimension of the figures that are added from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.unset(name);
        self.dimensions.push(NamedValue::new(name, value));
    }

    pub fn unset(&mut self, name: &str) {
        self.dimensions.retain(|dimension| dimension.name != name);
    }

    pub fn set_repeat(&mut self, repeat: Option<String>) {
        self.repeat = repeat;
    }

    /// Names the dimension whose values the output lays side by side.
    pub fn set_side(&mut self, name: &'static str) {
        self.output.side = Some(name);
    }

    /// Keeps what the output says of all its figures.
    pub fn add_fact(&mut self, name: &str, value: &str) {
        if !value.is_empty() && self.output.facts.iter().all(|fact| fact.name != name) {
            self.output.facts.push(NamedValue::new(name, value));
        }
    }

    /// Adds a figure that is shown as `word`, a slice of the text of the line at `offset`.
    pub fn add(&mut self, offset: usize, word: &str, metric: Metric, value: f64) {
        if let Some(line) = self.cursor.line(offset) {
            self.add_at(line.place_of(word), metric, value);
        }
    }

    /// Adds a figure that is at a place.
    pub fn add_at(&mut self, place: Place, metric: Metric, value: f64) {
        if value.is_finite() {
            self.output.observations.push(Observation {
                metric,
                value,
                place,
                dimensions: self.dimensions.clone(),
                repeat: self.repeat.clone(),
            });
        }
    }

    /// Gives all figures so far a dimension that the output says behind them.
    pub fn set_of_all(&mut self, name: &str, value: &str) {
        let dimension = NamedValue::new(name, value);
        for observation in &mut self.output.observations {
            observation.dimensions.retain(|other| other.name != name);
            observation.dimensions.insert(0, dimension.clone());
        }
    }

    pub fn has(&self, key: &str) -> bool {
        self.output
            .observations
            .iter()
            .any(|observation| observation.metric.key == key)
    }

    pub fn has_fact(&self, name: &str) -> bool {
        self.output.facts.iter().any(|fact| fact.name == name)
    }

    /// Whether lines of the program go on without a figure, so that reading them again from the
    /// next line, and the next, would not end in linear time.
    pub fn is_fruitless(&self, offset: usize) -> bool {
        self.is_empty() && offset >= MAX_FRUITLESS
    }

    pub fn is_empty(&self) -> bool {
        self.output.observations.is_empty()
    }

    /// The output that ends before the line at `offset`; nothing without figures.
    pub fn finish(mut self, offset: usize) -> Option<Output> {
        self.output.end = self.cursor.start + offset;
        (!self.is_empty()).then_some(self.output)
    }
}

pub fn rate(key: &str, label: &str) -> Metric {
    Metric::new(key, label, Unit::BytesPerSecond)
}

pub fn per_second(key: &str, label: &str) -> Metric {
    Metric::new(key, label, Unit::PerSecond)
}

pub fn time(key: &str, label: &str) -> Metric {
    Metric::new(key, label, Unit::Nanoseconds)
}

pub fn count(key: &str, label: &str) -> Metric {
    Metric::new(key, label, Unit::None)
}

pub fn share(key: &str, label: &str) -> Metric {
    Metric::new(key, label, Unit::Share)
}

/// A number as `printf` prints it: without groups of digits, with the point or comma of its locale.
pub fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    match text.split_once(',') {
        Some((whole, fraction)) if !text.contains('.') => number(&format!("{whole}.{fraction}")),
        _ => number(text),
    }
}

/// The number at the begin of a text, as it is written and as it is read, and what follows it:
/// `9.61ms`.
pub fn leading(text: &str) -> Option<(&str, f64, &str)> {
    let length = number_length(text);
    let (word, rest) = text.split_at_checked(length).filter(|_| length > 0)?;
    Some((word, decimal(word)?, rest))
}

/// The number at the begin of a text, with the word behind it: `9.61ms`, `9.61 ms / 3`.
pub fn with_unit(text: &str) -> Option<(&str, f64, &str)> {
    let (word, value, rest) = leading(text.trim_start())?;
    let unit = rest.split_whitespace().next().unwrap_or("");
    Some((
        word,
        value,
        unit.trim_matches([',', ';', '(', ')', '[', ']']),
    ))
}

/// Nanoseconds per unit of time.
pub fn nanoseconds(unit: &str) -> Option<f64> {
    crate::quantity::scale_of(unit)
        .filter(|scale| scale.unit == Unit::Nanoseconds)
        .map(|scale| scale.factor)
}

/// Bytes of an amount or a rate of a program that counts in powers of 1024, whatever its letters:
/// `MB/sec`, `mb/s`, `KiB`.
pub fn binary(unit: &str) -> Option<f64> {
    let amount = unit.split('/').next().unwrap_or("").trim();
    let mut letters = amount.chars();
    let factor = match letters.next()?.to_ascii_lowercase() {
        'b' => return matches!(amount, "B" | "b" | "bytes" | "Bytes").then_some(1.0),
        'k' => KIB,
        'm' => MIB,
        'g' => MIB * KIB,
        't' => MIB * MIB,
        _ => return None,
    };
    let rest = letters.as_str();
    matches!(rest, "" | "B" | "b" | "iB" | "ib" | "bytes" | "Bytes").then_some(factor)
}

/// Seconds of `41.2`, `0m41.217s`, `1h2m3s`, `1:11.21` and `1:02:03`.
pub fn clock(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.contains(':') {
        let mut seconds = 0.0;
        for (index, part) in text.split(':').enumerate() {
            let digits = part.starts_with(|c: char| c.is_ascii_digit());
            seconds = seconds * 60.0 + decimal(part).filter(|_| digits && index < 3)?;
        }
        return Some(seconds);
    }
    let mut seconds = 0.0;
    let mut rest = text;
    for (mark, factor) in [('d', 86_400.0), ('h', 3600.0), ('m', 60.0)] {
        if let Some((amount, behind)) = rest.split_once(mark) {
            seconds += decimal(amount)? * factor;
            rest = behind.trim_start();
        }
    }
    let last = rest.strip_suffix('s').unwrap_or(rest).trim_end();
    if last.is_empty() && rest.len() < text.len() {
        return Some(seconds);
    }
    decimal(last).map(|last| seconds + last)
}

/// Whether an output cannot go on with this line: a prompt, or a title.
pub fn is_border(text: &str) -> bool {
    prompt::command(text).is_some() || heading::titled(text, "").is_some()
}

/// The value of a line `name: value` or `name = value`.
pub fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.trim().strip_prefix(name)?.trim_start();
    rest.strip_prefix([':', '=']).map(str::trim)
}

/// The words of a text between blanks.
pub fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[cfg(test)]
pub mod testing {
    use super::super::super::Reader;
    use crate::line::Line;
    use crate::recognise::{Cursor, Output};
    use crate::structure::context::Context;

    /// The outputs that a reader finds in a text, one after the other.
    pub fn outputs(read: Reader, text: &str) -> Vec<Output> {
        let lines: Vec<Line> = text
            .lines()
            .zip(0..)
            .map(|(line, index)| Line::new(line, index))
            .collect();
        let context = Context::default();
        let mut found = Vec::new();
        let mut start = 0;
        while start < lines.len() {
            let cursor = Cursor {
                file: "",
                lines: &lines,
                start,
                context: &context,
            };
            match read(cursor) {
                Some(output) => {
                    assert!(output.end > start && output.end <= lines.len());
                    start = output.end;
                    found.push(output);
                }
                None => start += 1,
            }
        }
        found
    }

    /// All figures of the outputs in a text: `dimension=value ... key value`, with the place's text
    /// checked to be a number.
    pub fn figures(read: Reader, text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let mut found = Vec::new();
        for output in outputs(read, text) {
            for observation in output.observations {
                let place = observation.place;
                let shown = lines[place.line as usize]
                    .get(place.start as usize..place.end as usize)
                    .unwrap_or("");
                let digit = |c: char| c.is_ascii_digit() || c == '.';
                assert!(shown.starts_with(digit), "{shown:?} is shown");
                let mut words: Vec<String> = observation
                    .dimensions
                    .iter()
                    .map(|dimension| format!("{}={}", dimension.name, dimension.value))
                    .collect();
                words.extend(observation.repeat.map(|repeat| format!("repeat={repeat}")));
                words.push(observation.metric.key);
                // Seven digits: the figures of tests have fewer.
                let rounded: f64 = format!("{:.6e}", observation.value).parse().unwrap_or(0.0);
                words.push(format!("{rounded}"));
                found.push(words.join(" "));
            }
        }
        found
    }

    /// Whether lines of figures are among others.
    pub fn assert_has(found: &[String], expected: &[&str]) {
        for figure in expected {
            assert!(
                found.iter().any(|line| line == figure),
                "{figure} is not in {found:#?}"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_seconds() {
        let cases = [
            ("0m41.217s", 41.217),
            ("1m3,882s", 63.882),
            ("1h2m3s", 3723.0),
            ("0m 1.23s", 1.23),
            ("1:11.21", 71.21),
            ("1:02:03", 3723.0),
            ("141.20", 141.2),
            ("2m", 120.0),
        ];
        for (text, expected) in cases {
            let seconds = clock(text).expect(text);
            assert!((seconds - expected).abs() < 1e-9, "{text}: {seconds}");
        }
        for text in ["", "s", "m", "1:2:3:4", "a:b", "12:"] {
            assert_eq!(clock(text), None, "{text}");
        }
    }

    #[test]
    fn units_of_programs_that_count_in_1024() {
        assert_eq!(binary("MB/sec"), Some(MIB));
        assert_eq!(binary("kB"), Some(KIB));
        assert_eq!(binary("GiB/s"), Some(MIB * KIB));
        assert_eq!(binary("bytes/sec"), Some(1.0));
        assert_eq!(binary("months"), None);
        assert_eq!(binary(""), None);
    }

    #[test]
    fn a_comma_is_decimal() {
        assert_eq!(decimal("7,237"), Some(7.237));
        assert_eq!(decimal("7.237"), Some(7.237));
        assert_eq!(leading("9.61ms"), Some(("9.61", 9.61, "ms")));
        assert_eq!(with_unit(" 1.25 k iops"), Some(("1.25", 1.25, "k")));
        assert_eq!(leading("ms"), None);
    }
}
