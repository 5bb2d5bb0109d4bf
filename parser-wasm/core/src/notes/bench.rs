//! What the application saw: figures that a benchmark printed beside a trace, as figures of the run.

use super::fact::cut;
use serde::{Deserialize, Serialize};

/// Figures kept of one run.
const MOST_FIGURES: usize = 200;
/// Of names of jobs together.
const MOST_LETTERS: usize = 60;

/// Which way of a figure is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Good {
    /// A larger value: throughput.
    More,
    /// A smaller value: time.
    Less,
}

/// A figure of a run by the word of its benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchFigure {
    /// Stable, so that runs can be compared by it: `bench.fio.write.bw`, `bench.tiotest.random_write.t4.rate`.
    pub key: String,
    /// For people.
    pub label: String,
    /// `bytes/s`, `1/s`, `ns`.
    pub unit: String,
    /// Absent: a difference is a change, neither better nor worse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<Good>,
    /// In the unit.
    pub value: f64,
}

/// A figure as a text gives it, before it is known of which run it is.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchValue {
    /// The program, as it stands in keys and labels.
    pub tool: &'static str,
    /// What the text calls it where it tells of several: a job, a file, a kernel.
    pub of: Option<String>,
    /// `of` names what was measured as a whole (the identifier of tiobench), not a part of it.
    pub whole: bool,
    /// Figures of one set come from programs that ran together: those of one key add up.
    pub set: Option<usize>,
    /// End of the key.
    pub what: String,
    /// The same in words.
    pub words: String,
    /// `bytes/s`, `1/s`, `ns`.
    pub unit: &'static str,
    /// In the unit.
    pub value: f64,
}

impl BenchValue {
    /// Throughput is good when there is more of it, time when there is less.
    fn good(&self) -> Good {
        if self.unit == "ns" { Good::Less } else { Good::More }
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
        let label = [tool, of.unwrap_or(""), &self.words].into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
        BenchFigure { key, label, unit: self.unit.to_owned(), good: Some(self.good()), value }
    }
}

/// Names of fio's jobs, as far as a short text holds them.
pub fn jobs_of_fio(values: &[BenchValue]) -> Option<String> {
    let mut names: Vec<&str> = values.iter().filter(|s| s.tool == "fio").filter_map(|s| s.of.as_deref()).collect();
    names.dedup();
    (!names.is_empty()).then(|| names.join("+")).filter(|jobs| jobs.len() <= MOST_LETTERS)
}

/// Stands in keys for tables that name no program.
pub const TABLE: &str = "table";

/// The figures of one run of all that was said of it. One of a kind needs no name; of several each has its name, and their sum
/// stands under none if they ran together.
pub fn figures(values: &[BenchValue]) -> Vec<BenchFigure> {
    let mut found: Vec<BenchFigure> = Vec::new();
    let mut add = |figure: BenchFigure| {
        if figure.value.is_finite() && found.len() < MOST_FIGURES {
            found.push(figure);
        }
    };
    let mut unlike: Vec<&BenchValue> = Vec::new();
    for one in values {
        // A copy of a text says nothing new.
        if !unlike.contains(&one) {
            unlike.push(one);
        }
    }
    for (i, first) in unlike.iter().enumerate() {
        if unlike[..i].iter().any(|other| other.same_figure(first)) {
            continue;
        }
        let kin: Vec<&BenchValue> = unlike.iter().filter(|other| other.same_figure(first)).copied().collect();
        if let [only] = kin.as_slice() {
            // Lines of a label and a value are all of one kind.
            let of = only.of.as_deref().filter(|_| only.tool == TABLE && !only.whole);
            add(only.figure(of, only.value));
            continue;
        }
        if first.set.is_some() && kin.iter().all(|other| other.set == first.set) {
            let sum = first.figure(None, kin.iter().map(|k| k.value).sum());
            add(BenchFigure { label: format!("{}, sum", sum.label), ..sum });
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
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let dashed: String = cut(name).chars().map(plain).collect();
    dashed.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Bytes a second of a unit of throughput, absent for another unit. `MB` is 10^6 and `MiB` 2^20 bytes, as the letters say.
pub fn rate_unit(unit: &str) -> Option<f64> {
    let amount = ["/s", "/sec", "ps"].iter().find_map(|end| unit.strip_suffix(end))?;
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
