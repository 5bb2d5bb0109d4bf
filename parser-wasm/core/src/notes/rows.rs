//! Tables as in bug reports: headings such as `threads, KB, RA, MB/s` with rows of numbers, and
//! lines of a label and a value.

use super::bench::{BenchValue, TABLE, rate_unit, slug};
use super::fact::{cut, decimal};
use super::{Fact, Note};

/// Characters and words of a label: longer ones are sentences.
const LONGEST: usize = 60;
const MAX_WORDS: usize = 6;
const MAX_COLUMNS: usize = 8;

pub fn read(text: &str, note: &mut Note) {
    let mut head: Option<TableHeader> = None;
    for line in text.lines() {
        let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
        // Lines of dd end with a rate too; `dd.rs` reads them.
        if line.contains(" copied, ") {
            continue;
        }
        let words: Vec<&str> = line
            .split([',', ';', '|', '\t', ' '])
            .filter(|w| !w.is_empty())
            .collect();
        if let Some(found) = TableHeader::of(&words) {
            head = Some(found);
        } else if let Some(known) = head.as_ref().filter(|_| !words.is_empty()) {
            // A rule below the headings does not end the table.
            if !line.chars().all(|c| "-=+| ".contains(c)) && !known.row(&words, note) {
                head = None;
                label_and_value(line, note);
            }
        } else {
            label_and_value(line, note);
        }
    }
}

/// The unit of a value and its factor.
fn unit_of(word: &str) -> Option<(&'static str, f64)> {
    match word {
        "IOPS" | "iops" | "ops/s" | "ops/sec" | "req/s" | "io/s" => Some(("1/s", 1.0)),
        _ => rate_unit(word).map(|scale| ("bytes/s", scale)),
    }
}

/// Columns: one with the measured value, others with whole numbers that describe the workload.
struct TableHeader {
    names: Vec<String>,
    measured: usize,
    unit: &'static str,
    scale: f64,
}

impl TableHeader {
    fn of(words: &[&str]) -> Option<TableHeader> {
        if !(2..=MAX_COLUMNS).contains(&words.len())
            || words
                .iter()
                .any(|w| !w.starts_with(|c: char| c.is_alphabetic() || c == '#'))
        {
            return None;
        }
        let mut units = words
            .iter()
            .enumerate()
            .filter_map(|(i, w)| unit_of(w.trim_matches(['(', ')', '[', ']'])).map(|u| (i, u)));
        let (measured, (unit, scale)) = units.next()?;
        units.next().is_none().then(|| TableHeader {
            names: words.iter().map(|w| cut(w)).collect(),
            measured,
            unit,
            scale,
        })
    }

    /// False if the line is not a row of the table.
    fn row(&self, words: &[&str], note: &mut Note) -> bool {
        if words.len() != self.names.len() {
            return false;
        }
        let Some(value) = decimal(words[self.measured]).map(|n| n * self.scale) else {
            return false;
        };
        let mut whole = None;
        let mut done: Vec<(String, String)> = Vec::new();
        for (i, word) in words
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != self.measured)
        {
            if word.parse::<u64>().is_ok() {
                let name = &self.names[i];
                let words = if name.starts_with(|c: char| c.is_lowercase()) || name == "KB" {
                    format!("{word} {name}")
                } else {
                    format!("{name} {word}")
                };
                done.push((format!("{}-{word}", slug(name)), words));
            } else if i == 0 {
                whole = Some(*word);
            } else {
                return false;
            }
        }
        let what: Vec<&str> = done.iter().map(|d| d.0.as_str()).collect();
        let words: Vec<&str> = done.iter().map(|d| d.1.as_str()).collect();
        let unit_name = &self.names[self.measured];
        let of = [whole.unwrap_or(""), &words.join(", ")]
            .into_iter()
            .filter(|w| !w.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
        note.add(Fact::number("value", "Measured", value, self.unit).of(Some(&of)));
        note.add_value(BenchValue {
            tool: TABLE,
            of: whole.map(cut),
            whole: true,
            set: None,
            what: [what.join("."), slug(unit_name)]
                .into_iter()
                .filter(|w| !w.is_empty())
                .collect::<Vec<_>>()
                .join("."),
            words: if words.is_empty() {
                unit_name.clone()
            } else {
                words.join(", ")
            },
            unit: self.unit,
            value,
        });
        true
    }
}

/// `Sequential write: 53.2 MB/s`, `2 dds   120 MB/s`, `IOPS 3123`, `avg latency = 5.2 ms`.
fn label_and_value(line: &str, note: &mut Note) {
    let Some((label, value, unit)) = parted(line) else {
        return;
    };
    let kind = match unit {
        "1/s" => "iops",
        "ns" => "time",
        _ => "rate",
    };
    note.add(Fact::number("value", "Measured", value, unit).of(Some(label)));
    note.add_value(BenchValue {
        tool: TABLE,
        of: Some(cut(label)),
        whole: false,
        set: None,
        what: kind.to_owned(),
        words: if unit == "1/s" { "IOPS" } else { kind }.to_owned(),
        unit,
        value,
    });
}

fn parted(line: &str) -> Option<(&str, f64, &'static str)> {
    let trimmed = line.trim_matches(['|', ' ', '\t']);
    let (label, number, unit) = match trimmed.rsplit_once([' ', '\t', '=', ':']) {
        // `IOPS 3123`: the label is the unit.
        Some((label, number)) if decimal(number).is_some() => {
            let last = label
                .trim_end_matches([':', '=', ' ', '\t'])
                .rsplit([' ', '\t'])
                .next()?;
            (label, number, unit_of(last).filter(|u| u.0 == "1/s")?)
        }
        Some((rest, last)) => {
            let digits = last
                .find(|c: char| !c.is_ascii_digit() && c != '.')
                .unwrap_or(0);
            if digits > 0 {
                (rest, &last[..digits], measured_in(&last[digits..], rest)?)
            } else {
                let (label, number) = rest.trim_end().rsplit_once([' ', '\t', '=', ':', '|'])?;
                (label, number, measured_in(last, label)?)
            }
        }
        None => return None,
    };
    let value = decimal(number)?;
    let label = label.trim_end_matches([':', '=', ' ', '\t', '|', '.']);
    // hdparm prints the amount between the name and the rate.
    let (name, between) = label.split_once(": ").unwrap_or((label, ""));
    let unambiguous = between.is_empty() || line.contains(" = ");
    let short = name.len() <= LONGEST && name.split_whitespace().count() <= MAX_WORDS;
    let fits = unambiguous
        && short
        && name.starts_with(char::is_alphanumeric)
        && name.contains(char::is_alphabetic);
    fits.then_some((name.trim(), value * unit.1, unit.0))
}

/// Times are measurements only if the label mentions time.
fn measured_in(unit: &str, label: &str) -> Option<(&'static str, f64)> {
    let timed = || {
        let label = label.to_ascii_lowercase();
        ["lat", "time", "elapsed"]
            .iter()
            .any(|word| label.contains(word))
    };
    match unit {
        "us" | "usec" | "\u{b5}s" if timed() => Some(("ns", 1e3)),
        "ms" | "msec" if timed() => Some(("ns", 1e6)),
        "s" | "sec" | "seconds" if timed() => Some(("ns", 1e9)),
        _ => unit_of(unit),
    }
}
