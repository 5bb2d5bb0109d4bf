//! Whether the figures of a table are results of a benchmark, and not events, a profile or settings.

use super::column::Column;
use super::compared::naming_label;
use super::figure_count;
use super::grid::Grid;
use super::labels::statistic_rows;
use super::roles::Role;
use super::words::{self, Kind};
use crate::line::Line;
use crate::observation::{NamedValue, Observation, Unit};

/// Nanoseconds of the longest time of a result, three years: longer ones are counters that have
/// wrapped.
const MAX_TIME: f64 = 1e17;

/// Whether the figures are results of a benchmark: a rate, a time that is called one, or columns of
/// sides above rows of operations.
pub fn is_benchmark(
    observations: &[Observation],
    grid: &Grid,
    columns: &[Column],
    caption: &[String],
) -> bool {
    let absurd = |o: &Observation| o.metric.unit == Unit::Nanoseconds && o.value > MAX_TIME;
    let is_none = is_profile(columns)
        || is_list_of_causes(columns)
        || is_settings(columns)
        || is_events(grid, columns);
    if is_none || observations.iter().any(absurd) {
        return false;
    }
    let count = |units: &[Unit]| {
        observations
            .iter()
            .filter(|o| units.contains(&o.metric.unit))
            .count()
    };
    let rates = count(&[Unit::BytesPerSecond, Unit::PerSecond]);
    let times = count(&[Unit::Nanoseconds]);
    let metric = |kinds: &[Kind]| {
        columns.iter().any(|column| {
            let kind = column.described.kind;
            let is_figure = matches!(column.role, Role::Metric)
                || matches!(column.role, Role::Spread(_)) && grid.heads.len() > 1;
            is_figure && kind.is_some_and(|kind| kinds.contains(&kind))
        })
    };
    // A time is a result if it is called one, or if sides are compared: there are limits and
    // intervals everywhere.
    let spread = columns
        .iter()
        .filter(|column| matches!(column.role, Role::Spread(_)))
        .count();
    let timed = columns
        .iter()
        .any(|column| column.role == Role::Metric && !column.described.name.is_empty());
    let compared = spread > 1 || naming_label(grid, columns).is_some();
    let most = (rates + times) * 2 >= observations.len();
    let measured = rates > 0 && (most || metric(&[Kind::Throughput, Kind::Iops]))
        || times > 0 && (most && compared || timed);
    let named = metric(&[Kind::Throughput, Kind::Iops])
        || caption.iter().any(|line| {
            let lower = line.to_ascii_lowercase();
            ["throughput", "bandwidth", "iops", "latency"]
                .iter()
                .any(|word| lower.contains(word))
                && line.split_whitespace().count() <= 8
                // Rows of another table are no caption.
                && figure_count(line) < 2
        });
    let rows_are_operations = grid
        .rows
        .iter()
        .filter_map(|row| row.first().copied().flatten())
        .all(|cell| words::is_plain_operation(cell.text));
    // The same with sides in rows: `kernel | read | write`.
    let spread_operations = columns
        .iter()
        .filter(|column| matches!(column.role, Role::Spread(_)))
        .all(|column| words::is_plain_operation(column.heading));
    let columns_are_operations = spread > 0
        && spread_operations
        && naming_label(grid, columns).is_some()
        && columns.iter().all(|column| column.role != Role::Metric);
    // Columns that are sides by name: one row with a rate makes all of them results.
    let sided = columns
        .iter()
        .filter_map(|column| match &column.role {
            Role::Spread(values) => values.first(),
            _ => None,
        })
        .filter(|value| value.name != "op" && words::name_sides(std::iter::once(&*value.value)))
        .count();
    let sides_have_rates = rates > 0 && sided > 1 && sided == spread;
    // Columns of anything become runs; a parameter or the name of a side makes them a benchmark's.
    let is_told = |value: &NamedValue| {
        value.name != "run" && words::is_dimension(&value.name)
            || words::name_sides(std::iter::once(value.value.as_str()))
    };
    let repeated = statistic_rows(grid, columns).is_some()
        && columns.iter().any(|column| match &column.role {
            Role::Spread(values) => values.iter().any(is_told),
            _ => false,
        });
    measured
        || named
        || repeated
        || columns_are_operations
        || sides_have_rates
        || spread > 0 && rows_are_operations && !grid.rows.is_empty()
}

/// Whether each row is an event of a recording: it has a process or a sector, or begins with a
/// time and has letters for its direction.
fn is_events(grid: &Grid, columns: &[Column]) -> bool {
    let headings = columns
        .iter()
        .map(|column| column.heading.to_ascii_lowercase());
    let names: Vec<String> = headings
        .map(|heading| {
            let end = heading.find([' ', '(', ',', '[']).unwrap_or(heading.len());
            heading[..end].trim_start_matches('#').to_owned()
        })
        .collect();
    let has = |candidates: &[&str]| names.iter().any(|name| candidates.contains(&name.as_str()));
    let begins = |candidates: &[&str]| {
        names
            .first()
            .is_some_and(|name| candidates.contains(&name.as_str()))
    };
    let is_direction = |index: usize| {
        let rows = grid.rows.iter();
        let mut cells = rows
            .filter_map(|row| row.get(index).copied().flatten())
            .peekable();
        let is_letters = |text: &str| {
            (1..=4).contains(&text.len()) && text.bytes().all(|b| b"RWDFSMANU".contains(&b))
        };
        let begins = |text: &str| text.split_whitespace().next().is_some_and(is_letters);
        cells.peek().is_some() && cells.all(|cell| begins(cell.text))
    };
    has(&[
        "pid", "tid", "comm", "sector", "lba", "rwbs", "off_kb", "inode",
    ]) || begins(&["time", "timestamp", "ts", "start"]) && (1..columns.len()).any(is_direction)
}

/// Whether the only figures are how long tests run, beside other parameters of theirs: a plan.
fn is_settings(columns: &[Column]) -> bool {
    const PARAMETERS: [&str; 10] = [
        "rw",
        "bs",
        "block size",
        "blocksize",
        "iodepth",
        "i/o depth",
        "queue depth",
        "qd",
        "jobs",
        "numjobs",
    ];
    let lower = |column: &Column| column.heading.to_ascii_lowercase();
    let is_parameter = |column: &&Column| PARAMETERS.contains(&lower(column).as_str());
    let mut metrics = columns
        .iter()
        .filter(|column| matches!(column.role, Role::Metric | Role::Spread(_)));
    let is_length = |column: &Column| {
        let name = column.described.name.to_ascii_lowercase();
        name == "runtime" || name == "duration"
    };
    columns.iter().filter(is_parameter).count() > 1 && metrics.all(is_length)
}

/// Whether the first column is the share that each row has of all: a profile of functions or calls.
fn is_profile(columns: &[Column]) -> bool {
    let heading = columns
        .first()
        .map_or("", |column| column.heading)
        .to_ascii_lowercase();
    let first = heading.trim_start_matches('#').trim();
    [
        "%",
        "% time",
        "%time",
        "overhead",
        "percent",
        "self",
        "% of total",
    ]
    .contains(&first)
}

/// Whether a table is that of latencytop: how long the kernel waited for each cause. A table of
/// results may name causes, too.
fn is_list_of_causes(columns: &[Column]) -> bool {
    const STATISTICS: [&str; 6] = ["maximum", "max", "average", "avg", "percentage", "count"];
    let names = |column: &Column, names: &[&str]| {
        names
            .iter()
            .any(|name| column.heading.eq_ignore_ascii_case(name))
    };
    let Some((first, others)) = columns.split_first() else {
        return false;
    };
    names(first, &["cause"]) && others.iter().all(|column| names(column, &STATISTICS))
}

/// Lines around a table or list that may tell what it is of.
const MAX_AROUND: usize = 24;

/// Whether the lines of a paragraph are those of a data sheet: two of them say of a disk what
/// nobody measures. What the maker promises is no result.
pub fn is_data_sheet(lines: &[Line], start: usize, end: usize) -> bool {
    const PROPERTIES: [&str; 16] = [
        "mtbf",
        "mttf",
        "tbw",
        "dwpd",
        "endurance",
        "warranty",
        "interface",
        "form factor",
        "capacity",
        "rotational speed",
        "spindle speed",
        "nand",
        "dram",
        "power consumption",
        "cache",
        "model",
    ];
    // Several rows of one name, `model A` and `model B`, are results of things.
    let (mut properties, mut promises) = (0u32, 0);
    let mut count = |line: &Line| {
        let text = line
            .text()
            .trim_start_matches(['|', ' ', '\t', '*', '-', '+']);
        let names = |property: &str| {
            let begin = text.get(..property.len());
            let rest = text.get(property.len()..).unwrap_or("");
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(property))
                && !rest.starts_with(|c: char| c.is_alphanumeric())
        };
        if let Some(index) = PROPERTIES.iter().position(|property| names(property)) {
            properties |= 1 << index;
        } else if text.contains(": up to ") || text.contains(" up to ") && text.contains("/s") {
            promises += 1;
        }
    };
    let above = lines[..start].iter().rev().take(MAX_AROUND);
    let below = lines[start..].iter().take(end - start + MAX_AROUND);
    above
        .take_while(|line| !line.is_blank())
        .for_each(&mut count);
    below
        .take_while(|line| !line.is_blank())
        .for_each(&mut count);
    properties.count_ones() + promises > 1
}
