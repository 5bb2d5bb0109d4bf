//! benchstat, new and old layouts, and benchcmp:
//!
//! ```text
//!            │   old.txt   │               new.txt               │
//!            │   sec/op    │    sec/op     vs base               │
//! SeqWrite-8   4.093m ± 2%    4.978m ± 4%  +21.64% (p=0.002 n=6)
//!
//! name          old time/op    new time/op    delta
//! SeqWrite-8      4.12ms ± 2%    5.07ms ± 3%  +23.06%  (p=0.002 n=6+6)
//!
//! benchmark                old ns/op     new ns/op     delta
//! BenchmarkSeqWrite-8      4113849       5000312       +21.55%
//! ```

use super::go_bench::metric_of;
use crate::observation::Metric;
use crate::quantity::scale_of;
use crate::readers::benchmarks::collect::{Collector, MAX_PARTS, leading, words};
use crate::recognise::{Cursor, Output};

/// Limit for the empty lines between two tables.
const MAX_GAP: usize = 2;
/// Lines of the head of Go above a table.
const MAX_HEAD: usize = 4;

/// The headings above the columns of a table.
struct Heading<'a> {
    labels: Vec<&'a str>,
    units: Vec<&'a str>,
    /// Characters where the columns begin, and where the last one ends.
    borders: Vec<usize>,
    /// Number of lines that the headings take.
    lines: usize,
}

pub fn read(cursor: Cursor) -> Option<Output> {
    heading_at(cursor, 0)?;
    let mut found = Collector::new(cursor, "benchstat");
    found.set_side("file");
    let mut offset = 0;
    let mut end = 0;
    let mut seen: Vec<(&str, Vec<&str>)> = Vec::new();
    while let Some(heading) = heading_at(cursor, offset) {
        let unit = heading.units.first().copied().unwrap_or("");
        if seen.contains(&(unit, heading.labels.clone())) || seen.len() >= MAX_PARTS {
            break;
        }
        seen.push((unit, heading.labels.clone()));
        offset += heading.lines;
        while read_row(&mut found, offset, cursor.text(offset), &heading) {
            offset += 1;
        }
        end = offset;
        let next = (end..=end + MAX_GAP).find(|i| !cursor.text(*i).trim().is_empty());
        let Some(next) = next else { break };
        // Notes of a table, and the head of the next package.
        offset = (next..next + MAX_HEAD)
            .find(|i| heading_at(cursor, *i).is_some())
            .unwrap_or(next);
    }
    found.finish(end)
}

fn heading_at<'a>(cursor: Cursor<'a>, offset: usize) -> Option<Heading<'a>> {
    let text = cursor.text(offset);
    new_heading(text, cursor.text(offset + 1)).or_else(|| old_heading(text))
}

/// The two lines between bars; the second one has the units.
fn new_heading<'a>(first: &'a str, second: &'a str) -> Option<Heading<'a>> {
    let bar = ['\u{2502}', '|']
        .into_iter()
        .find(|bar| first.trim_start().starts_with(*bar))?;
    let cells = |text: &'a str| -> Vec<&'a str> {
        let parts: Vec<&str> = text.split(bar).map(str::trim).collect();
        // The first bar has nothing before it, and the last one nothing behind it.
        let inner = parts.get(1..parts.len().saturating_sub(1)).unwrap_or(&[]);
        inner.to_vec()
    };
    let labels = cells(first);
    let units: Vec<&str> = cells(second)
        .into_iter()
        .map(|cell| cell.split_whitespace().next().unwrap_or(""))
        .collect();
    let united = units.iter().all(|unit| is_unit(unit));
    // Many texts have plain bars; with these only a comparison is clear.
    let compared = second.contains("vs base") || labels.len() == 1 && bar == '\u{2502}';
    if labels.is_empty() || labels.len() != units.len() || !united || !compared {
        return None;
    }
    let borders = first
        .chars()
        .enumerate()
        .filter(|(_, c)| *c == bar)
        .map(|(index, _)| index)
        .collect();
    Some(Heading {
        labels,
        units,
        borders,
        lines: 2,
    })
}

/// Whether a heading is a unit: `sec/op`, `B/s`, `iops`.
fn is_unit(unit: &str) -> bool {
    let letters = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    };
    unit.split('/').count() <= 2 && unit.split('/').all(letters)
}

fn old_heading(text: &str) -> Option<Heading<'_>> {
    let title = text.trim_start();
    if !title.starts_with("name") && !title.starts_with("benchmark") {
        return None;
    }
    let parts = words(text);
    let first = parts.first().copied()?;
    let last = parts.last().copied()?;
    let (labels, units): (Vec<&str>, Vec<&str>) = match parts.as_slice() {
        // `name \ time/op  old.txt  new.txt  third.txt`
        ["name", "\\", unit, labels @ ..] if labels.len() > 1 => {
            (labels.to_vec(), vec![*unit; labels.len()])
        }
        ["name" | "benchmark", a, unit, b, other, _]
            if unit == other && matches!(last, "delta" | "speedup") =>
        {
            (vec![a, b], vec![*unit; 2])
        }
        _ => return None,
    };
    let unit = units.first()?;
    (is_unit(unit) && matches!(first, "name" | "benchmark")).then_some(Heading {
        labels,
        units,
        borders: Vec::new(),
        lines: 1,
    })
}

fn read_row(found: &mut Collector, offset: usize, text: &str, heading: &Heading) -> bool {
    let trimmed = text.trim_start();
    let Some((name, _)) = trimmed.split_once(char::is_whitespace) else {
        return false;
    };
    let front = text.len() - trimmed.len() + name.len();
    let rest = text.get(front..).unwrap_or("");
    let values = values_of(rest);
    if values.is_empty() || values.len() > heading.labels.len() {
        return false;
    }
    found.set("op", name.strip_prefix("Benchmark").unwrap_or(name));
    for (index, shown) in values.iter().enumerate() {
        let column = if values.len() == heading.labels.len() {
            Some(index)
        } else {
            column_of(text, shown, &heading.borders)
        };
        let Some(column) = column.filter(|column| *column < heading.labels.len()) else {
            continue;
        };
        if let Some((word, value, metric)) = figure(shown, heading.units[column]) {
            found.set("file", heading.labels[column]);
            found.add(offset, word, metric, value);
        }
    }
    found.unset("file");
    true
}

/// The words of a row that are values, not spreads, changes or notes.
fn values_of(text: &str) -> Vec<&str> {
    let parts = words(text);
    let mut found = Vec::new();
    for (index, word) in parts.iter().enumerate() {
        let spread = index > 0 && matches!(parts[index - 1], "\u{b1}" | "+-");
        let value = word.starts_with(|c: char| c.is_ascii_digit())
            && !word.ends_with(['%', ')'])
            && !word.ends_with('x');
        if value && !spread {
            found.push(*word);
        }
    }
    found
}

/// The column in whose borders a word of a row stands.
fn column_of(text: &str, word: &str, borders: &[usize]) -> Option<usize> {
    let begin = (word.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let place = text.get(..begin)?.chars().count();
    borders
        .windows(2)
        .position(|pair| pair[0] <= place && place < pair[1])
}

/// A value with its prefix (`4.093m`, `242.6Mi`) or unit (`4.12ms`, `254MB/s`).
fn figure<'a>(shown: &'a str, unit: &str) -> Option<(&'a str, f64, Metric)> {
    let (word, value, rest) = leading(shown)?;
    let unit = match unit {
        "time/op" => "ns/op",
        "speed" => "B/s",
        "alloc/op" => "B/op",
        other => other,
    };
    let (metric, factor) = metric_of(unit);
    if rest.is_empty() {
        return Some((word, value * factor, metric));
    }
    if let Some(prefix) = prefix_of(rest) {
        return Some((word, value * prefix * factor, metric));
    }
    let scale = scale_of(rest).filter(|scale| scale.unit == metric.unit)?;
    Some((word, value * scale.factor, metric))
}

fn prefix_of(letter: &str) -> Option<f64> {
    Some(match letter {
        "n" => 1e-9,
        "\u{b5}" | "\u{3bc}" | "u" => 1e-6,
        "m" => 1e-3,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "Ki" => 1024.0,
        "Mi" => 1_048_576.0,
        "Gi" => 1_073_741_824.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn the_new_layout_has_a_column_per_file() {
        let text = "           │   old.txt   │               new.txt               │\n           \
            │   sec/op    │    sec/op     vs base               │\n\
            SeqWrite-8   4.125m ± 2%    5.250m ± 4%  +21.64% (p=0.002 n=6)\n\
            RandRead-8                  107.5µ ± 3%\n\
            geomean      751.5µ         921.5µ       +22.71%\n\n           \
            │   old.txt    │               new.txt               │\n           \
            │     B/s      │     B/s       vs base               │\n\
            SeqWrite-8   242.5Mi ± 1%   197.5Mi ± 1%  -18.77% (p=0.002 n=6)\n";
        assert_eq!(
            figures(read, text),
            [
                "op=SeqWrite-8 file=old.txt time 4125000",
                "op=SeqWrite-8 file=new.txt time 5250000",
                "op=RandRead-8 file=new.txt time 107500",
                "op=geomean file=old.txt time 751500",
                "op=geomean file=new.txt time 921500",
                "op=SeqWrite-8 file=old.txt rate 254279700",
                "op=SeqWrite-8 file=new.txt rate 207093800",
            ]
        );
        assert_eq!(outputs(read, text).len(), 1);
    }

    #[test]
    fn old_layouts_are_read() {
        let text = "name          old time/op    new time/op    delta\n\
            SeqWrite-8      4.25ms ± 2%    5.50ms ± 3%  +23.06%  (p=0.002 n=6+6)\n\
            Fsync-8         1.25ms ± 9%    1.50ms ± 7%     ~     (p=0.937 n=6+6)\n\n\
            name          old speed      new speed      delta\n\
            SeqWrite-8     254MB/s ± 2%   207MB/s ± 3%  -18.50%  (p=0.002 n=6+6)\n";
        assert_eq!(
            figures(read, text),
            [
                "op=SeqWrite-8 file=old time 4250000",
                "op=SeqWrite-8 file=new time 5500000",
                "op=Fsync-8 file=old time 1250000",
                "op=Fsync-8 file=new time 1500000",
                "op=SeqWrite-8 file=old rate 254000000",
                "op=SeqWrite-8 file=new rate 207000000",
            ]
        );
        let three = "name \\ time/op  a.txt        b.txt        c.txt\n\
            Fsync-8         1.25ms ± 9%  1.50ms ± 7%  1.75ms ± 1%\n";
        assert_eq!(figures(read, three).len(), 3);
        let compared = "benchmark                old ns/op     new ns/op     delta\n\
            BenchmarkSeqWrite-8      4113849       5000312       +21.55%\n\n\
            benchmark                old MB/s     new MB/s     speedup\n\
            BenchmarkSeqWrite-8      253.50       205.50       0.81x\n";
        assert_eq!(
            figures(read, compared),
            [
                "op=SeqWrite-8 file=old time 4113849",
                "op=SeqWrite-8 file=new time 5000312",
                "op=SeqWrite-8 file=old rate 253500000",
                "op=SeqWrite-8 file=new rate 205500000",
            ]
        );
        let counted = "name       old iops       new iops       delta\n\
            Write-8        12.5k ± 0%     13.5k ± 0%   +8.00%  (p=0.002 n=6+6)\n";
        let expected = [
            "op=Write-8 file=old iops 12500",
            "op=Write-8 file=new iops 13500",
        ];
        assert_eq!(figures(read, counted), expected);
        assert!(figures(read, "| name | value |\n| a | 12 |\n").is_empty());
        assert!(figures(read, "|/\\%d| \\%d12\n|/\\]|  [\\d12]\n|/\\%o| 103 one\n").is_empty());
    }
}
