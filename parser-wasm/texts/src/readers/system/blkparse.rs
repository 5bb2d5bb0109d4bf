//! The totals with which blkparse closes a recording.
//!
//! ```text
//! CPU0 (sdb):
//!  Reads Queued:           2,        8KiB     Writes Queued:          26,    49200KiB
//!  ...
//! Total (sdb):                                   only with several CPUs
//!  Reads Queued:           2,        8KiB     Writes Queued:          26,    49200KiB
//!  ...
//! Throughput (R/W): 3KiB/s / 19774KiB/s
//! Events (sdb): 401 entries
//! Skips: 0 forward (0 -   0.0%)
//! ```
//!
//! With several devices the sections of each follow each other. Below the events that they count
//! they are no results of their own: whoever opens the text sees its events.

use super::words::{KIB, count};
use crate::line::{Line, Place};
use crate::observation::{Metric, NamedValue, Observation, Unit, slug};
use crate::recognise::{Cursor, Output};

/// Limit for the CPUs and devices of one output.
const MAX_SECTIONS: usize = 1024;
/// The key of the number of entries.
const EVENTS: &str = "events";

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    let section = section(first);
    if section.is_none() && throughput(first).is_none() {
        return None;
    }
    if section.is_some() && items(cursor.text(1), false).is_empty() {
        return None;
    }
    let mut parse = Parse::default();
    let (mut offset, mut end) = (0, 0);
    while let Some(line) = cursor.line(offset) {
        offset += 1;
        if line.is_blank() {
            continue;
        }
        if !parse.step(line, cursor.line(offset)) {
            break;
        }
        end = offset;
    }
    let repeats = is_printed_above(cursor, parse.events());
    Some(Output {
        tool: "blkparse",
        end: cursor.start + end,
        observations: if repeats {
            Vec::new()
        } else {
            parse.observations()
        },
        facts: parse.facts(),
        ..Output::default()
    })
}

/// Whether at least so many events are directly above; of an excerpt the totals say more.
fn is_printed_above(cursor: Cursor, events: f64) -> bool {
    let above = cursor.lines[..cursor.start].iter().rev();
    let printed = above
        .filter(|line| !line.is_blank())
        .take_while(|line| is_event(line.text()));
    events > 0.0 && printed.count() as f64 >= events
}

/// `  8,16   1        7     0.000012345  1476  Q  WS 2048 + 8 [dd]`: device, CPU, number, time.
fn is_event(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let mut next = || words.next().unwrap_or("");
    let device = next().split_once(',');
    device.is_some_and(|(major, minor)| is_number(major) && is_number(minor))
        && is_number(next())
        && is_number(next())
        && next()
            .split_once('.')
            .is_some_and(|(_, fraction)| is_number(fraction))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `CPU0 (sdb):`, `Total (8,5):`: the CPU, and the device.
fn section(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.trim().split_once(" (")?;
    let device = rest.strip_suffix("):")?;
    let cpu = name.strip_prefix("CPU").map(str::trim_start);
    let number = cpu.is_some_and(|cpu| !cpu.is_empty() && cpu.bytes().all(|b| b.is_ascii_digit()));
    (name == "Total" || number).then_some((name, device))
}

/// `Throughput (R/W): 3KiB/s / 19774KiB/s`: the words of both rates, in bytes per second.
fn throughput(text: &str) -> Option<[(&str, f64); 2]> {
    let rest = text.trim().strip_prefix("Throughput (R/W):")?;
    let (read, write) = rest.split_once(" / ")?;
    let rate = |text| {
        let text = str::trim(text);
        Some((text, bytes(text.strip_suffix("/s")?)?))
    };
    Some([rate(read)?, rate(write)?])
}

/// `49,200KiB`; with other letters where it is large.
fn bytes(text: &str) -> Option<f64> {
    let rest = text.strip_suffix("iB")?;
    let letter = rest.chars().next_back()?;
    let digits = rest.strip_suffix(letter)?;
    let power = "KMGTP".find(letter)? as i32 + 1;
    Some(count(digits)? * KIB.powi(power))
}

/// The items in a line of a section: ` Reads Queued:    2,    8KiB\t Writes Queued:   26,
/// 49200KiB`. With `is_wrapped` the last size is in the next line.
fn items(text: &str, is_wrapped: bool) -> Vec<Item<'_>> {
    let mut found: Vec<Item> = Vec::new();
    let mut name: Option<(usize, usize)> = None;
    for (start, word) in words(text) {
        let (from, _) = *name.get_or_insert((start, start));
        if let Some(last) = word.strip_suffix(':') {
            found.push(Item {
                name: &text[from..start + last.len()],
                count: None,
                size: None,
            });
            name = None;
            continue;
        }
        let Some(item) = found.last_mut() else {
            continue;
        };
        let figure = word.trim_end_matches(',');
        if item.count.is_none() {
            item.count = count(figure).map(|value| (figure, value));
        } else if item.size.is_none() {
            item.size = bytes(figure).map(|value| (figure, value));
        }
        if count(figure).is_some() || bytes(figure).is_some() {
            name = None;
        }
    }
    let is_complete = |item: &Item| item.count.is_some() && name_of(item.name).is_some();
    if !found.iter().all(is_complete) {
        return Vec::new();
    }
    // If the others have sizes, a last count without one is cut.
    let sized = found.iter().any(|item| item.size.is_some());
    if sized && !is_wrapped && found.last().is_some_and(|last| last.size.is_none()) {
        found.pop();
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.split_whitespace()
        .map(move |word| (word.as_ptr() as usize - base, word))
}

struct Item<'a> {
    name: &'a str,
    count: Option<(&'a str, f64)>,
    size: Option<(&'a str, f64)>,
}

/// The totals of a device, or of one of its CPUs.
struct Section {
    device: String,
    cpu: String,
    figures: Vec<(Metric, f64, Place)>,
}

#[derive(Default)]
struct Parse {
    sections: Vec<Section>,
    /// `Events` names the device of a throughput whose totals are cut off.
    finished: bool,
    /// The count whose size is in the next line.
    wrapped: Option<(String, String)>,
}

impl Parse {
    /// Takes a line; false where the output ends.
    fn step(&mut self, line: &Line, next: Option<&Line>) -> bool {
        let text = line.text();
        if let Some((name, device)) = section(text) {
            let again = self
                .sections
                .iter()
                .any(|other| other.device == device && other.cpu == name);
            let full = self.sections.len() >= MAX_SECTIONS;
            if again || full || next.is_none_or(|next| items(next.text(), false).is_empty()) {
                return false;
            }
            self.finished = false;
            self.sections.push(Section {
                device: device.to_owned(),
                cpu: name.to_owned(),
                figures: Vec::new(),
            });
            return true;
        }
        if let Some(rates) = throughput(text) {
            if self.finished {
                return false;
            }
            for ((word, value), operation) in rates.into_iter().zip(["read", "write"]) {
                let key = format!("{operation}.bw");
                let label = format!("{operation} throughput");
                let metric = Metric::new(key, label, Unit::BytesPerSecond);
                self.add(metric, value, line.place_of(word));
            }
            return true;
        }
        if let Some(rest) = text.trim().strip_prefix("Events (")
            && let Some((device, rest)) = rest.split_once("):")
        {
            let word = rest.split_whitespace().next().unwrap_or("");
            if let Some(value) = count(word) {
                let metric = Metric::new(EVENTS, "events", Unit::None);
                self.add(metric, value, line.place_of(word));
            }
            if let Some(section) = self.sections.last_mut().filter(|s| s.device.is_empty()) {
                section.device = device.to_owned();
            }
            self.finished = true;
            return true;
        }
        if text.trim_start().starts_with("Skips:") {
            return !self.sections.is_empty();
        }
        // Mailers break the size from its count.
        if let Some(size) = bytes(text.trim()).filter(|_| !self.sections.is_empty()) {
            if let Some((key, label)) = self.wrapped.take() {
                self.add_size(&key, &label, size, line.place_of(text.trim()));
            }
            return true;
        }
        let is_wrapped = next.is_some_and(|next| bytes(next.text().trim()).is_some());
        let found = items(text, is_wrapped);
        if found.is_empty() || self.sections.is_empty() || self.finished {
            return false;
        }
        for item in found {
            let Some((key, label)) = name_of(item.name) else {
                continue;
            };
            if let Some((word, value)) = item.count {
                let metric = Metric::new(key.clone(), label.clone(), Unit::None);
                self.add(metric, value, line.place_of(word));
            }
            match item.size {
                Some((word, value)) => self.add_size(&key, &label, value, line.place_of(word)),
                None => self.wrapped = Some((key, label)),
            }
        }
        true
    }

    fn add_size(&mut self, key: &str, label: &str, value: f64, place: Place) {
        let metric = Metric::new(format!("{key}_size"), format!("{label}, size"), Unit::Bytes);
        self.add(metric, value, place);
    }

    fn add(&mut self, metric: Metric, value: f64, place: Place) {
        if self.sections.is_empty() {
            self.sections.push(Section {
                device: String::new(),
                cpu: "Total".to_owned(),
                figures: Vec::new(),
            });
        }
        if let Some(section) = self.sections.last_mut() {
            section.figures.push((metric, value, place));
        }
    }

    /// Number of entries of all devices.
    fn events(&self) -> f64 {
        let figures = self.sections.iter().flat_map(|section| &section.figures);
        let entries = figures.filter(|(metric, ..)| metric.key == EVENTS);
        entries.map(|(_, count, _)| count).sum()
    }

    /// Devices of the output, in their order.
    fn devices(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for section in &self.sections {
            if !found.contains(&section.device.as_str()) {
                found.push(&section.device);
            }
        }
        found
    }

    /// If there is one device, its name does not distinguish figures: on another machine it is
    /// another name.
    fn facts(&self) -> Vec<NamedValue> {
        match self.devices().as_slice() {
            [device] if !device.is_empty() => vec![NamedValue::new("device", device)],
            _ => Vec::new(),
        }
    }

    /// The totals; of devices without them, as they have with one CPU or where they are cut off,
    /// what the sections of CPUs have.
    fn observations(&self) -> Vec<Observation> {
        let devices = self.devices();
        let mut found = Vec::new();
        for device in &devices {
            let of_device = || self.sections.iter().filter(|s| s.device == **device);
            let total = of_device().any(|section| section.cpu == "Total");
            let several = !total && of_device().count() > 1;
            for section in of_device().filter(|section| !total || section.cpu == "Total") {
                let mut dimensions = Vec::new();
                if devices.len() > 1 {
                    dimensions.push(NamedValue::new("device", device));
                }
                if several {
                    dimensions.push(NamedValue::new("cpu", &section.cpu));
                }
                found.extend(
                    section
                        .figures
                        .iter()
                        .map(|(metric, value, place)| Observation {
                            metric: metric.clone(),
                            value: *value,
                            place: *place,
                            dimensions: dimensions.clone(),
                            repeat: None,
                        }),
                );
            }
        }
        found
    }
}

/// Key and label of a count: `Reads Queued`, `Write Dispatches`, `PC Writes Compl.`.
fn name_of(name: &str) -> Option<(String, String)> {
    let (packet, name) = match name.strip_prefix("PC ") {
        Some(rest) => ("pc.", rest),
        None => ("", name),
    };
    let counter = |operation: &str, what: &str| {
        let label = match packet {
            "" => format!("{operation}s {what}"),
            _ => format!("passthrough {operation}s {what}"),
        };
        Some((format!("{packet}{operation}.{what}"), label))
    };
    match name {
        "IO unplugs" | "Timer unplugs" | "Allocations wait" => {
            return Some((slug(name), name.to_lowercase()));
        }
        _ => {}
    }
    let (first, rest) = name.split_once(' ')?;
    let operation = match first {
        "Reads" | "Read" => "read",
        "Writes" | "Write" => "write",
        _ => return None,
    };
    match rest {
        "Queued" => counter(operation, "queued"),
        "Dispatches" | "Disp." => counter(operation, "dispatched"),
        "Requeued" | "Req." => counter(operation, "requeued"),
        "Completed" | "Compl." => counter(operation, "completed"),
        "Merges" => counter(operation, "merged"),
        "depth" => Some((
            format!("{operation}.depth"),
            format!("{operation} depth, largest"),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
