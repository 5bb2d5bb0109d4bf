//! How often the value of one repeat is within the interval that another repeat shows for itself.
//!
//! An interval of 95 % is for the mean of what such conditions give. Another run differs from that
//! mean, too: of its values 83 % would be inside if repeats differed by nothing but what they show
//! within themselves (1.96 / sqrt(2) standard errors of the difference).

use seekscope_core::compare::ComparedRun;
use std::collections::BTreeMap;

/// How many pairs of repeats were examined for one figure, and in how many the value of the other
/// repeat is inside of the interval.
#[derive(Default)]
struct Covered {
    inside: usize,
    all: usize,
    /// Upper end divided by the value, minus 1, for intervals with an upper end.
    widths: Vec<f64>,
}

/// Prints a table in Markdown. `variants` are the repeats by variant.
pub fn print<'a>(variants: impl Iterator<Item = &'a Vec<ComparedRun>>) {
    let mut figures: BTreeMap<&str, Covered> = BTreeMap::new();
    for runs in variants {
        for (i, run) in runs.iter().enumerate() {
            let Some(device) = run.main() else { continue };
            let others = runs
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .filter_map(|(_, other)| other.main());
            for other in others {
                for (key, &(low, high)) in &device.bins.intervals {
                    let (Some(center), Some(value)) =
                        (device.figures.get(key), other.figures.get(key))
                    else {
                        continue;
                    };
                    let covered = figures.entry(key).or_default();
                    covered.all += 1;
                    covered.inside +=
                        usize::from(*value >= low && high.is_none_or(|high| *value <= high));
                    if let Some(high) = high.filter(|high| *center > 0.0 && *high > 0.0) {
                        covered.widths.push(high / center - 1.0);
                    }
                }
            }
        }
    }
    println!(
        "\n| figure | ordered pairs of repeats | the other's value inside | half width, median |"
    );
    println!("|---|---|---|---|");
    let percent = |share: f64| format!("{:.0}%", share * 100.0);
    let (mut inside, mut all) = (0, 0);
    for (key, covered) in &mut figures {
        (inside, all) = (inside + covered.inside, all + covered.all);
        covered.widths.sort_by(f64::total_cmp);
        let width = covered
            .widths
            .get(covered.widths.len() / 2)
            .map_or("-".to_owned(), |width| percent(*width));
        println!(
            "| {key} | {} | {} | {width} |",
            covered.all,
            percent(covered.inside as f64 / covered.all as f64)
        );
    }
    println!(
        "| all | {all} | {} | |",
        percent(inside as f64 / all.max(1) as f64)
    );
}
