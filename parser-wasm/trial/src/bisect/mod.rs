//! How often a bisection finds the commit: `cargo run --release -p seekscope-trial -- bisect
//! FOLDER`. Histories are made of recordings with a known cause: commits before the change are like
//! the baseline, the others like the changed variant.

mod draw;
mod history;
#[cfg(test)]
mod tests;

use crate::recording;
use crate::table::{Cause, causes};
use draw::{Measurement, Random};
use history::{Conditions, FIXED_RUNS, Outcome, bisect};
use seekscope_core::compare::ComparedRun;
use seekscope_core::compare::bisect::{BisectQuery, Likeness, judge};
use std::path::Path;

/// Histories of each cause and condition.
const HISTORIES: u64 = 200;
/// Commits of a history at most.
const MAX_COMMITS: usize = 1_000;
/// Conditions of the machine.
const CONDITIONS: [Conditions; 3] = [
    Conditions {
        name: "noise of repeats",
        drift: 0.0,
        shared: 0.0,
    },
    Conditions {
        name: "and 10% slower after warming up",
        drift: 0.1,
        shared: 0.0,
    },
    Conditions {
        name: "and half of the noise per boot",
        drift: 0.1,
        shared: 0.5,
    },
];

/// Bisects made histories of all causes in `folder`, and prints the tables in Markdown.
pub fn print(folder: &Path) -> Result<(), String> {
    let mut sums = CONDITIONS.map(|_| [Sum::default(); 2]);
    println!(
        "| cause | decided by | real runs: right, open, wrong | {} |",
        CONDITIONS.map(|it| it.name).join(" | ")
    );
    println!("|---|---|---|{}", "---|".repeat(CONDITIONS.len()));
    for cause in causes(folder)? {
        let [good, bad] = sides(folder, &cause)?;
        let query = BisectQuery {
            good: vec![good.repeats().to_vec()],
            bad: vec![bad.repeats().to_vec()],
            ..BisectQuery::default()
        };
        let plan = judge(&query);
        if let Some(problem) = plan.problem {
            println!("| {} | {} | | | | |", cause.name, problem.word());
            continue;
        }
        let mut cells = Vec::new();
        for (conditions, sums) in CONDITIONS.iter().zip(&mut sums) {
            let [adaptive, fixed] = [None, Some(FIXED_RUNS)]
                .map(|fixed| many((&good, &bad), *conditions, HISTORIES, fixed));
            cells.push(adaptive.cell());
            sums[0].add(adaptive);
            sums[1].add(fixed);
        }
        println!(
            "| {} | {} | {} | {} |",
            cause.name,
            plan.evidence[0].key,
            left_out(&good, &bad)
                .map(|count| count.to_string())
                .join(", "),
            cells.join(" | ")
        );
    }
    println!(
        "\n| conditions | histories | right | runs per step | undecided steps | runs of good and \
            bad per history | right with {FIXED_RUNS} runs per step |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (conditions, [adaptive, fixed]) in CONDITIONS.iter().zip(&sums) {
        println!(
            "| {} | {} | {:.1}% | {:.2} | {:.1}% | {:.1} | {:.1}% |",
            conditions.name,
            adaptive.histories,
            adaptive.right_share() * 100.0,
            adaptive.runs_per_step(),
            adaptive.skipped as f64 / adaptive.steps as f64 * 100.0,
            adaptive.anchor_runs as f64 / adaptive.histories as f64,
            fixed.right_share() * 100.0,
        );
    }
    Ok(())
}

/// The baseline and the changed variant.
fn sides(folder: &Path, cause: &Cause) -> Result<[Measurement; 2], String> {
    let read = |name: &String| -> Result<Measurement, String> {
        let mut paths = recording::list(&folder.join(name))?;
        paths.sort();
        let folders = paths.iter().filter(|path| path.is_dir());
        let runs: Vec<ComparedRun> = folders
            .map(|path| recording::read(path))
            .collect::<Result<_, _>>()?;
        Ok(Measurement::new(runs))
    };
    let [good, bad] = cause.sides.each_ref().map(read);
    Ok([good?, bad?])
}

/// Counts of many bisections.
#[derive(Clone, Copy, Default)]
struct Sum {
    histories: usize,
    right: usize,
    /// Bisections at whose begin good and bad could not be told apart.
    refused: usize,
    steps: usize,
    runs: usize,
    skipped: usize,
    anchor_runs: usize,
}

impl Sum {
    fn count(&mut self, outcome: Result<Outcome, String>) {
        self.histories += 1;
        let Ok(outcome) = outcome else {
            self.refused += 1;
            return;
        };
        self.right += usize::from(outcome.is_right);
        self.steps += outcome.steps;
        self.runs += outcome.runs;
        self.skipped += outcome.skipped;
        self.anchor_runs += outcome.anchor_runs;
    }

    fn add(&mut self, other: Sum) {
        self.histories += other.histories;
        self.right += other.right;
        self.refused += other.refused;
        self.steps += other.steps;
        self.runs += other.runs;
        self.skipped += other.skipped;
        self.anchor_runs += other.anchor_runs;
    }

    fn right_share(self) -> f64 {
        self.right as f64 / self.histories as f64
    }

    fn runs_per_step(self) -> f64 {
        self.runs as f64 / self.steps as f64
    }

    fn cell(self) -> String {
        let right = format!("{:.1}%", self.right_share() * 100.0);
        let runs = format!("{right}, {:.2} runs", self.runs_per_step());
        match self.refused {
            0 => runs,
            refused => format!("{runs}, {refused} refused"),
        }
    }
}

/// Bisects histories of random lengths with the change at a random commit.
fn many(
    sides: (&Measurement, &Measurement),
    conditions: Conditions,
    histories: u64,
    fixed: Option<usize>,
) -> Sum {
    let mut sum = Sum::default();
    for seed in 1..=histories {
        let mut random = Random::new(seed);
        let length = 2 + random.below(MAX_COMMITS - 1);
        let first_bad = 1 + random.below(length);
        sum.count(bisect(
            sides,
            (length, first_bad),
            conditions,
            seed + histories,
            fixed,
        ));
    }
    sum
}

/// Judges each recorded run as a commit by the others: how many are right, undecided and wrong.
fn left_out(good: &Measurement, bad: &Measurement) -> [usize; 3] {
    let mut counts = [0; 3];
    for (side, expected) in [(good, Likeness::Good), (bad, Likeness::Bad)] {
        for out in 0..side.repeats().len() {
            let mut rest = side.repeats().to_vec();
            let commit = rest.remove(out);
            let (good, bad) = match expected {
                Likeness::Good => (rest, bad.repeats().to_vec()),
                Likeness::Bad => (good.repeats().to_vec(), rest),
            };
            let answer = judge(&BisectQuery {
                good: vec![good],
                bad: vec![bad],
                runs: vec![commit],
                ..BisectQuery::default()
            });
            let place = match answer.verdict {
                Some(verdict) if verdict == expected => 0,
                None => 1,
                Some(_) => 2,
            };
            counts[place] += 1;
        }
    }
    counts
}
