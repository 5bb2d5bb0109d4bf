//! Figures that a benchmark printed, as figures of the run: what the application saw.

use super::fact::cut;
use serde::{Deserialize, Serialize};

/// Figures kept per run.
const MAX_FIGURES: usize = 200;
/// Length of all job names together.
const MAX_LENGTH: usize = 60;

/// Which direction of a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Good {
    /// A larger value: throughput.
    More,
    /// A smaller value: time.
    Less,
}

/// A figure of a run, measured by a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchFigure {
    /// Stable, to compare runs by: `bench.fio.write.bw`, `bench.tiotest.random_write.t4.rate`.
    pub key: String,
    /// For people.
    pub label: String,
    /// `bytes/s`, `1/s`, `ns`.
    pub unit: String,
    /// `None`: a difference is a change, neither better nor worse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<Good>,
    pub value: f64,
    /// Its standard deviation, where it is a mean and the text prints one beside it. Of how many
    /// values is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// Where it stands in a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<FigurePlace>,
}

/// Where a figure stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigurePlace {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// Characters of the line, in UTF-16, from 1; the second one is behind the figure.
    pub columns: [u32; 2],
    /// Index of the line in the text as it is shown, which is another one where the file is encoded.
    /// Only the reader of texts needs it: documents have `line`.
    #[serde(skip)]
    pub shown: u32,
}

/// A figure in a text, before it is assigned to a run.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchValue {
    /// The program, for keys and labels.
    pub tool: &'static str,
    /// What was measured, if the text has several: a job, a file, a kernel.
    pub of: Option<String>,
    /// `of` names the complete measurement (tiobench's identifier), not a part of it.
    pub whole: bool,
    /// Figures of one set are from programs that ran together: those with the same key are added.
    pub set: Option<usize>,
    /// End of the key.
    pub what: String,
    /// The same in words.
    pub words: String,
    /// `bytes/s`, `1/s`, `ns`.
    pub unit: &'static str,
    pub value: f64,
}

impl BenchValue {
    /// More throughput is better, less time is better.
    fn good(&self) -> Good {
        if self.unit == "ns" {
            Good::Less
        } else {
            Good::More
        }
    }

    fn same_figure(&self, other: &BenchValue) -> bool {
        self.tool == other.tool && self.what == other.what
    }

    fn figure(&self, of: Option<&str>, value: f64) -> BenchFigure {
        let key = match of {
            Some(of) => format!("bench.{}.{}.{}", self.tool, slug(of), self.what),
            None => format!("bench.{}.{}", self.tool, self.what),
        };
        let tool = if self.tool == TABLE { "" } else { self.tool };
        let label = [tool, of.unwrap_or(""), &self.words]
            .into_iter()
            .filter(|w| !w.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        BenchFigure {
            key,
            label,
            unit: self.unit.to_owned(),
            good: Some(self.good()),
            value,
            deviation: None,
            place: None,
        }
    }
}

/// Names of fio's jobs; `None` if they are too long.
pub fn jobs_of_fio(values: &[BenchValue]) -> Option<String> {
    let mut names: Vec<&str> = values
        .iter()
        .filter(|s| s.tool == "fio")
        .filter_map(|s| s.of.as_deref())
        .collect();
    names.dedup();
    (!names.is_empty())
        .then(|| names.join("+"))
        .filter(|jobs| jobs.len() <= MAX_LENGTH)
}

/// In keys, for tables without a program.
pub const TABLE: &str = "table";

/// The figures of one run. A single one of a kind needs no name; several have their names, and a
/// sum without a name if they ran together.
pub fn figures(values: &[BenchValue]) -> Vec<BenchFigure> {
    let mut found: Vec<BenchFigure> = Vec::new();
    let mut add = |figure: BenchFigure| {
        if figure.value.is_finite() && found.len() < MAX_FIGURES {
            found.push(figure);
        }
    };
    let mut unlike: Vec<&BenchValue> = Vec::new();
    for one in values {
        // A copy of a text adds nothing.
        if !unlike.contains(&one) {
            unlike.push(one);
        }
    }
    for (i, first) in unlike.iter().enumerate() {
        if unlike[..i].iter().any(|other| other.same_figure(first)) {
            continue;
        }
        let kin: Vec<&BenchValue> = unlike
            .iter()
            .filter(|other| other.same_figure(first))
            .copied()
            .collect();
        if let [only] = kin.as_slice() {
            // Lines of a label and a value have the same kind.
            let of = only
                .of
                .as_deref()
                .filter(|_| only.tool == TABLE && !only.whole);
            add(only.figure(of, only.value));
            continue;
        }
        if first.set.is_some() && kin.iter().all(|other| other.set == first.set) {
            let sum = first.figure(None, kin.iter().map(|k| k.value).sum());
            add(BenchFigure {
                label: format!("{}, sum", sum.label),
                ..sum
            });
        }
        for (n, one) in kin.iter().enumerate() {
            let twice = kin.iter().filter(|other| other.of == one.of).count() > 1;
            let name = match &one.of {
                Some(of) if !twice => of.clone(),
                Some(of) => format!("{of} {}", n + 1),
                None => (n + 1).to_string(),
            };
            add(one.figure(Some(&name), one.value));
        }
    }
    found
}

/// Letters, digits and dots of a name, for a key: `dd-to-vda1`.
pub fn slug(name: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || c == '.' {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let dashed: String = cut(name).chars().map(plain).collect();
    dashed
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// Bytes per second in a unit of throughput; `None` for other units. `MB` is 10^6 and `MiB` 2^20
/// bytes.
pub fn rate_unit(unit: &str) -> Option<f64> {
    let amount = ["/s", "/sec", "ps"]
        .iter()
        .find_map(|end| unit.strip_suffix(end))?;
    Some(match amount {
        "B" | "bytes" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        _ => return None,
    })
}
