//! Outputs of benchmarks in texts beside a trace: the same readers as for texts without one, but
//! there the figures join the run that was recorded, and no table.
//!
//! Each figure keeps its key. Parameters of the workload become part of it, so that 4 threads are
//! never compared with 8; headings and jobs only distinguish figures where a run has several.

use crate::observation::{NamedValue, Observation, capitalized, slug};
use crate::readers::fio;
use crate::recognise::{self, Block, Content};
use crate::transport;
use seekscope_notes::bench::TABLE;
use seekscope_notes::{BenchValue, Fact, MAX_BYTES, MAX_FACTS, Note, NoteOutputs, unread_notes};
use seekscope_trace::sorting::set_of;
use std::collections::{BTreeMap, BTreeSet};

/// Dimensions whose values say by themselves what was measured.
const OPERATIONS: [&str; 3] = ["op", "operation", "test"];
/// Dimensions of things that one program measured at once.
const PARTS: [&str; 5] = ["job", "host", "group", "client", "report"];

/// Reads the texts next to traces, with their paths: facts of the machine, and outputs of
/// benchmarks.
pub fn read_notes(texts: &[(&str, &[u8])]) -> Vec<Note> {
    let mut notes: Vec<Note> = texts
        .iter()
        .map(|(path, bytes)| seekscope_notes::read(path, bytes))
        .collect();
    let found: Vec<(usize, NoteOutputs)> = unread_notes(&notes)
        .into_iter()
        .map(|unread| {
            let (path, bytes) = texts[unread.index];
            let bytes = unread.text.map_or(bytes, str::as_bytes);
            (unread.index, outputs(path, bytes))
        })
        .collect();
    for (index, outputs) in found {
        notes[index].add_outputs(outputs);
    }
    notes
}

/// The outputs of benchmarks in the text at a path; counters and totals are none.
pub fn outputs(path: &str, bytes: &[u8]) -> NoteOutputs {
    let mut found = NoteOutputs::default();
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    let Some(shown) = transport::read(bytes) else {
        return found;
    };
    let mut facts: Vec<(&str, Vec<Fact>)> = Vec::new();
    for block in &recognise::blocks(path, &shown) {
        let read = OutputFigures::new(block);
        let Some(read) = read.filter(|_| found.values.len() < MAX_FACTS) else {
            continue;
        };
        let values = read.values(facts.len() as u32);
        if values.is_empty() {
            continue;
        }
        facts.push((read.tool, read.facts(&values)));
        found.values.extend(values);
        if found.tools.iter().all(|tool| tool != read.tool) {
            found.tools.push(read.tool.to_owned());
        }
    }
    found.values.truncate(MAX_FACTS);
    found.facts = numbered(facts);
    found.facts.truncate(MAX_FACTS);
    found
}

/// The facts of all outputs, by their programs. Those without a subject get a number where a
/// program printed several outputs.
fn numbered(outputs: Vec<(&str, Vec<Fact>)>) -> Vec<Fact> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (tool, _) in &outputs {
        *counts.entry(tool).or_default() += 1;
    }
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (tool, facts) in outputs {
        let number = numbers.entry(tool).or_default();
        *number += 1;
        let subject = (counts[tool] > 1).then(|| format!("{tool} {number}"));
        all.extend(facts.into_iter().map(|fact| match (&fact.of, &subject) {
            (None, Some(subject)) => fact.about(Some(subject)),
            _ => fact,
        }));
    }
    all
}

/// The figures of one block.
struct OutputFigures<'a> {
    tool: &'static str,
    observations: Vec<&'a Observation>,
    headings: Vec<String>,
    /// Name of the dimension whose values are runs.
    side: Option<&'a str>,
    facts: &'a [NamedValue],
    remarks: &'a [Fact],
    processes: u32,
}

impl<'a> OutputFigures<'a> {
    fn new(block: &'a Block) -> Option<OutputFigures<'a>> {
        let mut figures = match &block.content {
            Content::Output(output) if output.is_counter => return None,
            Content::Output(output) => OutputFigures {
                tool: output.tool,
                observations: output.observations.iter().chain(&output.sums).collect(),
                headings: Vec::new(),
                side: output.side,
                // How much a `dd` copied is among its remarks.
                facts: match output.processes {
                    0 => &output.facts,
                    _ => &[],
                },
                remarks: &output.remarks,
                processes: output.processes,
            },
            Content::Table(table) => OutputFigures {
                tool: TABLE,
                observations: table.observations.iter().collect(),
                headings: Vec::new(),
                side: table.side.as_deref(),
                facts: &[],
                remarks: &[],
                processes: 0,
            },
        };
        let headings = block.context.headings.iter();
        let mut headings: Vec<&str> = headings.map(|heading| heading.label.as_str()).collect();
        if headings.is_empty() {
            headings.extend(block.above.first().map(|(_, label)| label.as_str()));
        }
        figures.headings = headings
            .iter()
            .map(|label| label.trim_matches(['=', ' ']))
            .map(|label| bare_heading(label, figures.tool).to_owned())
            .collect();
        // It says the same as the rate.
        figures
            .observations
            .retain(|o| figures.tool != "dd" || !o.metric.key.ends_with("time"));
        figures.keep_compared();
        Some(figures)
    }

    /// Leaves out what is neither a rate nor a time, and intervals of a measurement. The trace has
    /// the distribution of times: deviations are left out, where the 99th percentile is printed the
    /// others and the maximum, and where the time of completion is printed, the total.
    fn keep_compared(&mut self) {
        let is_interval = |o: &Observation| {
            let name = o.repeat.as_deref().unwrap_or("");
            name.starts_with("interval ") || name.ends_with(" ms")
        };
        self.observations
            .retain(|o| o.metric.unit.is_rate_or_time() && !is_interval(o));
        let keys: BTreeSet<&str> = set_of(self.observations.iter().map(|o| o.metric.key.as_str()));
        self.observations.retain(|o| {
            let key = &o.metric.key;
            let of_completion = key.replace(".slat_", ".lat_").replace(".lat_", ".clat_");
            !key.ends_with("stdev") && (of_completion == *key || !keys.contains(&*of_completion))
        });
        let quantity = |o: &'a Observation| {
            let key = o.metric.key.as_str();
            key.rsplit_once(['.', '_']).unwrap_or(("", key))
        };
        let with_p99: BTreeSet<&str> = set_of(
            self.observations
                .iter()
                .map(|o| quantity(o))
                .filter(|(_, statistic)| *statistic == "p99")
                .map(|(name, _)| name),
        );
        self.observations.retain(|o| {
            let (name, statistic) = quantity(o);
            let percent = statistic.strip_prefix('p').unwrap_or("");
            let is_percentile = !percent.is_empty() && percent.bytes().all(|b| b.is_ascii_digit());
            let is_other = is_percentile && percent != "99" || matches!(statistic, "max" | "min");
            !(is_other && with_p99.contains(name))
        });
    }

    /// The value of a dimension: of the figure, or of the complete output.
    fn dimension(&self, o: &'a Observation, name: &str) -> Option<&'a str> {
        let all = o.dimensions.iter().chain(self.facts);
        all.clone()
            .find(|dimension| dimension.name == name)
            .map(|dimension| dimension.value.as_str())
    }

    /// The values of the output of this number.
    fn values(&self, output: u32) -> Vec<BenchValue> {
        let mut values = Vec::with_capacity(self.observations.len());
        for o in &self.observations {
            let params = o.dimensions.iter().filter(|d| self.is_parameter(&d.name));
            let (operations, others): (Vec<_>, Vec<_>) =
                params.partition(|d| OPERATIONS.contains(&d.name.as_str()));
            let params = || operations.iter().chain(&others).copied();
            let what: Vec<String> = params().map(param_key).collect();
            let words: Vec<String> = params().map(param_words).collect();
            let job = self.dimension(o, "job");
            let is_sum = job.is_some_and(fio::is_sum);
            let parts: Vec<&str> = PARTS
                .iter()
                .filter_map(|name| match *name {
                    "job" => job.filter(|_| !is_sum),
                    _ => o
                        .dimensions
                        .iter()
                        .find(|d| d.name == *name)
                        .map(|d| d.value.as_str()),
                })
                .chain(o.repeat.as_deref())
                .collect();
            let words = words.join(", ");
            let (key, label) = figure_names(self.tool, o);
            values.push(BenchValue {
                tool: self.tool.to_owned(),
                output,
                run: self
                    .side
                    .and_then(|side| self.dimension(o, side))
                    .map(str::to_owned),
                headings: self.headings.clone(),
                part: Some(parts.join(" ")).filter(|part| !part.is_empty()),
                is_sum,
                processes: if o.metric.key.ends_with("rate") {
                    self.processes
                } else {
                    0
                },
                what: joined([what.join("."), key.to_owned()], "."),
                words: joined([words, label.to_owned()], ": "),
                unit: o.metric.unit,
                good: o.metric.good,
                value: o.value,
            });
        }
        values
    }

    /// Whether values of a dimension are of the workload, and not names of what ran. The options of
    /// fio are told by the names of its jobs.
    fn is_parameter(&self, name: &str) -> bool {
        let is_option = self.tool == "fio" && fio::OPTIONS.iter().any(|(key, _)| *key == name);
        Some(name) != self.side && !PARTS.contains(&name) && !is_option
    }

    /// The statements of an output, for people.
    fn facts(&self, values: &[BenchValue]) -> Vec<Fact> {
        let mut facts = Vec::new();
        for NamedValue { name, value } in self.facts {
            let of_job = fio::OPTIONS.iter().any(|(key, _)| key == name);
            if name == self.tool {
                facts.push(Fact::text(format!("{name}_version"), "Version", value));
            } else if !(self.tool == "fio" && (of_job || name == "job")) {
                facts.push(Fact::text(slug(name), capitalized(name), value));
            }
        }
        let heading = Some(self.headings.join(", "));
        let common = self.remarks.iter().filter(|fact| fact.of.is_none());
        facts.extend(common.map(|fact| fact.clone().about(heading.as_deref())));
        let mut subjects = BTreeSet::new();
        for (value, o) in values.iter().zip(&self.observations) {
            let subject = subject(value);
            let owner = Some(subject.as_str());
            if subjects.insert(subject.clone()) {
                for (key, name) in fio::OPTIONS.iter().filter(|_| self.tool == "fio") {
                    if let Some(text) = self.dimension(o, key) {
                        facts.push(Fact::text(*key, *name, text).about(owner));
                    }
                }
                let remarks = self.remarks.iter().filter(|fact| fact.of.is_some());
                facts.extend(remarks.filter(|fact| fact.of == value.part).cloned());
            }
            let (key, label) = figure_names(self.tool, o);
            let (key, name) = (key.replace('.', "_"), capitalized(label));
            facts.push(Fact::number(key, name, value.value, o.metric.unit.name()).about(owner));
        }
        facts
    }
}

/// The heading without the name of the program, which figures have already.
fn bare_heading<'a>(label: &'a str, tool: &str) -> &'a str {
    let rest = label.strip_prefix(tool).unwrap_or(label);
    rest.strip_prefix(' ').unwrap_or(label)
}

/// Key and label of a figure. dd does not say what it did: `copy` says nothing.
fn figure_names<'a>(tool: &str, o: &'a Observation) -> (&'a str, &'a str) {
    let (key, label) = (o.metric.key.as_str(), o.metric.label.as_str());
    match tool {
        "dd" => (
            key.strip_prefix("copy.").unwrap_or(key),
            label.strip_prefix("copy ").unwrap_or(label),
        ),
        _ => (key, label),
    }
}

/// The name of the part of a run that a value is of.
fn subject(value: &BenchValue) -> String {
    let params = value.words.rsplit_once(": ").map(|(params, _)| params);
    let names = value.run.iter().chain(&value.headings).chain(&value.part);
    let all: Vec<&str> = names.map(String::as_str).chain(params).collect();
    all.join(", ")
}

/// The value as a part of a key: `write`, `threads-4`.
fn param_key(NamedValue { name, value }: &NamedValue) -> String {
    match OPERATIONS.contains(&name.as_str()) {
        true => slug(value),
        false => format!("{}-{}", slug(name), slug(value)),
    }
}

/// The value as words: `random write`, `threads 4`.
fn param_words(NamedValue { name, value }: &NamedValue) -> String {
    match OPERATIONS.contains(&name.as_str()) {
        true => value.clone(),
        false => format!("{name} {value}"),
    }
}

fn joined(parts: [String; 2], mark: &str) -> String {
    let filled: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    filled.join(mark)
}
