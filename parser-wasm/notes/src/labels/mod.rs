//! Dimensions of labels (kernel, scheduler, writers, ...), guessed from names and notes, to group
//! repeats.

mod date;
mod repeats;
mod titles;
mod token;
mod words;

pub use repeats::KEY as REPEAT;
pub use titles::{
    distribution_words, is_changed, is_commit, is_kernel_form, is_original, is_side_word, repeat_of,
};
pub use token::dimension_of;

use super::Setting;
use seekscope_trace::sorting::SortShort;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use token::{Token, TokenKind, tokens};

/// A run whose label is split into dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[doc(alias = "LabelSource")]
pub struct RunNames {
    pub label: String,
    /// Folders of its files, without the files: `2.6.18-193/4dds`.
    pub folder: String,
    /// The kernel that notes name.
    pub kernel: Option<String>,
    /// The scheduler that notes name.
    pub scheduler: Option<String>,
    /// Names of the benchmark's jobs.
    pub workload: Option<String>,
    /// Programs that wrote at the same time, from notes.
    pub writers: Option<u32>,
    /// The number of jobs that the benchmark names.
    pub jobs: Option<u32>,
    /// The settings that notes name: repeats of one measurement have the same.
    pub settings: Vec<Setting>,
}

/// A dimension of the labels: a column of their table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[doc(alias = "LabelDimension")]
pub struct Dimension {
    /// Stable: `kernel`, `scheduler`, `writers`, `workload`, `repeat`, `idle`.
    pub key: String,
    /// The name that people see.
    pub name: String,
}

/// Runs that repeat one measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepeatGroup {
    /// The values that all of its runs share.
    pub label: String,
    pub runs: Vec<usize>,
}

/// The labels of all runs, split into dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[doc(alias = "GuessedLabels")]
pub struct Labels {
    /// The dimensions in which the runs differ.
    pub parts: Vec<Dimension>,
    /// The value of each dimension, run by run; empty if a run has none.
    pub runs: Vec<Vec<String>>,
    /// Repeats; empty if there are none, or nothing to compare them with.
    pub groups: Vec<RepeatGroup>,
}

/// Splits the labels of all runs. What is the same in all of them is not a dimension.
pub fn guess(runs: &[RunNames]) -> Labels {
    let mut named: Vec<Vec<Token>> = runs
        .iter()
        .map(|run| tokens(&format!("{}/{}", run.folder, run.label)))
        .collect();
    let labels: Vec<&str> = runs.iter().map(|run| run.label.as_str()).collect();
    repeats::settle_brackets(&labels, &mut named);
    repeats::settle(&mut named);
    let shared = |token: &Token| named.iter().all(|tokens| tokens.contains(token));
    let mut columns = DimensionValues::default();
    for (i, tokens) in named.iter().enumerate() {
        for token in tokens.iter().filter(|token| !shared(token)) {
            columns.add(token, i, runs.len());
        }
    }
    columns.add_if_distinct("kernel", runs, |run| run.kernel.clone());
    columns.add_if_distinct("scheduler", runs, |run| run.scheduler.clone());
    columns.add_if_distinct("writers", runs, |run| run.writers.map(|n| n.to_string()));
    columns.add_if_distinct("jobs", runs, |run| run.jobs.map(|n| n.to_string()));
    columns.add_if_distinct("workload", runs, |run| run.workload.clone());
    let mut distinct: Vec<(String, Vec<String>)> = columns
        .0
        .into_iter()
        .filter(|(_, values)| differ(values))
        .collect();
    distinct.sort_short_by_key(|(key, _)| place(key));
    let parts: Vec<Dimension> = distinct
        .iter()
        .map(|(key, _)| Dimension {
            key: key.clone(),
            name: name_of(key).to_owned(),
        })
        .collect();
    let values: Vec<Vec<String>> = (0..runs.len())
        .map(|i| {
            distinct
                .iter()
                .map(|(_, values)| values[i].clone())
                .collect()
        })
        .collect();
    let groups = repeats::groups(&parts, &values, runs);
    Labels {
        parts,
        runs: values,
        groups,
    }
}

fn differ(values: &[String]) -> bool {
    values.iter().any(|value| Some(value) != values.first())
}

/// Important dimensions are first, the repeat is last.
fn place(key: &str) -> usize {
    const ORDER: [&str; 4] = ["kernel", "scheduler", "filesystem", "device"];
    const END: [&str; 7] = [
        "workload",
        "threads",
        "readers",
        "jobs",
        "writers",
        date::KEY,
        repeats::KEY,
    ];
    let begin = ORDER.iter().position(|candidate| *candidate == key);
    begin
        .or(END
            .iter()
            .position(|candidate| *candidate == key)
            .map(|i| ORDER.len() + 1 + i))
        .unwrap_or(ORDER.len())
}

fn name_of(key: &str) -> &str {
    match key {
        "qd" | "iodepth" => "queue depth",
        "bs" => "block size",
        "ra" => "readahead",
        "ll" => "low_latency",
        "number" => "number",
        key => key,
    }
}

/// The values of each dimension, run by run.
#[derive(Default)]
struct DimensionValues(BTreeMap<String, Vec<String>>);

impl DimensionValues {
    fn add(&mut self, token: &Token, run: usize, runs: usize) {
        let key = match &token.kind {
            TokenKind::Of(key) => key.clone(),
            TokenKind::Word => "workload".to_owned(),
            TokenKind::Serial(_) => "number".to_owned(),
        };
        let column = self
            .0
            .entry(key)
            .or_insert_with(|| vec![String::new(); runs]);
        if !column[run].is_empty() {
            column[run].push('-');
        }
        column[run].push_str(&token.value);
    }

    /// Values from notes fill the gaps of names: names are short, and chosen by the reader.
    fn add_if_distinct(
        &mut self,
        key: &str,
        runs: &[RunNames],
        values: impl Fn(&RunNames) -> Option<String>,
    ) {
        let values: Vec<Option<String>> = runs.iter().map(values).collect();
        let column = self
            .0
            .entry(key.to_owned())
            .or_insert_with(|| vec![String::new(); runs.len()]);
        let named = column.iter().filter(|value| !value.is_empty()).count();
        // If only some runs have names, use the notes if they cover all runs: then the values are
        // of one kind.
        if named < runs.len() && (named == 0 || key != "workload") {
            if values.iter().all(Option::is_some) || named == 0 {
                *column = values.into_iter().map(Option::unwrap_or_default).collect();
            } else {
                for (value, values) in column
                    .iter_mut()
                    .zip(values)
                    .filter(|(value, _)| value.is_empty())
                {
                    *value = values.unwrap_or_default();
                }
            }
        }
    }
}

#[cfg(test)]
mod repeats_tests;
#[cfg(test)]
mod tests;
