//! Figures of numbered runs: `run1: 512 MB/s, run2: 520 MB/s`, in one line or in several.

use super::super::cell::figure_at;
use super::super::column::is_summary;
use super::super::pieces::split;
use super::super::words;
use super::label::label_within;
use super::observed::{TEST, observation};
use crate::line::Line;
use crate::observation::Observation;
use seekscope_notes::labels;

/// Bytes of a line of runs.
const MAX_RUNS: usize = 240;
/// Words and bytes of a label in front of runs.
const MAX_LABEL_WORDS: usize = 6;
const MAX_LABEL: usize = 60;

/// The figures of several runs in a line, perhaps behind their label: `6.1: run1: 512 MB/s run2:
/// 520 MB/s`.
pub fn numbered_runs(line: &Line, text: &str) -> Option<Vec<Observation>> {
    if text.len() > MAX_RUNS || !text.contains("/s") && !text.contains("IOPS") {
        return None;
    }
    if let Some(found) = runs(line, "", text) {
        return Some(found);
    }
    let (label, value) = label_within(text, MAX_LABEL_WORDS, MAX_LABEL)?;
    runs(line, label, value)
}

fn runs(line: &Line, label: &str, text: &str) -> Option<Vec<Observation>> {
    let pieces = split(text, 1);
    let mut found: Vec<Observation> = Vec::new();
    let mut index = 0;
    while index < pieces.len() {
        // `run1:` or `run 1:`
        let name = |count: usize| {
            let last = pieces.get(index + count - 1)?;
            let name = text[pieces[index].start..last.end].strip_suffix([':', '='])?;
            Some((labels::repeat_of(name)?, count))
        };
        let (number, count) = name(1).or_else(|| name(2))?;
        index += count;
        let (figure, is_pair) =
            figure_at(text, *pieces.get(index)?, pieces.get(index + 1).copied())?;
        index += 1 + usize::from(is_pair);
        let is_side = !label.is_empty() && words::name_sides(std::iter::once(label));
        let (label, side) = match is_side {
            true => ("", Some(label)),
            false => (label, None),
        };
        found.push(observation(
            line,
            figure,
            label,
            side,
            Some(number.to_string()),
        )?);
    }
    let is_one = found.iter().all(|o| o.metric.key == found[0].metric.key);
    (found.len() > 1 && is_one).then_some(found)
}

/// Makes repeats of the lines of a list whose labels number its runs. Lines that sum these up are
/// left out: `avg: 512 MB/s`.
pub fn number_runs(observations: &mut Vec<Observation>, names: &[&str]) {
    let is_run = |name: &&str| labels::repeat_of(name).is_some();
    let is_known = |name: &&str| is_run(name) || is_summary(name);
    if names.iter().copied().filter(|name| is_run(name)).count() < 2 || !names.iter().all(is_known)
    {
        return;
    }
    let label_of = |observation: &Observation| {
        let mut dimensions = observation.dimensions.iter();
        dimensions.position(|dimension| dimension.name == TEST)
    };
    observations.retain(|observation| {
        label_of(observation).is_none_or(|label| !is_summary(&observation.dimensions[label].value))
    });
    for observation in observations {
        let label = label_of(observation);
        let number =
            label.and_then(|index| labels::repeat_of(&observation.dimensions[index].value));
        if let (Some(index), Some(number)) = (label, number) {
            observation.dimensions.remove(index);
            observation.repeat = Some(number.to_string());
        }
    }
}
