//! Removes what mailers, pagers and loggers put before lines: quotation marks, numbers of lines,
//! times. It is removed only where a block, or a run of lines in it, has it throughout.

mod marks;
mod quotation;
#[cfg(test)]
mod tests;
mod times;

use super::fence::is_fence;
use super::spacing;
use crate::line::Line;

/// Lines of which a prefix must be part before it counts as one.
const MIN_LINES: usize = 3;
/// How often prefixes are looked for behind those that were removed.
const MAX_NESTED: usize = 3;

/// The lines without prefixes. Quotations keep their level.
pub fn remove(mut lines: Vec<Line>) -> Vec<Line> {
    // What is quoted with numbers or times may have had them, or quotation marks, before.
    for _ in 0..MAX_NESTED {
        quotation::remove_quotations(&mut lines);
        remove_indents(&mut lines);
        if !remove_common(&mut lines) {
            break;
        }
    }
    spacing::halve(lines)
}

/// Removes what all lines of a paragraph, or of several, are indented by: reStructuredText, lists
/// and messages of commits indent outputs below an empty line. Lines directly below another one
/// are indented because they belong to it.
fn remove_indents(lines: &mut [Line]) {
    let is_end = |line: &Line| line.is_blank() || is_fence(line.text());
    let indent =
        |line: &Line| line.text().len() - line.text().trim_start_matches([' ', '\t']).len();
    let mut start = 0;
    while start < lines.len() {
        let is_first = start == 0 || is_end(&lines[start - 1]);
        if is_end(&lines[start]) || !is_first || indent(&lines[start]) == 0 {
            start += 1;
            continue;
        }
        let block = lines[start..].iter();
        let length = block
            .take_while(|line| line.is_blank() || indent(line) > 0)
            .count();
        let block = &mut lines[start..start + length];
        let filled = || block.iter().filter(|line| !line.is_blank());
        let common = filled().map(indent).min().unwrap_or(0);
        if filled().count() >= MIN_LINES {
            for line in block.iter_mut().filter(|line| !line.is_blank()) {
                *line = line.without_front(common);
            }
        }
        start += length;
    }
}

/// Removes what all lines of a block have in front of them, or a run of its lines: a person who
/// quotes a log or a numbered listing writes around it.
fn remove_common(lines: &mut [Line]) -> bool {
    let mut is_changed = false;
    for block in lines.split_mut(|line| is_fence(line.text())) {
        // A line of syslog begins with a time, too.
        for prefix in [
            marks::numbers as Prefix,
            times::syslog,
            times::loggers,
            times::timestamps,
            marks::bars,
            marks::comments,
        ] {
            if let Some(lengths) = prefix(block) {
                for (line, length) in block.iter_mut().zip(lengths) {
                    *line = line.without_front(length);
                }
                is_changed = true;
            }
        }
    }
    is_changed
}

/// Bytes of the prefix of each line; `None` where the lines have no such prefix.
type Prefix = fn(&[Line]) -> Option<Vec<usize>>;

/// The lengths if at least `min` lines with text, and this share of them, have the prefix; others
/// keep all their bytes.
fn throughout(
    lines: &[Line],
    lengths: Vec<usize>,
    percent: usize,
    min: usize,
) -> Option<Vec<usize>> {
    let filled = lines
        .iter()
        .zip(&lengths)
        .filter(|(line, _)| !line.is_blank());
    let (mut count, mut marked) = (0, 0);
    for (_, length) in filled {
        count += 1;
        marked += usize::from(*length != usize::MAX);
    }
    (count >= min && marked * 100 >= count * percent).then(|| {
        lengths
            .into_iter()
            .map(|length| if length == usize::MAX { 0 } else { length })
            .collect()
    })
}

/// The lengths in runs of at least `MIN_LINES` lines with text that all have the prefix, and that
/// are alike by `is_run`; other lines keep all their bytes.
fn in_runs(
    lines: &[Line],
    lengths: &[usize],
    is_run: &dyn Fn(&[Line], &[usize]) -> bool,
) -> Option<Vec<usize>> {
    let mut found = vec![0; lines.len()];
    let mut is_found = false;
    let mut start = 0;
    for end in 0..=lines.len() {
        let has_prefix = |index: usize| lengths[index] != usize::MAX || lines[index].is_blank();
        if end < lines.len() && has_prefix(end) {
            continue;
        }
        let (run, run_lengths) = (&lines[start..end], &lengths[start..end]);
        let filled = run.iter().filter(|line| !line.is_blank()).count();
        if filled >= MIN_LINES && is_run(run, run_lengths) {
            is_found = true;
            for (found, length) in found[start..end].iter_mut().zip(run_lengths) {
                *found = if *length == usize::MAX { 0 } else { *length };
            }
        }
        start = end + 1;
    }
    is_found.then_some(found)
}
