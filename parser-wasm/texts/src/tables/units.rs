//! The unit of all figures of a table: in its corner, in a remark, or in the lines above it.

use super::cell;
use super::column::{Column, is_repeat_column};
use super::figure_count;
use super::grid::Grid;
use super::words::{Described, Kind, describe};
use crate::observation::Unit;
use crate::quantity::{Scale, scale_of, spelled};

/// Words of a title above a table; longer lines are prose unless they end with a colon.
const MAX_TITLE_WORDS: usize = 9;

/// The unit of all figures, where none of the columns has one: in the corner of the table, in a
/// remark, or in the lines above it. Its name is what a rate counts, if it says so: `files/s`.
pub fn shared_unit<'a>(
    grid: &Grid<'a>,
    columns: &[Column<'a>],
    caption: &'a [String],
) -> Option<Described<'a>> {
    let corner = columns
        .first()
        .filter(|column| column.words > 0 || is_corner(columns) || is_repeat_column(grid, 0))
        .and_then(|column| stated(column.described));
    let upper = grid
        .heads
        .first()
        .filter(|_| grid.heads.len() > 1)
        .and_then(|head| {
            head.iter()
                .flatten()
                .map(|cell| describe(cell.text))
                .find(|described| described.scale.is_some())
                .and_then(stated)
        });
    let remark = grid.remark.and_then(|remark| stated(describe(remark)));
    corner
        .or(remark)
        .or(upper)
        .or_else(|| caption.iter().find_map(|line| unit_in(line)))
        .or_else(|| {
            let has_unit = |column: &Column| column.described.implied().is_some();
            let statement = grid.statement.filter(|_| !columns.iter().any(has_unit));
            stated(describe(statement?))
        })
}

/// The unit that a text states, or its kind alone implies; the name only of what a rate counts, and
/// of times whether they are latencies.
fn stated(described: Described) -> Option<Described> {
    let scale = described.implied()?;
    let counts = scale_of(described.name).is_some();
    let is_latency = |kind: &Kind| *kind == Kind::Latency && scale.unit == Unit::Nanoseconds;
    Some(Described {
        name: if counts { described.name } else { "" },
        scale: Some(scale),
        kind: described.kind.filter(is_latency),
    })
}

/// Whether the heading of the first column is a unit alone, while no other column has one: it is that
/// of the other columns, also where the labels below it are numbers.
pub fn is_corner(columns: &[Column]) -> bool {
    let Some((first, others)) = columns.split_first() else {
        return false;
    };
    let measured =
        |column: &Column| column.described.scale.is_some() || column.described.is_metric();
    scale_of(first.heading).is_some_and(|scale| scale.unit != Unit::Share)
        && others.iter().any(|column| column.figures > 0)
        && !others.iter().any(measured)
}

/// The unit that a line above a table names: `Throughput in MB/s, higher is better:`, `IOPS:`,
/// `Random I/O, MiB/s:`, `Throughput [MB/s]`.
pub fn unit_in(line: &str) -> Option<Described<'_>> {
    let title = line.trim().ends_with(':') || line.split_whitespace().count() <= MAX_TITLE_WORDS;
    // The unit may be in a sentence: `All numbers are in MB/s.`
    let in_sentence = line
        .trim()
        .strip_suffix('.')
        .and_then(|line| line.rsplit_once(" in "))
        .map(|(_, unit)| describe(unit))
        .filter(|unit| unit.scale.is_some())
        .and_then(stated);
    if in_sentence.is_some() && line.len() <= 120 {
        return in_sentence;
    }
    if line.len() > 120 || !title || line.trim().ends_with(['.', '?', '!']) {
        return None;
    }
    // `IOPS for 8 threads of 4k writes:`
    let begins_with_metric = || {
        let mut words = line.split_whitespace();
        let metric = words.next().is_some_and(|word| describe(word).is_metric());
        let next = words.next().unwrap_or("");
        metric && ["of", "for", "with", "in", "on", "at"].contains(&next)
    };
    let is_titled = line.trim().ends_with(':') && (line.contains(", ") || begins_with_metric());
    let line = line.trim().trim_end_matches(':');
    // Rows of other tables, and figures with their units, name no unit of this one.
    let pieces = line.split("  ").filter(|piece| !piece.trim().is_empty());
    // `Mean of 5 runs, 4k random write, in kIOPS:` has figures, too.
    let row = pieces.count() > 2 || !is_titled && figure_count(line) > 1;
    if row || cell::ends_with_figure(line) {
        return None;
    }
    let rates = |scale: &Scale| scale.unit != Unit::Bytes && scale.unit != Unit::Share;
    let is_rate = |described: &Described| described.scale.as_ref().is_some_and(rates);
    let described = describe(line);
    // `bandwidth (MiB/s)   latency (ms)` says of none of the figures which one is its unit.
    let all = units_of_rates(line);
    if described.scale.is_some()
        && all.iter().all(|unit| is_alike(unit, &described))
        && let Some(unit) = stated(described).filter(is_rate)
    {
        // `fs_mark, 16 threads, files/sec`: the words in front say nothing of what is counted.
        let counted = all.first().filter(|first| !first.name.is_empty());
        return Some(counted.copied().unwrap_or(unit));
    }
    // A remark in brackets may name other units.
    let outside = line
        .find(['(', '[', '\u{ff08}'])
        .map_or("", |open| &line[..open]);
    let found = units_of_rates(outside);
    let found = if found.is_empty() { all } else { found };
    let Some(&first) = found.first() else {
        // `untar time (s), 3 runs`
        let front = line.split(", ").next().filter(|front| front.ends_with(')'));
        let described = front.map(describe).filter(is_rate).unwrap_or(described);
        return stated(described).filter(is_rate);
    };
    // `MB/s and IOPS` says it of none, either.
    let is_same = |other| is_alike(other, &first);
    // `Average completion latency (usec) by queue depth`
    let is_latency = describe(outside.trim()).kind == Some(Kind::Latency)
        && first
            .scale
            .is_some_and(|scale| scale.unit == Unit::Nanoseconds);
    let kind = first.kind.or(is_latency.then_some(Kind::Latency));
    found
        .iter()
        .all(is_same)
        .then_some(Described { kind, ..first })
}

/// Whether both have the same unit, whatever its multiple is.
fn is_alike(first: &Described, second: &Described) -> bool {
    first.scale.map(|scale| scale.unit) == second.scale.map(|scale| scale.unit)
}

/// A word in front of a duration: `three minutes each`.
fn is_number_word(word: &str) -> bool {
    const OTHERS: [&str; 7] = [
        "twelve", "fifteen", "twenty", "thirty", "sixty", "several", "few",
    ];
    let mut others = OTHERS.iter();
    spelled(word).is_some() || others.any(|number| word.eq_ignore_ascii_case(number))
}

/// The units of rates and times among the words of a line.
fn units_of_rates(line: &str) -> Vec<Described<'_>> {
    let words = line
        .split(|c: char| c.is_whitespace() || "()[],;\u{ff08}\u{ff09}\u{ff0c}\u{ff1a}".contains(c))
        .filter(|word| !word.is_empty());
    // A lone `s` or `h` in a sentence is no unit, `30 seconds` is a figure, and `per second` is of
    // something else.
    let mut previous = "";
    let units = words.filter(|word| {
        let behind = std::mem::replace(&mut previous, word);
        let is_counted = crate::quantity::number(behind).is_some()
            || is_number_word(behind)
            || behind.eq_ignore_ascii_case("per");
        word.len() > 1 && !is_counted
    });
    let rates = |scale: &Scale| !matches!(scale.unit, Unit::Bytes | Unit::Share);
    let found = units.filter_map(|word| {
        let described = describe(word);
        described.scale.filter(rates)?;
        stated(described)
    });
    found.collect()
}
