//! Counters of other tools in a comparison: their means over each run, as context. They have no
//! ratio, no verdict and no finding: `%iowait` explains nothing by itself.

use super::counter_means::CounterMean;
use super::run::ComparedRun;
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::lanes::LaneUnit;
use serde::Serialize;

/// A counter with its mean in each run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContextRow {
    pub tool: String,
    pub of: String,
    pub name: String,
    pub unit: LaneUnit,
    /// Means, one per run; `None` where a run lacks the counter.
    pub values: Vec<Option<f64>>,
}

/// The counters of all runs, in the order in which runs have them, without those that are 0
/// everywhere.
pub fn rows(runs: &[ComparedRun]) -> Vec<ContextRow> {
    let mut rows: Vec<ContextRow> = Vec::new();
    for (index, counter) in runs
        .iter()
        .enumerate()
        .flat_map(|(index, run)| run.trace.context.iter().map(move |c| (index, c)))
    {
        let same = |row: &&mut ContextRow| {
            row.tool == counter.tool && row.of == counter.of && row.name == counter.name
        };
        let value = Some(counter.mean);
        if let Some(row) = rows.iter_mut().find(same) {
            row.values[index] = row.values[index].or(value);
        } else {
            let mut values = vec![None; runs.len()];
            values[index] = value;
            let CounterMean {
                tool,
                of: subject,
                name,
                unit,
                ..
            } = counter.clone();
            rows.push(ContextRow {
                tool,
                of: subject,
                name,
                unit,
                values,
            });
        }
    }
    rows.retain(|row| row.values.iter().flatten().any(|mean| *mean != 0.0));
    rows
}

const LABEL: usize = 40;
const VALUE: usize = 14;

/// A table of the counters in the first run of each side, at most 72 columns wide. `sides` has the
/// indices of these runs.
pub fn text(rows: &[ContextRow], sides: [usize; 2], heads: &[String; 2]) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let cell = |row: &ContextRow, run: usize| match row.values.get(run).copied().flatten() {
        None => "-".to_owned(),
        Some(mean) => unit(row.unit).write(mean),
    };
    let [a, b] = heads;
    let line = |row: &ContextRow| {
        let subject = if row.of == "machine" {
            String::new()
        } else {
            format!("{} ", row.of)
        };
        let label: String = format!("  {}{} ({})", subject, row.name, row.tool)
            .chars()
            .take(LABEL)
            .collect();
        format!(
            "{label:<LABEL$}{:>VALUE$}{:>VALUE$}",
            cell(row, sides[0]),
            cell(row, sides[1])
        )
    };
    let head = format!(
        "{:<LABEL$}{a:>VALUE$}{b:>VALUE$}",
        "Counters, mean (context, no verdict)"
    );
    std::iter::once(head)
        .chain(rows.iter().map(line))
        .map(|line| crate::mail::layout::ascii(&line))
        .collect()
}

fn unit(lane: LaneUnit) -> Unit {
    match lane {
        LaneUnit::Share => Unit::Share,
        LaneUnit::BytesPerSecond => Unit::Rate,
        LaneUnit::PerSecond => Unit::PerSecond,
        LaneUnit::Bytes => Unit::Bytes,
        LaneUnit::Ns => Unit::Time,
        LaneUnit::Count => Unit::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(counters: &[(&str, f64)]) -> ComparedRun {
        let counter = |&(name, mean): &(&str, f64)| CounterMean {
            tool: "vmstat".to_owned(),
            of: "machine".to_owned(),
            name: name.to_owned(),
            unit: LaneUnit::Share,
            mean,
        };
        let mut run = ComparedRun::default();
        run.trace.context = counters.iter().map(counter).collect();
        run
    }

    #[test]
    fn rows_are_the_counters_of_any_run_that_are_not_always_0() {
        let rows = rows(&[
            run(&[("us", 0.5), ("st", 0.0)]),
            run(&[("wa", 0.25), ("us", 0.75), ("st", 0.0)]),
        ]);
        let found: Vec<(&str, &[Option<f64>])> = rows
            .iter()
            .map(|row| (row.name.as_str(), row.values.as_slice()))
            .collect();
        assert_eq!(
            found,
            [
                ("us", &[Some(0.5), Some(0.75)][..]),
                ("wa", &[None, Some(0.25)][..])
            ]
        );
        let text = text(&rows, [0, 1], &["A".to_owned(), "B".to_owned()]);
        assert!(
            text.iter().all(|line| line.len() <= 72 && line.is_ascii()),
            "{text:#?}"
        );
        assert!(
            text[2].contains("wa (vmstat)") && text[2].contains(" - ") && text[2].ends_with("25%"),
            "{text:#?}"
        );
    }
}
