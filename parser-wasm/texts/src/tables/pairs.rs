//! Columns whose cells have two figures: of reads and of writes, `IOPS (R/W)` above `332k / 224k`,
//! or of two metrics, `101k IOPS / 395 MiB/s`, `101k IOPS (395 MiB/s)`.

use super::cell;
use super::grid::{Cell, Grid};
use super::words::describe;
use crate::observation::Unit;

/// The words of two operations or sides in a heading.
pub const PAIRS: [&str; 11] = [
    "reads/writes",
    "read / write",
    "read/write",
    "write / read",
    "write/read",
    "r/w",
    "w/r",
    "before/after",
    "before / after",
    "old/new",
    "old / new",
];
/// What is between the figures of two metrics; the second one may be in brackets, too.
const BETWEEN: [&str; 3] = [" / ", " @ ", ", "];

/// Splits each such column into two, with the operations above the metric.
pub fn split_columns(grid: &mut Grid) {
    let [head] = grid.heads.as_slice() else {
        return;
    };
    let halves: Vec<Option<Halves>> = (0..head.len()).map(|index| halves(grid, index)).collect();
    if halves.iter().all(Option::is_none) {
        return;
    }
    let head = head.clone();
    let (mut upper, mut lower) = (Vec::new(), Vec::new());
    for (cell, halves) in head.into_iter().zip(&halves) {
        match halves {
            Some(halves) => {
                upper.extend(halves.upper);
                lower.extend(halves.lower);
            }
            None => {
                upper.push(None);
                lower.push(cell);
            }
        }
    }
    grid.heads = vec![upper, lower];
    for row in &mut grid.rows {
        let cells = std::mem::take(row);
        for (cell, halves) in cells.into_iter().zip(&halves) {
            match (halves, cell.and_then(parts)) {
                (Some(_), Some(both)) => row.extend(both.map(Some)),
                (Some(_), None) => row.extend([None, None]),
                (None, _) => row.push(cell),
            }
        }
    }
}

/// The two lines of headings above both figures of the cells of a column.
struct Halves<'a> {
    upper: [Option<Cell<'a>>; 2],
    lower: [Option<Cell<'a>>; 2],
}

fn halves<'a>(grid: &Grid<'a>, index: usize) -> Option<Halves<'a>> {
    let heading = grid.heads.last()?.get(index).copied().flatten()?;
    if let Some(metrics) = metrics(grid, index) {
        return Some(Halves {
            upper: [Some(heading); 2],
            lower: metrics.map(|metric| Some(heading.part(metric))),
        });
    }
    let behind_side = side_and_remark(heading.text)
        .and_then(|(side, remark)| Some((heading.part(side), two_metrics(remark)?)));
    let metrics = match behind_side {
        Some((side, metrics)) => Some((Some(side), metrics)),
        None => two_metrics(heading.text).map(|metrics| (None, metrics)),
    };
    if let Some((side, names)) = metrics.filter(|_| are_two(grid, index)) {
        return Some(Halves {
            upper: [side; 2],
            lower: names.map(|name| Some(heading.part(name))),
        });
    }
    let lower = heading.text.to_ascii_lowercase();
    let (begin, pair) = PAIRS
        .iter()
        .find_map(|pair| Some((lower.find(pair)?, *pair)))?;
    let mut cells = grid
        .rows
        .iter()
        .filter_map(|row| row.get(index).copied().flatten())
        .filter(|cell| !cell::is_absent(cell.text))
        .peekable();
    cells.peek()?;
    if !cells.all(|cell| both(cell).is_some()) {
        return None;
    }
    let text = heading.text;
    let (first, second) = text[begin..begin + pair.len()].split_once('/')?;
    let is_mark = |c: char| "()[], ".contains(c);
    let front = text[..begin].trim_matches(is_mark);
    let behind = text[begin + pair.len()..].trim_matches(is_mark);
    // `Random read/write IOPS` has no name of the metric in one piece.
    if !front.is_empty() && !behind.is_empty() {
        return None;
    }
    let metric = if front.is_empty() { behind } else { front };
    let metric = Some(heading.part(metric)).filter(|cell| !cell.text.is_empty());
    Some(Halves {
        upper: [first, second].map(|text| Some(heading.part(text))),
        lower: [metric; 2],
    })
}

/// A heading and the remark in brackets behind it: `5.10 (IOPS / lat)`.
fn side_and_remark(heading: &str) -> Option<(&str, &str)> {
    let (side, remark) = heading.strip_suffix(')')?.split_once(" (")?;
    (!remark.contains(['(', ')'])).then_some((side, remark))
}

/// The names of two metrics in a heading: `IOPS/lat`, `BW (MiB/s) / p99 (us)`.
fn two_metrics(heading: &str) -> Option<[&str; 2]> {
    let halves = heading
        .split_once(" / ")
        .or_else(|| heading.split_once('/'))?;
    let kinds = [halves.0, halves.1].map(|name| describe(name).kind);
    let is_metric = |name| describe(name).is_metric();
    (is_metric(halves.0) && is_metric(halves.1) && kinds[0] != kinds[1])
        .then_some([halves.0, halves.1])
}

/// Whether all cells of a column have two figures.
fn are_two(grid: &Grid, index: usize) -> bool {
    let rows = grid.rows.iter();
    let cells = rows.filter_map(|row| row.get(index).copied().flatten());
    let mut cells = cells.filter(|cell| !cell::is_absent(cell.text)).peekable();
    cells.peek().is_some() && cells.all(|cell| parts(cell).is_some())
}

/// The metrics of a column whose cells all have figures of the same two.
fn metrics(grid: &Grid, index: usize) -> Option<[&'static str; 2]> {
    let rows = grid.rows.iter();
    let mut cells = rows
        .filter_map(|row| row.get(index).copied().flatten())
        .filter(|cell| !cell::is_absent(cell.text));
    let first = metrics_of(cells.next()?)?;
    cells
        .all(|cell| metrics_of(cell) == Some(first))
        .then_some(first)
}

fn metrics_of(cell: Cell) -> Option<[&'static str; 2]> {
    let (halves, is_aside) = halves_of(cell.text)?;
    let name = |text: &str| {
        Some(match cell::figure(text)?.quantity.scale?.unit {
            Unit::PerSecond => "IOPS",
            Unit::BytesPerSecond => "throughput",
            Unit::Nanoseconds => "latency",
            _ => return None,
        })
    };
    let metrics = [name(halves.0)?, name(halves.1)?];
    // A time behind anything but a rate may be how long it took.
    let is_rate = metrics[0] != "latency" && (!is_aside || metrics[1] != "latency");
    (is_rate && metrics[0] != metrics[1]).then_some(metrics)
}

/// The two parts of a cell, and whether the second one is in brackets.
fn halves_of(text: &str) -> Option<((&str, &str), bool)> {
    let aside = text
        .strip_suffix(')')
        .and_then(|text| text.split_once(" ("));
    let beside = || BETWEEN.iter().find_map(|mark| text.split_once(mark));
    aside
        .map(|halves| (halves, true))
        .or_else(|| Some((beside()?, false)))
}

/// The two figures of a cell that are of the same unit, or of two metrics.
fn both(cell: Cell) -> Option<[Cell; 2]> {
    let parts = parts(cell)?;
    let unit = |part: &Cell| Some(cell::figure(part.text)?.quantity.scale?.unit);
    let is_same = unit(&parts[0]) == unit(&parts[1]);
    (is_same || metrics_of(cell).is_some()).then_some(parts)
}

/// The two figures of a cell.
fn parts(cell: Cell) -> Option<[Cell; 2]> {
    if metrics_of(cell).is_some() {
        let ((first, second), _) = halves_of(cell.text)?;
        return Some([first, second].map(|text| cell.part(text)));
    }
    let text = cell.text;
    let (first, second) = text.split_once(" / ").or_else(|| text.split_once('/'))?;
    let are_figures = cell::figure(first).is_some() && cell::figure(second).is_some();
    are_figures.then(|| [first, second].map(|text| cell.part(text)))
}
