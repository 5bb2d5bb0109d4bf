//! Whether further values are repeats of one group or of another: the test by which a commit of a
//! bisection is like the good or the bad kernel.
//!
//! Values of a group are normal with an unknown mean and an unknown deviation. The mean has a flat
//! prior; the deviation has an expectation that counts as some values ([`Prior`]), because three
//! repeats can agree by chance. The density of further values is then a multivariate Student's t
//! ([`Repeats::ln_density`]). The logarithm of the quotient of two such densities is the *weight*
//! of evidence; with equal chances beforehand, it is the logarithm of the odds.
//!
//! The weight may be looked at after every value: a sequence that belongs to one group reaches odds
//! of `1 / error` for the other with a probability of at most `error`, however often it is asked
//! (Wald's sequential test of 1945; Ville's inequality). That is why a step of a bisection can stop
//! as soon as it is decided.

use super::beta::ln_gamma;
use super::sample::mean;
use super::student::t_975;
use std::f64::consts::PI;

/// What is expected of the deviation of repeats before they are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The expected standard deviation, above 0.
    pub deviation: f64,
    /// How many values the expectation counts for, above 0.
    pub weight: f64,
}

/// A group of repeats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeats {
    /// Mean of the values.
    pub mean: f64,
    /// Number of values that the mean has.
    pub count: f64,
    /// Squared deviations, those that the prior expects included.
    squares: f64,
    /// Degrees of freedom of `squares`.
    freedom: f64,
}

impl Repeats {
    /// The group of the last session. Earlier sessions had other means, because machines change;
    /// what their values differ by among themselves still tells of the deviation. Absent if the
    /// last session is empty.
    pub fn new(sessions: &[Vec<f64>], prior: Prior) -> Option<Repeats> {
        let last = sessions.last().filter(|values| !values.is_empty())?;
        let mut repeats = Repeats {
            mean: mean(last),
            count: last.len() as f64,
            squares: prior.weight * prior.deviation.powi(2),
            freedom: prior.weight,
        };
        for values in sessions.iter().filter(|values| !values.is_empty()) {
            repeats.squares += squares(values);
            repeats.freedom += values.len() as f64 - 1.0;
        }
        Some(repeats)
    }

    /// Standard deviation of a single value.
    pub fn deviation(&self) -> f64 {
        (self.squares / self.freedom).sqrt()
    }

    /// Half the length of the 95 % interval of the mean.
    pub fn reach(&self) -> f64 {
        t_975(self.freedom) * self.deviation() / self.count.sqrt()
    }

    /// How far the mean of another group with the same mean would be at most, with a probability of
    /// 95 %.
    pub fn reach_of_difference(&self, other: &Repeats) -> f64 {
        let variance =
            self.deviation().powi(2) / self.count + other.deviation().powi(2) / other.count;
        t_975(self.freedom.min(other.freedom)) * variance.sqrt()
    }

    /// Logarithm of the density with which further repeats have these values.
    pub fn ln_density(&self, values: &[f64]) -> f64 {
        let n = values.len() as f64;
        if values.is_empty() {
            return 0.0;
        }
        let weight = self.count / (self.count + n);
        let distance = mean(values) - self.mean;
        let squares_after = self.squares + squares(values) + weight * n * distance.powi(2);
        let half = self.freedom / 2.0;
        let half_after = (self.freedom + n) / 2.0;
        ln_gamma(half_after) - ln_gamma(half) + half * self.squares.ln()
            - half_after * squares_after.ln()
            + 0.5 * (weight.ln() - n * PI.ln())
    }
}

/// How much likelier values are as repeats of `b` than of `a`: the logarithm of the odds.
pub fn weight(a: &Repeats, b: &Repeats, values: &[f64]) -> f64 {
    b.ln_density(values) - a.ln_density(values)
}

/// The weight at which the odds are high enough for errors with this probability.
pub fn deciding_weight(error: f64) -> f64 {
    ((1.0 - error) / error).ln()
}

/// The probability that the group that a weight speaks for is the wrong one.
pub fn error_of(weight: f64) -> f64 {
    1.0 / (1.0 + weight.abs().exp())
}

/// How many values would decide, after `present` ones, if they have the mean and the deviation of
/// `like`; absent for more than `most`.
pub fn values_to_decide(
    (a, b): (&Repeats, &Repeats),
    present: &[f64],
    like: &Repeats,
    error: f64,
    most: usize,
) -> Option<usize> {
    let typical = |n: usize| {
        // As many above the mean as below it; the last of an odd number is the mean.
        (0..n).map(move |i| match i % 2 {
            0 if i + 1 == n => like.mean,
            0 => like.mean + like.deviation(),
            _ => like.mean - like.deviation(),
        })
    };
    (1..=most).find(|&n| {
        let values: Vec<f64> = present.iter().copied().chain(typical(n)).collect();
        weight(a, b, &values).abs() >= deciding_weight(error)
    })
}

fn squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIOR: Prior = Prior {
        deviation: 0.1,
        weight: 2.0,
    };

    fn group(values: &[f64]) -> Repeats {
        Repeats::new(&[values.to_vec()], PRIOR).expect("values")
    }

    /// Normal numbers that look random: sums of twelve uniform ones.
    fn normals(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            let uniform = (0..12).map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 11) as f64 / (1u64 << 53) as f64
            });
            uniform.sum::<f64>() - 6.0
        }
    }

    #[test]
    fn the_density_of_one_value_is_that_of_student() {
        // Mean 1, prior and values make 4 degrees of freedom: t = 0.3 / (s * sqrt(1 + 1/3)).
        let repeats = group(&[0.9, 1.0, 1.1]);
        let s = ((2.0 * 0.01 + 0.02) / 4.0f64).sqrt() * (4.0f64 / 3.0).sqrt();
        let t: f64 = 0.3 / s;
        // Student's density with 4 degrees of freedom: 3/8 (1 + t^2/4)^(-5/2).
        let expected = (0.375 * (1.0 + t * t / 4.0).powf(-2.5) / s).ln();
        let found = repeats.ln_density(&[1.3]);
        assert!((found - expected).abs() < 1e-10, "{found} {expected}");
    }

    #[test]
    fn densities_multiply_when_values_are_learned_one_by_one() {
        let before = group(&[0.9, 1.0, 1.1]);
        // The second value, after the first has become one of the group.
        let after = group(&[0.9, 1.0, 1.1, 1.3]);
        let found = before.ln_density(&[1.3]) + after.ln_density(&[0.8]);
        assert!((before.ln_density(&[1.3, 0.8]) - found).abs() < 1e-10);
    }

    #[test]
    fn an_earlier_session_tells_of_the_deviation_only() {
        let sessions = [vec![5.0, 5.2], vec![1.0, 1.1, 0.9]];
        let repeats = Repeats::new(&sessions, PRIOR).expect("values");
        assert_eq!((repeats.mean, repeats.count), (1.0, 3.0));
        assert!((repeats.deviation().powi(2) - (0.02 + 0.02 + 0.02) / 5.0).abs() < 1e-12);
        assert_eq!(Repeats::new(&[vec![1.0], vec![]], PRIOR), None);
        assert_eq!(Repeats::new(&[], PRIOR), None);
    }

    #[test]
    fn far_groups_need_one_value_and_near_ones_need_more() {
        let good = group(&[4.0, 4.01, 3.99]);
        let needed = |difference: f64| {
            let bad = group(&[4.0 - difference, 4.01 - difference, 3.99 - difference]);
            values_to_decide((&good, &bad), &[], &bad, 0.005, 20)
        };
        assert_eq!(needed(1.5), Some(1));
        let near = needed(0.2).expect("decided");
        assert!((2..=8).contains(&near), "{near}");
        assert_eq!(needed(0.0), None);
    }

    #[test]
    fn looking_after_each_value_is_wrong_as_rarely_as_promised() {
        let error = 0.02;
        let (mut decided, mut wrong, mut used) = (0, 0, 0);
        for history in 0..2_000 {
            let mut normal = normals(history + 1);
            let mut draw = |mean: f64| mean + 0.1 * normal();
            let good: Vec<f64> = (0..3).map(|_| draw(1.0)).collect();
            let bad: Vec<f64> = (0..3).map(|_| draw(0.7)).collect();
            let (good, bad) = (group(&good), group(&bad));
            let is_bad = history % 2 == 0;
            let mut values = Vec::new();
            for _ in 0..20 {
                values.push(draw(if is_bad { 0.7 } else { 1.0 }));
                let weight = weight(&good, &bad, &values);
                if weight.abs() >= deciding_weight(error) {
                    decided += 1;
                    used += values.len();
                    wrong += usize::from((weight > 0.0) != is_bad);
                    break;
                }
            }
        }
        assert!(decided > 1_900, "{decided}");
        assert!(wrong as f64 <= error * 2_000.0, "{wrong}");
        let mean = used as f64 / f64::from(decided);
        assert!((1.5..6.0).contains(&mean), "{mean}");
    }
}
