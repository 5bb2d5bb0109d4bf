//! A sweep: the same cells measured for two lines of a matrix. No cell may differ beyond its noise
//! and all of them still do: the signed-rank test of Wilcoxon on the logarithms of the ratios,
//! exact, two-sided. Twelve of twelve in one direction give p = 0.0005.

use crate::pair::Verdict;
use seekscope_notes::Good;
use seekscope_trace::quantity::factor;
use seekscope_trace::sorting::SortShort;
use serde::Serialize;

/// Fewer cells cannot reach p < 0.05, even if all agree.
pub const MIN_CELLS: usize = 6;
/// Cells up to which the distribution is computed exactly.
const EXACT: usize = 200;
/// Maximum p of a significant difference.
const LEVEL: f64 = 0.05;

/// What the matched cells of two lines show together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepTest {
    /// Cells that both lines have.
    pub cells: usize,
    /// Of these, cells with a larger value than the base.
    pub more: usize,
    pub less: usize,
    /// The smallest ratio of a cell to the base. The cells are different work, so that a mean of
    /// their ratios would be a figure of none of them.
    pub lowest: f64,
    /// The largest ratio.
    pub highest: f64,
    /// The ratios as changes, in ASCII: `-50% to +12%`, one where all are written alike.
    pub changes: String,
    /// Absent below [`MIN_CELLS`] cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    pub verdict: Verdict,
}

/// Tests pairs of base and other; pairs without a ratio are left out. `None` for fewer than two.
pub fn sweep(pairs: &[(f64, f64)], good: Option<Good>) -> Option<SweepTest> {
    let logs: Vec<f64> = pairs
        .iter()
        .filter(|(a, b)| *a > 0.0 && *b > 0.0)
        .map(|(a, b)| (b / a).ln())
        .collect();
    if logs.len() < 2 {
        return None;
    }
    let cells = logs.len();
    let count = |test: fn(f64) -> bool| logs.iter().filter(|l| test(**l)).count();
    let (more, less) = (count(|l| l > 0.0), count(|l| l < 0.0));
    let ranks = signed_ranks(&logs);
    let p = (cells >= MIN_CELLS).then(|| ranks.p());
    let verdict = match p {
        _ if more + less == 0 => Verdict::Equal,
        None => Verdict::Unsure,
        Some(p) if p >= LEVEL => Verdict::Noise,
        Some(_) => match good {
            None => Verdict::Changed,
            Some(good) if ranks.is_less() == (good == Good::Less) => Verdict::Better,
            Some(_) => Verdict::Worse,
        },
    };
    let ratios = || logs.iter().map(|log| log.exp());
    let lowest = ratios().fold(f64::INFINITY, f64::min);
    let highest = ratios().fold(f64::NEG_INFINITY, f64::max);
    Some(SweepTest {
        cells,
        more,
        less,
        lowest,
        highest,
        changes: range_of_changes(lowest, highest),
        p,
        verdict,
    })
}

fn range_of_changes(lowest: f64, highest: f64) -> String {
    let (from, to) = (factor(lowest), factor(highest));
    if from == to {
        from
    } else {
        format!("{from} to {to}")
    }
}

/// The ranks of the sizes of all differences. All numbers are twice as large, because ties share
/// their mean rank, which may be a half.
struct SignedRanks {
    ranks: Vec<usize>,
    /// Sum of the ranks of positive differences.
    up: usize,
    all: usize,
}

/// Ranks the differences; cells without one are left out.
fn signed_ranks(logs: &[f64]) -> SignedRanks {
    let mut sorted: Vec<f64> = logs.iter().copied().filter(|l| *l != 0.0).collect();
    let n = sorted.len();
    sorted.sort_short_by(|a, b| a.abs().total_cmp(&b.abs()));
    let mut ranks = vec![0usize; n];
    let mut from = 0;
    while from < n {
        let to = (from..n)
            .find(|&i| sorted[i].abs() > sorted[from].abs() * (1.0 + 1e-12))
            .unwrap_or(n);
        ranks[from..to].fill(from + 1 + to);
        from = to;
    }
    let up = (ranks.iter().zip(&sorted))
        .filter(|(_, log)| **log > 0.0)
        .map(|(rank, _)| rank)
        .sum();
    let all = ranks.iter().sum();
    SignedRanks { ranks, up, all }
}

impl SignedRanks {
    /// Whether the values are mostly below the base.
    fn is_less(&self) -> bool {
        2 * self.up < self.all
    }

    /// The two-sided p: exact for up to [`EXACT`] cells, else by the normal approximation.
    fn p(&self) -> f64 {
        let low = self.up.min(self.all - self.up);
        if self.ranks.is_empty() {
            return 1.0;
        }
        if self.ranks.len() > EXACT {
            let variance = self.ranks.iter().map(|r| (*r as f64).powi(2)).sum::<f64>() / 4.0;
            let z = (self.all as f64 / 2.0 - low as f64) / variance.sqrt();
            return (2.0 * upper_tail(z)).min(1.0);
        }
        // Probability of each sum of ranks when every sign is as likely as the other.
        let mut chance = vec![0.0f64; self.all + 1];
        chance[0] = 1.0;
        let mut top = 0;
        for &rank in &self.ranks {
            top += rank;
            for sum in (0..=top).rev() {
                let with = if sum >= rank { chance[sum - rank] } else { 0.0 };
                chance[sum] = 0.5 * (chance[sum] + with);
            }
        }
        (2.0 * chance[..=low].iter().sum::<f64>()).min(1.0)
    }
}

/// The upper tail of the normal distribution, right to 1e-7 (Abramowitz and Stegun 26.2.17).
fn upper_tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let sum = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    sum * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swept(ratios: &[f64]) -> SweepTest {
        sweep(
            &ratios
                .iter()
                .map(|r| (100.0, 100.0 * r))
                .collect::<Vec<_>>(),
            Some(Good::More),
        )
        .expect("a test")
    }

    #[test]
    fn twelve_cells_that_lose_two_percent_are_worse_where_no_cell_is() {
        let found = swept(&[
            0.98, 0.985, 0.97, 0.99, 0.981, 0.975, 0.982, 0.984, 0.979, 0.988, 0.983, 0.971,
        ]);
        assert_eq!((found.less, found.verdict), (12, Verdict::Worse));
        assert!((found.p.expect("p") - 2.0 / 4096.0).abs() < 1e-12);
    }

    #[test]
    fn the_exact_distribution_is_that_of_the_tables() {
        // Ranks 1, 2 against 3 to 8: W = 3 of n = 8, p = 2 * 5 / 256.
        let found = swept(&[1.01, 1.02, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92]);
        assert!(
            (found.p.expect("p") - 10.0 / 256.0).abs() < 1e-12,
            "{found:?}"
        );
        // All equal in size: the sign test. 6 of 8: p = 2 * (1 + 8 + 28) / 256.
        let ties = swept(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 2.0, 2.0]);
        assert!(
            (ties.p.expect("p") - 74.0 / 256.0).abs() < 1e-12,
            "{ties:?}"
        );
        assert_eq!(ties.verdict, Verdict::Noise);
    }

    #[test]
    fn the_cells_have_a_range_and_no_mean() {
        let found = swept(&[0.5, 0.75, 1.0, 2.68]);
        assert_eq!((found.lowest, found.highest), (0.5, 2.68));
        assert_eq!(found.changes, "-50% to x2.68");
    }

    #[test]
    fn one_large_gain_does_not_outweigh_many_losses() {
        // The mean of the ratios is above 1.
        let found = swept(&[0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 20.0]);
        assert_eq!(found.verdict, Verdict::Noise);
        let eleven = swept(&[
            0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.985, 0.988, 20.0,
        ]);
        assert_eq!(eleven.verdict, Verdict::Worse, "{eleven:?}");
    }

    #[test]
    fn few_cells_have_no_p_and_many_an_approximate_one() {
        let five = swept(&[0.5; 5]);
        assert_eq!((five.p, five.verdict), (None, Verdict::Unsure));
        assert_eq!(five.changes, "-50%");
        assert_eq!(swept(&[1.0; 7]).verdict, Verdict::Equal);
        assert_eq!(sweep(&[(1.0, 2.0)], None), None);
        assert_eq!(sweep(&[(0.0, 2.0), (1.0, 2.0)], None), None);
        let alternating: Vec<f64> = (0..300)
            .map(|i| 1.0 + f64::from(i) * 1e-4 * if i % 2 == 0 { 1.0 } else { -1.0 })
            .collect();
        assert!(swept(&alternating).p.expect("p") > 0.5);
        assert!(swept(&vec![0.99; 300]).p.expect("p") < 1e-12);
    }
}
