//! The cases of `tests/reports` with their truth, and what is wrong with a result of one.

use seekscope_notes::BenchFigure;
use seekscope_notes::results::{Arrangement, ResultSet, ResultTable};
use seekscope_texts::{TextInput, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of a case: its path, the number of its argument, its content.
pub type InputFile = (String, usize, Vec<u8>);

/// What a case must give.
#[derive(Clone, Default)]
pub struct Truth {
    pub paths: Vec<String>,
    pub is_refused: bool,
    pub may_read: bool,
    pub has_extra: bool,
    /// Figures are means over the intervals of a side.
    pub is_mean: bool,
    pub rows: Vec<TruthRow>,
}

/// A figure of one side.
#[derive(Clone)]
pub struct TruthRow {
    pub side: String,
    /// Dimensions and metric, without the number of the repeat.
    pub what: String,
    /// Alternatives of class and value.
    pub values: Vec<(&'static str, f64)>,
    pub is_needed: bool,
}

/// The class of a unit, and the factor to the class's own unit.
fn unit(name: &str) -> (&'static str, f64) {
    const KIB: f64 = 1024.0;
    let name = name
        .trim()
        .to_lowercase()
        .replace(['\u{b5}', '\u{3bc}'], "u")
        .replace("/sec", "/s");
    let rate = |factor| ("rate", factor);
    match name.as_str() {
        "b/s" | "bytes/s" => rate(1.0),
        "kb/s" => rate(1e3),
        "mb/s" => rate(1e6),
        "gb/s" => rate(1e9),
        "kib/s" => rate(KIB),
        "mib/s" => rate(KIB * KIB),
        "gib/s" => rate(KIB * KIB * KIB),
        "1/s" | "iops" | "ops/s" | "tps" | "req/s" | "files/s" | "tx/s" => ("frequency", 1.0),
        "kiops" => ("frequency", 1e3),
        "ns" => ("time", 1.0),
        "us" | "usec" => ("time", 1e3),
        "ms" | "msec" => ("time", 1e6),
        "s" | "sec" => ("time", 1e9),
        "min" => ("time", 60e9),
        "share" => ("share", 1.0),
        "%" => ("share", 0.01),
        "bytes" | "b" => ("bytes", 1.0),
        "kb" => ("bytes", 1e3),
        "mb" => ("bytes", 1e6),
        "gb" => ("bytes", 1e9),
        "kib" => ("bytes", KIB),
        "mib" => ("bytes", KIB * KIB),
        "gib" => ("bytes", KIB * KIB * KIB),
        "sectors" => ("bytes", 512.0),
        _ => ("number", 1.0),
    }
}

fn truth(text: &str) -> Truth {
    let mut truth = Truth::default();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix('#') {
            let (key, value) = rest.split_once(':').unwrap_or((rest, ""));
            match key {
                "paths" => truth.paths = value.split_whitespace().map(str::to_owned).collect(),
                "expect" => truth.is_refused = value.trim().starts_with("refused"),
                "may-read" => truth.may_read = value.trim() == "yes",
                "intervals" => truth.is_mean = value.trim() == "mean",
                "extra" => truth.has_extra = value.trim() == "literal",
                _ => {}
            }
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let [side, dimensions, metric, units, value, _, need] = fields.as_slice() else {
            continue;
        };
        let Ok(value) = value.parse::<f64>() else {
            continue;
        };
        let dimensions: Vec<&str> = dimensions
            .split(';')
            .filter(|d| !d.starts_with("repeat="))
            .collect();
        truth.rows.push(TruthRow {
            side: (*side).to_owned(),
            what: format!("{} {metric}", dimensions.join(";")),
            values: units
                .split('|')
                .map(|name| {
                    let (class, factor) = unit(name);
                    (class, value * factor)
                })
                .collect(),
            is_needed: *need == "must",
        });
    }
    // A figure of one side has nothing to be compared with.
    let mut sides: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in &truth.rows {
        sides
            .entry(row.what.clone())
            .or_default()
            .insert(row.side.clone());
    }
    for row in &mut truth.rows {
        row.is_needed &= sides[&row.what].len() > 1;
    }
    truth
}

fn add_files(path: &Path, name: &str, argument: usize, found: &mut Vec<InputFile>) {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = fs::read_dir(path)
            .expect("a folder")
            .flatten()
            .map(|e| e.path())
            .collect();
        entries.sort();
        for entry in entries {
            let inner = entry
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            add_files(&entry, &format!("{name}/{inner}"), argument, found);
        }
    } else {
        found.push((name.to_owned(), argument, fs::read(path).expect("a file")));
    }
}

/// The cases, by `family/case`.
pub fn cases() -> Vec<(String, Truth, Vec<InputFile>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reports");
    let mut found = Vec::new();
    for family in fs::read_dir(root)
        .expect("the corpus")
        .flatten()
        .filter(|entry| entry.path().is_dir())
    {
        for entry in fs::read_dir(family.path()).expect("a family").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(case) = name.strip_suffix(".truth.tsv") else {
                continue;
            };
            let truth = truth(&fs::read_to_string(entry.path()).expect("a truth table"));
            let folder = family.path().join(case);
            let mut files = Vec::new();
            for (argument, path) in truth.paths.iter().enumerate() {
                add_files(&folder.join(path), path, argument, &mut files);
            }
            found.push((
                format!("{}/{case}", family.file_name().to_string_lossy()),
                truth,
                files,
            ));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

pub fn read_files(files: &[InputFile]) -> ResultSet {
    let inputs: Vec<TextInput> = files
        .iter()
        .map(|(path, argument, bytes)| TextInput {
            path,
            argument: Some(*argument),
            bytes,
        })
        .collect();
    read(&inputs)
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 0.005 * a.abs().max(b.abs()) + 1e-12
}

/// Rows of the truth that have the value of a figure.
fn rows_of<'a>(truth: &'a Truth, figure: &BenchFigure) -> Vec<&'a TruthRow> {
    let (class, factor) = unit(figure.unit.name());
    let value = figure.value * factor;
    truth
        .rows
        .iter()
        .filter(|row| {
            row.values
                .iter()
                .any(|(c, v)| *c == class && is_close(*v, value))
        })
        .collect()
}

/// Pairs of compared figures with one key; of intervals their means.
fn compared(table: &ResultTable, is_mean: bool) -> Vec<(BenchFigure, BenchFigure)> {
    let arranged = Arrangement::new(table);
    let figures = |cell: usize| -> Vec<BenchFigure> {
        let runs = arranged.cells[cell].iter();
        let all: Vec<BenchFigure> = runs
            .flat_map(|run| table.runs[*run].figures.clone())
            .collect();
        if is_mean { means(&all) } else { all }
    };
    let mut found = Vec::new();
    for (base, other) in &arranged.pairs {
        let others = figures(*other);
        for figure in figures(*base) {
            let same = others.iter().filter(|other| other.key == figure.key);
            found.extend(same.map(|other| (figure.clone(), other.clone())));
        }
    }
    found
}

/// The mean of each figure.
fn means(figures: &[BenchFigure]) -> Vec<BenchFigure> {
    let mut found: Vec<(BenchFigure, u32)> = Vec::new();
    for figure in figures {
        match found.iter_mut().find(|(sum, _)| sum.key == figure.key) {
            Some((sum, count)) => {
                *count += 1;
                sum.value += figure.value;
            }
            None => found.push((figure.clone(), 1)),
        }
    }
    let mean = |(figure, count): (BenchFigure, u32)| BenchFigure {
        value: figure.value / f64::from(count),
        ..figure
    };
    found.into_iter().map(mean).collect()
}

/// What is wrong with the result of a case; empty if nothing is.
pub fn faults(truth: &Truth, set: &ResultSet) -> Vec<String> {
    let mut faults = Vec::new();
    let pairs: Vec<(BenchFigure, BenchFigure)> = set
        .tables
        .iter()
        .flat_map(|table| compared(table, truth.is_mean))
        .collect();
    if truth.is_refused {
        if !truth.may_read && !set.tables.is_empty() {
            faults.push(format!("read as {:?}", set.tables[0].title));
        }
        faults.extend(
            pairs
                .iter()
                .map(|(a, b)| format!("compared {} {} with {}", a.label, a.value, b.value)),
        );
        return faults;
    }
    let mut right: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (a, b) in &pairs {
        let (rows, others) = (rows_of(truth, a), rows_of(truth, b));
        let matched: Vec<_> = rows
            .iter()
            .flat_map(|row| others.iter().map(move |other| (*row, *other)))
            .filter(|(row, other)| row.what == other.what)
            .collect();
        if matched.is_empty() && !rows.is_empty() && !others.is_empty() {
            faults.push(format!(
                "{} of {} is compared with {}",
                a.label, rows[0].what, others[0].what
            ));
        }
        for (row, other) in matched.iter().filter(|(row, other)| row.side != other.side) {
            right.insert((&row.side, &row.what));
            right.insert((&other.side, &other.what));
        }
    }
    for row in truth.rows.iter().filter(|row| row.is_needed) {
        if !right.contains(&(row.side.as_str(), row.what.as_str())) {
            faults.push(format!(
                "not compared: {} of {} {:?}",
                row.what, row.side, row.values
            ));
        }
    }
    if !truth.has_extra {
        for figure in set
            .tables
            .iter()
            .flat_map(|table| &table.runs)
            .flat_map(|run| &run.figures)
        {
            if rows_of(truth, figure).is_empty() {
                faults.push(format!(
                    "not in the truth: {} {} {}",
                    figure.label,
                    figure.value,
                    figure.unit.name()
                ));
            }
        }
    }
    faults
}
