//! Faults of a block: figures that no measurement can give, and outputs that end too early. The
//! rest of the block is read.

use crate::line::{Line, Place};
use crate::observation::{Observation, Unit};
use crate::recognise::Content;
use seekscope_trace::limits::MAX_EXACT;

/// Limit for the problems of a block.
const MAX_PROBLEMS: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// A rate or a time below 0, which is left out.
    Negative,
    /// A figure beyond the integers that a double holds, which is left out.
    TooLarge,
    /// A document whose brackets are not closed.
    CutJson,
}

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub place: Place,
    /// Name of the figure, or of the program.
    pub subject: String,
}

impl ProblemKind {
    /// The stable code, for scripts.
    pub fn code(self) -> &'static str {
        match self {
            ProblemKind::Negative => "negative-figure",
            ProblemKind::TooLarge => "large-figure",
            ProblemKind::CutJson => "cut-json",
        }
    }
}

impl Problem {
    /// A sentence that says what is wrong, what was kept, and what to do.
    pub fn message(&self) -> String {
        let subject = &self.subject;
        match self.kind {
            ProblemKind::Negative => format!(
                "{subject} is negative, which no measurement can be: it is left out. \
                 Counters that overflow and clocks that are set back give such numbers; \
                 measure again."
            ),
            ProblemKind::TooLarge => format!(
                "{subject} is larger than 2^53, which no measurement reaches: it is left out. \
                 Counters that overflow print such numbers; measure again."
            ),
            ProblemKind::CutJson => format!(
                "The JSON of {subject} ends before its brackets are closed: what was printed \
                 behind this line is missing. The program was stopped, or a part of the file was \
                 copied; give the complete file."
            ),
        }
    }
}

/// Takes the figures out of a block that cannot be, and finds where it was cut.
pub fn check(lines: &[Line], content: &mut Content) -> Vec<Problem> {
    let (tool, observations) = match content {
        Content::Output(output) => (output.tool, &mut output.observations),
        Content::Table(table) => ("", &mut table.observations),
    };
    let problem_of = |observation: &Observation| {
        Some(Problem {
            kind: impossible(observation)?,
            place: observation.place,
            subject: format!("{tool} {}", observation.metric.label)
                .trim()
                .to_owned(),
        })
    };
    let problems = observations.iter().filter_map(problem_of);
    let mut found: Vec<Problem> = problems.take(MAX_PROBLEMS).collect();
    observations.retain(|observation| impossible(observation).is_none());
    let is_read = !observations.is_empty();
    if let Some(last) = cut_line(lines).filter(|_| is_read && !tool.is_empty()) {
        found.push(Problem {
            kind: ProblemKind::CutJson,
            place: last.place(0..last.text().len()),
            subject: tool.to_owned(),
        });
    }
    found
}

/// Why no measurement can give a figure.
fn impossible(observation: &Observation) -> Option<ProblemKind> {
    let units = [Unit::BytesPerSecond, Unit::PerSecond, Unit::Nanoseconds];
    let Observation { metric, value, .. } = observation;
    // Beyond it digits would be invented, and JSON has no infinity, which a large number of a
    // large unit becomes.
    if value.is_nan() || value.abs() > MAX_EXACT as f64 {
        return Some(ProblemKind::TooLarge);
    }
    (units.contains(&metric.unit) && *value < 0.0).then_some(ProblemKind::Negative)
}

/// The last line of a document that begins in a line of its own and whose brackets are not closed.
fn cut_line(lines: &[Line]) -> Option<&Line> {
    let begins = |line: &Line| line.text().trim_start().starts_with('{');
    let begin = lines.iter().position(begins)?;
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for byte in lines[begin..].iter().flat_map(|line| line.text().bytes()) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => depth += 1,
            b'}' | b']' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let last = lines.iter().rev().find(|line| !line.is_blank());
    last.filter(|_| depth > 0)
}

#[cfg(test)]
mod tests {
    use crate::{TextInput, read_with, sides::choices::Choices};

    /// Values of all figures, and codes of the warnings.
    fn read(text: &str) -> (Vec<f64>, Vec<String>) {
        let input = TextInput {
            path: "table.md",
            argument: None,
            bytes: text.as_bytes(),
        };
        let (set, reading) = read_with(&[input], &Choices::default());
        let runs = set.tables.iter().flat_map(|table| &table.runs);
        let values = runs.flat_map(|run| run.figures.iter().map(|figure| figure.value));
        let warnings = serde_json::to_value(&reading.warnings).expect("plain");
        let codes = warnings.as_array().into_iter().flatten();
        let codes = codes.map(|warning| warning["code"].as_str().unwrap_or("").to_owned());
        (values.collect(), codes.collect())
    }

    #[test]
    fn numbers_that_no_double_holds_are_left_out_with_a_warning() {
        for number in ["1.7e308", "9007199254740993000", "1e400"] {
            let table = format!(
                "| kernel | MB/s |\n|---|---|\n| 6.1 | {number} |\n| 6.11 | 7 |\n| 6.12 | 5 |\n"
            );
            let (values, codes) = read(&table);
            assert_eq!(values, [7e6, 5e6], "{number}");
            if number != "1e400" {
                assert_eq!(codes, ["large-figure"], "{number}");
            }
        }
    }
}
