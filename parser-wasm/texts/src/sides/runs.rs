//! The runs of a table, with their figures and the places of these.

use super::{Item, ReadFile};
use crate::columns::Columns;
use crate::line::Place;
use crate::observation::Observation;
use seekscope_notes::results::{ResultDimension, ResultRun};
use seekscope_notes::{BenchFigure, BenchUnit, FigurePlace};
use std::collections::{BTreeMap, BTreeSet};

/// The runs: figures of one block with the same values.
pub fn runs(
    files: &[ReadFile],
    items: &[Item],
    columns: &[Vec<String>],
    dimensions: &[ResultDimension],
) -> Vec<ResultRun> {
    let mut found: Vec<ResultRun> = Vec::new();
    let mut run_by_key: BTreeMap<(usize, Vec<&str>, Option<&str>), usize> = BTreeMap::new();
    let mut columns_of_files: Vec<Columns> = files.iter().map(|_| Columns::default()).collect();
    for (index, item) in items.iter().enumerate() {
        let values: Vec<&str> = columns
            .iter()
            .map(|column| column[index].as_str())
            .collect();
        let file = &files[item.file];
        let mut figures: Vec<BenchFigure> = item
            .observations
            .iter()
            .map(|o| BenchFigure {
                deviation: deviation(item.deviations, o.place),
                ..figure(item.tool, file, &mut columns_of_files[item.file], o)
            })
            .collect();
        let slot = run_by_key
            .get(&(item.block, values.clone(), item.repeat.as_deref()))
            .copied();
        if let Some(run) = slot {
            let run: &mut ResultRun = &mut found[run];
            // A figure that the output has twice is kept once per run.
            figures.retain(|figure| run.figures.iter().all(|other| other.key != figure.key));
            run.figures.append(&mut figures);
            continue;
        }
        run_by_key.insert(
            (item.block, values.clone(), item.repeat.as_deref()),
            found.len(),
        );
        let named: Vec<String> = values
            .iter()
            .zip(dimensions)
            .filter(|(value, _)| !value.is_empty())
            .map(|(value, _)| (*value).to_owned())
            .collect();
        found.push(ResultRun {
            label: if named.is_empty() {
                crate::file_name::stem(file.path.rsplit('/').next().unwrap_or(file.path)).to_owned()
            } else {
                named.join(" ")
            },
            file: file.path.to_owned(),
            line: figures
                .first()
                .and_then(|figure| figure.place.as_ref())
                .map(|place| place.line as usize),
            values: values.into_iter().map(str::to_owned).collect(),
            repeat: item.repeat.clone(),
            figures,
            distributions: item.distributions.to_vec(),
        });
    }
    found
}

fn figure(
    tool: &str,
    file: &ReadFile,
    columns: &mut Columns,
    observation: &Observation,
) -> BenchFigure {
    let metric = &observation.metric;
    BenchFigure {
        key: format!("bench.{tool}.{}", metric.key),
        label: if tool == "table" {
            metric.label.clone()
        } else {
            format!("{tool} {}", metric.label)
        },
        unit: metric.unit,
        good: metric.good,
        value: observation.value,
        deviation: None,
        place: figure_place(file, columns, observation.place),
    }
}

/// Printed beside the figure at a place.
fn deviation(all: &[(Place, f64)], place: Place) -> Option<f64> {
    let index = all.binary_search_by_key(&place, |(place, _)| *place).ok()?;
    Some(all[index].1)
}

/// Keys and labels of metrics that are 0 in all runs: the write columns of a test that reads.
pub fn zero(runs: &[ResultRun]) -> Vec<(String, String)> {
    let mut zero: BTreeMap<&str, (bool, &str)> = BTreeMap::new();
    for figure in runs.iter().flat_map(|run| &run.figures) {
        let entry = zero.entry(&figure.key).or_insert((true, &figure.label));
        entry.0 &= figure.value == 0.0;
    }
    zero.into_iter()
        .filter(|(_, (zero, _))| *zero)
        .map(|(key, (_, label))| (key.to_owned(), label.to_owned()))
        .collect()
}

/// Removes the figures of a table that are 0 on all sides of the same measurement, while others of
/// it are not: those of reads where it wrote. The first dimension is that of the sides.
pub fn remove_unused(runs: &mut [ResultRun]) {
    let mut used: BTreeSet<(Vec<String>, String)> = BTreeSet::new();
    for run in runs.iter() {
        let figures = run.figures.iter().filter(|figure| figure.value != 0.0);
        used.extend(figures.map(|figure| (run.values[1..].to_vec(), figure.key.clone())));
    }
    for run in runs {
        let measured = run.values[1..].to_vec();
        // A count of errors may well be 0.
        let is_used = |figure: &BenchFigure| {
            figure.unit == BenchUnit::None || used.contains(&(measured.clone(), figure.key.clone()))
        };
        if run.figures.iter().any(is_used) {
            run.figures.retain(is_used);
        }
    }
}

/// Removes the figures of a measurement that have several units on its sides: they are of different
/// things, whatever their name is. The first dimension is that of the sides.
pub fn remove_mixed(runs: &mut [ResultRun]) {
    let mut units: BTreeMap<(Vec<String>, String), Vec<BenchUnit>> = BTreeMap::new();
    for run in runs.iter() {
        for figure in &run.figures {
            let units = units
                .entry((run.values[1..].to_vec(), figure.key.clone()))
                .or_default();
            if !units.contains(&figure.unit) {
                units.push(figure.unit);
            }
        }
    }
    units.retain(|_, units| units.len() > 1);
    if units.is_empty() {
        return;
    }
    for run in runs {
        let measured = run.values[1..].to_vec();
        run.figures
            .retain(|figure| !units.contains_key(&(measured.clone(), figure.key.clone())));
    }
}

/// Values of the dimensions but the first `skipped` ones for which all figures of all runs are 0: a
/// device that nobody used.
pub fn idle(runs: &[ResultRun], skipped: usize) -> BTreeSet<Vec<String>> {
    let mut used: BTreeMap<&[String], bool> = BTreeMap::new();
    for run in runs {
        let used = used.entry(&run.values[skipped..]).or_default();
        *used |= run.figures.iter().any(|figure| figure.value != 0.0);
    }
    // Without dimensions there is one measurement, whatever it measured.
    used.into_iter()
        .filter(|(values, used)| !used && !values.is_empty())
        .map(|(values, _)| values.to_vec())
        .collect()
}

pub fn title(tool: &str, runs: &[ResultRun]) -> String {
    if tool != "table" {
        return tool.to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    for figure in runs.iter().flat_map(|run| &run.figures) {
        if !names.contains(&figure.label.as_str()) && names.len() < 4 {
            names.push(&figure.label);
        }
    }
    names.join(", ")
}

/// The place in the file of a reader's place.
fn figure_place(file: &ReadFile, columns: &mut Columns, place: Place) -> Option<FigurePlace> {
    let line = file.shown.lines.get(place.line as usize)?;
    let mut column =
        |end: u32| line.file_column + columns.utf16(place.line, &line.text, end as usize) + 1;
    Some(FigurePlace {
        file: file.path.to_owned(),
        line: line.file_line + 1,
        columns: [column(place.start), column(place.end)],
        shown: place.line,
    })
}
