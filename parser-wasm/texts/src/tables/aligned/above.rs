//! Lines above rows: headings over several columns, and lines that only look like headings.

use crate::line::Line;
use crate::tables::cell;
use crate::tables::grid::Cell;
use crate::tables::pieces::{Piece, counted, split};
use crate::tables::words;
use seekscope_notes::labels;

/// Whether the upper of two lines is the title of a side above the first heading, `before`, and no
/// heading over several columns.
pub fn is_side_above(headings: &[Line]) -> bool {
    let [upper, lower] = headings else {
        return false;
    };
    let (upper, lower) = (split(upper.text(), 2), split(lower.text(), 2));
    match (upper.as_slice(), lower.as_slice()) {
        ([title], [first, second, ..]) => {
            let names_side = |text| words::name_sides(std::iter::once(text));
            let described = words::describe(title.text);
            // `6.1 (MB/s)` names the unit of its side, too.
            let has_unit = described.scale.is_some()
                && title.start <= first.start
                && names_side(described.name);
            title.end <= second.start && names_side(title.text) || has_unit
        }
        _ => false,
    }
}

/// Whether a line is a name and a number with the form of a release, `ext4   3.1`: a row, unless
/// the name is that of the column of labels.
pub fn is_row_of_side(line: &Line) -> bool {
    let pieces = split(line.text(), 2);
    let [name, number] = pieces.as_slice() else {
        return false;
    };
    let is_name = name.text.starts_with(|c: char| c.is_alphabetic());
    let heads_labels = words::is_dimension(name.text)
        || words::is_test_heading(name.text)
        || words::is_side_heading(name.text)
        || words::describe(name.text).scale.is_some()
        || words::describe(name.text).is_metric();
    is_name && !heads_labels && crate::quantity::number(number.text).is_some()
}

/// Whether a line has the same releases of kernels several times: the lower line of two lines of
/// headings, `5.15  6.1  5.15  6.1`, and no figures.
pub fn repeats_releases(line: &Line) -> bool {
    let words = split(line.text(), 1);
    let count = words
        .iter()
        .skip(1)
        .position(|word| word.text == words[0].text);
    let Some(count) = count.map(|last| last + 1).filter(|count| *count > 1) else {
        return false;
    };
    let is_same = |group: &[Piece]| {
        let mut pairs = group.iter().zip(&words);
        group.len() == count && pairs.all(|(word, first)| word.text == first.text)
    };
    words.iter().all(|word| labels::is_kernel_form(word.text)) && words.chunks(count).all(is_same)
}

/// Whether a line below a lone heading has only releases of kernels: `5.15  6.1  6.6` below `IOPS`,
/// `bs  5.15  6.1` below `Random write [MB/s]`.
pub fn lists_releases(heading: &Line, line: &Line) -> bool {
    let words = split(line.text(), 1);
    let is_release = |word: &Piece| labels::is_kernel_form(word.text);
    let is_title = split(heading.text(), 2).len() == 1;
    let is_headed =
        |name: &Piece| words::is_dimension(name.text) || words::is_test_heading(name.text);
    match words.split_first() {
        Some((name, releases)) if is_headed(name) => {
            is_title && releases.len() > 1 && releases.iter().all(is_release)
        }
        _ => split(heading.text(), 1).len() == 1 && words.len() > 2 && words.iter().all(is_release),
    }
}

/// Whether a line is of the same kind as the row below it, and so no heading: both are pairs of key
/// and value, or both begin with a figure.
pub fn alike(heading: &Line, row: &Line) -> bool {
    let (head, below) = (split(heading.text(), 1), split(row.text(), 1));
    let value = |text: &str| {
        text.rsplit([':', '='])
            .next()
            .is_some_and(|value| cell::figure(value).is_some())
    };
    let title = split(heading.text(), 2).len() == 1 && counted(heading.text()).is_none();
    if is_pair(row.text()) && title || is_pair(heading.text()) && value(heading.text()) {
        return true;
    }
    // `p95 ~16 ms` above `p95 ~65 ms`.
    let is_word = |piece: &Piece| cell::figure(piece.text).is_none() && piece.text.len() > 1;
    let repeats = |(above, below): (&Piece, &Piece)| is_word(above) && above.text == below.text;
    let pairs = || head.iter().zip(&below);
    let is_same = |(above, below): (&Piece, &Piece)| is_word(above) == is_word(below);
    if head.len() == below.len() && pairs().any(repeats) && pairs().all(is_same) {
        return true;
    }
    let (Some(first), Some(label)) = (head.first(), below.first()) else {
        return false;
    };
    // `50.00th 24 25` above `99.00th 60 66`.
    if words::is_percentile(first.text) && words::is_percentile(label.text) {
        return true;
    }
    // Numbers over the columns behind the labels are headings.
    let above = first.start <= label.end;
    let figures = cell::figure(first.text).is_some() && cell::figure(label.text).is_some();
    is_pair(heading.text()) && is_pair(row.text()) || above && figures
}

/// `Check interval:   0`, `kernel.shmall = 8192`, `bogomips : 4800`.
pub fn is_pair(text: &str) -> bool {
    text.find([':', '=']).is_some_and(|mark| {
        let key = text[..mark].trim();
        let ends = text[mark + 1..].starts_with(char::is_whitespace) || mark + 1 == text.len();
        ends && key.len() <= 60 && key.contains(|c: char| c.is_alphabetic())
    })
}

/// Whether each word of the headings is above its cell of a row, and the headings between wide gaps
/// are not: one blank between long headings is all that a column leaves.
pub fn stand_above(words: &[Piece], head: &[Piece], row: &Line) -> bool {
    let cells = split(row.text(), 2);
    let above = |headings: &[Piece], cells: &[Piece]| {
        let overlaps = |(heading, cell): (&Piece, &Piece)| {
            heading.start < cell.end && cell.start < heading.end
        };
        headings.len() == cells.len() && headings.iter().zip(cells).all(overlaps)
    };
    let behind_label = cells.get(cells.len().saturating_sub(head.len())..);
    above(words, &cells) && !behind_label.is_some_and(|cells| above(head, cells))
}

/// The upper headings, each over the lower ones that are nearest.
pub fn grouped<'a>(
    upper: &'a Line,
    head: &[Piece],
    labels: usize,
) -> Option<Vec<Option<Cell<'a>>>> {
    let groups = split(upper.text(), 2);
    if groups.is_empty() || groups.len() > head.len() {
        return None;
    }
    let middle = |piece: &Piece| (piece.start + piece.end) / 2;
    let mut row: Vec<Option<Cell>> = vec![None; labels];
    // `tps  latency  tps  latency` is below two groups, wherever these begin.
    let size = head.len() / groups.len();
    let is_even = size > 1 && groups.len() > 1 && head.len() == size * groups.len();
    let repeats = |(index, piece): (usize, &Piece)| piece.text == head[index % size].text;
    if is_even && head.iter().enumerate().all(repeats) {
        let cells = groups
            .iter()
            .map(|group| Some(Cell::new(upper, group.text)));
        row.extend(cells.flat_map(|cell| std::iter::repeat_n(cell, size)));
        return Some(row);
    }
    for (index, piece) in head.iter().enumerate() {
        let near = groups
            .iter()
            .min_by_key(|group| middle(group).abs_diff(middle(piece)))?;
        // The column of labels has no group, nor has one that ends before the first group begins.
        let apart =
            near.start > piece.end + 1 && index == 0 && (labels == 0 || groups.len() < head.len());
        row.push(if apart {
            None
        } else {
            Some(Cell::new(upper, near.text))
        });
    }
    Some(row)
}

/// Upper headings of a text that has lost its blanks: one word for each of the last columns, or one
/// for each group of the same lower headings, `6.1 6.6` above `read write read write`.
pub fn last_columns<'a>(
    upper: &'a Line,
    head: &[Piece],
    width: usize,
) -> Option<Vec<Option<Cell<'a>>>> {
    let words = with_units(upper.text());
    let title = upper.text().trim();
    if is_title_with_unit(title) {
        let labels = width.checked_sub(head.len())?;
        let cells = std::iter::repeat_n(Some(Cell::new(upper, title)), head.len());
        return Some(std::iter::repeat_n(None, labels).chain(cells).collect());
    }
    let size = head.len() / words.len().max(1);
    // The labels may have a heading.
    let figures = head.get(head.len().checked_sub(size * words.len())?..)?;
    let repeats = |(index, piece): (usize, &Piece)| piece.text == figures[index % size].text;
    let is_even = size > 1 && words.len() > 1 && figures.len() + 1 >= head.len();
    if is_even && figures.iter().enumerate().all(repeats) {
        let mut row: Vec<Option<Cell>> = vec![None; width.checked_sub(figures.len())?];
        let cells = words.iter().map(|word| Some(Cell::new(upper, word.text)));
        row.extend(cells.flat_map(|cell| std::iter::repeat_n(cell, size)));
        return Some(row);
    }
    let first = width.checked_sub(words.len())?;
    let mut row: Vec<Option<Cell>> = vec![None; first];
    row.extend(words.iter().map(|piece| Some(Cell::new(upper, piece.text))));
    Some(row)
}

/// Whether the only unit of a line is its last word, as in a title: `seq. write, MB/s`.
fn is_title_with_unit(text: &str) -> bool {
    let is_unit = |word: &str| {
        let bare = word.trim_matches(['(', ')', '[', ']']);
        crate::quantity::scale_of(bare).is_some()
    };
    let mut words = text.split_whitespace().rev();
    words.next().is_some_and(is_unit) && words.next().is_some() && !words.any(is_unit)
}

/// The words of a line, each with the unit in brackets behind it: `p99 (us)`.
fn with_units(text: &str) -> Vec<Piece<'_>> {
    let mut joined: Vec<Piece> = Vec::new();
    for word in split(text, 1) {
        let is_unit = word.text.starts_with('(') && words::describe(word.text).scale.is_some();
        match joined.last_mut() {
            Some(name) if is_unit => {
                name.end = word.end;
                name.text = &text[name.start..word.end];
            }
            _ => joined.push(word),
        }
    }
    joined
}
