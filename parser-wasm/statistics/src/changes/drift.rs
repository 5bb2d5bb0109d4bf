//! Steps in one direction that are better described as one gradual change.

use super::ChangeKind;
use super::segments::StretchSums;

/// A step (`from` equals `to`), or a drift over the builds `from` to `to`; the level after it
/// begins at `to`.
#[derive(Clone, Debug)]
pub struct FoundChange {
    pub kind: ChangeKind,
    pub from: usize,
    pub to: usize,
    /// The cuts that a drift replaces; of a step, itself.
    pub cuts: Vec<usize>,
    /// Difference of the levels around a drift.
    pub difference: Option<f64>,
}

/// A drift is at least this long.
const MIN_DRIFT: usize = 5;
/// Places that are tried for each of its ends.
const PLACES: usize = 40;
/// How much better a drift must fit than steps (BIC): strong evidence.
const STRONG: f64 = 6.0;

struct Ramp {
    start: usize,
    end: usize,
    /// Squared deviations from it.
    squares: f64,
    difference: f64,
}

/// Sums of the values, of their squares, and of the values times their places.
struct PlacedSums {
    sums: Vec<f64>,
    squares: Vec<f64>,
    placed: Vec<f64>,
}

impl PlacedSums {
    fn new(values: &[f64]) -> PlacedSums {
        let origin = values.first().copied().unwrap_or(0.0);
        let running = |term: fn(f64, f64) -> f64| {
            let mut sum = 0.0;
            let values = values.iter().enumerate();
            let sums = values.map(|(place, value)| {
                sum += term(value - origin, place as f64);
                sum
            });
            [0.0].into_iter().chain(sums).collect()
        };
        PlacedSums {
            sums: running(|y, _| y),
            squares: running(|y, _| y * y),
            placed: running(|y, place| y * place),
        }
    }

    /// Least squares of a level up to `start`, a straight line to `end`, and a level from there: a
    /// regression on x, which rises from 0 to 1.
    fn fit(&self, (from, to): (usize, usize), start: usize, end: usize) -> Ramp {
        let between = |table: &[f64], a: usize, b: usize| table[b] - table[a];
        let (n, width, after) = ((to - from) as f64, (end - start) as f64, (to - end) as f64);
        let sx = (width - 1.0) / 2.0 + after;
        let sxx = (width - 1.0) * (2.0 * width - 1.0) / (6.0 * width) + after;
        let sy = between(&self.sums, from, to);
        let rising =
            between(&self.placed, start, end) - start as f64 * between(&self.sums, start, end);
        let sxy = rising / width + between(&self.sums, end, to);
        let covariation = sxy - sx * sy / n;
        let difference = covariation / (sxx - sx * sx / n);
        let squares = between(&self.squares, from, to) - sy * sy / n - difference * covariation;
        Ramp {
            start,
            end,
            squares: squares.max(0.0),
            difference,
        }
    }

    fn best_ramp(&self, (from, to): (usize, usize)) -> Option<Ramp> {
        let step = (to - from).div_ceil(PLACES).max(1);
        let mut best: Option<Ramp> = None;
        for start in (from..to.saturating_sub(MIN_DRIFT)).step_by(step) {
            for end in (start + MIN_DRIFT..to).step_by(step) {
                let ramp = self.fit((from, to), start, end);
                if best.as_ref().is_none_or(|best| ramp.squares < best.squares) {
                    best = Some(ramp);
                }
            }
        }
        best
    }
}

/// The levels between cuts: numbers of cuts begin at 1, and level `i` lies before cut `i + 1`.
struct Steps<'a> {
    cuts: &'a [usize],
    sums: StretchSums,
    places: PlacedSums,
    variance: f64,
}

impl Steps<'_> {
    fn edge(&self, i: usize) -> usize {
        match i {
            0 => 0,
            i => self.cuts.get(i - 1).copied().unwrap_or(self.sums.len()),
        }
    }

    fn rises(&self, i: usize) -> bool {
        let mean = |i: usize| self.sums.mean(self.edge(i), self.edge(i + 1));
        mean(i) > mean(i - 1)
    }

    /// The drift that describes the cuts `first` to `last` better than steps, if it begins after
    /// `previous`, the last build of the change before it.
    fn drift(&self, first: usize, last: usize, previous: usize) -> Option<FoundChange> {
        let (from, to) = (self.edge(first - 1), self.edge(last + 1));
        let levels = first - 1..=last;
        let steps: f64 = levels
            .map(|i| self.sums.deviations(self.edge(i), self.edge(i + 1)))
            .sum();
        let ramp = self.places.best_ramp((from, to))?;
        let parameters = 2.0 * (last - first + 1) as f64 + 1.0 - 4.0;
        let better =
            (steps - ramp.squares) / self.variance + parameters * ((to - from) as f64).ln();
        if better < STRONG || (ramp.difference > 0.0) != self.rises(first) {
            return None;
        }
        // The first and the last build that differ from the levels, and at least one build at each
        // level.
        let (start, end) = (ramp.start + 1, ramp.end.min(to - 1));
        (start > previous).then(|| FoundChange {
            kind: ChangeKind::Drift,
            from: start,
            to: end,
            cuts: self.cuts[first - 1..last].to_vec(),
            difference: Some(ramp.difference),
        })
    }
}

/// The changes at these cuts; runs of cuts that a drift describes better are one.
pub fn drifts_among(values: &[f64], cuts: &[usize], variance: f64) -> Vec<FoundChange> {
    let steps = Steps {
        cuts,
        sums: StretchSums::new(values),
        places: PlacedSums::new(values),
        variance,
    };
    let mut found: Vec<FoundChange> = Vec::new();
    let mut first = 1;
    while first <= cuts.len() {
        let mut last = first;
        while last < cuts.len() && steps.rises(last + 1) == steps.rises(first) {
            last += 1;
        }
        let previous = found.last().map_or(0, |change| change.to);
        let drifts = (first..=last).rev();
        let drift = drifts.filter_map(|last| Some((last, steps.drift(first, last, previous)?)));
        let (last, change) = drift.into_iter().next().unwrap_or_else(|| {
            let index = steps.edge(first);
            let step = FoundChange {
                kind: ChangeKind::Step,
                from: index,
                to: index,
                cuts: vec![index],
                difference: None,
            };
            (first, step)
        });
        found.push(change);
        first = last + 1;
    }
    found
}
