//! What the lines below a table say of all of its figures.

use super::super::words::describe;
use super::{bars, is_rule};
use crate::line::Line;

/// The unit of all figures below a table, `write speed (MB/s)`, perhaps behind a blank line,
/// `(all in MB/s)`, and the line behind it.
pub fn remark_below(lines: &[Line], end: usize) -> (Option<&str>, usize) {
    let text = |index: usize| lines.get(index).map_or("", |line| line.text().trim());
    let is_unit =
        |text: &str| text.len() <= 60 && bars(text) == 0 && describe(text).scale.is_some();
    // Above other lines it is the title of these.
    if is_unit(text(end)) && text(end + 1).is_empty() {
        return (Some(text(end)), end + 1);
    }
    let inner = |text| str::strip_suffix(str::strip_prefix(text, '(')?, ')');
    match inner(text(end + 1)).filter(|inner| text(end).is_empty() && is_unit(inner)) {
        Some(inner) => (Some(inner), end + 2),
        None => (None, end),
    }
}

/// The unit that a sentence next to the end of a table says all figures have: `Values are IOPS.`,
/// `(numbers in MB/s, 16 threads)`, `(ops/s, mean of five runs)`.
pub fn statement_below(lines: &[Line], end: usize) -> Option<&str> {
    const MAX_BYTES: usize = 80;
    const OF_ALL: [&str; 5] = ["mean", "average", "median", "runs", "better"];
    let text = |index: usize| lines.get(index).map_or("", |line| line.text().trim());
    // A rule may close the table.
    let end = end + usize::from(!text(end).is_empty() && is_rule(text(end)));
    let line = [text(end), text(end + 1)]
        .into_iter()
        .find(|line| !line.is_empty())?;
    let inner = line
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let sentence = line.strip_suffix('.').filter(|_| line.len() <= MAX_BYTES);
    // `IOPS, mean of five runs`: a title of another table says less, if there is anything below.
    let last = if text(end).is_empty() { end + 1 } else { end };
    let remark = Some(line).filter(|line| {
        let mut words = line.split_whitespace();
        let is_of_all = text(last + 1).is_empty() || words.any(|word| OF_ALL.contains(&word));
        line.contains(", ") && !line.ends_with(':') && is_of_all
    });
    let statement = inner.or(sentence).or(remark);
    let statement = statement.filter(|text| text.len() <= MAX_BYTES)?;
    let first = statement.split(". ").next()?;
    let first = first.split([',', ';']).next()?.trim();
    if (inner.is_some() || remark.is_some()) && crate::quantity::scale_of(first).is_some() {
        return Some(first);
    }
    let (subject, unit) = [" are in ", " are ", " in "]
        .iter()
        .find_map(|verb| first.split_once(verb))?;
    let is_all = |word: &str| {
        const SUBJECTS: [&str; 8] = [
            "all",
            "values",
            "numbers",
            "figures",
            "results",
            "rates",
            "units",
            "everything",
        ];
        SUBJECTS.contains(&word.to_ascii_lowercase().as_str())
    };
    let is_unit = crate::quantity::scale_of(unit).is_some();
    (is_unit && subject.split_whitespace().any(is_all)).then_some(unit)
}
