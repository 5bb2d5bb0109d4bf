//! Columns whose cells have the figures of reads and of writes: `IOPS (R/W)` above `332k / 224k`.

use super::cell;
use super::grid::{Cell, Grid};

/// The words of two operations in a heading.
const PAIRS: [&str; 7] = [
    "reads/writes",
    "read / write",
    "read/write",
    "write / read",
    "write/read",
    "r/w",
    "w/r",
];

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
                upper.extend(halves.operations.map(Some));
                lower.extend([halves.metric; 2]);
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
            match (halves, cell.and_then(both)) {
                (Some(_), Some(both)) => row.extend(both.map(Some)),
                (Some(_), None) => row.extend([None, None]),
                (None, _) => row.push(cell),
            }
        }
    }
}

/// The parts of the heading of a column of pairs.
struct Halves<'a> {
    operations: [Cell<'a>; 2],
    metric: Option<Cell<'a>>,
}

fn halves<'a>(grid: &Grid<'a>, index: usize) -> Option<Halves<'a>> {
    let heading = grid.heads.last()?.get(index).copied().flatten()?;
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
    Some(Halves {
        operations: [first, second].map(|text| heading.part(text)),
        metric: Some(heading.part(metric)).filter(|cell| !cell.text.is_empty()),
    })
}

/// The two figures of a cell.
fn both(cell: Cell) -> Option<[Cell; 2]> {
    let (first, second) = cell
        .text
        .split_once(" / ")
        .or_else(|| cell.text.split_once('/'))?;
    let figures = [cell::figure(first)?, cell::figure(second)?];
    let units = figures.map(|figure| figure.quantity.scale.map(|scale| scale.unit));
    (units[0] == units[1]).then(|| [first, second].map(|text| cell.part(text)))
}
