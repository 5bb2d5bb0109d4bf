//! Rows of all files in tables of comparable runs: which dimensions differ, and which of them are
//! rows and columns.

use super::fio::LatencyDistribution;
use super::layout::layout;
use super::table::{FoundRow, NamedValue};
use crate::notes::BenchFigure;
use crate::notes::labels::{self, Labels, RunNames};
use crate::sorting::SortShort;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Tables of all files.
const MOST_TABLES: usize = 64;

/// A row of a file.
pub struct Piece {
    pub tool: &'static str,
    pub file: usize,
    pub line: Option<usize>,
    pub row: FoundRow,
    pub distributions: Vec<LatencyDistribution>,
}

/// Results without traces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultSet {
    pub tables: Vec<ResultTable>,
}

/// Runs that were measured in the same way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultTable {
    /// The program, and what was measured.
    pub title: String,
    /// `table`, `fio`, `dd`, `tiotest`, `tiobench`, `biolatency`, `bpftrace`.
    pub tool: String,
    /// Files with its runs.
    pub files: Vec<String>,
    /// The same in all runs.
    pub common: Vec<NamedValue>,
    /// Names of metrics that are 0 in all runs, which have none of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zero: Vec<String>,
    /// Those in which runs differ.
    pub dimensions: Vec<ResultDimension>,
    /// Runs with the same values are repeats.
    pub runs: Vec<ResultRun>,
    /// Keys of dimensions.
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    /// With what runs are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<ResultBase>,
    /// By what the text tells its sides apart, in words: `by the headings`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

/// A dimension in which runs differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultDimension {
    pub key: String,
    pub name: String,
}

/// A run without a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRun {
    pub label: String,
    pub file: String,
    /// Of its table in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// By dimension; empty if it has none.
    pub values: Vec<String>,
    pub figures: Vec<BenchFigure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<LatencyDistribution>,
}

/// Which side of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultAxis {
    Row,
    Column,
}

/// The line of a matrix with which others are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultBase {
    pub axis: ResultAxis,
    /// Its values, joined by U+0001.
    pub key: String,
}

pub fn assemble(files: &[&str], pieces: Vec<Piece>) -> ResultSet {
    let mut families: Vec<(String, Vec<Piece>)> = Vec::new();
    for piece in pieces {
        let family = family(&piece);
        match families.iter().position(|(known, _)| *known == family) {
            Some(i) => families[i].1.push(piece),
            None if families.len() < MOST_TABLES => families.push((family, vec![piece])),
            None => {}
        }
    }
    ResultSet {
        tables: families
            .into_iter()
            .map(|(_, pieces)| table(files, pieces))
            .collect(),
    }
}

/// Rows of one tool with the same dimensions and, in tables, the same metrics can be compared.
fn family(piece: &Piece) -> String {
    if piece.line.is_none() {
        return piece.tool.to_owned();
    }
    let keys: BTreeSet<String> = piece.row.dimensions.iter().map(NamedValue::key).collect();
    // tiotest may lack latencies.
    let own = piece.row.figures.iter().filter(|_| piece.tool == "table");
    let figures: BTreeSet<&str> = own.map(|f| f.key.as_str()).collect();
    format!("{} {keys:?} {figures:?}", piece.tool)
}

fn table(files: &[&str], mut pieces: Vec<Piece>) -> ResultTable {
    merge(&mut pieces);
    number_tables(&mut pieces);
    let used: Vec<usize> = pieces
        .iter()
        .map(|p| p.file)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let labels = file_labels(files, &used);
    let mut dimensions: Vec<ResultDimension> = Vec::new();
    let mut columns: Vec<Vec<String>> = Vec::new();
    for (part, dimension) in labels
        .parts
        .iter()
        .enumerate()
        .filter(|(_, d)| d.key != "repeat")
    {
        let of = |piece: &Piece| {
            used.iter()
                .position(|f| *f == piece.file)
                .map(|i| labels.runs[i][part].clone())
                .unwrap_or_default()
        };
        let alone = dimension.key == "workload" && labels.parts.len() == 1;
        let name = if alone { "file" } else { &dimension.name };
        dimensions.push(ResultDimension {
            key: dimension.key.clone(),
            name: name.to_owned(),
        });
        let values: Vec<String> = pieces.iter().map(of).collect();
        // `fio` next to `fio-new`: the common word is all that one of them has.
        let short = alone && values.iter().any(String::is_empty);
        columns.push(if short {
            pieces
                .iter()
                .map(|piece| stem(files[piece.file]).to_owned())
                .collect()
        } else {
            values
        });
    }
    let of_files = dimensions.len();
    for (run, piece) in pieces.iter().enumerate() {
        for named in &piece.row.dimensions {
            let key = named.key();
            let at = dimensions
                .iter()
                .position(|d| d.key == key)
                .unwrap_or_else(|| {
                    dimensions.push(ResultDimension {
                        key,
                        name: named.name.clone(),
                    });
                    columns.push(vec![String::new(); pieces.len()]);
                    dimensions.len() - 1
                });
            columns[at][run].clone_from(&named.value);
        }
    }
    let mut common = Vec::new();
    let mut kept = Vec::new();
    for (i, (dimension, values)) in dimensions.into_iter().zip(columns).enumerate() {
        if values.iter().all(|value| Some(value) == values.first()) {
            common.extend(
                values
                    .into_iter()
                    .next()
                    .filter(|v| !v.is_empty())
                    .map(|value| NamedValue {
                        name: dimension.name,
                        value,
                    }),
            );
        } else {
            kept.push((i >= of_files, dimension, values));
        }
    }
    kept.sort_short_by_key(|(_, dimension, _)| place(&dimension.key));
    let dimensions: Vec<ResultDimension> = kept
        .iter()
        .map(|(_, dimension, _)| dimension.clone())
        .collect();
    let zero = zero(&mut pieces);
    let runs: Vec<ResultRun> = pieces
        .into_iter()
        .enumerate()
        .map(|(run, piece)| {
            let values: Vec<String> = kept
                .iter()
                .map(|(_, _, values)| values[run].clone())
                .collect();
            let named: Vec<&str> = values
                .iter()
                .filter(|v| !v.is_empty())
                .map(String::as_str)
                .collect();
            let file = files[piece.file].to_owned();
            let label = if named.is_empty() {
                stem(&file).to_owned()
            } else {
                named.join(" ")
            };
            ResultRun {
                label,
                file,
                line: piece.line,
                values,
                figures: piece.row.figures,
                distributions: piece.distributions,
            }
        })
        .collect();
    let (rows, columns, base) = layout(&dimensions, &runs, true);
    ResultTable {
        title: title(&runs),
        tool: tool(&runs).to_owned(),
        files: used.iter().map(|&f| files[f].to_owned()).collect(),
        common,
        zero,
        dimensions,
        runs,
        rows,
        columns,
        base,
        evidence: String::new(),
    }
}

/// Rows of one table with the same place and other figures are one run: tiobench prints rates and
/// latencies one by one.
fn merge(pieces: &mut Vec<Piece>) {
    let mut at: BTreeMap<(usize, Option<usize>, String), usize> = BTreeMap::new();
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces.drain(..) {
        let place = (
            piece.file,
            piece.line,
            format!("{:?}", piece.row.dimensions),
        );
        let known = at.get(&place).copied().filter(|&i| {
            let own = &merged[i].row.figures;
            piece.tool == "tiobench"
                && piece
                    .row
                    .figures
                    .iter()
                    .all(|f| own.iter().all(|o| o.key != f.key))
        });
        if let Some(i) = known {
            merged[i].row.figures.extend(piece.row.figures);
        } else {
            at.insert(place, merged.len());
            merged.push(piece);
        }
    }
    *pieces = merged;
}

/// Takes metrics away that are 0 in all runs: the write columns of a test that reads.
fn zero(pieces: &mut [Piece]) -> Vec<String> {
    let mut zero: BTreeMap<String, (bool, String)> = BTreeMap::new();
    for figure in pieces.iter().flat_map(|piece| &piece.row.figures) {
        let known = zero
            .entry(figure.key.clone())
            .or_insert_with(|| (true, figure.label.clone()));
        known.0 &= figure.value == 0.0;
    }
    for piece in pieces {
        piece
            .row
            .figures
            .retain(|figure| !zero.get(&figure.key).is_some_and(|known| known.0));
    }
    zero.into_values()
        .filter(|known| known.0)
        .map(|known| known.1)
        .collect()
}

/// Tables of one file with equal dimensions were measured under conditions that only the prose
/// describes: they are no repeats.
fn number_tables(pieces: &mut [Piece]) {
    let mut tables: BTreeMap<(usize, String), BTreeSet<usize>> = BTreeMap::new();
    for piece in pieces.iter() {
        if let Some(line) = piece.line {
            tables
                .entry((piece.file, format!("{:?}", piece.row.dimensions)))
                .or_default()
                .insert(line);
        }
    }
    if tables.values().all(|lines| lines.len() < 2) {
        return;
    }
    for piece in pieces {
        if let Some(line) = piece.line {
            piece
                .row
                .dimensions
                .insert(0, NamedValue::new("table", &format!("line {line}")));
        }
    }
}

fn file_labels(files: &[&str], used: &[usize]) -> Labels {
    if used.len() < 2 {
        return Labels::default();
    }
    let names = used.iter().map(|&f| {
        let (folder, name) = files[f].rsplit_once('/').unwrap_or(("", files[f]));
        RunNames {
            label: stem(name).to_owned(),
            folder: folder.to_owned(),
            ..RunNames::default()
        }
    });
    labels::guess(&names.collect::<Vec<_>>())
}

/// `a` of `x/a.json`.
fn stem(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let end = name
        .rfind(['.'])
        .filter(|&dot| dot > 0 && !name[dot + 1..].starts_with(|c: char| c.is_ascii_digit()));
    end.map_or(name, |dot| &name[..dot])
}

fn place(key: &str) -> usize {
    [
        "kernel",
        "scheduler",
        "iosched",
        "label",
        "workload",
        "setup",
    ]
    .iter()
    .position(|known| *known == key)
    .unwrap_or(6)
}

fn tool(runs: &[ResultRun]) -> &'static str {
    let key = runs
        .first()
        .and_then(|run| run.figures.first())
        .map_or("", |f| f.key.as_str());
    ["fio", "dd", "tiotest", "tiobench", "biolatency", "bpftrace"]
        .into_iter()
        .find(|tool| key.starts_with(&format!("bench.{tool}.")))
        .unwrap_or("table")
}

fn title(runs: &[ResultRun]) -> String {
    match tool(runs) {
        "table" => {
            let mut names: Vec<&str> = Vec::new();
            for figure in runs.iter().flat_map(|run| &run.figures) {
                if !names.contains(&figure.label.as_str()) && names.len() < 4 {
                    names.push(&figure.label);
                }
            }
            names.join(", ")
        }
        tool => tool.to_owned(),
    }
}
