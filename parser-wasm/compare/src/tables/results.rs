//! Results without traces as matrices: cells with means and spread, changes against the base, and
//! the sweep of each line. The document of `summary --json` and `compare --json` for such files,
//! and the same as text.

use super::copied::copied;
use super::intervals::judge_measurements;
use super::matrix::{MatrixAnswer, MatrixFigure, MatrixQuery, matrix};
use super::sweep::{MIN_CELLS, SweepTest};
use crate::mail::layout::{WIDTH, ascii, cut, wrapped};
use crate::pair::Verdict;
use crate::runs::run::ComparedRun;
use seekscope_notes::results::{Arrangement, JOINT, ResultAxis, ResultRun, ResultSet, ResultTable};
use seekscope_trace::quantity::factor;
use seekscope_trace::remedy::EVENTS_OF_SUMMARY;
use seekscope_trace::sorting::distinct_count;
use serde::Serialize;

/// Characters of the name of a row, and next to at most two columns.
const LABEL: usize = 30;
const WIDE_LABEL: usize = 44;

/// Results with the figures of their matrices.
#[derive(Clone, Debug, Serialize)]
pub struct ResultsDocument {
    /// What only traces have, as sentences.
    pub absent: String,
    pub tables: Vec<ResultMatrix>,
}

/// A table as a matrix.
#[derive(Clone, Debug, Serialize)]
pub struct ResultMatrix {
    #[serde(flatten)]
    pub table: ResultTable,
    #[serde(flatten)]
    pub arrangement: Arrangement,
    #[serde(flatten)]
    pub answer: MatrixAnswer,
    /// Sentences about what the figures themselves show of the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// Shown wherever results without a trace are.
const ABSENT: &str = "Benchmark results without a trace: queue depth, starved time, latency per \
    stage, request sizes, seeks, alignment and findings are not available.";
const RECORD: &str = "Record a trace of the same runs to see them.";

/// Tools that print totals of a trace: whoever ran them has its events.
const OF_TRACES: [&str; 2] = ["blkparse", "btt"];

/// What only traces have, and how to get it.
fn absent(set: &ResultSet) -> String {
    let of_traces = |table: &&ResultTable| OF_TRACES.contains(&table.tool.as_str());
    let totals = set.tables.iter().filter(of_traces).count();
    let mut sentences = vec![ABSENT];
    if totals < set.tables.len() || totals == 0 {
        sentences.push(RECORD);
    }
    if totals > 0 {
        sentences.push(EVENTS_OF_SUMMARY);
    }
    sentences.join(" ")
}

/// The matrices of all tables, as they are laid out.
pub fn results(set: &ResultSet) -> ResultsDocument {
    ResultsDocument {
        absent: absent(set),
        tables: set.tables.iter().map(result_matrix).collect(),
    }
}

fn result_matrix(table: &ResultTable) -> ResultMatrix {
    let arrangement = Arrangement::new(table);
    let runs = table.runs.iter().map(|run| ComparedRun {
        label: run.label.clone(),
        bench: run.figures.clone(),
        ..ComparedRun::default()
    });
    let query = MatrixQuery {
        runs: runs.collect(),
        cells: arrangement.cells.clone(),
        pairs: arrangement.pairs.clone(),
        sweeps: arrangement.sweeps.clone(),
        ..MatrixQuery::default()
    };
    let mut answer = matrix(&query);
    if table.runs.iter().any(ResultRun::is_interval) {
        judge_measurements(table, &arrangement, &mut answer);
    }
    ResultMatrix {
        remarks: copied(table, &answer),
        table: table.clone(),
        answer,
        arrangement,
    }
}

/// The matrices in ASCII, 72 columns.
pub fn text(document: &ResultsDocument) -> String {
    let mut out = wrapped(&document.absent);
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
        out.extend(table.remarks.iter().flat_map(|remark| wrapped(remark)));
        for figure in &table.answer.figures {
            out.push(String::new());
            out.extend(figure_lines(table, figure));
        }
    }
    out.iter()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

fn figure_lines(table: &ResultMatrix, figure: &MatrixFigure) -> Vec<String> {
    let unit = &figure.notation.unit;
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
    let widest = if table.arrangement.column_values.len() <= 2 {
        WIDE_LABEL
    } else {
        LABEL
    };
    let full: Vec<String> = table
        .arrangement
        .row_values
        .iter()
        .map(|values| marked(ResultAxis::Row, values))
        .collect();
    // Names that differ only where they would be cut are listed below.
    let distinct = |names: &[String]| distinct_count(names.iter());
    let short: Vec<String> = full.iter().map(|name| cut(name, widest)).collect();
    let numbered = distinct(&short) < distinct(&full);
    let names: Vec<String> = if numbered {
        (1..=full.len()).map(|n| format!("row {n}")).collect()
    } else {
        short
    };
    let left = names.iter().map(String::len).max().unwrap_or(0);
    let width = table.arrangement.column_values.len();
    let columns: Vec<Vec<String>> = (0..width)
        .map(|c| {
            let head = if table.table.columns.is_empty() {
                String::new()
            } else {
                marked(ResultAxis::Column, &table.arrangement.column_values[c])
            };
            let mut column = vec![head];
            column.extend(
                (0..names.len()).map(|r| written(figure, r * width + c, &table.arrangement.pairs)),
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
    out.extend(column_pages(&columns, &names, left));
    if numbered {
        out.extend(
            full.iter()
                .enumerate()
                .flat_map(|(i, name)| wrapped(&format!("row {}: {name}", i + 1))),
        );
    }
    for (line, test) in table.arrangement.lines.iter().zip(&figure.sweeps) {
        if let (Some(test), Some(base)) = (test, &table.table.base) {
            let base_values: Vec<String> = base.key.split(JOINT).map(str::to_owned).collect();
            let against = name(base.axis, &base_values);
            out.extend(wrapped(&sentence(&name(base.axis, line), &against, test)));
        }
    }
    out
}

/// The columns next to each other, in as many blocks as the width requires; each has the names of
/// its rows.
fn column_pages(columns: &[Vec<String>], names: &[String], left: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut from = 0;
    while from < columns.len() {
        let (mut to, mut used) = (from, left);
        while to < columns.len() && (to == from || used + columns[to][0].len() <= WIDTH) {
            used += columns[to][0].len();
            to += 1;
        }
        for row in 0..=names.len() {
            let name = if row == 0 { "" } else { &names[row - 1] };
            let line = format!(
                "{name:left$}{}",
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
    out
}

/// The name of a line: `bfq idle0`, `threads 4`. A number alone would not be understood.
fn line_name(values: &[String], dimensions: &[&str]) -> String {
    let number = |value: &str| value.bytes().all(|b| b.is_ascii_digit());
    let words: Vec<String> = (values.iter().zip(dimensions))
        .filter(|(value, _)| !value.is_empty())
        .map(|(value, name)| {
            if number(value) {
                format!("{name} {value}")
            } else {
                value.clone()
            }
        })
        .collect();
    match (words.is_empty(), dimensions.is_empty()) {
        (false, _) => words.join(" "),
        (true, true) => "all".to_owned(),
        (true, false) => format!("no {}", dimensions.join(", ")),
    }
}

/// Mean, spread and change of a cell; `-` without a value.
fn written(figure: &MatrixFigure, index: usize, pairs: &[(usize, usize)]) -> String {
    let Some(cell) = figure.cells.get(index) else {
        return String::new();
    };
    let Some(mean) = cell.mean else {
        return "-".to_owned();
    };
    let mut text = figure.notation.write(mean);
    if let Some(sd) = cell.deviation() {
        text = format!("{text} +-{}", figure.notation.write(sd));
    }
    let change = pairs
        .iter()
        .position(|pair| pair.1 == index)
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
        changes,
        p,
        verdict,
        ..
    } = test;
    let counts = format!(
        "{line} against {base}, {cells} matched cells: {more} larger, {less} smaller, {changes}"
    );
    match p {
        None => format!("{counts}. A test needs at least {MIN_CELLS} cells."),
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
