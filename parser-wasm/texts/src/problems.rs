//! What is wrong with a block: figures that no measurement can give, and outputs that end too
//! early. The rest of the block is read.

use crate::line::{Line, Place};
use crate::observation::{Observation, Unit};
use crate::recognise::Content;

/// Problems kept of a block.
const MAX_PROBLEMS: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// A rate or a time below 0, which is left out.
    Negative,
    /// A document whose brackets are not closed.
    CutJson,
}

/// A problem and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub place: Place,
    /// Name of the figure, or of the program.
    pub subject: String,
}

impl ProblemKind {
    /// Stable, for scripts.
    pub fn code(self) -> &'static str {
        match self {
            ProblemKind::Negative => "negative-figure",
            ProblemKind::CutJson => "cut-json",
        }
    }
}

impl Problem {
    /// What is wrong, what was kept, and what to do.
    pub fn message(&self) -> String {
        let subject = &self.subject;
        match self.kind {
            ProblemKind::Negative => format!(
                "{subject} is negative, which no measurement can be: it is left out. \
                 Counters that overflow and clocks that are set back give such numbers; \
                 measure again."
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
    let mut found: Vec<Problem> = observations
        .iter()
        .filter(|observation| is_impossible(observation))
        .take(MAX_PROBLEMS)
        .map(|observation| Problem {
            kind: ProblemKind::Negative,
            place: observation.place,
            subject: format!("{tool} {}", observation.metric.label)
                .trim()
                .to_owned(),
        })
        .collect();
    observations.retain(|observation| !is_impossible(observation));
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

fn is_impossible(observation: &Observation) -> bool {
    let units = [Unit::BytesPerSecond, Unit::PerSecond, Unit::Nanoseconds];
    units.contains(&observation.metric.unit) && observation.value < 0.0
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
