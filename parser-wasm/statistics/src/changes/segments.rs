//! A series cut into stretches of one level each: PELT (Killick, Fearnhead and Eckley 2012) on
//! squared deviations.

/// Sums of a series: the level and the squared deviations of any stretch in constant time.
pub struct StretchSums {
    origin: f64,
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl StretchSums {
    pub fn new(values: &[f64]) -> StretchSums {
        // Values are relative to the first one: with large logarithms, the difference of squares
        // would lose all digits.
        let origin = values.first().copied().unwrap_or(0.0);
        let running = |term: fn(f64) -> f64| {
            let mut sum = 0.0;
            let terms = values.iter().map(|value| term(value - origin));
            let sums = terms.map(|term| {
                sum += term;
                sum
            });
            [0.0].into_iter().chain(sums).collect()
        };
        StretchSums {
            origin,
            sums: running(|x| x),
            squares: running(|x| x * x),
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.sums.len() - 1
    }

    /// The mean of the values from `from`, before `to`.
    pub fn mean(&self, from: usize, to: usize) -> f64 {
        self.origin + (self.sums[to] - self.sums[from]) / (to - from) as f64
    }

    /// The sum of squared deviations from that mean.
    pub fn deviations(&self, from: usize, to: usize) -> f64 {
        let sum = self.sums[to] - self.sums[from];
        (self.squares[to] - self.squares[from] - sum * sum / (to - from) as f64).max(0.0)
    }
}

/// The first values of all stretches but the first, so that squared deviations plus `penalty` per
/// change are least; stretches have `min_length` values or more.
pub fn cut_points(sums: &StretchSums, penalty: f64, min_length: usize) -> Vec<usize> {
    let n = sums.len();
    let mut cost = vec![f64::INFINITY; n + 1];
    let mut previous = vec![0; n + 1];
    cost[0] = -penalty;
    // The starts of a last stretch that may still be best, and the cost with each. A start that is
    // worse than the best even without the penalty can never become best again.
    let mut starts = vec![0];
    let mut totals = Vec::new();
    for to in min_length..=n {
        let mut best = f64::INFINITY;
        totals.clear();
        for &from in &starts {
            let total = cost[from] + sums.deviations(from, to);
            totals.push(total);
            if total + penalty < best {
                best = total + penalty;
                previous[to] = from;
            }
        }
        cost[to] = best;
        let mut may_be_best = totals.iter().map(|total| *total <= best);
        starts.retain(|_| may_be_best.next().unwrap_or(false));
        // From the next value on, a stretch that begins here is long enough.
        if to + 1 >= 2 * min_length {
            starts.push(to + 1 - min_length);
        }
    }
    let mut cuts = Vec::new();
    let mut cut = previous[n];
    while cut > 0 {
        cuts.push(cut);
        cut = previous[cut];
    }
    cuts.reverse();
    cuts
}
