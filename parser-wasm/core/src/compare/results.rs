//! Results without traces as matrices: cells with means and spread, changes against the base, and
//! the sweep of each line. The document of `summary --json` and `compare --json` for such files,
//! and the same as text.

use super::mail::layout::{WIDTH, ascii, cut, wrapped};
use super::matrix::{MatrixAnswer, MatrixFigure, MatrixQuery, matrix};
use super::pair::Verdict;
use super::quantity::{digits, factor};
use super::run::ComparedRun;
use super::sweep::{LEAST_CELLS, SweepTest};
use crate::results::{JOINT, ResultAxis, ResultRun, ResultSet, ResultTable};
use crate::sorting::SortShort;
use serde::Serialize;
use std::collections::BTreeSet;

/// Characters of the name of a row, and next to at most two columns.
const LABEL: usize = 30;
const WIDE_LABEL: usize = 44;
/// Cells of a matrix; larger ones are listed as runs only.
const MOST_CELLS: usize = 20_000;

/// Results with the figures of their matrices.
#[derive(Clone, Debug, Serialize)]
pub struct ResultsDocument {
    /// What only traces have.
    pub absent: &'static str,
    pub tables: Vec<ResultMatrix>,
}

/// A table as a matrix.
#[derive(Clone, Debug, Serialize)]
pub struct ResultMatrix {
    #[serde(flatten)]
    pub table: ResultTable,
    /// Values of the rows' dimensions, row by row.
    pub row_values: Vec<Vec<String>>,
    pub column_values: Vec<Vec<String>>,
    /// Runs of each cell, row by row.
    pub cells: Vec<Vec<usize>>,
    pub pairs: Vec<(usize, usize)>,
    /// The line of each entry of `sweeps` of a figure.
    pub lines: Vec<Vec<String>>,
    #[serde(flatten)]
    pub answer: MatrixAnswer,
}

/// Shown wherever results without a trace are.
pub const ABSENT: &str = "Benchmark results without a trace: queue depth, starved time, latency \
    per stage, request sizes, seeks, alignment and findings are not available. \
Record a trace of the same runs to see them.";

/// The matrices of all tables, as they are laid out.
pub fn results(set: &ResultSet) -> ResultsDocument {
    ResultsDocument {
        absent: ABSENT,
        tables: set.tables.iter().map(of_table).collect(),
    }
}

fn of_table(table: &ResultTable) -> ResultMatrix {
    let (down, over) = (table.places(&table.rows), table.places(&table.columns));
    let values = |run: &ResultRun, axis: &[usize]| {
        axis.iter()
            .map(|&i| run.values[i].clone())
            .collect::<Vec<_>>()
    };
    let rows = lines(table.runs.iter().map(|run| values(run, &down)));
    let columns = lines(table.runs.iter().map(|run| values(run, &over)));
    let width = columns.len();
    let fits = rows.len().saturating_mul(width) <= MOST_CELLS;
    let mut cells = vec![Vec::new(); if fits { rows.len() * width } else { 0 }];
    for (at, run) in table.runs.iter().enumerate().filter(|_| fits) {
        let row = rows.iter().position(|line| *line == values(run, &down));
        let column = columns.iter().position(|line| *line == values(run, &over));
        if let (Some(r), Some(c)) = (row, column) {
            cells[r * width + c].push(at);
        }
    }
    let (mut pairs, mut sweeps, mut compared) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(base) = table.base.as_ref().filter(|_| fits) {
        let is = |line: &Vec<String>| line.join(JOINT) == base.key;
        let (own, other) = if base.axis == ResultAxis::Row {
            (&rows, width)
        } else {
            (&columns, rows.len())
        };
        let cell = |line: usize, across: usize| {
            if base.axis == ResultAxis::Row {
                line * width + across
            } else {
                across * width + line
            }
        };
        if let Some(at) = own.iter().position(is) {
            for line in (0..own.len()).filter(|line| *line != at) {
                sweeps.push((pairs.len()..pairs.len() + other).collect());
                compared.push(own[line].clone());
                pairs.extend((0..other).map(|across| (cell(at, across), cell(line, across))));
            }
        }
    }
    let runs = table.runs.iter().map(|run| ComparedRun {
        label: run.label.clone(),
        bench: run.figures.clone(),
        ..ComparedRun::default()
    });
    let query = MatrixQuery {
        runs: runs.collect(),
        cells,
        pairs,
        sweeps,
        ..MatrixQuery::default()
    };
    let answer = matrix(&query);
    let MatrixQuery { cells, pairs, .. } = query;
    ResultMatrix {
        table: table.clone(),
        row_values: rows,
        column_values: columns,
        cells,
        pairs,
        lines: compared,
        answer,
    }
}

/// Each line once: numbers by size, words in their order.
fn lines(all: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for line in all {
        if !found.contains(&line) {
            found.push(line);
        }
    }
    let number = |line: &Vec<String>| {
        if let [one] = line.as_slice() {
            one.parse::<f64>().ok()
        } else {
            None
        }
    };
    if found.iter().all(|line| number(line).is_some()) {
        found.sort_short_by(|a, b| {
            number(a)
                .unwrap_or(0.0)
                .total_cmp(&number(b).unwrap_or(0.0))
        });
    }
    found
}

/// The matrices in ASCII, 72 columns.
pub fn text(document: &ResultsDocument) -> String {
    let mut out = wrapped(ABSENT);
    for table in &document.tables {
        out.push(String::new());
        out.extend(wrapped(&format!(
            "== {} ({}) ==",
            table.table.title,
            table.table.files.join(", ")
        )));
        let common: Vec<String> = table
            .table
            .common
            .iter()
            .map(|named| format!("{} {}", named.name, named.value))
            .collect();
        if !common.is_empty() {
            out.extend(wrapped(&format!("All runs: {}", common.join(", "))));
        }
        if !table.table.zero.is_empty() {
            out.extend(wrapped(&format!(
                "0 in all runs: {}",
                table.table.zero.join(", ")
            )));
        }
        for figure in &table.answer.figures {
            out.push(String::new());
            out.extend(figure_lines(table, figure));
        }
    }
    out.iter()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

/// Divisor and name of a unit for values up to `most`.
fn scale(unit: &str, most: f64) -> (f64, &str) {
    match unit {
        "bytes/s" => (1e6, "MB/s"),
        "share" => (0.01, "%"),
        "ns" if most >= 2e9 => (1e9, "s"),
        "ns" if most >= 1e5 => (1e6, "ms"),
        "ns" => (1e3, "us"),
        unit => (1.0, unit),
    }
}

fn figure_lines(table: &ResultMatrix, figure: &MatrixFigure) -> Vec<String> {
    let most = figure
        .cells
        .iter()
        .filter_map(|cell| cell.mean)
        .fold(0.0, f64::max);
    let (per, unit) = scale(&figure.unit, most);
    let title = if unit.is_empty() {
        figure.label.clone()
    } else {
        format!("{}, {unit}", figure.label)
    };
    let mut out = wrapped(&title);
    let dimensions = |axis: ResultAxis| {
        table.table.named(if axis == ResultAxis::Row {
            &table.table.rows
        } else {
            &table.table.columns
        })
    };
    let axes = [ResultAxis::Row, ResultAxis::Column].map(dimensions);
    let name =
        |axis: ResultAxis, values: &[String]| ascii(&line_name(values, &axes[axis as usize]));
    let is_base = |axis: ResultAxis, values: &[String]| {
        table
            .table
            .base
            .as_ref()
            .is_some_and(|b| b.axis == axis && values.join(JOINT) == b.key)
    };
    let marked = |axis: ResultAxis, values: &[String]| {
        name(axis, values) + if is_base(axis, values) { " (base)" } else { "" }
    };
    let widest = if table.column_values.len() <= 2 {
        WIDE_LABEL
    } else {
        LABEL
    };
    let full: Vec<String> = table
        .row_values
        .iter()
        .map(|values| marked(ResultAxis::Row, values))
        .collect();
    // Names that differ only where they would be cut are listed below.
    let distinct = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len();
    let short: Vec<String> = full.iter().map(|name| cut(name, widest)).collect();
    let numbered = distinct(&short) < distinct(&full);
    let names: Vec<String> = if numbered {
        (1..=full.len()).map(|n| format!("row {n}")).collect()
    } else {
        short
    };
    let left = names.iter().map(String::len).max().unwrap_or(0);
    let width = table.column_values.len();
    let columns: Vec<Vec<String>> = (0..width)
        .map(|c| {
            let head = if table.table.columns.is_empty() {
                String::new()
            } else {
                marked(ResultAxis::Column, &table.column_values[c])
            };
            let mut column = vec![head];
            column.extend(
                (0..names.len()).map(|r| written(figure, r * width + c, &table.pairs, per)),
            );
            let wide = column
                .iter()
                .map(String::len)
                .max()
                .unwrap_or(0)
                .min(WIDTH - left - 2);
            column
                .iter()
                .map(|text| format!("  {:>wide$}", cut(text, wide)))
                .collect()
        })
        .collect();
    let mut from = 0;
    while from < columns.len() {
        let (mut to, mut used) = (from, left);
        while to < columns.len() && (to == from || used + columns[to][0].len() <= WIDTH) {
            used += columns[to][0].len();
            to += 1;
        }
        for row in 0..=names.len() {
            let own = if row == 0 { "" } else { &names[row - 1] };
            let line = format!(
                "{own:left$}{}",
                columns[from..to]
                    .iter()
                    .map(|c| c[row].as_str())
                    .collect::<String>()
            );
            if row > 0 || !line.trim().is_empty() {
                out.push(line);
            }
        }
        from = to;
    }
    if numbered {
        out.extend(
            full.iter()
                .enumerate()
                .flat_map(|(i, name)| wrapped(&format!("row {}: {name}", i + 1))),
        );
    }
    for (line, test) in table.lines.iter().zip(&figure.sweeps) {
        if let (Some(test), Some(base)) = (test, &table.table.base) {
            let base_values: Vec<String> = base.key.split(JOINT).map(str::to_owned).collect();
            let against = name(base.axis, &base_values);
            out.extend(wrapped(&sentence(&name(base.axis, line), &against, test)));
        }
    }
    out
}

/// `bfq idle0`, `threads 4`: a number alone would not be understood.
fn line_name(values: &[String], dimensions: &[&str]) -> String {
    let number = |value: &str| value.bytes().all(|b| b.is_ascii_digit());
    let known: Vec<String> = (values.iter().zip(dimensions))
        .filter(|(value, _)| !value.is_empty())
        .map(|(value, name)| {
            if number(value) {
                format!("{name} {value}")
            } else {
                value.clone()
            }
        })
        .collect();
    match (known.is_empty(), dimensions.is_empty()) {
        (false, _) => known.join(" "),
        (true, true) => "all".to_owned(),
        (true, false) => format!("no {}", dimensions.join(", ")),
    }
}

/// Mean, spread and change of a cell; `-` without a value.
fn written(figure: &MatrixFigure, at: usize, pairs: &[(usize, usize)], per: f64) -> String {
    let Some(cell) = figure.cells.get(at) else {
        return String::new();
    };
    let Some(mean) = cell.mean else {
        return "-".to_owned();
    };
    let mut text = digits(mean / per);
    if let Some(sd) = cell.deviation() {
        text = format!("{text} +-{}", digits(sd / per));
    }
    let change = pairs
        .iter()
        .position(|pair| pair.1 == at)
        .and_then(|i| figure.changes[i].as_ref());
    match change.and_then(|c| c.ratio) {
        Some(ratio) => format!("{text} {:>6}", factor(ratio)),
        None => text,
    }
}

/// What the matched cells of a line show together.
fn sentence(line: &str, base: &str, test: &SweepTest) -> String {
    let SweepTest {
        cells,
        more,
        less,
        ratio,
        p,
        verdict,
    } = test;
    let counts = format!(
        "{line} against {base}, {cells} matched cells: {more} larger, {less} smaller, {} in the \
            mean",
        factor(*ratio)
    );
    match p {
        None => format!("{counts}. A test needs at least {LEAST_CELLS} cells."),
        Some(p) => {
            let word = match verdict {
                Verdict::Better => "better",
                Verdict::Worse => "worse",
                Verdict::Changed => "significant",
                _ => "within noise",
            };
            format!(
                "{counts}: {word} (signed-rank test, p {}).",
                if *p < 1e-4 {
                    "< 0.0001".to_owned()
                } else {
                    format!("= {p:.4}")
                }
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{ResultBase, ResultLayout, ResultText, read};

    fn set() -> ResultSet {
        read(&[ResultText {
            file: "dds.txt",
            bytes: include_bytes!("../../../../tests/tables/dds.txt"),
        }])
    }

    fn keys(keys: &[&str]) -> Option<Vec<String>> {
        Some(keys.iter().map(|key| (*key).to_owned()).collect())
    }

    #[test]
    fn axes_are_moved() {
        let turned = ResultLayout {
            table: 1,
            rows: keys(&["number-of-dds"]),
            columns: keys(&["kernel"]),
            ..ResultLayout::default()
        };
        let document = results(&set().laid_out(&turned));
        let table = &document.tables[1];
        assert_eq!(table.row_values, [["1"], ["2"], ["4"]]);
        assert_eq!(table.column_values.len(), 3);
        assert_eq!(
            table.table.base,
            Some(ResultBase {
                axis: ResultAxis::Row,
                key: "1".to_owned()
            })
        );
        assert_eq!(
            table.answer.figures[0]
                .cells
                .iter()
                .map(|cell| cell.mean.unwrap_or(0.0) / 1e6)
                .collect::<Vec<_>>()[..3],
            [23.4, 23.2, 22.3]
        );
        // Another base, none, and one that is no line.
        let of = |base: &str, no_base| {
            let base = Some(ResultBase {
                axis: ResultAxis::Column,
                key: base.to_owned(),
            });
            set()
                .laid_out(&ResultLayout {
                    base,
                    no_base,
                    ..turned.clone()
                })
                .tables[1]
                .base
                .clone()
                .map(|base| base.key)
        };
        assert_eq!(
            (
                of("2.6.18-193", false),
                of("2.6.18-193", true),
                of("6.1", false)
            ),
            (Some("2.6.18-193".to_owned()), None, Some("1".to_owned()))
        );
    }

    #[test]
    fn dimensions_on_no_axis_are_averaged() {
        let averaged = ResultLayout {
            table: 1,
            rows: keys(&["kernel"]),
            columns: keys(&[]),
            ..ResultLayout::default()
        };
        let document = results(&set().laid_out(&averaged));
        assert_eq!(
            document.tables[1].cells,
            [vec![0, 1, 2], vec![3, 4, 5], vec![6, 7, 8]]
        );
        assert_eq!(document.tables[1].answer.figures[0].cells[0].n, 3);
        let both = ResultLayout {
            table: 1,
            rows: keys(&["kernel", "number-of-dds"]),
            columns: keys(&[]),
            ..ResultLayout::default()
        };
        let table = &results(&set().laid_out(&both)).tables[1];
        assert_eq!((table.row_values.len(), table.pairs.len()), (9, 8));
        assert_eq!(
            table.table.base.as_ref().map(|base| base.key.as_str()),
            Some("2.6.18-186\u{1}1")
        );
        // Of another table, and of no table at all.
        let unknown = ResultLayout {
            table: 1,
            rows: keys(&["scheduler"]),
            ..ResultLayout::default()
        };
        assert_eq!(set().laid_out(&unknown), set());
        assert_eq!(
            set().laid_out(&ResultLayout {
                table: 9,
                ..averaged
            }),
            set()
        );
    }

    #[test]
    fn a_damaged_table_is_bounded() {
        let mut set = set();
        set.tables[1].runs[0].values.clear();
        set.tables[1].runs[1].figures[0].value = f64::NAN;
        set.tables[2].runs = vec![set.tables[2].runs[0].clone(); 5000];
        let document = results(&set.bounded());
        assert_eq!(
            (
                document.tables[1].table.runs.len(),
                document.tables[2].table.runs.len()
            ),
            (9, 2000)
        );
    }
}
