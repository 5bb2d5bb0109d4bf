//! Reads what hyperfine exports as Markdown and CSV.

use super::metric;
use crate::readers::benchmarks::collect::{Collector, SECOND, decimal, leading, nanoseconds};
use crate::recognise::Cursor;

/// The line behind a table that begins at the cursor.
pub fn read(found: &mut Collector, cursor: Cursor) -> Option<usize> {
    read_markdown(found, cursor).or_else(|| read_csv(found, cursor))
}

/// `| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |`.
fn read_markdown(found: &mut Collector, cursor: Cursor) -> Option<usize> {
    let rest = cursor.text(0).trim().strip_prefix("| Command | Mean [")?;
    let (unit, rest) = rest.split_once(']')?;
    let factor = nanoseconds(unit).filter(|_| rest.contains("| Min ["))?;
    let mut offset = 1;
    while let Some(row) = cursor.text(offset).trim().strip_prefix('|') {
        let row = row.trim_end_matches('|');
        // A command may contain bars: the four figures are on the right.
        let mut cells: Vec<&str> = row.rsplitn(5, '|').map(str::trim).collect();
        cells.reverse();
        if let [command, mean, min, max, _relative] = cells.as_slice() {
            found.set("command", command.trim_matches('`'));
            let (mean, spread) = mean.split_once('\u{b1}').unwrap_or((mean, ""));
            let figures = [
                ("mean", mean),
                ("stdev", spread),
                ("min", min),
                ("max", max),
            ];
            for (name, shown) in figures {
                if let (Some((word, value, _)), Some(metric)) =
                    (leading(shown.trim()), metric(name))
                {
                    found.add(offset, word, metric, value * factor);
                }
            }
        }
        offset += 1;
    }
    Some(offset)
}

/// Reads `command,mean,stddev,median,user,system,min,max`, in seconds.
fn read_csv(found: &mut Collector, cursor: Cursor) -> Option<usize> {
    let heading = cursor.text(0).trim();
    if !heading.starts_with("command,mean,stddev,") {
        return None;
    }
    let names: Vec<&str> = heading.split(',').collect();
    let mut offset = 1;
    loop {
        let fields = fields_of(cursor.text(offset).trim());
        if fields.len() != names.len() {
            return Some(offset);
        }
        found.set("command", fields[0].trim_matches('"'));
        for (name, shown) in names.iter().zip(&fields).skip(1) {
            if let Some(parameter) = name.strip_prefix("parameter_") {
                found.set(parameter, shown);
            } else if let (Some(metric), Some(value)) = (metric(name), decimal(shown)) {
                found.add(offset, shown, metric, value * SECOND);
            }
        }
        offset += 1;
    }
}

/// The fields of a line; those with commas are in quotation marks.
fn fields_of(text: &str) -> Vec<&str> {
    let mut fields = Vec::new();
    let mut begin = 0;
    let mut quoted = false;
    for (index, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                fields.push(&text[begin..index]);
                begin = index + 1;
            }
            _ => {}
        }
    }
    fields.push(&text[begin..]);
    fields
}
