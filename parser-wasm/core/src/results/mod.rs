//! Results of benchmarks without a trace: tables in mails, reports of fio, dd, tiotest and
//! tiobench, as runs of a matrix.
//!
//! Bounds: the first [`MOST_BYTES`] of a file, [`MOST_ROWS`] rows of all tables of it, 600
//! characters of a line, and a fixed number of lines above and below a table; time is linear in the
//! text. A number is a cell only below a heading or next to a label in a table that has a rate or
//! time, or counts sizes.

mod arrange;
mod assemble;
mod columns;
mod context;
mod fio;
mod frames;
mod histograms;
mod histograms_json;
mod layout;
mod lines;
mod sizes;
mod table;
mod terse;
mod tiotest;
mod units;

pub use arrange::Arrangement;
pub use assemble::{ResultAxis, ResultBase, ResultDimension, ResultRun, ResultSet, ResultTable};
pub use fio::LatencyDistribution;
pub use layout::{JOINT, ResultLayout, layout};
pub use table::{FoundRow, FoundTable, NamedValue};

use crate::counters;
use crate::notes::bench::{self, BenchValue};
use crate::notes::{self};
use assemble::Piece;
use table::plain;

/// Bytes read of a file.
pub const MOST_BYTES: usize = 8 << 20;
/// Rows kept per file.
pub const MOST_ROWS: usize = 2000;

/// A text that may contain results.
#[derive(Clone, Copy, Debug)]
pub struct ResultText<'a> {
    /// Path.
    pub file: &'a str,
    /// Its first bytes.
    pub bytes: &'a [u8],
}

/// All results in some texts, in tables of runs that can be compared.
pub fn read(texts: &[ResultText]) -> ResultSet {
    let mut pieces = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        pieces.extend(pieces_of(at, text));
    }
    let files: Vec<&str> = texts.iter().map(|t| t.file).collect();
    assemble::assemble(&files, pieces)
}

fn pieces_of(at: usize, text: &ResultText) -> Vec<Piece> {
    let bytes = &text.bytes[..text.bytes.len().min(MOST_BYTES)];
    if bytes[..bytes.len().min(4096)].contains(&0) {
        return Vec::new();
    }
    let words = String::from_utf8_lossy(bytes);
    let words = words.trim_start_matches('\u{feff}');
    // Rows of counters are no results.
    let counted = counters::tool(bytes).map(|_| counters::without(words));
    let words = counted.as_deref().unwrap_or(words);
    let piece = |tool: &'static str, row: FoundRow| Piece {
        tool,
        file: at,
        line: None,
        row,
        distributions: Vec::new(),
    };
    let of_fio = fio::read(words);
    if !of_fio.is_empty() {
        let own = |group: fio::FioGroup| Piece {
            distributions: group.distributions,
            ..piece("fio", group.row)
        };
        return of_fio.into_iter().take(MOST_ROWS).map(own).collect();
    }
    let (mut histograms, rest) = histograms_json::read(words);
    let (plain, rest) = histograms::read(&rest);
    let words = rest.as_str();
    histograms.extend(plain);
    let values = notes::read(text.file, bytes).into_values();
    let of = |tool: &str| {
        values
            .iter()
            .filter(|v| v.tool == tool)
            .cloned()
            .collect::<Vec<BenchValue>>()
    };
    let mut pieces: Vec<Piece> = Vec::new();
    for histogram in histograms {
        let distributions = histogram.distribution().into_iter().collect();
        pieces.push(Piece {
            distributions,
            ..piece(histogram.tool, histogram.row())
        });
    }
    let dd = bench::figures(&of("dd"));
    if !dd.is_empty() {
        pieces.push(piece(
            "dd",
            FoundRow {
                dimensions: Vec::new(),
                figures: dd,
            },
        ));
    }
    let tiobench = of("tiobench");
    pieces.extend(
        tiobench
            .iter()
            .filter_map(tiobench_row)
            .map(|row| piece("tiobench", row)),
    );
    if tiobench.is_empty() {
        for table in tables(words) {
            let (tool, line) = (table.tool, Some(table.line));
            pieces.extend(table.rows.into_iter().map(|row| Piece {
                line,
                ..piece(tool, row)
            }));
        }
    }
    pieces.truncate(MOST_ROWS);
    pieces
}

/// `read.t4.rate` of a kernel.
fn tiobench_row(value: &BenchValue) -> Option<FoundRow> {
    let mut parts = value.what.split('.');
    let (operation, threads, metric) = (
        parts.next()?,
        parts.next()?.strip_prefix('t')?,
        parts.next()?,
    );
    let name = match metric {
        "rate" => "rate",
        "lat_mean" => "mean latency",
        _ => "max latency",
    };
    let good = if value.unit == "ns" {
        notes::Good::Less
    } else {
        notes::Good::More
    };
    let mut dimensions: Vec<NamedValue> = value
        .of
        .as_deref()
        .map(|of| NamedValue::new("kernel", of))
        .into_iter()
        .collect();
    dimensions.extend([
        NamedValue::new("operation", &operation.replace('_', " ")),
        NamedValue::new("threads", threads),
    ]);
    Some(FoundRow {
        dimensions,
        figures: vec![plain("tiobench", name, value.unit, Some(good), value.value)],
    })
}

/// The tables of a text, in its order; copies of a table, as mails quote them, once.
pub fn tables(text: &str) -> Vec<FoundTable> {
    let lines = lines::lines(text);
    let mut found: Vec<FoundTable> = Vec::new();
    let (mut at, mut floor, mut rows) = (0, 0, 0);
    while at < lines.len() && rows < MOST_ROWS {
        let line = &lines[at];
        // dd's lines end with a rate too; bare lines of a trace are no table.
        if line.is_blank() || line.text.contains(" copied, ") {
            at += 1;
            continue;
        }
        let (table, end) = match tiotest::read(&lines, floor, at) {
            Some((table, end)) => (Some(table), end),
            None => match frames::read(&lines, floor, at) {
                Some((table, end)) => (table, end),
                None => {
                    let found =
                        sizes::read(&lines, floor, at).or_else(|| columns::read(&lines, floor, at));
                    found.map_or((None, at + 1), |(table, end)| (Some(table), end))
                }
            },
        };
        if let Some(table) = table {
            rows += table.rows.len();
            floor = end.max(at + 1).min(lines.len());
            if !found
                .iter()
                .any(|known| table.rows.iter().all(|row| known.rows.contains(row)))
            {
                found.push(table);
            }
        }
        at = end.max(at + 1);
    }
    found
}

#[cfg(test)]
mod mails;
#[cfg(test)]
mod tests;
