//! Histograms of latencies that tracers print: biolatency, funclatency and others of bcc and
//! libbpf-tools, iolatency of perf-tools, maps of bpftrace.
//!
//! ```text
//! disk = 'vda'  flags = Sync-Write                      biolatency -D, -F: of what
//!      usecs               : count     distribution     or nsecs, msecs
//!        128 -> 255        : 12       |****      |
//! avg = 1234 usecs, total: 14808 usecs, count: 12       of what it measured itself
//!
//!   >=(ms) .. <(ms)   : I/O      |Distribution |        iolatency
//!        0 -> 1       : 4335     |#############|         or 0 .. 1 : 4335  45.5% |###|
//!
//! @usecs[259, 0]:                                       a map whose name contains its unit
//! [64, 128)             10 |@@@      |                  K, M and G are powers of 1024
//! ```
//!
//! A histogram has only counts per bucket: percentiles are the upper bounds of the buckets in which
//! they are. Of a map whose name has no unit, the values have none.

pub mod buckets;

use super::words::{decimal, is_clock, is_omission};
use crate::line::Line;
use crate::observation::{LatencyDistribution, NamedValue};
use crate::recognise::{Cursor, Output};
use buckets::{Buckets, Form, Heading, heading};

/// Limit for the histograms of one output.
const MAX_HISTOGRAMS: usize = 400;
/// Lines before the first histogram: what is traced, and of what the histogram is.
const MAX_LEAD: usize = 12;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    if !is_lead(first) && !is_scalar(first) && heading(first).is_none() {
        return None;
    }
    let belongs = |text: &str| text.trim().is_empty() || is_lead(text) || is_scalar(text);
    let leads = (0..MAX_LEAD).find(|&i| !belongs(cursor.text(i)) || cursor.line(i).is_none())?;
    let heading = heading(cursor.text(leads))?;
    let form = heading.form;
    let mut parse = Parse {
        intervals: cursor.context.command.as_deref().is_some_and(has_interval),
        ..Parse::default()
    };
    let (mut offset, mut end) = (0, 0);
    while let Some(line) = cursor.line(offset) {
        offset += 1;
        if line.is_blank() || is_omission(line.text()) {
            parse.finish();
            continue;
        }
        if !parse.step(line, form) {
            break;
        }
        end = offset;
    }
    parse.finish();
    let named = parse.done.len() > 1;
    let repeated = parse.done.iter().any(|histogram| histogram.repeat > 1);
    let mut output = Output {
        tool: match form {
            Form::Log => "biolatency",
            Form::Range if heading.is_of_times() => "iolatency",
            Form::Range => "histogram",
            Form::Map => "bpftrace",
        },
        end: cursor.start + end,
        ..Output::default()
    };
    for histogram in parse.done {
        histogram.add(named, repeated, &mut output);
    }
    Some(output)
}

/// Lines before a histogram that belong to it.
fn is_lead(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("Tracing ") && text.contains("Ctrl-C")
        || text.starts_with("Attaching ") && text.contains("probe")
        || text.starts_with("Attached ") && text.contains("probe")
        || text == "^C"
        || is_clock(text)
        || !subjects(text).is_empty()
}

/// `disk = 'vda'`, `disk = vda  flags = Sync-Write`, `Function = b'vfs_read'`: what the next
/// histogram is of; empty for other lines.
fn subjects(text: &str) -> Vec<NamedValue> {
    if !text.contains('=') {
        return Vec::new();
    }
    let parts: Vec<&str> = text.trim().split(" = ").take(5).collect();
    let mut found = Vec::new();
    for (index, pair) in parts.windows(2).enumerate() {
        let name = match index {
            0 => pair[0],
            _ => pair[0].split_whitespace().next_back().unwrap_or(""),
        };
        // Behind the value stands the name of the next one.
        let value = match parts.get(index + 2) {
            Some(_) => pair[1]
                .trim_end()
                .rsplit_once([' ', '\t'])
                .map_or("", |(v, _)| v),
            None => pair[1],
        };
        match subject(name, value.trim()) {
            Some(subject) => found.push(subject),
            None => return Vec::new(),
        }
    }
    found
}

fn subject(name: &str, value: &str) -> Option<NamedValue> {
    let name = name.to_ascii_lowercase();
    let is_subject = matches!(
        name.as_str(),
        "disk" | "flags" | "function" | "pid" | "process name" | "operation" | "file" | "tid"
    );
    let quoted = value.strip_prefix('b').filter(|v| v.starts_with('\''));
    let value = quoted.unwrap_or(value).trim_matches(['\'', '"']);
    (is_subject && !value.is_empty() && value.len() <= 80).then(|| NamedValue::new(&name, value))
}

/// A command with a time between reports prints one histogram after the other: `biolatency 1 5`.
fn has_interval(command: &str) -> bool {
    command
        .split_whitespace()
        .rev()
        .take_while(|word| word.bytes().all(|b| b.is_ascii_digit()))
        .count()
        == 2
        && !command.ends_with(" 1")
}

pub struct Histogram {
    pub heading: Heading,
    pub dimensions: Vec<NamedValue>,
    /// Number from 1 among those with the same dimensions.
    pub repeat: usize,
    pub buckets: Buckets,
}

#[derive(Default)]
struct Parse {
    /// The subject of the next histogram.
    subject: Vec<NamedValue>,
    /// A time is before each histogram, or the command says so.
    intervals: bool,
    clocks: usize,
    open: Option<Histogram>,
    done: Vec<Histogram>,
}

impl Parse {
    /// Takes a line; false where the output ends.
    fn step(&mut self, line: &Line, form: Form) -> bool {
        let text = line.text();
        if let Some(open) = &mut self.open {
            if open.buckets.add(text, open.heading, line) {
                return true;
            }
            if open.buckets.add_average(text, open.heading, line) {
                return true;
            }
            self.finish();
        }
        if let Some(heading) = heading(text) {
            return heading.form == form && self.begin(heading, text, line);
        }
        if is_clock(text.trim()) {
            self.clocks += 1;
            self.subject
                .retain(|value| value.name != "disk" && value.name != "flags");
            return true;
        }
        let subjects = subjects(text);
        if !subjects.is_empty() {
            self.subject
                .retain(|value| subjects.iter().all(|new| new.name != value.name));
            self.subject.extend(subjects);
            return true;
        }
        // Another start of the tracer is another output.
        is_lead(text) && self.done.is_empty() || form == Form::Map && is_scalar(text)
    }

    fn begin(&mut self, heading: Heading, text: &str, line: &Line) -> bool {
        let mut dimensions = std::mem::take(&mut self.subject);
        dimensions.extend(buckets::map_names(text));
        let before = self
            .done
            .iter()
            .filter(|other| other.dimensions == dimensions)
            .count();
        if before > 0 && !self.intervals && self.clocks < 2 || self.done.len() >= MAX_HISTOGRAMS {
            return false;
        }
        self.open = Some(Histogram {
            heading,
            dimensions,
            repeat: before + 1,
            buckets: Buckets::new(line.place_of(text.trim())),
        });
        true
    }

    fn finish(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        if open.buckets.total() > 0 {
            self.done.push(open);
        }
    }
}

/// `@start: 5`, a map that is no histogram.
fn is_scalar(text: &str) -> bool {
    text.trim()
        .strip_prefix('@')
        .and_then(|map| map.split_once(": "))
        .is_some_and(|(_, value)| decimal(value.trim()).is_some())
}

impl Histogram {
    pub fn add(self, named: bool, repeated: bool, output: &mut Output) {
        let mut dimensions = self.dimensions;
        // The name of the only map is no label.
        if !named {
            dimensions.retain(|dimension| dimension.name != "map");
        }
        let flags = dimensions.iter().find(|d| d.name == "flags");
        let operation = flags.map_or("I/O", |flags| flags.value.as_str()).to_owned();
        let repeat = repeated.then(|| self.repeat.to_string());
        let first = output.observations.len();
        self.buckets.observe(self.heading, &mut output.observations);
        for observation in &mut output.observations[first..] {
            observation.dimensions = dimensions.clone();
            observation.repeat = repeat.clone();
        }
        output.distributions.push(LatencyDistribution {
            operation: format!("{operation} (upper bounds of buckets)"),
            bins: self
                .buckets
                .bins(self.heading)
                .into_iter()
                .map(|(ns, count)| (ns as f64, count))
                .collect(),
        });
    }
}

#[cfg(test)]
mod tests;
