//! A comparison as text to send: ASCII, 72 columns, as mailing lists expect it.
//!
//! Mail judges nothing: verdicts, sentences and their order come from the document, digits from
//! `quantity`. It is made of sections that are left out where they are empty. Every line must pass
//! [`layout`], which replaces what is not ASCII and breaks or cuts what is too long: labels,
//! process names and notes may contain anything.

mod alone;
mod layers;
pub mod layout;
mod objects;
mod plot;
mod stacks;
mod tables;

use super::document::{CompareDocument, CompareQuery, Comparison};
use super::findings::NAMED_SETTINGS as NAMED;
use super::pair::LostTime;
use super::runs::context;
use super::runs::digest::{DeviceDigest, Digest};
use super::runs::run::{ComparedRun, letter};
use layout::{ascii, hung, wrapped};
use seekscope_measure::depth::STATE_NAMES;
use seekscope_trace::quantity::Unit;

/// Figures that are drawn over time.
const PLOTS: [(&str, &str, Unit); 2] = [
    ("Queue depth, mean", "depth.mean", Unit::Requests),
    ("Throughput", "bps", Unit::Rate),
];

/// Writes the comparison, or for a single side what its runs show by themselves. `document` must be
/// the answer of [`super::compare`] to `query`.
pub fn text(query: &CompareQuery, document: &CompareDocument) -> String {
    let comparisons: Vec<&Comparison> = document.first.iter().chain(&document.more).collect();
    let title = if comparisons.is_empty() {
        "Block I/O trace"
    } else {
        "Comparison of block I/O traces"
    };
    let mut out: Vec<String> = vec![title.to_owned(), String::new()];
    for i in 0..query.runs.len() {
        out.extend(heading(query, document, i));
    }
    for comparison in &comparisons {
        out.push(String::new());
        if comparisons.len() > 1 {
            let title = format!(
                "{} against {}",
                side(document, comparison.side),
                side(document, document.baseline)
            );
            out.extend(wrapped(&format!("== {title} ==")));
            out.push(String::new());
        }
        out.extend(compared(query, document, comparison));
    }
    if comparisons.is_empty() && document.alone.is_empty() {
        out.extend([String::new(), "There is no device to explain.".to_owned()]);
    }
    for run in document.alone.iter().filter(|_| comparisons.is_empty()) {
        out.push(String::new());
        out.extend(alone::explained(query, run));
    }
    out.iter()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

/// The letters of the runs of a side: `A`, `B-D`.
fn side(document: &CompareDocument, index: usize) -> String {
    let runs = document
        .sides
        .get(index)
        .map(|s| s.runs.as_slice())
        .unwrap_or_default();
    match runs {
        [] => String::new(),
        [run] => letter(*run),
        [first, .., last] => format!("{}-{}", letter(*first), letter(*last)),
    }
}

/// What was compared: label, kernel, device, events, duration, and whether the trace is complete.
fn heading(query: &CompareQuery, document: &CompareDocument, index: usize) -> Vec<String> {
    let run = &query.runs[index];
    let baseline = document.first.is_some()
        && document
            .sides
            .get(document.baseline)
            .is_some_and(|side| side.runs.contains(&index));
    let label = match &run.group {
        Some(group) if *group != run.label => format!("{} (of {group})", run.label),
        _ => run.label.clone(),
    };
    let mut facts = vec![label + if baseline { " [baseline]" } else { "" }];
    facts.extend(
        run.kernel
            .iter()
            .filter(|kernel| !run.label.contains(kernel.as_str()))
            .map(|kernel| format!("kernel {kernel}")),
    );
    match run.main() {
        Some(device) => {
            facts.push(named(device));
            facts.push(Unit::Time.write((device.active.1 - device.active.0) as f64));
        }
        None => facts.push("no device to compare".to_owned()),
    }
    facts.push(format!(
        "{} block events",
        Unit::Count.write(run.trace.events as f64)
    ));
    let part = run.trace.range.or(run.trace.window);
    facts.extend(part.map(|part| format!("only {part}")));
    facts.extend(missing(&run.trace));
    hung(&format!("{}: ", letter(index)), &facts.join(", "))
}

fn named(device: &DeviceDigest) -> String {
    if device.name.is_empty() || device.name == device.dev {
        format!("device {}", device.dev)
    } else {
        format!("{} {}", device.name, device.dev)
    }
}

/// What is missing from a trace, in capitals: it makes most figures unreliable.
fn missing(trace: &Digest) -> Vec<String> {
    let quality = &trace.quality;
    let mut facts = Vec::new();
    if quality.lost_events > 0 {
        facts.push(format!(
            "{} EVENTS LOST",
            Unit::Count.write(quality.lost_events as f64)
        ));
    } else if quality.holes > 0 {
        facts.push("EVENTS LOST".to_owned());
    }
    if quality.truncated_bytes > 0 {
        facts.push("A FILE IS TRUNCATED".to_owned());
    }
    facts
}

fn compared(
    query: &CompareQuery,
    document: &CompareDocument,
    comparison: &Comparison,
) -> Vec<String> {
    let mut out = wrapped(&comparison.verdict);
    let work = if comparison.work.same {
        "Same work"
    } else {
        "Different work"
    };
    out.extend(wrapped(&format!("{work}: {}.", comparison.work.why)));
    out.extend([String::new(), "Findings".to_owned()]);
    if comparison.findings.is_empty() {
        out.push("  none: no rule explains it".to_owned());
    }
    for finding in &comparison.findings {
        let accounts = |part| {
            format!(
                ", accounts for {} of the lost time",
                Unit::Share.write(part)
            )
        };
        let part = finding.accounts_for.map_or_else(String::new, accounts);
        out.extend(hung(
            &format!("{:2}. ", finding.rank),
            &format!("{} ({}{part})", finding.sentence, finding.code),
        ));
        if !finding.focus.is_empty() {
            out.extend(hung("    ", &finding.focus.ascii()));
        }
        if let Some(gain) = &finding.gain {
            out.extend(hung("    ", &gain.words.ascii()));
        }
        if finding.code == "setting-changed" {
            out.extend(
                finding
                    .settings
                    .iter()
                    .skip(NAMED)
                    .flat_map(|change| hung("      ", &ascii(&change.words()))),
            );
        }
    }
    let base = &document.sides[document.baseline];
    let other = &document.sides[comparison.side];
    let heads = [
        side(document, document.baseline),
        side(document, comparison.side),
    ];
    if let Some(lost) = comparison.lost_ns {
        out.push(String::new());
        out.extend(where_it_went(lost, comparison.work.same, &heads));
    }
    let entry = tables::Sides {
        a: &base.runs,
        b: &other.runs,
        indices: [document.baseline, comparison.side],
        heads: &heads,
    };
    let mut section = |lines: Vec<String>| {
        if !lines.is_empty() {
            out.push(String::new());
            out.extend(lines);
        }
    };
    section(tables::figures(&comparison.figures, &entry));
    let first_runs = [base, other].map(|side| side.runs.first().copied().unwrap_or(usize::MAX));
    section(context::text(&document.context, first_runs, &heads));
    let devices = [&base.runs, &other.runs].map(|runs| {
        runs.first()
            .and_then(|&run| query.runs.get(run))
            .and_then(ComparedRun::main)
    });
    let [Some(a), Some(b)] = devices else {
        return out;
    };
    let digests = first_runs.map(|run| query.runs.get(run).map(|run| &run.trace));
    if let [Some(first), Some(second)] = digests {
        section(layers::table(&[first, second], &heads));
    }
    section(objects::table(&[a, b], &heads));
    section(stacks::table(&[a, b], &heads));
    section(tables::latency(&[a, b], &heads));
    section(tables::sizes(&[a, b], &heads));
    for (title, key, kind) in PLOTS {
        section(plot::plot(title, key, kind, &[a, b], &heads));
    }
    if base.runs.len() > 1 || other.runs.len() > 1 {
        section(wrapped(
            "Latency, sizes and plots are of the first run of each group.",
        ));
    }
    out
}

/// The time that the other side took longer, by state of the device.
fn where_it_went(lost: LostTime, same_work: bool, [base, other]: &[String; 2]) -> Vec<String> {
    let signed = |ns: f64| {
        format!(
            "{}{}",
            if ns < 0.0 { "-" } else { "+" },
            Unit::Time.write(ns.abs())
        )
    };
    let much = Unit::Time.write(lost.total.abs());
    let way = if lost.total < 0.0 { "less" } else { "more" };
    let scaled = if same_work {
        "For the same work".to_owned()
    } else {
        format!("Scaled to the bytes of {base},")
    };
    let head = format!("{scaled} {other} took {much} {way} than {base}; where it went:");
    let parts = [lost.starved, lost.busy_waiting, lost.busy, lost.nobody];
    let lines = STATE_NAMES
        .iter()
        .zip(parts)
        .map(|((_, name), ns)| format!("  {name:<36}{:>12}", signed(ns)));
    wrapped(&ascii(&head)).into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests;
