//! The figures of runs that benchmarks measured: what the application saw. `seekscope-texts` reads
//! the texts; here their values are checked and get their keys.

use super::fact::cut;
use super::{Fact, FactValue};
use seekscope_trace::limits::MAX_EXACT;
use seekscope_trace::protocol::serialize_as_word;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;

/// Limit for the figures of a run.
const MAX_FIGURES: usize = 200;
/// Values that the figures of a run are made of: each is compared with all others.
const MAX_VALUES: usize = 4 * MAX_FIGURES;
/// Limit for the length of all job names together.
const MAX_LENGTH: usize = 60;
/// Programs and headings kept of a text, or of a value.
const MAX_NAMES: usize = 16;
/// Processes that a value can be of.
const MAX_PROCESSES: u32 = 10_000;
/// Stands in keys for the program, for tables that do not name one.
pub const TABLE: &str = "table";

/// The direction in which a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Good {
    /// A larger value is better, as of throughput.
    More,
    /// A smaller value is better, as of time.
    Less,
}

/// The units of figures of benchmarks; texts have them with other scales.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BenchUnit {
    BytesPerSecond,
    PerSecond,
    Nanoseconds,
    Bytes,
    /// A share of 1, not of 100.
    Share,
    /// A count, or a number whose unit the text does not say.
    #[default]
    None,
}

serialize_as_word!(BenchUnit, name);

impl<'de> Deserialize<'de> for BenchUnit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BenchUnit, D::Error> {
        use BenchUnit::{Bytes, BytesPerSecond, Nanoseconds, None, PerSecond, Share};
        let all = [BytesPerSecond, PerSecond, Nanoseconds, Bytes, Share, None];
        let word = Cow::<str>::deserialize(deserializer)?;
        let unit = all.into_iter().find(|unit| unit.name() == word);
        unit.ok_or_else(|| D::Error::custom(format!("{word:?} is no unit of a benchmark")))
    }
}

impl BenchUnit {
    /// Whether it is an amount or a number per second.
    pub fn is_rate(self) -> bool {
        matches!(self, BenchUnit::BytesPerSecond | BenchUnit::PerSecond)
    }

    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            BenchUnit::BytesPerSecond => "bytes/s",
            BenchUnit::PerSecond => "1/s",
            BenchUnit::Nanoseconds => "ns",
            BenchUnit::Bytes => "bytes",
            BenchUnit::Share => "share",
            BenchUnit::None => "",
        }
    }

    /// More throughput and less time are better; of other units neither direction is.
    pub fn good(self) -> Option<Good> {
        match self {
            BenchUnit::BytesPerSecond | BenchUnit::PerSecond => Some(Good::More),
            BenchUnit::Nanoseconds => Some(Good::Less),
            BenchUnit::Bytes | BenchUnit::Share | BenchUnit::None => None,
        }
    }

    /// Rates and times: runs next to a trace are compared by them.
    pub fn is_rate_or_time(self) -> bool {
        use BenchUnit::{BytesPerSecond, Nanoseconds, PerSecond};
        matches!(self, BytesPerSecond | PerSecond | Nanoseconds)
    }
}

/// A figure of a run, measured by a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchFigure {
    /// Stable, to compare runs by: `bench.fio.write.bw`, `bench.tiotest.write.threads-4.rate`.
    pub key: String,
    /// The name that people see.
    pub label: String,
    pub unit: BenchUnit,
    /// `None`: a difference is a change, neither better nor worse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<Good>,
    pub value: f64,
    /// The standard deviation, if the figure is a mean and the text prints one beside it. The text
    /// does not show how many values it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// The place in a text that has the figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<FigurePlace>,
}

/// The line of a text that has a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigurePlace {
    pub file: String,
    /// Number of the line, from 1.
    pub line: u32,
    /// Characters of the line, in UTF-16, from 1; the second one is behind the figure.
    pub columns: [u32; 2],
    /// Index of the line in the text as it is shown, which is another one where the file is
    /// encoded. Only the reader of texts needs it: documents have `line`.
    #[serde(skip)]
    pub shown: u32,
}

/// The outputs of benchmarks in a note, as the reader of texts hands them over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NoteOutputs {
    /// The programs that printed them, in the order of the text; [`TABLE`].
    pub tools: Vec<String>,
    /// The statements of the text, for people.
    pub facts: Vec<Fact>,
    pub values: Vec<BenchValue>,
}

/// A figure in a text, before it is assigned to a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchValue {
    /// The program, as keys and labels name it.
    pub tool: String,
    /// Number of the output in its text: those of two outputs are two values, also if all else is
    /// equal.
    pub output: u32,
    /// What was measured, by its own word: a kernel in a row of tiobench.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Headings above it, the outermost first. They may name a run, or a part of one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// One of several things that were measured at once: a job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The sum over parts that ran together.
    #[serde(default)]
    pub is_sum: bool,
    /// Processes that a rate of dd is of; 0 for others.
    #[serde(default)]
    pub processes: u32,
    /// The last part of the key.
    pub what: String,
    /// The last part of the label: the same in words.
    pub words: String,
    pub unit: BenchUnit,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<Good>,
    pub value: f64,
}

impl NoteOutputs {
    /// The same within the bounds of notes, without what is no figure: it comes from another
    /// module.
    pub(super) fn bounded(mut self, most: usize) -> NoteOutputs {
        let is_number = |n: f64| n.is_finite() && n.abs() <= MAX_EXACT as f64;
        self.tools.truncate(MAX_NAMES);
        self.tools = self.tools.iter().map(|tool| key(tool)).collect();
        self.facts
            .retain(|fact| !matches!(fact.value, FactValue::Number(n) if !is_number(n)));
        self.facts.truncate(most);
        self.facts = self.facts.into_iter().map(Fact::bounded).collect();
        self.values
            .retain(|value| is_number(value.value) && value.unit.is_rate_or_time());
        self.values.truncate(most);
        self.values.iter_mut().for_each(BenchValue::bound);
        self
    }
}

impl BenchValue {
    fn bound(&mut self) {
        self.tool = key(&self.tool);
        self.what = key(&self.what);
        self.words = cut(&self.words);
        self.processes = self.processes.min(MAX_PROCESSES);
        self.headings.truncate(MAX_NAMES);
        for name in self
            .headings
            .iter_mut()
            .chain(&mut self.run)
            .chain(&mut self.part)
        {
            *name = cut(name);
        }
    }

    fn is_same_figure(&self, other: &BenchValue) -> bool {
        self.tool == other.tool && self.what == other.what
    }

    /// The part of the name that distinguishes it from other values of the same figure.
    fn name(&self, shared: &[String]) -> Option<String> {
        let unshared = self.headings.iter().filter(|name| !shared.contains(name));
        let names: Vec<&str> = self
            .run
            .iter()
            .chain(unshared)
            .chain(&self.part)
            .map(String::as_str)
            .collect();
        (!names.is_empty()).then(|| names.join(" "))
    }

    fn figure(&self, name: Option<&str>) -> BenchFigure {
        let key = match name {
            Some(name) => format!("bench.{}.{}.{}", self.tool, slug(name), self.what),
            None => format!("bench.{}.{}", self.tool, self.what),
        };
        let tool = if self.tool == TABLE { "" } else { &self.tool };
        let label = [tool, name.unwrap_or(""), &self.words]
            .into_iter()
            .filter(|w| !w.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        BenchFigure {
            key,
            label,
            unit: self.unit,
            good: self.good,
            value: self.value,
            deviation: None,
            place: None,
        }
    }
}

/// Names of fio's jobs; `None` if they are too long.
pub fn jobs_of_fio(values: &[BenchValue]) -> Option<String> {
    let mut names: Vec<&str> = values
        .iter()
        .filter(|value| value.tool == "fio" && !value.is_sum)
        .filter_map(|value| value.part.as_deref())
        .collect();
    names.dedup();
    (!names.is_empty())
        .then(|| names.join("+"))
        .filter(|jobs| jobs.len() <= MAX_LENGTH)
}

/// The figures of one run. A single one of a kind needs no name; several have their names, and the
/// sum of what ran together has none. Nothing is added here.
pub fn figures(values: &[BenchValue]) -> Vec<BenchFigure> {
    let mut unlike: Vec<&BenchValue> = Vec::new();
    for value in values {
        // A copy of a text adds nothing.
        if unlike.len() < MAX_VALUES && !unlike.contains(&value) {
            unlike.push(value);
        }
    }
    let mut found: Vec<BenchFigure> = Vec::new();
    for (i, first) in unlike.iter().enumerate() {
        if unlike[..i].iter().any(|other| other.is_same_figure(first)) {
            continue;
        }
        let kin: Vec<&BenchValue> = unlike
            .iter()
            .filter(|other| other.is_same_figure(first))
            .copied()
            .collect();
        let of_tool = unlike.iter().filter(|other| other.tool == first.tool);
        add_figures(&kin, &shared_headings(of_tool.copied()), &mut found);
        if found.len() >= MAX_FIGURES {
            found.truncate(MAX_FIGURES);
            break;
        }
    }
    found
}

/// Adds the values of one figure: the only one, or the sum and each by its name.
fn add_figures(kin: &[&BenchValue], shared: &[String], found: &mut Vec<BenchFigure>) {
    if let [only] = kin {
        return found.push(only.figure(None));
    }
    let sums = kin.iter().filter(|value| value.is_sum);
    // Two sums are of two outputs, and neither of them stands for the run.
    let sum = sums.clone().next().filter(|_| sums.count() == 1);
    if let Some(sum) = sum {
        let figure = sum.figure(None);
        found.push(BenchFigure {
            label: format!("{}, sum", figure.label),
            ..figure
        });
    }
    let names: Vec<Option<String>> = kin.iter().map(|value| value.name(shared)).collect();
    let are_sums = kin.iter().all(|value| value.is_sum);
    for (n, (value, name)) in kin.iter().zip(&names).enumerate() {
        if value.is_sum && !are_sums {
            continue;
        }
        let is_twice = names.iter().filter(|other| *other == name).count() > 1;
        let name = match name {
            Some(name) if !is_twice => name.clone(),
            Some(name) => format!("{name} {}", n + 1),
            None => (n + 1).to_string(),
        };
        found.push(value.figure(Some(&name)));
    }
}

/// Headings above all values: they distinguish none of them.
fn shared_headings<'a>(mut values: impl Iterator<Item = &'a BenchValue>) -> Vec<String> {
    let mut shared = values
        .next()
        .map_or(Vec::new(), |first| first.headings.clone());
    for value in values {
        shared.retain(|name| value.headings.contains(name));
    }
    shared
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

/// A part of a key: what is neither a letter nor a digit nor one of `._-` is a dash.
fn key(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    cut(text)
        .chars()
        .map(|c| if plain(c) { c } else { '-' })
        .collect()
}
