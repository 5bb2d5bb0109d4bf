//! A bisection of a made history: commits up to one are good, the others bad.

use super::draw::{Machine, Measurement, Random};
use seekscope_core::compare::ComparedRun;
use seekscope_core::compare::bisect::{
    BisectAnswer, BisectEvidence, BisectPlace, BisectQuery, CommitJudge, Likeness,
};

/// Runs of good and bad before the bisection, and whenever they are measured again.
const ANCHOR_RUNS: usize = 3;
/// The number of runs per step that adaptive steps are compared with.
pub const FIXED_RUNS: usize = 5;
/// Limit of the runs of a step.
const MAX_RUNS: usize = 8;
/// Runs within which the machine goes two thirds of its way.
const WARM_UP: f64 = 15.0;

/// What the machine does besides noise.
#[derive(Clone, Copy)]
pub struct Conditions {
    pub name: &'static str,
    /// How much slower the machine becomes in the end, as a logarithm.
    pub drift: f64,
    /// Share of the variance that runs of one boot have in common.
    pub shared: f64,
}

/// What a bisection found, and what it cost.
#[derive(Clone, Copy, Default)]
pub struct Outcome {
    pub is_right: bool,
    pub steps: usize,
    /// Runs of steps.
    pub runs: usize,
    /// Steps that were not decided.
    pub skipped: usize,
    /// Runs of good and bad after the first ones.
    pub anchor_runs: usize,
}

struct Bisection<'a> {
    good: &'a Measurement,
    bad: &'a Measurement,
    machine: Machine,
    drift: f64,
    recorded: usize,
    random: Random,
}

impl Bisection<'_> {
    fn record(&mut self, is_bad: bool) -> ComparedRun {
        let warmth = 1.0 - (-(self.recorded as f64) / WARM_UP).exp();
        self.machine.drift = self.drift * warmth;
        self.recorded += 1;
        let measurement = if is_bad { self.bad } else { self.good };
        measurement.draw(&self.machine, &mut self.random)
    }

    fn session(&mut self, is_bad: bool) -> Vec<ComparedRun> {
        self.machine.boot(&mut self.random);
        (0..ANCHOR_RUNS).map(|_| self.record(is_bad)).collect()
    }

    /// Records runs until they decide, or `fixed` of them.
    /// Returns the last answer and the number of runs.
    fn step(
        &mut self,
        judge: &CommitJudge,
        is_bad: bool,
        fixed: Option<usize>,
    ) -> (BisectAnswer, usize) {
        let mut runs = Vec::new();
        self.machine.boot(&mut self.random);
        loop {
            runs.push(self.record(is_bad));
            let last = runs.len() == fixed.unwrap_or(MAX_RUNS);
            if fixed.is_some() && !last {
                continue;
            }
            let answer = judge.answer(&runs, last);
            if last || answer.verdict.is_some() {
                return (answer, runs.len());
            }
        }
    }
}

/// Bisects one history of `length` commits after the good one, of which `first_bad` is the first
/// bad one. `fixed`: with so many runs in each step, and the nearer side as the verdict.
pub fn bisect(
    (good, bad): (&Measurement, &Measurement),
    (length, first_bad): (usize, usize),
    conditions: Conditions,
    seed: u64,
    fixed: Option<usize>,
) -> Result<Outcome, String> {
    let mut bisection = Bisection {
        good,
        bad,
        machine: Machine::new(conditions.shared),
        drift: conditions.drift,
        recorded: 0,
        random: Random::new(seed),
    };
    let mut query = BisectQuery {
        good: vec![bisection.session(false)],
        bad: vec![bisection.session(true)],
        max_runs: Some(MAX_RUNS),
        ..BisectQuery::default()
    };
    let mut judge = CommitJudge::new(&query);
    let mut outcome = Outcome::default();
    // Commits by number: `low` is good, `high` is bad.
    let (mut low, mut high) = (0, length);
    let mut skipped: Vec<usize> = Vec::new();
    let mut again = None;
    while let Some(commit) = next(low, high, &skipped) {
        outcome.steps += 1;
        let (answer, runs) = bisection.step(&judge, commit >= first_bad, fixed);
        if let Some(problem) = answer.problem {
            return Err(problem.word().to_owned());
        }
        outcome.runs += runs;
        let verdict = match fixed {
            None => answer.verdict,
            Some(_) => nearer(&answer),
        };
        let is_stale = fixed.is_none() && answer.evidence.iter().any(is_stale);
        match verdict {
            Some(Likeness::Bad) => high = commit,
            Some(Likeness::Good) => low = commit,
            None => {
                outcome.skipped += 1;
                // With newer runs of good and bad it is tested once more.
                let was_tested_again = again.replace(commit) == Some(commit);
                if !is_stale || was_tested_again {
                    skipped.push(commit);
                }
            }
        }
        if is_stale {
            for is_bad in [false, true] {
                let session = bisection.session(is_bad);
                outcome.anchor_runs += session.len();
                let side = if is_bad {
                    &mut query.bad
                } else {
                    &mut query.good
                };
                side.push(session);
            }
            judge = CommitJudge::new(&query);
        }
    }
    outcome.is_right = high == first_bad && low + 1 == high;
    Ok(outcome)
}

/// Whether a commit is certainly neither like good nor like bad, so that both are measured again.
fn is_stale(figure: &BisectEvidence) -> bool {
    figure.place.is_some_and(|place| place != BisectPlace::Near)
}

/// The commit in the middle that was not skipped, as near to it as there is one.
fn next(low: usize, high: usize, skipped: &[usize]) -> Option<usize> {
    let middle = usize::midpoint(low, high);
    (low + 1..high)
        .filter(|commit| !skipped.contains(commit))
        .min_by_key(|commit| commit.abs_diff(middle))
}

/// The side whose level of the deciding figure is nearer.
fn nearer(answer: &BisectAnswer) -> Option<Likeness> {
    let figure = answer.evidence.first()?;
    let value = figure.commit?.value;
    let is_bad = (value - figure.bad.value).abs() < (value - figure.good.value).abs();
    Some(if is_bad {
        Likeness::Bad
    } else {
        Likeness::Good
    })
}
