//! How often the real gain lies within the bounds that are printed with findings.
//!
//! The real gain is the throughput of the side without the cause as a multiple of that of the side
//! with it. Each pair of single runs is a case, and each three against three.

use crate::table::{self, Cause};
use seekscope_core::compare::{CompareQuery, compare};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;

/// One bound, and what was really won.
struct Checked {
    min: f64,
    max: f64,
    real: f64,
}

impl Checked {
    fn holds(&self) -> bool {
        self.min <= self.real && self.real <= self.max
    }
}

/// Compares the variants of each cause, and prints how many bounds held, in Markdown.
pub fn print(folder: &Path) -> Result<(), String> {
    let causes = table::causes(folder)?;
    let variants = table::variants(folder, &causes)?;
    println!("| cause | finding | runs | bounds | hold | least | most | real gain |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    let mut all: BTreeMap<usize, Vec<Checked>> = BTreeMap::new();
    for Cause { name, sides, .. } in &causes {
        let [a, b] = sides.each_ref().map(|side| &variants[side]);
        let largest = a.len().min(b.len());
        for size in [1, largest] {
            let mut found: BTreeMap<String, Vec<Checked>> = BTreeMap::new();
            for x in table::subsets(a.len(), size) {
                for y in table::subsets(b.len(), size) {
                    let runs = table::sides(a, &x, b, &y);
                    let query = CompareQuery {
                        runs,
                        ..CompareQuery::default()
                    };
                    let document = serde_json::to_value(compare(&query)).unwrap_or_default();
                    for (code, checked) in checked(&document) {
                        found.entry(code).or_default().push(checked);
                    }
                }
            }
            for (code, bounds) in found {
                let median =
                    |value: fn(&Checked) -> f64| median(bounds.iter().map(value).collect());
                println!(
                    "| {name} | `{code}` | {size} | {} | {} | {:.2} | {:.2} | {:.2} |",
                    bounds.len(),
                    bounds.iter().filter(|bound| bound.holds()).count(),
                    median(|bound| bound.min),
                    median(|bound| bound.max),
                    median(|bound| bound.real),
                );
                all.entry(size).or_default().extend(bounds);
            }
        }
    }
    for (size, bounds) in all {
        println!(
            "\n{size} against {size}: {} of {} bounds hold; median of most / least {:.2}",
            bounds.iter().filter(|bound| bound.holds()).count(),
            bounds.len(),
            median(bounds.iter().map(|bound| bound.max / bound.min).collect()),
        );
    }
    Ok(())
}

/// The bounds of a comparison, each with the gain from its side to the other one.
fn checked(document: &Json) -> Vec<(String, Checked)> {
    let figures = document["figures"].as_array();
    let values = figures
        .into_iter()
        .flatten()
        .find(|figure| figure["key"] == "bps")
        .map(|figure| [0, 1].map(|side| mean(&figure["values"], &document["sides"][side]["runs"])));
    let findings = document["findings"].as_array();
    let bound = |finding: &Json| {
        let gain = finding.get("gain")?;
        let words = gain["words"].as_array()?;
        let side = words.iter().find_map(|part| part.get("side")?.as_u64())? as usize;
        let [bad, good] = [*values?.get(side)?, *values?.get(1 - side)?];
        Some((
            finding["code"].as_str()?.to_owned(),
            Checked {
                min: gain["min"].as_f64()?,
                max: gain["max"].as_f64()?,
                real: good / bad,
            },
        ))
    };
    findings.into_iter().flatten().filter_map(bound).collect()
}

/// Mean of the values of some runs.
fn mean(values: &Json, runs: &Json) -> f64 {
    let runs = runs.as_array().map_or(&[][..], Vec::as_slice);
    let value = |run: &Json| values[run.as_u64().unwrap_or(u64::MAX) as usize].as_f64();
    runs.iter().filter_map(value).sum::<f64>() / runs.len() as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
