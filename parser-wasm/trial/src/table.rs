//! For each cause how many comparisons of single runs, and of groups of each size, name it; how
//! often repeats of one variant are called different; and what their intervals cover.
//!
//! All subsets of the repeats are compared, so the number of comparisons grows exponentially with
//! the number of repeats: a few per variant are enough, and 32 or more do not fit the masks.

use crate::{coverage, recording};
use seekscope_core::compare::{CompareQuery, ComparedRun, compare};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;

/// Codes of findings that claim no difference of the block layer.
const NEUTRAL: [&str; 4] = [
    "no-real-difference",
    "setting-changed",
    "not-the-same-work",
    "trace-incomplete",
];

/// The outcome and the codes of findings of one comparison.
struct Answer {
    outcome: String,
    codes: Vec<String>,
}

/// A row of `TRUTH.tsv`.
pub struct Cause {
    pub name: String,
    /// Folders of the baseline and of the changed variant.
    pub sides: [String; 2],
    expected: Vec<String>,
}

/// Reads all variants below `folder` and prints the tables in Markdown.
pub fn print(folder: &Path) -> Result<(), String> {
    let causes = causes(folder)?;
    let variants = variants(folder, &causes)?;
    println!(
        "| cause | runs | comparisons | named first | among three | slower | faster | unsure | \
            equal | first two codes |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for cause in &causes {
        let [a, b] = cause.sides.each_ref().map(|name| &variants[name]);
        for size in 1..=a.len().min(b.len()) {
            let answers: Vec<Answer> = subsets(a.len(), size)
                .iter()
                .flat_map(|x| {
                    subsets(b.len(), size)
                        .into_iter()
                        .map(move |y| (x.clone(), y))
                })
                .map(|(x, y)| ask(a, &x, b, &y))
                .collect();
            println!(
                "| {} | {size} | {}",
                cause.name,
                row(&answers, &cause.expected)
            );
        }
    }
    println!(
        "\n| variant, same against same | pairs | equal | unsure | slower or faster | false claims | \
            codes |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut sums = [0; 5];
    for (name, runs) in &variants {
        let pairs = subsets(runs.len(), 2);
        let answers: Vec<Answer> = pairs
            .iter()
            .map(|pair| ask(runs, &pair[..1], runs, &pair[1..]))
            .collect();
        let claims = |answer: &&Answer| {
            answer
                .codes
                .iter()
                .any(|code| !NEUTRAL.contains(&code.as_str()))
        };
        let claimed = answers.iter().filter(claims).count();
        let outcomes = |names: &[&str]| {
            answers
                .iter()
                .filter(|answer| names.contains(&answer.outcome.as_str()))
                .count()
        };
        let counts = [
            answers.len(),
            outcomes(&["equal"]),
            outcomes(&["unsure"]),
            outcomes(&["slower", "faster"]),
            claimed,
        ];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        println!(
            "| {name} | {} | {} |",
            counts.map(|count| count.to_string()).join(" | "),
            code_counts(&answers, usize::MAX)
        );
    }
    println!(
        "| all | {} | |",
        sums.map(|count| count.to_string()).join(" | ")
    );
    coverage::print(variants.values());
    Ok(())
}

/// Reads the repeats of all variants, by their folders.
pub fn variants(
    folder: &Path,
    causes: &[Cause],
) -> Result<BTreeMap<String, Vec<ComparedRun>>, String> {
    let mut variants: BTreeMap<String, Vec<ComparedRun>> = BTreeMap::new();
    for name in causes.iter().flat_map(|cause| &cause.sides) {
        if !variants.contains_key(name) {
            let mut repeats = recording::list(&folder.join(name))?;
            repeats.sort();
            let runs = repeats
                .iter()
                .filter(|path| path.is_dir())
                .map(|path| recording::read(path));
            variants.insert(name.clone(), runs.collect::<Result<_, _>>()?);
        }
    }
    Ok(variants)
}

/// Reads `TRUTH.tsv`; lines with too few columns are left out.
pub fn causes(folder: &Path) -> Result<Vec<Cause>, String> {
    let path = folder.join("TRUTH.tsv");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let cause = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        let (name, a, b) = (cells.next()?, cells.next()?, cells.next()?);
        let expected = cells.nth(1)?;
        let codes = expected.split(',').map(|code| {
            code.split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned()
        });
        Some(Cause {
            name,
            sides: [a, b],
            expected: codes.collect(),
        })
    };
    Ok(text.lines().skip(1).filter_map(cause).collect())
}

/// All subsets of `0..n` with `size` members.
pub fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    (0u32..1 << n)
        .filter(|set| set.count_ones() as usize == size)
        .map(|set| (0..n).filter(|i| set >> i & 1 == 1).collect())
        .collect()
}

/// The runs `x` of variant `a` and the runs `y` of variant `b`, as the two groups of a query.
pub fn sides(a: &[ComparedRun], x: &[usize], b: &[ComparedRun], y: &[usize]) -> Vec<ComparedRun> {
    let side = |runs: &[ComparedRun], chosen: &[usize], group: &str| -> Vec<ComparedRun> {
        chosen
            .iter()
            .map(|&i| ComparedRun {
                label: group.to_owned(),
                group: Some(group.to_owned()),
                ..runs[i].clone()
            })
            .collect()
    };
    [side(a, x, "a"), side(b, y, "b")].concat()
}

/// Compares the runs `x` of variant `a` with the runs `y` of variant `b`.
fn ask(a: &[ComparedRun], x: &[usize], b: &[ComparedRun], y: &[usize]) -> Answer {
    let runs = sides(a, x, b, y);
    let document = serde_json::to_value(compare(&CompareQuery {
        runs,
        ..CompareQuery::default()
    }))
    .unwrap_or_default();
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let codes = document["findings"].as_array().map_or(Vec::new(), |all| {
        all.iter().map(|finding| text(&finding["code"])).collect()
    });
    Answer {
        outcome: text(&document["outcome"]),
        codes,
    }
}

/// The cells of a cause: how many answers name an expected code, and their outcomes.
fn row(answers: &[Answer], expected: &[String]) -> String {
    let count =
        |test: &dyn Fn(&Answer) -> bool| answers.iter().filter(|answer| test(answer)).count();
    let named = |within: usize| {
        count(&|answer| {
            answer
                .codes
                .iter()
                .take(within)
                .any(|code| expected.contains(code))
        })
    };
    let outcome = |name: &str| count(&|answer| answer.outcome == name);
    format!(
        "{} | {} | {} | {} | {} | {} | {} | {} |",
        answers.len(),
        named(1),
        named(3),
        outcome("slower"),
        outcome("faster"),
        outcome("unsure"),
        outcome("equal"),
        code_counts(answers, 2)
    )
}

/// How many answers begin with which codes, `length` of them at most: `8 throttled, 1 -`.
fn code_counts(answers: &[Answer], length: usize) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for Answer { codes, .. } in answers {
        let key = match codes.len() {
            0 => "-".to_owned(),
            n => codes[..n.min(length)].join(" + "),
        };
        *counts.entry(key).or_default() += 1;
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(codes, n)| format!("{n} {codes}"))
        .collect();
    counts.join(", ")
}
